package heap

import "math/bits"

// The allocator. Linear memory is cut into pages of 4 KiB. A span of pages is a slab of equal blocks of one size class, one
// big block, or a chunk of the static area. Small blocks are never merged; a freed one waits in its class's queue after the
// quarantine and is then used again, oldest first. Big blocks go back to the free spans, which merge with their neighbours.
//
// A block of a slab or a big block has this form, and is known by the address of its payload:
//
//	payload-24  serial number << 8 | kind
//	payload-16  requested size (low 32 bits), site of the allocation (high 32 bits)
//	payload-8   site of the last strong release (low), site of the free (high)
//	payload     multiple of 16
const (
	GranuleShift = 4 // payloads are multiples of 16 bytes; marks has one byte for each 16 bytes
	BlockHeader  = 24
	MaxSmall     = 32 << 10 // requests up to this many bytes live in slabs
	maxAlign     = 16       // what a slab guarantees
)

// A mark says what starts at a granule: 0 nothing, else a class number and two flags. Marks are what makes a reference the
// start of a block, whatever the program wrote into linear memory.
const (
	MarkLive   uint8 = 1 << 7 // in use; clear while the block waits to be used again
	MarkObject uint8 = 1 << 6 // allocated by AllocObject
	MarkClass  uint8 = 1<<6 - 1
)

// Class numbers. 1..numSmall are the size classes of sizeTable.
const (
	classNone   uint8 = 0
	classSide   uint8 = 61 // side-table entries, in slabs of their own
	ClassBig    uint8 = 62
	classStatic uint8 = 63
	numClasses        = 62
)

// page is the record of one page. Only the first page of a span has more than start and class.
type page struct {
	start   uint32 // first page of the span
	n       uint32 // pages in the span
	payload uint32 // ClassBig: offset of the payload from Base
	usable  uint32 // ClassBig: bytes that UsableSize reports
	class   uint8
	mapped  bool // ClassBig: the C library would have mapped this block for itself
}

// span is a run of n free pages.
type span struct{ start, n uint32 }

var (
	// sizeTable[c] is the payload capacity of class c in bytes, always 8 more than a multiple of 16 (the C library's sizes).
	sizeTable [numClasses]uint32
	// classTable[(size+ClassRound)>>GranuleShift] is the class for a request of size bytes.
	classTable [(MaxSmall+23)>>4 + 1]uint8
)

func init() {
	c, capacity := 0, uint32(8)
	for capacity < MaxSmall {
		step := uint32(16)
		if capacity >= 512 {
			step = uint32(1) << (bits.Len32(capacity) - 3) // four classes for each doubling
		}
		capacity += step
		c++
		sizeTable[c] = capacity
	}
	sizeTable[classSide] = usableSize(sideSize)
	c = 1
	for i := range classTable {
		for i > 0 && sizeTable[c] < uint32(i)*16-8 {
			c++
		}
		classTable[i] = uint8(c)
	}
}

// usableSize is what the C library's allocator makes of a small request of n bytes (glibc, malloc_usable_size).
func usableSize(n uint32) uint32 { return max(24, (n+23)&^15-8) }

// take returns the payload offset of a block that is past its quarantine or of one that was never used. 0 means there is
// neither: ask refill.
func (h *Heap) take(class uint8) uint32 {
	c := h.class(class)
	if head := c.get(ClassHead); c.get(ClassTail)-head > c.get(ClassKeep) {
		c.put(ClassHead, head+1)
		q := h.queues[class&MarkClass]
		k := 4 * uint64(head&(c.get(ClassSlots)-1))
		return le.Uint32(q[k : k+4 : k+4])
	}
	if i := c.get(ClassNext); i != c.get(ClassEnd) {
		c.put(ClassNext, i+c.get(ClassTotal))
		return i
	}
	return 0
}

// queued returns entry n of the queue of a class.
func (h *Heap) queued(class uint8, n uint32) uint32 {
	q := h.queues[class&MarkClass]
	return le.Uint32(q[4*uint64(n&(h.class(class).get(ClassSlots)-1)):])
}

