package debugger

import (
	"silvm/heap"
	"silvm/vm"
	"silvm/vm/code"
)

// How moments are found. A search runs a stretch of the timeline, forwards always, with traps set: boundaries where it wants a look,
// words that it compares at every boundary, an ear for changes of counts. Forwards the first find ends it; backwards it goes through
// the stretches between snapshots, the latest first, and the last find of a stretch counts.
//
// Positions are numbers of boundaries as vm.Machine.Steps counts them: at position k instruction k is about to run. A position, a
// change of counts and a change of a word all have a key, the number of the instruction at or in which they happen.

// endless is a position after all.
const endless = ^uint64(0)

// search says what to look for.
type search struct {
	breaks bool                        // the user's breakpoints
	at     map[uint32]bool             // boundaries where pred is asked; nil is all of them
	grow   func(f *code.Func) []uint32 // those of a function that is lowered while the search runs; nil is none
	pred   func() bool                 // nil finds nothing
	// glance is asked before pred, while the machine runs; where it says false it is as if pred had been asked and had said so. nil says true.
	glance func(pc uint32, regs []uint64) bool
	// deepest is the greatest depth of calls at which pred can hold; 0 is any.
	deepest int
	reason  Reason // of what pred and tap find
	tap     func(kind heap.TapKind, ref uint64) bool
	only    uint64   // the object that tap hears of, by its address; 0 is all
	serial  uint64   // its serial number, 0 of one on the stack
	class   string   // the class of what tap hears of, "" is any
	watch   *watcher // a word that is watched beside those of breaks
	sparse  bool     // words are looked at only before and after the boundaries of at
	dense   bool     // they are looked at everywhere
	hidden  int      // calls that are hidden where pred holds; pred sets it
	// quiet says of a stretch whether pred has nothing to find there although boundaries of at were passed; nil says no. It is asked of each
	// stretch after the present, one after the other.
	quiet func(*stretch) bool
}

// everywhere is a search for the same with a look at each boundary.
func (s *search) everywhere() *search {
	x := *s
	x.sparse, x.at, x.grow, x.dense = false, nil, nil, true
	return &x
}

// found is a moment that a search came to.
type found struct {
	key    uint64
	reason Reason
	brk    *Breakpoint
	event  *Event
	change *Change
	access *Touch
	thrown *Thrown
	heard  bool // it was heard while the instruction ran
	hidden int  // calls that are hidden there
}

// forward goes to the first find after the present; when there is none it goes to the end of the run or to position until.
func (d *Debugger) forward(s *search, until uint64) (*found, vm.Stop) {
	if d.m.Ended() {
		return nil, d.endStop()
	}
	d.thinOut(s)
	x, above, to := s, d.m.Steps(), until
	for {
		c := d.scan(x, above, endless, true)
		c.quiet = d.quiet(x)
		stop := c.run(to)
		c.close()
		switch {
		case c.amiss: // something changed a word between these two positions
			if x, to = s.everywhere(), min(c.upTo, until); c.sure > above {
				above = c.sure - 1
			}
			if d.seek(c.sure); stop.Kind == vm.Interrupted {
				d.m.Interrupt()
			}
			continue
		case x != s && c.found == nil && stop.Kind == vm.Budget && d.m.Steps() < until:
			x, above, to = s, d.m.Steps()-1, until
			continue
		}
		if d.m.Ended() {
			d.ended(stop)
		}
		switch f := c.found; {
		case f != nil && f.event != nil:
			d.travel(f.key)
		case f != nil && f.thrown != nil && f.heard:
			d.travel(f.key)
		case f != nil && f.heard:
			d.travel(f.key + 1)
		}
		d.show(c.found)
		return c.found, stop
	}
}

