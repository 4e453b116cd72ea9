package ir

// Types interns types: asking twice for the same type returns the same pointer. It is not safe for use by
// several goroutines at once.
type Types struct {
	byKey map[string]*Type
	buf   []byte
}

// NewTypes returns an empty table.
func NewTypes() *Types { return &Types{byKey: make(map[string]*Type, 1024)} }

// Intern returns the one type of the table that says the same as t. The table keeps t when it is new; the
// caller must not change t afterwards. The types inside t must be of the same table.
func (ts *Types) Intern(t *Type) *Type {
	ts.buf = appendTypeKey(ts.buf[:0], t)
	if old, ok := ts.byKey[string(ts.buf)]; ok {
		return old
	}
	t.text, t.table = "", ts
	t.id = uint32(len(ts.byKey) + 1)
	t.generic, t.local = scanFlags(t)
	switch {
	case t.Kind == KindBuiltin:
		t.builtin = ParseBuiltinType(t.Name)
	case t.Kind == KindNominal && t.Parent == nil:
		t.known = knownOf(t.Name)
	case t.Kind == KindNominal && t.Parent.known != NotKnown:
		t.known = knownOf(t.Parent.known.String() + "." + t.Name)
	}
	t.measure()
	ts.byKey[string(ts.buf)] = t
	return t
}

// measure sets depth, size and opaque from those of the types directly inside t.
func (t *Type) measure() {
	depth, size, opaque := uint32(0), uint64(1), t.Kind == KindOpaque
	eachInside(t, func(x *Type) {
		if x != nil {
			depth = max(depth, x.depth)
			size += uint64(x.size)
			opaque = opaque || x.opaque
		}
	})
	t.depth, t.size, t.opaque = depth+1, uint32(min(size, 1<<32-1)), opaque
}

// eachInside calls yield for the types directly inside t, those of signatures left out.
func eachInside(t *Type, yield func(*Type)) {
	yield(t.Elem)
	yield(t.Parent)
	for _, a := range t.Args {
		yield(a)
	}
	if f := t.Func; f != nil {
		eachFuncType(f, yield)
		for _, s := range f.Subs {
			yield(s)
		}
	}
	if b := t.Box; b != nil {
		for _, f := range b.Fields {
			yield(f.Type)
		}
		for _, s := range b.Subs {
			yield(s)
		}
	}
}

// Address returns $*t.
func (ts *Types) Address(t *Type) *Type {
	if t.Kind == KindAddress {
		return t
	}
	return ts.Intern(&Type{Kind: KindAddress, Elem: t})
}

// Nominal returns parent.name<args>; parent may be nil.
func (ts *Types) Nominal(parent *Type, name string, args ...*Type) *Type {
	return ts.Intern(&Type{Kind: KindNominal, Parent: parent, Name: name, Args: args})
}

// Tuple returns the tuple type of the elements; labels may be nil. A single unlabelled element is returned itself.
func (ts *Types) Tuple(elems []*Type, labels []string) *Type {
	if len(elems) == 1 && (len(labels) == 0 || labels[0] == "") && elems[0].Kind != KindPackExpansion {
		return elems[0]
	}
	all := true
	for _, l := range labels {
		all = all && l == ""
	}
	if all {
		labels = nil
	}
	return ts.Intern(&Type{Kind: KindTuple, Args: elems, Labels: labels})
}

// TupleOf returns the type of a tuple that is made of elements. One of one element is no element: it is printed as $(_: T).
func (ts *Types) TupleOf(elems []*Type) *Type {
	if len(elems) == 1 {
		return ts.Tuple(elems, []string{"_"})
	}
	return ts.Tuple(elems, nil)
}

// Param returns the generic parameter of that name.
func (ts *Types) Param(name string) *Type { return ts.Intern(&Type{Kind: KindParam, Name: name}) }

// Optional returns Optional<t>.
func (ts *Types) Optional(t *Type) *Type { return ts.Nominal(nil, "Optional", t) }

// Metatype returns @rep t.Type.
func (ts *Types) Metatype(t *Type, rep MetatypeRep) *Type {
	return ts.Intern(&Type{Kind: KindMetatype, Elem: t, Rep: rep})
}

// Function returns a lowered function type.
func (ts *Types) Function(f *FuncType) *Type { return ts.Intern(&Type{Kind: KindFunction, Func: f}) }

// Unparsed keeps a type as text.
func (ts *Types) Unparsed(text string) *Type {
	return ts.Intern(&Type{Kind: KindUnparsed, Name: text})
}

// PackParameter returns the parameter whose elements a pack element, or the name in it, is one of or a member of one of: T for each T and for
// (each T).Element.
func (t *Type) PackParameter() *Type {
	for t.Elem != nil && (t.Kind == KindPackElement || t.Kind == KindPackReference || t.Kind == KindMember) {
		t = t.Elem
	}
	return t
}

// PackElementOf returns what a pack element stands for where the element of the pack is elem: elem, or the member of it that it names.
func (ts *Types) PackElementOf(t, elem *Type) *Type {
	switch {
	case t.Kind == KindPackElement && t.Elem != nil:
		return ts.PackElementOf(t.Elem, elem)
	case t.Kind == KindMember:
		n := *t
		n.Elem = ts.PackElementOf(t.Elem, elem)
		return ts.Intern(&n)
	}
	return elem
}

// scanFlags reports whether t names generic parameters that it does not bind, and opened archetypes.
func scanFlags(t *Type) (generic, local bool) {
	switch t.Kind {
	case KindParam:
		return true, false
	case KindOpened, KindPackElement:
		return false, true
	}
	see := func(x *Type) {
		if x != nil {
			generic = generic || x.generic
			local = local || x.local
		}
	}
	see(t.Elem)
	see(t.Parent)
	for _, a := range t.Args {
		see(a)
	}
	if f := t.Func; f != nil {
		// A signature of its own binds all parameters that the parameters and results name; so does a pattern.
		if f.Generic == nil && f.Pattern == nil {
			eachFuncType(f, see)
		}
		for _, s := range f.Subs {
			see(s)
		}
	}
	if b := t.Box; b != nil {
		if b.Generic == nil {
			for _, fl := range b.Fields {
				see(fl.Type)
			}
		}
		for _, s := range b.Subs {
			see(s)
		}
	}
	return generic, local
}

func eachFuncType(f *FuncType, yield func(*Type)) {
	for _, p := range f.Params {
		yield(p.Type)
	}
	for _, r := range f.Yields {
		yield(r.Type)
	}
	for _, r := range f.Results {
		yield(r.Type)
	}
	if f.Error != nil {
		yield(f.Error.Type)
	}
}
