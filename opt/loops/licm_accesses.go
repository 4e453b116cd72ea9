package loops

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// sinkLifetimes moves each fix_lifetime of something from outside after the loop, if nothing in the loop releases.
func (h *loopHoister) sinkLifetimes(s *loopSummary) bool {
	if len(s.releasing) > 0 {
		return false
	}
	changed := false
	for _, i := range s.lifetimeFixers {
		if s.isInvariant(i) && slices.Contains(s.passed, i.Block()) {
			h.sink(s, []*ir.Inst{i})
			changed = true
		}
	}
	return changed
}

// sink replaces instructions that do the same by one at each exit of the loop.
func (h *loopHoister) sink(s *loopSummary, same []*ir.Inst) {
	for _, to := range h.leave(s) {
		n := rewrite.NewCloner(h.Context.Module).Inst(same[0])
		n.InsertBefore(to.First())
	}
	for _, i := range same {
		i.Remove()
	}
}

// hoistAccesses makes one access around the loop of accesses in it that nothing there can conflict with.
func (h *loopHoister) hoistAccesses(s *loopSummary) bool {
	if len(s.begins)*(len(s.begins)+len(s.calls)+len(s.releasing)) > maxLoopQuestions {
		return false
	}
	if h.split {
		h.findLoops()
	}
	var list []*ir.Inst
	for _, i := range s.begins {
		if slices.Contains(s.passed, i.Block()) && h.endsInside(s, i) && !h.mayConflict(s, i) {
			list = append(list, i)
		}
	}
	changed := false
	for _, i := range list {
		if !s.isInvariant(i) {
			continue
		}
		i.MoveBefore(s.to.Last())
		h.sink(s, ownership.EndAccesses(i))
		changed = true
	}
	return changed
}

// endsInside reports whether all ends of an access are in the loop.
func (h *loopHoister) endsInside(s *loopSummary, begin *ir.Inst) bool {
	ends := ownership.EndAccesses(begin)
	return len(ends) > 0 && !slices.ContainsFunc(ends, func(i *ir.Inst) bool { return !s.Has(i.Block()) })
}

// surrounds reports whether the loop lies inside of an access.
func (h *loopHoister) surrounds(s *loopSummary, begin *ir.Inst) bool {
	return !s.Has(begin.Block()) && !slices.ContainsFunc(ownership.EndAccesses(begin), func(i *ir.Inst) bool { return s.Has(i.Block()) })
}

// mayConflict reports whether something in the loop, outside of the access, may access the same storage in a way that excludes it.
func (h *loopHoister) mayConflict(s *loopSummary, begin *ir.Inst) bool {
	path := h.p.AccessPath(begin.Arg(0), 0)
	if path.Kind == facts.BaseUnidentified {
		return true
	}
	for _, i := range s.begins {
		if i != begin && !h.p.IsDistinct(path, h.p.AccessPath(i.Arg(0), 0)) {
			return true
		}
	}
	kind := facts.AccessKindOf(begin)
	for _, i := range s.calls {
		if h.callConflicts(path, kind, i) && !h.isCovered(begin, i) {
			return true
		}
	}
	switch path.Kind {
	case facts.BaseClass, facts.BaseTail, facts.BaseGlobal, facts.BasePointer: // a deinit may access it
		return slices.ContainsFunc(slices.Concat(s.releasing, s.calls), func(i *ir.Inst) bool { return !h.isCovered(begin, i) })
	}
	return false
}

// isCovered reports whether an instruction lies between the beginning and the ends of the access, in each iteration.
func (h *loopHoister) isCovered(begin, i *ir.Inst) bool {
	return h.Dominates(begin, i) && !slices.ContainsFunc(ownership.EndAccesses(begin), func(end *ir.Inst) bool { return !h.Dominates(i, end) })
}

// callConflicts reports whether a call may access the storage in a way that excludes an access of the kind.
func (h *loopHoister) callConflicts(path facts.AccessPath, kind facts.AccessKind, call *ir.Inst) bool {
	all := h.accesses.OfCall(call)
	excludes := func(k facts.AccessKind) bool {
		return k != facts.AccessNone && (k != facts.AccessRead || kind != facts.AccessRead)
	}
	if excludes(all.Unidentified) {
		return true
	}
	for _, x := range all.List {
		if excludes(x.Kind) && !h.p.IsDistinctStorage(path, &x.Storage) {
			return true
		}
	}
	return false
}
