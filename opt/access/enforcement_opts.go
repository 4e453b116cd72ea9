package access

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// AccessEnforcementOpts makes checks of accesses at run time cheaper (docs/SIL.rst, begin_access; the compiler's AccessEnforcementOpts describes the
// algorithm). An access inside of which no other one can conflict is marked; if all accesses to a local variable are, they need no check. Two
// accesses of the same kind to the same variable become one when nothing that lies in between can conflict.
//
//	%1 = begin_access [read] [dynamic] %0        %1 = begin_access [read] [dynamic] [no_nested_conflict] %0
//	end_access %1
//	%2 = begin_access [read] [dynamic] %0   ⇒    …  %1 in place of %2
//	end_access %2                                end_access %1
var AccessEnforcementOpts = &pass.Pass{
	Name: "access-enforcement-opts",
	Doc:  "Marks accesses without conflicts inside, makes those of local variables static, and merges accesses",
	Module: func(c *pass.Context) bool {
		calls := &facts.FormalAccessAnalysis{Program: c.Program(nil)}
		changed := false
		for _, component := range pass.BottomUp(c.Program(nil)) {
			for _, f := range component {
				if len(f.Blocks) > 0 {
					o := &accessOptimizer{c: c, f: f, p: c.Program(f), calls: calls}
					changed = o.run() || changed
				}
			}
		}
		return changed
	},
}

// maxOptimizedAccesses is the number of checked accesses above which a function is left alone: what is known at a block may list them all.
const maxOptimizedAccesses = 1000

// accessOptimizer is the pass on one function.
type accessOptimizer struct {
	c     *pass.Context
	f     *ir.Function
	p     *facts.Program
	calls *facts.FormalAccessAnalysis

	list    []*ir.Inst // the accesses that are checked at run time
	storage map[*ir.Inst]*facts.AccessStorage
	heap    map[*ir.Inst]bool // a deinit may access the variable
	effects map[*ir.Inst]*facts.FormalAccesses
	nested  map[*ir.Inst]bool // another access inside may conflict
	pairs   [][2]*ir.Inst     // accesses that can be merged
}

func (o *accessOptimizer) run() bool {
	o.storage, o.heap = map[*ir.Inst]*facts.AccessStorage{}, map[*ir.Inst]bool{}
	o.effects, o.nested = map[*ir.Inst]*facts.FormalAccesses{}, map[*ir.Inst]bool{}
	for i := range o.f.Insts() {
		if isCheckedAccess(i) {
			s := o.p.AccessStorage(i.Arg(0))
			o.list = append(o.list, i)
			o.storage[i], o.heap[i] = &s, o.mayDeinitAccess(&s)
		}
	}
	if len(o.list) == 0 {
		return false
	}
	if len(o.list) > maxOptimizedAccesses {
		o.c.Missed(o.f, o.list[0], "left %d accesses alone", len(o.list))
		return false
	}
	solveAccesses(o.c, o.f, o.visit)
	changed := o.mark()
	changed = o.makeStatic() || changed
	return o.merge() || changed
}

// mayDeinitAccess reports whether a deinit may access the variable: it is no argument that nobody else accesses, and no box that stays in the function.
// The compiler thinks of properties and globals only.
func (o *accessOptimizer) mayDeinitAccess(s *facts.AccessStorage) bool {
	switch s.Kind {
	case facts.BaseStack:
		return false
	case facts.BaseArgument:
		return !s.IsIdentified()
	case facts.BaseBox:
		box := s.Root.Inst()
		return box == nil || box.Op != op.AllocBox || len(newBoxEscapes(box).insts) > 0
	}
	return true
}

// visit goes over one instruction; last says that what can be merged is noted.
func (o *accessOptimizer) visit(s *openAccesses, i *ir.Inst, last bool) {
	switch {
	case isCheckedAccess(i):
		o.begin(s, i, o.storage[i], last)
		s.begin(i)
	case i.Op == op.BeginUnpairedAccess && i.Has(op.QualDynamic):
		storage := o.p.AccessStorage(i.Arg(0))
		o.begin(s, i, &storage, false)
	case i.Op == op.EndAccess:
		if begin := i.Arg(0).Inst(); s.end(begin) {
			s.closed = append(o.distinct(s.closed, o.storage[begin]), begin)
		}
	case facts.IsFullApply(i):
		o.call(s, i)
	case o.p.MayRelease(i):
		o.conflict(s, func(a *ir.Inst) bool { return o.heap[a] })
		s.closed = slices.DeleteFunc(s.closed, func(a *ir.Inst) bool { return o.heap[a] })
	}
}

// conflict notes the open accesses that conflict with what comes next.
func (o *accessOptimizer) conflict(s *openAccesses, conflicts func(a *ir.Inst) bool) {
	for _, a := range s.open {
		o.nested[a] = o.nested[a] || conflicts(a)
	}
}

// distinct leaves of a list the accesses that can't be to the storage.
func (o *accessOptimizer) distinct(list []*ir.Inst, storage *facts.AccessStorage) []*ir.Inst {
	return slices.DeleteFunc(list, func(a *ir.Inst) bool { return !o.storage[a].IsDistinct(storage) })
}

