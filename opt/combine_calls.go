package opt

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// The rules for calls, closures and builtins.

// apply calls what a function was made from.
func (r *combiner) apply(i *ir.Inst) bool {
	callee := i.Arg(0)
	if c := definedBy(callee, op.ConvertEscapeToNoescape); c != nil {
		callee = c.Arg(0)
	}
	if r.deadCall(i) {
		return true
	}
	if t := definedBy(callee, op.ThinToThickFunction); t != nil {
		return r.callThin(i, t.Arg(0))
	}
	if c := definedBy(i.Arg(0), op.ConvertFunction); c != nil && definedBy(c.Arg(0), op.FunctionRef) != nil {
		return r.callConverted(i, c.Arg(0))
	}
	if w := definedBy(i.Arg(0), op.WitnessMethod); w != nil && !r.ossa {
		return r.callConcrete(i, w)
	}
	return false
}

// callConverted calls a function itself instead of what convert_function makes of it, with arguments cast to what it takes.
func (r *combiner) callConverted(i *ir.Inst, fn *ir.Value) bool {
	was, is := i.Arg(0).Type.Func, fn.Type.Func
	if is == nil || is.Generic != nil || len(i.Aux.(*ir.ApplyAux).Subs) > 0 || len(was.Params) != len(is.Params) || len(was.Results) != len(is.Results) {
		return false
	}
	for n := range is.Results {
		if was.Results[n].Type != is.Results[n].Type {
			return false
		}
	}
	d := &devirtualization{c: r.c, mod: r.c.Module}
	first := 1 + facts.IndirectResults(is)
	types := r.c.Module.ArgumentTypes(is, nil)
	for n := first; n < len(i.Operands); n++ {
		if n-1 >= len(types) || !d.canCast(i.Arg(n).Type, types[n-1]) {
			return false
		}
		if p := facts.Param(i, n); r.ossa && r.own.KindOf(i.Arg(n)) == facts.KindOwned && (p == nil || p.Conv != ir.ParamDirectOwned) {
			return false // a cast would hand the value on
		}
	}
	vs := values(i)
	vs[0] = fn
	for n := first; n < len(vs); n++ {
		vs[n] = d.cast(r.before(i), vs[n], types[n-1])
		r.push(vs[n].Inst())
	}
	aux := *i.Aux.(*ir.ApplyAux)
	aux.Fn = fn.Type
	return r.instead(i, &ir.Inst{Op: i.Op, Quals: i.Quals, Aux: &aux, Types: i.Types}, vs...)
}

// callThin calls the thin function behind a thick one.
func (r *combiner) callThin(i *ir.Inst, fn *ir.Value) bool {
	aux := *i.Aux.(*ir.ApplyAux)
	if fn.Type.Kind != ir.KindFunction || fn.Type.Func.Generic != nil || len(aux.Subs) > 0 {
		return false
	}
	aux.Fn = fn.Type
	vs := values(i)
	vs[0] = fn
	by := &ir.Inst{Op: i.Op, Quals: i.Quals, Aux: &aux, Types: i.Types}
	return r.instead(i, by, vs...)
}
