package jit

import (
	"testing"

	"silvm/loader"
	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/wasm"
)

// twoClasses has objects of two classes.
const twoClasses = `
sil_stage canonical
import Builtin
import Swift
class One {}
class Two {}
sil hidden @make : $@convention(thin) () -> () {
bb0:
  %0 = alloc_ref $One
  %1 = alloc_ref $Two
  strong_release %0 : $One
  strong_release %1 : $Two
  %2 = tuple ()
  return %2 : $()
}
sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  %2 = integer_literal $Builtin.Int64, 0
  %3 = integer_literal $Builtin.Int64, 1
  %4 = integer_literal $Builtin.Int64, 20000
  %5 = function_ref @make : $@convention(thin) () -> ()
  br bb1(%2 : $Builtin.Int64)
bb1(%7 : $Builtin.Int64):
  %8 = apply %5() : $@convention(thin) () -> ()
  %9 = builtin "add_Int64"(%7 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int64
  %10 = builtin "cmp_slt_Int64"(%9 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int1
  cond_br %10, bb2, bb3
bb2:
  br bb1(%9 : $Builtin.Int64)
bb3:
  %13 = integer_literal $Builtin.Int32, 0
  %14 = struct $Int32 (%13 : $Builtin.Int32)
  return %14 : $Int32
}
`

// What is found out about a type while machine code runs comes to where machine code looks for it: under the number of the type, one after the
// other, however far apart their records lie.
func TestTablesOfTypes(t *testing.T) {
	mod, diags := loader.Load("types.sil", []byte(twoClasses), loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags)
	}
	m, err := vm.New(mod, vm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	h := &asking{ask: func(b *vm.Bridge) {
		b.Share(wasm.Control)
		r := &run{b: b}
		for _, ti := range b.Program().Types {
			if ti.Addr == 0 {
				continue
			}
			found++
			n := (ti.Addr - code.TypeBase) >> code.TypeShift
			r.known(ti.Addr, wasm.KnownRef)
			if b.Arena()[wasm.Known+n] != wasm.KnownRef {
				t.Errorf("%s is type %d, and the table does not say what is known of it", ti.Name, n)
			}
			r.known(ti.Addr+16, wasm.KnownRef) // no type
			r.cast(ti.Addr, ti.Addr, true)
			place, answer := wasm.Cast(n, n, true)
			if le.Uint32(b.Arena()[wasm.Casts+place:]) != answer {
				t.Errorf("%s is type %d, and the table does not say what its cast gave", ti.Name, n)
			}
		}
		known := 0
		for _, x := range b.Arena()[wasm.Known : wasm.Known+4096] {
			if x != 0 {
				known++
			}
		}
		if known != found {
			t.Errorf("the table knows %d types of %d", known, found)
		}
	}}
	if stop, _ := m.RunTiers(h, vm.Pace{Slice: 500, First: 50, Insts: 300}); stop.Kind != vm.Exited {
		t.Fatalf("%+v", stop)
	}
	if found < 2 {
		t.Errorf("only %d types were there", found)
	}
}
