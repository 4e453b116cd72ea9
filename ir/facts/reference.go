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

// isObject reports whether values of the type are references to objects, closures and errors apart.
func (ts *Types) isObject(t *ir.Type) bool {
	switch t = Selfless(t); t.Kind {
	case ir.KindBox:
		return true
	case ir.KindBuiltin:
		return t.IsBuiltin(ir.BuiltinNativeObject) || t.IsBuiltin(ir.BuiltinBridgeObject)
	case ir.KindNominal, ir.KindOpened, ir.KindParam, ir.KindMember:
		return ts.IsReference(t)
	case ir.KindExistential:
		return !t.IsAnyError() && ts.hasClassConstraint(t.Args)
	}
	return false
}

func isArchetype(t *ir.Type) bool {
	return t.Kind == ir.KindParam || t.Kind == ir.KindMember || t.Kind == ir.KindOpened
}

// mayBeAnyObject reports whether a type is AnyObject, or a parameter of which nothing else is known, optionals apart.
func (ts *Types) mayBeAnyObject(t *ir.Type) bool {
	for t.OptionalPayload() != nil {
		t = t.OptionalPayload()
	}
	var constraints []*ir.Type
	switch {
	case t.Kind == ir.KindExistential:
		constraints = t.Args
	case t.Kind == ir.KindOpened && t.Elem != nil:
		constraints = t.Elem.Args
	case isArchetype(t):
		constraints = ts.constraints(t)
	default:
		return false
	}
	for _, c := range constraints {
		if k := c.Known(); k != ir.KnownAnyObject && k != ir.KnownCopyable && k != ir.KnownEscapable {
			return false
		}
	}
	return true
}

// hasSuperclass reports whether a parameter is known to be a subclass of some class.
func (ts *Types) hasSuperclass(t *ir.Type) bool {
	constraints := ts.constraints(t)
	if t.Kind == ir.KindOpened && t.Elem != nil {
		constraints = t.Elem.Args
	}
	for _, c := range constraints {
		if d := ts.mod.DeclOf(c); d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor) {
			return true
		}
	}
	return false
}

// constraints lists the classes and protocols that the requirements of the function at hand name for a generic parameter.
func (ts *Types) constraints(t *ir.Type) (list []*ir.Type) {
	if ts.sig == nil {
		return nil
	}
	for n := range ts.sig.Requirements {
		if r := &ts.sig.Requirements[n]; r.Subject == t && r.Kind == ir.ReqConformance {
			list = append(list, r.Type)
		}
	}
	return list
}
