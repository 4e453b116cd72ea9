package pass

import "silvm/ir"

// FindsNothing reports whether the function, as it is now, lacks what the pass needs.
func FindsNothing(p *Pass, f *ir.Function) bool {
	return (&Context{facts: map[*ir.Function]*functionFacts{}}).findsNothing(p, f)
}
