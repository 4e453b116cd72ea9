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

// Predecessors knows the edges into the blocks of a function. Who changes terminators tells it: Disconnect in front of the change, Connect
// behind it, Redirect for a single edge.
type Predecessors struct {
	in map[*ir.Block][]InEdge // the edge that was made last comes last
}

// NewPredecessors finds the edges between all blocks of a function.
func NewPredecessors(f *ir.Function) *Predecessors { return PredecessorsAmong(f.Blocks) }

// PredecessorsAmong finds the edges that lead out of these blocks.
func PredecessorsAmong(blocks []*ir.Block) *Predecessors {
	p := &Predecessors{in: make(map[*ir.Block][]InEdge, len(blocks))}
	// Most passes ask for this, so the edges into blocks that stand where their Index says come into one list, each behind the other.
	known := func(b *ir.Block) bool { return b.Index < len(blocks) && blocks[b.Index] == b }
	lists := make([][]InEdge, len(blocks))
	sizes := make([]int, len(blocks))
	total := 0
	for _, b := range blocks {
		if t := b.Terminator(); t != nil {
			for n := range t.Succs {
				if to := t.Succs[n].To; known(to) {
					sizes[to.Index]++
					total++
				}
			}
		}
	}
	all := make([]InEdge, total)
	for n, size := range sizes {
		lists[n], all = all[:0:size], all[size:]
	}
	for _, b := range blocks {
		if t := b.Terminator(); t != nil {
			for n := range t.Succs {
				if to := t.Succs[n].To; known(to) {
					lists[to.Index] = append(lists[to.Index], InEdge{t, n})
				} else {
					p.in[to] = append(p.in[to], InEdge{t, n})
				}
			}
		}
	}
	for n, list := range lists {
		if len(list) > 0 {
			p.in[blocks[n]] = list
		}
	}
	return p
}

// Connect enters the edges of a terminator that was put in.
func (p *Predecessors) Connect(term *ir.Inst) {
	for n := range term.Succs {
		to := term.Succs[n].To
		p.in[to] = append(p.in[to], InEdge{term, n})
	}
}

// Disconnect forgets the edges of a terminator that is about to go.
func (p *Predecessors) Disconnect(term *ir.Inst) {
	for n := range term.Succs {
		to := term.Succs[n].To
		edges := p.in[to]
		for k := range edges {
			if edges[k] == (InEdge{term, n}) {
				p.in[to] = append(edges[:k:k], edges[k+1:]...)
				break
			}
		}
	}
}

// Redirect lets an edge lead to another block, as the last made of those that lead there.
func (p *Predecessors) Redirect(e InEdge, to *ir.Block) {
	from := e.Term.Succs[e.N].To
	p.in[from] = slices.DeleteFunc(p.in[from], func(x InEdge) bool { return x == e })
	e.Term.Succs[e.N].To = to
	p.in[to] = append(p.in[to], e)
}

// Forget drops what is known of a block that is gone.
func (p *Predecessors) Forget(b *ir.Block) { delete(p.in, b) }

// Edges lists the edges into the block; the slice is valid until the next change.
func (p *Predecessors) Edges(b *ir.Block) []InEdge { return p.in[b] }

// Of lists the blocks of the edges into b, one for each edge, in the order in which the compiler walks them: the last made first.
func (p *Predecessors) Of(b *ir.Block) []*ir.Block {
	edges := p.in[b]
	list := make([]*ir.Block, len(edges))
	for n, e := range edges {
		list[len(edges)-1-n] = e.Term.Block()
	}
	return list
}

// Blocks lists the blocks with an edge to b, each once, in the order in which the edges were made.
func (p *Predecessors) Blocks(b *ir.Block) []*ir.Block {
	var list []*ir.Block
	for _, e := range p.in[b] {
		if from := e.Term.Block(); len(list) == 0 || list[len(list)-1] != from {
			list = append(list, from)
		}
	}
	return list
}

// Single returns the block of the only edge into b, nil when there are none or several.
func (p *Predecessors) Single(b *ir.Block) *ir.Block {
	if edges := p.in[b]; len(edges) == 1 {
		return edges[0].Term.Block()
	}
	return nil
}
