package lower

import "silvm/vm/code"

// signs is the search for registers that hold no negative number.
type signs struct {
	ok    []bool  // claimed so far
	needs [][]reg // registers whose claim depends on that one
	wrong []reg   // claims to take back
}

// claim says that r is not negative if the operands are not.
func (s *signs) claim(r reg, on ...operand) {
	s.ok[r] = true
	for _, o := range on {
		if o.reg != 0 {
			s.needs[o.reg] = append(s.needs[o.reg], r)
		} else if int64(o.imm) < 0 {
			s.wrong = append(s.wrong, r)
		}
	}
}

// neverNegative finds the single registers that hold no negative number wherever they are read: it starts from all whose operation
// can give such numbers only, as far as its operands are so too, and takes away until nothing changes.
func (fn *mirFunction) neverNegative(order []*label, defs []uint8) []bool {
	n := int(fn.nregs) + 2
	s := &signs{ok: make([]bool, n), needs: make([][]reg, n)}
	for _, l := range order {
		for _, p := range l.params {
			s.ok[p] = defs[p] == 1
		}
	}
	for _, l := range order {
		for _, m := range l.moves {
			if s.ok[m.dst] {
				s.claim(m.dst, m.src)
			}
		}
		for k := range l.insts {
			s.inst(&l.insts[k])
		}
	}
	for r := range s.ok {
		if defs[r] != 1 || !s.ok[r] {
			s.wrong = append(s.wrong, reg(r))
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

// inst claims what an instruction gives, if it can be told.
func (s *signs) inst(i *minst) {
	switch i.op {
	case code.LoadImm:
		s.claim(i.a, con(i.imm))
	case code.Move:
		s.claim(i.a, i.b.op())
	case code.SaddTI, code.SmulTI, code.SdivI:
		s.claim(i.a, i.b.op(), con(i.imm))
	case code.SaddT, code.SmulT, code.Sdiv:
		s.claim(i.a, i.b.op(), i.c.op())
	case code.SremI, code.Srem:
		s.claim(i.a, i.b.op())
	case code.AndI:
		if int64(i.imm) >= 0 {
			s.claim(i.a)
		} else {
			s.claim(i.a, i.b.op())
		}
	case code.LshrI:
		if i.imm > 0 {
			s.claim(i.a)
		} else {
			s.claim(i.a, i.b.op())
		}
	case code.UremI:
		if int64(i.imm) > 0 {
			s.claim(i.a)
		}
	case code.UdivI:
		if i.imm > 1 {
			s.claim(i.a)
		}
	case code.Load8, code.Load16, code.Load32, code.LoadX8, code.LoadX16, code.LoadX32, code.RefLoad8, code.RefLoad16, code.RefLoad32,
		code.Ctlz, code.Cttz, code.Ctpop:
		s.claim(i.a)
	default:
		if i.op >= code.CmpEq && i.op <= code.CmpUgeI || i.op >= code.FcmpOlt64 && i.op <= code.FcmpOrd64 {
			s.claim(i.a)
		}
	}
}
