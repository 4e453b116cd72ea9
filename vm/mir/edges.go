package mir

import "silvm/vm/code"

// pmove is one move between physical registers, or of a constant into one.
type pmove struct {
	dst, src Reg // src 0: the constant
	imm      uint64
}

// sequence orders a parallel move so that no source is overwritten before it is read. Cycles go through scratch; usesScratch says
// whether one did. Destinations are distinct. The cost is linear.
func sequence(moves []pmove) (out []pmove, usesScratch bool) {
	pending := make([]pmove, 0, len(moves))
	readers := map[Reg]int{} // moves that still have to read a register
	writer := map[Reg]int{}  // index in pending of the move that writes a register
	var constants []pmove    // last: they free nothing
	for _, m := range moves {
		switch {
		case m.src == 0:
			constants = append(constants, m)
		case m.src != m.dst:
			writer[m.dst] = len(pending)
			pending = append(pending, m)
			readers[m.src]++
		}
	}
	done := make([]bool, len(pending))
	var ready []int
	for n, m := range pending {
		if readers[m.dst] == 0 {
			ready = append(ready, n)
		}
	}
	emit := func(n int) {
		m := pending[n]
		out = append(out, m)
		done[n] = true
		if readers[m.src]--; readers[m.src] == 0 {
			if w, ok := writer[m.src]; ok && !done[w] {
				ready = append(ready, w)
			}
		}
	}
	drain := func() {
		for len(ready) > 0 {
			n := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			if !done[n] {
				emit(n)
			}
		}
	}
	drain()
	for n := range pending {
		if done[n] {
			continue
		}
		// All that is left are cycles: keep the value that this move overwrites, and let its only reader read the copy.
		m := pending[n]
		out = append(out, pmove{dst: scratch, src: m.dst})
		usesScratch = true
		for k := writer[m.src]; ; k = writer[pending[k].src] {
			if pending[k].src == m.dst {
				pending[k].src = scratch
				readers[scratch]++
				readers[m.dst]--
				break
			}
		}
		ready = append(ready, n)
		drain()
	}
	return append(out, constants...), usesScratch
}

// expander replaces virtual registers by physical ones and writes out parallel moves.
type expander struct {
	*Allocation
	usesScratch bool
	copies      []pmove // moves between the window and other registers since which neither side changed
}

// Expand rewrites the instructions of all blocks in terms of physical registers.
func (a *Allocation) Expand() (usesScratch bool) {
	x := expander{Allocation: a}
	for _, l := range a.order {
		l.Insts = x.block(l)
		l.Moves = nil
	}
	return x.usesScratch
}

// block returns the instructions of a block with physical registers: block arguments, call arguments and results become moves.
func (x *expander) block(l *Label) []Inst {
	out := make([]Inst, 0, len(l.Insts)+len(l.Moves))
	x.copies = x.copies[:0]
	for k := range l.Insts {
		i := l.Insts[k]
		if k == len(l.Insts)-1 && len(l.Moves) > 0 {
			moves := make([]pmove, 0, len(l.Moves))
			for _, m := range l.Moves {
				if x.start[m.Dst] >= 0 {
					moves = append(moves, x.move(x.phys[m.Dst], m.Src))
				}
			}
			out = x.parallel(out, moves, i.At)
		}
		if len(i.Args) > 0 {
			base := Reg(0)
			if MayCall(i.Op) {
				base = OutSlot
			}
			moves := make([]pmove, len(i.Args))
			for n, arg := range i.Args {
				moves[n] = x.move(base+Reg(n+1), arg)
			}
			out = x.parallel(out, moves, i.At)
		}
		if int(i.Op) < code.Count {
			x.overwrites(&i)
			p := i
			p.A, p.B, p.C, p.D = x.phys[i.A], x.phys[i.B], x.phys[i.C], x.phys[i.D]
			p.More = make([]Reg, len(i.More))
			for n, r := range i.More {
				p.More[n] = x.phys[r]
			}
			if i.Op != code.Move || p.A != p.B {
				out = append(out, p)
			}
		}
		if i.Op == OpResults {
			l.results = len(i.Rets)
		}
		if i.Op != OpArgs {
			out = x.results(out, &i)
		}
	}
	return out
}

