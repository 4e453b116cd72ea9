package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// DeadObjectElim removes objects, stack locations, key paths and arrays that are only written to:
//
//	%0 = alloc_ref $C
//	%1 = ref_element_addr %0, #C.x
//	store %x to %1                      ⇒   –
//	strong_release %0
//
// The deinit of the class must have no effects outside of the object. What was stored is given up where it was stored (in ownership
// form), or where the object's tail elements would have been destroyed.
var DeadObjectElim = &pass.Pass{
	Name:  "deadobject-elim",
	Doc:   "Removes objects, stack locations, key paths and arrays that are never read",
	Needs: [][]op.Op{{op.AllocRef, op.AllocRefDynamic, op.AllocStack, op.Keypath, op.Apply}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		d := &deadObjects{Editor: rewrite.NewEditor(c, f), p: c.Program(f), deinits: map[*ir.Type]deinitEffects{}}
		d.own = d.Ownership()
		d.del = rewrite.NewDeleter(d.Editor, d.own)
		return d.run()
	},
}

// deadObjects is one run of the pass on a function.
type deadObjects struct {
	*rewrite.Editor
	p       *facts.Program
	own     *ownership.Ownership
	del     *rewrite.Deleter
	deinits map[*ir.Type]deinitEffects
}

func (d *deadObjects) run() bool {
	changed := false
	for _, b := range d.Func.Blocks {
		for _, i := range b.InstList() {
			if i.Block() == nil {
				continue
			}
			switch i.Op {
			case op.AllocRef, op.AllocRefDynamic:
				changed = d.object(i) || changed
			case op.AllocStack:
				changed = d.slot(i) || changed
			case op.Keypath:
				changed = d.keyPath(i) || changed
			case op.Apply:
				changed = d.array(i) || changed
			}
		}
		d.del.Cleanup()
	}
	return changed || d.del.Changed
}

// deinitEffects says what the deinit of a class does besides giving up the object's memory.
type deinitEffects uint8

const (
	deinitUnknown      deinitEffects = iota
	deinitNone                       // nothing
	deinitDestroysTail               // destroys the tail elements
)

// deinitOf returns what happens at the end of an object that the instruction allocates.
func (d *deadObjects) deinitOf(alloc *ir.Inst) deinitEffects {
	if alloc.Op == op.AllocRefDynamic {
		return deinitUnknown // of a class that nobody knows
	}
	t := alloc.Result().Type
	if known, ok := d.deinits[t]; ok {
		return known
	}
	d.deinits[t] = deinitUnknown
	if f := d.p.Destructor(t); f != nil && f.Body() == nil && len(f.Blocks) > 0 && f.Entry() != nil && len(f.Entry().Args) == 1 {
		d.deinits[t] = d.effectsOf(f)
	}
	return d.deinits[t]
}

func (d *deadObjects) effectsOf(f *ir.Function) deinitEffects {
	self := f.Entry().Args[0]
	effects := deinitNone
	for i := range f.Insts() {
		switch {
		case !facts.MayHaveSideEffects(i), i.Op == op.DeallocStack:
		case facts.IsRefCounting(i), i.Op == op.DestroyValue, i.Op == op.DeallocRef, i.Op == op.FixLifetime:
			if d.p.StripCasts(i.Arg(0)) != self {
				return deinitUnknown
			}
		case i.Op == op.Store && d.p.Underlying(i.Arg(1)) == self && isProjectionOf(i.Arg(1), self):
		case isDestroyArray(i) && tailOf(i.Arg(1)) == self:
			effects = deinitDestroysTail
		default:
			return deinitUnknown
		}
	}
	return effects
}

// isProjectionOf reports whether an address was made of the object by address projections and nothing else.
func isProjectionOf(addr, self *ir.Value) bool {
	for addr != self {
		i := addr.Inst()
		if i == nil || i.Row().Family == op.FamilyUncheckedConversion {
			return false
		}
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.RefElementAddr, op.RefTailAddr, op.IndexAddr, op.UncheckedTakeEnumDataAddr, op.ProjectBox:
			addr = i.Arg(0)
		default:
			return false
		}
	}
	return true
}

func isDestroyArray(i *ir.Inst) bool {
	return i.Builtin() == op.BuiltinDestroyArray && len(i.Operands) == 3
}

// tailOf returns the object of which a pointer is the address of the tail elements, nil when it is none such.
func tailOf(pointer *ir.Value) *ir.Value {
	if to := facts.DefinedBy(pointer, op.AddressToPointer); to != nil {
		if tail := facts.DefinedBy(to.Arg(0), op.RefTailAddr); tail != nil {
			return tail.Arg(0)
		}
	}
	return nil
}

// instSet is a set of instructions that keeps their order.
type instSet struct {
	list []*ir.Inst
	has  map[*ir.Inst]bool
}

