package facts

import (
	"slices"

	"silvm/ir"
)

// OnlyReads reports whether a function promises to do no more than read memory, and to release the arguments that it owns.
func OnlyReads(f *ir.Function) bool {
	return f.Attrs.HasAny(ir.AttrReadnone, ir.AttrReadonly) && !HasSemantics(f, ir.SemanticsTraps)
}

// HasSemantics reports whether the function carries a @_semantics of that name.
func HasSemantics(f *ir.Function, name ir.Semantics) bool {
	return SemanticsWith(f, func(a ir.Attr) bool { return a.Semantics() == name })
}

// SemanticsWith reports whether the function carries a @_semantics that match accepts; false when f is nil.
func SemanticsWith(f *ir.Function, match func(ir.Attr) bool) bool {
	return f != nil && slices.ContainsFunc(f.Attrs, func(a ir.Attr) bool { return a.Kind == ir.AttrSemantics && match(a) })
}
