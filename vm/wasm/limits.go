package wasm

import (
	"math"
	mathbits "math/bits"

	"silvm/vm/code"
)

// Greatest numbers that registers may hold. They save tests for overflow, and for addresses that are none.

// mostSecond is the greatest number that the second operand of an instruction may be.
func (g *fn) mostSecond(in code.Inst) uint64 {
	if in.Op.Operands().C == code.RoleUse {
		return g.most(in.C)
	}
	return in.Imm
}

// mostOf is the greatest number that an instruction, which does not trap, may put into register A; all ones when that is not known.
func (g *fn) mostOf(in code.Inst) uint64 {
	const unknown = math.MaxUint64
	switch o := in.Op; {
	case o == code.Load8 || o == code.LoadX8 || o == code.RefLoad8:
		return math.MaxUint8
	case o == code.Load16 || o == code.LoadX16 || o == code.RefLoad16:
		return math.MaxUint16
	case o == code.Load32 || o == code.LoadX32 || o == code.RefLoad32:
		return math.MaxUint32
	case o >= code.CmpEq && o <= code.CmpUgeI:
		return 1
	case o == code.Select:
		return max(g.most(in.B), g.most(in.C))
	}
	switch in.Op {
	case code.Add, code.AddI:
		if sum, carry := mathbits.Add64(g.most(in.B), g.mostSecond(in), 0); carry == 0 {
			return sum
		}
	case code.SaddT, code.SaddTI:
		if x, y := g.most(in.B), g.mostSecond(in); x <= math.MaxInt64 && y <= math.MaxInt64 {
			return min(x+y, math.MaxInt64)
		}
	case code.And, code.AndI:
		return min(g.most(in.B), g.mostSecond(in))
	case code.Or, code.OrI, code.Xor, code.XorI:
		return upTo(g.most(in.B) | g.mostSecond(in))
	case code.ShlI:
		if x := g.most(in.B); in.Imm < 64 && x<<in.Imm>>in.Imm == x {
			return x << in.Imm
		}
	case code.Zext:
		return min(g.most(in.B), lowest(in.Imm))
	case code.Mul, code.MulI:
		if high, low := mathbits.Mul64(g.most(in.B), g.mostSecond(in)); high == 0 {
			return low
		}
	case code.SmulT, code.SmulTI:
		high, low := mathbits.Mul64(g.most(in.B), g.mostSecond(in))
		if x, y := g.most(in.B), g.mostSecond(in); x <= math.MaxInt64 && y <= math.MaxInt64 {
			if high != 0 {
				low = math.MaxInt64
			}
			return min(low, math.MaxInt64)
		}
	case code.LshrI:
		if in.Imm < 64 {
			return g.most(in.B) >> in.Imm
		}
	case code.UdivI:
		if in.Imm != 0 {
			return g.most(in.B) / in.Imm
		}
	case code.UremI:
		if in.Imm != 0 {
			return in.Imm - 1
		}
	case code.SdivI:
		if g.most(in.B) <= math.MaxInt64 && int64(in.Imm) > 0 {
			return g.most(in.B) / in.Imm
		}
	case code.SremI:
		if g.most(in.B) <= math.MaxInt64 && int64(in.Imm) > 0 {
			return in.Imm - 1
		}
	}
	return unknown
}

// upTo is the greatest number of as many bits as x has.
func upTo(x uint64) uint64 { return lowest(uint64(mathbits.Len64(x))) }

// lowest has the lowest n bits set, all for 0.
func lowest(n uint64) uint64 { return math.MaxUint64 >> (-n & 63) }

// emitMask is And with a constant, or Zext: nothing is to be done where the bits that it clears are known to be 0.
func emitMask(g *fn, b *block, pc uint32, in code.Inst) {
	mask := in.Imm
	if in.Op == code.Zext {
		mask = lowest(in.Imm)
	}
	switch {
	case mask&(mask+1) == 0 && g.most(in.B) <= mask:
		if g.settle(in.B); in.A != in.B {
			g.w.get(g.int(in.B))
			g.set(in.A)
			g.isCopy(in.A, in.B)
		}
		return
	case mask == math.MaxUint32: // a move of 32 bits, where the constant takes an instruction of its own
		g.get(in.B)
		g.w.op(i32WrapI64, i64ExtendI32U)
	default:
		g.get(in.B)
		g.w.i64(mask)
		g.w.op(i64And)
	}
	g.set(in.A)
}

// never reports whether the operands are known to be such that nothing overflows.
func (c checked) never(g *fn, in code.Inst) bool {
	x, y := g.most(in.B), g.mostSecond(in)
	switch {
	case c.unsigned:
		return !c.sub && x+y >= x
	case c.sub:
		return x <= math.MaxInt64 && y <= math.MaxInt64
	}
	return x <= math.MaxInt64 && y <= math.MaxInt64 && x+y <= math.MaxInt64
}

// unchecked does what can't overflow.
func (g *fn) unchecked(in code.Inst, o op, report bool) {
	g.get(in.B)
	g.second(in)
	g.w.op(o)
	if report {
		g.w.i64(0)
		g.set(in.A + 1)
	}
	g.set(in.A)
}
