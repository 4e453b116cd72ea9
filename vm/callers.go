package vm

import (
	"slices"

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
// again without output, where that is short.
func (m *Machine) TellCallers(t *Trap) {
	o := t.Object
	steps := max(m.steps, t.Step)
	if o == nil || o.told || t.Kind == Exclusivity || o.Alloc.Inst == nil && o.Alloc.Func == nil || steps > maxRepeated {
		return
	}
	again, ok := m.Repeat()
	if !ok {
		return
	}
	o.told = true
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

// IsOurs reports whether a place is in what silvm brings along in place of parts of the library.
func (p Place) IsOurs() bool {
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
	callee := at.FuncName()
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
		if p.IsOurs() || lines && !p.isLined() {
			callee = p.FuncName()
			continue
		}
		last = k
		notes = append(notes, placeNote(false, callee+" was called here", p))
		callee = p.FuncName()
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
			if p.IsOurs() || isDeinit(p) || lines && !p.isLined() || p.Func == nil || p.Func.Fn == nil {
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
	return !p.IsOurs() && p.isLined() && !(p.Func != nil && p.Func.Fn != nil && mangle.IsAllocatingInit(p.symbol()))
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

// IsUnlinedMaker reports whether a place says who makes an object there in a program without the places of its source: it is in no initializer
// that asks for its object's memory.
func (p Place) IsUnlinedMaker() bool {
	if p.Inst == nil || p.IsOurs() || p.Func == nil || p.Func.Fn == nil {
		return false
	}
	return p.Inst.Scope == 0 && p.Func.Fn.Scope == 0 && p.Func.Fn.Loc == nil && !mangle.IsAllocatingInit(p.symbol())
}
