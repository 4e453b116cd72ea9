package facts

import (
	"slices"

	"silvm/ir"
)

// HasSemantics reports whether the function carries a @_semantics of that name.
func HasSemantics(f *ir.Function, name ir.Semantics) bool {
	return SemanticsWith(f, func(a ir.Attr) bool { return a.Semantics() == name })
}

// SemanticsWith reports whether the function carries a @_semantics that match accepts; false when f is nil.
func SemanticsWith(f *ir.Function, match func(ir.Attr) bool) bool {
	return f != nil && slices.ContainsFunc(f.Attrs, func(a ir.Attr) bool { return a.Kind == ir.AttrSemantics && match(a) })
}
