package wasm

import "silvm/vm/code"

// arith64 is an operation on doubles.
func arith64(o op) way {
	return way{kind: wayEmit, floatIn: true, floatOut: true, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		g.getFloat(in.B)
		g.getFloat(in.C)
		g.w.op(o)
		g.setFloat(in.A)
	}}
}

// arith32 is an operation on floats of 32 bits.
func arith32(o op) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		g.getFloat32(in.B)
		g.getFloat32(in.C)
		g.w.op(o)
		g.setFloat32(in.A)
	}}
}

// multiplyAnd64 is a product that is added to, or taken from, the register in Imm, rounded twice.
func multiplyAnd64(o op) way {
	return way{kind: wayEmit, floatIn: true, floatOut: true, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		g.getFloat(uint16(in.Imm))
		g.getFloat(in.B)
		g.getFloat(in.C)
		g.w.op(f64Mul, o)
		g.setFloat(in.A)
	}}
}

// multiplyAnd32 is the same in single precision.
func multiplyAnd32(o op) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		g.getFloat32(uint16(in.Imm))
		g.getFloat32(in.B)
		g.getFloat32(in.C)
		g.w.op(f32Mul, o)
		g.setFloat32(in.A)
	}}
}

// math64 are the functions of FmathUnary64 that an instruction does, math32 those of FmathUnary32.
var (
	math64 = map[code.MathFunc]op{
		code.MathNeg: f64Neg, code.MathAbs: f64Abs, code.MathSqrt: f64Sqrt, code.MathFloor: f64Floor, code.MathCeil: f64Ceil,
		code.MathTrunc: f64Trunc, code.MathRint: f64Nearest, code.MathNearbyInt: f64Nearest, code.MathRoundEven: f64Nearest,
	}
	math32 = map[code.MathFunc]op{
		code.MathSqrt: f32Sqrt, code.MathFloor: f32Floor, code.MathCeil: f32Ceil, code.MathTrunc: f32Trunc,
		code.MathRint: f32Nearest, code.MathNearbyInt: f32Nearest, code.MathRoundEven: f32Nearest,
	}
)

func emitMath64(g *fn, _ *block, pc uint32, in code.Inst) {
	o, ok := math64[code.MathFunc(in.Imm)]
	if !ok {
		g.exec(pc, in)
		return
	}
	g.getFloat(in.B)
	g.w.op(o)
	g.setFloat(in.A)
}

func emitMath32(g *fn, _ *block, pc uint32, in code.Inst) {
	o, ok := math32[code.MathFunc(in.Imm)]
	if !ok {
		g.exec(pc, in)
		return
	}
	g.getFloat32(in.B)
	g.w.op(o)
	g.setFloat32(in.A)
}

// fromInt64 converts an integer; the signed one has the width Imm.
func fromInt64(o op) way {
	return way{kind: wayEmit, floatOut: true, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		g.integer(in)
		g.w.op(o)
		g.setFloat(in.A)
	}}
}

func fromInt32(o op) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		g.integer(in)
		g.w.op(o)
		g.setFloat32(in.A)
	}}
}

// integer pushes the integer that is to be converted.
func (g *fn) integer(in code.Inst) {
	g.get(in.B)
	if in.Op == code.Sitofp64 || in.Op == code.Sitofp32 {
		g.up(-in.Imm & 63)
		g.down(i64ShrS, -in.Imm&63)
	}
}

// emitToSigned converts a double toward zero; what does not fit 64 bits becomes the least integer, and is cut to the width then.
func emitToSigned(g *fn, _ *block, _ uint32, in code.Inst) {
	w := &g.w
	x := g.local(f64)
	g.getFloat(in.B)
	w.tee(x)
	w.f64(-(1 << 63))
	w.op(f64Ge)
	w.get(x)
	w.f64(1 << 63)
	w.op(f64Lt, i32And)
	w.begin(opIf, byte(i64))
	w.get(x)
	w.op(i64TruncF64S, opElse)
	w.i64(1 << 63)
	w.op(opEnd)
	if n := -in.Imm & 63; n != 0 {
		w.i64(^uint64(0) >> n)
		w.op(i64And)
	}
	g.set(in.A)
}

func emitWiden(g *fn, _ *block, _ uint32, in code.Inst) {
	g.getFloat32(in.B)
	g.w.op(f64PromoteF32)
	g.setFloat(in.A)
}

func emitRound(g *fn, _ *block, _ uint32, in code.Inst) {
	g.getFloat(in.B)
	g.w.op(f32DemoteF64)
	g.setFloat32(in.A)
}
