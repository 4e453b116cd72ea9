package libm

import (
	"math"
	"math/big"
	"sync"
)

const (
	gammaOverflow = 172  // from here on Γ is larger than any float
	gammaNothing  = -185 // up to here it is smaller, where it is anything
	stirlingFrom  = 100  // where J. Stirling's series gives all bits of the slow path
	stirlingTerms = 72
	// where the series gives the bits of a pair, and with how many terms
	stirlingFromDD  = 24
	stirlingTermsDD = 16
	gammaFast       = 171   // up to here Γ is a pair
	logGammaFast    = 1e100 // and its logarithm
)

// stirling are the coefficients B2k / (2k (2k-1)) of his series, from k = 1 on.
var stirling = sync.OnceValue(func() []*big.Float {
	numbers := make([]*big.Rat, 2*stirlingTerms+1) // J. Bernoulli's
	numbers[0] = big.NewRat(1, 1)
	for m := int64(1); m < int64(len(numbers)); m++ {
		sum := new(big.Rat)
		for k, b := range numbers[:m] {
			if b.Sign() != 0 {
				c := new(big.Rat).SetInt(new(big.Int).Binomial(m+1, int64(k)))
				sum.Add(sum, c.Mul(c, b))
			}
		}
		numbers[m] = sum.Mul(sum, big.NewRat(-1, m+1))
	}
	out := make([]*big.Float, stirlingTerms)
	for n := range out {
		k := int64(2 * (n + 1))
		out[n] = newBig().SetRat(new(big.Rat).Mul(numbers[k], big.NewRat(1, k*(k-1))))
	}
	return out
})

// gammaTables is what logGammaDD needs.
type gammaTables struct {
	terms [stirlingTermsDD]dd
	half  dd // ½ ln 2π
}

var gammaData = sync.OnceValue(func() *gammaTables {
	t := &gammaTables{}
	for n, c := range stirling()[:stirlingTermsDD] {
		t.terms[n] = toDD(c)
	}
	t.half = toDD(bigLog(newBig().SetMantExp(newBig().Set(bigPi()), 1))).scale(0.5)
	return t
})

// gamma is Γ(x).
func gamma(x float64) float64 {
	switch {
	case x != x:
		return x + x
	case x == 0:
		return 1 / x
	case x >= gammaOverflow:
		return math.Inf(1)
	case x < 0 && x == math.Trunc(x):
		return undefined()
	case x <= gammaNothing:
		return math.Copysign(0, float64(gammaSign(x)))
	}
	if x > 0x1p-50 && x < gammaFast {
		log, product, _ := logGammaDD(x)
		v, k := expDD(log)
		return finish(v.div(product), k, slowGamma, x, 0)
	}
	return roundSlow(slowGamma(x, 0))
}

// LogGamma is the logarithm of |Γ(x)|, and the sign of Γ(x).
func LogGamma(x float64) (float64, int) {
	switch {
	case x != x:
		return x + x, 1
	case x == 0 && math.Signbit(x):
		return math.Inf(1), -1
	case math.IsInf(x, 0) || x <= 0 && x == math.Trunc(x):
		return math.Inf(1), 1
	case x == 1 || x == 2:
		return 0, 1
	}
	if x > 0x1p-50 && x < logGammaFast {
		log, product, size := logGammaDD(x)
		if product.h != 1 {
			rest := logDD(product)
			size += math.Abs(rest.h)
			log = log.sub(rest)
		}
		if math.Abs(log.h) > size*0x1p-8 { // else too much of it is lost
			return finish(log, 0, slowLogGamma, x, 0), 1
		}
	}
	return roundSlow(slowLogGamma(x, 0)), gammaSign(x)
}

func gammaSign(x float64) int {
	if x < 0 && isOdd(math.Floor(x)) {
		return -1
	}
	return 1
}

func slowGamma(x, _ float64) *big.Float {
	if x > 0 {
		log, product := logGammaFrom(bigOf(x))
		r := bigExp(log)
		return r.Quo(r, product)
	}
	log, product := logGammaFrom(newBig().Sub(bigInt(1), bigOf(x)))
	r := newBig().Quo(bigPi(), bigExp(log))
	r.Mul(r, product)
	r.Quo(r, sinPi(x))
	if gammaSign(x) < 0 {
		r.Neg(r)
	}
	return r
}

func slowLogGamma(x, _ float64) *big.Float {
	if x > 0 {
		log, product := logGammaFrom(bigOf(x))
		return log.Sub(log, bigLog(product))
	}
	log, product := logGammaFrom(newBig().Sub(bigInt(1), bigOf(x)))
	r := newBig().Quo(bigPi(), sinPi(x))
	return r.Sub(bigLog(r.Mul(r, product)), log)
}

// logGammaFrom returns ln Γ(z) for the first z = x + n from stirlingFrom on, and the product x (x+1) … (z-1): Γ(x) is Γ(z) by it.
func logGammaFrom(x *big.Float) (log, product *big.Float) {
	z, one := newBig().Set(x), bigInt(1)
	product = bigInt(1)
	for z.Cmp(bigInt(stirlingFrom)) < 0 {
		product.Mul(product, z)
		z.Add(z, one)
	}
	// (z - ½) ln z - z + ½ ln 2π + Σ
	twoPi := newBig().SetMantExp(newBig().Set(bigPi()), 1)
	half := bigLog(twoPi)
	log = newBig().Sub(z, bigOf(0.5))
	log.Mul(log, bigLog(z))
	log.Sub(log, z)
	log.Add(log, half.SetMantExp(half, -1))
	power := newBig().Quo(one, z)
	square := newBig().Mul(power, power)
	for _, c := range stirling() {
		log.Add(log, newBig().Mul(c, power))
		power.Mul(power, square)
	}
	return log, product
}

// logGammaDD is logGammaFrom in pairs, for 0 < x; size is that of the largest number that was added up.
func logGammaDD(x float64) (log, product dd, size float64) {
	t := gammaData()
	z := dd{x, 0}
	product = dd{1, 0}
	for z.h < stirlingFromDD {
		product = product.mul(z)
		z = z.plus(1)
	}
	log = z.plus(-0.5).mul(logDD(z))
	size = log.h
	power := dd{1, 0}.div(z)
	sum := series(power.mul(power), t.terms[:]).mul(power)
	return log.sub(z).add(t.half).add(sum), product, size
}

// sinPi is |sin πx| for an x that is no integer.
func sinPi(x float64) *big.Float {
	r := newBig().Mul(bigOf(math.Abs(x-math.RoundToEven(x))), bigPi())
	square := newBig().Mul(r, r)
	return taylor(r, square.Neg(square), func(i int64) int64 { return 2 * i * (2*i + 1) })
}
