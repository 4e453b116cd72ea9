package debugger

import (
	"slices"

	"silvm/heap"
	"silvm/vm"
)

// The timeline: snapshots of the run in the order of their steps. Those of the net lie a constant number of steps apart; when they are
// too many or too large every other one goes and the net gets twice as wide. Local ones lie closer and closer before a step that was
// gone back to, so that the next steps back are short.

const (
	firstEvery = 1 << 19 // steps between snapshots of the net at first
	maxMarks   = 192     // of the net
	maxLocal   = 12
	minLocal   = 3

	// A step takes about as long as looking at so many bytes does, and a snapshot shall take no more than a third of the time.
	bytesPerStep = 16
	maxEvery     = 1 << 24 // steps between snapshots that memory alone makes necessary
)

type mark struct {
	snap *vm.Snapshot
	used int // of a local one: when it was last used
}

type timeline struct {
	m     *vm.Machine
	st    heap.Store
	limit uint64 // bytes that snapshots may take
	every uint64
	net   []mark // by step; the first is the start
	local []mark // by step
	clock int
	past  past
}

// newTimeline makes one for snapshots that shall not cost the process more than so many bytes. A fifth of them is for what Go's
// collector leaves lying until it comes by.
func newTimeline(m *vm.Machine, limit uint64) timeline {
	limit -= limit / 5
	noted := limit / 16
	limit -= noted
	return timeline{m: m, limit: limit, every: firstEvery, st: heap.Store{Limit: limit}, past: past{most: int(noted / (2 * maxStretches))}}
}

// bytes is the memory that snapshots hold, and of the facts cached about the past.
func (t *timeline) bytes() uint64 { return t.st.Bytes + t.past.bytes() }

// before returns the latest snapshot at or before so many boundaries, nil when there is none.
func (t *timeline) before(steps uint64) *vm.Snapshot {
	var best *vm.Snapshot
	for _, list := range [][]mark{t.net, t.local} {
		n, found := find(list, steps)
		if !found {
			n--
		}
		if n >= 0 && (best == nil || list[n].snap.Steps >= best.Steps) {
			best = list[n].snap
			t.clock++
			list[n].used = t.clock
		}
	}
	return best
}

func find(list []mark, steps uint64) (int, bool) {
	return slices.BinarySearchFunc(list, steps, func(k mark, steps uint64) int {
		switch {
		case k.snap.Steps < steps:
			return -1
		case k.snap.Steps > steps:
			return 1
		}
		return 0
	})
}

// due tells after how many boundaries from here the net wants its next snapshot; 0 is now.
func (t *timeline) due() uint64 {
	steps := t.m.Steps()
	if len(t.net) == 0 {
		return t.every
	}
	next := t.net[len(t.net)-1].snap.Steps + t.every
	return next - min(next, steps)
}

// markNet takes a snapshot of the net of the run as it stands, if there is room for it. As a snapshot looks at all memory, the next one is so far
// off that they cost a small part of what runs between two.
func (t *timeline) markNet() {
	if !t.canMark(t.net) {
		return
	}
	steps := t.m.Steps()
	snap := t.snapshot(steps)
	t.every = max(t.every, min(uint64(len(t.m.Heap().B))/bytesPerStep, maxEvery))
	if snap == nil {
		t.every = max(t.every, 2*(steps-t.net[len(t.net)-1].snap.Steps))
		return
	}
	t.net = t.add(t.net, snap)
	t.thin()
}

// markLocal takes a local snapshot of the run as it stands, if there is room for it.
func (t *timeline) markLocal() {
	if !t.canMark(t.local) {
		return
	}
	if snap := t.snapshot(t.m.Steps()); snap != nil {
		t.local = t.add(t.local, snap)
		t.thin()
	}
}

// canMark reports whether the run goes on from here and the list has no snapshot of it yet.
func (t *timeline) canMark(list []mark) bool {
	_, found := find(list, t.m.Steps())
	return !found && !t.m.Ended()
}

func (t *timeline) add(list []mark, snap *vm.Snapshot) []mark {
	n, _ := find(list, snap.Steps)
	t.clock++
	return slices.Insert(list, n, mark{snap, t.clock})
}

// snapshot takes one, for which others make room; nil when it is too large even so. The first of all is taken whatever its size.
func (t *timeline) snapshot(steps uint64) *vm.Snapshot {
	for {
		if len(t.net) == 0 {
			t.st.Limit = 0
		}
		snap := t.m.Snapshot(&t.st, t.before(steps))
		t.st.Limit = t.limit
		if !t.st.Full {
			return snap
		}
		snap.Release(&t.st)
		switch {
		case len(t.local) > minLocal || len(t.net) <= 1 && len(t.local) > 0:
			t.dropLocal()
		case len(t.net) > 1:
			t.widen()
		default:
			return nil
		}
	}
}

// thin keeps the snapshots within their bounds. The net leaves a quarter of the memory to the local ones.
func (t *timeline) thin() {
	for len(t.net) > maxMarks || t.st.Bytes > t.limit-t.limit/4 && len(t.local) == 0 && len(t.net) > 1 {
		t.widen()
	}
	for len(t.local) > maxLocal {
		t.dropLocal()
	}
}

// dropLocal drops the least recently used local snapshot.
func (t *timeline) dropLocal() {
	oldest := 0
	for n := range t.local {
		if t.local[n].used < t.local[oldest].used {
			oldest = n
		}
	}
	t.local[oldest].snap.Release(&t.st)
	t.local = slices.Delete(t.local, oldest, oldest+1)
}

// widen drops every other snapshot of the net.
func (t *timeline) widen() {
	t.every *= 2
	kept := t.net[:1]
	for n, k := range t.net[1:] {
		if n%2 == 1 {
			kept = append(kept, k)
		} else {
			k.snap.Release(&t.st)
		}
	}
	clear(t.net[len(kept):])
	t.net = kept
}

// forget drops what follows a position, and what is kept of the run as it stood there.
func (t *timeline) forget(at uint64) {
	for _, list := range []*[]mark{&t.net, &t.local} {
		n, _ := find(*list, at)
		for _, k := range (*list)[n:] {
			k.snap.Release(&t.st)
		}
		*list = slices.Delete(*list, n, len(*list))
	}
	t.past.forget(at)
}

// restore puts the run to the latest snapshot at or before so many boundaries.
func (t *timeline) restore(steps uint64) {
	t.m.Restore(t.before(steps))
}
