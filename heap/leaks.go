package heap

import (
	"cmp"
	"slices"
)

// Edge is a strong reference from one block to another.
type Edge struct {
	From Addr // start of the block that holds it
	Slot Addr // where it is stored
	To   Addr // start of the block that it points into
}

// Leak is a group of blocks that are alive and that no root reaches: all members of a cycle (a strongly connected component),
// or one block that is on none.
type Leak struct {
	Objects []ObjectInfo // those of Cycle first, in its order, then the others by serial number
	Cycle   []Edge       // a shortest cycle through the first member of the group, starting there; nil if there is none
	Edges   []Edge       // all references between members, by holder and slot
	Held    bool         // another leak refers to this one, which may go with it
	Refs    []int        // the other leaks that members refer to: indices in what Leaks returned, ascending
}

// Leaks returns what is alive and not reachable from roots, the groups that nothing else holds first, then by serial number.
// Roots are addresses of objects or into blocks; null and addresses that no block covers are passed over, so are references to
// them. refsOf calls yield for each strong reference in a block; it is asked once for each live object and raw block and must
// neither allocate nor free. Stack chunks and side tables are not looked at: what they refer to is the caller's to name.
func Leaks(h *Heap, roots []Addr, refsOf func(o ObjectInfo, yield func(slot, target Addr))) []Leak {
	g := newGraph(h, refsOf)
	g.reach(roots)
	groups := g.components()
	leaks := make([]Leak, len(groups))
	order := make([]int, len(groups))
	for n, members := range groups {
		leaks[n], order[n] = g.leak(members), n
	}
	slices.SortFunc(order, func(a, b int) int { return compareLeaks(&leaks[a], &leaks[b]) })
	sorted, at := make([]Leak, len(groups)), make([]int, len(groups))
	for n, group := range order {
		sorted[n], at[group] = leaks[group], n
	}
	for n, group := range order {
		sorted[n].Refs = g.refs(groups[group], at)
	}
	return sorted
}

// compareLeaks orders what nothing else holds before what goes with something, then by the first object.
func compareLeaks(a, b *Leak) int {
	if a.Held != b.Held {
		if a.Held {
			return 1
		}
		return -1
	}
	return compareBlocks(a.Objects[0], b.Objects[0])
}

