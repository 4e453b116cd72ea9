package lower

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/libm"
	"silvm/vm/mir"
)

// floatBuiltins is floating point arithmetic. Half floats are computed as floats and rounded, which is the same for one
// operation. Numbers of Builtin.FPIEEE80 are two words; natives compute with them (extended.go).
var floatBuiltins = map[op.BuiltinID]builtinLowering{
	op.BuiltinFadd: floating(2, code.Fadd32, code.Fadd64), op.BuiltinFsub: floating(2, code.Fsub32, code.Fsub64),
	op.BuiltinFmul: floating(2, code.Fmul32, code.Fmul64), op.BuiltinFdiv: floating(2, code.Fdiv32, code.Fdiv64),
	op.BuiltinFrem:    floating(2, code.Frem32, code.Frem64),
	op.BuiltinFneg:    lowerNegate,
	op.BuiltinIntFabs: lowerMagnitude,

	op.BuiltinFcmpOeq: floatComparison(code.FcmpOeq32, code.FcmpOeq64, false), op.BuiltinFcmpOne: floatComparison(code.FcmpOne32, code.FcmpOne64, false),
	op.BuiltinFcmpOlt: floatComparison(code.FcmpOlt32, code.FcmpOlt64, false), op.BuiltinFcmpOle: floatComparison(code.FcmpOle32, code.FcmpOle64, false),
	op.BuiltinFcmpOgt: floatComparison(code.FcmpOlt32, code.FcmpOlt64, true), op.BuiltinFcmpOge: floatComparison(code.FcmpOle32, code.FcmpOle64, true),
	op.BuiltinFcmpUeq: floatComparison(code.FcmpUeq32, code.FcmpUeq64, false), op.BuiltinFcmpUne: floatComparison(code.FcmpUne32, code.FcmpUne64, false),
	op.BuiltinFcmpUlt: floatComparison(code.FcmpUlt32, code.FcmpUlt64, false), op.BuiltinFcmpUle: floatComparison(code.FcmpUle32, code.FcmpUle64, false),
	op.BuiltinFcmpUgt: floatComparison(code.FcmpUlt32, code.FcmpUlt64, true), op.BuiltinFcmpUge: floatComparison(code.FcmpUle32, code.FcmpUle64, true),
	op.BuiltinFcmpOrd: floatComparison(code.FcmpOrd32, code.FcmpOrd64, false), op.BuiltinFcmpUno: floatComparison(code.FcmpUno32, code.FcmpUno64, false),

	op.BuiltinSitofp: fromInteger(code.Sitofp32, code.Sitofp64), op.BuiltinUitofp: fromInteger(code.Uitofp32, code.Uitofp64),
	op.BuiltinFptosi: toInteger(code.Fptosi32, code.Fptosi64), op.BuiltinFptoui: toInteger(code.Fptoui32, code.Fptoui64),
	op.BuiltinFpext: lowerFloatCast, op.BuiltinFptrunc: lowerFloatCast,
	op.BuiltinItofpWithOverflow: lowerLiteralToFloat,

	op.BuiltinIntSqrt: mathFunction(code.MathSqrt), op.BuiltinIntFloor: mathFunction(code.MathFloor), op.BuiltinIntCeil: mathFunction(code.MathCeil),
	op.BuiltinIntTrunc: mathFunction(code.MathTrunc), op.BuiltinIntRint: mathFunction(code.MathRint), op.BuiltinIntRound: mathFunction(code.MathRound),
	op.BuiltinIntNearbyint: mathFunction(code.MathNearbyInt), op.BuiltinIntSin: mathFunction(code.MathSin), op.BuiltinIntCos: mathFunction(code.MathCos),
	op.BuiltinIntExp: mathFunction(code.MathExp), op.BuiltinIntExp2: mathFunction(code.MathExp2), op.BuiltinIntLog: mathFunction(code.MathLog),
	op.BuiltinIntLog2: mathFunction(code.MathLog2), op.BuiltinIntLog10: mathFunction(code.MathLog10),
	op.BuiltinIntCopysign: lowerCopySign,
	op.BuiltinIntFma:      lowerFma,
}

