package vm

import (
	"math"

	"silvm/vm/code"
	"silvm/vm/libm"
)

// execFloat does float operations that have no case in the loop. Results are those of IEEE 754 in the default environment, as
// LLVM defines its float operations; NaNs keep their payload where the hardware's would.
func (m *Machine) execFloat(in code.Inst, r *[windowSize]uint64) *Trap {
	if in.Op >= code.Fadd32 && in.Op <= code.Fptoui32 {
		return m.execFloat32(in, r)
	}
	x, y := f64(r[in.B]), f64(r[in.C])
	set := func(v float64) { r[in.A] = math.Float64bits(v) }
	switch in.Op {
	case code.Frem64:
		set(libm.Fmod(x, y))
	case code.FmathUnary64:
		return m.mathUnary(&r[in.A], x, code.MathFunc(in.Imm), 64)
	case code.FmathBinary64:
		return m.mathBinary(&r[in.A], x, y, code.MathFunc(in.Imm), 64)
	case code.Fma64:
		set(math.FMA(x, y, f64(r[uint16(in.Imm)])))
	case code.Uitofp64:
		set(float64(r[in.B]))
	case code.Fptosi64:
		r[in.A] = truncSigned(x, in.Imm)
	case code.Fptoui64:
		r[in.A] = truncUnsigned(x, in.Imm)
	case code.Fext3264:
		set(float64(f32(r[in.B])))
	case code.Ftrunc6432:
		r[in.A] = uint64(math.Float32bits(float32(x)))
	case code.Fext1632:
		r[in.A] = uint64(math.Float32bits(HalfToFloat(uint16(r[in.B]))))
	case code.Ftrunc3216:
		r[in.A] = uint64(floatToHalf(f32(r[in.B])))
	default:
		if v, ok := compareFloats(in.Op-code.FcmpOlt64, x, y); ok {
			r[in.A] = bit(v)
			return nil
		}
		return m.internal("no float operation: " + in.Op.String())
	}
	return nil
}

// execFloat32 is execFloat for floats of 32 bits.
func (m *Machine) execFloat32(in code.Inst, r *[windowSize]uint64) *Trap {
	x, y := f32(r[in.B]), f32(r[in.C])
	set := func(v float32) { r[in.A] = uint64(math.Float32bits(v)) }
	switch in.Op {
	case code.Frem32:
		set(float32(libm.Fmod(float64(x), float64(y))))
	case code.FmulAdd32:
		set(f32(r[uint16(in.Imm)]) + float32(x*y))
	case code.FmulSub32:
		set(f32(r[uint16(in.Imm)]) - float32(x*y))
	case code.FmathUnary32:
		return m.mathUnary(&r[in.A], float64(x), code.MathFunc(in.Imm), 32)
	case code.FmathBinary32:
		return m.mathBinary(&r[in.A], float64(x), float64(y), code.MathFunc(in.Imm), 32)
	case code.Fma32:
		set(fma32(x, y, f32(r[uint16(in.Imm)])))
	case code.Sitofp32:
		up := -in.Imm & 63
		set(float32(int64(r[in.B]<<up) >> up))
	case code.Uitofp32:
		set(float32(r[in.B]))
	case code.Fptosi32:
		r[in.A] = truncSigned(float64(x), in.Imm)
	case code.Fptoui32:
		r[in.A] = truncUnsigned(float64(x), in.Imm)
	default:
		if v, ok := compareFloats(in.Op-code.FcmpOlt32, float64(x), float64(y)); ok {
			r[in.A] = bit(v)
			return nil
		}
		return m.internal("no float operation: " + in.Op.String())
	}
	return nil
}

// compareFloats does comparison k of those from FcmpOlt64 on.
func compareFloats(k code.Op, x, y float64) (v, ok bool) {
	unordered := x != x || y != y
	switch k + code.FcmpOlt64 {
	case code.FcmpOlt64:
		return x < y, true
	case code.FcmpOle64:
		return x <= y, true
	case code.FcmpOeq64:
		return x == y, true
	case code.FcmpOne64:
		return x < y || x > y, true
	case code.FcmpUeq64:
		return unordered || x == y, true
	case code.FcmpUne64:
		return x != y, true
	case code.FcmpUlt64:
		return unordered || x < y, true
	case code.FcmpUle64:
		return unordered || x <= y, true
	case code.FcmpUno64:
		return unordered, true
	case code.FcmpOrd64:
		return !unordered, true
	}
	return false, false
}

// truncSigned converts toward zero to a signed integer of width bits. What does not fit is undefined in LLVM; the result then
// is that of x86-64: the smallest value of 64 (or 32) bits, cut to the width.
func truncSigned(x float64, width uint64) uint64 {
	v := uint64(1) << 63
	if x > -9223372036854777856 && x < 9223372036854775808 {
		v = uint64(int64(x))
	}
	return v & widthMask(width)
}

