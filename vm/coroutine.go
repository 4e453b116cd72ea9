package vm

import (
	"silvm/vm/code"
)

// A coroutine that has yielded is a record: a copy of its window, and where it goes on. begin_apply calls the coroutine like
// a function; Yield copies its window out and puts the yielded values in its place; end_apply and abort_apply copy it
// back on top of whatever runs then. So coroutines may end in any order, and their caller's frame is like any other.
// (docs/SIL.rst, begin_apply, yield, end_apply, abort_apply.)
type coroutine struct {
	regs   []uint64
	resume uint32 // pc after end_apply
	unwind uint32 // pc after abort_apply
	began  uint32 // pc of the begin_apply
	live   bool
}

// execCoroutine does the operations of coroutines.
func (m *Machine) execCoroutine(in code.Inst, r *[windowSize]uint64) *Trap {
	ret := m.pc + uint32(in.C)
	switch in.Op {
	case code.BeginApply:
		return m.callFunc(int(in.Imm), in.A, ret)
	case code.BeginApplyThick:
		return m.callHandle(r[uint16(in.Imm)], in.A, ret)
	case code.BeginApplyMethod:
		return m.callMethod(r[uint16(in.Imm)], in.Imm>>16, in.A, ret)
	case code.BeginApplyWitness:
		return m.callWitnessMethod(r[uint16(in.Imm)], in.Imm>>16, in.A, ret)
	case code.BeginApplyDyn:
		fi, t := m.dynFunc(in.Imm, r)
		if t != nil {
			return t
		}
		return m.callFunc(fi, in.A, ret)
	case code.Yield:
		return m.yield(in, r)
	case code.EndApply:
		return m.resume(in.A, r[in.B], false)
	case code.AbortApply:
		return m.resume(in.A, r[in.B], true)
	}
	m.left -= int64(in.C)
	m.pc, _ = m.pop() // Unwind
	return nil
}

// isBeginApply tells the operations that start a coroutine.
func isBeginApply(op code.Op) bool { return op >= code.BeginApply && op <= code.BeginApplyDyn }

// yield saves the running frame in a record, hands the yielded values to its caller and goes on there.
func (m *Machine) yield(in code.Inst, r *[windowSize]uint64) *Trap {
	n := int(in.A) // the frame ends where its calls' windows begin
	link := r[0]
	at := uint32(link>>16) - 1
	if at < uint32(len(m.prog.Insts)) && m.prog.Insts[at].Op == code.OnError {
		at--
	}
	if at >= uint32(len(m.prog.Insts)) || !isBeginApply(m.prog.Insts[at].Op.First()) {
		return m.internal("yield to a call that is no begin_apply")
	}
	k := m.newCoroutine()
	c := &m.coroutines[k]
	c.regs = append(c.regs[:0], r[:n]...)
	c.regs[0] &^= linkMark // that of the frame, which ends here
	c.resume, c.unwind, c.began, c.live = uint32(in.Imm), uint32(in.Imm>>32), at, true
	copy(r[1:1+int(in.B)], r[n+1:n+1+int(in.B)])
	m.count.Yields++
	m.pc, _ = m.pop()
	m.regs()[m.prog.Insts[at].B] = uint64(k) + 1
	return nil
}

func (m *Machine) newCoroutine() int {
	if n := len(m.freeCoro); n > 0 {
		k := m.freeCoro[n-1]
		m.freeCoro = m.freeCoro[:n-1]
		return k
	}
	m.coroutines = append(m.coroutines, coroutine{})
	return len(m.coroutines) - 1
}

// resume puts a coroutine's window back above the running frame and goes on in it.
func (m *Machine) resume(base uint16, token uint64, abort bool) *Trap {
	k := token - 1
	if k >= uint64(len(m.coroutines)) || !m.coroutines[k].live {
		return m.internal("no coroutine to resume")
	}
	c := &m.coroutines[k]
	to := c.resume
	if abort {
		to = c.unwind
	}
	if t := m.push(to, base, m.pc); t != nil {
		return t
	}
	copy(m.regs()[1:], c.regs[1:])
	c.live = false
	m.freeCoro = append(m.freeCoro, int(k))
	return nil
}
