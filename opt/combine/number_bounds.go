package combine

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// numberBounds are the least and the greatest number that an integer can be.
type numberBounds struct{ low, high *big.Int }

// boundsOf returns the bounds that the type alone sets.
func boundsOf(k integerType) numberBounds {
	one := big.NewInt(1)
	if !k.signed {
		return numberBounds{big.NewInt(0), new(big.Int).Sub(new(big.Int).Lsh(one, k.bits), one)}
	}
	half := new(big.Int).Lsh(one, k.bits-1)
	return numberBounds{new(big.Int).Neg(half), new(big.Int).Sub(half, one)}
}

// isWithin reports whether all numbers within b are within o.
func (b numberBounds) isWithin(o numberBounds) bool {
	return b.low.Cmp(o.low) >= 0 && b.high.Cmp(o.high) <= 0
}

// atLeast and atMost narrow the bounds.
func (b *numberBounds) atLeast(n *big.Int) {
	if n.Cmp(b.low) > 0 {
		b.low = n
	}
}

func (b *numberBounds) atMost(n *big.Int) {
	if n.Cmp(b.high) < 0 {
		b.high = n
	}
}

// maxBoundSteps bounds the instructions that are looked at for checks of one number.
const maxBoundSteps = 400

// checkedBounds returns the bounds of a number, read as k says, before an instruction: what it is made of sets them, and what the
// program compared it with on the only way there.
func (r *Combiner) checkedBounds(v *ir.Value, k integerType, at *ir.Inst) numberBounds {
	n := boundsOf(k)
	n.made(v, k)
	b, i := at.Block(), at.Prev()
	for range maxBoundSteps {
		if i == nil {
			pred := r.preds.Single(b)
			if pred == nil || b == v.Block() {
				break
			}
			if t := pred.Terminator(); t.Op == op.CondBr && t.Succs[0].To != t.Succs[1].To {
				n.compared(v, k, t.Arg(0), t.Succs[0].To == b)
			}
			b, i = pred, pred.Terminator()
		}
		if v.Inst() == i {
			break
		}
		if i.Op == op.CondFail {
			n.compared(v, k, i.Arg(0), false)
		}
		i = i.Prev()
	}
	return n
}

// made narrows the bounds by the builtin that the number comes from.
func (b *numberBounds) made(v *ir.Value, k integerType) {
	i, id := facts.BuiltinOf(v)
	if i == nil {
		if n := facts.Literal(v); n != nil {
			n = k.read(n)
			b.atLeast(n)
			b.atMost(n)
		}
		return
	}
	switch id {
	case op.BuiltinZext, op.BuiltinZextOrBitCast:
		if from := i.Arg(0).Type.IntWidth(); from > 0 && from < k.bits {
			b.atLeast(big.NewInt(0))
			b.atMost(boundsOf(integerType{from, false}).high)
		}
	case op.BuiltinSext, op.BuiltinSextOrBitCast:
		if from := i.Arg(0).Type.IntWidth(); from > 0 && from < k.bits && k.signed {
			b.atLeast(boundsOf(integerType{from, true}).low)
			b.atMost(boundsOf(integerType{from, true}).high)
		}
	case op.BuiltinAnd:
		if _, n := bitOperands(i); n != nil && k.read(n).Sign() >= 0 {
			b.atLeast(big.NewInt(0))
			b.atMost(k.read(n))
		}
	}
}

// read returns the number that bits are, read as the type says.
func (k integerType) read(bits *big.Int) *big.Int {
	if k.signed {
		return facts.WrapSigned(bits, k.bits)
	}
	return facts.AsUnsigned(bits, k.bits)
}

// flipped are the comparisons with their operands the other way round, negated those that are true when they are false.
var (
	flipped = map[op.BuiltinID]op.BuiltinID{
		op.BuiltinCmpSlt: op.BuiltinCmpSgt, op.BuiltinCmpSgt: op.BuiltinCmpSlt, op.BuiltinCmpSle: op.BuiltinCmpSge, op.BuiltinCmpSge: op.BuiltinCmpSle,
		op.BuiltinCmpUlt: op.BuiltinCmpUgt, op.BuiltinCmpUgt: op.BuiltinCmpUlt, op.BuiltinCmpUle: op.BuiltinCmpUge, op.BuiltinCmpUge: op.BuiltinCmpUle,
	}
	negated = map[op.BuiltinID]op.BuiltinID{
		op.BuiltinCmpSlt: op.BuiltinCmpSge, op.BuiltinCmpSge: op.BuiltinCmpSlt, op.BuiltinCmpSle: op.BuiltinCmpSgt, op.BuiltinCmpSgt: op.BuiltinCmpSle,
		op.BuiltinCmpUlt: op.BuiltinCmpUge, op.BuiltinCmpUge: op.BuiltinCmpUlt, op.BuiltinCmpUle: op.BuiltinCmpUgt, op.BuiltinCmpUgt: op.BuiltinCmpUle,
	}
)

// compared narrows the bounds by a comparison of the number with a literal that came out so.
func (b *numberBounds) compared(v *ir.Value, k integerType, condition *ir.Value, holds bool) {
	i, id := facts.BuiltinOf(condition)
	if i == nil || len(i.Operands) != 2 {
		return
	}
	if id == op.BuiltinXor { // of a bit with one
		if bit, n := bitOperands(i); n != nil && bit.Type.IntWidth() == 1 && n.Bit(0) == 1 {
			b.compared(v, k, bit, !holds)
		}
		return
	}
	lit := facts.Literal(i.Arg(1))
	if i.Arg(1) == v {
		lit, id = facts.Literal(i.Arg(0)), flipped[id]
	} else if i.Arg(0) != v {
		return
	}
	if !holds {
		id = negated[id]
	}
	if lit == nil || id == op.NotBuiltin {
		return
	}
	n, one := k.read(lit), big.NewInt(1)
	switch id {
	case op.BuiltinCmpSlt, op.BuiltinCmpSle, op.BuiltinCmpSgt, op.BuiltinCmpSge:
		if !k.signed {
			return
		}
	case op.BuiltinCmpUlt, op.BuiltinCmpUle:
		if k.signed { // below a positive number as unsigned ones are is neither negative nor large
			if n.Sign() < 0 {
				return
			}
			b.atLeast(big.NewInt(0))
		}
	default:
		if k.signed {
			return
		}
	}
	switch id {
	case op.BuiltinCmpSlt, op.BuiltinCmpUlt:
		b.atMost(new(big.Int).Sub(n, one))
	case op.BuiltinCmpSle, op.BuiltinCmpUle:
		b.atMost(n)
	case op.BuiltinCmpSgt, op.BuiltinCmpUgt:
		b.atLeast(new(big.Int).Add(n, one))
	case op.BuiltinCmpSge, op.BuiltinCmpUge:
		b.atLeast(n)
	}
}
