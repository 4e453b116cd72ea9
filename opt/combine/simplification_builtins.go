package combine

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/fold"
)

// takesThinMetatype has the builtins that need only the static type of their first operand.
var takesThinMetatype = map[op.BuiltinID]bool{
	op.BuiltinDestroyArray: true, op.BuiltinCopyArray: true, op.BuiltinTakeArrayNoAlias: true, op.BuiltinTakeArrayFrontToBack: true, op.BuiltinTakeArrayBackToFront: true,
	op.BuiltinAssignCopyArrayNoAlias: true, op.BuiltinAssignCopyArrayFrontToBack: true, op.BuiltinAssignCopyArrayBackToFront: true, op.BuiltinAssignTakeArray: true,
	op.BuiltinAllocVector: true, op.BuiltinIspod: true,
}

func isMetatype(v *ir.Value) bool {
	if e := facts.DefinedBy(v, op.InitExistentialMetatype); e != nil {
		v = e.Arg(0)
	}
	return facts.DefinedBy(v, op.Metatype) != nil
}

// existentialInstance returns the type whose metatype, or that of a subclass, was put into an existential metatype; nil for any other value.
func existentialInstance(v *ir.Value) *ir.Type {
	e := facts.DefinedBy(v, op.InitExistentialMetatype)
	if e == nil {
		return nil
	}
	return e.Arg(0).Type.Elem
}

// simplifyBuiltin answers questions about types that are known, leaves out the call of an initializer that does nothing, and computes
// with numbers that are known.
func (r *Combiner) simplifyBuiltin(i *ir.Inst) bool {
	switch id := facts.BuiltinID(i); id {
	case op.BuiltinIsConcrete, op.BuiltinCanBeClass:
		return r.askType(i, id)
	case op.BuiltinIsSameMetatype:
		return r.sameMetatype(i)
	case op.BuiltinOnce:
		return r.initializesNothing(i)
	case op.BuiltinAssertConfiguration:
		return r.replace(i, r.number(i, i.Results[0].Type, 1)) // what sil-opt answers without options
	case op.BuiltinSizeof, op.BuiltinStrideof, op.BuiltinAlignof:
		return r.sizeOfType(i, id)
	case op.BuiltinCmpEq, op.BuiltinCmpNe:
		if r.isTextAddress(i.Arg(0)) && facts.IsLiteral(i.Arg(1), 0) {
			return r.replace(i, r.number(i, i.Results[0].Type, map[op.BuiltinID]int64{op.BuiltinCmpNe: -1}[id]))
		}
	default:
		if takesThinMetatype[id] {
			return r.thinMetatype(i)
		}
	}
	if v := fold.Builtin(r.Context.Module, i); v != nil {
		r.Push(v.Inst())
		return r.replace(i, v)
	}
	return false
}

// isTextAddress reports whether a number is all bits of the address of a string literal, which is never zero.
func (r *Combiner) isTextAddress(v *ir.Value) bool {
	i, id := facts.BuiltinOf(v)
	for i != nil && (id == op.BuiltinZext || id == op.BuiltinZextOrBitCast) {
		i, id = facts.BuiltinOf(i.Arg(0))
	}
	if i == nil || id != op.BuiltinPtrtoint || i.Results[0].Type.IntWidth() < 64 {
		return false
	}
	return facts.DefinedBy(i.Arg(0), op.StringLiteral) != nil
}

// sameMetatype compares metatypes of types that are known.
func (r *Combiner) sameMetatype(i *ir.Inst) bool {
	a, b := i.Arg(0), i.Arg(1)
	t := i.Results[0].Type
	if a == b {
		return r.replace(i, r.number(i, t, -1))
	}
	x, y := existentialInstance(a), existentialInstance(b)
	if x == nil || y == nil {
		return false
	}
	if isMetatype(a) && isMetatype(b) {
		if same, known := sameType(r.Context.Module, x, y); known {
			return r.replace(i, r.number(i, t, map[bool]int64{true: -1}[same]))
		}
	}
	if fold.IsGeneric(x) || fold.IsGeneric(y) {
		return false
	}
	n := int64(0)
	switch {
	case x != y && r.Context.Module.IsClassType(x) && r.Context.Module.IsClassType(y) && (r.Context.Module.MayInherit(x, y) || r.Context.Module.MayInherit(y, x)):
		return false
	case x == y:
		if r.Context.Module.IsClassType(x) && !(isMetatype(a) && isMetatype(b)) {
			return false
		}
		n = -1
	}
	return r.replace(i, r.number(i, t, n))
}

