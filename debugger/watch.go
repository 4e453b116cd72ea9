package debugger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
)

// Watchpoints: words that are compared at every boundary, so that whatever changes them is noticed, natives too; or only where they can
// change, if that is known (writers.go), and counts when a change of them is heard.

// maxReading is how large a place may be that is watched, in bytes.
const maxReading = 128

// reading is what a watched place holds.
type reading struct {
	there bool // false when there is no such place now
	n     int
	b     [maxReading]byte
}

// Change is a change of a watched place.
type Change struct {
	What     string
	Old, New string // as shown
	Set      bool   // the user made it
}

// watcher compares a place with what it held before.
type watcher struct {
	brk  *Breakpoint
	what string
	read func(d *Debugger) reading
	text func(d *Debugger, r reading) string
	last reading
	any  bool

	// ear says which changes of counts may change the place; nil is none. only is the object that they are of, 0 is any.
	ear  func(d *Debugger, kind heap.TapKind, ref uint64) bool
	only uint64

	owner  uint64 // the object that the place is in, 0 when it is in none
	serial uint64 // of it, or of the object whose count is watched
	raw    bool   // what the place is in is raw memory, which has numbers of its own

	// part is set of a stored property of an object on the heap.
	part *watchedPart

	weak bool // it is a weak variable; only is what it refers to then

	from, to uint64 // the memory that is watched, where it is known

	// stack is set of a variable on the stack.
	stack *stackVar

	// writers lists the boundaries of a function that may change the place; nil is all.
	writers func(f *code.Func) []uint32

	field *fieldWatch // of a property of all objects of a class; read and text are nil then
}

// What a place is said to have held before the first write, and before there was one.
const (
	notSet  = "not set"
	notMade = "not made yet"
	gone    = "gone"
)

// watchedPart is the memory of a stored property. A program that is correct writes it before it reads it; what the memory held
// before is of an object that was there earlier.
type watchedPart struct {
	serial   uint64 // of the object
	from, to uint64 // the addresses of the property and, where only a part of it is watched, what lies before that
	target   target
	fresh    bool // the object was made while the search ran, and the property was not written yet
	writes   bool // the next instruction writes it
	makes    bool // the next instruction makes an object
}

// look reads the place; not nil when it changed.
func (w *watcher) look(d *Debugger) *Change {
	if w.field != nil {
		if !w.any {
			w.any = true
			w.field.begin(d)
			return nil
		}
		return w.field.look(d)
	}
	now := w.read(d)
	old := w.last
	w.last = now
	if s := w.stack; s != nil {
		if !w.any {
			w.any, s.fresh, s.began = true, false, now.there
			return nil
		}
		before, told := s.change(d, old, now)
		if !told {
			return nil
		}
		if before == "" {
			before = w.text(d, old)
		}
		return &Change{What: w.what, Old: before, New: w.text(d, now)}
	}
	if !w.any {
		w.any = true
		if p := w.part; p != nil {
			p.fresh = false
			p.ahead(d, now.there)
		}
		return nil
	}
	before := ""
	if p := w.part; p != nil {
		switch {
		case !old.there && now.there:
			before, p.fresh = notMade, p.makes
		case now.there && p.fresh && (p.writes || now != old):
			before, p.fresh = notSet, false
		}
		p.ahead(d, now.there)
		if p.fresh {
			return nil
		}
	}
	if now == old && before == "" {
		return nil
	}
	switch {
	case before != "":
	case !old.there && w.ear != nil:
		before = notMade
	default:
		before = w.text(d, old)
	}
	return &Change{What: w.what, Old: before, New: w.text(d, now)}
}

// ahead notes what the next instruction may do to the property.
func (p *watchedPart) ahead(d *Debugger, there bool) {
	p.writes, p.makes = false, false
	if there && !p.fresh {
		return
	}
	f, ok := d.call(0)
	if !ok || f.Inst == nil || f.Func == nil {
		return
	}
	if !there {
		p.makes = f.Inst.Op == op.AllocRef || f.Inst.Op == op.AllocRefDynamic
		return
	}
	for _, a := range d.reached(f, p.target) {
		p.writes = p.writes || a >= p.from && a < p.to
	}
}

// watcherOf makes what watches a place.
func (d *Debugger) watcherOf(spec string) (*watcher, error) {
	if field, ok, err := d.fieldOfClass(spec); ok {
		if err != nil {
			return nil, err
		}
		return &watcher{what: spec, field: field, writers: d.writers(target{field: field.field, class: field.class})}, nil
	}
	w := &watcher{what: spec}
	err := d.watchable(spec, w)
	if v, e := d.Eval(spec, d.selected); err == nil && e == nil && v.Addr != 0 && w.only == 0 {
		t, ok := d.targetAt(v.Addr)
		if ok {
			w.part = d.partAt(v, t)
		}
		if !ok {
			t = target{other: true}
		}
		if w.stack == nil {
			w.writers = d.writers(t)
		}
		if v.Layout != nil {
			w.from, w.to = v.Addr, v.Addr+v.Layout.Size
		}
	}
	return w, err
}

// partAt describes a stored property that is watched.
func (d *Debugger) partAt(v Value, t target) *watchedPart {
	o, ok := d.m.Heap().BlockContaining(v.Addr)
	if !ok || o.Serial == 0 || t.field == "" || v.Layout == nil {
		return nil
	}
	p := &watchedPart{serial: o.Serial, from: v.Addr, to: v.Addr + v.Layout.Size, target: t}
	for _, f := range d.Fields(o.Ref) {
		if f.Name == t.field && f.Value.Addr <= v.Addr {
			p.from = f.Value.Addr
		}
	}
	return p
}

