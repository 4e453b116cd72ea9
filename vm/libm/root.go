package libm

import (
	"math"
	"math/big"
)

// cbrt is the cube root.
func cbrt(x float64) float64 {
	if x == 0 || x != x || math.IsInf(x, 0) {
		return x + x
	}
	m, e := math.Frexp(math.Abs(x))
	for e%3 != 0 {
		m *= 2
		e--
	}
	y := math.Cbrt(m)
	v := dd{y, 0}
	for range 2 { // Newton: y + (m - y³) / 3y²
		rest := dd{m, 0}.sub(v.mul(v).mul(v))
		v = v.plus(rest.h / (3 * y * y))
	}
	return math.Copysign(finish(v, e/3, slowCbrt, x, 0), x)
}

func slowCbrt(x, _ float64) *big.Float {
	v := bigOf(math.Abs(x))
	return bigExp(newBig().Quo(bigLog(v), bigInt(3)))
}

// hypot is sqrt(x² + y²).
func hypot(x, y float64) float64 {
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Inf(1)
	}
	if x != x || y != y {
		return x + y
	}
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	if y == 0 {
		return x
	}
	_, e := math.Frexp(x)
	a, b := math.Ldexp(x, -e), math.Ldexp(y, -e)
	if b < 0x1p-100 {
		return finish(fastTwoSum(a, b*0x1p-100), e, slowHypot, x, y)
	}
	return finish(product(a, a).add(product(b, b)).sqrt(), e, slowHypot, x, y)
}

func slowHypot(x, y float64) *big.Float {
	s := newBig().Mul(bigOf(x), bigOf(x))
	return s.Sqrt(s.Add(s, newBig().Mul(bigOf(y), bigOf(y))))
}