// truncUnsigned converts toward zero to an unsigned integer of width bits; what does not fit is undefined in LLVM.
func truncUnsigned(x float64, width uint64) uint64 {
	v := uint64(1) << 63
	switch {
	case x >= 9223372036854775808 && x < 18446744073709551616:
		v = uint64(int64(x-9223372036854775808)) + 1<<63
	case x > -9223372036854777856 && x < 9223372036854775808:
		v = uint64(int64(x))
	}
	return v & widthMask(width)
}

func widthMask(width uint64) uint64 { return ^uint64(0) >> (-width & 63) }

// unaryFuncs are the functions of FmathUnary. On 32 bits the result of the 64-bit function is rounded once more; for those that
// are exact (neg to sqrt) that is right, for the others nearly always: the C library, too, is not always right there.
var unaryFuncs = [code.NumMathFuncs]func(float64) float64{
	code.MathNeg: func(x float64) float64 { return math.Float64frombits(math.Float64bits(x) ^ 1<<63) },
	code.MathAbs: math.Abs, code.MathSqrt: math.Sqrt, code.MathFloor: math.Floor, code.MathCeil: math.Ceil, code.MathTrunc: math.Trunc,
	code.MathRint: math.RoundToEven, code.MathNearbyInt: math.RoundToEven, code.MathRound: math.Round, code.MathRoundEven: math.RoundToEven,
	code.MathSin: libm.Sin, code.MathCos: libm.Cos, code.MathExp: libm.Exp, code.MathExp2: libm.Exp2, code.MathLog: libm.Log,
	code.MathLog2: libm.Log2, code.MathLog10: libm.Log10,
}

// binaryFuncs are the functions of FmathBinary.
var binaryFuncs = [code.NumMathFuncs]func(x, y float64) float64{
	code.MathPow: libm.Pow, code.MathMinNum: libm.MinNum, code.MathMaxNum: libm.MaxNum, code.MathMinimum: math.Min, code.MathMaximum: math.Max,
	code.MathCopySign: math.Copysign,
}

func (m *Machine) mathUnary(to *uint64, x float64, k code.MathFunc, width int) *Trap {
	if k >= code.NumMathFuncs || unaryFuncs[k] == nil {
		return m.internal("no such float function")
	}
	setFloat(to, unaryFuncs[k](x), width)
	return nil
}

func (m *Machine) mathBinary(to *uint64, x, y float64, k code.MathFunc, width int) *Trap {
	if k >= code.NumMathFuncs || binaryFuncs[k] == nil {
		return m.internal("no such float function")
	}
	setFloat(to, binaryFuncs[k](x, y), width)
	return nil
}

func setFloat(to *uint64, v float64, width int) {
	*to = math.Float64bits(v)
	if width == 32 {
		*to = uint64(math.Float32bits(float32(v)))
	}
}

// fma32 rounds x*y+z once. The product is exact in 64 bits; the sum is made odd when inexact, so that the second rounding can't
// be wrong (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd").
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if math.IsInf(s, 0) || s != s {
		return float32(s)
	}
	t := s - p
	rest := (p - (s - t)) + (c - t)
	if b := math.Float64bits(s); rest != 0 && b&1 == 0 {
		if (rest > 0) == (s > 0) {
			b++
		} else {
			b--
		}
		s = math.Float64frombits(b)
	}
	return float32(s)
}

// HalfToFloat widens an IEEE 754 binary16.
func HalfToFloat(h uint16) float32 {
	sign, exp, frac := uint32(h&0x8000)<<16, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch {
	case exp == 31:
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	case exp != 0:
		return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
	}
	v := float32(frac) / (1 << 24)
	return math.Float32frombits(math.Float32bits(v) | sign)
}

// floatToHalf rounds to the nearest binary16, ties to even.
func floatToHalf(f float32) uint16 {
	b := math.Float32bits(f)
	sign, exp, frac := uint16(b>>16&0x8000), int(b>>23&0xff), b&0x7fffff
	switch {
	case exp == 0xff && frac != 0:
		return sign | 0x7e00 | uint16(frac>>13)
	case exp == 0xff || exp > 142:
		return sign | 0x7c00
	case exp < 102:
		return sign
	}
	frac |= 1 << 23
	shift := 13
	if exp < 113 {
		shift += 113 - exp
		exp = 112 // subnormal: the implicit bit is part of the fraction
	} else {
		frac &^= 1 << 23
	}
	half, rest := frac>>shift, frac&(1<<shift-1)
	v := uint32(exp-112)<<10 + half
	if tie := uint32(1) << (shift - 1); rest > tie || rest == tie && half&1 != 0 {
		v++ // may carry into the exponent, up to infinity
	}
	return sign | uint16(v)
}

// DoubleToHalf rounds to the nearest binary16, ties to even. The float in between is rounded to odd, which keeps what the second
// rounding has to know: S. Boldo, G. Melquiond, "When double rounding is odd", 2005.
func DoubleToHalf(d float64) uint16 {
	f := float32(d)
	if float64(f) != d && !math.IsNaN(d) {
		b := math.Float32bits(f)
		if math.Abs(float64(f)) > math.Abs(d) {
			b--
		}
		f = math.Float32frombits(b | 1)
	}
	return floatToHalf(f)
}
