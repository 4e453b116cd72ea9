package calls

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// DefinePrespecialized gives the specialized functions of the library that a program calls, and that have no body, the one that the
// generic function has for these types:
//
//	sil @$sSayxSicigSi_Tg5 : $(Int, @guaranteed Array<Int>) -> Int
//	                                        ⇒
//	sil shared @$sSayxSicigSi_Tg5 : $(Int, @guaranteed Array<Int>) -> Int { … @$sSayxSicig with Int for Element … }
//
// The compiler has no need of it: calls of these functions are in unoptimized programs alone. Specializations for references (Ts5) take any
// object, and are left alone; so are functions whose body is not what runs, and those of which the type is not the one that the copy has.
var DefinePrespecialized = &pass.Pass{Name: "define-prespecialized", Doc: "Gives the library's specialized functions the body of the generic one", Needs: [][]op.Op{{op.FunctionRef}}, Function: func(c *pass.Context, f *ir.Function) bool {
	before, defined := c.Added, false
	var added []*ir.Function
	for i := range f.Insts() {
		if i.Op != op.FunctionRef {
			continue
		}
		if callee := i.Aux.(*ir.SymbolAux).Func; callee != nil && callee != f {
			c.Added = nil
			if definePrespecialized(c, f, callee) {
				c.Passed(f, i, "@%s has a body now", callee.Name)
				defined = true
			}
			added = append(c.Added, added...)
		}
	}
	c.Added = append(added, before...)
	return defined // f is as it was
}}

// definePrespecialized gives one function its body, if that is known. It reports whether it did.
func definePrespecialized(c *pass.Context, caller, f *ir.Function) bool {
	if !f.IsDeclaration() || !strings.HasSuffix(f.Name, "_Tg5") || c.IsNative(f) || f.Linkage == ir.LinkagePrivate {
		return false
	}
	generic, subs := c.Module.Unspecialized(f)
	if generic == nil {
		return false
	}
	s := &specializing{c: c, f: caller, callee: generic, subs: subs}
	if s.refusal() != "" {
		return false
	}
	s.prepare()
	if s.shape == nil || s.shape.specialized(s.shape.fn) != c.Module.Canonical(f.Type) {
		return false
	}
	if want, ok := s.name(false); !ok || want != f.Name {
		return false // the name says another type
	}
	made := s.clone(f.Name)
	if made == nil {
		return false
	}
	f.Blocks, f.Linkage, f.Attrs, f.Effects = made.Blocks, ir.LinkageShared, made.Attrs, made.Effects
	f.Loc, f.Pos, f.Scope = made.Loc, made.Pos, made.Scope
	for _, b := range f.Blocks {
		b.Func = f
	}
	f.Renumber()
	if !slices.Contains(c.Module.Items, ir.Item(f)) {
		c.Module.Items = append(c.Module.Items, f)
	}
	if c.Made == nil {
		c.Made = map[*ir.Function]*pass.History{}
	}
	c.Made[f] = &pass.History{Caller: caller, Parent: generic, Subs: subs}
	c.Added = append(c.Added, f)
	c.Changed(f)
	return true
}
