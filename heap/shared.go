package heap

// What a second engine changes beside linear memory: the classes of small blocks and the counts of objects. Both lie in one array of bytes,
// so that they can be put, with the marks, the queues and linear memory, into one slice that is the engine's memory as well:
//
//	control bytes of the engine's own, then at
//	0             the state: 32 bytes for each class, then the counts
//	SharedMarks   marks of the first SharedReach bytes of linear memory
//	sharedQueues  queues of freed blocks
//	SharedLinear  linear memory
//
// When linear memory outgrows SharedReach, or the queues their room, marks, queues and state move out again, and what is left in their
// place is a state in which no block can be had or given back: the engine then asks the heap each time.

// Where the fields of a class are in its part of the state; 32 bits each.
const (
	ClassHead  = 0  // counts of blocks taken from the queue
	ClassTail  = 4  // and put into it; they wrap
	ClassKeep  = 8  // blocks that stay in quarantine
	ClassTotal = 12 // bytes from block to block, header included
	ClassNext  = 16 // payload offsets: the part of the newest slab that was never used
	ClassEnd   = 20
	ClassSlots = 24 // of the queue; a power of two, or 0
	ClassQueue = 28 // where the queue is in the arena

	// The record of class k begins at k << ClassShift.
	ClassShift = 5
	classSize  = 1 << ClassShift
)

// ClassFor returns the class of the blocks for objects of size bytes; ok is false when such an object has a block of its own. The class is
// that of all sizes for which size + ClassRound >> GranuleShift is the same.
func ClassFor(size uint64) (class uint8, ok bool) {
	if size > MaxSmall {
		return 0, false
	}
	return classTable[(size+ClassRound)>>GranuleShift], true
}

// ClassRound is what is added to a size before it is divided by that of a granule.
const ClassRound = 23

// Where the counts are in the state; 64 bits each.
const (
	CountObjects = 64*classSize + 8*iota // objects allocated so far: the last serial number
	CountLive                            // objects alive
	CountBytes                           // requested bytes of what is alive, stack chunks and side tables left out
	CountPeak                            // the most of these there were
	CountMax                             // objects that may be alive; only where it is shared

	stateSize
)

// The layout of what is shared, as offsets from the end of the engine's own bytes.
const (
	SharedReach  = 512 << 20
	SharedMarks  = 64 << 10
	sharedQueues = SharedMarks + SharedReach>>GranuleShift
	SharedLinear = sharedQueues + 64<<20
)

type (
	state       [stateSize]byte
	classRecord [classSize]byte
)

func (s *state) get(at int) uint64    { return le.Uint64(s[at : at+8 : at+8]) }
func (s *state) put(at int, v uint64) { le.PutUint64(s[at:at+8:at+8], v) }

func (c *classRecord) get(at int) uint32    { return le.Uint32(c[at : at+4 : at+4]) }
func (c *classRecord) put(at int, v uint32) { le.PutUint32(c[at:at+4:at+4], v) }

// class returns the record of a class, valid until the next refill.
func (h *Heap) class(k uint8) *classRecord {
	at := int(k&MarkClass) * classSize
	return (*classRecord)(h.state[at : at+classSize])
}

// shared is where things are in the arena.
type shared struct {
	control uint64
	used    uint64 // bytes of control that are in use
	queues  uint64 // where the next queue goes; 0 when nothing but linear memory is shared any more
}

// Share moves linear memory and what allocation needs into one slice, after control bytes of the caller's, a multiple of 64 KiB. The heap
// can't be restored from a snapshot any more.
func (h *Heap) Share(control uint64) {
	h.shared = shared{control: control, used: control, queues: control + sharedQueues}
	own := *h
	h.arena = make([]byte, control+SharedLinear+uint64(len(h.B)))
	h.point()
	*h.state = *own.state
	h.state.put(CountMax, h.fast.maxLive)
	used := uint64(h.brk) << pageShift
	copy(h.B, own.B[:used])
	if uint64(len(h.B)) > SharedReach {
		h.state, h.marks = own.state, own.marks
		h.unshare()
		return
	}
	copy(h.marks, own.marks[:used>>GranuleShift])
	for k, q := range own.queues {
		if len(q) > 0 && h.shared.queues > 0 {
			to := h.newQueue(uint8(k), uint32(len(q)/4))
			copy(to, q)
			h.queues[k] = to
		}
	}
}

// UseControl says how many of the engine's bytes are in use: the others are not kept when linear memory grows.
func (h *Heap) UseControl(n uint64) { h.shared.used = n }

// Arena returns what is shared, in one slice: valid as long as B is.
func (h *Heap) Arena() []byte { return h.arena }

// point makes state, marks and linear memory those of the arena.
func (h *Heap) point() {
	c := h.shared.control
	h.state = (*state)(h.arena[c:])
	h.B = h.arena[c+SharedLinear:]
	h.marks = h.arena[c+SharedMarks:][:min(uint64(len(h.B)), SharedReach)>>GranuleShift]
}

// newQueue returns room for a queue of n entries, shared if the heap is.
func (h *Heap) newQueue(class uint8, n uint32) []byte {
	if h.shared.queues == 0 {
		return make([]byte, 4*n)
	}
	at := h.shared.queues
	if at+4*uint64(n) > h.shared.control+SharedLinear {
		h.unshare()
		return make([]byte, 4*n)
	}
	h.shared.queues += 4 * uint64(n)
	h.class(class).put(ClassQueue, uint32(at))
	return h.arena[at:][: 4*n : 4*n]
}

// growShared makes linear memory size bytes long.
func (h *Heap) growShared(size uint64) {
	if size > SharedReach && h.shared.queues > 0 {
		h.unshare()
	}
	old, c := h.arena, h.shared.control
	used := uint64(h.brk) << pageShift
	h.arena = make([]byte, c+SharedLinear+size)
	copy(h.arena, old[:h.shared.used])
	copy(h.arena[c:c+stateSize], old[c:])
	copy(h.arena[c+SharedLinear:], old[c+SharedLinear:][:used])
	if h.shared.queues == 0 {
		marks := make([]uint8, size>>GranuleShift)
		copy(marks, h.marks[:used>>GranuleShift])
		h.B, h.marks = h.arena[c+SharedLinear:], marks
		return
	}
	copy(h.arena[c+SharedMarks:], old[c+SharedMarks:][:used>>GranuleShift])
	copy(h.arena[c+sharedQueues:h.shared.queues], old[c+sharedQueues:])
	h.point()
	for k, q := range h.queues {
		if len(q) > 0 {
			h.queues[k] = h.arena[h.class(uint8(k)).get(ClassQueue):][:len(q):len(q)]
		}
	}
}

// unshare moves everything but linear memory out of the arena.
func (h *Heap) unshare() {
	own := *h.state
	h.state = &own
	h.marks = append([]uint8(nil), h.marks...)
	for k, q := range h.queues {
		h.queues[k] = append([]byte(nil), q...)
	}
	h.shared.queues = 0
	c := h.shared.control
	clear(h.arena[c : c+sharedQueues])
}
