package vm

import (
	"slices"

	"silvm/heap"
	"silvm/vm/code"
)

// What a run came by since somebody asked: which boundaries it passed and which calls lasted all the time. It costs a stop at each
// boundary the first time that the run passes it, and nothing later: boundaries that were not passed yet are Breaks, which the machine
// removes by itself. Calls under way are told apart from later ones by a mark in their links, which are written anew by each call.

// visits is which boundaries stop the machine, as bits by pc, and why.
type visits struct {
	on     bool
	soon   bool     // StopSoon was called
	near   bool     // the run came to a write that Near asked for
	known  []uint64 // NoteWrites was told what is written there
	breaks []uint64 // SetBreak asked for a stop
	passed []uint64
	kept   []uint32 // the passed ones in a list
	threw  bool     // a native did, of itself
	glance func(pc uint32, regs []uint64) (stop bool)
}

func bitAt(set []uint64, pc uint32) bool {
	return pc/64 < uint32(len(set)) && set[pc/64]>>(pc%64)&1 != 0
}

func setBit(set []uint64, pc uint32, on bool) []uint64 {
	if n := int(pc/64) + 1; n > len(set) {
		set = append(set, make([]uint64, n+n/4-len(set))...)
	}
	if on {
		set[pc/64] |= 1 << (pc % 64)
	} else {
		set[pc/64] &^= 1 << (pc % 64)
	}
	return set
}

// SetBreak makes the boundary at pc a Break, or a plain one again. It reports whether there is a boundary.
func (m *Machine) SetBreak(pc uint32, on bool) bool {
	if pc >= uint32(len(m.prog.Insts)) || !m.prog.Insts[pc].IsBoundary() {
		return false
	}
	m.visits.breaks = setBit(m.visits.breaks, pc, on)
	m.settleBreak(pc)
	return true
}

func (m *Machine) settleBreak(pc uint32) {
	v, in := &m.visits, &m.prog.Insts[pc]
	in.Op = code.Steps
	if in.Imm != 0 {
		in.Op = code.Writes
	}
	if bitAt(v.breaks, pc) || v.on && !bitAt(v.passed, pc) {
		in.Op = code.Break
	}
}

// wantsStop says at a Break whether somebody wants to stop there, and notes that the run came by.
func (m *Machine) wantsStop() bool {
	v, pc := &m.visits, m.PC()
	if v.soon {
		v.soon = false
		return true
	}
	if v.on && !bitAt(v.passed, pc) {
		v.passed = setBit(v.passed, pc, true)
		v.kept = append(v.kept, pc)
		m.settleBreak(pc)
	}
	near := v.near
	v.near = false
	return near || bitAt(v.breaks, pc)
}

// boundary does Break, and Writes where the loop can't.
func (m *Machine) boundary(in code.Inst, r *[windowSize]uint64) {
	if in.Imm != 0 {
		a, size := m.writes(&in, r)
		m.heap.NoteWrite(a, size)
		if i := a - heap.Base; i < m.nearTo && i+size > m.nearFrom && in.C > 0 {
			m.visits.near = true
		}
	}
	m.left -= int64(in.C)
	if in.Op == code.Break || m.visits.near {
		if v := &m.visits; v.glance != nil && !v.near && (!v.on || bitAt(v.passed, m.PC())) && !v.glance(m.PC(), r[:]) {
			return
		}
		m.broke = true
		m.stopLoop()
	}
}

// Glance makes the machine ask f at each Break that SetBreak asked for whether to stop there, with the registers of the frame; nil asks nobody.
// It stops without asking where something else stops it there too, or where the run passes for the first time since Visits.
func (m *Machine) Glance(f func(pc uint32, regs []uint64) (stop bool)) { m.visits.glance = f }

// writes tells which memory the instruction after a boundary writes.
func (m *Machine) writes(in *code.Inst, r *[windowSize]uint64) (a, size uint64) {
	return r[in.A] + r[in.B]*(in.Imm>>48) + uint64(int64(int32(in.Imm))), in.Imm >> 32 & 0xffff
}

