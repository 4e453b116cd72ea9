package facts

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/op"
)

// Literal returns the number of an integer_literal as printed (signed), nil for any other value.
func Literal(v *ir.Value) *big.Int {
	if i := v.Inst(); i != nil && i.Op == op.IntegerLiteral {
		if aux, ok := i.Aux.(*ir.IntAux); ok {
			return aux.Value
		}
	}
	return nil
}

// DefinedBy returns the instruction that defines v when it is of the op, else nil.
func DefinedBy(v *ir.Value, o op.Op) *ir.Inst {
	if i := v.Inst(); i != nil && i.Op == o {
		return i
	}
	return nil
}

// BuiltinOf returns the instruction and the builtin that define v; nil and NotBuiltin when none does.
func BuiltinOf(v *ir.Value) (*ir.Inst, op.BuiltinID) {
	i := DefinedBy(v, op.Builtin)
	if i == nil {
		return nil, op.NotBuiltin
	}
	return i, BuiltinID(i)
}

// BuiltinID returns which builtin the instruction calls; BuiltinUnknown when the table lacks it, or the instruction has fewer operands than it
// takes, which nobody verifies.
func BuiltinID(i *ir.Inst) op.BuiltinID {
	id := i.Builtin()
	if row := id.Row(); row != nil && len(i.Operands) < len(row.Operands) && !row.TakesAny() {
		return op.BuiltinUnknown
	}
	return id
}
