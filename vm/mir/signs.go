package mir

import "silvm/vm/code"

// signs is the search for registers that hold no negative number.
type signs struct {
	ok    []bool  // claimed so far
	needs [][]Reg // registers whose claim depends on that one
	wrong []Reg   // claims to take back
}

// claim says that r is not negative if the operands are not.
func (s *signs) claim(r Reg, on ...Operand) {
	s.ok[r] = true
	for _, o := range on {
		if o.Reg != 0 {
			s.needs[o.Reg] = append(s.needs[o.Reg], r)
		} else if int64(o.Imm) < 0 {
			s.wrong = append(s.wrong, r)
		}
	}
}

// neverNegative finds the single registers that hold no negative number wherever they are read: it starts from all whose operation
// can result in such numbers only, as far as its operands are so too, and removes until nothing changes.
func (fn *Function) neverNegative(order []*Label, defs []uint8) []bool {
	n := int(fn.nregs) + 2
	s := &signs{ok: make([]bool, n), needs: make([][]Reg, n)}
	for _, l := range order {
		for _, p := range l.Params {
			s.ok[p] = defs[p] == 1
		}
	}
	for _, l := range order {
		for _, m := range l.Moves {
			if s.ok[m.Dst] {
				s.claim(m.Dst, m.Src)
			}
		}
		for k := range l.Insts {
			s.inst(&l.Insts[k])
		}
	}
	for r := range s.ok {
		if defs[r] != 1 || !s.ok[r] {
			s.wrong = append(s.wrong, Reg(r))
		}
	}
	for len(s.wrong) > 0 {
		r := s.wrong[len(s.wrong)-1]
		s.wrong = s.wrong[:len(s.wrong)-1]
		s.ok[r] = false
		for _, n := range s.needs[r] {
			if s.ok[n] {
				s.wrong = append(s.wrong, n)
			}
		}
		s.needs[r] = nil
	}
	return s.ok
}

// inst records a claim about an instruction's result, if there is one.
func (s *signs) inst(i *Inst) {
	switch i.Op {
	case code.LoadImm:
		s.claim(i.A, Const(i.Imm))
	case code.Move:
		s.claim(i.A, i.B.Op())
	case code.SaddTI, code.SmulTI, code.SdivI:
		s.claim(i.A, i.B.Op(), Const(i.Imm))
	case code.SaddT, code.SmulT, code.Sdiv:
		s.claim(i.A, i.B.Op(), i.C.Op())
	case code.SremI, code.Srem:
		s.claim(i.A, i.B.Op())
	case code.AndI:
		if int64(i.Imm) >= 0 {
			s.claim(i.A)
		} else {
			s.claim(i.A, i.B.Op())
		}
	case code.LshrI:
		if i.Imm > 0 {
			s.claim(i.A)
		} else {
			s.claim(i.A, i.B.Op())
		}
	case code.UremI:
		if int64(i.Imm) > 0 {
			s.claim(i.A)
		}
	case code.UdivI:
		if i.Imm > 1 {
			s.claim(i.A)
		}
	case code.Load8, code.Load16, code.Load32, code.LoadX8, code.LoadX16, code.LoadX32, code.RefLoad8, code.RefLoad16, code.RefLoad32,
		code.Ctlz, code.Cttz, code.Ctpop:
		s.claim(i.A)
	default:
		if i.Op >= code.CmpEq && i.Op <= code.CmpUgeI || i.Op >= code.FcmpOlt64 && i.Op <= code.FcmpOrd64 {
			s.claim(i.A)
		}
	}
}
