// Package cfg computes facts about the control flow of a function: order of blocks, predecessors, dominance, loops, dead ends.
//
// A fact describes the function as it was when it was computed; an edit makes it stale, except for Predecessors, which can be told. The
// algorithms are those of package graph. Read dom.go first.
package cfg

import (
	"silvm/ir"
	"silvm/ir/graph"
)

// Graph returns the blocks of f as nodes by Block.Index, which it renumbers, and the edges between them.
func Graph(f *ir.Function) graph.Graph {
	f.Renumber()
	return graph.New(len(f.Blocks), func(n int, add func(to int)) {
		for _, e := range successors(f.Blocks[n]) {
			if e.To != nil && e.To.Func == f {
				add(e.To.Index)
			}
		}
	})
}

// ReversePostorder lists the blocks that a block reaches in reverse postorder of a depth-first search. It leaves their numbers alone.
func ReversePostorder(entry *ir.Block) []*ir.Block {
	seen := map[*ir.Block]bool{nil: true}
	first := func(b *ir.Block) bool {
		again := seen[b]
		seen[b] = true
		return !again
	}
	return graph.ReversePostorder(entry, first, func(b *ir.Block, n int) (*ir.Block, bool) {
		if succs := successors(b); n < len(succs) {
			return succs[n].To, true
		}
		return nil, false
	})
}

// successors lists the blocks that b's terminator names.
func successors(b *ir.Block) []ir.Edge {
	if t := b.Terminator(); t != nil {
		return t.Succs
	}
	return nil
}

// Dominators is the dominator tree of a function, with the orders it was computed from.
type Dominators struct {
	// Order lists the blocks that the entry reaches, in reverse postorder.
	Order []*ir.Block
	// Preds lists the predecessors of each block by Block.Index, one entry for each edge, from reached blocks only.
	Preds [][]*ir.Block

	tree  *graph.Tree
	edges []*ir.Block // each block of the function in order, its successors after it, and nil
}

// AreOf reports whether the function has the blocks and edges that the tree was computed from. If so it renumbers the blocks, as NewDominators
// does.
func (d *Dominators) AreOf(f *ir.Function) bool {
	left := d.edges
	next := func(b *ir.Block) bool {
		same := len(left) > 0 && left[0] == b
		if same {
			left = left[1:]
		}
		return same
	}
	for _, b := range f.Blocks {
		if !next(b) {
			return false
		}
		for _, e := range successors(b) {
			if e.To == nil || !next(e.To) {
				return false
			}
		}
		if !next(nil) {
			return false
		}
	}
	if len(left) > 0 {
		return false
	}
	f.Renumber()
	return true
}

// NewDominators computes the tree. It renumbers the blocks.
func NewDominators(f *ir.Function) *Dominators {
	d := &Dominators{Preds: make([][]*ir.Block, len(f.Blocks))}
	if len(f.Blocks) == 0 {
		return d
	}
	d.tree = Graph(f).Dominators(0)
	size := len(d.tree.Order)
	for _, from := range d.tree.Preds {
		size += len(from)
	}
	room := make([]*ir.Block, 0, size) // for all lists
	blocks := func(numbers []int) []*ir.Block {
		begin := len(room)
		for _, n := range numbers {
			room = append(room, f.Blocks[n])
		}
		return room[begin:len(room):len(room)]
	}
	d.Order = blocks(d.tree.Order)
	for n, from := range d.tree.Preds {
		if len(from) > 0 {
			d.Preds[n] = blocks(from)
		}
	}
	d.edges = make([]*ir.Block, 0, 2*len(f.Blocks)+size)
	for _, b := range f.Blocks {
		d.edges = append(d.edges, b)
		for _, e := range successors(b) {
			d.edges = append(d.edges, e.To)
		}
		d.edges = append(d.edges, nil)
	}
	return d
}

// IsReachable reports whether the entry reaches b.
func (d *Dominators) IsReachable(b *ir.Block) bool { return d.tree.IsReachable(b.Index) }

// Idom returns the immediate dominator of b, nil for the entry and for unreachable blocks.
func (d *Dominators) Idom(b *ir.Block) *ir.Block {
	if n := d.tree.Idom(b.Index); n >= 0 {
		return d.Order[d.tree.Position(n)]
	}
	return nil
}

// Children lists for each block, by Block.Index, the blocks that it immediately dominates, in reverse postorder.
func (d *Dominators) Children() [][]*ir.Block {
	children := make([][]*ir.Block, len(d.Preds))
	for _, b := range d.Order {
		if up := d.Idom(b); up != nil {
			children[up.Index] = append(children[up.Index], b)
		}
	}
	return children
}

// Dominates reports whether every path from the entry to b passes a. An unreachable b is dominated by every block.
func (d *Dominators) Dominates(a, b *ir.Block) bool { return d.tree.Dominates(a.Index, b.Index) }
