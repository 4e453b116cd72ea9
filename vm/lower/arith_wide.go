package lower

import (
	"silvm/vm/code"
	"silvm/vm/mir"
)

// Integers of 65 to 128 bits are two words, low one first; the high word of a narrower one is kept cut to its width.

func (b *builder) cut(n number, lo, hi operand) []operand {
	return []operand{lo, b.narrow(hi, n.bits-64)}
}

func addWide(b *builder, n number, x, y []operand) []operand {
	lo := b.op2(code.Add, x[0], y[0])
	carry := b.op2(code.CmpUlt, lo, x[0])
	return b.cut(n, lo, b.op2(code.Add, b.op2(code.Add, x[1], y[1]), carry))
}

func subWide(b *builder, n number, x, y []operand) []operand {
	borrow := b.op2(code.CmpUlt, x[0], y[0])
	lo := b.op2(code.Sub, x[0], y[0])
	return b.cut(n, lo, b.op2(code.Sub, b.op2(code.Sub, x[1], y[1]), borrow))
}

func mulWide(b *builder, n number, x, y []operand) []operand {
	r := b.NewPair()
	b.emit(code.Mul128, r, b.inReg(x[0]), b.inReg(y[0]), 0)
	cross := b.op2(code.Add, b.op2(code.Mul, x[0], y[1]), b.op2(code.Mul, x[1], y[0]))
	return b.cut(n, r.Op(), b.op2(code.Add, (r+1).Op(), cross))
}

// Shifts rely on a shift by 64 or more being 0: of the two terms that the other word can contribute, one always vanishes.

func shlWide(b *builder, n number, x, y []operand) []operand {
	s := y[0]
	lo := b.op2(code.Shl, x[0], s)
	hi := b.op2(code.Or, b.op2(code.Shl, x[1], s), b.op2(code.Lshr, x[0], b.op2(code.Sub, mir.Const(64), s)))
	over := b.op2(code.Shl, x[0], b.op2(code.Sub, s, mir.Const(64)))
	return b.cut(n, lo, b.op2(code.Or, hi, over))
}

func lshrWide(b *builder, n number, x, y []operand) []operand {
	s := y[0]
	lo := b.op2(code.Or, b.op2(code.Lshr, x[0], s), b.op2(code.Shl, x[1], b.op2(code.Sub, mir.Const(64), s)))
	over := b.op2(code.Lshr, x[1], b.op2(code.Sub, s, mir.Const(64)))
	return b.cut(n, b.op2(code.Or, lo, over), b.op2(code.Lshr, x[1], s))
}

func ashrWide(b *builder, n number, x, y []operand) []operand {
	s := y[0]
	high := b.signed(x[1], n.bits-64)
	near := b.op2(code.Or, b.op2(code.Lshr, x[0], s), b.op2(code.Shl, high, b.op2(code.Sub, mir.Const(64), s)))
	far := b.op2(code.Ashr, high, b.op2(code.Sub, s, mir.Const(64)))
	lo := b.choose(b.op2(code.CmpUlt, s, mir.Const(64)), near, far)
	return b.cut(n, lo, b.op2(code.Ashr, high, s))
}

// wideDivision lowers a division of 128 bits: kind is the constant of code.WideDiv.
func wideDivision(kind uint64) wideOp {
	return func(b *builder, n number, x, y []operand) []operand {
		if kind&1 != 0 {
			x = []operand{x[0], b.signed(x[1], n.bits-64)}
			y = []operand{y[0], b.signed(y[1], n.bits-64)}
		}
		r := b.NewPair()
		b.emit(code.WideDiv, r, b.pairOf(x), b.pairOf(y), kind)
		return b.cut(n, r.Op(), (r + 1).Op())
	}
}

// wideProduct lowers a product of 128 bits with its overflow.
func wideProduct(signed uint64) wideOp {
	return func(b *builder, n number, x, y []operand) []operand {
		over := b.NewReg()
		b.emit(code.WideMulOver, over, b.pairOf(x), b.pairOf(y), signed)
		return append(mulWide(b, n, x, y), over.Op())
	}
}

