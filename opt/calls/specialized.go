package calls

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/opt/rewrite"
)

// What the functions that passes make of others, their specializations, take over from them.

// takenOver are the attributes that every specialization has when its original has them.
var takenOver = []string{"transparent", "thunk", "signature_optimized_thunk", "reabstraction_thunk", "noinline", "always_inline", "ossa",
	"readnone", "readonly", "releasenone", "readwrite"}

// specializedAttrs lists the attributes of a specialization of f: those taken over, serialized where that is the word for it, and the
// @_semantics that keep wants.
func specializedAttrs(f *ir.Function, serialized string, keep func(semantics string) bool) []string {
	var attrs []string
	for _, a := range f.Attrs {
		if semantics, ok := strings.CutPrefix(a, "_semantics "); ok && keep(semantics) || slices.Contains(takenOver, a) {
			attrs = append(attrs, a)
		}
	}
	if serialized != "" {
		attrs = slices.Insert(attrs, slices.Index(attrs, "transparent")+1, serialized)
	}
	return attrs
}

// Which @_semantics a specialization keeps: all, none, or those that do not speak of the whole of an array function.
func allSemantics(string) bool { return true }

func noSemantics(string) bool { return false }

func noArraySemantics(semantics string) bool { return !strings.HasPrefix(semantics, `"array.`) }

// serializedWord is the attribute that says that the body of f is serialized, "" when it is not.
func serializedWord(f *ir.Function) string {
	for _, word := range []string{"serialized", "serialized_for_package"} {
		if f.HasAttr(word) {
			return word
		}
	}
	return ""
}

func isSerialized(f *ir.Function) bool { return serializedWord(f) != "" }

// mayReference reports whether a function may name another one: a serialized one, which is copied to other modules, names what they can see.
func mayReference(f, other *ir.Function) bool {
	if !isSerialized(f) || isSerialized(other) {
		return true
	}
	return other.Linkage == "" || strings.HasPrefix(other.Linkage, "public") || strings.HasPrefix(other.Linkage, "package")
}

// serializedCode marks in the code of a specialization that the body of the function is serialized.
func serializedCode(f *ir.Function, code string) string {
	if !isSerialized(f) {
		return code
	}
	return code[:2] + "q" + code[2:]
}

// mangledBase returns the beginning of the names of specializations of a function.
func mangledBase(name string) string {
	if rewrite.IsMangledName(name) {
		return name
	}
	m := &mangle.Mangler{Buf: []byte("$s")}
	m.Identifier(name)
	return string(m.Buf)
}

// sharedLinkage returns the linkage of a specialization: shared, but for functions that only this file knows.
func sharedLinkage(f *ir.Function) string {
	if f.Linkage == "private" && !isSerialized(f) {
		return "private"
	}
	return "shared"
}
