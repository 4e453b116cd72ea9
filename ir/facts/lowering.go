package facts

import (
	"slices"

	"silvm/ir"
)

// What the compiler's lowering of a type says about it, besides Triviality and IsAddressOnly (docs/SIL.rst, Types).

// anyPart reports whether a value of the type has a part, itself included, of which is says yes. decided says that a type is not to be taken
// apart, as the answer for it is there already.
func (ts *Types) anyPart(t *ir.Type, depth int, is func(t *ir.Type) (yes, decided bool)) bool {
	t = Selfless(t)
	if t == nil || depth > maxTypeDepth {
		return false
	}
	if yes, decided := is(t); yes || decided {
		return yes
	}
	parts, ok := ts.FieldTypes(t)
	if !ok {
		parts = ts.Payloads(t)
	}
	return slices.ContainsFunc(parts, func(p *ir.Type) bool { return p != nil && ts.anyPart(p.Object(), depth+1, is) })
}

// Payloads lists the payloads of an enum, without those in boxes.
func (ts *Types) Payloads(t *ir.Type) []*ir.Type {
	if t.IsOptional() {
		return t.Args
	}
	d := ts.mod.DeclOf(t)
	if d == nil || d.Kind != ir.Enum {
		return nil
	}
	var list []*ir.Type
	for n := range d.Cases {
		if c := &d.Cases[n]; c.Payload != nil && !c.Indirect {
			list = append(list, ts.mod.PayloadType(t, c.Name))
		}
	}
	return list
}

// IsFixedABI reports whether the size of values of the type is known where the type's parameters are not.
func (ts *Types) IsFixedABI(t *ir.Type) bool {
	return !ts.anyPart(t.Object(), 0, func(t *ir.Type) (yes, decided bool) {
		switch t.Kind {
		case ir.KindParam, ir.KindMember, ir.KindOpened, ir.KindPackElement, ir.KindOpaque:
			return ts.IsAddressOnly(t), true
		}
		return false, false
	})
}

// IsLexicalType reports whether the lifetimes of variables of the type may not be shortened over deinit barriers: it has a part to destroy that
// is not declared with @_eagerMove (docs/SIL.rst, Lexical Lifetimes).
func (ts *Types) IsLexicalType(t *ir.Type) bool {
	return ts.anyPart(t.Object(), 0, func(t *ir.Type) (yes, decided bool) {
		d := ts.mod.DeclOf(t)
		switch {
		case ts.IsTrivial(t) || isEagerMove(d):
			return false, true
		case d != nil && !ts.mod.IsCopyable(t):
			return true, true
		}
		fields, isProduct := ts.FieldTypes(t)
		switch {
		case isProduct:
			return len(fields) == 0, false
		case d != nil && slices.ContainsFunc(d.Cases, func(c ir.EnumCase) bool { return c.Indirect }):
			return true, true
		}
		return len(ts.Payloads(t)) == 0, false
	})
}

// eagerMoves are the types of the standard library that are declared with @_eagerMove.
var eagerMoves = map[string]bool{"Array": true, "ContiguousArray": true, "Dictionary": true, "Set": true, "String": true}

// IsEagerMove reports whether values of the type may die before the scope of their variable ends: its declaration has @_eagerMove.
func (ts *Types) IsEagerMove(t *ir.Type) bool { return isEagerMove(ts.mod.DeclOf(t)) }

func isEagerMove(d *ir.Nominal) bool {
	return d != nil && (d.Attrs.Has(ir.ModEagerMove) || d.Builtin && eagerMoves[d.Path])
}
