package debugger

import (
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
	"silvm/vm"
	"silvm/vm/code"
)

// Histories: the past is run again from before the object was made, with an ear for its counts.

// replay runs from before an object was made to position to with an ear, until the ear has heard enough, and comes back. It says
// whether that was not interrupted. The ear hears of the object at address only, if that is not 0.
func (d *Debugger) replay(serial, to, only uint64, enough func(kind heap.TapKind, ref uint64) bool) bool {
	back := d.stay()
	defer back()
	s := &search{tap: enough, only: only, serial: serial}
	quiet := d.quiet(s)
	d.m.Restore(d.latest(func(s *vm.Snapshot) bool { return s.ObjectsMade() < serial }))
	c := d.scan(s, 0, endless, true)
	c.quiet = quiet
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
	d.replay(serial, d.present(), 0, func(kind heap.TapKind, ref uint64) bool {
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
	ok = d.replay(o.Serial, d.present(), o.Ref, func(kind heap.TapKind, ref uint64) bool {
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
	made, stop := d.backward(&search{reason: AtEvent, only: o.Ref, tap: func(kind heap.TapKind, ref uint64) bool { return kind == heap.TapAlloc && ref == o.Ref }})
	if stop.Kind == vm.Interrupted {
		return nil, false, false
	}
	if made == nil {
		return nil, false, true // a static object, whose counts never change
	}
	c := d.scan(&search{only: o.Ref, tap: func(kind heap.TapKind, ref uint64) bool {
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
	v, err := d.Eval(what, d.selected)
	return err == nil && v.Addr != 0
}

// Last goes back to the last change of a count of an object, or of a value: to the instruction that is about to make it.
func (d *Debugger) Last(what string) (Stop, error) {
	if err := noObject(what); err != nil {
		return Stop{}, err
	}
	inMemory := d.isInMemory(what)
	var t *told
	if !inMemory {
		t = d.toldVar(what)
	}
	if t != nil && !t.isLet {
		return d.lastTold(t), nil
	}
	if o, err := d.ObjectNamed(what); err == nil && !inMemory {
		f, s := d.backward(&search{reason: AtEvent, only: o.Ref, serial: o.Serial, tap: func(_ heap.TapKind, ref uint64) bool {
			if o.Serial == 0 {
				return ref == o.Ref
			}
			info, ok := d.m.Heap().Object(ref)
			return ok && info.Serial == o.Serial
		}})
		return d.arrive(f, s, NotFound), nil
	}
	if t != nil {
		return d.lastTold(t), nil
	}
	w, err := d.watcherOf(what)
	if err != nil {
		return Stop{}, err
	}
	f, s := d.lastChange(w, false)
	return d.arrive(f, s, NotFound), nil
}

// told is a variable that lies in registers, in one call: where the text says what it is from there on. No
// other place of the function need know, as where paths meet.
type told struct {
	name  string
	fn    *code.Func
	depth int
	task  uint64
	at    map[uint32]*ir.Inst
	entry uint32   // where the call begins
	path  []string // to the part of the variable that is told, which is all there is of it
	typ   string   // of the variable, where a part is told
	isLet bool     // it never changes: what the text says again is another one, as in a loop
}

// toldVar finds such a variable of the selected frame, nil when there is none of that name, or its memory or several parts of it are told.
func (d *Debugger) toldVar(name string) *told {
	sel, ok := d.Frame(d.selected)
	if !ok || sel.Inst == nil || sel.Func == nil || len(sel.Func.Bounds) == 0 {
		return nil
	}
	list := d.sameVariable(d.variables(sel.Inst.Block().Func, name), d.visible(sel))
	if len(list) == 0 {
		return nil
	}
	_, level := d.selectedCall()
	t := &told{name: name, fn: sel.Func, depth: d.m.Depth() - level, task: d.m.CurrentTask(), at: map[uint32]*ir.Inst{}, entry: sel.Func.Bounds[0]}
	one := true
	for i := range list {
		v := i.Var()
		if i.Op != op.DebugValue || len(i.Operands) == 0 || i.Arg(0).Type.IsAddress() || v.Binding == ir.BindingVar && v.Argno != 0 {
			return nil
		}
		t.isLet = t.isLet || v.Binding != ir.BindingVar
		path, typ := fragmentOf(v)
		if one {
			t.path, t.typ, one = path, typ, false
		} else if !slices.Equal(path, t.path) {
			return nil
		}
	}
	for _, pc := range sel.Func.Bounds {
		if i := d.m.PlaceOf(pc).Inst; list[i] {
			t.at[pc] = i
		}
	}
	return t
}

// declaration is where a variable is declared.
type declaration struct {
	scope     *ir.Scope
	line, col int
}

// sameVariable picks those of the instructions that tell of the variables of a name which are about the one that is visible, none if that is
// not clear. Optimized text has tellers outside of the scope in which their variable is declared.
func (d *Debugger) sameVariable(tellers []*ir.Inst, visible map[*ir.Scope]int) map[*ir.Inst]bool {
	by := map[declaration]map[*ir.Inst]bool{}
	var inside, outside []declaration
	near := -1
	for _, i := range tellers {
		x, loc := declaration{scope: i.VariableScope()}, i.Var().Loc
		if loc == nil {
			loc = i.Loc
		}
		if loc != nil {
			x.line, x.col = loc.Line, loc.Col
		}
		if by[x] == nil {
			by[x] = map[*ir.Inst]bool{}
		}
		by[x][i] = true
		far, in := visible[x.scope]
		_, around := visible[i.SourceScope()]
		switch {
		case visible == nil || in && (near < 0 || far < near):
			near, inside = far, append(inside[:0], x)
		case in && far == near && !slices.Contains(inside, x):
			inside = append(inside, x)
		case around && !in && !slices.Contains(outside, x):
			outside = append(outside, x)
		}
	}
	if len(inside) == 0 {
		inside = outside
	}
	if len(inside) != 1 {
		return nil
	}
	return by[inside[0]]
}

// here returns the innermost frame if it is the variable's call.
func (t *told) here(d *Debugger) (f Frame, ok bool) {
	if d.m.Depth() != t.depth || d.m.CurrentTask() != t.task {
		return f, false
	}
	f, ok = d.call(0)
	return f, ok && f.Func == t.fn
}

// declares reports whether a teller is on the line of the declaration.
func (t *told) declares(i *ir.Inst) bool {
	if i == nil {
		return false
	}
	decl := i.Var().Loc
	return decl == nil || i.Loc != nil && i.Loc.Line == decl.Line
}

// value is what the instruction at which the run stands says of the variable; key tells two values apart. ok is false where it says nothing.
func (t *told) value(d *Debugger) (v Value, key string, ok bool) {
	f, ok := t.here(d)
	if !ok || t.at[f.PC] == nil {
		return v, "", false
	}
	if v, ok = d.variableAt(t.at[f.PC], f); !ok {
		return v, "", false
	}
	key = v.Note + string(v.Bytes)
	if len(t.path) > 0 {
		v = assembled([]fragment{{t.path, v, t.at[f.PC]}}, 0, t.typ)
	}
	return v, key, true
}

// lastTold goes back to the instruction that first says what the variable is now: the latest one of its call that says so, and before that to
// where it said something else.
func (d *Debugger) lastTold(t *told) Stop {
	back := d.stay()
	ask := func(pred func() bool) *search {
		s := &search{reason: AtWatch, at: map[uint32]bool{t.entry: true}, deepest: t.depth, pred: pred}
		for pc := range t.at {
			s.at[pc] = true
		}
		return s
	}
	inCall := func() bool { _, ok := t.here(d); return ok }
	none := func(s vm.Stop) Stop {
		back()
		return d.arrive(nil, s, NotFound)
	}
	f, s := d.backward(ask(inCall))
	if f == nil {
		return none(s)
	}
	last := f.key
	now, key, ok := t.value(d)
	if !ok {
		return none(s) // the call begins there
	}
	change := &Change{What: t.name, Old: notSet, New: d.Text(now)}
	if at, _ := d.call(0); at.PC != t.entry && !t.isLet {
		f, s = d.backward(ask(func() bool {
			at, ok := t.here(d)
			if !ok {
				return false
			}
			_, k, told := t.value(d)
			return at.PC == t.entry || told && k != key
		}))
		if f == nil {
			return none(s)
		}
		first := f.key
		old, k, told := t.value(d)
		if told && k != key {
			change.Old = d.Text(old)
		}
		if !told || k != key {
			if f, s = d.forward(ask(inCall), last+1); f == nil {
				return none(s)
			}
			first = f.key
		}
		d.travel(first)
		if v, _, ok := t.value(d); ok {
			change.New = d.Text(v)
		}
	}
	if at, _ := d.call(0); change.Old == notSet && !t.declares(t.at[at.PC]) {
		change.Old = "not known" // the optimizer drops tellers
	}
	f = &found{key: d.m.Steps(), reason: AtWatch, change: change}
	return d.arrive(f, vm.Stop{Kind: vm.Budget}, NotFound)
}

// lastChange goes back to the last change of a watched place, or to the first write where that changed nothing.
func (d *Debugger) lastChange(w *watcher, dense bool) (*found, vm.Stop) {
	here := d.here()
	f, s := d.backward(&search{reason: AtWatch, watch: w, dense: dense})
	if f == nil && s.Kind != vm.Interrupted && w.part != nil {
		if f = d.firstChange(w, here); f != nil {
			d.travel(f.key)
		}
	}
	return f, s
}

// maxBirth is how many steps after an object was made a change of a property may still be taken for its first write.
const maxBirth = 1 << 26

// setFirst corrects a change of a property that is the first write of it: what the memory held before is of another object. The run stands
// before the change.
func (d *Debugger) setFirst(f *found, w *watcher) {
	if f.change == nil || f.change.Set || w == nil {
		return
	}
	if w.field != nil {
		w, _ = d.watcherOf(f.change.What)
	}
	if w == nil || w.part == nil || f.change.Old == notSet || f.change.Old == notMade {
		return
	}
	if born := d.latest(func(s *vm.Snapshot) bool { return s.ObjectsMade() < w.part.serial }); f.key-min(f.key, born.Steps) > maxBirth {
		return
	}
	if first := d.firstChange(w, f.key+1); first != nil && first.key == f.key {
		f.change.Old = first.change.Old
	}
}

// firstChange finds the first write of a property since its object was made, before a position, and comes back.
func (d *Debugger) firstChange(w *watcher, below uint64) *found {
	back := d.stay()
	defer back()
	run := func(s *search) *scanner {
		d.m.Restore(d.latest(func(s *vm.Snapshot) bool { return s.ObjectsMade() < w.part.serial }))
		d.midway = false
		quiet := d.quiet(s)
		c := d.scan(s, 0, below, true)
		defer c.close()
		c.quiet = quiet
		c.run(below)
		return c
	}
	s := &search{reason: AtWatch, watch: w}
	d.thinOut(s)
	c := run(s)
	if c.amiss {
		c = run(s.everywhere())
	}
	if c.found == nil || c.found.change == nil || c.found.change.Old != notSet {
		return nil
	}
	return c.found
}

// Histories lists the changes of the counts of several objects up to the present, by serial number, the first limit of each, in one run of
// the past; ok is false when it was interrupted.
func (d *Debugger) Histories(serials []uint64, limit int) (lives map[uint64][]Event, ok bool) {
	lives = map[uint64][]Event{}
	if len(serials) == 0 {
		return lives, true
	}
	for _, n := range serials {
		lives[n] = nil
	}
	ok = d.replay(slices.Min(serials), d.present(), 0, func(kind heap.TapKind, ref uint64) bool {
		info, there := d.m.Heap().Object(ref)
		if !there {
			return false
		}
		if events, wanted := lives[info.Serial]; wanted && len(events) < limit {
			lives[info.Serial] = append(events, d.event(kind, ref, d.m.Now()))
		}
		return false
	})
	return lives, ok
}

// maxReplayed is how long a run may be that is looked through for who called for a release, in steps.
const maxReplayed = 20 << 20

// Finding words a finding, with the calls that led to the making, the last release and the end of the block that it is about.
func (d *Debugger) Finding(t *vm.Trap) source.Diagnostic {
	d.tellCallers(t)
	return t.Diagnostic()
}

// tellCallers adds the calls to a finding; when the program has read input, or the user has changed something, which only the past has, those
// of the last release.
func (d *Debugger) tellCallers(t *vm.Trap) {
	if d.told == t {
		return
	}
	d.told = t
	if len(d.settings) == 0 {
		d.m.TellCallers(t)
	}
	if t.Kind != vm.HeapFault || t.Object == nil || t.Object.Release.Inst == nil || t.Object.Releasers != nil || d.Step() > maxReplayed {
		return
	}
	events, _, _ := d.History(d.object(t.Object.Info))
	for k := len(events) - 1; k >= 0; k-- {
		if e := &events[k]; e.Kind == heap.TapDeinit && len(e.Stack) > 1 {
			t.Object.Releasers = e.Stack[1:]
			return
		}
	}
}
