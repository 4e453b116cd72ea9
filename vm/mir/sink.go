package mir

import "silvm/vm/code"

// sinkSteps moves the steps of counters and pointers down in their blocks, before the first use of the new value or to the end:
// AddI n, i, 1 ... uses of i ... a test of n, and further on an edge with i := n. The new value can then have the register of the old
// one, and the move is gone.
func (fn *Function) sinkSteps(order []*Label) {
	s := sinker{defs: fn.countDefs(order), uses: make([]int32, int(fn.nregs)+2), next: map[Reg][]Reg{}}
	for _, l := range order {
		for k := range l.Insts {
			l.Insts[k].eachUse(func(r *Reg) { s.uses[*r]++ })
		}
		for _, m := range l.Moves {
			if s.uses[m.Src.Reg]++; m.Src.Reg != 0 {
				s.next[m.Src.Reg] = append(s.next[m.Src.Reg], m.Dst)
			}
		}
	}
	for _, l := range order {
		if l.loop == nil {
			continue
		}
		for k := len(l.Insts) - 2; k >= 0; k-- {
			i := &l.Insts[k]
			if !isStep(i) || s.defs[i.A] != 1 || s.defs[i.B] != 1 || fn.inPair(i.A) || fn.inPair(i.B) || !s.wanted(l, i) {
				continue
			}
			if to := firstUse(l, k); i.effect() == effectPure || onlyPure(l.Insts[k+1:to]) {
				step := *i
				copy(l.Insts[k:], l.Insts[k+1:to])
				l.Insts[to-1] = step
			}
		}
	}
}

type sinker struct {
	defs []uint8
	uses []int32
	next map[Reg][]Reg // by register: the arguments that edges pass its value to
}

// wanted reports whether the new value of a step becomes the old one on some edge, or is only wanted on an edge of the block.
func (s *sinker) wanted(l *Label, i *Inst) bool {
	for _, to := range s.next[i.A] {
		if to == i.B {
			return true
		}
	}
	for _, m := range l.Moves {
		if m.Src.Reg == i.A && s.uses[i.A] == 1 {
			return true
		}
	}
	return false
}

// isStep reports whether an instruction adds a constant to a register.
func isStep(i *Inst) bool {
	switch i.Op {
	case code.AddI, code.SubI, code.SaddTI, code.SsubTI, code.UaddTI, code.UsubTI:
		return i.C == 0
	}
	return false
}

// firstUse returns the index of the first instruction after k that reads what k writes, or that of the terminator.
func firstUse(l *Label, k int) int {
	for n := k + 1; n < len(l.Insts); n++ {
		read := false
		l.Insts[n].eachUse(func(r *Reg) { read = read || *r == l.Insts[k].A })
		if read {
			return n
		}
	}
	return len(l.Insts) - 1
}

// onlyPure reports whether instructions do nothing but compute: one that may trap can pass them.
func onlyPure(list []Inst) bool {
	for k := range list {
		if i := &list[k]; i.effect() != effectPure && i.Op != code.Nop {
			return false
		}
	}
	return true
}
