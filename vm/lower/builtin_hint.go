package lower

import (
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// hintBuiltins are promises, failures and vectors.
var hintBuiltins = map[op.BuiltinID]builtinLowering{
	op.BuiltinIntExpect: firstOperand, op.BuiltinAssumeNonNegative: firstOperand, op.BuiltinAssumeAlignment: firstOperand, op.BuiltinCOWBufferForReading: firstOperand,
	op.BuiltinAssume: firstOperand, op.BuiltinOnFastPath: nothing, op.BuiltinStaticReport: nothing, op.BuiltinWillThrow: nothing,
	op.BuiltinIntIsConstant: func(b *builder, c *builtinCall) error { return c.result(b, mir.Const(0)) },
	// 0 says that the program was built for debugging; optimized SIL has the answer folded in.
	op.BuiltinAssertConfiguration: func(b *builder, c *builtinCall) error { return c.result(b, mir.Const(0)) },

	op.BuiltinIntTrap: func(b *builder, c *builtinCall) error {
		b.trap(code.TrapProgram)
		return nil
	},
	op.BuiltinConditionallyUnreachable: lowerUnreachableBuiltin,
	op.BuiltinUnreachable:              lowerUnreachableBuiltin,
	op.BuiltinCondfailMessage:          func(b *builder, c *builtinCall) error { return lowerCondFail(b, c.Inst) },
	op.BuiltinUnexpectedError:          lowerOnError,
	op.BuiltinErrorInMain:              lowerOnError,

	op.BuiltinExtractelement:  lowerExtractElement,
	op.BuiltinInsertelement:   lowerInsertElement,
	op.BuiltinZeroInitializer: lowerZeroInitializer,
}

// firstOperand returns the first operand as the result.
func firstOperand(b *builder, c *builtinCall) error {
	args, err := c.operands(b, 1)
	if err != nil {
		return err
	}
	if len(c.Results) == 1 {
		lay, err := b.layoutOf(c.Results[0])
		if err != nil {
			return err
		}
		if len(lay.Scalars) == 0 {
			return c.result(b)
		}
	}
	return c.result(b, args[0]...)
}

func nothing(b *builder, c *builtinCall) error { return c.result(b) }

func lowerUnreachableBuiltin(b *builder, _ *builtinCall) error {
	b.end(minst{Op: code.Unreachable})
	return nil
}

// lowerOnError stops the program because of an error that nobody caught; the error goes to register 1 of the window that a call
// would get, where the machine looks for it.
func lowerOnError(b *builder, c *builtinCall) error {
	b.trap(code.TrapOnError)
	return nil
}

// lowerZeroInitializer returns a value whose bits are all zero, or fills the memory of its operand with one.
func lowerZeroInitializer(b *builder, c *builtinCall) error {
	if len(c.Operands) == 1 {
		lay, err := b.layoutOf(c.Arg(0))
		if err != nil {
			return err
		}
		if lay.Size > 0 {
			p := b.pointer(b.address(c.Arg(0)))
			b.emit(code.FillMem, b.inReg(p), b.inReg(mir.Const(0)), b.inReg(mir.Const(lay.Size)), 0)
		}
		return c.result(b)
	}
	if len(c.Results) != 1 || len(c.Operands) > 0 {
		return unsupportedf("builtin zeroInitializer with %d operands", len(c.Operands))
	}
	lay, err := b.layoutOf(c.Results[0])
	if err != nil {
		return err
	}
	if lay.AddressOnly {
		return unsupportedf("builtin zeroInitializer of %s, which is only used in memory", lay.Type)
	}
	return c.result(b, make([]operand, len(lay.Scalars))...)
}

// lowerExtractElement returns a lane of a vector: (vector, lane).
func lowerExtractElement(b *builder, c *builtinCall) error {
	args, err := c.operands(b, 2)
	if err != nil || len(args[1]) != 1 {
		return unsupportedf("builtin extractelement")
	}
	vector, lane := args[0], args[1][0]
	if lane.IsConst() {
		if lane.Imm >= uint64(len(vector)) {
			return unsupportedf("builtin extractelement of lane %d of %d", lane.Imm, len(vector))
		}
		return c.result(b, vector[lane.Imm])
	}
	lay, err := b.layoutOf(c.Arg(0))
	if err != nil || len(lay.Scalars) == 0 {
		return unsupportedf("builtin extractelement")
	}
	slot := b.frameSlot(lay.Size, lay.Align)
	b.storeValue(slot, lay, vector)
	slot = b.indexed(slot, b.op2(code.And, lane, mir.Const(uint64(len(vector)-1))), uint64(lay.Scalars[0].Width))
	return c.result(b, b.loadAt(slot, lay.Scalars[0].Width).Op())
}

// lowerInsertElement returns a vector with one lane replaced: (vector, value, lane).
func lowerInsertElement(b *builder, c *builtinCall) error {
	args, err := c.operands(b, 3)
	if err != nil || len(args[1]) != 1 || len(args[2]) != 1 {
		return unsupportedf("builtin insertelement")
	}
	vector, lane := append([]operand(nil), args[0]...), args[2][0]
	if lane.IsConst() {
		if lane.Imm >= uint64(len(vector)) {
			return unsupportedf("builtin insertelement of lane %d of %d", lane.Imm, len(vector))
		}
		vector[lane.Imm] = args[1][0]
		return c.result(b, vector...)
	}
	lay, err := b.layoutOf(c.Arg(0))
	if err != nil || len(lay.Scalars) == 0 {
		return unsupportedf("builtin insertelement")
	}
	slot := b.frameSlot(lay.Size, lay.Align)
	b.storeValue(slot, lay, vector)
	at := b.indexed(slot, b.op2(code.And, lane, mir.Const(uint64(len(vector)-1))), uint64(lay.Scalars[0].Width))
	b.storeAt(at, lay.Scalars[0].Width, args[1][0])
	return c.result(b, b.loadValue(slot, lay)...)
}
