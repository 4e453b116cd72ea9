package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// StripObjectHeaders marks objects of which nothing but the fields is used, so that no header has to be written:
//
//	%0 = alloc_ref [stack] $C    ⇒    %0 = alloc_ref [bare] [stack] $C
var StripObjectHeaders = &pass.Pass{
	Name:  "strip-object-headers",
	Doc:   "Marks objects as bare whose headers nothing uses",
	Needs: [][]op.Op{{op.AllocRef, op.GlobalValue}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		p := c.Program(f)
		changed := false
		for i := range f.Insts() {
			if (i.Op == op.AllocRef || i.Op == op.GlobalValue) && !i.Has(op.QualBare) && facts.UsesOnlyFields(p, i.Result()) {
				i.Quals = i.Quals.With(op.QualBare)
				changed = true
			}
		}
		return changed
	},
}
