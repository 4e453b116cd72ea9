package arc

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/opt/pass"
)

// AssumeSingleThreaded makes all reference counting nonatomic, as in programs with one thread it may be.
var AssumeSingleThreaded = &pass.Pass{
	Name: "sil-assume-single-threaded",
	Doc:  "Makes reference counting nonatomic",
	Function: func(_ *pass.Context, f *ir.Function) bool {
		changed := false
		pass.EachInst(f, func(i *ir.Inst) {
			if facts.IsRefCounting(i) && !i.Has("nonatomic") {
				i.Quals = append(i.Quals, "nonatomic")
				changed = true
			}
		})
		return changed
	},
}
