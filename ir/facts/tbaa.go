package facts

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// Typed access (docs/SIL.rst, Typed Access TBAA): memory is read and written as the type that it has, so addresses of types of which none
// holds the other don't alias. It is known of an address what type its memory has when it was projected from a place of a certain type and
// something reads or writes it there.

// typesMayAlias reports whether memory at v may be memory at w as far as their types tell.
func (p *Program) typesMayAlias(v, w *ir.Value) bool {
	if v.Type == w.Type || !p.isTypedAccess(v) || !p.isTypedAccess(w) {
		return true
	}
	pair := [2]*ir.Type{v.Type.Elem, w.Type.Elem}
	may, known := p.records[pair]
	if !known {
		may = p.recordsMayAlias(pair[0], pair[1])
		if p.records == nil {
			p.records = map[[2]*ir.Type]bool{}
		}
		p.records[pair] = may
	}
	return may
}

// isTypedAccess reports whether the memory at an address has the type of the address for certain.
func (p *Program) isTypedAccess(v *ir.Value) bool {
	if !v.Type.IsAddress() || !isTypedBase(v) {
		return false
	}
	if i := v.Inst(); i != nil && tellsMemoryType(i.Op) {
		return true
	}
	for o := range v.Uses() {
		if tellsMemoryType(o.User().Op) {
			return true
		}
	}
	return false
}

// isTypedBase looks through projections for a place that can't be of another type than it says.
func isTypedBase(v *ir.Value) bool {
	for range maxAccessSteps {
		i := v.Inst()
		if i == nil {
			return isEntryArg(v)
		}
		switch i.Op {
		case op.AllocStack, op.ProjectBox, op.RefElementAddr, op.RefTailAddr:
			return true
		case op.PointerToAddress:
			return i.Has(op.QualStrict)
		case op.StructElementAddr, op.TupleElementAddr, op.UncheckedTakeEnumDataAddr, op.InitEnumDataAddr, op.IndexAddr, op.TailAddr:
			v = i.Arg(0)
		default:
			return false
		}
	}
	return false
}

// tellsMemoryType reports whether an instruction shows the type of the memory that it accesses.
func tellsMemoryType(o op.Op) bool {
	switch o {
	case op.RefElementAddr, op.RefTailAddr, op.StructElementAddr, op.TupleElementAddr, op.UncheckedTakeEnumDataAddr, op.Load, op.Store,
		op.AllocStack, op.AllocBox, op.ProjectBox, op.DeallocStack, op.DeallocBox:
		return true
	}
	return false
}

// recordsMayAlias compares two different types of memory.
func (p *Program) recordsMayAlias(a, b *ir.Type) bool {
	a, b = p.Mod.Canonical(a), p.Mod.Canonical(b)
	if a == b {
		return true
	}
	if !p.isClosedType(a) || !p.isClosedType(b) {
		return true
	}
	if a.IsBuiltin(ir.BuiltinRawPointer) || b.IsBuiltin(ir.BuiltinRawPointer) || p.IsClass(a) && isBuiltinReference(b) || p.IsClass(b) && isBuiltinReference(a) {
		return true
	}
	if p.IsClass(a) && p.IsClass(b) {
		x, y := p.ClassDecl(a), p.ClassDecl(b)
		return p.Mod.MayDerive(x, y) || p.Mod.MayDerive(y, x)
	}
	return p.mayContain(a, b) || p.mayContain(b, a)
}

// isClosedType reports whether all about the type is known here: nothing in it is generic, and values of it can be loaded.
func (p *Program) isClosedType(t *ir.Type) bool {
	switch t.Kind {
	case ir.KindBuiltin:
		return true
	case ir.KindTuple, ir.KindFunction, ir.KindMetatype, ir.KindNominal, ir.KindBox:
	default:
		return false
	}
	return !t.HasParams() && !t.HasLocal() && !p.Types.IsAddressOnly(t)
}

func isBuiltinReference(t *ir.Type) bool {
	return t.IsBuiltin(ir.BuiltinNativeObject) || t.IsBuiltin(ir.BuiltinBridgeObject)
}

// mayContain reports whether a value of the aggregate may have the record inside. Fields are declared with types of the language, so a
// function or a metatype in one may be any that the memory is lowered to.
func (p *Program) mayContain(aggregate, record *ir.Type) bool {
	seen := map[*ir.Type]bool{}
	work := []*ir.Type{aggregate}
	for t := range worklist.Drain(&work) {
		t = p.Mod.Canonical(Selfless(t))
		if t == nil || t == record || isFunction(t) && isFunction(record) || isMetatype(t) && isMetatype(record) {
			return true
		}
		if seen[t] {
			continue
		}
		seen[t] = true
		parts, ok := p.Types.Parts(t)
		if !ok {
			return true
		}
		work = append(work, parts...)
	}
	return false
}

func isFunction(t *ir.Type) bool { return t.Kind == ir.KindFunction || t.Kind == ir.KindASTFunction }

func isMetatype(t *ir.Type) bool {
	return t.Kind == ir.KindMetatype || t.Kind == ir.KindExistentialMetatype
}
