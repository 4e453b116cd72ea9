package opt_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/gen"
	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
)

// firesFile says of each pass on which random module it changes something when it runs alone: the first such seed, or "never".
const firesFile = "testdata/fires.txt"

// mostSeeds is how many modules -update looks through.
const mostSeeds = 60

// TestPassesFireOnRandomModules: random modules are no test of a pass that finds nothing to do in them.
func TestPassesFireOnRandomModules(t *testing.T) {
	if *update {
		writeFires(t)
	}
	text, err := os.ReadFile(firesFile)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, seed, _ := strings.Cut(strings.TrimSpace(line), " ")
		said[name] = seed
	}
	for _, p := range opt.Passes() {
		switch seed, err := strconv.ParseUint(said[p.Name], 10, 64); {
		case said[p.Name] == "never":
		case err != nil:
			t.Errorf("%s has no line for %s: go test ./opt -run %s -update", firesFile, p.Name, t.Name())
		case !fires(t, seed, p):
			t.Errorf("%s changes nothing any more in silvm gen --seed %d --size 2 --form %s: go test ./opt -run %s -update", p.Name, seed, formNames[seed%3], t.Name())
		}
	}
}

var formNames = [...]string{"mixed", "ossa", "lowered"}

// fires reports whether a pass changes the module of a seed.
func fires(t *testing.T, seed uint64, p *pass.Pass) (changed bool) {
	t.Helper()
	mod, diags := loader.Load("gen.sil", gen.Module(gen.Options{Seed: seed, Size: 2, Form: gen.Form(seed % 3)}), loader.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	after := func(_ *pass.Pass, _ *ir.Function, did bool) { changed = changed || did }
	if err := pass.Run(mod, []*pass.Pass{p}, pass.Options{Whole: true, After: after}); err != nil {
		t.Fatalf("seed %d, %s: %v", seed, p.Name, err)
	}
	return changed
}

func writeFires(t *testing.T) {
	t.Helper()
	first := map[*pass.Pass]string{}
	for seed := range uint64(mostSeeds) {
		for _, p := range opt.Passes() {
			if first[p] == "" && !strings.Contains(p.Name, "dump") && fires(t, seed, p) {
				first[p] = strconv.FormatUint(seed, 10)
			}
		}
	}
	var b strings.Builder
	for _, p := range opt.Passes() {
		if first[p] == "" {
			first[p] = "never"
		}
		fmt.Fprintf(&b, "%s %s\n", p.Name, first[p])
	}
	if err := os.WriteFile(firesFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
