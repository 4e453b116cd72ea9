package libm

import "math"

// MinNum returns the smaller operand, the other one if one is NaN (llvm.minnum).
func MinNum(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return math.Min(x, y)
}

// MaxNum returns the larger operand, the other one if one is NaN (llvm.maxnum).
func MaxNum(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return math.Max(x, y)
}
