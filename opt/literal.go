package opt

import (
	"math/big"
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// literal gives the number of an integer_literal as printed (signed), nil for any other value.
func literal(v *ir.Value) *big.Int {
	if i := v.Inst(); i != nil && i.Op == op.IntegerLiteral {
		if aux, ok := i.Aux.(*ir.IntAux); ok {
			return aux.Value
		}
	}
	return nil
}

// knownWay gives the successor that a cond_br with a literal for its condition goes to, -1 with any other condition.
func knownWay(br *ir.Inst) int {
	lit := literal(br.Arg(0))
	switch {
	case lit == nil:
		return -1
	case lit.Sign() == 0:
		return 1
	}
	return 0
}

// isLiteral says whether v is an integer_literal of the number n.
func isLiteral(v *ir.Value, n int64) bool {
	lit := literal(v)
	return lit != nil && lit.IsInt64() && lit.Int64() == n
}

// definedBy gives the instruction that defines v when it is of the op, else nil.
func definedBy(v *ir.Value, o op.Op) *ir.Inst {
	if i := v.Inst(); i != nil && i.Op == o {
		return i
	}
	return nil
}

// builtinOf gives the instruction and the name of the builtin without types ("cmp_eq") that define v; nil and "" when none does.
func builtinOf(v *ir.Value) (*ir.Inst, string) {
	i := definedBy(v, op.Builtin)
	if i == nil {
		return nil, ""
	}
	return i, builtinName(i)
}

// builtinName gives the name of a builtin without the types that follow it; the whole name when the table lacks it, "" when the instruction
// has fewer operands than the builtin takes, which nobody verifies.
func builtinName(i *ir.Inst) string {
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
