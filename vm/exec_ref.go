package vm

import (
	"silvm/heap"
	"silvm/vm/code"
)

// site is how this machine names a place to the heap: the pc of the running instruction.
func (m *Machine) site() uint32 { return m.pc - 1 }

// execAlloc does AllocObject and AllocClass.
func (m *Machine) execAlloc() *Trap { return m.allocObject(&m.prog.Insts[m.pc-1]) }

func (m *Machine) allocObject(in *code.Inst) *Trap {
	r := m.regs()
	meta, size, align := r[in.B], in.Imm&(1<<48-1), in.Imm>>48
	if in.Op == code.AllocClass {
		if in.Imm >= uint64(len(m.classes)) || m.classes[in.Imm].meta == 0 {
			if t := m.prepareClass(in.Imm); t != nil {
				return t
			}
		}
		c := &m.classes[in.Imm]
		meta, size, align = c.meta, c.size, c.align
	}
	ref, f := m.heap.AllocObject(meta, size, align, m.pc-1)
	if f != nil {
		return m.fault(f)
	}
	r[in.A] = ref
	m.count.AllocObject++
	return nil
}

// prepareClass fills in what AllocClass needs of class i.
func (m *Machine) prepareClass(i uint64) *Trap {
	if i >= uint64(len(m.prog.Classes)) {
		return m.internal("class index out of range")
	}
	c := m.prog.Classes[i]
	meta, t := m.metadata(c.Type.Index)
	if t != nil {
		return t
	}
	for uint64(len(m.classes)) <= i {
		m.classes = append(m.classes, classInfo{})
	}
	m.classes[i] = classInfo{meta: meta, size: c.Layout.Size, align: max(c.Layout.Align, 16)}
	return nil
}

// execRelease releases a strong reference. If it was the last, the object's destroy function is called with a window at
// distance base; it returns to the next instruction.
func (m *Machine) execRelease(ref uint64, base uint16) *Trap {
	m.count.StrongRelease++
	dealloc, f := m.heap.Release(ref, m.pc-1)
	if f != nil {
		return m.fault(f)
	}
	if dealloc {
		return m.destroy(ref, base, m.pc)
	}
	return nil
}

// deallocHere does DeallocObject.
func (m *Machine) deallocHere() *Trap { return m.deallocObject(m.regs()[m.prog.Insts[m.pc-1].A]) }

func (m *Machine) deallocObject(ref uint64) *Trap {
	m.count.Dealloc++
	if f := m.heap.DeallocObject(ref, m.pc-1); f != nil {
		return m.fault(f)
	}
	return nil
}

// releaseHere does Release.
func (m *Machine) releaseHere() *Trap {
	in := &m.prog.Insts[m.pc-1]
	return m.execRelease(m.regs()[in.A], in.B)
}

// destroy calls the function that destroys what the object at ref holds and returns its memory back.
func (m *Machine) destroy(ref uint64, base uint16, ret uint32) *Trap {
	fi, t := m.destroyFunc(ref)
	if t != nil {
		return t
	}
	m.count.Deinit++
	if t := m.callFunc(fi, base, ret); t != nil {
		return t
	}
	m.stack[m.frame>>32+1] = ref
	return nil
}

// destroyFunc returns the function that destroys the object at ref: the deallocating deinit of a class, else code that lowering
// made up for the type.
func (m *Machine) destroyFunc(ref uint64) (int, *Trap) {
	ti, t := m.typeOfObject(ref)
	if t != nil {
		return 0, t
	}
	fi := ti.DestroyObject
	if c := ti.Class; c != nil {
		if fi = c.Dealloc; fi < 0 {
			fi = c.Destroy
		}
	}
	if fi < 0 && ti.Class == nil && ti.Layout != nil {
		return m.boxDestroyer(ti)
	}
	if fi < 0 {
		return 0, m.unsupported("the deinit of " + ti.Name)
	}
	return fi, nil
}

