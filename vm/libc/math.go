package libc

import (
	"math"

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

// mathematics has each of them for double and, with an f behind its name, for float.
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
	return table
}

// numericsShims are the functions of a header that the package swift-numerics has, whose bodies clang makes and no SIL shows: each calls the function
// of math.h behind its prefix, or adds or multiplies in an order that the compiler may choose.
var numericsShims = makeNumericsShims()

func makeNumericsShims() map[string]native {
	shims := map[string]native{"_numerics_optimization_barrier": func(call) *vm.Trap { return nil }}
	for _, name := range []string{"cos", "sin", "tan", "acos", "asin", "atan", "cosh", "sinh", "tanh", "acosh", "asinh", "atanh", "exp", "expm1", "log",
		"log1p", "pow", "cbrt", "atan2", "exp2", "hypot", "log2", "log10"} {
		shims["libm_"+name], shims["libm_"+name+"f"] = mathematics[name], mathematics[name+"f"]
	}
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
