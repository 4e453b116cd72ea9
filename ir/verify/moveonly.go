package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// isMoveOnly reports whether values of a type surely cannot be copied.
func (c *checker) isMoveOnly(t *ir.Type) bool {
	if !known(t) {
		return false
	}
	t = t.Object()
	if t.Kind == ir.KindMoveOnly {
		return true
	}
	t = c.mod.Canonical(t)
	return t.Kind == ir.KindNominal && !t.HasParams() && !t.HasLocal() && !c.mod.IsCopyable(t)
}

// noCopies checks that what cannot be copied is copied in raw SIL only, before the compiler has looked for copies (docs/SIL.rst,
// mark_unresolved_non_copyable_value).
func noCopies(c *checker, i *ir.Inst) {
	if c.stage == ir.StageRaw || len(i.Operands) == 0 {
		return
	}
	switch i.Op {
	case op.Load:
		if !i.Has(op.QualCopy) {
			return
		}
	case op.CopyAddr, op.ExplicitCopyAddr:
		if i.Has(op.QualTake) {
			return
		}
	}
	if c.isMoveOnly(i.Arg(0).Type) {
		c.diags.InstErrorf(i.Pos, "stage-only", "%s copies a $%s, which cannot be copied", i.Op, i.Arg(0).Type.Object())
	}
}

// hasDeinit reports whether a type is declared with a deinit of its own that is no class.
func (c *checker) hasDeinit(t *ir.Type) (has, sure bool) {
	if !known(t) {
		return false, false
	}
	t = c.mod.Canonical(facts.Selfless(t.Object()))
	if t.Kind != ir.KindNominal {
		return false, !vague(t)
	}
	d := c.mod.DeclOf(t)
	if d == nil || d.Builtin || d.Text == "" {
		return false, false
	}
	if d.Kind != ir.Struct && d.Kind != ir.Enum {
		return false, true
	}
	return d.NonCopyable && d.DeclaresDeinit(), true
}

// deinitDropped checks that drop_deinit has a deinit to drop, and that what is left is taken apart or destroyed (docs/SIL.rst, drop_deinit).
func deinitDropped(c *checker, i *ir.Inst) {
	r := i.Result()
	if len(i.Operands) == 0 || r == nil {
		return
	}
	if t := i.Arg(0).Type; known(t) && !vague(t) && c.container(t) == containerNone && c.mod.Canonical(t.Object()).Kind == ir.KindNominal && c.mod.IsCopyable(t.Object()) &&
		c.mod.DeclOf(c.mod.Canonical(t.Object())) != nil {
		c.diags.InstErrorf(i.Pos, "operand-type", "drop_deinit of a $%s, which can be copied", t)
		return
	}
	if has, sure := c.hasDeinit(i.Arg(0).Type); sure && !has {
		c.diags.InstErrorf(i.Pos, "operand-type", "drop_deinit of a $%s, which has no deinit", i.Arg(0).Type)
		return
	}
	if !c.ossa {
		c.diags.InstErrorf(i.Pos, "ownership-missing", "drop_deinit may stand in [ossa] functions only")
		return
	}
	if r.Type != nil && r.Type.IsAddress() {
		return
	}
	for u := range r.Uses() {
		switch u.User().Op {
		case op.DestroyValue, op.EndLifetime, op.DestructureStruct, op.SwitchEnum, op.MoveValue:
		default:
			c.diags.InstErrorf(u.User().Pos, "operand-type", "%s of the result of a drop_deinit, which may only be destroyed or taken apart", u.User().Op).
				Note(i.Pos, "the drop_deinit")
			return
		}
	}
}

// takenApart checks that a value with a deinit loses it before it is taken apart.
func takenApart(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 || c.stage == ir.StageRaw && i.Op != op.DestructureStruct {
		return
	}
	if has, sure := c.hasDeinit(i.Arg(0).Type); !sure || !has {
		return
	}
	for v := i.Arg(0); ; {
		d := v.Inst()
		if d == nil || len(d.Operands) == 0 {
			break
		}
		switch d.Op {
		case op.DropDeinit:
			return
		case op.MoveValue, op.CopyValue, op.BeginBorrow, op.MarkUnresolvedNonCopyableValue, op.MarkDependence:
			v = d.Arg(0)
			continue
		}
		break
	}
	c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, whose deinit was not dropped", i.Op, i.Arg(0).Type)
}
