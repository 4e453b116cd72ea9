package opt

import "silvm/ir"

// inEdge is one edge into a block: successor n of the terminator.
type inEdge struct {
	term *ir.Inst
	n    int
}

// arg gives the operand that the edge passes for argument k of its block, nil when the terminator itself gives it.
func (e inEdge) arg(k int) *ir.Value {
	s := e.term.Succs[e.n]
	if k >= s.N {
		return nil
	}
	return e.term.Arg(s.First + k)
}

// predecessors knows the edges into the blocks of a function. Who changes terminators tells it by connect and disconnect.
type predecessors struct {
	in map[*ir.Block][]inEdge // the edge that was made last comes last
}

func newPredecessors(f *ir.Function) *predecessors {
	p := &predecessors{in: make(map[*ir.Block][]inEdge, len(f.Blocks))}
	for _, b := range f.Blocks {
		if t := b.Terminator(); t != nil {
			p.connect(t)
		}
	}
	return p
}

// connect enters the edges of a terminator that was put in.
func (p *predecessors) connect(term *ir.Inst) {
	for n := range term.Succs {
		to := term.Succs[n].To
		p.in[to] = append(p.in[to], inEdge{term, n})
	}
}

// disconnect forgets the edges of a terminator that is about to go.
func (p *predecessors) disconnect(term *ir.Inst) {
	for n := range term.Succs {
		to := term.Succs[n].To
		edges := p.in[to]
		for k := range edges {
			if edges[k] == (inEdge{term, n}) {
				p.in[to] = append(edges[:k:k], edges[k+1:]...)
				break
			}
		}
	}
}

// edges lists the edges into the block; the slice is valid until the next change.
func (p *predecessors) edges(b *ir.Block) []inEdge { return p.in[b] }

// of lists the blocks of the edges into b, one for each edge, in the order in which the compiler walks them: the last made first.
func (p *predecessors) of(b *ir.Block) []*ir.Block {
	edges := p.in[b]
	list := make([]*ir.Block, len(edges))
	for n, e := range edges {
		list[len(edges)-1-n] = e.term.Block()
	}
	return list
}

// single gives the block of the only edge into b, nil when there are none or several.
func (p *predecessors) single(b *ir.Block) *ir.Block {
	if edges := p.in[b]; len(edges) == 1 {
		return edges[0].term.Block()
	}
	return nil
}
