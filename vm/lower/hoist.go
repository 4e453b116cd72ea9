package lower

import "silvm/vm/code"

// maxHoisted bounds the constants that are kept in registers throughout a function.
const maxHoisted = 48

// hoistConstants takes LoadImm of single registers out of loops: to the end of the only block from which the outermost loop around
// it is entered, or to the entry. Equal constants share a register there.
func (b *builder) hoistConstants(order []*label) {
	defs := b.countDefs(order)
	names := make([]operand, int(b.nregs)+2)
	homes := map[*loop]*label{}
	type key struct {
		home *label
		imm  uint64
	}
	have := map[key]reg{}
	for _, l := range order {
		if l.loop == nil {
			continue
		}
		for k := range l.insts {
			i := &l.insts[k]
			if i.op != code.LoadImm || defs[i.a] != 1 || b.inPair(i.a) {
				continue
			}
			home := homeOf(l.loop, order, b.entry, homes)
			at := key{home, i.imm}
			r, ok := have[at]
			switch {
			case ok:
				names[i.a] = r.op()
			case len(have) >= maxHoisted:
				continue
			default:
				have[at] = i.a
				c, t := *i, home.term()
				c.at, c.before = t.at, t.before
				insertLast(home, c)
			}
			*i = minst{op: code.Nop, at: i.at}
		}
	}
	if len(have) > 0 {
		b.rename(order, names)
	}
}

// homeOf gives the block at whose end what is hoisted out of the outermost loop around lp goes.
func homeOf(lp *loop, order []*label, entry *label, homes map[*loop]*label) *label {
	for lp.outer != nil {
		lp = lp.outer
	}
	if home, ok := homes[lp]; ok {
		return home
	}
	home := entry
	var from []*label
	for _, l := range order[:lp.header.index] {
		for _, s := range l.succs {
			if s == lp.header {
				from = append(from, l)
			}
		}
	}
	if len(from) == 1 && !mayCall(from[0].term().op) {
		home = from[0]
	}
	homes[lp] = home
	return home
}

// insertLast puts an instruction in front of the block's terminator.
func insertLast(l *label, i minst) {
	n := len(l.insts) - 1
	l.insts = append(l.insts[:n:n], i, l.insts[n])
}

// pairLoads joins loads of neighbouring words into registers that can be neighbours, and stores of such: Load64 r, b+n;
// Load64 r+1, b+n+8 -> Load64x2. Registers that calls or edges want elsewhere are left alone.
func (b *builder) pairLoads(order []*label) {
	defs := b.countDefs(order)
	moved := make([]bool, int(b.nregs)+2)
	for _, l := range order {
		for k := range l.insts {
			for _, a := range l.insts[k].args {
				moved[a.reg] = true
			}
		}
		for _, m := range l.moves {
			moved[m.src.reg] = true
		}
	}
	for _, l := range order {
		for k := 0; k+1 < len(l.insts); k++ {
			x, y := &l.insts[k], &l.insts[k+1]
			if x.op != y.op || x.b != y.b || y.a != x.a+1 || y.imm != x.imm+8 || x.imm > 1<<62 {
				continue
			}
			switch {
			case x.op == code.Load64 && x.a != x.b && defs[x.a] == 1 && defs[y.a] == 1 && !moved[x.a] && !moved[y.a] &&
				!b.inPair(x.a) && !b.pairs[y.a]:
				b.pairs[x.a] = true
				x.op = code.Load64x2
			case x.op == code.Store64 && b.pairs[x.a]:
				x.op = code.Store64x2
			default:
				continue
			}
			*y = minst{op: code.Nop, at: y.at}
			k++
		}
	}
}
