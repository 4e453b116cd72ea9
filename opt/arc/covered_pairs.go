package arc

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
)

// CoveredPairs removes a retain and the releases that end it on all paths, where somebody else keeps the object alive meanwhile:
//
//	strong_retain %0 : $C        // %0 is a guaranteed parameter: the caller keeps it
//	br bb1
//	bb1:
//	apply %f(%0)            ⇒    apply %f(%0)
//	cond_br %1, bb1, bb2
//	bb2:
//	strong_release %0
//
// The other owner is the caller for a guaranteed parameter and for what is loaded from memory that the caller passes and that nothing
// writes up to the releases; an object that the caller keeps, for what its constant properties hold; and the function itself for a value of
// which all paths after use up one reference more than they make. In ownership form semantic-arc-opts does this, and so the compiler, which
// leaves that form late, needs no such pass: sil-opt has none. arc-sequence-opts gives up at any call in a loop, since it doesn't ask who else
// owns the object.
//
// It is left alone when anything between the two may use up a reference of the object, or ask whether it is the only one, be it of memory
// that holds the object too: a consuming call, a store, a branch that hands the value on, is_unique, begin_cow_mutation; when a release can be reached past the retain; and
// where a path from the retain leaves the function without a release.
var CoveredPairs = &pass.Pass{
	Name:  "arc-covered-pairs",
	Doc:   "Removes retains and releases of objects that somebody else keeps alive meanwhile (not in sil-opt)",
	Needs: [][]op.Op{{op.StrongRetain, op.RetainValue}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		if f.IsOSSA() {
			return false
		}
		p := &coveredPairs{c: c, f: f, p: c.Program(f), preds: cfg.NewPredecessors(f)}
		changed := false
		for p.round() {
			changed = true
			c.Changed(f)
		}
		return changed
	},
}

type coveredPairs struct {
	c      *pass.Context
	f      *ir.Function
	p      *facts.Program
	preds  *cfg.Predecessors
	rc     *facts.RCIdentity
	events map[*ir.Value]map[*ir.Inst]countEvent // by root; nil for one that can't be followed
	work   int                                   // instructions looked at
	// endsObjects is what mayEndObjects found in the text, nil before it looked.
	endsObjects *bool
}

// countEvent is what an instruction does to the references of a value.
type countEvent uint8

const (
	eventRetain  countEvent = iota + 1
	eventRelease            // of just this reference
	eventOther              // may use one up, hand one on, or look at the count
)

// mostCoveredWork bounds the instructions that are looked at for one function.
const mostCoveredWork = 1 << 20

// round removes the innermost pairs.
func (p *coveredPairs) round() bool {
	p.rc, p.events = p.c.RCIdentity(p.f), map[*ir.Value]map[*ir.Inst]countEvent{}
	changed := false
	for _, b := range p.f.Blocks {
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			if !facts.IsRetain(i) || p.work > mostCoveredWork {
				continue
			}
			root := p.rc.Root(i.Arg(0))
			events := p.eventsOf(root)
			if events == nil {
				continue
			}
			r := p.regionAfter(i, events)
			if r == nil || r.open || len(r.releases) == 0 || !p.reachedOnlyFrom(i, r) || !p.isCovered(i, root, r, events) {
				continue
			}
			p.c.Passed(p.f, i, "removed %s and its releases: something else keeps the object alive", i.Op)
			for _, l := range r.releases {
				if l == next {
					next = l.Next()
				}
				delete(events, l)
				l.Remove()
			}
			delete(events, i)
			i.Remove()
			changed = true
		}
	}
	return changed
}

// pairRegion is what lies between an instruction and the first releases after it.
type pairRegion struct {
	releases []*ir.Inst
	entered  map[*ir.Block]bool // from the start
	passed   map[*ir.Block]bool // left at the end
	open     bool               // a path ends the function without a release
	dead     bool               // a path ends at an unreachable
}

