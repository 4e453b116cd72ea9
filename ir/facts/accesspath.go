package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
)

// BaseKind says what kind of storage an access is based on (docs/SIL.rst, Memory Access; docs/SILMemoryAccess.md, AccessStorage).
type BaseKind uint8

// The kinds of access bases.
const (
	BaseUnidentified BaseKind = iota // nobody can tell
	BaseBox                          // a field of a box: project_box
	BaseStack                        // alloc_stack
	BaseGlobal                       // global_addr
	BaseClass                        // a stored property: ref_element_addr
	BaseTail                         // the tail elements of an object: ref_tail_addr
	BaseArgument                     // an indirect argument of the function
	BaseYield                        // what a coroutine yields indirectly
	BaseStoreBorrow                  // what is lent to a stack location
	BasePointer                      // pointer_to_address
)

// AccessPath is where in which storage an address lies: the base, from which Path selects the part.
type AccessPath struct {
	Kind BaseKind
	Base *ir.Value // the address that defines the base; nil when the kind is BaseUnidentified
	Path effects.Path
	// Scope is the begin_access nearest to the address between it and the base, nil when there is none.
	Scope *ir.Inst
}

// maxAccessSteps bounds how long a chain of projections may be.
const maxAccessSteps = 1000

// AccessPath finds the storage in which an address lies. path is what was already selected of the memory there.
func (p *Program) AccessPath(address *ir.Value, path effects.Path) AccessPath {
	var scope *ir.Inst
	indexed := false
	for range maxAccessSteps {
		i := address.Inst()
		if indexed && (i == nil || !isIndexable(i)) {
			return AccessPath{Scope: scope}
		}
		if i == nil {
			break
		}
		indexed = false
		switch i.Op {
		case op.StructElementAddr:
			path = path.Push(effects.FieldStruct, FieldNumber(p.Mod, i))
		case op.TupleElementAddr:
			path = path.Push(effects.FieldTuple, FieldNumber(p.Mod, i))
		case op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr:
			path = path.Push(effects.FieldEnum, p.CaseNumber(i.Arg(0).Type, i.Aux.(*ir.MemberAux)))
		case op.InitExistentialAddr, op.OpenExistentialAddr:
			path = path.Push(effects.FieldExist, 0)
		case op.MarkUnresolvedNonCopyableValue, op.MarkDependence:
		case op.BeginAccess:
			if scope == nil {
				scope = i
			}
		case op.IndexAddr:
			if n, ok := constIndex(i); ok {
				path = path.Push(effects.FieldElement, n)
			} else {
				path = path.Push(effects.FieldAnyElement, 0)
			}
			indexed = true
		case op.PointerToAddress:
			if from := p.originatingAddress(i); from != nil {
				address = from
				continue
			}
			return AccessPath{BasePointer, address, path, scope}
		default:
			return p.base(address, path, scope)
		}
		address = i.Arg(0)
	}
	return p.base(address, path, scope)
}

func isIndexable(i *ir.Inst) bool {
	return i.Op == op.IndexAddr || i.Op == op.RefTailAddr || i.Op == op.PointerToAddress
}

func (p *Program) base(v *ir.Value, path effects.Path, scope *ir.Inst) AccessPath {
	a := AccessPath{Base: v, Path: path, Scope: scope}
	i := v.Inst()
	if i == nil {
		if b := v.Block(); b != nil && b == b.Func.Entry() {
			a.Kind = BaseArgument
			return a
		}
		return AccessPath{Scope: scope}
	}
	switch i.Op {
	case op.ProjectBox:
		a.Kind = BaseBox
	case op.AllocStack:
		a.Kind = BaseStack
	case op.GlobalAddr:
		a.Kind = BaseGlobal
	case op.RefElementAddr:
		a.Kind = BaseClass
	case op.RefTailAddr:
		a.Kind = BaseTail
	case op.StoreBorrow:
		a.Kind = BaseStoreBorrow
	case op.BeginApply:
		a.Kind = BaseYield
	default:
		return AccessPath{Scope: scope}
	}
	return a
}

