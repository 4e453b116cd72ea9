package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/libm"
	"silvm/vm/mir"
)

// Numbers of x87 double extended precision are two words, the significand first. What is more than a change of the sign is done by the natives
// silvm_extended_… (vm/native/extended.go), since programs seldom compute with them.

// extendedNames are the builtins that such a native does, by what follows silvm_extended_ in its name; fcmp has one with the predicate.
var extendedNames = map[op.BuiltinID]string{
	op.BuiltinFadd: "add", op.BuiltinFsub: "sub", op.BuiltinFmul: "mul", op.BuiltinFdiv: "div", op.BuiltinFrem: "rem",
	op.BuiltinIntCopysign: "copysign", op.BuiltinIntFma: "fma", op.BuiltinIntSqrt: "sqrt", op.BuiltinIntFloor: "floor", op.BuiltinIntCeil: "ceil",
	op.BuiltinIntTrunc: "trunc", op.BuiltinIntRound: "round", op.BuiltinIntRint: "rint", op.BuiltinIntNearbyint: "rint",
	op.BuiltinFptosi: "toSigned", op.BuiltinFptoui: "toUnsigned",
}

// extendedOrders are the comparisons: whether they hold for less, equal, greater and unordered numbers, from the lowest bit on.
var extendedOrders = map[op.BuiltinID]uint64{
	op.BuiltinFcmpOeq: 2, op.BuiltinFcmpOne: 1 | 4, op.BuiltinFcmpOlt: 1, op.BuiltinFcmpOle: 1 | 2, op.BuiltinFcmpOgt: 4, op.BuiltinFcmpOge: 2 | 4,
	op.BuiltinFcmpUeq: 2 | 8, op.BuiltinFcmpUne: 1 | 4 | 8, op.BuiltinFcmpUlt: 1 | 8, op.BuiltinFcmpUle: 1 | 2 | 8, op.BuiltinFcmpUgt: 4 | 8,
	op.BuiltinFcmpUge: 2 | 4 | 8, op.BuiltinFcmpOrd: 1 | 2 | 4, op.BuiltinFcmpUno: 8,
}

func (b *builder) extendedBuiltin(c *builtinCall, operands int) error {
	args, err := c.operands(b, operands)
	if err != nil {
		return err
	}
	var words []operand
	for _, x := range args[:operands] {
		words = append(words, x...)
	}
	if len(words) != 2*operands {
		return unsupportedf("builtin %s on vectors of such numbers", c.name)
	}
	id := c.Aux.(*ir.BuiltinAux).ID()
	if mask, ok := extendedOrders[id]; ok {
		order := b.runtimeCall("silvm_extended_compare", 1, words...)[0].Op()
		return c.result(b, b.op2(code.And, b.op2(code.Lshr, mir.Const(mask), order), mir.Const(1)))
	}
	name, ok := extendedNames[id]
	switch {
	case !ok:
		return unsupportedf("builtin %s on floating point numbers of 80 bits", c.name)
	case id == op.BuiltinFptosi || id == op.BuiltinFptoui:
		r := b.runtimeCall("silvm_extended_"+name, 1, words...)[0]
		return c.result(b, b.narrow(r.Op(), c.types[1].bits))
	}
	return c.result(b, mir.Ops(b.runtimeCall("silvm_extended_"+name, 2, words...)...)...)
}

// extendedSign is a builtin that does no more to a number of 80 bits than an operation on the word of its sign.
func extendedSign(o code.Op, with uint64, other builtinLowering) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		if n := c.types[0]; n.bits != 80 || !n.float {
			return other(b, c)
		}
		x := b.scalars(c.Arg(0))
		if len(x) != 2 {
			return unsupportedf("builtin %s on vectors of such numbers", c.name)
		}
		return c.result(b, x[0], b.op2(o, x[1], mir.Const(with)))
	}
}

// extendedOfInteger converts an integer of up to 128 bits.
func (b *builder) extendedOfInteger(c *builtinCall, signed bool) error {
	from, x := c.types[0], b.scalars(c.Arg(0))
	if from.lanes != 1 || len(x) > 2 || len(x) == 0 {
		return unsupportedf("builtin %s from %d bits", c.name, from.bits)
	}
	low, high := x[0], mir.Const(0)
	switch {
	case len(x) == 2 && signed && !from.literal:
		high = b.signed(x[1], from.bits-64)
	case len(x) == 2:
		high = x[1]
	case signed:
		low = b.signed(x[0], from.bits)
		high = b.op2(code.Ashr, low, mir.Const(63))
	}
	return c.result(b, mir.Ops(b.runtimeCall("silvm_extended_ofInteger", 2, low, high, mir.Const(mir.Flag(signed)))...)...)
}

// extendedCast widens or narrows.
func (b *builder) extendedCast(c *builtinCall, from, to number) error {
	x := b.scalars(c.Arg(0))
	if from.lanes != 1 || len(x) != from.words() {
		return unsupportedf("builtin %s on vectors of such numbers", c.name)
	}
	if to.bits == 80 {
		return c.result(b, mir.Ops(b.runtimeCall("silvm_extended_ofFloat", 2, x[0], mir.Const(from.bits))...)...)
	}
	return c.result(b, b.runtimeCall("silvm_extended_toFloat", 1, x[0], x[1], mir.Const(to.bits))[0].Op())
}

func extendedConst(x libm.Extended) []operand {
	return []operand{mir.Const(x.Frac), mir.Const(uint64(x.Top))}
}
