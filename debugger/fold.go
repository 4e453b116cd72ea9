package debugger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"silvm/debugger/picture"
	"silvm/heap"
	"silvm/ir/graph"
)

// The whole heap as a picture of few boxes.
//
// Objects are folded along the dominator tree, whose parent of an object is the last that all paths from the roots lead through: an object goes into the
// box of its class below its parent's box, or into its parent's own box when that is of the same class, as the elements of a list are.
// Boxes that keep the least alive are folded once more into one below their parent. The objects of rings stay for themselves, and rings
// that differ only in which objects they are of share their boxes.

const (
	unfolded    = 24 // blocks that are all shown for themselves
	mostFolded  = 26 // boxes of objects that are not on rings
	mostRings   = 3  // rings that are shown
	mostOnRing  = 8  // boxes of a ring
	mostOutside = 10 // boxes of roots
	mostDeep    = 8  // boxes below one another, counted from a root or from the object that the picture is about
	mostAbove   = 3  // boxes between a root and the object that the picture is about, but for one of all others
	mostNames   = 2  // of fields at an arrow
)

// Picture shows an object with what holds it and what it reaches, with nil the whole heap. The number of boxes is bounded, the
// number of objects isn't.
func (d *Debugger) Picture(about *Object) *picture.Graph {
	f := &folder{d: d, index: map[uint64]int{}, g: &picture.Graph{}, arrows: map[[2]int]*folded{}}
	f.collect(about)
	f.rings()
	f.dominate()
	f.group()
	f.shallow()
	f.fewer()
	f.draw()
	return f.g
}

// folder is the work under way. Blocks are numbered from 1; 0 is what leads to all roots and to what no root leads to.
type folder struct {
	d      *Debugger
	blocks []heap.ObjectInfo
	index  map[uint64]int
	edges  [][]Edge
	roots  []Root
	focus  int
	cycles []Cycle
	lost   []bool // no root leads to it

	onRing  []int // by block: its place among those of rings, -1 for none
	tree    *graph.Tree
	weight  []uint64 // by block: bytes that it keeps alive
	kept    []int    // by block: blocks that it keeps alive
	groupOf []int    // by block
	groups  []*group

	g      *picture.Graph
	arrows map[[2]int]*folded
}

// group becomes a box.
type group struct {
	parent  int // group, -1 for none
	class   string
	members []int
	bytes   uint64
	keeps   int
	ring    int // -1 for none
	mixed   bool
	box     int
}

// folded is edges that become one arrow.
type folded struct {
	names  []string
	known  map[[2]uint64]bool // slots by the type of their holder and the offset
	others bool               // there are more names
	count  int
	onRing bool
	weaken bool
}

// collect takes the blocks and the edges between them.
func (f *folder) collect(about *Object) {
	f.blocks, f.edges = make([]heap.ObjectInfo, 1), make([][]Edge, 1)
	take := func(b heap.ObjectInfo) bool {
		if _, ok := f.index[b.Ref]; ok || b.State == heap.Freed || b.Kind == heap.KindStack || b.Kind == heap.KindSideTable {
			return false
		}
		f.index[b.Ref] = len(f.blocks)
		f.blocks = append(f.blocks, b)
		return true
	}
	if about == nil {
		f.d.m.Heap().Live(func(b heap.ObjectInfo) bool { take(b); return true })
	} else {
		takeRef := func(ref uint64) {
			if info, ok := f.d.m.Heap().Object(ref); ok {
				take(info)
			}
		}
		takeRef(about.Ref)
		f.focus = f.index[about.Ref]
		for n := 1; n < len(f.blocks); n++ {
			f.d.eachEdge(f.blocks[n].Ref, func(e Edge) { takeRef(e.To) })
		}
		if _, path, ok := f.d.Why(*about); ok {
			for _, e := range path {
				takeRef(e.From)
			}
		}
		holders, _ := f.d.Holders(*about)
		for _, e := range holders {
			takeRef(e.From)
		}
	}
	for n := 1; n < len(f.blocks); n++ {
		var out []Edge
		f.d.eachEdge(f.blocks[n].Ref, func(e Edge) {
			if f.index[e.To] > 0 {
				out = append(out, e)
			}
		})
		f.edges = append(f.edges, out)
	}
	for _, r := range f.d.roots() {
		if f.index[r.Ref] > 0 {
			f.roots = append(f.roots, r)
		}
	}
	f.onRing = make([]int, len(f.blocks))
	for n := range f.onRing {
		f.onRing[n] = -1
	}
	f.groupOf = slices.Clone(f.onRing)
}

