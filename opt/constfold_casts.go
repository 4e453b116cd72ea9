package opt

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// foldCasts replaces the checked casts of a function of which the outcome is known: by what they give, by a branch or by a trap. The last
// come first.
func foldCasts(c *Context, f *ir.Function) bool {
	var values, branches []*ir.Inst
	for _, b := range f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			switch i.Op {
			case op.UnconditionalCheckedCast, op.UnconditionalCheckedCastAddr:
				values = append(values, i)
			case op.CheckedCastBr, op.CheckedCastAddrBr:
				branches = append(branches, i)
			}
		}
	}
	changed := false
	if len(values) > 0 {
		r := newCombiner(c, f)
		for _, i := range slices.Backward(values) {
			switch {
			case i.Block() == nil:
			case i.Op == op.UnconditionalCheckedCast:
				changed = r.unconditionalCast(i) || changed
			default:
				changed = r.unconditionalCastAddr(i) || changed
			}
		}
	}
	if len(branches) > 0 {
		s := newCFGSimplifier(c, f, false)
		for _, i := range slices.Backward(branches) {
			switch {
			case i.Block() == nil:
			case i.Op == op.CheckedCastAddrBr:
				changed = s.simplifyCheckedCastAddrBr(i) || changed
			default:
				changed = s.foldCastBranch(i) || changed
			}
		}
	}
	return changed
}

// foldCastBranch goes where a cast surely goes. In ownership form the blocks behind it need no arguments any more.
func (s *cfgSimplifier) foldCastBranch(i *ir.Inst) bool {
	targets := []*ir.Block{i.Succs[0].To, i.Succs[1].To}
	if !s.simplifyCheckedCastBr(i) {
		return false
	}
	if !s.f.IsOSSA() {
		return true
	}
	for _, to := range targets {
		edges := s.preds.edges(to)
		if len(to.Args) != 1 || len(edges) > 1 {
			continue
		}
		v := ir.NewUndef(to.Args[0].Type)
		if len(edges) == 1 {
			v = edges[0].arg(0)
			edges[0].term.RemoveEdgeArg(edges[0].n, 0)
		}
		to.Args[0].ReplaceAllUses(v)
		to.RemoveArg(0)
	}
	return true
}
