package lower

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// arithLowerings are the literals and the builtins (docs/SIL.rst, Literals).
var arithLowerings = map[op.Op]lowering{
	op.IntegerLiteral: lowerIntegerLiteral,
	op.FloatLiteral:   lowerFloatLiteral,
	op.Builtin:        lowerBuiltin,
}

// lowerIntegerLiteral returns the words of the number, low one first, cut to the width of its type.
func lowerIntegerLiteral(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.IntAux)
	if !ok || aux.Value == nil {
		return unsupportedf("integer_literal without a number")
	}
	t := b.typeOf(i.Results[0])
	n, ok := numberOf(t.Builtin())
	if !ok || n.float || n.lanes != 1 {
		return unsupportedf("integer_literal of type %s", t)
	}
	if n.literal {
		// Builtins look at the literal itself.
		for u := range i.Results[0].Uses() {
			if u.User().Op != op.Builtin && uint64(signedBits(aux.Value)) > runtimeLiteral.bits {
				return unsupportedf("an integer literal of %d bits as a value", signedBits(aux.Value))
			}
		}
		b.define(i.Results[0], literalWords(aux.Value, runtimeLiteral.bits))
		return nil
	}
	b.define(i.Results[0], literalWords(aux.Value, n.bits))
	return nil
}

// literalWords cuts a number to bits in two's complement.
func literalWords(v *big.Int, bits uint64) []operand {
	mod := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	v = new(big.Int).Mod(v, mod)
	word := new(big.Int).SetUint64(^uint64(0))
	var out []operand
	for n := uint64(0); n < bits; n += 64 {
		out = append(out, mir.Const(new(big.Int).And(v, word).Uint64()))
		v = new(big.Int).Rsh(v, 64)
	}
	return out
}

// intBuiltins is integer arithmetic; shifts by the width or more, which are undefined, have the result of the 64-bit operation.
var intBuiltins = map[op.BuiltinID]builtinLowering{
	op.BuiltinAdd: wrapping(code.Add, addWide), op.BuiltinSub: wrapping(code.Sub, subWide), op.BuiltinMul: wrapping(code.Mul, mulWide),
	op.BuiltinAnd: bitwise(code.And), op.BuiltinOr: bitwise(code.Or), op.BuiltinXor: bitwise(code.Xor),
	op.BuiltinStringObjectOr: bitwise(code.Or),
	op.BuiltinShl:            wrapping(code.Shl, shlWide), op.BuiltinLshr: wrapping(code.Lshr, lshrWide),
	op.BuiltinAshr:      signedWord(code.Ashr, ashrWide),
	op.BuiltinSdiv:      signedWord(code.Sdiv, wideDivision(1)),
	op.BuiltinSdivExact: signedWord(code.Sdiv, wideDivision(1)),
	op.BuiltinSrem:      signedWord(code.Srem, wideDivision(3)),
	op.BuiltinUdiv:      wrapping(code.Udiv, wideDivision(0)),
	op.BuiltinUdivExact: wrapping(code.Udiv, wideDivision(0)),
	op.BuiltinUrem:      wrapping(code.Urem, wideDivision(2)),

	op.BuiltinSaddWithOverflow: overflowing(code.SaddO, code.SaddON, saddWide),
	op.BuiltinSsubWithOverflow: overflowing(code.SsubO, code.SsubON, ssubWide),
	op.BuiltinSmulWithOverflow: overflowing(code.SmulO, code.SmulON, wideProduct(1)),
	op.BuiltinUaddWithOverflow: overflowing(code.UaddO, code.UaddON, uaddWide),
	op.BuiltinUsubWithOverflow: overflowing(code.UsubO, code.UsubON, usubWide),
	op.BuiltinUmulWithOverflow: overflowing(code.UmulO, code.UmulON, wideProduct(0)),

	op.BuiltinIntSaddWithOverflow: overflowing(code.SaddO, code.SaddON, saddWide),
	op.BuiltinIntSsubWithOverflow: overflowing(code.SsubO, code.SsubON, ssubWide),
	op.BuiltinIntSmulWithOverflow: overflowing(code.SmulO, code.SmulON, wideProduct(1)),
	op.BuiltinIntUaddWithOverflow: overflowing(code.UaddO, code.UaddON, uaddWide),
	op.BuiltinIntUsubWithOverflow: overflowing(code.UsubO, code.UsubON, usubWide),
	op.BuiltinIntUmulWithOverflow: overflowing(code.UmulO, code.UmulON, wideProduct(0)),

	op.BuiltinCmpEq: comparison(code.CmpEq, false, false), op.BuiltinCmpNe: comparison(code.CmpNe, false, false),
	op.BuiltinCmpSlt: comparison(code.CmpSlt, true, false), op.BuiltinCmpSle: comparison(code.CmpSle, true, false),
	op.BuiltinCmpSgt: comparison(code.CmpSlt, true, true), op.BuiltinCmpSge: comparison(code.CmpSle, true, true),
	op.BuiltinCmpUlt: comparison(code.CmpUlt, false, false), op.BuiltinCmpUle: comparison(code.CmpUle, false, false),
	op.BuiltinCmpUgt: comparison(code.CmpUlt, false, true), op.BuiltinCmpUge: comparison(code.CmpUle, false, true),

	op.BuiltinIntCtpop:      countingBits(code.Ctpop, ctpopWide),
	op.BuiltinIntCtlz:       countingBits(code.Ctlz, ctlzWide),
	op.BuiltinIntCttz:       countingBits(code.Cttz, cttzWide),
	op.BuiltinIntBswap:      countingBits(code.Bswap, swapWide(code.Bswap)),
	op.BuiltinIntBitreverse: countingBits(code.BitReverse, swapWide(code.BitReverse)),
}

