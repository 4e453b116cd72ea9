package vm

import (
	"silvm/heap"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// An opaque existential is a buffer of three words, the type's metadata and witness tables. A value that fits the buffer and
// can be moved by copying bytes lies inline, any other in a box: an object whose metadata is that of the value's type, with the
// value at the first aligned offset after the header. Copies of an existential share the box.
// (docs/ABI/TypeLayout.rst, Existential Container Layout; stdlib/public/runtime/ExistentialContainer.cpp)
// boxOffset is where the value of a box starts.
func boxOffset(l *abi.Layout) uint64 { return (heap.HeaderSize + l.Align - 1) &^ (l.Align - 1) }

// existentialType returns the type of the value in the existential at a.
func (m *Machine) existentialType(a uint64) (*code.TypeInfo, *Trap) {
	meta, t := m.load64(a + abi.ExistentialType)
	if t != nil {
		return nil, t
	}
	ti, t := m.typeOf(meta)
	if t == nil && ti.Layout == nil {
		t = m.unsupported("the layout of " + ti.Name)
	}
	return ti, t
}

// payload returns the address of the value in the existential at a.
func (m *Machine) payload(a uint64) (uint64, *Trap) {
	ti, t := m.existentialType(a)
	if t != nil || ti.Layout.IsInline() {
		return a, t
	}
	box, t := m.load64(a)
	if t == nil {
		t = m.checkLive(box)
	}
	return box + boxOffset(ti.Layout), t
}

// execExistential does the operations on opaque existentials.
func (m *Machine) execExistential(in code.Inst, r *[windowSize]uint64) *Trap {
	a := r[in.A]
	switch in.Op {
	case code.InitExistential:
		v, t := m.initExistential(a, r[in.B], in.Imm)
		r[in.C] = v
		return t
	case code.ProjectExistential:
		v, t := m.payload(r[in.B])
		r[in.A] = v
		return t
	}
	if in.Op == code.CopyExistential {
		a = r[in.B]
	}
	ti, t := m.existentialType(a)
	if t != nil {
		return t
	}
	inline := ti.Layout.IsInline()
	box := uint64(0)
	if !inline {
		if box, t = m.load64(a); t != nil {
			return t
		}
	}
	switch {
	case in.Op == code.UniqueExistential:
		if inline {
			return nil
		}
		return m.uniqueBox(a, ti, box, in.B)
	case in.Op == code.CopyExistential:
		return m.copyExistential(in, r, ti, box)
	case in.Op == code.DeinitExistential:
		if inline {
			return nil
		}
		m.count.Dealloc++
		if f := m.heap.DeallocUninitialized(box, m.site()); f != nil {
			return m.fault(f)
		}
		return nil
	case !inline:
		return m.execRelease(box, in.B)
	case ti.Layout.Trivial:
		return nil
	}
	return m.witnessCall(ti, code.WitnessDestroy, in.B, m.pc, a)
}

// initExistential writes metadata and witness tables and makes room for the value.
func (m *Machine) initExistential(a, meta, exists uint64) (uint64, *Trap) {
	ti, t := m.typeOf(meta)
	switch {
	case t != nil:
		return 0, t
	case ti.Layout == nil:
		return 0, m.unsupported("the layout of " + ti.Name)
	case exists >= uint64(len(m.prog.Exists)):
		return 0, m.internal("existential out of range")
	}
	e := m.prog.Exists[exists]
	ok := m.heap.Store64(a+abi.ExistentialType, meta)
	for i := range e.Tables {
		addr, t := m.existentialTable(e, i, ti)
		if t != nil {
			return 0, t
		}
		ok = ok && m.heap.Store64(a+abi.ExistentialWitness+8*uint64(i), addr)
	}
	if !ok {
		return 0, m.badAddress(a)
	}
	if ti.Layout.IsInline() {
		return a, nil
	}
	box, t := m.allocBox(ti)
	if t == nil && !m.heap.Store64(a, box) {
		t = m.badAddress(a)
	}
	return box + boxOffset(ti.Layout), t
}

// existentialTable returns the address of witness table i for the value's type.
func (m *Machine) existentialTable(e *code.Existential, i int, ti *code.TypeInfo) (uint64, *Trap) {
	if e.Tables[i] >= 0 {
		return m.tableAddr(e.Tables[i])
	}
	if m.prog.Runtime == nil || i >= len(e.Protocols) {
		return 0, m.internal("existential without protocols")
	}
	addr, t := m.conformance(ti.Type, e.Protocols[i])
	if t == nil && addr == 0 {
		t = m.unsupported(ti.Name + " as " + e.Protocols[i].String())
	}
	return addr, t
}

// allocBox makes the box of an existential for a value of a type.
func (m *Machine) allocBox(ti *code.TypeInfo) (uint64, *Trap) {
	meta, t := m.metadata(ti.Index)
	if t != nil {
		return 0, t
	}
	box, f := m.heap.AllocObject(meta, boxOffset(ti.Layout)+ti.Layout.Size, max(ti.Layout.Align, 16), m.site())
	if f != nil {
		return 0, m.fault(f)
	}
	m.count.AllocObject++
	return box, nil
}

func (m *Machine) copyExistential(in code.Inst, r *[windowSize]uint64, ti *code.TypeInfo, box uint64) *Trap {
	if t := m.copyMemory(r[in.A], r[in.B], in.Imm); t != nil {
		return t
	}
	switch {
	case box != 0:
		m.count.StrongRetain++
		if f := m.heap.Retain(box); f != nil {
			return m.fault(f)
		}
		return nil
	case ti.Layout.Trivial:
		return nil
	}
	return m.witnessCall(ti, code.WitnessInitCopy, in.C, m.pc, r[in.A], r[in.B])
}

// witnessCall calls a value witness with arguments in a window at distance base; it returns to ret.
func (m *Machine) witnessCall(ti *code.TypeInfo, w code.Witness, base uint16, ret uint32, args ...uint64) *Trap {
	fi, t := m.valueWitness(ti, w)
	if t != nil {
		return t
	}
	m.count.CopyAddr += bit(w == code.WitnessInitCopy || w == code.WitnessAssignCopy)
	if t := m.callFunc(fi, base, ret); t != nil {
		return t
	}
	copy(m.stack[m.frame>>32+1:], args)
	return nil
}

// boxDestroyer returns the function that destroys an existential's box with a value of a type: it is made up here, since a box
// needs no more than the type's own destroy witness.
func (m *Machine) boxDestroyer(ti *code.TypeInfo) (int, *Trap) {
	const object, base = 1, 2
	p := m.prog
	var body []code.Inst
	if !ti.Layout.Trivial {
		fi, t := m.valueWitness(ti, code.WitnessDestroy)
		if t != nil {
			return 0, t
		}
		body = append(body,
			code.Inst{Op: code.AddI, A: base + 1, B: object, Imm: boxOffset(ti.Layout)},
			code.Inst{Op: code.Call, A: base, Imm: uint64(fi)})
	}
	body = append(body, code.Inst{Op: code.DeallocObject, A: object}, code.Inst{Op: code.Return})
	entry := uint32(len(p.Insts))
	p.Insts = append(p.Insts, body...)
	f := &code.Func{Index: len(p.Funcs), Name: "destroy box of " + ti.Name, Entry: entry, End: uint32(len(p.Insts)), NRegs: base}
	p.Funcs = append(p.Funcs, f)
	ti.DestroyObject = f.Index
	m.seal()
	return f.Index, nil
}

// uniqueBox returns the existential at a a box of its own, with a copy of the value, if others share its box.
func (m *Machine) uniqueBox(a uint64, ti *code.TypeInfo, box uint64, base uint16) *Trap {
	unique, f := m.heap.IsUnique(box)
	if f != nil {
		return m.fault(f)
	}
	if unique {
		return nil
	}
	fresh, t := m.allocBox(ti)
	if t != nil {
		return t
	}
	if !m.heap.Store64(a, fresh) {
		return m.badAddress(a)
	}
	m.count.StrongRelease++
	if _, f := m.heap.Release(box, m.site()); f != nil { // others hold it: this is not the last reference
		return m.fault(f)
	}
	off := boxOffset(ti.Layout)
	if ti.Layout.Trivial {
		return m.copyMemory(fresh+off, box+off, ti.Layout.Size)
	}
	return m.witnessCall(ti, code.WitnessInitCopy, base, m.pc, fresh+off, box+off)
}
