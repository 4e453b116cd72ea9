package vm

import (
	"math/bits"

	"silvm/vm/code"
)

// wide is a 128-bit integer.
type wide struct{ hi, lo uint64 }

func (x wide) less(y wide) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

func (x wide) sub(y wide) wide {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return wide{hi, lo}
}

func (x wide) neg() wide { return wide{}.sub(x) }

// mul returns the low 128 bits of a product and whether the rest is not 0.
func (x wide) mul(y wide) (p wide, over bool) {
	hi, lo := bits.Mul64(x.lo, y.lo)
	o1, c1 := bits.Mul64(x.hi, y.lo)
	o2, c2 := bits.Mul64(x.lo, y.hi)
	hi, carry1 := bits.Add64(hi, c1, 0)
	hi, carry2 := bits.Add64(hi, c2, 0)
	return wide{hi, lo}, x.hi != 0 && y.hi != 0 || o1 != 0 || o2 != 0 || carry1 != 0 || carry2 != 0
}

// div divides unsigned integers; d is not 0. A divisor of two words is estimated with its leading word, which makes the quotient
// off by one at most (Warren, Hacker's Delight, Unsigned doubleword division).
func (x wide) div(d wide) (q, r wide) {
	if d.hi == 0 {
		q.hi = x.hi / d.lo
		q.lo, r.lo = bits.Div64(x.hi%d.lo, x.lo, d.lo)
		return q, r
	}
	shift := uint(bits.LeadingZeros64(d.hi))
	top := d.hi<<shift | d.lo>>1>>(63-shift)
	est, _ := bits.Div64(x.hi>>1, x.hi<<63|x.lo>>1, top)
	if est >>= 63 - shift; est != 0 {
		est--
	}
	p, _ := d.mul(wide{lo: est})
	if r = x.sub(p); !r.less(d) {
		est++
		r = r.sub(d)
	}
	return wide{lo: est}, r
}

// execWide does division of 128 bits and reports whether a product of 128 bits overflows.
func (m *Machine) execWide(in code.Inst, r *[windowSize]uint64) *Trap {
	x, y := wide{r[in.B+1], r[in.B]}, wide{r[in.C+1], r[in.C]}
	signed := in.Imm&1 != 0
	negX, negY := signed && int64(x.hi) < 0, signed && int64(y.hi) < 0
	if negX {
		x = x.neg()
	}
	if negY {
		y = y.neg()
	}
	if in.Op == code.WideMulOver {
		p, over := x.mul(y)
		if signed && !over {
			limit := wide{hi: 1 << 63}
			over = limit.less(p) || p == limit && negX == negY
		}
		r[in.A] = bit(over)
		return nil
	}
	if y == (wide{}) {
		return m.trapNow(SwiftTrap)
	}
	q, rest := x.div(y)
	if negX != negY {
		q = q.neg()
	}
	if negX {
		rest = rest.neg()
	}
	if in.Imm&2 != 0 {
		q = rest
	}
	r[in.A], r[in.A+1] = q.lo, q.hi
	return nil
}
