// Package heap is the memory that a Swift program runs in: one linear memory of bytes, an allocator over it, the header
// that every Swift object starts with, and the state machine of its strong, unowned and weak counts.
//
// The package knows no SIL types. Who calls it says how large a thing is and which metadata word it starts with; the heap
// answers with addresses, with "run the deinit now", or with a [Fault] that names what the program did wrong.
//
// Invariants:
//   - An address is an offset: byte i of [Heap.B] is address i+Base. Nothing outside B can be reached.
//   - What the allocator needs in order to stay correct (which block starts where, its class, whether it is in use, which
//     blocks are free) is kept in Go slices, never in linear memory. A program that overwrites its own heap may lose the
//     serial numbers, sizes and sites that its findings are worded with; it can't make the allocator hand out memory twice,
//     panic or loop.
//   - Addresses, serial numbers and reuse depend on the sequence of calls only.
//   - The refcount word is Swift's, bit for bit, while the object is live or deiniting (stdlib/public/SwiftShims/swift/shims/RefCount.h).
//     A dead object's word is ours: see object.go.
//
// It refuses to free what is not the start of a block in use, to count references to an object that is dead, and to grow
// past its limit; each is a Fault. It never runs a deinit itself.
//
// Read object.go first, then refcount.go.
package heap

import "encoding/binary"

// Addr is an address in linear memory, in bytes. 0 is null.
type Addr = uint64

// Base is the lowest mapped address: [0,Base) is never mapped, so that null and small integers taken for pointers fault.
const Base = 4096

const (
	pageShift = 12
	pageSize  = 1 << pageShift
	// minLinear is the length that B has at least; every bounds test subtracts a few bytes from len(B) and relies on it.
	minLinear = 16 * pageSize
	// maxLinear bounds B so that offsets fit 32 bits (free queues, page records) and a 32-bit WebAssembly memory could hold it.
	maxLinear = 1<<32 - 16*pageSize
)

var le = binary.LittleEndian

// Config limits a heap. The zero value allows all that is possible and reuses a freed block at once.
type Config struct {
	MaxBytes   uint64 // length in bytes that linear memory may reach, static area included; 0: just under 4 GiB, the most there is
	MaxObjects uint64 // objects alive at the same time; 0: no limit
	Quarantine int    // freed blocks of each size class that wait before the oldest is used again, so that stale references are noticed
}

// Heap is a linear memory with its allocator. It is not safe for use by several goroutines.
type Heap struct {
	// B is the linear memory: byte i is address i+Base. Any allocation may replace it, so reload it after one.
	B []byte

	arena  []byte // see shared.go; nil while nothing is shared
	shared shared

	state  *state     // of the classes, and counts
	marks  []uint8    // one for each 16 bytes of B, see alloc.go
	queues [64][]byte // by class number: ring of freed payload offsets (address - Base), 4 bytes each; the length is a power of two or 0

	maxLive    uint64
	raws       uint64 // raw blocks allocated so far: the last serial number
	liveRaws   uint64
	sideTables uint64 // side-table entries in use

	pages        []page
	free         []span // free pages below brk, by address
	brk          uint32 // pages from here on were never used
	limit        uint64 // bytes that B may reach
	mapThreshold uint64
	bigQueue     []uint32 // first pages of the big blocks in quarantine, oldest first
	bigWaiting   uint32   // pages of those
	quarantine   int
	staticNext   Addr
	staticEnd    Addr

	fast fastWords
	tap  Tap
	only Addr // of the object that the tap hears of; 0 is all

	rawTap func(freed bool, a Addr)

	// Counted and Written are what tools note (notes.go), as bits: of the objects whose counts changed and of the words that were written,
	// by offset in B. While notes are taken they cover B.
	Counted, Written []byte
	noting           bool
	remote           remote
}

// New makes an empty heap. Negative and absurd values of the configuration are brought into range.
func New(c Config) *Heap {
	h := &Heap{limit: linearLimit(c.MaxBytes), state: new(state), maxLive: c.MaxObjects, mapThreshold: firstMapThreshold}
	if h.maxLive == 0 {
		h.maxLive = ^uint64(0)
	}
	h.SetTap(nil, 0)
	h.quarantine = min(max(c.Quarantine, 0), 1<<16)
	for k := range sizeTable {
		total := sizeTable[k] + BlockHeader
		h.class(uint8(k)).put(ClassTotal, total)
		h.class(uint8(k)).put(ClassKeep, min(uint32(h.quarantine), max(smallQuarantineBytes/total, 1)))
	}
	h.grow(minLinear)
	return h
}

// The shape of the tests below, i < j && j <= len with a slice of three indices, is the one that the compiler turns into two
// comparisons and no further check.

// Load8 returns the byte at a; ok is false when a is not mapped.
func (h *Heap) Load8(a Addr) (v uint64, ok bool) {
	if i := a - Base; i < uint64(len(h.B)) {
		return uint64(h.B[i]), true
	}
	return 0, false
}

