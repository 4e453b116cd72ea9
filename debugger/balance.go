package debugger

import (
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/code"
)

// Pair is a retain, or the making of the object, and the release that goes with it; one of them is nil when it has none.
type Pair struct {
	Retain, Release *Event
	Holder          string // the reference in memory that a retain without a release was for, "" when that is not known
}

// Balance is how the retains of an object go with its releases.
type Balance struct {
	Pairs  []Pair // those that have a partner first
	Events []Event
	More   bool // there were more changes than are kept, and nothing was paired
	// Unmanaged are the releases of references that came out of an Unmanaged, beyond those that the call retained itself: each gives up
	// what somebody else must have left to it, by passRetained or by making the object.
	Unmanaged []*Event
}

// Balance pairs the retains of an object with its releases, those that go together best first: of the same value, of a value that a
// call gave, of the same call, of the same function, of a function that called it, any; the latest of equals. Releases through Unmanaged
// come last. What stays open is what references in memory were retained for, as far as their stores tell; else, where a retain and the
// making of the object could do, the retain. ok is false when it was interrupted.
func (d *Debugger) Balance(o Object) (b Balance, ok bool) {
	b.Events, b.More, ok = d.History(o)
	if b.More {
		return b, ok // what has no release among the first may have one after them
	}
	var plus, minus []*Event
	for k := range b.Events {
		e := &b.Events[k]
		switch e.Kind {
		case heap.TapAlloc, heap.TapRetain:
			if !e.Failed {
				plus = append(plus, e)
			}
		case heap.TapRelease:
			minus = append(minus, e)
		case heap.TapDeinit:
			if k == 0 || b.Events[k-1].Kind != heap.TapRelease || b.Events[k-1].Step != e.Step {
				minus = append(minus, e) // set_deiniting stands for the last release
			}
		}
	}
	late := unmanaged(b.Events)
	with := make(map[*Event]*Event, len(minus)) // by release
	taken := make(map[*Event]bool, len(plus))
	for _, last := range []bool{false, true} {
		for rank := bestAffinity; rank >= 0; rank-- {
			for _, rel := range minus {
				if with[rel] != nil || late[rel] != last {
					continue
				}
				if e := partner(plus, taken, rel, rank); e != nil {
					with[rel], taken[e] = e, true
				}
			}
		}
	}
	for _, rel := range minus {
		b.Pairs = append(b.Pairs, Pair{Retain: with[rel], Release: rel})
		if late[rel] {
			b.Unmanaged = append(b.Unmanaged, rel)
		}
	}
	for _, e := range plus {
		if taken[e] {
			continue
		}
		if e.Kind == heap.TapAlloc {
			e = instead(b.Pairs, e)
		}
		b.Pairs = append(b.Pairs, Pair{Retain: e})
	}
	if o.Counts.State == heap.Live {
		d.byHolder(o, plus, b.Pairs)
		d.byRest(o, b.Pairs)
	}
	if o.Counts.State == heap.Freed {
		b.Pairs = d.byDangling(o, plus, b.Pairs, late)
	}
	return b, ok
}

// byDangling opens the retains of references in memory that still lead to a freed object, when all retains have a release: each of those
// references was given up by a release that was not its own, if possible one through Unmanaged.
func (d *Debugger) byDangling(o Object, plus []*Event, pairs []Pair, late map[*Event]bool) []Pair {
	if slices.ContainsFunc(pairs, func(p Pair) bool { return p.Retain == nil || p.Release == nil }) {
		return pairs
	}
	if info, ok := d.m.Heap().Object(o.Ref); !ok || info.Serial != o.Serial {
		return pairs // the memory is another object's
	}
	edges := d.strongTo(o)
	if len(edges) == 0 || len(edges) > maxSlots || len(plus) == 0 || d.Step()-plus[0].Step > maxSlotPast {
		return pairs
	}
	kept := map[*Event]string{}
	for _, e := range edges {
		r, at := d.storedFor(e, plus, kept, map[*Event]bool{})
		if r == nil {
			for _, p := range pairs { // what an Unmanaged gave up is the likeliest to have been the reference's
				if late[p.Release] && p.Retain != nil && p.Retain.Step <= at && (r == nil || p.Retain.Step > r.Step) {
					r = p.Retain
				}
			}
		}
		if r != nil {
			kept[r] = e.Name
			pairs = parted(pairs, r, e.Name, late)
		}
	}
	return pairs
}

