package opt

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// The rules for calls, closures and builtins.

// apply calls what a function was made from.
func (r *combiner) apply(i *ir.Inst) bool {
	if r.ossa {
		return false
	}
	callee := i.Arg(0)
	if t := definedBy(callee, op.ThinToThickFunction); t != nil {
		return r.callThin(i, t.Arg(0))
	}
	return false
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

// partialApply turns a closure without captures into a thick function.
func (r *combiner) partialApply(i *ir.Inst) bool {
	v := i.Results[0]
	if len(i.Operands) == 1 && !i.Has("on_stack") && i.Arg(0).Type.Kind == ir.KindFunction && i.Arg(0).Type.Func.Generic == nil &&
		i.Arg(0).Type.Func.Convention == "thin" && len(i.Aux.(*ir.ApplyAux).Subs) == 0 {
		return r.instead(i, &ir.Inst{Op: op.ThinToThickFunction, Types: []*ir.Type{v.Type}}, i.Arg(0))
	}
	changed := r.callDirectly(i)
	return r.deadClosure(i) || changed
}

// callDirectly calls the function of a closure with the captured values where the closure is called:
//
//	%2 = partial_apply [callee_guaranteed] %f(%1)
//	%3 = apply %2(%0)                              →  %3 = apply %f(%0, %1)
func (r *combiner) callDirectly(closure *ir.Inst) bool {
	if closure.Has("on_stack") {
		return false
	}
	for n := 1; n < len(closure.Operands); n++ {
		if closure.Arg(n).Type.IsAddress() {
			return false
		}
	}
	changed := false
	v := closure.Results[0]
	for u, next := v.FirstUse(), (*ir.Operand)(nil); u != nil; u = next {
		next = u.NextUse()
		call := u.User()
		if call.Op != op.Apply || &call.Operands[0] != u || len(call.Aux.(*ir.ApplyAux).Subs) > 0 || v.Type.Func.Callee != ir.CalleeGuaranteed {
			continue
		}
		uses := 0
		for n := range call.Operands {
			if call.Arg(n) == v {
				uses++
			}
		}
		if uses != 1 {
			continue
		}
		aux := *closure.Aux.(*ir.ApplyAux)
		aux.OnStack = false
		vs := append([]*ir.Value{closure.Arg(0)}, values(call)[1:]...)
		for n := 1; n < len(closure.Operands); n++ {
			if p := facts.Param(closure, n); p == nil || p.Conv == ir.ParamDirectOwned {
				r.copyValue(r.before(call), closure.Arg(n))
			}
			vs = append(vs, closure.Arg(n))
		}
		r.instead(call, &ir.Inst{Op: op.Apply, Quals: call.Quals, Aux: &aux, Types: call.Types}, vs...)
		changed = true
		next = v.FirstUse()
	}
	return changed
}

// deadClosure removes a closure that is only retained and released; what it captured is released in the place of its last release.
func (r *combiner) deadClosure(closure *ir.Inst) bool {
	v := closure.Results[0]
	var releases, others []*ir.Inst
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		switch i := u.User(); i.Op {
		case op.StrongRelease, op.ReleaseValue:
			releases = append(releases, i)
		case op.StrongRetain, op.RetainValue, op.DebugValue:
			others = append(others, i)
		default:
			return false
		}
	}
	var captured []*ir.Value
	for n := 1; n < len(closure.Operands); n++ {
		switch x := closure.Arg(n); {
		case x.Type.IsAddress():
			return false
		case !r.ts.IsTrivial(x.Type):
			captured = append(captured, x)
		}
	}
	if len(captured) > 0 {
		if len(releases) != 1 {
			return false
		}
		for _, i := range others {
			if !isDebug(i) {
				return false
			}
		}
		for _, x := range captured {
			r.destroyValue(r.before(releases[0]), x)
		}
	}
	r.eraseWithUsers(closure)
	return true
}
