package arc

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
)

// LastCopies hands over the reference of a collection with copy on write that comes in, where the function hands over a copy and then uses the
// collection no more:
//
//	bb0(%0 : $Array<Int>):             // owned
//	strong_retain %0                   –
//	br bb1(%0)                     ⇒   br bb1(%0)
//	bb1(%2):
//	(%3, %4) = begin_cow_mutation %2   // finds it unique
//	…
//	release_value %0                   –
//
// In ownership form copy-propagation does this: the lifetime of an array may end with its last use. Out of it, the retain and the release are no
// pair, since the array is shared between them while somebody looks at the count. That nobody tells the difference takes that every use of the
// incoming reference is known, that none comes after the copy is handed over, that it is in no memory, and that no element has a deinit of the
// program's.
var LastCopies = &pass.Pass{
	Name:  "arc-last-copies",
	Doc:   "Hands over arrays and their kin themselves instead of a copy before they end (not in sil-opt)",
	Needs: [][]op.Op{{op.StrongRetain, op.RetainValue}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		if f.IsOSSA() {
			return false
		}
		var roots []*ir.Value
		for _, v := range f.Entry().Args {
			if isOwnedParam(v) {
				roots = append(roots, v)
			}
		}
		retains := false
		for i := range f.Insts() {
			retains = retains || facts.IsRetain(i)
			if i.Op == op.Apply && isFreshCall(i) && !i.Result().Type.IsAddress() {
				roots = append(roots, i.Result())
			}
		}
		if !retains {
			return false
		}
		changed := false
		for _, v := range roots {
			if c.Types(f).IsCopyOnWrite(v.Type) && endsQuietly(c.Types(f), v.Type, 0) {
				l := &lastCopies{c: c, f: f, root: v, events: map[*ir.Inst]lastEvent{}}
				changed = l.remove() || changed
			}
		}
		return changed
	},
}

// maxLastUses bounds the values that are followed for one collection.
const maxLastUses = 256

// endsQuietly reports whether the end of a collection runs no deinit of the program.
func endsQuietly(types *facts.Types, t *ir.Type, depth int) bool {
	switch t.Known() {
	case ir.KnownArray, ir.KnownContiguousArray, ir.KnownContiguousArrayBuffer, ir.KnownDictionary, ir.KnownSet:
		for _, a := range t.Args {
			if !endsQuietly(types, a, depth+1) {
				return false
			}
		}
		return true
	case ir.KnownString, ir.KnownCharacter:
		return true
	}
	if types.IsTrivial(t) {
		return true
	}
	fields, isProduct := types.FieldTypes(t)
	if !isProduct || depth > 8 {
		return false
	}
	for _, f := range fields {
		if !endsQuietly(types, f, depth+1) {
			return false
		}
	}
	return true
}

// lastEvent is what an instruction does with a reference.
type lastEvent uint8

const (
	lastNone    lastEvent = iota
	lastUse               // needs it
	lastRetain            // makes a copy
	lastRelease           // ends it, or the copy
	lastHanded            // hands over one of the two
)

// lastState is how far a path has come.
type lastState uint8

const (
	lastOne     lastState = iota + 1 // the reference that came in
	lastTwo                          // and a copy
	lastEnding                       // the copy was handed over: only the end may follow
	lastAllGone                      // there is none
)

type lastCopies struct {
	c        *pass.Context
	f        *ir.Function
	root     *ir.Value
	events   map[*ir.Inst]lastEvent
	retains  []*ir.Inst
	releases []*ir.Inst
}

func (l *lastCopies) remove() bool {
	if !l.findEvents() || !l.walk() || len(l.retains) == 0 || len(l.releases) == 0 {
		return false
	}
	l.c.Passed(l.f, l.retains[0], "handed over a collection instead of a copy: it is not used up to its release")
	for _, i := range append(l.retains, l.releases...) {
		i.Remove()
	}
	return true
}

