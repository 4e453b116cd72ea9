package definiteinit_test

import (
	"errors"
	"testing"

	"silvm/loader"
	"silvm/opt/definiteinit"
	"silvm/opt/pass"
)

// A type inside a function is not declared in SIL: nobody knows its stored properties, and so no write is lowered as if it replaced something.
const undeclared = `sil_stage raw
import Builtin
import Swift

class C {}

sil [ossa] @makes : $@convention(thin) (@owned C, @owned C) -> @owned S {
bb0(%0 : @owned $C, %1 : @owned $C):
  %8 = alloc_stack $S, var, name "self"
  %2 = mark_uninitialized [rootself] %8 : $*S
  %3 = struct_element_addr %2 : $*S, #<abstract function>S.c
  assign %0 to %3 : $*C
  %9 = struct_element_addr %2 : $*S, #<abstract function>S.d
  assign %1 to %9 : $*C
  %5 = load [take] %2 : $*S
  dealloc_stack %8 : $*S
  return %5 : $S
}
`

func TestRefusedObjectsAreNotLowered(t *testing.T) {
	mod, diags := loader.Load("in.sil", []byte(undeclared), loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	was := mod.Funcs["makes"].String()
	err := pass.Run(mod, []*pass.Pass{definiteinit.DefiniteInit, definiteinit.RawSILInstLowering}, pass.Options{})
	if _, ok := errors.AsType[*pass.UnsupportedError](err); !ok {
		t.Errorf("got %v, want that it is not supported", err)
	}
	if is := mod.Funcs["makes"].String(); is != was {
		t.Errorf("changed to\n%s", is)
	}
}
