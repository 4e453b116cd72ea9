package ir

import (
	"slices"
)

// lowering gives types of the language the form that values of them have in SIL (docs/SIL.rst, Type Lowering). What a value is lowered to hangs
// on the pattern that it is kept as: a stored property of type T is passed around through memory whatever T stands for, so a function in it
// takes and gives everything through memory, and a metatype in it is a pointer.
type lowering struct {
	m    *Module
	sigs []*GenericSig // what is known of the parameters that patterns name
}

// lowerAs returns the lowered form of t, which is where pattern is in a declaration under the signatures; a nil pattern tells nothing. The
// result is nil when the form can't be told, or t itself where the text leaves out the types of operands, so that no use will tell it.
func (m *Module) lowerAs(pattern, t *Type, sigs ...*GenericSig) *Type {
	if r := m.loweredAs(pattern, t, sigs...); r != nil || !m.Typeless {
		return r
	}
	return m.Canonical(t)
}

// LowerOpaque returns the lowered form of values of type t that are where a generic parameter does: functions in it take and return everything
// through memory, metatypes are pointers. nil when it can't be told.
func (m *Module) LowerOpaque(t *Type) *Type { return m.loweredAs(nil, t) }

func (m *Module) loweredAs(pattern, t *Type, sigs ...*GenericSig) *Type {
	if t = m.Canonical(t); t == nil || isLowered(t) {
		return t
	}
	l := lowering{m, sigs}
	return l.lower(m.Canonical(pattern), t)
}

// formalFunction returns the function type of the language for one that was read where a lowered type may stand and that looks the same:
// $(Int) -> Int of init_existential_addr, also inside tuples and optionals.
func (m *Module) formalFunction(t *Type) *Type {
	f := FuncType{Attrs: t.Func.Attrs, Params: t.Func.Params, Variadic: t.Func.Variadic, Generic: t.Func.Generic}
	elems := make([]*Type, len(t.Func.Results))
	for n, r := range t.Func.Results {
		elems[n] = r.Type
	}
	f.Written, f.Attrs = f.Attrs, nil
	f.Results = []Result{{Type: m.Types.Tuple(elems, nil)}}
	if len(t.Func.Results) == 1 {
		f.Results[0].Attrs = t.Func.Results[0].Attrs
	}
	return m.Types.Intern(&Type{Kind: KindASTFunction, Func: &f})
}

// signatures returns the generic signatures of a declaration and of those around it.
func (d *Nominal) signatures() (sigs []*GenericSig) {
	for ; d != nil; d = d.Outer {
		if d.Generic != nil {
			sigs = append(sigs, d.Generic)
		}
	}
	return sigs
}

// isOpaquePattern reports whether a pattern tells nothing: it is a generic parameter or depends on one as a whole.
func isOpaquePattern(p *Type) bool {
	if p == nil {
		return true
	}
	switch p.Kind {
	case KindParam, KindMember, KindOpened, KindPackElement, KindPackReference:
		return true
	}
	return false
}

// part returns part n of a pattern, nil where the pattern is opaque or of another shape.
func part(p, like *Type, n int) *Type {
	if p == nil || p.Kind != like.Kind || len(p.Args) != len(like.Args) {
		return nil
	}
	return p.Args[n]
}

// lower returns the lowered form of t, which is canonical; nil when it can't be told.
func (l *lowering) lower(p, t *Type) *Type {
	if isOpaquePattern(p) {
		p = nil
	}
	switch t.Kind {
	case KindASTFunction:
		return l.function(p, t)
	case KindFunction:
		if isLowered(t) {
			return t
		}
		return l.function(p, l.m.formalFunction(t))
	case KindMetatype, KindExistentialMetatype:
		if t.Rep != MetatypeFormal {
			return t
		}
		n := *t
		n.Rep = MetatypeThick
		if t.Kind == KindMetatype && p != nil && p.Kind == KindMetatype && !isOpaquePattern(p.Elem) {
			thin, known := l.isSingleton(t.Elem)
			if !known {
				return nil
			}
			if thin {
				n.Rep = MetatypeThin
			}
		}
		return l.m.Types.Intern(&n)
	case KindTuple:
		elems := make([]*Type, len(t.Args))
		for n, e := range t.Args {
			if elems[n] = l.lower(part(p, t, n), e); elems[n] == nil {
				return nil
			}
		}
		return l.m.Types.Tuple(elems, t.Labels)
	case KindStorage:
		if e := l.lower(nil, t.Elem); e != nil {
			n := *t
			n.Elem = e
			return l.m.Types.Intern(&n)
		}
		return nil
	case KindNominal:
		if t.IsOptional() {
			if e := l.lower(part(p, t, 0), t.Args[0]); e != nil {
				return l.m.Types.Optional(e)
			}
			return nil
		}
	}
	if isLowered(t) {
		return t
	}
	return nil
}

// isSingleton reports whether a type has one metatype value only, which then takes no storage.
func (l *lowering) isSingleton(t *Type) (yes, known bool) {
	switch t.Kind {
	case KindNominal:
		d := l.m.DeclOf(t)
		return d != nil && (d.Kind == Struct || d.Kind == Enum), d != nil
	case KindParam, KindMember, KindOpened, KindPackElement, KindDynamicSelf:
		return false, true
	}
	return true, true
}

