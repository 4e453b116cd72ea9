package vm

import (
	"fmt"

	"silvm/heap"
	"silvm/ir/source"
	"silvm/vm/code"
)

// Leaks finds the objects that are alive and that nothing living until the end of the program refers to: globals and other
// static memory are the roots. Each leak is an object, or a ring of objects that hold each other.
func (m *Machine) Leaks() []heap.Leak {
	return heap.Leaks(m.heap, m.roots(), m.refsOf)
}

// roots lists the words of static memory that may be references.
func (m *Machine) roots() []heap.Addr {
	var out []heap.Addr
	for _, g := range m.prog.Globals {
		if g.Addr == 0 {
			continue
		}
		size := g.Layout.Size
		if g.Image != nil {
			size = max(size, uint64(len(g.Image.Bytes)))
		}
		m.words(g.Addr, size, func(_, target heap.Addr) { out = append(out, target) })
	}
	return out
}

// refsOf tells the references that a block holds: every word of it that could be one, with tag bits taken off.
func (m *Machine) refsOf(o heap.ObjectInfo, yield func(slot, target heap.Addr)) {
	start, size := o.Ref, o.Size
	if o.Kind == heap.KindObject && size > heap.HeaderSize {
		start, size = start+heap.HeaderSize, size-heap.HeaderSize
	}
	m.words(start, size, yield)
}

// tagBits are the bits of a reference in which enums keep their case (lib/IRGen, spare bits of native references).
const tagBits = 0xFF00000000000007

// words yields the words from start on that are not small numbers.
func (m *Machine) words(start, size uint64, yield func(slot, target heap.Addr)) {
	for at := (start + 7) &^ 7; at+8 <= start+size; at += 8 {
		if w, ok := m.heap.Load64(at); ok {
			if w &^= tagBits; w >= heap.Base {
				yield(at, w)
			}
		}
	}
}

// LeakDiagnostics words the leaks.
func (m *Machine) LeakDiagnostics() []source.Diagnostic {
	var out []source.Diagnostic
	for _, l := range m.Leaks() {
		if len(l.Objects) == 0 || l.Held {
			continue
		}
		first := l.Objects[0]
		if first.Kind != heap.KindObject {
			continue
		}
		place := m.place(first.AllocSite)
		d := source.Diagnostic{Code: "SV0301", Severity: source.Warning, Pos: place.Pos, Len: source.Whole, Swift: swiftPlace(place.Inst), In: funcName(place)}
		d.Msg = m.ObjectName(first) + " was never freed"
		if strong, _, _, _, ok := m.heap.Counts(first.Ref); ok {
			d.Msg += fmt.Sprintf(" (%d strong references at exit)", strong)
		}
		if len(l.Cycle) > 0 {
			d.Code = "SV0302"
			d.Msg = "strong references in a ring: " + m.ring(l)
		}
		out = append(out, d)
	}
	return out
}

// ring names the objects of a cycle with the fields that hold the next one.
func (m *Machine) ring(l heap.Leak) string {
	text := ""
	for _, e := range l.Cycle {
		o, ok := m.heap.Object(e.From)
		if !ok {
			continue
		}
		text += m.ObjectName(o) + m.fieldAt(o, e.Slot) + " -> "
	}
	if o, ok := m.heap.Object(l.Cycle[0].From); ok {
		text += m.ObjectName(o)
	}
	return text
}

// fieldAt names the stored property of an object at an address: ".next".
func (m *Machine) fieldAt(o heap.ObjectInfo, slot heap.Addr) string {
	n, ok := m.metas.number(o.Metadata)
	if !ok {
		return ""
	}
	c := m.prog.Types[m.metas.index[n]].Class
	if c == nil {
		return ""
	}
	return fieldOf(c, slot-o.Ref)
}

func fieldOf(c *code.Class, off uint64) string {
	for _, f := range c.Layout.Fields {
		if off >= f.Offset && off < f.Offset+max(f.Layout.Size, 1) {
			return "." + f.Name
		}
	}
	return ""
}
