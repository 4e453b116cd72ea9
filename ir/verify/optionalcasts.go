package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

// OptionalCasts warns of casts of optional objects to a class that branch. silvm casts nil as Swift does, which is to fail; machine code asks the
// object that is not there for its class.
func OptionalCasts(mod *ir.Module, diags *source.List) {
	for _, f := range mod.Functions() {
		for i := range f.Insts() {
			if i.Op != op.CheckedCastBr || len(i.Types) == 0 {
				continue
			}
			from, to := mod.Canonical(i.Arg(0).Type), mod.Canonical(mod.Lowered(i.Types[len(i.Types)-1]))
			if from.OptionalPayload() != nil && isClass(mod, from.OptionalPayload()) && isClass(mod, to) {
				diags.Warnf(i.Pos, "optional-cast", "%s of an optional object to the class %s: where it is nil, native code crashes", i.Op, to)
			}
		}
	}
}

func isClass(mod *ir.Module, t *ir.Type) bool {
	d := mod.DeclOf(mod.Canonical(t))
	return d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor)
}
