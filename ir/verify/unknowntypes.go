package verify

import (
	_ "embed"
	"maps"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

//go:embed swiftnames.txt
var swiftNames string

// unknownTypes reports types that nobody declares: the text doesn't, and they are none of the standard library's. Texts that import other
// modules, as all that the compiler prints do, may name types of those.
func unknownTypes(mod *ir.Module, diags *source.List) {
	if !onlyStandard(mod) {
		return
	}
	u := &undeclared{mod: mod, diags: diags, seen: map[*ir.Type]bool{}, names: map[string]bool{},
		near: nearest{all: func() []string { return slices.Sorted(maps.Keys(mod.Nominals)) }}}
	for _, item := range mod.Items {
		switch x := item.(type) {
		case *ir.Function:
			u.function(x)
		case *ir.Global:
			u.find(x.Type, x.Pos, 0)
		}
	}
}

// undeclared finds types without declaration.
type undeclared struct {
	mod   *ir.Module
	diags *source.List
	seen  map[*ir.Type]bool
	names map[string]bool // that were reported
	near  nearest
	known map[string]bool // the standard library's; made when needed
}

func (u *undeclared) function(f *ir.Function) {
	u.find(f.Type, f.Pos, 0)
	for _, b := range f.Blocks {
		for _, a := range b.Args {
			u.find(a.Type, f.Pos, 0)
		}
		for i := range b.Insts() {
			for _, t := range i.Types {
				if i.Op == op.OpenPackElement {
					break // its types are in terms of parameters of its own
				}
				u.find(t, i.Pos, 0)
			}
			for _, r := range i.Results {
				u.find(r.Type, i.Pos, 0)
			}
			if aux, ok := i.Aux.(*ir.ApplyAux); ok {
				for _, t := range aux.Subs {
					u.find(t, i.Pos, 0)
				}
			}
		}
	}
}

// find looks for types without declaration in t.
func (u *undeclared) find(t *ir.Type, pos source.Pos, depth int) {
	if t == nil || u.seen[t] || depth > maxCompareDepth || t.Kind == ir.KindPackElement || t.Kind == ir.KindPackReference {
		return
	}
	u.seen[t] = true
	if t.Kind == ir.KindNominal && t.Parent == nil {
		u.check(t, pos)
	}
	u.find(t.Elem, pos, depth+1)
	u.find(t.Parent, pos, depth+1)
	for _, a := range t.Args {
		u.find(a, pos, depth+1)
	}
	if t.Func != nil {
		for n := range t.Func.Params {
			u.find(t.Func.Params[n].Type, pos, depth+1)
		}
		for n := range t.Func.Results {
			u.find(t.Func.Results[n].Type, pos, depth+1)
		}
	}
	if t.Box != nil {
		for n := range t.Box.Fields {
			u.find(t.Box.Fields[n].Type, pos, depth+1)
		}
	}
}

func (u *undeclared) check(t *ir.Type, pos source.Pos) {
	if u.names[t.Name] || u.mod.DeclOf(t) != nil || t.Name == "Self" || strings.HasPrefix(t.Name, "τ") {
		return
	}
	if ir.IsUnclear(t.Name) { // declared twice, by the program and by the library
		return
	}
	if u.known == nil {
		u.known = map[string]bool{}
		for name := range strings.Lines(swiftNames) {
			u.known[strings.TrimSpace(name)] = true
		}
	}
	if u.known[t.Name] {
		return
	}
	u.names[t.Name] = true
	u.diags.InstErrorf(pos, "unknown-type", "nobody declares a type %s%s", t.Name, u.near.to(t.Name))
}
