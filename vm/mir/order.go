package mir

import "silvm/ir/graph"

// loop is a natural loop of the MIR: its header and the loop around it.
type loop struct {
	header *Label
	outer  *loop
	depth  int
	ready  []*Label // during linearize: blocks of this loop whose predecessors are all placed
}

// has reports whether a block is one of the loop or of a loop inside.
func (lp *loop) has(l *Label) bool {
	in := l.loop
	for in != nil && in != lp {
		in = in.outer
	}
	return in != nil
}

// Linearize puts the blocks that can be reached into an order in which definitions come before uses and each loop is contiguous
// (if the graph is reducible), and sets index, preds and loop of each. Its cost is nearly linear in the number of edges.
func Linearize(entry *Label) []*Label {
	rpo := ReversePostorder(entry)
	for i, l := range rpo {
		l.index, l.preds, l.loop = i, 0, nil
	}
	findLoops(rpo)
	for _, l := range rpo {
		for _, s := range l.Succs {
			if s.index > l.index {
				s.preds++ // forward edges only: these hold a block back
			}
		}
	}
	return schedule(rpo)
}

// ReversePostorder lists the blocks that entry reaches.
func ReversePostorder(entry *Label) []*Label {
	seen := map[*Label]bool{}
	first := func(l *Label) bool {
		again := seen[l]
		seen[l] = true
		return !again
	}
	return graph.ReversePostorder(entry, first, func(l *Label, n int) (*Label, bool) {
		if n < len(l.Succs) {
			return l.Succs[n], true
		}
		return nil, false
	})
}

// graphOf returns the blocks as nodes by their index, which is their place in the order.
func graphOf(order []*Label) graph.Graph {
	return graph.New(len(order), func(n int, add func(to int)) {
		for _, s := range order[n].Succs {
			add(s.index)
		}
	})
}

// findLoops sets the innermost loop of each block: for each target of a backward edge, innermost first, the blocks from which
// the edge can be reached without passing the target (Tarjan, Testing flow graph reducibility; Havlak, Nesting of reducible and
// irreducible loops). Edges that enter a loop beside its header are left out of it.
func findLoops(rpo []*Label) {
	preds := graphOf(rpo).Reverse(nil)
	rep := make([]int, len(rpo)) // the header of the outermost loop found so far around a block, or itself
	for i := range rep {
		rep[i] = i
	}
	find := func(i int) int {
		for rep[i] != i {
			rep[i] = rep[rep[i]]
			i = rep[i]
		}
		return i
	}
	outermost := make([]*loop, len(rpo)) // of the loop with that header
	for h := len(rpo) - 1; h >= 0; h-- {
		var work []int
		for _, p := range preds[h] {
			if p >= h {
				work = append(work, p)
			}
		}
		if len(work) == 0 {
			continue
		}
		lp := &loop{header: rpo[h]}
		for len(work) > 0 {
			i := find(work[len(work)-1])
			work = work[:len(work)-1]
			if i == h || i < h {
				continue
			}
			rep[i] = h
			if in := outermost[i]; in != nil {
				in.outer = lp
			} else {
				rpo[i].loop = lp
			}
			work = append(work, preds[i]...)
		}
		outermost[h] = lp
		rpo[h].loop = lp
	}
	for _, l := range rpo { // outer loops have smaller headers, so they are met first
		if l.loop != nil && l.loop.header == l {
			l.loop.depth = 1
			if l.loop.outer != nil {
				l.loop.depth = l.loop.outer.depth + 1
			}
		}
	}
}

// schedule orders the blocks so that a loop that was begun is finished before anything after it is placed.
func schedule(rpo []*Label) []*Label {
	s := scheduler{outside: &loop{}}
	for i, l := range rpo {
		l.rpo, l.index = i, -1
	}
	for cur := rpo[0]; cur != nil; cur = s.next(cur) {
		s.place(cur)
	}
	return s.order
}

type scheduler struct {
	order   []*Label
	outside *loop    // stands for what is in no loop
	ready   []*Label // all blocks that became ready, placed ones too
}

// group returns the loop among whose ready blocks l waits. A loop is entered through its header, so the header waits outside.
func (s *scheduler) group(l *Label) *loop {
	g := l.loop
	if g != nil && g.header == l {
		g = g.outer
	}
	if g == nil {
		g = s.outside
	}
	return g
}

func (s *scheduler) place(l *Label) {
	l.index = len(s.order)
	s.order = append(s.order, l)
	for n := len(l.Succs) - 1; n >= 0; n-- {
		to := l.Succs[n]
		if to.rpo <= l.rpo {
			continue
		}
		if to.preds--; to.preds == 0 {
			g := s.group(to)
			g.ready = append(g.ready, to)
			s.ready = append(s.ready, to)
		}
	}
}

// next picks a ready block of the innermost loop around the last placed one that has any, or any other one: in irreducible
// graphs a loop may have blocks that are ready although none of its blocks was placed.
func (s *scheduler) next(last *Label) *Label {
	g := last.loop
	for {
		if g == nil {
			g = s.outside
		}
		if l := popUnplaced(&g.ready); l != nil {
			return l
		}
		if g == s.outside {
			return popUnplaced(&s.ready)
		}
		g = g.outer
	}
}

func popUnplaced(list *[]*Label) *Label {
	for n := len(*list); n > 0; n = len(*list) {
		l := (*list)[n-1]
		*list = (*list)[:n-1]
		if l.index < 0 {
			return l
		}
	}
	return nil
}
