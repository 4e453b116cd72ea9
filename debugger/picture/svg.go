package picture

import (
	"fmt"
	"html"
	"strings"
)

// curve is a cubic one of Bézier: from a to d.
type curve struct{ a, b, c, d point }

// curves are the parts of a route.
func (r *route) curves() []curve {
	var out []curve
	for n := 1; n < len(r.points); n++ {
		p, q := r.points[n-1], r.points[n]
		b, c := point{(p.x + q.x) / 2, p.y}, point{(p.x + q.x) / 2, q.y}
		if r.bulge != 0 && p.y != q.y {
			side := max(p.x, q.x)
			if r.bulge < 0 {
				side = min(p.x, q.x)
			}
			b, c = point{side + r.bulge, p.y}, point{side + r.bulge, q.y}
		}
		out = append(out, curve{p, b, c, q})
	}
	return out
}

// style is how a kind of box looks, and what the legend says of it.
type style struct{ fill, stroke, legend string }

var styles = map[Kind]style{
	Single:  {"#eef3fb", "#3b5f94", "one object"},
	Group:   {"#e4e8ee", "#6a7686", "several objects"},
	Outside: {"#e6f4e6", "#2f7d32", "global variable, value of a call, or task"},
	Lost:    {"#fdeedd", "#b4690e", "nothing outside leads here"},
	Focus:   {"#fff7c2", "#8a6d00", "the object asked for"},
}

var inLegend = []Kind{Outside, Single, Group, Focus, Lost}

const styleSheet = `<style>.heap text{fill:#222}.heap .note{fill:#555}.heap .label{fill:#444;paint-order:stroke;stroke:#fff;stroke-width:3px}` +
	`.heap .arrow{fill:none;stroke:#667;stroke-width:1.2}.heap .ring{stroke:#c22;stroke-width:2}.heap .held{stroke:#a66a00;stroke-width:2}` +
	`.heap .weaken{stroke-dasharray:5 3}</style>`

