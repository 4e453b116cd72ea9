package fold

import (
	"silvm/ir"
	"silvm/opt/rewrite"
)

// openedNames knows which instructions and arguments of a function name which opened types.
type openedNames struct {
	mod   *ir.Module
	insts map[string][]*ir.Inst
	args  map[string][]*ir.Value
}

// newOpenedNames looks through the function once.
func newOpenedNames(f *ir.Function) *openedNames {
	o := &openedNames{mod: f.Module, insts: map[string][]*ir.Inst{}, args: map[string][]*ir.Value{}}
	for _, b := range f.Blocks {
		for _, a := range b.Args {
			o.in(a.Type, func(name string) { o.args[name] = append(o.args[name], a) })
		}
		for i := range b.Insts() {
			note := func(name string) {
				if list := o.insts[name]; len(list) == 0 || list[len(list)-1] != i {
					o.insts[name] = append(list, i)
				}
			}
			rewrite.SubstInst(f.Module.Types, i, func(t *ir.Type) *ir.Type {
				o.in(t, note)
				return nil
			})
			for _, r := range i.Results {
				o.in(r.Type, note)
			}
		}
	}
	return o
}

// in calls note with the names of the opened types in t.
func (o *openedNames) in(t *ir.Type, note func(string)) {
	if t == nil || !t.HasLocal() {
		return
	}
	o.mod.Types.Subst(t, func(x *ir.Type) *ir.Type {
		if x.Kind == ir.KindOpened {
			note(x.Name)
		}
		return nil
	})
}

// reopen makes everything that names the types which one opening of an existential gives a name to name those that an earlier opening of
// the same value names. An alloc_stack or a metatype names them without a use of the opening.
func (o *openedNames) reopen(from, to *ir.Inst) {
	old, opened := from.Results[0].Type.Object(), to.Results[0].Type.Object()
	if old.Kind != ir.KindOpened || opened.Kind != ir.KindOpened || old.Name == opened.Name {
		return
	}
	replace := func(t *ir.Type) *ir.Type {
		if t.Kind != ir.KindOpened || t.Name != old.Name {
			return nil
		}
		n := *t
		n.Name, n.Elem = opened.Name, opened.Elem
		return o.mod.Types.Intern(&n)
	}
	for _, a := range o.args[old.Name] {
		a.Type = o.mod.Types.Subst(a.Type, replace)
	}
	for _, i := range o.insts[old.Name] {
		rewrite.SubstInst(o.mod.Types, i, replace)
		for _, r := range i.Results {
			r.Type = o.mod.Types.Subst(r.Type, replace)
		}
	}
	o.args[opened.Name] = append(o.args[opened.Name], o.args[old.Name]...)
	o.insts[opened.Name] = append(o.insts[opened.Name], o.insts[old.Name]...)
	delete(o.args, old.Name)
	delete(o.insts, old.Name)
}
