package debugger

import (
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir/op"
	"silvm/vm/code"
)

// Watching a stored property of all objects of a class. It can change only at the instructions that may write it (see writers.go), so a
// search looks at these alone: before such an instruction the objects that it may write to are noted, after it they are compared.

// fieldWatch is the watched word.
type fieldWatch struct {
	class, field string
	held         []heldField
	unset        map[uint64]bool // objects that were made while the search ran and whose property was never written, by serial number
	making       bool            // the next instruction makes an object
	made         uint64          // objects that were made before it
	places       map[uint64]fieldPlace
}

// fieldPlace is where the property lies in objects with one metadata.
type fieldPlace struct {
	value Value
	off   uint64
	ok    bool
}

// heldField is a property that the instruction may write.
type heldField struct {
	ref, serial uint64
	value       Value
	at          uint64
	last        reading
	direct      bool // the instruction is given the property's address
}

// fieldOfClass reads "Class.field"; ok is false when it is no such thing.
func (d *Debugger) fieldOfClass(spec string) (w *fieldWatch, ok bool, err error) {
	n := strings.LastIndexByte(spec, '.')
	if n < 1 {
		return nil, false, nil
	}
	class, field := spec[:n], spec[n+1:]
	known := slices.ContainsFunc(d.Classes(), func(c string) bool { return c == class || strings.HasPrefix(c, class+"<") })
	if !known {
		return nil, false, nil
	}
	w = &fieldWatch{class: class, field: field}
	if fields := d.FieldsOf(class); len(fields) > 0 && !slices.Contains(fields, field) {
		return nil, true, &NoSuch{What: "stored property", Name: class + "." + field, Near: nearest(field, fields)}
	}
	return w, true, nil
}

