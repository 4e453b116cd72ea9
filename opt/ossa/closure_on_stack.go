package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// rewriteToStack makes the partial_apply that is converted one on the stack, which borrows what it captures until the last use of the
// converted closure, which it returns; nil when it is no partial_apply, or is used in another way too.
func (x *closureFixup) rewriteToStack(cvt *ir.Inst) *ir.Value {
	outer := cvt.Arg(0).Inst()
	if outer == nil {
		return nil
	}
	made := outer
	if outer.Op == op.ConvertFunction {
		if made = outer.Arg(0).Inst(); made == nil || made.Result().FirstUse().NextUse() != nil {
			return nil
		}
	}
	if made.Op != op.PartialApply || facts.Callee(made) == nil {
		return nil
	}
	var counts []*ir.Inst
	only := false
	for u := range outer.Result().Uses() {
		switch i := u.User(); {
		case facts.IsDebug(i):
		case i.Op == op.CopyValue: // the copy may escape
			return nil
		case onlyCounts(i):
			counts = append(counts, i)
		case only:
			return nil
		default:
			only = true
		}
	}
	x.Context.Passed(x.Func, made, "made the closure on the stack")
	s := &stackClosure{closureFixup: x, borrowed: map[*ir.Value]bool{}}
	s.make(cvt, outer, made)
	for _, i := range counts {
		i.Remove()
	}
	rewrite.EraseDebugUses(cvt.Result(), nil)
	cvt.ReplaceWith(s.closure)
	cvt.Remove()
	outer.ReplaceWith(s.apply.Result())
	outer.Remove()
	if made != outer {
		rewrite.EraseDebugUses(made.Result(), nil)
		made.Remove()
	}
	s.freeLater()
	s.findEnds(s.closure)
	s.captureOriginals()
	for _, end := range s.ends {
		s.endCaptures(end)
	}
	s.free()
	return s.closure
}

// stackClosure is a closure that was put on the stack.
type stackClosure struct {
	*closureFixup
	apply    *ir.Inst   // the partial_apply
	closure  *ir.Value  // what is used
	ends     []*ir.Inst // where it ends
	borrowed map[*ir.Value]bool
	slots    []*ir.Value // whose deallocations have to be put back
}

// make emits the partial_apply in front of the conversion, and what depends on what it captures.
func (s *stackClosure) make(cvt, outer, made *ir.Inst) {
	b := s.Before(cvt)
	b.Loc = made.Loc
	args := []*ir.Value{made.Arg(0)}
	for n := 1; n < len(made.Operands); n++ {
		v := made.Arg(n)
		switch inner := v.Inst(); {
		case v.Type.IsAddress() || s.Types.IsTrivial(v.Type):
		case inner != nil && inner.Op == op.MoveonlywrapperToCopyable && inner.Has(op.QualOwned) && v.FirstUse().NextUse() == nil:
			v = rewrite.EmitQ(b, op.MoveonlywrapperToCopyable, op.QualGuaranteed, rewrite.Emit(b, op.BeginBorrow, inner.Arg(0)).Result()).Result()
		default:
			v = rewrite.Emit(b, op.BeginBorrow, v).Result()
		}
		args = append(args, v)
	}
	aux := *made.Aux.(*ir.ApplyAux)
	aux.OnStack = true
	s.apply = b.Emit(&ir.Inst{Op: op.PartialApply, Quals: made.Quals.With(op.QualOnStack), Types: made.Types, Aux: &aux}, args...)
	s.apply.Results[0].Type = noescape(b.Module.Types, made.Result().Type)
	s.closure = s.apply.Result()
	for _, v := range args[1:] {
		if i := v.Inst(); i != nil && (i.Op == op.BeginBorrow || i.Op == op.MoveonlywrapperToCopyable && i.Has(op.QualGuaranteed)) || s.Types.IsTrivial(v.Type.Object()) {
			continue
		}
		s.closure = rewrite.EmitQ(b, op.MarkDependence, op.QualNonescaping, s.closure, v).Result()
	}
	if outer != made {
		b.Loc = outer.Loc
		s.closure = b.Emit(&ir.Inst{Op: op.ConvertFunction, Types: []*ir.Type{noescape(b.Module.Types, outer.Result().Type)}}, s.closure).Result()
	}
}

