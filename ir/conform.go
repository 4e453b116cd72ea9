package ir

import (
	"slices"

	"silvm/ir/worklist"
)

// conformanceIndex finds what conforms to what. It is built when first asked and grows with the module.
type conformanceIndex struct {
	tables map[string][]*WitnessTable // by the qualified name of the conforming type
	exts   map[string][]*Nominal      // extensions by the name of the extended type
	nTable int                        // how many of WitnessTables are in it
	nExt   int                        // how many of Extensions are in it
}

func (m *Module) refreshIndex() {
	x := &m.index
	if x.tables == nil {
		x.tables, x.exts = map[string][]*WitnessTable{}, map[string][]*Nominal{}
	}
	for ; x.nTable < len(m.WitnessTables); x.nTable++ {
		w := m.WitnessTables[x.nTable]
		if name := w.Conformance.Type.conformingName(); name != "" {
			x.tables[name] = append(x.tables[name], w)
		}
	}
	for ; x.nExt < len(m.Extensions); x.nExt++ {
		e := m.Extensions[x.nExt]
		x.exts[e.Path] = append(x.exts[e.Path], e)
	}
}

// conformingName is the name under which the conformances of a type are kept, "" when it can have none of its own.
func (t *Type) conformingName() string {
	if t == nil {
		return ""
	}
	return t.QualifiedName()
}

// extensionsOf returns the extensions of a type, those of the standard library included.
func (m *Module) extensionsOf(t *Type) []*Nominal {
	name := t.QualifiedName()
	m.DeclOf(t) // may declare it, and its extensions with it
	m.refreshIndex()
	return m.index.exts[name]
}

// WitnessTable returns the table by which a type conforms to a protocol, and what the generic parameters of the
// table's conformance stand for; a table that is specialized for the type comes before the generic one. A class has the tables of its superclasses. Table and map are nil when the module
// has none, which does not mean that the type does not conform; see Conforms. Default tables are not looked at.
func (m *Module) WitnessTable(t *Type, proto string) (*WitnessTable, map[string]*Type) {
	for t := range m.Ancestry(m.withoutMarkers(selfless(t), true)) {
		m.askTables(t.conformingName(), proto)
		m.refreshIndex()
		var found *WitnessTable
		var args map[string]*Type
		for _, w := range m.index.tables[t.conformingName()] {
			if w.Default || w.Conformance.Protocol.QualifiedName() != proto || found != nil && !w.Conformance.Specialized {
				continue
			}
			if binding, ok := matchType(w.Conformance.Type, t); ok {
				found, args = w, binding
			}
		}
		if found != nil {
			return found, args
		}
	}
	return nil, nil
}

// matchType reports whether t is pattern with types put for its generic parameters, and which.
func matchType(pattern, t *Type) (map[string]*Type, bool) {
	binding := map[string]*Type{}
	type pair struct{ p, t *Type }
	work := []pair{{pattern, t}}
	for x := range worklist.Drain(&work) {
		switch {
		case x.p == x.t && x.p == nil:
		case x.p == nil || x.t == nil:
			return nil, false
		case x.p.Kind == KindParam:
			if old := binding[x.p.Name]; old != nil && old != x.t {
				return nil, false
			}
			binding[x.p.Name] = x.t
		case x.p == x.t && !x.p.generic:
		case x.p.Kind == KindNominal && expansionIn(x.p) >= 0:
			before, after, ok := matchExpansion(x.p, x.t, binding)
			if !ok {
				return nil, false
			}
			work = append(work, pair{x.p.Parent, x.t.Parent})
			for i := range before {
				work = append(work, pair{x.p.Args[i], x.t.Args[i]})
			}
			for i := 1; i <= after; i++ {
				work = append(work, pair{x.p.Args[len(x.p.Args)-i], x.t.Args[len(x.t.Args)-i]})
			}
		case !x.p.IsNamedAlike(x.t) || len(x.p.Args) != len(x.t.Args) || x.p.Func != nil || x.p.Box != nil:
			return nil, false
		default:
			work = append(work, pair{x.p.Elem, x.t.Elem}, pair{x.p.Parent, x.t.Parent})
			for i := range x.p.Args {
				work = append(work, pair{x.p.Args[i], x.t.Args[i]})
			}
		}
	}
	return binding, true
}

// expansionIn returns the place of repeat each T among the arguments of a nominal type, -1 when there is none.
func expansionIn(t *Type) int {
	return slices.IndexFunc(t.Args, func(a *Type) bool { return a.Kind == KindPackExpansion })
}

