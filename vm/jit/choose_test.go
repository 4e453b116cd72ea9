package jit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/wasm"
)

// chosenFrom calls each function, so that all are lowered. @work and @long repeat @leaf, @idle does nothing, @wide is too long to be compiled just
// because it is called; @modify can be in the place of the calls that begin and end it and @twice, which yields at two places, can't.
const chosenFrom = `
sil_stage canonical
import Builtin
import Swift
sil_global hidden @count : $Int64

sil hidden [noinline] @leaf : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = builtin "mul_Int64"(%0 : $Builtin.Int64, %0 : $Builtin.Int64) : $Builtin.Int64
  return %1 : $Builtin.Int64
}
sil hidden [noinline] @idle : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  return %0 : $Builtin.Int64
}
sil hidden [noinline] @wide : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = builtin "mul_Int64"(%0 : $Builtin.Int64, %0 : $Builtin.Int64) : $Builtin.Int64
WIDE
  %101 = function_ref @crossing : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  %102 = apply %101(%100) : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  return %102 : $Builtin.Int64
}
LOOP(work, leaf)
LOOP(long, leaf)
sil hidden [noinline] @modify : $@yield_once @convention(thin) () -> @yields @inout Int64 {
bb0:
  %0 = global_addr @count : $*Int64
  yield %0 : $*Int64, resume bb1, unwind bb2
bb1:
  %2 = tuple ()
  return %2 : $()
bb2:
  unwind
}
sil hidden [noinline] @twice : $@yield_once @convention(thin) (Builtin.Int64) -> @yields @inout Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = global_addr @count : $*Int64
  %2 = integer_literal $Builtin.Int64, 3
  %3 = builtin "cmp_slt_Int64"(%0 : $Builtin.Int64, %2 : $Builtin.Int64) : $Builtin.Int1
  cond_br %3, bb1, bb2
bb1:
  yield %1 : $*Int64, resume bb3, unwind bb4
bb2:
  yield %1 : $*Int64, resume bb5, unwind bb6
bb3:
  br bb7
bb4:
  br bb8
bb5:
  br bb7
bb6:
  br bb8
bb7:
  %7 = tuple ()
  return %7 : $()
bb8:
  unwind
}
sil hidden [noinline] @standing : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = function_ref @modify : $@yield_once @convention(thin) () -> @yields @inout Int64
  (%2, %3) = begin_apply %1() : $@yield_once @convention(thin) () -> @yields @inout Int64
  %4 = struct $Int64 (%0 : $Builtin.Int64)
  store %4 to %2 : $*Int64
  end_apply %3 as $()
  return %0 : $Builtin.Int64
}
sil hidden [noinline] @crossing : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = function_ref @twice : $@yield_once @convention(thin) (Builtin.Int64) -> @yields @inout Int64
  (%2, %3) = begin_apply %1(%0) : $@yield_once @convention(thin) (Builtin.Int64) -> @yields @inout Int64
  %4 = struct $Int64 (%0 : $Builtin.Int64)
  store %4 to %2 : $*Int64
  end_apply %3 as $()
  return %0 : $Builtin.Int64
}
sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  alloc_global @count
  %3 = integer_literal $Builtin.Int64, 500
  %4 = integer_literal $Builtin.Int64, 1
  br bb1(%3 : $Builtin.Int64)
bb1(%6 : $Builtin.Int64):
CALLS
  %90 = builtin "sub_Int64"(%6 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %91 = integer_literal $Builtin.Int64, 0
  %92 = builtin "cmp_eq_Int64"(%90 : $Builtin.Int64, %91 : $Builtin.Int64) : $Builtin.Int1
  cond_br %92, bb2, bb3
bb3:
  br bb1(%90 : $Builtin.Int64)
bb2:
  %95 = integer_literal $Builtin.Int32, 0
  %96 = struct $Int32 (%95 : $Builtin.Int32)
  return %96 : $Int32
}
`

