package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
)

// loadable checks that a value which is loaded, stored, copied or destroyed outside of memory is of a type that may leave memory
// (docs/SIL.rst, Loadable types).
func loadable(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 || i.Arg(0).IsUndef() && len(i.Operands) == 1 {
		return
	}
	t := i.Arg(0).Type
	if r := i.Result(); r != nil {
		t = r.Type
	}
	if !c.mod.OpaqueValues && known(t) && !t.IsAddress() && c.isAddressOnly(t, 0) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which lives in memory only", i.Op, t)
	}
}

// isAddressOnly reports whether values of a type surely live in memory only: their size or what it takes to copy them is not known before the
// program runs, or they are registered somewhere.
func (c *checker) isAddressOnly(t *ir.Type, depth int) bool {
	if depth > maxCompareDepth || !known(t) {
		return false
	}
	t = c.mod.Canonical(facts.Selfless(t.Object()))
	switch t.Kind {
	case ir.KindStorage:
		return t.Storage == ir.StorageWeak
	case ir.KindParam:
		return c.isOpaqueParam(t)
	case ir.KindExistential:
		return c.container(t) == containerOpaque
	case ir.KindOpened:
		return t.Elem != nil && t.Elem.Kind == ir.KindExistential && c.container(t.Elem) == containerOpaque && len(t.Args) == 1 && t.Args[0].Kind == ir.KindParam
	case ir.KindTuple:
		for _, e := range t.Args {
			if c.isAddressOnly(e, depth+1) {
				return true
			}
		}
	case ir.KindNominal:
		return c.nominalAddressOnly(t, depth)
	}
	return false
}

func (c *checker) nominalAddressOnly(t *ir.Type, depth int) bool {
	if t.IsOptional() {
		return len(t.Args) == 1 && c.isAddressOnly(t.Args[0], depth+1)
	}
	d := c.mod.DeclOf(t)
	if d == nil || d.Builtin || d.Kind != ir.Struct && d.Kind != ir.Enum {
		return false
	}
	subst := ir.BindNominal(d, t)
	for n := range d.Fields {
		if f := &d.Fields[n]; f.Type != nil && (f.Weak || c.isAddressOnly(c.mod.Types.Subst(f.Type, subst), depth+1)) {
			return true
		}
	}
	boxes := d.Attrs.Has(ir.ModIndirect)
	for n := range d.Cases {
		if k := &d.Cases[n]; !k.Indirect && !boxes && k.Payload != nil && c.isAddressOnly(c.mod.Types.Subst(k.Payload, subst), depth+1) {
			return true
		}
	}
	return false
}

// isOpaqueParam reports whether a generic parameter of the function is bound to neither a class nor a layout nor another type.
func (c *checker) isOpaqueParam(t *ir.Type) bool {
	sig := c.signatureWith(t)
	if sig == nil {
		return false
	}
	for n := range sig.Requirements {
		r := &sig.Requirements[n]
		switch {
		case r.Kind == ir.ReqSameType:
			return false
		case r.Subject != t || r.Kind == ir.ReqInverse:
		case r.Kind != ir.ReqConformance || r.Type == nil:
			return false
		default:
			if bound, sure := c.isClassBound(r.Type, 0); bound || !sure && !isMarker(r.Type) {
				return false
			}
		}
	}
	return true
}

// signatureWith returns the signature of the function when it has a parameter of that name, which nothing equates with another.
func (c *checker) signatureWith(t *ir.Type) *ir.GenericSig {
	if c.f == nil || c.f.Type == nil || c.f.Type.Func == nil || c.f.Type.Func.Generic == nil || !canonicalParam(t.Name) && c.equates() {
		return nil
	}
	sig := c.f.Type.Func.Generic
	for n := range sig.Params {
		if sig.Params[n].Name == t.Name {
			return sig
		}
	}
	return nil
}