// put adds a freed payload offset to the queue of a class.
func (h *Heap) put(class uint8, i uint32) {
	c := h.class(class)
	tail := c.get(ClassTail)
	if tail-c.get(ClassHead) == c.get(ClassSlots) {
		h.growQueue(class)
		c = h.class(class) // it may have moved
		tail = c.get(ClassTail)
	}
	q := h.queues[class&MarkClass]
	k := 4 * uint64(tail&(c.get(ClassSlots)-1))
	le.PutUint32(q[k:k+4:k+4], i)
	c.put(ClassTail, tail+1)
}

func (h *Heap) growQueue(class uint8) {
	c := h.class(class)
	q := h.newQueue(class, max(64, 2*c.get(ClassSlots)))
	head := c.get(ClassHead)
	n := c.get(ClassTail) - head
	for k := range n {
		le.PutUint32(q[4*k:], h.queued(class, head+k))
	}
	h.queues[class] = q
	c = h.class(class)
	c.put(ClassHead, 0)
	c.put(ClassTail, n)
	c.put(ClassSlots, uint32(len(q)/4))
}

// refill is take for a class that has nothing at hand: a new slab or, at the memory limit, the quarantine. 0 means neither.
func (h *Heap) refill(class uint8) uint32 {
	total := h.class(class).get(ClassTotal)
	n := uint64(2)
	if total > 1<<10 {
		n = (4*uint64(total) + pageSize - 1) >> pageShift
	}
	if start, ok := h.takePages(n, class); ok {
		first := start<<pageShift + 8 + BlockHeader
		count := (uint32(n)<<pageShift - 8) / total
		c := h.class(class) // it may have moved
		c.put(ClassNext, first+total)
		c.put(ClassEnd, first+count*total)
		return first
	}
	c := h.class(class)
	if head := c.get(ClassHead); c.get(ClassTail) != head {
		c.put(ClassHead, head+1)
		return h.queued(class, head)
	}
	return 0
}

// takePages claims n pages for a class: the lowest free span that is long enough, else new memory, else what the quarantine
// of big blocks returns.
func (h *Heap) takePages(n uint64, class uint8) (start uint32, ok bool) {
	if n > maxLinear>>pageShift {
		return 0, false
	}
	for {
		if start, ok = h.takeFree(uint32(n)); ok {
			break
		}
		// The last page is never claimed: engines look for the end of memory once for all that lies a little after an address.
		if need := (uint64(h.brk) + n + 1) << pageShift; need <= uint64(len(h.B)) || h.grow(need) {
			start = h.brk
			h.brk += uint32(n)
			break
		}
		if !h.expireBig() {
			return 0, false
		}
	}
	for p := start; p < start+uint32(n); p++ {
		h.pages[p] = page{start: start, class: class}
	}
	h.pages[start].n = uint32(n)
	return start, true
}

func (h *Heap) takeFree(n uint32) (start uint32, ok bool) {
	for k := range h.free {
		if f := &h.free[k]; f.n >= n {
			start = f.start
			f.start += n
			if f.n -= n; f.n == 0 {
				h.free = append(h.free[:k], h.free[k+1:]...)
			}
			return start, true
		}
	}
	return 0, false
}