// Load16 returns the 16-bit little-endian word at a, which need not be aligned; ok is false when any byte is not mapped.
func (h *Heap) Load16(a Addr) (v uint64, ok bool) {
	b := h.B
	i := a - Base
	if j := i + 2; i < j && j <= uint64(len(b)) {
		return uint64(le.Uint16(b[i:j:j])), true
	}
	return 0, false
}

// Load32 returns the 32-bit little-endian word at a, which need not be aligned; ok is false when any byte is not mapped.
func (h *Heap) Load32(a Addr) (v uint64, ok bool) {
	b := h.B
	i := a - Base
	if j := i + 4; i < j && j <= uint64(len(b)) {
		return uint64(le.Uint32(b[i:j:j])), true
	}
	return 0, false
}

// Load64 returns the 64-bit little-endian word at a, which need not be aligned; ok is false when any byte is not mapped.
func (h *Heap) Load64(a Addr) (v uint64, ok bool) {
	b := h.B
	i := a - Base
	if j := i + 8; i < j && j <= uint64(len(b)) {
		return le.Uint64(b[i:j:j]), true
	}
	return 0, false
}

// Store8 writes the low byte of v at a; it returns false and writes nothing when a is not mapped.
func (h *Heap) Store8(a Addr, v uint64) bool {
	if i := a - Base; i < uint64(len(h.B)) {
		h.B[i] = byte(v)
		h.noteWrite(i, 1)
		return true
	}
	return false
}

// Store16 writes the low 16 bits of v at a, little endian; it returns false and writes nothing when any byte is not mapped.
func (h *Heap) Store16(a Addr, v uint64) bool {
	b := h.B
	i := a - Base
	if j := i + 2; i < j && j <= uint64(len(b)) {
		le.PutUint16(b[i:j:j], uint16(v))
		h.noteWrite(i, 2)
		return true
	}
	return false
}

// Store32 writes the low 32 bits of v at a, little endian; it returns false and writes nothing when any byte is not mapped.
func (h *Heap) Store32(a Addr, v uint64) bool {
	b := h.B
	i := a - Base
	if j := i + 4; i < j && j <= uint64(len(b)) {
		le.PutUint32(b[i:j:j], uint32(v))
		h.noteWrite(i, 4)
		return true
	}
	return false
}

// Store64 writes v at a, little endian; it returns false and writes nothing when any byte is not mapped.
func (h *Heap) Store64(a Addr, v uint64) bool {
	b := h.B
	i := a - Base
	if j := i + 8; i < j && j <= uint64(len(b)) {
		le.PutUint64(b[i:j:j], v)
		h.noteWrite(i, 8)
		return true
	}
	return false
}

// Range returns the n bytes from a, aliasing B, for who may write them: the slice is valid until the next allocation. ok is false when any
// byte is not mapped; n = 0 is fine at every address.
func (h *Heap) Range(a Addr, n uint64) (bytes []byte, ok bool) {
	bytes, ok = h.View(a, n)
	if ok && n > 0 {
		h.noteWrite(a-Base, n)
	}
	return bytes, ok
}

// View is Range for who only reads.
func (h *Heap) View(a Addr, n uint64) (bytes []byte, ok bool) {
	if n == 0 {
		return nil, true
	}
	i := a - Base
	if size := uint64(len(h.B)); i < size && n <= size-i {
		return h.B[i : i+n : i+n], true
	}
	return nil, false
}

// Copy moves n bytes from src to dst, which may overlap. It returns false and writes nothing when any byte is not mapped.
func (h *Heap) Copy(dst, src Addr, n uint64) bool {
	d, okDst := h.Range(dst, n)
	s, okSrc := h.View(src, n)
	if !okDst || !okSrc {
		return false
	}
	copy(d, s)
	return true
}

// linearLimit is the length in bytes that B may reach for a limit of max bytes; 0 means the most that is possible.
func linearLimit(max uint64) uint64 {
	const maxInt = uint64(^uint(0) >> 1)
	switch {
	case max == 0 || max > maxLinear:
		max = maxLinear
	case max < minLinear:
		max = minLinear
	}
	if max > maxInt/2 {
		max = maxInt / 2
	}
	return max &^ (pageSize - 1)
}

// grow makes B at least need bytes long, doubling it if the limit allows. It returns false, changing nothing, past the limit.
func (h *Heap) grow(need uint64) bool {
	if need > h.limit {
		return false
	}
	size := min((max(2*uint64(len(h.B)), need)+minLinear-1)&^(minLinear-1), h.limit)
	pages := make([]page, size>>pageShift)
	copy(pages, h.pages)
	h.pages = pages
	if h.arena != nil {
		h.growShared(size)
		h.roomForNotes()
		return true
	}
	used := uint64(h.brk) << pageShift
	b, marks := make([]byte, size), make([]uint8, size>>GranuleShift)
	copy(b, h.B[:used])
	copy(marks, h.marks[:used>>GranuleShift])
	h.B, h.marks = b, marks
	h.roomForNotes()
	return true
}
