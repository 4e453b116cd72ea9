package ir

import (
	"fmt"
	"slices"
	"strings"

	"silvm/ir/worklist"
)

// BindNominal returns a replacement function for Subst from the generic parameters of the declaration and of
// those around it to the arguments of t.
func BindNominal(d *Nominal, t *Type) func(*Type) *Type {
	return func(p *Type) *Type {
		if p.Kind != KindParam {
			return nil
		}
		if strings.HasPrefix(p.Name, "τ_") { // so the compiler prints parameters of the declaration in builtin types
			return nominalArgAt(d, t, p.Name)
		}
		for d, t := d, t; d != nil && t != nil; d, t = d.Outer, t.Parent {
			if d.Generic == nil {
				continue
			}
			if a := nominalArg(d.Generic.Params, p.Name, t); a != nil {
				return a
			}
		}
		return nil
	}
}

// nominalArgAt returns the argument of a nominal type for the parameter τ_depth_index.
func nominalArgAt(d *Nominal, t *Type, name string) *Type {
	var sigs []*GenericSig
	var types []*Type
	for ; d != nil && t != nil; d, t = d.Outer, t.Parent {
		if d.Generic != nil && len(d.Generic.Params) > 0 {
			sigs, types = append(sigs, d.Generic), append(types, t)
		}
	}
	var depth, index int
	if n, err := fmt.Sscanf(name, "τ_%d_%d", &depth, &index); n != 2 || err != nil || depth < 0 || depth >= len(sigs) {
		return nil
	}
	n := len(sigs) - 1 - depth
	if index < 0 || index >= len(sigs[n].Params) {
		return nil
	}
	return nominalArg(sigs[n].Params, sigs[n].Params[index].Name, types[n])
}

// nominalArg returns the argument of a nominal type for the parameter of that name; nil when it has none. The arguments for a parameter
// pack are in the list one by one; together they are a pack.
func nominalArg(params []GenericParam, name string, t *Type) *Type {
	for n, param := range params {
		after := len(params) - 1 - n
		switch {
		case param.Name != name && param.Each && len(t.Args) >= n+after:
			for k := n + 1; k < len(params); k++ {
				if params[k].Name == name {
					return t.Args[len(t.Args)-len(params)+k]
				}
			}
			return nil
		case param.Name != name:
		case !param.Each || n < len(t.Args) && t.Args[n].Kind == KindPack:
			if n < len(t.Args) {
				return t.Args[n]
			}
		case len(t.Args) >= n+after:
			return t.table.Intern(&Type{Kind: KindPack, Args: t.Args[n : len(t.Args)-after : len(t.Args)-after]})
		}
	}
	return nil
}

// FieldType returns the lowered type of a stored property of t, or of the superclass of t that is called owner;
// nil when the declaration is missing or the type can't be told from it alone.
func (m *Module) FieldType(t *Type, owner, name string) *Type {
	owner = outsideFunctions(owner)
	for t := range m.Ancestry(t) {
		d := m.DeclOf(t)
		if d == nil {
			return nil
		}
		if owner == "" || PlainName(owner) == PlainName(t.QualifiedName()) {
			for n := range d.Fields {
				if f := &d.Fields[n]; f.Name == name {
					return m.lowerAs(f.Type, m.Types.Subst(f.Type, BindNominal(d, t)), d.signatures()...)
				}
			}
		}
	}
	return nil
}

// PayloadType returns the lowered type of the payload of a case of t, that of a box for an indirect case; nil when the case has none or
// when CasePayload can't tell.
func (m *Module) PayloadType(t *Type, name string) *Type {
	payload, _ := m.CasePayload(t, name)
	return payload
}

// CasePayload returns the lowered type of the payload of a case of t, nil when the case has none. The payload of an indirect case is a
// box (docs/SIL/Types.md, Box Types). ok is false when the declaration is missing or the lowered form can't be told from it.
func (m *Module) CasePayload(t *Type, name string) (payload *Type, ok bool) {
	if t == nil || t.Kind != KindNominal {
		return nil, false
	}
	if payload := t.OptionalPayload(); payload != nil {
		if name == CaseSome {
			return payload, true
		}
		return nil, name == CaseNone
	}
	d := m.DeclOf(t)
	if d == nil {
		return nil, false
	}
	for n := range d.Cases {
		c := &d.Cases[n]
		switch {
		case c.Name != name:
			continue
		case c.Payload == nil:
			return nil, true
		case c.Indirect:
			payload = m.payloadBox(d, t, c.Payload)
		default:
			payload = m.lowerAs(c.Payload, m.Types.Subst(c.Payload, BindNominal(d, t)), d.signatures()...)
		}
		return payload, payload != nil
	}
	return nil, false
}

