package ir

import (
	"math/rand"
	"slices"
	"testing"

	"silvm/ir/op"
)

// The order holds whatever is put in, moved and taken out, in one place again and again too.
func TestIsBefore(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	b := &Block{}
	var list []*Inst
	for n := range 400 {
		i := &Inst{Op: op.DebugStep}
		switch at := len(list); {
		case at == 0 || r.Intn(4) == 0:
			b.Append(i)
			list = append(list, i)
		default:
			if n%3 > 0 {
				at = min(at, 7) // halves the same gap
			}
			at = r.Intn(at)
			i.InsertBefore(list[at])
			list = slices.Insert(list, at, i)
		}
		if from := r.Intn(len(list)); r.Intn(5) == 0 && len(list) > 2 {
			moved := list[from]
			list = slices.Delete(list, from, from+1)
			to := r.Intn(len(list))
			moved.MoveBefore(list[to])
			list = slices.Insert(list, to, moved)
		}
		if n%20 == 19 {
			gone := r.Intn(len(list))
			list[gone].Remove()
			list = slices.Delete(list, gone, gone+1)
		}
		for range 20 {
			x, y := r.Intn(len(list)), r.Intn(len(list))
			if got := list[x].IsBefore(list[y]); got != (x < y) {
				t.Fatalf("after %d changes: instruction %d before %d: %t", n, x, y, got)
			}
		}
	}
}
