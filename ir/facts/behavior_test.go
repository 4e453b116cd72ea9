package facts_test

import (
	"testing"

	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/loader"
)

const memoryText = `sil_stage canonical
import Builtin
class C {}
sil [readnone] @pure : $@convention(thin) () -> ()
sil [readonly] @reads : $@convention(thin) () -> ()
sil [ossa] @f : $@convention(thin) (@in C, @guaranteed C, @in C) -> () {
bb0(%0 : $*C, %1 : @guaranteed $C, %2 : $*C):
  %3 = load [copy] %0 : $*C
  store %3 to [assign] %0 : $*C
  %5 = copy_value %1 : $C
  store %5 to [init] %2 : $*C
  %7 = mark_dependence %1 : $C on %0 : $*C
  %8 = load [take] %0 : $*C
  destroy_value %8 : $C
  destroy_addr %2 : $*C
  %11 = function_ref @pure : $@convention(thin) () -> ()
  %12 = apply %11() : $@convention(thin) () -> ()
  %13 = function_ref @reads : $@convention(thin) () -> ()
  %14 = apply %13() : $@convention(thin) () -> ()
  %15 = tuple ()
  return %15 : $()
}
`

// What an instruction does to memory by itself, and what that means for who moves it: these differ for copies and dependences only.
func TestMemoryAndOrder(t *testing.T) {
	mod, diags := loader.Load("memory.sil", []byte(memoryText), loader.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	want := map[op.Op][][2]op.Mem{
		op.Load:           {{op.MemSideEffects, op.MemSideEffects}, {op.MemSideEffects, op.MemSideEffects}},
		op.Store:          {{op.MemSideEffects, op.MemSideEffects}, {op.MemWrite, op.MemWrite}},
		op.CopyValue:      {{op.MemNone, op.MemSideEffects}},
		op.MarkDependence: {{op.MemNone, op.MemRead}},
		op.Apply:          {{op.MemNone, op.MemNone}, {op.MemSideEffects, op.MemSideEffects}},
	}
	f := mod.Funcs["f"]
	if err := f.Body(); err != nil {
		t.Fatal(err)
	}
	for i := range f.Entry().Insts() {
		list := want[i.Op]
		if len(list) == 0 {
			continue
		}
		if got := [2]op.Mem{facts.Memory(i), facts.OrderMemory(i)}; got != list[0] {
			t.Errorf("%v: %v, want %v", i, got, list[0])
		}
		want[i.Op] = list[1:]
	}
	for o, left := range want {
		if len(left) > 0 {
			t.Errorf("%v: %d not met", o, len(left))
		}
	}
}
