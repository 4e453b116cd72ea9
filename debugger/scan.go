package debugger

import (
	"slices"

	"silvm/heap"
	"silvm/vm"
)

// A search under way over a stretch of the timeline: see search.go.

// scanner is a search under way.
type scanner struct {
	d       *Debugger
	s       *search
	above   uint64 // only finds with keys above it
	below   uint64 // and below it
	first   bool   // the first find ends it
	watch   []*watcher
	ears    []*watcher // those that change when a change of counts is heard
	taps    []*Breakpoint
	throws  []*Breakpoint
	found   *found          // the latest
	made    uint64          // objects that there were when it began
	planted []uint32        // boundaries
	hits    map[uint32]*hit // see mayHit
	amiss   bool            // of a sparse search: a word changed where nothing should have changed it
	sure    uint64          // that was after this position,
	upTo    uint64          // and up to this one
	near    bool            // the run stops at the writes that meet the words, see vm.Machine.Near
	quiet   func(*stretch) bool
	again   uint64 // where to ask quiet again
}

// scan sets the traps; close takes them away.
func (d *Debugger) scan(s *search, above, below uint64, first bool) *scanner {
	c := &scanner{d: d, s: s, above: above, below: below, first: first}
	d.lift(!s.breaks)
	glance := s.glance
	if glance == nil && s.breaks {
		glance = c.glance
	}
	d.m.Glance(glance)
	c.made, c.hits = d.m.Heap().Stats().Objects, map[uint32]*hit{}
	d.under = c
	watch := func(w *watcher) {
		w.any = false
		if w.ear == nil || s.dense || w.writers != nil {
			c.watch = append(c.watch, w)
		}
		if w.ear != nil && !s.dense {
			c.ears = append(c.ears, w)
		}
	}
	if s.watch != nil {
		watch(s.watch)
	}
	if s.breaks {
		for _, b := range d.breaks {
			switch {
			case !b.Enabled:
			case b.Kind == BreakThrow:
				c.throws = append(c.throws, b)
			case b.watch != nil:
				w := *b.watch
				w.brk = b
				watch(&w)
			case b.Kind == BreakEvent:
				c.taps = append(c.taps, b)
			}
		}
	}
	c.stopNear()
	for pc := range s.at {
		if c.stopsAt(pc) {
			c.planted = append(c.planted, pc)
			d.plant(pc, 1)
		}
	}
	if len(c.throws) > 0 {
		d.m.OnThrow(c.threw)
	}
	for _, w := range slices.Concat(c.watch, c.ears) {
		w.look(d)
	}
	c.sure = d.m.Steps()
	c.listen()
	return c
}

// listen opens the ear for the objects that the search wants to hear of, and for no other if they are one.
func (c *scanner) listen() {
	var only []uint64
	if c.s.tap != nil {
		only = append(only, c.s.only)
	}
	for _, b := range c.taps {
		only = append(only, b.ref)
	}
	for _, w := range c.ears {
		if w.weak {
			w.only = w.target(c.d)
		}
		if w.only != 0 || !w.weak {
			only = append(only, w.only)
		}
	}
	switch {
	case len(only) == 0:
		c.d.m.Observe(nil, 0)
	case slices.Max(only) != slices.Min(only):
		c.d.m.Observe(c.observe, 0)
	default:
		c.d.m.Observe(c.observe, only[0])
	}
}

// retarget listens anew where a weak variable refers to another object than the ear is open for.
func (c *scanner) retarget() {
	if slices.ContainsFunc(c.ears, func(w *watcher) bool { return w.weak && w.only != w.target(c.d) }) {
		c.listen()
	}
}

// stopNear lets a sparse search stop at known writes only where they meet a watched word, if it is known where all words are.
func (c *scanner) stopNear() {
	from, to := endless, uint64(0)
	for _, w := range c.watch {
		if w.to == 0 || w.stack != nil {
			return
		}
		from, to = min(from, w.from), max(to, w.to)
	}
	if c.s.sparse && len(c.watch) > 0 {
		c.near = true
		c.d.m.Near(from, to)
	}
}

// stopsAt reports whether the search stops at a boundary of its own.
func (c *scanner) stopsAt(pc uint32) bool {
	return !c.s.sparse || !(c.near && c.d.m.IsNoted(pc)) && !c.onlyMakes(pc)
}

func (c *scanner) close() {
	c.d.under = nil
	c.d.m.Near(0, 0)
	c.d.m.Glance(nil)
	for _, pc := range c.planted {
		c.d.plant(pc, -1)
	}
	c.d.lift(false)
	c.d.m.Observe(nil, 0)
	c.d.m.OnThrow(nil)
}

