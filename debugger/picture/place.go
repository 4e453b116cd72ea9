package picture

import (
	"cmp"
	"slices"
)

// columns computes where the layers lie from left to right.
func (l *layouter) columns() {
	l.leftX, l.rightX = make([]float64, len(l.layers)), make([]float64, len(l.layers))
	x := float64(margin)
	for n, layer := range l.layers {
		width, gap, left := 0.0, float64(leastGap), 0.0
		for _, m := range layer {
			i := l.items[m]
			inner := 0.0
			for _, b := range i.boxes {
				inner = max(inner, l.boxes[b].w)
				for _, k := range l.outs[b] {
					gap = max(gap, 30+letter*float64(min(len([]rune(l.Arrows[k].Label)), longest)))
				}
			}
			if i.ring >= 0 {
				i.sideRight = 0
				for _, b := range i.boxes {
					for _, k := range l.outs[b] {
						if a := l.Arrows[k]; l.of[a.From] == l.of[a.To] {
							i.sideRight = max(i.sideRight, 34+letter*float64(min(len([]rune(a.Label)), longest)))
						}
					}
				}
				left = max(left, ringPad+i.sideLeft)
				inner = max(inner, letter*float64(len([]rune(l.Rings[i.ring].Label)))-i.sideLeft-i.sideRight-ringPad)
				inner += ringPad + i.sideRight
			}
			width = max(width, inner)
		}
		l.leftX[n] = x + left
		l.rightX[n] = x + left + width
		x = l.rightX[n] + gap
	}
	l.width = x
}

// stack computes how far from the top the items lie: as near to the middle of their neighbours as their order lets them.
func (l *layouter) stack() {
	for _, layer := range l.layers {
		y := 0.0
		for _, n := range layer {
			l.items[n].y = y
			y += l.items[n].h + gapY
		}
	}
	for round := range 16 {
		for k := range l.layers {
			layer := l.layers[k]
			if round%2 == 1 {
				layer = l.layers[len(l.layers)-1-k]
			}
			l.relax(layer)
		}
	}
	top := 0.0
	for _, i := range l.items {
		top = min(top, i.y)
	}
	for _, i := range l.items {
		i.y += margin - top
		l.height = max(l.height, i.y+i.h+margin)
	}
}

// relax moves the items of a layer towards the means of their neighbours, in their order: the least squares under a chain of distances,
// by pooling adjacent violators (isotonic regression).
func (l *layouter) relax(layer []int) {
	type block struct{ sum, weight float64 }
	var blocks []block
	var sizes []int
	offset := 0.0
	offsets := make([]float64, len(layer))
	for k, n := range layer {
		i := l.items[n]
		want, weight := i.y, 0.2
		if sum, c := 0.0, 0; len(i.in)+len(i.out) > 0 {
			for _, list := range [][]int{i.in, i.out} {
				for _, m := range list {
					sum += l.items[m].y + l.items[m].h/2
					c++
				}
			}
			want, weight = sum/float64(c)-i.h/2, 1
			if len(i.boxes) == 0 {
				weight = 3 // long arrows are straight
			}
		}
		offsets[k] = offset
		offset += i.h + gapY
		blocks, sizes = append(blocks, block{(want - offsets[k]) * weight, weight}), append(sizes, 1)
		for m := len(blocks) - 1; m > 0 && blocks[m-1].sum/blocks[m-1].weight > blocks[m].sum/blocks[m].weight; m-- {
			blocks[m-1].sum += blocks[m].sum
			blocks[m-1].weight += blocks[m].weight
			sizes[m-1] += sizes[m]
			blocks, sizes = blocks[:m], sizes[:m]
		}
	}
	k := 0
	for b, size := range sizes {
		for range size {
			l.items[layer[k]].y = blocks[b].sum/blocks[b].weight + offsets[k]
			k++
		}
	}
}

// write turns items into boxes and routes.
func (l *layouter) write() {
	for _, i := range l.items {
		y := i.y
		if i.ring >= 0 {
			y += ringPad + 8
		}
		for _, b := range i.boxes {
			l.boxes[b].x, l.boxes[b].y = l.leftX[i.layer], y
			y += l.boxes[b].h + gapY
			if i.ring >= 0 {
				y += gapY
			}
		}
		if i.ring >= 0 {
			left := l.leftX[i.layer] - ringPad - i.sideLeft
			l.rings[i.ring] = placed{left, i.y, l.rightX[i.layer] - left, i.h}
		}
	}
	l.sortPorts()
	for k, chain := range l.chains {
		if chain != nil {
			l.routes[k] = l.across(k, chain)
		}
	}
	for _, i := range l.items {
		side := 0
		for _, b := range i.boxes {
			for _, k := range l.outs[b] {
				if a := l.Arrows[k]; l.of[a.From] == l.of[a.To] {
					l.routes[k] = l.within(i, k, &side)
				}
			}
		}
	}
}

