package debugger

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/code"
)

// Histories: the past is run again from before the object was made, with an ear for its counts.

// replay runs from the latest snapshot at or before position from to position to with an ear, and comes back.
func (d *Debugger) replay(snap *vm.Snapshot, to uint64, tap heap.Tap) bool {
	back := d.stay()
	defer back()
	d.m.Restore(snap)
	c := d.scan(&search{}, 0, endless, false)
	d.m.Observe(tap)
	stop := c.run(to)
	c.close()
	return stop.Kind != vm.Interrupted
}

// past gives where a replay ends: the present.
func (d *Debugger) past() uint64 {
	if d.m.Ended() {
		return endless
	}
	return d.m.Steps()
}

// madeAfter gives the latest snapshot at which an object was not yet made.
func (d *Debugger) madeAfter(serial uint64) *vm.Snapshot {
	best := d.timeline.net[0].snap
	for _, list := range [][]mark{d.timeline.net, d.timeline.local} {
		for _, k := range list {
			if k.snap.ObjectsMade() < serial && k.snap.Steps >= best.Steps {
				best = k.snap
			}
		}
	}
	return best
}

// pastObject finds an object whose memory was used again.
func (d *Debugger) pastObject(serial uint64) (o Object, ok bool) {
	if serial == 0 || serial > d.m.Heap().Stats().Objects {
		return o, false
	}
	d.replay(d.madeAfter(serial), d.past(), func(kind heap.TapKind, ref uint64) {
		if kind != heap.TapAlloc || ok {
			return
		}
		if info, there := d.m.Heap().Object(ref); there && info.Serial == serial {
			o, ok = d.object(info), true
			d.m.StopSoon()
		}
	})
	o.Counts = Counts{State: heap.Freed}
	return o, ok
}

// maxHistory is how many events of one object are kept.
const maxHistory = 100_000

// History lists the changes of an object's counts up to the present, oldest first. more says that there were too many; ok is false
// when it was interrupted.
func (d *Debugger) History(o Object) (events []Event, more, ok bool) {
	ok = d.replay(d.madeAfter(o.Serial), d.past(), func(kind heap.TapKind, ref uint64) {
		if ref != o.Ref {
			return
		}
		if info, there := d.m.Heap().Object(ref); !there || info.Serial != o.Serial {
			return
		}
		if len(events) == maxHistory {
			more = true
			return
		}
		events = append(events, d.event(kind, ref, d.m.Now()))
	})
	if e := d.atEnd(); e != nil && e.Trap != nil && e.Trap.Fault != nil && e.Trap.Object != nil && e.Trap.Object.Info.Serial == o.Serial {
		events = append(events, d.failedEvent(e, o))
	}
	return events, more, ok
}

// failedEvent is what the finding at the end would have done.
func (d *Debugger) failedEvent(e *End, o Object) Event {
	kind := heap.TapRetain
	switch e.Trap.Fault.Kind {
	case heap.OverRelease, heap.DoubleFree:
		kind = heap.TapRelease
	case heap.UnownedOverRelease:
		kind = heap.TapUnownedRelease
	}
	x := Event{Kind: kind, Step: e.Step, Ref: o.Ref, Serial: o.Serial, Name: o.Name, After: o.Counts, Failed: true}
	d.m.Frames(func(f vm.Frame) bool {
		x.Stack = append(x.Stack, d.m.PlaceOf(f.PC))
		return len(x.Stack) < maxStack
	})
	return x
}

// Pair is a retain, or the making of the object, and the release that goes with it; one of them is nil when it has none.
type Pair struct{ Retain, Release *Event }

// Balance pairs the retains of an object with its releases: a release goes with the latest open retain of the same call, else of
// the same function, else of a function that called it, else of any. What stays open is listed last.
func (d *Debugger) Balance(o Object) (pairs []Pair, events []Event, ok bool) {
	events, _, ok = d.History(o)
	var open []*Event
	for k := range events {
		e := &events[k]
		switch e.Kind {
		case heap.TapAlloc, heap.TapRetain:
			open = append(open, e)
		case heap.TapRelease:
			n := partner(open, e)
			if n < 0 || e.Failed {
				pairs = append(pairs, Pair{nil, e})
				continue
			}
			pairs = append(pairs, Pair{open[n], e})
			open = append(open[:n:n], open[n+1:]...)
		case heap.TapDeinit:
			// set_deiniting: the last release was put in its place
			if len(open) == 1 && (k == 0 || events[k-1].Kind != heap.TapRelease || events[k-1].Step != e.Step) {
				pairs = append(pairs, Pair{open[0], e})
				open = nil
			}
		}
	}
	for _, e := range open {
		pairs = append(pairs, Pair{e, nil})
	}
	return pairs, events, ok
}

// partner picks the retain that a release goes with.
func partner(open []*Event, rel *Event) int {
	best, bestRank := -1, -1
	for n, e := range open {
		rank := 0
		f, g := funcOf(e), funcOf(rel)
		switch {
		case f != nil && f == g && len(e.Stack) == len(rel.Stack):
			rank = 3
		case f != nil && f == g:
			rank = 2
		case f != nil && calls(rel.Stack, f):
			rank = 1
		}
		if e.Kind == heap.TapAlloc && rank < 3 {
			rank = max(rank-1, 0)
		}
		if rank >= bestRank {
			best, bestRank = n, rank
		}
	}
	return best
}

// funcOf gives the function of the program in which an event happened.
func funcOf(e *Event) *code.Func {
	for _, p := range e.Stack {
		if p.Inst != nil {
			return p.Func
		}
	}
	return nil
}

func calls(stack []vm.Place, f *code.Func) bool {
	for _, p := range stack {
		if p.Func == f {
			return true
		}
	}
	return false
}

// Where gives the instruction of the program that an event belongs to.
func (e *Event) Where() (place vm.Place, inst *ir.Inst) {
	for _, p := range e.Stack {
		if p.Inst != nil {
			return p, p.Inst
		}
	}
	return vm.Place{}, nil
}

// Last goes back to the last change of a count of an object, or of a value: to the instruction that is about to make it.
func (d *Debugger) Last(what string) (Stop, error) {
	if o, err := d.ObjectNamed(what); err == nil {
		f, s := d.backward(&search{reason: AtEvent, tap: func(_ heap.TapKind, ref uint64) bool {
			info, ok := d.m.Heap().Object(ref)
			return ok && info.Serial == o.Serial
		}})
		return d.arrive(f, s, NotFound), nil
	}
	read, text, err := d.watchable(what)
	if err != nil {
		return Stop{}, err
	}
	f, s := d.backward(&search{reason: AtWatch, watch: &watcher{what: what, read: read, text: text}})
	return d.arrive(f, s, NotFound), nil
}
