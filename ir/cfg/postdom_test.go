package cfg

import (
	"math/rand"
	"testing"
)

// TestPostDominatesAgainstPaths compares the tree with reachability on random graphs in which every block reaches an exit.
func TestPostDominatesAgainstPaths(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	// exits reports whether b reaches an exit without passing avoid.
	exits := func(succs [][]int, b, avoid int) bool {
		seen := make([]bool, len(succs))
		todo := []int{b}
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if n == avoid || seen[n] {
				continue
			}
			seen[n] = true
			if len(succs[n]) == 0 {
				return true
			}
			todo = append(todo, succs[n]...)
		}
		return false
	}
	for range 500 {
		n := 1 + rng.Intn(10)
		succs := make([][]int, n)
		for i := range succs {
			for range rng.Intn(3) {
				if n > 1 {
					succs[i] = append(succs[i], 1+rng.Intn(n-1))
				}
			}
		}
		p := NewPostDominators(function(succs))
		f := p.blocks
		ends := true
		for b := range n {
			ends = ends && exits(succs, b, -1)
		}
		if !ends {
			continue
		}
		for a := range n {
			for b := range n {
				if got, want := p.Dominates(f[a], f[b]), !exits(succs, b, a); got != want {
					t.Fatalf("graph %v: bb%d post-dominates bb%d: got %v, want %v", succs, a, b, got, want)
				}
			}
		}
		for b, by := range p.Controllers() {
			got := map[int]bool{}
			for _, c := range by {
				got[c.Index] = true
			}
			for a := range n {
				want := false
				for _, s := range succs[a] {
					want = want || p.Dominates(f[b], f[s]) && (a == b || !p.Dominates(f[b], f[a]))
				}
				if len(succs[a]) < 2 {
					want = false
				}
				if got[a] != want {
					t.Fatalf("graph %v: bb%d controls bb%d: got %v, want %v", succs, a, b, got[a], want)
				}
			}
		}
	}
}

func TestEndlessLoopsHaveARoot(t *testing.T) {
	p := NewPostDominators(function([][]int{{1, 2}, {1}, nil}))
	for b := range 3 {
		if p.Idom(p.blocks[b]) != nil {
			t.Errorf("bb%d has the post-dominator bb%d, want only the exit", b, p.Idom(p.blocks[b]).Index)
		}
	}
}
