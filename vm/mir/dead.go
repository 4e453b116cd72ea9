package mir

import "silvm/vm/code"

// RemoveDead drops instructions without effect whose results nobody needs, and moves to block arguments that nobody reads. Needed
// is what an instruction with an effect reads, and what a needed result or block argument was made from. Linear cost.
func (fn *Function) RemoveDead(order []*Label) {
	type source struct {
		inst *Inst // nil for a move
		from Reg
		next int32
	}
	sources := []source{{}}
	first := make([]int32, int(fn.nregs)+2) // by register: its sources, a chain through next
	needed := make([]bool, int(fn.nregs)+2)
	var work []Reg
	need := func(r *Reg) {
		if !needed[*r] {
			needed[*r] = true
			work = append(work, *r)
		}
	}
	chain := func(r Reg, s source) {
		s.next = first[r]
		first[r] = int32(len(sources))
		sources = append(sources, s)
	}
	for _, l := range order {
		for k := range l.Insts {
			i := &l.Insts[k]
			if i.effect() != effectPure {
				i.eachUse(need)
				continue
			}
			i.EachDef(func(r Reg) { chain(r, source{inst: i}) })
		}
		for _, m := range l.Moves {
			if m.Src.Reg != 0 {
				chain(m.Dst, source{from: m.Src.Reg})
			}
		}
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for n := first[r]; n != 0; n = sources[n].next {
			if i := sources[n].inst; i != nil {
				i.eachUse(need)
			} else {
				need(&sources[n].from)
			}
		}
	}
	for _, l := range order {
		keepNeeded(l, needed)
	}
}

func keepNeeded(l *Label, needed []bool) {
	insts := l.Insts[:0]
	for _, i := range l.Insts {
		keep := i.effect() != effectPure || i.Op == code.Nop
		i.EachDef(func(r Reg) { keep = keep || needed[r] })
		if keep && i.Op != code.Nop {
			insts = append(insts, i)
		}
	}
	l.Insts = insts
	moves := l.Moves[:0]
	for _, m := range l.Moves {
		if needed[m.Dst] {
			moves = append(moves, m)
		}
	}
	l.Moves = moves
}
