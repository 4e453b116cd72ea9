package lower

import "silvm/vm/code"

// maxHoisted bounds the constants that are kept in registers throughout a function.
const maxHoisted = 48

// hoistConstants takes LoadImm of single registers out of loops: to the end of the only block from which the outermost loop around
// it is entered, or to the entry. Equal constants share a register there.
func (fn *mirFunction) hoistConstants(order []*label) {
	defs := fn.countDefs(order)
	names := make([]operand, int(fn.nregs)+2)
	homes := loopHomes(order, fn.Entry)
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
			if i.op != code.LoadImm || defs[i.a] != 1 || fn.inPair(i.a) {
				continue
			}
			home := homes[outermost(l.loop)]
			if home == nil {
				home = fn.Entry
			}
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
		fn.rename(order, names)
	}
}

// loopHomes gives, for each outermost loop, the block at whose end what is hoisted out of it goes: the only block from which its
// header is entered; the entry, if there are several, or if the loop is entered beside its header too.
func loopHomes(order []*label, entry *label) map[*loop]*label {
	homes := map[*loop]*label{}
	for _, l := range order {
		for _, s := range l.succs {
			lp := outermost(s.loop)
			if lp == nil || lp == outermost(l.loop) {
				continue
			}
			if _, seen := homes[lp]; seen || s != lp.header || mayCall(l.term().op) {
				homes[lp] = entry
			} else {
				homes[lp] = l
			}
		}
	}
	return homes
}

// outermost gives the loop that is in no other one around lp, nil for nil.
func outermost(lp *loop) *loop {
	for lp != nil && lp.outer != nil {
		lp = lp.outer
	}
	return lp
}

// insertLast puts an instruction in front of the block's terminator.
func insertLast(l *label, i minst) {
	n := len(l.insts) - 1
	l.insts = append(l.insts[:n:n], i, l.insts[n])
}

// pairLoads joins loads of neighbouring words into registers that can be neighbours, and stores of such: Load64 r, b+n;
// Load64 r+1, b+n+8 -> Load64x2. Registers that calls or edges want elsewhere are left alone.
func (fn *mirFunction) pairLoads(order []*label) {
	defs := fn.countDefs(order)
	moved := make([]bool, int(fn.nregs)+2)
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
				!fn.inPair(x.a) && !fn.pairs[y.a]:
				fn.pairs[x.a] = true
				x.op = code.Load64x2
			case x.op == code.Store64 && fn.pairs[x.a]:
				x.op = code.Store64x2
			default:
				continue
			}
			*y = minst{op: code.Nop, at: y.at}
			k++
		}
	}
}