// sameType compares two types that are exactly these, and not types that inherit from them. Not known is what depends on what generic
// parameters stand for, and tuples that differ by labels alone.
func sameType(mod *ir.Module, x, y *ir.Type) (same, known bool) {
	switch {
	case x == y:
		return true, true
	case !isSettled(x) || !isSettled(y):
		return false, false
	case x.Kind != y.Kind:
		return false, true
	case x.Kind == ir.KindFunction:
		return false, !x.HasParams() && !y.HasParams() && !x.HasLocal() && !y.HasLocal()
	case x.Kind == ir.KindTuple && len(x.Args) != len(y.Args), x.Kind == ir.KindNominal && mod.DeclOf(x) != mod.DeclOf(y):
		return false, true
	}
	if x.Kind == ir.KindTuple {
		for n := range x.Args {
			if same, known := sameType(mod, x.Args[n], y.Args[n]); known && !same {
				return false, true
			}
		}
	}
	return false, false
}

// isSettled reports whether a type is never one of another kind or of another number of elements, whatever generic parameters stand for.
func isSettled(t *ir.Type) bool {
	switch t.Kind {
	case ir.KindNominal, ir.KindFunction:
		return true
	case ir.KindTuple:
		return !slices.ContainsFunc(t.Args, func(x *ir.Type) bool { return x.Kind == ir.KindPackExpansion })
	}
	return false
}

// initializesNothing removes the call of an initializer that only computes and has no effects.
func (r *Combiner) initializesNothing(i *ir.Inst) bool {
	ref := facts.DefinedBy(i.Arg(1), op.FunctionRef)
	if ref == nil {
		return false
	}
	f := ref.Aux.(*ir.SymbolAux).Func
	if f == nil || len(f.Blocks) != 1 {
		return false
	}
	for x := f.Blocks[0].First(); x != f.Blocks[0].Last(); x = x.Next() {
		if !facts.IsDebug(x) && x.Op != op.DebugStep && (facts.OrderMemory(x) != op.MemNone || facts.MayHaveSideEffects(x)) {
			return false
		}
	}
	if f.Blocks[0].Last().Op != op.Return {
		return false
	}
	for u := range i.Results[0].Uses() {
		if u.User().Op != op.GlobalAddr {
			return false
		}
	}
	for _, u := range i.Results[0].UseList() {
		r.instead(u.User(), &ir.Inst{Op: op.GlobalAddr, Aux: u.User().Aux, Types: u.User().Types})
	}
	r.erase(i)
	return true
}

// thinMetatype hands a builtin a thin metatype instead of one that has to be made at run time.
func (r *Combiner) thinMetatype(i *ir.Inst) bool {
	if len(i.Operands) == 0 {
		return false
	}
	m := facts.DefinedBy(i.Arg(0), op.Metatype)
	if m == nil {
		return false
	}
	t := m.Results[0].Type
	thin := r.Context.Module.Types.Metatype(t.Elem, ir.MetatypeThin)
	if thin == t {
		return false
	}
	v := r.emit(i, &ir.Inst{Op: op.Metatype, Types: []*ir.Type{thin}}).Results[0]
	r.setOperand(i, 0, v)
	return true
}

// sizeOfType computes the size, stride or alignment of a type with a layout that is fixed.
func (r *Combiner) sizeOfType(i *ir.Inst, id op.BuiltinID) bool {
	if len(i.Operands) != 1 || i.Arg(0).Type.Elem == nil {
		return false
	}
	size, align, ok := r.Types.FixedLayout(i.Arg(0).Type.Elem)
	if !ok {
		return false
	}
	n := size
	switch id {
	case op.BuiltinStrideof:
		n = max((size+align-1)/align*align, 1)
	case op.BuiltinAlignof:
		n = align
	}
	return r.replace(i, r.number(i, i.Results[0].Type, n))
}
