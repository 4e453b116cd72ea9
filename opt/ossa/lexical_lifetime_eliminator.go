package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// LexicalLifetimeEliminator takes [lexical] from borrows, moves and stack slots, so that lifetimes may be shortened over deinit
// barriers.
var LexicalLifetimeEliminator = &pass.Pass{
	Name: "sil-lexical-lifetime-eliminator",
	Doc:  "Takes [lexical] from borrows, moves and stack slots",
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		if !c.IsOff("enable-lexical-lifetimes") {
			return false // lifetimes are lexical; the pass is for when they are not wanted
		}
		for i := range f.Insts() {
			switch i.Op {
			case op.BeginBorrow, op.MoveValue, op.AllocStack:
				if i.Has(op.QualLexical) {
					i.Quals = i.Quals.Without(op.QualLexical)
					changed = true
				}
			}
		}
		return changed
	},
}
