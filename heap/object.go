package heap

// The header of every class instance, box, closure context and error box: 16 bytes, the metadata word at 0 and the refcount
// word at 8 (stdlib/public/SwiftShims/swift/shims/HeapObject.h, RefCount.h). The refcount word, while the object is live or
// deiniting:
//
//	bit  0      pure Swift deallocation; always set here
//	bits 1-31   unowned count; one unit stands for "strong or deiniting exists"
//	bit  32     deiniting
//	bits 33-62  strong extra count: the strong count less one
//	bit  63     use the slow path: what follows is one of the forms below
//
//	immortal    bit 63 and the low 32 bits set
//	side table  bits 63 and 62 set; bits 0-61 are the entry's address >> 3
//	dead        bits 63 and 61 set, bit 62 clear; the rest as above: deiniting, strong extra 0, unowned count. Ours, not
//	            Swift's, which leaves bits 63 and 61 clear; so one sign test tells dead objects from live ones.
const (
	HeaderSize     = 16 // bytes, before the stored properties
	RefCountOffset = 8  // of the refcount word in the object

	// StrongOne is one strong reference in the refcount word. A caller may do the ordinary retain and release itself: let w be the
	// word and n be w+StrongOne or w-StrongOne; if neither is negative as a signed number, n is the new word, else ask Retain or
	// Release.
	StrongOne uint64 = 1 << 33

	pureBit        uint64 = 1
	UnownedOne     uint64 = 1 << 1
	unownedShift          = 1
	maxUnowned     uint64 = 1<<31 - 1 // never reached: the low half would look immortal
	deinitingBit   uint64 = 1 << 32
	strongShift           = 33
	maxStrongExtra uint64 = 1<<30 - 1
	deadBit        uint64 = 1 << 61
	sideBit        uint64 = 1 << 62
	slowBit        uint64 = 1 << 63

	FreshWord = UnownedOne | pureBit
	// StackWord is FreshWord of a stack-promoted object; the second unowned unit is the memory's owner.
	StackWord = 2*UnownedOne | pureBit
	// LiveBits has the bits of a refcount word that say whether it has the count of a live object: it has those of FreshWord.
	LiveBits = slowBit | deinitingBit | pureBit

	DeinitingWord = deinitingBit | FreshWord // deiniting, nobody else holds the object: the common end
	// StackDeiniting and StackEnded are the words of a stack-promoted object that is deiniting, and of one whose deinit has run.
	StackDeiniting = deinitingBit | StackWord
	StackEnded     = deinitedWord | UnownedOne
	immortalWord   = slowBit | 2*StrongOne | (1<<32 - 1)
	deinitedWord   = slowBit | deadBit | deinitingBit | pureBit // and the unowned count

	// FreedWord is the refcount word of an object whose memory was given back and not used again.
	FreedWord = deinitedWord
)

// AllocObject allocates an object of size bytes, header included, at a multiple of align (a power of two), writes its metadata
// word and a strong count of 1, and leaves the rest of its bytes as they are. site is the caller's name for the code position.
// Faults: OutOfMemory, TooManyObjects, BadAlignment. (swift_allocObject)
func (h *Heap) AllocObject(metadata Addr, size, align uint64, site uint32) (Addr, *Fault) {
	if size > MaxSmall || align > maxAlign || h.state.get(CountLive) >= h.fast.maxLive {
		return h.allocObjectSlow(metadata, size, align, site)
	}
	class := classTable[(size+ClassRound)>>GranuleShift]
	i := h.take(class)
	if i == 0 {
		if i = h.refill(class); i == 0 {
			return 0, &Fault{Kind: OutOfMemory, N: size}
		}
	}
	s := h.state
	serial := s.get(CountObjects) + 1
	s.put(CountObjects, serial)
	s.put(CountLive, s.get(CountLive)+1)
	bytes := s.get(CountBytes) + size
	s.put(CountBytes, bytes)
	if bytes > s.get(CountPeak) {
		s.put(CountPeak, bytes)
	}
	h.marks[i>>GranuleShift] = class | MarkLive | MarkObject
	lo, hi := uint64(i)-BlockHeader, uint64(i)+HeaderSize
	b := h.B[lo:hi:hi]
	_ = b[BlockHeader+HeaderSize-1]
	le.PutUint64(b, serial<<8|uint64(KindObject))
	le.PutUint64(b[8:], size|uint64(site)<<32)
	le.PutUint64(b[16:], 0)
	le.PutUint64(b[24:], metadata)
	le.PutUint64(b[32:], FreshWord)
	if h.noting {
		h.noteMade(uint64(i))
	}
	return uint64(i) + Base, nil
}

