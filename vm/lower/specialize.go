package lower

import (
	"silvm/ir"
)

// subst returns a type of the function's body with the function's type arguments put in, canonical. Opened archetypes stay.
func (b *builder) subst(t *ir.Type) *ir.Type {
	if s, ok := b.substs[t]; ok {
		return s
	}
	s := t
	if t.HasParams() && b.fn != nil && len(b.types) > 0 {
		if sig, ok := funcTypeOf(b.fn); ok && sig.Generic != nil {
			s = b.Mod.Types.Subst(t, ir.BindParams(sig.Generic, b.types))
		}
	}
	if s.HasLocal() && len(b.packs) > 0 {
		s = b.Mod.Types.Subst(s, func(t *ir.Type) *ir.Type {
			if t.Kind == ir.KindPackElement {
				return b.packElement(t)
			}
			return nil
		})
	}
	s = b.Mod.StaticSelf(b.Mod.Canonical(s))
	b.substs[t] = s
	return s
}

// substAll substitutes a list of types.
func (b *builder) substAll(list []*ir.Type) []*ir.Type {
	out := make([]*ir.Type, len(list))
	for n, t := range list {
		out[n] = b.subst(t)
	}
	return out
}

// typeArgs checks type arguments against the generic signature of fn: none where it has none.
func typeArgs(fn *ir.Function, types []*ir.Type) ([]*ir.Type, error) {
	sig, ok := funcTypeOf(fn)
	if !ok {
		return nil, unsupportedf("function %s: its type is no function type", fn.Name)
	}
	if sig.Generic == nil || len(sig.Generic.Params) == 0 {
		return nil, nil
	}
	if len(types) != len(sig.Generic.Params) {
		return nil, unsupportedf("function %s with %d type arguments, it has %d parameters", fn.Name, len(types), len(sig.Generic.Params))
	}
	return types, nil
}

// hasLocal reports whether one of the types names an opened archetype.
func hasLocal(types []*ir.Type) bool {
	for _, t := range types {
		if t.HasLocal() {
			return true
		}
	}
	return false
}

// requirement names a method requirement of a protocol as witness tables and witness_method do.
type requirement struct {
	proto string // qualified name of the protocol
	ref   ir.DeclRef
	decl  ir.DeclType // overloads differ in it
}

func requirementOf(m *ir.MethodAux) requirement {
	return requirement{m.Ref.Owner(), m.Ref, m.DeclType}
}

// entryFor finds the entry of a table for a requirement: overloads are told apart by their types. Requirements that differ in the labels
// of their parameters alone are not told apart by the text; then several is true.
func (q requirement) entryFor(table *ir.WitnessTable) (entry *ir.WitnessEntry, several bool) {
	var named *ir.WitnessEntry
	for k := range table.Entries {
		e := &table.Entries[k]
		if e.Kind != ir.WitnessMethod || e.Ref.Text != q.ref.Text {
			continue
		}
		if e.DeclType == q.decl {
			if entry == nil {
				entry = e
			}
			several = several || e.Func != entry.Func
		}
		if named == nil {
			named = e
		}
	}
	if entry == nil {
		return named, false
	}
	return entry, several
}

// witness finds the function by which a concrete type meets a requirement. subs are the type itself, then the type arguments of
// a requirement that is generic. A conformance that no file has is the standard library's.
func (l *Lowerer) witness(q requirement, subs []*ir.Type) (int, error) {
	self := selfless(subs[0])
	subs = append([]*ir.Type{self}, subs[1:]...)
	table, binding := l.Mod.WitnessTable(self, q.proto)
	if table == nil || table.Declared || l.isNativeWitness(q, self, table) {
		return l.standardWitness(q, subs), nil
	}
	e, several := q.entryFor(table)
	switch decl := l.Mod.DeclOf(self); {
	case several && decl != nil && decl.Builtin && table.Conformance.Module == "Swift":
		return l.standardWitness(q, subs), nil // a native knows what they have in common
	case several:
		if e = l.sameEntry(q, table); e != nil {
			break
		}
		return 0, unsupportedf("requirement %s : %s of %s, which stands for several requirements: the text does not say which", q.ref.Text, q.decl, self)
	}
	if e == nil || e.Func == "" {
		return 0, unsupportedf("requirement %s of %s, which its witness table lacks", q.ref.Text, self)
	}
	fn := l.Mod.Func(e.Func)
	if fn == nil {
		return 0, unsupportedf("function %s, which is not in the file", e.Func)
	}
	types, err := witnessTypes(fn, table, binding, subs)
	if err != nil {
		return 0, err
	}
	return l.Func(fn, types)
}

// isNativeWitness reports whether a native shows values of a type of the standard library by itself, though the library's text has the witness:
// that may end at a function without a body, for which the supplement asks the native in turn.
func (l *Lowerer) isNativeWitness(q requirement, self *ir.Type, table *ir.WitnessTable) bool {
	return table.Conformance.Module == "Swift" && l.Opts.HasNative != nil && l.Opts.HasNative(q.ref.Text+" of "+self.QualifiedName())
}

// witnessTypes returns the type arguments of a witness: Self, if the witness of a class takes it, then those of the conformance,
// then those of the requirement.
func witnessTypes(fn *ir.Function, table *ir.WitnessTable, binding map[string]*ir.Type, subs []*ir.Type) ([]*ir.Type, error) {
	sig, ok := funcTypeOf(fn)
	if !ok {
		return nil, unsupportedf("function %s: its type is no function type", fn.Name)
	}
	want := 0
	if sig.Generic != nil {
		want = len(sig.Generic.Params)
	}
	var types []*ir.Type
	if g := table.Conformance.Generic; g != nil {
		for _, p := range g.Params {
			t := binding[p.Name]
			if t == nil {
				return nil, unsupportedf("conformance %s: nothing is known of %s", table.Conformance.Text, p.Name)
			}
			types = append(types, t)
		}
	}
	types = append(types, subs[1:]...)
	switch want {
	case 0:
		return nil, nil
	case len(subs) - 1:
		return subs[1:], nil
	case len(types):
		return types, nil
	case len(types) + 1:
		return append([]*ir.Type{subs[0]}, types...), nil
	}
	return nil, unsupportedf("witness %s with %d type parameters for %d arguments", fn.Name, want, len(types))
}
