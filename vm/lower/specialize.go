package lower

import "silvm/ir"

type confKey struct{ t, proto *ir.Type }

// conformance is how a concrete type meets a protocol.
type conformance struct {
	table *ir.WitnessTable
	types []*ir.Type // arguments of the table's generic signature
}

// canonical resolves dependent members of concrete types.
func (l *Lowerer) canonical(t *ir.Type) *ir.Type { return t }

// subst gives a type of the function's body with the function's type arguments put in, canonical.
func (b *builder) subst(t *ir.Type) *ir.Type { return t }
