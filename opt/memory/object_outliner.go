package memory

import (
	"slices"
	"strconv"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ObjectOutliner lays out the storage of an array of constants in a global variable, once, instead of making it each time:
//
//	%1 = alloc_ref [tail_elems $Int * %0] $_ContiguousArrayStorage<Int>       sil_global private @fTv_ : $_ContiguousArrayStorage<Int> = { object … }
//	…  store %2 to %3                                                   ⇒    %1 = global_value @fTv_
//	%4 = end_cow_mutation %1                                                  … %1 …
//	… %4 …
//
// After the end of its initialization nobody changes the storage without asking whether it has the only reference, and to an object that a
// program lays out there never is an only one.
var ObjectOutliner = &pass.Pass{
	Name:  "object-outliner",
	Doc:   "Lays out storage of constant arrays in global variables",
	Needs: [][]op.Op{{op.AllocRef}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		if f.IsOSSA() {
			return false
		}
		changed := false
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Op == op.AllocRef && i.Block() != nil && isArrayStorage(i.Result().Type) {
					o := &outlining{c: c, f: f, alloc: i}
					changed = o.outline() || changed
				}
			}
		}
		return changed
	},
}

// The class of the storage of arrays, and that of its property.
const (
	arrayStorageBody = "countAndCapacity"
)

func isArrayStorage(t *ir.Type) bool {
	return t.Known() == ir.KnownContiguousArrayStorage && len(t.Args) == 1 && !t.HasParams() && !t.HasLocal()
}

// maxOutlined bounds how many elements are laid out.
const maxOutlined = 1 << 16

// outlining is an object that may be laid out.
type outlining struct {
	c     *pass.Context
	f     *ir.Function
	alloc *ir.Inst

	end      *ir.Inst // the end_cow_mutation
	header   *ir.Inst // the store to its property
	count    int      // of elements
	width    int      // of an element that is a tuple, 0 for any other
	stores   []*ir.Inst
	deallocs []*ir.Inst // the dealloc_stack_refs
}

func (o *outlining) outline() bool {
	if len(o.alloc.Operands) != 1 || len(o.alloc.Types) != 2 || o.alloc.Has(op.QualObjc) {
		return false
	}
	n := facts.Literal(o.alloc.Arg(0))
	if n == nil || !n.IsInt64() || n.Int64() <= 0 || n.Int64() > maxOutlined {
		return false
	}
	o.count = int(n.Int64())
	if t := o.alloc.Types[0]; t.Kind == ir.KindTuple {
		if o.width = len(t.Args); o.width == 0 {
			return false
		}
	}
	o.stores = make([]*ir.Inst, o.count*max(o.width, 1))
	if !o.object(o.alloc.Result()) || o.end == nil || o.header == nil || slices.Contains(o.stores, nil) || !o.isInOrder() {
		return false
	}
	for _, s := range append([]*ir.Inst{o.header}, o.stores...) {
		if !isStaticValue(s.Arg(0)) {
			return false
		}
	}
	o.replace()
	return true
}

// isInOrder reports whether all is stored between the allocation and the end of the initialization.
func (o *outlining) isInOrder() bool {
	for _, s := range append([]*ir.Inst{o.header}, o.stores...) {
		if !ownership.ComesAfter(o.alloc, s) || !ownership.ComesAfter(s, o.end) {
			return false
		}
	}
	return true
}

// object looks at the uses of a reference to the object before the end of its initialization.
func (o *outlining) object(v *ir.Value) bool {
	for u := range v.Uses() {
		i := u.User()
		ok := false
		switch i.Op {
		case op.Upcast, op.UncheckedRefCast:
			ok = o.object(i.Result())
		case op.RefElementAddr:
			ok = o.property(i)
		case op.RefTailAddr:
			ok = i.Result().Type.Object() == o.alloc.Types[0] && o.elements(i.Result(), 0)
		case op.EndCowMutation:
			ok = o.end == nil && !i.Has(op.QualKeepUnique)
			o.end = i
		case op.Struct:
			ok = isDependedOn(i.Result())
		case op.DeallocStackRef:
			o.deallocs = append(o.deallocs, i)
			ok = true
		case op.StrongRetain, op.StrongRelease, op.FixLifetime:
			ok = true
		default:
			ok = facts.IsDebug(i)
		}
		if !ok {
			return false
		}
	}
	return true
}

// isDependedOn reports whether a structure with the object in it is there only for addresses to depend on.
func isDependedOn(v *ir.Value) bool {
	for u := range v.Uses() {
		i := u.User()
		switch {
		case facts.IsDebug(i), i.Op == op.MarkDependence && u.Number() == 1:
		case i.Op == op.Struct && isDependedOn(i.Result()):
		default:
			return false
		}
	}
	return true
}

// property looks at the address of a property, to which one store is made.
func (o *outlining) property(i *ir.Inst) bool {
	aux := i.Aux.(*ir.MemberAux)
	if aux.Type != ir.KnownContiguousArrayStorageBase.String() || aux.Property() != arrayStorageBody {
		return false
	}
	for u := range i.Result().Uses() {
		if s := u.User(); s.Op != op.Store || u.Number() != 1 || o.header != nil {
			return false
		} else {
			o.header = s
		}
	}
	return true
}

