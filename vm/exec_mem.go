package vm

import (
	"bytes"
	"encoding/binary"

	"silvm/heap"
	"silvm/vm/code"
)

var le = binary.LittleEndian

// address returns the address that a load or store of the loop uses.
func address(in code.Inst, r *[windowSize]uint64) uint64 {
	if in.Op >= code.LoadX8 && in.Op <= code.StoreX64 {
		return r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm)))
	}
	return r[in.B] + in.Imm
}

// execAccessMemory does loads and stores that the loop's quick tests did not let pass: fields of objects with a side table,
// and everything that ends in a trap.
func (m *Machine) execAccessMemory(in code.Inst, r *[windowSize]uint64) *Trap {
	if in.Op == code.RefCheck {
		return m.checkLive(r[in.A])
	}
	if in.Op >= code.RefLoad8 && in.Op <= code.RefStore64 {
		if t := m.checkLive(r[in.B]); t != nil {
			return t
		}
	}
	h, a, ok := m.heap, address(in, r), false
	switch in.Op {
	case code.RefLoad8:
		r[in.A], ok = h.Load8(a)
	case code.RefLoad16:
		r[in.A], ok = h.Load16(a)
	case code.RefLoad32:
		r[in.A], ok = h.Load32(a)
	case code.RefLoad64:
		r[in.A], ok = h.Load64(a)
	case code.RefStore8:
		ok = h.Store8(a, r[in.A])
	case code.RefStore16:
		ok = h.Store16(a, r[in.A])
	case code.RefStore32:
		ok = h.Store32(a, r[in.A])
	case code.RefStore64:
		ok = h.Store64(a, r[in.A])
	}
	if !ok {
		return m.loadTypeWord(in, r, a)
	}
	return nil
}

// execIndex checks an index against the count in an object.
func (m *Machine) execIndex(in code.Inst, r *[windowSize]uint64) *Trap {
	if t := m.checkLive(r[in.B]); t != nil {
		return t
	}
	n, t := m.load64(r[in.B] + in.Imm)
	if t != nil {
		return t
	}
	if x := int64(r[in.A]); x < 0 || x >= int64(n) {
		return m.trapNow(SwiftTrap)
	}
	return nil
}

func (m *Machine) checkLive(ref uint64) *Trap {
	if f := m.heap.CheckLive(ref); f != nil {
		return m.fault(f)
	}
	return nil
}

// execMemory does block operations, memory frames and raw allocations.
func (m *Machine) execMemory(in code.Inst, r *[windowSize]uint64) *Trap {
	switch in.Op {
	case code.CopyMem:
		return m.copyMemory(r[in.A], r[in.B], in.Imm)
	case code.CopyMemR:
		return m.copyMemory(r[in.A], r[in.B], r[in.C])
	case code.FillMem:
		b, ok := m.heap.Range(r[in.A], r[in.C])
		if !ok {
			return m.badAddress(r[in.A])
		}
		fill(b, byte(r[in.B]))
		return nil
	case code.CmpMem:
		v, t := m.compare(r[in.B], r[in.C], r[uint16(in.Imm)])
		r[in.A] = v
		return t
	case code.Enter:
		return m.enter(in, r)
	case code.Leave:
		return m.leave()
	case code.EnterHeap:
		r[in.A+1] = 0
		return m.allocRaw(&r[in.A], in.Imm, 16, heap.KindStack)
	case code.StackAlloc:
		return m.allocRaw(&r[in.A], r[in.B], r[in.C], heap.KindStack)
	case code.AllocRaw:
		m.count.AllocRaw++
		return m.allocRaw(&r[in.A], r[in.B], r[in.C], heap.KindRaw)
	}
	if f := m.heap.FreeRaw(r[in.A], m.site()); f != nil {
		return m.fault(f)
	}
	if in.Op == code.FreeRaw {
		m.count.FreeRaw++
	}
	return nil
}

