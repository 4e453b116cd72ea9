package debugger

import (
	"silvm/heap"
	"silvm/ir/source"
	"silvm/vm"
)

// GotoLeak goes from the end of the program to where the first leak with a code came about: for a ring to the store that closed it,
// for an object to the retain, or the making, that no release goes with; where all leaks with the code have no such moment it stays at
// the end. said is the finding, nil when nothing leaks with that code. The machine must have ended.
func (d *Debugger) GotoLeak(code string) (stop Stop, said *source.Diagnostic) {
	var leak *vm.LeakFinding
	for _, f := range d.m.LeakFindings() {
		if text := d.m.LeakDiagnostic(&f); text.Code == code && (leak == nil || f.HasMoment() && !leak.HasMoment()) {
			leak, said = &f, text
		}
	}
	switch {
	case leak == nil || !leak.HasMoment():
		return d.arrive(nil, d.endStop(), AtEnd), said
	case len(leak.Cycle) > 0:
		found, stop := d.backward(&search{reason: AtWatch, watch: d.ringWatcher(leak.Cycle)})
		return d.arrive(found, stop, AtEnd), said
	}
	if e := d.unreleased(leak.Objects[0]); e != nil {
		return d.Goto(e.Step), said
	}
	return d.arrive(nil, d.endStop(), AtEnd), said
}

// ringWatcher watches whether all references of a ring are there.
func (d *Debugger) ringWatcher(ring []heap.Edge) *watcher {
	return &watcher{
		what: "the ring",
		read: func(d *Debugger) reading {
			for _, e := range ring {
				if w, ok := d.m.Heap().Load64(e.Slot); !ok || w&^tagBits != e.To {
					return reading{}
				}
			}
			return reading{there: true}
		},
		text: func(_ *Debugger, r reading) string {
			if r.there {
				return "closed"
			}
			return "open"
		},
	}
}

// unreleased returns the event of an object that no release goes with, nil when there is none.
func (d *Debugger) unreleased(info heap.ObjectInfo) *Event {
	b, ok := d.Balance(d.object(info))
	if !ok {
		return nil
	}
	for _, p := range b.Pairs {
		if p.Release == nil && p.Retain != nil {
			return p.Retain
		}
	}
	return nil
}
