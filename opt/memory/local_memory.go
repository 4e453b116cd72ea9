package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

func hasOneField(t *ir.Type) bool {
	return t.Kind == ir.KindBox && t.Box != nil && len(t.Box.Fields) == 1
}

// boxField returns the type of what is in a box.
func boxField(m *ir.Module, t *ir.Type) *ir.Type {
	field := t.Box.Fields[0].Type
	if t.Box.Generic != nil {
		field = m.Canonical(m.Types.Subst(field, ir.BindParams(t.Box.Generic, t.Box.Subs)))
	}
	return field
}

// memoryUseKind says what an instruction does to an allocation.
type memoryUseKind uint8

const (
	memoryLoad         memoryUseKind = iota
	memoryInit                       // nothing was there
	memoryAssign                     // what was there is destroyed
	memoryInitOrAssign               // trivial values: it makes no difference
	memoryIndirectIn                 // passed to a call that reads
	memoryInout                      // passed to a call that reads and writes
	memoryEscape                     // nobody knows
)

// memoryUse is an instruction that sees an allocation; inst is nil when it was replaced by others.
type memoryUse struct {
	inst *ir.Inst
	kind memoryUseKind
}

// maxSubelements is the number of fields above which the contents of an allocation are not followed.
const maxSubelements = 1000

// localMemory is what a stack slot or a box holds, as a row of subelements: the leaves of the tree of its structs and tuples, in order.
type localMemory struct {
	*rewrite.Editor
	p     *facts.Program
	alloc *ir.Inst
	typ   *ir.Type
	size  int // subelements
	uses  []memoryUse
	// ends are the ends of the life of what is held: destroy_addr, and releases of the box.
	ends []*ir.Inst

	sizes      map[*ir.Type]int
	scalarized bool
}

// localMemoryOf returns what an instruction allocates, nil when it allocates nothing whose contents can be followed.
func localMemoryOf(e *rewrite.Editor, i *ir.Inst) *localMemory {
	m := &localMemory{Editor: e, p: e.Context.Program(e.Func), alloc: i, sizes: map[*ir.Type]int{}}
	switch i.Op {
	case op.AllocStack:
		m.typ = i.Result().Type.Object()
	case op.AllocBox:
		if !hasOneField(i.Result().Type) {
			return nil
		}
		m.typ = boxField(m.p.Mod, i.Result().Type)
	default:
		return nil
	}
	if facts.IsMoveOnly(m.p.Mod, m.typ) {
		return nil
	}
	if m.size = m.countOf(m.typ); m.size > maxSubelements {
		return nil
	}
	return m
}

// fieldsOf returns the types of the parts of a struct or tuple, ok is false for what is a subelement of its own. A part of which member knows no
// type has the declared one.
func (m *localMemory) fieldsOf(t *ir.Type) (fields []*ir.Type, ok bool) {
	t = facts.Selfless(t.Object())
	if t.Kind == ir.KindNominal {
		if m.p.Mod.DeclOf(t) == nil {
			return nil, false
		}
	}
	return m.Types.FieldTypes(t)
}

// countOf counts the subelements of a type, up to a little more than maxSubelements.
func (m *localMemory) countOf(t *ir.Type) int {
	t = t.Object()
	if n, ok := m.sizes[t]; ok {
		return n
	}
	m.sizes[t] = maxSubelements + 1 // a struct that holds itself
	n := 1
	if fields, ok := m.fieldsOf(t); ok {
		n = 0
		for _, f := range fields {
			if n += m.countOf(f); n > maxSubelements {
				n = maxSubelements + 1
				break
			}
		}
	}
	m.sizes[t] = n
	return n
}

// subelement returns the number of the first subelement at an address; false when the way there leads through something else than fields.
func (m *localMemory) subelement(address *ir.Value) (n int, ok bool) {
	size := m.countOf(address.Type)
	for address != m.alloc.Result() {
		i := address.Inst()
		if i == nil {
			return 0, false
		}
		switch i.Op {
		case op.ProjectBox:
			return n, n+size <= m.size
		case op.BeginAccess:
		case op.StructElementAddr, op.TupleElementAddr:
			fields, ok := m.fieldsOf(i.Arg(0).Type)
			at := facts.FieldNumber(m.p.Mod, i)
			if !ok || at < 0 || at >= len(fields) {
				return 0, false
			}
			for _, f := range fields[:at] {
				n += m.countOf(f)
			}
		default:
			return 0, false
		}
		address = i.Arg(0)
	}
	return n, n+size <= m.size
}

// collect finds all uses. Loads, stores and copies of tuples become such of their elements; it reports whether there were any.
func (m *localMemory) collect() bool {
	if m.alloc.Op == op.AllocBox {
		m.collectBox(m.alloc.Result())
	} else {
		m.collectAddress(m.alloc.Result())
	}
	return m.scalarized
}

func (m *localMemory) use(i *ir.Inst, kind memoryUseKind) {
	m.uses = append(m.uses, memoryUse{i, kind})
}

