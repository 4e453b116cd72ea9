package heap

// The transitions of the strong and unowned counts (RefCount.h). Each exported operation handles the ordinary inline word with
// one bounds test and one sign test and leaves everything else to its slow twin, which works on the word that governs the
// object, inline or in a side table.
//
//	state      strong 1..     strong retain, release   unowned load   leaves when
//	live       yes            counted                  retains        the last strong release: Release reports it
//	deiniting  extra only     counted, no effect       faults         DeallocObject
//	deinited   no             fault                    faults         the unowned count reaches 0
//	freed      no             fault                    faults         the memory is used again
//
// Null and references with bit 63 set are no objects (immortal strings, bridged words): all operations pass over them.

// State is where an object is in its life.
type State uint8

// The states. A raw block is Live or Freed.
const (
	NoState State = iota
	Live
	Deiniting
	Deinited // deinit has run; unowned references keep the memory
	Freed
	Immortal
)

// String returns the state's name in lower case.
func (s State) String() string {
	return [...]string{"none", "live", "deiniting", "deinited", "freed", "immortal", "?", "?"}[s&7]
}

// counts is the word that governs an object, and where it is.
type counts struct {
	word uint64
	at   uint64 // offset of the word in B
	side uint64 // offset of the side-table entry, 0 if the word is inline
}

func isImmortal(w uint64) bool { return w&slowBit != 0 && uint32(w) == 1<<32-1 }

func isDead(w uint64) bool {
	return w&(slowBit|sideBit|deadBit) == slowBit|deadBit && uint32(w) != 1<<32-1
}

func (c counts) immortal() bool  { return isImmortal(c.word) }
func (c counts) dead() bool      { return isDead(c.word) }
func (c counts) deiniting() bool { return c.word&deinitingBit != 0 }
func (c counts) unowned() uint64 { return c.word >> unownedShift & maxUnowned }

// strongExtra is the strong count less one; 0 for a dead object.
func (c counts) strongExtra() uint64 {
	if c.dead() {
		return 0
	}
	return c.word >> strongShift & maxStrongExtra
}

// counts finds the governing word of ref, which is neither null nor negative. It faults when there can't be an object at ref.
func (h *Heap) counts(ref Addr) (counts, *Fault) {
	i := ref - Base
	if i > uint64(len(h.B))-HeaderSize {
		return counts{}, fault(BadAddress, ref)
	}
	c := counts{word: le.Uint64(h.B[i+RefCountOffset:]), at: i + RefCountOffset}
	if c.word&SideMask == SideMask && !c.immortal() {
		e, ok := h.sideEntry(c.word &^ SideMask << SideShift)
		if !ok {
			return counts{}, fault(NotAnObject, ref)
		}
		c = counts{word: le.Uint64(h.B[e+SideWord:]), at: e + SideWord, side: e}
	}
	if int64(c.word) >= 0 && c.word&pureBit != 0 && c.unowned() != 0 || c.immortal() || c.dead() {
		return c, nil
	}
	return counts{}, fault(NotAnObject, ref)
}

// Retain adds a strong reference. Faults: UseAfterFree, RetainOverflow, NotAnObject, BadAddress. (swift_retain)
func (h *Heap) Retain(ref Addr) *Fault {
	b := h.B
	i := ref - (Base - RefCountOffset)
	if j := i + 8; i < j && j <= uint64(len(b)) {
		w := le.Uint64(b[i:j:j])
		if n := w + h.fast.one; int64(w|n) >= 0 {
			le.PutUint64(b[i:j:j], n)
			return nil
		}
	}
	return h.retainSlow(ref, 1)
}

// RetainN adds n strong references. (swift_retain_n)
func (h *Heap) RetainN(ref Addr, n uint64) *Fault { return h.retainSlow(ref, n) }

func (h *Heap) retainSlow(ref Addr, n uint64) *Fault {
	if int64(ref) <= 0 {
		return nil
	}
	if n == 1 && h.isUnheard(ref) && h.add(ref, StrongOne) {
		return nil
	}
	c, f := h.counts(ref)
	switch {
	case f != nil:
		return f
	case c.immortal():
		return nil
	case c.dead():
		return fault(UseAfterFree, ref)
	case n > maxStrongExtra-c.strongExtra():
		return fault(RetainOverflow, ref)
	}
	le.PutUint64(h.B[c.at:], c.word+n<<strongShift)
	h.tell(TapRetain, ref)
	return nil
}

