package lower

import "silvm/vm/code"

// removeDead drops instructions without effect whose results nobody needs, and moves to block arguments that nobody reads. Needed
// is what an instruction with an effect reads, and what a needed result or block argument was made from. Linear cost.
func (fn *mirFunction) removeDead(order []*label) {
	type source struct {
		inst *minst // nil for a move
		from reg
		next int32
	}
	sources := []source{{}}
	first := make([]int32, int(fn.nregs)+2) // by register: its sources, a chain through next
	needed := make([]bool, int(fn.nregs)+2)
	var work []reg
	need := func(r *reg) {
		if !needed[*r] {
			needed[*r] = true
			work = append(work, *r)
		}
	}
	chain := func(r reg, s source) {
		s.next = first[r]
		first[r] = int32(len(sources))
		sources = append(sources, s)
	}
	for _, l := range order {
		for k := range l.insts {
			i := &l.insts[k]
			if i.effect() != effectPure {
				i.eachUse(need)
				continue
			}
			i.eachDef(func(r reg) { chain(r, source{inst: i}) })
		}
		for _, m := range l.moves {
			if m.src.reg != 0 {
				chain(m.dst, source{from: m.src.reg})
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

func keepNeeded(l *label, needed []bool) {
	insts := l.insts[:0]
	for _, i := range l.insts {
		keep := i.effect() != effectPure || i.op == code.Nop
		i.eachDef(func(r reg) { keep = keep || needed[r] })
		if keep && i.op != code.Nop {
			insts = append(insts, i)
		}
	}
	l.insts = insts
	moves := l.moves[:0]
	for _, m := range l.moves {
		if needed[m.dst] {
			moves = append(moves, m)
		}
	}
	l.moves = moves
}
