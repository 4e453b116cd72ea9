package vm

import (
	"maps"
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
	metas      int
	tables     int
	handles    int
	coroutines []coroutine
	freeCoro   []int
	accesses   []access
	nextAccess uint64
	unpaired   []unpairedAccess
	count      Counters
	world      worldState
	patches    int
	placed     int
}

// Snapshot notes the state. prev is an earlier or later snapshot of the same run, or nil. The run must stand at a boundary.
func (m *Machine) Snapshot(st *heap.Store, prev *Snapshot) *Snapshot {
	var prevHeap *heap.Snapshot
	var prevStack heap.Saved[uint64]
	if prev != nil {
		prevHeap, prevStack = prev.heap, prev.stack
	}
	s := &Snapshot{
		Steps: m.steps, heap: m.heap.Snapshot(st, prevHeap), frame: m.frame, pc: m.pc, sp: m.sp, spEnd: m.spEnd,
		chunk: m.chunk, chunks: slices.Clone(m.chunks),
		metas: len(m.metas.index), tables: len(m.tables.index), handles: len(m.handles.index),
		coroutines: cloneCoroutines(m.coroutines), freeCoro: slices.Clone(m.freeCoro),
		accesses: slices.Clone(m.accesses), nextAccess: m.nextAccess, unpaired: slices.Clone(m.unpaired),
		count: m.count, world: m.world.worldState, patches: len(m.patches), placed: len(m.placed),
	}
	top := m.frame >> 32
	if f := m.funcAt(m.PC()); f != nil {
		top += uint64(f.NRegs)
	}
	s.stack = heap.Save(st, m.stack[:min(top, uint64(len(m.stack)))], &prevStack, 8, slices.Equal)
	return s
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
	for k := len(m.patches) - 1; k >= s.patches; k-- {
		m.prog.Insts[m.patches[k].pc] = m.patches[k].old
	}
	m.patches = m.patches[:min(s.patches, len(m.patches))]
	for _, addr := range m.placed[min(s.placed, len(m.placed)):] {
		*addr = 0
	}
	m.placed = m.placed[:min(s.placed, len(m.placed))]
	m.dropRecords(s)
	m.heap.Restore(s.heap)
	s.stack.Restore(m.stack)
	m.frame, m.pc, m.steps, m.sp, m.spEnd = s.frame, s.pc, s.Steps, s.sp, s.spEnd
	m.chunk, m.chunks = s.chunk, append(m.chunks[:0], s.chunks...)
	m.coroutines, m.freeCoro = cloneCoroutines(s.coroutines), append(m.freeCoro[:0], s.freeCoro...)
	m.accesses, m.nextAccess = append(m.accesses[:0], s.accesses...), s.nextAccess
	m.unpaired = append(m.unpaired[:0], s.unpaired...)
	lowered := m.count.Lowered
	m.count, m.count.Lowered = s.count, lowered
	m.world.flush()
	m.world.worldState = s.world
	m.exit, m.trap, m.ended, m.broke = exitState{}, nil, false, false
	m.left, m.rest, m.granted = 0, 0, 0
}

// dropRecords takes back the static records that came after the snapshot.
func (m *Machine) dropRecords(s *Snapshot) {
	for k := range m.classes {
		if n, ok := m.metas.number(m.classes[k].meta); ok && n >= s.metas {
			m.classes[k] = classInfo{}
		}
	}
	m.metas.drop(s.metas, func(n int32) { m.prog.Types[n].Addr = 0 })
	m.tables.drop(s.tables, func(n int32) { m.prog.Witnesses[n].Addr = 0 })
	m.handles.drop(s.handles, func(n int32) { m.prog.Funcs[n].Handle = 0 })
	m.vtables = m.vtables[:min(s.metas, len(m.vtables))]
	m.wtables = m.wtables[:min(s.tables, len(m.wtables))]
	m.handleEntry = m.handleEntry[:min(s.handles, len(m.handleEntry))]
}

// drop takes back the records from number n on.
func (r *records) drop(n int, forget func(index int32)) {
	if n >= len(r.index) {
		return
	}
	for _, index := range r.index[n:] {
		forget(index)
	}
	r.index = r.index[:n]
	maps.DeleteFunc(r.far, func(_ uint64, k int) bool { return k >= n })
}

// Release gives up the memory that only this snapshot holds; it must not be used any more.
func (s *Snapshot) Release(st *heap.Store) {
	s.heap.Release(st)
	s.stack.Release(st)
}

// ObjectsMade is the serial number of the youngest object at the snapshot.
func (s *Snapshot) ObjectsMade() uint64 { return s.heap.ObjectsMade() }

// Counters gives what was counted up to the snapshot.
func (s *Snapshot) Counters() Counters { return s.count }

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
	case a.metas != b.metas || a.tables != b.tables || a.handles != b.handles:
		return "records"
	case a.placed != b.placed || a.patches != b.patches:
		return "program"
	case !slices.EqualFunc(a.coroutines, b.coroutines, func(x, y coroutine) bool {
		return x.live == y.live && x.resume == y.resume && x.unwind == y.unwind && x.began == y.began && slices.Equal(x.regs, y.regs)
	}) || !slices.Equal(a.freeCoro, b.freeCoro):
		return "coroutines"
	case !slices.Equal(a.accesses, b.accesses) || a.nextAccess != b.nextAccess || !slices.Equal(a.unpaired, b.unpaired):
		return "accesses"
	case ca != cb:
		return "counters"
	case a.world != b.world:
		return "world"
	}
	return ""
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
		if !slices.Equal(x[fp:fp+size], y[fp:fp+size]) {
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