// wideOp works on integers of two words; nil stands for one that silvm lacks.
type wideOp func(b *builder, n number, x, y []operand) []operand

// wrapping lowers an operation whose result is cut to the width.
func wrapping(o code.Op, wide wideOp) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n := c.types[0]
		return c.binary(b, n, wide, func(x, y operand) operand { return b.narrow(b.op2(o, x, y), n.bits) })
	}
}

// bitwise lowers an operation that works on each word alone and keeps the width.
func bitwise(o code.Op) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n := c.types[0]
		wide := func(b *builder, _ number, x, y []operand) []operand {
			return []operand{b.op2(o, x[0], y[0]), b.op2(o, x[1], y[1])}
		}
		return c.binary(b, n, wide, func(x, y operand) operand { return b.op2(o, x, y) })
	}
}

// signedWord lowers an operation on sign extended words.
func signedWord(o code.Op, wide wideOp) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n := c.types[0]
		return c.binary(b, n, wide, func(x, y operand) operand {
			if o != code.Ashr {
				y = b.signed(y, n.bits)
			}
			return b.narrow(b.op2(o, b.signed(x, n.bits), y), n.bits)
		})
	}
}

// binary runs an operation of two operands on each lane.
func (c *builtinCall) binary(b *builder, n number, wide wideOp, one func(x, y operand) operand) error {
	words := n.words()
	if n.literal || n.float || words > 2 || words == 2 && wide == nil {
		return unsupportedf("builtin %s on integers of %d bits", c.name, n.bits)
	}
	return c.lanewise(b, 2, words, func(x [][]operand) ([]operand, error) {
		if words == 2 {
			return wide(b, n, x[0], x[1]), nil
		}
		return []operand{one(x[0][0], x[1][0])}, nil
	})
}

// overflowing lowers an operation with two results: the number and whether it overflowed.
func overflowing(word, narrow code.Op, wide wideOp) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n := c.types[0]
		if n.lanes != 1 {
			return unsupportedf("builtin %s on vectors", c.name)
		}
		return c.lanewise(b, 2, n.words(), func(x [][]operand) ([]operand, error) {
			switch {
			case n.words() == 2 && wide != nil && n.bits == 128:
				return wide(b, n, x[0], x[1]), nil
			case n.words() > 1 || n.literal || n.float:
				return nil, unsupportedf("builtin %s on integers of %d bits", c.name, n.bits)
			}
			r := b.NewPair()
			if n.bits == 64 {
				b.emit(word, r, b.inReg(x[0][0]), b.inReg(x[1][0]), 0)
			} else {
				b.emit(narrow, r, b.inReg(x[0][0]), b.inReg(x[1][0]), n.bits)
			}
			return mir.Ops(r, r+1), nil
		})
	}
}

// comparison lowers a comparison; swap exchanges the operands.
func comparison(o code.Op, isSigned, swap bool) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n := c.types[0]
		wide := func(b *builder, n number, x, y []operand) []operand {
			if isSigned {
				x = []operand{x[0], b.signed(x[1], n.bits-64)}
				y = []operand{y[0], b.signed(y[1], n.bits-64)}
			}
			return compareWide(b, o, x, y, swap)
		}
		return c.binary(b, n, wide, func(x, y operand) operand {
			if isSigned {
				x, y = b.signed(x, n.bits), b.signed(y, n.bits)
			}
			if swap {
				x, y = y, x
			}
			return b.op2(o, x, y)
		})
	}
}

// countingBits lowers an operation on the bits of an integer; the immediate of o is the width.
func countingBits(o code.Op, wide func(b *builder, n number, x []operand) []operand) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n := c.types[0]
		if n.literal || n.float || n.words() > 2 || n.words() == 2 && n.bits < 128 && (o == code.Bswap || o == code.BitReverse) {
			return unsupportedf("builtin %s on integers of %d bits", c.name, n.bits)
		}
		return c.lanewise(b, 1, n.words(), func(x [][]operand) ([]operand, error) {
			if n.words() == 2 {
				return wide(b, n, x[0]), nil
			}
			return []operand{b.opI(o, x[0][0], n.bits)}, nil
		})
	}
}
