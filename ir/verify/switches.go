package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// enumOf returns the declaration of the enum that t is, or that memory at a t holds; nil when it isn't known. It reports types of another
// kind.
func (c *checker) enumOf(i *ir.Inst, t *ir.Type) *ir.Nominal {
	if !known(t) {
		return nil
	}
	t = c.mod.Canonical(facts.Selfless(t.Object()))
	d := c.mod.DeclOf(t)
	if d != nil && d.Kind == ir.Enum {
		return d
	}
	if d != nil && d.Kind != ir.TypeAlias && d.Kind != ir.ExtensionDecl || t.Kind != ir.KindNominal && !vague(t) && t.Kind != ir.KindParam {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s needs an enum, $%s is none", i.Op, t)
	}
	return nil
}

// caseOf finds a case of an enum, and reports when there is none of that name.
func (c *checker) caseOf(i *ir.Inst, d *ir.Nominal, m *ir.MemberAux) *ir.EnumCase {
	for n := range d.Cases {
		if d.Cases[n].Name == m.Name && c.named(d, m.Type) {
			return &d.Cases[n]
		}
	}
	if !d.Builtin || len(d.Cases) > 0 {
		c.diags.InstErrorf(i.Pos, "unknown-member", "%s has no case %s", d.Path, m.Name)
	}
	return nil
}

// switched checks that a switch or select names each case of its enum once, and a default where one is missing.
func switched(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.CaseAux)
	if !ok || len(i.Operands) == 0 {
		return
	}
	d := c.enumOf(i, i.Arg(0).Type)
	if d == nil {
		return
	}
	seen := map[string]bool{}
	hasDefault := false
	for n, m := range aux.Cases {
		if m == nil {
			hasDefault = true
			continue
		}
		if seen[m.Name] {
			c.diags.InstErrorf(i.Pos, "switch-cases", "%s names the case %s twice", i.Op, m.Name)
			continue
		}
		seen[m.Name] = true
		if k := c.caseOf(i, d, m); k != nil && i.Op == op.SwitchEnum && n < len(i.Succs) {
			c.casePassed(i, n, m, k)
		}
	}
	if !hasDefault {
		for n := range d.Cases {
			if !seen[d.Cases[n].Name] {
				c.diags.InstErrorf(i.Pos, "switch-cases", "%s has neither the case %s nor a default", i.Op, d.Cases[n].Name)
				break
			}
		}
	}
	switch i.Op {
	case op.SwitchEnumAddr:
		for n := range i.Succs {
			c.passedNothing(i, n)
		}
	case op.SwitchEnum:
		if hasDefault {
			c.defaultPassed(i, d, seen)
		}
	}
}

// casePassed checks the argument of the block for a case. Outside of ownership form it may ignore the payload.
func (c *checker) casePassed(i *ir.Inst, n int, m *ir.MemberAux, k *ir.EnumCase) {
	to := i.Succs[n].To
	if k.Payload == nil {
		c.passedNothing(i, n)
		return
	}
	if to == nil || !c.ossa && len(to.Args) == 0 {
		return
	}
	payload, ok := c.types.Payload(i.Arg(0).Type, m)
	if !ok || k.Indirect {
		payload = nil
	}
	c.passed(i, n, c.mod.Lowered(payload))
}

// defaultPassed checks the argument of the block for the other cases: in ownership form it takes the payload when one case is left,
// the enum otherwise.
func (c *checker) defaultPassed(i *ir.Inst, d *ir.Nominal, seen map[string]bool) {
	last := len(i.Succs) - 1
	if last < 0 {
		return
	}
	if !c.ossa {
		c.passedNothing(i, last)
		return
	}
	var left []*ir.EnumCase
	for n := range d.Cases {
		if !seen[d.Cases[n].Name] {
			left = append(left, &d.Cases[n])
		}
	}
	switch {
	case len(left) == 1:
		c.casePassed(i, last, &ir.MemberAux{Type: d.Path, Name: left[0].Name}, left[0])
	case len(left) > 1:
		c.passed(i, last, i.Arg(0).Type)
	}
}

// enumMade checks that an enum is made with a payload if and only if its case has one.
func enumMade(c *checker, i *ir.Inst) {
	m, ok := i.Aux.(*ir.MemberAux)
	r := i.Result()
	if !ok || r == nil {
		return
	}
	d := c.enumOf(i, r.Type)
	if d == nil {
		return
	}
	k := c.caseOf(i, d, m)
	if k == nil {
		return
	}
	switch {
	case k.Payload == nil && len(i.Operands) > 0:
		c.diags.InstErrorf(i.Pos, "argument-count", "the case %s has no payload", m.Name)
	case k.Payload != nil && len(i.Operands) == 0:
		c.diags.InstErrorf(i.Pos, "argument-count", "the case %s needs a payload", m.Name)
	case k.Payload != nil:
		want, ok := c.types.Payload(r.Type, m)
		if want = c.mod.Lowered(want); ok && !k.Indirect && c.differ(i.Arg(0).Type, want) {
			c.diags.InstErrorf(i.Pos, "operand-type", "the case %s holds a $%s, not a $%s", m.Name, want, i.Arg(0).Type)
		}
	}
}

// payloadTaken checks that the payload of an enum is asked for where the case has one; inject_enum_addr may name any case.
func payloadTaken(c *checker, i *ir.Inst) {
	m, ok := i.Aux.(*ir.MemberAux)
	if !ok || len(i.Operands) == 0 {
		return
	}
	d := c.enumOf(i, i.Arg(0).Type)
	if d == nil {
		return
	}
	if k := c.caseOf(i, d, m); k != nil && k.Payload == nil && i.Op != op.InjectEnumAddr {
		c.diags.InstErrorf(i.Pos, "unknown-member", "the case %s has no payload", m.Name)
	}
}

// switchedValue checks the values that a switch_value compares with.
func switchedValue(c *checker, i *ir.Inst) {
	seen := map[*ir.Value]bool{}
	for n := range i.Operands {
		if n == 0 {
			continue
		}
		if v := i.Arg(n); seen[v] {
			c.diags.InstErrorf(i.Pos, "switch-cases", "switch_value names %s twice", v)
		} else if seen[v] = true; c.differ(v.Type, i.Arg(0).Type) {
			c.diags.InstErrorf(i.Pos, "operand-type", "switch_value compares a $%s with a $%s", i.Arg(0).Type, v.Type)
		}
	}
	for n := range i.Succs {
		c.passedNothing(i, n)
	}
}
