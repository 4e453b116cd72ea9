package access

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// AccessEnforcementWMO takes the run-time check from all accesses to a global or a stored property if no access to it anywhere in the module
// has another one inside:
//
//	begin_access [read] [dynamic] [no_nested_conflict] %0   ⇒   begin_access [read] [static] [no_nested_conflict] %0
//
// Nobody outside of the module may access it: it is private, or the module is the whole program and it is not public.
var AccessEnforcementWMO = &pass.Pass{
	Name: "access-enforcement-wmo",
	Doc:  "Checks accesses to globals and properties statically that never nest anywhere in the module",
	Module: func(c *pass.Context) bool {
		w := &moduleAccesses{c: c, conflict: map[string]bool{}, list: map[string][]*ir.Inst{}}
		for _, f := range c.Module.Functions() {
			for i := range f.Insts() {
				if !w.visit(f, i) {
					return false
				}
			}
		}
		changed := false
		for key, list := range w.list {
			if w.conflict[key] {
				continue
			}
			for _, i := range list {
				changed = setEnforcement(i, op.QualStatic) || changed
			}
		}
		return changed
	},
}

// setEnforcement says how an access is checked; it reports whether that is new.
func setEnforcement(i *ir.Inst, to op.Qual) bool {
	was := i.Quals.First(op.QualDynamic, op.QualStatic, op.QualUnknown, op.QualUnsafe, op.QualSigned)
	if was == op.QualInvalid || was == to {
		return false
	}
	i.Quals = i.Quals.Without(was).With(to)
	return true
}

// moduleAccesses are the accesses of the module by the variable, the key of variableOf.
type moduleAccesses struct {
	c        *pass.Context
	conflict map[string]bool
	list     map[string][]*ir.Inst
}

// visit notes an access; false when nobody can tell to what it is.
func (w *moduleAccesses) visit(f *ir.Function, i *ir.Inst) bool {
	switch i.Op {
	case op.BeginAccess, op.BeginUnpairedAccess:
		p := w.c.Program(f)
		path := p.AccessPath(i.Arg(0), 0)
		if path.Base == nil {
			return false
		}
		key := w.variableOf(p, path)
		if key == "" {
			return true
		}
		if !i.Has(op.QualNoNestedConflict) {
			w.conflict[key] = true
		}
		if i.Op == op.BeginAccess {
			w.list[key] = append(w.list[key], i)
		}
	case op.Keypath:
		if aux, ok := i.Aux.(*ir.KeyPathAux); ok {
			for _, step := range aux.Components {
				if step.Kind == ir.KeyPathStored && step.Member != nil {
					w.conflict["#"+step.Member.Type+"."+step.Member.Name] = true
				}
			}
		}
	}
	return true
}

// variableOf names the global or the stored property that nobody outside of the module can access, "" for other storage.
func (w *moduleAccesses) variableOf(p *facts.Program, path facts.AccessPath) string {
	i := path.Base.Inst()
	switch path.Kind {
	case facts.BaseGlobal:
		if g := i.Aux.(*ir.SymbolAux).Global; g != nil && rewrite.IsHiddenLinkage(g.Linkage, w.c.Whole) {
			return g.Name
		}
	case facts.BaseClass:
		aux := i.Aux.(*ir.MemberAux)
		if d := p.Mod.Nominal(aux.Type); d != nil && d.Module == "" && !d.Builtin && isHiddenField(d, aux.Name, w.c.Whole) {
			return "#" + aux.Type + "." + aux.Name
		}
	}
	return ""
}

// isHiddenField reports whether a stored property can't be accessed from outside of what is compiled at once.
func isHiddenField(d *ir.Nominal, name string, whole bool) bool {
	access := d.MemberAccess(name)
	public := access.IsPublic()
	for ; d != nil; d = d.Outer {
		if access == ir.AccessPrivate || d.Access() == ir.AccessPrivate {
			return true
		}
		public = public && d.Access().IsPublic()
	}
	return whole && !public
}
