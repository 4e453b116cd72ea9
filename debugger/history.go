package debugger

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/code"
)

// Histories: the past is run again from before the object was made, with an ear for its counts.

// replay runs from before an object was made to position to with an ear, until the ear has heard enough, and comes back. It says
// whether that was not interrupted.
func (d *Debugger) replay(serial, to uint64, enough func(kind heap.TapKind, ref uint64) bool) bool {
	back := d.stay()
	defer back()
	d.m.Restore(d.latest(func(s *vm.Snapshot) bool { return s.ObjectsMade() < serial }))
	c := d.scan(&search{tap: enough}, 0, endless, true)
	stop := c.run(to)
	c.close()
	return stop.Kind != vm.Interrupted
}

// present returns where a replay ends.
func (d *Debugger) present() uint64 {
	if d.m.Ended() {
		return endless
	}
	return d.m.Steps()
}

// latest returns the latest snapshot that is as wanted, of those that lie before all that are not; the start is always wanted.
func (d *Debugger) latest(wanted func(*vm.Snapshot) bool) *vm.Snapshot {
	best := d.timeline.net[0].snap
	for _, list := range [][]mark{d.timeline.net, d.timeline.local} {
		for _, k := range list {
			if k.snap.Steps >= best.Steps && wanted(k.snap) {
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
	d.replay(serial, d.present(), func(kind heap.TapKind, ref uint64) bool {
		if kind == heap.TapAlloc {
			if info, there := d.m.Heap().Object(ref); there && info.Serial == serial {
				o, ok = d.object(info), true
			}
		}
		return ok
	})
	o.Counts = Counts{State: heap.Freed}
	return o, ok
}

// maxHistory is how many events of one object are kept.
const maxHistory = 100_000

// History lists the changes of an object's counts up to the present, oldest first. more says that there were too many; ok is false
// when it was interrupted.
func (d *Debugger) History(o Object) (events []Event, more, ok bool) {
	if o.Serial == 0 {
		return d.stackHistory(o)
	}
	ok = d.replay(o.Serial, d.present(), func(kind heap.TapKind, ref uint64) bool {
		if ref != o.Ref {
			return false
		}
		if info, there := d.m.Heap().Object(ref); !there || info.Serial != o.Serial {
			return false
		}
		if more = len(events) == maxHistory; !more {
			events = append(events, d.event(kind, ref, d.m.Now()))
		}
		return more
	})
	if e := d.atEnd(); e != nil && e.Trap != nil && e.Trap.Fault != nil && e.Trap.Object != nil && e.Trap.Object.Info.Serial == o.Serial {
		events = append(events, d.failedEvent(e, o))
	}
	return events, more, ok
}

// stackHistory is that of an object that is not on the heap, from when its memory became this object.
func (d *Debugger) stackHistory(o Object) (events []Event, more, ok bool) {
	until := d.present()
	back := d.stay()
	defer back()
	made, stop := d.backward(&search{reason: AtEvent, tap: func(kind heap.TapKind, ref uint64) bool { return kind == heap.TapAlloc && ref == o.Ref }})
	if stop.Kind == vm.Interrupted {
		return nil, false, false
	}
	if made == nil {
		return nil, false, true // a static object, whose counts never change
	}
	c := d.scan(&search{tap: func(kind heap.TapKind, ref uint64) bool {
		if ref == o.Ref {
			if more = len(events) == maxHistory; !more {
				events = append(events, d.event(kind, ref, d.m.Now()))
			}
		}
		return more
	}}, 0, endless, true)
	stop = c.run(until)
	c.close()
	return events, more, stop.Kind != vm.Interrupted
}

// failedEvent is what the finding at the end would have done.
func (d *Debugger) failedEvent(e *End, o Object) Event {
	x := Event{Step: e.Step, Ref: o.Ref, Serial: o.Serial, Name: o.Name, After: o.Counts, Failed: true}
	switch e.Trap.Fault.Kind {
	case heap.OverRelease, heap.DoubleFree:
		x.Kind, x.Change = heap.TapRelease, true
	case heap.UnownedOverRelease:
		x.Kind, x.Change = heap.TapUnownedRelease, true
	case heap.UseAfterFree, heap.DanglingUnowned:
		x.Kind = heap.TapRetain
		if i := e.Trap.Place.Inst; i != nil {
			switch i.Op {
			case op.StrongRetain, op.RetainValue, op.CopyValue, op.StrongCopyUnownedValue, op.StrongCopyUnmanagedValue, op.StrongRetainUnowned:
				x.Change = true
			case op.StrongRelease, op.ReleaseValue, op.DestroyValue:
				x.Kind, x.Change = heap.TapRelease, true
			}
		}
	}
	d.m.Frames(func(f vm.Frame) bool {
		x.Stack = append(x.Stack, d.m.PlaceOf(f.PC))
		return len(x.Stack) < maxStack
	})
	return x
}

// Pair is a retain, or the making of the object, and the release that goes with it; one of them is nil when it has none.
type Pair struct{ Retain, Release *Event }

// Balance pairs the retains of an object with its releases, those that go together best first: of the same value, of a value that a
// call gave, of the same call, of the same function, of a function that called it, any; the latest of equals. What stays open is
// listed last; where a retain and the making of the object could do, the retain is said to be the open one.
func (d *Debugger) Balance(o Object) (pairs []Pair, events []Event, ok bool) {
	events, _, ok = d.History(o)
	var plus, minus []*Event
	for k := range events {
		e := &events[k]
		switch e.Kind {
		case heap.TapAlloc, heap.TapRetain:
			if !e.Failed {
				plus = append(plus, e)
			}
		case heap.TapRelease:
			minus = append(minus, e)
		case heap.TapDeinit:
			if k == 0 || events[k-1].Kind != heap.TapRelease || events[k-1].Step != e.Step {
				minus = append(minus, e) // set_deiniting stands for the last release
			}
		}
	}
	with := make(map[*Event]*Event, len(minus)) // by release
	taken := make(map[*Event]bool, len(plus))
	for rank := bestAffinity; rank >= 0; rank-- {
		for _, rel := range minus {
			if with[rel] != nil {
				continue
			}
			if e := partner(plus, taken, rel, rank); e != nil {
				with[rel], taken[e] = e, true
			}
		}
	}
	for _, rel := range minus {
		pairs = append(pairs, Pair{with[rel], rel})
	}
	for _, e := range plus {
		if taken[e] {
			continue
		}
		if e.Kind == heap.TapAlloc {
			e = instead(pairs, e)
		}
		pairs = append(pairs, Pair{e, nil})
	}
	return pairs, events, ok
}

// maxTried is how many retains are tried for a release.
const maxTried = 2000

// partner picks the latest open retain before a release that goes with it that well, nil when there is none.
func partner(plus []*Event, taken map[*Event]bool, rel *Event, rank int) *Event {
	tried := 0
	for n := len(plus) - 1; n >= 0 && tried < maxTried; n-- {
		if e := plus[n]; !taken[e] && e.Step <= rel.Step {
			if tried++; affinity(e, rel) >= rank {
				return e
			}
		}
	}
	return nil
}

// instead gives the alloc a release whose retain goes with it no better, and gives that retain; the alloc itself when there is none.
func instead(pairs []Pair, alloc *Event) *Event {
	for n := len(pairs) - 1; n >= 0; n-- {
		p := &pairs[n]
		if p.Retain != nil && p.Release != nil && affinity(alloc, p.Release) >= affinity(p.Retain, p.Release) {
			open := p.Retain
			p.Retain = alloc
			return open
		}
	}
	return alloc
}

// bestAffinity is the most that affinity returns.
const bestAffinity = 5

// affinity says how well a retain and a release go together.
func affinity(e, rel *Event) int {
	at, by := innermost(e), innermost(rel)
	if at < 0 || by < 0 {
		return 0
	}
	p, q := e.Stack[at], rel.Stack[by]
	v := released(q.Inst)
	sameCall := p.Func == q.Func && len(e.Stack)-at == len(rel.Stack)-by
	if sameCall && v != nil && v == retained(p.Inst) {
		return 5
	}
	for k := at + 1; k < len(e.Stack) && v != nil; k++ { // a call gave the value to the function that releases it
		if f := e.Stack[k]; f.Func == q.Func && f.Inst != nil && f.Inst == v.Inst() && len(e.Stack)-k == len(rel.Stack)-by {
			return 4
		}
	}
	switch {
	case sameCall:
		return 3
	case p.Func == q.Func:
		return 2
	case calls(rel.Stack, p.Func):
		return 1
	}
	return 0
}

// innermost returns the number of the innermost place of an event that is in the program's text, -1 when there is none.
func innermost(e *Event) int {
	for n, p := range e.Stack {
		if p.Inst != nil {
			return n
		}
	}
	return -1
}

// retained returns the value whose reference an instruction adds, nil when that is not known.
func retained(i *ir.Inst) *ir.Value {
	switch i.Op {
	case op.StrongRetain, op.RetainValue, op.UnmanagedRetainValue:
		return origin(i.Arg(0))
	}
	if len(i.Results) > 0 {
		return origin(i.Results[0])
	}
	return nil
}

// released returns the value whose reference an instruction gives up, nil when it has none.
func released(i *ir.Inst) *ir.Value {
	if len(i.Operands) == 0 {
		return nil
	}
	return origin(i.Arg(0))
}

// origin looks through what only gives a reference another form.
func origin(v *ir.Value) *ir.Value {
	for n := 0; n < 64 && v.Inst() != nil; n++ {
		switch i := v.Inst(); i.Op {
		case op.Upcast, op.UncheckedRefCast, op.MoveValue, op.BeginBorrow, op.InitExistentialRef, op.OpenExistentialRef,
			op.Enum, op.UncheckedEnumData, op.UnconditionalCheckedCast, op.EndInitLetRef, op.MarkDependence, op.EndCowMutation,
			op.RefToUnmanaged, op.UnmanagedToRef:
			if len(i.Operands) == 0 {
				return v
			}
			v = i.Arg(0)
		default:
			return v
		}
	}
	return v
}

func calls(stack []vm.Place, f *code.Func) bool {
	for _, p := range stack {
		if p.Func == f {
			return true
		}
	}
	return false
}

// Where returns the instruction of the program that an event belongs to.
func (e *Event) Where() (place vm.Place, inst *ir.Inst) {
	for _, p := range e.Stack {
		if p.Inst != nil {
			return p, p.Inst
		}
	}
	return vm.Place{}, nil
}

// isInMemory reports whether an expression names a place in memory, which can change, and not only an object.
func (d *Debugger) isInMemory(what string) bool {
	if objectRE.MatchString(what) || stackRE.MatchString(what) {
		return false
	}
	v, err := d.Eval(what, 0)
	return err == nil && v.Addr != 0
}

// Last goes back to the last change of a count of an object, or of a value: to the instruction that is about to make it.
func (d *Debugger) Last(what string) (Stop, error) {
	if o, err := d.ObjectNamed(what); err == nil && !d.isInMemory(what) {
		f, s := d.backward(&search{reason: AtEvent, tap: func(_ heap.TapKind, ref uint64) bool {
			if o.Serial == 0 {
				return ref == o.Ref
			}
			info, ok := d.m.Heap().Object(ref)
			return ok && info.Serial == o.Serial
		}})
		return d.arrive(f, s, NotFound), nil
	}
	w, err := d.watcherOf(what)
	if err != nil {
		return Stop{}, err
	}
	f, s := d.backward(&search{reason: AtWatch, watch: w})
	return d.arrive(f, s, NotFound), nil
}
