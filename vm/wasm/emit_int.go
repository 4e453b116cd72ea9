package wasm

import (
	"math"
	mathbits "math/bits"

	"silvm/vm/code"
)

// second pushes the second operand of an instruction that reads B and C, or B and the constant Imm.
func (g *fn) second(in code.Inst) {
	if in.Op.Operands().C == code.RoleUse {
		g.get(in.C)
	} else {
		g.w.i64(in.Imm)
	}
}

// arithmetic is an operation that an instruction of WebAssembly does.
func arithmetic(o op) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		g.get(in.B)
		g.second(in)
		g.w.op(o)
		g.set(in.A)
	}}
}

// shift is a shift, whose distance may be 64 or more.
func shift(o op) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		if in.Op.Operands().C != code.RoleUse {
			n := in.Imm
			if n >= 64 && o != i64ShrS {
				g.w.i64(0)
				g.set(in.A)
				return
			}
			g.get(in.B)
			g.w.i64(min(n, 63))
			g.w.op(o)
			g.set(in.A)
			return
		}
		small := func() {
			g.get(in.C)
			g.w.i64(64)
			g.w.op(i64LtU, opSelect)
		}
		g.get(in.B)
		g.get(in.C)
		if o == i64ShrS {
			g.w.i64(63)
			small()
			g.w.op(o)
		} else {
			g.w.op(o)
			g.w.i64(0)
			small()
		}
		g.set(in.A)
	}}
}

// divide is a division or remainder, which traps on 0. The least number by -1 wraps.
func divide(o op) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		if in.Op.Operands().C != code.RoleUse {
			g.divideBy(in, o)
			return
		}
		if g.opts.Whole != nil {
			g.get(in.C)
			g.w.op(i64Eqz)
			g.trapFor(TrapProgram)
		}
		g.get(in.B)
		g.settle(in.C)
		if o != i64DivS {
			g.get(in.C)
			g.w.op(o)
			g.set(in.A)
			return
		}
		x := g.local(i64)
		g.w.set(x)
		g.get(in.C)
		g.w.i64(^uint64(0))
		g.w.op(i64Eq)
		g.w.begin(opIf, byte(i64))
		g.w.i64(0)
		g.w.get(x)
		g.w.op(i64Sub, opElse)
		g.w.get(x)
		g.get(in.C)
		g.w.op(o, opEnd)
		g.set(in.A)
	}}
}

// divideBy divides by a constant: small dividends by a multiplication, since the compiler knows no high half of a product.
func (g *fn) divideBy(in code.Inst, o op) {
	d := in.Imm
	rem := o == i64RemS || o == i64RemU
	g.get(in.B)
	switch {
	case d == 0:
		g.w.op(opDrop)
		g.trapHere(TrapProgram)
		return
	case d == ^uint64(0) && o == i64DivS:
		x := g.local(i64)
		g.w.set(x)
		g.w.i64(0)
		g.w.get(x)
		g.w.op(i64Sub)
	case d < 2 || d >= 1<<31:
		g.w.i64(d)
		g.w.op(o)
	default:
		// ceil(2^s/d)*x >> s is x/d for x below 2^31 (T. Granlund, P. Montgomery: Division by invariant integers, 1994).
		s := uint64(31 + mathbits.Len64(d-1))
		m := (1<<s + d - 1) / d
		x, small := g.local(i64), g.most(in.B) < 1<<31
		g.w.tee(x)
		if !small {
			g.w.i64(1 << 31)
			g.w.op(i64LtU)
			g.w.begin(opIf, byte(i64))
			g.w.get(x)
		}
		if rem {
			g.w.get(x)
		}
		g.w.i64(m)
		g.w.op(i64Mul)
		g.w.i64(s)
		g.w.op(i64ShrU)
		if rem {
			g.w.i64(d)
			g.w.op(i64Mul, i64Sub)
		}
		if !small {
			g.w.op(opElse)
			g.w.get(x)
			g.w.i64(d)
			g.w.op(o, opEnd)
		}
	}
	g.set(in.A)
}

