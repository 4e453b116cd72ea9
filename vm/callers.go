package vm

import (
	"slices"
	"strconv"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/source"
)

// A run notes where a block was made, last released and freed, and not who called for it: that would cost each of these. When a finding asks, the
// program runs again up to there.

// maxRepeated is how many steps a run may have that is repeated for the callers of a release.
const maxRepeated = 20 << 20

// slackSteps are run beyond the number of steps so far, which the plain lowering counts at the ends of blocks. Where only full checking found
// something the repeated run would go on.
const slackSteps = 1 << 16

// TellCallers adds to a finding on a block of the machine the calls that led to its making, its last release and its end, by running the program
// again without input and output, where that is short and needs no input.
func (m *Machine) TellCallers(t *Trap) {
	o := t.Object
	steps := max(m.steps, t.Step)
	if o == nil || o.told || t.Kind == Exclusivity || o.Alloc.Inst == nil && o.Alloc.Func == nil || m.world.reads > 0 || steps > maxRepeated {
		return
	}
	o.told = true
	config := m.cfg
	config.Stdout, config.Stderr, config.Stdin = nil, nil, nil
	again, err := New(m.prog.Module, config)
	if err != nil {
		return
	}
	calls := func(ref heap.Addr) (list []Place) {
		if info, ok := again.heap.Object(ref); !ok || info.Serial != o.Info.Serial || info.Kind != o.Info.Kind {
			return nil
		}
		again.Frames(func(f Frame) bool {
			list = append(list, again.place(f.PC))
			return len(list) < maxFrames
		})
		return list
	}
	var alloc, release, free []Place
	if o.Info.Kind == heap.KindObject {
		again.Observe(func(kind heap.TapKind, ref heap.Addr) {
			switch kind {
			case heap.TapAlloc:
				alloc = append(alloc, calls(ref)...)
			case heap.TapDeinit:
				release = append(release, calls(ref)...)
			case heap.TapEnd:
				free = append(free, calls(ref)...)
			}
			if len(free) > 0 {
				again.StopSoon()
			}
		}, o.Info.Ref)
	} else {
		again.heap.SetRawTap(func(freed bool, ref heap.Addr) {
			switch {
			case ref != o.Info.Ref:
			case freed:
				free = append(free, calls(ref)...)
				again.StopSoon()
			default:
				alloc = append(alloc, calls(ref)...)
			}
		})
	}
	again.Run(steps + slackSteps)
	o.tellCalls(alloc, release, free)
}

// tellCalls takes what led to the making, the last release and the end of a block, each from the place itself on. Where the place is in code
// without SIL, as the destruction of an array's elements is, the call that led there stands for it.
func (o *ObjectNote) tellCalls(alloc, release, free []Place) {
	for _, x := range []struct {
		at    *Place
		calls *[]Place
		list  []Place
	}{{&o.Alloc, &o.Allocators, alloc}, {&o.Release, &o.Releasers, release}, {&o.Free, &o.Freers, free}} {
		for n, p := range x.list {
			if p.Inst == nil {
				continue
			}
			if x.at.Inst == nil && (x.at.Func != nil || x.at.PC != 0) {
				*x.at = p
			}
			if x.at.Inst != nil && (x.at.Inst == p.Inst || x.at != &o.Free && p.Inst.Block().Func == x.at.Inst.Block().Func) {
				*x.calls = x.list[n+1:]
			}
			break
		}
	}
}

// isOurs reports whether a place is in what silvm brings along in place of parts of the library.
func (p Place) isOurs() bool {
	if p.Inst == nil || p.Inst.Block() == nil {
		return false
	}
	f := p.Inst.Block().Func
	return f.Module != nil && f.Module.Files.IsOurs(f.Pos)
}

// maxCallers is how many of the calls are told that led to a place.
const maxCallers = 3

// callerNotes tell the calls that led to a place: those that have a line of the source, if any has; up to the first of the calls that are
// told anyway, or to one that enough holds for.
func callerNotes(at Place, calls, told []Place, enough func(Place) bool) (notes []source.Note) {
	callee := funcName(at)
	for _, n := range inlinedNotes(at) {
		n.Msg, callee = callee+" was inlined here", n.In
		notes = append(notes, n)
	}
	lines := slices.ContainsFunc(calls, Place.isLined)
	last := -1
	for k, p := range calls {
		if len(notes) >= maxCallers || len(notes) > 0 && slices.ContainsFunc(told, func(q Place) bool { return q.Inst == p.Inst && p.Inst != nil }) {
			break
		}
		if p.Inst == nil || p.Func == nil || p.Func.Fn == nil {
			continue
		}
		if p.isOurs() || lines && !p.isLined() {
			callee = funcName(p)
			continue
		}
		last = k
		notes = append(notes, placeNote(false, callee+" was called here", p))
		callee = funcName(p)
		for _, n := range inlinedNotes(p) {
			n.Msg, callee = callee+" was inlined here", n.In
			notes = append(notes, n)
		}
		if enough(p) {
			break
		}
	}
	if len(notes) < maxCallers {
		return notes
	}
	notes = notes[:maxCallers]
	if len(calls) > 0 && isDeinit(at) && isDeinit(calls[0]) { // the object went with another, and that with a third
		for k, p := range calls {
			if p.isOurs() || isDeinit(p) || lines && !p.isLined() || p.Func == nil || p.Func.Fn == nil {
				continue
			}
			if k > last {
				notes = append(notes, placeNote(false, "what began these deinits is here", p))
			}
			break
		}
	}
	return notes
}

