package vm

import (
	"silvm/vm/code"
)

// entryOf returns the first instruction of a function, lowering it if that was not done yet.
func (m *Machine) entryOf(fi int) (uint32, *Trap) {
	if fi < 0 || fi >= len(m.prog.Funcs) {
		return 0, m.internal("function index out of range")
	}
	f := m.prog.Funcs[fi]
	if f.Entry != 0 {
		return f.Entry, nil
	}
	if f.Native == nil && f.Emit != nil {
		if err := f.Emit(); err != nil {
			return 0, m.unsupportedError(err)
		}
		m.count.Lowered++
		m.watchVisits(f)
		if m.onLowered != nil {
			defer m.onLowered(f)
		}
	}
	if f.Entry == 0 && f.Native != nil {
		m.emitNative(f)
	}
	m.seal()
	if len(m.prog.Insts) > maxInsts {
		return 0, m.limit(LimitSpecializations)
	}
	if f.Entry == 0 {
		return 0, m.unsupported(f.Name)
	}
	return f.Entry, nil
}

// push makes a frame at distance base above the running one and goes on at entry there; the callee returns to ret.
func (m *Machine) push(entry uint32, base uint16, ret uint32) *Trap {
	n := m.frame + uint64(base)<<32 + 1
	if uint32(n) > m.maxDepth {
		return m.limit(LimitDepth)
	}
	if t := m.room(n >> 32); t != nil {
		return t
	}
	m.stack[n>>32] = code.Link(ret, base)
	m.count.Calls++
	m.frame, m.pc = n, entry
	return nil
}

// room makes sure that the stack has two windows from fp on.
func (m *Machine) room(fp uint64) *Trap {
	need := fp + 2*windowSize
	if need <= uint64(len(m.stack)) {
		return nil
	}
	if need > maxSlots {
		return m.limit(LimitDepth)
	}
	stack := make([]uint64, min(max(2*uint64(len(m.stack)), need), maxSlots))
	copy(stack, m.stack)
	m.stack = stack
	return nil
}

// pop leaves the running frame and returns the pc to go on with.
func (m *Machine) pop() (ret uint32, base uint16) {
	link := m.stack[m.frame>>32]
	base = uint16(link)
	m.frame -= uint64(base)<<32 + 1
	return uint32(link >> 16), base
}

// callFunc calls function fi with a window at distance base; it returns to ret.
func (m *Machine) callFunc(fi int, base uint16, ret uint32) *Trap {
	entry, t := m.entryOf(fi)
	if t != nil {
		return t
	}
	return m.push(entry, base, ret)
}

// regs returns the window of the running frame.
func (m *Machine) regs() *[windowSize]uint64 {
	return (*[windowSize]uint64)(m.stack[m.frame>>32:])
}

// execCall does the operations that call; C is 1 when an OnError follows, which a normal return skips.
func (m *Machine) execCall(in code.Inst, r *[windowSize]uint64) *Trap {
	ret := m.pc + uint32(in.C)
	switch in.Op {
	case code.Call, code.CallTry:
		return m.firstCall(in)
	case code.CallEntry:
		return m.push(uint32(in.Imm), in.A, m.pc)
	case code.CallTryEntry:
		return m.push(uint32(in.Imm), in.A, m.pc+1)
	case code.CallThick:
		return m.callHandle(r[in.B], in.A, ret)
	case code.CallMethod:
		return m.callMethod(r[in.B], in.Imm, in.A, ret)
	case code.CallWitnessMethod:
		return m.callWitnessMethod(r[in.B], in.Imm, in.A, ret)
	case code.CallDyn:
		fi, t := m.dynFunc(in.Imm, r)
		if t != nil {
			return t
		}
		return m.callFunc(fi, in.A, ret)
	case code.CallWitness:
		return m.callValueWitness(r[in.B], code.Witness(in.Imm), in.A)
	case code.CallNative:
		return m.callNative(in.Imm, in.A, ret)
	case code.TailCall:
		return m.firstTailCall(in)
	case code.Throw:
		m.left -= int64(in.C)
		return m.throw()
	case code.Once:
		return m.once(in, r)
	}
	return m.internal("no call: " + in.Op.String())
}

// firstTailCall lowers the callee and makes the instruction one that goes straight to its entry.
func (m *Machine) firstTailCall(in code.Inst) *Trap {
	at := m.pc - 1
	entry, t := m.entryOf(int(in.Imm))
	if t != nil {
		return t
	}
	m.patch(at, code.TailEntry, uint64(entry))
	m.left -= int64(in.C)
	m.pc = entry
	return nil
}

// firstCall lowers the callee and makes the instruction one that goes straight to its entry.
func (m *Machine) firstCall(in code.Inst) *Trap {
	at := m.pc - 1
	entry, t := m.entryOf(int(in.Imm))
	if t != nil {
		return t
	}
	to, ret := code.CallEntry, m.pc
	if in.Op == code.CallTry {
		to, ret = code.CallTryEntry, m.pc+1
	}
	m.patch(at, to, uint64(entry))
	return m.push(entry, in.A, ret)
}

