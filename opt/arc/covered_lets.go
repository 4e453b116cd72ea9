package arc

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
)

// maxLets bounds a chain of constant properties of objects in constant properties.
const maxLets = 8

// isHeldByLet reports whether a load reads a constant property of an object that lives as long as the function runs: the object holds what it
// has in there until its own deinit.
func (p *coveredPairs) isHeldByLet(load *ir.Inst) bool {
	for range maxLets {
		if !p.isLetProperty(load.Arg(0)) {
			return false
		}
		object := p.rc.Root(p.p.AccessPath(load.Arg(0), 0).Base.Inst().Arg(0))
		if object.IsArg() && object.Block() == p.f.Entry() {
			return facts.ParamConvOf(object) == ir.ParamDirectGuaranteed && !p.mayEndObjects(object.Type)
		}
		if load = facts.DefinedBy(object, op.Load); load == nil {
			return false
		}
	}
	return false
}

// isHeldByBuffer reports whether a load reads an element of a buffer with copy on write that has another owner than the memory that it is in, or
// is in memory that nobody writes, from the load up to the releases: nobody finds the buffer unique and writes to it meanwhile.
func (p *coveredPairs) isHeldByBuffer(load *ir.Inst, r *pairRegion, depth int) bool {
	base := p.p.AccessPath(load.Arg(0), 0).Base
	if base == nil || base.Inst() == nil || depth > maxLets {
		return false
	}
	element := base.Inst()
	if element.Op != op.RefTailAddr && element.Op != op.RefElementAddr || !element.Has(op.QualImmutable) {
		return false
	}
	buffer := p.rc.Root(element.Arg(0))
	events := p.eventsOf(buffer)
	if events == nil || !p.noneBetween(load, r.releases, func(i *ir.Inst) bool { return events[i] != 0 }) {
		return false
	}
	if buffer.IsArg() && buffer.Block() == p.f.Entry() && facts.ParamConvOf(buffer) == ir.ParamDirectGuaranteed {
		return !p.mayEndObjects(buffer.Type)
	}
	if l := facts.DefinedBy(buffer, op.Load); l != nil && (p.isHeldByLet(l) || p.isHeldByBuffer(l, r, depth+1) || !r.dead && p.isHeldInMemory(l, r, events)) {
		return true
	}
	return p.isOwnedBehind(buffer, r, events)
}

// mayEndObjects reports whether the function may be the deinit of an argument of a type, or have a deinit inlined: that ends what the constant
// properties of the argument hold, by a destroy_addr or by more releases of a load than there are retains.
func (p *coveredPairs) mayEndObjects(t *ir.Type) bool {
	if mangle.IsDeinit(p.f.Name) || p.p.Destructor(t) == p.f {
		return true
	}
	made := map[*ir.Value]int{} // by the retains in the text, less the releases
	for i := range p.f.Insts() {
		switch {
		case facts.IsRetain(i):
			made[p.rc.Root(i.Arg(0))]++
		case facts.IsRelease(i):
			made[p.rc.Root(i.Arg(0))]--
		case i.Op == op.DeallocRef, i.Op == op.DeallocPartialRef, i.Op == op.BeginDeallocRef, i.Op == op.DestroyAddr && p.isLetProperty(i.Arg(0)):
			return true
		}
	}
	for v, n := range made {
		if l := facts.DefinedBy(v, op.Load); n < 0 && l != nil && p.isLetProperty(l.Arg(0)) {
			return true
		}
	}
	return false
}

// isLetProperty reports whether an address is that of a constant stored property of an object, or of a part of one.
func (p *coveredPairs) isLetProperty(address *ir.Value) bool {
	a := p.p.AccessPath(address, 0)
	return a.Base != nil && a.Kind == facts.BaseClass && p.p.IsLet(a)
}
