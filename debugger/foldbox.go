package debugger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"silvm/debugger/picture"
	"silvm/heap"
)

// draw makes boxes of groups and roots, and arrows of edges and roots.
func (f *folder) draw() {
	shown := 0
	for _, g := range f.groups {
		if len(g.members) == 0 {
			continue
		}
		g.box = len(f.g.Boxes)
		f.g.Boxes = append(f.g.Boxes, f.box(g))
		shown++
	}
	f.outside()
	f.connect()
	objects, memory := 0, 0
	bytes := uint64(0)
	for _, b := range f.blocks[1:] {
		if bytes += b.Size; b.Kind == heap.KindObject {
			objects++
		} else {
			memory++
		}
	}
	f.g.Note = english.Plural(objects, "object", "")
	if objects >= 1000 {
		f.g.Note = humanize.Comma(int64(objects)) + " objects"
	}
	if memory > 0 {
		f.g.Note += " and " + english.Plural(memory, "block", "") + " of raw memory"
	}
	f.g.Note += fmt.Sprintf(" of %s in %s", humanize.IBytes(bytes), english.Plural(shown, "box", "boxes"))
	if f.focus == 0 && len(f.blocks) == 1 {
		f.g.Note = "no object is alive"
	}
}

func (f *folder) box(g *group) picture.Box {
	b := picture.Box{Ring: g.ring, Kind: picture.Single}
	first := f.blocks[g.members[0]]
	switch {
	case slices.Contains(g.members, f.focus) && f.focus > 0:
		b.Kind = picture.Focus
	case len(g.members) > 1:
		b.Kind = picture.Group
	case g.ring < 0 && f.lost[g.members[0]] && f.isLost(g):
		b.Kind = picture.Lost
	}
	if len(g.members) == 1 {
		b.Label = f.d.m.ObjectName(first)
		b.Title = b.Label
		if first.Kind == heap.KindObject {
			b.ID = b.Label
			c := f.d.countsAt(first.Ref)
			b.Note = fmt.Sprintf("strong %d", c.Strong)
			if c.Unowned > 1 { // the strong references have one together
				b.Note += fmt.Sprintf(" unowned %d", c.Unowned)
			}
			if c.Weak > 1 {
				b.Note += fmt.Sprintf(" weak %d", c.Weak)
			}
			b.Title += fmt.Sprintf("\n%s, %s", b.Note, humanize.IBytes(first.Size))
			if at := f.d.m.PlaceOf(first.AllocSite); at.Func != nil && at.Func.Fn != nil {
				b.Title += "\nmade in " + at.Func.Fn.DisplayName()
			}
		} else {
			b.Note = humanize.IBytes(first.Size)
		}
		if g.keeps > 1 && g.ring < 0 {
			b.Title += fmt.Sprintf("\nwithout it %s go, %s", english.Plural(g.keeps-1, "other block", ""), humanize.IBytes(g.bytes))
		}
		return b
	}
	own := uint64(0)
	classes := map[string]int{}
	for _, n := range g.members {
		own += f.blocks[n].Size
		classes[f.kind(n)]++
	}
	b.Label = fmt.Sprintf("%s × %s", g.class, humanize.Comma(int64(len(g.members))))
	if g.mixed {
		b.Label = fmt.Sprintf("%s of %s", humanize.Comma(int64(len(g.members))), english.Plural(len(classes), "class", "classes"))
	}
	b.Note = humanize.IBytes(own)
	if g.bytes > own && g.ring < 0 {
		b.Note += ", keeps " + humanize.IBytes(g.bytes)
	}
	lines := []string{b.Label}
	names := slices.SortedFunc(maps.Keys(classes), func(a, b string) int {
		return cmp.Or(cmp.Compare(classes[b], classes[a]), cmp.Compare(a, b))
	})
	for _, name := range names[:min(10, len(names))] {
		lines = append(lines, fmt.Sprintf("%s × %s", name, humanize.Comma(int64(classes[name]))))
	}
	if len(names) > 10 {
		lines = append(lines, fmt.Sprintf("and %d more classes", len(names)-10))
	}
	lines = append(lines, f.d.m.ObjectName(first)+" is one of them")
	b.Title = strings.Join(lines, "\n")
	return b
}

