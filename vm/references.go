package vm

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
	"strings"
)

// What keeps what alive: the strong references in a block, found by the layout of its type where there is one. Pointers to objects and weak
// references are none (but see pointers), an unowned one counts once its object was deinited. Memory whose type is not known (raw memory, tail elements, payloads of enums with several) is
// searched word by word: a word that has the address of a block there counts as a reference.

// references tells the references that a block holds.
func (m *Machine) references(o heap.ObjectInfo, yield func(slot, target heap.Addr)) {
	if o.Kind != heap.KindObject {
		m.words(o.Ref, o.Size, yield)
		return
	}
	if o.State == heap.Deinited {
		return // what its fields held was released; the words are left over
	}
	known, end := uint64(heap.HeaderSize), o.Size
	if t := m.TypeAt(o.Metadata); t != nil {
		switch {
		case t.Class != nil:
			for _, f := range t.Class.Layout.Fields {
				m.within(f.Layout, o.Ref+f.Offset, yield)
			}
			known = t.Class.Layout.Size
			if end > known { // tail elements: the library uses what the allocator returned, not what it asked for
				end = min(max(end, m.heap.UsableSize(o.Ref)), m.elementsEnd(o, t, known))
			}
		case t.Object != nil:
			for _, f := range t.Object.Fields {
				m.within(f.Layout, o.Ref+f.Offset, yield)
			}
			known = o.Size
		}
	}
	if end <= known {
		return
	}
	if t := m.TypeAt(o.Metadata); t != nil && t.Class != nil {
		if m.withinTable(o, t, yield) {
			return
		}
		if lay := m.elementOf(t); lay != nil && lay.Stride > 0 && m.elementsEnd(o, t, known) == end {
			for at := arrayStart(lay.Align); at+lay.Stride <= end; at += lay.Stride {
				m.within(lay, o.Ref+at, yield)
			}
			return
		}
	}
	m.words(o.Ref+known, end-known, yield)
}

// elementsEnd is where the elements of an array's storage end at the latest, as an offset: what follows them in its capacity was
// moved or destroyed. Of other objects it is no bound.
func (m *Machine) elementsEnd(o heap.ObjectInfo, t *code.TypeInfo, known uint64) uint64 {
	for _, f := range t.Class.Layout.Fields {
		if f.Name != "countAndCapacity" {
			continue
		}
		count, ok1 := m.heap.Load64(o.Ref + f.Offset)
		flags, ok2 := m.heap.Load64(o.Ref + f.Offset + 8)
		capacity := flags >> 1
		if !ok1 || !ok2 || capacity == 0 || count > capacity {
			break // not initialized yet
		}
		if lay := m.elementOf(t); lay != nil {
			return arrayStart(lay.Align) + count*lay.Stride
		}
		first := (known + 15) &^ 15 // aligned for any element
		all := max(o.Size, m.heap.UsableSize(o.Ref))
		if all < first {
			break
		}
		return first + count*((all-known)/capacity) // an element takes at most that much
	}
	return ^uint64(0)
}

// maxScale is the largest binary logarithm of a number of buckets that is believed.
const maxScale = 40

// withinTable tells the references in the buckets in use of the storage of a dictionary or a set, and reports whether an object is one. What
// lies in other buckets was moved or destroyed, or never written (stdlib/public/core/DictionaryStorage.swift, SetStorage.swift).
func (m *Machine) withinTable(o heap.ObjectInfo, t *code.TypeInfo, yield func(slot, target heap.Addr)) bool {
	if t.Type == nil || t.Type.Known() != ir.KnownDictionaryStorage && t.Type.Known() != ir.KnownSetStorage {
		return false
	}
	at := map[string]heap.Addr{}
	for c := t.Class; c != nil; c = c.Super {
		for _, f := range c.Layout.Fields {
			at[f.Name] = o.Ref + f.Offset
		}
	}
	columns := []string{"_rawElements"}
	if len(t.Type.Args) == 2 {
		columns = []string{"_rawKeys", "_rawValues"}
	}
	if len(t.Type.Args) != len(columns) || at["_scale"] == 0 {
		return false
	}
	scale, _ := m.heap.Load8(at["_scale"])
	end := o.Ref + max(o.Size, m.heap.UsableSize(o.Ref))
	bitmap := o.Ref + (t.Class.Layout.Size+7)&^7
	if scale > maxScale {
		return true // not initialized yet
	}
	for n, name := range columns {
		lay, err := m.prog.Layouts.Of(t.Type.Args[n])
		first, ok := m.heap.Load64(at[name])
		if err != nil || lay.Trivial {
			continue
		}
		if !ok || first < bitmap || first > end || lay.Stride<<scale > end-first {
			return true // not initialized yet
		}
		for bucket := uint64(0); bucket < 1<<scale; bucket++ {
			if word, ok := m.heap.Load64(bitmap + bucket>>6<<3); ok && word>>(bucket&63)&1 != 0 {
				m.within(lay, first+bucket*lay.Stride, yield)
			}
		}
	}
	return true
}