const loopText = `sil hidden [noinline] @NAME : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = integer_literal $Builtin.Int64, 1
  %2 = integer_literal $Builtin.Int64, 600
  %3 = function_ref @leaf : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  br bb1(%0 : $Builtin.Int64, %1 : $Builtin.Int64)
bb1(%5 : $Builtin.Int64, %6 : $Builtin.Int64):
  %7 = apply %3(%5) : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  %8 = builtin "add_Int64"(%7 : $Builtin.Int64, %6 : $Builtin.Int64) : $Builtin.Int64
  %9 = builtin "add_Int64"(%6 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int64
  %10 = builtin "cmp_slt_Int64"(%9 : $Builtin.Int64, %2 : $Builtin.Int64) : $Builtin.Int1
  cond_br %10, bb2, bb3
bb2:
  br bb1(%8 : $Builtin.Int64, %9 : $Builtin.Int64)
bb3:
  return %8 : $Builtin.Int64
}`

func chosenText() string {
	var wide, calls strings.Builder
	for n := 2; n <= 100; n++ {
		fmt.Fprintf(&wide, "  %%%d = builtin \"xor_Int64\"(%%%d : $Builtin.Int64, %%%d : $Builtin.Int64) : $Builtin.Int64\n", n, n-1, max(n-3, 0))
	}
	for k, name := range []string{"work", "long", "idle", "wide", "standing"} {
		fmt.Fprintf(&calls, "  %%%d = function_ref @%s : $@convention(thin) (Builtin.Int64) -> Builtin.Int64\n", 10+2*k, name)
		fmt.Fprintf(&calls, "  %%%d = apply %%%d(%%6) : $@convention(thin) (Builtin.Int64) -> Builtin.Int64\n", 11+2*k, 10+2*k)
	}
	return strings.NewReplacer("WIDE\n", wide.String(), "CALLS\n", calls.String(), "LOOP(work, leaf)", strings.ReplaceAll(loopText, "NAME", "work"),
		"LOOP(long, leaf)", strings.ReplaceAll(loopText, "NAME", "long")).Replace(chosenFrom)
}

// asking is an engine that compiles nothing; it asks what would be.
type asking struct {
	ask   func(b *vm.Bridge)
	asked bool
}

func (a *asking) Compile(b *vm.Bridge, _ *vm.Heat, _, _ int) vm.Compilation {
	if !a.asked {
		a.asked = true
		a.ask(b)
	}
	return vm.Compilation{}
}

func (*asking) Compiled(*vm.Bridge) ([]uint32, bool)                { return nil, false }
func (*asking) Idle(*vm.Bridge)                                     {}
func (*asking) Enter(*vm.Bridge, uint32) (out vm.Outcome, _ uint32) { return vm.Ended, 0 }

// looked is what was seen of a program in a hundred looks.
type looked struct {
	top, seen map[string]int // by the name of a function; in a loop of it, if it has one
	now       []string
	before    []string
	limit     int // 300 if it is 0
}

