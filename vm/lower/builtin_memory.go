package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// memoryBuiltins allocate, copy, fill and destroy raw memory, and run initializers once.
var memoryBuiltins = map[op.BuiltinID]builtinLowering{
	op.BuiltinAllocRaw:   lowerAllocRaw,
	op.BuiltinDeallocRaw: freeing(code.FreeRaw),
	op.BuiltinStackAlloc: lowerStackAlloc, op.BuiltinUnprotectedStackAlloc: lowerStackAlloc,
	op.BuiltinStackDealloc: freeing(code.StackFree),
	op.BuiltinIntMemcpy:    lowerMemCopy, op.BuiltinIntMemmove: lowerMemCopy,
	op.BuiltinIntMemset: lowerMemSet,
	op.BuiltinCopy:      lowerCopyBuiltin,
	op.BuiltinOnce:      lowerOnce,

	op.BuiltinAddressOfRawLayout: lowerAddressOfRawLayout,

	op.BuiltinDestroyArray:               arrayOf(code.WitnessDestroyArray, 2),
	op.BuiltinCopyArray:                  arrayOf(code.WitnessInitCopyArray, 3),
	op.BuiltinTakeArrayNoAlias:           arrayOf(code.WitnessInitTakeArrayFrontToBack, 3),
	op.BuiltinTakeArrayFrontToBack:       arrayOf(code.WitnessInitTakeArrayFrontToBack, 3),
	op.BuiltinTakeArrayBackToFront:       arrayOf(code.WitnessInitTakeArrayBackToFront, 3),
	op.BuiltinAssignCopyArrayNoAlias:     arrayOf(code.WitnessAssignCopyArrayFrontToBack, 3),
	op.BuiltinAssignCopyArrayFrontToBack: arrayOf(code.WitnessAssignCopyArrayFrontToBack, 3),
	op.BuiltinAssignCopyArrayBackToFront: arrayOf(code.WitnessAssignCopyArrayBackToFront, 3),
	op.BuiltinAssignTakeArray:            arrayOf(code.WitnessAssignTakeArray, 3),
}

// lowerAddressOfRawLayout returns the pointer to a value whose type has a raw layout.
func lowerAddressOfRawLayout(b *builder, c *builtinCall) error {
	if len(c.Operands) != 1 {
		return unsupportedf("builtin %s with %d operands", c.name, len(c.Operands))
	}
	return c.result(b, b.pointer(b.address(c.Arg(0))))
}

// wordsOf returns the first scalar of each of the first n operands.
func (c *builtinCall) wordsOf(b *builder, n int) ([]operand, error) {
	args, err := c.operands(b, n)
	if err != nil {
		return nil, err
	}
	out := make([]operand, n)
	for k := range out {
		if len(args[k]) == 0 {
			return nil, unsupportedf("builtin %s: operand %d has no bits", c.name, k)
		}
		out[k] = args[k][0]
	}
	return out, nil
}

func lowerAllocRaw(b *builder, c *builtinCall) error {
	x, err := c.wordsOf(b, 2)
	if err != nil {
		return err
	}
	r := b.NewReg()
	b.emit(code.AllocRaw, r, b.inReg(x[0]), b.inReg(x[1]), 0)
	return c.result(b, r.Op())
}

func freeing(o code.Op) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		x, err := c.wordsOf(b, 1)
		if err != nil {
			return err
		}
		b.emit(o, b.inReg(x[0]), 0, 0, 0)
		return c.result(b)
	}
}

// lowerStackAlloc allocates count elements of a stride: (count, stride, alignment).
func lowerStackAlloc(b *builder, c *builtinCall) error {
	x, err := c.wordsOf(b, 3)
	if err != nil {
		return err
	}
	r := b.NewReg()
	b.emit(code.StackAlloc, r, b.inReg(b.op2(code.Mul, x[0], x[1])), b.inReg(x[2]), 0)
	return c.result(b, r.Op())
}

func lowerMemCopy(b *builder, c *builtinCall) error {
	x, err := c.wordsOf(b, 3)
	if err != nil {
		return err
	}
	b.copyBytes(x[0], x[1], x[2])
	return c.result(b)
}

// copyBytes copies count bytes from src to dst, which may overlap.
func (b *builder) copyBytes(dst, src, count operand) {
	if count.IsConst() {
		if count.Imm > 0 {
			b.emit(code.CopyMem, b.inReg(dst), b.inReg(src), 0, count.Imm)
		}
		return
	}
	b.emit(code.CopyMemR, b.inReg(dst), b.inReg(src), b.inReg(count), 0)
}

func lowerMemSet(b *builder, c *builtinCall) error {
	x, err := c.wordsOf(b, 3)
	if err != nil {
		return err
	}
	b.emit(code.FillMem, b.inReg(x[0]), b.inReg(x[1]), b.inReg(x[2]), 0)
	return c.result(b)
}

// subject returns the type that a builtin on a generic type works on.
func (c *builtinCall) subject() (*ir.Type, error) {
	if len(c.subs) == 0 {
		return nil, unsupportedf("builtin %s without a type", c.name)
	}
	return c.subs[0], nil
}

