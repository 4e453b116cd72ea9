package vm

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Static records stand for what lives in Go's tables: type metadata, witness tables and functions. The address says which record it is.
// Those of witness tables and functions are 16 bytes in linear memory, the first word is the number of what they stand for: that is only
// for a reader of memory dumps, so that a program that overwrites a record hurts nothing. Those of types lie past all memory, see
// typeWord.
const (
	recordShift = 4
	recordSize  = 1 << recordShift
)

// How many records of each kind have places next to one another, which the engines find by a subtraction. Further tables and functions
// are allocated one by one and found in a map.
const (
	nearMetas   = 4096
	nearTables  = 2048
	nearHandles = 16384
)

// records is one kind of static record.
type records struct {
	base  uint64         // address of record 0
	near  uint64         // records that have places
	shift uint           // of their distance
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
		k.r.base, k.r.near, k.r.shift = base, k.n, recordShift
	}
	m.heap.NoteRemote(code.TypeBase, code.TypeShift, nearMetas, m.metas.base) // whose places are for notes only
	m.metas.base, m.metas.near, m.metas.shift = code.TypeBase, 1<<31, code.TypeShift
	return nil
}

// addRecord makes the record of a table index and returns its address.
func (m *Machine) addRecord(r *records, index int) (uint64, *Trap) {
	n := uint64(len(r.index))
	addr := r.base + n<<r.shift
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
	m.heap.Store64(addr, uint64(index)) // which does nothing past all memory
	return addr, nil
}

