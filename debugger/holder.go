package debugger

import (
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
)

// Which retains the references in memory were made for: a balance leaves those without a release.

// Bounds of what byHolder looks at.
const (
	maxSlots    = 8       // references to an object
	maxSlotPast = 4 << 20 // steps since it was made
)

// byHolder makes the retains without releases those that the references in memory were stored after, as far as that is known: a retain
// for a reference that is still there was not given up.
func (d *Debugger) byHolder(o Object, plus []*Event, pairs []Pair) {
	edges := d.holdersInMemory(o)
	if len(edges) == 0 || len(edges) > maxSlots || len(plus) == 0 || d.Step()-plus[0].Step > maxSlotPast {
		return
	}
	kept := map[*Event]string{}
	open := map[*Event]bool{}
	for _, p := range pairs {
		open[p.Retain] = p.Release == nil
	}
	moved := map[string]uint64{} // when references came that were not stored after a retain
	for _, e := range edges {
		if r, at := d.storedFor(e, plus, kept, open); r != nil {
			kept[r] = e.Name
		} else if at > 0 {
			moved[e.Name] = at
		}
	}
	for r, holder := range kept {
		keep(pairs, r, holder, kept)
	}
	for _, e := range edges {
		if at := moved[e.Name]; at > 0 {
			if r := heldSince(pairs, at); r != nil {
				keep(pairs, r, e.Name, kept)
			}
		}
	}
}

// holdersInMemory lists the references to an object in blocks and in global variables, those with From 0.
func (d *Debugger) holdersInMemory(o Object) []Edge {
	edges, _ := d.Holders(o)
	for _, g := range d.m.Program().Globals {
		d.m.ReferencesOf(g, func(slot, target heap.Addr) {
			if target == o.Ref {
				edges = append(edges, Edge{To: target, Slot: slot, Name: "global " + d.globalPath(g.Global)})
			}
		})
	}
	return edges
}

// Excess is how many more references to a live object there are in memory than strong ones: so many were moved from and are left over, or are
// only borrowed.
func (d *Debugger) Excess(o Object) int {
	if o.Counts.State != heap.Live {
		return 0
	}
	return max(len(d.holdersInMemory(o))-int(min(o.Counts.Strong, 1<<30)), 0)
}

// keep makes a retain one without a release, which an open one gets, and notes the reference that it is for.
func keep(pairs []Pair, r *Event, holder string, kept map[*Event]string) {
	var open, closed *Pair
	for k := range pairs {
		if pairs[k].Retain == r {
			closed = &pairs[k]
		}
	}
	if closed == nil {
		return
	}
	if closed.Release == nil {
		closed.Holder = holder
		return
	}
	for k := range pairs {
		if p := &pairs[k]; p.Release == nil && p.Retain != nil && p.Holder == "" && kept[p.Retain] == "" && p.Retain.Step <= closed.Release.Step {
			open = p
		}
	}
	if open != nil {
		closed.Retain, open.Retain, open.Holder = open.Retain, r, holder
	}
}

// heldSince returns the latest retain that may be that of a reference which is there since a step: it came before and was not given up by
// then, and a retain that is open can take its release.
func heldSince(pairs []Pair, at uint64) (r *Event) {
	open := uint64(endless)
	for k := range pairs {
		p := &pairs[k]
		if p.Release != nil || p.Holder != "" {
			continue
		}
		if p.Retain.Step <= at {
			return p.Retain
		}
		open = min(open, p.Retain.Step)
	}
	for k := range pairs {
		p := &pairs[k]
		if p.Retain != nil && p.Release != nil && p.Retain.Step <= at && p.Release.Step > at && p.Release.Step >= open && (r == nil || p.Retain.Step > r.Step) {
			r = p.Retain
		}
	}
	return r
}

