package libc

import (
	"math"
	"strings"

	"silvm/ir/tables"
	"silvm/vm"
	"silvm/vm/libm"
)

// The functions of math.h (C11 7.12) of one and of two numbers, in groups that share no name.
var (
	unary = []map[string]func(float64) float64{libm.Unary, {
		"sqrt": math.Sqrt, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.Round, "rint": math.RoundToEven,
		"nearbyint": math.RoundToEven, "fabs": math.Abs, "_stdlib_squareRoot": math.Sqrt,
	}}
	binary = []map[string]func(x, y float64) float64{libm.Binary, {
		"copysign": math.Copysign, "_stdlib_remainder": libm.Remainder, "fmin": libm.MinNum, "fmax": fmax,
	}}
)

// fmax is the greater of two numbers, and of two that compare equal, as the zeros do, the first: glibc's choice on x86-64.
func fmax(x, y float64) float64 {
	if x == y {
		return x
	}
	return libm.MaxNum(x, y)
}

// exact are functions of mathematics without rounding, or with one that is told, which float and double do each in their own way.
var exact = makeExact()

func makeExact() map[string]native {
	table := map[string]native{
		"nextafter": binary64(nextafter), "nextafterf": nextafterf, "fdim": binary64(fdim), "fdimf": binary32(fdim),
		"logb": unary64(math.Logb), "logbf": unary32(math.Logb), "fma": fma, "fmaf": fmaf,
	}
	for _, name := range []string{"", "f"} {
		float := func(bits uint64) float64 { return math.Float64frombits(bits) }
		if name == "f" {
			float = func(bits uint64) float64 { return float64(math.Float32frombits(uint32(bits))) }
		}
		whole := func(round func(float64) float64) native {
			return func(c call) *vm.Trap {
				c.Set(0, uint64(toLong(round(float(c.Arg(0))))))
				return nil
			}
		}
		for prefix := range strings.SplitSeq("l,ll", ",") {
			table[prefix+"round"+name] = whole(math.Round)
			table[prefix+"rint"+name] = whole(math.RoundToEven)
		}
		result := math.Float64bits
		if name == "f" {
			result = func(v float64) uint64 { return uint64(math.Float32bits(float32(v))) }
		}
		table["lgamma"+name] = func(c call) *vm.Trap {
			v, _ := libm.LogGamma(float(c.Arg(0)))
			c.Set(0, result(v))
			return nil
		}
		table["lgamma"+name+"_r"] = func(c call) *vm.Trap { // the sign of the gamma function is stored
			v, sign := libm.LogGamma(float(c.Arg(0)))
			c.Set(0, result(v))
			if !c.Heap().Store32(c.Arg(1), uint64(uint32(int32(sign)))) {
				return c.BadAddress(c.Arg(1))
			}
			return nil
		}
		table["ilogb"+name] = func(c call) *vm.Trap {
			x := float(c.Arg(0))
			exponent := math.Ilogb(x)
			if x != x {
				exponent = math.MinInt32 // FP_ILOGBNAN of x86-64
			}
			c.Set(0, uint64(uint32(int32(exponent))))
			return nil
		}
	}
	return table
}

// toLong converts to long as x86-64 does: what it can't hold is the smallest one.
func toLong(x float64) int64 {
	if x >= -1<<63 && x < 1<<63 {
		return int64(x)
	}
	return math.MinInt64
}

func fdim(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return x + y
	case x <= y:
		return 0
	}
	return x - y
}

// nextafter of equal numbers is the second, which may be the other zero.
func nextafter(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return x + y
	case x == y:
		return y
	}
	return math.Nextafter(x, y)
}

func nextafterf(c call) *vm.Trap {
	x, y := math.Float32frombits(uint32(c.Arg(0))), math.Float32frombits(uint32(c.Arg(1)))
	next := y
	switch {
	case x != x || y != y:
		next = x + y
	case x != y:
		next = math.Nextafter32(x, y)
	}
	c.Set(0, uint64(math.Float32bits(next)))
	return nil
}

func fma(c call) *vm.Trap {
	x, y, z := math.Float64frombits(c.Arg(0)), math.Float64frombits(c.Arg(1)), math.Float64frombits(c.Arg(2))
	c.Set(0, math.Float64bits(math.FMA(x, y, z)))
	return nil
}

func fmaf(c call) *vm.Trap {
	x, y, z := math.Float32frombits(uint32(c.Arg(0))), math.Float32frombits(uint32(c.Arg(1))), math.Float32frombits(uint32(c.Arg(2)))
	c.Set(0, uint64(math.Float32bits(fma32(x, y, z))))
	return nil
}

