package libm

import "math/big"

// shortestDigits is the most decimal digits that a Float80 needs to be told from its neighbors.
const shortestDigits = 21

// Shortest returns the decimal number digits·10^power that is nearest to x among those of the fewest digits that are read as x again; x is neither
// zero, infinite nor NaN, and its sign is left out. Below a power of two the numbers lie closer, so that there may be a decimal above x of as many
// digits as the nearest has, which is below and too far away.
//
// The bounds between which decimals are read as x are computed to 250 bits; where that does not decide, exactly. The exact numbers have up to 16,000
// bits, but a decimal of 21 digits is hardly ever that near to a bound.
func (x Extended) Shortest() (digits *big.Int, power int) {
	e := x.magnitude().exact()
	bounds := &interval{even: x.Frac&1 == 0, exp: e.exp - 2}
	bounds.mid = new(big.Int).Lsh(e.n, 2)
	bounds.high = new(big.Int).Add(bounds.mid, big.NewInt(2))
	bounds.low = new(big.Int).Sub(bounds.mid, big.NewInt(2))
	if x.Frac == 1<<63 && x.exponent() > 1 {
		bounds.low.Add(bounds.low, big.NewInt(1))
	}
	// 10^first is a unit of the last of 20 or 21 digits of x.
	first := (bounds.exp+bounds.mid.BitLen()-1)*30103/100000 - shortestDigits + 1
	if n, power, ok := bounds.shortest(first, false); ok {
		return n, power
	}
	n, power, _ := bounds.shortest(first, true)
	return n, power
}

// interval holds the numbers that are read as one Float80, in units of 2^exp: those between low and high, with both if even.
type interval struct {
	low, mid, high *big.Int
	exp            int
	even           bool
}

// shortest finds the decimal of the fewest digits, none worth less than 10^first. Without exact it may not be decided: then ok is false.
func (b *interval) shortest(first int, exact bool) (digits *big.Int, power int, ok bool) {
	scaled := b.scaledRoughly
	if exact {
		scaled = b.scaledExactly
	}
	low, mid, high, unit, margin := scaled(first)
	ten := big.NewInt(10)
	place := new(big.Int).Exp(ten, big.NewInt(shortestDigits), nil)
	place.Mul(place, unit)
	for power := first + shortestDigits; ; power-- {
		n, rest := new(big.Int).QuoRem(mid, place, new(big.Int))
		rest.Lsh(rest, 1)
		if !exact && near(rest, place, margin) {
			return nil, 0, false
		}
		if half := rest.Cmp(place); half > 0 || half == 0 && n.Bit(0) == 1 {
			n.Add(n, big.NewInt(1))
		}
		for v := new(big.Int).Mul(n, place); v.Cmp(high) <= 0; v.Add(v, place) {
			if !exact && (near(v, low, margin) || near(v, high, margin)) {
				return nil, 0, false
			}
			if below, above := v.Cmp(low), v.Cmp(high); below > 0 && above < 0 || b.even && (below == 0 || above == 0) {
				return n, power, true
			}
			n.Add(n, big.NewInt(1))
		}
		place.Quo(place, ten)
	}
}

// scaledExactly returns the bounds and 10^first in one unit.
func (b *interval) scaledExactly(first int) (low, mid, high, unit, margin *big.Int) {
	scale, unit := big.NewInt(1), big.NewInt(1)
	scale.Lsh(scale, uint(max(b.exp, 0)))
	unit.Lsh(unit, uint(max(-b.exp, 0)))
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(first, -first))), nil)
	if first < 0 {
		scale.Mul(scale, power)
	} else {
		unit.Mul(unit, power)
	}
	low, mid, high = b.times(scale)
	return low, mid, high, unit, new(big.Int)
}

// scaledRoughly returns the bounds, 10^first in one unit, and how far the bounds may be off in it at most.
func (b *interval) scaledRoughly(first int) (low, mid, high, unit, margin *big.Int) {
	const keep, guard = 256, 64
	factor := powerOfTen(max(first, -first), keep+guard)
	if first >= 0 {
		factor.Quo(new(big.Float).SetPrec(keep+guard).SetInt64(1), factor)
	}
	// Of factor, 2^exp / 10^first, keep bits before the point; mid * factor has about 70, so at is not negative.
	factor.SetMantExp(factor, b.exp)
	at := keep - factor.MantExp(nil)
	scale, _ := factor.SetMantExp(factor, at).Int(nil)
	low, mid, high = b.times(scale)
	return low, mid, high, new(big.Int).Lsh(big.NewInt(1), uint(at)), new(big.Int).Lsh(b.high, 4)
}

func (b *interval) times(scale *big.Int) (low, mid, high *big.Int) {
	return new(big.Int).Mul(b.low, scale), new(big.Int).Mul(b.mid, scale), new(big.Int).Mul(b.high, scale)
}

// powerOfTen returns 10^n, n not negative, off by less than 2^20 in the last of prec bits.
func powerOfTen(n int, prec uint) *big.Float {
	power, square := new(big.Float).SetPrec(prec).SetInt64(1), new(big.Float).SetPrec(prec).SetInt64(10)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			power.Mul(power, square)
		}
		square.Mul(square, square)
	}
	return power
}

// near reports whether a and b are no further from each other than margin.
func near(a, b, margin *big.Int) bool {
	return new(big.Int).Sub(a, b).CmpAbs(margin) <= 0
}
