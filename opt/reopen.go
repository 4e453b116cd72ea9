package opt

import "silvm/ir"

// reopen makes everything that depends on the type which one opening of an existential names depend on the type that an earlier opening
// of the same value names.
func reopen(mod *ir.Module, from, to *ir.Inst) {
	old, opened := from.Results[0].Type.Object(), to.Results[0].Type.Object()
	replace := func(t *ir.Type) *ir.Type {
		if t == old {
			return opened
		}
		return nil
	}
	seen := map[*ir.Inst]bool{}
	work := []*ir.Value{from.Results[0]}
	retype := func(v *ir.Value) {
		if t := mod.Types.Subst(v.Type, replace); t != v.Type {
			v.Type = t
			work = append(work, v)
		}
	}
	retype(from.Results[0])
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for u := v.FirstUse(); u != nil; u = u.NextUse() {
			i := u.User()
			if seen[i] {
				continue
			}
			seen[i] = true
			substInst(mod.Types, i, replace)
			for _, r := range i.Results {
				retype(r)
			}
			for _, e := range i.Succs {
				for _, a := range e.To.Args {
					retype(a)
				}
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
