package loops

import (
	"slices"

	"silvm/ir"
)

// namesLocalType reports whether the instruction names a type that an instruction of its function opens: it has to stay after that one.
func namesLocalType(i *ir.Inst) bool {
	isLocal := func(t *ir.Type) bool { return t != nil && t.HasLocal() }
	if slices.ContainsFunc(i.Types, isLocal) || slices.ContainsFunc(i.Results, func(r *ir.Value) bool { return isLocal(r.Type) }) {
		return true
	}
	aux, ok := i.Aux.(*ir.ApplyAux)
	return ok && slices.ContainsFunc(aux.Subs, isLocal)
}
