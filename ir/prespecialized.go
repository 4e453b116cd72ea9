package ir

import (
	"strings"

	"silvm/ir/mangle"
)

// The standard library brings some of its generic functions specialized: what a program calls then has no body in the file, but the
// generic function may have one, here or in the text of the library. Its name is the first part of the other's (docs/ABI/Mangling.rst,
// function specializations), and the types of the two tell the type arguments.

// IsPrespecializedName reports whether a name is that of a function that the library specializes: for references, and for the types that
// were thought common.
func IsPrespecializedName(name string) bool {
	return strings.HasSuffix(name, "_Ts5") || strings.HasSuffix(name, "_Tg5")
}

// Unspecialized returns the generic function with a body behind a specialized one that has none, and its type arguments; nil when there is
// none, or when some of them stay unknown.
func (m *Module) Unspecialized(f *Function) (generic *Function, subs []*Type) {
	if !f.IsDeclaration() || !IsPrespecializedName(f.Name) || f.Type == nil || f.Type.Func == nil {
		return nil, nil
	}
	generic = m.genericOf(f.Name)
	if generic == nil || generic.Type == nil || generic.Type.Func == nil {
		return nil, nil
	}
	from, to := f.Type.Func, generic.Type.Func
	if to.Generic == nil || len(from.Params)+len(from.Results) != len(to.Params)+len(to.Results) || len(from.Results) != len(to.Results) {
		return nil, nil
	}
	if subs = m.argumentsOf(from, to, m.namedArguments(f.Name)); subs == nil {
		return nil, nil
	}
	return generic, subs
}

// genericOf finds the function with a body whose name the longest part of a specialized name is.
func (m *Module) genericOf(name string) *Function {
	for n := len(name) - 4; n > len("$s"); n-- {
		if f := m.Func(name[:n]); f != nil {
			if f.IsDeclaration() {
				return nil
			}
			return f
		}
	}
	return nil
}

// argumentsOf returns the type arguments that make one function type of the other, nil when some stay unknown. Those that the name tells
// are given: they count where the types say nothing.
func (m *Module) argumentsOf(from, to *FuncType, named []*Type) []*Type {
	binding := map[string]*Type{}
	match := func(pattern, t *Type) bool {
		b, ok := matchType(m.Canonical(pattern.Object()), m.Canonical(t.Object()))
		if !ok {
			return true // it speaks of a member of a parameter
		}
		for name, t := range b {
			if old := binding[name]; old != nil && old != t {
				return false
			}
			binding[name] = t
		}
		return true
	}
	for n := range to.Params {
		if !match(to.Params[n].Type, from.Params[n].Type) {
			return nil
		}
	}
	for n := range to.Results {
		if !match(to.Results[n].Type, from.Results[n].Type) {
			return nil
		}
	}
	var subs []*Type
	for n, p := range to.Generic.Params {
		t := binding[p.Name]
		if t == nil && n < len(named) {
			t = named[n]
		}
		if t == nil {
			return nil
		}
		subs = append(subs, t)
	}
	return subs
}

// namedArguments returns the type arguments that the name of a specialized function tells, nil for each that is more than the name of a type.
func (m *Module) namedArguments(name string) []*Type {
	root, ok := mangle.Parse(name)
	if !ok || len(root.Children) == 0 {
		return nil
	}
	var types []*Type
	for _, p := range root.Children[0].Children {
		if p.Kind == mangle.GenericSpecializationParam && len(p.Children) > 0 {
			types = append(types, m.namedType(p.Children[0]))
		}
	}
	return types
}

// namedType returns the type of the standard library that a node of a name stands for, nil when it is none.
func (m *Module) namedType(n *mangle.Node) *Type {
	for n.Kind == mangle.Type && len(n.Children) == 1 {
		n = n.Children[0]
	}
	ts := m.Types
	switch {
	case n.Kind == mangle.ProtocolListWithAnyObject:
		return ts.AnyObject()
	case n.Kind != mangle.Structure && n.Kind != mangle.Enum && n.Kind != mangle.Class, len(n.Children) != 2, n.Children[0].Text != "Swift":
		return nil
	}
	return ts.Nominal(nil, n.Children[1].Text)
}
