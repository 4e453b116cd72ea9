package debugger

import "silvm/ir"

// visibleFrom returns the scopes of a frame whose variables an instruction in a scope sees, with how far away each is: those around it up
// to the function. through goes on with the scopes of the call when the function's body was inlined. It is nil when nothing is known.
func visibleFrom(sc *ir.Scope, through bool) map[*ir.Scope]int {
	if sc == nil {
		return nil
	}
	out := map[*ir.Scope]int{}
	for far := 0; sc != nil && far < 1000; far++ {
		if _, seen := out[sc]; seen {
			break
		}
		out[sc] = far
		if sc.Parent == nil && through {
			sc = sc.Inlined
		} else {
			sc = sc.Parent
		}
	}
	return out
}