// matchExpansion binds the parameter pack T of a pattern such as Zip<repeat each T> to the arguments of t that stand for it, and says how
// many arguments are before and after them.
func matchExpansion(pattern, t *Type, binding map[string]*Type) (before, after int, ok bool) {
	before = expansionIn(pattern)
	after = len(pattern.Args) - 1 - before
	param := pattern.Args[before].Elem
	if param.Kind == KindPackReference {
		param = param.Elem
	}
	if t.Kind != KindNominal || t.Name != pattern.Name || len(t.Args) < before+after || param.Kind != KindParam {
		return 0, 0, false
	}
	rest := t.Args[before : len(t.Args)-after : len(t.Args)-after]
	pack := t.table.Intern(&Type{Kind: KindPack, Args: rest})
	if len(rest) == 1 && rest[0].Kind == KindPack {
		pack = rest[0]
	}
	if old := binding[param.Name]; old != nil && old != pack {
		return 0, 0, false
	}
	binding[param.Name] = pack
	return before, after, true
}

// bindNames returns a replacement function for Subst from the parameters named in the map.
func bindNames(binding map[string]*Type) func(*Type) *Type {
	return func(t *Type) *Type {
		if t.Kind == KindParam {
			return binding[t.Name]
		}
		return nil
	}
}

// maxConformanceDepth bounds how deep the proof of a conditional conformance may go.
const maxConformanceDepth = 300

// IsCopyable reports whether values of a concrete type may be copied. A type that is ~Copyable may be copied when
// an extension makes it Copyable for its generic arguments.
func (m *Module) IsCopyable(t *Type) bool { return m.isInvertible(m.Canonical(t), KnownCopyable, 0) }

// IsEscapable reports whether values of a concrete type may outlive what they were made from, see IsCopyable.
func (m *Module) IsEscapable(t *Type) bool { return m.isInvertible(m.Canonical(t), KnownEscapable, 0) }

// isInvertible reports whether a type conforms to Copyable or Escapable, which every type does that does not say otherwise.
func (m *Module) isInvertible(t *Type, p Known, depth int) bool {
	if depth > maxConformanceDepth {
		return true
	}
	t = selfless(t)
	switch t.Kind {
	case KindTuple:
		for _, e := range t.Args {
			if !m.isInvertible(e, p, depth+1) {
				return false
			}
		}
	case KindExistential:
		for _, c := range t.Args {
			if c.Inverse() == p {
				return false
			}
		}
	case KindNominal:
		d := m.DeclOf(t)
		if d == nil {
			return true
		}
		conforms := !d.NonCopyable
		if p == KnownEscapable {
			conforms = !d.NonEscapable
		}
		for _, e := range m.extensionsOf(t) {
			for _, x := range e.Inherits {
				if x.known == p {
					if m.requirementsMet(e.Generic, BindNominal(d, t), depth+1) {
						return true
					}
					conforms = false
				}
			}
		}
		return conforms
	}
	return true
}

// IsMirrored reports whether a mirror of a value of nominal type t shows the value of its property or payload of that name. The metadata has no
// type for one whose declared type is a struct or enum that is not copyable for all arguments that the declaration of t allows; Optional is exempt.
func (m *Module) IsMirrored(t *Type, name string) bool {
	d := m.DeclOf(t)
	if d == nil {
		return true
	}
	var declared *Type
	for n := range d.Fields {
		if f := &d.Fields[n]; f.Name == name {
			declared = f.Type
		}
	}
	for n := range d.Cases {
		if c := &d.Cases[n]; c.Name == name {
			declared = c.Payload
		}
	}
	if declared = m.Canonical(declared); declared == nil || declared.Kind != KindNominal || declared.OptionalPayload() != nil {
		return true
	}
	if of := m.DeclOf(declared); of == nil || !of.NonCopyable {
		return true
	}
	return m.IsCopyable(m.Types.Subst(declared, func(x *Type) *Type {
		for _, sig := range d.signatures() {
			for n := range sig.Requirements {
				if r := &sig.Requirements[n]; r.Subject == x && r.Inverse() == KnownCopyable {
					return m.Types.Intern(&Type{Kind: KindExistential, Args: []*Type{m.Types.Unparsed("~Copyable")}})
				}
			}
		}
		return nil
	}))
}

// AssociatedType returns what the associated type of that name is for t: Int for Index of Array<String>. The
// protocol may be "" when any will do. nil when t is not concrete enough or nobody says.
func (m *Module) AssociatedType(t *Type, proto, name string) *Type {
	for t := range m.Ancestry(m.withoutMarkers(selfless(t), true)) {
		if t.Kind != KindNominal {
			return nil
		}
		if r := m.witnessedType(t, proto, name); r != nil {
			return m.Canonical(r)
		}
		if r := m.declaredType(t, name); r != nil {
			return m.Canonical(r)
		}
		if r := m.derivedFailure(t, proto, name); r != nil {
			return m.Canonical(r)
		}
	}
	return nil
}