// pairOf copies two words to neighbouring registers.
func (b *builder) pairOf(x []operand) reg {
	r := b.NewPair()
	b.copyTo(r, x[0])
	b.copyTo(r+1, x[1])
	return r
}

// Counting bits of two words whose unused high bits are 0 results in a number in the low word.

func ctlzWide(b *builder, n number, x []operand) []operand {
	high := b.opI(code.Ctlz, x[1], n.bits-64)
	low := b.op2(code.Add, b.opI(code.Ctlz, x[0], 64), mir.Const(n.bits-64))
	return []operand{b.choose(x[1], high, low), mir.Const(0)}
}

func cttzWide(b *builder, n number, x []operand) []operand {
	high := b.op2(code.Add, b.opI(code.Cttz, x[1], n.bits-64), mir.Const(64))
	return []operand{b.choose(x[0], b.opI(code.Cttz, x[0], 64), high), mir.Const(0)}
}

func ctpopWide(b *builder, _ number, x []operand) []operand {
	return []operand{b.op2(code.Add, b.opI(code.Ctpop, x[0], 64), b.opI(code.Ctpop, x[1], 64)), mir.Const(0)}
}

// swapWide reverses the order of bytes or bits of 128 bits.
func swapWide(o code.Op) func(b *builder, n number, x []operand) []operand {
	return func(b *builder, _ number, x []operand) []operand {
		return []operand{b.opI(o, x[1], 64), b.opI(o, x[0], 64)}
	}
}

// choose returns x if cond is not 0, else y.
func (b *builder) choose(cond, x, y operand) operand {
	if cond.IsConst() {
		if cond.Imm != 0 {
			return x
		}
		return y
	}
	r := b.NewReg()
	b.emitD(code.Select, r, b.inReg(x), b.inReg(y), cond.Reg, 0)
	return r.Op()
}

// signedOverflow tells from the high words whether x + y = s (or, with sub, x - y = s) left the range.
func signedOverflow(b *builder, x, y, s operand, sub bool) operand {
	other := s
	if sub {
		other = x
	}
	a := b.op2(code.Xor, x, s)
	c := b.op2(code.Xor, y, other)
	return b.op2(code.Lshr, b.op2(code.And, a, c), mir.Const(63))
}

func saddWide(b *builder, n number, x, y []operand) []operand {
	s := addWide(b, n, x, y)
	return append(s, signedOverflow(b, x[1], y[1], s[1], false))
}

func ssubWide(b *builder, n number, x, y []operand) []operand {
	s := subWide(b, n, x, y)
	return append(s, signedOverflow(b, x[1], y[1], s[1], true))
}

func uaddWide(b *builder, n number, x, y []operand) []operand {
	s := addWide(b, n, x, y)
	return append(s, compareWide(b, code.CmpUlt, s, x, false)...)
}

func usubWide(b *builder, n number, x, y []operand) []operand {
	s := subWide(b, n, x, y)
	return append(s, compareWide(b, code.CmpUlt, x, y, false)...)
}

// compareWide compares two words by the high ones, and by the low ones where those are equal.
func compareWide(b *builder, o code.Op, x, y []operand, swap bool) []operand {
	if swap {
		x, y = y, x
	}
	switch o {
	case code.CmpEq, code.CmpNe:
		diff := b.op2(code.Or, b.op2(code.Xor, x[0], y[0]), b.op2(code.Xor, x[1], y[1]))
		return []operand{b.op2(o, diff, mir.Const(0))}
	}
	high, low := o, o
	switch o {
	case code.CmpSlt, code.CmpSle:
		high = code.CmpSlt
	default:
		high = code.CmpUlt
	}
	switch o {
	case code.CmpSlt:
		low = code.CmpUlt
	case code.CmpSle:
		low = code.CmpUle
	}
	equal := b.op2(code.CmpEq, x[1], y[1])
	return []operand{b.choose(equal, b.op2(low, x[0], y[0]), b.op2(high, x[1], y[1]))}
}
