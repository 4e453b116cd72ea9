package cfg

import (
	"math/rand"
	"testing"

	"silvm/ir"
	"silvm/ir/op"
)

// function makes a function whose block n branches to succs[n].
func function(succs [][]int) *ir.Function {
	f := &ir.Function{Name: "f"}
	for range succs {
		f.AddBlock("")
	}
	for n, to := range succs {
		i := &ir.Inst{Op: op.Unreachable}
		if len(to) > 0 {
			i.Op = op.SwitchEnum
		}
		for _, s := range to {
			i.Succs = append(i.Succs, ir.Edge{To: f.Blocks[s]})
		}
		f.Blocks[n].Append(i)
	}
	return f
}

// reaches reports whether block to can be reached from the entry without passing avoid.
func reaches(succs [][]int, to, avoid int) bool {
	seen := make([]bool, len(succs))
	todo := []int{0}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == avoid || seen[n] {
			continue
		}
		seen[n] = true
		todo = append(todo, succs[n]...)
	}
	return seen[to]
}

func TestDominatesAgainstPaths(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
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
		f := function(succs)
		d := NewDominators(f)
		for a := range n {
			for b := range n {
				reachable := reaches(succs, b, -1)
				want := !reachable || reaches(succs, a, -1) && !reaches(succs, b, a)
				if got := d.Dominates(f.Blocks[a], f.Blocks[b]); got != want {
					t.Fatalf("graph %v: bb%d dominates bb%d: got %v, want %v", succs, a, b, got, want)
				}
			}
			if d.IsReachable(f.Blocks[a]) != reaches(succs, a, -1) {
				t.Fatalf("graph %v: reachability of bb%d is wrong", succs, a)
			}
		}
	}
}

func TestIdomIsClosest(t *testing.T) {
	f := function([][]int{{1, 2}, {3}, {3}, {4, 5}, {3}, nil})
	d := NewDominators(f)
	for b, want := range []int{-1, 0, 0, 0, 3, 3} {
		got := -1
		if i := d.Idom(f.Blocks[b]); i != nil {
			got = i.Index
		}
		if got != want {
			t.Errorf("immediate dominator of bb%d is %d, want %d", b, got, want)
		}
	}
}

// A tree holds as long as blocks and edges are the same, whatever instructions there are.
func TestTreeIsOfTheSameEdges(t *testing.T) {
	f := function([][]int{{1, 2}, {3}, {3}, nil})
	d := NewDominators(f)
	if f = function([][]int{{1, 2}, {3}, {3}, nil}); d.AreOf(f) {
		t.Error("the tree of one function is taken for that of another one")
	}
	d = NewDominators(f)
	(&ir.Inst{Op: op.DebugStep}).InsertBefore(f.Blocks[3].First())
	f.Blocks[3].Index = 7
	if !d.AreOf(f) || f.Blocks[3].Index != 3 {
		t.Error("an instruction that is no branch made the tree another one, or the blocks have wrong numbers")
	}
	f.Blocks[1].Terminator().Succs[0].To = f.Blocks[2]
	if d.AreOf(f) {
		t.Error("an edge leads elsewhere and the tree is the same")
	}
	f.Blocks[1].Terminator().Succs[0].To = f.Blocks[3]
	f.AddBlock("")
	if d.AreOf(f) {
		t.Error("a block more and the tree is the same")
	}
}
