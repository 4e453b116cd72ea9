package arc

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
)

// maxHolders bounds a chain of objects that hold one another.
const maxHolders = 8

// isHeldByObject reports whether a load reads what an object holds from the load up to the releases, and the object lives as long:
//
//   - a constant property of an object, until its own deinit
//   - the payload of an indirect case, which is in a box that nobody writes to
//   - an element of a buffer with copy on write that has another owner than the memory it is in, or is in memory that nobody writes: nobody
//     finds the buffer unique meanwhile, and writes to it
func (p *coveredPairs) isHeldByObject(load *ir.Inst, r *pairRegion, depth int) bool {
	a := p.p.AccessPath(load.Arg(0), 0)
	if a.Base == nil || a.Base.Inst() == nil || depth > maxHolders {
		return false
	}
	part := a.Base.Inst()
	isBuffer := (part.Op == op.RefTailAddr || part.Op == op.RefElementAddr) && part.Has(op.QualImmutable)
	if !isBuffer && !p.isConstant(a) {
		return false
	}
	object := p.rc.Root(part.Arg(0))
	events := p.eventsOf(object)
	quiet := events != nil && p.noneBetween(load, r.releases, func(i *ir.Inst) bool { return events[i] != 0 })
	switch {
	case isBuffer && !quiet, p.mayEndObjects(object.Type):
		return false
	case object.IsArg() && object.Block() == p.f.Entry() && facts.ParamConvOf(object) == ir.ParamDirectGuaranteed:
		return true
	}
	if l := facts.DefinedBy(object, op.Load); l != nil && (p.isHeldByObject(l, r, depth+1) || quiet && !r.dead && p.isHeldInMemory(l, r, events)) {
		return true
	}
	return quiet && p.isOwnedAfter(load, object, r, events)
}

// isConstant reports whether a path begins at what an object holds until its end: a constant stored property, or the payload of an indirect case.
func (p *coveredPairs) isConstant(a facts.AccessPath) bool {
	switch a.Kind {
	case facts.BaseClass:
		return p.p.IsLet(a)
	case facts.BaseBox: // of an enum and not of a variable
		return p.rc.Root(a.Base.Inst().Arg(0)).Type.Kind == ir.KindNominal
	}
	return false
}

// mayEndObjects reports whether the function may be the deinit of an argument of a type, or have a deinit inlined: that ends what the constant
// properties of the argument hold, by a destroy_addr or by more releases of a load than there are retains.
func (p *coveredPairs) mayEndObjects(t *ir.Type) bool {
	if p.endsObjects == nil {
		ends := mangle.IsDeinit(p.f.Name) || p.endsObjectsInText()
		p.endsObjects = &ends
	}
	return *p.endsObjects || p.p.Destructor(t) == p.f
}

func (p *coveredPairs) endsObjectsInText() bool {
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

// isLetProperty reports whether an address is that of a constant stored property of an object, of a payload of an indirect case, or of a part.
func (p *coveredPairs) isLetProperty(address *ir.Value) bool {
	a := p.p.AccessPath(address, 0)
	return a.Base != nil && a.Base.Inst() != nil && p.isConstant(a)
}
