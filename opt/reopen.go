package opt

import "silvm/ir"

// reopen makes everything that names the type which one opening of an existential gives a name to name the type that an earlier opening of the
// same value names. An alloc_stack or a metatype names it without a use of the opening, so the whole function is looked through.
func reopen(mod *ir.Module, from, to *ir.Inst) {
	old, opened := from.Results[0].Type.Object(), to.Results[0].Type.Object()
	replace := func(t *ir.Type) *ir.Type {
		if t == old {
			return opened
		}
		return nil
	}
	retype := func(v *ir.Value) { v.Type = mod.Types.Subst(v.Type, replace) }
	for _, b := range from.Block().Func.Blocks {
		for _, a := range b.Args {
			retype(a)
		}
		for i := b.First(); i != nil; i = i.Next() {
			substInst(mod.Types, i, replace)
			for _, r := range i.Results {
				retype(r)
			}
		}
	}
}

// substInst replaces types in what an instruction says besides its operands and results.
func substInst(ts *ir.Types, i *ir.Inst, replace func(*ir.Type) *ir.Type) {
	list := func(types []*ir.Type) []*ir.Type {
		var out []*ir.Type
		for n, t := range types {
			if s := ts.Subst(t, replace); s != t {
				if out == nil {
					out = append(out, types...)
				}
				out[n] = s
			}
		}
		if out == nil {
			return types
		}
		return out
	}
	i.Types = list(i.Types)
	switch aux := i.Aux.(type) {
	case *ir.ApplyAux:
		n := *aux
		if n.Subs = list(aux.Subs); len(n.Subs) > 0 && &n.Subs[0] != &aux.Subs[0] {
			n.Sugar = ""
		}
		n.Fn = ts.Subst(aux.Fn, replace)
		i.Aux = &n
	case *ir.BuiltinAux:
		n := *aux
		n.Subs = list(aux.Subs)
		i.Aux = &n
	case *ir.MethodAux:
		n := *aux
		n.Type = ts.Subst(aux.Type, replace)
		i.Aux = &n
	case *ir.KeyPathAux:
		n := *aux
		n.Subs = list(aux.Subs)
		i.Aux = &n
	}
}