// within tells the references in a value at an address.
func (m *Machine) within(lay *abi.Layout, at heap.Addr, yield func(slot, target heap.Addr)) {
	switch {
	case lay.IsWeak():
	case lay.IsOpaque():
		m.withinExistential(at, yield)
	case len(lay.Fields) > 0:
		for _, f := range lay.Fields {
			m.within(f.Layout, at+f.Offset, yield)
		}
	case lay.AddressOnly:
		m.words(at, lay.Size, yield)
	default:
		for _, s := range lay.Scalars {
			if mayHold[s.Kind] && s.Width == abi.PointerSize {
				m.words(at+s.Offset, abi.PointerSize, func(slot, target heap.Addr) {
					if m.holds(s.Kind, target) {
						yield(slot, target)
					}
				})
			}
		}
	}
}

// mayHold are the kinds of scalars that can keep a block.
var mayHold = map[abi.ScalarKind]bool{abi.ScalarStrong: true, abi.ScalarChunk: true, abi.ScalarRaw: true, abi.ScalarUnowned: true}

// holds reports whether a scalar of a kind keeps the block that a word points into. An address without owner is the only way to raw
// memory, and keeps no object. An unowned reference keeps what is left of an object after its deinit.
func (m *Machine) holds(kind abi.ScalarKind, target heap.Addr) bool {
	if kind != abi.ScalarRaw && kind != abi.ScalarUnowned {
		return true
	}
	o, ok := m.heap.BlockContaining(target)
	switch {
	case !ok:
		return false
	case kind == abi.ScalarUnowned:
		return o.State == heap.Deinited
	case o.Kind != heap.KindObject:
		return true
	}
	return o.Ref == target && m.pointerKeeps(target)
}

// pointers says which objects a pointer keeps when the run has ended: those with more strong references than there are in memory, which
// somebody left to it (Unmanaged.passRetained). While the run goes on its calls may own what is missing.
type pointers struct {
	kept    map[heap.Addr]bool // nil before it was found out
	finding map[heap.Addr]bool // objects with pointers to them, while they are looked for
}

// pointerKeeps reports whether a pointer to an object, which is no reference, is one of those.
func (m *Machine) pointerKeeps(target heap.Addr) bool {
	p := &m.pointers
	switch {
	case !m.ended:
		return false
	case p.finding != nil:
		p.finding[target] = true
		return false
	case p.kept == nil:
		m.findKept()
	}
	return p.kept[target]
}

// findKept finds the objects that pointers keep.
func (m *Machine) findKept() {
	p := &m.pointers
	all := func(yield func(slot, target heap.Addr)) {
		m.heap.Live(func(o heap.ObjectInfo) bool {
			m.references(o, yield)
			return true
		})
		for _, g := range m.prog.Globals {
			m.ReferencesOf(g, yield)
		}
	}
	p.finding = map[heap.Addr]bool{}
	all(func(_, _ heap.Addr) {})
	held := map[heap.Addr]uint64{}
	all(func(_, target heap.Addr) {
		if p.finding[target] {
			held[target]++
		}
	})
	p.kept = map[heap.Addr]bool{}
	for target := range p.finding {
		strong, _, _, state, ok := m.heap.Counts(target)
		p.kept[target] = ok && state == heap.Live && strong > held[target]
	}
	p.finding = nil
}

// withinExistential tells the references in an opaque existential: in the value that its buffer holds, or to the box.
func (m *Machine) withinExistential(at heap.Addr, yield func(slot, target heap.Addr)) {
	word, ok := m.heap.Load64(at + abi.BufferSize)
	if !ok {
		return
	}
	if t := m.TypeAt(word); t != nil && t.Layout != nil && t.Layout.IsInline() {
		m.within(t.Layout, at, yield)
		return
	}
	m.words(at, abi.BufferSize, yield)
}

// Roots lists the references in static memory and, when the program ended inside of calls (exit), all words of their frames:
// what those refer to was in use.
func (m *Machine) Roots() []heap.Addr {
	var out []heap.Addr
	add := func(_, target heap.Addr) { out = append(out, target) }
	for _, g := range m.prog.Globals {
		m.ReferencesOf(g, add)
	}
	m.Frames(func(f Frame) bool {
		for _, w := range f.Regs[min(1, len(f.Regs)):] {
			out = append(out, w&^tagBits)
		}
		return true
	})
	m.taskRoots(add)
	return out
}