// refs lists the other leaks that the members of a group refer to; at is the place of each group among the leaks.
func (g *graph) refs(members []int, at []int) []int {
	var out []int
	for _, n := range members {
		for _, e := range g.out(n) {
			if to := g.group[e.to]; to >= 0 && to != g.group[n] {
				out = append(out, at[to])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func compareBlocks(a, b ObjectInfo) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Serial, b.Serial), cmp.Compare(a.Ref, b.Ref))
}

// graph is the live blocks, in address order, and the references between them. There may be millions: what is kept of each is little.
type graph struct {
	h       *Heap
	blocks  []block
	first   []int32 // edges of block n are edges[first[n]:first[n+1]]
	edges   []edge  // in refsOf's order
	reached []bool
	group   []int32 // number of the component, -1 before it is known
	came    []step
}

// block is where a block lies.
type block struct{ ref, size uint64 }

// step says how the search of cycle came to a block, and in which component's search that was.
type step struct {
	from, group int32
	via         edge
}

type edge struct {
	slot Addr
	to   int32
}

// info describes block n.
func (g *graph) info(n int) ObjectInfo {
	o, _ := g.h.Object(g.blocks[n].ref)
	return o
}

func newGraph(h *Heap, refsOf func(ObjectInfo, func(slot, target Addr))) *graph {
	g := &graph{h: h}
	h.Live(func(o ObjectInfo) bool {
		if o.Kind != KindStack && o.Kind != KindSideTable {
			g.blocks = append(g.blocks, block{o.Ref, o.Size})
		}
		return true
	})
	g.first = make([]int32, 0, len(g.blocks)+1)
	for n := range g.blocks {
		g.first = append(g.first, int32(len(g.edges)))
		refsOf(g.info(n), func(slot, target Addr) {
			if to, ok := g.find(target); ok {
				g.edges = append(g.edges, edge{slot, int32(to)})
			}
		})
	}
	g.first = append(g.first, int32(len(g.edges)))
	g.reached = make([]bool, len(g.blocks))
	g.group = make([]int32, len(g.blocks))
	for n := range g.group {
		g.group[n] = -1
	}
	return g
}

// find returns the number of the block that a points into.
func (g *graph) find(a Addr) (n int, ok bool) {
	n, ok = slices.BinarySearchFunc(g.blocks, a, func(o block, a Addr) int { return cmp.Compare(o.ref, a) })
	if ok {
		return n, true
	}
	n--
	return n, n >= 0 && a-g.blocks[n].ref < g.blocks[n].size
}

func (g *graph) out(n int) []edge { return g.edges[g.first[n]:g.first[n+1]] }

// reach marks what the roots reach.
func (g *graph) reach(roots []Addr) {
	var todo []int
	visit := func(n int) {
		if !g.reached[n] {
			g.reached[n] = true
			todo = append(todo, n)
		}
	}
	for _, a := range roots {
		if n, ok := g.find(a); ok {
			visit(n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range g.out(n) {
			visit(int(e.to))
		}
	}
}

// components returns the strongly connected components of the blocks that were not reached, with an explicit stack.
// (R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972.)
func (g *graph) components() [][]int {
	var (
		out   [][]int
		index = make([]int32, len(g.blocks)) // order of discovery from 1, 0 before it
		low   = make([]int32, len(g.blocks))
		next  = make([]int32, len(g.blocks)) // edges already followed
		open  []int                          // blocks whose component is not known
		path  []int
		count int32
	)
	enter := func(n int) {
		count++
		index[n], low[n] = count, count
		open = append(open, n)
		path = append(path, n)
	}
	for start := range g.blocks {
		if g.reached[start] || index[start] != 0 {
			continue
		}
		enter(start)
		for len(path) > 0 {
			n := path[len(path)-1]
			if es := g.out(n); int(next[n]) < len(es) {
				to := int(es[next[n]].to)
				next[n]++
				switch {
				case g.reached[to]:
				case index[to] == 0:
					enter(to)
				case g.group[to] < 0:
					low[n] = min(low[n], index[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1]
				low[up] = min(low[up], low[n])
			}
			if low[n] == index[n] {
				at := len(open) - 1
				for open[at] != n {
					at--
				}
				members := slices.Clone(open[at:])
				open = open[:at]
				for _, m := range members {
					g.group[m] = int32(len(out))
				}
				out = append(out, members)
			}
		}
	}
	g.markHeld(out)
	return out
}

// markHeld sets reached, which is of no more use for these blocks, on every member that another leaked group refers to.
func (g *graph) markHeld(groups [][]int) {
	for _, members := range groups {
		for _, n := range members {
			for _, e := range g.out(n) {
				if g.group[e.to] != g.group[n] {
					g.reached[e.to] = true
				}
			}
		}
	}
}

// leak describes one component.
func (g *graph) leak(members []int) Leak {
	slices.SortFunc(members, func(a, b int) int { return compareBlocks(g.info(a), g.info(b)) })
	var l Leak
	for _, n := range members {
		l.Held = l.Held || g.reached[n]
		for _, e := range g.out(n) {
			if g.group[e.to] == g.group[n] {
				l.Edges = append(l.Edges, g.edge(n, e))
			}
		}
	}
	order := members
	if len(l.Edges) > 0 {
		order = nil
		l.Cycle = g.cycle(members[0])
		onCycle := make(map[int]bool, len(l.Cycle))
		for _, e := range l.Cycle {
			n, _ := g.find(e.From)
			onCycle[n] = true
			order = append(order, n)
		}
		for _, n := range members {
			if !onCycle[n] {
				order = append(order, n)
			}
		}
	}
	for _, n := range order {
		l.Objects = append(l.Objects, g.info(n))
	}
	return l
}

func (g *graph) edge(from int, e edge) Edge {
	return Edge{g.blocks[from].ref, e.slot, g.blocks[e.to].ref}
}

// cycle returns a shortest cycle through n, whose component has one: a breadth-first search that stays in the component.
func (g *graph) cycle(n int) []Edge {
	if g.came == nil {
		g.came = make([]step, len(g.blocks))
		for k := range g.came {
			g.came[k].group = -1
		}
	}
	group := g.group[n]
	for queue := []int{n}; g.came[n].group != group; queue = queue[1:] {
		from := queue[0]
		for _, e := range g.out(from) {
			if g.group[e.to] == group && g.came[e.to].group != group {
				g.came[e.to] = step{int32(from), group, e}
				queue = append(queue, int(e.to))
			}
		}
	}
	var back []Edge
	for at := n; ; {
		s := g.came[at]
		back = append(back, g.edge(int(s.from), s.via))
		if at = int(s.from); at == n {
			break
		}
	}
	slices.Reverse(back)
	return back
}
