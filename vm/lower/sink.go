package lower

import "silvm/vm/code"

// sinkSteps moves instructions without effect that only an edge of their block wants to the end of the block: AddI n, i, 1 ... use
// of i ... jump with i := n. The new value can then have the register of the old one, and the move is gone.
func (fn *mirFunction) sinkSteps(order []*label) {
	defs := fn.countDefs(order)
	uses := make([]int32, int(fn.nregs)+2)
	for _, l := range order {
		for k := range l.insts {
			l.insts[k].eachUse(func(r *reg) { uses[*r]++ })
		}
		for _, m := range l.moves {
			uses[m.src.reg]++
		}
	}
	for _, l := range order {
		if len(l.moves) == 0 || l.loop == nil {
			continue
		}
		wanted := map[reg]bool{}
		for _, m := range l.moves {
			if uses[m.src.reg] == 1 && defs[m.src.reg] == 1 {
				wanted[m.src.reg] = true
			}
		}
		var last []minst
		effects := 0 // the last instruction that does more than compute
		for k := range l.insts[:len(l.insts)-1] {
			if i := &l.insts[k]; i.effect() != effectPure && i.op != code.Nop {
				effects = k
			}
		}
		for k := range l.insts[:len(l.insts)-1] {
			i := &l.insts[k]
			if !wanted[i.a] || i.c != 0 || !movable(i, k >= effects) || defs[i.b] != 1 || fn.inPair(i.a) || fn.inPair(i.b) {
				continue
			}
			last = append(last, *i)
			*i = minst{op: code.Nop, at: i.at}
		}
		for _, i := range last {
			insertLast(l, i)
		}
	}
}

// movable says whether an instruction is a step of a counter or pointer: one register and a constant. One that may trap can only pass
// instructions that do nothing but compute.
func movable(i *minst, last bool) bool {
	switch i.op {
	case code.AddI, code.SubI:
		return true
	case code.SaddTI, code.SsubTI, code.UaddTI, code.UsubTI:
		return last
	}
	return false
}
