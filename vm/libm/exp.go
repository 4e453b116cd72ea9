package libm

import (
	"math"
	"math/big"
	"sync"
)

const (
	expSteps    = 64 // entries of the table of powers of two
	expOverflow = 710
	expNothing  = -746
)

// expData is what expDD needs.
type expData struct {
	step      dd           // ln 2 / expSteps
	perStep   float64      // its inverse
	powers    [expSteps]dd // 2^(i/expSteps)
	factorial [27]dd       // 1/i!
	odd, even [14]dd       // 1/(2i+1)! and 1/(2i)!
	ln2       dd
}

var expTables = sync.OnceValue(func() *expData {
	t := &expData{ln2: toDD(bigLn2())}
	t.step = t.ln2.scale(1.0 / expSteps)
	t.perStep = 1 / t.step.h
	root, power := bigInt(2), bigInt(1)
	for n := expSteps; n > 1; n /= 2 {
		root.Sqrt(root)
	}
	for i := range t.powers {
		t.powers[i] = toDD(power)
		power.Mul(power, root)
	}
	f := big.NewInt(1)
	for i := range t.factorial {
		if i > 0 {
			f.Mul(f, big.NewInt(int64(i)))
		}
		t.factorial[i] = ratioDD(big.NewInt(1), f)
	}
	f.SetInt64(1)
	for i := range t.odd {
		t.even[i] = ratioDD(big.NewInt(1), f)
		f.Mul(f, big.NewInt(int64(2*i+1)))
		t.odd[i] = ratioDD(big.NewInt(1), f)
		f.Mul(f, big.NewInt(int64(2*i+2)))
	}
	return t
})

// expDD returns v and k with e^x = v * 2^k for |x| < 2^11.
func expDD(x dd) (v dd, k int) {
	t := expTables()
	n := math.RoundToEven(x.h * t.perStep)
	r := x.sub(t.step.times(n))
	i := int(n)
	v = seriesFast(r, t.factorial[:10], 3)
	return v.mul(t.powers[i&(expSteps-1)]), i >> 6
}

// Exp is e^x.
func Exp(x float64) float64 {
	if r, done := expSpecial(x, x); done {
		return r
	}
	v, k := expDD(dd{x, 0})
	return finish(v, k, func(x, _ float64) *big.Float { return bigExp(bigOf(x)) }, x, 0)
}

// expSpecial returns what a power has for a result at x, where t = ln of the result, when it is not to be computed.
func expSpecial(x, t float64) (float64, bool) {
	switch {
	case x != x:
		return x + x, true
	case t > expOverflow:
		return math.Inf(1), true
	case t < expNothing:
		return 0, true
	case math.Abs(t) < 0x1p-60:
		return 1, true
	}
	return 0, false
}

// Exp2 is 2^x.
func Exp2(x float64) float64 {
	if r, done := expSpecial(x, x*math.Ln2); done {
		return r
	}
	n := math.RoundToEven(x)
	v, k := expDD(expTables().ln2.times(x - n))
	return finish(v, k+int(n), slowExp2, x, 0)
}

func slowExp2(x, _ float64) *big.Float { return bigExp(newBig().Mul(bigOf(x), bigLn2())) }

// expm1 is e^x - 1.
func expm1(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-60 || x != x:
		return same(x)
	case x > expOverflow:
		return math.Inf(1)
	case x < -60:
		return -1
	}
	if math.Abs(x) < 0.25 {
		p := series(dd{x, 0}, expTables().factorial[1:22])
		return finish(p.times(x), 0, slowExpm1, x, 0)
	}
	v, k := expDD(dd{x, 0})
	if k < 110 {
		p := math.Ldexp(1, k)
		return finish(v.scale(p).plus(-1), 0, slowExpm1, x, 0)
	}
	return finish(v, k, slowExpm1, x, 0)
}

func slowExpm1(x, _ float64) *big.Float {
	v := bigExp(bigOf(x))
	return v.Sub(v, bigInt(1))
}

// hyperbolic returns e^x / 2^k and e^-x / 2^k for x >= 0; the second one is 0 where it does not count.
func hyperbolic(x float64) (up, down dd, k int) {
	up, k = expDD(dd{x, 0})
	if k < 110 {
		down = dd{1, 0}.div(up).scale(math.Ldexp(1, -2*k))
	}
	return up, down, k
}

// bigHyperbolic returns e^x + sign e^-x.
func bigHyperbolic(x float64, sign int64) *big.Float {
	v := bigExp(bigOf(x))
	return newBig().Add(v, newBig().Quo(bigInt(sign), v))
}

// sinhSmall is sinh x for |x| < 0.5.
func sinhSmall(x float64) dd { return series(product(x, x), expTables().odd[:]).times(x) }

// sinh is the hyperbolic sine.
func sinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || a > math.MaxFloat64 || x != x:
		return same(x)
	case a > expOverflow+1:
		return math.Copysign(math.Inf(1), x)
	case a < 0.5:
		return finish(sinhSmall(x), 0, slowSinh, x, 0)
	}
	up, down, k := hyperbolic(a)
	return math.Copysign(finish(up.sub(down), k-1, slowSinh, a, 0), x)
}

func slowSinh(x, _ float64) *big.Float {
	v := bigHyperbolic(x, -1)
	return v.SetMantExp(v, -1)
}

// cosh is the hyperbolic cosine.
func cosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x + x
	case a > expOverflow+1:
		return math.Inf(1)
	}
	up, down, k := hyperbolic(a)
	return finish(up.add(down), k-1, slowCosh, a, 0)
}

func slowCosh(x, _ float64) *big.Float {
	v := bigHyperbolic(x, 1)
	return v.SetMantExp(v, -1)
}

// tanh is the hyperbolic tangent.
func tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return same(x)
	case a > 40:
		return math.Copysign(1, x)
	}
	up, down, _ := hyperbolic(a)
	difference := up.sub(down)
	if a < 0.5 {
		_, k := expDD(dd{a, 0})
		difference = sinhSmall(a).scale(math.Ldexp(2, -k))
	}
	return math.Copysign(finish(difference.div(up.add(down)), 0, slowTanh, a, 0), x)
}

func slowTanh(x, _ float64) *big.Float {
	return newBig().Quo(bigHyperbolic(x, -1), bigHyperbolic(x, 1))
}