// elements looks at the address of element n.
func (o *outlining) elements(v *ir.Value, n int) bool {
	for u := range v.Uses() {
		i := u.User()
		ok := false
		switch {
		case i.Op == op.Store && u.Number() == 1 && o.width == 0:
			ok = o.store(i, n)
		case i.Op == op.Store && u.Number() == 1: // a tuple as a whole
			for k := range o.width {
				ok = (k == 0 || ok) && o.store(i, n*o.width+k)
			}
		case i.Op == op.IndexAddr && u.Number() == 0 && n == 0:
			index := facts.Literal(i.Arg(1))
			ok = index != nil && index.IsInt64() && index.Int64() > 0 && index.Int64() < int64(o.count) && o.elements(i.Result(), int(index.Int64()))
		case i.Op == op.TupleElementAddr && o.width > 0:
			ok = o.part(i.Result(), n*o.width+int(i.Aux.(*ir.IntAux).Int64()))
		case i.Op == op.AddressToPointer, i.Op == op.MarkDependence && u.Number() == 0:
			ok = n == 0 && o.elements(i.Result(), 0)
		case i.Op == op.PointerToAddress:
			ok = n == 0 && i.Result().Type.Object() == o.alloc.Types[0] && o.elements(i.Result(), 0)
		default:
			ok = facts.IsDebug(i)
		}
		if !ok {
			return false
		}
	}
	return true
}

// part looks at the address of a part of an element, which is number n of them all.
func (o *outlining) part(v *ir.Value, n int) bool {
	for u := range v.Uses() {
		if i := u.User(); !facts.IsDebug(i) && (i.Op != op.Store || u.Number() != 1 || !o.store(i, n)) {
			return false
		}
	}
	return true
}

func (o *outlining) store(s *ir.Inst, n int) bool {
	if n >= len(o.stores) || o.stores[n] != nil {
		return false
	}
	o.stores[n] = s
	return true
}

// isStaticValue reports whether a value is a constant that can be in the initializer of a global.
func isStaticValue(v *ir.Value) bool {
	return isMadeOfLiterals(v, 0, func(i *ir.Inst) bool {
		switch i.Op {
		case op.Struct, op.Tuple, op.Enum:
			return true
		}
		return i.Op == op.Builtin && facts.BuiltinID(i) == op.BuiltinPtrtoint
	})
}

// replace lays the object out.
func (o *outlining) replace() {
	g := o.global()
	in := &staticValues{mod: o.c.Module, block: g.Init, made: map[*ir.Value]*ir.Value{}}
	parts := []*ir.Value{in.copy(o.header.Arg(0))}
	for n := range o.count {
		parts = append(parts, o.element(in, n))
	}
	t := o.alloc.Result().Type
	ir.AtEnd(o.c.Module, g.Init).Emit(&ir.Inst{Op: op.Object, Types: []*ir.Type{t}, Aux: rewrite.IntAux(1)}, parts...)

	o.c.Passed(o.f, o.alloc, "laid the array out in @%s", g.Name)
	for _, i := range o.deallocs {
		i.Remove()
	}
	for _, s := range append([]*ir.Inst{o.header}, o.stores...) {
		if s.Block() != nil {
			s.Remove()
		}
	}
	b := ir.At(o.c.Module, o.alloc)
	v := b.Emit(&ir.Inst{Op: op.GlobalValue, Types: []*ir.Type{t}, Aux: &ir.SymbolAux{Name: g.Name, Global: g}}).Result()
	o.alloc.Result().ReplaceAllUses(v)
	rewrite.Emit(b, op.StrongRetain, v)
	o.alloc.Remove()
	o.end.Result().ReplaceAllUses(o.end.Arg(0))
	o.end.Remove()
}

// element copies element n.
func (o *outlining) element(in *staticValues, n int) *ir.Value {
	if o.width == 0 {
		return in.copy(o.stores[n].Arg(0))
	}
	first := o.stores[n*o.width]
	if first.Arg(0).Type == o.alloc.Types[0] {
		return in.copy(first.Arg(0))
	}
	var parts []*ir.Value
	for k := range o.width {
		parts = append(parts, in.copy(o.stores[n*o.width+k].Arg(0)))
	}
	return rewrite.BuildAggregate(ir.AtEnd(o.c.Module, in.block), o.alloc.Types[0], parts)
}

// global makes a global variable for the object, under the name that the compiler gives it: that of the function and a number.
func (o *outlining) global() *ir.Global {
	mod := o.c.Module
	name := o.f.Name + "Tv_"
	for n := 0; mod.Globals[name] != nil; n++ {
		name = o.f.Name + "Tv" + strconv.Itoa(n) + "_"
	}
	g := &ir.Global{Name: name, Linkage: ir.LinkagePrivate, Type: o.alloc.Result().Type, Init: &ir.Block{Name: "bb0"}, Loc: o.alloc.Loc, Pos: o.alloc.Pos}
	mod.Globals[name] = g
	at := slices.IndexFunc(mod.Items, func(i ir.Item) bool { return i == ir.Item(o.f) })
	mod.Items = slices.Insert(mod.Items, max(at, 0), ir.Item(g))
	return g
}

// staticValues copies constants into the initializer of a global, each once.
type staticValues struct {
	mod   *ir.Module
	block *ir.Block
	made  map[*ir.Value]*ir.Value
}

func (s *staticValues) copy(v *ir.Value) *ir.Value {
	if have := s.made[v]; have != nil {
		return have
	}
	i := v.Inst()
	var operands []*ir.Value
	for n := range i.Operands {
		operands = append(operands, s.copy(i.Arg(n)))
	}
	by := ir.AtEnd(s.mod, s.block).Emit(&ir.Inst{Op: i.Op, Quals: i.Quals, Types: i.Types, Aux: i.Aux, Forwarding: i.Forwarding}, operands...)
	if by.Results[0].Type == nil {
		by.Results[0].Type = v.Type
	}
	s.made[v] = by.Results[0]
	return by.Results[0]
}