// allocRaw allocates size bytes; an alignment of 0 or -1 means the usual one (Builtin.allocRaw).
func (m *Machine) allocRaw(to *uint64, size, align uint64, kind heap.Kind) *Trap {
	if align == ^uint64(0) {
		align = 0
	}
	a, f := m.heap.AllocRaw(size, align, kind, m.site())
	if f != nil {
		return m.fault(f)
	}
	*to = a
	return nil
}

func (m *Machine) copyMemory(dst, src, n uint64) *Trap {
	if m.heap.Copy(dst, src, n) {
		return nil
	}
	if _, ok := m.heap.View(src, n); !ok {
		return m.badAddress(src)
	}
	return m.badAddress(dst)
}

// compare is memcmp as the C library of x86-64 Linux does it: the difference of the first two of n bytes that differ, as a 32-bit
// integer, 0 when none do.
func (m *Machine) compare(a, b, n uint64) (uint64, *Trap) {
	x, ok := m.heap.View(a, n)
	if !ok {
		return 0, m.badAddress(a)
	}
	y, ok := m.heap.View(b, n)
	if !ok {
		return 0, m.badAddress(b)
	}
	if bytes.Equal(x, y) {
		return 0, nil
	}
	for i := range x {
		if x[i] != y[i] {
			return uint64(uint32(x[i]) - uint32(y[i])), nil
		}
	}
	return 0, nil
}

// fill sets all bytes of b.
func fill(b []byte, v byte) {
	if v == 0 {
		clear(b)
		return
	}
	for i := range b {
		b[i] = v
	}
}

// chunkBytes is the usual size of a chunk of the linear-memory stack.
const chunkBytes = 64 << 10

// enter returns a memory frame when the current chunk is full: the next chunk is taken into use, or made. Leave's token is 1.
func (m *Machine) enter(in code.Inst, r *[windowSize]uint64) *Trap {
	size := (in.Imm + 15) &^ 15
	if m.spEnd != 0 {
		m.chunks[m.chunk].sp = m.sp
		m.chunk++
	}
	if m.chunk < len(m.chunks) && m.chunks[m.chunk].end-m.chunks[m.chunk].start < size {
		// Chunks above are empty: they go, and a larger one comes.
		for _, c := range m.chunks[m.chunk:] {
			if f := m.heap.FreeRaw(c.start, m.site()); f != nil {
				return m.fault(f)
			}
		}
		m.chunks = m.chunks[:m.chunk]
	}
	if m.chunk == len(m.chunks) {
		c, f := m.newChunk(size)
		if f != nil {
			if m.spEnd != 0 {
				m.chunk--
			}
			return m.fault(f)
		}
		m.chunks = append(m.chunks, c)
	}
	c := m.chunks[m.chunk]
	r[in.A], r[in.A+1] = c.start, bit(m.spEnd != 0)
	m.sp, m.spEnd = c.start+size, c.end
	return nil
}

// leave goes back to the chunk before.
func (m *Machine) leave() *Trap {
	if m.chunk == 0 {
		return m.internal("memory frames are not nested")
	}
	m.chunk--
	c := m.chunks[m.chunk]
	m.sp, m.spEnd = c.sp, c.end
	return nil
}

// execAtomic does the atomic operations; there is one thread, so they are plain ones.
func (m *Machine) execAtomic(in code.Inst, r *[windowSize]uint64) *Trap {
	a, width := r[in.B], in.Imm&0xff
	b, ok := m.heap.Range(a, width/8)
	if !ok {
		return m.badAddress(a)
	}
	old := loadBytes(b)
	x, v := r[in.C], old
	switch in.Op {
	case code.AtomicAdd:
		v = old + x
	case code.AtomicSub:
		v = old - x
	case code.AtomicAnd:
		v = old & x
	case code.AtomicOr:
		v = old | x
	case code.AtomicXor:
		v = old ^ x
	case code.AtomicXchg:
		v = x
	case code.AtomicCmpXchg:
		same := old == x
		if same {
			v = r[uint16(in.Imm>>8)]
		}
		r[in.A+1] = bit(same)
	}
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
	r[in.A] = old
	return nil
}

func loadBytes(b []byte) (v uint64) {
	for i := range b {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}