// emitSext cuts an integer to its width and extends it by its sign.
func emitSext(g *fn, _ *block, _ uint32, in code.Inst) {
	g.get(in.B)
	g.up(-in.Imm & 63)
	g.down(i64ShrS, -in.Imm&63)
	g.set(in.A)
}

// up shifts the i64 on the stack left, down right.
func (g *fn) up(n uint64) { g.down(i64Shl, n) }

func (g *fn) down(o op, n uint64) {
	if n != 0 {
		g.w.i64(n)
		g.w.op(o)
	}
}

// emitSwapBytes reverses the bytes of an integer: neighbours, then pairs, then halves.
func emitSwapBytes(g *fn, _ *block, _ uint32, in code.Inst) {
	w := &g.w
	x := g.local(i64)
	g.get(in.B)
	g.up(-in.Imm & 63)
	w.set(x)
	for _, s := range [...]struct{ by, mask uint64 }{{8, 0x00ff00ff00ff00ff}, {16, 0x0000ffff0000ffff}} {
		w.get(x)
		w.i64(s.by)
		w.op(i64ShrU)
		w.i64(s.mask)
		w.op(i64And)
		w.get(x)
		w.i64(s.mask)
		w.op(i64And)
		w.i64(s.by)
		w.op(i64Shl, i64Or)
		w.set(x)
	}
	w.get(x)
	w.i64(32)
	w.op(i64Rotr)
	g.set(in.A)
}

// checked is an addition or subtraction with a test for overflow.
type checked struct{ sub, unsigned, report, narrow bool }

func (c checked) way() way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) { c.emit(g, in) }}
}

// emit writes the operation and its check for overflow; narrow operands are shifted to the top of the register, where they overflow as those of 64
// bits do.
func (c checked) emit(g *fn, in code.Inst) {
	w := &g.w
	n := uint64(0) // how far values are shifted to the top of the register
	if c.narrow {
		n = -in.Imm & 63
	}
	constant := in.Op.Operands().C != code.RoleUse
	if !c.narrow && c.never(g, in) {
		o := i64Add
		if c.sub {
			o = i64Sub
		}
		g.unchecked(in, o, c.report)
		return
	}
	x, y, s := g.local(i64), g.local(i64), g.local(i64)
	g.get(in.B)
	g.up(n)
	w.set(x)
	second := func() {
		if constant {
			w.i64(in.Imm)
		} else {
			w.get(y)
		}
	}
	if !constant {
		g.get(in.C)
		g.up(n)
		w.set(y)
	}
	w.get(x)
	second()
	if c.sub {
		w.op(i64Sub)
	} else {
		w.op(i64Add)
	}
	w.set(s)
	switch {
	case c.unsigned && c.sub:
		w.get(x)
		second()
		w.op(i64LtU)
	case c.unsigned:
		w.get(s)
		w.get(x)
		w.op(i64LtU)
	case constant:
		w.get(s)
		w.get(x)
		if (int64(in.Imm) >= 0) != c.sub {
			w.op(i64LtS)
		} else {
			w.op(i64GtS)
		}
	case c.sub:
		w.get(x)
		w.get(y)
		w.op(i64Xor)
		w.get(x)
		w.get(s)
		w.op(i64Xor, i64And)
		w.i64(0)
		w.op(i64LtS)
	default:
		w.get(x)
		w.get(s)
		w.op(i64Xor)
		w.get(y)
		w.get(s)
		w.op(i64Xor, i64And)
		w.i64(0)
		w.op(i64LtS)
	}
	if c.report {
		w.op(i64ExtendI32U)
		g.set(in.A + 1)
	} else {
		g.trapFor(TrapProgram)
	}
	w.get(s)
	g.down(i64ShrU, n)
	g.set(in.A)
}

// product is a multiplication with a test for overflow, on 64 bits.
type product struct{ unsigned, report bool }

func (p product) way() way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) { p.emit(g, in) }}
}

