package debugger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
)

// Watchpoints: words that are compared at every boundary, so that whatever changes them is noticed, natives too.

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
}

// watcher compares a place with what it held before.
type watcher struct {
	brk  *Breakpoint
	what string
	read func(d *Debugger) reading
	text func(d *Debugger, r reading) string
	last reading
	any  bool

	// writers lists the boundaries of a function that may change the place; nil is all.
	writers func(f *code.Func) []uint32

	field *fieldWatch // of a property of all objects of a class; read and text are nil then
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
	if !w.any {
		w.any = true
		return nil
	}
	if now == old {
		return nil
	}
	return &Change{What: w.what, Old: w.text(d, old), New: w.text(d, now)}
}

// counts that can be watched.
var countNames = []string{"strong", "unowned", "weak", "state"}

// watcherOf makes what watches a place.
func (d *Debugger) watcherOf(spec string) (*watcher, error) {
	if field, ok, err := d.fieldOfClass(spec); ok {
		return &watcher{what: spec, field: field}, err
	}
	read, text, err := d.watchable(spec)
	w := &watcher{what: spec, read: read, text: text}
	if v, e := d.Eval(spec, 0); err == nil && e == nil && v.Addr != 0 && !v.Type.IsStorage(ir.StorageWeak) {
		if t, ok := d.targetAt(v.Addr); ok {
			w.writers = d.writers(t)
		}
	}
	return w, err
}

// watchable reads what shall be watched.
func (d *Debugger) watchable(spec string) (read func(*Debugger) reading, text func(*Debugger, reading) string, err error) {
	for _, count := range countNames {
		base, ok := strings.CutSuffix(spec, "."+count)
		if !ok {
			continue
		}
		o, err := d.ObjectNamed(base)
		if err != nil {
			if v, e := d.Eval(base, 0); e == nil {
				if ref, ok := d.Ref(v); ok {
					if o, ok = d.ObjectAt(ref); ok {
						err = nil
					}
				}
			}
		}
		if err != nil || slices.ContainsFunc(d.Fields(o.Ref), func(c Child) bool { return c.Name == count }) {
			continue // a stored property of that name is meant
		}
		return countReader(o, count), countText(count), nil
	}
	v, err := d.Eval(spec, 0)
	if err != nil {
		return nil, nil, err
	}
	if v.Layout == nil || v.Layout.Size > maxReading {
		return nil, nil, fmt.Errorf("%s can't be watched: it has no layout or is larger than %d bytes", spec, maxReading)
	}
	if v.Addr != 0 && v.Type.IsStorage(ir.StorageWeak) {
		return weakReader(v.Addr), weakText, nil
	}
	size := int(v.Layout.Size)
	text = func(d *Debugger, r reading) string {
		if !r.there {
			return "gone"
		}
		x := v
		x.Bytes = r.b[:r.n]
		return d.Text(x)
	}
	if v.Addr != 0 {
		serial := uint64(0)
		if o, ok := d.m.Heap().BlockContaining(v.Addr); ok {
			serial = o.Serial
		}
		return func(d *Debugger) (r reading) {
			if serial != 0 {
				if o, ok := d.m.Heap().BlockContaining(v.Addr); !ok || o.Serial != serial || o.State == heap.Freed {
					return r
				}
			}
			b, ok := d.m.Heap().Range(v.Addr, uint64(size))
			r.there, r.n = ok, copy(r.b[:], b)
			return r
		}, text, nil
	}
	e, err := parseExpr(spec)
	if err != nil {
		return nil, nil, err
	}
	depth, fr := d.m.Depth(), Frame{}
	if f, ok := d.call(0); ok {
		fr = f
	}
	return func(d *Debugger) (r reading) {
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
	}, text, nil
}

// weakReader reads a weak variable: what it refers to as long as that is not being deinited.
func weakReader(addr uint64) func(*Debugger) reading {
	return func(d *Debugger) (r reading) {
		word, ok := d.m.Heap().Load64(addr)
		if !ok {
			return r
		}
		r.there, r.n = true, 8
		ref := d.weakTarget(word)
		if _, _, _, state, ok := d.m.Heap().Counts(ref); ok && (state == heap.Live || state == heap.Immortal) {
			le.PutUint64(r.b[:], ref)
		}
		return r
	}
}

func weakText(d *Debugger, r reading) string {
	switch ref := le.Uint64(r.b[:]); {
	case !r.there:
		return "gone"
	case ref == 0:
		return "weak nil"
	default:
		return "weak " + d.bareName(ref)
	}
}

func countReader(o Object, count string) func(*Debugger) reading {
	return func(d *Debugger) (r reading) {
		if info, ok := d.m.Heap().Object(o.Ref); o.Serial != 0 && (!ok || info.Serial != o.Serial) {
			return r
		}
		c := d.countsAt(o.Ref)
		if c.State == heap.NoState {
			return r
		}
		out := uint64(c.State)
		switch count {
		case "strong":
			out = c.Strong
		case "unowned":
			out = c.Unowned
		case "weak":
			out = c.Weak
		}
		r.there, r.n = true, 8
		le.PutUint64(r.b[:], out)
		return r
	}
}

func countText(count string) func(*Debugger, reading) string {
	return func(_ *Debugger, r reading) string {
		w := le.Uint64(r.b[:])
		switch {
		case !r.there:
			return "gone"
		case count == "state":
			return heap.State(w).String()
		}
		return strconv.FormatUint(w, 10)
	}
}