// storedFor returns the retain of a value that was stored where it still is, nil when that is not known, and when it was stored. It comes
// before the store, or after it when it has no release: the optimizer moves retains down. None of but is taken.
func (d *Debugger) storedFor(e Edge, plus []*Event, but map[*Event]string, open map[*Event]bool) (r *Event, at uint64) {
	block, _ := d.m.Heap().BlockContaining(e.From)
	w := &watcher{what: e.Name, read: func(d *Debugger) (r reading) {
		if b, ok := d.m.Heap().BlockContaining(e.From); e.From != 0 && (!ok || b.Serial != block.Serial) {
			return r
		}
		word, ok := d.m.Heap().Load64(e.Slot)
		r.there, r.n = ok, 8
		le.PutUint64(r.b[:], word)
		return r
	}, text: func(*Debugger, reading) string { return "" }}
	back := d.stay()
	defer back()
	f, _ := d.backward(&search{reason: AtWatch, watch: w})
	if f == nil {
		return nil, 0
	}
	var stack []vm.Place
	d.m.Frames(func(f vm.Frame) bool {
		stack = append(stack, d.m.PlaceOf(f.PC))
		return len(stack) < maxStack
	})
	i := stack[0].Inst
	if i == nil {
		return nil, f.key
	}
	var values []*ir.Value
	switch i.Op {
	case op.Store:
		values = parts(i.Arg(0))
	case op.CopyAddr:
		for _, e := range plus { // the copy retains what it stores
			if p := innermost(e); p >= 0 && e.Stack[p].Inst == i && e.Step == f.key && but[e] == "" {
				return e, f.key
			}
		}
	case op.PartialApply:
		for n := 1; n < len(i.Operands); n++ {
			values = append(values, parts(i.Arg(n))...) // a retain of another object is none of plus
		}
	}
	for n := 0; n < len(stack) && len(values) > 0; n++ {
		if r := retainOf(values, stack, n, f.key-1, plus, but, open); r != nil {
			return r, f.key
		}
		var passed []*ir.Value
		for _, v := range values {
			if a := passedFor(v, stack, n); a != nil {
				passed = append(passed, parts(a)...)
			}
		}
		values = passed
	}
	return nil, f.key
}

// retainOf returns the latest retain of one of some values in the call that is frame n of a stack, up to a step; else one after the step
// that is open; else the making of the object.
func retainOf(values []*ir.Value, stack []vm.Place, n int, until uint64, plus []*Event, but map[*Event]string, open map[*Event]bool) *Event {
	var made, later *Event
	for k := len(plus) - 1; k >= 0; k-- {
		e := plus[k]
		at := innermost(e)
		if at < 0 || but[e] != "" || len(e.Stack) == maxStack || len(stack) == maxStack {
			continue
		}
		if v := retained(e.Stack[at].Inst); v != nil && e.Stack[at].Func == stack[n].Func && len(e.Stack)-at == len(stack)-n && slices.Contains(values, whole(v)) {
			switch {
			case e.Kind == heap.TapAlloc:
				made = e
			case e.Step <= until:
				return e
			case open[e]:
				later = e
			}
		}
		if m := len(e.Stack) - (len(stack) - n); e.Kind == heap.TapAlloc && m > at && e.Stack[m].Func == stack[n].Func && isResult(values, e.Stack[m].Inst) {
			made = e
		}
	}
	if later != nil {
		return later
	}
	return made
}

// isResult reports whether one of some values is what an instruction gives.
func isResult(values []*ir.Value, i *ir.Inst) bool {
	return i != nil && slices.ContainsFunc(values, func(v *ir.Value) bool { return v.Inst() == i })
}

// passedFor returns what the call in frame n+1 of a stack passed for a parameter of the function in frame n, nil for any other value.
func passedFor(v *ir.Value, stack []vm.Place, n int) *ir.Value {
	if !v.IsArg() || n+1 >= len(stack) || v.Block() != v.Block().Func.Entry() {
		return nil
	}
	call := stack[n+1].Inst
	args := v.Block().Args
	if call == nil || len(call.Operands) != len(args)+1 {
		return nil
	}
	switch call.Op {
	case op.Apply, op.TryApply, op.BeginApply:
	default:
		return nil
	}
	for k, a := range args {
		if a == v {
			return whole(call.Arg(k + 1))
		}
	}
	return nil
}

// maxParts is how many values are looked for that a value was made of.
const maxParts = 32

// parts are the values that a value was made of, those that nothing is known about how they were made; a part of such a value stands for it.
func parts(v *ir.Value) (out []*ir.Value) {
	work := []*ir.Value{v}
	for n := 0; n < len(work) && n < maxParts; n++ {
		v := whole(work[n])
		i := v.Inst()
		if i == nil {
			out = append(out, v)
			continue
		}
		switch i.Op {
		case op.Struct, op.Tuple, op.Object:
			for k := range i.Operands {
				work = append(work, i.Arg(k))
			}
		case op.PartialApply:
			for k := 1; k < len(i.Operands); k++ {
				work = append(work, i.Arg(k))
			}
			out = append(out, v) // the closure's context is an object too
		case op.ConvertFunction:
			work = append(work, i.Arg(0))
		default:
			out = append(out, v)
		}
	}
	return out
}

// whole is the value that a reference was taken out of.
func whole(v *ir.Value) *ir.Value {
	for n := 0; n < 64; n++ {
		v = origin(v)
		i := v.Inst()
		if i == nil || i.Op != op.StructExtract && i.Op != op.TupleExtract && i.Op != op.DestructureStruct && i.Op != op.DestructureTuple {
			return v
		}
		v = i.Arg(0)
	}
	return v
}
