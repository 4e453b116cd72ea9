package vm

import (
	"silvm/ir"
	"silvm/vm/abi"
)

// The casts to types of the standard library that hold other values.

// toAnyHashable boxes a value whose type is Hashable. An instance is boxed as the class that declares the conformance, so that it equals
// instances of other subclasses; of an Optional, what is inside, if anything is (stdlib/public/core/AnyHashable.swift).
func (c *caster) toAnyHashable(dst, src typed) (bool, *Trap) {
	m := c.m
	if src.t.Kind == ir.KindExistential {
		return false, nil
	}
	if src.t.IsOptional() {
		if _, some, t := c.inside(src); some || t != nil {
			return false, t
		}
	}
	mod, ts := m.prog.Module, m.prog.Module.Types
	hashable := ts.Nominal(nil, "Hashable")
	if !mod.Conforms(src.t, hashable) {
		return false, nil
	}
	base := mod.ConformanceBase(src.t, hashable)
	box := m.anyHashableBox(base)
	words, ok, t := c.tables(box, []*ir.Type{ts.Nominal(nil, "_AnyHashableBox")})
	if t != nil {
		return false, t
	}
	if !ok {
		return false, m.unsupported("cast from " + src.t.String() + " to AnyHashable")
	}
	t = c.makeOpaque(dst, typed{src.addr, box}, words)
	return t == nil, t
}

// anyHashableBoxes are the boxes of the types that have one of their own: those that conform to _HasCustomAnyHashableRepresentation. Of the
// integers these are the ones of at most a word; the box of all of them is generic.
var anyHashableBoxes = map[ir.Known]string{
	ir.KnownInt: integerBox, ir.KnownInt8: integerBox, ir.KnownInt16: integerBox, ir.KnownInt32: integerBox, ir.KnownInt64: integerBox,
	ir.KnownUInt: integerBox, ir.KnownUInt8: integerBox, ir.KnownUInt16: integerBox, ir.KnownUInt32: integerBox, ir.KnownUInt64: integerBox,
	ir.KnownDouble: "_DoubleAnyHashableBox", ir.KnownFloat: "_FloatAnyHashableBox", ir.KnownFloat80: "_Float80AnyHashableBox",
}

const integerBox = "_IntegerAnyHashableBox"

// anyHashableBox returns the type of the box in which an AnyHashable keeps values of a type: what it stores first is the value
// (stdlib/public/core/AnyHashable.swift).
func (m *Machine) anyHashableBox(t *ir.Type) *ir.Type {
	mod := m.prog.Module
	switch name := anyHashableBoxes[t.Known()]; name {
	case "":
		return mod.Canonical(mod.Types.Nominal(nil, "_ConcreteHashableBox", t))
	case integerBox:
		return mod.Canonical(mod.Types.Nominal(nil, name, t))
	default:
		return mod.Canonical(mod.Types.Nominal(nil, name))
	}
}

// toArray casts element by element into a new array; an empty one casts to any type.
func (c *caster) toArray(dst, src typed) (bool, *Trap) {
	m := c.m
	storage, t := m.load64(src.addr)
	if t != nil {
		return false, t
	}
	count, t := m.load64(storage + abi.HeaderSize)
	if t != nil {
		return false, t
	}
	from, t := c.layout(src.t.Args[0])
	if t != nil {
		return false, t
	}
	to, t := c.layout(dst.t.Args[0])
	if t != nil {
		return false, t
	}
	if t := c.fresh(dst, src); t != nil {
		return false, t
	}
	if _, ok := m.heap.View(storage, arrayStart(from.Align)+count*from.Stride); !ok || count > 1<<40 {
		return false, m.badAddress(storage)
	}
	fresh := uint64(0)
	if !c.dry {
		if fresh, t = c.newArray(dst.t.Args[0], to, count); t != nil {
			return false, t
		}
	}
	work := c.work
	for n := range count {
		c.work = work
		d := typed{fresh + arrayStart(to.Align) + n*to.Stride, dst.t.Args[0]}
		s := typed{storage + arrayStart(from.Align) + n*from.Stride, src.t.Args[0]}
		if ok, t := c.cast(d, s); !ok || t != nil {
			return false, t
		}
	}
	t = c.store(dst.addr, fresh)
	return t == nil, t
}

// arrayStart is where the elements of an array's storage start: after header, count and capacity.
func arrayStart(align uint64) uint64 {
	const start = abi.HeaderSize + 16
	return (start + align - 1) &^ (align - 1)
}

// newArray makes the storage of an array of count elements, which are not initialized yet. Storage of instances of classes has the type of
// storage of AnyObject; capacity is all that fits the block that malloc returns (stdlib/public/core/ContiguousArrayBuffer.swift).
func (c *caster) newArray(elem *ir.Type, lay *abi.Layout, count uint64) (uint64, *Trap) {
	m := c.m
	ts := m.prog.Module.Types
	if elem.Kind == ir.KindNominal && m.prog.Module.IsClassType(elem) {
		elem = ts.AnyObject()
	}
	meta, t := m.metadataOf(m.prog.Module.Canonical(ts.Nominal(nil, "_ContiguousArrayStorage", elem)))
	if t != nil {
		return 0, t
	}
	start := arrayStart(lay.Align)
	size := start + count*lay.Stride
	usable := max(24, (size+8+15)&^15-8)
	var ref uint64
	if t := m.newObject(&ref, meta, usable, lay.Align); t != nil {
		return 0, t
	}
	t = c.store(ref+abi.HeaderSize, count, (usable-start)/lay.Stride<<1)
	return ref, t
}
