package opt

import (
	"silvm/ir"
	"silvm/ir/op"
)

// lexicalLifetimeEliminator takes [lexical] from borrows, moves and stack slots, so that lifetimes may be shortened over deinit
// barriers.
var lexicalLifetimeEliminator = &Pass{
	Name: "sil-lexical-lifetime-eliminator",
	Doc:  "Takes [lexical] from borrows, moves and stack slots",
	Function: func(c *Context, f *ir.Function) bool {
		changed := false
		if !c.isSet("enable-lexical-lifetimes=false") {
			return false // lifetimes are lexical; the pass is for when they are not wanted
		}
		for _, b := range f.Blocks {
			for i := b.First(); i != nil; i = i.Next() {
				switch i.Op {
				case op.BeginBorrow, op.MoveValue, op.AllocStack:
					if i.Has("lexical") {
						i.Quals = without(i.Quals, "lexical")
						changed = true
					}
				}
			}
		}
		return changed
	},
}