// originatingAddress finds the address that a pointer was made from, through block arguments and aggregates; nil when there is no single
// one of the same type.
func (p *Program) originatingAddress(i *ir.Inst) *ir.Value {
	var found *ir.Value
	w := &walker{p: p, steps: 100}
	w.root = func(v *ir.Value, e escapePath) bool {
		def := v.Inst()
		if def == nil || def.Op != op.AddressToPointer || e.Path != 0 || def.Arg(0).Type != i.Result().Type {
			return false
		}
		if found != nil && found != def.Arg(0) {
			return false
		}
		found = def.Arg(0)
		return true
	}
	w.def = func(v *ir.Value, e escapePath) bool {
		if def := v.Inst(); def != nil {
			switch def.Op {
			case op.MarkDependence, op.CopyValue, op.StructExtract, op.TupleExtract, op.Struct, op.Tuple, op.AddressToPointer:
			default:
				return false
			}
		}
		return w.spend() && w.upValue(v, e)
	}
	if !w.def(i.Arg(0), escapePath{}) {
		return nil
	}
	return found
}

// Reference returns the object or box in which the base lies, nil when it lies in none.
func (a AccessPath) Reference() *ir.Value {
	switch a.Kind {
	case BaseBox, BaseClass, BaseTail:
		return a.Base.Inst().Arg(0)
	}
	return nil
}

// StorageRoots calls yield for the values that the object or box of the base comes from, each with what was selected of it; false when the base
// lies in none, or the way is too long.
func (p *Program) StorageRoots(a AccessPath, yield func(v *ir.Value, path effects.Path)) bool {
	object := a.Reference()
	if object == nil {
		return false
	}
	path := a.Path.Push(effects.FieldTail, 0)
	if a.Kind != BaseTail {
		path = a.Path.Push(effects.FieldClass, p.FieldIndex(a.Base.Inst()))
	}
	w := &walker{p: p, steps: maxAccessSteps}
	w.root = func(v *ir.Value, e escapePath) bool {
		yield(v, e.Path)
		return true
	}
	w.def = func(v *ir.Value, e escapePath) bool { return w.spend() && w.up(v, e) }
	return w.def(object, escapePath{Path: path})
}

// ReferenceRoot looks through the casts and renamings of a reference.
func ReferenceRoot(v *ir.Value) *ir.Value {
	for range maxAccessSteps {
		i := v.Inst()
		if i == nil {
			return v
		}
		switch {
		case i.Op == op.BeginCowMutation, i.Op == op.BeginDeallocRef, i.Op == op.UncheckedRefCast, renames(i), i.Op == op.InitExistentialRef, i.Op == op.OpenExistentialRef:
			v = i.Arg(0)
		case i.Op == op.MarkDependence:
			v = i.Arg(0)
		default:
			return v
		}
	}
	return v
}

// isKnownStorage reports whether the kind of storage tells it from other kinds.
func (k BaseKind) isKnownStorage() bool {
	switch k {
	case BaseBox, BaseClass, BaseTail, BaseStack, BaseGlobal:
		return true
	}
	return false
}

// isLocal reports whether the storage was allocated in the function.
func (a AccessPath) isLocal() bool {
	switch a.Kind {
	case BaseStack, BaseStoreBorrow:
		return true
	case BaseBox, BaseClass, BaseTail:
		return isAllocation(a.Reference())
	}
	return false
}

func isAllocation(v *ir.Value) bool {
	i := v.Inst()
	if i == nil {
		return false
	}
	switch i.Op {
	case op.AllocBox, op.AllocRef, op.AllocRefDynamic, op.AllocStack, op.AllocPack, op.AllocVector, op.AllocExistentialBox:
		return true
	}
	return false
}

func isEntryArg(v *ir.Value) bool {
	b := v.Block()
	return v.IsArg() && b == b.Func.Entry()
}

