package lower

import (
	"silvm/vm/code"
	"silvm/vm/mir"
)

// op2 returns the result of an operation of the form A B C on 64-bit words: folded when it is known, with an immediate when one
// operand is.
func (b *builder) op2(o code.Op, x, y operand) operand {
	if x.IsConst() && y.IsConst() {
		if v, ok := evaluate(o, x.Imm, y.Imm); ok {
			return mir.Const(v)
		}
	}
	imm := mir.Immediate[o]
	if y.IsConst() && imm != 0 && (y.Imm != 0 || !divides(o)) {
		if identity(o, y.Imm) {
			return x
		}
		if (o == code.Mul || o == code.And) && y.Imm == 0 {
			return mir.Const(0)
		}
		return b.opI(imm, x, y.Imm)
	}
	if s := mir.Swapped[imm]; x.IsConst() && s != 0 {
		if identity(o, x.Imm) {
			return y
		}
		if (o == code.Mul || o == code.And) && x.Imm == 0 {
			return mir.Const(0)
		}
		return b.opI(s, y, x.Imm)
	}
	r := b.NewReg()
	b.emit(o, r, b.inReg(x), b.inReg(y), 0)
	return r.Op()
}

// opI returns the result of an operation of the form A B imm.
func (b *builder) opI(o code.Op, x operand, imm uint64) operand {
	if (o == code.AshrI) && imm > 63 {
		imm = 63
	}
	if x.IsConst() {
		switch o {
		case code.Sext:
			return mir.Const(signExtend(x.Imm, imm))
		case code.Zext:
			return mir.Const(x.Imm & mask(imm))
		}
	}
	r := b.NewReg()
	b.emit(o, r, b.inReg(x), 0, imm)
	return r.Op()
}

func divides(o code.Op) bool {
	return o == code.Sdiv || o == code.Srem || o == code.Udiv || o == code.Urem
}

// identity reports whether an operation with v on the right (and, if it commutes, on the left) has its other operand as the result.
func identity(o code.Op, v uint64) bool {
	switch o {
	case code.Add, code.Sub, code.Or, code.Xor, code.Shl, code.Lshr, code.Ashr:
		return v == 0
	case code.Mul, code.Sdiv, code.Udiv:
		return v == 1
	case code.And:
		return v == ^uint64(0)
	}
	return false
}

// evaluate computes an operation on constants, if it is one that can't fail.
func evaluate(o code.Op, x, y uint64) (uint64, bool) {
	switch o {
	case code.Add:
		return x + y, true
	case code.Sub:
		return x - y, true
	case code.Mul:
		return x * y, true
	case code.And:
		return x & y, true
	case code.Or:
		return x | y, true
	case code.Xor:
		return x ^ y, true
	case code.Shl:
		return x << y, true
	case code.Lshr:
		return x >> y, true
	case code.Ashr:
		return uint64(int64(x) >> min(y, 63)), true
	case code.CmpEq:
		return mir.Flag(x == y), true
	case code.CmpNe:
		return mir.Flag(x != y), true
	case code.CmpSlt:
		return mir.Flag(int64(x) < int64(y)), true
	case code.CmpSle:
		return mir.Flag(int64(x) <= int64(y)), true
	case code.CmpUlt:
		return mir.Flag(x < y), true
	case code.CmpUle:
		return mir.Flag(x <= y), true
	}
	return 0, false
}

// mask returns the low bits set; all from 64 on.
func mask(bits uint64) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

func signExtend(v, bits uint64) uint64 {
	if bits == 0 || bits >= 64 {
		return v
	}
	return uint64(int64(v<<(64-bits)) >> (64 - bits))
}

// narrow cuts a word to its low bits.
func (b *builder) narrow(x operand, bits uint64) operand {
	if bits >= 64 {
		return x
	}
	return b.op2(code.And, x, mir.Const(mask(bits)))
}

// signed returns the word with its low bits sign extended to 64.
func (b *builder) signed(x operand, bits uint64) operand {
	if bits >= 64 {
		return x
	}
	return b.opI(code.Sext, x, bits)
}