func (m *Machine) callHandle(handle uint64, base uint16, ret uint32) *Trap {
	fi, n, t := m.funcOf(handle)
	if t != nil {
		return t
	}
	entry, t := m.entryOf(fi)
	if t != nil {
		return t
	}
	m.handleEntry[n] = entry
	return m.push(entry, base, ret)
}

// methodOf returns the function in a vtable slot of the class of an object.
func (m *Machine) methodOf(ti *code.TypeInfo, slot uint64) (int, *Trap) {
	switch {
	case ti.Class == nil:
		return 0, m.internal("class method of " + ti.Name + ", which is no class")
	case slot >= uint64(len(ti.Class.VTable)):
		return 0, m.internal("vtable slot out of range in " + ti.Name)
	case ti.Class.VTable[slot] < 0:
		return 0, m.deletedMethod(ti)
	}
	return ti.Class.VTable[slot], nil
}

func (m *Machine) callMethod(ref, slot uint64, base uint16, ret uint32) *Trap {
	if t := m.checkLive(ref); t != nil {
		return t
	}
	ti, t := m.typeOfObject(ref)
	if t != nil {
		return t
	}
	fi, t := m.methodOf(ti, slot)
	if t != nil {
		return t
	}
	entry, t := m.entryOf(fi)
	if t != nil {
		return t
	}
	if n, ok := m.metas.number(ti.Addr); ok {
		for uint64(len(m.vtables[n])) <= slot {
			m.vtables[n] = append(m.vtables[n], 0)
		}
		m.vtables[n][slot] = entry
	}
	return m.push(entry, base, ret)
}

// witnessOf returns the function of an entry of the witness table that a word stands for, and the number of the table's record.
func (m *Machine) witnessOf(word, entry uint64) (fi, n int, t *Trap) {
	wt, n, t := m.tableOf(word)
	if t != nil {
		return 0, 0, t
	}
	if entry < uint64(len(wt.Entries)) && wt.Entries[entry] >= 0 {
		return wt.Entries[entry], n, nil
	}
	if m.prog.Runtime == nil || entry > code.MaxReg {
		return 0, 0, m.internal("witness table entry out of range")
	}
	fi, err := m.prog.Runtime.WitnessEntry(wt.Index, int(entry))
	if err != nil {
		return 0, 0, m.unsupportedError(err)
	}
	return fi, n, nil
}

func (m *Machine) callWitnessMethod(word, k uint64, base uint16, ret uint32) *Trap {
	fi, n, t := m.witnessOf(word, k)
	if t != nil {
		return t
	}
	entry, t := m.entryOf(fi)
	if t != nil {
		return t
	}
	for uint64(len(m.wtables[n])) <= k {
		m.wtables[n] = append(m.wtables[n], 0)
	}
	m.wtables[n][k] = entry
	return m.push(entry, base, ret)
}

// callValueWitness calls value witness w of the type of a metadata word; the arguments are in place.
func (m *Machine) callValueWitness(meta uint64, w code.Witness, base uint16) *Trap {
	ti, t := m.typeOf(meta)
	if t != nil {
		return t
	}
	fi, t := m.valueWitness(ti, w)
	if t != nil {
		return t
	}
	m.count.CopyAddr += bit(w == code.WitnessInitCopy || w == code.WitnessAssignCopy)
	return m.callFunc(fi, base, m.pc)
}

func (m *Machine) valueWitness(ti *code.TypeInfo, w code.Witness) (int, *Trap) {
	if w < 0 || w >= code.NumWitnesses {
		return 0, m.internal("value witness out of range")
	}
	if fi := ti.Witness[w]; fi >= 0 {
		return fi, nil
	}
	if m.prog.Runtime == nil {
		return 0, m.internal("no value witness for " + ti.Name)
	}
	fi, err := m.prog.Runtime.ValueWitness(ti.Index, w)
	if err != nil {
		return 0, m.unsupportedError(err)
	}
	return fi, nil
}

// throw returns to the OnError of the caller; the error stays where the callee put it.
func (m *Machine) throw() *Trap {
	ret, _ := m.pop()
	if ret == 0 || m.prog.Insts[ret-1].Op != code.OnError {
		m.pc = ret
		return m.internal("error thrown through a call that expects none")
	}
	m.pc = uint32(m.prog.Insts[ret-1].Imm)
	return nil
}

// once runs a function the first time that a token is seen. While it runs the token holds the frame that waits, so that a
// second arrival there is told from a recursive one, on which the Swift runtime would wait for ever
// (stdlib/public/runtime/Once.cpp).
func (m *Machine) once(in code.Inst, r *[windowSize]uint64) *Trap {
	const done = ^uint64(0)
	token := r[in.B]
	state, ok := m.heap.Load64(token)
	waiting := m.frame | 1<<63
	switch {
	case !ok:
		return m.badAddress(token)
	case state == done:
		return nil
	case state == waiting:
		m.heap.Store64(token, done)
		return nil
	case state != 0:
		return m.trapNow(OnceRecursion)
	}
	m.heap.Store64(token, waiting)
	r[in.A+1] = 0
	return m.callHandle(r[in.C], in.A, m.pc-1)
}
