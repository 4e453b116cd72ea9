package lower

import (
	"strings"

	"silvm/ir"
)

// Requirement returns the index of the function by which a concrete type meets a requirement that is named as witness tables name
// it, such as #CustomStringConvertible.description!getter. types are the type, then the type arguments of a requirement that is
// generic itself. A conformance that no file has is the standard library's, and then the function is a native of that name.
func (l *Lowerer) Requirement(ref string, types []*ir.Type) (int, error) {
	if len(types) == 0 || !strings.HasPrefix(ref, "#") {
		return 0, unsupportedf("requirement %s of no type", ref)
	}
	d := ir.ParseDeclRef(ref)
	return l.witness(requirement{proto: d.Owner(), ref: d}, types)
}

// Global returns the index of a global variable of the program.
func (l *Lowerer) Global(name string) (int, error) { return l.global(name) }
