package libm

import (
	"math"
	"math/big"
	"sync"
)

const (
	erfOne      = 6   // from here on erf rounds to 1: what is missing is below 2^-54
	erfcNothing = 28  // from here on erfc rounds to 0
	erfcFar     = 3.5 // from here on 1 - erf has lost too many bits of a pair
)

// perRootPi is 1/√π.
var perRootPi = sync.OnceValue(func() dd { return toDD(bigPerRootPi()) })

func bigPerRootPi() *big.Float { return newBig().Quo(bigInt(1), newBig().Sqrt(bigPi())) }

// erf is the error function, 2/√π times the integral of e^-t² from 0 to x.
func erf(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x + x
	case x == 0:
		return x
	case a >= erfOne:
		return math.Copysign(1, x)
	}
	return math.Copysign(finish(erfDD(a), 0, slowErf, a, 0), x)
}

// erfc is 1 - erf.
func erfc(x float64) float64 {
	switch {
	case x != x:
		return x + x
	case x >= erfcNothing:
		return 0
	case x <= -erfOne:
		return 2
	case x < 0:
		return finish(erfDD(-x).plus(1), 0, slowErfc, x, 0)
	case x < erfcFar:
		return finish(dd{1, 0}.sub(erfDD(x)), 0, slowErfc, x, 0)
	}
	v, k := expDD(product(x, x).neg())
	return finish(v.mul(perRootPi()).div(erfcFraction(x)), k, slowErfc, x, 0)
}

// erfDD is erf x for 0 < x < 6 as 2/√π e^-x² times the sum of 2^n x^(2n+1) / (1·3·5 … (2n+1)), of which no term is negative.
func erfDD(x float64) dd {
	square := product(x, x)
	sum := dd{x, 0}
	for i, term := 1, sum; term.h > sum.h*0x1p-108; i++ {
		term = term.mul(square.scale(2)).div(dd{float64(2*i + 1), 0})
		sum = sum.add(term)
	}
	v, k := expDD(square.neg())
	return sum.scale(2).mul(perRootPi()).mul(v.scale(math.Ldexp(1, k)))
}

// erfcFraction is x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …))), so that erfc x is e^-x² / √π by it.
func erfcFraction(x float64) dd {
	t := dd{x, 0}
	for k := 12 + int(450/(x*x)); k > 0; k-- {
		t = dd{float64(k) / 2, 0}.div(t).plus(x)
	}
	return t
}

func slowErf(x, _ float64) *big.Float {
	v := bigOf(x)
	square := newBig().Mul(v, v)
	sum := taylor(v, newBig().SetMantExp(square, 1), func(i int64) int64 { return 2*i + 1 })
	sum.SetMantExp(sum, 1)
	return sum.Mul(sum, newBig().Mul(bigPerRootPi(), bigExp(square.Neg(square))))
}

func slowErfc(x, _ float64) *big.Float {
	one := bigInt(1)
	switch {
	case x < 0:
		return one.Add(one, slowErf(-x, 0))
	case x < erfOne:
		return one.Sub(one, slowErf(x, 0))
	}
	v := bigOf(x)
	t := bigOf(x)
	for k := 30 + int(14000/(x*x)); k > 0; k-- { // (bits · ln 2)² / 8x² terms
		t.Add(v, newBig().Quo(bigOf(float64(k)/2), t))
	}
	square := newBig().Mul(v, v)
	r := newBig().Mul(bigPerRootPi(), bigExp(square.Neg(square)))
	return r.Quo(r, t)
}
