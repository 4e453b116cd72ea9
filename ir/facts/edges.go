package facts

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
)

// Predecessors lists the blocks with an edge to b, each once, in the order of the function. The lists of a function are kept until
// Changed is called.
func (p *Program) Predecessors(b *ir.Block) []*ir.Block { return p.edges(b.Func)[b] }

func (p *Program) edges(f *ir.Function) map[*ir.Block][]*ir.Block {
	if p.preds == nil {
		p.preds = map[*ir.Function]map[*ir.Block][]*ir.Block{}
	}
	known := p.preds[f]
	if known == nil {
		known = make(map[*ir.Block][]*ir.Block, len(f.Blocks))
		edges := cfg.NewPredecessors(f)
		for _, b := range f.Blocks {
			known[b] = edges.Blocks(b)
		}
		p.preds[f] = known
	}
	return known
}

// Changed forgets what is known about the body of a function.
func (p *Program) Changed(f *ir.Function) {
	delete(p.preds, f)
	delete(p.counts, f)
	clear(p.reached)
	clear(p.deinits)
}

// onlyPredecessor returns the terminator of the only block that leads to b, nil when there are none or several, or no block: undef is in none.
func (p *Program) onlyPredecessor(b *ir.Block) *ir.Inst {
	if b == nil {
		return nil
	}
	preds := p.Predecessors(b)
	if len(preds) != 1 {
		return nil
	}
	return preds[0].Terminator()
}

// Incoming lists the operands that branches pass to a block argument; ok is false for the arguments of the entry block and for those that
// a terminator other than a branch makes.
func (p *Program) Incoming(v *ir.Value) (in []*ir.Operand, ok bool) {
	b := v.Block()
	if v.Inst() != nil || b == nil || b.Func == nil || b == b.Func.Entry() {
		return nil, false
	}
	for _, pred := range p.Predecessors(b) {
		term := pred.Terminator()
		if term.Op != op.Br && term.Op != op.CondBr {
			return nil, false
		}
		for n := range term.Succs {
			if term.Succs[n].To == b {
				if v.Index() >= term.Succs[n].N {
					return nil, false
				}
				in = append(in, &term.EdgeArgs(n)[v.Index()])
			}
		}
	}
	return in, len(in) > 0
}