func (m *localMemory) collectBox(box *ir.Value) {
	for _, x := range box.UseList() {
		switch i := x.User(); i.Op {
		case op.StrongRetain, op.RetainValue:
		case op.StrongRelease, op.ReleaseValue, op.DestroyValue, op.DeallocBox:
			m.ends = append(m.ends, i)
		case op.CopyValue:
			m.collectBox(i.Result())
		case op.ProjectBox:
			m.collectAddress(i.Result())
		default:
			m.use(i, memoryEscape)
		}
	}
}

func (m *localMemory) collectAddress(address *ir.Value) {
	isTuple := address.Type.Object().Kind == ir.KindTuple
	var tuples []*ir.Inst
	for _, x := range address.UseList() {
		i := x.User()
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.BeginAccess:
			m.collectAddress(i.Result())
			continue
		case op.EndAccess, op.DeallocStack, op.DebugValue:
			continue
		case op.DestroyAddr:
			m.ends = append(m.ends, i)
			continue
		case op.Load, op.Store, op.CopyAddr:
			if isTuple && m.canScalarize(i, x) {
				tuples = append(tuples, i)
				continue
			}
		}
		m.use(i, m.kindOf(x))
	}
	m.scalarize(address, tuples)
}

// kindOf says what an instruction does with an address that it uses.
func (m *localMemory) kindOf(x *ir.Operand) memoryUseKind {
	i := x.User()
	switch i.Op {
	case op.Load, op.LoadBorrow, op.OpenExistentialAddr:
		return memoryLoad
	case op.Store:
		switch {
		case x.Number() == 0:
		case i.Has(op.QualAssign):
			return memoryAssign
		case m.Types.IsTrivial(i.Arg(0).Type) || i.Has(op.QualTrivial):
			return memoryInitOrAssign
		default:
			return memoryInit
		}
	case op.CopyAddr:
		switch {
		case x.Number() == 0:
			return memoryLoad
		case i.Has(op.QualInit):
			return memoryInit
		}
		return memoryAssign
	case op.InitExistentialAddr:
		return memoryInit
	case op.Apply:
		switch facts.CallConv(i, x.Number()) {
		case facts.ConvOut:
			return memoryInit
		case facts.ConvIn, facts.ConvInGuaranteed:
			return memoryIndirectIn
		case facts.ConvInout:
			return memoryInout
		}
	}
	return memoryEscape
}

// canScalarize reports whether a load, store or copy of a tuple can be taken apart.
func (m *localMemory) canScalarize(i *ir.Inst, x *ir.Operand) bool {
	return !(i.Op == op.Store && x.Number() == 0) && rewrite.PartsOf(m.p, x.Value().Type) > 0
}

// scalarize turns loads, stores and copies of the tuple at an address into those of its elements, then collects the uses of these.
//
//	%2 = load %1 : $*(A, B)   →   %2 = load (tuple_element_addr %1, 0); %3 = load (tuple_element_addr %1, 1); %4 = tuple (%2, %3)
func (m *localMemory) scalarize(address *ir.Value, list []*ir.Inst) {
	if len(list) == 0 {
		return
	}
	m.scalarized = true
	elements := m.elementAddresses(m.After(address.Inst()), address)
	for _, i := range list {
		if i.Block() == nil {
			continue // a copy of the tuple to itself
		}
		b := m.Before(i)
		switch i.Op {
		case op.Load:
			var parts []*ir.Value
			for _, e := range elements {
				parts = append(parts, m.Load(b, e, qualifierOf(i)))
			}
			i.ReplaceWith(rewrite.BuildAggregate(b, i.Result().Type, parts))
		case op.Store:
			for n, part := range m.takeApart(b, i.Arg(0)) {
				m.storeAs(b, part, elements[n], i)
			}
			i.Remove()
		case op.CopyAddr:
			from, to := elements, elements
			if i.Arg(0) == address {
				to = m.elementAddresses(b, i.Arg(1))
			} else {
				from = m.elementAddresses(b, i.Arg(0))
			}
			for n := range elements {
				b.Emit(&ir.Inst{Op: op.CopyAddr, Quals: i.Quals}, from[n], to[n])
			}
			i.Remove()
		}
	}
	for _, e := range elements {
		m.collectAddress(e)
	}
}

// elementAddresses projects the elements of the tuple at an address.
func (m *localMemory) elementAddresses(b *ir.Builder, address *ir.Value) []*ir.Value {
	var list []*ir.Value
	for n := range address.Type.Object().Args {
		list = append(list, b.Emit(&ir.Inst{Op: op.TupleElementAddr, Aux: rewrite.IntAux(n)}, address).Result())
	}
	return list
}

// takeApart returns the elements of a tuple that is consumed.
func (m *localMemory) takeApart(b *ir.Builder, v *ir.Value) []*ir.Value {
	if m.OSSA {
		return rewrite.Emit(b, op.DestructureTuple, v).Results
	}
	var parts []*ir.Value
	for n := range v.Type.Args {
		parts = append(parts, b.Emit(&ir.Inst{Op: op.TupleExtract, Aux: rewrite.IntAux(n)}, v).Result())
	}
	return parts
}

// storeAs writes a part of what a store writes.
func (m *localMemory) storeAs(b *ir.Builder, part, to *ir.Value, store *ir.Inst) {
	if m.OSSA {
		m.Store(b, part, to, qualifierOf(store))
		return
	}
	rewrite.Emit(b, op.Store, part, to)
}
