package opt

import (
	"silvm/ir"
	"silvm/opt/facts"
)

// maxExpandedFields is the number of leaves above which an aggregate is not taken apart.
const maxExpandedFields = 6

// isAddressOnly says whether values of the type exist in memory only (docs/SIL.rst, Loadable Types).
func isAddressOnly(ts *facts.Types, mod *ir.Module, t *ir.Type) bool {
	return addressOnly(ts, mod, t.Object(), 0)
}

// maxTypeNesting bounds how deep fields of fields are looked at.
const maxTypeNesting = 100

func addressOnly(ts *facts.Types, mod *ir.Module, t *ir.Type, depth int) bool {
	if depth > maxTypeNesting {
		return true
	}
	switch t.Kind {
	case ir.KindParam, ir.KindMember, ir.KindOpened, ir.KindPackElement:
		return !ts.IsReference(t) && !ts.IsTrivial(t)
	case ir.KindExistential:
		return !ts.IsReference(t) && t.String() != "any Error"
	case ir.KindStorage:
		return t.Name == "weak"
	case ir.KindOpaque, ir.KindPack, ir.KindPackExpansion, ir.KindPackReference, ir.KindBlockStorage, ir.KindUnparsed:
		return true
	case ir.KindTuple:
		for _, e := range t.Args {
			if addressOnly(ts, mod, e, depth+1) {
				return true
			}
		}
	case ir.KindNominal:
		d := mod.DeclOf(t)
		if d == nil || d.Kind == ir.Class || d.Kind == ir.Actor {
			return false
		}
		if d.Kind == ir.Enum {
			for n := range d.Cases {
				if c := &d.Cases[n]; c.Payload != nil && !c.Indirect {
					if p := mod.PayloadType(t, c.Name); p != nil && addressOnly(ts, mod, p.Object(), depth+1) {
						return true
					}
				}
			}
			return false
		}
		if d.HasAttr("@_rawLayout") {
			return true
		}
		fields, _ := ts.FieldTypes(t)
		for _, f := range fields {
			if f != nil && addressOnly(ts, mod, f.Object(), depth+1) {
				return true
			}
		}
	}
	return false
}

// leaves counts the parts of a struct or tuple that are neither; it stops behind limit.
func leaves(ts *facts.Types, t *ir.Type, limit int) int {
	if t.Kind != ir.KindTuple && t.Kind != ir.KindNominal {
		return 1
	}
	fields, ok := ts.FieldTypes(t)
	if !ok {
		return 1
	}
	n := 0
	for _, f := range fields {
		if n += leaves(ts, f, limit-n); n > limit {
			break
		}
	}
	return n
}

// shouldExpand says whether it pays to take apart values of the type.
func (c *Context) shouldExpand(ts *facts.Types, t *ir.Type) bool {
	t = t.Object()
	if isAddressOnly(ts, c.Module, t) || ts.HasDeinit(t) {
		return false
	}
	return c.isSet("enable-expand-all") || leaves(ts, t, maxExpandedFields) <= maxExpandedFields
}
