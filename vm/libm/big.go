package libm

import (
	"math"
	"math/big"
	"sync"
)

const (
	// slowBits is the precision of the slow path. At most 60 of its bits are lost where near numbers are subtracted and 10 more where a
	// logarithm is multiplied by an exponent.
	slowBits = 460
	// exactBits is what slow results are good for.
	exactBits = 280
	// reduceBits is the precision in which arguments up to 2^1024 are reduced to a quarter of a turn.
	reduceBits = 1024 + slowBits
)

func newBig() *big.Float { return new(big.Float).SetPrec(slowBits) }

func bigOf(x float64) *big.Float { return newBig().SetFloat64(x) }

func bigInt(n int64) *big.Float { return newBig().SetInt64(n) }

// bigPi is π to reduceBits by J. Machin's formula; the caller may not change it.
var bigPi = sync.OnceValue(func() *big.Float {
	v := inverseSeries(5, -1)
	v.Mul(v, big.NewInt(4))
	v.Sub(v, inverseSeries(239, -1))
	return fixedToBig(v.Mul(v, big.NewInt(4)))
})

// bigLn2 is the logarithm of 2, as 18 artanh(1/26) - 2 artanh(1/4801) + 8 artanh(1/8749).
var bigLn2 = sync.OnceValue(func() *big.Float {
	a, b, c := inverseSeries(26, 1), inverseSeries(4801, 1), inverseSeries(8749, 1)
	v := a.Mul(a, big.NewInt(18))
	v.Sub(v, b.Mul(b, big.NewInt(2)))
	return fixedToBig(v.Add(v, c.Mul(c, big.NewInt(8))))
})

// bigLn10 is the logarithm of 10.
var bigLn10 = sync.OnceValue(func() *big.Float { return bigLog(bigInt(10)) })

const fixedBits = reduceBits + 64

// inverseSeries is the sum of sign^i n^-(2i+1) / (2i+1), which is artanh(1/n) for sign 1 and arctan(1/n) for -1, times 2^fixedBits.
func inverseSeries(n, sign int64) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), fixedBits)
	power.Quo(power, big.NewInt(n))
	sum, square, term := new(big.Int).Set(power), big.NewInt(n*n), new(big.Int)
	for i, s := int64(3), sign; ; i, s = i+2, s*sign {
		power.Quo(power, square)
		if power.Sign() == 0 {
			return sum
		}
		term.Quo(power, big.NewInt(i))
		sum.Add(sum, term.Mul(term, big.NewInt(s)))
	}
}

func fixedToBig(v *big.Int) *big.Float {
	f := new(big.Float).SetPrec(reduceBits).SetInt(v)
	return f.SetMantExp(f, -fixedBits)
}

// taylor is the sum of x^i / (i (i-1) … ) from the term first on: each term is the one before times factor over divisor(i).
func taylor(first, factor *big.Float, divisor func(i int64) int64) *big.Float {
	sum, term := newBig().Set(first), newBig().Set(first)
	for i := int64(1); term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-slowBits-4; i++ {
		term.Mul(term, factor)
		term.Quo(term, bigInt(divisor(i)))
		sum.Add(sum, term)
	}
	return sum
}

// bigExp is e^x for |x| < 2^20: the argument is reduced by multiples of ln 2 and by 2^16.
func bigExp(x *big.Float) *big.Float {
	const halvings = 16
	q, _ := newBig().Quo(x, bigLn2()).Float64()
	n := int(math.RoundToEven(q))
	r := newBig().Sub(x, newBig().Mul(bigInt(int64(n)), bigLn2()))
	if r.Sign() == 0 {
		return newBig().SetMantExp(bigInt(1), n)
	}
	r.SetMantExp(r, -halvings)
	v := taylor(bigInt(1), r, func(i int64) int64 { return i })
	for range halvings {
		v.Mul(v, v)
	}
	return v.SetMantExp(v, n)
}

// bigLog is ln x for x > 0 by the iteration y += 2 (x - e^y) / (x + e^y), which triples the bits.
func bigLog(x *big.Float) *big.Float {
	mant := newBig()
	n := x.MantExp(mant)
	m, _ := mant.Float64()
	if m < math.Sqrt2/2 {
		n--
		m *= 2
		mant.SetMantExp(mant, 1)
	}
	if mant.Cmp(bigInt(1)) == 0 {
		return newBig().Mul(bigInt(int64(n)), bigLn2())
	}
	y := bigOf(math.Log(m))
	for range 4 {
		e := bigExp(y)
		d := newBig().Quo(newBig().Sub(mant, e), newBig().Add(mant, e))
		y.Add(y, d.SetMantExp(d, 1))
	}
	return y.Add(y, newBig().Mul(bigInt(int64(n)), bigLn2()))
}

// bigReduce returns r and n modulo 4 with x = n*π/2 + r, |r| <= π/4.
func bigReduce(x float64) (r *big.Float, n int) {
	half := new(big.Float).SetPrec(reduceBits).Set(bigPi())
	half.SetMantExp(half, -1)
	v := new(big.Float).SetPrec(reduceBits).SetFloat64(x)
	q := new(big.Float).SetPrec(reduceBits).Quo(v, half)
	if q.Signbit() {
		q.Sub(q, big.NewFloat(0.5))
	} else {
		q.Add(q, big.NewFloat(0.5))
	}
	turns, _ := q.Int(nil)
	v.Sub(v, half.Mul(half, q.SetInt(turns)))
	return newBig().Set(v), int(new(big.Int).And(turns, big.NewInt(3)).Int64())
}

// bigSinCos returns sin x and cos x.
func bigSinCos(x float64) (sin, cos *big.Float) {
	r, n := bigReduce(x)
	square := newBig().Mul(r, r)
	square.Neg(square)
	sin = taylor(r, square, func(i int64) int64 { return 2 * i * (2*i + 1) })
	cos = taylor(bigInt(1), square, func(i int64) int64 { return (2*i - 1) * 2 * i })
	if n&1 != 0 {
		sin, cos = cos, sin.Neg(sin)
	}
	if n&2 != 0 {
		sin.Neg(sin)
		cos.Neg(cos)
	}
	return sin, cos
}

// bigAtan is arctan x; the argument is halved in angle until the series is short.
func bigAtan(x *big.Float) *big.Float {
	const halvings = 10
	v := newBig().Set(x)
	for range halvings {
		s := newBig().Mul(v, v)
		s.Sqrt(s.Add(s, bigInt(1)))
		v.Quo(v, s.Add(s, bigInt(1)))
	}
	square := newBig().Mul(v, v)
	sum, power := newBig().Set(v), newBig().Set(v)
	for i := int64(3); power.Sign() != 0 && power.MantExp(nil) > sum.MantExp(nil)-slowBits-4; i += 2 {
		power.Mul(power, square)
		power.Neg(power)
		sum.Add(sum, newBig().Quo(power, bigInt(i)))
	}
	return sum.SetMantExp(sum, halvings)
}
