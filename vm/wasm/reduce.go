package wasm

import "slices"

// Lowering peels the first round off a loop and lets it go on in the middle of the next: a cycle that is entered at several places, which
// has no structure. Such a cycle gets one place to enter it, and whoever enters it elsewhere a copy of what comes before he is at that place
// (J. Janssen, H. Corporaal: Making graphs reducible with controlled node splitting, 1997).

// maxCopies is how many instructions more than it has, and as many more, a function may get by copies.
const maxCopies = 200

// reduce copies blocks until the graph is reducible, or leaves it as it is when that takes too many.
func (g *fn) reduce() {
	before, left := make([]block, len(g.blocks)), maxCopies
	for k, b := range g.blocks {
		b.succs = slices.Clone(b.succs)
		before[k] = b
		left += int(b.end - b.start)
	}
	for g.irreducible {
		if left -= g.split(); left < 0 {
			g.blocks = before
			g.analyze()
			return
		}
		g.analyze()
	}
}

// split gives the cycle around block odd one entry, that block; it returns how many instructions were copied.
func (g *fn) split() (copied int) {
	h := g.odd
	within := func(n int) bool { return n != g.blocks[h].idom && g.dominates(g.blocks[h].idom, n) }
	cycle := g.reached(h, within, func(b *block) []int { return b.succs })
	back := g.reached(h, within, func(b *block) []int { return b.preds })
	copyOf := map[int]int{}
	n := len(g.blocks)
	for k := range n {
		if k != h && cycle[k] && back[k] {
			b := g.blocks[k]
			copyOf[k] = len(g.blocks)
			b.n = len(g.blocks)
			b.succs = slices.Clone(b.succs)
			g.blocks = append(g.blocks, b)
			copied += int(b.end - b.start)
		}
	}
	for k := range g.blocks {
		if _, inside := copyOf[k]; k == h || inside {
			continue // what comes from the cycle stays in it
		}
		for i, s := range g.blocks[k].succs {
			if c, ok := copyOf[s]; ok {
				g.blocks[k].succs[i] = c
			}
		}
	}
	return copied
}

// reached returns the blocks that a walk from h comes to, itself among them.
func (g *fn) reached(h int, within func(n int) bool, next func(b *block) []int) []bool {
	seen := make([]bool, len(g.blocks))
	seen[h] = true
	for work := []int{h}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range next(&g.blocks[n]) {
			if !seen[s] && within(s) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// analyze finds what follows from the blocks and their successors.
func (g *fn) analyze() {
	g.order, g.irreducible = g.order[:0], false
	for k := range g.blocks {
		b := &g.blocks[k]
		b.preds, b.kids, b.rpo, b.idom, b.header, b.merge = nil, nil, -1, -1, false, false
	}
	g.sort()
	g.dominators()
	g.loops()
}
