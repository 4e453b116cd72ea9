package mir

import "silvm/vm/code"

// sinkSteps moves instructions without effect that only an edge of their block wants to the end of the block: AddI n, i, 1 ... use
// of i ... jump with i := n. The new value can then have the register of the old one, and the move is gone.
func (fn *Function) sinkSteps(order []*Label) {
	defs := fn.countDefs(order)
	uses := make([]int32, int(fn.nregs)+2)
	for _, l := range order {
		for k := range l.Insts {
			l.Insts[k].eachUse(func(r *Reg) { uses[*r]++ })
		}
		for _, m := range l.Moves {
			uses[m.Src.Reg]++
		}
	}
	for _, l := range order {
		if len(l.Moves) == 0 || l.loop == nil {
			continue
		}
		wanted := map[Reg]bool{}
		for _, m := range l.Moves {
			if uses[m.Src.Reg] == 1 && defs[m.Src.Reg] == 1 {
				wanted[m.Src.Reg] = true
			}
		}
		var last []Inst
		effects := 0 // the last instruction that does more than compute
		for k := range l.Insts[:len(l.Insts)-1] {
			if i := &l.Insts[k]; i.effect() != effectPure && i.Op != code.Nop {
				effects = k
			}
		}
		for k := range l.Insts[:len(l.Insts)-1] {
			i := &l.Insts[k]
			if !wanted[i.A] || i.C != 0 || !movable(i, k >= effects) || defs[i.B] != 1 || fn.inPair(i.A) || fn.inPair(i.B) {
				continue
			}
			last = append(last, *i)
			*i = Inst{Op: code.Nop, At: i.At}
		}
		for _, i := range last {
			insertLast(l, i)
		}
	}
}

// movable reports whether an instruction is a step of a counter or pointer: one register and a constant. One that may trap can only pass
// instructions that do nothing but compute.
func movable(i *Inst, last bool) bool {
	switch i.Op {
	case code.AddI, code.SubI:
		return true
	case code.SaddTI, code.SsubTI, code.UaddTI, code.UsubTI:
		return last
	}
	return false
}