// floatLane runs an operation on each lane of floats: f gets the width, 32 or 64, and the operands as floats of that width.
func floatLane(c *builtinCall, b *builder, operands int, f func(bits uint64, x []operand) operand) error {
	n := c.types[0]
	if !n.float {
		return unsupportedf("builtin %s on integers of %d bits", c.name, n.bits)
	}
	if n.bits == 80 {
		return b.extendedBuiltin(c, operands)
	}
	return c.lanewise(b, operands, 1, func(x [][]operand) ([]operand, error) {
		words := make([]operand, operands)
		for k := range words {
			if words[k] = x[k][0]; n.bits == 16 {
				words[k] = b.op1(code.Fext1632, words[k])
			}
		}
		return []operand{f(max(n.bits, 32), words)}, nil
	})
}

// op1 returns the result of an operation of the form A B.
func (b *builder) op1(o code.Op, x operand) operand {
	r := b.NewReg()
	b.emit(o, r, b.inReg(x), 0, 0)
	return r.Op()
}

func byWidth(bits uint64, single, double code.Op) code.Op {
	if bits == 64 {
		return double
	}
	return single
}

// half rounds the result of an operation on floats back to a half float where the operands were such.
func (b *builder) half(c *builtinCall, x operand) operand {
	if c.types[0].bits == 16 {
		return b.op1(code.Ftrunc3216, x)
	}
	return x
}

func floating(operands int, single, double code.Op) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		return floatLane(c, b, operands, func(bits uint64, x []operand) operand {
			if v, ok := foldedFloat(byWidth(bits, single, double), x[0], x[1]); ok {
				return b.half(c, mir.Const(v))
			}
			r := b.NewReg()
			b.emit(byWidth(bits, single, double), r, b.inReg(x[0]), b.inReg(x[1]), 0)
			return b.half(c, r.Op())
		})
	}
}

// foldedFloat computes an operation on constants as LLVM does when it compiles: a NaN that comes of other values has the sign plus
// (llvm/lib/Support/APFloat.cpp, makeNaN), where the machine's would have minus at run time. False when an operand is no constant or a NaN.
func foldedFloat(o code.Op, x, y operand) (uint64, bool) {
	if !x.IsConst() || !y.IsConst() {
		return 0, false
	}
	if o < code.Fadd32 {
		v, ok := foldedArithmetic(o, math.Float64frombits(x.Imm), math.Float64frombits(y.Imm))
		return math.Float64bits(v) &^ (mir.Flag(v != v) << 63), ok
	}
	v, ok := foldedArithmetic(o+code.Fadd64-code.Fadd32, math.Float32frombits(uint32(x.Imm)), math.Float32frombits(uint32(y.Imm)))
	return uint64(math.Float32bits(v) &^ uint32(mir.Flag(v != v)<<31)), ok
}

// foldedArithmetic does an operation that has a number of 64 bits.
func foldedArithmetic[T float32 | float64](o code.Op, x, y T) (v T, ok bool) {
	if x != x || y != y {
		return 0, false
	}
	switch o {
	case code.Fadd64:
		return x + y, true
	case code.Fsub64:
		return x - y, true
	case code.Fmul64:
		return x * y, true
	case code.Fdiv64:
		return x / y, true
	}
	return 0, false
}

// lowerNegate flips the sign; a NaN that is known stays as it is, as LLVM subtracts it from zero when it compiles.
var lowerNegate = extendedSign(code.Xor, 1<<15, oneWord(1, func(b *builder, n number, x []operand) operand {
	if x[0].IsConst() && (n.bits == 64 && x[0].Imm<<1 > 0x7ff0<<49 || n.bits == 32 && x[0].Imm&mask(31) > 0x7f80<<16) {
		return x[0]
	}
	return b.op2(code.Xor, x[0], mir.Const(1<<(n.bits-1)))
}))

