package worklist

import "iter"

// identified is what has a number of its own, small and the same as long as a table is in use. Things of two functions may have the same.
type identified interface {
	comparable
	ID() int
}

// IDSet is a set of things with numbers. It asks for no hash. The zero IDSet is empty.
type IDSet[T identified] struct {
	at    []T
	extra map[T]bool // those whose number another one has
}

// Has reports whether x is in the set.
func (s *IDSet[T]) Has(x T) bool {
	if id := x.ID(); id < len(s.at) && s.at[id] == x {
		return true
	}
	return s.extra != nil && s.extra[x]
}

// Add enters x, and reports whether it was not there.
func (s *IDSet[T]) Add(x T) bool {
	if s.Has(x) {
		return false
	}
	id := x.ID()
	s.at = reach(s.at, id)
	var none T
	if s.at[id] == none {
		s.at[id] = x
		return true
	}
	if s.extra == nil {
		s.extra = map[T]bool{}
	}
	s.extra[x] = true
	return true
}

// Delete takes x out.
func (s *IDSet[T]) Delete(x T) {
	if id := x.ID(); id < len(s.at) && s.at[id] == x {
		var none T
		s.at[id] = none
		return
	}
	delete(s.extra, x)
}

// reach makes a table reach up to a number.
func reach[E any](table []E, id int) []E {
	if id < len(table) {
		return table
	}
	if id < cap(table) {
		return table[:id+1]
	}
	longer := make([]E, id+1, max(id+1, 2*len(table)))
	copy(longer, table)
	return longer
}

// IDStack is a Stack of things with numbers. The zero IDStack is empty.
type IDStack[T identified] struct {
	work  []T          // the zero T where one was removed
	at    []idPlace[T] // of what is in the stack
	extra map[T]int
	size  int
}

type idPlace[T identified] struct {
	x T
	n int // place in work
}

func (s *IDStack[T]) place(x T) (n int, ok bool) {
	if id := x.ID(); id < len(s.at) && s.at[id].x == x {
		return s.at[id].n, true
	}
	if s.extra == nil {
		return 0, false
	}
	n, ok = s.extra[x]
	return n, ok
}

// Push puts x on top unless it is in the stack, and reports whether it was not.
func (s *IDStack[T]) Push(x T) bool {
	if _, ok := s.place(x); ok {
		return false
	}
	id := x.ID()
	s.at = reach(s.at, id)
	var none T
	switch {
	case s.at[id].x == none:
		s.at[id] = idPlace[T]{x, len(s.work)}
	case s.extra == nil:
		s.extra = map[T]int{x: len(s.work)}
	default:
		s.extra[x] = len(s.work)
	}
	s.work = append(s.work, x)
	s.size++
	return true
}

// Grow makes room for n things in an empty stack, with numbers up to id.
func (s *IDStack[T]) Grow(n, id int) {
	if len(s.work) == 0 {
		if n > cap(s.work) {
			s.work = make([]T, 0, n)
		}
		s.at = reach(s.at, id)
	}
}

// Len returns how many things are in the stack.
func (s *IDStack[T]) Len() int { return s.size }

// Remove takes x out, wherever it is.
func (s *IDStack[T]) Remove(x T) {
	if n, ok := s.place(x); ok {
		var none T
		s.work[n] = none
		s.drop(x)
	}
}

// drop forgets the place of x.
func (s *IDStack[T]) drop(x T) {
	s.size--
	if id := x.ID(); id < len(s.at) && s.at[id].x == x {
		s.at[id] = idPlace[T]{}
		return
	}
	delete(s.extra, x)
}

// Pop takes out what is on top; false when the stack is empty.
func (s *IDStack[T]) Pop() (x T, ok bool) {
	var none T
	for len(s.work) > 0 {
		x := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if x != none {
			s.drop(x)
			return x, true
		}
	}
	return none, false
}

// All pops until the stack is empty; the loop's body may push and remove.
func (s *IDStack[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for x, ok := s.Pop(); ok && yield(x); x, ok = s.Pop() {
		}
	}
}
