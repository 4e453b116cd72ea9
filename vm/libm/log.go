package libm

import (
	"math"
	"math/big"
	"sync"
)

// logSteps is how many entries of the table of logarithms there are for each 1.
const logSteps = 128

// logData is what logDD needs.
type logData struct {
	logs            [2 * logSteps]dd // ln(i/logSteps) for i from logSteps/2 on
	coefficients    [12]dd           // of ln(1+r) / r
	ln2             dd
	perLn2, perLn10 dd // 1/ln 2, 1/ln 10
}

var logTables = sync.OnceValue(func() *logData {
	t := &logData{ln2: toDD(bigLn2()), perLn2: toDD(newBig().Quo(bigInt(1), bigLn2())), perLn10: toDD(newBig().Quo(bigInt(1), bigLn10()))}
	for i := range t.coefficients {
		t.coefficients[i] = ratioDD(big.NewInt(1-2*int64(i&1)), big.NewInt(int64(i+1)))
	}
	// ln(i/(i-1)) = 2 artanh(1/(2i-1))
	sum := newBig().Neg(bigLn2())
	for i := logSteps/2 + 1; i < len(t.logs); i++ {
		sum.Add(sum, shortArtanh(int64(2*i-1)))
		t.logs[i] = toDD(sum)
	}
	t.logs[logSteps/2], t.logs[logSteps] = t.ln2.neg(), dd{}
	return t
})

// shortArtanh is 2 artanh(1/n) to 200 bits.
func shortArtanh(n int64) *big.Float {
	const bits = 200
	power := new(big.Int).Lsh(big.NewInt(2), bits)
	power.Quo(power, big.NewInt(n))
	sum, square, term := new(big.Int), big.NewInt(n*n), new(big.Int)
	for i := int64(1); power.Sign() != 0; i += 2 {
		sum.Add(sum, term.Quo(power, big.NewInt(i)))
		power.Quo(power, square)
	}
	f := newBig().SetInt(sum)
	return f.SetMantExp(f, -bits)
}

// logDD is ln x for a positive x. With x = 2^e m and i/logSteps near m, it is the sum of e ln 2, ln(i/logSteps) and ln(1+r), where
// 1+r = m logSteps/i.
func logDD(x dd) dd {
	t := logTables()
	m, e := math.Frexp(x.h)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	low := math.Ldexp(x.l, -e)
	i := math.RoundToEven(m * logSteps)
	c := i / logSteps
	r := fastTwoSum(m-c, low) // m-c is exact
	if i != logSteps {
		r = r.div(dd{c, 0})
	}
	v := seriesFast(r, t.coefficients[:], 4).mul(r)
	return v.add(t.logs[int(i)]).add(t.ln2.times(float64(e)))
}

// logSpecial returns the logarithm of x where it is not to be computed.
func logSpecial(x float64) (float64, bool) {
	switch {
	case x != x || x > math.MaxFloat64:
		return x + x, true
	case x == 0:
		return math.Inf(-1), true
	case x < 0:
		return invalid(), true
	case x == 1:
		return 0, true
	}
	return 0, false
}

// Log is the natural logarithm.
func Log(x float64) float64 {
	if r, done := logSpecial(x); done {
		return r
	}
	return finish(logDD(dd{x, 0}), 0, slowLog, x, 0)
}

func slowLog(x, _ float64) *big.Float { return bigLog(bigOf(x)) }

// Log2 is the logarithm to base 2.
func Log2(x float64) float64 {
	if r, done := logSpecial(x); done {
		return r
	}
	return finish(logDD(dd{x, 0}).mul(logTables().perLn2), 0, slowLog2, x, 0)
}

func slowLog2(x, _ float64) *big.Float { return newBig().Quo(slowLog(x, 0), bigLn2()) }

// Log10 is the logarithm to base 10.
func Log10(x float64) float64 {
	if x < 0 {
		return undefined()
	}
	if r, done := logSpecial(x); done {
		return r
	}
	return finish(logDD(dd{x, 0}).mul(logTables().perLn10), 0, slowLog10, x, 0)
}

func slowLog10(x, _ float64) *big.Float { return newBig().Quo(slowLog(x, 0), bigLn10()) }

// log1p is ln(1+x).
func log1p(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-60 || x != x || x > math.MaxFloat64:
		return same(x)
	case x == -1:
		return math.Inf(-1)
	case x < -1:
		return invalid()
	}
	s, e := twoSum(1, x)
	return finish(logDD(dd{s, e}), 0, slowLog1p, x, 0)
}