// number returns the record number of an address; ok is false when no record is there.
func (r *records) number(addr uint64) (n int, ok bool) {
	if k := addr - r.base; k&(1<<r.shift-1) == 0 && k>>r.shift < min(uint64(len(r.index)), r.near) {
		return int(k >> r.shift), true
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

// Type metadata lies past all memory, so what a program reads of it through a pointer comes here: the kind, the address of the value
// witness table before it, and of that table size, stride, flags and extra inhabitants (include/swift/ABI/Metadata.h and
// ValueWitness.def). The rest, and what is not known exactly, is refused.
const (
	typeBefore = 1 << (code.TypeShift - 1) // what belongs to a record before its address, in bytes

	offKind   = 0
	offTable  = -8
	tableAt   = 1024 // where the value witness table is said to lie
	offSize   = tableAt + 8*8
	offStride = offSize + 8
	offFlags  = offStride + 8 // 32 bits of flags, 32 of extra inhabitants
	offEnd    = offFlags + 8
)

// The flags of a value witness table (include/swift/ABI/MetadataValues.h).
const (
	flagNonPOD        = 0x10000
	flagNonInline     = 0x20000
	flagNonTakable    = 0x100000
	flagEnum          = 0x200000
	flagNonCopyable   = 0x800000
	flagNonBorrowable = 0x1000000
	flagAddressable   = 0x2000000 // for dependencies
)

// typeAround returns the type whose metadata an address would lie in, and how far from its start; nil when there is none.
func (m *Machine) typeAround(a uint64) (*code.TypeInfo, int) {
	k := a - code.TypeBase + typeBefore
	if n := k >> code.TypeShift; a >= code.TypeBase-typeBefore && n < uint64(len(m.metas.index)) {
		return m.prog.Types[m.metas.index[n]], int(k&(1<<code.TypeShift-1)) - typeBefore
	}
	return nil, 0
}

// metadataPart words an offset from the start of metadata.
func metadataPart(off int) string {
	switch {
	case off >= tableAt && off < offSize:
		return fmt.Sprintf("value witness %d", (off-tableAt)/8)
	case off >= offFlags && off < offEnd:
		return "the flags of its value witnesses"
	case off >= tableAt:
		return fmt.Sprintf("%d bytes into its value witnesses", off-tableAt)
	case off == offKind:
		return "its kind"
	case off < 0:
		return fmt.Sprintf("%d bytes before it", -off)
	}
	return fmt.Sprintf("%d bytes into it", off)
}

// loadTypeWord does the load that instruction in makes from a, where no memory is, when a is a word of type metadata.
func (m *Machine) loadTypeWord(in code.Inst, r *[windowSize]uint64, a uint64) *Trap {
	ti, off := m.typeAround(a)
	if ti != nil {
		word, known := m.typeWord(ti, off&^7)
		m.readsMetadata = true
		switch {
		case !known:
		case (in.Op == code.Load64 || in.Op == code.LoadX64) && off&7 == 0:
			r[in.A] = word
			return nil
		case (in.Op == code.Load32 || in.Op == code.LoadX32) && off&3 == 0:
			r[in.A] = word >> (off & 4 * 8) & (1<<32 - 1)
			return nil
		}
	}
	return m.badAddress(a)
}

// ReadsMetadata reports whether the program has read words of type metadata through a pointer, which ends a run by machine code.
func (m *Machine) ReadsMetadata() bool { return m.readsMetadata }

// typeWord returns the word at an offset from the start of metadata, if that is known.
func (m *Machine) typeWord(ti *code.TypeInfo, off int) (word uint64, known bool) {
	lay := ti.Layout
	if off == offTable {
		return ti.Addr + tableAt, true
	}
	if ti.Type == nil || ti.Object != nil {
		return 0, false
	}
	if off == offKind {
		return metadataKind(ti.Type)
	}
	if lay == nil {
		return 0, false
	}
	switch off {
	case offSize:
		return lay.Size, true
	case offStride:
		return lay.Stride, true
	case offFlags:
		return witnessFlags(lay, m.prog.Module.Release)
	}
	return 0, false
}

// metadataKind is the first word of the metadata of a type (include/swift/ABI/MetadataKind.def).
func metadataKind(t *ir.Type) (kind uint64, known bool) {
	switch t.Kind {
	case ir.KindTuple:
		return 0x301, true
	case ir.KindASTFunction:
		return 0x302, true
	case ir.KindExistential:
		for _, c := range t.Args {
			if len(c.Args) > 0 || c.Kind != ir.KindNominal { // of extended shape
				return 0, false
			}
		}
		return 0x303, true
	case ir.KindMetatype:
		return 0x304, true
	case ir.KindExistentialMetatype:
		return 0x306, true
	case ir.KindNominal:
		if t.IsOptional() {
			return 0x202, true
		}
		if t.Decl == nil {
			return 0, false
		}
		switch t.Decl.Kind {
		case ir.Struct:
			return 0x200, true
		case ir.Enum:
			return 0x201, true
		case ir.Class, ir.Actor:
			return 0, true
		}
	}
	return 0, false
}

// witnessFlags are the flags of a type's value witness table and, above them, the number of its extra inhabitants, as the runtime that came
// with a compiler has them.
func witnessFlags(lay *abi.Layout, release op.Version) (word uint64, known bool) {
	late := release >= op.Swift62
	made := lay.Type == nil || lay.Type.Kind != ir.KindNominal || len(lay.Type.Args) > 0 // by the runtime
	if !lay.BitwiseTakable && made && !(lay.IsRaw() && lay.Type.Parent == nil && lay.Type.Decl != nil && lay.Type.Decl.Module == "") {
		return 0, false
	}
	word = lay.Align - 1 | lay.Inhabitants()<<32
	for _, f := range []struct {
		is   bool
		flag uint64
	}{
		{!lay.Trivial, flagNonPOD},
		{lay.Size > 24 || lay.Align > 8 || !lay.BitwiseTakable && !lay.IsRaw(), flagNonInline},
		{!lay.BitwiseTakable && !lay.IsRaw(), flagNonTakable},
		{lay.Enum != nil && len(lay.Enum.Cases) > 0, flagEnum},
		{lay.MoveOnly && !made, flagNonCopyable},
		{lay.IsRaw() && (late || !made), flagNonBorrowable},
		{late && dependable(lay), flagAddressable},
	} {
		if f.is {
			word |= f.flag
		}
	}
	return word, true
}

// dependable reports whether values of the type hold one of those that the library, since 6.2, says may be depended on by address: that is
// a flag, too.
func dependable(lay *abi.Layout) bool {
	if t := lay.Type; t != nil && t.Kind == ir.KindNominal && t.Decl != nil && t.Decl.Module != "" || t != nil && t.Decl != nil && t.Decl.Builtin {
		switch t.Name {
		case "_StringGuts", "String", "InlineArray":
			return true
		}
	}
	for n := range lay.Fields {
		if dependable(lay.Fields[n].Layout) {
			return true
		}
	}
	if lay.Enum != nil {
		for _, c := range lay.Enum.Cases {
			if c.Payload != nil && dependable(c.Payload) {
				return true
			}
		}
	}
	return false
}