// noescape returns the type of the same function as one that doesn't escape.
func noescape(types *ir.Types, t *ir.Type) *ir.Type {
	fn := *t.Func
	fn.Noescape = true
	return types.Function(&fn)
}

// inGuaranteed lists the operands that capture memory that the closure borrows.
func (s *stackClosure) inGuaranteed() (list []*ir.Operand) {
	for n := 1; n < len(s.apply.Operands); n++ {
		if p := facts.Param(s.apply, n); p != nil && p.Conv == ir.ParamInGuaranteed {
			list = append(list, &s.apply.Operands[n])
		}
	}
	return list
}

// slotOf looks through the wrapper of an address that may not be copied implicitly.
func slotOf(v *ir.Value) *ir.Value {
	if i := v.Inst(); i != nil && i.Op == op.MoveonlywrapperToCopyableAddr {
		return i.Arg(0)
	}
	return v
}

// freeLater removes the deallocations of captured memory, which raw SIL may have in front of the call.
func (s *stackClosure) freeLater() {
	for _, x := range s.inGuaranteed() {
		slot := slotOf(x.Value())
		if facts.DefinedBy(slot, op.AllocStack) == nil {
			continue
		}
		s.slots = append(s.slots, slot)
		for _, i := range rewrite.UsersWith(slot, op.DeallocStack) {
			i.Remove()
		}
	}
}

// findEnds finds where a closure ends: that of another one that it was captured by and that won't escape either counts as its own.
func (s *stackClosure) findEnds(v *ir.Value) {
	own := s.Ownership()
	for _, x := range v.UseList() {
		i := x.User()
		if own.KindOf(v) != ownership.KindOwned || !ownership.EndsLifetime(own.UseOf(x)) {
			continue
		}
		switch i.Op {
		case op.DestroyValue:
			s.ends = append(s.ends, i)
		case op.PartialApply:
			for i != nil && i.Op != op.ConvertEscapeToNoescape {
				i = onlyUser(i.Result())
			}
			if i != nil {
				s.findEnds(i.Result())
			}
		default:
			for _, r := range i.Results {
				s.findEnds(r)
			}
		}
	}
}

// captureOriginals lets the closure capture what a temporary was copied from that nothing changes while the closure lives. As in the compiler
// of 6.0 that is done for what can't be copied, where the move checker would take the copy for a use.
func (s *stackClosure) captureOriginals() {
	for _, x := range s.inGuaranteed() {
		slot := facts.DefinedBy(x.Value(), op.AllocStack)
		if slot == nil || !facts.IsMoveOnly(s.Context.Module, x.Value().Type.Object()) {
			continue
		}
		init, depends := s.initializationOf(slot)
		if init == nil || !s.staysAsCopied(init) {
			continue
		}
		from := init.Arg(0)
		x.Set(from)
		if depends != nil {
			depends.Operands[1].Set(from)
		}
		rewrite.EraseDebugUses(slot.Result(), nil)
		init.Remove()
		slot.Remove()
		s.borrowed[from] = true
	}
}

// initializationOf returns the copy that is all that is put into a slot, and the mark_dependence of the closure on the slot; nil when the slot is
// used in another way.
func (s *stackClosure) initializationOf(slot *ir.Inst) (init, depends *ir.Inst) {
	for x := range slot.Result().Uses() {
		switch i := x.User(); {
		case i == s.apply, facts.IsDebug(i):
		case i.Op == op.MarkDependence && x.Number() == 1 && s.dependsFor(i):
			depends = i
		case i.Op == op.CopyAddr && x.Number() == 1 && init == nil && !i.Has(op.QualTake) && i.Has(op.QualInit):
			init = i
		default:
			return nil, nil
		}
	}
	return init, depends
}

// dependsFor reports whether a mark_dependence is one of those that were made for the closure.
func (s *stackClosure) dependsFor(i *ir.Inst) bool {
	for i != nil && i.Op == op.MarkDependence {
		i = i.Arg(0).Inst()
	}
	return i == s.apply
}

