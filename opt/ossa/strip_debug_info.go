package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// StripDebugInfo removes what tells debuggers of variables.
var StripDebugInfo = &pass.Pass{
	Name: "strip-debug-info",
	Doc:  "Removes debug_value instructions",
	Function: func(_ *pass.Context, f *ir.Function) bool {
		changed := false
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Op == op.DebugValue {
					i.Remove()
					changed = true
				}
			}
		}
		return changed
	},
}
