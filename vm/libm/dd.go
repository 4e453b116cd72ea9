package libm

import (
	"math"
	"math/big"
)

// dd is the sum of two floats, of which l is at most half a unit in the last place of h: about 106 bits. The operations are those of
// T. Dekker, "A floating-point technique for extending the available precision", 1971, with a fused multiply-add; each has an error of
// a few 2^-104 of its result, sums of one of their larger operand. Conversions keep the compiler from fusing a product with a sum.
type dd struct{ h, l float64 }

// twoSum returns a+b and its error.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// fastTwoSum is twoSum where |a| >= |b| or a is 0.
func fastTwoSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// product is a*b, exactly unless it underflows.
func product(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) neg() dd { return dd{-a.h, -a.l} }

func (a dd) add(b dd) dd {
	s, e := twoSum(a.h, b.h)
	t, f := twoSum(a.l, b.l)
	r := fastTwoSum(s, e+t)
	return fastTwoSum(r.h, r.l+f)
}

func (a dd) sub(b dd) dd { return a.add(b.neg()) }

func (a dd) plus(b float64) dd {
	s, e := twoSum(a.h, b)
	return fastTwoSum(s, e+a.l)
}

func (a dd) mul(b dd) dd {
	p := product(a.h, b.h)
	return fastTwoSum(p.h, p.l+math.FMA(a.h, b.l, float64(a.l*b.h)))
}

func (a dd) times(b float64) dd {
	p := product(a.h, b)
	return fastTwoSum(p.h, math.FMA(a.l, b, p.l))
}

// scale multiplies by a power of two.
func (a dd) scale(p float64) dd { return dd{a.h * p, a.l * p} }

func (a dd) div(b dd) dd {
	q := a.h / b.h
	rest := a.sub(b.times(q))
	q2 := rest.h / b.h
	rest = rest.sub(b.times(q2))
	return fastTwoSum(q, q2).plus(rest.h / b.h)
}

func (a dd) sqrt() dd {
	s := math.Sqrt(a.h)
	if s == 0 {
		return dd{}
	}
	r := fastTwoSum(s, a.sub(product(s, s)).h/(2*s))
	return fastTwoSum(r.h, r.l+a.sub(r.mul(r)).h/(2*s))
}

// addSmall is add where |b| <= |a|, a little less exact: for terms of a series, which get ever smaller.
func (a dd) addSmall(b dd) dd {
	s := a.h + b.h
	return dd{s, (b.h - (s - a.h)) + (a.l + b.l)}
}

// series is the polynomial with these coefficients, lowest first, at x.
func series(x dd, coefficients []dd) dd {
	r := coefficients[len(coefficients)-1]
	for i := len(coefficients) - 2; i >= 0; i-- {
		r = coefficients[i].addSmall(r.mul(x))
	}
	return r
}

// seriesFast is series with those coefficients from exact on added up in single floats: those whose terms are below 2^-17 of the result.
func seriesFast(x dd, coefficients []dd, exact int) dd {
	tail := coefficients[len(coefficients)-1].h
	for i := len(coefficients) - 2; i >= exact; i-- {
		tail = math.FMA(tail, x.h, coefficients[i].h)
	}
	r := x.times(tail)
	for i := exact - 1; i > 0; i-- {
		r = coefficients[i].addSmall(r).mul(x)
	}
	return coefficients[0].addSmall(r)
}

// toDD rounds v to a pair.
func toDD(v *big.Float) dd {
	h, _ := v.Float64()
	l, _ := new(big.Float).SetPrec(slowBits).Sub(v, big.NewFloat(h)).Float64()
	return dd{h, l}
}

// ratioDD is n/d as a pair.
func ratioDD(n, d *big.Int) dd {
	return toDD(newBig().Quo(newBig().SetInt(n), newBig().SetInt(d)))
}