// payloadBox returns the box of a payload of an indirect case of t, which d declares. That of a generic enum has the signature of the
// enum, written with τ_depth_index: <τ_0_0> { var (τ_0_0, List<τ_0_0>) } <Int>.
func (m *Module) payloadBox(d *Nominal, t, payload *Type) *Type {
	var outer []*Nominal // with generic parameters, the innermost first
	var args []*Type
	for n, a := d, t; n != nil && a != nil; n, a = n.Outer, a.Parent {
		if n.Generic == nil || len(n.Generic.Params) == 0 {
			continue
		}
		for k := range n.Generic.Params {
			if n.Generic.Params[k].Each {
				return nil
			}
		}
		outer, args = append(outer, n), append(append([]*Type(nil), a.Args...), args...)
	}
	box := &BoxType{}
	if len(outer) > 0 {
		box.Generic, box.Subs = &GenericSig{}, args
	}
	names := map[string]*Type{}
	for n := len(outer) - 1; n >= 0; n-- {
		depth := len(outer) - 1 - n
		for k, p := range outer[n].Generic.Params {
			p.Name, p.Depth = fmt.Sprintf("τ_%d_%d", depth, k), depth
			names[outer[n].Generic.Params[k].Name] = m.Types.Param(p.Name)
			box.Generic.Params = append(box.Generic.Params, p)
		}
	}
	rename := func(p *Type) *Type {
		if p.Kind == KindParam {
			return names[p.Name]
		}
		return nil
	}
	for n := len(outer) - 1; n >= 0; n-- {
		for _, r := range outer[n].Generic.Requirements {
			r.Subject, r.Type, r.Depth = m.Types.Subst(r.Subject, rename), m.Types.Subst(r.Type, rename), 0
			box.Generic.Requirements = append(box.Generic.Requirements, r)
		}
	}
	field := m.lowerAs(payload, m.Types.Subst(payload, rename), d.signatures()...)
	if field == nil {
		return nil
	}
	box.Fields = []BoxField{{Mutable: true, Type: field}}
	return m.Types.Intern(&Type{Kind: KindBox, Box: box})
}

func (m *Module) memberField(i *Inst) *Type {
	aux, ok := i.Aux.(*MemberAux)
	if !ok {
		return nil
	}
	whole := objectOf(operandType(i, 0))
	return m.partOf(whole, m.FieldType(selfless(whole), aux.Type, aux.Name))
}

// partOf returns the type of a member of whole: in a value of type @moveOnly T the members can't be copied either. An object of a class
// is not a part of a reference to it.
func (m *Module) partOf(whole, member *Type) *Type {
	if member == nil || whole.Kind != KindMoveOnly {
		return member
	}
	if d := m.DeclOf(whole.Elem); d == nil || d.Kind != Struct && d.Kind != Enum {
		return member
	}
	return m.moveOnly(member)
}

func (m *Module) memberPayload(i *Inst) *Type {
	aux, ok := i.Aux.(*MemberAux)
	if !ok {
		return nil
	}
	whole := objectOf(operandType(i, 0))
	return m.partOf(whole, m.PayloadType(selfless(whole), aux.Name))
}

// selfless returns C for @dynamic_self C and for @moveOnly C.
func selfless(t *Type) *Type {
	for t != nil && (t.Kind == KindDynamicSelf || t.Kind == KindMoveOnly) {
		t = t.Elem
	}
	return t
}

func (m *Module) allFields(i *Inst) []*Type {
	whole := objectOf(operandType(i, 0))
	t := selfless(whole)
	d := m.DeclOf(t)
	if d == nil {
		return nil
	}
	var types []*Type
	for n := range d.Fields {
		f := &d.Fields[n]
		types = append(types, m.partOf(whole, m.lowerAs(f.Type, m.Types.Subst(f.Type, BindNominal(d, t)), d.signatures()...)))
	}
	return types
}

// Lowered returns the lowered form of t where the type alone tells it, nil elsewhere.
func (m *Module) Lowered(t *Type) *Type { return m.lowered(t) }

// lowered returns t if it is the same as its lowered form, and nil if lowering it takes more than the type
// alone: functions of the language, metatypes without a representation, members of concrete types.
func (m *Module) lowered(t *Type) *Type {
	t = m.Canonical(t)
	if t == nil || isLowered(t) {
		return t
	}
	return nil
}

