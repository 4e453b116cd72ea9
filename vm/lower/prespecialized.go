package lower

import (
	"strings"

	"silvm/ir"
)

// prespecialized marks the functions of the standard library that the library brings specialized for references: what a program calls
// then has no body in the file, but the generic function mostly has (docs/ABI/Mangling.rst, function specializations).
const prespecialized = "yXl_Ts5"

// unspecialized gives the generic function behind a specialized one that has no body, with its type arguments; nil when the file has
// none, or one that takes its arguments in another way.
func (l *Lowerer) unspecialized(fn *ir.Function) (*ir.Function, []*ir.Type) {
	name, ok := strings.CutSuffix(fn.Name, prespecialized)
	if !ok || !fn.IsDeclaration() {
		return nil, nil
	}
	generic := l.Mod.Funcs[name]
	if generic == nil || generic.IsDeclaration() {
		return nil, nil
	}
	from, fine := funcTypeOf(fn)
	to, ok := funcTypeOf(generic)
	if !fine || !ok || to.Generic == nil || len(to.Generic.Params) != 1 || len(from.Params) != len(to.Params) || len(from.Results) != len(to.Results) {
		return nil, nil
	}
	for n := range to.Params {
		if from.Params[n].Conv != to.Params[n].Conv {
			return nil, nil
		}
	}
	for n := range to.Results {
		if from.Results[n].Conv != to.Results[n].Conv {
			return nil, nil
		}
	}
	ts := l.Mod.Types
	object := ts.Intern(&ir.Type{Kind: ir.KindExistential, Args: []*ir.Type{ts.Nominal(nil, "AnyObject")}})
	return generic, []*ir.Type{object}
}
