package vm

import (
	"slices"

	"silvm/heap"
)

// Snapshot is the state of a run that stands at a boundary. Memory is shared with the snapshot that it was made after.
//
// What a run changes in its program goes back too: settled instructions, addresses of static things, records. Functions stay
// lowered, and the tables that find them (vtables, wtables, handleEntry, nativeFuncs, sealed, Counters.Lowered) keep what they
// know: code is a function of the program's text and of the order of the first calls, which is always the same.
type Snapshot struct {
	Steps uint64

	heap       *heap.Snapshot
	stack      heap.Saved[uint64]
	frame      uint64
	pc         uint32
	sp, spEnd  uint64
	chunk      int
	chunks     []stackChunk
	metas      savedRecords
	tables     savedRecords
	handles    savedRecords
	sched      schedule
	coroutines []coroutine
	freeCoro   []int
	accesses   []access
	nextAccess uint64
	unpaired   []unpairedAccess
	count      Counters
	world      worldState
	edited     int
	weakNil    weakNil
	own        uint64 // bytes of what is in none of the shared parts
}

// Snapshot notes the state. prev is an earlier or later snapshot of the same run, or nil. The run must stand at a boundary. When
// st.Full is set afterwards the snapshot is of no use and must be released.
func (m *Machine) Snapshot(st *heap.Store, prev *Snapshot) *Snapshot {
	var prevHeap *heap.Snapshot
	var prevStack heap.Saved[uint64]
	if prev != nil {
		prevHeap, prevStack = prev.heap, prev.stack
	}
	s := &Snapshot{
		Steps: m.steps, heap: m.heap.Snapshot(st, prevHeap), frame: m.frame, pc: m.pc, sp: m.sp, spEnd: m.spEnd,
		chunk: m.chunk, chunks: slices.Clone(m.chunks),
		metas: m.metas.save(), tables: m.tables.save(), handles: m.handles.save(),
		sched: m.sched.clone(), coroutines: cloneCoroutines(m.coroutines), freeCoro: slices.Clone(m.freeCoro),
		accesses: slices.Clone(m.accesses), nextAccess: m.nextAccess, unpaired: slices.Clone(m.unpaired),
		count: m.count, world: m.world.worldState, edited: m.edited, weakNil: m.weakNil,
	}
	top := m.frame >> 32
	if f := m.funcAt(m.PC()); f != nil {
		top += uint64(f.NRegs)
	}
	s.stack = heap.SaveWords(st, m.stack[:min(top, uint64(len(m.stack)))], &prevStack)
	s.own = s.size()
	st.Bytes += s.own
	return s
}

// size is about what the snapshot takes beside the shared parts, in bytes.
func (s *Snapshot) size() uint64 {
	n := 2<<10 + 24*len(s.chunks) + 8*len(s.freeCoro) + 24*len(s.accesses) + 16*len(s.unpaired)
	n += int(s.sched.size())
	for _, r := range []savedRecords{s.metas, s.tables, s.handles} {
		n += 4*len(r.index) + 8*len(r.far)
	}
	for _, c := range s.coroutines {
		n += 40 + 8*len(c.regs)
	}
	return uint64(n)
}

func cloneCoroutines(from []coroutine) []coroutine {
	out := slices.Clone(from)
	for k := range out {
		if out[k].live {
			out[k].regs = slices.Clone(out[k].regs)
		} else {
			out[k] = coroutine{}
		}
	}
	return out
}

// Restore puts the run back, or forward, to a snapshot of it.
func (m *Machine) Restore(s *Snapshot) {
	for ; m.edited > s.edited; m.edited-- {
		m.undo(m.edits[m.edited-1])
	}
	for ; m.edited < s.edited; m.edited++ {
		m.redo(m.edits[m.edited])
	}
	m.restoreRecords(s)
	m.heap.Restore(s.heap)
	s.stack.Restore(m.stack)
	m.frame, m.pc, m.steps, m.sp, m.spEnd = s.frame, s.pc, s.Steps, s.sp, s.spEnd
	m.chunk, m.chunks = s.chunk, append(m.chunks[:0], s.chunks...)
	m.sched = s.sched.clone()
	m.coroutines, m.freeCoro = cloneCoroutines(s.coroutines), append(m.freeCoro[:0], s.freeCoro...)
	m.accesses, m.nextAccess = append(m.accesses[:0], s.accesses...), s.nextAccess
	m.unpaired = append(m.unpaired[:0], s.unpaired...)
	lowered := m.count.Lowered
	m.count, m.count.Lowered = s.count, lowered
	m.world.flush()
	m.world.worldState, m.weakNil = s.world, s.weakNil
	m.pointers = pointers{}
	m.exit, m.trap, m.ended, m.broke, m.visits.soon, m.visits.near = exitState{}, nil, false, false, false, false
	m.left, m.rest, m.granted = 0, 0, 0
}

// savedRecords is one kind of static record at a snapshot.
type savedRecords struct {
	index []int32
	far   []uint64 // addresses of those past the near ones
}

func (r *records) save() savedRecords {
	s := savedRecords{index: slices.Clone(r.index)}
	for range len(r.far) {
		s.far = append(s.far, 0)
	}
	for addr, n := range r.far {
		s.far[n-int(r.near)] = addr
	}
	return s
}

