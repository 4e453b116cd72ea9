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
// once more, unless the program reads words of type metadata, which only the interpreter does.
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
			if m.ReadsMetadata() {
				again = ""
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

// foundByEngines are seeds whose programs an engine did wrong once: where machine code is entered at an operation that settles.
var foundByEngines = []uint64{644}

// Generated programs do the same in both engines and in tiers; those that end by themselves are never run again.
func TestEnginesOnGeneratedPrograms(t *testing.T) {
	seeds := slices.Clone(foundByEngines)
	for n := range *genEngines {
		seeds = append(seeds, *engineSeed+uint64(n))
	}
	for n, seed := range seeds {
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

// openAccesses has three accesses open in each of many calls under way, and ends the first of them first. The innermost call reads what main
// modifies if the first number is 1; the other one says how many calls there are.
const openAccesses = `sil_stage canonical
import Builtin
sil @deep : $@convention(thin) (Builtin.Int32, @inout Builtin.Int32) -> Builtin.Int32 {
bb0(%%0 : $Builtin.Int32, %%1 : $*Builtin.Int32):
  %%2 = alloc_stack $Builtin.Int32
  %%3 = alloc_stack $Builtin.Int32
  store %%0 to %%2 : $*Builtin.Int32
  store %%0 to %%3 : $*Builtin.Int32
  %%6 = begin_access [modify] [dynamic] %%2 : $*Builtin.Int32
  %%7 = begin_access [read] [dynamic] %%3 : $*Builtin.Int32
  %%8 = begin_access [read] [dynamic] %%3 : $*Builtin.Int32
  %%9 = integer_literal $Builtin.Int32, 1
  %%10 = integer_literal $Builtin.Int1, 0
  %%11 = builtin "ssub_with_overflow_Int32"(%%0 : $Builtin.Int32, %%9 : $Builtin.Int32, %%10 : $Builtin.Int1) : $(Builtin.Int32, Builtin.Int1)
  %%12 = tuple_extract %%11 : $(Builtin.Int32, Builtin.Int1), 0
  %%13 = integer_literal $Builtin.Int32, 0
  %%14 = builtin "cmp_eq_Int32"(%%12 : $Builtin.Int32, %%13 : $Builtin.Int32) : $Builtin.Int1
  cond_br %%14, bb1, bb2
bb1:
  %%16 = integer_literal $Builtin.Int1, %d
  cond_br %%16, bb4, bb3(%%9 : $Builtin.Int32)
bb2:
  %%18 = function_ref @deep : $@convention(thin) (Builtin.Int32, @inout Builtin.Int32) -> Builtin.Int32
  %%19 = apply %%18(%%12, %%1) : $@convention(thin) (Builtin.Int32, @inout Builtin.Int32) -> Builtin.Int32
  br bb3(%%19 : $Builtin.Int32)
bb3(%%21 : $Builtin.Int32):
  end_access %%6 : $*Builtin.Int32
  end_access %%8 : $*Builtin.Int32
  end_access %%7 : $*Builtin.Int32
  dealloc_stack %%3 : $*Builtin.Int32
  dealloc_stack %%2 : $*Builtin.Int32
  %%27 = builtin "add_Int32"(%%21 : $Builtin.Int32, %%9 : $Builtin.Int32) : $Builtin.Int32
  return %%27 : $Builtin.Int32
bb4:
  %%29 = begin_access [read] [dynamic] %%1 : $*Builtin.Int32
  %%30 = load %%29 : $*Builtin.Int32
  end_access %%29 : $*Builtin.Int32
  br bb3(%%30 : $Builtin.Int32)
}
sil @main : $@convention(c) (Builtin.Int32, Builtin.RawPointer) -> Builtin.Int32 {
bb0(%%0 : $Builtin.Int32, %%1 : $Builtin.RawPointer):
  %%2 = alloc_stack $Builtin.Int32
  %%3 = integer_literal $Builtin.Int32, %d
  store %%3 to %%2 : $*Builtin.Int32
  %%5 = begin_access [modify] [dynamic] %%2 : $*Builtin.Int32
  %%6 = function_ref @deep : $@convention(thin) (Builtin.Int32, @inout Builtin.Int32) -> Builtin.Int32
  %%7 = apply %%6(%%3, %%5) : $@convention(thin) (Builtin.Int32, @inout Builtin.Int32) -> Builtin.Int32
  %%8 = apply %%6(%%3, %%5) : $@convention(thin) (Builtin.Int32, @inout Builtin.Int32) -> Builtin.Int32
  end_access %%5 : $*Builtin.Int32
  dealloc_stack %%2 : $*Builtin.Int32
  %%11 = builtin "add_Int32"(%%7 : $Builtin.Int32, %%8 : $Builtin.Int32) : $Builtin.Int32
  return %%11 : $Builtin.Int32
}
`

// Accesses that are open in machine code, more than there is room for, and that end in any order do what they do in the interpreter.
func TestEnginesOnOpenAccesses(t *testing.T) {
	for _, deep := range []int{2, 10, 17, 40} {
		for conflict := range 2 {
			name := fmt.Sprintf("accesses%d.sil", deep)
			text := fmt.Appendf(nil, openAccesses, conflict, deep)
			want, _ := runText(t, name, text, nil, nil)
			for _, pace := range []*vm.Pace{nil, &eager} {
				got, again := runText(t, name, text, &jit.Engine{Options: wasm.Options{Counting: true}}, pace)
				if got != want || again != "" && conflict == 0 {
					t.Errorf("%d deep, conflict %d, tiers %t: it gives (%s)\n%+v\nthe interpreter\n%+v", deep, conflict, pace != nil, again, got, want)
				}
			}
		}
	}
}

// coroutines has one that begins another, two of them under way at once that end in the order in which they began, and one that is ended or aborted
// as the count of the loop says; each leaves its trace in what it yields.
const coroutines = `sil_stage canonical
import Builtin
sil @inner : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32 {
bb0(%0 : $*Builtin.Int32, %1 : $Builtin.Int32):
  %2 = alloc_stack $Builtin.Int32
  %3 = load %0 : $*Builtin.Int32
  %4 = builtin "add_Int32"(%3 : $Builtin.Int32, %1 : $Builtin.Int32) : $Builtin.Int32
  store %4 to %2 : $*Builtin.Int32
  yield %2 : $*Builtin.Int32, resume bb1, unwind bb2
bb1:
  %7 = load %2 : $*Builtin.Int32
  store %7 to %0 : $*Builtin.Int32
  dealloc_stack %2 : $*Builtin.Int32
  %10 = tuple ()
  return %10 : $()
bb2:
  %12 = builtin "mul_Int32"(%4 : $Builtin.Int32, %1 : $Builtin.Int32) : $Builtin.Int32
  store %12 to %0 : $*Builtin.Int32
  dealloc_stack %2 : $*Builtin.Int32
  unwind
}
sil @outer : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32 {
bb0(%0 : $*Builtin.Int32, %1 : $Builtin.Int32):
  %2 = function_ref @inner : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32
  (%3, %4) = begin_apply %2(%0, %1) : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32
  %5 = builtin "xor_Int32"(%1 : $Builtin.Int32, %1 : $Builtin.Int32) : $Builtin.Int32
  yield %3 : $*Builtin.Int32, resume bb1, unwind bb2
bb1:
  %7 = load %3 : $*Builtin.Int32
  %8 = builtin "add_Int32"(%7 : $Builtin.Int32, %1 : $Builtin.Int32) : $Builtin.Int32
  store %8 to %3 : $*Builtin.Int32
  end_apply %4 as $()
  %11 = tuple ()
  return %11 : $()
bb2:
  abort_apply %4
  unwind
}
sil @round : $@convention(thin) (@inout Builtin.Int32, @inout Builtin.Int32, Builtin.Int32) -> () {
bb0(%0 : $*Builtin.Int32, %1 : $*Builtin.Int32, %2 : $Builtin.Int32):
  %3 = function_ref @outer : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32
  (%4, %5) = begin_apply %3(%0, %2) : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32
  (%6, %7) = begin_apply %3(%1, %2) : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32
  %8 = load %4 : $*Builtin.Int32
  %9 = load %6 : $*Builtin.Int32
  store %9 to %4 : $*Builtin.Int32
  store %8 to %6 : $*Builtin.Int32
  end_apply %5 as $()
  %13 = integer_literal $Builtin.Int32, 3
  %14 = builtin "and_Int32"(%2 : $Builtin.Int32, %13 : $Builtin.Int32) : $Builtin.Int32
  %15 = builtin "cmp_eq_Int32"(%14 : $Builtin.Int32, %13 : $Builtin.Int32) : $Builtin.Int1
  cond_br %15, bb1, bb2
bb1:
  abort_apply %7
  br bb3
bb2:
  store %14 to %6 : $*Builtin.Int32
  end_apply %7 as $()
  br bb3
bb3:
  %22 = tuple ()
  return %22 : $()
}
sil @main : $@convention(c) (Builtin.Int32, Builtin.RawPointer) -> Builtin.Int32 {
bb0(%0 : $Builtin.Int32, %1 : $Builtin.RawPointer):
  %2 = alloc_stack $Builtin.Int32
  %3 = alloc_stack $Builtin.Int32
  %4 = integer_literal $Builtin.Int32, 1
  %5 = integer_literal $Builtin.Int32, 200
  store %4 to %2 : $*Builtin.Int32
  store %5 to %3 : $*Builtin.Int32
  %8 = function_ref @round : $@convention(thin) (@inout Builtin.Int32, @inout Builtin.Int32, Builtin.Int32) -> ()
  %9 = function_ref @inner : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32
  br bb1(%4 : $Builtin.Int32)
bb1(%11 : $Builtin.Int32):
  %12 = apply %8(%2, %3, %11) : $@convention(thin) (@inout Builtin.Int32, @inout Builtin.Int32, Builtin.Int32) -> ()
  (%13, %14) = begin_apply %9(%2, %11) : $@yield_once @convention(thin) (@inout Builtin.Int32, Builtin.Int32) -> @yields @inout Builtin.Int32
  store %11 to %13 : $*Builtin.Int32
  br bb2(%11 : $Builtin.Int32)
bb2(%17 : $Builtin.Int32):
  %18 = load %13 : $*Builtin.Int32
  %19 = builtin "add_Int32"(%18 : $Builtin.Int32, %17 : $Builtin.Int32) : $Builtin.Int32
  store %19 to %13 : $*Builtin.Int32
  %21 = builtin "add_Int32"(%17 : $Builtin.Int32, %4 : $Builtin.Int32) : $Builtin.Int32
  %22 = builtin "cmp_slt_Int32"(%21 : $Builtin.Int32, %5 : $Builtin.Int32) : $Builtin.Int1
  cond_br %22, bb2(%21 : $Builtin.Int32), bb3
bb3:
  end_apply %14 as $()
  %25 = builtin "add_Int32"(%11 : $Builtin.Int32, %4 : $Builtin.Int32) : $Builtin.Int32
  %26 = builtin "cmp_slt_Int32"(%25 : $Builtin.Int32, %5 : $Builtin.Int32) : $Builtin.Int1
  cond_br %26, bb1(%25 : $Builtin.Int32), bb4
bb4:
  %28 = load %2 : $*Builtin.Int32
  %29 = load %3 : $*Builtin.Int32
  %30 = builtin "xor_Int32"(%28 : $Builtin.Int32, %29 : $Builtin.Int32) : $Builtin.Int32
  dealloc_stack %3 : $*Builtin.Int32
  dealloc_stack %2 : $*Builtin.Int32
  return %30 : $Builtin.Int32
}
`

// Coroutines that are in the place of the calls that begin and end them do what they do in the interpreter, also when machine code begins or ends
// while one is under way.
func TestEnginesOnCoroutines(t *testing.T) {
	want, _ := runText(t, "coroutines.sil", []byte(coroutines), nil, nil)
	if want.count.Yields == 0 || !strings.HasPrefix(want.end, "exit ") {
		t.Fatalf("the interpreter gives %+v", want)
	}
	paces := []*vm.Pace{nil}
	for slice := int64(30); slice < 3000; slice += slice/2 + 7 {
		paces = append(paces, &vm.Pace{Slice: slice, First: 2, Insts: 500, Wait: true})
	}
	for _, pace := range paces {
		for _, options := range []wasm.Options{{Counting: true}, {Counting: true, Dispatch: true}} {
			if got, again := runText(t, "coroutines.sil", []byte(coroutines), &jit.Engine{Options: options}, pace); got != want || again != "" {
				t.Errorf("%+v %+v: it gives (%s)\n%+v\nthe interpreter\n%+v", pace, options, again, got, want)
			}
		}
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
