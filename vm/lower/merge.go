package lower

import "silvm/vm/code"

// mergeBlocks joins each block that ends in a Jump with its successor where that has no other predecessor, and replaces registers
// that are only another name of one: arguments of joined blocks and targets of Move. Registers with one write keep their value, so
// that names can be exchanged everywhere.
func (fn *mirFunction) mergeBlocks() {
	blocks := reversePostorder(fn.Entry)
	preds := map[*label]int{fn.Entry: 1}
	for _, l := range blocks {
		for _, s := range l.succs {
			preds[s]++
		}
	}
	defs := fn.countDefs(blocks)
	names := make([]operand, int(fn.nregs)+2) // what a register is another name of; none for itself
	gone := map[*label]bool{}
	for _, l := range blocks {
		if gone[l] {
			continue
		}
		for l.term().op == code.Jump && l.succs[0] != l && preds[l.succs[0]] == 1 {
			next := l.succs[0]
			at := l.term().at
			l.insts = l.insts[:len(l.insts)-1]
			for _, m := range l.moves {
				if m.src.reg != 0 && defs[m.dst] == 1 && defs[m.src.reg] == 1 {
					names[m.dst] = m.src
				} else {
					l.insts = append(l.insts, copyInst(m, at))
				}
			}
			for _, i := range next.insts {
				i.before += l.steps
				l.insts = append(l.insts, i)
			}
			l.succs, l.moves, l.steps = next.succs, next.moves, l.steps+next.steps
			gone[next] = true
		}
		for k := range l.insts {
			if i := &l.insts[k]; i.op == code.Move && defs[i.a] == 1 && defs[i.b] == 1 && !fn.inPair(i.a) {
				names[i.a] = i.b.op()
				i.op = code.Nop
				i.a, i.b = 0, 0
			}
		}
	}
	fn.rename(blocks, names)
}

// copyInst is the instruction that does one move.
func copyInst(m move, at int32) minst {
	if m.src.reg == 0 {
		return minst{op: code.LoadImm, a: m.dst, imm: m.src.imm, at: at}
	}
	return minst{op: code.Move, a: m.dst, b: m.src.reg, at: at}
}

// inPair says whether a register is one of two that must be neighbours.
func (fn *mirFunction) inPair(r reg) bool { return fn.pairs[r] || fn.pairs[r-1] }

// countDefs gives the number of places that write each register; the moves to a block's arguments count as one.
func (fn *mirFunction) countDefs(blocks []*label) []uint8 {
	defs := make([]uint8, int(fn.nregs)+2)
	one := func(r reg) { defs[r] = min(defs[r]+1, 2) }
	for _, l := range blocks {
		for _, p := range l.params {
			one(p)
		}
		for k := range l.insts {
			l.insts[k].eachDef(one)
		}
	}
	return defs
}

// rename makes all reads of a register reads of what it is another name of. Neighbours that are read as a pair keep their names.
func (fn *mirFunction) rename(blocks []*label, names []operand) {
	find := func(r reg) reg {
		for names[r].reg != 0 {
			if up := names[names[r].reg]; up.reg != 0 {
				names[r] = up
			}
			r = names[r].reg
		}
		return r
	}
	for _, l := range blocks {
		for k := range l.insts {
			l.insts[k].eachUse(func(r *reg) { *r = find(*r) })
		}
		for k := range l.moves {
			if src := &l.moves[k].src; src.reg != 0 {
				src.reg = find(src.reg)
			}
		}
	}
}
