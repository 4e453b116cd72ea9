package flow

import (
	"silvm/ir"
	"silvm/opt/pass"
)

// SplitCriticalEdges puts a block on every edge from a block with several successors to one with several predecessors:
//
//	cond_br %0, bb1, bb2    →   cond_br %0, bb1, bb3
//	                            bb3: br bb2
//
// In functions that the compiler makes only a cond_br has such edges.
var SplitCriticalEdges = &pass.Pass{Name: "split-critical-edges", Doc: "Puts blocks on critical edges", Function: splitEdges}

// SplitOtherCriticalEdges is the same under the compiler's other name: there, too, the edges of cond_br are split.
var SplitOtherCriticalEdges = &pass.Pass{Name: "split-non-cond_br-critical-edges", Doc: "Puts blocks on critical edges", Function: splitEdges}

func splitEdges(c *pass.Context, f *ir.Function) bool {
	s := NewCFGSimplifier(c, f, false)
	changed := false
	for _, b := range append([]*ir.Block(nil), f.Blocks...) {
		changed = s.splitCritical(b.Last()) || changed
	}
	return changed
}
