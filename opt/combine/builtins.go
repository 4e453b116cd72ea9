package combine

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/fold"
	"silvm/opt/rewrite"
)

// bitOperands returns the operand and the constant of a bit operation with one constant.
func bitOperands(i *ir.Inst) (v *ir.Value, n *big.Int) {
	if n = facts.Literal(i.Arg(0)); n != nil {
		return i.Arg(1), n
	}
	return i.Arg(0), facts.Literal(i.Arg(1))
}

// mayOverflow reports whether a builtin that tells of overflow may do so.
func mayOverflow(b *ir.Inst) bool {
	if fold.SimplifyOverflow(b) != nil {
		return false
	}
	plain, signed, ok := fold.Overflowing(facts.BuiltinID(b))
	if !ok {
		return true
	}
	x, y := facts.Literal(b.Arg(0)), facts.Literal(b.Arg(1))
	bits := b.Arg(0).Type.IntWidth()
	if x == nil || y == nil || bits == 0 {
		return true
	}
	if !signed {
		x, y = facts.AsUnsigned(x, bits), facts.AsUnsigned(y, bits)
	}
	n := fold.Arithmetic(plain, x, y, bits)
	if n == nil {
		return true
	}
	if signed {
		return facts.WrapSigned(n, bits).Cmp(n) != 0
	}
	return facts.AsUnsigned(n, bits).Cmp(n) != 0
}

// The rules for builtins: equal operands, comparisons with constants, extensions in a row, bits that are combined with constants.

func (r *Combiner) builtin(i *ir.Inst) bool {
	if len(i.Operands) == 2 && i.Arg(0) == i.Arg(1) {
		if id := facts.BuiltinID(i); id == op.BuiltinAnd || id == op.BuiltinOr {
			r.pushUsers(i.Results[0])
			i.Results[0].ReplaceAllUses(i.Arg(0)) // what is left is dead; the compiler leaves it to other passes too
			return false
		}
		if r.sameOperands(i) {
			return true
		}
	}
	switch id := facts.BuiltinID(i); id {
	case op.BuiltinSsubWithOverflow, op.BuiltinUsubWithOverflow:
		return i.Arg(0) == i.Arg(1) && r.sameOperands(i)
	case op.BuiltinCmpEq, op.BuiltinCmpNe:
		return r.compareEqual(i, id == op.BuiltinCmpNe)
	case op.BuiltinTruncOrBitCast, op.BuiltinZextOrBitCast:
		return r.extendOnce(i, id)
	case op.BuiltinAnd, op.BuiltinOr, op.BuiltinXor:
		return r.bits(i, id)
	case op.BuiltinCanBeClass, op.BuiltinIsConcrete:
		return r.askType(i, id)
	case op.BuiltinDestroyArray:
		return r.destroyTrivialArray(i)
	}
	return false
}

// askType answers a question about a type that is known.
func (r *Combiner) askType(i *ir.Inst, id op.BuiltinID) bool {
	if len(i.Operands) != 1 || i.Arg(0).Type.Elem == nil {
		return false
	}
	t := i.Arg(0).Type.Elem
	if t.Kind == ir.KindParam && id == op.BuiltinCanBeClass && r.Func.Type.Func.Generic != nil {
		for n := range r.Func.Type.Func.Generic.Requirements {
			q := &r.Func.Type.Func.Generic.Requirements[n]
			switch layout := q.Layout(); {
			case q.Subject != t:
			case layout == ir.LayoutAnyObject, layout == ir.LayoutNativeClass:
				return r.replace(i, r.number(i, i.Results[0].Type, 1))
			case layout.IsTrivial():
				return r.replace(i, r.number(i, i.Results[0].Type, 0))
			}
		}
	}
	if t.Kind == ir.KindParam || t.Kind == ir.KindMember || t.HasLocal() {
		return false
	}
	if id == op.BuiltinIsConcrete {
		return !fold.IsGeneric(t) && r.replace(i, r.number(i, i.Results[0].Type, -1))
	}
	switch {
	case r.Context.Module.IsClassType(t):
		return r.replace(i, r.number(i, i.Results[0].Type, 1))
	case fold.IsPlainValue(r.Context.Module, t), t.Kind == ir.KindExistential && !r.Types.IsReference(t), t.Kind == ir.KindBuiltin && !r.Types.IsReference(t):
		return r.replace(i, r.number(i, i.Results[0].Type, 0))
	}
	return false
}

// destroyTrivialArray removes the destruction of elements that need none.
func (r *Combiner) destroyTrivialArray(i *ir.Inst) bool {
	if len(i.Operands) == 0 || i.Arg(0).Type.Elem == nil || !r.Types.IsTrivial(i.Arg(0).Type.Elem) {
		return false
	}
	r.erase(i)
	return true
}

