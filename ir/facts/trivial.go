package facts

import (
	"slices"

	"silvm/ir"
)

// Triviality reports whether copies and destroys of a type do nothing but move bytes (docs/SIL.rst, Loadable
// Types). Where a declaration is missing nobody can tell, and no rule that needs to know is applied.
type Triviality uint8

// The answers.
const (
	Unclear    Triviality = iota // a declaration is missing
	Trivial                      // nothing to copy or destroy
	Nontrivial                   // copies and destroys do something
	inProgress                   // only in the tables: the question is being answered
)

// maxTypeDepth bounds how deep fields of fields are looked at.
const maxTypeDepth = 200

// maxLoops bounds how often types are met that hold themselves, which no valid module has.
const maxLoops = 1000

// Types answers for the types of a module as they are in one function, where generic parameters have its requirements, or in none. The
// answers for other types are shared by all that were made from one NewTypes; it is not safe for use by several goroutines at once.
type Types struct {
	*typeTables
	f     *ir.Function // nil for none
	sig   *ir.GenericSig
	local map[*ir.Type]Triviality // of types that name generic parameters or opened types
}

// typeTables are the answers that hold in every function, and where the question at hand stands.
type typeTables struct {
	mod      *ir.Module
	known    map[*ir.Type]Triviality
	depth    int
	loops    int // how often a type was met that holds itself
	empty    map[*ir.Type]bool
	enums    map[*ir.Type]bool
	pointers map[*ir.Type]bool
}

// NewTypes returns an empty table for the types of a module, outside of functions.
func NewTypes(mod *ir.Module) *Types {
	return &Types{typeTables: &typeTables{mod: mod, known: map[*ir.Type]Triviality{}, empty: map[*ir.Type]bool{}, enums: map[*ir.Type]bool{}}}
}

// In returns the table for the types in a function.
func (ts *Types) In(f *ir.Function) *Types {
	if f == ts.f {
		return ts
	}
	in := &Types{typeTables: ts.typeTables, f: f}
	if f != nil && f.Type != nil && f.Type.Func != nil {
		in.sig = f.Type.Func.Generic
	}
	return in
}

// Triviality reports whether a type is trivial; an address is.
func (ts *Types) Triviality(t *ir.Type) Triviality {
	if t == nil || ts.depth > maxTypeDepth || ts.loops > maxLoops {
		return Unclear
	}
	cache := ts.known
	if t.HasParams() || t.HasLocal() {
		if ts.local == nil {
			ts.local = map[*ir.Type]Triviality{}
		}
		cache = ts.local
	}
	if r, ok := cache[t]; ok {
		if r == inProgress { // what a type that holds itself adds to its own answer
			ts.loops++
			return Trivial
		}
		return r
	}
	cache[t] = inProgress
	loops := ts.loops
	ts.depth++
	r := ts.compute(t)
	ts.depth--
	if ts.depth > 0 && r == Trivial && ts.loops != loops {
		delete(cache, t) // it may rest on the answer for a type that is still being looked at
		return r
	}
	cache[t] = r
	return r
}

// IsTrivial reports whether a type is surely trivial.
func (ts *Types) IsTrivial(t *ir.Type) bool { return ts.Triviality(t) == Trivial }

// compute decides by the kind of the type; Triviality keeps the answer.
func (ts *Types) compute(t *ir.Type) Triviality {
	switch t.Kind {
	case ir.KindAddress, ir.KindMetatype, ir.KindExistentialMetatype, ir.KindSILToken:
		return Trivial
	case ir.KindBuiltin:
		if elem := t.FixedArrayElement(); elem != nil {
			return ts.Triviality(elem)
		}
		return builtinTriviality(t.Builtin())
	case ir.KindNominal:
		return ts.nominal(t)
	case ir.KindTuple:
		return ts.all(t.Args)
	case ir.KindFunction:
		switch t.Func.Convention {
		case ir.RepThick, ir.RepBlock:
			return Nontrivial
		}
		return Trivial
	case ir.KindExistential, ir.KindBox, ir.KindMoveOnly, ir.KindBlockStorage:
		return Nontrivial
	case ir.KindStorage:
		if t.Storage == ir.StorageUnmanaged {
			return Trivial
		}
		return Nontrivial
	case ir.KindDynamicSelf:
		return ts.Triviality(t.Elem)
	case ir.KindParam, ir.KindMember, ir.KindPackElement:
		return ts.parameter(t)
	case ir.KindOpened:
		return ts.opened(t)
	}
	return Unclear
}

// HasDeinit reports whether a struct or enum has a deinit of its own: to destroy a value then is more than to destroy its parts.
func (ts *Types) HasDeinit(t *ir.Type) bool {
	t = Selfless(t.Object())
	if t.Kind != ir.KindNominal {
		return false
	}
	if _, ok := ts.mod.Deinits[t.QualifiedName()]; ok {
		return true
	}
	d := ts.mod.DeclOf(t) // the tables of nested types say only their last names
	return d != nil && d.NonCopyable && (d.Deinit != "" || d.DeclaresDeinit())
}

