package wasm

import (
	"testing"

	"silvm/vm/code"
)

// Every operation has an emitter, is left to the interpreter, or has its function left to it.
func TestEveryOperationHasAWay(t *testing.T) {
	for o := range ways {
		w := &ways[o]
		if w.kind == wayUnset {
			t.Errorf("%s: nobody said how it is translated", code.Op(o))
		}
		if (w.kind == wayEmit) != (w.emit != nil) {
			t.Errorf("%s: kind %d with emitter %t", code.Op(o), w.kind, w.emit != nil)
		}
		if w.kind == wayBranch != (code.Op(o).Operands().Imm == code.RoleTargets && code.Op(o).Operands().A == code.RoleUse) {
			t.Errorf("%s: kind %d", code.Op(o), w.kind)
		}
	}
}