func (s *instSet) add(i *ir.Inst) bool {
	if s.has[i] {
		return false
	}
	if s.has == nil {
		s.has = map[*ir.Inst]bool{}
	}
	s.has[i] = true
	s.list = append(s.list, i)
	return true
}

// deadUse says what may use something that is to be removed.
type deadUse struct {
	counts  bool // retains and releases
	trivial bool // only stores of trivial values
}

// mayGo reports whether a user can be removed together with what it uses.
func (d *deadObjects) mayGo(i *ir.Inst, allow deadUse) bool {
	switch i.Op {
	case op.DestroyValue, op.DeallocPartialRef:
		return allow.counts
	case op.CopyValue, op.BeginBorrow, op.MoveValue, op.EndInitLetRef, op.BeginDeallocRef, op.FixLifetime, op.EndBorrow, op.Upcast,
		op.UncheckedRefCast, op.InjectEnumAddr, op.Keypath, op.InitExistentialAddr, op.BeginAccess, op.EndAccess,
		op.AllocStack, op.AllocRef, op.AllocRefDynamic, op.AllocBox, op.AllocPack, op.AllocExistentialBox,
		op.DeallocStack, op.DeallocRef, op.DeallocStackRef, op.DeallocBox, op.DeallocPack, op.DeallocExistentialBox:
		return true
	case op.DestroyAddr:
		return !facts.IsMoveOnly(d.Context.Module, i.Arg(0).Type.Object()) // which may have a deinit, even of memory that nobody wrote
	case op.Store:
		src := i.Arg(0)
		return d.Types.IsTrivial(src.Type) || !allow.trivial && (!d.OSSA || !d.own.IsLexical(src))
	case op.Builtin:
		if i.Builtin() == op.BuiltinZeroInitializer {
			return true
		}
	}
	if facts.IsRefCounting(i) {
		return allow.counts
	}
	return !facts.MayHaveSideEffects(i) && !facts.MayReadOrWrite(i) && !i.Op.IsTerminator()
}

// users collects what uses the results of an allocation, directly or not; false when one of them has to stay.
func (d *deadObjects) users(alloc *ir.Inst, set *instSet, allow deadUse) bool {
	isObject := alloc.Op == op.AllocRef || alloc.Op == op.AllocRefDynamic
	var fields []*ir.Inst
	var destroy *ir.Inst
	work := []*ir.Inst{alloc}
	for i := range worklist.Drain(&work) {
		if !set.add(i) {
			continue
		}
		switch {
		case i.Op == op.RefElementAddr && i != alloc && !d.Types.IsTrivial(i.Result().Type.Object()):
			fields = append(fields, i)
		case i.Op == op.RefElementAddr:
		case isObject && isDestroyArray(i):
			if destroy != nil {
				return false
			}
			destroy = i
		case !d.mayGo(i, allow):
			return false
		}
		for _, r := range i.Results {
			if !r.Type.IsAddress() && facts.IsMoveOnly(d.Context.Module, r.Type) {
				return false // its deinit takes what it is made of
			}
			for x := range r.Uses() {
				if u := x.User(); u.Op == op.Store && x.Number() == 0 {
					return false // it escapes
				}
				if !facts.IsTypeDependence(x) || x.User() != i {
					work = append(work, x.User())
				}
			}
		}
	}
	for _, i := range set.list { // who names an opened type uses what opens it
		if facts.OpensTypeFor(i, func(k *ir.Inst) bool { return !set.has[k] }) {
			return false
		}
	}
	if d.OSSA {
		return true
	}
	if destroy != nil {
		return d.onlyTailStores(destroy, set, alloc)
	}
	for _, field := range fields { // a property's lifetime can't be followed: it might leak
		allow.trivial = true
		if !d.users(field, &instSet{}, allow) {
			return false
		}
	}
	return true
}

// object removes an object that is never read.
func (d *deadObjects) object(alloc *ir.Inst) bool {
	effects := d.deinitOf(alloc)
	var set instSet
	if !d.users(alloc, &set, deadUse{counts: effects != deinitUnknown}) {
		return false
	}
	if !d.OSSA {
		var release *ir.Inst // of the tail elements
		for _, i := range set.list {
			if isDestroyArray(i) || effects == deinitDestroysTail && facts.IsRefCounting(i) && d.p.MayRelease(i) {
				if release != nil {
					return false
				}
				release = i
			}
		}
		if release != nil && !d.releaseStored(release, &set) {
			return false
		}
	} else if !d.destroyStored(&set) {
		return false
	}
	d.Context.Passed(d.Func, alloc, "removed the object: it is never read")
	d.remove(set.list)
	return true
}

