package wasm

import (
	"maps"
	"slices"
)

// Lowering peels the first iteration off a loop and enters it in the middle of the next: a cycle that is entered at several places, which
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

// maxJoin is how many instructions a block has that is copied for a rare path, and maxJoins how many a function gets by that.
const (
	maxJoin  = 40
	maxJoins = 200
)

// unjoin gives the path on which a buffer is not the only one, and is copied, a block of its own where it would come back to the other path:
// there things stay as known as they were.
func (g *fn) unjoin() {
	left := maxJoins
	for _, n := range g.order {
		if !g.asksUnique(&g.blocks[n]) {
			continue
		}
		from, j := n, g.blocks[n].succs[0]
		for len(g.blocks[j].preds) == 1 && len(g.blocks[j].succs) == 1 && j != g.blocks[n].succs[1] {
			from, j = j, g.blocks[j].succs[0]
		}
		b := g.blocks[j]
		size := int(b.end - b.start)
		if b.header || len(b.preds) < 2 || b.exit != nil || j == g.blocks[n].succs[1] || size > min(maxJoin, left) {
			continue
		}
		if slices.ContainsFunc(b.preds, func(p int) bool { return !g.dominates(n, p) || g.blocks[p].rpo >= b.rpo }) {
			continue
		}
		left -= size
		c := len(g.blocks)
		for _, p := range b.preds {
			for i, s := range g.blocks[p].succs {
				if s == j && p != from {
					g.blocks[p].succs[i] = c
				}
			}
		}
		b.n, b.succs = c, slices.Clone(b.succs)
		g.blocks = append(g.blocks, b)
		for _, s := range b.succs {
			g.blocks[s].preds = append(g.blocks[s].preds, c)
		}
		g.blocks[c].rpo, g.blocks[c].idom = b.rpo, n // as far as the rest of this loop looks at them
	}
	if left < maxJoins {
		g.analyze()
	}
}

// A small loop that has no loop inside stands several times in its own place: what is known, checked or in a register at its end is so over
// the back edge, and the wish to stop is looked at only once.
const (
	maxRounded = 4   // times that it is there
	maxRound   = 100 // instructions of all of these
	maxUnroll  = 200 // instructions that a function gets by that
)

// unroll copies such loops.
func (g *fn) unroll() {
	if g.irreducible {
		return
	}
	left := maxUnroll
	for _, n := range g.order {
		if _, fills := g.fillOf(n); fills || !g.blocks[n].header {
			continue
		}
		body := g.body(n)
		size, inner := 0, true
		for k := range body {
			size += int(g.blocks[k].end - g.blocks[k].start)
			inner = inner && (k == n || !g.blocks[k].header)
		}
		if times := min(maxRounded, maxRound/max(size, 1)); inner && times > 1 && (times-1)*size <= left {
			left -= (times - 1) * size
			g.repeat(n, body, times)
		}
	}
	if left < maxUnroll {
		g.analyze()
	}
}

// repeat has the loop that begins with block n stand so many times in its place.
func (g *fn) repeat(n int, body map[int]bool, times int) {
	blocks := slices.Sorted(maps.Keys(body))
	before, succs := map[int]int{}, map[int][]int{} // the copy of each block that was made last, and where the block itself leads
	for _, k := range blocks {
		before[k], succs[k] = k, slices.Clone(g.blocks[k].succs)
	}
	for range times - 1 {
		copyOf := map[int]int{}
		for _, k := range blocks {
			copyOf[k] = len(g.blocks)
			b := g.blocks[k]
			b.n = len(g.blocks)
			g.blocks = append(g.blocks, b)
		}
		for _, k := range blocks {
			last, next := &g.blocks[before[k]], &g.blocks[copyOf[k]]
			next.succs = slices.Clone(last.succs)
			for i, s := range succs[k] {
				if s == n {
					last.succs[i] = copyOf[n]
				} else if body[s] {
					next.succs[i] = copyOf[s]
				}
			}
		}
		before = copyOf
	}
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
	g.irreducible = false
	for k := range g.blocks {
		b := &g.blocks[k]
		b.preds, b.kids, b.rpo, b.idom, b.header, b.merge = nil, nil, -1, -1, false, false
	}
	g.dominators()
	g.loops()
}
