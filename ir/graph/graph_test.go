package graph

import (
	"math/rand"
	"slices"
	"testing"
)

// random returns a graph of up to ten nodes with up to three edges each: loops with several entries, edges that are twice or lead back to
// their node, and nodes that nothing reaches.
func random(rng *rand.Rand) Graph {
	nodes := 1 + rng.Intn(10)
	return New(nodes, func(_ int, add func(int)) {
		for range rng.Intn(4) {
			add(rng.Intn(nodes))
		}
	})
}

// reachedWithout marks what root reaches without passing avoid.
func reachedWithout(g Graph, root, avoid int) []bool {
	seen := make([]bool, len(g))
	if avoid >= 0 {
		seen[avoid] = true
	}
	g.Reach(seen, root)
	if avoid >= 0 {
		seen[avoid] = false
	}
	return seen
}

func TestNewPassesOverStrangers(t *testing.T) {
	g := New(2, func(n int, add func(int)) {
		add(-1)
		add(1 - n)
		add(2)
	})
	if len(g) != 2 || !slices.Equal(g[0], []int{1}) || !slices.Equal(g[1], []int{0}) {
		t.Errorf("got %v", g)
	}
}

func TestReverseKeepsTheOrderOfEdges(t *testing.T) {
	g := Graph{{2, 1, 2}, {2}, {0}}
	if preds := g.Reverse(nil); !slices.Equal(preds[2], []int{0, 0, 1}) || !slices.Equal(preds[1], []int{0}) || !slices.Equal(preds[0], []int{2}) {
		t.Errorf("all: %v", preds)
	}
	if preds := g.Reverse([]int{1, 0}); !slices.Equal(preds[2], []int{1, 0, 0}) || len(preds[0]) > 0 {
		t.Errorf("from 1, then 0: %v", preds)
	}
}

func TestReverseTwiceHasTheSameEdges(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 500 {
		g := random(rng)
		again := g.Reverse(nil).Reverse(nil)
		for n := range g {
			want := slices.Sorted(slices.Values(g[n]))
			if !slices.Equal(slices.Sorted(slices.Values(again[n])), want) {
				t.Fatalf("%v: node %d has the edges %v", g, n, again[n])
			}
		}
	}
}

// TestReversePostorder checks that the order has what is reached, once each, a node before its successors unless a path leads back.
func TestReversePostorder(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for range 500 {
		g := random(rng)
		order := g.ReversePostorder(0)
		reached := reachedWithout(g, 0, -1)
		if order[0] != 0 {
			t.Fatalf("%v: the order %v does not begin with the root", g, order)
		}
		for n := range g {
			at := slices.Index(order, n)
			if (at >= 0) != reached[n] || at >= 0 && slices.Contains(order[at+1:], n) {
				t.Fatalf("%v: node %d is wrong in the order %v", g, n, order)
			}
			for _, to := range g[n] {
				if at >= 0 && slices.Index(order, to) < at && !reachedWithout(g, to, -1)[n] {
					t.Fatalf("%v: %d comes after its successor %d in %v", g, n, to, order)
				}
			}
		}
	}
}

func TestDominatesAgainstPaths(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for range 1000 {
		g := random(rng)
		d := g.Dominators(0)
		all := reachedWithout(g, 0, -1)
		for a := range g {
			without := reachedWithout(g, 0, a)
			for b := range g {
				want := !all[b] || all[a] && (a == b || a == 0 || !without[b])
				if got := d.Dominates(a, b); got != want {
					t.Fatalf("%v: %d dominates %d: got %v, want %v", g, a, b, got, want)
				}
			}
			if d.IsReachable(a) != all[a] || (d.Position(a) >= 0) != all[a] {
				t.Fatalf("%v: reachability of %d is wrong", g, a)
			}
		}
		checkIdom(t, g, d)
	}
}

// checkIdom checks that the immediate dominator is the closest: all other proper dominators dominate it.
func checkIdom(t *testing.T, g Graph, d *Tree) {
	t.Helper()
	children := d.Children()
	for n := range g {
		up := d.Idom(n)
		if (up >= 0) != (n != 0 && d.IsReachable(n)) {
			t.Fatalf("%v: the immediate dominator of %d is %d", g, n, up)
		}
		if up < 0 {
			continue
		}
		if !slices.Contains(children[up], n) {
			t.Fatalf("%v: %d is missing among the children of %d", g, n, up)
		}
		for a := range g {
			if a != n && d.IsReachable(a) && d.Dominates(a, n) && !d.Dominates(a, up) {
				t.Fatalf("%v: %d dominates %d but not its immediate dominator %d", g, a, n, up)
			}
		}
	}
}

// TestComponents checks that two nodes are in one component exactly if each reaches the other, and that a component comes after those it reaches.
func TestComponents(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for range 500 {
		g := random(rng)
		roots := []int{rng.Intn(len(g)), rng.Intn(len(g))}
		reached := make([]bool, len(g))
		g.Reach(reached, roots...)
		in := map[int]int{} // the place of a node's component
		for k, nodes := range Components(roots, func(n int) []int { return g[n] }) {
			for _, n := range nodes {
				if _, twice := in[n]; twice || !reached[n] {
					t.Fatalf("%v from %v: node %d is there twice, or not reached", g, roots, n)
				}
				in[n] = k
			}
		}
		for a := range g {
			if _, ok := in[a]; ok != reached[a] {
				t.Fatalf("%v from %v: node %d is missing", g, roots, a)
			}
			if !reached[a] {
				continue
			}
			for b := range g {
				if b == a || !reachedWithout(g, a, -1)[b] {
					continue
				}
				if back := reachedWithout(g, b, -1)[a]; back != (in[a] == in[b]) || in[b] > in[a] {
					t.Fatalf("%v: nodes %d and %d are in components %d and %d", g, a, b, in[a], in[b])
				}
			}
		}
	}
}