// kind names what a block is, without its number.
func (f *folder) kind(n int) string {
	name := f.d.m.ObjectName(f.blocks[n])
	class, _, _ := strings.Cut(name, "#")
	return strings.TrimSpace(class)
}

// rings chooses the rings that are shown, and gives each of their objects its group. Equal rings share the groups of the first.
func (f *folder) rings() {
	type shape struct{ ring, count int }
	known := map[string]*shape{}
	first := map[string][]int{}
	for _, c := range f.d.Cycles() {
		var ring []int
		for _, e := range c.Edges {
			ring = append(ring, f.index[e.From])
		}
		if len(ring) == 0 || slices.Contains(ring, 0) {
			continue
		}
		ring, text := f.rotate(ring, c)
		s := known[text]
		switch {
		case s != nil && len(ring) <= mostOnRing:
			if slices.ContainsFunc(ring, func(n int) bool { return f.onRing[n] >= 0 }) {
				continue
			}
			s.count++
			for k, n := range ring {
				f.enter(n, first[text][k], s.ring)
			}
			f.g.Rings[s.ring].Label = fmt.Sprintf("ring of %d, %s times", len(ring), humanize.Comma(int64(s.count)))
		case s == nil && len(known) < mostRings:
			if slices.ContainsFunc(ring, func(n int) bool { return f.onRing[n] >= 0 }) {
				continue // among the objects of a ring that is shown
			}
			label := "ring of " + humanize.Comma(int64(len(ring)))
			if len(ring) == 1 {
				label = "refers to itself"
			}
			f.g.Rings = append(f.g.Rings, picture.Ring{Label: label, Held: c.Held})
			s = &shape{len(f.g.Rings) - 1, 1}
			known[text] = s
			for k, n := range ring {
				if k >= mostOnRing-1 && k < len(ring)-1 { // the middle of a long ring
					f.enter(n, len(f.groups)-1, s.ring)
					continue
				}
				f.groups = append(f.groups, &group{parent: -1, class: f.kind(n), ring: s.ring})
				first[text] = append(first[text], len(f.groups)-1)
				f.enter(n, len(f.groups)-1, s.ring)
			}
			f.cycles = append(f.cycles, c)
		}
	}
}

func (f *folder) enter(n, group, ring int) {
	f.onRing[n], f.groupOf[n] = ring, group
	g := f.groups[group]
	g.members = append(g.members, n)
	g.mixed = g.mixed || g.class != f.kind(n)
}

// rotate starts a ring where its text is least, and returns the text, which equal rings have in common.
func (f *folder) rotate(ring []int, c Cycle) ([]int, string) {
	parts := make([]string, len(ring))
	least := 0
	for k, n := range ring {
		parts[k] = fmt.Sprintf("%s+%d", f.kind(n), c.Edges[k].Slot-f.blocks[n].Ref)
		if parts[k] < parts[least] {
			least = k
		}
	}
	held := fmt.Sprint(c.Held)
	return append(slices.Clone(ring[least:]), ring[:least]...), held + strings.Join(parts[least:], " ") + " " + strings.Join(parts[:least], " ")
}

// dominate computes the dominator tree and what each block keeps alive. What no root leads to hangs on its rings, else on what nothing
// leads to.
func (f *folder) dominate() {
	f.lost = make([]bool, len(f.blocks))
	incoming := make([]int, len(f.blocks))
	for n, list := range f.edges {
		for _, e := range list {
			if to := f.index[e.To]; to != n {
				incoming[to]++
			}
		}
	}
	g := graph.New(len(f.blocks), func(n int, add func(int)) {
		for _, e := range f.edges[n] {
			add(f.index[e.To])
		}
	})
	seen := make([]bool, len(f.blocks))
	for _, r := range f.roots {
		n := f.index[r.Ref]
		g[0] = append(g[0], n)
		g.Reach(seen, n)
	}
	reached := slices.Clone(seen)
	lead := func(is func(n int) bool) {
		for n := 1; n < len(f.blocks); n++ {
			if !reached[n] && !seen[n] && is(n) {
				g[0] = append(g[0], n)
				g.Reach(seen, n)
			}
		}
	}
	lead(func(n int) bool { return incoming[n] == 0 })
	lead(func(n int) bool { return f.onRing[n] >= 0 })
	lead(func(int) bool { return true })
	for n := 1; n < len(f.blocks); n++ {
		f.lost[n] = !reached[n]
	}
	f.tree = g.Dominators(0)
	f.weight, f.kept = make([]uint64, len(f.blocks)), make([]int, len(f.blocks))
	for _, n := range slices.Backward(f.byPosition()) {
		f.weight[n] += f.blocks[n].Size
		f.kept[n]++
		if p := f.tree.Idom(n); p > 0 {
			f.weight[p] += f.weight[n]
			f.kept[p] += f.kept[n]
		}
	}
}

