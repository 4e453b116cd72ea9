package facts

import (
	"slices"
	"strings"

	"silvm/ir"
)

// OnlyReads reports whether a function promises to do no more than read memory, and to release the arguments that it owns.
func OnlyReads(f *ir.Function) bool {
	return slices.Contains(f.Attrs, "readnone") || slices.Contains(f.Attrs, "readonly")
}

// HasSemantics reports whether the function carries @_semantics of that name.
func HasSemantics(f *ir.Function, name string) bool {
	return f != nil && SemanticsWith(f, func(s string) bool { return s == name })
}

func SemanticsWith(f *ir.Function, match func(string) bool) bool {
	for _, a := range f.Attrs {
		if rest, ok := strings.CutPrefix(a, "_semantics \""); ok && match(strings.TrimSuffix(rest, "\"")) {
			return true
		}
	}
	return false
}
