package facts

import (
	"slices"

	"silvm/ir"
)

// Selfless takes the wrappers @dynamic_self and @moveOnly off a type.
func Selfless(t *ir.Type) *ir.Type {
	for t != nil && (t.Kind == ir.KindDynamicSelf || t.Kind == ir.KindMoveOnly) {
		t = t.Elem
	}
	return t
}

// FieldNumber returns the number of the field that an instruction with an index or a member names, among the fields of the type of its
// operand 0; -1 when that type is not known to have it.
func FieldNumber(mod *ir.Module, i *ir.Inst) int {
	switch aux := i.Aux.(type) {
	case *ir.IntAux:
		if aux.Value.IsInt64() {
			return int(aux.Int64())
		}
	case *ir.MemberAux:
		if d := mod.DeclOf(Selfless(i.Arg(0).Type.Object())); d != nil {
			for n := range d.Fields {
				if d.Fields[n].Name == aux.Name {
					return n
				}
			}
		}
	}
	return -1
}

// FieldTypes returns the types of the stored fields of a struct or the elements of a tuple, in order; ok is false when nobody tells.
func (ts *Types) FieldTypes(t *ir.Type) (fields []*ir.Type, ok bool) {
	t = Selfless(t)
	if t == nil {
		return nil, false
	}
	if t.Kind == ir.KindTuple {
		for _, e := range t.Args {
			if e.Kind == ir.KindPackExpansion { // nobody knows how many elements
				return nil, false
			}
		}
		return t.Args, true
	}
	d := ts.mod.DeclOf(t)
	if d == nil || d.Kind != ir.Struct {
		return nil, false
	}
	bind := ir.BindNominal(d, t)
	for n := range d.Fields {
		f := &d.Fields[n]
		if f.Name == "" { // of a type that is only used: which member it is nobody knows
			return nil, false
		}
		lowered := ts.mod.FieldType(t, "", f.Name)
		if lowered == nil {
			lowered = ts.mod.Canonical(ts.mod.Types.Subst(f.Type, bind))
		}
		fields = append(fields, lowered)
	}
	return fields, true
}

// Payload returns the payload type of a case of an enum in memory or as a value, nil when the case has none: lowered, where its lowered
// form is known, a box for an indirect case. ok is false when nobody declares it.
func (ts *Types) Payload(t *ir.Type, m *ir.MemberAux) (payload *ir.Type, ok bool) {
	if t == nil || m == nil {
		return nil, false
	}
	t = Selfless(t.Object())
	if payload, ok := ts.mod.CasePayload(t, m.Name); ok {
		return payload, true
	}
	d := ts.mod.DeclOf(t)
	if d == nil || d.Kind != ir.Enum {
		return nil, false
	}
	for n := range d.Cases {
		if c := &d.Cases[n]; c.Name == m.Name && !c.Indirect {
			return ts.mod.Canonical(ts.mod.Types.Subst(c.Payload, ir.BindNominal(d, t))), true
		}
	}
	return nil, false
}

// Parts returns the types of the fields of a struct, the elements of a tuple and the payloads of an enum; ok is false when they are not known.
func (ts *Types) Parts(t *ir.Type) (parts []*ir.Type, ok bool) {
	if t.Kind == ir.KindTuple {
		return ts.FieldTypes(t)
	}
	if elem := t.FixedArrayElement(); elem != nil {
		return []*ir.Type{elem}, true
	}
	if t.Kind != ir.KindNominal {
		return nil, true
	}
	if t.IsOptional() {
		return t.Args, true
	}
	d := ts.mod.DeclOf(t)
	if d == nil {
		return nil, false
	}
	switch d.Kind {
	case ir.Struct:
		return ts.FieldTypes(t)
	case ir.Enum:
		for n := range d.Cases {
			payload, ok := ts.Payload(t, &ir.MemberAux{Type: d.Path, Name: d.Cases[n].Name})
			switch {
			case !ok:
				return nil, false
			case payload != nil:
				parts = append(parts, payload)
			}
		}
	}
	return parts, true
}

// IsTrivialCase reports whether a case of an enum may have nothing to destroy.
func (ts *Types) IsTrivialCase(t *ir.Type, m *ir.MemberAux) bool {
	p, ok := ts.Payload(t, m)
	return !ok || p == nil || ts.Triviality(p) != Nontrivial
}

// IsEmpty reports whether a type has no bytes: (), and structs and tuples of nothing else.
func (ts *Types) IsEmpty(t *ir.Type) bool {
	return search(ts, ts.empty, t, func(t *ir.Type, fields []*ir.Type, isProduct bool) bool {
		if !isProduct {
			return false
		}
		for _, f := range fields {
			if !ts.IsEmpty(f) {
				return false
			}
		}
		d := ts.mod.DeclOf(t)
		return d == nil || !d.Attrs.Has(ir.ModRawLayout)
	})
}

// HasEnum reports whether a type is an enum or has one inside.
func (ts *Types) HasEnum(t *ir.Type) bool {
	return search(ts, ts.enums, t, func(t *ir.Type, fields []*ir.Type, isProduct bool) bool {
		if slices.ContainsFunc(fields, ts.HasEnum) {
			return true
		}
		d := ts.mod.DeclOf(t)
		return !isProduct && (d != nil && d.Kind == ir.Enum || d == nil && t.IsOptional())
	})
}

// search answers a question about a type by its fields, and remembers the answer in known. A type that holds itself counts as false.
func search(ts *Types, known map[*ir.Type]bool, t *ir.Type, ask func(t *ir.Type, fields []*ir.Type, isProduct bool) bool) bool {
	t = Selfless(t)
	if t == nil || ts.depth > maxTypeDepth {
		return false
	}
	if r, ok := known[t]; ok {
		return r
	}
	known[t] = false
	ts.depth++
	fields, ok := ts.FieldTypes(t)
	r := ask(t, fields, ok)
	ts.depth--
	known[t] = r
	return r
}
