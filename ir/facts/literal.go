package facts

import (
	"math/big"
	"strings"

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

// WidthOf returns the number of bits of an integer type; Word counts 64. 0 for any other type.
func WidthOf(t *ir.Type) uint {
	if t.Kind != ir.KindBuiltin {
		return 0
	}
	if t.Name == "Word" {
		return 64
	}
	rest, ok := strings.CutPrefix(t.Name, "Int")
	if !ok {
		return 0
	}
	n := uint(0)
	for _, c := range rest {
		if c < '0' || c > '9' || n > 4096 {
			return 0
		}
		n = n*10 + uint(c-'0')
	}
	return n
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
