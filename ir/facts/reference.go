package facts

import (
	"silvm/ir"
)

// IsReference reports whether values of the type are one strong reference that strong_retain and strong_release take: an instance of a
// class, a box, a closure with a context, a class-bound existential or generic parameter.
func (ts *Types) IsReference(t *ir.Type) bool {
	switch t.Kind {
	case ir.KindBuiltin:
		return t.Builtin().IsReference()
	case ir.KindNominal:
		d := ts.mod.DeclOf(t)
		if d != nil && d.Kind == ir.TypeAlias {
			if c := ts.mod.Canonical(t); c != t {
				return ts.IsReference(c)
			}
		}
		return d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor)
	case ir.KindFunction:
		return ts.Triviality(t) == Nontrivial
	case ir.KindBox, ir.KindDynamicSelf:
		return true
	case ir.KindExistential:
		if t.IsAnyError() {
			return true
		}
		return ts.hasClassConstraint(t.Args)
	case ir.KindOpened:
		return t.Elem != nil && t.Elem.Kind == ir.KindExistential && ts.hasClassConstraint(t.Elem.Args)
	case ir.KindParam, ir.KindMember:
		return ts.isClassParam(t)
	}
	return false
}

// hasClassConstraint reports whether one of the constraints of an existential type admits classes only.
func (ts *Types) hasClassConstraint(constraints []*ir.Type) bool {
	for _, c := range constraints {
		if c.Known() == ir.KnownAnyObject || ts.mod.IsClassBound(ts.mod.DeclOf(c)) {
			return true
		}
	}
	return false
}

// isClassParam reports whether the requirements of the function at hand admit only classes for a generic parameter.
func (ts *Types) isClassParam(t *ir.Type) bool {
	if ts.sig == nil {
		return false
	}
	for n := range ts.sig.Requirements {
		r := &ts.sig.Requirements[n]
		switch {
		case r.Subject != t:
		case r.Layout().IsClass():
			return true
		case r.Kind == ir.ReqConformance && ts.mod.IsClassBound(ts.mod.DeclOf(r.Type)):
			return true
		}
	}
	return false
}