// sortPorts orders the arrows at each box by where they lead.
func (l *layouter) sortPorts() {
	y := func(k, step int) float64 {
		chain := l.chains[k]
		if chain == nil {
			return -1 // its own ring first
		}
		n := 1
		if step < 0 {
			n = len(chain) - 2
		}
		i := l.items[chain[n]]
		if len(i.boxes) > 0 {
			box := l.Arrows[k].To
			if (step < 0) != l.turned[k] {
				box = l.Arrows[k].From
			}
			return l.boxes[box].y
		}
		return i.y
	}
	for n := range l.Boxes {
		slices.SortStableFunc(l.outs[n], func(a, b int) int { return cmp.Compare(y(a, 1), y(b, 1)) })
		slices.SortStableFunc(l.ins[n], func(a, b int) int { return cmp.Compare(y(a, -1), y(b, -1)) })
	}
}

// port is how far from the top an arrow meets a box.
func (l *layouter) port(box int, list []int, k int) float64 {
	b := l.boxes[box]
	return b.y + b.h*float64(slices.Index(list, k)+1)/float64(len(list)+1)
}

// across is the route of an arrow between columns.
func (l *layouter) across(k int, chain []int) route {
	a := l.Arrows[k]
	from, to := a.From, a.To
	if l.turned[k] {
		from, to = to, from
	}
	f, t := l.boxes[from], l.boxes[to]
	start := point{f.x + f.w, l.port(from, l.outs[from], k)}
	first := l.items[chain[0]]
	r := route{points: []point{start}, label: point{start.x + 6, start.y - 3}}
	r.points = append(r.points, point{l.rightX[first.layer], start.y})
	for _, n := range chain[1 : len(chain)-1] {
		i := l.items[n]
		y := i.y + i.h/2
		r.points = append(r.points, point{l.leftX[i.layer] - l.leftOf(i.layer), y}, point{l.rightX[i.layer], y})
	}
	last := l.items[chain[len(chain)-1]]
	end := point{t.x, l.port(to, l.ins[to], k)}
	r.points = append(r.points, point{l.leftX[last.layer] - l.leftOf(last.layer), end.y}, end)
	if l.turned[k] {
		slices.Reverse(r.points)
		r.label, r.labelEnds = point{end.x - 6, end.y - 3}, true
	}
	return r
}

// leftOf is the room before the boxes of a layer for arrows of rings.
func (l *layouter) leftOf(layer int) float64 {
	room := 0.0
	for _, n := range l.layers[layer] {
		if i := l.items[n]; i.ring >= 0 {
			room = max(room, ringPad+i.sideLeft)
		}
	}
	return room
}

// within is the route of an arrow between boxes of one item: to itself and to the next box on the right, all others on the left, each
// further out than the one before it.
func (l *layouter) within(i *item, k int, side *int) route {
	a := l.Arrows[k]
	f, t := l.boxes[a.From], l.boxes[a.To]
	y := l.port(a.From, l.outs[a.From], k)
	switch {
	case a.From == a.To:
		return route{points: []point{{f.x + f.w, y - 5}, {f.x + f.w, y + 7}}, bulge: 26, label: point{f.x + f.w + 24, y + 4}}
	case follows(i.boxes, a):
		side := max(f.x+f.w, t.x+t.w)
		r := route{bulge: 24, label: point{f.x + f.w + 22, (f.y + f.h + t.y) / 2}}
		r.points = slices.Compact([]point{{f.x + f.w, y}, {side, y}, {side, t.y + 8}, {t.x + t.w, t.y + 8}})
		return r
	}
	*side++
	out := 8 + sideStep*float64(*side)
	return route{points: []point{{f.x, f.y + f.h/2 + 6}, {t.x, t.y + t.h/2 - 6}}, bulge: -out, label: point{f.x - 8, f.y + f.h + 12}}
}

// labelSteps are how far up or down a label may go where there is another one, in lines.
var labelSteps = [...]float64{0, 1, -1, 2, -2, 3, -3, 4, -4}

// labelBox is the room of an arrow's label.
func (l *layout) labelBox(k int) placed {
	const line = 12
	r := &l.routes[k]
	w := letter * float64(len([]rune(shortened(l.Arrows[k].Label, longest))))
	p := placed{r.label.x, r.label.y - line + 2, w, line}
	if r.labelEnds {
		p.x -= w
	}
	return p
}

func (a placed) meets(b placed) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
}

// spreadLabels moves labels that lie on others up or down, where there is room.
func (l *layouter) spreadLabels() {
	var there []placed
	for k := range l.Arrows {
		if l.Arrows[k].Label == "" {
			continue
		}
		at := l.labelBox(k)
		for _, n := range labelSteps {
			p := at
			p.y += n * p.h
			if !slices.ContainsFunc(there, p.meets) && (n == 0 || !slices.ContainsFunc(l.boxes, p.meets)) {
				l.routes[k].label.y += n * p.h
				at = p
				break
			}
		}
		there = append(there, at)
	}
}
