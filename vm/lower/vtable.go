package lower

import (
	"strings"

	"silvm/ir"
	"silvm/vm/code"
)

// slotKey names a vtable slot: the declaration that introduced it, with its type, since overloads share a name.
func slotKey(ref ir.DeclRef, t ir.DeclType) string { return ref.Text + " : " + t.String() }

// entryKey returns the key under which the vtable of a class has the method that m names. Where m names an override, the entry
// is that of the declaration that it overrides: the one of a superclass with the same name and, where several have that, with
// the same type, or else the same parameters: an override may return more (docs/SIL.rst, class_method).
func (l *Lowerer) entryKey(c *code.Class, m *ir.MethodAux) (string, error) {
	key := slotKey(m.Ref, m.DeclType)
	if l.ambiguous[key] {
		return "", unsupportedf("method %s : %s, which stands for several methods: the text does not say which", m.Ref.Text, m.DeclType)
	}
	if c.Has(key) {
		return key, nil
	}
	var named, typed, alike, covariant []string
	for _, e := range l.overridden(c, m.Ref) {
		if e.DeclType.IsKnown() && m.DeclType.IsKnown() && e.DeclType.OfType() != m.DeclType.OfType() {
			continue // a method of instances overrides no method of the class
		}
		k := slotKey(e.Ref, e.DeclType)
		if named = append(named, k); e.DeclType.Method() == m.DeclType.Method() {
			typed = append(typed, k)
		}
		if e.DeclType.Params() == m.DeclType.Params() {
			alike = append(alike, k)
			if l.isSubclassName(resultClass(m.DeclType), resultClass(e.DeclType)) {
				covariant = append(covariant, k)
			}
		}
	}
	switch {
	case len(typed) == 1:
		return typed[0], nil
	case len(named) == 1:
		return named[0], nil
	case len(alike) == 1:
		return alike[0], nil
	case len(covariant) == 1:
		return covariant[0], nil
	}
	if k := l.unqualifiedKey(c, m); k != "" {
		return k, nil
	}
	if len(named) > 1 {
		return "", unsupportedf("method %s, of which the vtable of %s has several", m.Ref.Text, c.Type.Name)
	}
	return "", unsupportedf("method %s, which the vtable of %s has not", m.Ref.Text, c.Type.Name)
}

// unqualifiedKey returns the key of the one entry that has the parameters of a method where types of other modules go by their last names: a
// table says StdlibUnittest.T for what the instruction calls T. "" when there is none or several.
func (l *Lowerer) unqualifiedKey(c *code.Class, m *ir.MethodAux) (found string) {
	for _, e := range l.overridden(c, m.Ref) {
		if e.DeclType.Unqualified().Method() != m.DeclType.Unqualified().Method() {
			continue
		}
		if found != "" {
			return ""
		}
		found = slotKey(e.Ref, e.DeclType)
	}
	return found
}

// noteAmbiguous notes the methods that the text of a table does not tell apart: they differ in the labels of their parameters alone, and
// the text of a method's name has no labels.
func (l *Lowerer) noteAmbiguous(table *ir.VTable) {
	seen := map[string]string{}
	for _, e := range table.Entries {
		key := slotKey(e.Ref, e.DeclType)
		if f, twice := seen[key]; twice && f != e.Func {
			if l.ambiguous == nil {
				l.ambiguous = map[string]bool{}
			}
			l.ambiguous[key] = true
		}
		seen[key] = e.Func
	}
}

// overridden lists the entries in the vtable of the class that ref names whose declarations a method of ref's name can override.
func (l *Lowerer) overridden(c *code.Class, ref ir.DeclRef) []ir.VTableEntry {
	for ; c != nil; c = c.Super {
		if c.Type.Type.QualifiedName() == ref.Owner() {
			break
		}
	}
	if c == nil {
		return nil
	}
	table := l.vtable(c.Type.Type)
	if table == nil {
		return nil
	}
	var found []ir.VTableEntry
	for _, e := range table.Entries {
		if e.Ref.InOwner() == ref.InOwner() {
			found = append(found, e)
		}
	}
	return found
}

// resultClass returns the name of the type that a method returns, without its type arguments.
func resultClass(t ir.DeclType) string {
	name, _, _ := strings.Cut(t.Result(), "<")
	return name
}

// isSubclassName reports whether the type of one name is that of the other, a subclass of it, or a class that conforms to it.
func (l *Lowerer) isSubclassName(name, super string) bool {
	if name == super {
		return true
	}
	d, base := l.Mod.Nominal(name), l.Mod.Nominal(super)
	if d == nil {
		return false
	}
	t := l.Mod.SelfType(d)
	return l.Mod.AncestorNamed(t, super) != nil || base != nil && base.Kind == ir.Protocol && l.Mod.Conforms(t, l.Mod.SelfType(base))
}

// genericMethod calls a method that is generic itself: for each class that the object can have and each list of type arguments
// there is another function. subs are the type arguments of the method's whole signature.
func (a *application) genericMethod(b *builder, c *callee, subs []*ir.Type) error {
	own, err := ownArgs(a.Arg(0).Type, subs)
	if err != nil {
		return err
	}
	class := b.Mod.Types.Intern(&ir.Type{Kind: ir.KindOpened, Name: "dynamic class", Elem: b.Mod.Types.Nominal(nil, "AnyObject")})
	l, key := b.Lowerer, c.key
	index, more, fix, err := b.dynCall(nil, own, func(types []*ir.Type) (int, error) { return l.genericEntry(key, types) })
	if err != nil {
		return err
	}
	d := b.Prog.DynCalls[index]
	d.Args = append([]code.TypeTemplate{{Type: class, Open: []*ir.Type{class}, Regs: make([]uint16, 1)}}, d.Args...)
	a.target = minst{Op: code.CallDyn, Imm: index, More: append([]reg{c.self}, more...), Fix: fix}
	return nil
}

// ownArgs returns those type arguments of a method that its class does not bind.
func ownArgs(t *ir.Type, subs []*ir.Type) ([]*ir.Type, error) {
	sig := t.Object().Func.Generic
	if sig == nil || len(sig.Params) != len(subs) {
		return nil, unsupportedf("a generic method of type %s with %d type arguments", t, len(subs))
	}
	bound := map[string]bool{}
	if self := selfOf(t.Object().Func); self != nil {
		for _, p := range self.AllArgs() {
			bound[p.Name] = p.Kind == ir.KindParam
		}
	}
	var own []*ir.Type
	for n, p := range sig.Params {
		if !bound[p.Name] {
			own = append(own, subs[n])
		}
	}
	return own, nil
}

// genericEntry returns the function of a vtable entry that is generic itself: types are the class of the object and the method's own
// type arguments.
func (l *Lowerer) genericEntry(key string, types []*ir.Type) (int, error) {
	_, class, err := l.class(types[0])
	if err != nil {
		return 0, err
	}
	f := class.Generic[key]
	if f == nil {
		return 0, unsupportedf("method %s, which the vtable of %s has not", key, class.Type.Name)
	}
	return l.methodFor(f, class.Layout, types[1:])
}
