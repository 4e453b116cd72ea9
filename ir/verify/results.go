package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// results checks that the types of the results follow from the operands and from what the instruction names.
func (c *checker) results(i *ir.Inst) {
	if len(i.Results) == 0 || i.Op == op.Invalid {
		return
	}
	if _, ok := i.Aux.(*ir.TextAux); ok {
		return
	}
	types, exact := c.mod.ResultTypes(i)
	if exact || c.takesBox(i) {
		return
	}
	for n, r := range i.Results {
		if n < len(types) && types[n] != nil && c.differ(r.Type, types[n]) {
			c.diags.InstErrorf(i.Pos, "result-type", "the result of %s is $%s, not $%s", i.Op, types[n], r.Type)
			return
		}
	}
	if rule := i.Row().Results.Type; rule == op.TypeFields && len(types) > 0 && len(types) != len(i.Results) {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives %d results, the struct has %d fields", i.Op, len(i.Results), len(types))
	}
}

// takesBox reports whether an instruction takes the payload of a case that keeps it in a box.
func (c *checker) takesBox(i *ir.Inst) bool {
	switch i.Row().Results.Type {
	case op.TypePayload, op.TypePayloadAddress:
	default:
		return false
	}
	m, ok := i.Aux.(*ir.MemberAux)
	if !ok || len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return false
	}
	d := c.mod.DeclOf(c.mod.Canonical(facts.Selfless(i.Arg(0).Type.Object())))
	if d == nil {
		return false
	}
	for n := range d.Cases {
		if d.Cases[n].Name == m.Name {
			return d.Cases[n].Indirect
		}
	}
	return false
}

// passed checks the argument that a terminator passes to a block. edge is its number; want may be nil where it is not known.
func (c *checker) passed(i *ir.Inst, edge int, want *ir.Type) {
	to := i.Succs[edge].To
	if to == nil || to.Func != c.f {
		return
	}
	if len(to.Args) != 1 {
		c.diags.InstErrorf(i.Pos, "argument-count", "%s gives %s one argument, it takes %d", i.Op, to.Name, len(to.Args))
		return
	}
	if got := to.Args[0].Type; c.differ(got, want) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s gives %s a $%s, it takes a $%s", i.Op, to.Name, want, got)
	}
}

// passedNothing checks that a block takes no argument.
func (c *checker) passedNothing(i *ir.Inst, edge int) {
	if to := i.Succs[edge].To; to != nil && to.Func == c.f && len(to.Args) != 0 {
		c.diags.InstErrorf(i.Pos, "argument-count", "%s gives %s no argument, it takes %d", i.Op, to.Name, len(to.Args))
	}
}
