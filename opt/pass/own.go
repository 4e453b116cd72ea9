package pass

import "silvm/ir"

// isOfLibrary reports whether the function, or the one that it is a copy of, came with the text of the library.
func (c *Context) isOfLibrary(f *ir.Function) bool { return c.Module.Files.IsOurs(f.Pos) }

// OnOwn returns the passes as they are in a place of a pipeline where the library's functions, and copies of them for types and closures, are left
// as they are: the compiler has optimized the library before it printed it, so that what one round makes of the types that became known is
// what there is to gain.
func OnOwn(passes []*Pass) []*Pass {
	list := make([]*Pass, len(passes))
	for n, p := range passes {
		if list[n] = p; p.Function != nil {
			own := *p
			own.own = true
			list[n] = &own
		}
	}
	return list
}
