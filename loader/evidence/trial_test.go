package evidence_test

import (
	"testing"

	"silvm/ir"
	"silvm/loader/evidence"
)

// A text that is wrong declares a function twice, with types that differ in kind, before the trial knows its module: that tells nothing.
func TestKindsBeforeTheModule(t *testing.T) {
	ts := ir.NewTypes()
	evidence.NewTrial(nil).SameType(ts.Param("T"), ts.Builtin(ir.BuiltinNativeObject))
}