// lowerMagnitude clears the sign.
var lowerMagnitude = extendedSign(code.And, 1<<15-1, oneWord(1, func(b *builder, n number, x []operand) operand {
	return b.op2(code.And, x[0], mir.Const(mask(n.bits)&^(1<<(n.bits-1))))
}))

func floatComparison(single, double code.Op, swap bool) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		return floatLane(c, b, 2, func(bits uint64, x []operand) operand {
			if swap {
				x[0], x[1] = x[1], x[0]
			}
			r := b.NewReg()
			b.emit(byWidth(bits, single, double), r, b.inReg(x[0]), b.inReg(x[1]), 0)
			return r.Op()
		})
	}
}

func mathFunction(f code.MathFunc) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		return floatLane(c, b, 1, func(bits uint64, x []operand) operand {
			r := b.NewReg()
			b.emit(byWidth(bits, code.FmathUnary32, code.FmathUnary64), r, b.inReg(x[0]), 0, uint64(f))
			return b.half(c, r.Op())
		})
	}
}

func lowerCopySign(b *builder, c *builtinCall) error {
	return floatLane(c, b, 2, func(bits uint64, x []operand) operand {
		r := b.NewReg()
		b.emit(byWidth(bits, code.FmathBinary32, code.FmathBinary64), r, b.inReg(x[0]), b.inReg(x[1]), uint64(code.MathCopySign))
		return b.half(c, r.Op())
	})
}

func lowerFma(b *builder, c *builtinCall) error {
	half := c.types[0].bits == 16
	return floatLane(c, b, 3, func(bits uint64, x []operand) operand {
		r := b.NewReg()
		if half {
			// As a double the product of halves is exact, and the sum close enough: what it loses is too small to make the sum the middle of two halves.
			for n := range x {
				x[n] = b.op1(code.Fext3264, x[n])
			}
			b.emitD(code.Fma64, r, b.inReg(x[0]), b.inReg(x[1]), b.inReg(x[2]), 0)
			return b.doubleToHalf(r.Op())
		}
		b.emitD(byWidth(bits, code.Fma32, code.Fma64), r, b.inReg(x[0]), b.inReg(x[1]), b.inReg(x[2]), 0)
		return r.Op()
	})
}

// fromInteger converts lanes of integers to floats.
func fromInteger(single, double code.Op) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		from, to := c.types[0], c.types[1]
		if to.bits == 80 {
			return b.extendedOfInteger(c, single == code.Sitofp32)
		}
		if from.words() != 1 || from.literal || to.bits != 16 && to.bits != 32 && to.bits != 64 {
			return unsupportedf("builtin %s from %d to %d bits", c.name, from.bits, to.bits)
		}
		return c.lanewise(b, 1, 1, func(x [][]operand) ([]operand, error) {
			if to.bits == 16 { // what a double can't hold is beyond the largest half
				r := b.NewReg()
				b.emit(double, r, b.inReg(x[0][0]), 0, from.bits)
				return []operand{b.doubleToHalf(r.Op())}, nil
			}
			if single == code.Sitofp32 && x[0][0].IsConst() { // a count, mostly 0
				v := int64(signExtend(x[0][0].Imm, from.bits))
				if to.bits == 64 {
					return []operand{mir.Const(math.Float64bits(float64(v)))}, nil
				}
				return []operand{mir.Const(uint64(math.Float32bits(float32(v))))}, nil
			}
			r := b.NewReg()
			b.emit(byWidth(to.bits, single, double), r, b.inReg(x[0][0]), 0, from.bits)
			return []operand{r.Op()}, nil
		})
	}
}

// toInteger converts lanes of floats to integers.
func toInteger(single, double code.Op) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		to := c.types[1]
		if to.words() != 1 || to.float || to.literal {
			return unsupportedf("builtin %s to %d bits", c.name, to.bits)
		}
		return floatLane(c, b, 1, func(bits uint64, x []operand) operand {
			r := b.NewReg()
			b.emit(byWidth(bits, single, double), r, b.inReg(x[0]), 0, to.bits)
			return b.narrow(r.Op(), to.bits)
		})
	}
}

