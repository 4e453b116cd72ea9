package combine

import (
	"math/big"
	"strings"

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
	base, ok := strings.CutSuffix(facts.BuiltinName(b), "_with_overflow")
	if !ok || len(b.Operands) < 2 || len(base) < 2 {
		return true
	}
	x, y := facts.Literal(b.Arg(0)), facts.Literal(b.Arg(1))
	bits := facts.WidthOf(b.Arg(0).Type)
	if x == nil || y == nil || bits == 0 {
		return true
	}
	signed := base[0] == 's'
	if !signed {
		x, y = facts.AsUnsigned(x, bits), facts.AsUnsigned(y, bits)
	}
	n := fold.Arithmetic(base[1:], x, y, bits)
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
		if name := facts.BuiltinName(i); name == "and" || name == "or" {
			r.pushUsers(i.Results[0])
			i.Results[0].ReplaceAllUses(i.Arg(0)) // what is left is dead; the compiler leaves it to other passes too
			return false
		}
		if r.sameOperands(i) {
			return true
		}
	}
	switch name := facts.BuiltinName(i); name {
	case "cmp_eq", "cmp_ne":
		return r.compareEqual(i, name == "cmp_ne")
	case "truncOrBitCast", "zextOrBitCast":
		return r.extendOnce(i, name)
	case "and", "or", "xor":
		return r.bits(i, name)
	case "canBeClass", "isConcrete":
		return r.askType(i, name)
	case "destroyArray":
		return r.destroyTrivialArray(i)
	}
	return false
}

// askType answers a question about a type that is known.
func (r *Combiner) askType(i *ir.Inst, name string) bool {
	if len(i.Operands) != 1 || i.Arg(0).Type.Elem == nil {
		return false
	}
	t := i.Arg(0).Type.Elem
	if t.Kind == ir.KindParam || t.Kind == ir.KindMember || t.HasLocal() {
		return false
	}
	if name == "isConcrete" {
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

// sameOperands knows what a builtin gives for two equal operands.
func (r *Combiner) sameOperands(i *ir.Inst) bool {
	t := i.Results[0].Type
	switch facts.BuiltinName(i) {
	case "sub", "srem", "urem", "xor", "cmp_ne", "cmp_slt", "cmp_sgt", "cmp_ult", "cmp_ugt":
		return facts.WidthOf(t) > 0 && r.replace(i, r.number(i, t, 0))
	case "cmp_eq", "cmp_sle", "cmp_sge", "cmp_ule", "cmp_uge":
		return facts.WidthOf(t) > 0 && r.replace(i, r.number(i, t, -1))
	case "is_same_metatype":
		return r.replace(i, r.number(i, t, -1))
	case "sdiv", "udiv":
		return facts.WidthOf(t) > 0 && r.replace(i, r.number(i, t, 1))
	}
	return false
}

// compareEqual puts constants on the right, folds comparisons of constants with zero, and compares bits with zero only.
func (r *Combiner) compareEqual(i *ir.Inst, negate bool) bool {
	x, y := facts.Literal(i.Arg(0)), facts.Literal(i.Arg(1))
	t := i.Results[0].Type
	if !negate && facts.WidthOf(i.Arg(0).Type) == 1 && facts.IsLiteral(i.Arg(1), -1) {
		zero := r.number(i, t, 0)
		eq := r.emit(i, &ir.Inst{Op: op.Builtin, Aux: i.Aux, Types: i.Types}, i.Arg(0), zero).Results[0]
		return r.instead(i, &ir.Inst{Op: op.Builtin, Aux: &ir.BuiltinAux{Name: "xor_Int1"}, Types: i.Types}, eq, i.Arg(1))
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
func (r *Combiner) extendOnce(i *ir.Inst, name string) bool {
	inner, what := facts.BuiltinOf(i.Arg(0))
	if what != "zextOrBitCast" {
		return false
	}
	from, via, to := facts.WidthOf(inner.Arg(0).Type), facts.WidthOf(i.Arg(0).Type), facts.WidthOf(i.Results[0].Type)
	for _, t := range []*ir.Type{inner.Arg(0).Type, i.Arg(0).Type, i.Results[0].Type} {
		if t.Name == "Word" && name == "truncOrBitCast" {
			return false // of no fixed width
		}
	}
	if name == "truncOrBitCast" && (from == 0 || via == 0 || to == 0 || via <= from || to < from) {
		return false
	}
	aux := &ir.BuiltinAux{Name: "zextOrBitCast_" + inner.Arg(0).Type.Name + "_" + i.Results[0].Type.Name}
	return r.instead(i, &ir.Inst{Op: op.Builtin, Aux: aux, Types: i.Types}, inner.Arg(0))
}

// bits combines the constants of bit operations in a row, and drops those that change nothing.
func (r *Combiner) bits(i *ir.Inst, name string) bool {
	first, n := bitOperands(i)
	width := facts.WidthOf(i.Results[0].Type)
	if n == nil || width == 0 {
		return false
	}
	v := first
	for {
		inner, what := facts.BuiltinOf(v)
		if what != name {
			break
		}
		w, m := bitOperands(inner)
		if m == nil {
			break
		}
		v, n = w, fold.Arithmetic(name, n, m, width)
	}
	n = facts.WrapSigned(n, width)
	neutral, zero := int64(0), int64(-1)
	if name == "and" {
		neutral, zero = -1, 0
	}
	switch {
	case n.IsInt64() && n.Int64() == neutral:
		return r.replace(i, v)
	case name != "xor" && n.IsInt64() && n.Int64() == zero:
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
