package cfg

import (
	"slices"

	"silvm/ir"
	"silvm/ir/graph"
)

// PostDominators is the tree of post-dominators of a function. Its root is a virtual exit after all blocks that leave the function or
// end in unreachable; where a part of the function never ends, one of its blocks, the last that a depth-first walk finds, is in.
type PostDominators struct {
	blocks []*ir.Block
	tree   *graph.Tree // dominators of the reversed graph from a node after those of all blocks, the virtual exit
}

// NewPostDominators computes the tree on the reversed graph. It renumbers the blocks.
func NewPostDominators(f *ir.Function) *PostDominators {
	g := Graph(f)
	reverse := g.Reverse(nil)
	seen := make([]bool, len(g))
	var ends []int // what is before the virtual exit
	enter := func(n int) {
		ends = append(ends, n)
		reverse.Reach(seen, n)
	}
	for n, succs := range g {
		if len(succs) == 0 {
			enter(n)
		}
	}
	for n := range g {
		if !seen[n] {
			enter(farthest(g, n, seen))
		}
	}
	exit := len(g)
	return &PostDominators{blocks: slices.Clone(f.Blocks), tree: append(reverse, ends).Dominators(exit)}
}

// farthest returns the node that a depth-first walk along the edges, past nodes that are seen, finds last.
func farthest(g graph.Graph, n int, seen []bool) int {
	found := map[int]bool{n: true}
	stack := []int{n}
	last := n
	for len(stack) > 0 {
		last = stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, to := range g[last] {
			if !seen[to] && !found[to] {
				found[to] = true
				stack = append(stack, to)
			}
		}
	}
	return last
}

// idom returns the number of the immediate post-dominator, -1 for the virtual exit.
func (p *PostDominators) idom(n int) int {
	if up := p.tree.Idom(n); up < len(p.blocks) {
		return up
	}
	return -1
}

// Idom returns the immediate post-dominator, nil when only the virtual exit post-dominates b.
func (p *PostDominators) Idom(b *ir.Block) *ir.Block {
	if n := p.idom(b.Index); n >= 0 {
		return p.blocks[n]
	}
	return nil
}

// Dominates reports whether every path from b on passes a.
func (p *PostDominators) Dominates(a, b *ir.Block) bool { return p.tree.Dominates(a.Index, b.Index) }

// Controllers returns for each block, by Block.Index, the blocks whose terminators decide whether it runs: its control dependences
// (Ferrante, Ottenstein, Warren, "The Program Dependence Graph and Its Use in Optimization", 1987).
func (p *PostDominators) Controllers() [][]*ir.Block {
	by := make([][]*ir.Block, len(p.blocks))
	for _, b := range p.blocks {
		succs := successors(b)
		if len(succs) < 2 {
			continue
		}
		stop := p.idom(b.Index)
		for _, e := range succs {
			for n := e.To.Index; n >= 0 && n != stop; n = p.idom(n) {
				if have := by[n]; len(have) > 0 && have[len(have)-1] == b {
					break // the rest of the way was walked for another edge of b
				}
				by[n] = append(by[n], b)
			}
		}
	}
	return by
}
