package combine

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// thunkedFunction returns the function that a reabstraction thunk was applied to, nil when v is no such closure.
func thunkedFunction(v *ir.Value) *ir.Value {
	i := facts.DefinedBy(v, op.PartialApply)
	if i == nil || len(i.Operands) != 2 || i.Has(op.QualOnStack) || i.Arg(1).Type.Kind != ir.KindFunction {
		return nil
	}
	if f := facts.StaticCallee(i); f == nil || !f.Attrs.Has(ir.AttrReabstractionThunk) {
		return nil
	}
	return i.Arg(1)
}

// closureUses are what is done with a closure, also with what convert_escape_to_noescape and mark_dependence make of it.
type closureUses struct {
	calls  []*ir.Inst // where it is called
	counts []*ir.Inst // retains, releases, deallocations, debug_values
	views  []*ir.Inst // conversions, outer ones first
	other  bool       // anything else
}

// usesOfClosure sorts the uses of a closure, and those of its copies, borrows and conversions.
func usesOfClosure(v *ir.Value, found *closureUses) {
	for u := range v.Uses() {
		switch i := u.User(); i.Op {
		case op.BeginBorrow:
			if i.Has(op.QualLexical) {
				found.other = true
			}
			found.views = append(found.views, i)
			usesOfClosure(i.Results[0], found)
		case op.ConvertEscapeToNoescape, op.CopyValue:
			found.views = append(found.views, i)
			usesOfClosure(i.Results[0], found)
		case op.MarkDependence:
			if i.Arg(0) != v || i.Arg(1) == v {
				found.other = true
				continue
			}
			found.views = append(found.views, i)
			usesOfClosure(i.Results[0], found)
		case op.Apply, op.TryApply:
			if !callsOnly(i, v) {
				found.other = true
				continue
			}
			found.calls = append(found.calls, i)
		default:
			if facts.IsCountOrEnd(i) || facts.IsDebug(i) {
				found.counts = append(found.counts, i)
			} else {
				found.other = true
			}
		}
	}
}

// callsOnly reports whether a call calls v and does not pass it too.
func callsOnly(call *ir.Inst, v *ir.Value) bool {
	for n := 1; n < len(call.Operands); n++ {
		if call.Arg(n) == v {
			return false
		}
	}
	return call.Arg(0) == v && len(call.Aux.(*ir.ApplyAux).Subs) == 0
}

// The rules for closures: one that is called where it is made need not be made.

// partialApply turns a closure without captures into a thick function, and calls of a closure into calls of its function.
func (r *Combiner) partialApply(i *ir.Inst) bool {
	v := i.Results[0]
	if len(i.Operands) == 1 && !i.Has(op.QualOnStack) && i.Arg(0).Type.Kind == ir.KindFunction && i.Arg(0).Type.Func.Generic == nil &&
		i.Arg(0).Type.Func.Convention == ir.RepThin && len(i.Aux.(*ir.ApplyAux).Subs) == 0 {
		return r.instead(i, &ir.Inst{Op: op.ThinToThickFunction, Types: []*ir.Type{v.Type}}, i.Arg(0))
	}
	if inner := thunkedFunction(v); inner != nil {
		if f := thunkedFunction(inner); f != nil && f.Type == v.Type && inner.FirstUse().NextUse() == nil {
			r.replace(i, f)
			r.erase(inner.Inst())
			return true
		}
	}
	if r.OSSA {
		return r.foldClosure(i)
	}
	changed := r.callDirectly(i)
	return r.deadClosure(i) || changed
}

