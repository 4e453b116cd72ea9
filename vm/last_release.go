package vm

import (
	"slices"

	"silvm/heap"
	"silvm/ir/source"
)

// A run notes where an object's last strong release was, and not who called for it: that would cost each release. When a finding asks, the
// program runs again up to there.

// maxRepeated is how many steps a run may have that is repeated for the callers of a release.
const maxRepeated = 20 << 20

// TellReleaser adds to a finding on an object of the machine the calls that led to its last release, by running the program again without
// input and output, where that is short and needs no input.
func (m *Machine) TellReleaser(t *Trap) {
	o := t.Object
	if t.Kind != HeapFault || o == nil || o.Release.Inst == nil || m.world.reads > 0 || m.steps > maxRepeated {
		return
	}
	config := m.cfg
	config.Stdout, config.Stderr, config.Stdin = nil, nil, nil
	again, err := New(m.prog.Module, config)
	if err != nil {
		return
	}
	var calls []Place
	again.Observe(func(kind heap.TapKind, ref heap.Addr) {
		if info, ok := again.heap.Object(ref); kind != heap.TapDeinit || !ok || info.Serial != o.Info.Serial {
			return
		}
		calls = nil
		again.Frames(func(f Frame) bool {
			calls = append(calls, again.place(f.PC))
			return len(calls) < maxFrames
		})
		again.StopSoon()
	}, o.Info.Ref)
	again.Run(0)
	if len(calls) > 0 && calls[0].Inst != nil && calls[0].Inst.Block().Func == o.Release.Inst.Block().Func {
		o.Releasers = calls[1:]
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

// maxReleasers is how many of the calls are told that led to a last release.
const maxReleasers = 3

// releaserNotes tell the calls that led to the last release of an object: those that have a line of the source, if any has;
// up to the first of the calls that are told anyway.
func (o *ObjectNote) releaserNotes(told []Place) (notes []source.Note) {
	callee := funcName(o.Release)
	if calls := inlinedNotes(o.Release); len(calls) > 0 {
		for _, n := range calls {
			n.Msg, callee = callee+" was inlined here", n.In
			notes = append(notes, n)
		}
	}
	lines := slices.ContainsFunc(o.Releasers, func(p Place) bool { return p.Inst.SwiftPlace() != "" })
	for _, p := range o.Releasers {
		if len(notes) > 0 && slices.ContainsFunc(told, func(q Place) bool { return q.Inst == p.Inst && p.Inst != nil }) {
			break
		}
		if p.Func == nil || p.Func.Fn == nil || p.isOurs() || lines && p.Inst.SwiftPlace() == "" {
			continue
		}
		notes = append(notes, placeNote(false, callee+" was called here", p))
		callee = funcName(p)
		for _, n := range inlinedNotes(p) {
			n.Msg, callee = callee+" was inlined here", n.In
			notes = append(notes, n)
		}
		if len(notes) >= maxReleasers {
			break
		}
	}
	return notes[:min(len(notes), maxReleasers)]
}
