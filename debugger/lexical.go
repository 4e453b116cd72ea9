package debugger

import "silvm/ir"

// A viewpoint is a scope from which variables are seen, and whether those of the calls around an inlined body are.
type viewpoint struct {
	scope   *ir.Scope
	through bool
}

// visible returns the scopes whose variables a frame sees, with how far away each is; nobody changes it.
func (d *Debugger) visible(f Frame) map[*ir.Scope]int {
	from := viewpoint{f.Inst.SourceScope(), true}
	if n := len(f.levels); !f.whole && from.scope != nil && n > 0 && f.levels[n-1].Scope != nil {
		from = viewpoint{f.levels[n-1].Scope, false}
	}
	seen, ok := d.views[from]
	if !ok {
		seen = visibleFrom(from.scope, from.through)
		if d.views == nil {
			d.views = map[viewpoint]map[*ir.Scope]int{}
		}
		d.views[from] = seen
	}
	return seen
}

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
