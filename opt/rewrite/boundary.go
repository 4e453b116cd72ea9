package rewrite

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/worklist"
)

// Region is where a value has to live: from its definition to its last uses.
type Region struct {
	// ends are the instructions before which the lifetime can end: after a last use, or at the start of a block that control
	// enters without a use ahead.
	Ends []RegionEnd
}

// RegionEnd is where a region ends: before an instruction.
type RegionEnd struct {
	Before *ir.Inst
	// user is the last use after which the end lies, nil where control leaves the region on an edge.
	User *ir.Inst
}

// RegionOf computes where a value lives that is defined before the instruction at and used by users, which at must dominate. ok is
// false where an end would lie on an edge that has no block of its own.
func RegionOf(preds *cfg.Predecessors, at *ir.Inst, users []*ir.Inst) (r Region, ok bool) {
	home := at.Block()
	liveIn := map[*ir.Block]bool{}
	usesIn := map[*ir.Block]map[*ir.Inst]bool{}
	var order []*ir.Block // blocks of the region, in the order in which they were found
	see := func(b *ir.Block) {
		if usesIn[b] == nil {
			usesIn[b] = map[*ir.Inst]bool{}
			order = append(order, b)
		}
	}
	see(home)
	var work []*ir.Block
	enter := func(b *ir.Block) {
		if b != home && !liveIn[b] {
			liveIn[b] = true
			see(b)
			work = append(work, b)
		}
	}
	for _, u := range users {
		b := u.Block()
		see(b)
		usesIn[b][u] = true
		enter(b)
	}
	for b := range worklist.Drain(&work) {
		for _, p := range preds.Of(b) {
			see(p)
			enter(p)
		}
	}
	for _, b := range order {
		term := b.Last()
		liveOut := false
		for _, e := range term.Succs {
			liveOut = liveOut || liveIn[e.To]
		}
		if liveOut {
			for _, e := range term.Succs {
				if liveIn[e.To] {
					continue
				}
				if preds.Single(e.To) == nil {
					return r, false
				}
				r.Ends = append(r.Ends, RegionEnd{Before: e.To.First()})
			}
			continue
		}
		last := term
		for last != nil && !usesIn[b][last] {
			last = last.Prev()
		}
		switch {
		case last == nil:
			r.Ends = append(r.Ends, RegionEnd{Before: at}) // never used
		case last == term:
			for _, e := range term.Succs {
				if preds.Single(e.To) == nil {
					return r, false
				}
				r.Ends = append(r.Ends, RegionEnd{Before: e.To.First(), User: term})
			}
		default:
			r.Ends = append(r.Ends, RegionEnd{Before: last.Next(), User: last})
		}
	}
	return r, true
}