func builtinTriviality(b ir.BuiltinType) Triviality {
	switch b.Kind {
	case ir.BuiltinUnsafeValueBuffer, ir.BuiltinDefaultActorStorage, ir.BuiltinNonDefaultDistributedActorStorage, ir.BuiltinImplicitActor:
		return Nontrivial
	}
	if b.IsReference() {
		return Nontrivial
	}
	return Trivial
}

// all combines the answers for the parts of a type.
func (ts *Types) all(parts []*ir.Type) Triviality {
	r := Trivial
	for _, p := range parts {
		switch ts.Triviality(p) {
		case Nontrivial:
			return Nontrivial
		case Unclear:
			r = Unclear
		}
	}
	return r
}

// nominal decides by the stored parts: a type with a part that is not trivial is not, one with a part that nothing is known of is unclear. Raw
// layouts and types that can't be copied or can't escape are not trivial whatever they hold.
func (ts *Types) nominal(t *ir.Type) Triviality {
	if payload := t.OptionalPayload(); payload != nil {
		return ts.Triviality(payload)
	}
	d := ts.mod.DeclOf(t)
	if d == nil {
		return Unclear
	}
	switch d.Kind {
	case ir.Class, ir.Actor:
		return Nontrivial
	case ir.TypeAlias:
		if c := ts.mod.Canonical(t); c != t {
			return ts.Triviality(c)
		}
		return Unclear
	case ir.Struct, ir.Enum:
	default:
		return Unclear
	}
	if d.NonCopyable && !ts.mod.IsCopyable(t) || d.NonEscapable && !ts.mod.IsEscapable(t) {
		return Nontrivial
	}
	bind := ir.BindNominal(d, t)
	r := Trivial
	part := func(p *ir.Type) {
		switch ts.Triviality(ts.mod.Canonical(ts.mod.Types.Subst(p, bind))) {
		case Nontrivial:
			r = Nontrivial
		case Unclear:
			if r == Trivial {
				r = Unclear
			}
		}
	}
	if d.Kind == ir.Struct {
		for n := range d.Fields {
			part(d.Fields[n].Type)
		}
	}
	for n := range d.Cases {
		if c := &d.Cases[n]; c.Payload != nil {
			if c.Indirect {
				return Nontrivial
			}
			part(c.Payload)
		}
	}
	if d.Attrs.Has(ir.ModRawLayout) {
		return Nontrivial
	}
	return r
}

// parameter looks for a requirement that makes a generic parameter, or a member of one, trivial.
func (ts *Types) parameter(t *ir.Type) Triviality {
	if ts.sig == nil {
		return Nontrivial
	}
	for n := range ts.sig.Requirements {
		r := &ts.sig.Requirements[n]
		if r.Subject != t {
			continue
		}
		switch {
		case r.Kind == ir.ReqConformance && r.Type.Known() == ir.KnownBitwiseCopyable:
			return Trivial
		case r.Layout().IsTrivial():
			return Trivial
		case r.Kind == ir.ReqSameType:
			return Unclear
		case r.Kind == ir.ReqConformance:
			if d := ts.mod.DeclOf(r.Type); d == nil || d.Kind == ir.Protocol && ts.mod.Refines(r.Type, "BitwiseCopyable") {
				return Unclear
			}
		}
	}
	return Nontrivial
}

func (ts *Types) opened(t *ir.Type) Triviality {
	if t.Elem != nil {
		for _, p := range t.Elem.Args {
			if p.Known() == ir.KnownBitwiseCopyable {
				return Unclear
			}
		}
	}
	return Nontrivial
}

// HasPointer reports whether a type is not trivial or holds a raw pointer: what the flow of references has to follow.
func (p *Program) HasPointer(t *ir.Type) bool {
	t = t.Object()
	return !p.Types.IsTrivial(t) || p.Types.HoldsRawPointer(t)
}

// HoldsRawPointer reports whether a type is Builtin.RawPointer or has one inside.
func (ts *Types) HoldsRawPointer(t *ir.Type) bool {
	if ts.pointers == nil {
		ts.pointers = map[*ir.Type]bool{}
	}
	return search(ts, ts.pointers, t, func(t *ir.Type, fields []*ir.Type, _ bool) bool {
		if t.IsBuiltin(ir.BuiltinRawPointer) {
			return true
		}
		if slices.ContainsFunc(fields, ts.HoldsRawPointer) {
			return true
		}
		if d := ts.mod.DeclOf(t); d != nil && d.Kind == ir.Enum {
			for n := range d.Cases {
				if p := d.Cases[n].Payload; p != nil && ts.HoldsRawPointer(ts.mod.Canonical(ts.mod.Types.Subst(p, ir.BindNominal(d, t)))) {
					return true
				}
			}
		}
		return t.IsOptional() && ts.HoldsRawPointer(t.Args[0])
	})
}