// fma32 rounds once: the product is exact in float64, and where the sum is not, its last bit is made odd before it becomes a float (S. Boldo and
// G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
func fma32(x, y, addend float32) float32 {
	product, z := float64(x)*float64(y), float64(addend)
	sum := product + z
	if rest := (product - (sum - (sum - product))) + (z - (sum - product)); rest != 0 && sum-sum == 0 && math.Float64bits(sum)&1 == 0 {
		sum = math.Nextafter(sum, math.Copysign(math.Inf(1), rest))
	}
	return float32(sum)
}

// mathematics has each of them for double and, with an f after its name, for float.
var mathematics = makeMathematics()

func makeMathematics() map[string]native {
	table := map[string]native{}
	for _, group := range unary {
		for name, f := range group {
			tables.Enter(table, "C functions", name, unary64(f))
			tables.Enter(table, "C functions", name+"f", unary32(f))
		}
	}
	for _, group := range binary {
		for name, f := range group {
			tables.Enter(table, "C functions", name, binary64(f))
			tables.Enter(table, "C functions", name+"f", binary32(f))
		}
	}
	for name, f := range exact {
		tables.Enter(table, "C functions", name, f)
	}
	return table
}

// numericsShims are the functions of a header that the package swift-numerics has, whose bodies clang makes and no SIL shows: each calls the function
// of math.h after its prefix, or adds or multiplies in an order that the compiler may choose.
var numericsShims = makeNumericsShims()

func makeNumericsShims() map[string]native {
	shims := map[string]native{"_numerics_optimization_barrier": func(call) *vm.Trap { return nil }}
	for _, name := range []string{"cos", "sin", "tan", "acos", "asin", "atan", "cosh", "sinh", "tanh", "acosh", "asinh", "atanh", "exp", "expm1", "log",
		"log1p", "pow", "cbrt", "atan2", "exp2", "hypot", "log2", "log10", "erf", "erfc", "tgamma"} {
		shims["libm_"+name], shims["libm_"+name+"f"] = mathematics[name], mathematics[name+"f"]
	}
	shims["libm_lgamma"], shims["libm_lgammaf"] = exact["lgamma_r"], exact["lgammaf_r"]
	for name, f := range map[string]func(x, y float64) float64{
		"_numerics_relaxed_add": func(x, y float64) float64 { return x + y },
		"_numerics_relaxed_mul": func(x, y float64) float64 { return x * y },
	} {
		shims[name], shims[name+"f"] = binary64(f), binary32(f)
	}
	return shims
}

// divisions are div and kin (C11 7.22.6.2).
var divisions = map[string]native{"div": divide(32), "ldiv": divide(64), "lldiv": divide(64)}

// divide makes a function that returns quotient and remainder of numbers of so many bits.
func divide(bits int) native {
	return func(c call) *vm.Trap {
		x, y := int64(c.Arg(0))<<(64-bits)>>(64-bits), int64(c.Arg(1))<<(64-bits)>>(64-bits)
		if y == 0 || y == -1 && x == math.MinInt64>>(64-bits) {
			return c.SwiftTrap("division by zero or overflow in C")
		}
		mask := ^uint64(0) >> (64 - bits)
		c.Set(0, uint64(x/y)&mask)
		c.Set(1, uint64(x%y)&mask)
		return nil
	}
}

func unary64(f func(float64) float64) native {
	return func(c call) *vm.Trap {
		c.Set(0, math.Float64bits(f(math.Float64frombits(c.Arg(0)))))
		return nil
	}
}

func unary32(f func(float64) float64) native {
	return func(c call) *vm.Trap {
		c.Set(0, uint64(math.Float32bits(float32(f(float64(math.Float32frombits(uint32(c.Arg(0)))))))))
		return nil
	}
}

func binary64(f func(x, y float64) float64) native {
	return func(c call) *vm.Trap {
		c.Set(0, math.Float64bits(f(math.Float64frombits(c.Arg(0)), math.Float64frombits(c.Arg(1)))))
		return nil
	}
}

func binary32(f func(x, y float64) float64) native {
	return func(c call) *vm.Trap {
		c.Set(0, uint64(math.Float32bits(float32(f(float64(math.Float32frombits(uint32(c.Arg(0)))), float64(math.Float32frombits(uint32(c.Arg(1)))))))))
		return nil
	}
}