// IsLet reports whether the base is a constant stored property or global.
func (p *Program) IsLet(a AccessPath) bool {
	switch a.Kind {
	case BaseGlobal:
		aux := a.Base.Inst().Aux.(*ir.SymbolAux)
		if aux.Global == nil {
			return false
		}
		if aux.Global.Attrs.Has(ir.AttrLet) {
			return true
		}
	case BaseClass:
		f := p.field(a.Base.Inst())
		return f != nil && f.Let
	}
	return false
}

// SameBase reports whether two paths start at the same storage for certain.
func (p *Program) SameBase(a, b AccessPath) bool {
	if a.Kind != b.Kind || a.Kind == BaseUnidentified {
		return false
	}
	if a.Base == b.Base {
		return true
	}
	x, y := a.Base.Inst(), b.Base.Inst()
	switch a.Kind {
	case BaseBox:
		return FieldNumber(p.Mod, x) == FieldNumber(p.Mod, y) && ReferenceRoot(x.Arg(0)) == ReferenceRoot(y.Arg(0))
	case BaseClass:
		n := p.FieldIndex(x)
		return n >= 0 && n == p.FieldIndex(y) && ReferenceRoot(x.Arg(0)) == ReferenceRoot(y.Arg(0))
	case BaseTail:
		return x.Result().Type == y.Result().Type && ReferenceRoot(x.Arg(0)) == ReferenceRoot(y.Arg(0))
	case BaseGlobal:
		return x.Aux.(*ir.SymbolAux).Name == y.Aux.(*ir.SymbolAux).Name
	}
	return false
}

// isDistinctBase reports whether two bases can't be the same memory.
func (p *Program) isDistinctBase(a, b AccessPath) bool {
	if a.Kind == BaseArgument || b.Kind == BaseArgument {
		if a.Kind == b.Kind {
			return a.Base != b.Base && (exclusiveArg(a.Base) || exclusiveArg(b.Base))
		}
		if b.Kind == BaseArgument {
			a, b = b, a
		}
		if exclusiveArg(a.Base) {
			return b.Kind.isKnownStorage()
		}
		return b.isLocal()
	}
	if a.Kind != b.Kind {
		return a.Kind.isKnownStorage() && b.Kind.isKnownStorage()
	}
	switch a.Kind {
	case BaseBox:
		return FieldNumber(p.Mod, a.Base.Inst()) != FieldNumber(p.Mod, b.Base.Inst()) || differAllocations(a.Reference(), b.Reference())
	case BaseStack:
		return a.Base != b.Base
	case BaseGlobal:
		return a.Base.Inst().Aux.(*ir.SymbolAux).Name != b.Base.Inst().Aux.(*ir.SymbolAux).Name
	case BaseClass:
		x, y := p.FieldIndex(a.Base.Inst()), p.FieldIndex(b.Base.Inst())
		return x != y && x >= 0 && y >= 0 || differAllocations(a.Reference(), b.Reference())
	case BaseTail:
		return differAllocations(a.Reference(), b.Reference())
	}
	return false
}

func exclusiveArg(v *ir.Value) bool { return EntryConv(v.Block().Func, v.Index()).IsExclusive() }

func differAllocations(a, b *ir.Value) bool {
	switch {
	case isAllocation(a) && isAllocation(b):
		return a != b
	case isAllocation(a):
		return isEntryArg(b)
	case isAllocation(b):
		return isEntryArg(a)
	}
	return false
}

// IsDistinct reports whether two accesses can't touch the same memory.
func (p *Program) IsDistinct(a, b AccessPath) bool {
	if p.isDistinctBase(a, b) {
		return true
	}
	if p.SameBase(a, b) || a.Kind.isKnownStorage() && b.Kind.isKnownStorage() {
		return !a.Path.MayOverlap(b.Path)
	}
	return false
}

// Contains returns the part of a that b is; ok is false when b isn't a or a part of it for certain.
func (p *Program) Contains(a, b AccessPath) (rest effects.Path, ok bool) {
	if !p.SameBase(a, b) || !a.Path.IsExact() {
		return 0, false
	}
	rest, ok = a.Path.Subtract(b.Path)
	if k, _, _ := rest.Top(); k.IsElement() {
		return 0, false
	}
	return rest, ok
}