// isUnheard reports whether no tap hears of an object.
func (h *Heap) isUnheard(ref Addr) bool { return h.tap == nil || h.only != 0 && ref != h.only }

// add does the ordinary retain or release of an object; false does nothing.
func (h *Heap) add(ref Addr, one uint64) bool {
	b := h.B
	i := ref - (Base - RefCountOffset)
	if j := i + 8; i < j && j <= uint64(len(b)) {
		w := le.Uint64(b[i:j:j])
		if n := w + one; int64(w|n) >= 0 {
			le.PutUint64(b[i:j:j], n)
			h.noteCount(ref)
			return true
		}
	}
	return false
}

// Release drops a strong reference. dealloc means that it was the last one: the object is deiniting now and the caller must
// run its deallocating deinit, which ends in DeallocObject. site is remembered as the place of the last release.
// Faults: OverRelease, NotAnObject, BadAddress. (swift_release)
func (h *Heap) Release(ref Addr, site uint32) (dealloc bool, f *Fault) {
	b := h.B
	i := ref - (Base - RefCountOffset)
	if j := i + 8; i < j && j <= uint64(len(b)) {
		w := le.Uint64(b[i:j:j])
		if n := w - h.fast.one; int64(w|n) >= 0 {
			le.PutUint64(b[i:j:j], n)
			return false, nil
		}
		// The commonest end: one strong reference and nothing else.
		if g := i >> GranuleShift; w == h.fast.fresh && i&15 == RefCountOffset && g < uint64(len(h.marks)) && h.marks[g] >= MarkLive|MarkObject {
			le.PutUint64(b[i:j:j], DeinitingWord)
			le.PutUint32(b[i-RefCountOffset-LastReleaseBefore:], site)
			return true, nil
		}
	}
	return h.releaseSlow(ref, site)
}

func (h *Heap) releaseSlow(ref Addr, site uint32) (dealloc bool, f *Fault) {
	if int64(ref) <= 0 {
		return false, nil
	}
	if h.isUnheard(ref) && h.add(ref, ^StrongOne+1) {
		return false, nil
	}
	c, f := h.counts(ref)
	switch {
	case f != nil:
		return false, f
	case c.immortal():
		return false, nil
	case c.dead():
		return false, fault(OverRelease, ref)
	case c.strongExtra() > 0:
		le.PutUint64(h.B[c.at:], c.word-StrongOne)
		h.tell(TapRelease, ref)
		return false, nil
	case c.deiniting():
		return false, fault(OverRelease, ref)
	}
	if f := h.beginDeinit(ref, c, site); f != nil {
		return false, f
	}
	h.tell(TapRelease, ref)
	h.tell(TapDeinit, ref)
	return true, nil
}

// SetDeiniting marks an object as deiniting without calling its deinit, which the program has inlined. Null and immortal
// objects are ignored. Faults: DeinitTwice, UseAfterFree, NotAnObject, BadAddress.
// (SIL begin_dealloc_ref, set_deallocating; swift_setDeallocating)
func (h *Heap) SetDeiniting(ref Addr) *Fault {
	if int64(ref) <= 0 {
		return nil
	}
	c, f := h.counts(ref)
	switch {
	case f != nil:
		return f
	case c.immortal():
		return nil
	case c.dead():
		return fault(UseAfterFree, ref)
	case c.deiniting():
		return fault(DeinitTwice, ref)
	}
	c.word &^= maxStrongExtra << strongShift
	f = h.beginDeinit(ref, c, 0)
	if f == nil {
		h.tell(TapDeinit, ref)
	}
	return f
}

// beginDeinit makes a live object with no further strong reference deiniting.
func (h *Heap) beginDeinit(ref Addr, c counts, site uint32) *Fault {
	if f := h.checkStart(ref, c); f != nil {
		return f
	}
	le.PutUint64(h.B[c.at:], c.word|deinitingBit)
	if site != 0 && h.isObjectBlock(ref) {
		le.PutUint32(h.B[ref-Base-LastReleaseBefore:], site)
	}
	return nil
}

