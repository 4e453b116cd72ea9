package vm

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
)

// The storage of a dictionary or a set: stored properties, a bitmap of the buckets in use, the keys, and the values of a dictionary
// (stdlib/public/core/HashTable.swift, DictionaryStorage.swift, SetStorage.swift). vm/native has what else is done with them.
const (
	tableCount       = heap.HeaderSize      // Int
	tableScale       = heap.HeaderSize + 16 // Int8: log2 of the number of buckets
	tableKeys        = heap.HeaderSize + 32 // address
	tableValues      = heap.HeaderSize + 40
	setBitmap        = heap.HeaderSize + 40
	dictionaryBitmap = heap.HeaderSize + 48
	maxTableScale    = 40
)

// storedTable is the storage of a dictionary or a set, or the plan of one.
type storedTable struct {
	key, value     *abi.Layout // value is nil for a set
	bitmap         uint64      // offset
	buckets, words uint64      // words of the bitmap
}

// toTable casts a dictionary or a set element by element into new storage. Every key stays in its bucket: what two equal keys of
// different types have in common is their hash. It refuses casts of keys of which that is not so, if all of them can be cast
// (stdlib/public/core/DictionaryCasting.swift, SetCasting.swift).
func (c *caster) toTable(dst, src typed) (bool, *Trap) {
	m := c.m
	if t := c.fresh(dst, src); t != nil {
		return false, t
	}
	from, t := c.table(src.t)
	if t != nil {
		return false, t
	}
	to, t := c.table(dst.t)
	if t != nil {
		return false, t
	}
	old, t := m.load64(src.addr)
	if t != nil {
		return false, t
	}
	count, t := m.load64(old + tableCount)
	if t != nil {
		return false, t
	}
	if t := from.measure(m, old); t != nil {
		return false, t
	}
	to.buckets, to.words = from.buckets, from.words
	made := uint64(0)
	if !c.dry {
		if made, t = c.newTable(dst.t, to, old, from); t != nil {
			return false, t
		}
	}
	ok, t := c.buckets(typed{made, dst.t}, typed{old, src.t}, to, from)
	if !ok || t != nil {
		return false, t
	}
	if count > 0 && !c.hashesAlike(src.t.Args[0], dst.t.Args[0]) {
		return false, m.unsupported("cast from " + src.t.String() + " to " + dst.t.String())
	}
	t = c.store(dst.addr, made)
	return t == nil, t
}

// hashesAlike reports whether keys of one type have the hashes that they have as keys of the other: instances of classes, and what an
// AnyHashable holds as it is. Numbers other than Int's size are held in the form that all numbers share.
func (c *caster) hashesAlike(a, b *ir.Type) bool {
	if a == b {
		return true
	}
	mod := c.m.prog.Module
	if mod.IsClassType(a) && mod.IsClassType(b) {
		return true
	}
	if a.Known() == ir.KnownAnyHashable {
		a, b = b, a
	}
	if b.Known() != ir.KnownAnyHashable {
		return false
	}
	switch a.Known() {
	case ir.KnownInt, ir.KnownUInt, ir.KnownInt64, ir.KnownUInt64:
		return true
	}
	return !mod.Conforms(a, mod.Types.Nominal(nil, "_HasCustomAnyHashableRepresentation"))
}

// table describes the storage of a type of dictionary or set.
func (c *caster) table(t *ir.Type) (s storedTable, trap *Trap) {
	if s.key, trap = c.layout(t.Args[0]); trap != nil {
		return s, trap
	}
	s.bitmap = setBitmap
	if len(t.Args) == 2 {
		s.bitmap = dictionaryBitmap
		s.value, trap = c.layout(t.Args[1])
	}
	return s, trap
}

// measure reads the size of the storage at ref.
func (s *storedTable) measure(m *Machine, ref uint64) *Trap {
	scale, ok := m.heap.View(ref+tableScale, 1)
	if !ok || scale[0] > maxTableScale {
		return m.badAddress(ref)
	}
	s.buckets = 1 << scale[0]
	s.words = (s.buckets + 63) / 64
	if _, ok := m.heap.View(ref, s.bitmap+8*s.words); !ok {
		return m.badAddress(ref)
	}
	return nil
}

// newTable makes storage with the buckets that old has, as full and as seeded; the elements are not initialized yet.
func (c *caster) newTable(t *ir.Type, s storedTable, old uint64, from storedTable) (uint64, *Trap) {
	m := c.m
	name := "_SetStorage"
	if s.value != nil {
		name = "_DictionaryStorage"
	}
	meta, trap := m.metadataOf(m.prog.Module.Canonical(m.prog.Module.Types.Nominal(nil, name, t.Args...)))
	if trap != nil {
		return 0, trap
	}
	keys := alignTo(s.bitmap+8*s.words, s.key.Align)
	size, align, values := keys+s.buckets*s.key.Stride, max(16, s.key.Align), uint64(0)
	if s.value != nil {
		values = alignTo(size, s.value.Align)
		size, align = values+s.buckets*s.value.Stride, max(align, s.value.Align)
	}
	var ref uint64
	if trap := m.newObject(&ref, meta, size, align); trap != nil {
		return 0, trap
	}
	if trap := m.copyMemory(ref+heap.HeaderSize, old+heap.HeaderSize, tableKeys-heap.HeaderSize); trap != nil {
		return 0, trap
	}
	if trap := m.copyMemory(ref+s.bitmap, old+from.bitmap, 8*s.words); trap != nil {
		return 0, trap
	}
	if trap := c.store(ref+tableKeys, ref+keys); trap != nil || s.value == nil {
		return ref, trap
	}
	return ref, c.store(ref+tableValues, ref+values)
}

func alignTo(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }

// buckets casts what the buckets in use hold.
func (c *caster) buckets(dst, src typed, to, from storedTable) (bool, *Trap) {
	m, work := c.m, c.work
	for n := range from.buckets {
		word, t := m.load64(src.addr + from.bitmap + n>>6<<3)
		if t != nil {
			return false, t
		}
		if word>>(n&63)&1 == 0 {
			continue
		}
		c.work = work
		if ok, t := c.part(dst, src, tableKeys, 0, n, to.key, from.key); !ok || t != nil {
			return false, t
		}
		if from.value == nil {
			continue
		}
		if ok, t := c.part(dst, src, tableValues, 1, n, to.value, from.value); !ok || t != nil {
			return false, t
		}
	}
	return true, nil
}

// part casts the key or the value in bucket n; at is where the storage keeps the address of the first.
func (c *caster) part(dst, src typed, at uint64, arg int, n uint64, to, from *abi.Layout) (bool, *Trap) {
	start, t := c.m.load64(src.addr + at)
	if t != nil {
		return false, t
	}
	room := uint64(0)
	if !c.dry {
		if room, t = c.m.load64(dst.addr + at); t != nil {
			return false, t
		}
	}
	return c.cast(typed{room + n*to.Stride, dst.t.Args[arg]}, typed{start + n*from.Stride, src.t.Args[arg]})
}
