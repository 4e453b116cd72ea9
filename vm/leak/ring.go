package leak

import (
	"slices"

	"silvm/heap"
)

// Objects that hold each other may form several rings.

// Bounds of the search for further rings.
const (
	maxRings     = 10
	maxRingEdges = 20_000
)

// Rings returns rings of references among the objects of a leak, the one of l first: after each the reference that should be weak is
// taken for gone, so that with all those weak none is left, unless there are too many. It is empty for a leak that is no ring.
func (r *Report) Rings(l heap.Leak) []heap.Leak {
	if len(l.Cycle) == 0 {
		return nil
	}
	out := []heap.Leak{l}
	edges := slices.Clone(l.Edges)
	for len(out) < maxRings && len(l.Edges) <= maxRingEdges {
		weak, ok := r.Weaken(out[len(out)-1])
		if !ok {
			break
		}
		edges = slices.DeleteFunc(edges, func(e heap.Edge) bool { return e == weak })
		next := ringIn(edges)
		if next == nil {
			break
		}
		out = append(out, heap.Leak{Cycle: next})
	}
	return out
}

// ringIn finds a shortest ring through the first object that is on one, nil when there is none.
func ringIn(edges []heap.Edge) []heap.Edge {
	from := map[heap.Addr][]heap.Edge{}
	for _, e := range edges {
		from[e.From] = append(from[e.From], e)
	}
	for tried := map[heap.Addr]bool{}; len(edges) > 0; edges = edges[1:] {
		start := edges[0].From
		if tried[start] {
			continue
		}
		tried[start] = true
		came := map[heap.Addr]heap.Edge{}
		for queue := []heap.Addr{start}; len(queue) > 0; queue = queue[1:] {
			for _, e := range from[queue[0]] {
				if _, seen := came[e.To]; seen {
					continue
				}
				came[e.To] = e
				if e.To == start {
					return ringOf(came, start)
				}
				queue = append(queue, e.To)
			}
		}
	}
	return nil
}

// ringOf reads the ring off the references by which a search came back to its start.
func ringOf(came map[heap.Addr]heap.Edge, start heap.Addr) (ring []heap.Edge) {
	for at := start; ; {
		e := came[at]
		ring = append(ring, e)
		if at = e.From; at == start {
			slices.Reverse(ring)
			return ring
		}
	}
}
