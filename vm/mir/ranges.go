package mir

// The interval of a register is an outline: a value that is dead between two of its uses, such as the old value of a loop's
// accumulator that is only wanted again after the loop, has holes in it. Where a register is wanted by name, to save a move, the
// holes count: spans are the stretches of positions in which a value is alive.

// span is a stretch of positions, both ends included.
type span struct{ from, to int32 }

// maxSpans bounds the work for one function; beyond it registers are taken to be alive throughout their intervals.
const maxSpans = 1 << 18

// lastUse is the last read of a register in a block.
type lastUse struct {
	block int
	at    int32
}

// findSpans finds the spans of all registers that are written once and live in several blocks: from each block that reads a value it
// is alive backwards up to the block that writes it.
func (a *Allocation) findSpans() {
	uses := a.crossBlockUses()
	preds := graphOf(a.order).Reverse(nil)
	in, out := make([]Reg, len(a.order)), make([]Reg, len(a.order)) // the last register that was found alive there
	budget := maxSpans
	for r := range a.start {
		list := uses[Reg(r)]
		if len(list) == 0 || a.defs[r] != 1 {
			continue
		}
		home := a.block(a.start[r])
		var live, work []int
		for _, u := range list {
			if u.block != home && in[u.block] != Reg(r) {
				in[u.block] = Reg(r)
				live, work = append(live, u.block), append(work, u.block)
			}
		}
		for len(work) > 0 && budget > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, p := range preds[b] {
				budget--
				out[p] = Reg(r)
				if p != home && in[p] != Reg(r) {
					in[p] = Reg(r)
					live, work = append(live, p), append(work, p)
				}
			}
		}
		if budget <= 0 {
			return
		}
		a.spans[r] = a.spansOf(Reg(r), home, live, list, out)
	}
}

// crossBlockUses lists, for each register that has reads outside the block that writes it, the last read in each block.
func (a *Allocation) crossBlockUses() map[Reg][]lastUse {
	uses := map[Reg][]lastUse{}
	note := func(r Reg, block int, at int32) {
		l := a.order[block]
		if a.start[r] >= l.start && a.end[r] <= l.end {
			return
		}
		list := uses[r]
		if n := len(list); n > 0 && list[n-1].block == block {
			list[n-1].at = max(list[n-1].at, at)
			return
		}
		uses[r] = append(list, lastUse{block, at})
	}
	for n, l := range a.order {
		at := l.start
		for k := range l.Insts {
			at += 2
			l.Insts[k].eachUse(func(r *Reg) { note(*r, n, at) })
		}
		for _, m := range l.Moves {
			if m.Src.Reg != 0 {
				note(m.Src.Reg, n, at)
			}
		}
	}
	return uses
}

// spansOf returns the spans of a register that is alive at the start of the blocks live; out tells at the end of which.
func (a *Allocation) spansOf(r Reg, home int, live []int, uses []lastUse, out []Reg) []span {
	last := map[int]int32{}
	for _, u := range uses {
		last[u.block] = u.at
	}
	spans := make([]span, 0, len(live)+1)
	add := func(block int, from int32) {
		to := from
		if at, ok := last[block]; ok {
			to = max(to, at)
		}
		if out[block] == r {
			to = a.order[block].end
		}
		spans = append(spans, span{from, to})
	}
	add(home, a.start[r])
	for _, b := range live {
		add(b, a.order[b].start)
	}
	return spans
}

// aliveIn returns the spans of a register.
func (a *Allocation) aliveIn(r Reg) []span {
	if s := a.spans[r]; s != nil {
		return s
	}
	return []span{{a.start[r], a.end[r]}}
}

// maxCompared bounds the comparison of two values' spans.
const maxCompared = 1 << 10

// fits reports whether physical register p, which holds other values around the position, can hold r in their holes.
func (a *Allocation) fits(r, p Reg) bool {
	if p <= 0 || int(p) >= len(a.busy) {
		return false
	}
	mine := a.aliveIn(r)
	kept := a.holds[p][:0]
	for _, q := range a.holds[p] {
		if a.end[q] >= a.start[r] {
			kept = append(kept, q)
		}
	}
	a.holds[p] = kept
	for _, q := range kept {
		theirs := a.aliveIn(q)
		if len(mine)*len(theirs) > maxCompared || overlap(mine, theirs) {
			return false
		}
	}
	return true
}

func overlap(xs, ys []span) bool {
	for _, x := range xs {
		for _, y := range ys {
			if x.from <= y.to && y.from <= x.to {
				return true
			}
		}
	}
	return false
}
