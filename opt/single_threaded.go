package opt

import "silvm/ir"

// assumeSingleThreaded makes all reference counting nonatomic, as in programs with one thread it may be.
var assumeSingleThreaded = &Pass{
	Name: "sil-assume-single-threaded",
	Doc:  "Makes reference counting nonatomic",
	Function: func(_ *Context, f *ir.Function) bool {
		changed := false
		eachInst(f, func(i *ir.Inst) {
			if isRefCounting(i) && !i.Has("nonatomic") {
				i.Quals = append(i.Quals, "nonatomic")
				changed = true
			}
		})
		return changed
	},
}
