package lower

import "silvm/vm/code"

// hoistInvariant takes out of loops what gives the same each time round: operations without effect wherever they stand, and, from the
// start of the header, checks and loads as well, for these are done once in any case when the loop is entered. Which of two traps
// comes first is not kept.
func (b *builder) hoistInvariant(order []*label) {
	h := hoister{b: b, defs: b.countDefs(order), home: make([]*label, int(b.nregs)+2), loops: map[*loop][]*label{}}
	for _, l := range order {
		for _, p := range l.params {
			h.home[p] = l
		}
		for k := range l.insts {
			l.insts[k].eachDef(func(r reg) { h.home[r] = l })
		}
		for lp := l.loop; lp != nil; lp = lp.outer {
			h.loops[lp] = append(h.loops[lp], l)
		}
	}
	for n := len(order) - 1; n >= 0; n-- { // inner loops have later headers
		if lp := order[n].loop; lp != nil && lp.header == order[n] {
			h.loop(lp, order)
		}
	}
}

type hoister struct {
	b     *builder
	defs  []uint8
	home  []*label // where a register is written
	loops map[*loop][]*label
}

// inside says whether a block belongs to the loop or to one inside it.
func (lp *loop) inside(l *label) bool {
	for in := l.loop; in != nil; in = in.outer {
		if in == lp {
			return true
		}
	}
	return false
}

// loop hoists out of one loop, if it is entered from a single block, through its header, and not behind a call.
func (h *hoister) loop(lp *loop, order []*label) {
	var from *label
	for _, l := range order {
		if lp.inside(l) {
			continue
		}
		for _, s := range l.succs {
			if !lp.inside(s) {
				continue
			}
			if s != lp.header || from != nil {
				return
			}
			from = l
		}
	}
	if from == nil || from.term().op != code.Jump {
		return
	}
	writes := false
	for _, l := range h.loops[lp] {
		for k := range l.insts {
			i := &l.insts[k]
			writes = writes || isStore(i.op) || i.effect() == effectOther && !isTerminator(i.op) && i.op != code.Nop && (int(i.op) >= code.Count || !keepsObjects(i.op))
		}
	}
	for _, l := range h.loops[lp] {
		first := l == lp.header // nothing but computations and checks came before
		for k := range l.insts[:len(l.insts)-1] {
			i := &l.insts[k]
			e := i.effect()
			if i.op == code.Nop {
				continue
			}
			if h.fixed(i, lp) && (e == effectPure && i.op != code.LoadImm || first && (e == effectTraps || e == effectReads && !writes)) {
				c := *i
				c.before = from.term().before
				insertLast(from, c)
				i.eachDef(func(r reg) { h.home[r] = from })
				*i = minst{op: code.Nop, at: i.at}
				continue
			}
			first = first && e != effectOther
		}
	}
}

// fixed says whether the instruction writes one register, or none, and reads only what does not change in the loop.
func (h *hoister) fixed(i *minst, lp *loop) bool {
	ok := true
	i.eachUse(func(r *reg) {
		ok = ok && h.defs[*r] == 1 && h.home[*r] != nil && !lp.inside(h.home[*r])
	})
	i.eachDef(func(r reg) { ok = ok && h.defs[r] == 1 && !h.b.inPair(r) })
	return ok && int(i.op) < code.Count && i.fix == nil && i.reason == ""
}