// sameOperands knows the result of a builtin for two equal operands.
func (r *Combiner) sameOperands(i *ir.Inst) bool {
	t := i.Results[0].Type
	switch facts.BuiltinID(i) {
	case op.BuiltinSub, op.BuiltinSrem, op.BuiltinUrem, op.BuiltinXor, op.BuiltinCmpNe, op.BuiltinCmpSlt, op.BuiltinCmpSgt, op.BuiltinCmpUlt, op.BuiltinCmpUgt:
		return t.IntWidth() > 0 && r.replace(i, r.number(i, t, 0))
	case op.BuiltinCmpEq, op.BuiltinCmpSle, op.BuiltinCmpSge, op.BuiltinCmpUle, op.BuiltinCmpUge:
		return t.IntWidth() > 0 && r.replace(i, r.number(i, t, -1))
	case op.BuiltinFcmpOne: // never for one number, and not for NaN either
		return t.IntWidth() > 0 && r.replace(i, r.number(i, t, 0))
	case op.BuiltinFcmpUeq, op.BuiltinFcmpUle, op.BuiltinFcmpUge: // always for one number, and for NaN too
		return t.IntWidth() > 0 && r.replace(i, r.number(i, t, -1))
	case op.BuiltinSsubWithOverflow, op.BuiltinUsubWithOverflow:
		if t.Kind != ir.KindTuple || len(t.Args) != 2 || t.Args[0].IntWidth() == 0 {
			return false
		}
		zero, no := r.number(i, t.Args[0], 0), r.number(i, t.Args[1], 0)
		return r.instead(i, &ir.Inst{Op: op.Tuple, Types: []*ir.Type{t}}, zero, no)
	case op.BuiltinIsSameMetatype:
		return r.replace(i, r.number(i, t, -1))
	case op.BuiltinSdiv, op.BuiltinUdiv:
		return t.IntWidth() > 0 && r.replace(i, r.number(i, t, 1))
	}
	return false
}

// compareEqual puts constants on the right, folds comparisons of constants with zero, and compares bits with zero only.
func (r *Combiner) compareEqual(i *ir.Inst, negate bool) bool {
	x, y := facts.Literal(i.Arg(0)), facts.Literal(i.Arg(1))
	t := i.Results[0].Type
	if !negate && i.Arg(0).Type.IntWidth() == 1 && facts.IsLiteral(i.Arg(1), -1) {
		zero := r.number(i, t, 0)
		eq := r.emit(i, &ir.Inst{Op: op.Builtin, Aux: i.Aux, Types: i.Types}, i.Arg(0), zero).Results[0]
		return r.instead(i, &ir.Inst{Op: op.Builtin, Aux: ir.BuiltinOn(op.BuiltinXor, eq.Type), Types: i.Types}, eq, i.Arg(1))
	}
	switch {
	case x == nil:
		return false
	case y == nil:
		return r.instead(i, &ir.Inst{Op: op.Builtin, Aux: i.Aux, Types: i.Types}, i.Arg(1), i.Arg(0))
	case x.Sign() != 0 && y.Sign() != 0:
		return false
	}
	n := int64(0)
	if (x.Sign() == 0) == (y.Sign() == 0) != negate {
		n = -1
	}
	return r.replace(i, r.number(i, t, n))
}

// extendOnce extends a number once instead of twice, or extends it to fewer bits.
func (r *Combiner) extendOnce(i *ir.Inst, id op.BuiltinID) bool {
	inner, what := facts.BuiltinOf(i.Arg(0))
	if what != op.BuiltinZextOrBitCast {
		return false
	}
	from, via, to := inner.Arg(0).Type.IntWidth(), i.Arg(0).Type.IntWidth(), i.Results[0].Type.IntWidth()
	for _, t := range []*ir.Type{inner.Arg(0).Type, i.Arg(0).Type, i.Results[0].Type} {
		if t.IsBuiltin(ir.BuiltinWord) && id == op.BuiltinTruncOrBitCast {
			return false // of no fixed width
		}
	}
	if id == op.BuiltinTruncOrBitCast && (from == 0 || via == 0 || to == 0 || via <= from || to < from) {
		return false
	}
	aux := ir.BuiltinOn(op.BuiltinZextOrBitCast, inner.Arg(0).Type, i.Results[0].Type)
	return r.instead(i, &ir.Inst{Op: op.Builtin, Aux: aux, Types: i.Types}, inner.Arg(0))
}

// bits combines the constants of bit operations in a row, and drops those that change nothing.
func (r *Combiner) bits(i *ir.Inst, id op.BuiltinID) bool {
	first, n := bitOperands(i)
	width := i.Results[0].Type.IntWidth()
	if n == nil || width == 0 {
		return false
	}
	v := first
	for {
		inner, what := facts.BuiltinOf(v)
		if what != id {
			break
		}
		w, m := bitOperands(inner)
		if m == nil {
			break
		}
		v, n = w, fold.Arithmetic(id, n, m, width)
	}
	n = facts.WrapSigned(n, width)
	neutral, zero := int64(0), int64(-1)
	if id == op.BuiltinAnd {
		neutral, zero = -1, 0
	}
	switch {
	case n.IsInt64() && n.Int64() == neutral:
		return r.replace(i, v)
	case id != op.BuiltinXor && n.IsInt64() && n.Int64() == zero:
		return r.replace(i, r.number(i, i.Results[0].Type, zero))
	case v == first:
		return false
	}
	lit := rewrite.LiteralOf(r.Context.Module, i, i.Results[0].Type, n)
	r.Push(lit.Inst())
	return r.instead(i, &ir.Inst{Op: op.Builtin, Aux: i.Aux, Types: i.Types}, v, lit)
}

// tupleExtract knows that an operation on numbers that keep within their type does not overflow.
func (r *Combiner) tupleExtract(i *ir.Inst) bool {
	b := facts.DefinedBy(i.Arg(0), op.Builtin)
	if b == nil || facts.FieldNumber(r.Context.Module, i) != 1 || mayOverflow(b) {
		return false
	}
	return r.replace(i, r.number(i, i.Results[0].Type, 0))
}
