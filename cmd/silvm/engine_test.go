package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"silvm/heap"
	"silvm/ir/gen"
	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/vm"
	"silvm/vm/jit"
	"silvm/vm/native"
	"silvm/vm/wasm"
)

// ending is what a run leaves behind that must not depend on the engine.
type ending struct {
	stdout, stderr string
	end            string
	heap           heap.Stats
	count          vm.Counters // where the engine counts
	live           string      // the objects that are alive: serial numbers, addresses, sizes
}

// as is what an engine has to leave behind.
func (o ending) as(e *jit.Engine) ending {
	if !e.Options.Counting {
		o.count = vm.Counters{}
	}
	return o
}

// eager is a pace at which small programs change over too, in the middle of things.
var eager = vm.Pace{Slice: 50, First: 2, Insts: 500, Wait: true}

// runWith runs a program by an engine, or by the interpreter when that is nil; with a pace in tiers. again says why the interpreter had to run it
// once more.
func runWith(t *testing.T, file string, e *jit.Engine, pace *vm.Pace) (o ending, again string) {
	t.Helper()
	text, err := siltest.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return runText(t, file, text, e, pace)
}

// runText is runWith for a text.
func runText(t *testing.T, file string, text []byte, e *jit.Engine, pace *vm.Pace) (o ending, again string) {
	t.Helper()
	mod, diags := loader.Load(file, text, loader.Options{Lazy: true})
	if diags.Errors() > 0 {
		t.Skipf("%s: %d errors", file, diags.Errors())
	}
	var stdout, stderr bytes.Buffer
	cfg := vm.Config{Stdout: &stdout, Stderr: &stderr, Stdin: strings.NewReader("one\ntwo\n3\n"), Args: []string{file}, Natives: native.Table()}
	m, err := vm.New(mod, cfg)
	if err != nil {
		t.Skip(err)
	}
	var end vm.Stop
	if e != nil {
		if pace != nil {
			end, again = m.RunTiers(e, *pace)
			e.Close()
		} else {
			end, again = m.RunBy(e)
		}
		if again != "" {
			if m, err = m.Again(); err != nil {
				t.Fatal(err)
			}
			end = m.Run(0)
			if m.Diverged() {
				t.Errorf("%s: the second run printed something else than the first", file)
			}
		}
	} else {
		end = m.Run(0)
	}
	o = ending{stdout: stdout.String(), stderr: stderr.String(), end: fmt.Sprint("exit ", end.ExitCode), heap: m.Heap().Stats()}
	if end.Kind == vm.Trapped {
		o.end = end.Trap.Diagnostic().Msg
		return o, again
	}
	var live strings.Builder
	m.Heap().Live(func(i heap.ObjectInfo) bool {
		fmt.Fprintf(&live, "%v %d at %#x, %d bytes, %v\n", i.Kind, i.Serial, i.Ref, i.Size, i.State)
		return true
	})
	o.live = live.String()
	if e == nil || e.Options.Counting {
		o.count = m.Counters()
		o.count.Lowered = 0 // how many there are is the engine's affair
	}
	m.Release()
	return o, again
}

// allEngines makes the tests of engines take every recorded program, which is minutes of work, not one in eight.
var allEngines = flag.Bool("all-engines", false, "compare the engines on every recorded program")

func recordedForEngines(t *testing.T) []string {
	return slices.Sorted(maps.Keys(recorded(t, "embedded/*/*.sil", "embedded/*/*.sil.gz", "ordinary/*/*.sil", "ordinary/*/*.sil.gz",
		"kernels/*/*.sil.gz", "counts/*.sil", "seeds/*.sil", "museum/*.sil", "bench/*/*.sil", "swift-6.2/*/*/*.sil", "swift-6.2/*/*/*.sil.gz")))
}