// parted takes its release from a retain, which a reference in memory was for. The release that is left over is one through Unmanaged where
// the partner of that one could take this.
func parted(pairs []Pair, r *Event, holder string, late map[*Event]bool) []Pair {
	n := slices.IndexFunc(pairs, func(p Pair) bool { return p.Retain == r && p.Release != nil })
	if n < 0 {
		return pairs
	}
	over := pairs[n].Release
	if !late[over] {
		for k := range pairs {
			if p := &pairs[k]; late[p.Release] && p.Retain != nil && p.Retain.Step <= over.Step {
				over, p.Release = p.Release, over
				break
			}
		}
	}
	pairs = slices.Delete(pairs, n, n+1)
	return append(pairs, Pair{Retain: r, Holder: holder}, Pair{Release: over})
}

// byRest gives retains without releases the references that are left, when there are as many: a reference that was moved, as the elements
// of an array are when it grows, does not lie where it was stored.
func (d *Debugger) byRest(o Object, pairs []Pair) {
	edges := d.holdersInMemory(o)
	var open []*Pair
	known := map[string]bool{}
	for k := range pairs {
		switch p := &pairs[k]; {
		case p.Release != nil:
		case p.Holder != "":
			known[p.Holder] = true
		default:
			open = append(open, p)
		}
	}
	var left []string
	for _, e := range edges {
		if !known[e.Name] {
			left = append(left, e.Name)
		}
	}
	if len(open) != len(left) || len(left) == 0 || len(left) > maxSlots {
		return
	}
	for _, p := range open {
		if p.Holder = left[0]; len(left) > 1 {
			p.Holder = "one of " + strings.Join(left, ", ")
		}
	}
}

// unmanaged finds the releases of values that came out of an Unmanaged, beyond the retains of the same values.
func unmanaged(events []Event) map[*Event]bool {
	out := map[*Event]bool{}
	own := map[*ir.Value]int{}
	for k := range events {
		e := &events[k]
		_, i := e.Where()
		if i == nil {
			continue
		}
		switch e.Kind {
		case heap.TapRetain:
			if v := retained(i); v != nil {
				own[v]++
			}
		case heap.TapRelease:
			v := released(i)
			if v == nil || v.Inst() == nil || v.Inst().Op != op.StrongCopyUnmanagedValue {
				break
			}
			if own[v]--; own[v] < 0 {
				own[v], out[e] = 0, true
			}
		}
	}
	return out
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

// instead assigns the alloc a release whose retain goes with it no better, and returns that retain; the alloc itself when there is none.
func instead(pairs []Pair, alloc *Event) *Event {
	for n := len(pairs) - 1; n >= 0; n-- {
		p := &pairs[n]
		if p.Retain == nil || p.Release == nil {
			continue
		}
		fits, has := affinity(alloc, p.Release), affinity(p.Retain, p.Release)
		if fits >= has || fits >= passedAffinity && passesRetained(p.Retain) {
			open := p.Retain
			p.Retain = alloc
			return open
		}
	}
	return alloc
}

// passesRetained reports whether an event is the retain of Unmanaged.passRetained, which is right before the reference that it hands
// out, in the same line and column of the source. A release of the variable is not its partner.
func passesRetained(e *Event) bool {
	_, i := e.Where()
	if i == nil || i.Loc == nil || i.Next() == nil {
		return false
	}
	n := i.Next()
	return i.Op == op.StrongRetain && n.Op == op.RefToUnmanaged && n.Arg(0) == i.Arg(0) && n.Loc != nil && n.Loc.Line == i.Loc.Line && n.Loc.Col == i.Loc.Col
}

// bestAffinity is the most that affinity returns; from passedAffinity on both are of one value.
const (
	bestAffinity   = 5
	passedAffinity = 4
)

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
	for k := at + 1; k < len(e.Stack) && v != nil; k++ { // a call passed the value to the function that releases it
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

// origin looks through conversions of a reference.
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
