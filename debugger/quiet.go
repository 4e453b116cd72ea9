package debugger

import (
	"slices"

	"silvm/heap"
)

// What a search leaves out: stretches of the past in which nothing of what it looks for can have happened. A stretch knows which
// boundaries were passed, which objects' counts changed and which memory was written (vm.Visited); so the life of an object is searched only
// where it was touched, and a word only where it was written.

// quiet says of a stretch whether a search can't find anything there. The run stands where the search begins.
func (d *Debugger) quiet(s *search) func(*stretch) bool {
	never := func(*stretch) bool { return false }
	if s.dense || s.pred != nil && s.at == nil {
		return never
	}
	var all []func(*stretch) bool // each has to say so
	watches := false
	add := func(f func(*stretch) bool) { all = append(all, f) }
	watch := func(w *watcher) bool {
		watches = true
		f := d.quietWord(s, w)
		add(f)
		return f != nil
	}
	switch {
	case s.tap != nil && s.only != 0:
		add(d.quietObject(s.only, s.serial))
	case s.tap != nil:
		f := d.quietClass(s.class)
		if s.class == "" || f == nil {
			return never
		}
		add(f)
	}
	if s.watch != nil && !watch(s.watch) {
		return never
	}
	users, throws := []uint64(nil), false
	if s.breaks {
		for _, b := range d.breaks {
			switch {
			case !b.Enabled:
			case b.Kind == BreakEvent && b.ref == 0 && b.Class != "":
				f := d.quietClass(b.Class)
				if f == nil {
					return never
				}
				add(f)
			case b.Kind == BreakEvent && b.ref == 0, b.watch != nil && !watch(b.watch):
				return never
			case b.Kind == BreakEvent:
				add(d.quietObject(b.ref, b.Object))
			case b.Kind == BreakThrow:
				throws = true
			}
		}
		users = bitsOf(d.planted, func(_ uint32, n int) bool { return n > 0 })
	}
	own := []uint64(nil)
	if !s.sparse {
		own = bitsOf(s.at, func(uint32, bool) bool { return true })
	}
	return func(x *stretch) bool {
		steady := s.quiet != nil && s.quiet(x) // which is asked of each stretch
		switch {
		case watches && d.nextSetting(x.from) <= x.to, throws && x.Threw, meets(users, x.Passed):
			return false
		case meets(own, x.Passed) && !(s.deepest > 0 && x.Depth > s.deepest) && !steady:
			return false
		}
		return !slices.ContainsFunc(all, func(f func(*stretch) bool) bool { return !f(x) })
	}
}

// quietWord says whether a watched word can't change in a stretch; nil when that is known of none.
func (d *Debugger) quietWord(s *search, w *watcher) func(*stretch) bool {
	if w.ear != nil && w.writers == nil && w.only != 0 {
		return d.quietObject(w.only, w.serial)
	}
	if v := w.stack; v != nil {
		return d.quietStack(w)
	}
	if !s.sparse || w.writers == nil || w.raw {
		return nil
	}
	if w.to == 0 {
		own := bitsOf(s.at, func(uint32, bool) bool { return true })
		fields := func(*stretch) bool { return false }
		if w.field != nil {
			fields = d.quietField(w.field)
		}
		return func(x *stretch) bool { return !meets(own, x.Passed) || fields(x) }
	}
	lives := func(*stretch) bool { return true }
	if w.owner != 0 {
		known, quiet := d.aliveAt(w.owner, w.serial), d.quietObject(w.owner, w.serial)
		lives = func(x *stretch) bool { return x.before >= w.serial && x.to <= known || quiet(x) }
	}
	if !w.weak {
		return func(x *stretch) bool { return !x.Written.Has(w.from, w.to) && lives(x) }
	}
	target, alive := w.target(d), uint64(0) // it is the same as long as the word is
	if _, _, _, state, ok := d.m.Heap().Counts(target); ok && (state == heap.Live || state == heap.Immortal) {
		alive = d.m.Steps()
	}
	known := true
	return func(x *stretch) bool {
		known = known && !x.Written.Has(w.from, w.to)
		return known && lives(x) && (target == 0 || x.to <= alive || !x.Counted.Has(target, target+1))
	}
}

// Of what a search looks up in what a stretch wrote: how many objects of a class, and how much memory to find them, in bytes.
const (
	maxFields = 1 << 12
	maxSought = 1 << 28
)

// quietField says whether a property of all objects of a class can't change in a stretch: no object of it is made or ends there, and it is
// written in none. The objects are those of a later moment up to which none was made or ended either.
func (d *Debugger) quietField(f *fieldWatch) func(*stretch) bool {
	metas, notes, ok := d.metasOf(f.class)
	if !ok {
		return func(*stretch) bool { return false }
	}
	makes := func(x *stretch) bool {
		return slices.ContainsFunc(notes, func(m uint64) bool { return x.Written.Has(m+heap.MadeNote, m+heap.MadeNote+1) })
	}
	places := d.placesIn(metas, f.field)
	spans := func(objects func(words []uint64, found func(a, word uint64))) (out []span) {
		objects(metas, func(ref, meta uint64) {
			for _, p := range places[meta] {
				out = append(out, span{ref + p.from, ref + p.to})
			}
		})
		return out
	}
	sought := uint64(len(d.m.Heap().B))
	known := map[uint64][]span{d.m.Steps(): spans(d.m.Heap().Beginning)}
	at := func(x *stretch) (in []span, ok bool) {
		far := d.timeline.past.until(x, makes)
		for steps, in := range known {
			if steps >= x.to && steps <= far {
				return in, len(in) <= maxFields
			}
		}
		n, _ := find(d.timeline.net, x.to)
		if n == len(d.timeline.net) || d.timeline.net[n].snap.Steps > far || sought > maxSought {
			return nil, false
		}
		snap := d.timeline.net[n].snap
		sought += snap.Memory()
		in = spans(snap.Beginning)
		known[snap.Steps] = in
		return in, len(in) <= maxFields
	}
	return func(x *stretch) bool {
		if makes(x) {
			return false
		}
		in, ok := at(x)
		return ok && !slices.ContainsFunc(in, func(p span) bool { return x.Written.Has(p.from, p.to) })
	}
}

