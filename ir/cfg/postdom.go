package cfg

import "silvm/ir"

// PostDominators is the tree of post-dominators of a function. Its root is a virtual exit behind all blocks that leave the function or
// end in unreachable; where a part of the function never ends, one of its blocks, the last that a depth-first walk finds, stands in.
type PostDominators struct {
	idom     []int // by Block.Index; -1 for a child of the virtual exit
	children [][]int
	roots    []int // children of the virtual exit
	enter    []int // interval of the tree by Block.Index, for constant-time queries
	leave    []int
	level    []int // distance from the virtual exit, from 1
	blocks   []*ir.Block
}

// NewPostDominators computes the tree by the algorithm of Cooper, Harvey and Kennedy on the reversed graph. It renumbers the blocks.
func NewPostDominators(f *ir.Function) *PostDominators {
	f.Renumber()
	n := len(f.Blocks)
	p := &PostDominators{idom: make([]int, n), children: make([][]int, n), enter: make([]int, n), leave: make([]int, n), level: make([]int, n),
		blocks: f.Blocks}
	preds := make([][]int, n)
	for _, b := range f.Blocks {
		for _, e := range successors(b) {
			preds[e.To.Index] = append(preds[e.To.Index], b.Index)
		}
	}
	order := p.postorder(preds)
	p.compute(order)
	p.intervals()
	return p
}

// postorder walks the reversed graph from every exit and returns the blocks in postorder; isRoot marks where the walks began.
func (p *PostDominators) postorder(preds [][]int) []int {
	seen := make([]bool, len(p.blocks))
	var post []int
	type visit struct{ b, next int }
	walk := func(root int) {
		seen[root] = true
		stack := []visit{{root, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(preds[top.b]) {
				post = append(post, top.b)
				stack = stack[:len(stack)-1]
				continue
			}
			to := preds[top.b][top.next]
			top.next++
			if !seen[to] {
				seen[to] = true
				stack = append(stack, visit{to, 0})
			}
		}
	}
	for _, b := range p.blocks {
		if len(successors(b)) == 0 {
			p.roots = append(p.roots, b.Index)
			walk(b.Index)
		}
	}
	for _, b := range p.blocks {
		if !seen[b.Index] {
			root := farthest(b, seen)
			p.roots = append(p.roots, root)
			walk(root)
		}
	}
	return post
}

// farthest returns the block that a depth-first walk along the edges, past blocks that are seen, finds last.
func farthest(b *ir.Block, seen []bool) int {
	found := map[int]bool{b.Index: true}
	stack := []*ir.Block{b}
	last := b.Index
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		last = b.Index
		for _, e := range successors(b) {
			if to := e.To; !seen[to.Index] && !found[to.Index] {
				found[to.Index] = true
				stack = append(stack, to)
			}
		}
	}
	return last
}

func (p *PostDominators) compute(post []int) {
	const unset = -2
	number := make([]int, len(p.blocks)) // place in postorder; the virtual exit, -1, comes after all
	for k, b := range post {
		number[b] = k
		p.idom[b] = unset
	}
	for _, r := range p.roots {
		p.idom[r] = -1
	}
	isRoot := make([]bool, len(p.blocks))
	for _, r := range p.roots {
		isRoot[r] = true
	}
	meet := func(a, b int) int {
		for a != b {
			if a < 0 || b < 0 {
				return -1
			}
			if number[a] < number[b] {
				a = p.idom[a]
			} else {
				b = p.idom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for k := len(post) - 1; k >= 0; k-- {
			b := post[k]
			if isRoot[b] {
				continue
			}
			best := unset
			for _, e := range successors(p.blocks[b]) {
				switch to := e.To.Index; {
				case p.idom[to] == unset:
				case best == unset:
					best = to
				default:
					best = meet(best, to)
				}
			}
			if best != p.idom[b] {
				p.idom[b] = best
				changed = true
			}
		}
	}
}

// intervals numbers the tree so that a post-dominates b exactly when a's interval holds b's.
func (p *PostDominators) intervals() {
	p.roots = p.roots[:0]
	for b, up := range p.idom {
		if up < 0 {
			p.roots = append(p.roots, b)
		} else {
			p.children[up] = append(p.children[up], b)
		}
	}
	clock := 0
	type visit struct{ b, next int }
	for _, r := range p.roots {
		stack := []visit{{r, 0}}
		p.enter[r], p.level[r] = clock, 1
		clock++
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(p.children[top.b]) {
				p.leave[top.b] = clock
				stack = stack[:len(stack)-1]
				continue
			}
			c := p.children[top.b][top.next]
			top.next++
			p.enter[c], p.level[c] = clock, len(stack)+1
			clock++
			stack = append(stack, visit{c, 0})
		}
	}
}

// Idom returns the immediate post-dominator, nil when only the virtual exit post-dominates b.
func (p *PostDominators) Idom(b *ir.Block) *ir.Block {
	if n := p.idom[b.Index]; n >= 0 {
		return p.blocks[n]
	}
	return nil
}

// Dominates reports whether every way from b on passes a.
func (p *PostDominators) Dominates(a, b *ir.Block) bool {
	return p.enter[a.Index] <= p.enter[b.Index] && p.enter[b.Index] < p.leave[a.Index]
}

// Controllers returns for each block, by Block.Index, the blocks whose terminators decide whether it runs: its control dependences
// (Ferrante, Ottenstein, Warren, "The Program Dependence Graph and Its Use in Optimization", 1987).
func (p *PostDominators) Controllers() [][]*ir.Block {
	by := make([][]*ir.Block, len(p.blocks))
	for _, b := range p.blocks {
		succs := successors(b)
		if len(succs) < 2 {
			continue
		}
		stop := p.idom[b.Index]
		for _, e := range succs {
			for n := e.To.Index; n >= 0 && n != stop; n = p.idom[n] {
				if have := by[n]; len(have) > 0 && have[len(have)-1] == b {
					break // the rest of the way was walked for another edge of b
				}
				by[n] = append(by[n], b)
			}
		}
	}
	return by
}