// restore takes back the records that came after the snapshot, and brings back those that it has. set assigns what a record stands for
// its address, or none.
func (r *records) restore(s savedRecords, set func(index int32, addr uint64)) {
	for _, index := range r.index[min(len(s.index), len(r.index)):] {
		set(index, 0)
	}
	for n := len(r.index); n < len(s.index); n++ {
		addr := r.base + uint64(n)<<r.shift
		if uint64(n) >= r.near {
			addr = s.far[n-int(r.near)]
		}
		set(s.index[n], addr)
	}
	r.index = append(r.index[:0], s.index...)
	clear(r.far)
	for k, addr := range s.far {
		if r.far == nil {
			r.far = map[uint64]int{}
		}
		r.far[addr] = k + int(r.near)
	}
}

// restoreRecords makes the static records, and the tables beside them, those of the snapshot.
func (m *Machine) restoreRecords(s *Snapshot) {
	for k := range m.classes {
		if n, ok := m.metas.number(m.classes[k].meta); ok && n >= len(s.metas.index) {
			m.classes[k] = classInfo{}
		}
	}
	m.metas.restore(s.metas, func(n int32, addr uint64) { m.prog.Types[n].Addr = addr })
	m.tables.restore(s.tables, func(n int32, addr uint64) { m.prog.Witnesses[n].Addr = addr })
	m.handles.restore(s.handles, func(n int32, addr uint64) { m.prog.Funcs[n].Handle = addr })
	m.vtables = resize(m.vtables, len(s.metas.index))
	m.wtables = resize(m.wtables, len(s.tables.index))
	m.handleEntry = resize(m.handleEntry, len(s.handles.index))
}

// resize cuts a slice or makes it longer by zero values.
func resize[T any](s []T, n int) []T {
	if n <= len(s) {
		return s[:n]
	}
	return append(s, make([]T, n-len(s))...)
}

// Release frees the memory that only this snapshot holds; it must not be used any more.
func (s *Snapshot) Release(st *heap.Store) {
	st.Bytes -= s.own
	s.heap.Release(st)
	s.stack.Release(st)
}

// ObjectsMade is the serial number of the youngest object at the snapshot.
func (s *Snapshot) ObjectsMade() uint64 { return s.heap.ObjectsMade() }

// Memory is the size of linear memory at the snapshot, in bytes.
func (s *Snapshot) Memory() uint64 { return s.heap.Memory() }

// Beginning tells of all places in memory where an object with one of these first words may have begun: see heap.Beginning.
func (s *Snapshot) Beginning(words []uint64, found func(a, word uint64)) {
	s.heap.Beginning(words, found)
}

// Holds reports whether memory has an object at the snapshot, at an address and with a serial number, that was not freed.
func (s *Snapshot) Holds(ref, serial uint64) bool { return s.heap.Holds(ref, serial) }

// AccessesBegun is how many tracked accesses had begun at the snapshot.
func (s *Snapshot) AccessesBegun() uint64 { return s.nextAccess }

// Difference names a part of the state in which two snapshots of one program differ, "" when they are equal. Registers of natives
// that hold nothing are passed over.
func (m *Machine) Difference(a, b *Snapshot) string {
	ca, cb := a.count, b.count
	ca.Lowered, cb.Lowered = 0, 0
	switch {
	case a.Steps != b.Steps:
		return "steps"
	case a.pc != b.pc:
		return "pc"
	case a.frame != b.frame:
		return "frame"
	case !a.heap.Same(b.heap):
		return "heap"
	case !m.sameStack(a, b):
		return "registers"
	case a.sp != b.sp || a.spEnd != b.spEnd || a.chunk != b.chunk || !slices.Equal(a.chunks, b.chunks):
		return "memory stack"
	case !sameRecords(a.metas, b.metas) || !sameRecords(a.tables, b.tables) || !sameRecords(a.handles, b.handles):
		return "records"
	case a.edited != b.edited:
		return "program"
	case !slices.EqualFunc(a.coroutines, b.coroutines, func(x, y coroutine) bool {
		return x.live == y.live && x.resume == y.resume && x.unwind == y.unwind && x.began == y.began && slices.Equal(x.regs, y.regs)
	}) || !slices.Equal(a.freeCoro, b.freeCoro):
		return "coroutines"
	case !a.sched.same(&b.sched):
		return "tasks"
	case !slices.Equal(a.accesses, b.accesses) || a.nextAccess != b.nextAccess || !slices.Equal(a.unpaired, b.unpaired):
		return "accesses"
	case ca != cb:
		return "counters"
	case a.world != b.world:
		return "world"
	}
	return ""
}

func sameRecords(a, b savedRecords) bool {
	return slices.Equal(a.index, b.index) && slices.Equal(a.far, b.far)
}

// sameStack compares the registers of all frames.
func (m *Machine) sameStack(a, b *Snapshot) bool {
	x, y := a.stack.Restore(nil), b.stack.Restore(nil)
	if len(x) != len(y) {
		return false
	}
	fp, pc, end := a.frame>>32, a.pc, uint64(len(x))
	for n := int(uint32(a.frame)); n > 0 && fp < end; n-- {
		size := uint64(1)
		if f := m.funcAt(pc - 1); f != nil && f.Native == nil {
			size = min(uint64(f.NRegs), end-fp)
		}
		if (x[fp]^y[fp])&^linkMark != 0 || !slices.Equal(x[fp+1:fp+size], y[fp+1:fp+size]) {
			return false
		}
		base := uint64(uint16(x[fp]))
		pc, end = uint32(x[fp]>>16), fp
		if base > fp || base == 0 {
			break
		}
		fp -= base
	}
	return true
}
