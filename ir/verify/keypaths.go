package verify

import (
	"silvm/ir"
)

// keyPath checks that the components of a key path lead from its root to its value: from the type before each, stored properties are
// there and of their type, and the last leads to the value (docs/SIL.rst, keypath).
func keyPath(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.KeyPathAux)
	r := i.Result()
	if !ok || aux.Root == nil || r == nil || !known(r.Type) {
		return
	}
	t := c.mod.Canonical(r.Type)
	if class := c.mod.ClassConstraint(t); class != nil {
		t = class
	}
	if d := c.mod.DeclOf(t); d != nil && !d.Builtin && onlyStandard(c.mod) {
		c.diags.InstErrorf(i.Pos, "key-path", "%s gives a $%s, which is no key path", i.Op, t)
		return
	}
	if t.Kind != ir.KindNominal || len(t.Args) != 2 {
		return
	}
	subst := func(t *ir.Type) *ir.Type {
		if t == nil || aux.Generic == nil {
			return t
		}
		return c.mod.Types.Subst(t, ir.BindParams(aux.Generic, aux.Subs))
	}
	at := subst(aux.Root)
	if c.differ(at, t.Args[0]) {
		c.diags.InstErrorf(i.Pos, "key-path", "the root of the key path is $%s, its type says $%s", at, t.Args[0])
		return
	}
	for n := range aux.Components {
		k := &aux.Components[n]
		next := subst(k.Type)
		if k.Kind == ir.KeyPathStored && k.Member != nil && known(at) && next != nil {
			if !c.stored(i, k.Member, at, next) {
				return
			}
		}
		if next == nil {
			return
		}
		at = next
	}
	if c.differ(at, t.Args[1]) {
		c.diags.InstErrorf(i.Pos, "key-path", "the key path leads to a $%s, its type says $%s", at, t.Args[1])
	}
}

// stored checks a stored property of a key path.
func (c *checker) stored(i *ir.Inst, m *ir.MemberAux, base, value *ir.Type) bool {
	for base := range c.mod.Ancestry(base) {
		d := c.mod.DeclOf(c.mod.Canonical(base))
		if d == nil || d.Builtin || d.Kind == ir.TypeAlias || d.Kind == ir.Protocol {
			return true
		}
		for n := range d.Fields {
			f := &d.Fields[n]
			if f.Name == "" {
				return true
			}
			if f.Name != m.Property() {
				continue
			}
			if !f.Weak && f.Type != nil && f.Type.Kind != ir.KindStorage && c.differ(c.mod.Types.Subst(f.Type, ir.BindNominal(d, c.mod.Canonical(base))), value) {
				c.diags.InstErrorf(i.Pos, "key-path", "%s.%s is a $%s, not a $%s", d.Path, m.Name, f.Type, value)
				return false
			}
			return true
		}
		if d.Kind != ir.Class && d.Kind != ir.Actor {
			break
		}
	}
	c.diags.InstErrorf(i.Pos, "key-path", "nothing called %s is stored in it", m.Name)
	return false
}