// slot removes a stack location that is never read.
func (d *deadObjects) slot(alloc *ir.Inst) bool {
	var set instSet
	if !d.users(alloc, &set, deadUse{counts: true, trivial: !d.OSSA && !d.Types.IsTrivial(alloc.Result().Type.Object())}) {
		return false
	}
	if d.OSSA && (d.storedEscapes(&set) || d.storedActs(&set)) {
		return false
	}
	for _, i := range set.list {
		if i.Op == op.Store {
			d.keepVariable(i)
		}
	}
	if d.OSSA && !d.destroyStored(&set) {
		return false
	}
	d.Context.Passed(d.Func, alloc, "removed the stack location: it is never read")
	d.remove(set.list)
	return true
}

// keyPath removes a key path that nothing applies.
func (d *deadObjects) keyPath(i *ir.Inst) bool {
	var set instSet
	if !d.users(i, &set, deadUse{counts: true}) {
		return false
	}
	for n := range i.Operands {
		v := i.Arg(n)
		if !d.OSSA && d.Types.IsTrivial(v.Type) || d.OSSA && (d.own.IsLexical(v) || d.escapes(v)) {
			return false
		}
	}
	if d.OSSA {
		for n := range i.Operands {
			d.DestroyValue(d.Before(i), i.Arg(n))
		}
	}
	d.Context.Passed(d.Func, i, "removed the key path: it is never used")
	d.remove(set.list)
	return true
}

// remove takes instructions out, whatever uses them.
func (d *deadObjects) remove(list []*ir.Inst) {
	for _, i := range list {
		for _, r := range i.Results {
			rewrite.ReplaceWithUndef(r)
		}
	}
	for _, i := range list {
		if i.Block() != nil {
			d.del.ForceDelete(i)
		}
	}
}

// storedEscapes reports whether a pointer to a stored value is known elsewhere, so that the value must live as long as it does.
func (d *deadObjects) storedEscapes(set *instSet) bool {
	for _, i := range set.list {
		if i.Op == op.Store && !i.Has(op.QualTrivial) && d.escapes(i.Arg(0)) {
			return true
		}
	}
	return false
}

// storedActs reports whether a deinit of a stored value does something that can be seen, so that it may not run as early as where the value
// is stored.
func (d *deadObjects) storedActs(set *instSet) bool {
	return slices.ContainsFunc(set.list, func(i *ir.Inst) bool {
		return i.Op == op.Store && !i.Has(op.QualTrivial) && d.p.DeinitActs(i.Arg(0).Type)
	})
}

// destroyStored destroys values where they are stored; false when one has to live longer.
func (d *deadObjects) destroyStored(set *instSet) bool {
	if d.storedEscapes(set) {
		return false
	}
	for _, i := range set.list {
		if i.Op == op.Store && !i.Has(op.QualTrivial) {
			d.DestroyValue(d.Before(i), i.Arg(0))
		}
	}
	return true
}

// escapes reports whether an owned or borrowed value is used in a way that nobody can follow.
func (d *deadObjects) escapes(v *ir.Value) bool {
	if k := d.own.KindOf(v); k != ownership.KindOwned && k != ownership.KindGuaranteed {
		return false
	}
	work := worklist.Of(v)
	if v.IsArg() {
		work.Push(d.own.Incoming(v)...)
	}
	for v := range work.All() {
		for x := range v.Uses() {
			i := x.User()
			switch d.own.UseOf(x) {
			case op.OwnershipPointerEscape, op.OwnershipForwardingUnowned:
				return true
			case op.OwnershipForwardingConsume, op.OwnershipReborrow:
				if arg := ownership.ReceivedBy(i, x.Number()); arg != nil {
					work.Push(arg)
				}
			case op.OwnershipBorrow:
				if i.Op == op.BeginBorrow {
					work.Push(i.Result())
				}
			case op.OwnershipGuaranteedForwarding:
				if arg := ownership.ReceivedBy(i, x.Number()); arg != nil {
					work.Push(arg)
				}
				for _, r := range i.Results {
					if d.own.KindOf(r) != ownership.KindNone {
						work.Push(r)
					}
				}
			case op.OwnershipInteriorPointer, op.OwnershipAnyInteriorPointer:
				if addressEscapes(i) {
					return true
				}
			}
		}
	}
	return false
}

// addressEscapes reports whether the address that results from an instruction is made into a pointer.
func addressEscapes(i *ir.Inst) bool {
	work := append([]*ir.Value(nil), i.Results...)
	for v := range worklist.Drain(&work) {
		for x := range v.Uses() {
			u := x.User()
			switch {
			case ownership.ProjectsAddress(u, x.Number()):
				work = append(work, u.Results...)
			case u.Op == op.AddressToPointer:
				return true
			}
		}
	}
	return false
}
