package vm

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// NoteAt returns a note about a place of the program.
func (m *Machine) NoteAt(text string, p Place) source.Note { return placeNote(false, text, p) }

// maxNamed is how many references of a long chain are named, half of them at each end.
const maxNamed = 16

// Chain words references that lead one to the next, those in the middle of a long chain left out: "A#1.next -> A#2.next -> ". The storage of
// a collection that a property holds is no link of its own: "A#1.all[2] -> ".
func (m *Machine) Chain(edges []heap.Edge) string {
	var b strings.Builder
	left := max(len(edges)-maxNamed, 0)
	cut := func(n int) bool { return n >= maxNamed/2 && n < maxNamed/2+left }
	for n, e := range edges {
		if cut(n) {
			if n == maxNamed/2 {
				fmt.Fprintf(&b, "… %d more … -> ", left)
			}
			continue
		}
		switch {
		case n > 0 && !cut(n-1) && m.isHeldStorage(edges[n-1], e):
			o, _ := m.heap.Object(e.From)
			b.WriteString(m.FieldAt(o, e.Slot))
		default:
			b.WriteString(m.EdgeName(e))
		}
		if n+1 == len(edges) || !m.isHeldStorage(e, edges[n+1]) || cut(n+1) {
			b.WriteString(" -> ")
		}
	}
	return b.String()
}

// isHeldStorage reports whether a reference, which leads on by another one, is what a property of the program, or an element of such storage,
// holds a collection's storage by.
func (m *Machine) isHeldStorage(by, on heap.Edge) bool {
	holder, ok := m.heap.Object(by.From)
	storage, ok2 := m.heap.Object(on.From)
	return ok && ok2 && by.To == on.From && m.IsStorage(storage) && m.FieldAt(holder, by.Slot) != ""
}

// FieldAt names the stored property of an object in which a reference lies: ".next".
func (m *Machine) FieldAt(o heap.ObjectInfo, slot heap.Addr) string { return m.pathTo(o, slot, false) }

// PlaceIn names what lies at an address of an object: "Node#2.next", the object itself where that is not known.
func (m *Machine) PlaceIn(o heap.ObjectInfo, at heap.Addr) string {
	return m.ObjectName(o) + m.pathTo(o, at, true)
}

// pathTo names the property or element of an object at an address; with whole that is the largest one that begins there.
func (m *Machine) pathTo(o heap.ObjectInfo, at heap.Addr, whole bool) string {
	if t := m.TypeAt(o.Metadata); t != nil && t.Class != nil {
		if f := t.Class.FieldAt(at - o.Ref); f != nil {
			return "." + ir.PropertyName(f.Name) + m.partAt(f.Layout, at-o.Ref-f.Offset, whole)
		}
		return m.elementAt(t, at-o.Ref, whole)
	}
	return ""
}

// elementAt names the element of an array's storage at an offset: "[2]".
func (m *Machine) elementAt(t *code.TypeInfo, off uint64, whole bool) string {
	lay := m.elementOf(t)
	if lay == nil || lay.Stride == 0 {
		return ""
	}
	at := arrayStart(lay.Align)
	if off < at {
		return ""
	}
	return fmt.Sprintf("[%d]", (off-at)/lay.Stride) + m.partAt(lay, (off-at)%lay.Stride, whole)
}

// partAt names the part of a value at an offset, as far as the program's own types and tuples say it: ".owner.0". With whole it is the
// largest one that begins there.
func (m *Machine) partAt(l *abi.Layout, off uint64, whole bool) string {
	for path := ""; ; {
		l = l.Unwrapped()
		if whole && off == 0 || l.Type == nil || l.Type.Kind != ir.KindTuple && !m.isOwn(l.Type) {
			return path
		}
		n := slices.IndexFunc(l.Fields, func(f abi.Field) bool { return off >= f.Offset && off-f.Offset < f.Layout.Size })
		if n < 0 {
			return path
		}
		f := l.Fields[n]
		path += "." + cmp.Or(ir.PropertyName(f.Name), strconv.Itoa(n))
		l, off = f.Layout, off-f.Offset
	}
}

// isOwn reports whether a type is the program's, not a library's.
func (m *Machine) isOwn(t *ir.Type) bool {
	if t.Kind != ir.KindNominal {
		return false
	}
	n := m.prog.Module.Nominals[t.QualifiedName()]
	return n != nil && !n.Builtin && n.Module != "Swift" && !strings.HasPrefix(n.Module, "_")
}

// elementOf is the layout of the elements of an array's storage, nil of any other object (stdlib/public/core/ContiguousArrayBuffer.swift).
func (m *Machine) elementOf(t *code.TypeInfo) *abi.Layout {
	if t.Type == nil || t.Type.Known() != ir.KnownContiguousArrayStorage || len(t.Type.Args) != 1 {
		return nil
	}
	lay, err := m.prog.Layouts.Of(t.Type.Args[0])
	if err != nil {
		return nil
	}
	return lay
}

// EdgeName names a reference by its holder and field: "Node#2.next".
func (m *Machine) EdgeName(e heap.Edge) string {
	o, ok := m.heap.Object(e.From)
	if !ok {
		return ""
	}
	return m.ObjectName(o) + m.FieldAt(o, e.Slot)
}
