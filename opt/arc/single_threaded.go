package arc

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// AssumeSingleThreaded makes all reference counting nonatomic, as in programs with one thread it may be.
var AssumeSingleThreaded = &pass.Pass{
	Name: "sil-assume-single-threaded",
	Doc:  "Makes reference counting nonatomic",
	Function: func(_ *pass.Context, f *ir.Function) bool {
		changed := false
		for i := range f.Insts() {
			if facts.IsRefCounting(i) && !i.Has(op.QualNonatomic) {
				i.Quals = i.Quals.With(op.QualNonatomic)
				changed = true
			}
		}
		return changed
	},
}
