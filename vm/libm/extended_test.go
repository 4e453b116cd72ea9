package libm

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
)

// TestExtended compares with floats of 64 bits where the result is exact in both.
func TestExtended(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	of := func(d float64) Extended { return ExtendedOf(math.Float64bits(d), 64) }
	same := func(what string, x, y float64, got Extended, want float64) {
		t.Helper()
		if bits := got.Float(64); bits != math.Float64bits(want) && want == want {
			t.Errorf("%s of %v, %v: %v, want %v", what, x, y, math.Float64frombits(bits), want)
		}
	}
	for range 20000 {
		d := math.Float64frombits(r.Uint64())
		x, y := float64(math.Float32frombits(r.Uint32())), float64(math.Float32frombits(r.Uint32()))
		if x != x || y != y || d != d {
			continue
		}
		same("itself", d, 0, of(d), d)
		same("product", x, y, ExtendedBinary["mul"](of(x), of(y)), x*y)
		same("fma", x, y, ExtendedFMA(of(x), of(y), of(-x*y)), 0)
		same("quotient", x, y, ExtendedBinary["div"](of(x*y), of(y)), x)
		same("rem", d, y, ExtendedBinary["rem"](of(d), of(y)), math.Mod(d, y))
		same("remainder", d, y, ExtendedBinary["remainder"](of(d), of(y)), math.Remainder(d, y))
		same("root", x*x, 0, ExtendedUnary["sqrt"](of(x*x)), math.Abs(x))
		k := x / 1e30
		for name, f := range map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.Round, "rint": math.RoundToEven} {
			for _, v := range []float64{k, math.Floor(k) + 0.5, y} {
				same(name, v, 0, ExtendedUnary[name](of(v)), f(v))
			}
		}
		order, ok := of(x).Order(of(y))
		if !ok || (order < 0) != (x < y) || (order > 0) != (x > y) {
			t.Errorf("%v and %v: order %d, %v", x, y, order, ok)
		}
	}
}

// TestExtendedSums checks sums of numbers that are near each other and far apart against sums of whole numbers.
func TestExtendedSums(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 20000 {
		a, b := r.Int63()>>(r.Intn(60)), r.Int63()>>(r.Intn(60))
		if r.Intn(2) == 0 {
			b = -b
		}
		x, y := ExtendedOfInteger(big.NewInt(a)), ExtendedOfInteger(big.NewInt(b))
		want := ExtendedOfInteger(new(big.Int).Add(big.NewInt(a), big.NewInt(b)))
		if got := ExtendedBinary["add"](x, y); got != want {
			t.Errorf("%d + %d = %v, want %v", a, b, got, want)
		}
	}
	one, tiny := Extended{0x3FFF, 1 << 63}, Extended{0x0001, 1 << 63}
	for _, c := range []struct{ x, y, want Extended }{
		{one, tiny, one}, {one, tiny.signed(true), one}, {tiny, one.signed(true), one.signed(true)},
		{Extended{0x3FFF, 1<<63 | 1}, Extended{0x3FBF, 1 << 63}, Extended{0x3FFF, 1<<63 | 2}}, // a tie, to even
		{one, Extended{0x3FBF, 1<<63 + 1}, Extended{0x3FFF, 1<<63 + 1}},
	} {
		if got := extendedAdd(c.x, c.y); got != c.want {
			t.Errorf("%x + %x = %x, want %x", c.x, c.y, got, c.want)
		}
	}
}