// regionAfter follows all paths after a retain up to the first releases. nil when something else happens to the references before.
func (p *coveredPairs) regionAfter(retain *ir.Inst, events map[*ir.Inst]countEvent) *pairRegion {
	r := &pairRegion{entered: map[*ir.Block]bool{}, passed: map[*ir.Block]bool{}}
	root := p.rc.Root(retain.Arg(0))
	lent := p.isLentForWriting(events)
	ok := cfg.WalkPathsAfter(retain, func(i *ir.Inst) cfg.Path {
		p.work++
		if lent && p.p.MayCheckCountOf(i, root) {
			return cfg.Fail
		}
		switch events[i] {
		case eventRelease:
			r.releases = append(r.releases, i)
			return cfg.EndPath
		case eventRetain, eventOther:
			return cfg.Fail
		}
		if !i.Op.IsTerminator() {
			return cfg.Follow
		}
		r.passed[i.Block()] = true
		if len(i.Succs) == 0 {
			r.dead = r.dead || i.Op == op.Unreachable
			r.open = r.open || i.Op != op.Unreachable
		}
		for _, e := range i.Succs {
			r.entered[e.To] = true
		}
		return cfg.Follow
	})
	if !ok {
		return nil
	}
	return r
}

// reachedOnlyFrom reports whether every path into the region leads past the retain.
func (p *coveredPairs) reachedOnlyFrom(retain *ir.Inst, r *pairRegion) bool {
	for b := range r.entered {
		if b == p.f.Entry() {
			return false
		}
		for _, from := range p.preds.Of(b) {
			if !r.passed[from] {
				return false
			}
			if from == retain.Block() && r.entered[from] {
				return false // the region goes around the retain
			}
		}
	}
	return true
}

// isCovered reports whether another reference keeps the object alive in the whole region.
func (p *coveredPairs) isCovered(retain *ir.Inst, root *ir.Value, r *pairRegion, events map[*ir.Inst]countEvent) bool {
	if root.IsArg() && root.Block() == p.f.Entry() && facts.ParamConvOf(root) == ir.ParamDirectGuaranteed {
		return true
	}
	if l := facts.DefinedBy(root, op.Load); l != nil && (p.isHeldByObject(l, r, 0) || !r.dead && p.isHeldInMemory(l, r, events)) {
		return true
	}
	return p.isOwnedAfter(retain, root, r, events)
}

// isOwnedAfter reports whether the function has a reference of its own after each release of a region, and from an instruction in front up to
// there. It may be the one that memory has, which the function uses up when it writes there: then nothing between may ask whether it is the only one.
func (p *coveredPairs) isOwnedAfter(from *ir.Inst, root *ir.Value, r *pairRegion, events map[*ir.Inst]countEvent) bool {
	if r.dead {
		return false
	}
	for _, l := range r.releases {
		if !p.isOwnedBefore(l.Next(), root, events) {
			return false
		}
	}
	return p.ownsBefore(from, root, events) || p.noneBetween(from, r.releases, func(i *ir.Inst) bool { return p.p.ChecksCountOf(i, root) })
}

// ownsBefore reports whether the function has made a reference of its own, or was given one, that it still has before an instruction.
func (p *coveredPairs) ownsBefore(at *ir.Inst, root *ir.Value, events map[*ir.Inst]countEvent) bool {
	def, made := root.Inst(), 0
	switch {
	case def == nil && root.Block() == p.f.Entry():
		def = root.Block().First()
		if facts.ParamConvOf(root) == ir.ParamDirectOwned {
			made = 1
		}
	case def == nil || def.Op.IsTerminator():
		return false
	default:
		if def.Op == op.AllocRef {
			made = 1
		}
		def = def.Next()
	}
	have := map[*ir.Block]int{}
	type point struct {
		i    *ir.Inst
		made int
	}
	list, found := []point{{def, made}}, false
	for len(list) > 0 {
		i, made := list[len(list)-1].i, list[len(list)-1].made
		list = list[:len(list)-1]
		b, again := i.Block(), false
		for ; i != nil && !again; i = i.Next() {
			p.work++
			again = i == root.Inst()
			if i == at {
				if found = true; made < 1 {
					return false
				}
			}
			switch events[i] {
			case eventRetain:
				made++
			case eventRelease:
				made--
			case eventOther:
				if !p.usesUpOne(i, root) {
					return false
				}
				made--
			}
		}
		if again {
			continue
		}
		for _, e := range b.Terminator().Succs {
			known, seen := have[e.To]
			if seen && known != made {
				return false
			}
			if !seen {
				have[e.To] = made
				list = append(list, point{e.To.First(), made})
			}
		}
	}
	return found
}

