package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// OpensNamedType reports whether the instruction opens a type that others name without using its result: they need it all the same.
func OpensNamedType(i *ir.Inst) bool {
	return OpensTypeFor(i, func(*ir.Inst) bool { return true })
}

// OpensTypeFor reports whether the instruction opens a type that one of some other instructions names.
func OpensTypeFor(i *ir.Inst, are func(k *ir.Inst) bool) bool {
	if i.Op == op.OpenPackElement || !i.Op.OpensType() {
		return i.Op == op.OpenPackElement
	}
	f := i.Block().Func
	opened := "" // its name: the types @opened("…") Self and @opened("…") Self.T share it
	visit := func(t *ir.Type, note func(*ir.Type)) {
		if t != nil && t.HasLocal() {
			f.Module.Types.Subst(t, func(x *ir.Type) *ir.Type {
				note(x)
				return nil
			})
		}
	}
	visit(i.Results[0].Type, func(x *ir.Type) {
		if x.Kind == ir.KindOpened {
			opened = x.Name
		}
	})
	if opened == "" {
		return false
	}
	named := false
	note := func(x *ir.Type) { named = named || x.Kind == ir.KindOpened && x.Name == opened }
	names := func(k *ir.Inst) bool {
		for _, t := range k.Types {
			visit(t, note)
		}
		for _, r := range k.Results {
			visit(r.Type, note)
		}
		var subs []*ir.Type
		switch aux := k.Aux.(type) {
		case *ir.ApplyAux:
			subs = aux.Subs
		case *ir.BuiltinAux:
			subs = aux.Subs
		}
		for _, t := range subs {
			visit(t, note)
		}
		return named
	}
	for k := i.Next(); k != nil; k = k.Next() { // nearly always somebody close by
		if are(k) && names(k) {
			return true
		}
	}
	for k := range f.Insts() {
		if k != i && are(k) && names(k) {
			return true
		}
	}
	return false
}