// foldClosure calls the function of a closure wherever the closure is called, in ownership form, with copies of what was captured that
// live as long as the closure and its copies did; sil-combine makes none for a closure that is only called, as it would remove them
// again. A closure that is not used otherwise is removed.
func (r *Combiner) foldClosure(closure *ir.Inst) bool {
	var found closureUses
	usesOfClosure(closure.Results[0], &found)
	var users []*ir.Inst
	for _, i := range found.counts {
		if !facts.IsDebug(i) {
			users = append(users, i)
		}
	}
	users = append(users, found.calls...)
	way, ok := rewrite.RegionOf(r.preds, closure.Next(), users)
	if !ok || len(users) == 0 {
		return false
	}
	keeps := r.keepDebug && hasDebugUses(closure.Results[0])
	marked := slices.ContainsFunc(found.views, func(i *ir.Inst) bool { return i.Op == op.MarkDependence })
	copied := r.simplifying || found.other
	if len(found.calls) > 0 && !r.callFunction(closure, &found, way, copied, keeps) {
		return false
	}
	if found.other || marked && (len(found.calls) == 0 || closure.Has(op.QualOnStack)) || keeps {
		return len(found.calls) > 0
	}
	if len(found.calls) == 0 && !closure.Has(op.QualOnStack) && !r.captureInMemory(closure, rewrite.Values(closure)[1:], &found, false) {
		return false
	}
	if !r.destroyCaptured(closure, way, copied && len(found.calls) > 0) {
		return len(found.calls) > 0
	}
	r.eraseWithUsers(closure)
	return true
}

// callFunction makes the calls of a closure calls of its function, with copies of what was captured if need be; way is where the closure
// is used.
func (r *Combiner) callFunction(closure *ir.Inst, found *closureUses, way rewrite.Region, copied, keeps bool) bool {
	captured := rewrite.Values(closure)[1:]
	onStack := closure.Has(op.QualOnStack)
	for n, v := range captured {
		p := facts.Param(closure, n+1)
		if p == nil || onStack && (p.Conv == ir.ParamDirectOwned || p.Conv == ir.ParamIn) || facts.IsMoveOnly(r.Context.Module, v.Type.Object()) {
			return false
		}
	}
	if !onStack && !r.captureInMemory(closure, captured, found, keeps) {
		return false
	}
	for n, v := range captured {
		if !copied || onStack || v.Type.IsAddress() || r.own.KindOf(v) == ownership.KindNone {
			continue
		}
		captured[n] = r.emit(closure, &ir.Inst{Op: op.CopyValue}, v).Results[0]
	}
	for _, call := range found.calls {
		r.callWith(closure, captured, call)
	}
	for n, v := range captured {
		if v != closure.Arg(n+1) && !v.Type.IsAddress() {
			r.destroyAtEnds(v, way)
		}
	}
	return true
}

// destroyCaptured destroys what a closure that goes has captured: right there when its calls have copies of it, else where its life ended.
// false says that it captured memory that it owns.
func (r *Combiner) destroyCaptured(closure *ir.Inst, way rewrite.Region, copied bool) bool {
	if closure.Has(op.QualOnStack) {
		return true
	}
	if r.ownsMemory(closure) {
		return false
	}
	for n := 1; n < len(closure.Operands); n++ {
		switch v := closure.Arg(n); {
		case v.Type.IsAddress() || r.own.KindOf(v) != ownership.KindOwned:
		case copied:
			r.emit(closure, &ir.Inst{Op: op.DestroyValue}, v)
		default:
			r.destroyAtEnds(v, way)
		}
	}
	return true
}

// destroyAtEnds destroys a value at the ends of a region that lead out of the function.
func (r *Combiner) destroyAtEnds(v *ir.Value, way rewrite.Region) {
	for _, end := range way.Ends {
		if end.User == nil && r.leadsNowhere(end.Before.Block()) {
			continue
		}
		at := end.Before
		for at.Block() == nil {
			at = at.Next()
		}
		r.emit(at, &ir.Inst{Op: op.DestroyValue}, v)
	}
}

