package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// StackPromotion puts objects on the stack that the function keeps to itself:
//
//	%0 = alloc_ref $C               %0 = alloc_ref [stack] $C
//	…                          ⇒    …
//	strong_release %0               strong_release %0
//	                                dealloc_stack_ref %0
var StackPromotion = &pass.Pass{
	Name:  "stack-promotion",
	Doc:   "Allocates objects on the stack that do not escape",
	Needs: [][]op.Op{{op.AllocRef, op.AllocRefDynamic}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		s := &promotion{c: c, f: f, p: c.Program(f), types: c.Types(f)}
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Op == op.AllocRef || i.Op == op.AllocRefDynamic {
					changed = s.promote(i) || changed
				}
			}
		}
		if changed {
			rewrite.FixStackNesting(f)
		}
		return changed
	},
}

// promotion is one run of the pass on a function.
type promotion struct {
	c     *pass.Context
	f     *ir.Function
	p     *facts.Program
	types *facts.Types
	dom   *cfg.Dominators
}

// promote puts the object of one allocation on the stack if it may; what it does not may free it anywhere on the way.
func (s *promotion) promote(alloc *ir.Inst) bool {
	if alloc.Has(op.QualObjc) || alloc.Has(op.QualStack) {
		return false
	}
	if s.p.HasIsolatedDeinit(alloc.Result().Type) {
		s.c.Missed(s.f, alloc, "kept the object on the heap: its deinit runs on the executor of an actor, perhaps later")
		return false
	}
	if s.escapes(alloc, nil) {
		s.c.Missed(s.f, alloc, "kept the object on the heap: it escapes")
		return false
	}
	if s.c.DeadEnds(s.f)[alloc.Block().Index] && !isInLoop(alloc.Block()) {
		alloc.Quals = alloc.Quals.With(op.QualStack) // its last release may be missing: it lives on
		s.c.Passed(s.f, alloc, "allocated the object on the stack")
		return true
	}
	s.dom = s.c.Dominators(s.f)
	inner, outer := s.ranges(alloc)
	switch {
	case len(inner.inserted) == 0: // it leaks
		return false
	case !outer.isValid():
		s.c.Missed(s.f, alloc, "kept the object on the heap: another object that holds it is allocated on several paths")
		return false
	case inner.leadsTo(outer):
		s.c.Missed(s.f, alloc, "kept the object on the heap: an object that outlives it holds it")
		return false
	}
	exits := inner.exits()
	dead := s.c.DeadEnds(s.f)
	for _, b := range exits {
		if !dead[b.Index] && len(s.dom.Preds[b.Index]) != 1 {
			s.c.Missed(s.f, alloc, "kept the object on the heap: its life ends on a critical edge")
			return false
		}
	}
	ends := inner.ends()
	for _, i := range ends {
		if i.Next() != nil {
			continue
		}
		for _, e := range i.Succs {
			if len(s.dom.Preds[e.To.Index]) != 1 {
				s.c.Missed(s.f, alloc, "kept the object on the heap: its life ends where another path joins")
				return false
			}
		}
	}
	for _, b := range exits {
		if !dead[b.Index] {
			rewrite.Emit(ir.At(s.c.Module, b.First()), op.DeallocStackRef, alloc.Result())
		}
	}
	for _, i := range ends {
		s.freeAfter(i, alloc)
	}
	alloc.Quals = alloc.Quals.With(op.QualStack)
	s.c.Passed(s.f, alloc, "allocated the object on the stack")
	return true
}

// isInLoop reports whether a path leads from a block back to it.
func isInLoop(b *ir.Block) bool {
	work := worklist.Of(b)
	for at := range work.All() {
		for _, e := range at.Last().Succs {
			if e.To == b {
				return true
			}
			work.Push(e.To)
		}
	}
	return false
}

// freeAfter frees the object after its last use.
func (s *promotion) freeAfter(i, alloc *ir.Inst) {
	if next := i.Next(); next != nil {
		b := &ir.Builder{Module: s.c.Module, Block: i.Block(), Before: next, Loc: alloc.Loc, Scope: alloc.Scope}
		rewrite.Emit(b, op.DeallocStackRef, alloc.Result())
		return
	}
	for _, e := range i.Succs {
		b := &ir.Builder{Module: s.c.Module, Block: e.To, Before: e.To.First(), Loc: alloc.Loc, Scope: alloc.Scope}
		rewrite.Emit(b, op.DeallocStackRef, alloc.Result())
	}
}

