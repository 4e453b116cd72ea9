package pass

import "silvm/ir"

// InEdge is one edge into a block: successor n of the terminator.
type InEdge struct {
	Term *ir.Inst
	N    int
}

// Arg returns the operand that the edge passes for argument k of its block, nil when the terminator itself gives it.
func (e InEdge) Arg(k int) *ir.Value {
	s := e.Term.Succs[e.N]
	if k >= s.N {
		return nil
	}
	return e.Term.Arg(s.First + k)
}

// Predecessors knows the edges into the blocks of a function. Who changes terminators tells it by connect and disconnect.
type Predecessors struct {
	In map[*ir.Block][]InEdge // the edge that was made last comes last
}

func NewPredecessors(f *ir.Function) *Predecessors {
	p := &Predecessors{In: make(map[*ir.Block][]InEdge, len(f.Blocks))}
	for _, b := range f.Blocks {
		if t := b.Terminator(); t != nil {
			p.Connect(t)
		}
	}
	return p
}

// Connect enters the edges of a terminator that was put in.
func (p *Predecessors) Connect(term *ir.Inst) {
	for n := range term.Succs {
		to := term.Succs[n].To
		p.In[to] = append(p.In[to], InEdge{term, n})
	}
}

// Disconnect forgets the edges of a terminator that is about to go.
func (p *Predecessors) Disconnect(term *ir.Inst) {
	for n := range term.Succs {
		to := term.Succs[n].To
		edges := p.In[to]
		for k := range edges {
			if edges[k] == (InEdge{term, n}) {
				p.In[to] = append(edges[:k:k], edges[k+1:]...)
				break
			}
		}
	}
}

// Edges lists the edges into the block; the slice is valid until the next change.
func (p *Predecessors) Edges(b *ir.Block) []InEdge { return p.In[b] }

// Of lists the blocks of the edges into b, one for each edge, in the order in which the compiler walks them: the last made first.
func (p *Predecessors) Of(b *ir.Block) []*ir.Block {
	edges := p.In[b]
	list := make([]*ir.Block, len(edges))
	for n, e := range edges {
		list[len(edges)-1-n] = e.Term.Block()
	}
	return list
}

// Single returns the block of the only edge into b, nil when there are none or several.
func (p *Predecessors) Single(b *ir.Block) *ir.Block {
	if edges := p.In[b]; len(edges) == 1 {
		return edges[0].Term.Block()
	}
	return nil
}
