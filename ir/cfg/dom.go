// Package cfg computes facts about the control flow of a function: order of blocks, predecessors, dominance.
//
// A fact describes the function as it was when it was computed; an edit makes it stale. All algorithms are iterative, so that
// no input exhausts Go's stack. Read dom.go first.
package cfg

import "silvm/ir"

// Dominators is the dominator tree of a function, with the orders it was computed from.
type Dominators struct {
	// Order lists the blocks that the entry reaches, in reverse postorder.
	Order []*ir.Block
	// Preds lists the predecessors of each block by Block.Index, one entry for each edge, from reached blocks only.
	Preds [][]*ir.Block

	number []int // position in Order by Block.Index, -1 when unreachable
	idom   []int // by position in Order; the entry is its own
	enter  []int // interval of the tree by position, for constant-time queries
	leave  []int
}

// NewDominators computes the tree by the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001).
// It renumbers the blocks.
func NewDominators(f *ir.Function) *Dominators {
	f.Renumber()
	d := &Dominators{Preds: make([][]*ir.Block, len(f.Blocks)), number: make([]int, len(f.Blocks))}
	for i := range d.number {
		d.number[i] = -1
	}
	if len(f.Blocks) == 0 {
		return d
	}
	d.order(f)
	d.compute()
	d.intervals()
	return d
}

// successors lists the blocks that b's terminator names.
func successors(b *ir.Block) []ir.Edge {
	if t := b.Terminator(); t != nil {
		return t.Succs
	}
	return nil
}

// order finds the reverse postorder by an explicit stack.
func (d *Dominators) order(f *ir.Function) {
	type visit struct {
		b    *ir.Block
		next int
	}
	seen := make([]bool, len(f.Blocks))
	stack := []visit{{b: f.Blocks[0]}}
	seen[0] = true
	var post []*ir.Block
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		succs := successors(top.b)
		if top.next == len(succs) {
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		to := succs[top.next].To
		top.next++
		if to != nil && !seen[to.Index] {
			seen[to.Index] = true
			stack = append(stack, visit{b: to})
		}
	}
	for i := len(post) - 1; i >= 0; i-- {
		d.number[post[i].Index] = len(d.Order)
		d.Order = append(d.Order, post[i])
	}
	for _, b := range d.Order {
		for _, e := range successors(b) {
			if e.To != nil {
				d.Preds[e.To.Index] = append(d.Preds[e.To.Index], b)
			}
		}
	}
}

func (d *Dominators) compute() {
	d.idom = make([]int, len(d.Order))
	for i := range d.idom {
		d.idom[i] = -1
	}
	d.idom[0] = 0
	for changed := true; changed; {
		changed = false
		for n := 1; n < len(d.Order); n++ {
			best := -1
			for _, p := range d.Preds[d.Order[n].Index] {
				k := d.number[p.Index]
				switch {
				case d.idom[k] < 0:
				case best < 0:
					best = k
				default:
					best = d.meet(best, k)
				}
			}
			if d.idom[n] != best {
				d.idom[n] = best
				changed = true
			}
		}
	}
}

func (d *Dominators) meet(a, b int) int {
	for a != b {
		for a > b {
			a = d.idom[a]
		}
		for b > a {
			b = d.idom[b]
		}
	}
	return a
}

// intervals numbers the tree so that a dominates b exactly when a's interval holds b's.
func (d *Dominators) intervals() {
	n := len(d.Order)
	d.enter, d.leave = make([]int, n), make([]int, n)
	size := make([]int, n)
	for k := n - 1; k >= 0; k-- { // children have higher numbers than their parent
		size[k]++
		if k > 0 {
			size[d.idom[k]] += size[k]
		}
	}
	free := make([]int, n) // next place among the descendants
	for k := range n {
		if k > 0 {
			p := d.idom[k]
			d.enter[k] = free[p]
			free[p] += size[k]
		}
		d.leave[k] = d.enter[k] + size[k]
		free[k] = d.enter[k] + 1
	}
}

// IsReachable reports whether the entry reaches b.
func (d *Dominators) IsReachable(b *ir.Block) bool { return d.number[b.Index] >= 0 }

// Idom returns the immediate dominator of b, nil for the entry and for unreachable blocks.
func (d *Dominators) Idom(b *ir.Block) *ir.Block {
	if n := d.number[b.Index]; n > 0 {
		return d.Order[d.idom[n]]
	}
	return nil
}

// Dominates reports whether every way from the entry to b passes a. An unreachable b is dominated by every block.
func (d *Dominators) Dominates(a, b *ir.Block) bool {
	n, k := d.number[a.Index], d.number[b.Index]
	if k < 0 {
		return true
	}
	return n >= 0 && d.enter[n] <= d.enter[k] && d.enter[k] < d.leave[n]
}
