package verify

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// structMade checks that a struct is made of one value for each stored field, of its type.
func structMade(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || !known(r.Type) {
		return
	}
	t := c.mod.Canonical(facts.Selfless(r.Type))
	d := c.mod.DeclOf(t)
	if d == nil || d.Kind != ir.Struct {
		if d != nil && d.Kind != ir.TypeAlias && d.Kind != ir.ExtensionDecl || t.Kind != ir.KindNominal && !vague(t) {
			c.diags.InstErrorf(i.Pos, "result-type", "struct makes a $%s, which is no struct", r.Type)
		}
		return
	}
	fields, _ := c.types.FieldTypes(t)
	if len(fields) == 0 && d.Builtin || isVague(d) {
		return
	}
	given := len(i.Operands)
	for given > len(fields) && i.Arg(given-1).IsUndef() {
		given-- // hand-written SIL fills a type whose fields it does not declare
	}
	if len(fields) != given {
		c.diags.InstErrorf(i.Pos, "argument-count", "struct of %d values, $%s has %d fields", len(i.Operands), r.Type, len(fields))
		return
	}
	for n := range fields {
		if got, want := i.Arg(n).Type, c.mod.Lowered(fields[n]); c.differ(got, want) {
			c.diags.InstErrorf(i.Pos, "operand-type", "field %d of $%s is $%s, not $%s", n, r.Type, want, got)
			return
		}
	}
}

// isVague reports whether a struct has fields of which nothing in the text tells the name: it is declared inside a function.
func isVague(d *ir.Nominal) bool {
	return slices.ContainsFunc(d.Fields, func(f ir.Field) bool { return f.Name == "" })
}

// fieldTaken checks that an instruction that takes a field out of a struct or class names one of that very type.
func fieldTaken(c *checker, i *ir.Inst) {
	m, ok := i.Aux.(*ir.MemberAux)
	if !ok || len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return
	}
	t := c.mod.Canonical(facts.Selfless(i.Arg(0).Type.Object()))
	if t.Kind != ir.KindNominal {
		if !vague(t) && t.Kind != ir.KindParam && t.Kind != ir.KindOpened {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s", i.Op, i.Arg(0).Type)
		}
		return
	}
	d := c.mod.DeclOf(t)
	if d == nil || d.Kind == ir.TypeAlias {
		return
	}
	isClass := d.Kind == ir.Class || d.Kind == ir.Actor
	if i.Op == op.RefElementAddr != isClass {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s", i.Op, i.Arg(0).Type)
		return
	}
	for n := range d.Fields {
		if f := &d.Fields[n]; f.Name == m.Name && c.named(d, m.Type) {
			return
		}
	}
	if len(d.Fields) > 0 || !d.Builtin {
		for n := range d.Fields {
			if d.Fields[n].Name == "" {
				return // a field whose name the text doesn't tell
			}
		}
		c.diags.InstErrorf(i.Pos, "unknown-member", "%s has no stored field %s", d.Path, m.Name)
	}
}

// elementTaken checks the number of a tuple's element.
func elementTaken(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.IntAux)
	if !ok || len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return
	}
	t := c.mod.Canonical(i.Arg(0).Type.Object())
	if t.Kind != ir.KindTuple {
		if !vague(t) {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s", i.Op, i.Arg(0).Type)
		}
		return
	}
	if !aux.Value.IsInt64() || aux.Int64() < 0 || aux.Int64() >= int64(len(t.Args)) {
		c.diags.InstErrorf(i.Pos, "unknown-member", "$%s has no element %s", t, aux.Value)
	}
}

// boxField checks the number of a box's field.
func boxField(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.IntAux)
	if !ok || len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return
	}
	t := facts.Selfless(i.Arg(0).Type)
	if t.Kind != ir.KindBox {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s", i.Op, t)
		return
	}
	if !aux.Value.IsInt64() || aux.Int64() < 0 || aux.Int64() >= int64(len(t.Box.Fields)) {
		c.diags.InstErrorf(i.Pos, "unknown-member", "$%s has no field %s", t, aux.Value)
	}
}

// tupleMade checks that a tuple is made of one value for each element of its type.
func tupleMade(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || !known(r.Type) {
		return
	}
	t := c.mod.Canonical(r.Type)
	if t.Kind != ir.KindTuple {
		if len(i.Types) > 0 && !vague(t) && len(i.Operands) != 1 {
			c.diags.InstErrorf(i.Pos, "result-type", "tuple makes a $%s, which is no tuple", t)
		}
		return
	}
	if len(t.Args) != len(i.Operands) {
		for _, a := range t.Args {
			if a.Kind == ir.KindPackExpansion {
				return
			}
		}
		c.diags.InstErrorf(i.Pos, "argument-count", "tuple of %d values, $%s has %d elements", len(i.Operands), t, len(t.Args))
		return
	}
	for n := range t.Args {
		if got := i.Arg(n).Type; c.differ(got, t.Args[n]) {
			c.diags.InstErrorf(i.Pos, "operand-type", "element %d of $%s is $%s, not $%s", n, t, t.Args[n], got)
			return
		}
	}
}