// callDirectly calls the function of a closure with the captured values where the closure is called:
//
//	%2 = partial_apply [callee_guaranteed] %f(%1)
//	%3 = apply %2(%0)                              →  %3 = apply %f(%0, %1)
//
// Memory that was captured goes to a temporary, which lives as long as the closure did. What a closure that is not only called captured
// lives while it is called; the compiler retains it all the same.
func (r *Combiner) callDirectly(closure *ir.Inst) bool {
	var found closureUses
	usesOfClosure(closure.Results[0], &found)
	if len(found.calls) == 0 {
		return false
	}
	captured := rewrite.Values(closure)[1:]
	if closure.Has(op.QualOnStack) {
		for n := range captured {
			if p := facts.Param(closure, n+1); p == nil || p.Conv == ir.ParamDirectOwned || p.Conv == ir.ParamIn {
				return false
			}
		}
	} else if !r.captureInMemory(closure, captured, &found, false) {
		return false
	}
	for _, call := range found.calls {
		r.callWith(closure, captured, call)
	}
	return true
}

// captureInMemory moves captured memory to temporaries and puts those into the list; false when that can't be done. For a closure that is kept
// it is copied.
func (r *Combiner) captureInMemory(closure *ir.Inst, captured []*ir.Value, found *closureUses, keeps bool) bool {
	var slots []int
	for n, v := range captured {
		if !v.Type.IsAddress() {
			continue
		}
		p := facts.Param(closure, n+1)
		if p == nil {
			return false
		}
		switch p.Conv {
		case ir.ParamInout, ir.ParamInoutAliasable:
			continue
		case ir.ParamIn, ir.ParamInGuaranteed:
			slots = append(slots, n)
		default:
			return false
		}
	}
	if len(slots) == 0 {
		return true
	}
	if found.other {
		return false
	}
	way, ok := rewrite.RegionOf(r.preds, closure.Next(), append(append([]*ir.Inst(nil), found.calls...), found.counts...))
	if !ok {
		return false
	}
	if closure.Results[0].Type.Func.Callee != ir.CalleeOwned {
		if _, alone := rewrite.RegionOf(r.preds, closure.Next(), found.counts); !alone || len(found.counts) == 0 {
			return false
		}
	}
	for _, n := range slots {
		v := captured[n]
		slot := r.emit(closure, &ir.Inst{Op: op.AllocStack, Types: []*ir.Type{v.Type.Object()}}).Results[0]
		quals := op.QualsOf(op.QualTake, op.QualInit)
		if keeps || r.Types.IsTrivial(v.Type.Object()) {
			quals = quals.Without(op.QualTake)
		}
		r.emit(closure, &ir.Inst{Op: op.CopyAddr, Quals: quals}, v, slot)
		captured[n] = slot
		if !keeps {
			closure.Operands[n+1].Set(slot)
			if r.ownSlots == nil {
				r.ownSlots = map[*ir.Value]bool{}
			}
			r.ownSlots[slot] = true
		}
	}
	for _, end := range way.Ends {
		for _, n := range slots {
			r.emit(end.Before, &ir.Inst{Op: op.DestroyAddr}, captured[n])
		}
		for _, n := range slices.Backward(slots) {
			r.emit(end.Before, &ir.Inst{Op: op.DeallocStack}, captured[n])
		}
	}
	r.unnested = true
	return true
}