// backward goes to the last find before the present. When there is none the run stays where it is. It looks at a short stretch first
// and at longer and longer ones before that, because the moment is often near, and setting traps costs.
func (d *Debugger) backward(s *search) (*found, vm.Stop) {
	back := d.stay()
	d.thinOut(s)
	width, quiet := uint64(firstLook), d.quiet(s)
	for hi := d.here(); hi > 1; {
		to, from := d.timeline.past.skip(hi, quiet)
		if hi = to; hi <= 1 {
			break
		}
		lo := hi - min(width, hi-1)
		if width > firstLook {
			lo = max(lo, from, 1)
			if snap := d.timeline.before(lo); snap != nil && lo > from && snap.Steps > from {
				lo = max(snap.Steps, 1) // so that nothing runs only to get there
			}
		}
		d.seek(lo)
		c := d.scan(s, 0, hi, false)
		c.lookHere(lo)
		stop := c.run(hi)
		c.close()
		if c.amiss && stop.Kind != vm.Interrupted {
			d.seek(lo)
			c = d.scan(s.everywhere(), 0, hi, false)
			c.lookHere(lo)
			stop = c.run(hi)
			c.close()
		}
		if stop.Kind == vm.Interrupted {
			back()
			return nil, stop
		}
		if c.found != nil {
			if b := c.found.brk; b != nil {
				if !b.stops() {
					hi, width = c.found.key, firstLook
					continue
				}
			}
			d.travel(c.found.key)
			w := s.watch
			if b := c.found.brk; b != nil {
				w = b.watch
			}
			d.setFirst(c.found, w)
			d.show(c.found)
			return c.found, vm.Stop{Kind: vm.Budget}
		}
		if s.watch != nil && s.watch.stack != nil && !s.watch.stack.began {
			break // what comes before is of earlier calls
		}
		hi, width = lo, min(32*width, 2*d.timeline.every)
	}
	back()
	return nil, vm.Stop{Kind: vm.Budget}
}

// show hides the calls that a find hides.
func (d *Debugger) show(f *found) {
	if d.hidden = 0; f != nil {
		d.hidden = f.hidden
	}
}

// firstLook is the number of steps that a search backwards looks at first.
const firstLook = 1 << 11

// here is the present position; that of the end of a run that exited lies after its last instruction.
func (d *Debugger) here() uint64 { return d.Step() + 1 }

// endStop is how a run that ended stopped.
func (d *Debugger) endStop() vm.Stop {
	if d.end != nil && d.end.Trap != nil {
		return vm.Stop{Kind: vm.Trapped, ExitCode: d.end.ExitCode, Trap: d.end.Trap}
	}
	return vm.Stop{Kind: vm.Exited, ExitCode: d.end.ExitCode}
}

// stay notes where the run is; the function that it returns comes back there.
func (d *Debugger) stay() func() {
	if d.m.Ended() {
		return d.toEnd
	}
	d.timeline.markLocal()
	at := d.m.Steps()
	return func() {
		if d.m.Steps() != at || d.m.Ended() || d.midway {
			d.travel(at)
		}
	}
}

// toEnd runs to the end, over everything.
func (d *Debugger) toEnd() {
	if snap := d.timeline.before(endless); d.midway || snap != nil && snap.Steps > d.m.Steps() {
		d.m.Restore(snap)
		d.midway = false
	}
	c := d.scan(&search{}, 0, endless, false)
	stop := c.run(endless)
	for stop.Kind == vm.Interrupted {
		stop = c.run(endless)
	}
	c.close()
	d.ended(stop)
}

// The distances before a step that was gone back to at which local snapshots are taken.
var localMarks = [...]uint64{1 << 17, 1 << 12}

// travel goes to a position of the past, or of the near future, over everything, and leaves local snapshots before it so that the
// next steps back are short.
func (d *Debugger) travel(at uint64) { d.goTo(at, true) }

// seek goes to a position like travel, and leaves no snapshots. A request to stop that comes meanwhile is for the search that follows.
func (d *Debugger) seek(at uint64) {
	if d.goTo(at, false) {
		d.m.Interrupt()
	}
}

// goTo reports whether it was asked to stop meanwhile, which it does not.
func (d *Debugger) goTo(at uint64, leave bool) (interrupted bool) {
	d.hidden = 0
	m, t := d.m, &d.timeline
	back := m.Ended() || at < m.Steps() || d.midway
	if snap := t.before(at); back || snap != nil && snap.Steps > m.Steps() {
		t.restore(at)
		d.midway = false
	}
	c := d.scan(&search{}, 0, endless, false)
	defer c.close()
	run := func(to uint64) {
		for m.Steps() < to && !m.Ended() {
			interrupted = c.run(to).Kind == vm.Interrupted || interrupted
		}
	}
	if back && leave {
		for _, n := range localMarks {
			if at > n && m.Steps()+n < at {
				run(at - n)
				t.markLocal()
			}
		}
	}
	run(at)
	return interrupted
}