// givePages returns the span that starts at page start to the free spans, merging it with its neighbours.
func (h *Heap) givePages(start uint32) {
	n := h.pages[start].n
	clear(h.pages[start : start+n])
	lo, hi := 0, len(h.free)
	for lo < hi {
		if mid := (lo + hi) / 2; h.free[mid].start < start {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	after := lo < len(h.free) && h.free[lo].start == start+n
	before := lo > 0 && h.free[lo-1].start+h.free[lo-1].n == start
	switch {
	case before && after:
		h.free[lo-1].n += n + h.free[lo].n
		h.free = append(h.free[:lo], h.free[lo+1:]...)
	case before:
		h.free[lo-1].n += n
	case after:
		h.free[lo] = span{start, n + h.free[lo].n}
	default:
		h.free = append(h.free, span{})
		copy(h.free[lo+1:], h.free[lo:])
		h.free[lo] = span{start, n}
	}
}

// The C library maps requests from this size on for themselves, in whole pages; freeing one raises the threshold
// (glibc, mallopt(3), M_MMAP_THRESHOLD). It shows in the capacities that large arrays report.
const (
	firstMapThreshold = 128 << 10
	maxMapThreshold   = 32 << 20
)

// takeBig claims a span for a block of size bytes at a multiple of align (a power of two); it returns the payload's offset, or
// 0 if there is no room.
func (h *Heap) takeBig(size, align uint64) uint32 {
	if size > maxLinear || align > maxLinear {
		return 0
	}
	chunk := (size + 8 + 15) &^ 15 // as the C library counts it
	usable, mapped := max(24, chunk-8), chunk >= h.mapThreshold && align <= maxAlign
	if mapped {
		usable = (chunk+8+pageSize-1)&^(pageSize-1) - 16
	}
	room := uint64(BlockHeader + 8)
	if align > maxAlign {
		room = BlockHeader + align // enough for a payload at a multiple of align, wherever the span starts
	}
	start, ok := h.takePages((room+usable+pageSize-1)>>pageShift, ClassBig)
	if !ok {
		return 0
	}
	align = max(align, maxAlign)
	payload := (uint64(start)<<pageShift+Base+BlockHeader+align-1)&^(align-1) - Base
	p := &h.pages[start]
	p.payload, p.usable, p.mapped = uint32(payload), uint32(usable), mapped
	return uint32(payload)
}

// freeBig puts the big block with payload offset i into quarantine.
func (h *Heap) freeBig(i uint32) {
	start := h.pages[i>>pageShift].start
	p := &h.pages[start]
	if chunk := uint64(p.usable) + 16; p.mapped && chunk > h.mapThreshold && chunk <= maxMapThreshold {
		h.mapThreshold = chunk
	}
	h.bigQueue = append(h.bigQueue, start)
	h.bigWaiting += p.n
	for len(h.bigQueue) > 0 && (len(h.bigQueue) > h.quarantine || uint64(h.bigWaiting)<<pageShift > bigQuarantineBytes) {
		h.expireBig()
	}
}

// What the quarantine may hold back from reuse: of one class of small blocks, and of all big ones.
const (
	smallQuarantineBytes = 256 << 10
	bigQuarantineBytes   = 1 << 20
)

// expireBig ends the quarantine of the big block that was freed first; false if there is none.
func (h *Heap) expireBig() bool {
	if len(h.bigQueue) == 0 {
		return false
	}
	start := h.bigQueue[0]
	h.bigQueue = h.bigQueue[1:]
	h.bigWaiting -= h.pages[start].n
	h.marks[h.pages[start].payload>>GranuleShift] = 0
	h.givePages(start)
	return true
}

// AllocStatic returns size zeroed bytes at a multiple of align (a power of two; 0 means 16) in the area that is never freed:
// globals, literals, metadata records.
func (h *Heap) AllocStatic(size, align uint64) (Addr, *Fault) {
	if align == 0 {
		align = maxAlign
	}
	if align&(align-1) != 0 {
		return 0, &Fault{Kind: BadAlignment, N: align}
	}
	if size > maxLinear || align > maxLinear {
		return 0, &Fault{Kind: OutOfMemory, N: size}
	}
	a := (h.staticNext + align - 1) &^ (align - 1)
	if h.staticNext == 0 || a+size >= h.staticEnd {
		const chunk = 16
		n := max((size+align+pageSize)>>pageShift, chunk)
		start, ok := h.takePages(n, classStatic)
		if !ok {
			return 0, &Fault{Kind: OutOfMemory, N: size}
		}
		first := uint64(start)<<pageShift + Base
		clear(h.B[first-Base : first-Base+n<<pageShift])
		h.staticNext, h.staticEnd = first, first+n<<pageShift
		a = (first + align - 1) &^ (align - 1)
	}
	h.staticNext = a + max(size, 1) // no two have the same address
	return a, nil
}