// NoteWrites says which memory the instruction after the boundary at pc writes, whenever it runs: as much from an address on, and no other.
// False when there is no boundary, or no room to say so.
func (m *Machine) NoteWrites(pc uint32, at code.Location, size uint64) bool {
	if pc >= uint32(len(m.prog.Insts)) || !m.prog.Insts[pc].IsBoundary() || !at.IsAddress {
		return false
	}
	off := at.Off
	if at.Index.Reg == 0 {
		off += int64(at.Index.Imm * uint64(at.Stride))
		at.Stride = 0
	}
	if at.Base.Reg == 0 || size == 0 || size >= 1<<16 || at.Stride >= 1<<16 || off != int64(int32(off)) {
		return false
	}
	in := &m.prog.Insts[pc]
	if in.Imm != 0 { // lowering noted stores, which have to be in this
		from := int64(int32(in.Imm))
		to := from + int64(in.Imm>>32&0xffff)
		if in.A != at.Base.Reg || in.B != at.Index.Reg || in.Imm>>48 != uint64(at.Stride) || from < off || to > off+int64(size) {
			return false
		}
	}
	m.visits.known = setBit(m.visits.known, pc, true)
	in.A, in.B = at.Base.Reg, at.Index.Reg
	in.Imm = code.WritesImm(int32(off), size, uint64(at.Stride))
	m.settleBreak(pc)
	return true
}

// IsNoted reports whether NoteWrites was told what is written after the boundary at pc.
func (m *Machine) IsNoted(pc uint32) bool { return bitAt(m.visits.known, pc) }

// Near makes the run stop, as at a Break, before each instruction that NoteWrites was told of and that is about to write in the
// memory between two addresses, and maybe of others that are; none when they are equal.
func (m *Machine) Near(from, to uint64) {
	m.nearFrom, m.nearTo = 0, 0
	if from < to && from >= heap.Base {
		m.nearFrom, m.nearTo = from-heap.Base, to-heap.Base
	}
}

// linkMark is the bit of a link that says that its frame was there when Visits was called last: links use 48 bits.
const linkMark = 1 << 63

// Visited is what a run came by.
type Visited struct {
	Depth  int      // the outermost calls, so many, lasted all the time; there may have been more
	Passed []uint64 // a bit for each boundary by its pc, set for those that were passed and maybe for more
	Threw  bool     // an error began in a native

	Counted *Touched // objects whose counts changed, and the metadata of all that are in it or were made
	Written *Touched // memory that was written; but headers of objects
	Objects uint64   // the serial number of the youngest object at the end
}

// Visits tells what the run came by since Visits was called before, and asks anew. The run must stand at a boundary. The sets of what was
// touched take at most so many bytes each.
func (m *Machine) Visits(most int) Visited {
	v, h := &m.visits, m.heap
	out := Visited{Passed: slices.Clone(v.passed), Depth: m.markFrames(), Threw: v.threw, Objects: h.Stats().Objects}
	h.NoteClasses()
	out.Counted, out.Written = takeTouched(h.Counted, heap.CountedShift, most), takeTouched(h.Written, heap.WrittenShift, most)
	v.threw = false
	for _, pc := range v.kept {
		v.passed = setBit(v.passed, pc, false)
		m.settleBreak(pc)
	}
	v.kept = v.kept[:0]
	if !v.on {
		v.on = true
		h.Note()
		for _, f := range m.prog.Lowered {
			m.watchVisits(f)
		}
	}
	return out
}

// watchVisits makes the boundaries of a function that was lowered Breaks until they are passed.
func (m *Machine) watchVisits(f *code.Func) {
	if m.visits.on {
		for _, pc := range f.Bounds {
			m.settleBreak(pc)
		}
	}
}

// markFrames marks the frames, and returns the number of those that were marked before.
func (m *Machine) markFrames() int {
	depth := m.Depth()
	fp, marked := m.frame>>32, depth
	for ; marked > 0 && fp < uint64(len(m.stack)); marked-- {
		link := m.stack[fp]
		if link&linkMark != 0 {
			break
		}
		m.stack[fp] |= linkMark
		base := uint64(uint16(link))
		if base > fp || base == 0 {
			return 0
		}
		fp -= base
	}
	return marked
}