// taskRoots tells what the tasks hold that have not ended: their objects, and, of those that wait, what their frames may refer to. What the
// running code holds at exit is no excuse for it.
func (m *Machine) taskRoots(add func(slot, target heap.Addr)) {
	for k := range m.sched.fibers {
		if m.sched.fibers[k].state != fiberEnded {
			m.heldBy(k, false, add)
		}
	}
}

// heldBy tells what the task on a fiber holds, with the errors that its continuations were resumed with; of what the main thread refers to
// while it waits only if that is wanted.
func (m *Machine) heldBy(k int, main bool, add func(slot, target heap.Addr)) {
	f := &m.sched.fibers[k]
	add(0, f.task)
	add(0, f.locals)
	for n := range m.sched.conts {
		if c := &m.sched.conts[n]; c.fiber == k && c.err != 0 {
			add(0, c.err) // its await has yet to come
		}
	}
	if k == m.sched.current || f.number == 0 && !main {
		return
	}
	for _, w := range f.stack {
		add(0, w)
	}
	for n, c := range f.chunks[:min(f.chunk+1, len(f.chunks))] {
		end := f.sp
		if n < f.chunk {
			end = c.sp
		}
		if end > c.start {
			m.words(c.start, end-c.start, add)
		}
	}
}

// HeldByTask tells what a task that has not ended holds: its object, and what its frames may refer to while it waits.
func (m *Machine) HeldByTask(t Task, yield func(target heap.Addr)) {
	m.heldBy(t.fiber, true, func(_, target heap.Addr) { yield(target) })
}

// References tells the strong references that a block holds: where they are and what they refer to.
func (m *Machine) References(o heap.ObjectInfo, yield func(slot, target heap.Addr)) {
	m.references(o, yield)
}

// ReferencesIn tells the strong references in a value of a type at an address.
func (m *Machine) ReferencesIn(lay *abi.Layout, at heap.Addr, yield func(slot, target heap.Addr)) {
	m.within(lay, at, yield)
}

// ReferencesOf tells the strong references that a global variable holds.
func (m *Machine) ReferencesOf(g *code.Global, yield func(slot, target heap.Addr)) {
	switch {
	case g.Addr == 0:
	case g.Image != nil && uint64(len(g.Image.Bytes)) > g.Layout.Size:
		m.words(g.Addr, uint64(len(g.Image.Bytes)), yield)
	default:
		m.within(g.Layout, g.Addr, yield)
	}
}

// tagBits are the bits of a reference in which enums keep their case (lib/IRGen, spare bits of native references).
const tagBits = 0xFF00000000000007

// words yields the words from start on that may be references or addresses: no small numbers, and no addresses inside of objects,
// which are nobody's references.
func (m *Machine) words(start, size uint64, yield func(slot, target heap.Addr)) {
	for at := (start + 7) &^ 7; at+8 <= start+size; at += 8 {
		if w, ok := m.heap.Load64(at); ok {
			if w &^= tagBits; w < heap.Base {
				continue
			}
			if o, ok := m.heap.BlockContaining(w); !ok || o.Kind != heap.KindObject || o.Ref == w {
				yield(at, w)
			}
		}
	}
}

// globalName is what the source calls a global, of a static property with its type: "total", "Cache.shared".
func globalName(g *ir.Global) string {
	return strings.TrimPrefix(ir.DisplayName(g.Name, g.Comment), "static ")
}

// maxHolders is how many references to an object a finding names.
const maxHolders = 4

// holders names the references to an object in live objects and global variables, those in a collection with what holds the collection.
func (m *Machine) holders(ref heap.Addr) (names []string) {
	for _, g := range m.prog.Globals {
		m.ReferencesOf(g, func(_, target heap.Addr) {
			if target == ref {
				names = append(names, "global "+globalName(g.Global))
			}
		})
	}
	var from []heap.ObjectInfo
	var slots []heap.Addr
	m.heap.Live(func(o heap.ObjectInfo) bool {
		if o.Kind == heap.KindObject {
			m.references(o, func(slot, target heap.Addr) {
				if target == ref {
					from, slots = append(from, o), append(slots, slot)
				}
			})
		}
		return len(names)+len(from) < maxHolders
	})
	for n, o := range from {
		name := m.EdgeName(heap.Edge{From: o.Ref, Slot: slots[n], To: ref})
		if m.IsStorage(o) {
			if of := m.holders(o.Ref); len(of) > 0 {
				name = of[0] + " -> " + name
			}
		}
		names = append(names, name)
	}
	return names[:min(len(names), maxHolders)]
}

// IsStorage reports whether an object is where a collection of the library keeps its elements.
func (m *Machine) IsStorage(o heap.ObjectInfo) bool {
	t := m.TypeAt(o.Metadata)
	if t == nil || t.Type == nil {
		return false
	}
	switch t.Type.Known() {
	case ir.KnownContiguousArrayStorage, ir.KnownDictionaryStorage, ir.KnownSetStorage:
		return true
	}
	return false
}
