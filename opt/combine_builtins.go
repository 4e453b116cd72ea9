package opt

import (
	"math/big"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// The rules for builtins: equal operands, comparisons with constants, extensions in a row, bits that are combined with constants.

func (r *combiner) builtin(i *ir.Inst) bool {
	if len(i.Operands) == 2 && i.Arg(0) == i.Arg(1) {
		if name := builtinName(i); name == "and" || name == "or" {
			r.pushUsers(i.Results[0])
			i.Results[0].ReplaceAllUses(i.Arg(0)) // what is left is dead; the compiler leaves it to other passes too
			return false
		}
		if r.sameOperands(i) {
			return true
		}
	}
	switch name := builtinName(i); name {
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
func (r *combiner) askType(i *ir.Inst, name string) bool {
	if len(i.Operands) != 1 || i.Arg(0).Type.Elem == nil {
		return false
	}
	t := i.Arg(0).Type.Elem
	if t.Kind == ir.KindParam || t.Kind == ir.KindMember || t.HasLocal() {
		return false
	}
	if name == "isConcrete" {
		return !isGeneric(t) && r.replace(i, r.number(i, i.Results[0].Type, -1))
	}
	switch {
	case r.c.Module.IsClassType(t):
		return r.replace(i, r.number(i, i.Results[0].Type, 1))
	case isPlainValue(r.c.Module, t), t.Kind == ir.KindExistential && !r.ts.IsReference(t), t.Kind == ir.KindBuiltin && !r.ts.IsReference(t):
		return r.replace(i, r.number(i, i.Results[0].Type, 0))
	}
	return false
}

// destroyTrivialArray removes the destruction of elements that need none.
func (r *combiner) destroyTrivialArray(i *ir.Inst) bool {
	if len(i.Operands) == 0 || i.Arg(0).Type.Elem == nil || !r.ts.IsTrivial(i.Arg(0).Type.Elem) {
		return false
	}
	r.erase(i)
	return true
}

// isGeneric says whether a type depends on generic parameters.
func isGeneric(t *ir.Type) bool {
	if slices.ContainsFunc(t.AllArgs(), isGeneric) {
		return true
	}
	return t.Kind != ir.KindNominal && t.Kind != ir.KindBuiltin
}

// sameOperands knows what a builtin gives for two equal operands.
func (r *combiner) sameOperands(i *ir.Inst) bool {
	t := i.Results[0].Type
	switch builtinName(i) {
	case "sub", "srem", "urem", "xor", "cmp_ne", "cmp_slt", "cmp_sgt", "cmp_ult", "cmp_ugt":
		return widthOf(t) > 0 && r.replace(i, r.number(i, t, 0))
	case "cmp_eq", "cmp_sle", "cmp_sge", "cmp_ule", "cmp_uge":
		return widthOf(t) > 0 && r.replace(i, r.number(i, t, -1))
	case "is_same_metatype":
		return r.replace(i, r.number(i, t, -1))
	case "sdiv", "udiv":
		return widthOf(t) > 0 && r.replace(i, r.number(i, t, 1))
	}
	return false
}

// compareEqual puts constants on the right, folds comparisons of constants with zero, and compares bits with zero only.
func (r *combiner) compareEqual(i *ir.Inst, negate bool) bool {
	x, y := literal(i.Arg(0)), literal(i.Arg(1))
	t := i.Results[0].Type
	if !negate && widthOf(i.Arg(0).Type) == 1 && isLiteral(i.Arg(1), -1) {
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
func (r *combiner) extendOnce(i *ir.Inst, name string) bool {
	inner, what := builtinOf(i.Arg(0))
	if what != "zextOrBitCast" {
		return false
	}
	from, via, to := widthOf(inner.Arg(0).Type), widthOf(i.Arg(0).Type), widthOf(i.Results[0].Type)
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

// bitOperands gives the operand and the constant of a bit operation with one constant.
func bitOperands(i *ir.Inst) (v *ir.Value, n *big.Int) {
	if n = literal(i.Arg(0)); n != nil {
		return i.Arg(1), n
	}
	return i.Arg(0), literal(i.Arg(1))
}

// bits combines the constants of bit operations in a row, and drops those that change nothing.
func (r *combiner) bits(i *ir.Inst, name string) bool {
	first, n := bitOperands(i)
	width := widthOf(i.Results[0].Type)
	if n == nil || width == 0 {
		return false
	}
	v := first
	for {
		inner, what := builtinOf(v)
		if what != name {
			break
		}
		w, m := bitOperands(inner)
		if m == nil {
			break
		}
		v, n = w, arithmetic(name, n, m, width)
	}
	n = wrapSigned(n, width)
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
	lit := literalOf(r.c.Module, i, i.Results[0].Type, n)
	r.push(lit.Inst())
	return r.instead(i, &ir.Inst{Op: op.Builtin, Aux: i.Aux, Types: i.Types}, v, lit)
}

// tupleExtract knows that an operation on numbers that keep within their type does not overflow.
func (r *combiner) tupleExtract(i *ir.Inst) bool {
	b := definedBy(i.Arg(0), op.Builtin)
	if b == nil || facts.FieldNumber(r.c.Module, i) != 1 || mayOverflow(b) {
		return false
	}
	return r.replace(i, r.number(i, i.Results[0].Type, 0))
}

// mayOverflow says whether a builtin that tells of overflow may do so.
func mayOverflow(b *ir.Inst) bool {
	if simplifyOverflow(b) != nil {
		return false
	}
	base, ok := strings.CutSuffix(builtinName(b), "_with_overflow")
	if !ok || len(b.Operands) < 2 || len(base) < 2 {
		return true
	}
	x, y := literal(b.Arg(0)), literal(b.Arg(1))
	bits := widthOf(b.Arg(0).Type)
	if x == nil || y == nil || bits == 0 {
		return true
	}
	signed := base[0] == 's'
	if !signed {
		x, y = asUnsigned(x, bits), asUnsigned(y, bits)
	}
	n := arithmetic(base[1:], x, y, bits)
	if n == nil {
		return true
	}
	if signed {
		return wrapSigned(n, bits).Cmp(n) != 0
	}
	return asUnsigned(n, bits).Cmp(n) != 0
}
