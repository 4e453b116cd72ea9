package debugger

import (
	"cmp"
	"slices"
	"sync"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/abi"
)

// Who holds whom.

// Root is something outside the heap that keeps a block alive: a global variable, a value of a call under way, or a task that has not ended.
type Root struct {
	Name  string // as people call it: "global list", "x in main", "%5 in make()", "task 2"
	Ref   uint64 // the block
	Frame int    // number of the call, -1 of a global or a task
	Value string // of a call: the variable or value, with which Name begins
}

// Edge is a strong reference from a block to another.
type Edge struct {
	From, To uint64
	Slot     uint64
	Name     string // holder and field: "Node#2.next"
}

// roots lists the roots, globals first, then frames from the innermost, then tasks.
func (d *Debugger) roots() []Root {
	var out []Root
	var add func(name, value string, target uint64, frame int)
	add = func(name, value string, target uint64, frame int) {
		o, ok := d.m.Heap().BlockContaining(target)
		if ok && o.Kind == heap.KindStack {
			d.onStack(target, o, func(to uint64) {
				if in, ok := d.m.Heap().BlockContaining(to); ok && in.Kind != heap.KindStack {
					add(name, value, to, frame)
				}
			})
		}
		if ok && o.Kind != heap.KindStack && o.Kind != heap.KindSideTable && o.State != heap.Freed {
			out = append(out, Root{name, o.Ref, frame, value})
		}
	}
	for _, g := range d.m.Program().Globals {
		d.m.ReferencesOf(g, func(_, target heap.Addr) { add("global "+d.globalPath(g.Global), "", target, -1) })
	}
	k := 0
	d.m.Frames(func(f vm.Frame) bool {
		d.frameRoots(Frame{Frame: f, Index: k, whole: true}, add)
		k++
		return k < maxRootFrames
	})
	for _, t := range d.m.Tasks() {
		name := d.m.TaskName(t)
		d.m.HeldByTask(t, func(target heap.Addr) { add(name, "", target, -1) })
	}
	return out
}

// maxRootFrames is how many frames are searched for roots.
const maxRootFrames = 10_000

// frameRoots lists what the values of a frame that are still needed refer to.
func (d *Debugger) frameRoots(f Frame, add func(name, value string, target uint64, frame int)) {
	if f.Inst == nil || f.Func.Values == nil {
		for _, w := range f.Regs[min(1, len(f.Regs)):] {
			if o, ok := d.m.Heap().Object(w); ok && o.Kind == heap.KindObject && o.State != heap.Freed {
				add(f.Name(), f.Name(), w, f.Index)
			}
		}
		return
	}
	d.needed(f, func(name, value string, x Value) {
		if x.Layout == nil {
			return
		}
		if x.Addr != 0 {
			if o, ok := d.m.Heap().BlockContaining(x.Addr); !ok || o.Kind == heap.KindStack {
				d.m.ReferencesIn(x.Layout, x.Addr, func(_, target heap.Addr) { add(name, value, target, f.Index) })
			}
			return
		}
		for n, s := range x.Layout.Scalars {
			if n < len(x.Words) && (s.Kind == abi.ScalarStrong || s.Kind == abi.ScalarChunk) {
				add(name, value, x.Words[n]&^tagBits, f.Index)
			}
		}
	})
}

// needed tells the values of a frame that have a use at or after where it stands: what the value is called, also with its function.
func (d *Debugger) needed(f Frame, yield func(name, value string, x Value)) {
	if f.Inst == nil || f.Func.Values == nil {
		for _, w := range f.Regs[min(1, len(f.Regs)):] {
			yield(f.Name(), f.Name(), Value{Words: []uint64{w}})
		}
		return
	}
	later := d.laterBlocks(f.Inst.Block())
	visit := func(v *ir.Value) {
		l, ok := f.Func.Values[v]
		if !ok || !d.isDefined(v, f) || !d.neededLater(v, f.Inst, later) {
			return
		}
		value := cmp.Or(v.Variable(), d.nameOf(v))
		yield(value+" in "+f.Name(), value, d.located(v, l, f))
	}
	for _, b := range f.Inst.Block().Func.Blocks {
		for _, a := range b.Args {
			visit(a)
		}
		for i := range b.Insts() {
			for _, r := range i.Results {
				visit(r)
			}
		}
	}
}

