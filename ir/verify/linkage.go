package verify

import (
	"maps"
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

// isVisible reports whether other modules see a symbol of that linkage.
func isVisible(linkage ir.Linkage) bool {
	switch linkage {
	case ir.LinkageDefault, ir.LinkagePublic, ir.LinkagePublicExternal, ir.LinkageNonABI, ir.LinkagePackage, ir.LinkagePackageExternal, ir.LinkagePackageNonABI:
		return true
	}
	return false
}

// linkages checks that functions have the bodies that their linkage asks for (docs/SIL.rst, Linkage). A body under public_external
// linkage is not checked: the compiler prints such functions itself.
func linkages(mod *ir.Module, diags *source.List) {
	near := nearest{all: func() []string { return slices.Sorted(maps.Keys(mod.Funcs)) }}
	for _, f := range mod.Functions() {
		wrong := ""
		switch has := !f.IsDeclaration(); f.Linkage {
		case ir.LinkagePublic, ir.LinkagePackage, ir.LinkageShared:
			if !has && !f.Attrs.Has(ir.AttrClang) {
				wrong = "needs a body"
			}
		case ir.LinkageNonABI, ir.LinkagePackageNonABI:
			switch {
			case !has:
				wrong = "needs a body"
			case !f.Attrs.IsSerialized():
				wrong = "has to be [serialized]"
			}
		case ir.LinkageHidden, ir.LinkagePrivate:
			switch {
			case !has && !f.Attrs.Has(ir.AttrClang):
				wrong = "needs a body"
			case f.Attrs.IsSerialized() && !mod.Embedded:
				wrong = "cannot be [serialized]"
			}
		case ir.LinkageHiddenExternal:
			if has && !mod.Embedded {
				wrong = "cannot have a body"
			}
		}
		if t := f.Type; t != nil && t.Func != nil && t.Func.Convention == ir.RepMethod && len(t.Func.Params) == 0 {
			diags.Errorf(f.Pos, "entry-block", "@%s is a method without the object that it belongs to", f.Name)
		}
		if wrong != "" {
			diags.Errorf(f.Pos, "linkage", "@%s is %s and %s", f.Name, f.Linkage, wrong)
		}
		if f.Attrs.IsSerialized() && len(f.Blocks) > 0 {
			fragile(mod, f, diags)
		}
		undeclaredFunctions(mod, f, &near, diags)
	}
}

// fragile checks that a function that others may inline refers to nothing they can't see.
func fragile(mod *ir.Module, f *ir.Function, diags *source.List) {
	for i := range f.Insts() {
		aux, ok := i.Aux.(*ir.SymbolAux)
		if !ok {
			continue
		}
		hidden := false
		switch i.Op {
		case op.FunctionRef, op.DynamicFunctionRef, op.PrevDynamicFunctionRef:
			if g := mod.Func(aux.Name); g != nil {
				hidden = !isVisible(g.Linkage) && !g.Attrs.IsSerialized() && !g.Attrs.Has(ir.AttrClang)
			}
		case op.GlobalAddr, op.GlobalValue, op.AllocGlobal:
			if g := mod.Global(aux.Name); g != nil {
				hidden = !isVisible(g.Linkage) && !g.Attrs.IsSerialized()
			}
		}
		if hidden {
			diags.InstErrorf(i.Pos, "linkage", "%s in a [serialized] function of @%s, which other modules can't see", i.Op, aux.Name)
			return
		}
	}
}

// undeclaredFunctions reports references to functions that the text neither defines nor declares.
func undeclaredFunctions(mod *ir.Module, f *ir.Function, near *nearest, diags *source.List) {
	for i := range f.Insts() {
		if i.Op != op.FunctionRef && i.Op != op.DynamicFunctionRef && i.Op != op.PrevDynamicFunctionRef {
			continue
		}
		aux, ok := i.Aux.(*ir.SymbolAux)
		if !ok || mod.Func(aux.Name) != nil {
			continue
		}
		diags.InstErrorf(i.Pos, "unknown-symbol", "%s of @%s, which nobody declares%s", i.Op, aux.Name, near.to(aux.Name))
	}
}

// nearest suggests names. It gives up after some: each suggestion compares with all names.
type nearest struct {
	all   func() []string
	names []string
	given int
}

const maxSuggestions = 20

func (n *nearest) to(name string) string {
	if n.given++; n.given > maxSuggestions {
		return ""
	}
	if n.names == nil {
		n.names = n.all()
	}
	return source.DidYouMean(name, n.names)
}