// isOwnedBefore reports whether the function has a reference of its own before an instruction: all paths from there use up one more than
// they make. What stores a reference may stand before the retain that makes it, so that only a release, or the end of the function, tells.
func (p *coveredPairs) isOwnedBefore(at *ir.Inst, root *ir.Value, events map[*ir.Inst]countEvent) bool {
	have := map[*ir.Block]int{} // what a path has made at the start of a block
	type point struct {
		i    *ir.Inst
		made int
	}
	list := []point{{at, 0}}
	told := false
	for len(list) > 0 {
		i, made := list[len(list)-1].i, list[len(list)-1].made
		list = list[:len(list)-1]
		b, ended := i.Block(), false
		for ; i != nil && !ended; i = i.Next() {
			p.work++
			if i == root.Inst() {
				return false // from here on it is the value of the next iteration
			}
			switch events[i] {
			case eventRetain:
				made++
			case eventRelease:
				made--
				ended = made < 0
			case eventOther:
				if !p.usesUpOne(i, root) {
					return false
				}
				made--
			}
		}
		t := b.Terminator()
		switch {
		case ended:
			told = true
			continue
		case len(t.Succs) == 0 && (t.Op == op.Unreachable || made >= 0):
			return false
		}
		told = told || len(t.Succs) == 0
		for _, e := range t.Succs {
			known, seen := have[e.To]
			if seen && known != made || root.IsArg() && root.Block() == e.To {
				return false
			}
			if !seen {
				have[e.To] = made
				list = append(list, point{e.To.First(), made})
			}
		}
	}
	return told
}

// usesUpOne reports whether all that an instruction does to the references of an object is to use one up.
func (p *coveredPairs) usesUpOne(i *ir.Inst, root *ir.Value) bool {
	uses := 0
	for n := range i.Operands {
		v := i.Arg(n)
		if v.Type.IsAddress() || p.rc.Root(v) != root {
			continue
		}
		switch i.Op {
		case op.Store:
			if !p.keepsStored(i.Arg(1)) {
				return false
			}
		case op.Return:
			results := p.f.Type.Func.Results
			if len(results) != 1 || results[0].Conv != ir.ResultOwned {
				return false
			}
		case op.Apply:
			if param := facts.Param(i, n); param == nil || param.Conv != ir.ParamDirectOwned {
				return false
			}
		default:
			return false
		}
		uses++
	}
	return uses == 1
}

// keepsStored reports whether a reference that is stored at an address belongs to the memory there. A slot on the stack may only be lent one, for a
// call that takes it indirectly, and nobody knows what a pointer leads to.
func (p *coveredPairs) keepsStored(at *ir.Value) bool {
	base := p.p.AccessPath(at, 0).Base
	if base == nil || base.IsArg() {
		return base != nil && base.Block() == p.f.Entry()
	}
	i := base.Inst()
	if i == nil {
		return false
	}
	switch i.Op {
	case op.ProjectBox, op.GlobalAddr, op.RefElementAddr, op.RefTailAddr:
		return true
	}
	return false
}

