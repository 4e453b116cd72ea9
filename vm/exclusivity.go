package vm

import (
	"silvm/vm/code"
)

// Dynamic exclusivity as Swift's runtime enforces it (stdlib/public/runtime/Exclusivity.cpp): an access conflicts with an open
// tracked one to the same address if at least one of the two modifies. Only equal addresses conflict. An access that nothing
// can conflict with later is checked but not tracked.

// Bits of the Imm field of BeginAccess.
const (
	accessModify           = 1
	accessNoNestedConflict = 2
)

// access is an open tracked access.
type access struct {
	addr   uint64
	token  uint64
	pc     uint32
	modify bool
}

// unpairedAccess is an access that begin_unpaired_access began, by the address of its buffer.
type unpairedAccess struct{ buffer, token uint64 }

// execAccess does the operations on accesses.
func (m *Machine) execAccess(in code.Inst, r *[windowSize]uint64) *Trap {
	switch in.Op {
	case code.CheckAccess:
		_, t := m.beginAccess(r[in.A]+uint64(int64(in.Imm)>>1), in.Imm&accessModify|accessNoNestedConflict)
		return t
	case code.BeginAccess:
		token, t := m.beginAccess(r[in.A], in.Imm)
		r[in.B] = token
		return t
	case code.EndAccess:
		m.endAccess(r[in.B])
	case code.BeginUnpaired:
		token, t := m.beginAccess(r[in.A], in.Imm)
		if t != nil {
			return t
		}
		if token != 0 {
			m.unpaired = append(m.unpaired, unpairedAccess{r[in.B], token})
		}
	case code.EndUnpaired:
		for i := len(m.unpaired) - 1; i >= 0; i-- {
			if m.unpaired[i].buffer == r[in.A] {
				m.endAccess(m.unpaired[i].token)
				m.unpaired = append(m.unpaired[:i], m.unpaired[i+1:]...)
				break
			}
		}
	}
	return nil
}

// beginHere does BeginAccess.
func (m *Machine) beginHere() (t *Trap) {
	in, r := &m.prog.Insts[m.pc-1], m.regs()
	r[in.B], t = m.beginAccess(r[in.A], in.Imm)
	return t
}

// endHere does EndAccess.
func (m *Machine) endHere() { m.endAccess(m.regs()[m.prog.Insts[m.pc-1].B]) }

// beginAccess checks an access and returns its token, 0 when it is not tracked.
func (m *Machine) beginAccess(addr, flags uint64) (token uint64, t *Trap) {
	m.count.Access++
	if m.cfg.Checks == ChecksFast {
		return 0, nil
	}
	modify := flags&accessModify != 0
	for i := len(m.accesses) - 1; i >= 0; i-- {
		if a := &m.accesses[i]; a.addr == addr && (a.modify || modify) {
			return 0, m.conflict(*a, modify)
		}
	}
	if flags&accessNoNestedConflict != 0 {
		return 0, nil
	}
	m.nextAccess++
	m.accesses = append(m.accesses, access{addr: addr, token: m.nextAccess, pc: m.pc - 1, modify: modify})
	return m.nextAccess, nil
}

// endAccess forgets the access with the token; accesses may end in any order.
func (m *Machine) endAccess(token uint64) {
	for i := len(m.accesses) - 1; i >= 0 && token != 0; i-- {
		if m.accesses[i].token == token {
			m.accesses = append(m.accesses[:i], m.accesses[i+1:]...)
			return
		}
	}
}