func (h *Heap) allocObjectSlow(metadata Addr, size, align uint64, site uint32) (Addr, *Fault) {
	if h.state.get(CountLive) >= h.maxLive {
		return 0, &Fault{Kind: TooManyObjects, N: h.maxLive}
	}
	i, class, f := h.allocBlock(max(size, HeaderSize), align)
	if f != nil {
		return 0, f
	}
	s := h.state
	serial := s.get(CountObjects) + 1
	s.put(CountObjects, serial)
	s.put(CountLive, s.get(CountLive)+1)
	h.account(size)
	h.marks[i>>GranuleShift] = class | MarkLive | MarkObject
	h.writeHeader(i, serial, KindObject, size, site)
	le.PutUint64(h.B[i:], metadata)
	le.PutUint64(h.B[i+RefCountOffset:], FreshWord)
	h.tell(TapAlloc, uint64(i)+Base)
	return uint64(i) + Base, nil
}

// InitStackObject makes an object of the memory at a, in a stack chunk or in a block from AllocObject: its last release runs
// deinit but frees nothing, DeallocStackObject ends it. It does nothing if the header is not mapped. (swift_initStackObject)
func (h *Heap) InitStackObject(a Addr, metadata Addr) { h.initHeader(a, metadata, StackWord) }

// InitStaticObject makes an immortal object of the memory at a: no count of it ever changes. It does nothing if the header is
// not mapped. (swift_initStaticObject)
func (h *Heap) InitStaticObject(a Addr, metadata Addr) { h.initHeader(a, metadata, immortalWord) }

func (h *Heap) initHeader(a, metadata Addr, word uint64) {
	if b, ok := h.Range(a, HeaderSize); ok {
		le.PutUint64(b, metadata)
		le.PutUint64(b[RefCountOffset:], word)
		if word == StackWord {
			h.tell(TapAlloc, a)
		}
	}
}

// DeallocObject ends an object whose deinit has run. It faults with EscapedDeinit if there are strong references beside the one
// that went. With no other reference the memory is freed; unowned ones keep it, deinited, until the last of them is released.
// Null and immortal objects are ignored. (SIL dealloc_ref; swift_deallocClassInstance)
func (h *Heap) DeallocObject(ref Addr, site uint32) *Fault {
	b := h.B
	i := ref - (Base - RefCountOffset)
	if j := i + 8; i < j && j <= uint64(len(b)) && le.Uint64(b[i:j:j]) == h.fast.ending {
		if g := i >> GranuleShift; i&15 == RefCountOffset && g < uint64(len(h.marks)) {
			if m := h.marks[g]; m >= MarkLive|MarkObject && m&MarkClass < ClassBig {
				h.freeSmallObject(uint32(i-RefCountOffset), m, site)
				return nil
			}
		}
	}
	return h.dealloc(ref, site, true)
}

// DeallocUninitialized ends an object of which no reference may be left, without the test for escaped references: a box that is
// deallocated unset, an object whose initialiser failed. Null and immortal objects are ignored.
// (SIL dealloc_partial_ref, dealloc_box; swift_deallocUninitializedObject)
func (h *Heap) DeallocUninitialized(ref Addr, site uint32) *Fault { return h.dealloc(ref, site, false) }

func (h *Heap) dealloc(ref Addr, site uint32, check bool) *Fault {
	if int64(ref) <= 0 {
		return nil
	}
	c, f := h.counts(ref)
	if f != nil {
		return f
	}
	switch {
	case c.immortal():
		return nil
	case c.dead():
		return fault(DoubleFree, ref)
	case check && c.strongExtra() > 0:
		return &Fault{Kind: EscapedDeinit, Ref: ref, N: c.strongExtra() + 1}
	}
	if f := h.checkStart(ref, c); f != nil {
		return f
	}
	c.word = c.word&^(maxStrongExtra<<strongShift) | deinitingBit
	h.dropUnowned(ref, c, site)
	h.tell(TapEnd, ref)
	return nil
}

// deallocStackObject ends the life of a stack-promoted object as its stack slot goes: whatever still refers to it dangles from
// here on. With verify it faults if that may be so: more than one strong reference, or an unowned or weak one. A block that
// AllocObject made is freed. Null is ignored. (SIL dealloc_stack_ref; swift_verifyEndOfLifetime)
func (h *Heap) deallocStackObject(ref Addr, site uint32, verify bool) *Fault {
	if int64(ref) <= 0 {
		return nil
	}
	c, f := h.counts(ref)
	if f != nil {
		return f
	}
	if c.immortal() {
		return nil
	}
	if verify {
		unowned := uint64(2)
		if c.dead() {
			unowned = 1
		}
		switch {
		case c.strongExtra() > 0:
			return fault(StackObjectEscaped, ref)
		case c.unowned() > unowned:
			return fault(StackObjectUnowned, ref)
		case c.side != 0 && le.Uint32(h.B[c.side+SideWeak:]) > 1:
			return fault(StackObjectWeak, ref)
		}
	}
	if c.word == FreedWord {
		return fault(DoubleFree, ref)
	}
	c.word = c.word&^(maxStrongExtra<<strongShift|maxUnowned<<unownedShift) | UnownedOne | deinitingBit
	h.dropUnowned(ref, c, site)
	h.tell(TapEnd, ref)
	return nil
}