// isLentForWriting reports whether a reference is stored in a slot on the stack whose address is given to somebody who may ask whether the reference in
// it is the only one: only the pair itself may make it shared, as the copy that the program made for the slot.
func (p *coveredPairs) isLentForWriting(events map[*ir.Inst]countEvent) bool {
	for i := range events {
		if i.Op != op.Store {
			continue
		}
		slot := p.p.AccessPath(i.Arg(1), 0).Base
		for slot != nil && facts.DefinedBy(slot, op.InitEnumDataAddr) != nil {
			slot = p.p.AccessPath(slot.Inst().Arg(0), 0).Base
		}
		if slot != nil && facts.DefinedBy(slot, op.AllocStack) != nil && mayBeAskedFor(slot) {
			return true
		}
	}
	return false
}

// mayBeAskedFor reports whether somebody may look at the count of what is in memory, by its address or that of a part.
func mayBeAskedFor(address *ir.Value) bool {
	work := worklist.Of(address)
	for at := range work.All() {
		for x := range at.Uses() {
			i := x.User()
			switch i.Op {
			case op.Load, op.Store, op.DeallocStack, op.DestroyAddr, op.DebugValue, op.EndAccess, op.CopyAddr, op.InjectEnumAddr:
			case op.Apply, op.TryApply, op.BeginApply:
				if param := facts.Param(i, x.Number()); param == nil || param.Conv != ir.ParamInGuaranteed && param.Conv != ir.ParamIn {
					return true
				}
			case op.BeginAccess, op.StructElementAddr, op.TupleElementAddr, op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr:
				work.Push(i.Result())
			default:
				return true
			}
		}
	}
	return false
}

// isHeldInMemory reports whether the memory of a parameter holds the object from the load up to the releases.
func (p *coveredPairs) isHeldInMemory(load *ir.Inst, r *pairRegion, events map[*ir.Inst]countEvent) bool {
	base := p.p.AccessPath(load.Arg(0), 0).Base
	if base == nil || !base.IsArg() || base.Block() != p.f.Entry() {
		return false
	}
	switch facts.ParamConvOf(base) {
	case ir.ParamInGuaranteed:
		return true
	case ir.ParamInout:
	default:
		return false
	}
	writers := p.p.Writers(load.Arg(0))
	return p.noneBetween(load, r.releases, func(i *ir.Inst) bool {
		return events[i] == eventOther || p.p.ChecksCountOf(i, load.Result()) || writers.MayWrite(i) || p.mayTakeFrom(load.Arg(0), i)
	})
}

// noneBetween reports whether no instruction on a path from one to the first of others is of a kind.
func (p *coveredPairs) noneBetween(from *ir.Inst, to []*ir.Inst, is func(i *ir.Inst) bool) bool {
	ends := map[*ir.Inst]bool{}
	for _, i := range to {
		ends[i] = true
	}
	leads := p.leadingTo(to)
	return cfg.WalkPathsAfter(from, func(i *ir.Inst) cfg.Path {
		p.work++
		switch {
		case ends[i] || i == i.Block().First() && !leads[i.Block()]:
			return cfg.EndPath
		case is(i):
			return cfg.Fail
		}
		return cfg.Follow
	})
}

// mayTakeFrom reports whether an instruction uses up a reference that may have been loaded from an address: that is how memory is emptied
// out of ownership form.
func (p *coveredPairs) mayTakeFrom(address *ir.Value, i *ir.Inst) bool {
	for n := range i.Operands {
		takes := false
		switch i.Op {
		case op.Builtin, op.StrongRelease, op.ReleaseValue, op.UnownedRelease:
			takes = true
		case op.Store:
			takes = n == 0
		case op.Apply, op.TryApply, op.BeginApply:
			param := facts.Param(i, n)
			takes = param != nil && param.Conv == ir.ParamDirectOwned
		case op.PartialApply:
			takes = n > 0 && !i.Has(op.QualOnStack)
		}
		v := i.Arg(n)
		if !takes || v.Type.IsAddress() || p.p.Types.IsTrivial(v.Type) {
			continue
		}
		made := p.rc.Root(v).Inst()
		switch {
		case made == nil:
			return true
		case made.Op == op.Load:
			if p.p.MayAlias(address, made.Arg(0)) {
				return true
			}
		case !facts.IsFullApply(made) && made.Op != op.AllocRef && made.Op != op.PartialApply:
			return true
		}
	}
	return false
}

