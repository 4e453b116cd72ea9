package opt_test

import (
	"bytes"
	"testing"

	"silvm/ir"
	"silvm/loader"
	"silvm/opt/calls"
	"silvm/opt/pass"
)

const linkedLibrary = `sil_stage canonical

import Builtin

sil @used : $@convention(thin) () -> () {
bb0:
  %0 = function_ref @below : $@convention(thin) () -> ()
  %1 = apply %0() : $@convention(thin) () -> ()
  return %1 : $()
}

sil shared @below : $@convention(thin) () -> () {
bb0:
  %0 = tuple ()
  return %0 : $()
}

sil @asked : $@convention(thin) () -> () {
bb0:
  %0 = function_ref @only : $@convention(thin) () -> ()
  %1 = apply %0() : $@convention(thin) () -> ()
  return %1 : $()
}

sil shared @only : $@convention(thin) () -> () {
bb0:
  %0 = tuple ()
  return %0 : $()
}
`

const linkedProgram = `sil_stage canonical

import Builtin

sil @used : $@convention(thin) () -> ()
sil @asked : $@convention(thin) () -> ()

sil @main : $@convention(c) (Builtin.Int32, Builtin.RawPointer) -> Builtin.Int32 {
bb0(%0 : $Builtin.Int32, %1 : $Builtin.RawPointer):
  %2 = function_ref @used : $@convention(thin) () -> ()
  %3 = apply %2() : $@convention(thin) () -> ()
  return %0 : $Builtin.Int32
}

sil @visible : $@convention(thin) () -> () {
bb0:
  %0 = tuple ()
  return %0 : $()
}
`

// What a whole program does not refer to of the library that it is linked with goes, and comes back as it is in the library when
// somebody asks for it. What the program itself defines for others stays, and so does everything in a module that is not whole.
func TestLibraryIsRemovedUntilAskedFor(t *testing.T) {
	for _, whole := range []bool{true, false} {
		index, diags, err := loader.BuildIndex("Swift.sil", []byte(linkedLibrary), 1)
		if err != nil || diags.Err() != nil {
			t.Fatal(err, diags.Err())
		}
		library, err := loader.OpenLibrary("Swift", "Swift.sil", bytes.NewReader([]byte(linkedLibrary)), int64(len(linkedLibrary)), index, 1)
		if err != nil {
			t.Fatal(err)
		}
		mod, diags := loader.LoadFiles([]loader.Input{{Name: "main.sil", Text: []byte(linkedProgram)}}, loader.Options{Lazy: true, Libraries: []*loader.Library{library}})
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		if err := pass.Run(mod, []*pass.Pass{calls.DeadFunctionElim}, pass.Options{Whole: whole}); err != nil {
			t.Fatal(err)
		}
		for name, stays := range map[string]bool{"main": true, "visible": true, "used": true, "below": true, "asked": !whole, "only": !whole} {
			if got := mod.Funcs[name] != nil; got != stays {
				t.Errorf("whole program %t: @%s is there: %t, want %t", whole, name, got, stays)
			}
		}
		before := mod.Funcs["only"]
		asked := mod.Func("asked")
		if asked == nil || asked.Body() != nil || len(asked.Blocks) == 0 {
			t.Fatalf("whole program %t: @asked can't be had again", whole)
		}
		for i := range asked.Insts() {
			if aux, ok := i.Aux.(*ir.SymbolAux); ok && (aux.Func == nil || aux.Func != mod.Funcs["only"] || !whole && aux.Func != before) {
				t.Errorf("whole program %t: @asked refers to another @only than the module has", whole)
			}
		}
	}
}
