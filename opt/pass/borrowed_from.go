package pass

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// forgetBorrowed takes the second names of guaranteed block arguments away: passes find out themselves what such an argument is borrowed from.
// It reports whether there were any.
func forgetBorrowed(f *ir.Function) bool {
	var list []*ir.Inst
	for i := range f.Insts() {
		if i.Op == op.Borrowed {
			list = append(list, i)
		}
	}
	for _, i := range list {
		i.ReplaceWith(i.Arg(0))
	}
	return len(list) > 0
}

// nameBorrowed gives each guaranteed block argument that branches pass values to its name of borrowed, which lists the values that keep it
// alive (docs/SIL.rst, borrowed from). f has no such names.
func (c *Context) nameBorrowed(f *ir.Function) {
	if !f.IsOSSA() || len(f.Blocks) == 0 {
		return
	}
	own := ownership.New(f, c.Types(f))
	own.Preds = cfg.NewPredecessors(f).Of
	phis := own.GuaranteedPhis()
	enclosing := own.BorrowedFrom(phis)
	names := make([]*ir.Value, len(phis))
	for n, a := range phis {
		at := ir.At(c.Module, a.Block().First())
		names[n] = at.Emit(&ir.Inst{Op: op.Borrowed}, append([]*ir.Value{a}, enclosing[n]...)...).Result()
	}
	for n, a := range phis {
		for _, x := range a.UseList() {
			if x.User().Op != op.Borrowed { // which list arguments, not their names
				x.Set(names[n])
			}
		}
	}
	f.Renumber()
}