// threw hears of an error that begins in library code without SIL. The stop stands before the instruction that called it.
func (c *scanner) threw(symbol string) {
	key := c.d.m.Now()
	if key <= c.above || key >= c.below || c.first && c.found != nil {
		return
	}
	for _, b := range c.throws {
		if b.Spec == "" && c.counts(b) {
			c.found = &found{key: key, reason: AtThrow, brk: b, thrown: &Thrown{In: c.d.nameOfFunction(symbol)}, heard: true}
		}
	}
	if c.first && c.found != nil {
		c.d.stopMidway()
	}
}

// observe is the ear.
func (c *scanner) observe(kind heap.TapKind, ref uint64) {
	key := c.d.m.Now()
	if key < c.above || key >= c.below || c.first && c.found != nil {
		return
	}
	if c.amiss || key != c.sure && c.changed() {
		c.amiss, c.upTo = true, key+1
		c.d.stopMidway()
		return
	}
	c.sure = key
	c.hear(kind, ref, key)
	if key == c.above { // a stop for an event stands before it, one for a word that changed after it
		return
	}
	if c.s.tap != nil && c.s.tap(kind, ref) {
		e := c.d.event(kind, ref, key)
		c.found = &found{key: key, reason: c.s.reason, event: &e}
	}
	for _, b := range c.taps {
		if b.hears(c.d, kind, ref) && c.counts(b) {
			e := c.d.event(kind, ref, key)
			c.found = &found{key: key, reason: AtEvent, brk: b, event: &e}
		}
	}
	if c.first && c.found != nil {
		c.d.stopMidway()
	}
}

// hear compares the words that change with counts.
func (c *scanner) hear(kind heap.TapKind, ref, key uint64) {
	for _, w := range c.ears {
		if !w.ear(c.d, kind, ref) {
			continue
		}
		if change := w.look(c.d); change != nil && (w.brk == nil || c.counts(w.brk)) {
			if f := c.found; f != nil && f.heard && f.key == key && f.brk == w.brk && f.change.Old != change.New {
				change.Old = f.change.Old // one instruction changes it several times
			}
			c.found = &found{key: key, reason: AtWatch, brk: w.brk, change: change, heard: true}
		}
	}
	if c.first && c.found != nil {
		c.d.stopMidway()
	}
}

// stopMidway stops the run in the middle of an instruction; it must go to some position before anything else.
func (d *Debugger) stopMidway() {
	d.midway = true
	d.m.StopSoon()
}

// counts reports whether a breakpoint that is reached makes a find.
func (c *scanner) counts(b *Breakpoint) bool {
	if !b.holds(c.d) {
		return false
	}
	if !c.first {
		return b.Message == ""
	}
	if b.stops() && b.Message == "" {
		return true
	}
	if b.Message != "" && c.d.say != nil {
		c.d.say(b, c.d.interpolated(b.Message))
	}
	return false
}

// run runs to a position, to the end of the run, or to the first find if that is wanted.
func (c *scanner) run(until uint64) vm.Stop {
	m, d := c.d.m, c.d
	for m.Steps() < until {
		stretch := c.leaveOut(until)
		due, end := d.timeline.due(), d.timeline.past.due(m.Steps())
		if m.Steps() == stretch {
			continue
		}
		if end == 0 {
			d.timeline.past.note(m)
			continue
		}
		if due == 0 {
			d.timeline.markNet()
			continue
		}
		if d.tick != nil {
			d.tick(d.Step())
		}
		n := min(stretch-m.Steps(), due, end, d.nextSetting(m.Steps())-m.Steps())
		var stop vm.Stop
		if c.s.sparse {
			if c.s.at[m.PC()] && c.mayHit() {
				if c.expectNone(); !c.amiss {
					stop = m.Watch(1, c.look)
				}
			} else {
				stop = m.Advance(n)
				if c.expectNone(); !c.amiss && stop.Kind == vm.Breakpoint {
					c.lookHere(m.Steps()) // of the user
				}
			}
			if c.amiss {
				return vm.Stop{Kind: vm.Budget}
			}
		} else if c.s.pred != nil && c.s.at == nil || len(c.watch) > 0 {
			stop = m.Watch(n, c.look)
		} else if stop = m.Advance(n); stop.Kind == vm.Breakpoint && !(c.first && c.found != nil) {
			c.look()
		}
		if !m.Ended() && d.nextSetting(m.Steps()-1) == m.Steps() {
			c.expectNone()
			c.arrived()
		}
		if stop.Kind == vm.Interrupted || m.Ended() || c.first && c.found != nil {
			c.expectNone()
			return stop
		}
	}
	c.expectNone()
	return vm.Stop{Kind: vm.Budget}
}