// choices has what is chosen: funcs are compiled, entries are entered, and where that is a loop, "loop" comes before its function.
var choices = []struct {
	name           string
	look           looked
	funcs, entries string
}{
	{"a hot function is entered where it is called, and small ones that it calls come along",
		looked{top: map[string]int{"work": 80}}, "leaf work", "work"},
	{"what runs in one look of fifty is not hot",
		looked{top: map[string]int{"work": 2}}, "", ""},
	{"if most looks found something else it is not worth while",
		looked{top: map[string]int{"work": 20}}, "", ""},
	{"a function that ran all the time is entered in its loop",
		looked{top: map[string]int{"long": 90}, seen: map[string]int{"long": 100}, now: []string{"long"}}, "leaf long", "loop long"},
	{"unless it runs in itself",
		looked{top: map[string]int{"long": 90}, seen: map[string]int{"long": 200}, now: []string{"long"}}, "leaf long", "long"},
	{"and unless it is somewhere else at the moment",
		looked{top: map[string]int{"long": 90}, seen: map[string]int{"long": 100}}, "leaf long", "long"},
	{"the first function is called once",
		looked{top: map[string]int{"main": 90}, seen: map[string]int{"main": 100}}, "", ""},
	{"so it is entered in its loop, where what it calls for a short time each comes along as far as there is room",
		looked{top: map[string]int{"main": 90}, seen: map[string]int{"main": 100}, now: []string{"main"}}, "idle leaf long main modify standing wide work", "loop main"},
	{"not all of that",
		looked{top: map[string]int{"main": 90}, seen: map[string]int{"main": 100}, now: []string{"main"}, limit: 60}, "idle leaf long main modify standing work", "loop main"},
	{"a loop around a hot function is entered too, but what is not hot there stays",
		looked{top: map[string]int{"work": 80}, seen: map[string]int{"work": 80, "main": 100}, now: []string{"work", "main"}}, "leaf main work", "loop main, work"},
	{"unless it was compiled before",
		looked{top: map[string]int{"work": 80}, seen: map[string]int{"work": 80, "main": 100}, now: []string{"work", "main"}, before: []string{"wide"}}, "leaf main wide work", "loop main, work"},
	{"a function too long for the room is not compiled",
		looked{top: map[string]int{"wide": 90}, limit: 20}, "", ""},
	{"the first one may be twice as long",
		looked{top: map[string]int{"wide": 90}, limit: 80}, "wide", "wide"},
	{"a coroutine that stands in place is entered by what begins it",
		looked{top: map[string]int{"modify": 90}, seen: map[string]int{"modify": 90, "standing": 90}}, "modify standing", "standing"},
	{"what begins one that does not stays",
		looked{top: map[string]int{"crossing": 90}}, "", ""},
}

func TestChoices(t *testing.T) {
	if !supported() {
		t.Skip("no machine code here")
	}
	mod, diags := loader.Load("choices.sil", []byte(chosenText()), loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags)
	}
	m, err := vm.New(mod, vm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	a := &asking{ask: func(b *vm.Bridge) {
		for _, c := range choices {
			funcs, entries := c.look.chosen(b)
			if funcs != c.funcs || entries != c.entries {
				t.Errorf("%s:\nfuncs   %s\nwant    %s\nentries %s\nwant    %s", c.name, funcs, c.funcs, entries, c.entries)
			}
		}
	}}
	if stop, _ := m.RunTiers(a, vm.Pace{Slice: 10_000, First: 2, Insts: 300}); stop.Kind != vm.Exited || !a.asked {
		t.Errorf("%+v; asked: %t", stop, a.asked)
	}
}

// chosen returns the names of the functions and entries that are chosen.
func (l looked) chosen(b *vm.Bridge) (funcs, entries string) {
	p := b.Program()
	spot := func(name string) vm.Spot {
		n := slices.IndexFunc(p.Lowered, func(f *code.Func) bool { return f.Name == name })
		s := vm.Spot{Func: p.Lowered[n], PC: p.Lowered[n].Entry}
		for pc := s.PC; pc < s.Func.End; pc++ {
			if len(wasm.LoopsAround(p, s.Func, pc)) > 0 {
				return vm.Spot{Func: s.Func, PC: pc}
			}
		}
		return s
	}
	h := &vm.Heat{Looks: 100, Seen: map[vm.Spot]int{}, Top: map[vm.Spot]int{}}
	for name, n := range l.top {
		h.Top[spot(name)] = n
		h.Seen[spot(name)] = n
	}
	for name, n := range l.seen {
		h.Seen[spot(name)] = n
	}
	for _, name := range l.now {
		h.Now = append(h.Now, spot(name))
	}
	before := map[*code.Func]bool{}
	for _, name := range l.before {
		before[spot(name).Func] = true
	}
	if l.limit == 0 {
		l.limit = 300
	}
	c := choose(b, h, l.limit, before)
	var fs, es []string
	if len(c.entries) > 0 { // else nothing is compiled
		for _, f := range c.funcs {
			fs = append(fs, f.Name)
		}
	}
	for _, e := range c.entries {
		name := e.Func.Name
		if e.Loop != nil {
			name = "loop " + name
		}
		es = append(es, name)
	}
	slices.Sort(fs)
	slices.Sort(es)
	return strings.Join(fs, " "), strings.Join(es, ", ")
}
