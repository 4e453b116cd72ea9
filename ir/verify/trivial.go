package verify

import (
	"strings"

	"silvm/ir"
)

// triviality says whether copies and destroys of a type do nothing but move bytes (docs/SIL.rst, Loadable
// Types). Where a declaration is missing nobody can tell, and no rule that needs to know is applied.
type triviality uint8

const (
	unclear triviality = iota
	trivial
	nontrivial
)

// maxTypeDepth bounds how deep fields of fields are looked at.
const maxTypeDepth = 200

// trivials answers for the types of a module; the answers for types that name generic parameters hold for one
// function only.
type trivials struct {
	mod   *ir.Module
	known map[*ir.Type]triviality
	sig   *ir.GenericSig // of the function at hand
	local map[*ir.Type]triviality
	depth int
}

func newTrivials(mod *ir.Module) *trivials {
	return &trivials{mod: mod, known: map[*ir.Type]triviality{}}
}

// enter prepares for the types of another function.
func (ts *trivials) enter(f *ir.Function) {
	ts.sig, ts.local = nil, nil
	if f.Type != nil && f.Type.Func != nil {
		ts.sig = f.Type.Func.Generic
	}
}

// of gives the triviality of a type; an address is trivial.
func (ts *trivials) of(t *ir.Type) triviality {
	if t == nil || ts.depth > maxTypeDepth {
		return unclear
	}
	cache := ts.known
	if t.HasParams() || t.HasLocal() {
		if ts.local == nil {
			ts.local = map[*ir.Type]triviality{}
		}
		cache = ts.local
	}
	if r, ok := cache[t]; ok {
		return r
	}
	cache[t] = trivial // what a type that holds itself adds to its own answer
	ts.depth++
	r := ts.compute(t)
	ts.depth--
	if ts.depth > 0 && r == trivial && t.Kind == ir.KindNominal {
		delete(cache, t) // it may rest on the answer for a type that is still being looked at
		return r
	}
	cache[t] = r
	return r
}

func (ts *trivials) compute(t *ir.Type) triviality {
	switch t.Kind {
	case ir.KindAddress, ir.KindMetatype, ir.KindExistentialMetatype, ir.KindSILToken:
		return trivial
	case ir.KindBuiltin:
		return builtinTriviality(t.Name)
	case ir.KindNominal:
		return ts.nominal(t)
	case ir.KindTuple:
		return ts.all(t.Args)
	case ir.KindFunction:
		switch t.Func.Convention {
		case "", "thick", "block":
			return nontrivial
		}
		return trivial
	case ir.KindExistential, ir.KindBox, ir.KindMoveOnly, ir.KindBlockStorage:
		return nontrivial
	case ir.KindStorage:
		if t.Name == "unmanaged" {
			return trivial
		}
		return nontrivial
	case ir.KindDynamicSelf:
		return ts.of(t.Elem)
	case ir.KindParam, ir.KindMember, ir.KindPackElement:
		return ts.parameter(t)
	case ir.KindOpened:
		return ts.opened(t)
	}
	return unclear
}

func builtinTriviality(name string) triviality {
	switch name {
	case "NativeObject", "BridgeObject", "UnknownObject", "UnsafeValueBuffer", "DefaultActorStorage", "NonDefaultDistributedActorStorage":
		return nontrivial
	case "AnyObject":
		return nontrivial
	}
	return trivial
}

// all combines the answers for the parts of a type.
func (ts *trivials) all(parts []*ir.Type) triviality {
	r := trivial
	for _, p := range parts {
		switch ts.of(p) {
		case nontrivial:
			return nontrivial
		case unclear:
			r = unclear
		}
	}
	return r
}

func (ts *trivials) nominal(t *ir.Type) triviality {
	if t.Parent == nil && t.Name == "Optional" && len(t.Args) == 1 {
		return ts.of(t.Args[0])
	}
	d := ts.mod.DeclOf(t)
	if d == nil {
		return unclear
	}
	switch d.Kind {
	case ir.Class, ir.Actor:
		return nontrivial
	case ir.TypeAlias:
		if c := ts.mod.Canonical(t); c != t {
			return ts.of(c)
		}
		return unclear
	case ir.Struct, ir.Enum:
	default:
		return unclear
	}
	if d.NonCopyable {
		return nontrivial
	}
	bind := ir.BindNominal(d, t)
	r := trivial
	part := func(p *ir.Type) {
		switch ts.of(ts.mod.Canonical(ts.mod.Types.Subst(p, bind))) {
		case nontrivial:
			r = nontrivial
		case unclear:
			if r == trivial {
				r = unclear
			}
		}
	}
	indirect := hasAttr(d, "indirect")
	for n := range d.Fields {
		if f := &d.Fields[n]; !f.Computed && d.Kind == ir.Struct {
			part(f.Type)
		}
	}
	for n := range d.Cases {
		if c := &d.Cases[n]; c.Payload != nil {
			if c.Indirect || indirect {
				return nontrivial
			}
			part(c.Payload)
		}
	}
	if r == trivial && d.Kind == ir.Struct && len(d.Fields) == 0 && d.Text != "" && strings.Contains(d.Text, "@_rawLayout") {
		return nontrivial
	}
	return r
}

func hasAttr(d *ir.Nominal, name string) bool {
	for _, a := range d.Attrs {
		if a == name {
			return true
		}
	}
	return false
}

// parameter looks for a requirement that makes a generic parameter, or a member of one, trivial.
func (ts *trivials) parameter(t *ir.Type) triviality {
	if ts.sig == nil {
		return nontrivial
	}
	for n := range ts.sig.Requirements {
		r := &ts.sig.Requirements[n]
		if r.Subject != t {
			continue
		}
		switch {
		case r.Kind == ir.ReqConformance && r.Type.QualifiedName() == "BitwiseCopyable":
			return trivial
		case r.Kind == ir.ReqLayout && strings.HasPrefix(r.Text, "_Trivial"):
			return trivial
		case r.Kind == ir.ReqSameType:
			return unclear
		case r.Kind == ir.ReqConformance:
			if d := ts.mod.DeclOf(r.Type); d == nil || d.Kind == ir.Protocol && ts.refines(d, "BitwiseCopyable") {
				return unclear
			}
		}
	}
	return nontrivial
}

func (ts *trivials) opened(t *ir.Type) triviality {
	if t.Elem != nil {
		for _, p := range t.Elem.Args {
			if p.QualifiedName() == "BitwiseCopyable" {
				return unclear
			}
		}
	}
	return nontrivial
}

// refines says whether a protocol inherits directly or not from the one of that name.
func (ts *trivials) refines(d *ir.Nominal, name string) bool {
	seen := map[*ir.Nominal]bool{}
	work := []*ir.Nominal{d}
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		if d == nil || seen[d] {
			continue
		}
		seen[d] = true
		for _, t := range d.Inherits {
			if t.QualifiedName() == name {
				return true
			}
			work = append(work, ts.mod.DeclOf(t))
		}
	}
	return false
}
