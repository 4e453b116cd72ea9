package facts

import (
	"math/big"

	"silvm/ir"
)

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
