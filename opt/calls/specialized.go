package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/opt/rewrite"
)

// What the functions that passes make of others, their specializations, take over from them.

// takenOver are the attributes that every specialization has when its original has them.
var takenOver = []ir.AttrKind{ir.AttrTransparent, ir.AttrThunk, ir.AttrSignatureOptimizedThunk, ir.AttrReabstractionThunk, ir.AttrNoinline,
	ir.AttrAlwaysInline, ir.AttrOSSA, ir.AttrReadnone, ir.AttrReadonly, ir.AttrReleasenone, ir.AttrReadwrite}

// specializedAttrs lists the attributes of a specialization of f: those taken over, serialized unless that is AttrUnknown, and the
// @_semantics that keep wants.
func specializedAttrs(f *ir.Function, serialized ir.AttrKind, keep func(semantics ir.Attr) bool) ir.Attrs {
	var attrs ir.Attrs
	for _, a := range f.Attrs {
		if a.Kind == ir.AttrSemantics && keep(a) || slices.Contains(takenOver, a.Kind) {
			attrs = append(attrs, a)
		}
	}
	if serialized != ir.AttrUnknown {
		at := slices.Index(attrs, ir.Attr{Kind: ir.AttrTransparent}) + 1
		attrs = slices.Insert(attrs, at, ir.Attr{Kind: serialized})
	}
	return attrs
}

// Which @_semantics a specialization keeps: all, none, or those that do not speak of the whole of an array function.
func allSemantics(ir.Attr) bool { return true }

func noSemantics(ir.Attr) bool { return false }

func noArraySemantics(a ir.Attr) bool { return !a.IsArraySemantics() }

// serializedAttr is the attribute that says that the body of f is serialized, AttrUnknown when it is not.
func serializedAttr(f *ir.Function) ir.AttrKind {
	for _, kind := range []ir.AttrKind{ir.AttrSerialized, ir.AttrSerializedForPackage} {
		if f.Attrs.Has(kind) {
			return kind
		}
	}
	return ir.AttrUnknown
}

func isSerialized(f *ir.Function) bool { return serializedAttr(f) != ir.AttrUnknown }

// mayReference reports whether a function may name another one: a serialized one, which is copied to other modules, names what they can see.
func mayReference(f, other *ir.Function) bool {
	if !isSerialized(f) || isSerialized(other) {
		return true
	}
	switch other.Linkage {
	case ir.LinkageDefault, ir.LinkagePublic, ir.LinkagePublicNonABI, ir.LinkagePublicExternal, ir.LinkagePackage, ir.LinkagePackageNonABI,
		ir.LinkagePackageExternal:
		return true
	}
	return false
}

// mayNameAll reports whether a function may name what the body of another one names.
func mayNameAll(f, body *ir.Function) bool {
	if !isSerialized(f) || isSerialized(body) {
		return true
	}
	for i := range body.Insts() {
		if s, ok := i.Aux.(*ir.SymbolAux); ok && s.Func != nil && !mayReference(f, s.Func) {
			return false
		}
	}
	return true
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
func sharedLinkage(f *ir.Function) ir.Linkage {
	if f.Linkage == ir.LinkagePrivate && !isSerialized(f) {
		return ir.LinkagePrivate
	}
	return ir.LinkageShared
}