func mayConflict(a, b facts.AccessKind) bool { return a != facts.AccessRead || b != facts.AccessRead }

// begin goes over the beginning of an access; pair reports whether what it can be merged with is noted.
func (o *accessOptimizer) begin(s *openAccesses, i *ir.Inst, storage *facts.AccessStorage, pair bool) {
	kind := facts.AccessKindOf(i)
	o.conflict(s, func(a *ir.Inst) bool {
		return mayConflict(facts.AccessKindOf(a), kind) && !o.storage[a].IsDistinct(storage)
	})
	if pair {
		for _, a := range s.closed {
			if facts.AccessKindOf(a) == kind && o.storage[a].IsSame(storage) && o.isSameAddress(a, i) {
				o.pairs = append(o.pairs, [2]*ir.Inst{a, i})
				break
			}
		}
	}
	s.closed = o.distinct(s.closed, storage)
}

// isSameAddress reports whether two accesses to the same variable are to the same part of it. The compiler doesn't ask, and
// then reads one part for the other.
func (o *accessOptimizer) isSameAddress(a, b *ir.Inst) bool {
	if a.Arg(0) == b.Arg(0) {
		return true
	}
	return a.Result().Type == b.Result().Type && o.storage[a].IsSamePart(o.storage[b])
}

// call goes over a call.
func (o *accessOptimizer) call(s *openAccesses, i *ir.Inst) {
	all := o.effects[i]
	if all == nil {
		all = o.calls.OfCall(i)
		o.effects[i] = all
	}
	if all.Unidentified != facts.AccessNone {
		o.conflict(s, func(a *ir.Inst) bool { return mayConflict(facts.AccessKindOf(a), all.Unidentified) })
		s.closed = nil
	}
	for n := range all.List {
		x := &all.List[n]
		o.conflict(s, func(a *ir.Inst) bool {
			return mayConflict(facts.AccessKindOf(a), x.Kind) && !o.storage[a].IsDistinct(&x.Storage)
		})
		s.closed = o.distinct(s.closed, &x.Storage)
	}
}

// mark marks the accesses without conflicts inside.
func (o *accessOptimizer) mark() bool {
	changed := false
	for _, i := range o.list {
		if !o.nested[i] && !i.Has(op.QualNoNestedConflict) {
			i.Quals = i.Quals.With(op.QualNoNestedConflict)
			o.c.Passed(o.f, i, "marked an access without a conflict inside")
			changed = true
		}
	}
	return changed
}

// makeStatic checks the accesses to local variables statically of which none, here or in closures that the function calls, has a conflict inside.
func (o *accessOptimizer) makeStatic() bool {
	isCandidate := func(i *ir.Inst) bool { return !o.nested[i] && o.storage[i].IsLocal() }
	if !slices.ContainsFunc(o.list, isCandidate) {
		return false
	}
	analysis := facts.FormalAccessAnalysis{Program: o.p}
	all := analysis.Of(o.f)
	if all.Unidentified != facts.AccessNone {
		return false
	}
	changed := false
	for _, i := range o.list {
		if x := all.Find(o.storage[i]); isCandidate(i) && x != nil && x.NoNestedConflict {
			changed = setEnforcement(i, op.QualStatic) || changed
		}
	}
	return changed
}

// merge makes one access of two.
func (o *accessOptimizer) merge() bool {
	became := map[*ir.Inst]*ir.Inst{}
	changed := false
	for _, pair := range o.pairs {
		first, second := pair[0], pair[1]
		if to := became[first]; to != nil {
			first = to
		}
		end := singleEnd(first)
		if o.f.IsOSSA() && first.Arg(0) != second.Arg(0) && o.p.AccessPath(first.Arg(0), 0).Reference() != nil {
			continue // the borrow of the object that the address lies in may end in between
		}
		if end == nil || singleEnd(second) == nil || first.Has(op.QualStatic) != second.Has(op.QualStatic) || !leadsTo(end, second, first) {
			continue
		}
		o.c.Passed(o.f, second, "merged an access with the one before")
		if !second.Has(op.QualNoNestedConflict) {
			first.Quals = first.Quals.Without(op.QualNoNestedConflict)
		}
		end.Remove()
		address := second.Arg(0)
		second.ReplaceWith(first.Result())
		(&rewrite.Eraser{}).EraseIfDead(address)
		became[second] = first
		changed = true
	}
	return changed
}

// singleEnd returns the end of an access that ends at one place, nil for others.
func singleEnd(access *ir.Inst) (end *ir.Inst) {
	for x := range access.Result().Uses() {
		if x.User().Op == op.EndAccess {
			if end != nil {
				return nil
			}
			end = x.User()
		}
	}
	return end
}

// leadsTo reports whether all paths from an instruction come to another one, and not to without before.
func leadsTo(from, to, without *ir.Inst) bool {
	return cfg.WalkPathsAfter(from, func(i *ir.Inst) cfg.Path {
		switch {
		case i == to:
			return cfg.EndPath
		case i == without, i.Op.IsTerminator() && len(i.Succs) == 0:
			return cfg.Fail
		}
		return cfg.Follow
	})
}
