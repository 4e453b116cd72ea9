package leak

import (
	"math/rand"
	"testing"

	"silvm/heap"
)

// TestRingIn looks for rings in random references: one is found exactly where objects lead back to themselves, and each of its
// references starts where the one before it ends.
func TestRingIn(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	rings := 0
	for range 2000 {
		var edges []heap.Edge
		for range r.Intn(12) {
			edges = append(edges, heap.Edge{From: uint64(1 + r.Intn(8)), To: uint64(1 + r.Intn(8)), Slot: r.Uint64()})
		}
		ring := ringIn(edges)
		if (ring != nil) != hasRing(edges) {
			t.Fatalf("%v: found %v", edges, ring)
		}
		for n, e := range ring {
			if next := ring[(n+1)%len(ring)]; e.To != next.From {
				t.Fatalf("%v: %v leads to %d, the next reference starts at %d", edges, ring, e.To, next.From)
			}
		}
		if ring != nil {
			rings++
		}
	}
	if rings < 500 || rings > 1500 {
		t.Errorf("%d of 2000 have rings: the graphs prove little", rings)
	}
}

// hasRing removes objects that nothing leads to, as long as there are any: what stays is rings and what they lead to.
func hasRing(edges []heap.Edge) bool {
	for {
		into := map[heap.Addr]bool{}
		for _, e := range edges {
			into[e.To] = true
		}
		var rest []heap.Edge
		for _, e := range edges {
			if into[e.From] {
				rest = append(rest, e)
			}
		}
		if len(rest) == len(edges) {
			return len(rest) > 0
		}
		edges = rest
	}
}