// expectNone looks whether the words of a sparse search are what they were when it looked last.
func (c *scanner) expectNone() {
	if c.amiss || c.d.midway || c.d.m.Steps() == c.sure {
		return
	}
	if c.upTo = c.d.m.Steps(); c.changed() {
		c.amiss = true
		return
	}
	c.sure = c.upTo
	c.retarget()
}

// changed reports whether a word of a sparse search is not what it was when it was looked at last.
func (c *scanner) changed() (yes bool) {
	for _, w := range c.watch {
		yes = c.s.sparse && w.look(c.d) != nil || yes
	}
	return yes
}

// arrived makes the changes of the user's that belong to the present position. Where the run stands there already they were made: to make
// them again changes nothing.
func (c *scanner) arrived() {
	d, key := c.d, c.d.m.Steps()
	for n := range d.settings {
		s := &d.settings[n]
		if s.at != key || d.midway {
			continue
		}
		d.apply(s)
		for _, w := range c.watch {
			change := w.look(d)
			if w.field != nil && change == nil {
				change = w.field.set(d, s)
			}
			if change == nil || key <= c.above || key >= c.below || w.brk != nil && !c.counts(w.brk) {
				continue
			}
			change.Set = true
			c.found = &found{key: key, reason: AtWatch, brk: w.brk, change: change}
			if w.brk == nil {
				c.found.reason = c.s.reason
			}
		}
	}
	c.retarget()
}

// look decides at a boundary whether it is a find; true ends the run.
func (c *scanner) look() bool {
	d, key := c.d, c.d.m.Steps()
	for _, w := range c.watch {
		change := w.look(d)
		if v := w.stack; v != nil && w == c.s.watch && !w.last.there {
			c.found, v.began = nil, false // what was found is of an earlier call
			continue
		}
		if change == nil || key-1 >= c.below || w.brk != nil && !c.counts(w.brk) {
			continue
		}
		c.found = &found{key: key - 1, reason: AtWatch, brk: w.brk, change: change}
		if w.brk == nil {
			c.found.reason = c.s.reason
		}
	}
	c.sure = key
	c.retarget()
	if c.found != nil && c.found.key >= key-1 && c.found.change != nil && c.first {
		return true
	}
	c.lookHere(key)
	return c.first && c.found != nil
}

// lookHere decides whether the position itself is a find.
func (c *scanner) lookHere(key uint64) {
	if key <= c.above || key >= c.below {
		return
	}
	d, pc := c.d, c.d.m.PC()
	if c.s.breaks && d.planted[pc] > 0 {
		for _, b := range d.breaks {
			hidden, mine := b.pcs[pc]
			if !b.Enabled || !mine {
				continue
			}
			d.hidden = hidden
			f, ok := d.hits(b)
			if ok && c.counts(b) {
				f.key, f.hidden = key, hidden
				c.found = f
				return
			}
		}
	}
	if c.s.pred != nil && (c.s.at == nil || c.s.at[pc]) && c.s.pred() {
		c.found = &found{key: key, reason: c.s.reason, hidden: c.s.hidden}
	}
}

// glance reports whether to stop at a boundary: not where there are only breakpoints whose conditions are known not to hold.
func (c *scanner) glance(pc uint32, regs []uint64) bool {
	if c.s.pred != nil && (c.s.at == nil || c.s.at[pc]) || c.s.sparse {
		return true
	}
	for _, b := range c.d.breaks {
		if _, mine := b.pcs[pc]; !b.Enabled || !mine {
			continue
		}
		if b.Kind != BreakCode || b.cond == nil {
			return true
		}
		if yes, ok := b.quick.ask(pc, regs); yes || !ok {
			return true
		}
		b.problem = nil
	}
	return false
}

// hits tells what a breakpoint that stands at the present boundary stops for; ok is false when it does not.
func (d *Debugger) hits(b *Breakpoint) (f *found, ok bool) {
	switch b.Kind {
	case BreakThrow:
		t, ok := d.thrownAt(b)
		return &found{reason: AtThrow, brk: b, thrown: &t}, ok
	case BreakWatch:
		a, ok := d.accessAt(b.touched)
		return &found{reason: AtAccess, brk: b, access: &a}, ok
	}
	return &found{reason: AtBreak, brk: b}, true
}
