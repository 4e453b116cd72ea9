package debugger

import (
	"fmt"
	"strconv"
	"strings"

	"silvm/heap"
)

// Watchpoints: words that are compared at every boundary, so that whatever changes them is noticed, natives too.

// reading is what a watched place holds.
type reading struct {
	there bool // false when there is no such place now
	n     int
	b     [128]byte
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
}

// look reads the place; not nil when it changed.
func (w *watcher) look(d *Debugger) *Change {
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
	what, text := w.what, w.text
	if w.brk != nil {
		what, text = w.brk.Spec, w.brk.text
	}
	return &Change{What: what, Old: text(d, old), New: text(d, now)}
}

// counts that can be watched.
var countNames = []string{"strong", "unowned", "weak", "state"}

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
					if o, ok = d.objectAt(ref); ok {
						err = nil
					}
				}
			}
		}
		if err != nil {
			continue
		}
		return countReader(o, count), countText(count), nil
	}
	v, err := d.Eval(spec, 0)
	if err != nil {
		return nil, nil, err
	}
	if v.Layout == nil || v.Layout.Size > 128 {
		return nil, nil, fmt.Errorf("%s can't be watched: it has no layout or is larger than 128 bytes", spec)
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
	if f, ok := d.Frame(0); ok {
		fr = f
	}
	return func(d *Debugger) (r reading) {
		if d.m.Depth() < depth {
			return r
		}
		f, ok := d.Frame(d.m.Depth() - depth)
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

func countReader(o Object, count string) func(*Debugger) reading {
	return func(d *Debugger) (r reading) {
		info, ok := d.m.Heap().Object(o.Ref)
		if !ok || info.Serial != o.Serial {
			return r
		}
		strong, unowned, weak, state, ok := d.m.Heap().Counts(o.Ref)
		if !ok {
			return r
		}
		w := map[string]uint64{"strong": strong, "unowned": unowned, "weak": weak, "state": uint64(state)}[count]
		r.there, r.n = true, 8
		le.PutUint64(r.b[:], w)
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