// FieldsOf lists the stored properties of a class as far as they are known.
func (d *Debugger) FieldsOf(class string) (out []string) {
	for _, ti := range d.m.Program().Types {
		if ti.Class == nil || ti.Name != class && !strings.HasPrefix(ti.Name, class+"<") {
			continue
		}
		for _, f := range ti.Class.Layout.Fields {
			out = append(out, f.Name)
		}
	}
	if len(out) == 0 { // no code with the class ran yet
		for n := d.mod.Nominals[class]; n != nil; n = d.mod.DeclOf(n.Super) {
			for _, f := range n.Fields {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

// IsBlindToEnds reports whether a watchpoint does not see that what it watches becomes nil: of a weak property of all objects of a class, only
// what is written to it is looked at.
func (b *Breakpoint) IsBlindToEnds(d *Debugger) bool {
	if b.watch == nil || b.watch.field == nil {
		return false
	}
	for n := d.mod.Nominals[b.watch.field.class]; n != nil; n = d.mod.DeclOf(n.Super) {
		for _, f := range n.Fields {
			if f.Name == b.watch.field.field {
				return f.Weak
			}
		}
	}
	return false
}

// begin forgets what another search saw.
func (w *fieldWatch) begin(d *Debugger) {
	w.held, w.unset, w.making = w.held[:0], map[uint64]bool{}, false
	if w.places == nil {
		w.places = map[uint64]fieldPlace{}
	}
	w.hold(d)
}

// look compares what the last instruction may have written, and notes what the next one may write.
func (w *fieldWatch) look(d *Debugger) (change *Change) {
	for k := range w.held {
		h := &w.held[k]
		now := h.read(d)
		unset := w.unset[h.serial]
		if !now.there || !h.last.there || now == h.last && !(unset && h.direct) {
			continue
		}
		old, new := h.value, h.value
		old.Bytes, new.Bytes = h.last.b[:h.last.n], now.b[:now.n]
		change = &Change{What: d.bareName(h.ref) + "." + w.field, Old: d.Text(old), New: d.Text(new)}
		if unset {
			change.Old = notSet
			delete(w.unset, h.serial)
		}
	}
	if n := d.m.Heap().Stats().Objects; w.making && n == w.made+1 {
		w.unset[n] = true
	}
	w.hold(d)
	return change
}

// hold notes the objects whose property the next instruction may write.
func (w *fieldWatch) hold(d *Debugger) {
	w.held, w.making = w.held[:0], false
	f, ok := d.call(0)
	if !ok || f.Inst == nil || f.Func == nil {
		return
	}
	if w.making = f.Inst.Op == op.AllocRef || f.Inst.Op == op.AllocRefDynamic; w.making {
		w.made = d.m.Heap().Stats().Objects
	}
	t := target{field: w.field}
	for _, a := range d.reached(f, t) {
		ref := a
		o, ok := d.m.Heap().BlockContaining(a)
		if ok && o.Kind == heap.KindObject {
			ref = o.Ref
		}
		p := w.placeIn(d, ref)
		if !p.ok || slices.ContainsFunc(w.held, func(h heldField) bool { return h.ref == ref }) {
			continue
		}
		h := heldField{ref: ref, at: ref + p.off, value: p.value}
		h.direct = a >= h.at && a < h.at+p.value.Layout.Size
		if ok && o.Ref == ref {
			h.serial = o.Serial
		}
		h.value.Addr = h.at
		h.last = h.read(d)
		w.held = append(w.held, h)
	}
}

// set tells of a change that the user made to the property of an object.
func (w *fieldWatch) set(d *Debugger, s *Setting) *Change {
	o, ok := d.m.Heap().BlockContaining(s.addr)
	if !ok || o.Kind != heap.KindObject {
		return nil
	}
	if p := w.placeIn(d, o.Ref); !p.ok || s.addr < o.Ref+p.off || s.addr >= o.Ref+p.off+p.value.Layout.Size {
		return nil
	}
	return &Change{What: d.bareName(o.Ref) + "." + w.field, Old: s.Old, New: s.New}
}

// placeIn tells where the property lies in an object.
func (w *fieldWatch) placeIn(d *Debugger, ref uint64) fieldPlace {
	meta, ok := d.m.Heap().Load64(ref)
	if !ok {
		return fieldPlace{}
	}
	p, known := w.places[meta]
	if known {
		return p
	}
	if d.isOfClass(ref, w.class) {
		for _, c := range d.Fields(ref) {
			if c.Name == w.field && c.Value.Layout != nil && c.Value.Layout.Size <= maxReading {
				p = fieldPlace{value: c.Value, off: c.Value.Addr - ref, ok: true}
			}
		}
	}
	w.places[meta] = p
	return p
}

func (h *heldField) read(d *Debugger) (r reading) {
	if h.serial != 0 {
		if o, ok := d.m.Heap().Object(h.ref); !ok || o.Serial != h.serial || o.State == heap.Freed {
			return r
		}
	}
	b, ok := d.m.Heap().View(h.at, h.value.Layout.Size)
	r.there, r.n = ok, copy(r.b[:], b)
	return r
}

// reached lists the addresses and references that the next instruction, one that may write a target, can write through.
func (d *Debugger) reached(f Frame, t target) (out []uint64) {
	native := hasNative(d.m.Program().Insts[f.PC:boundaryEnd(f.Func, f.PC)])
	if !native && !t.mayWrite(f.Inst, true) {
		return nil
	}
	for n := range f.Inst.Operands {
		v := f.Inst.Arg(n)
		if v == nil || v.Type == nil || v.Type.IsAddress() && !native && !t.mayBe(v) {
			continue
		}
		l, ok := f.Func.Values[v]
		if !ok {
			continue
		}
		if !l.IsAddress {
			for _, p := range l.Parts {
				if w := p.In(f.Regs) &^ tagBits; w >= heap.Base {
					out = append(out, w)
				}
			}
			continue
		}
		a := l.Address(f.Regs)
		out = append(out, a)
		if base := l.Base.In(f.Regs); base != a {
			out = append(out, base) // of an object on the stack
		}
		if w, ok := d.m.Heap().Load64(a); native && ok && w >= heap.Base {
			out = append(out, w&^tagBits)
		}
	}
	return out
}

// boundaryEnd is where the code of the instruction at a boundary ends.
func boundaryEnd(f *code.Func, pc uint32) uint32 {
	if n, ok := slices.BinarySearch(f.Bounds, pc); ok && n+1 < len(f.Bounds) {
		return f.Bounds[n+1]
	}
	return f.End
}
