package definiteinit

import (
	"strconv"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// object is what one mark_uninitialized marks, cut into the elements that are initialized one by one: the leaves of tuples and, in an
// initializer that initializes stored properties, these properties.
type object struct {
	*rewrite.Editor
	mark *ir.Inst
	kind op.Qual
	// addr is the memory: what is marked, or what is in the box that is marked. For an initializer of a root class it is the reference to self.
	addr *ir.Value
	t    *ir.Type    // of the memory
	decl *ir.Nominal // of t; nil for other than declared types
	// elems are the elements. That of an initializer with a superclass has one more at the end: whether super.init was called.
	elems []element
	isLet bool // a variable that is declared with let
	name  string
	// accessors are the properties with an init accessor.
	accessors []initAccessor
}

// element is one part of an object that is initialized as a whole.
type element struct {
	t     *ir.Type // nil for the call of super.init
	path  []int    // numbers of the fields that lead from the object to it
	name  string   // from the object, as diagnostics name it: ".a.0"
	field string   // the stored property of self that it is of, "" elsewhere
	isLet bool
}

var markKinds = []op.Qual{op.QualVar, op.QualRootself, op.QualCrossmodulerootself, op.QualDerivedself, op.QualDerivedselfonly,
	op.QualDelegatingself, op.QualDelegatingselfallocated, op.QualOut}

// maxElements is how many elements an object may have: as many bits as an integer literal of silvm's control variables.
const maxElements = 4096

// newObject describes what is marked; why says why that can't be done.
func newObject(e *rewrite.Editor, mark *ir.Inst) (o *object, why string) {
	o = &object{Editor: e, mark: mark, kind: mark.Quals.First(markKinds...)}
	if o.kind == op.QualInvalid {
		return nil, "a mark without a kind"
	}
	if !e.OSSA {
		return nil, "the function is not in ownership form"
	}
	o.addr = uninitialized(mark)
	o.t = facts.Selfless(o.addr.Type.Object())
	if o.t.Kind == ir.KindNominal {
		o.decl = e.Context.Module.DeclOf(o.t)
	}
	o.nameVariable()
	if o.isDelegating() || o.kind == op.QualDerivedselfonly {
		o.elems = []element{{t: o.t}}
		return o, ""
	}
	if o.isSelfOfStoring() {
		if o.decl == nil {
			return nil, "the type of self is not declared"
		}
		for n := range o.decl.Fields {
			f := &o.decl.Fields[n]
			t := e.Context.Module.FieldType(o.t, o.decl.Path, f.Name)
			if f.Name == "" || t == nil {
				return nil, "a stored property of a type that is not known"
			}
			o.addElements(element{t: t, path: []int{n}, name: "." + wrappedName(o.decl, f.Name), field: f.Name, isLet: f.Let})
		}
		o.accessors = initAccessorsOf(o.decl)
		for _, a := range o.accessors {
			if len(a.initializes) == 0 {
				o.elems = append(o.elems, element{name: "." + a.property, field: a.property, isLet: !a.hasSetter})
			}
		}
	} else {
		o.addElements(element{t: o.t, isLet: o.isLet})
	}
	if o.kind == op.QualDerivedself {
		o.elems = append(o.elems, element{})
	}
	if len(o.elems) == 0 && o.kind == op.QualCrossmodulerootself {
		o.elems = []element{{t: o.t}} // whether self was assigned
	}
	if len(o.elems) > maxElements {
		return nil, "more than " + strconv.Itoa(maxElements) + " elements"
	}
	return o, ""
}

// uninitialized returns the memory behind a mark.
func uninitialized(mark *ir.Inst) *ir.Value {
	v := mark.Result()
	if b := onlyUserWith(v, op.BeginBorrow); b != nil {
		if p := onlyUserWith(b.Result(), op.ProjectBox); p != nil {
			return p.Result()
		}
	}
	if p := onlyUserWith(v, op.ProjectBox); p != nil {
		return p.Result()
	}
	return v
}

// onlyUserWith returns the only user of a value that is of the op, nil when there are none or several.
func onlyUserWith(v *ir.Value, o op.Op) *ir.Inst {
	if list := rewrite.UsersWith(v, o); len(list) == 1 {
		return list[0]
	}
	return nil
}

// nameVariable finds what diagnostics call the object.
func (o *object) nameVariable() {
	if o.isSelf() {
		o.name = "self"
		return
	}
	o.name = "<unknown>"
	def := o.mark.Arg(0).Inst()
	if def == nil {
		o.nameResult()
		return
	}
	if g, ok := def.Aux.(*ir.SymbolAux); ok && g.Global != nil {
		if name := mangle.OutermostName(g.Name); name != "" {
			o.name = name
		}
		o.isLet = g.Global.Attrs.Has(ir.AttrLet)
		return
	}
	v := def.Var()
	if v == nil && def.Op == op.AllocBox {
		for _, x := range o.addr.UseList() {
			if x.User().Op == op.DebugValue && x.User().Var() != nil {
				v = x.User().Var()
			}
		}
	}
	if v == nil || v.Name == "" {
		return
	}
	o.name, o.isLet = v.Name, v.Binding == ir.BindingLet
}

// nameResult names an indirect result of an init accessor: it is a property that the accessor initializes.
func (o *object) nameResult() {
	typ, property, ok := mangle.ContextOf(o.Func.Name)
	arg := o.mark.Arg(0)
	if !ok || !arg.IsArg() || arg.Block() != o.Func.Entry() {
		return
	}
	d := o.Context.Module.Nominal(typ.Name)
	if d == nil {
		return
	}
	for _, a := range initAccessorsOf(d) {
		if a.property == property && arg.Index() < len(a.initializes) {
			o.name = a.initializes[arg.Index()]
		}
	}
}

// addElements adds an element or, of a tuple, its elements.
func (o *object) addElements(of element) {
	if of.t.Kind != ir.KindTuple {
		o.elems = append(o.elems, of)
		return
	}
	for n, t := range of.t.Args {
		part := of
		part.t = t
		part.path = append(append([]int{}, of.path...), n)
		label := strconv.Itoa(n)
		if n < len(of.t.Labels) && of.t.Labels[n] != "" {
			label = of.t.Labels[n]
		}
		part.name += "." + label
		o.addElements(part)
	}
}

// countOf counts the elements of a part of the object that is no self.
func countOf(t *ir.Type) int {
	if t.Kind != ir.KindTuple {
		return 1
	}
	n := 0
	for _, part := range t.Args {
		n += countOf(part)
	}
	return n
}

// firstOfField returns the number of the first element of a stored property of self; ok is false when self has none such.
func (o *object) firstOfField(name string) (first int, ok bool) {
	for n := range o.elems {
		if o.elems[n].field == name {
			return n, true
		}
	}
	if o.decl != nil { // a property without elements: ()
		first = 0
		for n := range o.decl.Fields {
			if o.decl.Fields[n].Name == name {
				return first, true
			}
			for first < len(o.elems) && o.elems[first].field == o.decl.Fields[n].Name {
				first++
			}
		}
	}
	return 0, false
}

func (o *object) isSelf() bool { return o.kind != op.QualVar && o.kind != op.QualOut }

// isDelegating reports whether the object is self of an initializer that calls another one.
func (o *object) isDelegating() bool {
	return o.kind == op.QualDelegatingself || o.kind == op.QualDelegatingselfallocated
}

// isSelfOfStoring reports whether the object is self of an initializer that initializes stored properties.
func (o *object) isSelfOfStoring() bool { return o.isSelf() && !o.isDelegating() }

func (o *object) isClass() bool {
	return o.decl != nil && (o.decl.Kind == ir.Class || o.decl.Kind == ir.Actor)
}

// isClassSelf reports whether the object is a reference to self in an initializer that gets it.
func (o *object) isClassSelf() bool {
	return o.isSelf() && o.kind != op.QualDelegatingself && o.isClass()
}

func (o *object) isRootClassSelf() bool { return o.isClassSelf() && o.kind == op.QualRootself }

// isNonRootClassSelf reports whether another initializer gets self and hands it back.
func (o *object) isNonRootClassSelf() bool { return o.isClassSelf() && o.kind != op.QualRootself }

func (o *object) isDerived() bool {
	return o.kind == op.QualDerivedself || o.kind == op.QualDerivedselfonly
}

func (o *object) isStructSelf() bool {
	return (o.kind == op.QualRootself || o.kind == op.QualCrossmodulerootself) && o.decl != nil && o.decl.Kind == ir.Struct
}

// memoryElements counts the elements that are memory.
func (o *object) memoryElements() int {
	if o.kind == op.QualDerivedself {
		return len(o.elems) - 1
	}
	return len(o.elems)
}

// nameOf returns the name of an element with that of the object in front.
func (o *object) nameOf(n int) string {
	if o.isSelf() && len(o.accessors) > 0 && o.elems[n].t == nil {
		return o.name
	}
	return o.name + o.elems[n].name
}

// isLetElement reports whether an element may be initialized once only.
func (o *object) isLetElement(n int) bool {
	if !o.isSelfOfStoring() {
		return o.isLet
	}
	return o.elems[n].isLet
}

// scope is a borrow or an access that an address depends on.
type scope struct {
	end op.Op
	v   *ir.Value
}

// address emits the address of an element that is to be destroyed, and returns the scopes to end after that.
func (o *object) address(b *ir.Builder, n int) (addr *ir.Value, open []scope) {
	addr = o.addr
	path := o.elems[n].path
	t := o.t
	for at, step := range path {
		switch {
		case at == 0 && o.isSelfOfStoring() && o.isClass():
			if addr.Type.IsAddress() {
				addr = rewrite.Emit(b, op.LoadBorrow, addr).Result()
			} else {
				addr = rewrite.Emit(b, op.BeginBorrow, addr).Result()
			}
			open = append(open, scope{op.EndBorrow, addr})
			m := &ir.MemberAux{Type: o.decl.Path, Name: o.decl.Fields[step].Name}
			addr = b.Emit(&ir.Inst{Op: op.RefElementAddr, Aux: m}, addr).Result()
			t = o.Context.Module.FieldType(o.t, o.decl.Path, m.Name)
			if addr.Type == nil {
				addr.Type = o.Context.Module.Types.Address(t)
			}
			addr = b.Emit(&ir.Inst{Op: op.BeginAccess, Quals: op.QualsOf(op.QualDeinit, op.QualStatic)}, addr).Result()
			open = append(open, scope{op.EndAccess, addr})
		case at == 0 && o.isSelfOfStoring():
			m := &ir.MemberAux{Type: o.decl.Path, Name: o.decl.Fields[step].Name}
			addr = b.Emit(&ir.Inst{Op: op.StructElementAddr, Aux: m}, addr).Result()
			t = o.Context.Module.FieldType(o.t, o.decl.Path, m.Name)
			if addr.Type == nil {
				addr.Type = o.Context.Module.Types.Address(t)
			}
		default:
			addr = b.Emit(&ir.Inst{Op: op.TupleElementAddr, Aux: rewrite.IntAux(step)}, addr).Result()
			t = t.Args[step]
			if addr.Type == nil {
				addr.Type = o.Context.Module.Types.Address(t)
			}
		}
	}
	return addr, open
}