// isDeinit reports whether a place is in a deinit.
func isDeinit(p Place) bool { return p.Func != nil && p.Func.Fn != nil && mangle.IsDeinit(p.symbol()) }

// tellsWho reports whether a place says by itself whose object is made there: it is neither in the library's code nor in the function that
// every initializer of a class goes through.
func (p Place) tellsWho() bool {
	return !p.isOurs() && p.isLined() && !(p.Func != nil && p.Func.Fn != nil && mangle.IsAllocatingInit(p.symbol()))
}

// made is where a block was made as its user sees it: where the initializer is called, not where it asks for memory.
type made struct {
	Place
	in    string // the function
	swift string // the line of the source, near when it is one close by
	near  bool
}

// key is the same text for blocks that one place of the source makes.
func (d made) key() string {
	if d.swift != "" && !d.near {
		return d.in + "@" + d.swift
	}
	return strconv.Itoa(int(d.PC))
}

// blockKey is what a block is known by for as long as the program runs.
type blockKey struct {
	kind   heap.Kind
	serial uint64
}

// madeAt is where a block was made. Who called the initializer is known of the blocks that findMakers was asked for.
func (m *Machine) madeAt(o heap.ObjectInfo) made {
	at := m.place(o.AllocSite)
	for _, p := range append([]Place{at}, m.makers[blockKey{o.Kind, o.Serial}]...) {
		if d, ok := p.made(); ok {
			return d
		}
	}
	d := made{Place: at, in: funcName(at)}
	d.swift, d.near = at.Inst.Swift()
	return d
}

// made reports whether a place says by itself whose block is made there, and as which line of the source.
func (p Place) made() (made, bool) {
	if p.Inst == nil || p.Func == nil || p.Func.Fn == nil || p.isOurs() {
		return made{}, false
	}
	if c, ok := p.Maker(); ok {
		return made{Place: p, in: p.Func.Fn.Module.DisplayName(c.Func), swift: c.Place()}, true
	}
	return made{}, false
}

// Maker returns the innermost call of the source at a place that is no initializer asking for its object's memory, and ok false when none
// of them has a line.
func (p Place) Maker() (call ir.SourceCall, ok bool) {
	for _, c := range p.Inst.UserCalls() {
		if c.Place() != "" && !mangle.IsAllocatingInit(c.Func) {
			return c, true
		}
	}
	return ir.SourceCall{}, false
}

// findMakers finds out who called for the blocks that leaks are told by and whose places don't say it, by running the program again without
// input and output. It does nothing where the run is long or needs input.
func (m *Machine) findMakers(leaks []heap.Leak, own []int) {
	want := map[heap.Addr]blockKey{}
	add := func(o heap.ObjectInfo) {
		key := blockKey{o.Kind, o.Serial}
		if _, asked := m.makers[key]; asked {
			return
		}
		if _, ok := m.place(o.AllocSite).made(); !ok {
			want[o.Ref] = key
		}
	}
	for _, n := range own {
		l := &leaks[n]
		add(l.Objects[0])
		if len(l.Cycle) == 0 {
			continue
		}
		for _, e := range l.Edges[:min(len(l.Edges), maxRingEdges)] { // of all rings
			if o, ok := m.heap.Object(e.From); ok && !m.IsStorage(o) {
				add(o)
			}
		}
	}
	if len(want) == 0 || m.world.reads > 0 {
		return
	}
	if m.makers == nil {
		m.makers = map[blockKey][]Place{}
	}
	for _, key := range want {
		m.makers[key] = nil
	}
	config := m.cfg
	config.Stdout, config.Stderr, config.Stdin, config.Tools = nil, nil, nil, false
	again, err := New(m.prog.Module, config)
	if err != nil {
		return
	}
	found := map[blockKey][]Place{}
	note := func(kind heap.Kind, ref heap.Addr) {
		key, ok := want[ref]
		if !ok || key.kind != kind {
			return
		}
		o, _ := m.heap.BlockContaining(ref)
		if made, ok := again.heap.BlockContaining(ref); !ok || made.Serial != key.serial || again.place(made.AllocSite).Inst != m.place(o.AllocSite).Inst {
			return
		}
		var calls []Place
		again.Frames(func(f Frame) bool {
			p := again.place(f.PC)
			calls = append(calls, p)
			_, ok := p.made()
			return !ok && len(calls) < maxFrames
		})
		if found[key] = calls; len(found) == len(want) {
			again.StopSoon()
		}
	}
	again.Observe(func(kind heap.TapKind, ref heap.Addr) {
		if kind == heap.TapAlloc {
			note(heap.KindObject, ref)
		}
	}, 0)
	again.heap.SetRawTap(func(freed bool, ref heap.Addr) {
		if !freed {
			note(heap.KindRaw, ref)
		}
	})
	again.Run(maxRepeated)
	if len(found) == len(want) { // else equal leaks would be told apart by what is known of them
		for key, calls := range found {
			m.makers[key] = calls
		}
	}
}
