package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// converted returns the function or closure that convert_function converts, nil when it is neither.
func converted(c *ir.Inst) *ir.Value {
	v := c.Arg(0)
	if t := facts.DefinedBy(v, op.ThinToThickFunction); t != nil {
		v = t.Arg(0)
	}
	made := v
	for d := facts.DefinedBy(made, op.MarkDependence); d != nil; d = facts.DefinedBy(made, op.MarkDependence) {
		made = d.Arg(0)
	}
	if facts.DefinedBy(v, op.FunctionRef) != nil || facts.DefinedBy(made, op.PartialApply) != nil {
		return v
	}
	return nil
}

// convertedCallee returns the convert_function that defines the callee of a call, nil when none does.
func convertedCallee(call *ir.Inst) *ir.Inst {
	callee := call.Arg(0)
	for d := callee.Inst(); d != nil && (d.Op == op.ConvertEscapeToNoescape || d.Op == op.MarkDependence); d = callee.Inst() {
		callee = d.Arg(0)
	}
	return facts.DefinedBy(callee, op.ConvertFunction)
}

// The rules for calls, closures and builtins.

// apply calls what a function was made from.
func (r *Combiner) apply(i *ir.Inst) bool {
	if c := convertedCallee(i); c != nil {
		return r.callConverted(i, converted(c))
	}
	callee := i.Arg(0)
	if r.deadCall(i) || r.applyKeyPath(i) || r.arrayStorageType(i) {
		return true
	}
	if c := facts.DefinedBy(i.Arg(0), op.ConvertEscapeToNoescape); c != nil {
		callee = c.Arg(0)
	}
	if t := facts.DefinedBy(callee, op.ThinToThickFunction); t != nil {
		return r.callThin(i, t.Arg(0))
	}
	if w := facts.DefinedBy(i.Arg(0), op.WitnessMethod); w != nil && !r.OSSA {
		return r.convertInteger(i, w) || r.callConcrete(i, w)
	}
	return !r.OSSA && facts.DefinedBy(i.Arg(0), op.FunctionRef) != nil && r.callGeneric(i)
}

// arrayStorageType names the class of the storage of an array, for which a program asks where it makes one: references of all classes share one.
//
//	%1 = apply %storageType<Int>(…)    →    %1 = metatype $@thick _ContiguousArrayStorage<Int>.Type
//	%1 = apply %storageType<C>(…)      →    %0 = metatype $@thick _ContiguousArrayStorage<AnyObject>.Type
//	                                        %1 = unchecked_trivial_bit_cast %0 to $@thick _ContiguousArrayStorage<C>.Type
func (r *Combiner) arrayStorageType(i *ir.Inst) bool {
	if !facts.HasSemantics(facts.StaticCallee(i), ir.SemanticsArrayStorageType) || len(i.Results) != 1 {
		return false
	}
	t, mod := i.Results[0].Type, r.Context.Module
	if t.Kind != ir.KindMetatype || t.Rep != ir.MetatypeThick || t.Elem.Kind != ir.KindNominal || len(t.Elem.Args) != 1 {
		return false
	}
	element := mod.Canonical(t.Elem.Args[0])
	if element.HasParams() || element.HasLocal() || element.Kind == ir.KindDynamicSelf {
		return false
	}
	exact := t
	if element.Kind == ir.KindNominal && mod.IsClassType(element) {
		exact = mod.Types.Metatype(mod.Types.Nominal(t.Elem.Parent, t.Elem.Name, mod.Types.AnyObject()), ir.MetatypeThick)
	}
	meta := r.emit(i, &ir.Inst{Op: op.Metatype, Types: []*ir.Type{exact}}).Results[0]
	if exact == t {
		return r.replace(i, meta)
	}
	return r.cast(i, op.UncheckedTrivialBitCast, meta)
}