// Every recorded program does the same in the interpreter and as machine code: output, end, allocations, and what is alive at the end, at the
// same addresses. A program that does not trap is never run again. The translation without structure does the same too.
func TestEngines(t *testing.T) {
	files := recordedForEngines(t)
	for n, file := range files {
		if !*allEngines && n%8 != 0 {
			continue
		}
		t.Run(strings.TrimPrefix(file, "../../programs/"), func(t *testing.T) {
			t.Parallel()
			want, _ := runWith(t, file, nil, nil)
			engines := []*jit.Engine{{}}
			if n%4 == 0 {
				engines[0].Options.Counting = true
				engines = append(engines, &jit.Engine{Options: wasm.Options{Dispatch: true}})
			}
			for _, e := range engines {
				got, again := runWith(t, file, e, nil)
				if want := want.as(e); got != want {
					t.Errorf("%+v: the engine gives\n%.3000s\nthe interpreter\n%.3000s", e.Options, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
				}
				if again != "" && strings.HasPrefix(want.end, "exit ") {
					t.Errorf("%+v: the interpreter had to run it again: %s", e.Options, again)
				}
			}
		})
	}
}

// Every recorded program does the same when the engine takes over parts of it while it runs.
func TestTiers(t *testing.T) {
	files := recordedForEngines(t)
	for n, file := range files {
		if !*allEngines && n%8 != 3 {
			continue
		}
		t.Run(strings.TrimPrefix(file, "../../programs/"), func(t *testing.T) {
			t.Parallel()
			want, _ := runWith(t, file, nil, nil)
			e := &jit.Engine{Options: wasm.Options{Counting: true}}
			got, again := runWith(t, file, e, &eager)
			if got != want {
				t.Errorf("in tiers it gives\n%.3000s\nin the interpreter\n%.3000s", fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
			}
			if again != "" && strings.HasPrefix(want.end, "exit ") {
				t.Errorf("the interpreter had to run it again: %s", again)
			}
		})
	}
}

// What ends in a finding ends in the same one, in the same words.
func TestEngineFindings(t *testing.T) {
	for _, dir := range []string{"seeds", "trap", "museum"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "programs", dir, "*.sil"))
		if err != nil {
			t.Fatal(err)
		}
		for n, file := range files {
			if !*allEngines && n%4 != 0 {
				continue
			}
			t.Run(dir+"/"+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				var texts [2]string
				for k, engine := range []string{"interp", "wasm"} {
					var stdout, stderr bytes.Buffer
					status := run([]string{"run", "--color=never", "--engine=" + engine, file}, strings.NewReader(""), &stdout, &stderr)
					texts[k] = fmt.Sprintf("status %d\n%s%s", status, stdout.String(), stderr.String())
				}
				if texts[0] != texts[1] {
					t.Errorf("the interpreter:\n%s\nthe engine:\n%s", texts[0], texts[1])
				}
			})
		}
	}
}

// genEngines is how many generated programs the engines are compared on, from which seed.
var (
	genEngines = flag.Int("gen-engines", 12, "compare the engines on so many generated programs")
	engineSeed = flag.Uint64("gen-engines-seed", 1, "of the first one")
)

// Generated programs do the same in both engines and in tiers; those that end by themselves are never run again.
func TestEnginesOnGeneratedPrograms(t *testing.T) {
	for n := range *genEngines {
		seed := *engineSeed + uint64(n)
		text := []byte(gen.Module(gen.Options{Seed: seed, Size: 10, Form: gen.Mixed}))
		name := fmt.Sprintf("seed%d.sil", seed)
		t.Run(name, func(t *testing.T) {
			want, _ := runText(t, name, text, nil, nil)
			for k, tiers := range []bool{false, true} {
				e := &jit.Engine{Options: wasm.Options{Counting: true, Dispatch: n%3 == 0}}
				pace := &eager
				if !tiers {
					pace = nil
				}
				got, again := runText(t, name, text, e, pace)
				if got != want {
					t.Errorf("engine %d gives\n%.3000s\nthe interpreter\n%.3000s\n(silvm gen --seed %d --size 10)", k, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want), seed)
				}
				if again != "" && strings.HasPrefix(want.end, "exit ") {
					t.Errorf("engine %d: the interpreter had to run it again: %s (silvm gen --seed %d --size 10)", k, again, seed)
				}
			}
		})
	}
}

// A run that gives up at any call of the host ends as if it had not, after the interpreter has run the program again.
func TestForcedReruns(t *testing.T) {
	for n, file := range recordedForEngines(t) {
		if n%16 != 5 {
			continue
		}
		t.Run(strings.TrimPrefix(file, "../../programs/"), func(t *testing.T) {
			t.Parallel()
			want, _ := runWith(t, file, nil, nil)
			for k, at := range []int{1, 2 + n%7, 20 + n%31} {
				pace := &eager
				if k == 1 {
					pace = nil
				}
				e := &jit.Engine{Options: wasm.Options{GiveUp: at}}
				got, again := runWith(t, file, e, pace)
				got.count = want.count // the interpreter's if it ran, else nobody's
				if got != want {
					t.Errorf("given up at call %d (%s) it gives\n%.3000s\nelse\n%.3000s", at, again, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
				}
			}
		})
	}
}
