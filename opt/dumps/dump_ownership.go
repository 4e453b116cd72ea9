package dumps

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
)

// OwnershipDumper prints what each instruction wants of the ownership of its operands, and the ownership of its results.
var OwnershipDumper = &pass.Pass{
	Name: "ownership-dumper",
	Doc:  "Prints what each instruction wants of the ownership of its operands, and the ownership of its results",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		own := ownership.New(f, c.Types(f))
		lines := ir.NewLines(f)
		fmt.Fprintf(c.Out, "*** Dumping Function: '%s'\n", f.Name)
		for i := range f.Insts() {
			fmt.Fprintf(c.Out, "Visiting: %s", lines.Inst(i))
			for n := range i.Operands {
				if n == 0 {
					fmt.Fprintln(c.Out, "Ownership Constraint:")
				}
				fmt.Fprintf(c.Out, "Op #: %d\nConstraint: %s\n", n, ownershipConstraint(own, f, i, n))
			}
			for n, v := range i.Results {
				if n == 0 {
					fmt.Fprintln(c.Out, "Results Ownership Kinds:")
				}
				kind := ownership.KindNone
				switch {
				case f.IsOSSA() && i.Op == op.BeginApply && n == len(i.Results)-1:
					kind = ownership.KindGuaranteed // what sil-opt says of the token
				case f.IsOSSA():
					kind = own.KindOf(v)
				}
				fmt.Fprintf(c.Out, "Result: %sKind: %s\n", lines.Value(v), kind)
			}
		}
		return false
	},
}

// ownershipConstraint says which ownership an operand may have, and whether its lifetime ends there (docs/OwnershipSSA: operand ownership).
func ownershipConstraint(own *ownership.Ownership, f *ir.Function, i *ir.Inst, n int) string {
	kind, end := "any", "NonLifetimeEnding"
	if f.IsOSSA() {
		switch own.Use(i, n) {
		case op.OwnershipTrivialUse:
			kind = "none"
		case op.OwnershipDestroyingConsume, op.OwnershipForwardingConsume:
			kind, end = "owned", "LifetimeEnding"
		case op.OwnershipEndBorrow, op.OwnershipReborrow:
			kind, end = "guaranteed", "LifetimeEnding"
		case op.OwnershipInteriorPointer, op.OwnershipGuaranteedForwarding:
			kind = "guaranteed"
		case op.OwnershipForwardingUnowned:
			kind = "unowned"
		}
	}
	return fmt.Sprintf("<Constraint Kind:%s LifetimeConstraint:%s>", kind, end)
}
