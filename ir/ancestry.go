package ir

import "iter"

// Ancestry: the classes that a class inherits from, asked here by everybody. A type's ancestors come with their generic arguments; a
// declaration's say nothing of arguments. A chain may end at a superclass that nobody declares: then "inherits" is not known to be false,
// and what relies on that asks a question with May.

// maxAncestry bounds a chain of superclasses: in text written by hand a class can inherit from itself.
const maxAncestry = 1000

// Superclass returns the superclass of a class type with its generic arguments, nil when there is none.
func (m *Module) Superclass(t *Type) *Type {
	t = selfless(t)
	d := m.DeclOf(t)
	if d == nil || d.Super == nil {
		return nil
	}
	return m.Canonical(m.Types.Subst(d.Super, BindNominal(d, t)))
}

// ClassConstraint returns the class that the values of an existential type are of: C of any C & P. It is nil when no constraint is a class.
func (m *Module) ClassConstraint(t *Type) *Type {
	if t.Kind != KindExistential {
		return nil
	}
	for _, c := range t.Args {
		if d := m.DeclOf(c); d != nil && d.Kind == Class {
			return c
		}
	}
	return nil
}

// Ancestry iterates over a type and its superclasses, the nearest first. The last one may be a class that nobody declares.
func (m *Module) Ancestry(t *Type) iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		for n := 0; t != nil && n < maxAncestry && yield(t); n++ {
			t = m.Superclass(t)
		}
	}
}

// DeclAncestry iterates over a class and its superclasses, the nearest first, as far as they are declared.
func (m *Module) DeclAncestry(d *Nominal) iter.Seq[*Nominal] {
	return func(yield func(*Nominal) bool) {
		for n := 0; d != nil && n < maxAncestry && yield(d); n++ {
			d = m.DeclOf(d.Super)
		}
	}
}

// Inherits reports whether class sub is super or inherits from it, with these generic arguments, under whatever names.
func (m *Module) Inherits(sub, super *Type) bool {
	super = m.Canonical(super)
	for t := range m.Ancestry(sub) {
		if m.Canonical(t) == super {
			return true
		}
	}
	return false
}

// MayInherit is Inherits where a class that nobody declares may inherit from any.
func (m *Module) MayInherit(sub, super *Type) bool {
	return m.Inherits(sub, super) || !m.KnowsAncestry(m.DeclOf(selfless(sub)))
}

// AncestorNamed returns the class of that name among a type and its superclasses, nil when none has it.
func (m *Module) AncestorNamed(t *Type, name string) *Type {
	for t := range m.Ancestry(t) {
		if t.QualifiedName() == name {
			return t
		}
	}
	return nil
}

// ConformanceBase returns the class from which a type has its conformance to a protocol: of the superclasses that conform the farthest, or
// else the type itself.
func (m *Module) ConformanceBase(t, proto *Type) *Type {
	base := t
	for up := range m.Ancestry(m.Superclass(t)) {
		if !m.Conforms(up, proto) {
			break
		}
		base = up
	}
	return base
}

// Derives reports whether class d is base or inherits from it, with whatever generic arguments.
func (m *Module) Derives(d, base *Nominal) bool {
	for c := range m.DeclAncestry(d) {
		if c == base {
			return true
		}
	}
	return false
}

// MayDerive is Derives where a class that nobody declares may inherit from any.
func (m *Module) MayDerive(d, base *Nominal) bool {
	return m.Derives(d, base) || !m.KnowsAncestry(d)
}

// KnowsAncestry reports whether a class and all its superclasses are declared.
func (m *Module) KnowsAncestry(d *Nominal) bool {
	var root *Nominal
	for root = range m.DeclAncestry(d) {
	}
	return root != nil && root.Super == nil
}