// laterBlocks returns the blocks that can be reached from the end of a block.
func (d *Debugger) laterBlocks(from *ir.Block) map[*ir.Block]bool {
	seen := map[*ir.Block]bool{}
	work := []*ir.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b.Last() == nil {
			continue
		}
		for _, e := range b.Last().Succs {
			if !seen[e.To] {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return seen
}

// neededLater reports whether a value has a use at or after an instruction.
func (d *Debugger) neededLater(v *ir.Value, at *ir.Inst, later map[*ir.Block]bool) bool {
	for o := range v.Uses() {
		u := o.User()
		switch {
		case u.Op == op.DebugValue:
		case later[u.Block()]:
			return true
		case u.Block() == at.Block():
			for i := at; i != nil; i = i.Next() {
				if i == u {
					return true
				}
			}
		}
	}
	return false
}

// Chain words references that lead one to the next, those in the middle of a long chain left out: "A#1.next -> A#2.next -> ".
func (d *Debugger) Chain(edges []Edge) string {
	list := make([]heap.Edge, len(edges))
	for n, e := range edges {
		list[n] = heap.Edge{From: e.From, Slot: e.Slot, To: e.To}
	}
	return d.m.Chain(list)
}

// granule is the distance at which blocks lie at least, in bytes.
const granule = 16

// Why returns the shortest chain of strong references from a root to an object; ok is false when no root reaches it. The references have
// no names.
func (d *Debugger) Why(o Object) (root Root, path []Edge, ok bool) { return d.whyFrom(d.roots(), o) }

// WhyLeaked returns the shortest chain of strong references to an object from one on a ring that nothing else leads to.
func (d *Debugger) WhyLeaked(o Object) (ring Cycle, path []Edge, ok bool) {
	var roots []Root
	rings := map[uint64]Cycle{}
	for _, c := range d.Cycles() {
		for _, e := range c.Edges {
			if _, known := rings[e.From]; !known && !c.Held {
				rings[e.From] = c
				roots = append(roots, Root{Ref: e.From})
			}
		}
	}
	root, path, ok := d.whyFrom(roots, o)
	return rings[root.Ref], path, ok
}

// whyFrom returns the shortest chain from one of some roots.
func (d *Debugger) whyFrom(roots []Root, o Object) (root Root, path []Edge, ok bool) {
	if o.Ref-heap.Base >= uint64(len(d.m.Heap().B)) {
		return root, nil, false
	}
	came := make([]uint32, len(d.m.Heap().B)/granule+1) // by granule of a block: that of the block before it, and 1; of a root itself
	at := func(ref uint64) uint32 { return uint32((ref - heap.Base) / granule) }
	first := map[uint64]Root{}
	var queue []uint64
	for _, r := range roots {
		if _, seen := first[r.Ref]; !seen {
			first[r.Ref] = r
			came[at(r.Ref)] = at(r.Ref) + 1
			queue = append(queue, r.Ref)
		}
	}
	for ; len(queue) > 0 && came[at(o.Ref)] == 0; queue = queue[1:] {
		d.eachEdge(queue[0], func(e Edge) {
			if k := at(e.To); came[k] == 0 {
				came[k] = at(e.From) + 1
				queue = append(queue, e.To)
			}
		})
	}
	if came[at(o.Ref)] == 0 {
		return Root{}, nil, false
	}
	ref := o.Ref
	for {
		if r, isRoot := first[ref]; isRoot {
			slices.Reverse(path)
			return r, path, true
		}
		from := uint64(came[at(ref)]-1)*granule + heap.Base
		found := false
		d.eachEdge(from, func(e Edge) {
			if e.To == ref && !found {
				found = true
				path = append(path, e)
			}
		})
		ref = from
	}
}

// CaptureText says of a reference which capture of which closure it is, and where the closure is made; "" of any other.
func (d *Debugger) CaptureText(e Edge) string {
	return d.leaks.CaptureText(heap.Edge{From: e.From, Slot: e.Slot, To: e.To})
}

// EdgeName names a reference by its holder and field: "Node#2.next".
func (d *Debugger) EdgeName(e Edge) string { return d.edgeName(e) }

func (d *Debugger) edgeName(e Edge) string {
	return d.m.EdgeName(heap.Edge{From: e.From, Slot: e.Slot, To: e.To})
}

// eachEdge tells the strong references in a block to other blocks, without their names.
func (d *Debugger) eachEdge(ref uint64, yield func(Edge)) {
	info, ok := d.m.Heap().Object(ref)
	if !ok {
		return
	}
	d.m.References(info, func(slot, target heap.Addr) {
		if to, ok := d.m.Heap().BlockContaining(target); ok && to.State != heap.Freed && to.Kind != heap.KindStack && to.Kind != heap.KindSideTable {
			yield(Edge{From: ref, To: to.Ref, Slot: slot})
		}
	})
}

// edgesFrom lists the strong references in a block to other blocks.
func (d *Debugger) edgesFrom(ref uint64) []Edge {
	var out []Edge
	d.eachEdge(ref, func(e Edge) {
		e.Name = d.edgeName(e)
		out = append(out, e)
	})
	return out
}

// Holders lists who holds an object directly: blocks with their fields, and roots.
func (d *Debugger) Holders(o Object) (edges []Edge, roots []Root) {
	d.m.Heap().Live(func(b heap.ObjectInfo) bool {
		if b.Kind == heap.KindObject || b.Kind == heap.KindRaw || b.Kind == heap.KindMalloc {
			d.eachEdge(b.Ref, func(e Edge) {
				if e.To == o.Ref {
					e.Name = d.edgeName(e)
					edges = append(edges, e)
				}
			})
		}
		return true
	})
	if o.Counts.State == StateDeinited {
		return edges, nil // what frames still have of it is left over: nothing but unowned and weak references keep its memory
	}
	for _, r := range d.roots() {
		if r.Ref == o.Ref {
			roots = append(roots, r)
		}
	}
	return edges, roots
}

// strongTo lists the strong references of live objects to a freed one.
func (d *Debugger) strongTo(o Object) (edges []Edge) {
	d.m.Heap().Live(func(b heap.ObjectInfo) bool {
		if b.Kind == heap.KindObject && b.State == heap.Live {
			d.m.References(b, func(slot, target heap.Addr) {
				if target == o.Ref {
					e := Edge{From: b.Ref, To: target, Slot: slot}
					e.Name = d.edgeName(e)
					edges = append(edges, e)
				}
			})
		}
		return len(edges) <= maxSlots
	})
	return edges
}

// maxDangling is how many places Dangling names.
const maxDangling = 8

// Dangling names the places in live blocks that hold the address of a freed object: unmanaged references and pointers.
func (d *Debugger) Dangling(o Object) (names []string) {
	if info, ok := d.m.Heap().Object(o.Ref); !ok || info.Serial != o.Serial {
		return nil // the memory is another object's
	}
	d.m.Heap().Live(func(b heap.ObjectInfo) bool {
		for at := b.Ref; b.Kind != heap.KindStack && b.Kind != heap.KindSideTable && at+8 <= b.Ref+b.Size; at += 8 {
			if w, _ := d.m.Heap().Load64(at); w == o.Ref && len(names) < maxDangling {
				names = append(names, d.edgeName(Edge{From: b.Ref, Slot: at, To: o.Ref}))
			}
		}
		return len(names) < maxDangling
	})
	return names
}

// Cycle is a ring of strong references.
type Cycle struct {
	Objects []Object // of the ring, in its order, the first maxRingObjects of them; Edges[k] leads from Objects[k]
	Edges   []Edge   // only the one to weaken has a name
	Others  int      // objects that belong to the same tangle and are not on the ring
	Weaken  int      // the edge that should be weak or unowned, -1 when none is proposed
	Advice  string   // what should become of that edge
	Held    bool     // something outside still refers to it
	Address string   // of one that is not Held: what has the address of an object that leads to it, "" when nothing has
	Again   bool     // it is there among objects of the ring before it too, when that is broken
}

// maxRingObjects is how many objects of a ring are described.
const maxRingObjects = 16

// Cycles lists the rings of strong references among all live objects, those that nothing refers to first.
func (d *Debugger) Cycles() []Cycle {
	reached := make([]bool, len(d.m.Heap().B)/granule+1)
	var work []uint64
	visit := func(ref uint64) {
		if k := (ref - heap.Base) / granule; !reached[k] {
			reached[k] = true
			work = append(work, ref)
		}
	}
	for _, r := range d.roots() {
		visit(r.Ref)
	}
	for len(work) > 0 {
		ref := work[len(work)-1]
		work = work[:len(work)-1]
		d.eachEdge(ref, func(e Edge) { visit(e.To) })
	}
	var out []Cycle
	leads := sync.OnceValue(d.byAddress)
	for _, l := range heap.Leaks(d.m.Heap(), nil, d.m.References) {
		if len(l.Cycle) == 0 {
			continue
		}
		for k, ring := range d.leaks.Rings(l) {
			if c := d.cycle(ring, reached); len(c.Objects) > 0 {
				if !c.Held {
					c.Address = leads()[c.Objects[0].Ref].name
				}
				if c.Again = k > 0; k == 0 {
					c.Others = len(l.Objects) - len(l.Cycle)
				}
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Cycle) int {
		if a.Held != b.Held {
			if a.Held {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.Objects[0].Serial, b.Objects[0].Serial)
	})
	return out
}

// cycle describes a ring. reached says by granule which blocks roots lead to.
func (d *Debugger) cycle(l heap.Leak, reached []bool) Cycle {
	c := Cycle{Weaken: -1}
	weak, ok := d.leaks.Weaken(l)
	for k, e := range l.Cycle {
		info, there := d.m.Heap().Object(e.From)
		if !there {
			continue
		}
		if len(c.Objects) < maxRingObjects {
			c.Objects = append(c.Objects, d.object(info))
		}
		edge := Edge{From: e.From, To: e.To, Slot: e.Slot}
		if ok && e == weak {
			edge.Name = d.m.EdgeName(e)
		}
		c.Edges = append(c.Edges, edge)
		c.Held = c.Held || reached[(e.From-heap.Base)/granule]
		if ok && e == weak {
			c.Weaken, c.Advice = k, d.leaks.Advice(l, e)
		}
	}
	return c
}

// Graph is a part of the heap: objects and the strong references between them.
type Graph struct {
	Objects []Object
	Edges   []Edge
	Roots   []Root
	More    bool // there was more than could be taken
}

// GraphOf returns the part of the heap around an object: what it reaches and what holds it, up to limit objects; with no object all live
// ones.
func (d *Debugger) GraphOf(o *Object, limit int) Graph {
	var g Graph
	in := map[uint64]bool{}
	take := func(ref uint64) bool {
		if in[ref] {
			return false
		}
		if len(in) >= limit {
			g.More = true
			return false
		}
		in[ref] = true
		return true
	}
	if o == nil {
		d.m.Heap().Live(func(b heap.ObjectInfo) bool {
			if b.Kind == heap.KindObject {
				take(b.Ref)
			}
			return !g.More
		})
	} else {
		take(o.Ref)
		edges, _ := d.Holders(*o)
		for _, e := range edges {
			take(e.From)
		}
		for queue := []uint64{o.Ref}; len(queue) > 0; queue = queue[1:] {
			for _, e := range d.edgesFrom(queue[0]) {
				if take(e.To) {
					queue = append(queue, e.To)
				}
			}
		}
	}
	for ref := range in {
		if info, ok := d.m.Heap().Object(ref); ok {
			g.Objects = append(g.Objects, d.object(info))
			for _, e := range d.edgesFrom(ref) {
				if in[e.To] {
					g.Edges = append(g.Edges, e)
				}
			}
		}
	}
	for _, r := range d.roots() {
		if in[r.Ref] {
			g.Roots = append(g.Roots, r)
		}
	}
	slices.SortFunc(g.Objects, func(a, b Object) int { return cmp.Compare(a.Serial, b.Serial) })
	slices.SortFunc(g.Edges, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Slot, b.Slot)) })
	return g
}
