package heap

// The registry: every block can say what it is, when and where it came to be and where it went, also after it was freed, until
// it is used again. Serial numbers, sizes and sites come from the block headers in linear memory; a program that overwrites
// those gets wrong words in its findings and nothing worse.

// Kind is what a block is used for.
type Kind uint8

// The kinds of block.
const (
	KindObject    Kind = iota + 1
	KindRaw            // Swift's raw allocations: alloc_raw, UnsafeMutablePointer.allocate (swift_slowAlloc)
	KindMalloc         // the C library's: malloc, posix_memalign
	KindStack          // stack chunks; not counted as allocations
	KindSideTable      // side-table entries; not counted as allocations
)

var kindNames = [...]string{"?", "object", "raw memory", "malloc memory", "stack chunk", "side table"}

// String returns the kind in words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[0]
}

// Offsets back from the payload of what AllocObject and the frees write, see alloc.go.
const (
	SerialBefore      = 24
	SizeBefore        = 16
	LastReleaseBefore = 8
	FreeSiteBefore    = 4
)

// ObjectInfo describes a block. Sites are the caller's own numbers; 0 is "not known".
type ObjectInfo struct {
	Ref             Addr // start of the payload
	Serial          uint64
	Size            uint64 // bytes asked for
	Metadata        Addr   // first word of an object; 0 for other kinds
	AllocSite       uint32
	LastReleaseSite uint32 // of the strong release that started the deinit
	FreeSite        uint32 // of the free, 0 before it
	Kind            Kind
	State           State
}

// writeHeader fills in the header of a fresh block.
func (h *Heap) writeHeader(i uint32, serial uint64, k Kind, size uint64, site uint32) {
	b := h.B[uint64(i)-BlockHeader:][:BlockHeader]
	le.PutUint64(b, serial<<8|uint64(k))
	le.PutUint64(b[8:], size|uint64(site)<<32)
	le.PutUint64(b[16:], 0)
}

// account adds size bytes to what is alive.
func (h *Heap) account(size uint64) {
	s := h.state
	n := s.get(CountBytes) + size
	s.put(CountBytes, n)
	if n > s.get(CountPeak) {
		s.put(CountPeak, n)
	}
}

// allocBlock finds a block for size bytes at a multiple of align; it sets no mark and writes no header.
func (h *Heap) allocBlock(size, align uint64) (i uint32, class uint8, f *Fault) {
	if align&(align-1) != 0 {
		return 0, 0, &Fault{Kind: BadAlignment, N: align}
	}
	if size > MaxSmall || align > maxAlign {
		i, class = h.takeBig(size, align), ClassBig
	} else {
		class = classTable[(size+ClassRound)>>GranuleShift]
		if i = h.take(class); i == 0 {
			i = h.refill(class)
		}
	}
	if i == 0 {
		return 0, 0, &Fault{Kind: OutOfMemory, N: size}
	}
	return i, class, nil
}

// AllocRaw allocates size bytes at a multiple of align (a power of two; 0 means 16) and leaves them as they are: zero, or what
// was there before. kind is KindRaw, KindMalloc or KindStack. Faults: OutOfMemory, BadAlignment. (swift_slowAlloc, malloc)
func (h *Heap) AllocRaw(size, align uint64, kind Kind, site uint32) (Addr, *Fault) {
	i, class, f := h.allocBlock(size, align)
	if f != nil {
		return 0, f
	}
	h.marks[i>>GranuleShift] = class | MarkLive
	serial := uint64(0)
	if kind != KindStack {
		h.raws++
		h.liveRaws++
		h.account(size)
		serial = h.raws
	}
	h.writeHeader(i, serial, kind, size, site)
	if h.rawTap != nil {
		h.rawTap(false, uint64(i)+Base)
	}
	return uint64(i) + Base, nil
}

// FreeRaw frees what AllocRaw returned; null is ignored. Faults: DoubleFree, InvalidFree (also for objects). (swift_slowDealloc, free)
func (h *Heap) FreeRaw(a Addr, site uint32) *Fault {
	if a == 0 {
		return nil
	}
	m := h.markAt(a)
	switch {
	case m == 0 || m&MarkObject != 0 || m&MarkClass == classSide:
		return fault(InvalidFree, a)
	case m&MarkLive == 0:
		return fault(DoubleFree, a)
	}
	i := uint32(a - Base)
	if h.headerKind(i, m) != KindStack {
		h.liveRaws -= min(h.liveRaws, 1)
		h.unaccount(i, m)
	}
	h.release(i, m, site)
	if h.rawTap != nil {
		h.rawTap(true, a)
	}
	return nil
}

// markAt returns the mark of the block whose payload starts at a, 0 if none does.
func (h *Heap) markAt(a Addr) uint8 {
	if i := a - Base; i < uint64(len(h.B)) && i&15 == 0 {
		return h.marks[i>>GranuleShift]
	}
	return 0
}