// derivedFailure returns what Failure is for a type of the concurrency library, whose declarations have it under the names by which the
// compiler derived it: __AsyncSequence_Failure and __AsyncIteratorProtocol_Failure.
func (m *Module) derivedFailure(t *Type, proto, name string) *Type {
	d := m.DeclOf(t)
	if name != "Failure" || d == nil {
		return nil
	}
	for _, p := range []string{"AsyncSequence", "AsyncIteratorProtocol"} {
		if a := d.Aliases["__"+p+"_Failure"]; a != nil && (proto == "" || proto == p) {
			return m.Types.Subst(a, BindNominal(d, t))
		}
	}
	return nil
}

// witnessedType looks into the witness tables.
func (m *Module) witnessedType(t *Type, proto, name string) *Type {
	m.askTables(t.conformingName(), "")
	m.refreshIndex()
	var found *Type
	for _, w := range m.index.tables[t.conformingName()] {
		same := w.Conformance.Protocol.QualifiedName() == proto
		if found != nil && !same {
			continue
		}
		for i := range w.Entries {
			e := &w.Entries[i]
			if e.Kind != WitnessAssociatedType || e.Name != name || e.Type == nil {
				continue
			}
			if binding, ok := matchType(w.Conformance.Type, t); ok {
				found = m.Types.Subst(e.Type, bindNames(binding))
				if same {
					return found
				}
			}
		}
	}
	return found
}

// declaredType looks for a typealias, a nested type or a generic parameter of that name.
func (m *Module) declaredType(t *Type, name string) *Type {
	d := m.DeclOf(t)
	if d == nil {
		return nil
	}
	bind := BindNominal(d, t)
	if a := d.Aliases[name]; a != nil {
		return m.Types.Subst(a, bind)
	}
	for _, e := range m.extensionsOf(t) {
		if a := e.Aliases[name]; a != nil && m.requirementsMet(e.Generic, bind, 0) {
			return m.Types.Subst(a, bind)
		}
	}
	if m.Nominals[d.Path+"."+name] != nil {
		return m.Types.Nominal(t, name)
	}
	return bind(m.Types.Param(name))
}

// requirementsMet reports whether all requirements hold once bind has replaced the parameters.
func (m *Module) requirementsMet(sig *GenericSig, bind func(*Type) *Type, depth int) bool {
	if sig == nil {
		return true
	}
	if depth > maxConformanceDepth {
		return false
	}
	for _, r := range sig.Requirements {
		subject := m.Canonical(m.Types.Subst(r.Subject, bind))
		switch r.Kind {
		case ReqConformance:
			if shape := r.shape(); shape != nil {
				if _, ok := m.Types.expand(shape, bind); !ok {
					return false
				}
				continue
			}
			proto := m.Canonical(m.Types.Subst(r.Type, bind))
			for _, t := range m.eachOf(r.Subject, subject, bind) {
				if !m.conforms(t, proto, depth+1) {
					return false
				}
			}
		case ReqSameType:
			if subject != m.Canonical(m.Types.Subst(r.Type, bind)) {
				return false
			}
		case ReqLayout:
			if r.Layout() == LayoutAnyObject && !m.IsClassType(subject) {
				return false
			}
		}
	}
	return true
}

// shape returns the expansion in (repeat (each T, each U)) : Any, which says no more than that the packs in it are of one length; nil for
// any other requirement.
func (r *Requirement) shape() *Type {
	t := r.Subject
	if t.Kind == KindTuple && len(t.Args) == 1 {
		t = t.Args[0]
	}
	if t.Kind == KindPackExpansion && r.Type.Kind == KindExistential && len(r.Type.Args) == 0 {
		return t
	}
	return nil
}

// ConformanceActor returns the global actor that the conformance of a type is isolated to (struct S : @MainActor P), by itself or by what it
// requires of the type's arguments; nil when there is none.
func (m *Module) ConformanceActor(t, proto *Type) *Type {
	return m.conformanceActor(m.Canonical(t), proto.QualifiedName(), 0)
}

