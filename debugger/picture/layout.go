package picture

import (
	"cmp"
	"math"
	"slices"
)

// Measures in pixels.
const (
	letter    = 7.3 // of the font, at most
	boxHeight = 40
	portStep  = 14 // between two arrows that leave one box
	gapY      = 18
	margin    = 20
	ringPad   = 22 // around the boxes of a ring
	sideStep  = 16 // between two arrows beside a ring
	dummyRoom = 10
	leastGap  = 56
	longest   = 34 // letters of a label
)

// point is a place in the picture.
type point struct{ x, y float64 }

// placed is where a box is.
type placed struct{ x, y, w, h float64 }

// route is the course of an arrow: points that curves connect, level at each of them. bulge says how far to the side the curve of an
// arrow between boxes of one column goes, negative to the left.
type route struct {
	points []point
	bulge  float64
	label  point

	labelEnds bool // the label ends at its point
}

// layout is a graph with places.
type layout struct {
	*Graph
	boxes         []placed
	routes        []route
	rings         []placed
	width, height float64
}

// item is what has a place in a column: a box, the boxes of a ring, or the passage of an arrow.
type item struct {
	boxes     []int // none in a passage
	ring      int
	layer     int
	y, h      float64
	in, out   []int // items in the columns beside it
	sideLeft  float64
	sideRight float64
}

// layouter is the work under way.
type layouter struct {
	*layout
	items  []*item
	of     []int // by box: its item
	chains [][]int
	turned []bool
	layers [][]int // items from top to bottom
	outs   [][]int // by box: arrows that leave it to the right, and those of its own ring
	ins    [][]int
	leftX  []float64 // by layer
	rightX []float64
}

func place(g *Graph) *layout {
	l := &layouter{layout: &layout{Graph: g, boxes: make([]placed, len(g.Boxes)), routes: make([]route, len(g.Arrows)),
		rings: make([]placed, len(g.Rings))}}
	l.contract()
	l.rank()
	l.passages()
	l.measure()
	l.order()
	l.columns()
	l.stack()
	l.write()
	l.spreadLabels()
	return l.layout
}

// contract makes an item of each ring and of each other box.
func (l *layouter) contract() {
	l.of = make([]int, len(l.Boxes))
	rings := make([]int, len(l.Rings))
	for n := range rings {
		rings[n] = -1
	}
	for n := range l.Boxes {
		r := l.Boxes[n].Ring
		if r >= 0 && rings[r] >= 0 {
			l.of[n] = rings[r]
			l.items[rings[r]].boxes = append(l.items[rings[r]].boxes, n)
			continue
		}
		l.of[n] = len(l.items)
		if r >= 0 {
			rings[r] = len(l.items)
		}
		l.items = append(l.items, &item{boxes: []int{n}, ring: r})
	}
}

// rank reverses arrows that close cycles and assigns a layer to each item.
func (l *layouter) rank() {
	l.turned = make([]bool, len(l.Arrows))
	next := make([][]int, len(l.items)) // arrows by item
	incoming := make([]int, len(l.items))
	for n, a := range l.Arrows {
		if f, t := l.of[a.From], l.of[a.To]; f != t {
			next[f] = append(next[f], n)
			incoming[t]++
		}
	}
	const fresh, open, done = 0, 1, 2
	state := make([]int, len(l.items))
	var topological []int
	var visit func(n int) // as deep as the picture has boxes
	visit = func(n int) {
		state[n] = open
		for _, k := range next[n] {
			switch to := l.of[l.Arrows[k].To]; state[to] {
			case fresh:
				visit(to)
			case open:
				l.turned[k] = true
			}
		}
		state[n] = done
		topological = append(topological, n)
	}
	for _, roots := range []bool{true, false} {
		for n := range l.items {
			if state[n] == fresh && (!roots || incoming[n] == 0) {
				visit(n)
			}
		}
	}
	slices.Reverse(topological)
	ends := func(k int) (from, to int) {
		from, to = l.of[l.Arrows[k].From], l.of[l.Arrows[k].To]
		if l.turned[k] {
			from, to = to, from
		}
		return from, to
	}
	after := make([][]int, len(l.items))
	for k := range l.Arrows {
		if from, to := ends(k); from != to {
			after[from] = append(after[from], to)
		}
	}
	for _, n := range topological {
		for _, to := range after[n] {
			l.items[to].layer = max(l.items[to].layer, l.items[n].layer+1)
		}
	}
	for n := len(topological) - 1; n >= 0; n-- { // what nothing leads to is right before what it leads to
		i := topological[n]
		if incoming[i] > 0 || len(after[i]) == 0 {
			continue
		}
		least := math.MaxInt
		for _, to := range after[i] {
			least = min(least, l.items[to].layer)
		}
		l.items[i].layer = max(l.items[i].layer, least-1)
	}
}

