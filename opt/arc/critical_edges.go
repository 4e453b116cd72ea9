package arc

import (
	"silvm/ir"
	"silvm/opt/pass"
)

// splitCritical puts a block on each edge from a block with several successors to one with several predecessors.
func splitCritical(c *pass.Context, f *ir.Function) bool {
	var counts []int // by Block.ID
	for _, b := range f.Blocks {
		for _, e := range b.Terminator().Succs {
			id := e.To.ID()
			counts = append(counts, make([]int, max(0, id+1-len(counts)))...)
			counts[id]++
		}
	}
	changed := false
	for _, b := range append([]*ir.Block(nil), f.Blocks...) {
		t := b.Terminator()
		for n := range t.Succs {
			if to := t.Succs[n].To; len(t.Succs) > 1 && counts[to.ID()] > 1 {
				ir.SplitEdge(t, n)
				changed = true
			}
		}
	}
	if changed {
		c.Changed(f)
		f.Renumber()
	}
	return changed
}
