package verify

import (
	"silvm/ir"
	"silvm/ir/op"
)

// scalarIndex checks that a scalar_pack_index names a component of its pack that is one element (docs/SIL.rst, scalar_pack_index).
func scalarIndex(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.IntAux)
	if !ok || len(i.Types) == 0 || i.Types[0] == nil || i.Types[0].Kind != ir.KindPack {
		return
	}
	parts := i.Types[0].Args
	end := int64(len(parts))
	if i.Op == op.PackPackIndex {
		end++ // after the last one, where a component that was an expansion became nothing
	}
	switch {
	case !aux.Value.IsInt64() || aux.Int64() < 0 || aux.Int64() >= end:
		c.diags.InstErrorf(i.Pos, "unknown-member", "$%s has no component %s", i.Types[0], aux.Value)
	case i.Op == op.ScalarPackIndex && parts[aux.Int64()].Kind == ir.KindPackExpansion:
		c.diags.InstErrorf(i.Pos, "operand-type", "component %s of $%s is an expansion", aux.Value, i.Types[0])
	}
}

// packElement checks that what is put at a scalar index of a pack, or taken from there, is of the type there.
func packElement(c *checker, i *ir.Inst) {
	value, index, pack := (*ir.Value)(nil), 0, 1
	if i.Op == op.PackElementSet {
		index, pack = 1, 2
		if len(i.Operands) == 3 {
			value = i.Arg(0)
		}
	} else {
		value = i.Result()
	}
	if value == nil || len(i.Operands) <= pack || !known(value.Type) || !known(i.Arg(pack).Type) {
		return
	}
	from, t := i.Arg(index).Inst(), i.Arg(pack).Type.Object()
	if from == nil || from.Op != op.ScalarPackIndex || t.Kind != ir.KindPack {
		return
	}
	aux, ok := from.Aux.(*ir.IntAux)
	if !ok || !aux.Value.IsInt64() || aux.Int64() < 0 || aux.Int64() >= int64(len(t.Args)) {
		return
	}
	if want := t.Args[aux.Int64()]; c.differ(value.Type.Object(), want) {
		c.diags.InstErrorf(i.Pos, "operand-type", "element %s of $%s is $%s, not $%s", aux.Value, t, want, value.Type.Object())
	}
}

// initMarked checks that what definite initialization looks at is memory, an object or a box.
func initMarked(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return
	}
	t := i.Arg(0).Type
	if d := c.mod.DeclOf(c.mod.Canonical(t)); !t.IsAddress() && d != nil && (d.Kind == ir.Struct || d.Kind == ir.Enum) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is no memory, object or box", i.Op, t)
	}
}

// isolationTaken checks that a function of which the isolation is asked for has one that its type doesn't say.
func isolationTaken(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return
	}
	if t := i.Arg(0).Type; t.Kind == ir.KindFunction && !t.Func.Attrs.Has(ir.ModIsolatedAny) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is not @isolated(any)", i.Op, t)
	}
}

// deallocationBegun checks that begin_dealloc_ref names the allocation.
func deallocationBegun(c *checker, i *ir.Inst) {
	if len(i.Operands) < 2 || i.Arg(1).IsUndef() {
		return
	}
	if d := i.Arg(1).Inst(); d == nil || d.Op != op.AllocRef && d.Op != op.AllocRefDynamic {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of %s, which is no alloc_ref", i.Op, i.Arg(1))
	}
}

// scalarCast checks that values which are cast without memory are references or metatypes (docs/SIL.rst, unconditional_checked_cast).
func scalarCast(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 || !known(i.Arg(0).Type) || i.Arg(0).Type.IsAddress() {
		return
	}
	t := c.mod.Canonical(i.Arg(0).Type)
	if t.IsOptional() {
		t = t.Args[0]
	}
	d := c.mod.DeclOf(t)
	if t.Kind == ir.KindTuple || t.Kind == ir.KindNominal && d != nil && !t.IsOptional() && (d.Kind == ir.Struct || d.Kind == ir.Enum) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is cast in memory only", i.Op, t)
	}
}
