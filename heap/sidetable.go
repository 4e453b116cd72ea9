package heap

// Side tables. The first weak reference to an object moves its counts into an entry of their own, which outlives the object:
// weak variables point at the entry. An entry is 32 bytes in a class of blocks that holds nothing else:
//
//	0   the object
//	8   its serial number, 0 of one that has no block: its memory may serve another object while weak variables point here
//	16  refcount word, as in object.go
//	24  weak count, 32 bits; one unit stands for "unowned exists"
//
// (stdlib/public/SwiftShims/swift/shims/RefCount.h, HeapObjectSideTableEntry). A weak variable is 8 bytes: null or the entry's
// address (stdlib/public/runtime/WeakReference.h). Unlike Swift's, an overflow of the inline counts makes no entry: the entry's
// counts have the same width, so the runtime aborts at the same count.
const (
	sideSize   = 32
	SideObject = 0 // where an entry has the object
	sideSerial = 8
	SideWord   = 16        // of the refcount word in the entry
	SideWeak   = 24        // of the weak count
	SideShift  = 3         // of the entry's address in the object's refcount word
	MaxWeak    = 1<<32 - 1 // weak references at once

	// SideMask has the bits of an object's refcount word that all are set where it names an entry, unless the object is immortal.
	SideMask = slowBit | sideBit
	// MarkSide is the mark of an entry.
	MarkSide = classSide | MarkLive
)

// sideEntry returns the offset of the entry with address a; ok is false if there is none.
func (h *Heap) sideEntry(a Addr) (e uint64, ok bool) {
	e = a - Base
	ok = e < uint64(len(h.B)) && e&15 == 0 && h.marks[e>>GranuleShift] == MarkSide
	return e, ok
}

// formWeak returns the entry of the object at ref with one more weak unit, or 0 if the object is deiniting or later.
func (h *Heap) formWeak(ref Addr) (e uint64, f *Fault) {
	c, f := h.counts(ref)
	switch {
	case f != nil:
		return 0, f
	case c.dead() && c.unowned() == 0:
		return 0, fault(UseAfterFree, ref)
	case c.deiniting():
		return 0, nil
	}
	if c.side == 0 {
		i := h.take(classSide)
		if i == 0 {
			if i = h.refill(classSide); i == 0 {
				return 0, &Fault{Kind: OutOfMemory, N: sideSize}
			}
		}
		h.sideTables++
		h.marks[i>>GranuleShift] = MarkSide
		c.side = uint64(i)
		b := h.B[c.side:][:sideSize]
		le.PutUint64(b[SideObject:], ref)
		serial := uint64(0)
		if h.isObjectBlock(ref) {
			serial = le.Uint64(h.B[ref-Base-SerialBefore:]) >> 8
		}
		le.PutUint64(b[sideSerial:], serial)
		le.PutUint64(b[SideWord:], c.word)
		le.PutUint64(b[SideWeak:], 1)
		le.PutUint64(h.B[ref-Base+RefCountOffset:], slowBit|sideBit|(c.side+Base)>>SideShift)
	}
	return c.side, h.addWeak(c.side)
}

func (h *Heap) addWeak(e uint64) *Fault {
	n := le.Uint32(h.B[e+SideWeak:])
	if n == MaxWeak {
		return fault(WeakOverflow, le.Uint64(h.B[e+SideObject:]))
	}
	le.PutUint32(h.B[e+SideWeak:], n+1)
	h.tell(TapWeakRetain, le.Uint64(h.B[e+SideObject:]))
	return nil
}

// dropWeak gives up a weak unit of an entry; the last one frees it.
func (h *Heap) dropWeak(e uint64) {
	n := le.Uint32(h.B[e+SideWeak:]) - 1
	le.PutUint32(h.B[e+SideWeak:], n)
	h.tell(TapWeakRelease, le.Uint64(h.B[e+SideObject:]))
	if n == 0 {
		h.sideTables--
		h.marks[e>>GranuleShift] = classSide
		h.put(classSide, uint32(e))
	}
}

// loadWeak reads the weak variable at slot: the offset of its entry, or 0 for nil.
func (h *Heap) loadWeak(slot Addr) (e uint64, f *Fault) {
	v, ok := h.Load64(slot)
	if !ok {
		return 0, fault(BadAddress, slot)
	}
	if v == 0 {
		return 0, nil
	}
	if e, ok = h.sideEntry(v); !ok {
		return 0, fault(NotWeak, slot)
	}
	return e, nil
}

// storeWeak writes the entry with offset e, or nil for 0, into the weak variable at slot.
func (h *Heap) storeWeak(slot Addr, e uint64) *Fault {
	if e != 0 {
		e += Base
	}
	if !h.Store64(slot, e) {
		return fault(BadAddress, slot)
	}
	return nil
}

