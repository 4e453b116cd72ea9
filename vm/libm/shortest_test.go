package libm_test

import (
	"math/big"
	"math/rand"
	"testing"

	"silvm/vm/libm"
)

// TestShortest checks on random numbers of all exponents, powers of two and whole numbers that the shortest decimal is read as the number again, and
// that neither neighbor of the number with a digit less is.
func TestShortest(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	numbers := []libm.Extended{{Top: 0, Frac: 1}, {Top: 0, Frac: 1<<63 - 1}, {Top: 1, Frac: 1 << 63}, {Top: 0x7FFE, Frac: 1<<64 - 1}, {Top: 16383, Frac: 1 << 63}}
	for range 150 {
		top := uint16(1 + r.Intn(0x7FFE))
		numbers = append(numbers, libm.Extended{Top: top, Frac: 1<<63 | r.Uint64()}, libm.Extended{Top: top, Frac: 1 << 63},
			libm.Extended{Frac: r.Uint64() >> (1 + r.Intn(62))}, libm.ExtendedOfInteger(big.NewInt(1+r.Int63n(1_000_000))))
	}
	for _, x := range numbers {
		n, power := x.Shortest()
		if libm.ExtendedOfDecimal(false, n, 10, int64(power)) != x {
			t.Fatalf("%x %x: %de%d is read as another number", x.Top, x.Frac, n, power)
		}
		exact, _ := x.Big().Rat(nil)
		place := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power+1, -power-1))), nil))
		if power+1 < 0 {
			place.Inv(place)
		}
		exact.Quo(exact, place)
		fewer := new(big.Int).Quo(exact.Num(), exact.Denom())
		for range 2 {
			if libm.ExtendedOfDecimal(false, fewer, 10, int64(power+1)) == x && new(big.Int).Rem(n, big.NewInt(10)).Sign() != 0 {
				t.Errorf("%x %x: %de%d is as good as %de%d", x.Top, x.Frac, fewer, power+1, n, power)
			}
			fewer.Add(fewer, big.NewInt(1))
		}
	}
}

func BenchmarkShortest(b *testing.B) {
	for i := range b.N {
		libm.Extended{Top: uint16(1 + i*7919%0x7FFE), Frac: 1<<63 | uint64(i)*0x9E3779B97F4A7C15}.Shortest()
	}
}