// span is memory between two addresses, or offsets in an object.
type span struct{ from, to uint64 }

// placesIn tells by metadata where a property lies in objects.
func (d *Debugger) placesIn(metas []uint64, field string) map[uint64][]span {
	places := map[uint64][]span{}
	for _, m := range metas {
		for c := d.m.TypeAt(m).Class; c != nil; c = c.Super {
			for _, p := range c.Layout.Fields {
				if p.Name == field {
					places[m] = append(places[m], span{p.Offset, p.Offset + p.Layout.Size})
				}
			}
		}
	}
	return places
}

// quietStack says whether a variable on the stack is there all through a stretch and does not change; nil when that is known of none.
func (d *Debugger) quietStack(w *watcher) func(*stretch) bool {
	v := w.stack
	if d.m.HadTasks() { // a stretch knows the depth of one of them
		return nil
	}
	begins := map[uint32]bool{}
	for _, pc := range v.fn.Bounds {
		if i := d.m.PlaceOf(pc).Inst; i == v.alloc.Inst() {
			begins[pc] = true
		}
	}
	set := bitsOf(begins, func(uint32, bool) bool { return true })
	return func(x *stretch) bool {
		return !x.Written.Has(v.from, v.to) && x.Depth >= v.depth && !meets(set, x.Passed)
	}
}

// quietObject says whether no count of an object changes in a stretch, and it neither begins nor ends there. The serial number is 0 of one
// on the stack.
func (d *Debugger) quietObject(ref, serial uint64) func(*stretch) bool {
	gone := d.goneBy(ref, serial)
	return func(x *stretch) bool {
		if serial != 0 {
			switch {
			case x.Objects < serial || x.from >= gone:
				return true
			case x.before < serial:
				return false
			}
		}
		return !x.Counted.Has(ref, ref+1)
	}
}

// quietClass says whether no count of an object of a class changes in a stretch, and none is made; nil when that is not known.
func (d *Debugger) quietClass(class string) func(*stretch) bool {
	_, notes, ok := d.metasOf(class)
	if !ok {
		return nil
	}
	return func(x *stretch) bool {
		return !slices.ContainsFunc(notes, func(m uint64) bool { return x.Counted.Has(m, m+1) })
	}
}

// metasOf lists the metadata of a class and those that inherit from it, and where the notes of it are; ok is false when there may be more in what is known of the past.
func (d *Debugger) metasOf(class string) (metas, notes []uint64, ok bool) {
	for _, ti := range d.m.Program().Types {
		switch {
		case !isClass(ti, class):
		case ti.Addr != 0:
			note := d.m.Heap().MetadataNote(ti.Addr)
			if note == 0 {
				return nil, nil, false
			}
			metas, notes = append(metas, ti.Addr), append(notes, note)
		case !d.m.Ended() && d.m.Steps() < d.timeline.past.noted:
			return nil, nil, false // it may get its metadata later
		}
	}
	return metas, notes, true
}

// goneBy returns a position at which an object is known to be no more, endless when none is.
func (d *Debugger) goneBy(ref, serial uint64) uint64 {
	net := d.timeline.net
	n, _ := slices.BinarySearchFunc(net, true, func(k mark, _ bool) int {
		if serial == 0 || k.snap.ObjectsMade() < serial || k.snap.Holds(ref, serial) {
			return -1
		}
		return 1
	})
	if n == len(net) {
		return endless
	}
	return net[n].snap.Steps
}

// aliveAt returns a position at which an object is known not to be freed, 0 when none is.
func (d *Debugger) aliveAt(ref, serial uint64) uint64 {
	if o, ok := d.m.Heap().Object(ref); ok && o.Serial == serial && o.State != heap.Freed {
		return d.m.Steps()
	}
	for n := len(d.timeline.net) - 1; n >= 0; n-- {
		if s := d.timeline.net[n].snap; s.Holds(ref, serial) {
			return s.Steps
		}
	}
	return 0
}

// bitsOf makes a set of bits of the boundaries for which a table has something that counts.
func bitsOf[T any](at map[uint32]T, counts func(pc uint32, x T) bool) (out []uint64) {
	for pc, x := range at {
		if !counts(pc, x) {
			continue
		}
		if n := int(pc/64) + 1; n > len(out) {
			out = append(out, make([]uint64, n-len(out))...)
		}
		out[pc/64] |= 1 << (pc % 64)
	}
	return out
}

// leaveOut goes ahead over what the search leaves out, up to a position, and returns how far to run until it is to be asked again.
func (c *scanner) leaveOut(until uint64) uint64 {
	m := c.d.m
	if c.quiet == nil {
		return until
	}
	if m.Steps() < c.again {
		return min(until, c.again)
	}
	to, again := c.d.timeline.past.ahead(m.Steps(), c.quiet)
	c.again = again
	if snap := c.d.timeline.before(min(to, until)); snap != nil && snap.Steps > m.Steps() {
		m.Restore(snap)
		c.expectNone()
	}
	return min(until, c.again)
}
