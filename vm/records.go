package vm

import (
	"silvm/vm/code"
)

// Static records stand in linear memory for what lives in Go's tables: type metadata, witness tables and functions. A
// record is 16 bytes, its first word is the number of what it stands for. The address says which record it is; what is
// written there is only for a reader of memory dumps, so that a program that overwrites a record hurts nothing.
const recordSize = 16

// How many records of each kind have places next to one another, which the loop finds by a subtraction. Further ones are
// allocated one by one and found in a map.
const (
	nearMetas   = 4096
	nearTables  = 2048
	nearHandles = 16384
)

// records is one kind of static record.
type records struct {
	base  uint64         // address of record 0
	near  uint64         // records that have places
	index []int32        // table index by record number
	far   map[uint64]int // record number by address, past the near ones
}

// initRecords reserves the places of the near records.
func (m *Machine) initRecords() *Trap {
	if m.metas.base != 0 {
		return nil
	}
	for _, k := range []struct {
		r *records
		n uint64
	}{{&m.metas, nearMetas}, {&m.tables, nearTables}, {&m.handles, nearHandles}} {
		base, f := m.heap.AllocStatic(k.n*recordSize, recordSize)
		if f != nil {
			return m.fault(f)
		}
		k.r.base, k.r.near = base, k.n
	}
	return nil
}

// addRecord makes the record of a table index and returns its address.
func (m *Machine) addRecord(r *records, index int) (uint64, *Trap) {
	n := uint64(len(r.index))
	addr := r.base + n*recordSize
	if n >= r.near {
		a, f := m.heap.AllocStatic(recordSize, recordSize)
		if f != nil {
			return 0, m.fault(f)
		}
		if r.far == nil {
			r.far = map[uint64]int{}
		}
		addr, r.far[a] = a, int(n)
	}
	r.index = append(r.index, int32(index))
	m.heap.Store64(addr, uint64(index))
	return addr, nil
}

// number returns the record number of an address; ok is false when no record is there.
func (r *records) number(addr uint64) (n int, ok bool) {
	if k := addr - r.base; k&(recordSize-1) == 0 && k/recordSize < min(uint64(len(r.index)), r.near) {
		return int(k / recordSize), true
	}
	n, ok = r.far[addr]
	return n, ok
}

// metadata returns the address of the record of type i.
func (m *Machine) metadata(i int) (uint64, *Trap) {
	if i < 0 || i >= len(m.prog.Types) {
		return 0, m.internal("type index out of range")
	}
	ti := m.prog.Types[i]
	if ti.Addr == 0 {
		addr, t := m.addRecord(&m.metas, i)
		if t != nil {
			return 0, t
		}
		ti.Addr = addr
		var vt []uint32
		if ti.Class != nil {
			vt = make([]uint32, len(ti.Class.VTable))
		}
		m.vtables = append(m.vtables, vt)
	}
	return ti.Addr, nil
}

// typeOf returns the type that a metadata word stands for.
func (m *Machine) typeOf(meta uint64) (*code.TypeInfo, *Trap) {
	if n, ok := m.metas.number(meta); ok {
		return m.prog.Types[m.metas.index[n]], nil
	}
	return nil, m.badWord("type metadata", meta)
}

// typeOfObject returns the type whose metadata is the first word of the object at ref.
func (m *Machine) typeOfObject(ref uint64) (*code.TypeInfo, *Trap) {
	meta, ok := m.heap.Load64(ref)
	if !ok {
		return nil, m.badAddress(ref)
	}
	if n, ok := m.metas.number(meta); ok {
		return m.prog.Types[m.metas.index[n]], nil
	}
	if f := m.heap.CheckLive(ref); f != nil {
		return nil, m.fault(f)
	}
	return nil, m.badWord("type metadata", meta)
}

// tableAddr returns the address of the record of witness table i.
func (m *Machine) tableAddr(i int) (uint64, *Trap) {
	if i < 0 || i >= len(m.prog.Witnesses) {
		return 0, m.internal("witness table index out of range")
	}
	wt := m.prog.Witnesses[i]
	if wt.Addr == 0 {
		addr, t := m.addRecord(&m.tables, i)
		if t != nil {
			return 0, t
		}
		wt.Addr = addr
		m.wtables = append(m.wtables, make([]uint32, len(wt.Entries)))
	}
	return wt.Addr, nil
}

// tableOf returns the witness table that a word stands for, and its record number.
func (m *Machine) tableOf(word uint64) (*code.WitnessTable, int, *Trap) {
	if n, ok := m.tables.number(word); ok {
		return m.prog.Witnesses[m.tables.index[n]], n, nil
	}
	return nil, 0, m.badWord("witness table", word)
}

// handleOf returns the address of the record that stands for function i.
func (m *Machine) handleOf(i int) (uint64, *Trap) {
	if i < 0 || i >= len(m.prog.Funcs) {
		return 0, m.internal("function index out of range")
	}
	f := m.prog.Funcs[i]
	if f.Handle == 0 {
		addr, t := m.addRecord(&m.handles, i)
		if t != nil {
			return 0, t
		}
		f.Handle = addr
		m.handleEntry = append(m.handleEntry, f.Entry)
	}
	return f.Handle, nil
}

// funcOf returns the index of the function that a handle stands for, and its record number.
func (m *Machine) funcOf(handle uint64) (fi, n int, t *Trap) {
	if n, ok := m.handles.number(handle); ok {
		return int(m.handles.index[n]), n, nil
	}
	return 0, 0, m.badWord("function", handle)
}