// execRef does the operations on references that the loop leaves to it.
func (m *Machine) execRef(in code.Inst, r *[windowSize]uint64) *Trap {
	h := m.heap
	var f *heap.Fault
	switch in.Op {
	case code.AllocObjectR:
		r[in.A], f = h.AllocObject(r[in.B], r[in.C], in.Imm, m.site())
		m.count.AllocObject++
	case code.AllocDynamic:
		return m.allocDynamic(&r[in.A], r[in.B])
	case code.AllocErrorBox:
		return m.allocErrorBox(&r[in.A], r[in.B])
	case code.InitStackObject:
		if _, ok := h.Range(r[in.A], heap.HeaderSize); !ok {
			return m.badAddress(r[in.A])
		}
		h.InitStackObject(r[in.A], r[in.B])
		m.count.AllocStack++
	case code.Retain, code.RetainNoted:
		m.count.StrongRetain++
		f = h.Retain(r[in.A])
	case code.RetainN:
		m.count.StrongRetain += in.Imm
		f = h.RetainN(r[in.A], in.Imm)
	case code.RetainUnowned:
		m.count.UnownedRetain++
		f = h.UnownedRetain(r[in.A])
	case code.ReleaseUnowned:
		m.count.UnownedRelease++
		f = h.UnownedRelease(r[in.A], m.site())
		if f != nil && f.Kind == heap.UseAfterFree { // nobody may hold an unowned reference to freed memory: one was given up twice
			f.Kind = heap.UnownedOverRelease
		}
	case code.StrongFromUnowned:
		m.count.UnownedLoad++
		f = h.StrongRetainUnowned(r[in.A])
	case code.SetDeiniting:
		m.count.Deinit++
		f = h.SetDeiniting(r[in.A])
	case code.DeallocPartial:
		m.count.Dealloc++
		f = h.DeallocUninitialized(r[in.A], m.site())
	case code.IsUnique:
		m.count.UniqueCheck++
		var unique bool
		unique, f = h.IsUnique(r[in.B])
		r[in.A] = bit(unique)
	case code.IsEscaping:
		unique := true
		if r[in.B] != 0 {
			m.count.UniqueCheck++
			unique, f = h.IsUnique(r[in.B])
		}
		r[in.A] = bit(!unique)
	default:
		return m.execWeak(in, r)
	}
	if f != nil {
		return m.fault(f)
	}
	return nil
}

// execWeak does the operations on weak variables.
func (m *Machine) execWeak(in code.Inst, r *[windowSize]uint64) *Trap {
	h := m.heap
	var f *heap.Fault
	switch in.Op {
	case code.WeakInit:
		m.count.WeakStore++
		f = h.WeakInit(r[in.A], r[in.B])
	case code.WeakAssign:
		m.count.WeakStore++
		f = h.WeakAssign(r[in.A], r[in.B])
	case code.WeakLoad:
		m.count.WeakLoad++
		slot := r[in.B] // A may be the same register
		if r[in.A], f = h.WeakLoadStrong(slot); r[in.A] == 0 {
			m.weakNil = weakNil{m.pc - 1, slot}
		}
	case code.WeakTake:
		m.count.WeakLoad++
		r[in.A], f = h.WeakTakeStrong(r[in.B])
		m.weakNil = weakNil{} // the variable is gone
	case code.WeakDestroy:
		m.count.WeakDestroy++
		f = h.WeakDestroy(r[in.A])
	case code.WeakCopy:
		m.count.WeakStore++
		f = h.WeakCopyInit(r[in.A], r[in.B])
	case code.WeakMove:
		m.count.WeakStore++
		f = h.WeakTakeInit(r[in.A], r[in.B])
	default:
		return m.internal("no reference operation: " + in.Op.String())
	}
	if f != nil {
		return m.fault(f)
	}
	return nil
}

// allocDynamic makes an object of a class that is only known by its metadata.
func (m *Machine) allocDynamic(to *uint64, meta uint64) *Trap {
	ti, t := m.typeOf(meta)
	if t != nil {
		return t
	}
	if ti.Class == nil {
		return m.badWord("class metadata", meta)
	}
	return m.newObject(to, meta, ti.Class.Layout.Size, ti.Class.Layout.Align)
}

// allocErrorBox makes an error box for a value of a type; it holds nothing yet.
func (m *Machine) allocErrorBox(to *uint64, meta uint64) *Trap {
	ti, t := m.typeOf(meta)
	if t != nil {
		return t
	}
	if m.prog.Runtime == nil {
		return m.internal("no layout of error boxes")
	}
	box, layout, err := m.prog.Runtime.ErrorBox(ti.Type)
	if err != nil {
		return m.unsupportedError(err)
	}
	boxMeta, t := m.metadata(box)
	if t != nil {
		return t
	}
	return m.newObject(to, boxMeta, layout.Size, layout.Align)
}

func (m *Machine) newObject(to *uint64, meta, size, align uint64) *Trap {
	ref, f := m.heap.AllocObject(meta, size, max(align, 16), m.site())
	if f != nil {
		return m.fault(f)
	}
	m.count.AllocObject++
	*to = ref
	return nil
}
