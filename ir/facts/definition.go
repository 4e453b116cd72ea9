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

// KnownWay returns the successor that a cond_br with a literal for its condition goes to, -1 with any other condition.
func KnownWay(br *ir.Inst) int {
	lit := Literal(br.Arg(0))
	switch {
	case lit == nil:
		return -1
	case lit.Sign() == 0:
		return 1
	}
	return 0
}

// IsLiteral reports whether v is an integer_literal of the number n.
func IsLiteral(v *ir.Value, n int64) bool {
	lit := Literal(v)
	return lit != nil && lit.IsInt64() && lit.Int64() == n
}

// WrapSigned returns the number that the low bits of n mean as a signed number.
func WrapSigned(n *big.Int, bits uint) *big.Int {
	mod := new(big.Int).Lsh(big.NewInt(1), bits)
	r := new(big.Int).Mod(n, mod)
	if r.Bit(int(bits-1)) == 1 {
		r.Sub(r, mod)
	}
	return r
}

// AsUnsigned returns the number that the bits of n mean as an unsigned number.
func AsUnsigned(n *big.Int, bits uint) *big.Int {
	return new(big.Int).Mod(n, new(big.Int).Lsh(big.NewInt(1), bits))
}