// conformanceActor finds the actor that isolates a conformance: by the declarations of the type and its superclasses, or by the witness table.
func (m *Module) conformanceActor(t *Type, proto string, depth int) *Type {
	if depth > maxConformanceDepth {
		return nil
	}
	for t := range m.Ancestry(selfless(t)) {
		if t.Kind != KindNominal {
			return nil
		}
		decls := m.extensionsOf(t)
		if d := m.DeclOf(t); d != nil {
			decls = append([]*Nominal{d}, decls...)
		}
		for _, d := range decls {
			for _, x := range d.Isolated {
				if a := m.GlobalActor(x.Actor); a != nil && m.Refines(x.Protocol, proto) {
					return a
				}
			}
		}
		if w, binding := m.WitnessTable(t, proto); w != nil && w.Conformance.Generic != nil {
			for _, r := range w.Conformance.Generic.Requirements {
				if r.Kind != ReqConformance {
					continue
				}
				subject := m.Canonical(m.Types.Subst(r.Subject, bindNames(binding)))
				for _, s := range m.eachOf(r.Subject, subject, bindNames(binding)) {
					if a := m.conformanceActor(s, r.Type.QualifiedName(), depth+1); a != nil {
						return a
					}
				}
			}
		}
	}
	return nil
}

// eachOf returns the types of which a requirement speaks: the elements of the packs in its subject, if it has some, else the subject itself
// with its parameters replaced.
func (m *Module) eachOf(written, subject *Type, bind func(*Type) *Type) []*Type {
	if subject != nil && subject.Kind == KindPack {
		return subject.Args
	}
	if written.Kind != KindPackExpansion {
		return []*Type{subject}
	}
	elements, ok := m.Types.expand(written, bind)
	if !ok {
		return []*Type{subject}
	}
	for n, e := range elements {
		elements[n] = m.Canonical(e)
	}
	return elements
}

// IsClassType reports whether values of the type are single references to class instances.
func (m *Module) IsClassType(t *Type) bool {
	t = selfless(t)
	switch t.Kind {
	case KindNominal:
		d := m.DeclOf(t)
		return d != nil && (d.Kind == Class || d.Kind == Actor)
	case KindExistential:
		return len(t.Args) == 1 && t.Args[0].known == KnownAnyObject
	case KindBuiltin:
		return t.IsBuiltin(BuiltinNativeObject)
	}
	return false
}

// Conforms reports whether a concrete type conforms to a protocol: by a witness table, by what the
// declarations and the standard library's facts say, or by inheritance. With a class for proto it says
// whether t is that class or a subclass of it.
func (m *Module) Conforms(t, proto *Type) bool {
	return m.conforms(m.Canonical(t), m.Canonical(proto), 0)
}

func (m *Module) conforms(t, proto *Type, depth int) bool {
	if t == nil || proto == nil || depth > maxConformanceDepth {
		return false
	}
	t = selfless(t)
	name := proto.QualifiedName()
	switch proto.known {
	case KnownSendable, KnownBitwiseCopyable, KnownSendableMetatype:
		return true
	case KnownCopyable, KnownEscapable:
		return m.isInvertible(t, proto.known, depth)
	}
	if t = m.withoutMarkers(t, true); t.Kind == KindExistential {
		return proto.known == KnownError && t.IsAnyError()
	}
	for t := range m.Ancestry(t) {
		if t.Kind != KindNominal {
			return false
		}
		if t == proto || m.conformsItself(t, name, depth) {
			return true
		}
	}
	return false
}

// conformsItself leaves superclasses aside.
func (m *Module) conformsItself(t *Type, proto string, depth int) bool {
	d := m.DeclOf(t)
	m.askTables(t.conformingName(), "")
	m.refreshIndex()
	for _, w := range m.index.tables[t.conformingName()] {
		if w.Default || !m.Refines(w.Conformance.Protocol, proto) {
			continue
		}
		if binding, ok := matchType(w.Conformance.Type, t); ok && m.requirementsMet(w.Conformance.Generic, bindNames(binding), depth) {
			return true
		}
	}
	if d == nil {
		return false
	}
	for _, p := range d.Inherits {
		if m.Refines(p, proto) {
			return true
		}
	}
	for _, e := range m.extensionsOf(t) {
		for _, p := range e.Inherits {
			if m.Refines(p, proto) && m.requirementsMet(e.Generic, BindNominal(d, t), depth) {
				return true
			}
		}
	}
	return false
}

// Refines reports whether p is the protocol of that name or inherits from it.
func (m *Module) Refines(p *Type, name string) bool {
	work := worklist.Of(p)
	for p := range work.All() {
		if p == nil {
			continue
		}
		if p.QualifiedName() == name {
			return true
		}
		if p.Kind == KindExistential {
			work.Push(p.Args...)
			continue
		}
		if d := m.DeclOf(p); d != nil && d.Kind == Protocol {
			work.Push(d.Inherits...)
		}
	}
	return false
}