// passages gives arrows that pass layers an item in each of them.
func (l *layouter) passages() {
	l.chains = make([][]int, len(l.Arrows))
	for k, a := range l.Arrows {
		from, to := l.of[a.From], l.of[a.To]
		if from == to {
			continue
		}
		if l.items[from].layer > l.items[to].layer {
			from, to, l.turned[k] = to, from, true
		}
		last := from
		l.chains[k] = []int{from}
		for layer := l.items[from].layer + 1; layer < l.items[to].layer; layer++ {
			l.items = append(l.items, &item{layer: layer, ring: -1, h: dummyRoom})
			l.chains[k] = append(l.chains[k], len(l.items)-1)
			l.join(last, len(l.items)-1)
			last = len(l.items) - 1
		}
		l.chains[k] = append(l.chains[k], to)
		l.join(last, to)
	}
	for n, i := range l.items {
		for len(l.layers) <= i.layer {
			l.layers = append(l.layers, nil)
		}
		l.layers[i.layer] = append(l.layers[i.layer], n)
	}
}

func (l *layouter) join(from, to int) {
	l.items[from].out = append(l.items[from].out, to)
	l.items[to].in = append(l.items[to].in, from)
}

// measure computes the sizes of boxes and items.
func (l *layouter) measure() {
	l.outs, l.ins = make([][]int, len(l.Boxes)), make([][]int, len(l.Boxes))
	for k, a := range l.Arrows {
		from, to := a.From, a.To
		if l.turned[k] {
			from, to = to, from
		}
		l.outs[from] = append(l.outs[from], k)
		if from == to {
			l.outs[from] = append(l.outs[from], k) // takes the room of two
		} else {
			l.ins[to] = append(l.ins[to], k)
		}
	}
	for n, b := range l.Boxes {
		letters := max(len([]rune(b.Label)), len([]rune(b.Note)))
		l.boxes[n].w = max(90, 18+letter*float64(min(letters, longest)))
		l.boxes[n].h = max(boxHeight, portStep*float64(max(len(l.outs[n]), len(l.ins[n]))+1))
	}
	for _, i := range l.items {
		if len(i.boxes) == 0 {
			continue
		}
		i.h = 0
		for _, b := range i.boxes {
			i.h += l.boxes[b].h + gapY
		}
		i.h -= gapY
		if i.ring >= 0 {
			i.h += gapY*float64(len(i.boxes)-1) + 2*ringPad + 8
		}
	}
	for _, a := range l.Arrows {
		if i := l.items[l.of[a.From]]; l.of[a.From] == l.of[a.To] && i.ring >= 0 && a.From != a.To {
			if !follows(i.boxes, a) {
				i.sideLeft += sideStep
			}
		}
	}
	for _, i := range l.items {
		if i.ring >= 0 && i.sideLeft > 0 {
			i.sideLeft += sideStep
		}
	}
}

// follows reports whether an arrow leads to the box below.
func follows(boxes []int, a Arrow) bool {
	return slices.Index(boxes, a.To) == slices.Index(boxes, a.From)+1
}

// order sorts the layers so that few arrows cross.
func (l *layouter) order() {
	at := make([]float64, len(l.items))
	note := func() {
		for _, layer := range l.layers {
			for k, n := range layer {
				at[n] = (float64(k) + 0.5) / float64(len(layer))
			}
		}
	}
	note()
	best, least := l.copyLayers(), l.crossings()
	for round := range 12 {
		for k := range l.layers {
			layer, beside := l.layers[k], func(i *item) []int { return i.in }
			if round%2 == 1 {
				layer, beside = l.layers[len(l.layers)-1-k], func(i *item) []int { return i.out }
			}
			mean := map[int]float64{}
			for _, n := range layer {
				mean[n] = at[n]
				if b := beside(l.items[n]); len(b) > 0 {
					sum := 0.0
					for _, m := range b {
						sum += at[m]
					}
					mean[n] = sum / float64(len(b))
				}
			}
			slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
			for k, n := range layer {
				at[n] = (float64(k) + 0.5) / float64(len(layer))
			}
		}
		if c := l.crossings(); c < least {
			best, least = l.copyLayers(), c
		}
	}
	l.layers = best
}

func (l *layouter) copyLayers() [][]int {
	out := make([][]int, len(l.layers))
	for n := range l.layers {
		out[n] = slices.Clone(l.layers[n])
	}
	return out
}

// crossings counts pairs of arrows between two columns that cross.
func (l *layouter) crossings() int {
	index := make([]int, len(l.items))
	for _, layer := range l.layers {
		for k, n := range layer {
			index[n] = k
		}
	}
	count := 0
	for _, layer := range l.layers {
		type pair struct{ a, b int }
		var pairs []pair
		for _, n := range layer {
			for _, m := range l.items[n].out {
				pairs = append(pairs, pair{index[n], index[m]})
			}
		}
		for x, p := range pairs {
			for _, q := range pairs[x+1:] {
				if (p.a-q.a)*(p.b-q.b) < 0 {
					count++
				}
			}
		}
	}
	return count
}
