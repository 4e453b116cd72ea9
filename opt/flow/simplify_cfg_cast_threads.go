package flow

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
)

// Casts of which an earlier cast of the same value to the same type tells the outcome:
//
//	bb0: checked_cast_br C in %0 to D, bb1, bb2
//	bb1: … br bb3                                     bb1: … br (where the second goes on success)
//	bb2: … br bb3                                →    bb2: … br (where it goes on failure)
//	bb3: checked_cast_br C in %0 to D, bb4, bb5
//
// The block of the second cast is copied into those that come from the first one. (The compiler's checked cast jump threading.)

// threadCasts sends every path on whose first cast says how the second one ends, and reports whether there was one.
func (s *CFGSimplifier) threadCasts() bool {
	changed := false
	dom := s.c.Dominators(s.f)
	for _, b := range append([]*ir.Block(nil), s.f.Blocks...) {
		cast := b.Terminator()
		if cast == nil || cast.Op != op.CheckedCastBr || s.removed[b] || !dom.IsReachable(b) {
			continue
		}
		first := s.earlierCast(dom, cast)
		if first == nil || !s.threadCast(first, cast) {
			continue
		}
		changed = true
		s.removeUnreachable()
		s.c.Changed(s.f)
		dom = s.c.Dominators(s.f)
		s.dom = dom
	}
	return changed
}

// earlierCast finds a cast that dominates another one and does the same.
func (s *CFGSimplifier) earlierCast(dom *cfg.Dominators, cast *ir.Inst) *ir.Inst {
	for d := dom.Idom(cast.Block()); d != nil; d = dom.Idom(d) {
		t := d.Terminator()
		if t.Op == op.CheckedCastBr && t.Arg(0) == cast.Arg(0) && t.Quals == cast.Quals && slices.Equal(t.Types, cast.Types) &&
			len(t.Succs) == 2 && len(cast.Succs) == 2 && len(t.Succs[0].To.Args) == 1 && len(cast.Succs[0].To.Args) == 1 &&
			s.preds.Single(t.Succs[0].To) != nil && s.preds.Single(t.Succs[1].To) != nil {
			return t
		}
	}
	return nil
}

// threadCast sends the paths to the second cast on by the outcome of the first; those that have both after them keep it.
func (s *CFGSimplifier) threadCast(first, cast *ir.Inst) bool {
	b := cast.Block()
	outcome := func(b *ir.Block) int {
		for n := range first.Succs {
			if s.dom.Dominates(first.Succs[n].To, b) {
				return n
			}
		}
		return -1
	}
	if n := outcome(b); n >= 0 {
		s.goOn(first, cast, n)
		return true
	}
	for i := range b.Insts() {
		if i != cast && !canClone(i) || i.Op == op.AllocStack || i.Op == op.DeallocStack {
			return false
		}
	}
	if s.loopHeaders[b] {
		return false
	}
	known := map[*ir.Inst]int{}
	for _, e := range s.preds.Edges(b) {
		n := outcome(e.Term.Block())
		if n >= 0 && e.Term.Op != op.Br {
			return false
		}
		if n >= 0 {
			known[e.Term] = n
		}
	}
	if len(known) == 0 {
		return false
	}
	edges := append([]cfg.InEdge(nil), s.preds.Edges(b)...)
	for k, e := range edges {
		n, ok := known[e.Term]
		switch {
		case !ok:
		case k == len(edges)-1 && len(known) == len(edges):
			s.goOn(first, cast, n) // the last way keeps the block itself
		default:
			clone := s.cloneTarget(e.Term)
			s.goOn(first, clone.Last(), n)
			s.work.Push(clone)
		}
	}
	return true
}

// goOn replaces a cast by a branch to where it goes with outcome n, 0 for success.
func (s *CFGSimplifier) goOn(first, cast *ir.Inst, n int) {
	to, other := cast.Succs[n].To, cast.Succs[1-n].To
	var args []*ir.Value
	if n == 0 {
		args = append(args, first.Succs[0].To.Args[0])
	}
	s.work.Push(cast.Block())
	s.takeEdge(cast, to, other, args...)
}