// emit multiplies; that two factors below 2^31 can't overflow is tested first, else the product is divided back.
func (p product) emit(g *fn, in code.Inst) {
	w := &g.w
	constant := in.Op.Operands().C != code.RoleUse
	if high, low := mathbits.Mul64(g.most(in.B), g.mostSecond(in)); high == 0 && (p.unsigned || low <= math.MaxInt64) {
		g.unchecked(in, i64Mul, p.report)
		return
	}
	if constant && !p.unsigned && !p.report {
		g.multiplyBy(in)
		return
	}
	x, y, s, over := g.local(i64), g.local(i64), g.local(i64), g.local(i32)
	g.get(in.B)
	w.set(x)
	g.second(in)
	w.set(y)
	w.get(x)
	w.get(y)
	w.op(i64Mul)
	w.set(s)
	half := uint64(1 << 31)
	if p.unsigned {
		half = 0
	}
	w.i32(0)
	w.set(over)
	w.get(x)
	g.add(int64(half))
	w.get(y)
	g.add(int64(half))
	w.op(i64Or)
	w.i64(1<<32 - 1)
	w.op(i64GtU)
	g.openIf()
	w.get(x)
	w.op(i64Eqz)
	w.begin(opIf, noResult)
	w.op(opElse)
	if !p.unsigned { // the least number by -1 does not fit, and dividing it back would trap
		w.get(x)
		w.i64(^uint64(0))
		w.op(i64Eq)
		w.begin(opIf, byte(i32))
		w.get(y)
		w.i64(1 << 63)
		w.op(i64Eq, opElse)
	}
	w.get(s)
	w.get(x)
	if p.unsigned {
		w.op(i64DivU)
	} else {
		w.op(i64DivS)
	}
	w.get(y)
	w.op(i64Ne)
	if !p.unsigned {
		w.op(opEnd)
	}
	w.set(over)
	w.op(opEnd)
	g.join()
	w.get(over)
	if p.report {
		w.op(i64ExtendI32U)
		g.set(in.A + 1)
	} else {
		g.trapFor(TrapProgram)
	}
	w.get(s)
	g.set(in.A)
}

// multiplyBy multiplies by a constant: one range that the factor has to be in.
func (g *fn) multiplyBy(in code.Inst) {
	w := &g.w
	c := int64(in.Imm)
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	switch {
	case c > 1:
		lo, hi = math.MinInt64/c, math.MaxInt64/c
	case c == -1:
		lo = -math.MaxInt64
	case c < -1:
		lo, hi = math.MaxInt64/c, math.MinInt64/c
	}
	x := g.local(i64)
	g.get(in.B)
	w.tee(x)
	if c != 0 && c != 1 {
		w.i64(uint64(lo))
		w.op(i64Sub)
		w.i64(uint64(hi) - uint64(lo))
		w.op(i64GtU)
		g.trapFor(TrapProgram)
		w.get(x)
	}
	w.i64(in.Imm)
	w.op(i64Mul)
	g.set(in.A)
}

// narrowProduct multiplies integers of at most 32 bits with a test for overflow; wider ones are for the interpreter.
func narrowProduct(unsigned, report bool) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, pc uint32, in code.Inst) {
		if in.Imm > 32 || in.Imm == 0 {
			g.exec(pc, in)
			return
		}
		w, n := &g.w, -in.Imm&63
		o := i64ShrS
		if unsigned {
			o = i64ShrU
		}
		s := g.local(i64)
		for _, r := range []uint16{in.B, in.C} {
			g.get(r)
			g.up(n)
			g.down(o, n)
		}
		w.op(i64Mul)
		w.tee(s)
		g.up(n)
		g.down(o, n)
		w.get(s)
		w.op(i64Ne)
		if report {
			w.op(i64ExtendI32U)
			g.set(in.A + 1)
		} else {
			g.trapFor(TrapProgram)
		}
		w.get(s)
		g.up(n)
		g.down(i64ShrU, n)
		g.set(in.A)
	}}
}

