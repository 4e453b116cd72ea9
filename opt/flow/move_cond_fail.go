package flow

import (
	"silvm/ir"
	"silvm/opt/pass"
)

// MoveCondFailToPreds checks a condition where its value comes from, if one of the values is a number:
//
//	bb1: br bb3(%0)                            bb1: br bb3(%0)
//	bb2: br bb3(%1)                       ⇒    bb2: cond_fail %1 ; br bb3(%1)
//	bb3(%2): cond_fail %2                      bb3(%2): …
//
// (%0 is an integer_literal 0; its cond_fail in bb1 is left to others.) The cond_fail must be the first in its block to have effects.
var MoveCondFailToPreds = &pass.Pass{
	Name: "move-cond-fail-to-preds",
	Doc:  "Moves checks into the predecessors of their blocks where one of them passes a number",
	Function: func(c *pass.Context, f *ir.Function) bool {
		s := NewCFGSimplifier(c, f, false)
		changed := false
		for _, b := range f.Blocks {
			changed = s.moveCondFail(b) || changed
		}
		return changed
	},
}
