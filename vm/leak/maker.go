package leak

import (
	"strconv"

	"silvm/heap"
	"silvm/vm"
)

// made is where a block was made as its user sees it: where the initializer is called, not where it asks for memory.
type made struct {
	vm.Place
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
func (r *Report) madeAt(o heap.ObjectInfo) made {
	at := r.m.PlaceOf(o.AllocSite)
	for _, p := range append([]vm.Place{at}, r.makers[blockKey{o.Kind, o.Serial}]...) {
		if d, ok := madeBy(p); ok {
			return d
		}
	}
	d := made{Place: at, in: at.FuncName()}
	d.swift, d.near = at.Inst.Swift()
	return d
}

// madeBy reports whether a place says by itself whose block is made there, and as which line of the source.
func madeBy(p vm.Place) (made, bool) {
	if p.Inst == nil || p.Func == nil || p.Func.Fn == nil || p.IsOurs() {
		return made{}, false
	}
	if c, ok := p.Maker(); ok {
		return made{Place: p, in: p.Func.Fn.Module.DisplayName(c.Func), swift: c.Place()}, true
	}
	if p.IsUnlinedMaker() {
		return made{Place: p, in: p.FuncName()}, true
	}
	return made{}, false
}

// Bounds of the search for makers: how many steps of the program run again, and how many calls are looked at.
const (
	maxRepeated = 100 << 20
	maxCalls    = 32
)

// findMakers finds out who called for the blocks that leaks are told by and whose places don't say it, by running the program again without
// input and output. It does nothing where the run is long, or read input that it did not keep.
func (r *Report) findMakers(leaks []heap.Leak, own []int) {
	want := map[heap.Addr]blockKey{}
	add := func(o heap.ObjectInfo) {
		key := blockKey{o.Kind, o.Serial}
		if _, asked := r.makers[key]; asked {
			return
		}
		if _, ok := madeBy(r.m.PlaceOf(o.AllocSite)); !ok {
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
			if o, ok := r.m.Heap().Object(e.From); ok && !r.m.IsStorage(o) {
				add(o)
			}
		}
	}
	if len(want) == 0 {
		return
	}
	for _, key := range want {
		r.makers[key] = nil
	}
	again, ok := r.m.Repeat()
	if !ok {
		return
	}
	found := map[blockKey][]vm.Place{}
	note := func(kind heap.Kind, ref heap.Addr) {
		key, ok := want[ref]
		if !ok || key.kind != kind {
			return
		}
		o, _ := r.m.Heap().BlockContaining(ref)
		if b, ok := again.Heap().BlockContaining(ref); !ok || b.Serial != key.serial || again.PlaceOf(b.AllocSite).Inst != r.m.PlaceOf(o.AllocSite).Inst {
			return
		}
		var calls []vm.Place
		again.Frames(func(f vm.Frame) bool {
			p := again.PlaceOf(f.PC)
			calls = append(calls, p)
			_, ok := madeBy(p)
			return !ok && len(calls) < maxCalls
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
	again.Heap().SetRawTap(func(freed bool, ref heap.Addr) {
		if !freed {
			note(heap.KindRaw, ref)
		}
	})
	again.Run(maxRepeated)
	if len(found) == len(want) { // else equal leaks would be told apart by what is known of them
		for key, calls := range found {
			r.makers[key] = calls
		}
	}
}
