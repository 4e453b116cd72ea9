// Package graph answers questions about directed graphs: orders, predecessors, what is reached, dominance, strongly connected components.
//
// Nodes are numbers, so that whoever has blocks of some kind (package ir/cfg those of SIL functions, package vm/mir those of the code
// that is made from them) asks the same algorithms. All are iterative, so that no input exhausts Go's stack. Edges may be several times
// and lead from a node to itself. Read graph.go, then dom.go and components.go.
package graph

import "slices"

// Graph lists for each node its successors, once for each edge.
type Graph [][]int

// New returns the graph with this many nodes whose node n has the edges that edges adds; numbers that are no nodes are passed over.
func New(nodes int, edges func(n int, add func(to int))) Graph {
	g := make(Graph, nodes)
	all := make([]int, 0, 2*nodes) // the lists of all nodes, one after the other
	ends := make([]int, nodes)
	add := func(to int) {
		if to >= 0 && to < nodes {
			all = append(all, to)
		}
	}
	for n := range g {
		edges(n, add)
		ends[n] = len(all)
	}
	begin := 0
	for n, end := range ends {
		g[n] = all[begin:end:end]
		begin = end
	}
	return g
}

// Reverse returns the graph with every edge reversed: the predecessors of each node, once for each edge, in the order of from. Edges
// from nodes that are not in from are left out; nil stands for all nodes by number.
func (g Graph) Reverse(from []int) Graph {
	if from == nil {
		from = make([]int, len(g))
		for n := range from {
			from[n] = n
		}
	}
	size := make([]int, len(g))
	total := 0
	for _, n := range from {
		for _, to := range g[n] {
			size[to]++
		}
		total += len(g[n])
	}
	all := make([]int, total)
	preds := make(Graph, len(g))
	for n, k := range size {
		preds[n], all = all[:0:k], all[k:]
	}
	for _, n := range from {
		for _, to := range g[n] {
			preds[to] = append(preds[to], n)
		}
	}
	return preds
}

// Reach marks in seen what can be reached from the roots by way of nodes that were not marked before.
func (g Graph) Reach(seen []bool, roots ...int) {
	var work []int
	enter := func(n int) {
		if !seen[n] {
			seen[n] = true
			work = append(work, n)
		}
	}
	for _, n := range roots {
		enter(n)
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range g[n] {
			enter(to)
		}
	}
}

// ReversePostorder lists the nodes that root reaches in reverse postorder of a depth-first search.
func (g Graph) ReversePostorder(root int) []int {
	seen := make([]bool, len(g))
	first := func(n int) bool {
		again := seen[n]
		seen[n] = true
		return !again
	}
	return ReversePostorder(root, first, func(n, k int) (int, bool) {
		if k < len(g[n]) {
			return g[n][k], true
		}
		return 0, false
	})
}

// ReversePostorder lists the nodes of any kind that root reaches in reverse postorder of a depth-first search. succ returns successor k of a
// node, false after the last one; first reports whether a node is met for the first time and should be entered.
func ReversePostorder[N any](root N, first func(N) bool, succ func(n N, k int) (N, bool)) []N {
	type visit struct {
		n    N
		next int
	}
	var order []N
	first(root)
	stack := []visit{{n: root}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		to, more := succ(top.n, top.next)
		top.next++
		switch {
		case !more:
			order = append(order, top.n)
			stack = stack[:len(stack)-1]
		case first(to):
			stack = append(stack, visit{n: to})
		}
	}
	slices.Reverse(order)
	return order
}