// leadingTo returns the blocks from whose start an instruction of the list can be reached.
func (p *coveredPairs) leadingTo(list []*ir.Inst) map[*ir.Block]bool {
	work := worklist.Of[*ir.Block]()
	for _, i := range list {
		work.Push(i.Block())
	}
	for b := range work.All() {
		work.Push(p.preds.Of(b)...)
	}
	return work.Seen()
}

// eventsOf returns what happens to the references of a value in the function, under all its names; nil when that can't be told.
func (p *coveredPairs) eventsOf(root *ir.Value) map[*ir.Inst]countEvent {
	events, known := p.events[root]
	if !known {
		events = p.findEvents(root)
		p.events[root] = events
	}
	return events
}

// findEvents follows the value through all its uses, and through those of what is the same reference or holds it.
func (p *coveredPairs) findEvents(root *ir.Value) map[*ir.Inst]countEvent {
	events := map[*ir.Inst]countEvent{}
	work := worklist.Of(root)
	add := func(v *ir.Value) {
		if !v.Type.IsAddress() {
			work.Push(v)
		}
	}
	for v := range work.All() {
		exact := p.rc.Root(v) == root
		for _, x := range v.UseList() {
			i := x.User()
			switch {
			case facts.IsDebug(i):
				continue
			case facts.IsRetain(i) && exact:
				events[i] = eventRetain
				continue
			case facts.IsRelease(i) && exact:
				events[i] = eventRelease
				continue
			}
			switch i.Op {
			case op.RefElementAddr, op.RefTailAddr, op.ClassMethod, op.SuperMethod, op.ValueMetatype, op.ExistentialMetatype, op.FixLifetime, op.ProjectBox,
				op.SelectEnum, op.StoreWeak, op.StoreUnowned:
			case op.StructExtract, op.TupleExtract, op.UncheckedEnumData, op.Struct, op.Tuple, op.Enum, op.Upcast, op.UncheckedRefCast, op.InitExistentialRef,
				op.OpenExistentialRef, op.ConvertFunction, op.EndCowMutation, op.ConvertEscapeToNoescape, op.UnconditionalCheckedCast:
				for _, r := range i.Results {
					add(r)
				}
			case op.MarkDependence:
				if x.Number() == 0 {
					add(i.Result())
				}
			case op.SwitchEnum, op.CheckedCastBr:
				for _, e := range i.Succs {
					for _, a := range e.To.Args {
						add(a)
					}
				}
			case op.Apply, op.TryApply, op.BeginApply:
				param := facts.Param(i, x.Number())
				callee := x.Number() == 0 && i.Arg(0).Type.Kind == ir.KindFunction && i.Arg(0).Type.Func.Callee != ir.CalleeOwned
				if !callee && (param == nil || param.Conv != ir.ParamDirectGuaranteed) {
					events[i] = eventOther
				}
			case op.PartialApply:
				if !i.Has(op.QualOnStack) {
					events[i] = eventOther
				}
			case op.StrongRetain, op.RetainValue, op.StrongRelease, op.ReleaseValue, op.Store, op.BeginCowMutation, op.Return, op.Throw, op.Br, op.CondBr:
				events[i] = eventOther
				for _, e := range i.Succs {
					for _, a := range e.To.Args {
						if !p.p.Types.IsTrivial(a.Type) {
							add(a)
						}
					}
				}
				for _, r := range i.Results {
					add(r)
				}
			default:
				return nil
			}
		}
	}
	return events
}
