package debugger

import (
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/code"
)

// Watching a stored property of all objects of a class. An object's property can change only after some instruction has made its
// address (ref_element_addr), and only while the call that did so, or one that the address was passed to, is under way. So the
// objects whose address was made are compared at every boundary, until those calls have returned.

// fieldWatch is the watched word.
type fieldWatch struct {
	class, field string
	bounds       map[uint32]bool // boundaries of instructions that make the address, in functions seen so far
	seen         int             // number of those functions
	held         []heldField
}

// heldField is a property whose address somebody has.
type heldField struct {
	ref, serial uint64
	at, size    uint64
	pc          uint32 // of the instruction that made the address
	depth       int    // of the call in which it did
	last        reading
	value       Value
}

// slackDepth is by how many frames the depth may fall below that of the call that made an address: coroutines give addresses to the
// calls that began them.
const slackDepth = 4

// maxMade is how many addresses that one instruction made in one call are followed. In a loop it makes one after the other, and the
// value before is gone then; only pointers that were made of addresses outlive them.
const maxMade = 4

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
	w = &fieldWatch{class: class, field: field, bounds: map[uint32]bool{}}
	if fields := d.fieldsOf(class); len(fields) > 0 && !slices.Contains(fields, field) {
		return nil, true, &noSuch{What: "stored property", Name: class + "." + field, Near: nearest(field, fields)}
	}
	return w, true, nil
}

// fieldsOf lists the stored properties of a class as far as they are known.
func (d *Debugger) fieldsOf(class string) (out []string) {
	for _, ti := range d.m.Program().Types {
		if ti.Class == nil || ti.Name != class && !strings.HasPrefix(ti.Name, class+"<") {
			continue
		}
		for _, f := range ti.Class.Layout.Fields {
			out = append(out, f.Name)
		}
	}
	return out
}

// learn finds the boundaries of functions that make the address, in those that were lowered since it did so last.
func (w *fieldWatch) learn(d *Debugger) {
	for all := d.m.Program().Lowered; w.seen < len(all); w.seen++ {
		w.learnFrom(d, all[w.seen])
	}
}

func (w *fieldWatch) learnFrom(d *Debugger, f *code.Func) {
	for _, pc := range f.Bounds {
		i := d.m.PlaceOf(pc).Inst
		if i == nil || i.Op != op.RefElementAddr {
			continue
		}
		if m, ok := i.Aux.(*ir.MemberAux); ok && m.Name == w.field {
			w.bounds[pc] = true
		}
	}
}

// begin finds the properties whose address calls under way have.
func (w *fieldWatch) begin(d *Debugger) {
	w.held = w.held[:0]
	w.learn(d)
	depth := d.m.Depth()
	for f := range d.firstCalls(maxRootFrames) {
		if f.Inst == nil || f.Func.Values == nil {
			continue
		}
		for _, pc := range f.Func.Bounds {
			if i := d.m.PlaceOf(pc).Inst; w.bounds[pc] && d.passed(i, f) {
				w.hold(d, f, pc, depth-f.Index)
			}
		}
	}
}

// hold notes the object whose property's address an instruction makes.
func (w *fieldWatch) hold(d *Debugger, f Frame, pc uint32, depth int) {
	i := d.m.PlaceOf(pc).Inst
	l, ok := f.Func.Values[i.Arg(0)]
	if !ok {
		return
	}
	x := d.located(i.Arg(0), l, f)
	ref, ok := d.Ref(x)
	if !ok {
		if !d.isPlainRef(x) {
			return
		}
		ref = x.word(0) &^ tagBits
	}
	if !d.isOfClass(ref, w.class) {
		return
	}
	for n := range w.held {
		if h := &w.held[n]; h.ref == ref && h.pc == pc {
			h.depth = min(h.depth, depth)
			return
		}
	}
	for _, c := range d.Fields(ref) {
		if c.Name != w.field || c.Value.Layout == nil || c.Value.Layout.Size > maxReading {
			continue
		}
		h := heldField{ref: ref, pc: pc, at: c.Value.Addr, size: c.Value.Layout.Size, depth: depth, value: c.Value}
		if o, ok := d.m.Heap().Object(ref); ok {
			h.serial = o.Serial
		}
		h.last = h.read(d)
		w.held = append(w.held, h)
		w.forget(pc, depth)
	}
}

// forget drops the oldest address that an instruction made in a call, when there are too many.
func (w *fieldWatch) forget(pc uint32, depth int) {
	made, oldest := 0, 0
	for n := len(w.held) - 1; n >= 0; n-- {
		if h := &w.held[n]; h.pc == pc && h.depth == depth {
			made, oldest = made+1, n
		}
	}
	if made > maxMade {
		w.held = slices.Delete(w.held, oldest, oldest+1)
	}
}

func (h *heldField) read(d *Debugger) (r reading) {
	if h.serial != 0 {
		if o, ok := d.m.Heap().Object(h.ref); !ok || o.Serial != h.serial || o.State == heap.Freed {
			return r
		}
	}
	b, ok := d.m.Heap().Range(h.at, h.size)
	r.there, r.n = ok, copy(r.b[:], b)
	return r
}

// look compares what is held, and notes what the next instruction makes the address of.
func (w *fieldWatch) look(d *Debugger) (change *Change) {
	depth := d.m.Depth()
	kept := w.held[:0]
	for _, h := range w.held {
		now := h.read(d)
		if now != h.last && now.there && h.last.there {
			old, new := h.value, h.value
			old.Bytes, new.Bytes = h.last.b[:h.last.n], now.b[:now.n]
			change = &Change{What: d.bareName(h.ref) + "." + w.field, Old: d.Text(old), New: d.Text(new)}
		}
		if h.last = now; now.there && depth > h.depth-slackDepth {
			kept = append(kept, h)
		}
	}
	w.held = kept
	w.learn(d)
	if pc := d.m.PC(); w.bounds[pc] {
		var top vm.Frame
		d.m.Frames(func(f vm.Frame) bool { top = f; return false })
		w.hold(d, Frame{Frame: top}, pc, depth)
	}
	return change
}