// passing says how values of a type are handed over.
type passing uint8

const (
	passTrivial   passing = iota // as they are: there is nothing to copy or destroy
	passReference                // loadable, with something to copy or destroy
	passUnknown                  // a declaration is missing
	passMemory                   // in memory only
)

// passing tells how values of a lowered type, or of a type of the language with the same parts, are handed over.
func (l *lowering) passing(t *Type) passing {
	return l.passingOf(t, map[*Type]bool{})
}

// passingOf returns how values of a lowered type are passed. open has the types that are being looked into.
func (l *lowering) passingOf(t *Type, open map[*Type]bool) passing {
	if t == nil {
		return passUnknown
	}
	switch t.Kind {
	case KindAddress, KindMetatype, KindExistentialMetatype, KindSILToken:
		return passTrivial
	case KindBuiltin:
		return l.builtinPassing(t, open)
	case KindFunction, KindASTFunction:
		if t.Func.Convention != RepThick && t.Func.Convention != RepBlock {
			return passTrivial
		}
		return passReference
	case KindBox, KindDynamicSelf:
		return passReference
	case KindMoveOnly:
		return max(passReference, l.passingOf(t.Elem, open))
	case KindExistential:
		if slices.ContainsFunc(t.Args, func(c *Type) bool {
			return c.known == KnownAnyObject || len(t.Args) == 1 && c.known == KnownError || l.m.IsClassBound(l.m.DeclOf(c))
		}) {
			return passReference
		}
		return passMemory
	case KindStorage:
		switch t.Storage {
		case StorageWeak:
			return passMemory
		case StorageUnmanaged:
			return passTrivial
		}
		return passReference
	case KindParam, KindMember:
		if _, class := l.requirement(t); class != "" {
			return passReference
		}
		return passMemory
	case KindTuple:
		return l.all(t.Args, open)
	case KindNominal:
		return l.nominalPassing(t, open)
	}
	return passMemory
}

func (l *lowering) builtinPassing(t *Type, open map[*Type]bool) passing {
	if elem := t.FixedArrayElement(); elem != nil {
		return l.passingOf(elem, open)
	}
	if t.builtin.IsReference() || t.IsBuiltin(BuiltinImplicitActor) {
		return passReference
	}
	return passTrivial
}

func (l *lowering) all(parts []*Type, open map[*Type]bool) passing {
	r := passTrivial
	for _, p := range parts {
		r = max(r, l.passingOf(p, open))
	}
	return r
}

// nominalPassing is passingOf for a declared type: the most that one of its stored parts asks for.
func (l *lowering) nominalPassing(t *Type, open map[*Type]bool) passing {
	if payload := t.OptionalPayload(); payload != nil {
		return l.passingOf(payload, open)
	}
	d := l.m.DeclOf(t)
	if d == nil || t.Depth() > maxLookupDepth || len(open) > maxLookupDepth {
		return passUnknown
	}
	switch d.Kind {
	case Class, Actor:
		return passReference
	case Struct, Enum:
	default:
		return passUnknown
	}
	if d.Attrs.Has(ModRawLayout) || d.Builtin && l.m.IsResilient(d) {
		return passMemory
	}
	if open[t] {
		return passTrivial // what a type that holds itself adds to its own answer
	}
	open[t] = true
	r := passTrivial
	if d.NonCopyable && !l.m.IsCopyable(t) || d.NonEscapable && !l.m.IsEscapable(t) {
		r = passReference
	}
	bind := BindNominal(d, t)
	if d.Kind == Struct {
		for n := range d.Fields {
			r = max(r, l.passingOf(l.m.Canonical(l.m.Types.Subst(d.Fields[n].Type, bind)), open))
		}
	}
	for n := range d.Cases {
		switch c := &d.Cases[n]; {
		case c.Payload == nil:
		case c.Indirect:
			r = max(r, passReference)
		default:
			r = max(r, l.passingOf(l.m.Canonical(l.m.Types.Subst(c.Payload, bind)), open))
		}
	}
	delete(open, t)
	return r
}

// requirement reports whether the signatures admit only classes for a generic parameter or a member of one, and in which words a signature
// made from it says so; class is "" when they admit other types.
func (l *lowering) requirement(t *Type) (found bool, class string) {
	for _, sig := range l.sigs {
		for n := range sig.Requirements {
			r := &sig.Requirements[n]
			if r.Subject != t {
				continue
			}
			found = true
			switch {
			case r.Layout().IsClass():
				return true, r.Text
			case r.Kind != ReqConformance:
			case r.Type.known == KnownAnyObject || r.Type.Kind == KindExistential && len(r.Type.Args) == 1 && r.Type.Args[0].known == KnownAnyObject:
				return true, LayoutAnyObject.String()
			default:
				d := l.m.DeclOf(r.Type)
				switch {
				case d != nil && (d.Kind == Class || d.Kind == Actor):
					return true, "_NativeClass"
				case l.m.IsClassBound(d):
					class = LayoutAnyObject.String()
				}
			}
		}
	}
	return found, class
}
