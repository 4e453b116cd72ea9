package libm

import (
	"math"
	"math/big"
	"sync"
)

// trigData is what reduce needs.
type trigData struct {
	parts      [4]float64 // π/2 is their sum
	perQuarter float64    // 2/π
}

var trigTables = sync.OnceValue(func() *trigData {
	t := &trigData{perQuarter: 2 / math.Pi}
	rest := newBig().SetMantExp(bigPi(), -1)
	for i := range t.parts {
		t.parts[i], _ = rest.Float64()
		rest.Sub(rest, bigOf(t.parts[i]))
	}
	return t
})

// reduce returns r and n modulo 4 with x = n*π/2 + r, |r| <= π/4 or little more.
func reduce(x float64) (r dd, n int) {
	if math.Abs(x) < 0.78 {
		return dd{x, 0}, 0
	}
	if math.Abs(x) >= 1<<30 {
		v, n := bigReduce(x)
		return toDD(v), n
	}
	t := trigTables()
	k := math.RoundToEven(x * t.perQuarter)
	var sum [2*len(t.parts) + 1]float64 // largest last
	sum[len(sum)-1] = x
	for i, p := range t.parts {
		v := product(-k, p)
		sum[len(sum)-2-2*i], sum[len(sum)-3-2*i] = v.h, v.l
	}
	return distill(&sum), int(int64(k)) & 3
}

// distill adds up floats as if in four times the precision (T. Ogita, S. Rump, S. Oishi, "Accurate sum and dot product", 2005).
func distill(v *[9]float64) dd {
	for range 3 {
		for i := 1; i < len(v); i++ {
			v[i], v[i-1] = twoSum(v[i], v[i-1])
		}
	}
	low := 0.0
	for _, x := range v[:len(v)-1] {
		low += x
	}
	return fastTwoSum(v[len(v)-1], low)
}

// sinDD and cosDD are the functions for |r| <= π/4.
func sinDD(r dd) dd {
	s := r.mul(r).neg()
	return seriesFast(s, expTables().odd[:11], 4).mul(r)
}

func cosDD(r dd) dd {
	s := r.mul(r).neg()
	return seriesFast(s, expTables().even[:12], 4)
}

// quarter returns sin(r + n π/2).
func quarter(r dd, n int) dd {
	v := dd{}
	if n&1 == 0 {
		v = sinDD(r)
	} else {
		v = cosDD(r)
	}
	if n&2 != 0 {
		return v.neg()
	}
	return v
}

// Sin is the sine of x radians.
func Sin(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-28 || x != x:
		return same(x)
	case math.IsInf(x, 0):
		return invalid()
	}
	r, n := reduce(x)
	return finish(quarter(r, n), 0, slowSin, x, 0)
}

func slowSin(x, _ float64) *big.Float {
	s, _ := bigSinCos(x)
	return s
}

// Cos is the cosine of x radians.
func Cos(x float64) float64 {
	switch {
	case x != x:
		return x + x
	case math.IsInf(x, 0):
		return invalid()
	}
	r, n := reduce(x)
	return finish(quarter(r, n+1), 0, slowCos, x, 0)
}

func slowCos(x, _ float64) *big.Float {
	_, c := bigSinCos(x)
	return c
}

// tan is the tangent of x radians.
func tan(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-28 || x != x:
		return same(x)
	case math.IsInf(x, 0):
		return invalid()
	}
	r, n := reduce(x)
	return finish(quarter(r, n).div(quarter(r, n+1)), 0, slowTan, x, 0)
}

func slowTan(x, _ float64) *big.Float {
	s, c := bigSinCos(x)
	return s.Quo(s, c)
}

// atanSteps is how many entries of the table of arc tangents there are for each 1.
const atanSteps = 64

type atanData struct {
	angles       [atanSteps + 1]dd // arctan(i/atanSteps)
	coefficients [7]dd             // of arctan(r)/r in powers of r²
	half         dd                // π/2
}

