package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// lentSlot checks that store_borrow lends to a stack slot, which nothing else uses while or after it is lent: through the result of the
// store_borrow only (docs/SIL.rst, store_borrow).
func lentSlot(c *checker, i *ir.Inst) {
	if len(i.Operands) != 2 || i.Arg(1).IsUndef() {
		return
	}
	slot := i.Arg(1)
	d := slot.Inst()
	if d != nil && d.Op == op.MarkUnresolvedNonCopyableValue {
		d = d.Arg(0).Inst()
	}
	if d == nil || d.Op != op.AllocStack {
		c.diags.InstErrorf(i.Pos, "operand-type", "store_borrow to %s, which is no alloc_stack", slot)
		return
	}
	if !c.ossa {
		return
	}
	for u := range slot.Uses() {
		switch user := u.User(); user.Op {
		case op.StoreBorrow, op.DeallocStack, op.DebugValue:
		default:
			c.diags.InstErrorf(user.Pos, "borrow-scope", "%s uses %s, to which a store_borrow lends; it may be used through the result of that only", user.Op, slot).
				Note(i.Pos, "the store_borrow")
			return
		}
	}
}

// nestedLoans checks that no store_borrow lends to a slot that is lent already.
func (o *owner) nestedLoans() {
	loans := map[*ir.Value][]*ir.Inst{}
	var slots []*ir.Value // in the order of the text
	for _, b := range o.c.dom.Order {
		for i := range b.Insts() {
			if i.Op == op.StoreBorrow && len(i.Operands) == 2 && i.Result() != nil {
				slot := i.Arg(1)
				if loans[slot] == nil {
					slots = append(slots, slot)
				}
				loans[slot] = append(loans[slot], i)
			}
		}
	}
	for _, slot := range slots {
		if len(loans[slot]) > maxLoans {
			continue
		}
		for _, x := range loans[slot] {
			for _, y := range loans[slot] {
				if x != y && o.inScope(x.Result(), y) {
					o.c.diags.InstErrorf(y.Pos, "borrow-scope", "%s lends to a slot that is lent already", y.Op).Note(x.Pos, "here")
					return
				}
			}
		}
	}
}

// maxLoans bounds the loans of one slot that are compared with each other.
const maxLoans = 64

// handsOn checks that a switch or cast hands its value on with the ownership that it had (docs/SIL.rst, switch_enum).
func (o *owner) handsOn() {
	for _, b := range o.c.dom.Order {
		t := b.Last()
		if t.Op == op.TryApply {
			o.caught(t)
			continue
		}
		if t.Op != op.SwitchEnum && t.Op != op.CheckedCastBr || len(t.Operands) == 0 || t.Forwarding != ir.OwnershipUnspecified {
			continue
		}
		want := o.kindOf(t.Arg(0))
		if want != ownership.KindOwned && want != ownership.KindGuaranteed && want != ownership.KindNone || t.Arg(0).IsUndef() {
			continue
		}
		for n := range t.Succs {
			to := t.Succs[n].To
			if to == nil || len(to.Args) != 1 || o.c.types.Triviality(to.Args[0].Type) != facts.Nontrivial {
				continue
			}
			if got := o.kindOf(to.Args[0]); got != ownership.KindUnknown && got != want {
				o.c.diags.InstErrorf(t.Pos, "ownership-kind", "%s of a value that is %s gives %s, which is %s", t.Op, want, to.Args[0], got)
				return
			}
		}
	}
}

// caught checks that the error of a try_apply is owned where it arrives, as is a result that the function returns owned; without a word on
// ownership, as Swift's verifier reads it, nobody has to destroy it.
func (o *owner) caught(t *ir.Inst) {
	fn := facts.Callee(t)
	if fn == nil {
		return
	}
	for n := range t.Succs {
		to := t.Succs[n].To
		if to == nil || len(to.Args) != 1 || n == 0 && !(len(fn.Results) == 1 && fn.Results[0].Conv == ir.ResultOwned) ||
			o.c.types.Triviality(to.Args[0].Type) != facts.Nontrivial {
			continue
		}
		if got := o.kindOf(to.Args[0]); got == ownership.KindGuaranteed || got == ownership.KindUnowned {
			o.c.diags.InstErrorf(t.Pos, "ownership-kind", "%s gives %s an owned value, %s is %s", t.Op, to.Name, to.Args[0], got)
			return
		}
	}
}

// ownershipConverted checks that unchecked_ownership_conversion says rightly what its value is.
func ownershipConverted(c *checker, i *ir.Inst) {
	want, _ := i.ConvertedOwnership()
	if want == ir.OwnershipUnspecified || len(i.Operands) == 0 || !c.ossa {
		return
	}
	v := i.Arg(0)
	if v.IsUndef() || !v.IsArg() {
		return
	}
	if got := ownership.ArgKind(v); got != ownership.KindUnknown && got != want {
		c.diags.InstErrorf(i.Pos, "ownership-kind", "%s of a value that is %s, not %s", i.Op, got, want)
	}
}
