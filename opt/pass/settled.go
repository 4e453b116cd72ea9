package pass

import "silvm/ir"

// settled knows which passes would find nothing: those that found nothing on a function when the module was last as it is now. The compiler's
// pass manager passes over a pass in the same way, but looks at the function alone.
type settled struct {
	generation int                     // counts changes of any function
	numbers    map[string]int          // by name: a pipeline may have a pass in several places
	found      map[*ir.Function]*[]int // by the number of a pass: one more than the generation in which it found nothing
}

// number gives a pass a number from 0.
func (s *settled) number(p *Pass) int {
	n, ok := s.numbers[p.Name]
	if !ok {
		if s.numbers == nil {
			s.numbers = map[string]int{}
		}
		n = len(s.numbers)
		s.numbers[p.Name] = n
	}
	return n
}

// foundOn returns what is known of a function.
func (s *settled) foundOn(f *ir.Function) *[]int {
	known := s.found[f]
	if known == nil {
		if s.found == nil {
			s.found = map[*ir.Function]*[]int{}
		}
		known = &[]int{}
		s.found[f] = known
	}
	return known
}

// an application is a pass, by its number, on a function, by what is known of that.
type application struct {
	*settled
	number int
	found  *[]int
}

// isSettled reports whether nothing changed since the pass found nothing.
func (a application) isSettled() bool {
	return a.number < len(*a.found) && (*a.found)[a.number] == a.generation+1
}

// foundNothing notes that the pass changed nothing.
func (a application) foundNothing() {
	for len(*a.found) <= a.number {
		*a.found = append(*a.found, 0)
	}
	(*a.found)[a.number] = a.generation + 1
}
