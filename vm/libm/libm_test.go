package libm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func unary(slow func(x, y float64) *big.Float, f, to func(float64) float64) slowCase {
	return slowCase{slow, func(x, _ float64) float64 { return f(x) }, func(x, _ float64) (float64, float64) { return to(x), 0 }}
}

// slowCase is a function by big.Float, by pairs, and where from its arguments may come.
type slowCase struct {
	slow func(x, y float64) *big.Float
	fast func(x, y float64) float64
	into func(x, y float64) (float64, float64)
}

func any64(x float64) float64   { return x }
func small(x float64) float64   { return math.Mod(x, 690) }
func inOne(x float64) float64   { return math.Mod(x, 1) }
func aboveM1(x float64) float64 { return max(x, -0.999) }
func above1(x float64) float64  { return 1 + math.Abs(x) }

var slowCases = map[string]slowCase{
	"sin": unary(slowSin, Sin, any64), "cos": unary(slowCos, Cos, any64), "tan": unary(slowTan, tan, any64),
	"asin": unary(slowAsin, asin, inOne), "acos": unary(slowAcos, acos, inOne), "atan": unary(slowAtan, atan, any64),
	"sinh": unary(slowSinh, sinh, small), "cosh": unary(slowCosh, cosh, small), "tanh": unary(slowTanh, tanh, func(x float64) float64 { return math.Mod(x, 30) }),
	"asinh": unary(slowAsinh, asinh, math.Abs), "acosh": unary(slowAcosh, acosh, above1), "atanh": unary(slowAtanh, atanh, inOne),
	"exp":  unary(func(x, _ float64) *big.Float { return bigExp(bigOf(x)) }, Exp, small),
	"exp2": unary(slowExp2, Exp2, any64), "expm1": unary(slowExpm1, expm1, func(x float64) float64 { return max(small(x), -50) }),
	"log": unary(slowLog, Log, math.Abs), "log2": unary(slowLog2, Log2, math.Abs), "log10": unary(slowLog10, Log10, math.Abs),
	"log1p": unary(slowLog1p, log1p, aboveM1), "erf": unary(slowErf, erf, func(x float64) float64 { return math.Abs(math.Mod(x, erfOne)) }),
	"erfc": unary(slowErfc, erfc, func(x float64) float64 { return max(math.Mod(x, 27), -5.9) }), "cbrt": unary(slowCbrt, cbrt, math.Abs),
	"pow":   {slowPow, Pow, func(x, y float64) (float64, float64) { return math.Abs(x), y }},
	"hypot": {slowHypot, hypot, func(x, y float64) (float64, float64) { return math.Abs(x), math.Abs(y) }},
	"atan2": {slowAtan2, atan2, func(x, y float64) (float64, float64) { return math.Abs(x), y }},
}

// TestAgainstSlow compares the two ways to compute each function.
func TestAgainstSlow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, c := range slowCases {
		for range 400 {
			x, y := c.into(math.Ldexp(r.Float64()*2-1, r.IntN(20)-10), math.Ldexp(r.Float64()*2-1, r.IntN(12)-6))
			got, want := c.fast(x, y), roundSlow(c.slow(x, y))
			if got != want {
				t.Errorf("%s(%v, %v) = %v, want %v", name, x, y, got, want)
			}
		}
	}
}

// TestMaxError checks the pairs' errors, and that they keep well below what finish assumes.
func TestMaxError(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	near := func(what string, x float64, v dd, want *big.Float) {
		sum := newBig().Add(bigOf(v.h), bigOf(v.l))
		d, _ := newBig().Quo(sum.Sub(sum, want), want).Float64()
		if math.Abs(d) > maxError/4 {
			t.Errorf("%s of %v: error %v of the value", what, x, d)
		}
	}
	for range 500 {
		x := math.Ldexp(r.Float64()*2-1, r.IntN(30)-10)
		v, n := reduce(x)
		s, c := bigSinCos(x)
		near("sin", x, quarter(v, n), s)
		near("cos", x, quarter(v, n+1), c)
		a := math.Abs(x)
		near("atan", a, atanDD(dd{a, 0}), bigAtan(bigOf(a)))
		l := bigLog(bigOf(a))
		near("log", a, logDD(dd{a, 0}), l)
		one := 1 + math.Ldexp(r.Float64()*2-1, -r.IntN(45))
		if one != 1 && one > 0 {
			near("log", one, logDD(dd{one, 0}), bigLog(bigOf(one)))
		}
		log, _ := l.Float64()
		for _, y := range []float64{1 / log, 700 / log, -700 / log} { // powers, up to the largest
			p, k := expDD(logDD(dd{a, 0}).times(y))
			want := bigExp(newBig().Mul(l, bigOf(y)))
			near("pow", a, p, want.SetMantExp(want, -k))
		}
		near("artanh", inOne(x), artanhDD(dd{inOne(x), 0}), slowAtanh(inOne(x), 0))
		g := math.Mod(a, gammaFast-1) + 0.01
		p, product, _ := logGammaDD(g)
		v2, k := expDD(p)
		want := slowGamma(g, 0)
		near("tgamma", g, v2.div(product), want.SetMantExp(want, -k))
		near("sinh", x/1024/1024/4, sinhSmall(x/1024/1024/4), slowSinh(x/1024/1024/4, 0))
	}
}

// TestMiddles holds results that are a float or the middle of two, which only the exact value tells apart.
func TestMiddles(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{3, 34, 16677181699666568}, {1 + 0x1p-27, 2, 1 + 0x1p-26}, {1 + 3*0x1p-27, 2, 1 + 3*0x1p-26 + 0x1p-51}, {10, 22, 1e22}, {10, -5, 1e-5},
		{2, -1074, 0x1p-1074}, {2, -1075, 0}, {0x3p-538, 2, 0x1p-1073}, {2, 1023, 0x1p1023}, {4, 0.5, 2}, {27, 1.0 / 3, 3}, {-2, 3, -8},
	} {
		if got := Pow(c.x, c.y); got != c.want {
			t.Errorf("pow(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
	for x := -20.0; x < 20; x++ {
		if got := Log2(math.Ldexp(1, int(x))); got != x {
			t.Errorf("log2(2^%v) = %v", x, got)
		}
		if got := cbrt(x * x * x); got != x {
			t.Errorf("cbrt(%v³) = %v", x, got)
		}
		if got := Exp2(x); got != math.Ldexp(1, int(x)) {
			t.Errorf("exp2(%v) = %v", x, got)
		}
	}
}

func BenchmarkSin(b *testing.B) {
	for i := range b.N {
		Sin(float64(i) * 0.37)
	}
}

func BenchmarkExp(b *testing.B) {
	for i := range b.N {
		Exp(float64(i%700) * 0.97)
	}
}

func BenchmarkPow(b *testing.B) {
	for i := range b.N {
		Pow(float64(i)*0.37+1, 1.7)
	}
}

func BenchmarkAtan2(b *testing.B) {
	for i := range b.N {
		atan2(float64(i)*0.37+1, 1.7)
	}
}
