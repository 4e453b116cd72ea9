package abi

import (
	"slices"

	"silvm/ir"
)

// An enum's strategy and the spare bits it may use come from its payload types as declared, with generic parameters and not
// with what stands for them, so that all instances of a generic enum share them (lib/IRGen/GenEnum.cpp). A parameter that is
// constrained to classes is a reference without spare bits; any other parameter has no fixed layout.

// declared returns the layout of a payload type of decl with the parameters as such; nil when it depends on them.
func (l *Layouts) declared(decl *ir.Nominal, t *ir.Type) (*Layout, error) {
	if !t.HasParams() {
		return l.Of(l.canonical(t))
	}
	t = l.types.Subst(t, func(p *ir.Type) *ir.Type {
		if l.isClassParam(decl, p) {
			return l.class
		}
		return nil
	})
	lay, err := l.Of(t)
	if _, dependent := err.(*NotConcrete); dependent {
		return nil, nil
	}
	return lay, err
}

// isClassParam reports whether a parameter or member is constrained to classes by the signature of decl or of a type around it.
func (l *Layouts) isClassParam(decl *ir.Nominal, p *ir.Type) bool {
	for d := decl; d != nil; d = d.Outer {
		if d.Generic == nil {
			continue
		}
		for _, r := range d.Generic.Requirements {
			if r.Subject != p {
				continue
			}
			if r.Layout().IsClass() {
				return true
			}
			if r.Kind == ir.ReqConformance && r.Type != nil {
				if c, err := l.gather(r.Type, []*ir.Type{r.Type}); err == nil && c.class {
					return true
				}
			}
		}
		if d.Kind == ir.Enum && p.Kind == ir.KindParam && slices.ContainsFunc(d.Generic.Params,
			func(g ir.GenericParam) bool { return g.Name == p.Name }) {
			return false
		}
	}
	return false
}

// stored returns the type of a stored property or payload as it is lowered: a metatype of a type of which there is only one, such
// as Int.Type, is thin and takes no room, except where it stands for a generic parameter other than Optional's.
func (l *Layouts) stored(t *ir.Type) *ir.Type {
	switch t.Kind {
	case ir.KindMetatype:
		if t.Rep == ir.MetatypeFormal && t.Elem != nil && l.hasOneMetatype(t.Elem) {
			return l.types.Metatype(t.Elem, ir.MetatypeThin)
		}
	case ir.KindTuple:
		elems := make([]*ir.Type, len(t.Args))
		for i, e := range t.Args {
			elems[i] = l.stored(e)
		}
		if !slices.Equal(elems, t.Args) {
			return l.types.Intern(&ir.Type{Kind: ir.KindTuple, Args: elems, Labels: t.Labels})
		}
	case ir.KindNominal:
		if some := t.OptionalPayload(); some != nil {
			if inner := l.stored(some); inner != some {
				return l.types.Optional(inner)
			}
		}
	}
	return t
}

// hasOneMetatype reports whether T.Type has a single value that T as written already tells.
func (l *Layouts) hasOneMetatype(t *ir.Type) bool {
	switch t.Kind {
	case ir.KindTuple, ir.KindFunction, ir.KindASTFunction, ir.KindBuiltin, ir.KindExistential, ir.KindMetatype:
		return true
	case ir.KindNominal:
		d := l.decl(t)
		return d != nil && (d.Kind == ir.Struct || d.Kind == ir.Enum)
	}
	return false
}
