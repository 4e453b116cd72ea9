package opt

import (
	"silvm/ir"
	"silvm/ir/op"
)

// stripDebugInfo removes what tells debuggers of variables.
var stripDebugInfo = &Pass{
	Name: "strip-debug-info",
	Doc:  "Removes debug_value instructions",
	Function: func(_ *Context, f *ir.Function) bool {
		changed := false
		for _, b := range f.Blocks {
			for _, i := range instructions(b) {
				if i.Op == op.DebugValue {
					i.Remove()
					changed = true
				}
			}
		}
		return changed
	},
}
