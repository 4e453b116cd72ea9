package jit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/vm"
	"silvm/vm/code"
)

// closuresIn calls one of two closures, by turns, each time round.
const closuresIn = `
sil_stage canonical
import Builtin
import Swift
sil hidden @one : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = integer_literal $Builtin.Int64, 1
  %2 = builtin "add_Int64"(%0 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int64
  return %2 : $Builtin.Int64
}
sil hidden @two : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = integer_literal $Builtin.Int64, 1
  %2 = builtin "or_Int64"(%0 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int64
  return %2 : $Builtin.Int64
}
sil hidden @never : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  return %0 : $Builtin.Int64
}
sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  %2 = function_ref @one : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  %3 = thin_to_thick_function %2 : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 to $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64
  %4 = function_ref @two : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  %5 = thin_to_thick_function %4 : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 to $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64
  %6 = function_ref @never : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  %7 = thin_to_thick_function %6 : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 to $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64
  %8 = integer_literal $Builtin.Int64, 0
  %9 = integer_literal $Builtin.Int64, 20000
  br bb1(%8 : $Builtin.Int64, %3 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64, %5 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64, %7 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64)
bb1(%11 : $Builtin.Int64, %12 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64, %13 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64, %14 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64):
  %15 = apply %12(%11) : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64
  %16 = apply %12(%15) : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64
  %17 = builtin "cmp_slt_Int64"(%16 : $Builtin.Int64, %9 : $Builtin.Int64) : $Builtin.Int1
  cond_br %17, bb2, bb3
bb2:
  br bb1(%16 : $Builtin.Int64, %13 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64, %12 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64, %14 : $@callee_guaranteed (Builtin.Int64) -> Builtin.Int64)
bb3:
  %20 = integer_literal $Builtin.Int32, 0
  %21 = struct $Int32 (%20 : $Builtin.Int32)
  return %21 : $Int32
}
`

// heeding is an engine that compiles nothing and keeps what was seen.
type heeding struct {
	asking
	heat *vm.Heat
}

func (h *heeding) Compile(_ *vm.Bridge, heat *vm.Heat, _, _ int) vm.Compilation {
	h.heat = heat
	return vm.Compilation{}
}

// A run in tiers sees which closures each call finds.
func TestWordsOfIndirectCalls(t *testing.T) {
	mod, diags := loader.Load("words.sil", []byte(closuresIn), loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags)
	}
	m, err := vm.New(mod, vm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	h := &heeding{}
	if stop, _ := m.RunTiers(h, vm.Pace{Slice: 500, First: 50, Insts: 300}); stop.Kind != vm.Exited || h.heat == nil {
		t.Fatalf("%+v", stop)
	}
	p := m.Program()
	for pc, words := range h.heat.Words {
		if p.Insts[pc].Op.First() != code.CallThick {
			continue
		}
		var names []string
		for word := range words {
			n := slices.IndexFunc(p.Funcs, func(f *code.Func) bool { return f.Handle == word && word != 0 })
			names = append(names, p.Funcs[max(n, 0)].Name)
		}
		slices.Sort(names)
		calls = append(calls, strings.Join(names, " "))
	}
	if got := fmt.Sprint(calls); got != "[one two one two]" {
		t.Errorf("the calls found %s", got)
	}
}
