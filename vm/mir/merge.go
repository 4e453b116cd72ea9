package mir

import "silvm/vm/code"

// mergeBlocks joins each block that ends in a Jump with its successor where that has no other predecessor, and replaces registers
// that are only another name of one: arguments of joined blocks and targets of Move. Registers with one write keep their value, so
// that names can be exchanged everywhere.
func (fn *Function) mergeBlocks() {
	blocks := ReversePostorder(fn.Entry)
	preds := map[*Label]int{fn.Entry: 1}
	for _, l := range blocks {
		for _, s := range l.Succs {
			preds[s]++
		}
	}
	defs := fn.countDefs(blocks)
	names := make([]Operand, int(fn.nregs)+2) // what a register is another name of; none for itself
	gone := map[*Label]bool{}
	for _, l := range blocks {
		if gone[l] {
			continue
		}
		for l.Term().Op == code.Jump && l.Succs[0] != l && preds[l.Succs[0]] == 1 {
			next := l.Succs[0]
			at := l.Term().At
			l.Insts = l.Insts[:len(l.Insts)-1]
			for _, m := range l.Moves {
				if m.Src.Reg != 0 && defs[m.Dst] == 1 && defs[m.Src.Reg] == 1 {
					names[m.Dst] = m.Src
				} else {
					l.Insts = append(l.Insts, copyInst(m, at))
				}
			}
			for _, i := range next.Insts {
				i.before += l.Steps
				l.Insts = append(l.Insts, i)
			}
			l.Succs, l.Moves, l.Steps = next.Succs, next.Moves, l.Steps+next.Steps
			gone[next] = true
		}
		for k := range l.Insts {
			if i := &l.Insts[k]; i.Op == code.Move && defs[i.A] == 1 && defs[i.B] == 1 && !fn.inPair(i.A) {
				names[i.A] = i.B.Op()
				i.Op = code.Nop
				i.A, i.B = 0, 0
			}
		}
	}
	fn.rename(blocks, names)
}

// copyInst is the instruction that does one move.
func copyInst(m Move, at int32) Inst {
	if m.Src.Reg == 0 {
		return Inst{Op: code.LoadImm, A: m.Dst, Imm: m.Src.Imm, At: at}
	}
	return Inst{Op: code.Move, A: m.Dst, B: m.Src.Reg, At: at}
}

// inPair reports whether a register is one of two that must be neighbours.
func (fn *Function) inPair(r Reg) bool { return fn.pairs[r] || fn.pairs[r-1] }

// countDefs returns the number of places that write each register; the moves to a block's arguments count as one.
func (fn *Function) countDefs(blocks []*Label) []uint8 {
	defs := make([]uint8, int(fn.nregs)+2)
	one := func(r Reg) { defs[r] = min(defs[r]+1, 2) }
	for _, l := range blocks {
		for _, p := range l.Params {
			one(p)
		}
		for k := range l.Insts {
			l.Insts[k].EachDef(one)
		}
	}
	return defs
}

// rename makes all reads of a register reads of what it is another name of. Neighbours that are read as a pair keep their names.
func (fn *Function) rename(blocks []*Label, names []Operand) {
	find := func(r Reg) Reg {
		for names[r].Reg != 0 {
			if up := names[names[r].Reg]; up.Reg != 0 {
				names[r] = up
			}
			r = names[r].Reg
		}
		return r
	}
	for _, l := range blocks {
		for k := range l.Insts {
			l.Insts[k].eachUse(func(r *Reg) { *r = find(*r) })
		}
		for k := range l.Moves {
			if src := &l.Moves[k].Src; src.Reg != 0 {
				src.Reg = find(src.Reg)
			}
		}
	}
}