// escapes reports whether the object may get to where nobody can follow it; use is called for every use that is met.
func (s *promotion) escapes(alloc *ir.Inst, use func(o *ir.Operand)) bool {
	e := &facts.Escape{Program: s.p}
	if use != nil {
		e.Use = func(o *ir.Operand, _ effects.Path, _ bool) facts.UseAnswer {
			use(o)
			return facts.UseContinue
		}
	}
	return e.Escapes(alloc.Result(), 0)
}

// ranges finds where the object lives: inner is what the allocation dominates, outer all, with the objects that the object is put into.
func (s *promotion) ranges(alloc *ir.Inst) (inner, outer *blockRange) {
	top := alloc.Block()
	s.escapes(alloc, func(o *ir.Operand) {
		if b := o.Value().Block(); b != nil && s.dom.Dominates(b, top) {
			top = b
		}
	})
	inner, outer = s.newRange(alloc.Block()), s.newRange(top)
	inner.users = map[*ir.Inst]bool{}
	s.escapes(alloc, func(o *ir.Operand) {
		user := o.User()
		if s.dom.Dominates(inner.begin, user.Block()) {
			inner.users[user] = true
			inner.insert(user.Block())
		}
		outer.insert(user.Block())
		def := o.Value().Block()
		if def == nil {
			return
		}
		outer.insert(def)
		if o.Value().IsArg() {
			for _, p := range s.dom.Preds[def.Index] {
				outer.insert(p)
			}
		}
	})
	return inner, outer
}

// blockRange is the blocks from one that dominates to some that were put in.
type blockRange struct {
	begin     *ir.Block
	entry     *ir.Block
	preds     [][]*ir.Block // by Block.Index
	inclusive []*ir.Block   // with the ends
	in        map[*ir.Block]bool
	inner     map[*ir.Block]bool // without the ends
	inserted  []*ir.Block
	has       map[*ir.Block]bool
	users     map[*ir.Inst]bool // the instructions for which blocks were put in
}

func (s *promotion) newRange(begin *ir.Block) *blockRange {
	return &blockRange{begin: begin, entry: s.f.Entry(), preds: s.dom.Preds, inclusive: []*ir.Block{begin}, in: map[*ir.Block]bool{begin: true},
		inner: map[*ir.Block]bool{}, has: map[*ir.Block]bool{}}
}

// insert lets the range reach to b.
func (r *blockRange) insert(b *ir.Block) {
	if !r.has[b] {
		r.has[b] = true
		r.inserted = append(r.inserted, b)
	}
	if r.in[b] {
		return
	}
	r.in[b] = true
	for work := []*ir.Block{b}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		r.inclusive = append(r.inclusive, b)
		if b == r.begin {
			continue
		}
		for _, p := range r.preds[b.Index] {
			r.inner[p] = true
			if !r.in[p] {
				r.in[p] = true
				work = append(work, p)
			}
		}
	}
}

// isValid reports whether the first block dominates all.
func (r *blockRange) isValid() bool { return r.begin == r.entry || !r.in[r.entry] }

// leadsTo reports whether an edge leads from the range to a block that only the other one has.
func (r *blockRange) leadsTo(other *blockRange) bool {
	only := func(b *ir.Block) bool { return !r.in[b] && other.in[b] }
	for _, b := range r.inclusive {
		for _, e := range b.Last().Succs {
			if only(e.To) && e.To != other.begin {
				return true
			}
			if e.To != r.begin {
				continue
			}
			if slices.ContainsFunc(r.preds[r.begin.Index], only) {
				return true
			}
		}
	}
	return false
}

// exits lists the blocks after the range that none of its ends leads to.
func (r *blockRange) exits() []*ir.Block {
	var list []*ir.Block
	for _, b := range r.inclusive {
		if !r.inner[b] {
			continue
		}
		for _, e := range b.Last().Succs {
			if !r.in[e.To] || e.To == r.begin {
				list = append(list, e.To)
			}
		}
	}
	return list
}

// ends lists the last of the users in each block where the range ends.
func (r *blockRange) ends() []*ir.Inst {
	var list []*ir.Inst
	for _, b := range r.inserted {
		if r.inner[b] {
			continue
		}
		for i := range b.Backward() {
			if r.users[i] {
				list = append(list, i)
				break
			}
		}
	}
	return list
}
