package lower

import (
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// atomicBuiltins are plain accesses: programs have one thread.
var atomicBuiltins = buildAtomics()

func buildAtomics() map[op.BuiltinID]builtinLowering {
	m := map[op.BuiltinID]builtinLowering{
		op.BuiltinFence:       nothing,
		op.BuiltinAtomicload:  atomic(lowerAtomicLoad, lowerWideLoad),
		op.BuiltinAtomicstore: atomic(lowerAtomicStore, lowerWideStore),
		op.BuiltinCmpxchg:     atomic(lowerCompareExchange, lowerWideCompareExchange),
	}
	modify := func(id op.BuiltinID, narrow builtinLowering) { m[id] = atomic(narrow, wideAtomics[id]) }
	modify(op.BuiltinAtomicrmwAdd, readModifyWrite(code.AtomicAdd))
	modify(op.BuiltinAtomicrmwSub, readModifyWrite(code.AtomicSub))
	modify(op.BuiltinAtomicrmwAnd, readModifyWrite(code.AtomicAnd))
	modify(op.BuiltinAtomicrmwOr, readModifyWrite(code.AtomicOr))
	modify(op.BuiltinAtomicrmwXor, readModifyWrite(code.AtomicXor))
	modify(op.BuiltinAtomicrmwXchg, readModifyWrite(code.AtomicXchg))
	modify(op.BuiltinAtomicrmwNand, modifyBy(func(b *builder, n number, x, y operand) operand {
		return b.narrow(b.op2(code.Xor, b.op2(code.And, x, y), mir.Const(^uint64(0))), n.bits)
	}))
	modify(op.BuiltinAtomicrmwMax, modifyBy(extreme(code.CmpSlt, true, false)))
	modify(op.BuiltinAtomicrmwMin, modifyBy(extreme(code.CmpSlt, true, true)))
	modify(op.BuiltinAtomicrmwUmax, modifyBy(extreme(code.CmpUlt, false, false)))
	modify(op.BuiltinAtomicrmwUmin, modifyBy(extreme(code.CmpUlt, false, true)))
	return m
}

// atom returns the width in bytes of what an atomic builtin accesses.
func (c *builtinCall) atom() (number, uint8, error) {
	if len(c.types) > 0 {
		switch n := c.types[0]; n.bits {
		case 8, 16, 32, 64:
			return n, uint8(n.bits / 8), nil
		}
	}
	return number{}, 0, unsupportedf("builtin %s on this type", c.name)
}

func lowerAtomicLoad(b *builder, c *builtinCall) error {
	_, width, err := c.atom()
	if err != nil {
		return err
	}
	return c.result(b, b.loadAt(b.address(c.Arg(0)), width).Op())
}

func lowerAtomicStore(b *builder, c *builtinCall) error {
	_, width, err := c.atom()
	if err != nil {
		return err
	}
	b.storeAt(b.address(c.Arg(0)), width, b.scalar(c.Arg(1)))
	return c.result(b)
}

func readModifyWrite(o code.Op) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n, _, err := c.atom()
		if err != nil {
			return err
		}
		r := b.NewReg()
		b.emit(o, r, b.inReg(b.scalar(c.Arg(0))), b.inReg(b.scalar(c.Arg(1))), n.bits)
		return c.result(b, r.Op())
	}
}

func modifyBy(f func(b *builder, n number, x, y operand) operand) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n, width, err := c.atom()
		if err != nil {
			return err
		}
		a := b.address(c.Arg(0))
		old := b.loadAt(a, width).Op()
		b.storeAt(a, width, f(b, n, old, b.scalar(c.Arg(1))))
		return c.result(b, old)
	}
}

// extreme returns the greater or the lesser of two numbers.
func extreme(less code.Op, isSigned, least bool) func(b *builder, n number, x, y operand) operand {
	return func(b *builder, n number, x, y operand) operand {
		p, q := x, y
		if isSigned {
			p, q = b.signed(x, n.bits), b.signed(y, n.bits)
		}
		if least {
			return b.choose(b.op2(less, p, q), x, y)
		}
		return b.choose(b.op2(less, p, q), y, x)
	}
}

func lowerCompareExchange(b *builder, c *builtinCall) error {
	n, _, err := c.atom()
	if err != nil {
		return err
	}
	x, err := c.wordsOf(b, 3)
	if err != nil {
		return err
	}
	r := b.NewPair()
	b.emitD(code.AtomicCmpXchg, r, b.inReg(x[0]), b.inReg(x[1]), b.inReg(x[2]), n.bits)
	return c.result(b, r.Op(), (r + 1).Op())
}