// WeakInit initialises the weak variable at slot with a reference to ref, or nil if ref is null, negative, deiniting or
// deinited. Faults: UseAfterFree, WeakOverflow, OutOfMemory, NotAnObject, BadAddress. (SIL store_weak [init]; swift_weakInit)
func (h *Heap) WeakInit(slot, ref Addr) *Fault {
	if _, ok := h.Range(slot, 8); !ok {
		return fault(BadAddress, slot)
	}
	var e uint64
	if int64(ref) > 0 {
		var f *Fault
		if e, f = h.formWeak(ref); f != nil {
			return f
		}
	}
	return h.storeWeak(slot, e)
}

// WeakAssign replaces what the weak variable at slot refers to. Faults as WeakInit, and NotWeak.
// (SIL store_weak; swift_weakAssign)
func (h *Heap) WeakAssign(slot, ref Addr) *Fault {
	old, f := h.loadWeak(slot)
	if f != nil {
		return f
	}
	if f := h.WeakInit(slot, ref); f != nil {
		return f
	}
	if old != 0 {
		h.dropWeak(old)
	}
	return nil
}

// WeakLoadStrong returns a new strong reference to the object, or 0 if the variable is nil or the object deiniting or later.
// The variable stays as it is. Faults: NotWeak, RetainOverflow, BadAddress. (SIL load_weak; swift_weakLoadStrong)
func (h *Heap) WeakLoadStrong(slot Addr) (ref Addr, f *Fault) {
	e, f := h.loadWeak(slot)
	if f != nil || e == 0 {
		return 0, f
	}
	ref = le.Uint64(h.B[e+SideObject:])
	retained, f := h.tryRetain(ref, counts{word: le.Uint64(h.B[e+SideWord:]), at: e + SideWord, side: e})
	if !retained {
		ref = 0
	}
	return ref, f
}

// WeakObject describes the object that the weak variable at slot refers to, alive or not; ok is false when it refers to none, or when the
// memory of the object serves another block by now.
func (h *Heap) WeakObject(slot Addr) (info ObjectInfo, ok bool) {
	e, f := h.loadWeak(slot)
	if f != nil || e == 0 {
		return ObjectInfo{}, false
	}
	info, ok = h.Object(le.Uint64(h.B[e+SideObject:]))
	return info, ok && info.Kind == KindObject && info.Serial != 0 && info.Serial == le.Uint64(h.B[e+sideSerial:])
}

// WeakTakeStrong is WeakLoadStrong followed by WeakDestroy. (SIL load_weak [take]; swift_weakTakeStrong)
func (h *Heap) WeakTakeStrong(slot Addr) (ref Addr, f *Fault) {
	if ref, f = h.WeakLoadStrong(slot); f == nil {
		f = h.WeakDestroy(slot)
	}
	return ref, f
}

// WeakDestroy ends the weak variable at slot and leaves nil in it. Faults: NotWeak, BadAddress. (swift_weakDestroy)
func (h *Heap) WeakDestroy(slot Addr) *Fault {
	e, f := h.loadWeak(slot)
	if f != nil || e == 0 {
		return f
	}
	h.dropWeak(e)
	return h.storeWeak(slot, 0)
}

// WeakCopyInit initialises the weak variable at dst with what src refers to, or nil if that object is deiniting or later.
// Faults: NotWeak, WeakOverflow, BadAddress. (swift_weakCopyInit)
func (h *Heap) WeakCopyInit(dst, src Addr) *Fault {
	e, f := h.loadWeak(src)
	if f != nil {
		return f
	}
	if e != 0 && le.Uint64(h.B[e+SideWord:])&deinitingBit != 0 && !isImmortal(le.Uint64(h.B[e+SideWord:])) {
		e = 0
	}
	if _, ok := h.Range(dst, 8); !ok {
		return fault(BadAddress, dst)
	}
	if e != 0 {
		if f := h.addWeak(e); f != nil {
			return f
		}
	}
	return h.storeWeak(dst, e)
}

// WeakTakeInit moves the weak variable at src to dst and leaves nil at src. Faults: NotWeak, BadAddress. (swift_weakTakeInit)
func (h *Heap) WeakTakeInit(dst, src Addr) *Fault {
	e, f := h.loadWeak(src)
	if f != nil {
		return f
	}
	if _, ok := h.Range(dst, 8); !ok {
		return fault(BadAddress, dst)
	}
	if f := h.storeWeak(src, 0); f != nil {
		return f
	}
	return h.storeWeak(dst, e)
}

// SideTable returns the address of the side-table entry of the object at ref; ok is false when it has none.
func (h *Heap) SideTable(ref Addr) (entry Addr, ok bool) {
	c, f := h.counts(ref)
	if f != nil || c.side == 0 {
		return 0, false
	}
	return c.side + Base, true
}
