package mir

import "silvm/vm/code"

// maxHoisted bounds the constants that are kept in registers throughout a function.
const maxHoisted = 48

// hoistConstants takes LoadImm of single registers out of loops: to the end of the only block from which the outermost loop around
// it is entered, or to the entry. Equal constants share a register there.
func (fn *Function) hoistConstants(order []*Label) {
	defs := fn.countDefs(order)
	names := make([]Operand, int(fn.nregs)+2)
	homes := loopHomes(order, fn.Entry)
	type key struct {
		home *Label
		imm  uint64
	}
	have := map[key]Reg{}
	for _, l := range order {
		if l.loop == nil {
			continue
		}
		for k := range l.Insts {
			i := &l.Insts[k]
			if i.Op != code.LoadImm || defs[i.A] != 1 || fn.inPair(i.A) {
				continue
			}
			home := homes[outermost(l.loop)]
			if home == nil {
				home = fn.Entry
			}
			at := key{home, i.Imm}
			r, ok := have[at]
			switch {
			case ok:
				names[i.A] = r.Op()
			case len(have) >= maxHoisted:
				continue
			default:
				have[at] = i.A
				c, t := *i, home.Term()
				c.At, c.before = t.At, t.before
				insertLast(home, c)
			}
			*i = Inst{Op: code.Nop, At: i.At}
		}
	}
	if len(have) > 0 {
		fn.rename(order, names)
	}
}

// loopHomes returns, for each outermost loop, the block at whose end hoisted instructions go: the only block from which its
// header is entered; the entry, if there are several, or if the loop is entered beside its header too.
func loopHomes(order []*Label, entry *Label) map[*loop]*Label {
	homes := map[*loop]*Label{}
	for _, l := range order {
		for _, s := range l.Succs {
			lp := outermost(s.loop)
			if lp == nil || lp == outermost(l.loop) {
				continue
			}
			if _, seen := homes[lp]; seen || s != lp.header || MayCall(l.Term().Op) {
				homes[lp] = entry
			} else {
				homes[lp] = l
			}
		}
	}
	return homes
}

// outermost returns the loop that is in no other one around lp, nil for nil.
func outermost(lp *loop) *loop {
	for lp != nil && lp.outer != nil {
		lp = lp.outer
	}
	return lp
}

// insertLast puts an instruction before the block's terminator.
func insertLast(l *Label, i Inst) {
	n := len(l.Insts) - 1
	l.Insts = append(l.Insts[:n:n], i, l.Insts[n])
}

// pairLoads joins loads of neighbouring words into registers that can be neighbours, and stores of such: Load64 r, b+n;
// Load64 r+1, b+n+8 -> Load64x2. Registers that calls or edges want elsewhere are left alone.
func (fn *Function) pairLoads(order []*Label) {
	defs := fn.countDefs(order)
	moved := make([]bool, int(fn.nregs)+2)
	for _, l := range order {
		for k := range l.Insts {
			for _, a := range l.Insts[k].Args {
				moved[a.Reg] = true
			}
		}
		for _, m := range l.Moves {
			moved[m.Src.Reg] = true
		}
	}
	for _, l := range order {
		for k := 0; k+1 < len(l.Insts); k++ {
			x, y := &l.Insts[k], &l.Insts[k+1]
			if x.Op != y.Op || x.B != y.B || y.A != x.A+1 || y.Imm != x.Imm+8 || x.Imm > 1<<62 {
				continue
			}
			switch {
			case x.Op == code.Load64 && x.A != x.B && defs[x.A] == 1 && defs[y.A] == 1 && !moved[x.A] && !moved[y.A] &&
				!fn.inPair(x.A) && !fn.pairs[y.A]:
				fn.pairs[x.A] = true
				x.Op = code.Load64x2
			case x.Op == code.Store64 && fn.pairs[x.A]:
				x.Op = code.Store64x2
			default:
				continue
			}
			*y = Inst{Op: code.Nop, At: y.At}
			k++
		}
	}
}