// lowerFloatCast widens or narrows floats; the literal of an x87 number is rounded once, to what it becomes.
func lowerFloatCast(b *builder, c *builtinCall) error {
	from, to := c.types[0], c.types[1]
	if from.bits == 80 {
		if v := floatLiteralOf(c.Arg(0)); v != nil && to.bits == 16 {
			return c.result(b, b.doubleToHalf(mir.Const(roundToOdd(v))))
		} else if v != nil {
			return c.result(b, mir.Const(roundTo(v, to.bits)))
		}
	}
	if from.bits == 80 || to.bits == 80 {
		return b.extendedCast(c, from, to)
	}
	return c.lanewise(b, 1, 1, func(x [][]operand) ([]operand, error) {
		v, at := x[0][0], from.bits
		switch {
		case at == 64 && to.bits == 16:
			return []operand{b.doubleToHalf(v)}, nil
		case at == 16 && to.bits > 16:
			v, at = b.op1(code.Fext1632, v), 32
		case at == 32 && to.bits == 16:
			v, at = b.op1(code.Ftrunc3216, v), 16
		}
		switch {
		case at == 32 && to.bits == 64:
			v = b.op1(code.Fext3264, v)
		case at == 64 && to.bits == 32:
			v = b.op1(code.Ftrunc6432, v)
		}
		return []operand{v}, nil
	})
}

// doubleToHalf rounds a double to a half float. The float in between is rounded to odd, which keeps what the second rounding has to
// know: S. Boldo, G. Melquiond, "When double rounding is odd", 2005.
func (b *builder) doubleToHalf(v operand) operand {
	f := b.op1(code.Ftrunc6432, v)
	back := b.op1(code.Fext3264, f)
	size := mir.Const(math.MaxInt64)
	up := b.op2(code.CmpUlt, b.op2(code.And, v, size), b.op2(code.And, back, size))
	inexact := b.op2(code.CmpNe, v, back)
	return b.op1(code.Ftrunc3216, b.op2(code.Or, b.op2(code.Sub, f, up), inexact))
}

// lowerFloatLiteral returns the bits of the number.
func lowerFloatLiteral(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.FloatAux)
	t := b.typeOf(i.Results[0])
	n, known := numberOf(t.Builtin())
	if !ok || !known || !n.float || n.lanes != 1 {
		return unsupportedf("float_literal of type %s", t)
	}
	if n.bits == 80 {
		bits, ok := new(big.Int).SetString(strings.TrimPrefix(aux.Bits, "0x"), 16)
		if !ok || bits.BitLen() > 80 {
			return unsupportedf("float_literal %s", aux.Bits)
		}
		b.define(i.Results[0], literalWords(bits, 80))
		return nil
	}
	bits, err := strconv.ParseUint(strings.TrimPrefix(aux.Bits, "0x"), 16, 64)
	if err != nil {
		return unsupportedf("float_literal %s", aux.Bits)
	}
	b.define(i.Results[0], []operand{mir.Const(bits & mask(n.bits))})
	return nil
}

// floatLiteralOf returns the value of a float_literal of type FPIEEE80 exactly, nil for other values, infinities and NaNs.
func floatLiteralOf(v *ir.Value) *big.Float {
	if v == nil || v.Inst() == nil || v.Inst().Op != op.FloatLiteral {
		return nil
	}
	aux, ok := v.Inst().Aux.(*ir.FloatAux)
	if !ok {
		return nil
	}
	bits, ok := new(big.Int).SetString(strings.TrimPrefix(aux.Bits, "0x"), 16)
	if !ok || bits.BitLen() > 80 {
		return nil
	}
	// Sign, 15 bits of exponent, 64 bits of significand with an explicit first one.
	top := new(big.Int).Rsh(bits, 64).Uint64()
	significand := new(big.Int).And(bits, new(big.Int).SetUint64(^uint64(0)))
	exponent := int(top & 0x7fff)
	if exponent == 0x7fff {
		return nil
	}
	f := new(big.Float).SetPrec(64).SetInt(significand)
	f.SetMantExp(f, exponent-16383-63)
	if top&0x8000 != 0 {
		f.Neg(f)
	}
	return f
}