// staysAsCopied reports whether what was copied stays as it is from the copy to the end of the closure.
func (s *stackClosure) staysAsCopied(init *ir.Inst) bool {
	live := ownership.NewLiveness(s.Preds)
	live.DefineAt(init)
	for _, end := range s.ends {
		live.Use(end, true)
	}
	uses := NewLiveUses(s.Ownership(), nil)
	users := uses.AddressUses(rootOf(init.Arg(0)))
	if len(uses.Escapes) > 0 || !isOwnMemory(rootOf(init.Arg(0))) {
		return false
	}
	for _, i := range users {
		if i != init && i != s.apply && live.Within(i) && s.Context.Program(s.Func).MayWriteTo(i, init.Arg(0)) {
			return false
		}
	}
	return true
}

// rootOf returns what an address was projected from.
func rootOf(v *ir.Value) *ir.Value {
	for v.Inst() != nil {
		i := v.Inst()
		n := 0
		for n < len(i.Operands) && !ownership.ProjectsAddress(i, n) {
			n++
		}
		if n == len(i.Operands) {
			return v
		}
		v = i.Arg(n)
	}
	return v
}

// isOwnMemory reports whether all that can write to an address uses it: it is of a slot, or of an argument.
func isOwnMemory(root *ir.Value) bool {
	if facts.DefinedBy(root, op.AllocStack) != nil {
		return true
	}
	switch facts.ParamConvOf(root) {
	case ir.ParamIn, ir.ParamInGuaranteed, ir.ParamInout:
		return true
	}
	return false
}

// endCaptures ends the borrows of what the closure captured, and what it captured, after the closure has ended.
func (s *stackClosure) endCaptures(end *ir.Inst) {
	b := s.After(end)
	b.Loc = s.apply.Loc
	for n := 1; n < len(s.apply.Operands); n++ {
		v := s.apply.Arg(n)
		if s.Types.IsTrivial(v.Type.Object()) {
			continue
		}
		if i := v.Inst(); i != nil && i.Op == op.MoveonlywrapperToCopyable && i.Has(op.QualGuaranteed) {
			v = i.Arg(0)
		}
		if i := v.Inst(); i != nil && i.Op == op.BeginBorrow {
			v = i.Arg(0)
			rewrite.Emit(b, op.EndBorrow, i.Result())
		}
		p := facts.Param(s.apply, n)
		switch {
		case s.borrowed[v] || s.Types.IsTrivial(v.Type.Object()) || p == nil || p.Conv == ir.ParamInout || p.Conv == ir.ParamInoutAliasable:
		case v.Type.IsAddress():
			rewrite.Emit(b, op.DestroyAddr, v)
		default:
			rewrite.Emit(b, op.DestroyValue, v)
		}
	}
}

// free frees captured memory after its last use in the blocks behind which it can't be used.
func (s *stackClosure) free() {
	dom := cfg.NewDominators(s.Func)
	if !dom.IsReachable(s.apply.Block()) {
		return
	}
	for _, slot := range s.slots {
		if s.borrowed[slot] || slot.Block() == nil && slot.Inst().Block() == nil {
			continue
		}
		home := slot.Inst().Block()
		uses := NewLiveUses(s.Ownership(), nil)
		used := map[*ir.Inst]bool{}
		for _, i := range uses.AddressUses(slot) {
			used[i] = true
		}
		escapes := slices.ContainsFunc(uses.Escapes, func(i *ir.Inst) bool {
			return !i.Has(op.QualOnStack) && !(i.Op == op.MarkDependence && s.dependsFor(i))
		})
		for _, b := range s.Func.Blocks {
			if !dom.IsReachable(b) || !dom.Dominates(home, b) || !isBoundary(dom, home, b) || b.Last().Op == op.Unreachable {
				continue
			}
			at := b.Last()
			for !escapes && at.Prev() != nil && !used[at.Prev()] {
				at = at.Prev()
			}
			rewrite.Emit(s.Before(at), op.DeallocStack, slot)
		}
	}
}

// isBoundary reports whether a block that home dominates is one behind which it dominates nothing.
func isBoundary(dom *cfg.Dominators, home, b *ir.Block) bool {
	for _, e := range b.Last().Succs {
		if e.To != home && dom.Dominates(home, e.To) {
			return false
		}
	}
	return true
}
