package pass

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// keepForwarding says of the switches and casts of a function that they hand on what the arguments after them are declared to be, where the
// value that they take has no ownership any more. Any pass may have put such a value, a case without payload, in the place of an owned or a
// guaranteed one:
//
//	%1 = enum $Optional<C>, #Optional.none!enumelt
//	switch_enum %1, case #Optional.some!enumelt: bb1, …, forwarding: @owned
//
//	bb1(%2 : @owned $C):
func (c *Context) keepForwarding(f *ir.Function) {
	if !f.IsOSSA() {
		return
	}
	var own *ownership.Ownership
	for _, b := range f.Blocks {
		t := b.Last()
		if t == nil || t.Op != op.SwitchEnum && t.Op != op.CheckedCastBr || t.Forwarding != ir.OwnershipUnspecified || t.Arg(0).IsUndef() {
			continue
		}
		declared := declaredBehind(t)
		if declared == ir.OwnershipUnspecified {
			continue
		}
		if own == nil {
			own = ownership.New(f, c.Types(f))
		}
		if own.KindOf(t.Arg(0)) == ownership.KindNone {
			t.Forwarding = declared
		}
	}
}

// declaredBehind returns the ownership that the argument of a successor is declared to have, OwnershipUnspecified when none has any.
func declaredBehind(t *ir.Inst) ir.OwnershipKind {
	for _, e := range t.Succs {
		if len(e.To.Args) == 1 {
			if k := e.To.Args[0].Ownership; k == ir.OwnershipOwned || k == ir.OwnershipGuaranteed {
				return k
			}
		}
	}
	return ir.OwnershipUnspecified
}