// checkStart faults unless an object can start at ref: a block from AllocObject in use, or memory of the caller's that it
// initialised as a stack-promoted object, which the second unowned unit tells.
func (h *Heap) checkStart(ref Addr, c counts) *Fault {
	if h.isObjectBlock(ref) || c.unowned() > 1 || c.dead() {
		return nil
	}
	return fault(NotAnObject, ref)
}

// isObjectBlock reports whether ref, which is mapped, is the start of a block from AllocObject that is in use.
func (h *Heap) isObjectBlock(ref Addr) bool {
	i := ref - Base
	return i&15 == 0 && h.marks[i>>GranuleShift] >= MarkLive|MarkObject
}

// UnownedRetain adds an unowned reference; a deinited object may have more too. Faults: UseAfterFree, UnownedOverflow,
// NotAnObject, BadAddress. (swift_unownedRetain)
func (h *Heap) UnownedRetain(ref Addr) *Fault {
	b := h.B
	i := ref - (Base - RefCountOffset)
	if j := i + 8; i < j && j <= uint64(len(b)) {
		w := le.Uint64(b[i:j:j])
		if n := w + UnownedOne; int64(w) >= h.fast.live && w&(maxUnowned<<unownedShift) != 0 && uint32(n|pureBit) != 1<<32-1 {
			le.PutUint64(b[i:j:j], n)
			return nil
		}
	}
	return h.unownedRetainSlow(ref)
}

func (h *Heap) unownedRetainSlow(ref Addr) *Fault {
	if int64(ref) <= 0 {
		return nil
	}
	c, f := h.counts(ref)
	switch {
	case f != nil:
		return f
	case c.immortal():
		return nil
	case c.unowned() == 0:
		return fault(UseAfterFree, ref)
	case c.unowned()+1 == maxUnowned:
		return fault(UnownedOverflow, ref)
	}
	le.PutUint64(h.B[c.at:], c.word+UnownedOne)
	h.tell(TapUnownedRetain, ref)
	return nil
}

// UnownedRelease drops an unowned reference; the last one of a deinited object frees its memory.
// Faults: UnownedOverRelease, UseAfterFree, NotAnObject, BadAddress. (swift_unownedRelease)
func (h *Heap) UnownedRelease(ref Addr, site uint32) *Fault {
	b := h.B
	i := ref - (Base - RefCountOffset)
	if j := i + 8; i < j && j <= uint64(len(b)) {
		if w := le.Uint64(b[i:j:j]); int64(w) >= h.fast.live && uint32(w) >= 2*uint32(UnownedOne) {
			le.PutUint64(b[i:j:j], w-UnownedOne)
			return nil
		}
	}
	return h.unownedReleaseSlow(ref, site)
}

func (h *Heap) unownedReleaseSlow(ref Addr, site uint32) *Fault {
	if int64(ref) <= 0 {
		return nil
	}
	c, f := h.counts(ref)
	switch {
	case f != nil:
		return f
	case c.immortal():
		return nil
	case c.dead() && c.unowned() == 0:
		return fault(UseAfterFree, ref)
	case c.dead():
		h.dropUnowned(ref, c, site)
		h.tell(TapUnownedRelease, ref)
		return nil
	case c.unowned() == 1:
		return fault(UnownedOverRelease, ref)
	}
	le.PutUint64(h.B[c.at:], c.word-UnownedOne)
	h.tell(TapUnownedRelease, ref)
	return nil
}

// StrongRetainUnowned makes a strong reference of an unowned one. Faults: DanglingUnowned if the object is deiniting or
// deinited, UseAfterFree if it is freed, RetainOverflow, NotAnObject, BadAddress.
// (SIL strong_retain_unowned, strong_copy_unowned_value, load_unowned; swift_unownedRetainStrong)
func (h *Heap) StrongRetainUnowned(ref Addr) *Fault {
	if int64(ref) <= 0 {
		return nil
	}
	c, f := h.counts(ref)
	if f != nil {
		return f
	}
	if c.word == FreedWord {
		return fault(UseAfterFree, ref)
	}
	retained, f := h.tryRetain(ref, c)
	if f == nil && !retained {
		f = fault(DanglingUnowned, ref)
	}
	return f
}

