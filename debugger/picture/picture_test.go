package picture

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// random is a graph of a few boxes, of which some are on rings.
func random(rng *rand.Rand) *Graph {
	g := &Graph{Note: "a note"}
	n := 1 + rng.IntN(24)
	for k := range n {
		g.Boxes = append(g.Boxes, Box{ID: fmt.Sprint("Box<", k, ">"), Label: strings.Repeat("x", 1+rng.IntN(40)), Kind: Kind(rng.IntN(5)), Ring: -1})
	}
	for at := 0; rng.IntN(2) == 0 && at < n; {
		size := min(1+rng.IntN(5), n-at)
		for k := range size {
			g.Boxes[at+k].Ring = len(g.Rings)
			g.Arrows = append(g.Arrows, Arrow{From: at + k, To: at + (k+1)%size, Label: "next", OnRing: true, Weaken: k == 0})
		}
		g.Rings = append(g.Rings, Ring{Label: "ring", Held: rng.IntN(2) == 0})
		at += size
	}
	for range rng.IntN(3 * n) {
		g.Arrows = append(g.Arrows, Arrow{From: rng.IntN(n), To: rng.IntN(n), Label: "field & <more>"})
	}
	return g
}

// at is a point of a curve, for t from 0 to 1.
func (c curve) at(t float64) point {
	u := 1 - t
	f := [4]float64{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}
	return point{f[0]*c.a.x + f[1]*c.b.x + f[2]*c.c.x + f[3]*c.d.x, f[0]*c.a.y + f[1]*c.b.y + f[2]*c.c.y + f[3]*c.d.y}
}

func TestNoArrowRunsBehindABoxAndNoBoxBehindAnother(t *testing.T) {
	const slack = 0.5 // pixels
	for seed := range uint64(400) {
		g := random(rand.New(rand.NewPCG(seed, 16)))
		l := place(g)
		for n, a := range l.boxes {
			for m, b := range l.boxes[:n] {
				if a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
					t.Fatalf("seed %d: boxes %d and %d overlap: %v, %v", seed, m, n, b, a)
				}
			}
			if a.x < 0 || a.y < 0 || a.x+a.w > l.width || a.y+a.h > l.height {
				t.Fatalf("seed %d: box %d is not in the picture: %v", seed, n, a)
			}
		}
		for k := range g.Arrows {
			curves := l.routes[k].curves()
			if len(curves) == 0 {
				t.Fatalf("seed %d: arrow %d has no course", seed, k)
			}
			for _, c := range curves {
				for step := range 41 {
					p := c.at(float64(step) / 40)
					for n, b := range l.boxes {
						if p.x > b.x+slack && p.x < b.x+b.w-slack && p.y > b.y+slack && p.y < b.y+b.h-slack {
							t.Fatalf("seed %d: arrow %d (%d to %d) runs behind box %d", seed, k, g.Arrows[k].From, g.Arrows[k].To, n)
						}
					}
				}
			}
			from, to := l.boxes[g.Arrows[k].From], l.boxes[g.Arrows[k].To]
			first, last := curves[0].a, curves[len(curves)-1].d
			if !onEdge(from, first) || !onEdge(to, last) {
				t.Fatalf("seed %d: arrow %d doesn't lead from its box to its box", seed, k)
			}
		}
	}
}

// Labels of arrows that lead from one box to another and back are read apart.
func TestLabelsLieBesideEachOther(t *testing.T) {
	g := &Graph{
		Boxes:  []Box{{ID: "s", Label: "Session × 150", Ring: -1}, {ID: "a", Label: "_ContiguousArrayStorage × 149", Ring: -1}, {ID: "t", Label: "Tree", Ring: -1}},
		Arrows: []Arrow{{From: 0, To: 1, Label: "peers ×149"}, {From: 0, To: 2, Label: "tree ×150"}, {From: 1, To: 0, Label: "[] ×149"}},
	}
	l := place(g)
	for k := range g.Arrows {
		for n := range k {
			if l.labelBox(k).meets(l.labelBox(n)) {
				t.Errorf("%s lies on %s", g.Arrows[k].Label, g.Arrows[n].Label)
			}
		}
	}
}

// onEdge reports whether a point is on the left or the right side of a box.
func onEdge(b placed, p point) bool {
	return (p.x == b.x || p.x == b.x+b.w) && p.y >= b.y && p.y <= b.y+b.h
}

func TestSVGIsXMLAndTheSameEachTime(t *testing.T) {
	for seed := range uint64(50) {
		g := random(rand.New(rand.NewPCG(seed, 17)))
		text := g.SVG()
		if text != g.SVG() {
			t.Fatalf("seed %d: two pictures of one graph", seed)
		}
		boxes := 0
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				for _, a := range e.Attr {
					if a.Name.Local == "data-object" {
						boxes++
					}
					if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
						t.Fatalf("seed %d: %s=%q", seed, a.Name.Local, a.Value)
					}
				}
			}
		}
		if boxes != len(g.Boxes) {
			t.Fatalf("seed %d: %d boxes drawn, want %d", seed, boxes, len(g.Boxes))
		}
	}
}