var atanTables = sync.OnceValue(func() *atanData {
	t := &atanData{half: toDD(bigPi()).scale(0.5)}
	for i := range t.angles {
		t.angles[i] = toDD(bigAtan(bigOf(float64(i) / atanSteps)))
	}
	for i := range t.coefficients {
		t.coefficients[i] = ratioDD(big.NewInt(1-2*int64(i&1)), big.NewInt(int64(2*i+1)))
	}
	return t
})

// atanDD is arctan x for 0 <= x, in radians. Where x is above 1 it is π/2 - arctan(1/x); then arctan x = arctan c + arctan((x-c)/(1+xc)) for c
// of the table.
func atanDD(x dd) dd {
	t := atanTables()
	if x.h > 1 {
		return t.half.sub(atanDD(dd{1, 0}.div(x)))
	}
	i := math.RoundToEven(x.h * atanSteps)
	if i != 0 {
		c := i / atanSteps
		x = x.plus(-c).div(x.times(c).plus(1))
	}
	v := seriesFast(x.mul(x), t.coefficients[:], 2).mul(x)
	return v.add(t.angles[int(i)])
}

// atan is the arc tangent.
func atan(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-28 || x != x {
		return same(x)
	}
	if math.IsInf(x, 0) {
		return math.Copysign(math.Pi/2, x)
	}
	return math.Copysign(finish(atanDD(dd{a, 0}), 0, slowAtan, a, 0), x)
}

func slowAtan(x, _ float64) *big.Float { return bigAtan(bigOf(x)) }

// atan2 is the angle of the point (x, y), from -π to π.
func atan2(y, x float64) float64 {
	if x != x || y != y {
		return x + y
	}
	if x == 0 || y == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Atan2(y, x)
	}
	a, b := math.Abs(y), math.Abs(x)
	ma, ea := math.Frexp(a)
	mb, eb := math.Frexp(b)
	v := dd{}
	switch {
	case ea-eb > 120:
		v = atanTables().half
	case ea-eb > -120:
		v = atanDD(dd{math.Ldexp(ma, ea-eb), 0}.div(dd{mb, 0}))
	case x > 0:
		return math.Copysign(roundSlow(slowAtan2(a, x)), y)
	}
	if x < 0 {
		v = atanTables().half.scale(2).sub(v)
	}
	return math.Copysign(finish(v, 0, slowAtan2, a, x), y)
}

// slowAtan2 is the angle for y > 0.
func slowAtan2(y, x float64) *big.Float {
	v := bigAtan(newBig().Quo(bigOf(y), bigOf(math.Abs(x))))
	if x < 0 {
		return newBig().Sub(bigPi(), v)
	}
	return v
}

// asin is the arc sine.
func asin(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return same(x)
	case a > 1:
		return undefined()
	case a == 1:
		return math.Copysign(math.Pi/2, x)
	}
	return math.Copysign(finish(atanDD(dd{a, 0}.div(other(a))), 0, slowAsin, a, 0), x)
}

// other is sqrt(1 - x²) for |x| <= 1.
func other(x float64) dd {
	return dd{1, 0}.plus(-x).mul(dd{1, 0}.plus(x)).sqrt()
}

func bigOther(x float64) *big.Float {
	s := newBig().Sub(bigInt(1), newBig().Mul(bigOf(x), bigOf(x)))
	return s.Sqrt(s)
}

func slowAsin(x, _ float64) *big.Float { return bigAtan(newBig().Quo(bigOf(x), bigOther(x))) }

// acos is the arc cosine.
func acos(x float64) float64 {
	switch {
	case x != x:
		return x + x
	case math.Abs(x) > 1:
		return undefined()
	case x == 1:
		return 0
	case x == -1:
		return math.Pi
	}
	t := atanTables()
	v := t.half
	if a := math.Abs(x); a > 0x1p-120 {
		v = atanDD(other(a).div(dd{a, 0}))
	}
	if x < 0 {
		v = t.half.scale(2).sub(v)
	}
	return finish(v, 0, slowAcos, x, 0)
}

func slowAcos(x, _ float64) *big.Float {
	v := newBig().SetMantExp(bigPi(), -1)
	return v.Sub(v, slowAsin(x, 0))
}
