package graph

// Tree is the tree of dominators of a graph, with the orders that it was computed from.
type Tree struct {
	// Order lists the nodes that the root reaches, in reverse postorder.
	Order []int
	// Preds are the predecessors of each node among those of Order, in that order, once for each edge.
	Preds Graph

	number []int // position in Order, -1 when unreachable
	idom   []int // by position in Order; the root is its own
	enter  []int // interval of the tree by position, for constant-time queries
	leave  []int
}

// Dominators computes the tree by the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001).
func (g Graph) Dominators(root int) *Tree {
	t := &Tree{Order: g.ReversePostorder(root)}
	size := len(t.Order)
	room := make([]int, len(g)+3*size) // for all columns
	t.number, room = room[:len(g):len(g)], room[len(g):]
	t.idom, room = room[:size:size], room[size:]
	t.enter, t.leave = room[:size:size], room[size:]
	for n := range t.number {
		t.number[n] = -1
	}
	for k, n := range t.Order {
		t.number[n] = k
	}
	t.Preds = g.Reverse(t.Order)
	t.compute()
	t.intervals()
	return t
}

func (t *Tree) compute() {
	for k := range t.idom {
		t.idom[k] = -1
	}
	t.idom[0] = 0
	for changed := true; changed; {
		changed = false
		for k := 1; k < len(t.Order); k++ {
			best := -1
			for _, p := range t.Preds[t.Order[k]] {
				switch p := t.number[p]; {
				case t.idom[p] < 0:
				case best < 0:
					best = p
				default:
					best = t.meet(best, p)
				}
			}
			if t.idom[k] != best {
				t.idom[k] = best
				changed = true
			}
		}
	}
}

func (t *Tree) meet(a, b int) int {
	for a != b {
		for a > b {
			a = t.idom[a]
		}
		for b > a {
			b = t.idom[b]
		}
	}
	return a
}

// intervals numbers the tree so that a dominates b exactly when a's interval holds b's.
func (t *Tree) intervals() {
	n := len(t.Order)
	room := make([]int, 2*n)
	size, free := room[:n], room[n:] // free is the next place among the descendants
	for k := n - 1; k >= 0; k-- {    // children have higher numbers than their parent
		size[k]++
		if k > 0 {
			size[t.idom[k]] += size[k]
		}
	}
	for k := range n {
		if k > 0 {
			p := t.idom[k]
			t.enter[k] = free[p]
			free[p] += size[k]
		}
		t.leave[k] = t.enter[k] + size[k]
		free[k] = t.enter[k] + 1
	}
}

// IsReachable reports whether the root reaches n.
func (t *Tree) IsReachable(n int) bool { return t.number[n] >= 0 }

// Position returns the place of n in Order, -1 when the root does not reach it.
func (t *Tree) Position(n int) int { return t.number[n] }

// Idom returns the immediate dominator of n, -1 for the root and for unreachable nodes.
func (t *Tree) Idom(n int) int {
	if k := t.number[n]; k > 0 {
		return t.Order[t.idom[k]]
	}
	return -1
}

// Dominates reports whether every path from the root to b passes a. An unreachable b is dominated by every node.
func (t *Tree) Dominates(a, b int) bool {
	j, k := t.number[a], t.number[b]
	if k < 0 {
		return true
	}
	return j >= 0 && t.enter[j] <= t.enter[k] && t.enter[k] < t.leave[j]
}

// Children lists for each node those that it immediately dominates, by number.
func (t *Tree) Children() [][]int {
	children := make([][]int, len(t.number))
	for n := range t.number {
		if up := t.Idom(n); up >= 0 {
			children[up] = append(children[up], n)
		}
	}
	return children
}
