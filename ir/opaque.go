package ir

import (
	"strings"

	"silvm/ir/op"
)

// underlying returns the type behind an opaque result type, "some P", whose arguments are canonical; nil when the module does not
// tell. SIL names such a type by the declaration that returns it; the type itself is where the value is made: in the entry
// block and the returns of that function, or where a variable of the type is accessed.
func (m *Module) underlying(x *Type) *Type {
	key := opaqueKey{x.Name, x.Index}
	u, ok := m.opaque[key]
	if !ok {
		if m.opaque == nil {
			m.opaque = map[opaqueKey]opaqueType{}
		}
		m.opaque[key] = opaqueType{}
		u = m.findUnderlying(key)
		m.opaque[key] = u
	}
	if u.actual == nil {
		return nil
	}
	return m.Types.Subst(u.actual, func(t *Type) *Type {
		for n, p := range u.params {
			if p == t && n < len(x.Args) {
				return x.Args[n]
			}
		}
		return nil
	})
}

// opaqueKey names an opaque result type: the declaration, and which of its opaque types it is.
type opaqueKey struct {
	decl  string
	index int
}

// opaqueType is what stands behind one: the generic parameters as the declaration names them, and the type in terms of those.
type opaqueType struct {
	params []*Type
	actual *Type
}

// match finds the type that stands for the opaque one in declared at the same place in actual.
func (k opaqueKey) match(declared, actual *Type) (u opaqueType, ok bool) {
	switch {
	case declared == nil || actual == nil || declared == actual:
		return u, false
	case declared.Kind == KindOpaque && declared.Name == k.decl && declared.Index == k.index:
		return opaqueType{declared.Args, actual}, true
	case declared.Kind != actual.Kind || len(declared.Args) != len(actual.Args):
		return u, false
	}
	if u, ok = k.match(declared.Elem, actual.Elem); ok {
		return u, true
	}
	if u, ok = k.match(declared.Parent, actual.Parent); ok {
		return u, true
	}
	for n, a := range declared.Args {
		if u, ok = k.match(a, actual.Args[n]); ok {
			return u, true
		}
	}
	if d, a := declared.Func, actual.Func; d != nil && a != nil && len(d.Params) == len(a.Params) && len(d.Results) == len(a.Results) {
		for n := range d.Params {
			if u, ok = k.match(d.Params[n].Type, a.Params[n].Type); ok {
				return u, true
			}
		}
		for n := range d.Results {
			if u, ok = k.match(d.Results[n].Type, a.Results[n].Type); ok {
				return u, true
			}
		}
	}
	return u, false
}

// maxOpaqueDepth bounds how many bodies are read because the one before named an opaque result of the next.
const maxOpaqueDepth = 50

// findUnderlying looks for the type in the function that the name stands for, the getter of a property or subscript, or else where
// the module accesses variables.
func (m *Module) findUnderlying(k opaqueKey) opaqueType {
	if m.opaqueDepth >= maxOpaqueDepth {
		return opaqueType{}
	}
	m.opaqueDepth++
	defer func() { m.opaqueDepth-- }()
	symbol, variable := k.decl, false
	for _, suffix := range []string{"vp", "ip"} {
		if s, ok := strings.CutSuffix(k.decl, suffix); ok {
			symbol, variable = s+suffix[:1]+"g", true
		}
	}
	if f := m.Func(symbol); f != nil && f.Body() == nil {
		if u, ok := m.matchReplacement(k, f); ok {
			return u
		}
		if u, ok := m.matchResults(k, f); ok {
			return u
		}
	} else if !variable {
		for _, f := range m.returning(k.decl) {
			if f.Body() != nil {
				continue
			}
			if u, ok := m.matchResults(k, f); ok {
				return u
			}
		}
	}
	if variable {
		for _, item := range m.Items {
			if f, ok := item.(*Function); ok && f.Body() == nil {
				if u, ok := m.matchVariables(k, f); ok {
					return u
				}
			}
		}
	}
	return opaqueType{}
}

