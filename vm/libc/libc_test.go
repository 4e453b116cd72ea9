package libc

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Each symbol stands for one function.
func TestSymbolsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range groups {
		for symbol, f := range group {
			if seen[symbol] {
				t.Errorf("%s stands for two functions", symbol)
			}
			if f == nil {
				t.Errorf("%s stands for none", symbol)
			}
			seen[symbol] = true
		}
	}
	if n := len(Table()); n != len(seen) || n == 0 {
		t.Errorf("the table has %d symbols, want %d", n, len(seen))
	}
}

// The groups of mathematical functions share no name, with or without the f of float.
func TestMathematicsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	note := func(name string) {
		for _, n := range []string{name, name + "f"} {
			if seen[n] {
				t.Errorf("%s stands for two functions", n)
			}
			seen[n] = true
		}
	}
	for _, group := range unary {
		for name := range group {
			note(name)
		}
	}
	for _, group := range binary {
		for name := range group {
			note(name)
		}
	}
	for name := range exact {
		if seen[name] {
			t.Errorf("%s stands for two functions", name)
		}
		seen[name] = true
	}
	if len(seen) != len(mathematics) {
		t.Errorf("%d names, %d functions", len(seen), len(mathematics))
	}
}

// A product and a sum of floats are rounded once.
func TestFMA32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() float32 { return float32(math.Ldexp(float64(r.IntN(1<<25)-1<<24), r.IntN(60)-40)) }
	for n := range 200_000 {
		x, y, z := number(), number(), number()
		if n%2 == 0 { // near the middle between two floats, and to one side by less than a float64 tells
			x, y, z = 1+float32(r.IntN(1<<12))/(1<<12), 1+float32(r.IntN(1<<12))/(1<<12), float32(math.Ldexp(float64(r.IntN(3)-1), -90))
		}
		exact := new(big.Float).SetPrec(500)
		exact.Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)).SetPrec(200))
		exact.Add(exact, big.NewFloat(float64(z)))
		if want, _ := exact.Float32(); fma32(x, y, z) != want {
			t.Fatalf("fma(%x, %x, %x) = %x, want %x", x, y, z, fma32(x, y, z), want)
		}
	}
}
