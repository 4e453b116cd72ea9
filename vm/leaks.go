package vm

import (
	"fmt"
	"strings"

	"silvm/heap"
	"silvm/ir/source"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Leaks finds the objects that are alive and that nothing living until the end of the program refers to: globals and other
// static memory are the roots. Each leak is an object, or a ring of objects that hold each other.
func (m *Machine) Leaks() []heap.Leak {
	return heap.Leaks(m.heap, m.roots(), m.references)
}

// LeakDiagnostics words the leaks that nothing else holds.
func (m *Machine) LeakDiagnostics() []source.Diagnostic {
	var out []source.Diagnostic
	for _, l := range m.Leaks() {
		if d := m.LeakDiagnostic(l); d != nil {
			out = append(out, *d)
		}
	}
	return out
}

// LeakDiagnostic words one leak; nil for one that another holds, and for raw memory.
func (m *Machine) LeakDiagnostic(l heap.Leak) *source.Diagnostic {
	if len(l.Objects) == 0 || l.Held || l.Objects[0].Kind != heap.KindObject {
		return nil
	}
	first := l.Objects[0]
	place := m.place(first.AllocSite)
	d := &source.Diagnostic{Code: "SV0301", Severity: source.Warning, Pos: place.Pos, Len: source.Whole, Swift: place.Inst.SwiftPlace(), In: funcName(place)}
	d.Msg = m.ObjectName(first) + " was never freed"
	if strong, _, _, _, ok := m.heap.Counts(first.Ref); ok {
		d.Msg += fmt.Sprintf(" (%d strong references at exit)", strong)
	}
	if len(l.Cycle) > 0 {
		d.Code = "SV0302"
		d.Msg = "strong references in a ring: " + m.ring(l)
		for n, r := range m.Rings(l) {
			if n > 0 {
				d.Notes = append(d.Notes, source.Note{Msg: "another ring among the same objects: " + m.ring(r)})
			}
			if e, ok := m.Weaken(r); ok {
				d.Notes = append(d.Notes, source.Note{Help: true, Msg: m.weakenText(e)})
			}
		}
	}
	return d
}

// NoteAt gives a note about a place of the program.
func (m *Machine) NoteAt(text string, p Place) source.Note { return placeNote(false, text, p) }

// maxNamed is how many references of a long chain are named, half of them at each end.
const maxNamed = 16

// Chain words references that lead one to the next, those in the middle of a long chain left out: "A#1.next -> A#2.next -> ".
func (m *Machine) Chain(edges []heap.Edge) string {
	var b strings.Builder
	for n, e := range edges {
		if left := len(edges) - maxNamed; n >= maxNamed/2 && n < maxNamed/2+left {
			if n == maxNamed/2 {
				fmt.Fprintf(&b, "… %d more … -> ", left)
			}
			continue
		}
		b.WriteString(m.EdgeName(e) + " -> ")
	}
	return b.String()
}

// ring names the objects of a cycle with the fields that hold the next one.
func (m *Machine) ring(l heap.Leak) string {
	text := m.Chain(l.Cycle)
	if o, ok := m.heap.Object(l.Cycle[0].From); ok {
		text += m.ObjectName(o)
	}
	return text
}

// fieldAt names the stored property of an object at an address: ".next".
func (m *Machine) fieldAt(o heap.ObjectInfo, slot heap.Addr) string {
	if t := m.TypeAt(o.Metadata); t != nil && t.Class != nil {
		if f := fieldOf(t.Class, slot-o.Ref); f != nil {
			return "." + f.Name
		}
		return m.elementAt(t, slot-o.Ref)
	}
	return ""
}

// elementAt names the element of an array's storage at an offset: "[2]".
func (m *Machine) elementAt(t *code.TypeInfo, off uint64) string {
	const first = heap.HeaderSize + 16 // behind count and capacity (stdlib/public/core/ContiguousArrayBuffer.swift)
	if t.Type == nil || t.Type.Name != "_ContiguousArrayStorage" || len(t.Type.Args) != 1 {
		return ""
	}
	lay, err := m.prog.Layouts.Of(t.Type.Args[0])
	if err != nil || lay.Stride == 0 {
		return ""
	}
	at := (first + lay.Align - 1) &^ (lay.Align - 1)
	if off < at {
		return ""
	}
	return fmt.Sprintf("[%d]", (off-at)/lay.Stride)
}

// fieldOf gives the stored property at an offset, nil where there is none.
func fieldOf(c *code.Class, off uint64) *abi.ClassField {
	for n := range c.Layout.Fields {
		if f := &c.Layout.Fields[n]; off >= f.Offset && off < f.Offset+max(f.Layout.Size, 1) {
			return f
		}
	}
	return nil
}

// Weaken proposes the reference of a ring that should be weak or unowned: what a closure captured, else one that leads back to an
// object older than its holder, for children are made after their parents. ok is false when l is no ring.
func (m *Machine) Weaken(l heap.Leak) (edge heap.Edge, ok bool) {
	best := -1
	for _, e := range l.Cycle {
		from, ok1 := m.heap.Object(e.From)
		to, ok2 := m.heap.Object(e.To)
		if !ok1 || !ok2 {
			continue
		}
		score := 0
		t := m.TypeAt(from.Metadata)
		switch {
		case t != nil && t.Class == nil && t.Object != nil:
			score = 3 // a closure context or a box
		case t == nil || t.Class == nil || fieldOf(t.Class, e.Slot-from.Ref) == nil:
			// an element of an array, which can't be declared weak
		case from.Serial > to.Serial:
			score = 2
		default:
			score = 1
		}
		if score > best {
			best, edge = score, e
		}
	}
	return edge, best >= 0
}

// weakenText words the proposal.
func (m *Machine) weakenText(e heap.Edge) string { return m.Advice(e) + " would break the ring" }

// Advice says what should become of a reference that closes a ring: of a field, of what a closure captured, of what a collection
// holds.
func (m *Machine) Advice(e heap.Edge) string {
	o, ok := m.heap.Object(e.From)
	if !ok {
		return "a weak reference"
	}
	t := m.TypeAt(o.Metadata)
	if t != nil && t.Class == nil && t.Object != nil {
		return "what " + m.ObjectName(o) + " refers to, captured weak or unowned,"
	}
	if t != nil && t.Class != nil {
		if f := fieldOf(t.Class, e.Slot-o.Ref); f != nil && strings.Contains(f.Layout.Type.String(), "->") {
			return "a closure in " + m.EdgeName(e) + " that captures weak or unowned"
		}
	}
	if to, ok := m.heap.Object(e.To); ok && m.isStorage(o) != m.isStorage(to) {
		return "what " + m.EdgeName(e) + " holds, kept in weak boxes or taken out when it is done with,"
	}
	return "a weak or unowned " + m.EdgeName(e)
}

// isStorage says whether an object is where a collection of the library keeps its elements.
func (m *Machine) isStorage(o heap.ObjectInfo) bool {
	t := m.TypeAt(o.Metadata)
	if t == nil || t.Type == nil {
		return false
	}
	switch t.Type.Name {
	case "_ContiguousArrayStorage", "_DictionaryStorage", "_SetStorage":
		return true
	}
	return false
}

// EdgeName names a reference by its holder and field: "Node#2.next".
func (m *Machine) EdgeName(e heap.Edge) string {
	o, ok := m.heap.Object(e.From)
	if !ok {
		return ""
	}
	return m.ObjectName(o) + m.fieldAt(o, e.Slot)
}