func lowerCopyBuiltin(b *builder, c *builtinCall) error {
	t, err := c.subject()
	if err != nil {
		return err
	}
	if len(c.Operands) != 2 {
		return unsupportedf("builtin copy with %d operands", len(c.Operands))
	}
	if err := b.copyAt(b.address(c.Arg(0)), b.address(c.Arg(1)), t, true, false); err != nil {
		return err
	}
	return c.result(b)
}

// arrayOf lowers a builtin on arrays, operands after the metatype being addresses and then a count: by moving bytes where that is
// all there is to do, else by the value witness.
func arrayOf(w code.Witness, words int) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		t, err := c.subject()
		if err != nil {
			return err
		}
		first := len(c.Operands) - words // the metatype, where it is there
		if first < 0 {
			return unsupportedf("builtin %s with %d operands", c.name, len(c.Operands))
		}
		x := make([]operand, words)
		for k := range x {
			x[k] = b.scalar(c.Arg(first + k))
		}
		if t.HasLocal() {
			meta, err := b.metadata(t)
			if err != nil {
				return err
			}
			b.callWitness(w, meta, x...)
			return c.result(b)
		}
		lay, err := b.layout(t)
		if err != nil {
			return err
		}
		switch {
		case w == code.WitnessDestroyArray && lay.Trivial:
		case words == 3 && (lay.Trivial || lay.BitwiseTakable && isTake(w)):
			b.copyBytes(x[0], x[1], b.op2(code.Mul, x[2], mir.Const(lay.Stride)))
		default:
			b.call(b.valueWitness(t, w), x, 0)
		}
		return c.result(b)
	}
}

// isTake reports whether an array witness moves values to uninitialized memory.
func isTake(w code.Witness) bool {
	return w == code.WitnessInitTakeArrayFrontToBack || w == code.WitnessInitTakeArrayBackToFront
}

// lowerOnce runs a function the first time that it comes by: (token address, function).
func lowerOnce(b *builder, c *builtinCall) error {
	x, err := c.wordsOf(b, 2)
	if err != nil {
		return err
	}
	b.add(minst{Op: code.Once, B: b.inReg(x[0]), C: b.inReg(x[1])})
	return c.result(b)
}

// typeBuiltins tell facts about types.
var typeBuiltins = map[op.BuiltinID]builtinLowering{
	op.BuiltinSizeof: typeFact(code.TypeSize, func(l *abi.Layout) uint64 { return l.Size }), op.BuiltinStrideof: typeFact(code.TypeStride, func(l *abi.Layout) uint64 { return l.Stride }),
	op.BuiltinAlignof:          typeFact(code.TypeAlign, func(l *abi.Layout) uint64 { return l.Align }),
	op.BuiltinIspod:            typeFact(code.TypeIsPOD, func(l *abi.Layout) uint64 { return mir.Flag(l.Trivial) }),
	op.BuiltinIsbitwisetakable: typeFact(code.Nop, func(l *abi.Layout) uint64 { return mir.Flag(l.BitwiseTakable) }),
	op.BuiltinIsOptional: ofType(func(b *builder, t *ir.Type) uint64 {
		return mir.Flag(t.IsOptional())
	}),
	op.BuiltinIsConcrete:     ofType(func(b *builder, t *ir.Type) uint64 { return mir.Flag(!t.HasLocal()) }),
	op.BuiltinCanBeClass:     ofType(canBeClass),
	op.BuiltinIsSameMetatype: lowerSameMetatype,
}

// typeFact lowers a builtin that asks the layout of a type: a constant unless the type is opened at run time, when o asks the
// metadata.
func typeFact(o code.Op, fact func(*abi.Layout) uint64) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		t, err := c.subject()
		if err != nil {
			return err
		}
		if t.HasLocal() && o != code.Nop {
			meta, err := b.metadata(t)
			if err != nil {
				return err
			}
			return c.result(b, b.op1(o, meta.Op()))
		}
		lay, err := b.layout(t)
		if err != nil {
			return err
		}
		return c.result(b, mir.Const(fact(lay)))
	}
}

func ofType(f func(b *builder, t *ir.Type) uint64) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		t, err := c.subject()
		if err != nil {
			return err
		}
		return c.result(b, mir.Const(f(b, t)))
	}
}

// canBeClass returns 0 for a type that can't be a class, 1 for one that is, 2 for one that may be (swift/ABI, TypeTraitResult).
func canBeClass(b *builder, t *ir.Type) uint64 {
	if t.HasLocal() {
		return 2
	}
	if _, err := b.Layouts.Class(t); err == nil {
		return 1
	}
	return 0
}

func lowerSameMetatype(b *builder, c *builtinCall) error {
	args, err := c.operands(b, 2)
	if err != nil {
		return err
	}
	if len(args[0]) > 0 && len(args[1]) > 0 {
		return c.result(b, b.op2(code.CmpEq, args[0][0], args[1][0]))
	}
	t, u := b.typeOf(c.Arg(0)).Object(), b.typeOf(c.Arg(1)).Object()
	if len(args[0]) == 0 && len(args[1]) == 0 && t.Kind == ir.KindMetatype && u.Kind == ir.KindMetatype {
		return c.result(b, mir.Const(mir.Flag(t.Elem == u.Elem)))
	}
	return unsupportedf("builtin is_same_metatype of %s and %s", t, u)
}