// isLowered reports whether a type is one that values of SIL can have, as far as its form shows.
func isLowered(t *Type) bool {
	switch t.Kind {
	case KindASTFunction, KindInOut, KindInvalid, KindUnparsed, KindOpaque:
		return false
	case KindFunction: // $(Int) -> Int reads like a lowered type, but that would say how it treats its context
		return t.Func.Callee != CalleeNone || t.Func.Convention != RepThick
	case KindMetatype, KindExistentialMetatype:
		return t.Rep != MetatypeFormal
	case KindMember:
		for t.Kind == KindMember {
			t = t.Elem
		}
		return t.Kind == KindParam || t.Kind == KindOpened
	case KindAddress, KindStorage, KindMoveOnly, KindDynamicSelf:
		return isLowered(t.Elem)
	case KindTuple:
		for _, a := range t.Args {
			if !isLowered(a) {
				return false
			}
		}
	case KindNominal:
		if payload := t.OptionalPayload(); payload != nil {
			return isLowered(payload)
		}
		for _, a := range t.Args {
			if a.Kind == KindMember && !isLowered(a) {
				return false
			}
		}
	}
	return true
}

// openedPath returns the associated types that lead from an opened archetype to x, and the existential that was opened; nil when x is nothing
// such or the archetype itself. A member is printed as an archetype of its own, and made by substitution as a member of one.
func openedPath(x *Type) (path []string, existential *Type) {
	for x.Kind == KindMember {
		path, x = append(path, x.Name), x.Elem
	}
	if x == nil || x.Kind != KindOpened {
		return nil, nil
	}
	if len(x.Args) > 0 {
		for in := x.Args[0]; in != nil && in.Kind == KindMember; in = in.Elem {
			path = append(path, in.Name)
		}
	}
	slices.Reverse(path)
	return path, x.Elem
}

// sameMember says that a member of Self, by the names that lead to it, is a type or another member.
type sameMember struct {
	path, other []string
	typ         *Type // nil when it is other
}

// existentialMember returns the type that a member of a value of an existential is by what the protocols say: by the arguments of their primary
// associated types and by their same-type requirements. It is nil when they do not say.
func (m *Module) existentialMember(existential *Type, path []string) *Type {
	same := m.sameMembers(existential)
	if len(same) == 0 {
		return nil
	}
	longest := len(path) + 2 // what leads to a type makes a path hardly longer, and protocols say of endlessly long ones
	seen := map[string]bool{}
	var find func(path []string) *Type
	find = func(path []string) *Type {
		key := strings.Join(path, ".")
		if len(path) > longest || seen[key] {
			return nil
		}
		seen[key] = true
		for k := len(path); k > 0; k-- {
			rest := path[k:]
			for _, s := range same {
				var t *Type
				switch {
				case s.typ != nil && slices.Equal(s.path, path[:k]):
					t = m.memberOf(s.typ, rest)
				case s.typ == nil && slices.Equal(s.path, path[:k]):
					t = find(slices.Concat(s.other, rest))
				case s.typ == nil && slices.Equal(s.other, path[:k]):
					t = find(slices.Concat(s.path, rest))
				}
				if t != nil {
					return t
				}
			}
		}
		return nil
	}
	return find(path)
}

// memberOf returns the associated type that a path leads to from a type, nil when it is not known.
func (m *Module) memberOf(t *Type, path []string) *Type {
	for _, name := range path {
		if t == nil {
			return nil
		}
		t = m.AssociatedType(t, "", name)
	}
	return t
}

// sameMembers returns what the protocols of an existential, and those that they refine, say of the members of Self.
func (m *Module) sameMembers(existential *Type) (same []sameMember) {
	if existential == nil || existential.Kind != KindExistential {
		return nil
	}
	work := worklist.Of(existential.Args...)
	for t := range work.All() {
		d := m.DeclOf(t)
		if d == nil || d.Kind != Protocol {
			continue
		}
		for _, t := range d.Inherits {
			work.Push(t)
		}
		if d.Generic == nil {
			continue
		}
		if len(t.Args) == len(d.Generic.Params) {
			for n, arg := range t.Args {
				if !arg.generic {
					same = append(same, sameMember{path: []string{d.Generic.Params[n].Name}, typ: arg})
				}
			}
		}
		for n := range d.Generic.Requirements {
			r := &d.Generic.Requirements[n]
			path, ok := selfPath(r.Subject)
			switch {
			case ok && r.Kind == ReqConformance && len(path) == 0:
				work.Push(r.Type)
			case !ok || r.Kind != ReqSameType:
			case !r.Type.generic:
				same = append(same, sameMember{path: path, typ: r.Type})
			default:
				if other, ok := selfPath(r.Type); ok {
					same = append(same, sameMember{path: path, other: other})
				}
			}
		}
	}
	return same
}

// selfPath returns the associated types that lead from Self to a type, none for Self.
func selfPath(t *Type) (path []string, ok bool) {
	for ; t != nil && t.Kind == KindMember; t = t.Elem {
		path = append(path, t.Name)
	}
	slices.Reverse(path)
	return path, t != nil && t.Kind == KindParam && t.Name == "Self"
}