// results moves the results of a call to where they belong.
func (x *expander) results(out []Inst, i *Inst) []Inst {
	var moves []pmove
	for n, r := range i.Rets {
		if x.end[r] > x.start[r] {
			moves = append(moves, pmove{dst: x.phys[r], src: OutSlot + Reg(n+1)})
		}
	}
	return x.parallel(out, moves, i.At)
}

func (x *expander) move(dst Reg, src Operand) pmove {
	if src.Reg == 0 {
		return pmove{dst: dst, imm: src.Imm}
	}
	return pmove{dst: dst, src: x.phys[src.Reg]}
}

// parallel appends the moves in sequence; two that copy neighbours to neighbours become one.
func (x *expander) parallel(out []Inst, moves []pmove, at int32) []Inst {
	if len(moves) == 0 {
		return out
	}
	kept := moves[:0]
	for _, m := range moves {
		if m.src == 0 || !x.holds(m.dst, m.src) {
			kept = append(kept, m)
		}
	}
	seq, scratched := sequence(kept)
	for _, m := range kept {
		x.written(m.dst)
	}
	for _, m := range kept {
		if m.src != 0 && (m.src >= OutSlot) != (m.dst >= OutSlot) && !writes(kept, m.src) {
			x.copies = append(x.copies, m)
		}
	}
	x.usesScratch = x.usesScratch || scratched
	for n := 0; n < len(seq); n++ {
		m := seq[n]
		if m.src == 0 {
			out = append(out, Inst{Op: code.LoadImm, A: m.dst, Imm: m.imm, At: at})
			continue
		}
		if n+1 < len(seq) {
			if lo, ok := joined(m, seq[n+1]); ok {
				out = append(out, Inst{Op: code.Move2, A: lo.dst, B: lo.src, At: at})
				n++
				continue
			}
		}
		out = append(out, Inst{Op: code.Move, A: m.dst, B: m.src, At: at})
	}
	return out
}

// holds reports whether dst is known to hold what src does: a call's result that was moved to a register, and is wanted again in its
// place in the window.
func (x *expander) holds(dst, src Reg) bool {
	for _, c := range x.copies {
		if c.dst == src && c.src == dst || c.dst == dst && c.src == src {
			return true
		}
	}
	return false
}

// written forgets the facts about a register that is about to change.
func (x *expander) written(r Reg) {
	kept := x.copies[:0]
	for _, c := range x.copies {
		if c.dst != r && c.src != r {
			kept = append(kept, c)
		}
	}
	x.copies = kept
}

// overwrites forgets the facts about the registers that an instruction writes; a call writes all of the window, and
// nothing is kept there over a boundary.
func (x *expander) overwrites(i *Inst) {
	if MayCall(i.Op) || i.Op == code.Steps {
		x.copies = x.copies[:0]
		return
	}
	if len(x.copies) > 0 {
		i.EachDef(func(r Reg) { x.written(x.phys[r]) })
	}
}

func writes(moves []pmove, r Reg) bool {
	for _, m := range moves {
		if m.dst == r {
			return true
		}
	}
	return false
}

// joined returns the lower one of two moves that Move2 can do in their place.
func joined(first, second pmove) (lo pmove, ok bool) {
	if second.src == 0 || first.dst == scratch || second.dst == scratch || first.src == scratch || second.src == scratch ||
		second.src == first.dst {
		return lo, false
	}
	switch {
	case second.dst == first.dst+1 && second.src == first.src+1:
		return first, true
	case first.dst == second.dst+1 && first.src == second.src+1:
		return second, true
	}
	return lo, false
}
