package debugger

import (
	"fmt"
	"maps"
	"slices"

	"silvm/heap"
	"silvm/vm"
)

// Counts are the counts of an object as the Swift runtime reports them.
type Counts struct {
	Strong, Unowned, Weak uint64
	State                 heap.State
}

// String words counts. The one unit of the unowned and the weak count that every object has is not worth a word.
func (c Counts) String() string {
	if c.State == StateNone {
		return "not there"
	}
	text := fmt.Sprintf("strong %d", c.Strong)
	if c.Unowned > 1 {
		text += fmt.Sprintf(", unowned %d", c.Unowned)
	}
	if c.Weak > 1 {
		text += fmt.Sprintf(", weak %d", c.Weak)
	}
	if c.State != StateLive {
		text += ", " + c.State.String()
	}
	return text
}

// countPart is a count of an object, or its state, as an expression names it after a dot: Node#3.strong.
type countPart struct {
	name string
	of   func(c Counts) uint64
	text func(n uint64) string // nil of a number
}

// countParts are all of them.
var countParts = []countPart{
	{"strong", func(c Counts) uint64 { return c.Strong }, nil},
	{"unowned", func(c Counts) uint64 { return c.Unowned }, nil},
	{"weak", func(c Counts) uint64 { return c.Weak }, nil},
	{"state", func(c Counts) uint64 { return uint64(c.State) }, func(n uint64) string { return heap.State(n).String() }},
}

// countPartNamed finds one by its name, nil when there is none.
func countPartNamed(name string) *countPart {
	n := slices.IndexFunc(countParts, func(p countPart) bool { return p.name == name })
	if n < 0 {
		return nil
	}
	return &countParts[n]
}

// CountNames returns the words for the counts of an object that can follow a dot.
func CountNames() []string {
	names := make([]string, len(countParts))
	for n, p := range countParts {
		names[n] = p.name
	}
	return names
}

// Event is a change of an object's counts.
type Event struct {
	Kind   heap.TapKind
	Step   uint64 // of the instruction that did it
	Ref    uint64
	Serial uint64 // 0 of an object on the stack
	Name   string
	After  Counts
	Stack  []vm.Place // innermost first, at most maxStack
	Failed bool       // it did not happen: the finding at the end of the run
	Change bool       // of one that failed: it would have changed a count
}

// The kinds of events and the states of objects that front ends tell apart.
const (
	EventAlloc          = heap.TapAlloc
	EventRetain         = heap.TapRetain
	EventRelease        = heap.TapRelease
	EventDeinit         = heap.TapDeinit
	EventUnownedRetain  = heap.TapUnownedRetain
	EventUnownedRelease = heap.TapUnownedRelease
	EventWeakRetain     = heap.TapWeakRetain
	EventWeakRelease    = heap.TapWeakRelease
	EventEnd            = heap.TapEnd

	StateNone     = heap.NoState
	StateLive     = heap.Live
	StateDeinited = heap.Deinited
	StateFreed    = heap.Freed
)

const maxStack = 24

func (d *Debugger) countsAt(ref uint64) Counts {
	strong, unowned, weak, state, _ := d.m.Heap().Counts(ref)
	if state == heap.Deiniting || state == heap.Deinited || state == heap.Freed {
		strong = 0
	}
	return Counts{strong, unowned, weak, state}
}

// event describes a change that just happened in instruction key.
func (d *Debugger) event(kind heap.TapKind, ref, key uint64) Event {
	e := Event{Kind: kind, Step: key - 1, Ref: ref, Name: d.bareName(ref), After: d.countsAt(ref)}
	if o, ok := d.m.Heap().Object(ref); ok {
		e.Serial = o.Serial
	}
	d.m.Frames(func(f vm.Frame) bool {
		e.Stack = append(e.Stack, d.m.PlaceOf(f.PC))
		return len(e.Stack) < maxStack
	})
	return e
}

// bareName names an object without its state.
func (d *Debugger) bareName(ref uint64) string {
	if o, ok := d.m.Heap().Object(ref); ok && o.Kind == heap.KindObject {
		return d.m.ObjectName(o)
	}
	return d.nameAt(ref)
}

// CountChange is a difference of an object's counts between two stops. An object that is not there has the zero Counts.
type CountChange struct {
	Name          string
	Serial        uint64
	Before, After Counts
}

// maxCompared is how many live objects are compared at each stop; of more, only those that the running frame refers to.
const maxCompared = 4096

// changed returns the objects whose counts changed since the last stop.
func (d *Debugger) changed() []CountChange {
	now := map[uint64]Counts{}
	names := map[uint64]string{}
	note := func(o heap.ObjectInfo) {
		now[o.Serial] = d.countsAt(o.Ref)
		names[o.Serial] = d.m.ObjectName(o)
	}
	all := d.m.Heap().Stats().LiveObjects <= maxCompared
	if all {
		d.m.Heap().Live(func(o heap.ObjectInfo) bool {
			if o.Kind == heap.KindObject {
				note(o)
			}
			return true
		})
	} else if f, ok := d.call(0); ok {
		for _, v := range d.Values(f) {
			if ref, ok := d.Ref(v.Value); ok {
				if o, ok := d.m.Heap().Object(ref); ok {
					note(o)
				}
			}
		}
	}
	var out []CountChange
	for serial, c := range now {
		if old, ok := d.counts[serial]; ok && old != c || !ok && all && d.counted {
			out = append(out, CountChange{names[serial], serial, old, c})
		}
	}
	if all && d.counted {
		for serial, old := range d.counts {
			if _, ok := now[serial]; !ok {
				out = append(out, CountChange{d.called[serial], serial, old, Counts{}})
			}
		}
	}
	sortChanges(out)
	d.counts, d.called, d.counted = now, names, all
	return out
}

// eventWords are the words for kinds of events.
var eventWords = map[string][]heap.TapKind{
	"alloc":   {heap.TapAlloc},
	"count":   {heap.TapRetain, heap.TapRelease},
	"dealloc": {heap.TapEnd},
	"deinit":  {heap.TapDeinit},
	"free":    {heap.TapEnd},
	"release": {heap.TapRelease},
	"retain":  {heap.TapRetain},
	"unowned": {heap.TapUnownedRetain, heap.TapUnownedRelease},
	"weak":    {heap.TapWeakRetain, heap.TapWeakRelease},
}

// EventKinds returns the kinds of events that a word names, nil when it names none.
func EventKinds(word string) []heap.TapKind { return eventWords[word] }

// EventWords returns the words that EventKinds knows, sorted.
func EventWords() []string { return slices.Sorted(maps.Keys(eventWords)) }
