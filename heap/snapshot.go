package heap

import "slices"

// How the records of pages, queues of free blocks and, for the machine, registers are kept.
var (
	pageKind = kind[page]{size: 20, equal: slices.Equal[[]page]}
	wordKind = kind[uint64]{size: 8, equal: slices.Equal[[]uint64]}
)

// SaveWords notes the content of a slice of words, see save.
func SaveWords(st *Store, s []uint64, prev *Saved[uint64]) Saved[uint64] {
	return save(st, s, prev, &wordKind)
}

// Snapshot is the state of a heap at one moment: its memory in chunks that are shared with the snapshot it was made after, and
// everything that the allocator knows.
type Snapshot struct {
	heap   Heap // without what follows
	state  state
	linear Saved[byte]
	marks  Saved[uint8]
	pages  Saved[page]
	queues [len(Heap{}.queues)]Saved[byte]
	free   []span
	big    []uint32
}

// Snapshot notes the state of the heap. prev is an earlier snapshot of it or nil. The cost is that of comparing linear memory with
// prev once. When st.Full is set afterwards the snapshot is of no use and must be released.
func (h *Heap) Snapshot(st *Store, prev *Snapshot) *Snapshot {
	if prev == nil {
		prev = &Snapshot{}
	}
	st.begin()
	s := &Snapshot{heap: *h, state: *h.state, free: slices.Clone(h.free), big: slices.Clone(h.bigQueue)}
	s.linear = save(st, h.B, &prev.linear, &byteKind)
	s.marks = save(st, h.marks, &prev.marks, &byteKind)
	s.pages = save(st, h.pages, &prev.pages, &pageKind)
	for k := range h.queues {
		s.queues[k] = save(st, h.queues[k], &prev.queues[k], &byteKind)
		s.heap.queues[k] = nil
	}
	s.heap.Counted, s.heap.Written = nil, nil
	s.heap.state, s.heap.B, s.heap.marks, s.heap.pages, s.heap.free, s.heap.bigQueue = nil, nil, nil, nil, nil, nil
	st.Bytes += s.rest()
	return s
}

// Restore makes the heap, which shares nothing, what it was when the snapshot was made. The observer stays.
func (h *Heap) Restore(s *Snapshot) {
	old := *h
	*h = s.heap
	h.fast, h.tap, h.only = old.fast, old.tap, old.only
	h.Counted, h.Written, h.noting = old.Counted, old.Written, old.noting
	h.state = old.state
	*h.state = s.state
	h.B = s.linear.Restore(old.B)
	h.marks = s.marks.Restore(old.marks)
	h.pages = s.pages.Restore(old.pages)
	for k := range h.queues {
		h.queues[k] = s.queues[k].Restore(old.queues[k])
	}
	h.free = slices.Clone(s.free)
	h.bigQueue = slices.Clone(s.big)
}

// The size of a Snapshot and of a span, in bytes.
const (
	snapshotCost = 8 << 10
	spanCost     = 8
)

// rest is the size of what is not in chunks, in bytes.
func (s *Snapshot) rest() uint64 {
	return uint64(snapshotCost + cap(s.free)*spanCost + cap(s.big)*4)
}

// Release gives up the memory that only this snapshot holds.
func (s *Snapshot) Release(st *Store) {
	st.Bytes -= s.rest()
	s.linear.Release(st)
	s.marks.Release(st)
	s.pages.Release(st)
	for k := range s.queues {
		s.queues[k].Release(st)
	}
}

// Holds reports whether the snapshot has an object at an address, with a serial number, that was not freed.
func (s *Snapshot) Holds(ref Addr, serial uint64) bool {
	i := ref - Base
	if i < BlockHeader || i >= uint64(s.linear.n) || i>>GranuleShift >= uint64(s.marks.n) {
		return false
	}
	return s.marks.at(int(i >> GranuleShift))[0]&MarkLive != 0 && le.Uint64(s.linear.at(int(i-BlockHeader)))>>8 == serial
}

// Same reports whether two snapshots are of equal states.
func (s *Snapshot) Same(o *Snapshot) bool {
	for k := range s.queues {
		if !s.queues[k].same(&o.queues[k]) {
			return false
		}
	}
	return s.state == o.state && s.linear.same(&o.linear) && s.marks.same(&o.marks) && s.pages.same(&o.pages) &&
		slices.Equal(s.free, o.free) && slices.Equal(s.big, o.big) && s.heap.counters() == o.heap.counters()
}

// counters returns the rest of the state in a form that can be compared.
func (h *Heap) counters() [10]uint64 {
	mapped := h.mapThreshold
	return [...]uint64{h.maxLive, h.raws, h.liveRaws, h.sideTables, uint64(h.brk), h.limit,
		mapped, uint64(h.bigWaiting), h.staticNext, h.staticEnd}
}

// Memory is the size of linear memory at the snapshot, in bytes.
func (s *Snapshot) Memory() uint64 { return uint64(s.linear.n) }

// ObjectsMade is the serial number of the youngest object of the snapshot.
func (s *Snapshot) ObjectsMade() uint64 { return s.state.get(CountObjects) }
