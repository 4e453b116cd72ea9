package jit

import (
	"strings"
	"testing"

	"silvm/loader"
	"silvm/vm"
)

// methodsFrom has a loop that calls one method of objects of two classes; the one of Odd begins a coroutine that the interpreter has to run. There
// is an object of a third class, whose method nothing calls.
const methodsFrom = `
sil_stage canonical
import Builtin
import Swift
class Plain { func step(_ n: Int) -> Int }
class Odd : Plain {}
class Never : Plain {}

sil hidden [noinline] @twice : $@yield_once @convention(thin) (Builtin.Int64) -> @yields Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = integer_literal $Builtin.Int64, 3
  %2 = builtin "cmp_slt_Int64"(%0 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int1
  cond_br %2, bb1, bb2
bb1:
  yield %0 : $Builtin.Int64, resume bb3, unwind bb4
bb2:
  yield %1 : $Builtin.Int64, resume bb5, unwind bb6
bb3:
  br bb7
bb4:
  br bb8
bb5:
  br bb7
bb6:
  br bb8
bb7:
  %11 = tuple ()
  return %11 : $()
bb8:
  unwind
}
sil hidden [noinline] @plainStep : $@convention(method) (Builtin.Int64, @guaranteed Plain) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64, %1 : $Plain):
  return %0 : $Builtin.Int64
}
sil hidden [noinline] @oddStep : $@convention(method) (Builtin.Int64, @guaranteed Odd) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64, %1 : $Odd):
  %2 = function_ref @twice : $@yield_once @convention(thin) (Builtin.Int64) -> @yields Builtin.Int64
  (%3, %4) = begin_apply %2(%0) : $@yield_once @convention(thin) (Builtin.Int64) -> @yields Builtin.Int64
  end_apply %4 as $()
  return %3 : $Builtin.Int64
}
sil hidden [noinline] @neverStep : $@convention(method) (Builtin.Int64, @guaranteed Never) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64, %1 : $Never):
  return %0 : $Builtin.Int64
}
sil hidden [noinline] @work : $@convention(thin) (@guaranteed Plain, @guaranteed Plain) -> () {
bb0(%0 : $Plain, %1 : $Plain):
  %2 = integer_literal $Builtin.Int64, 400
  %3 = integer_literal $Builtin.Int64, 1
  %4 = integer_literal $Builtin.Int64, 0
  br bb1(%2 : $Builtin.Int64, %0 : $Plain, %1 : $Plain)
bb1(%6 : $Builtin.Int64, %7 : $Plain, %8 : $Plain):
  %9 = class_method %7 : $Plain, #Plain.step : (Plain) -> (Int) -> Int, $@convention(method) (Builtin.Int64, @guaranteed Plain) -> Builtin.Int64
  %10 = apply %9(%6, %7) : $@convention(method) (Builtin.Int64, @guaranteed Plain) -> Builtin.Int64
  %11 = builtin "sub_Int64"(%6 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int64
  %12 = builtin "cmp_eq_Int64"(%11 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int1
  cond_br %12, bb2, bb3
bb3:
  br bb1(%11 : $Builtin.Int64, %8 : $Plain, %7 : $Plain)
bb2:
  %15 = tuple ()
  return %15 : $()
}
sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  %2 = alloc_ref $Plain
  %3 = alloc_ref $Odd
  %4 = upcast %3 : $Odd to $Plain
  %20 = alloc_ref $Never
  %5 = integer_literal $Builtin.Int64, 100
  %6 = integer_literal $Builtin.Int64, 1
  %7 = integer_literal $Builtin.Int64, 0
  %8 = function_ref @work : $@convention(thin) (@guaranteed Plain, @guaranteed Plain) -> ()
  br bb1(%5 : $Builtin.Int64)
bb1(%10 : $Builtin.Int64):
  %11 = apply %8(%2, %4) : $@convention(thin) (@guaranteed Plain, @guaranteed Plain) -> ()
  %12 = builtin "sub_Int64"(%10 : $Builtin.Int64, %6 : $Builtin.Int64) : $Builtin.Int64
  %13 = builtin "cmp_eq_Int64"(%12 : $Builtin.Int64, %7 : $Builtin.Int64) : $Builtin.Int1
  cond_br %13, bb2, bb3
bb3:
  br bb1(%12 : $Builtin.Int64)
bb2:
  %16 = integer_literal $Builtin.Int32, 0
  %17 = struct $Int32 (%16 : $Builtin.Int32)
  return %17 : $Int32
}
sil_vtable Plain {
  #Plain.step: (Plain) -> (Int) -> Int : @plainStep
}
sil_vtable Odd {
  #Plain.step: (Plain) -> (Int) -> Int : @oddStep [override]
}
sil_vtable Never {
  #Plain.step: (Plain) -> (Int) -> Int : @neverStep [override]
}
`

// A loop half of whose calls cross stays with the interpreter: the method that nothing has called says nothing about it. Without the one that
// crosses it is compiled.
func TestMethodsThatNothingCalled(t *testing.T) {
	if !supported() {
		t.Skip("no machine code here")
	}
	for _, c := range []struct{ name, text, entries string }{
		{"one of two crosses", methodsFrom, ""},
		{"none does", strings.Replace(methodsFrom, "apply %8(%2, %4)", "apply %8(%2, %2)", 1), "work"},
	} {
		mod, diags := loader.Load("methods.sil", []byte(c.text), loader.Options{})
		if diags.Errors() > 0 {
			t.Fatal(diags)
		}
		m, err := vm.New(mod, vm.Config{})
		if err != nil {
			t.Fatal(err)
		}
		a := &asking{ask: func(b *vm.Bridge) {
			look := looked{top: map[string]int{"work": 90}}
			if _, entries := look.chosen(b); entries != c.entries {
				t.Errorf("%s: entries %q, want %q", c.name, entries, c.entries)
			}
		}}
		if stop, _ := m.RunTiers(a, vm.Pace{Slice: 10_000, First: 2, Insts: 300}); stop.Kind != vm.Exited || !a.asked {
			t.Errorf("%s: %+v; asked: %t", c.name, stop, a.asked)
		}
	}
}