// wideProduct multiplies 64 by 64 bits to 128, in halves.
func wideProduct(signed bool) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		w := &g.w
		const low = 1<<32 - 1
		x, y := g.local(i64), g.local(i64)
		p := [4]int{g.local(i64), g.local(i64), g.local(i64), g.local(i64)} // low*low, low*high, high*low, high*high
		half := func(v int, high bool) {
			w.get(v)
			if high {
				g.down(i64ShrU, 32)
			} else {
				w.i64(low)
				w.op(i64And)
			}
		}
		g.get(in.B)
		w.set(x)
		g.get(in.C)
		w.set(y)
		for k := range p {
			half(x, k&2 != 0)
			half(y, k&1 != 0)
			w.op(i64Mul)
			w.set(p[k])
		}
		half(p[0], true)
		half(p[1], false)
		w.op(i64Add)
		half(p[2], false)
		w.op(i64Add)
		g.down(i64ShrU, 32)
		half(p[1], true)
		w.op(i64Add)
		half(p[2], true)
		w.op(i64Add)
		w.get(p[3])
		w.op(i64Add)
		if signed {
			for _, f := range [][2]int{{x, y}, {y, x}} {
				w.get(f[0])
				g.down(i64ShrS, 63)
				w.get(f[1])
				w.op(i64And, i64Sub)
			}
		}
		g.set(in.A + 1)
		w.get(x)
		w.get(y)
		w.op(i64Mul)
		g.set(in.A)
	}}
}

// countBits is Ctlz, Cttz or Ctpop: of the low Imm bits.
func countBits(o op) way {
	return way{kind: wayEmit, emit: func(g *fn, _ *block, _ uint32, in code.Inst) {
		g.get(in.B)
		if o != i64Ctz {
			g.up(-in.Imm & 63)
		}
		g.w.op(o)
		if o != i64Popcnt && in.Imm < 64 {
			n := g.local(i64)
			g.w.tee(n)
			g.w.i64(in.Imm)
			g.w.get(n)
			g.w.i64(in.Imm)
			g.w.op(i64LtU, opSelect)
		}
		g.set(in.A)
	}}
}

func emitSelect(g *fn, _ *block, _ uint32, in code.Inst) {
	g.get(in.B)
	g.get(in.C)
	g.get(uint16(in.Imm))
	g.w.i64(0)
	g.w.op(i64Ne, opSelect)
	g.set(in.A)
}

// comparison is a test: what pushes its outcome as an i32.
type comparison struct {
	op    op
	float valtype // f64, or i32 for floats of 32 bits
	not   bool
	// both is a second comparison with the operands the other way round, or'ed to the first.
	both bool
	self bool // compares each operand with itself, or'ed
}

// condition pushes the outcome of a comparison, of a conditional jump or of a trap.
func (g *fn) condition(in code.Inst) {
	c := ways[in.Op].cond
	o := in.Op.Operands()
	a, b := in.A, in.B
	if o.A == code.RoleDef {
		a, b = in.B, in.C
	}
	one := func(r uint16) {
		switch c.float {
		case f64:
			g.getFloat(r)
		case i32:
			g.getFloat32(r)
		default:
			g.get(r)
		}
	}
	pair := func(x, y uint16) {
		one(x)
		one(y)
		g.w.op(c.op)
	}
	switch {
	case c.self:
		pair(a, a)
		pair(b, b)
		g.w.op(i32Or)
	case c.both:
		pair(a, b)
		pair(b, a)
		g.w.op(i32Or)
	case o.A == code.RoleUse && o.B == code.RoleUse, o.A == code.RoleDef && o.C == code.RoleUse:
		pair(a, b)
	default:
		v := in.Imm
		if o.B == code.RoleSigned {
			v = uint64(int64(int16(in.B)))
		}
		if in.Op == code.JumpIf || in.Op == code.TrapIf {
			v = 0
		}
		g.get(a)
		if v == 0 && c.op == i64Eq {
			g.w.op(i64Eqz)
			break
		}
		g.w.i64(v)
		g.w.op(c.op)
	}
	if c.not {
		g.w.op(i32Eqz)
	}
}

func emitCompare(g *fn, _ *block, _ uint32, in code.Inst) {
	g.condition(in)
	g.w.op(i64ExtendI32U)
	g.set(in.A)
}

func emitTrap(g *fn, _ *block, _ uint32, in code.Inst) {
	g.condition(in)
	g.trapFor(TrapProgram)
}
