package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/opt"
	"silvm/vm"
	"silvm/vm/measure"
	"silvm/vm/native"
)

var (
	genTries = flag.Int("gen", 120, "random modules that the passes are tried on")
	genSeed  = flag.Uint64("gen-seed", 0, "seed of the first of them")
)

// TestKeptFailures runs the small files that 'silvm validate --gen N --keep DIR' made of failures, with the passes that their second line names:
// none may be wrong any more.
func TestKeptFailures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "gen", "*.sil"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`(?m)^// silvm validate --passes (\S+):`).FindSubmatch(text)
		if m == nil {
			t.Errorf("%s does not say which passes", file)
			continue
		}
		passes, err := passesNamed(strings.Split(string(m[1]), ","))
		if err != nil {
			t.Fatal(err)
		}
		load := func() (*ir.Module, error) { return loadGenerated(text) }
		v, err := measure.Validate(load, measure.Options{Config: vm.Config{Natives: native.Table(), Limits: genLimits}, Passes: passes}, false)
		if err != nil || v.Wrong != "" {
			t.Errorf("%s: after %s %s%v (silvm validate --passes %s %s)", file, v.Pass, v.Wrong, err, m[1], file)
		}
	}
}

// TestRandomModules tries the pipeline, passes alone and random sequences of passes on modules made at random. A failure says how to
// make the module again; 'silvm validate --gen 1 --seed N --size 3 --keep DIR' makes it small.
func TestRandomModules(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of tries")
	}
	hunt := &measure.Hunt{Config: vm.Config{Natives: native.Table(), Limits: genLimits}, Pipeline: opt.Default.Passes, All: opt.Passes(), Size: 2, Load: loadGenerated}
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		t.Run(strconv.Itoa(first), func(t *testing.T) {
			t.Parallel()
			for n := first; n < *genTries; n += workers {
				failures, err := hunt.Seed(*genSeed + uint64(n))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range failures {
					t.Errorf("%s: --passes %s: %s", f.Command(), f.Names(), f.Wrong)
				}
			}
		})
	}
}
