package pass

import "silvm/ir"

// settled knows which passes would find nothing: those that found nothing on a function when the module was last as it is now. The compiler's
// pass manager passes over a pass in the same way, but looks at the function alone.
type settled struct {
	generation int // counts changes of any function
	found      map[application]int
}

// application is a pass on a function.
type application struct {
	p *Pass
	f *ir.Function
}

// isSettled reports whether nothing changed since the pass found nothing.
func (s *settled) isSettled(p *Pass, f *ir.Function) bool {
	at, ok := s.found[application{p, f}]
	return ok && at == s.generation
}

// foundNothing notes that the pass changed nothing.
func (s *settled) foundNothing(p *Pass, f *ir.Function) {
	if s.found == nil {
		s.found = map[application]int{}
	}
	s.found[application{p, f}] = s.generation
}
