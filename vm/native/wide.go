package native

import (
	"math/big"

	"silvm/ir"
	"silvm/vm/code"
)

// wides says of the integers of 128 bits whether they are signed. They lie in memory low word first.
var wides = map[ir.Known]bool{ir.KnownInt128: true, ir.KnownUInt128: false}

// wideAt returns an integer of 128 bits.
func (c *call) wideAt(known ir.Known, a uint64) *big.Int {
	v := new(big.Int).SetUint64(c.load(a + 8))
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(c.load(a)))
	if wides[known] && v.Bit(127) != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return v
}

// orderWide compares two integers of 128 bits.
func (c *call) orderWide(t *ir.Type, a, b uint64) int {
	return c.wideAt(t.Known(), a).Cmp(c.wideAt(t.Known(), b))
}

func showWide(c *call, ti *code.TypeInfo, a uint64, _ bool) {
	c.put(c.wideAt(ti.Type.Known(), a).String())
}

// anyInteger returns the integer of any width of type t at a.
func (c *call) anyInteger(t *ir.Type, a uint64) (*big.Int, bool) {
	known := t.Known()
	if _, ok := wides[known]; ok {
		return c.wideAt(known, a), true
	}
	k, ok := integers[known]
	if !ok {
		return nil, false
	}
	v := k.extend(c.loadN(a, k.size))
	if k.signed {
		return big.NewInt(int64(v)), true
	}
	return new(big.Int).SetUint64(v), true
}

// storeWide stores an integer of 128 bits, false when it does not fit.
func (c *call) storeWide(known ir.Known, a uint64, v *big.Int) bool {
	limit := new(big.Int).Lsh(big.NewInt(1), 128)
	low := new(big.Int)
	if wides[known] {
		limit.Rsh(limit, 1)
		low.Neg(limit)
	}
	if v.Cmp(limit) >= 0 || v.Cmp(low) < 0 {
		return false
	}
	bits := new(big.Int).And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1)))
	c.store(a, new(big.Int).And(bits, new(big.Int).SetUint64(^uint64(0))).Uint64())
	c.store(a+8, new(big.Int).Rsh(bits, 64).Uint64())
	return true
}

// inWidth returns what becomes of a number in an integer type, the one of 128 bits that is known or k; ok is false where it does not fit and nothing
// tells which conversion the call is.
func (c *call) inWidth(v *big.Int, known ir.Known, k integer) (in *big.Int, ok bool) {
	width, signed := uint(k.size)*8, k.signed
	if s, isWide := wides[known]; isWide {
		width, signed = 128, s
	}
	least, most := new(big.Int), new(big.Int).Lsh(big.NewInt(1), width)
	if signed {
		most.Rsh(most, 1)
		least.Neg(most)
	}
	most.Sub(most, big.NewInt(1))
	if v.Cmp(least) >= 0 && v.Cmp(most) <= 0 {
		return v, true
	}
	switch c.conversion() {
	case truncating:
		modulus := new(big.Int).Lsh(big.NewInt(1), width)
		in = new(big.Int).Mod(v, modulus) // never negative
		if in.Cmp(most) > 0 {
			in.Sub(in, modulus)
		}
		return in, true
	case clamping:
		if v.Sign() < 0 {
			return least, true
		}
		return most, true
	}
	return v, false
}

// convertWide is convertInteger from or to an integer of 128 bits; false when neither is one.
func (c *call) convertWide() bool {
	to, from := c.typeArg(0), c.typeArg(1)
	if to == nil || from == nil {
		return true
	}
	_, wideTo := wides[to.Known()]
	_, wideFrom := wides[from.Known()]
	if !wideTo && !wideFrom {
		return false
	}
	v, ok := c.anyInteger(from, c.Arg(1))
	k, isInt := integers[to.Known()]
	if ok {
		v, ok = c.inWidth(v, to.Known(), k)
	}
	switch {
	case !ok:
	case wideTo:
		ok = c.storeWide(to.Known(), c.Arg(0), v)
	case isInt && v.IsInt64() && k.fits(wide{uint64(v.Int64()), v.Sign() < 0}):
		c.storeInteger(k, c.Arg(0), uint64(v.Int64()))
	case isInt && v.IsUint64() && k.fits(wide{v.Uint64(), false}):
		c.storeInteger(k, c.Arg(0), v.Uint64())
	default:
		ok = false
	}
	if !ok {
		c.unsupported("converting a value of " + from.String() + " to " + to.String() + " in generic code")
	}
	return true
}
