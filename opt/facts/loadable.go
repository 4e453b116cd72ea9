package facts

import "silvm/ir"

// IsAddressOnly says whether values of the type exist in memory only (docs/SIL.rst, Loadable Types).
func (ts *Types) IsAddressOnly(t *ir.Type) bool { return ts.addressOnly(t.Object(), 0) }

func (ts *Types) addressOnly(t *ir.Type, depth int) bool {
	if depth > maxTypeDepth {
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
			if ts.addressOnly(e, depth+1) {
				return true
			}
		}
	case ir.KindNominal:
		d := ts.mod.DeclOf(t)
		if d == nil || d.Kind == ir.Class || d.Kind == ir.Actor {
			return false
		}
		if d.Kind == ir.Enum {
			for n := range d.Cases {
				if c := &d.Cases[n]; c.Payload != nil && !c.Indirect {
					if p := ts.mod.PayloadType(t, c.Name); p != nil && ts.addressOnly(p.Object(), depth+1) {
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
			if f != nil && ts.addressOnly(f.Object(), depth+1) {
				return true
			}
		}
	}
	return false
}