// capacity is the number of usable bytes of a block.
func (h *Heap) capacity(i uint32, m uint8) uint64 {
	if class := m & MarkClass; class != ClassBig {
		return uint64(h.class(class).get(ClassTotal) - BlockHeader)
	}
	return uint64(h.pages[h.pages[i>>pageShift].start].usable)
}

// headerSize is the requested size from the block's header, brought into range.
func (h *Heap) headerSize(i uint32, m uint8) uint64 {
	return min(uint64(le.Uint32(h.B[i-SizeBefore:])), h.capacity(i, m))
}

func (h *Heap) headerKind(i uint32, m uint8) Kind {
	k := Kind(h.B[i-SerialBefore])
	switch {
	case m&MarkObject != 0:
		return KindObject
	case m&MarkClass == classSide:
		return KindSideTable
	case k != KindMalloc && k != KindStack:
		return KindRaw
	}
	return k
}

func (h *Heap) unaccount(i uint32, m uint8) {
	n := h.state.get(CountBytes)
	h.state.put(CountBytes, n-min(n, h.headerSize(i, m)))
}

// freeObject frees the block of an object.
func (h *Heap) freeObject(i uint32, m uint8, site uint32) {
	if m&MarkClass == ClassBig {
		le.PutUint64(h.B[i+RefCountOffset:], FreedWord)
		h.state.put(CountLive, h.state.get(CountLive)-1)
		h.unaccount(i, m)
		h.release(i, m, site)
		return
	}
	h.freeSmallObject(i, m, site)
}

// freeSmallObject is freeObject for a block of a slab.
func (h *Heap) freeSmallObject(i uint32, m uint8, site uint32) {
	s := h.state
	lo, hi := uint64(i)-SizeBefore, uint64(i)+HeaderSize
	b := h.B[lo:hi:hi]
	_ = b[SizeBefore+HeaderSize-1]
	s.put(CountLive, s.get(CountLive)-1)
	n := s.get(CountBytes)
	s.put(CountBytes, n-min(n, uint64(min(le.Uint32(b), h.class(m&MarkClass).get(ClassTotal)-BlockHeader))))
	le.PutUint32(b[SizeBefore-FreeSiteBefore:], site)
	le.PutUint64(b[SizeBefore+RefCountOffset:], FreedWord)
	h.marks[i>>GranuleShift] = m &^ MarkLive
	h.put(m&MarkClass, i)
}

// release puts a block into the quarantine.
func (h *Heap) release(i uint32, m uint8, site uint32) {
	le.PutUint32(h.B[i-FreeSiteBefore:], site)
	h.marks[i>>GranuleShift] = m &^ MarkLive
	if class := m & MarkClass; class == ClassBig {
		h.freeBig(i)
	} else {
		h.put(class, i)
	}
}

// UsableSize is the number of bytes that the block at a really has, as the C library would round it; 0 if no block in use
// starts at a. (malloc_usable_size)
func (h *Heap) UsableSize(a Addr) uint64 {
	m := h.markAt(a)
	if m&MarkLive == 0 {
		return 0
	}
	i := uint32(a - Base)
	if m&MarkClass == ClassBig {
		return h.capacity(i, m)
	}
	return uint64(usableSize(uint32(h.headerSize(i, m))))
}

// Object describes the block whose payload starts at ref, in use or freed and not used again. ok is false if there is none:
// static objects and those in stack chunks have no block.
func (h *Heap) Object(ref Addr) (info ObjectInfo, ok bool) {
	m := h.markAt(ref)
	if m == 0 {
		return ObjectInfo{}, false
	}
	return h.info(uint32(ref-Base), m), true
}

func (h *Heap) info(i uint32, m uint8) ObjectInfo {
	b := h.B[uint64(i)-BlockHeader:][:BlockHeader+HeaderSize]
	o := ObjectInfo{
		Ref: uint64(i) + Base, Serial: le.Uint64(b) >> 8, Size: h.headerSize(i, m), Kind: h.headerKind(i, m),
		AllocSite: le.Uint32(b[12:]), State: Live,
	}
	switch {
	case o.Kind == KindSideTable:
		o.Serial, o.Size, o.AllocSite = 0, sideSize, 0
	case o.Kind == KindObject:
		o.Metadata, o.LastReleaseSite = le.Uint64(b[24:]), le.Uint32(b[16:])
		_, _, _, o.State, _ = h.Counts(o.Ref)
	}
	if m&MarkLive == 0 {
		o.State, o.FreeSite = Freed, le.Uint32(b[20:])
	}
	return o
}

// BlockContaining describes the block, in use or freed and not used again, that a points into: at one of its Size bytes, or at
// the start of an empty one. ok is false in the static area, in what no block uses, and in the padding after a block.
func (h *Heap) BlockContaining(a Addr) (info ObjectInfo, ok bool) {
	i, m := h.payloadBefore(a)
	if m == 0 {
		return ObjectInfo{}, false
	}
	info = h.info(i, m)
	off := a - Base - uint64(i)
	return info, off == 0 || off < info.Size
}