// callWith makes a call of a closure one of its function.
func (r *Combiner) callWith(closure *ir.Inst, captured []*ir.Value, call *ir.Inst) {
	aux := *closure.Aux.(*ir.ApplyAux)
	aux.OnStack = false
	vs := append([]*ir.Value{closure.Arg(0)}, rewrite.Values(call)[1:]...)
	var slots []*ir.Value
	for n, v := range captured {
		p := facts.Param(closure, n+1)
		if p != nil && p.Conv == ir.ParamIn && v.Type.IsAddress() {
			slot := r.emit(call, &ir.Inst{Op: op.AllocStack, Types: []*ir.Type{v.Type.Object()}}).Results[0]
			r.emit(call, &ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualInit)}, v, slot)
			v, slots = slot, append(slots, slot)
		} else if p == nil || p.Conv == ir.ParamDirectOwned {
			if r.OSSA {
				v = r.emit(call, &ir.Inst{Op: op.CopyValue}, v).Results[0]
			} else {
				r.CopyValue(r.Before(call), v)
			}
		}
		vs = append(vs, v)
	}
	v := call.Arg(0)
	owned := v.Type.Func.Callee == ir.CalleeOwned && !r.OSSA
	after := func(at *ir.Inst) {
		for _, slot := range slots {
			r.emit(at, &ir.Inst{Op: op.DeallocStack}, slot)
		}
		if owned {
			r.emit(at, &ir.Inst{Op: op.StrongRelease}, v)
		}
	}
	by := &ir.Inst{Op: call.Op, Quals: call.Quals, Aux: &aux, Types: call.Types}
	if call.Op == op.Apply {
		next := call.Next()
		r.instead(call, by, vs...)
		after(next)
		return
	}
	by.Succs = append([]ir.Edge(nil), call.Succs...)
	for n := range by.Succs {
		by.Succs[n] = ir.Edge{To: call.Succs[n].To}
	}
	r.terminator(call, by, vs...)
	for _, e := range by.Succs {
		after(e.To.First())
	}
}

// deadClosure removes a closure that is only retained and released; what it captured is released where its life ended.
func (r *Combiner) deadClosure(closure *ir.Inst) bool {
	var found closureUses
	usesOfClosure(closure.Results[0], &found)
	if found.other || len(found.calls) > 0 {
		return false
	}
	var captured []*ir.Value
	for n := 1; n < len(closure.Operands); n++ {
		if x := closure.Arg(n); !closure.Has(op.QualOnStack) && !x.Type.IsAddress() && !r.Types.IsTrivial(x.Type) {
			captured = append(captured, x)
		}
	}
	var way rewrite.Region
	if len(captured) > 0 {
		var users []*ir.Inst
		for _, i := range found.counts {
			if !facts.IsDebug(i) {
				users = append(users, i)
			}
		}
		var ok bool
		if way, ok = rewrite.RegionOf(r.preds, closure.Next(), users); !ok || len(users) == 0 {
			return false
		}
	}
	if !closure.Has(op.QualOnStack) && r.ownsMemory(closure) && !r.captureInMemory(closure, rewrite.Values(closure)[1:], &found, false) {
		return false
	}
	for _, end := range way.Ends {
		if end.User == nil && r.leadsNowhere(end.Before.Block()) {
			continue
		}
		for _, x := range captured {
			b := r.Before(end.Before)
			b.Loc, b.Scope = closure.Loc, closure.Scope
			r.DestroyValue(b, x)
			r.Push(end.Before.Prev())
		}
	}
	r.eraseWithUsers(closure)
	return true
}

// ownsMemory reports whether a closure captured something at an address that is destroyed with the closure.
func (r *Combiner) ownsMemory(closure *ir.Inst) bool {
	for n := 1; n < len(closure.Operands); n++ {
		if closure.Arg(n).Type.IsAddress() && !r.isOwnSlot(closure, closure.Arg(n), n) {
			return true
		}
	}
	return false
}

func (r *Combiner) leadsNowhere(b *ir.Block) bool {
	dead := r.Context.DeadEnds(r.Func)
	return b.Index < len(dead) && dead[b.Index]
}

// isOwnSlot reports whether what a closure captured at an address is not the closure's to destroy: a variable that it shares, or a temporary
// that captureInMemory made, which is destroyed where the closure was.
func (r *Combiner) isOwnSlot(closure *ir.Inst, x *ir.Value, n int) bool {
	p := facts.Param(closure, n)
	if p == nil || p.Conv == ir.ParamInout || p.Conv == ir.ParamInoutAliasable {
		return p != nil
	}
	return r.ownSlots[x]
}