// tryRetain adds a strong reference unless the object is deiniting or later.
func (h *Heap) tryRetain(ref Addr, c counts) (bool, *Fault) {
	switch {
	case c.immortal():
		return true, nil
	case c.deiniting():
		return false, nil
	case c.strongExtra() == maxStrongExtra:
		return false, fault(RetainOverflow, ref)
	}
	le.PutUint64(h.B[c.at:], c.word+StrongOne)
	h.tell(TapRetain, ref)
	return true, nil
}

// dropUnowned removes the unowned unit of a deiniting object that is going, or one of a deinited object. The last unit frees
// the memory and, with it, the weak unit of a side table.
func (h *Heap) dropUnowned(ref Addr, c counts, site uint32) {
	h.noteCount(ref)
	n := c.unowned() - 1
	le.PutUint64(h.B[c.at:], deinitedWord|n<<unownedShift)
	if n > 0 {
		return
	}
	if c.side != 0 {
		h.dropWeak(c.side)
	}
	if h.isObjectBlock(ref) {
		i := ref - Base
		h.freeObject(uint32(i), h.marks[i>>GranuleShift], site)
		return
	}
	le.PutUint64(h.B[ref-Base+RefCountOffset:], FreedWord)
}

// IsUnique reports whether ref is the only strong reference to a live object; unowned and weak ones don't matter. It is false
// for null, negative references and immortal objects. Faults: UseAfterFree, NotAnObject, BadAddress.
// (SIL is_unique, begin_cow_mutation; RefCount.h, isUniquelyReferenced)
func (h *Heap) IsUnique(ref Addr) (bool, *Fault) {
	b := h.B
	i := ref - (Base - RefCountOffset)
	if j := i + 8; i < j && j <= uint64(len(b)) {
		if w := le.Uint64(b[i:j:j]); int64(w) > 0 {
			return w>>32 == 0, nil
		}
	}
	return h.isUniqueSlow(ref)
}

func (h *Heap) isUniqueSlow(ref Addr) (bool, *Fault) {
	if int64(ref) <= 0 {
		return false, nil
	}
	c, f := h.counts(ref)
	switch {
	case f != nil:
		return false, f
	case c.dead():
		return false, fault(UseAfterFree, ref)
	}
	return c.word>>32 == 0, nil
}

// CheckLive faults unless ref points at a live, deiniting or immortal object: the test before a field access. It tells only
// what the refcount word tells; memory that looks like an object passes. Faults: UseAfterFree, NotAnObject, BadAddress (null
// and negative references included).
func (h *Heap) CheckLive(ref Addr) *Fault {
	b := h.B
	i := ref - (Base - RefCountOffset)
	if j := i + 8; i < j && j <= uint64(len(b)) && int64(le.Uint64(b[i:j:j])) > 0 {
		return nil
	}
	return h.checkLiveSlow(ref)
}

func (h *Heap) checkLiveSlow(ref Addr) *Fault {
	c, f := h.counts(ref)
	if f == nil && c.dead() {
		f = fault(UseAfterFree, ref)
	}
	return f
}

// Counts returns the counts of an object and its state, as swift_retainCount, swift_unownedRetainCount and
// swift_weakRetainCount report them: strong is 1 while deiniting or deinited with no further reference, unowned and weak include
// the units that the states hold. For a freed object strong, unowned and weak are 0. ok is false if there is no object at ref.
func (h *Heap) Counts(ref Addr) (strong, unowned, weak uint64, state State, ok bool) {
	c, f := h.counts(ref)
	if f != nil {
		return 0, 0, 0, NoState, false
	}
	if c.word == FreedWord {
		return 0, 0, 0, Freed, true
	}
	strong, unowned, weak = c.strongExtra()+1, c.unowned(), 1
	if c.side != 0 {
		weak = uint64(le.Uint32(h.B[c.side+SideWeak:]))
	}
	switch {
	case c.immortal():
		state = Immortal
	case c.dead():
		state = Deinited
	case c.deiniting():
		state = Deiniting
	default:
		state = Live
	}
	return strong, unowned, weak, state, true
}
