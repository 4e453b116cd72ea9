// Package worklist has what an algorithm still has to look at.
//
// A List is for searches, which look at each thing once: blocks that are reachable, values that others are made of. A Stack is for
// algorithms that repeat until nothing changes, where a thing may come back after its turn, or lose its turn because it is gone.
// Both hand out what was entered last, and so does Drain, for things that need no such care: a tree of uses, where nothing comes twice.
package worklist

import "iter"

// Drain takes things out of a slice, the last first, until none is left; the loop's body may append more.
func Drain[T any](work *[]T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for len(*work) > 0 {
			x := (*work)[len(*work)-1]
			*work = (*work)[:len(*work)-1]
			if !yield(x) {
				return
			}
		}
	}
}

// List is a worklist that takes each thing once, however often it is pushed.
type List[T comparable] struct {
	work []T
	seen map[T]bool
}

// Of returns a list with these things.
func Of[T comparable](all ...T) *List[T] {
	l := &List[T]{seen: make(map[T]bool, len(all))}
	l.Push(all...)
	return l
}

// Push enters what was never entered before.
func (l *List[T]) Push(all ...T) {
	for _, x := range all {
		if !l.seen[x] {
			l.seen[x] = true
			l.work = append(l.work, x)
		}
	}
}

// Has reports whether x was ever entered.
func (l *List[T]) Has(x T) bool { return l.seen[x] }

// Len returns how many things were ever entered.
func (l *List[T]) Len() int { return len(l.seen) }

// Seen returns the set of all that was ever entered. It is the list's own.
func (l *List[T]) Seen() map[T]bool { return l.seen }

// All takes things out, the last entered first, until none is left; the loop's body may enter more.
func (l *List[T]) All() iter.Seq[T] { return Drain(&l.work) }

// Stack is a worklist that has each thing at most once at a time. The zero Stack is empty.
type Stack[T comparable] struct {
	work []entry[T]
	at   map[T]int // place in work
}

type entry[T comparable] struct {
	x    T
	gone bool // it was removed
}

// Push puts x on top unless it is in the stack, and reports whether it was not.
func (s *Stack[T]) Push(x T) bool {
	if _, ok := s.at[x]; ok {
		return false
	}
	if s.at == nil {
		s.at = map[T]int{}
	}
	s.at[x] = len(s.work)
	s.work = append(s.work, entry[T]{x: x})
	return true
}

// Grow makes room for n things in an empty stack.
func (s *Stack[T]) Grow(n int) {
	if len(s.at) == 0 {
		s.work, s.at = make([]entry[T], 0, n), make(map[T]int, n)
	}
}

// Len returns how many things are in the stack.
func (s *Stack[T]) Len() int { return len(s.at) }

// Remove takes x out, wherever it is.
func (s *Stack[T]) Remove(x T) {
	if n, ok := s.at[x]; ok {
		s.work[n].gone = true
		delete(s.at, x)
	}
}

// Pop takes out what is on top; false when the stack is empty.
func (s *Stack[T]) Pop() (x T, ok bool) {
	for len(s.work) > 0 {
		e := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if !e.gone {
			delete(s.at, e.x)
			return e.x, true
		}
	}
	return x, false
}

// All pops until the stack is empty; the loop's body may push and remove.
func (s *Stack[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for x, ok := s.Pop(); ok && yield(x); x, ok = s.Pop() {
		}
	}
}
