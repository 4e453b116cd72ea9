package facts

import (
	"slices"

	"silvm/ir"
	"silvm/ir/worklist"
)

// IsAddressOnly reports whether values of the type exist in memory only (docs/SIL.rst, Loadable Types).
func (ts *Types) IsAddressOnly(t *ir.Type) bool { return ts.AnyPart(t.Object(), ts.livesInMemory) }

// livesInMemory reports whether a type itself, whatever its parts, makes a value address-only.
func (ts *Types) livesInMemory(t *ir.Type) bool {
	switch t.Kind {
	case ir.KindParam, ir.KindMember, ir.KindOpened, ir.KindPackElement:
		return !ts.IsReference(t) && !ts.hasTrivialLayout(t)
	case ir.KindExistential:
		return !ts.IsReference(t) && !t.IsAnyError()
	case ir.KindStorage:
		return t.Storage == ir.StorageWeak
	case ir.KindOpaque, ir.KindPack, ir.KindPackExpansion, ir.KindPackReference, ir.KindBlockStorage, ir.KindUnparsed:
		return true
	case ir.KindTuple:
		return slices.ContainsFunc(t.Args, func(e *ir.Type) bool { return e.Kind == ir.KindPackExpansion })
	case ir.KindNominal:
		d := ts.mod.DeclOf(t)
		return d != nil && d.Attrs.Has(ir.ModRawLayout)
	}
	return false
}

// hasTrivialLayout reports whether the signature demands of a parameter that its size is known and nothing in it is counted. Of one that is
// BitwiseCopyable only the latter is known.
func (ts *Types) hasTrivialLayout(t *ir.Type) bool {
	return ts.sig != nil && slices.ContainsFunc(ts.sig.Requirements, func(r ir.Requirement) bool { return r.Subject == t && r.Layout().IsTrivial() })
}

// AnyPart asks a question about a type and all that a value of it has inside, until the answer is yes. What nobody declares is passed over.
func (ts *Types) AnyPart(t *ir.Type, ask func(t *ir.Type) bool) bool {
	work := worklist.Of(t)
	for t := range work.All() {
		if t == nil {
			continue
		}
		if ask(t) {
			return true
		}
		parts, _ := ts.Parts(t)
		work.Push(parts...)
	}
	return false
}
