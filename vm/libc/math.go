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
		"copysign": math.Copysign, "_stdlib_remainder": libm.Remainder, "fmin": libm.MinNum, "fmax": libm.MaxNum,
	}}
)

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
