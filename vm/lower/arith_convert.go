package lower

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// conversionBuiltins are the conversions between integers, and between integers and pointers.
var conversionBuiltins = map[op.BuiltinID]builtinLowering{
	op.BuiltinTrunc: lowerTrunc, op.BuiltinTruncOrBitCast: lowerTrunc,
	op.BuiltinZext: lowerZext, op.BuiltinZextOrBitCast: lowerZext,
	op.BuiltinSext: lowerSext, op.BuiltinSextOrBitCast: lowerSext,
	op.BuiltinPtrtoint: lowerPtrToInt, op.BuiltinInttoptr: lowerIntToPtr,
	op.BuiltinBitcast:          func(b *builder, c *builtinCall) error { return lowerBitCast(b, c.Inst) },
	op.BuiltinSToSCheckedTrunc: checkedTrunc(true, true), op.BuiltinSToUCheckedTrunc: checkedTrunc(true, false),
	op.BuiltinUToSCheckedTrunc: checkedTrunc(false, true), op.BuiltinUToUCheckedTrunc: checkedTrunc(false, false),
	op.BuiltinBitWidth:    lowerLiteralWidth,
	op.BuiltinIsNegative:  lowerLiteralSign,
	op.BuiltinWordAtIndex: lowerLiteralWord,
}

// fromTo returns the two types of a conversion, which have equally many lanes.
func (c *builtinCall) fromTo() (from, to number, err error) {
	from, to = c.types[0], c.types[1]
	if from.literal || to.literal || from.lanes != to.lanes || from.words() > 2 || to.words() > 2 {
		return from, to, unsupportedf("builtin %s between integers of %d and %d bits", c.name, from.bits, to.bits)
	}
	return from, to, nil
}

func lowerTrunc(b *builder, c *builtinCall) error {
	if v := literalOf(c.Arg(0)); v != nil && c.types[0].literal {
		return c.result(b, literalWords(v, c.types[1].bits)...)
	}
	from, to, err := c.fromTo()
	if err != nil {
		return err
	}
	return c.lanewise(b, 1, from.words(), func(x [][]operand) ([]operand, error) {
		return b.truncate(x[0], to), nil
	})
}

func (b *builder) truncate(x []operand, to number) []operand {
	if to.words() == 2 {
		if len(x) < 2 {
			return x
		}
		return b.cut(to, x[0], x[1])
	}
	return []operand{b.narrow(x[0], to.bits)}
}

func lowerZext(b *builder, c *builtinCall) error {
	from, to, err := c.fromTo()
	if err != nil {
		return err
	}
	return c.lanewise(b, 1, from.words(), func(x [][]operand) ([]operand, error) {
		if to.words() > from.words() {
			return []operand{x[0][0], mir.Const(0)}, nil
		}
		return x[0], nil
	})
}

func lowerSext(b *builder, c *builtinCall) error {
	from, to, err := c.fromTo()
	if err != nil {
		return err
	}
	return c.lanewise(b, 1, from.words(), func(x [][]operand) ([]operand, error) {
		if from.bits == to.bits {
			return x[0], nil
		}
		if from.words() == 2 {
			return b.cut(to, x[0][0], b.signed(x[0][1], from.bits-64)), nil
		}
		word := b.signed(x[0][0], from.bits)
		if to.words() == 2 {
			return b.cut(to, word, b.op2(code.Ashr, word, mir.Const(63))), nil
		}
		return []operand{b.narrow(word, to.bits)}, nil
	})
}

func lowerPtrToInt(b *builder, c *builtinCall) error {
	to := c.types[0]
	x := b.scalars(c.Arg(0))
	if len(x) != 1 || to.lanes != 1 {
		return unsupportedf("builtin ptrtoint of %d words", len(x))
	}
	if to.words() == 2 {
		return c.result(b, x[0], mir.Const(0))
	}
	return c.result(b, b.narrow(x[0], to.bits))
}

func lowerIntToPtr(b *builder, c *builtinCall) error {
	x := b.scalars(c.Arg(0))
	if len(x) == 0 {
		return unsupportedf("builtin inttoptr of %d words", len(x))
	}
	return c.result(b, x[0])
}

// checkedTrunc cuts an integer and reports whether that changed its value, the operand being signed or not and the result likewise.
func checkedTrunc(fromSigned, toSigned bool) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		if c.types[0].literal {
			return literalTrunc(b, c, toSigned)
		}
		from, to, err := c.fromTo()
		if err != nil {
			return err
		}
		if to.words() > 1 || from.lanes > 1 || to.bits > from.bits {
			return unsupportedf("builtin %s from %d to %d bits", c.name, from.bits, to.bits)
		}
		args, err := c.operands(b, 1)
		if err != nil || len(args[0]) != int(from.words()) {
			return unsupportedf("builtin %s", c.name)
		}
		x := args[0][0]
		if from.words() == 2 {
			return c.result(b, b.narrow(x, to.bits), b.highLost(from, to, args[0], fromSigned, toSigned))
		}
		cut := b.narrow(x, to.bits)
		var lost operand
		switch {
		case fromSigned && toSigned:
			lost = b.op2(code.CmpNe, b.signed(cut, to.bits), b.signed(x, from.bits))
		case fromSigned && from.bits == to.bits:
			lost = b.op2(code.CmpSlt, b.signed(x, from.bits), mir.Const(0))
		case fromSigned:
			lost = b.op2(code.CmpNe, cut, b.signed(x, from.bits))
		case toSigned:
			lost = b.op2(code.CmpUlt, mir.Const(mask(to.bits-1)), x)
		default:
			lost = b.op2(code.CmpNe, cut, x)
		}
		return c.result(b, cut, lost)
	}
}

