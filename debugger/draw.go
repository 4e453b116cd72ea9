package debugger

import (
	"fmt"
	"html"
	"strings"
)

// Pictures of a heap graph.

// DOT returns the graph in the language of Graphviz. Nodes are called by their addresses: objects and other blocks are numbered apart.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph heap {\n  node [shape=box, fontname=\"monospace\"];\n")
	for _, o := range g.Objects {
		fmt.Fprintf(&b, "  n%x [label=%q];\n", o.Ref, fmt.Sprintf("%s\nstrong %d", o.Name, o.Counts.Strong))
	}
	by := g.byRef()
	for n, r := range g.Roots {
		fmt.Fprintf(&b, "  r%d [label=%q, shape=ellipse];\n  r%d -> n%x;\n", n, r.Name, n, r.Ref)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  n%x -> n%x [label=%q];\n", e.From, e.To, fieldOf(e, by[e.From].Name))
	}
	b.WriteString("}\n")
	return b.String()
}

func fieldOf(e Edge, holder string) string {
	return strings.TrimPrefix(strings.TrimPrefix(e.Name, holder), ".")
}

func (g *Graph) byRef() map[uint64]Object {
	by := map[uint64]Object{}
	for _, o := range g.Objects {
		by[o.Ref] = o
	}
	return by
}

// SVG draws the graph: objects in layers by their distance from the roots, references as curves.
func (g *Graph) SVG() string {
	const height, gapX, gapY, letter, longest = 40, 60, 60, 7.3, 48
	width := 120
	for _, o := range g.Objects {
		width = max(width, 20+int(letter*float64(min(len([]rune(o.Name)), longest))))
	}
	layer := g.layers()
	rows := map[int]int{}
	type at struct{ x, y int }
	pos := map[uint64]at{}
	right, bottom := 0, 0
	for _, o := range g.Objects {
		l := layer[o.Ref]
		p := at{20 + rows[l]*(width+gapX), 60 + l*(height+gapY)}
		rows[l]++
		pos[o.Ref] = p
		right, bottom = max(right, p.x+width+140), max(bottom, p.y+height+40)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" font-size="12">`+"\n", max(right, 300), max(bottom, 100))
	b.WriteString(`<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto"><path d="M0,0 L7,3 L0,6 z"/></marker></defs>` + "\n")
	by := g.byRef()
	for _, e := range g.Edges {
		f, t := pos[e.From], pos[e.To]
		x1, y1, x2, y2 := f.x+width/2, f.y+height, t.x+width/2, t.y
		bend := 40
		if y2 <= y1 {
			x1, x2, bend = f.x+width, t.x+width, 0
			y1, y2 = f.y+height/2, t.y+height/2
			if f == t { // a reference to itself
				y1, y2 = f.y+height-6, f.y+6
			}
			fmt.Fprintf(&b, `<path d="M%d,%d C%d,%d %d,%d %d,%d" fill="none" stroke="#b33" marker-end="url(#a)"/>`+"\n", x1, y1, x1+60, y1, x2+60, y2, x2, y2)
		} else {
			fmt.Fprintf(&b, `<path d="M%d,%d C%d,%d %d,%d %d,%d" fill="none" stroke="#555" marker-end="url(#a)"/>`+"\n", x1, y1, x1, y1+bend, x2, y2-bend, x2, y2)
		}
		shift := 4
		if y2 <= y1 {
			shift = 50 // beside the bend
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#555">%s</text>`+"\n", (x1+x2)/2+shift, (y1+y2)/2, html.EscapeString(fieldOf(e, by[e.From].Name)))
	}
	for _, o := range g.Objects {
		p := pos[o.Ref]
		fmt.Fprintf(&b, `<g><rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#eef" stroke="#335"/>`, p.x, p.y, width, height)
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text><text x="%d" y="%d" fill="#555">strong %d</text></g>`+"\n",
			p.x+8, p.y+16, html.EscapeString(shortened(o.Name, longest)), p.x+8, p.y+32, o.Counts.Strong)
	}
	said := map[uint64]int{}
	for _, r := range g.Roots {
		p := pos[r.Ref]
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#060">%s</text>`+"\n", p.x, p.y-8-14*said[r.Ref], html.EscapeString(r.Name))
		said[r.Ref]++
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// shortened cuts the middle out of a name that is longer than n letters.
func shortened(name string, n int) string {
	r := []rune(name)
	if len(r) <= n {
		return name
	}
	return string(r[:n/2-1]) + "…" + string(r[len(r)-n/2:])
}

// layers computes the distance of each object from the nearest root; what no root reaches starts at the oldest object.
func (g *Graph) layers() map[uint64]int {
	out := map[uint64]int{}
	next := map[uint64][]uint64{}
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	spread := func(queue []uint64) {
		for ; len(queue) > 0; queue = queue[1:] {
			for _, to := range next[queue[0]] {
				if _, ok := out[to]; !ok {
					out[to] = out[queue[0]] + 1
					queue = append(queue, to)
				}
			}
		}
	}
	var first []uint64
	for _, r := range g.Roots {
		if _, ok := out[r.Ref]; !ok {
			out[r.Ref] = 0
			first = append(first, r.Ref)
		}
	}
	spread(first)
	for _, o := range g.Objects {
		if _, ok := out[o.Ref]; !ok {
			out[o.Ref] = 0
			spread([]uint64{o.Ref})
		}
	}
	return out
}
