package facts

import (
	"math/big"
	"slices"

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

// BuiltinOf returns the instruction and the name of the builtin without types ("cmp_eq") that define v; nil and "" when none does.
func BuiltinOf(v *ir.Value) (*ir.Inst, string) {
	i := DefinedBy(v, op.Builtin)
	if i == nil {
		return nil, ""
	}
	return i, BuiltinName(i)
}

// BuiltinName returns the name of a builtin without the types that follow it; the whole name when the table lacks it, "" when the instruction
// has fewer operands than the builtin takes, which nobody verifies.
func BuiltinName(i *ir.Inst) string {
	name := i.Aux.(*ir.BuiltinAux).Name
	row, _, ok := op.BuiltinByName(name)
	switch {
	case !ok:
		return name
	case len(i.Operands) < len(row.Operands) && !slices.Contains(row.Operands, "any..."):
		return ""
	}
	return row.Name
}