// highLost reports whether cutting two words to at most one word changes the value.
func (b *builder) highLost(from, to number, x []operand, fromSigned, toSigned bool) operand {
	cut := b.narrow(x[0], to.bits)
	low, high, negative := cut, mir.Const(0), mir.Const(0)
	switch {
	case toSigned && fromSigned:
		low = b.signed(cut, to.bits)
		high = b.op2(code.Ashr, low, mir.Const(63))
	case toSigned:
		low = b.signed(cut, to.bits)
		negative = b.op2(code.Lshr, low, mir.Const(63))
	}
	word := x[1]
	if fromSigned {
		word = b.signed(word, from.bits-64)
	}
	lost := b.op2(code.Or, b.op2(code.Xor, low, x[0]), b.op2(code.Xor, high, word))
	return b.op2(code.CmpNe, b.op2(code.Or, lost, negative), mir.Const(0))
}

// literalOf returns the number of an integer_literal of any type, nil for any other value.
func literalOf(v *ir.Value) *big.Int {
	if v == nil || v.Inst() == nil || v.Inst().Op != op.IntegerLiteral {
		return nil
	}
	if aux, ok := v.Inst().Aux.(*ir.IntAux); ok {
		return aux.Value
	}
	return nil
}

// literal returns the number of operand 0, a Builtin.IntLiteral that must be known.
func (c *builtinCall) literal() (*big.Int, error) {
	if len(c.Operands) > 0 {
		if v := literalOf(c.Arg(0)); v != nil {
			return v, nil
		}
	}
	return nil, unsupportedf("builtin %s on an integer literal that is not known when the code is made", c.name)
}

func literalTrunc(b *builder, c *builtinCall, toSigned bool) error {
	to := c.types[1]
	v, err := c.literal()
	if err != nil {
		return c.runtimeTrunc(b, to, toSigned)
	}
	lo, hi := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), uint(to.bits))
	if toSigned {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	lost := v.Cmp(lo) < 0 || v.Cmp(hi) >= 0
	return c.result(b, append(literalWords(v, to.bits), mir.Const(mir.Flag(lost)))...)
}

// runtimeLiteral is the type of a Builtin.IntLiteral that a function got from elsewhere: no literal that a function hands on is longer.
var runtimeLiteral = number{lanes: 1, bits: 128}

// words returns the two words of such a literal.
func (c *builtinCall) words(b *builder) ([]operand, error) {
	if len(c.Operands) > 0 {
		if x := b.scalars(c.Arg(0)); len(x) == 2 {
			return x, nil
		}
	}
	return nil, unsupportedf("builtin %s", c.name)
}

func (c *builtinCall) runtimeTrunc(b *builder, to number, toSigned bool) error {
	x, err := c.words(b)
	switch {
	case err != nil:
		return err
	case to.lanes > 1 || to.words() > 2 || to.words() == 2 && to.bits != 128:
		return unsupportedf("builtin %s to %d bits", c.name, to.bits)
	case to.words() == 1:
		return c.result(b, b.narrow(x[0], to.bits), b.highLost(runtimeLiteral, to, x, true, toSigned))
	case toSigned:
		return c.result(b, x[0], x[1], mir.Const(0))
	}
	return c.result(b, x[0], x[1], b.op2(code.Lshr, x[1], mir.Const(63)))
}

// signedBits is the number of bits that a number needs in two's complement.
func signedBits(v *big.Int) int {
	if v.Sign() < 0 {
		v = new(big.Int).Not(v)
	}
	return v.BitLen() + 1
}

func lowerLiteralWidth(b *builder, c *builtinCall) error {
	if v, err := c.literal(); err == nil {
		return c.result(b, mir.Const(uint64(signedBits(v))))
	}
	x, err := c.words(b)
	if err != nil {
		return err
	}
	sign := b.op2(code.Ashr, x[1], mir.Const(63))
	zeros := ctlzWide(b, runtimeLiteral, []operand{b.op2(code.Xor, x[0], sign), b.op2(code.Xor, x[1], sign)})
	return c.result(b, b.op2(code.Sub, mir.Const(runtimeLiteral.bits+1), zeros[0]))
}

func lowerLiteralSign(b *builder, c *builtinCall) error {
	if v, err := c.literal(); err == nil {
		return c.result(b, mir.Const(mir.Flag(v.Sign() < 0)))
	}
	x, err := c.words(b)
	if err != nil {
		return err
	}
	return c.result(b, b.op2(code.Lshr, x[1], mir.Const(63)))
}

func lowerLiteralWord(b *builder, c *builtinCall) error {
	if len(c.Operands) < 2 {
		return unsupportedf("builtin %s", c.name)
	}
	n := b.scalar(c.Arg(1))
	if v, err := c.literal(); err == nil {
		if !n.IsConst() || n.Imm > 64 {
			return unsupportedf("builtin %s at an index that is not known when the code is made", c.name)
		}
		return c.result(b, literalWords(new(big.Int).Rsh(v, uint(n.Imm)*64), 64)...)
	}
	x, err := c.words(b)
	if err != nil {
		return err
	}
	above := b.op2(code.Ashr, x[1], mir.Const(63))
	upper := b.choose(b.op2(code.CmpEq, n, mir.Const(1)), x[1], above)
	return c.result(b, b.choose(n, upper, x[0]))
}