// isLost reports whether nothing holds a group but what hangs on no root itself: what a ring or another lost object keeps is not marked.
func (f *folder) isLost(g *group) bool { return f.tree.Idom(g.members[0]) == 0 }

// outside makes boxes of the roots, one for those that lead to the same box.
func (f *folder) outside() {
	byBox := map[int][]string{}
	var order []int
	for _, r := range f.roots {
		g := f.groupOf[f.index[r.Ref]]
		if byBox[g] == nil {
			order = append(order, g)
		}
		if !slices.Contains(byBox[g], r.Name) {
			byBox[g] = append(byBox[g], r.Name)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.groups[b].bytes, f.groups[a].bytes) })
	rest := 0
	for k, at := range order {
		if k >= mostOutside-1 && len(order) > mostOutside {
			if rest == 0 {
				rest = len(f.g.Boxes)
				f.g.Boxes = append(f.g.Boxes, picture.Box{Kind: picture.Outside, Ring: -1, Label: "other variables and values"})
			}
			f.g.Arrows = append(f.g.Arrows, picture.Arrow{From: rest, To: f.groups[at].box})
			continue
		}
		names := byBox[at]
		b := picture.Box{Kind: picture.Outside, Ring: -1, Label: names[0], Title: strings.Join(names[:min(12, len(names))], "\n")}
		if len(names) > 1 {
			b.Note = fmt.Sprintf("and %d more", len(names)-1)
		}
		f.g.Arrows = append(f.g.Arrows, picture.Arrow{From: len(f.g.Boxes), To: f.groups[at].box})
		f.g.Boxes = append(f.g.Boxes, b)
	}
}

// connect folds the edges.
func (f *folder) connect() {
	ringEdges := map[[2]uint64]bool{} // holder and slot: the one to weaken
	for _, c := range f.cycles {
		for k, e := range c.Edges {
			ringEdges[[2]uint64{e.From, e.Slot}] = k == c.Weaken
		}
	}
	for n := 1; n < len(f.blocks); n++ {
		for _, e := range f.edges[n] {
			k := [2]int{f.groups[f.groupOf[n]].box, f.groups[f.groupOf[f.index[e.To]]].box}
			a := f.arrows[k]
			if a == nil {
				a = &folded{known: map[[2]uint64]bool{}}
				f.arrows[k] = a
			}
			a.count++
			if weaken, ok := ringEdges[[2]uint64{e.From, e.Slot}]; ok {
				a.onRing, a.weaken = true, a.weaken || weaken
			}
			slot := [2]uint64{f.blocks[n].Metadata, e.Slot - e.From}
			if a.known[slot] {
				continue
			}
			a.known[slot] = true
			switch name := f.slotName(e); {
			case name == "" || slices.Contains(a.names, name):
			case len(a.names) == mostNames:
				a.others = true
			default:
				a.names = append(a.names, name)
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(f.arrows), func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, k := range keys {
		a := f.arrows[k]
		label := strings.Join(a.names, ", ")
		if a.others {
			label += ", …"
		}
		if a.count > max(1, len(a.names)) {
			label = strings.TrimSpace(fmt.Sprintf("%s ×%s", label, humanize.Comma(int64(a.count))))
		}
		f.g.Arrows = append(f.g.Arrows, picture.Arrow{From: k[0], To: k[1], Label: label, OnRing: a.onRing, Weaken: a.weaken})
	}
}

// slotName names where in its holder a reference stands: a field, "[]" for any element of an array.
func (f *folder) slotName(e Edge) string {
	name := fieldOf(Edge{Name: f.d.edgeName(e)}, f.d.m.ObjectName(f.blocks[f.index[e.From]]))
	if strings.HasPrefix(name, "[") {
		return "[]"
	}
	return name
}

// fieldOf is the name of an edge without its holder's.
func fieldOf(e Edge, holder string) string {
	return strings.TrimPrefix(strings.TrimPrefix(e.Name, holder), ".")
}