// watchable reads what shall be watched.
func (d *Debugger) watchable(spec string, w *watcher) error {
	for _, count := range countParts {
		base, ok := strings.CutSuffix(spec, "."+count.name)
		if !ok {
			continue
		}
		o, err := d.ObjectNamed(base)
		if err != nil {
			if v, e := d.Eval(base, d.selected); e == nil {
				if ref, ok := d.Ref(v); ok {
					if o, ok = d.ObjectAt(ref); ok {
						err = nil
					}
				}
			}
		}
		if err != nil || slices.ContainsFunc(d.Fields(o.Ref), func(c Child) bool { return c.Name == count.name }) {
			continue // a stored property of that name is meant
		}
		w.read, w.text = countReader(o, count), countText(count)
		w.serial = o.Serial
		w.only, w.ear = o.Ref, func(_ *Debugger, _ heap.TapKind, ref uint64) bool { return ref == o.Ref }
		return nil
	}
	v, err := d.Eval(spec, d.selected)
	if err != nil {
		return err
	}
	if v.Layout == nil || v.Layout.Size > maxReading {
		return fmt.Errorf("%s can't be watched: it has no layout or is larger than %d bytes", spec, maxReading)
	}
	lives := func(*Debugger) bool { return true }
	if o, ok := d.m.Heap().BlockContaining(v.Addr); ok && v.Addr != 0 && o.Serial != 0 {
		w.owner, w.serial, w.raw = o.Ref, o.Serial, o.Kind != heap.KindObject
		lives = func(d *Debugger) bool {
			now, ok := d.m.Heap().BlockContaining(v.Addr)
			return ok && now.Serial == o.Serial && now.State != heap.Freed
		}
	}
	if v.Addr != 0 && v.Type.IsStorage(ir.StorageWeak) {
		w.read, w.text, w.weak = weakReader(v.Addr, lives), weakText, true
		w.ear = func(_ *Debugger, kind heap.TapKind, _ uint64) bool { return kind == heap.TapDeinit }
		return nil
	}
	size := int(v.Layout.Size)
	w.text = func(d *Debugger, r reading) string {
		if !r.there {
			return gone
		}
		x := v
		x.Bytes = r.b[:r.n]
		return d.Text(x)
	}
	if v.Addr != 0 {
		if w.stack, err = d.stackVarAt(v); err != nil {
			return err
		}
		w.read = func(d *Debugger) (r reading) {
			if w.stack != nil && !w.stack.isThere(d) || !lives(d) {
				return r
			}
			b, ok := d.m.Heap().View(v.Addr, uint64(size))
			r.there, r.n = ok, copy(r.b[:], b)
			return r
		}
		return nil
	}
	e, err := parseExpr(spec)
	if err != nil {
		return err
	}
	fr, level := d.selectedCall()
	depth := d.m.Depth() - level
	w.read = func(d *Debugger) (r reading) {
		if d.m.Depth() < depth {
			return r
		}
		f, ok := d.call(d.m.Depth() - depth)
		if !ok || f.Func != fr.Func {
			return r
		}
		x, err := d.evalIn(e, f)
		if err == nil && x.Value.Bytes != nil {
			r.there, r.n = true, copy(r.b[:], x.Value.Bytes)
		}
		return r
	}
	return nil
}

// target is the object that a weak variable refers to, whatever became of it, 0 when there is none.
func (w *watcher) target(d *Debugger) uint64 {
	word, _ := d.m.Heap().Load64(w.from)
	return d.weakObject(word)
}

// weakReader reads a weak variable: what it refers to as long as that is not being deinited.
func weakReader(addr uint64, lives func(*Debugger) bool) func(*Debugger) reading {
	return func(d *Debugger) (r reading) {
		word, ok := d.m.Heap().Load64(addr)
		if !ok || !lives(d) {
			return r
		}
		r.there, r.n = true, 8
		le.PutUint64(r.b[:], d.weakTarget(word))
		return r
	}
}

func weakText(d *Debugger, r reading) string {
	switch ref := le.Uint64(r.b[:]); {
	case !r.there:
		return gone
	case ref == 0:
		return weakNil
	default:
		return "weak " + d.bareName(ref)
	}
}

// countReader reads a count of an object. That its memory is used again changes nothing.
func countReader(o Object, count countPart) func(*Debugger) reading {
	return func(d *Debugger) (r reading) {
		c := d.countsAt(o.Ref)
		if info, ok := d.m.Heap().Object(o.Ref); o.Serial != 0 && (!ok || info.Serial != o.Serial) {
			if d.m.Heap().Stats().Objects < o.Serial {
				return r // not made yet
			}
			c = Counts{State: heap.Freed}
		}
		if c.State == heap.NoState {
			return r
		}
		r.there, r.n = true, 8
		le.PutUint64(r.b[:], count.of(c))
		return r
	}
}

func countText(count countPart) func(*Debugger, reading) string {
	return func(_ *Debugger, r reading) string {
		if !r.there {
			return gone
		}
		n := le.Uint64(r.b[:])
		if count.text == nil {
			return strconv.FormatUint(n, 10)
		}
		return count.text(n)
	}
}
