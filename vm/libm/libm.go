// Package libm computes the elementary functions of the C library, correctly rounded to nearest: the result of a function is the float
// of 64 bits that is nearest to the real value, whatever machine silvm runs on. Glibc's own results are within about half a unit
// in the last place, so nearly always the same ones (testdata has how often not).
//
// Each function computes in pairs of floats (dd.go) with an error of at most 2^-68 of the value. When all reals within that error round to one
// float, it is the result; this is A. Ziv's test ("Fast evaluation of elementary mathematical functions with correctly rounded last
// bit", ACM TOMS 17, 1991). Else, and where a result is subnormal, the function is computed again to some 400 bits (big.go).
// Special values are those of C17, annex F.10.
package libm

import (
	"math"
	"math/big"
)

// Unary are the functions of one argument under their C names.
var Unary = map[string]func(float64) float64{
	"sin": Sin, "cos": Cos, "tan": tan, "asin": asin, "acos": acos, "atan": atan, "sinh": sinh, "cosh": cosh, "tanh": tanh,
	"asinh": asinh, "acosh": acosh, "atanh": atanh, "exp": Exp, "exp2": Exp2, "expm1": expm1, "log": Log, "log2": Log2,
	"log10": Log10, "log1p": log1p, "cbrt": cbrt, "erf": erf, "erfc": erfc, "tgamma": gamma,
}

// Binary are the functions of two arguments under their C names.
var Binary = map[string]func(x, y float64) float64{
	"pow": Pow, "atan2": atan2, "hypot": hypot, "fmod": Fmod, "remainder": Remainder,
}

// maxError bounds the error of a dd that is handed to finish, relative to its value.
const maxError = 0x1p-68

// finish rounds v * 2^k, the value of a function at x and y. Slow computes that value to slowBits when v does not tell how it rounds.
func finish(v dd, k int, slow func(x, y float64) *big.Float, x, y float64) float64 {
	e := math.Abs(v.h) * maxError
	low, high := v.h+(v.l-e), v.h+(v.l+e)
	if low == high && math.Abs(low) >= 0x1p-960 {
		if k == 0 {
			return low
		}
		if r := math.Ldexp(low, k); math.Abs(r) >= 0x1p-1021 {
			return r
		}
	}
	return roundSlow(slow(x, y))
}

// roundSlow rounds v to nearest. It is rounded to exactBits first: when the real value has few bits, or lies in the middle of two floats,
// this removes the error of v. No value of these functions that has more than exactBits comes that close to a middle: see
// V. Lefèvre, J.-M. Muller, "Worst cases for correct rounding of the elementary functions in double precision", 2001.
func roundSlow(v *big.Float) float64 {
	r, _ := new(big.Float).SetPrec(exactBits).Set(v).Float64()
	return r
}

// invalid is the result on x86-64 of an operation without a mathematical one, and undefined what those functions return for one that
// write the NaN down.
func invalid() float64   { return math.Float64frombits(0xfff8 << 48) }
func undefined() float64 { return math.Float64frombits(0x7ff8 << 48) }

// isOdd reports whether x is an odd integer.
func isOdd(x float64) bool {
	if math.Abs(x) >= 1<<53 {
		return false
	}
	n := int64(x)
	return float64(n) == x && n&1 != 0
}

// Fmod returns the remainder of x / y with the sign of x (C17 7.12.10.1); it is exact.
func Fmod(x, y float64) float64 {
	if r, special := remainderSpecial(x, y); special {
		return r
	}
	return math.Mod(x, y)
}

// Remainder returns x - n*y for the integer n nearest to x / y, the even one of two (IEEE 754, 5.3.1); it is exact.
func Remainder(x, y float64) float64 {
	if r, special := remainderSpecial(x, y); special {
		return r
	}
	return math.Remainder(x, y)
}

func remainderSpecial(x, y float64) (float64, bool) {
	switch {
	case x != x || y != y:
		return x + y, true
	case math.IsInf(x, 0) || y == 0:
		return invalid(), true
	}
	return 0, false
}

// same returns x, a NaN quiet.
func same(x float64) float64 {
	if x != x {
		return x + x
	}
	return x
}