// atomic chooses the lowering for an access of up to 64 bits or for one of 128.
func atomic(narrow, wide builtinLowering) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		if len(c.types) > 0 && c.types[0].bits == 128 {
			return wide(b, c)
		}
		return narrow(b, c)
	}
}

// wideAtomics are the read-modify-write operations on two words, low word first.
var wideAtomics = map[op.BuiltinID]builtinLowering{
	op.BuiltinAtomicrmwAdd:  modifyWide(addWide),
	op.BuiltinAtomicrmwSub:  modifyWide(subWide),
	op.BuiltinAtomicrmwAnd:  modifyWide(wordwise(code.And)),
	op.BuiltinAtomicrmwOr:   modifyWide(wordwise(code.Or)),
	op.BuiltinAtomicrmwXor:  modifyWide(wordwise(code.Xor)),
	op.BuiltinAtomicrmwXchg: modifyWide(func(_ *builder, _ number, _, x []operand) []operand { return x }),
	op.BuiltinAtomicrmwNand: modifyWide(func(b *builder, n number, old, x []operand) []operand {
		ones := []operand{mir.Const(^uint64(0)), mir.Const(^uint64(0))}
		return wordwise(code.Xor)(b, n, wordwise(code.And)(b, n, old, x), ones)
	}),
	op.BuiltinAtomicrmwMax:  modifyWide(extremeWide(code.CmpSlt, false)),
	op.BuiltinAtomicrmwMin:  modifyWide(extremeWide(code.CmpSlt, true)),
	op.BuiltinAtomicrmwUmax: modifyWide(extremeWide(code.CmpUlt, false)),
	op.BuiltinAtomicrmwUmin: modifyWide(extremeWide(code.CmpUlt, true)),
}

func wordwise(o code.Op) wideOp {
	return func(b *builder, _ number, x, y []operand) []operand {
		return []operand{b.op2(o, x[0], y[0]), b.op2(o, x[1], y[1])}
	}
}

// extremeWide returns the greater or the lesser of two numbers.
func extremeWide(less code.Op, least bool) wideOp {
	return func(b *builder, _ number, x, y []operand) []operand {
		before := compareWide(b, less, x, y, !least)[0]
		return []operand{b.choose(before, x[0], y[0]), b.choose(before, x[1], y[1])}
	}
}

// words reads the two words at a.
func (b *builder) words(a addr) []operand {
	return []operand{b.loadAt(a, 8).Op(), b.loadAt(a.at(8), 8).Op()}
}

func (b *builder) storeWords(a addr, x []operand) {
	b.storeAt(a, 8, x[0])
	b.storeAt(a.at(8), 8, x[1])
}

// wideOperands returns the address that an atomic builtin on two words accesses, and the words of its n other operands.
func (c *builtinCall) wideOperands(b *builder, n int) (addr, [][]operand, error) {
	args, err := c.operands(b, 1+n)
	if err != nil {
		return addr{}, nil, err
	}
	for _, x := range args[1:] {
		if len(x) != 2 {
			return addr{}, nil, unsupportedf("builtin %s on an operand of %d words", c.name, len(x))
		}
	}
	return b.address(c.Arg(0)), args[1:], nil
}

func lowerWideLoad(b *builder, c *builtinCall) error {
	a, _, err := c.wideOperands(b, 0)
	if err != nil {
		return err
	}
	return c.result(b, b.words(a)...)
}

func lowerWideStore(b *builder, c *builtinCall) error {
	a, args, err := c.wideOperands(b, 1)
	if err != nil {
		return err
	}
	b.storeWords(a, args[0])
	return c.result(b)
}

func modifyWide(f wideOp) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		a, args, err := c.wideOperands(b, 1)
		if err != nil {
			return err
		}
		old := b.words(a)
		b.storeWords(a, f(b, c.types[0], old, args[0]))
		return c.result(b, old...)
	}
}

func lowerWideCompareExchange(b *builder, c *builtinCall) error {
	a, args, err := c.wideOperands(b, 2)
	if err != nil {
		return err
	}
	old := b.words(a)
	same := compareWide(b, code.CmpEq, old, args[0], false)[0]
	b.storeWords(a, []operand{b.choose(same, args[1][0], old[0]), b.choose(same, args[1][1], old[1])})
	return c.result(b, old[0], old[1], same)
}