func slowLog1p(x, _ float64) *big.Float { return bigLog(newBig().Add(bigOf(x), bigInt(1))) }

// Pow is x^y.
func Pow(x, y float64) float64 {
	if x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0) || x == 0 || y == 0 || math.Abs(x) == 1 {
		return powSpecial(x, y)
	}
	a, sign := math.Abs(x), 1.0
	if x < 0 {
		if y != math.Trunc(y) {
			return invalid()
		}
		if isOdd(y) {
			sign = -1
		}
	}
	l := logDD(dd{a, 0})
	if r, done := expSpecial(y, l.h*y); done {
		return math.Copysign(r, sign)
	}
	v, k := expDD(l.times(y))
	return sign * finish(v, k, slowPow, a, y)
}

func powSpecial(x, y float64) float64 {
	if (x != x && y != 0) || (y != y && x != 1) {
		return x + y
	}
	if x == -1 && !math.IsInf(y, 0) && y != math.Trunc(y) {
		return invalid()
	}
	return math.Pow(x, y)
}

func slowPow(x, y float64) *big.Float { return bigExp(newBig().Mul(bigLog(bigOf(x)), bigOf(y))) }

// asinh is the inverse hyperbolic sine.
func asinh(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-28 || a > math.MaxFloat64 || x != x {
		return same(x)
	}
	var v dd
	switch {
	case a < 0.25: // artanh(x / sqrt(x²+1))
		v = artanhDD(dd{a, 0}.div(product(a, a).plus(1).sqrt()))
	case a < 0x1p60:
		v = logDD(product(a, a).plus(1).sqrt().plus(a))
	default:
		v = logDD(dd{a, 0}).add(logTables().ln2)
	}
	return math.Copysign(finish(v, 0, slowAsinh, a, 0), x)
}

func slowAsinh(x, _ float64) *big.Float {
	s := newBig().Mul(bigOf(x), bigOf(x))
	s.Sqrt(s.Add(s, bigInt(1)))
	return bigLog(s.Add(s, bigOf(x)))
}

// acosh is the inverse hyperbolic cosine.
func acosh(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x + x
	case x < 1:
		return invalid()
	case x == 1:
		return 0
	}
	if x >= 0x1p60 {
		return finish(logDD(dd{x, 0}).add(logTables().ln2), 0, slowAcosh, x, 0)
	}
	// ln(1 + d) with d = (x-1) + sqrt((x-1)(x+1)), of which x-1 is exact
	below := dd{x - 1, 0}
	if x >= 2 {
		s, e := twoSum(x, -1)
		below = dd{s, e}
	}
	s, e := twoSum(x, 1)
	d := below.mul(dd{s, e}).sqrt().add(below)
	return finish(log1pDD(d), 0, slowAcosh, x, 0)
}

func slowAcosh(x, _ float64) *big.Float {
	s := newBig().Mul(bigOf(x), bigOf(x))
	s.Sqrt(s.Sub(s, bigInt(1)))
	return bigLog(s.Add(s, bigOf(x)))
}

// log1pDD is ln(1+d) for d >= 0, as 2 artanh(d / (d+2)) where d is small.
func log1pDD(d dd) dd {
	if d.h < 0.25 {
		return artanhDD(d.div(d.plus(2))).scale(2)
	}
	return logDD(d.plus(1))
}

// artanhDD is artanh x for |x| < 1.
func artanhDD(x dd) dd {
	if math.Abs(x.h) >= 0.25 {
		one := dd{1, 0}
		return logDD(one.add(x).div(one.sub(x))).scale(0.5)
	}
	return series(x.mul(x), artanhSeries()).mul(x)
}

var artanhSeries = sync.OnceValue(func() []dd {
	c := make([]dd, 28)
	for i := range c {
		c[i] = ratioDD(big.NewInt(1), big.NewInt(int64(2*i+1)))
	}
	return c
})

// atanh is the inverse hyperbolic tangent.
func atanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return same(x)
	case a > 1:
		return invalid()
	case a == 1:
		return math.Copysign(math.Inf(1), x)
	}
	return math.Copysign(finish(artanhDD(dd{a, 0}), 0, slowAtanh, a, 0), x)
}

func slowAtanh(x, _ float64) *big.Float {
	v := bigLog(newBig().Quo(newBig().Add(bigInt(1), bigOf(x)), newBig().Sub(bigInt(1), bigOf(x))))
	return v.SetMantExp(v, -1)
}