// callConverted calls a function itself instead of what convert_function makes of it, with arguments cast to what it takes and the result
// to what the caller takes.
func (r *Combiner) callConverted(i *ir.Inst, fn *ir.Value) bool {
	if fn == nil {
		return false
	}
	if fn.Type.Kind != ir.KindFunction || fn.Type.Func.Generic != nil || len(i.Aux.(*ir.ApplyAux).Subs) > 0 {
		return false
	}
	mod := r.Context.Module
	was, is := mod.SubstitutedCallee(i.Aux.(*ir.ApplyAux)), mod.SubstitutedCallee(&ir.ApplyAux{Fn: fn.Type})
	if len(was.Params) != len(is.Params) || len(was.Results) != len(is.Results) || was.Error != nil && is.Error != nil &&
		(mod.SubstCallee(was, nil)(was.Error.Type) != mod.SubstCallee(is, nil)(is.Error.Type) || was.Error.Indirect != is.Error.Indirect) {
		return false
	}
	casts := rewrite.ABICast{Mod: mod, Ossa: r.OSSA}
	result := (*ir.Type)(nil)
	for n := range is.Results {
		if was.Results[n].Type == is.Results[n].Type {
			continue
		}
		if len(is.Results) > 1 || is.Results[n].Conv.IsIndirect() || !casts.Can(is.Results[n].Type, was.Results[n].Type) {
			return false
		}
		result = is.Results[n].Type
	}
	if i.Op == op.TryApply && (result != nil || is.Error == nil) {
		return false
	}
	first := 1 + facts.IndirectResults(is)
	types := mod.ArgumentTypes(fn.Type.Func, nil)
	for n := first; n < len(i.Operands); n++ {
		if n-1 >= len(types) || !casts.Can(i.Arg(n).Type, types[n-1]) {
			return false
		}
		if p := facts.Param(i, n); r.OSSA && r.own.KindOf(i.Arg(n)) == ownership.KindOwned && (p == nil || p.Conv != ir.ParamDirectOwned) {
			return false // a cast would hand the value on
		}
	}
	vs := rewrite.Values(i)
	vs[0] = fn
	for n := first; n < len(vs); n++ {
		vs[n] = casts.Cast(r.Before(i), vs[n], types[n-1])
		r.Push(vs[n].Inst())
	}
	aux := *i.Aux.(*ir.ApplyAux)
	aux.Fn = fn.Type
	by := &ir.Inst{Op: i.Op, Aux: &aux, Types: i.Types}
	by.Quals = i.Quals.Without(op.QualNothrow)
	if is.Error != nil {
		by.Quals = by.Quals.With(op.QualNothrow)
	}
	if i.Op == op.TryApply {
		return r.tryInstead(i, by, vs...)
	}
	if result == nil {
		return r.instead(i, by, vs...)
	}
	call := r.emit(i, by, vs...).Results[0]
	call.Type = result
	v := casts.Cast(r.Before(i), call, i.Results[0].Type)
	r.Push(v.Inst())
	return r.replace(i, v)
}

// callThin calls the thin function behind a thick one.
func (r *Combiner) callThin(i *ir.Inst, fn *ir.Value) bool {
	aux := *i.Aux.(*ir.ApplyAux)
	if fn.Type.Kind != ir.KindFunction || fn.Type.Func.Pattern != nil && fn.Type.Func.Generic != nil {
		return false
	}
	if sig := fn.Type.Func.Generic; sig == nil && len(aux.Subs) > 0 || sig != nil && len(sig.Params) != len(aux.Subs) {
		return false
	}
	aux.Fn = fn.Type
	vs := rewrite.Values(i)
	vs[0] = fn
	by := &ir.Inst{Op: i.Op, Quals: i.Quals, Aux: &aux, Types: i.Types}
	if i.Op == op.Apply && fn.Type.Func.Error != nil {
		by.Quals = by.Quals.With(op.QualNothrow) // the thick type promised it
	}
	return r.instead(i, by, vs...)
}