// SVG returns the picture. It needs nothing from outside and is of fixed size, in pixels.
func (g *Graph) SVG() string {
	const lineHeight = 20
	l := place(g)
	width := max(l.width, letter*float64(len([]rune(g.Note)))+2*margin, 480)
	for _, r := range l.rings {
		width = max(width, r.x+r.w+margin)
	}
	legend := g.legend()
	height := l.height + float64(len(legend)+1)*lineHeight + margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="heap" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="monospace" font-size="12">`+"\n",
		width, height, width, height)
	b.WriteString(styleSheet + "\n<defs>")
	for _, m := range [][2]string{{"arrow", "#667"}, {"ring", "#c22"}, {"held", "#a66a00"}} {
		fmt.Fprintf(&b, `<marker id="heap-%s" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="%s"/></marker>`, m[0], m[1])
	}
	b.WriteString("</defs>\n")
	for n, r := range l.rings {
		color, fill := "#c22", "#fdecec"
		if g.Rings[n].Held {
			color, fill = "#a66a00", "#fdf6e3"
		}
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="10" fill="%s" stroke="%s" stroke-dasharray="2 3"/>`, r.x, r.y, r.w, r.h, fill, color)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" style="fill:%s" font-weight="bold">%s</text>`+"\n", r.x+8, r.y+17, color, html.EscapeString(g.Rings[n].Label))
	}
	for n := range g.Arrows {
		g.arrow(&b, &l.routes[n], &g.Arrows[n])
	}
	for n, p := range l.boxes {
		g.box(&b, p, &g.Boxes[n])
	}
	for n, a := range g.Arrows {
		r := l.routes[n]
		anchor := ""
		if r.labelEnds {
			anchor = ` text-anchor="end"`
		}
		if a.Label != "" {
			fmt.Fprintf(&b, `<text class="label" x="%.1f" y="%.1f"%s>%s</text>`+"\n", r.label.x, r.label.y, anchor, html.EscapeString(shortened(a.Label, longest)))
		}
	}
	y := l.height + lineHeight
	for _, line := range legend {
		fmt.Fprintf(&b, `<g transform="translate(%d %.0f)">%s<text x="34" y="4">%s</text></g>`+"\n", margin, y, line[0], html.EscapeString(line[1]))
		y += lineHeight
	}
	if g.Note != "" {
		fmt.Fprintf(&b, `<text class="note" x="%d" y="%.0f" dy="4">%s</text>`+"\n", margin, y, html.EscapeString(g.Note))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// arrowClass is the look of an arrow.
func (g *Graph) arrowClass(a *Arrow) string {
	if !a.OnRing {
		return "arrow"
	}
	if g.Rings[g.Boxes[a.From].Ring].Held {
		return "held"
	}
	return "ring"
}

func (g *Graph) arrow(b *strings.Builder, r *route, a *Arrow) {
	class := g.arrowClass(a)
	classes := "arrow"
	if class != "arrow" {
		classes += " " + class
	}
	if a.Weaken {
		classes += " weaken"
	}
	fmt.Fprintf(b, `<path class="%s" marker-end="url(#heap-%s)" d="`, classes, class)
	for n, c := range r.curves() {
		if n == 0 {
			fmt.Fprintf(b, "M%.1f,%.1f", c.a.x, c.a.y)
		}
		fmt.Fprintf(b, " C%.1f,%.1f %.1f,%.1f %.1f,%.1f", c.b.x, c.b.y, c.c.x, c.c.y, c.d.x, c.d.y)
	}
	fmt.Fprintf(b, `"><title>%s</title></path>`+"\n", html.EscapeString(g.Boxes[a.From].Label+" "+a.Label+" → "+g.Boxes[a.To].Label))
}

func (g *Graph) box(b *strings.Builder, p placed, box *Box) {
	s := styles[box.Kind]
	round := 4
	if box.Kind == Outside {
		round = 18
	}
	id := ""
	if box.ID != "" {
		id = fmt.Sprintf(` data-object="%s"`, html.EscapeString(box.ID))
	}
	title := box.Title
	if title == "" {
		title = box.Label
	}
	fmt.Fprintf(b, `<g class="box"%s><title>%s</title>`, id, html.EscapeString(title))
	if box.Kind == Group { // as a stack
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%d" fill="%s" stroke="%s"/>`, p.x+3, p.y+3, p.w-3, p.h, round, s.fill, s.stroke)
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%d" fill="%s" stroke="%s"/>`, p.x, p.y, p.w, p.h, round, s.fill, s.stroke)
	middle := p.y + p.h/2
	if box.Note == "" {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text>`, p.x+8, middle+4, html.EscapeString(shortened(box.Label, longest)))
	} else {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text><text class="note" x="%.1f" y="%.1f">%s</text>`, p.x+8, middle-4,
			html.EscapeString(shortened(box.Label, longest)), p.x+8, middle+12, html.EscapeString(shortened(box.Note, longest)))
	}
	b.WriteString("</g>\n")
}

// legend lists the looks that the picture uses: a mark and its words.
func (g *Graph) legend() [][2]string {
	var out [][2]string
	used := map[Kind]bool{}
	for _, b := range g.Boxes {
		used[b.Kind] = true
	}
	for _, k := range inLegend {
		if used[k] {
			s := styles[k]
			out = append(out, [2]string{fmt.Sprintf(`<rect y="-6" width="26" height="13" rx="3" fill="%s" stroke="%s"/>`, s.fill, s.stroke), s.legend})
		}
	}
	line := func(class string) string { return fmt.Sprintf(`<path class="arrow %s" d="M0,0 L26,0"/>`, class) }
	held, lost, weaken := false, false, false
	for _, r := range g.Rings {
		held, lost = held || r.Held, lost || !r.Held
	}
	for _, a := range g.Arrows {
		weaken = weaken || a.Weaken
	}
	if lost {
		out = append(out, [2]string{line("ring"), "a ring that leaks"})
	}
	if held {
		out = append(out, [2]string{line("held"), "a ring that something outside still holds"})
	}
	if weaken {
		out = append(out, [2]string{line("ring weaken"), "the reference where the ring can be broken"})
	}
	return out
}

// shortened cuts the middle out of a name that is longer than n letters.
func shortened(name string, n int) string {
	r := []rune(name)
	if len(r) <= n {
		return name
	}
	return string(r[:n/2-1]) + "…" + string(r[len(r)-n/2:])
}

// DOT returns the graph in the language of Graphviz.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph heap {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"monospace\"];\n")
	for n, box := range g.Boxes {
		label := box.Label
		if box.Note != "" {
			label += "\n" + box.Note
		}
		s := styles[box.Kind]
		fmt.Fprintf(&b, "  n%d [label=%q, fillcolor=%q, color=%q];\n", n, label, s.fill, s.stroke)
	}
	for n, r := range g.Rings {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%q; color=red; style=dashed;\n   ", n, r.Label)
		for k, box := range g.Boxes {
			if box.Ring == n {
				fmt.Fprintf(&b, " n%d;", k)
			}
		}
		b.WriteString("\n  }\n")
	}
	for _, a := range g.Arrows {
		look := ""
		if a.OnRing {
			look = ", color=red"
		}
		if a.Weaken {
			look += ", style=dashed"
		}
		fmt.Fprintf(&b, "  n%d -> n%d [label=%q%s];\n", a.From, a.To, a.Label, look)
	}
	if g.Note != "" {
		fmt.Fprintf(&b, "  label=%q;\n", g.Note)
	}
	b.WriteString("}\n")
	return b.String()
}