// roundTo rounds to nearest, ties to even, and returns the bits.
func roundTo(v *big.Float, bits uint64) uint64 {
	if bits == 32 {
		f, _ := v.Float32()
		return uint64(math.Float32bits(f))
	}
	f, _ := v.Float64()
	return math.Float64bits(f)
}

// roundToOdd returns the bits of a double that rounds to fewer bits as v does.
func roundToOdd(v *big.Float) uint64 {
	f, acc := v.Float64()
	bits := math.Float64bits(f)
	if acc == big.Exact || math.IsInf(f, 0) {
		return bits
	}
	if (acc == big.Above) == (f > 0) {
		bits-- // away from zero
	}
	return bits | 1
}

// lowerLiteralToFloat converts an integer literal.
func lowerLiteralToFloat(b *builder, c *builtinCall) error {
	to := c.types[1]
	if to.bits != 32 && to.bits != 64 && to.bits != 80 {
		return unsupportedf("builtin %s to %d bits", c.name, to.bits)
	}
	v, err := c.literal()
	switch {
	case to.bits == 80 && err == nil:
		return c.result(b, extendedConst(libm.ExtendedOfInteger(v))...)
	case to.bits == 80:
		return b.extendedOfInteger(c, true)
	case err != nil:
		x, err := c.words(b)
		if err != nil {
			return unsupportedf("builtin %s on a literal from elsewhere to %d bits", c.name, to.bits)
		}
		return c.result(b, b.wideToFloat(x, to.bits))
	}
	return c.result(b, mir.Const(roundTo(new(big.Float).SetInt(v), to.bits)))
}

// wideToFloat rounds a signed number of two words to nearest, once: of a magnitude of more than one word the upper 64 bits are converted, the last
// of them set if any below is, and scaled.
func (b *builder) wideToFloat(x []operand, bits uint64) operand {
	sign := b.op2(code.Ashr, x[1], mir.Const(63))
	low := b.op2(code.Sub, b.op2(code.Xor, x[0], sign), sign)
	carry := b.op2(code.And, b.op2(code.CmpEq, low, mir.Const(0)), sign)
	high := b.op2(code.Add, b.op2(code.Xor, x[1], sign), carry)

	free := b.opI(code.Ctlz, b.op2(code.Or, high, mir.Const(1)), 64)
	below := b.op2(code.Lshr, b.op2(code.Lshr, low, mir.Const(1)), b.op2(code.Sub, mir.Const(63), free))
	sticky := b.op2(code.CmpNe, b.op2(code.Shl, low, free), mir.Const(0))
	upper := b.op2(code.Or, b.op2(code.Or, b.op2(code.Shl, high, free), below), sticky)
	power := b.choose(high, b.op2(code.Sub, mir.Const(64), free), mir.Const(0))

	bias, mantissa, convert, times := uint64(1023), uint64(52), code.Uitofp64, code.Fmul64
	if bits == 32 {
		bias, mantissa, convert, times = 127, 23, code.Uitofp32, code.Fmul32
	}
	scale := b.op2(code.Shl, b.op2(code.Add, power, mir.Const(bias)), mir.Const(mantissa))
	r := b.NewReg()
	b.emit(times, r, b.inReg(b.op1(convert, b.choose(high, upper, low))), b.inReg(scale), 0)
	return b.op2(code.Or, r.Op(), b.op2(code.Shl, b.op2(code.And, sign, mir.Const(1)), mir.Const(bits-1)))
}
