package facts

import (
	"fmt"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// AccessStorage is the memory object in which an address lies, as the analyses of accesses see it (docs/SILMemoryAccess.md, AccessStorage), and
// the path from there to the address. Unlike an AccessPath it also tells objects of unknown origin apart by what they come from, and it looks
// through whatever the compiler's MemAccessUtils does. The zero value is no storage: nobody can tell.
type AccessStorage struct {
	Kind BaseKind // BaseUnidentified too when only the value that the memory comes from is known
	// Base is where the address of the object is made; nil when several places do, or when the path from there to the address is not known.
	Base *ir.Value
	// Root is the object or box in which the base lies, else the value that tells the object from others.
	Root *ir.Value
	// Global is the variable of a BaseGlobal, nil when it is not declared.
	Global *ir.Global
	// Property is the number of the stored property of a BaseClass.
	Property int

	unknown bool // after elements nobody knows how many
	offset  int  // elements
	fields  []int
}

// IsKnown reports whether the storage was found.
func (s *AccessStorage) IsKnown() bool { return s.Root != nil }

// PathText returns the path from the base to the address: "(@2,#0,#1)" is field 1 of field 0 of the element 2 places on.
func (s *AccessStorage) PathText() string {
	var parts []string
	switch {
	case s.unknown:
		parts = append(parts, "@Unknown")
	case s.offset != 0:
		parts = append(parts, fmt.Sprintf("@%d", s.offset))
	}
	for _, n := range s.fields {
		parts = append(parts, fmt.Sprintf("#%d", n))
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// storageKey tells objects apart.
type storageKey struct {
	kind     BaseKind
	root     *ir.Value
	property int
	global   *ir.Global
}

func (s *AccessStorage) key() storageKey {
	if s.Global != nil {
		return storageKey{kind: s.Kind, global: s.Global}
	}
	return storageKey{kind: s.Kind, root: s.Root, property: s.Property}
}

// AccessStorage finds the storage in which an address lies, or a pointer that an address was made from.
func (p *Program) AccessStorage(address *ir.Value) AccessStorage {
	s := storageSearch{p: p, hasPath: true}
	found := s.find(address)
	if !found.IsKnown() {
		return AccessStorage{}
	}
	if !s.hasPath {
		found.Base = nil
	}
	slices.Reverse(s.fields)
	found.unknown, found.offset, found.fields = s.unknown, s.offset, s.fields
	return found
}

// storageSearch is a walk from an address to its storage. The path is gathered during the walk, so it begins with the innermost field.
type storageSearch struct {
	p       *Program
	seen    map[*ir.Value]bool // block arguments
	steps   int
	hasPath bool
	unknown bool
	offset  int
	fields  []int
}

func (s *storageSearch) find(v *ir.Value) AccessStorage {
	for ; s.steps < maxAccessSteps; s.steps++ {
		i := v.Inst()
		if i == nil {
			return s.argument(v)
		}
		from, known := s.step(i)
		if !known {
			return s.base(v)
		}
		v = from
	}
	return AccessStorage{}
}

// step looks through an instruction that projects or renames an address.
func (s *storageSearch) step(i *ir.Inst) (from *ir.Value, ok bool) {
	switch i.Op {
	case op.StructElementAddr, op.TupleElementAddr:
		s.hasPath = s.hasPath && s.offset == 0 && !s.unknown // an element of a part is no part of the whole
		s.fields = append(s.fields, FieldNumber(s.p.Mod, i))
	case op.IndexAddr:
		if n, ok := constIndex(i); ok {
			s.offset += n
		} else {
			s.unknown = true
		}
	case op.TailAddr:
		s.unknown = true
	case op.BeginAccess, op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr, op.OpenExistentialAddr, op.UncheckedAddrCast, op.AddressToPointer,
		op.PointerToAddress, op.MarkDependence, op.MarkUninitialized, op.MarkUnresolvedNonCopyableValue, op.CopyableToMoveonlywrapperAddr,
		op.MoveonlywrapperToCopyableAddr, op.DropDeinit, op.CopyValue, op.BeginBorrow:
	case op.StoreBorrow:
		return i.Arg(1), true
	case op.ProjectBox: // the payload of an indirect case: it is where the enum is
		load := DefinedBy(i.Arg(0), op.Load)
		if load == nil || DefinedBy(load.Arg(0), op.UncheckedTakeEnumDataAddr) == nil {
			return nil, false
		}
		return load.Arg(0), true
	default:
		return nil, false
	}
	return i.Arg(0), true
}

// base tells what an instruction is that nothing is looked through of.
func (s *storageSearch) base(v *ir.Value) AccessStorage {
	i := v.Inst()
	found := AccessStorage{Base: v, Root: v}
	switch i.Op {
	case op.ProjectBox:
		found.Kind, found.Root = BaseBox, s.p.objectRoot(i.Arg(0))
	case op.AllocStack, op.AllocVector:
		found.Kind = BaseStack
	case op.GlobalAddr:
		found.Kind, found.Global = BaseGlobal, i.Aux.(*ir.SymbolAux).Global
	case op.RefElementAddr:
		found.Kind, found.Root, found.Property = BaseClass, s.p.objectRoot(i.Arg(0)), s.p.FieldIndex(i)
	case op.RefTailAddr:
		found.Kind, found.Root = BaseTail, s.p.objectRoot(i.Arg(0))
	case op.BeginApply:
		found.Kind = BaseYield
	case op.InitExistentialAddr:
	case op.Apply:
		callee := StaticCallee(i)
		if callee == nil || !callee.Attrs.Has(ir.AttrGlobalInit) {
			return AccessStorage{}
		}
		if found.Global = initializedGlobal(callee); found.Global != nil {
			found.Kind = BaseGlobal
		}
	case op.StructExtract:
		if d := s.p.Mod.DeclOf(Selfless(i.Arg(0).Type)); d == nil || d.Known() != ir.KnownUnsafePointer && d.Known() != ir.KnownUnsafeMutablePointer {
			return AccessStorage{}
		}
	case op.Load:
		if v.Type.Kind != ir.KindBox {
			return AccessStorage{}
		}
	default:
		return AccessStorage{}
	}
	return found
}

// argument tells what an argument of the function is, or what all that comes in for a block argument agree on.
func (s *storageSearch) argument(v *ir.Value) AccessStorage {
	if v.IsUndef() {
		return AccessStorage{Base: v, Root: v}
	}
	if isEntryArg(v) {
		return AccessStorage{Kind: BaseArgument, Base: v, Root: v}
	}
	in, ok := s.p.Incoming(v)
	if !ok {
		return AccessStorage{}
	}
	if s.seen == nil {
		s.seen = map[*ir.Value]bool{}
	}
	s.seen[v] = true
	var all AccessStorage
	before := *s
	for _, o := range in {
		if s.seen[o.Value()] {
			continue
		}
		way := before
		way.steps = s.steps + 1
		way.fields = slices.Clone(before.fields)
		found := way.find(o.Value())
		s.steps = way.steps
		switch {
		case !found.IsKnown():
			return AccessStorage{}
		case !all.IsKnown():
			all = found
			s.hasPath, s.unknown, s.offset, s.fields = way.hasPath, way.unknown, way.offset, way.fields
		case all.key() != found.key():
			return AccessStorage{}
		default:
			if all.Base != found.Base {
				all.Base = nil
			}
			s.hasPath = s.hasPath && way.hasPath && s.unknown == way.unknown && s.offset == way.offset && slices.Equal(s.fields, way.fields)
		}
	}
	return all
}

// initializedGlobal returns the variable whose address a global_init function returns, nil when its body is not known to.
func initializedGlobal(f *ir.Function) (global *ir.Global) {
	for _, b := range f.Blocks {
		t := b.Terminator()
		if t == nil || t.Op != op.Return {
			continue
		}
		v := t.Arg(0)
		for i := v.Inst(); i != nil && i.Op == op.AddressToPointer; i = v.Inst() {
			v = i.Arg(0)
		}
		if i := v.Inst(); i != nil && i.Op == op.GlobalAddr {
			global = i.Aux.(*ir.SymbolAux).Global
		}
	}
	return global
}

// objectRoot looks through casts, copies and borrows of a reference, and through block arguments for which the same object comes in on all
// ways. A moved value is an object of its own.
func (p *Program) objectRoot(v *ir.Value) *ir.Value { return p.rootOn(v, map[*ir.Value]bool{}) }

// rootOn does it; seen holds the block arguments visited.
func (p *Program) rootOn(v *ir.Value, seen map[*ir.Value]bool) *ir.Value {
	for range maxAccessSteps {
		i := v.Inst()
		if i == nil {
			return p.phiRoot(v, seen)
		}
		if !keepsObject(i) {
			return v
		}
		v = i.Arg(0)
	}
	return v
}

// keepsObject reports whether the result of an instruction refers to the same object as its first operand.
func keepsObject(i *ir.Inst) bool {
	switch i.Op {
	case op.Upcast, op.UncheckedRefCast, op.UnconditionalCheckedCast, op.RefToBridgeObject, op.BridgeObjectToRef, op.BeginDeallocRef, op.MarkDependence,
		op.CopyValue, op.BeginBorrow, op.EndCowMutation, op.EndInitLetRef, op.ConvertFunction, op.InitExistentialRef, op.OpenExistentialRef:
		return true
	}
	return false
}

// phiRoot returns the object that comes in for a block argument on all paths, the argument itself when there are several.
func (p *Program) phiRoot(v *ir.Value, seen map[*ir.Value]bool) *ir.Value {
	in, ok := p.Incoming(v)
	if !ok || seen[v] {
		return v
	}
	seen[v] = true
	var root *ir.Value
	for _, o := range in {
		from := p.rootOn(o.Value(), seen)
		switch {
		case seen[from]:
		case root != nil && root != from:
			return v
		default:
			root = from
		}
	}
	if root == nil {
		return v
	}
	return root
}

// IsDistinctStorage reports whether an address can't lie in the storage.
func (p *Program) IsDistinctStorage(a AccessPath, s *AccessStorage) bool {
	switch {
	case !s.IsKnown() || s.Kind == BaseUnidentified:
		return false
	case a.Kind == BaseGlobal && s.Kind == BaseGlobal:
		return s.Global != nil && s.Global.Name != globalOf(a.Base)
	case a.Kind == BaseArgument:
		return exclusiveArg(a.Base) && s.Kind.isKnownStorage()
	}
	return a.Kind != s.Kind && a.Kind.isKnownStorage() && s.Kind.isKnownStorage()
}

// IsLocal reports whether the storage is a stack slot or a box that the function itself allocates.
func (s *AccessStorage) IsLocal() bool {
	return s.Kind == BaseStack || s.Kind == BaseBox && isAllocation(s.Root)
}

// IsSame reports whether two accesses are to the same object.
func (s *AccessStorage) IsSame(o *AccessStorage) bool {
	return s.IsKnown() && o.IsKnown() && s.key() == o.key()
}

// IsSamePart reports whether two accesses are to the same part of the same object.
func (s *AccessStorage) IsSamePart(o *AccessStorage) bool {
	return s.IsSame(o) && s.Base != nil && o.Base != nil && !s.unknown && !o.unknown && s.offset == o.offset && slices.Equal(s.fields, o.fields)
}

// IsDistinct reports whether two accesses can't be to the same memory: different variables, or different properties of objects.
func (s *AccessStorage) IsDistinct(o *AccessStorage) bool {
	if !s.IsKnown() || !o.IsKnown() {
		return false
	}
	x, y := s.isUnique(), o.isUnique()
	switch {
	case x && y:
		return s.key() != o.key()
	case x:
		return o.isInObject()
	case y:
		return s.isInObject()
	case s.isInObject() && o.isInObject():
		return s.Kind != o.Kind || s.Kind == BaseClass && s.Property != o.Property
	}
	return false
}

// IsIdentified reports whether the storage is a variable that has no other name, or a property of an object.
func (s *AccessStorage) IsIdentified() bool {
	return s.IsKnown() && (s.isUnique() || s.Kind == BaseClass)
}

// isUnique reports whether there is no other name for the variable.
func (s *AccessStorage) isUnique() bool {
	switch s.Kind {
	case BaseBox:
		return isAllocation(s.Root)
	case BaseStack:
		return true
	case BaseGlobal:
		return s.Global != nil
	case BaseArgument:
		return isEntryArg(s.Root) && exclusiveArg(s.Root)
	}
	return false
}

func (s *AccessStorage) isInObject() bool { return s.Kind == BaseClass || s.Kind == BaseTail }