// byPosition lists the blocks so that each comes after its parent in the dominator tree.
func (f *folder) byPosition() []int {
	list := make([]int, 0, len(f.blocks))
	for n := 1; n < len(f.blocks); n++ {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(f.tree.Position(a), f.tree.Position(b)) })
	return list
}

// group assigns each block to its group.
func (f *folder) group() {
	type key struct {
		parent int
		class  string
		lost   bool
	}
	known := map[key]int{}
	for _, n := range f.byPosition() {
		if f.groupOf[n] >= 0 {
			continue
		}
		parent := -1
		if p := f.tree.Idom(n); p > 0 {
			parent = f.groupOf[p]
		}
		k := key{parent, f.kind(n), f.lost[n]}
		alone := len(f.blocks) <= unfolded || n == f.focus
		if !alone && parent >= 0 && f.groups[parent].class == k.class && f.groups[parent].ring < 0 && !slices.Contains(f.groups[parent].members[:1], f.focus) {
			f.groupOf[n] = parent
			f.groups[parent].members = append(f.groups[parent].members, n)
			continue
		}
		at, ok := known[k]
		if !ok || alone {
			at = len(f.groups)
			f.groups = append(f.groups, &group{parent: parent, class: k.class, ring: -1})
			if !alone {
				known[k] = at
			}
		}
		f.groupOf[n] = at
		f.groups[at].members = append(f.groups[at].members, n)
	}
	f.weigh()
}

// weigh sums up what the groups keep alive: what their members do that no other member keeps.
func (f *folder) weigh() {
	for at, g := range f.groups {
		g.bytes, g.keeps = 0, 0
		for _, n := range g.members {
			if p := f.tree.Idom(n); p > 0 && f.groupOf[p] == at {
				continue
			}
			g.bytes += f.weight[n]
			g.keeps += f.kept[n]
		}
	}
}

// shallow folds what lies deep into one box below the last one that is shown: a long chain would be a picture that no screen holds.
func (f *folder) shallow() {
	type key struct {
		last int
		lost bool
	}
	depth, last := make([]int, len(f.groups)), make([]int, len(f.groups)) // last is the group at the greatest depth that is shown
	others := map[key]int{}
	most := make([]int, len(f.groups))
	for n, g := range f.groups {
		focus := f.focus > 0 && slices.Contains(g.members, f.focus)
		last[n], most[n] = n, mostDeep
		if p := g.parent; f.focus > 0 && !focus {
			most[n] = mostAbove
			if p >= 0 {
				most[n] = most[p]
			}
		}
		if p := g.parent; p >= 0 && !focus {
			if depth[n] = depth[p] + 1; depth[n] >= most[n] {
				last[n] = last[p]
			}
		}
		if p := g.parent; p >= 0 && depth[p] >= most[p] {
			g.parent = f.groupOf[f.tree.Idom(g.members[0])]
		}
		if depth[n] < most[n] || g.ring >= 0 || focus {
			continue
		}
		k := key{last[n], f.lost[g.members[0]]}
		at, ok := others[k]
		if !ok {
			at = n // it stays, and takes the others
			others[k] = n
			continue
		}
		f.join(at, g)
	}
	f.weigh()
}

// join moves what is in a group into the one with number at.
func (f *folder) join(at int, g *group) {
	o := f.groups[at]
	o.mixed = o.mixed || o.class != g.class
	o.members = append(o.members, g.members...)
	for _, m := range g.members {
		f.groupOf[m] = at
	}
	g.members = nil
}

// fewer folds the lightest groups into one below what is left of their parents.
func (f *folder) fewer() {
	var list []int
	for n, g := range f.groups {
		if g.ring < 0 && len(g.members) > 0 && !slices.Contains(g.members, f.focus) {
			list = append(list, n)
		}
	}
	if len(list) <= mostFolded {
		return
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(f.groups[b].bytes, f.groups[a].bytes) })
	drop := make([]bool, len(f.groups))
	for _, n := range list[mostFolded/2:] {
		drop[n] = true
	}
	others := map[[2]int]int{}
	for _, n := range list[mostFolded/2:] {
		g := f.groups[n]
		parent := g.parent
		for parent >= 0 && drop[parent] {
			parent = f.groups[parent].parent
		}
		k := [2]int{parent, 0}
		if f.lost[g.members[0]] {
			k[1] = 1
		}
		at, ok := others[k]
		if !ok {
			at = len(f.groups)
			others[k] = at
			f.groups, drop = append(f.groups, &group{parent: parent, class: g.class, ring: -1}), append(drop, false)
		}
		f.join(at, g)
	}
	f.weigh()
}