// findEvents finds all that happens to the reference; false when it can't be told, or there is no pair.
func (l *lastCopies) findEvents() bool {
	rc, types := l.c.RCIdentity(l.f), l.c.Types(l.f)
	copied, ended := false, false
	names := worklist.Of(l.root)
	for v := range names.All() {
		if names.Len() > maxLastUses {
			return false
		}
		for u := range v.Uses() {
			i, event := u.User(), lastUse
			switch i.Op {
			case op.DebugValue:
				continue
			case op.StrongRetain, op.RetainValue:
				event, copied = lastRetain, true
			case op.StrongRelease, op.ReleaseValue:
				event, ended = lastRelease, true
			case op.FixLifetime:
			case op.StructExtract, op.TupleExtract, op.Struct, op.Upcast, op.UncheckedRefCast:
				if r := i.Result(); !types.IsTrivial(r.Type) {
					if rc.Root(r) != l.root {
						return false
					}
					names.Push(r)
				}
				continue
			case op.RefElementAddr, op.RefTailAddr:
				if !l.findReads(i.Result(), types, 0) {
					return false
				}
				continue
			case op.BeginCowMutation:
				event = lastHanded
			case op.Br:
				for _, a := range i.Succs[0].To.Args {
					if rc.Root(a) == l.root {
						return false // another name
					}
				}
				event = lastHanded
			case op.Return:
				if results := l.f.Type.Func.Results; len(results) != 1 || results[0].Conv != ir.ResultOwned {
					return false
				}
				event = lastHanded
			case op.Apply, op.TryApply:
				param := facts.Param(i, u.Number())
				switch {
				case param == nil || l.events[i] != lastNone:
					return false
				case param.Conv == ir.ParamDirectOwned:
					event = lastHanded
				case param.Conv != ir.ParamDirectGuaranteed || i.Op == op.TryApply || types.HoldsRawPointer(i.Result().Type):
					return false
				}
			default:
				return false
			}
			if event >= lastRetain && l.events[i] != lastNone {
				return false // twice
			}
			l.events[i] = event
		}
	}
	return copied && ended
}

// findReads notes the loads from an address; false when it has other uses.
func (l *lastCopies) findReads(address *ir.Value, types *facts.Types, depth int) bool {
	if depth > 16 {
		return false
	}
	for u := range address.Uses() {
		i := u.User()
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.IndexAddr:
			if u.Number() != 0 || !l.findReads(i.Result(), types, depth+1) {
				return false
			}
		case op.Load:
			if !types.IsTrivial(i.Result().Type) {
				return false
			}
			l.events[i] = lastUse
		default:
			return false
		}
	}
	return true
}

// walk goes along all paths; false when one comes to a place in two ways, or uses the reference when it should end.
func (l *lastCopies) walk() bool {
	start, work := map[*ir.Block]lastState{}, []*ir.Inst{l.f.Entry().First()}
	if i := l.root.Inst(); i != nil {
		work[0] = i.Next()
	}
	state := lastOne
	for i := range worklist.Drain(&work) {
		b := i.Block()
		if i == b.First() && start[b] != 0 {
			state = start[b]
		} else {
			state = lastOne
		}
		for ; i != nil; i = i.Next() {
			if i == l.root.Inst() || !l.step(i, &state) {
				return false
			}
		}
		t := b.Terminator()
		if len(t.Succs) == 0 && t.Op != op.Unreachable && state != lastAllGone {
			return false
		}
		for _, e := range t.Succs {
			switch start[e.To] {
			case lastState(0):
				start[e.To] = state
				work = append(work, e.To.First())
			case state:
			default:
				return false
			}
		}
	}
	return true
}

// step takes an instruction of a path.
func (l *lastCopies) step(i *ir.Inst, state *lastState) bool {
	switch event := l.events[i]; {
	case event == lastNone:
	case event == lastUse:
		return *state <= lastTwo
	case event == lastRetain && *state == lastOne:
		l.retains = append(l.retains, i)
		*state = lastTwo
	case event == lastHanded && *state == lastTwo:
		*state = lastEnding
	case event == lastRelease && *state == lastEnding:
		l.releases = append(l.releases, i)
		*state = lastAllGone
	case (event == lastHanded || event == lastRelease) && *state == lastOne:
		*state = lastAllGone
	default:
		return false
	}
	return true
}
