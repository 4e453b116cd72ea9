package cfg

import (
	"slices"

	"silvm/ir"
)

// InEdge is one edge into a block: successor n of the terminator.
type InEdge struct {
	Term *ir.Inst
	N    int
}

// Arg returns the operand that the edge passes for argument k of its block, nil when the terminator itself defines it.
func (e InEdge) Arg(k int) *ir.Value {
	s := e.Term.Succs[e.N]
	if k >= s.N {
		return nil
	}
	return e.Term.Arg(s.First + k)
}

// Predecessors knows the edges into the blocks of a function. Who changes terminators tells it: Disconnect before the change, Connect
// after it, Redirect for a single edge.
type Predecessors struct {
	in [][]InEdge // by Block.ID; the edge that was made last comes last
}

// NewPredecessors finds the edges between all blocks of a function.
func NewPredecessors(f *ir.Function) *Predecessors { return PredecessorsAmong(f.Blocks) }

// PredecessorsAmong finds the edges that lead out of these blocks, which are of one function.
func PredecessorsAmong(blocks []*ir.Block) *Predecessors {
	p := &Predecessors{}
	// Most passes ask for this, so the edges into all blocks come into one list, those into each after the other.
	total, last := 0, 0
	for _, b := range blocks {
		for _, s := range edgesOf(b) {
			if s.To != nil && s.To.Func == b.Func {
				total++
				last = max(last, s.To.ID())
			}
		}
	}
	if total == 0 {
		return p
	}
	p.in = make([][]InEdge, last+1)
	all := make([]InEdge, total)
	sizes := make([]int32, last+1)
	for _, b := range blocks {
		for _, s := range edgesOf(b) {
			if s.To != nil && s.To.Func == b.Func {
				sizes[s.To.ID()]++
			}
		}
	}
	for n, size := range sizes {
		if size > 0 {
			p.in[n], all = all[:0:size], all[size:]
		}
	}
	for _, b := range blocks {
		for n, s := range edgesOf(b) {
			if s.To != nil && s.To.Func == b.Func {
				in := &p.in[s.To.ID()]
				*in = append(*in, InEdge{b.Last(), n})
			}
		}
	}
	return p
}

// edgesOf lists the edges out of a block. In text that is not valid some may lead nowhere, or out of the function.
func edgesOf(b *ir.Block) []ir.Edge {
	if t := b.Last(); t != nil {
		return t.Succs
	}
	return nil
}

// at returns the list of the edges into a block, to be changed.
func (p *Predecessors) at(b *ir.Block) *[]InEdge {
	id := b.ID()
	if id >= len(p.in) {
		p.in = append(p.in, make([][]InEdge, id+1-len(p.in))...)
	}
	return &p.in[id]
}

// Connect enters the edges of a terminator that was put in.
func (p *Predecessors) Connect(term *ir.Inst) {
	for n := range term.Succs {
		in := p.at(term.Succs[n].To)
		*in = append(*in, InEdge{term, n})
	}
}

// Disconnect forgets the edges of a terminator that is about to go.
func (p *Predecessors) Disconnect(term *ir.Inst) {
	for n := range term.Succs {
		in := p.at(term.Succs[n].To)
		edges := *in
		for k := range edges {
			if edges[k] == (InEdge{term, n}) {
				*in = append(edges[:k:k], edges[k+1:]...)
				break
			}
		}
	}
}

// Redirect lets an edge lead to another block, as the last made of those that lead there.
func (p *Predecessors) Redirect(e InEdge, to *ir.Block) {
	in := p.at(e.Term.Succs[e.N].To)
	*in = slices.DeleteFunc(*in, func(x InEdge) bool { return x == e })
	e.Term.Succs[e.N].To = to
	in = p.at(to)
	*in = append(*in, e)
}

// Forget drops what is known of a block that is gone.
func (p *Predecessors) Forget(b *ir.Block) { *p.at(b) = nil }

// Edges lists the edges into the block; the slice is valid until the next change.
func (p *Predecessors) Edges(b *ir.Block) []InEdge {
	if id := b.ID(); id < len(p.in) {
		return p.in[id]
	}
	return nil
}

// Of lists the blocks of the edges into b, one for each edge, in the order in which the compiler walks them: the last made first.
func (p *Predecessors) Of(b *ir.Block) []*ir.Block {
	edges := p.Edges(b)
	list := make([]*ir.Block, len(edges))
	for n, e := range edges {
		list[len(edges)-1-n] = e.Term.Block()
	}
	return list
}

// Blocks lists the blocks with an edge to b, each once, in the order in which the edges were made.
func (p *Predecessors) Blocks(b *ir.Block) []*ir.Block {
	var list []*ir.Block
	for _, e := range p.Edges(b) {
		if from := e.Term.Block(); len(list) == 0 || list[len(list)-1] != from {
			list = append(list, from)
		}
	}
	return list
}

// Single returns the block of the only edge into b, nil when there are none or several.
func (p *Predecessors) Single(b *ir.Block) *ir.Block {
	if edges := p.Edges(b); len(edges) == 1 {
		return edges[0].Term.Block()
	}
	return nil
}