// payloadBefore returns the payload of the block whose place a lies in, with its mark; the mark is 0 if there is none.
func (h *Heap) payloadBefore(a Addr) (i uint32, m uint8) {
	off := a - Base
	if off >= uint64(len(h.B)) {
		return 0, 0
	}
	p := &h.pages[off>>pageShift]
	switch p.class {
	case classNone, classStatic:
		return 0, 0
	case ClassBig:
		i = h.pages[p.start].payload
	default:
		first := p.start<<pageShift + 8
		if uint32(off) < first {
			return 0, 0
		}
		total := uint32(h.class(p.class).get(ClassTotal))
		i = first + (uint32(off)-first)/total*total + BlockHeader
	}
	if uint32(off) < i {
		return 0, 0
	}
	return i, h.markAt(uint64(i) + Base)
}

// Block is what is asked most often of a block: an ObjectInfo without counts and sites.
type Block struct {
	Ref    Addr
	Serial uint64
	Size   uint64
	Kind   Kind
	Freed  bool
}

// Block is BlockContaining for those who ask often.
func (h *Heap) Block(a Addr) (b Block, ok bool) {
	i, m := h.payloadBefore(a)
	if m == 0 {
		return Block{}, false
	}
	b = Block{Ref: uint64(i) + Base, Serial: le.Uint64(h.B[i-BlockHeader:]) >> 8, Size: h.headerSize(i, m), Kind: h.headerKind(i, m), Freed: m&MarkLive == 0}
	if b.Kind == KindSideTable {
		b.Serial, b.Size = 0, sideSize
	}
	off := a - b.Ref
	return b, off == 0 || off < b.Size
}

// LiveObject is Block for where an object in use begins; ok is false for all else, static objects too.
func (h *Heap) LiveObject(ref Addr) (b Block, ok bool) {
	m := h.markAt(ref)
	if m < MarkLive|MarkObject || m&MarkClass == classStatic {
		return Block{}, false
	}
	i := uint32(ref - Base)
	return Block{Ref: ref, Serial: le.Uint64(h.B[i-BlockHeader:]) >> 8, Size: h.headerSize(i, m), Kind: KindObject}, true
}

// Live calls yield with every block in use, of any kind, in address order, until it returns false. yield must not allocate or
// free.
func (h *Heap) Live(yield func(ObjectInfo) bool) {
	h.eachMark(func(i uint32, m uint8) bool { return m&MarkLive == 0 || yield(h.info(i, m)) })
}

// Find describes the object with a serial number, in use or freed and not used again.
func (h *Heap) Find(serial uint64) (info ObjectInfo, ok bool) {
	h.eachMark(func(i uint32, m uint8) bool {
		if m&MarkObject != 0 && m&MarkClass != classStatic {
			if o := h.info(i, m); o.Serial == serial {
				info, ok = o, true
			}
		}
		return !ok
	})
	return info, ok
}

// eachMark calls yield with the payload offset and the mark of every block, in use or not, in address order, until it returns false.
func (h *Heap) eachMark(yield func(i uint32, m uint8) bool) {
	marks := h.marks[:uint64(h.brk)<<(pageShift-GranuleShift)]
	for g := 0; g < len(marks); g++ {
		if g&7 == 0 && le.Uint64(marks[g:]) == 0 {
			g += 7
			continue
		}
		if m := marks[g]; m != 0 && !yield(uint32(g)<<GranuleShift, m) {
			return
		}
	}
}

// Stats counts what the program allocated. Stack chunks and side tables are not allocations of the program's.
type Stats struct {
	Allocations uint64 // objects and raw blocks ever allocated
	Frees       uint64
	Objects     uint64 // objects ever allocated
	LiveObjects uint64
	LiveBlocks  uint64 // objects and raw blocks alive
	LiveBytes   uint64 // as asked for
	PeakBytes   uint64
	SideTables  uint64 // side-table entries in use
	LinearBytes uint64 // of linear memory ever used
}

// Stats returns the counts so far.
func (h *Heap) Stats() Stats {
	objects, alive := h.state.get(CountObjects), h.state.get(CountLive)
	live := alive + h.liveRaws
	return Stats{
		Allocations: objects + h.raws, Frees: objects + h.raws - live, Objects: objects, LiveObjects: alive,
		LiveBlocks: live, LiveBytes: h.state.get(CountBytes), PeakBytes: h.state.get(CountPeak), SideTables: h.sideTables,
		LinearBytes: uint64(h.brk) << pageShift,
	}
}

// IsStatic reports whether a lies in the static area: memory that is never freed.
func (h *Heap) IsStatic(a Addr) bool {
	off := a - Base
	return off < uint64(len(h.B)) && h.pages[off>>pageShift].class == classStatic
}