// returning returns the functions of the module that declare an opaque type of the declaration among their results: its symbol is not
// always that of the type, which names the protocols of associated types.
func (m *Module) returning(decl string) []*Function {
	if m.returningOpaque == nil {
		m.returningOpaque = map[string][]*Function{}
		for _, item := range m.Items {
			f, ok := item.(*Function)
			if !ok || f.Type == nil || f.Type.Func == nil {
				continue
			}
			seen := map[string]bool{}
			var note func(t *Type) *Type
			note = func(t *Type) *Type {
				if t.Kind == KindOpaque && !seen[t.Name] {
					seen[t.Name] = true
					m.returningOpaque[t.Name] = append(m.returningOpaque[t.Name], f)
				}
				return m.Types.mapParts(t, note)
			}
			for _, t := range m.declaredResults(f) {
				note(t)
			}
		}
	}
	return m.returningOpaque[decl]
}

// declaredResults returns the result types as the declaration has them.
func (m *Module) declaredResults(f *Function) []*Type {
	var list []*Type
	for _, r := range f.Type.Func.Results {
		t := r.Type
		if f.Type.Func.Pattern != nil {
			t = m.Types.Subst(t, BindParams(f.Type.Func.Pattern, f.Type.Func.Subs))
		}
		list = append(list, t)
	}
	return list
}

// matchReplacement looks into the function that replaces f, which declares opaque types of its own.
func (m *Module) matchReplacement(k opaqueKey, f *Function) (u opaqueType, ok bool) {
	r := m.Replacement(f)
	if r == f || r.Type == nil || r.Type.Func == nil {
		return u, false
	}
	for n, t := range m.declaredResults(f) {
		if results := m.declaredResults(r); n < len(results) {
			if u, ok = k.match(t, results[n]); ok {
				break
			}
		}
	}
	if !ok {
		return u, false
	}
	u.actual = m.Canonical(u.actual)
	return u, u.actual.Kind != KindOpaque
}

// matchResults compares the results that a function declares with what its body returns.
func (m *Module) matchResults(k opaqueKey, f *Function) (u opaqueType, ok bool) {
	entry := f.Entry()
	if entry == nil || f.Type == nil || f.Type.Func == nil {
		return u, false
	}
	direct, indirect := []*Type{}, 0
	for n, t := range m.declaredResults(f) {
		if f.Type.Func.Results[n].Conv != ResultOut {
			direct = append(direct, t)
			continue
		}
		if indirect < len(entry.Args) {
			if u, ok = k.match(t, entry.Args[indirect].Type.Object()); ok {
				return u, true
			}
		}
		indirect++
	}
	for i := range f.Insts() {
		// A function that may be replaced keeps the opaque type, and makes its values where that is cast to the type behind it.
		if i.Op == op.UncheckedAddrCast && len(i.Results) > 0 {
			if u, ok = k.match(objectOf(operandType(i, 0)), i.Results[0].Type.Object()); ok {
				return u, true
			}
		}
		if i.Op != op.Return || len(direct) == 0 {
			continue
		}
		declared := direct[0]
		if len(direct) > 1 {
			declared = m.Types.Tuple(direct, nil)
		}
		if u, ok = k.match(declared, operandType(i, 0)); ok {
			return u, true
		}
	}
	return u, false
}

// matchVariables compares the declared types of global variables and stored properties with those by which a body accesses them.
func (m *Module) matchVariables(k opaqueKey, f *Function) (u opaqueType, ok bool) {
	for i := range f.Insts() {
		var declared *Type
		switch aux := i.Aux.(type) {
		case *MemberAux:
			if t := selfless(objectOf(operandType(i, 0))); t != nil {
				declared = m.declaredField(t, aux.Name)
			}
		case *SymbolAux:
			if g := m.Global(aux.Name); g != nil {
				declared = g.Type
			}
		}
		if declared == nil || len(i.Results) == 0 {
			continue
		}
		if u, ok = k.match(declared, i.Results[0].Type.Object()); ok {
			return u, true
		}
	}
	return u, false
}

// declaredField returns the type of a stored property as its declaration has it, with the type arguments of t put in.
func (m *Module) declaredField(t *Type, name string) *Type {
	d := m.DeclOf(t)
	if d == nil {
		return nil
	}
	for n := range d.Fields {
		if f := &d.Fields[n]; f.Name == name {
			return m.Types.Subst(f.Type, BindNominal(d, t))
		}
	}
	return nil
}
