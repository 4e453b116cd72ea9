package access

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// AccessMarkerElim removes the markers of accesses that are not checked at run time:
//
//	%1 = begin_access [read] [static] %0
//	%2 = load %1                                %2 = load %0
//	end_access %1
var AccessMarkerElim = &pass.Pass{
	Name:        "access-marker-elim",
	Unoptimized: true,
	Doc:         "Removes the markers of accesses that are not checked at run time",
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		mode := c.ValueOf("enforce-exclusivity")
		isUnchecked := func(i *ir.Inst) bool { return mode == "unchecked" || mode == "none" || isUnchecked(i) }
		for _, b := range f.Blocks {
			for i := b.First(); i != nil; {
				next := i.Next()
				if i.Op == op.BeginAccess && isUnchecked(i) {
					for o := i.Result().FirstUse(); o != nil; {
						user := o.User()
						o = o.NextUse()
						if user.Op == op.EndAccess {
							if user == next {
								next = next.Next()
							}
							user.Remove()
						}
					}
					i.ReplaceWith(i.Arg(0))
					changed = true
				} else if (i.Op == op.BeginUnpairedAccess || i.Op == op.EndUnpairedAccess) && isUnchecked(i) {
					i.Remove()
					changed = true
				}
				i = next
			}
		}
		return changed
	},
}

// isUnchecked reports whether an access is known not to be checked at run time.
func isUnchecked(i *ir.Inst) bool { return i.Has(op.QualStatic) || i.Has(op.QualUnsafe) }
