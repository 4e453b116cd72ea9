package worklist

import (
	"slices"
	"testing"
)

// numbered is a thing whose number another one may have.
type numbered struct{ id int }

func (n *numbered) ID() int { return n.id }

func TestIDSetTellsThingsOfOneNumberApart(t *testing.T) {
	a, b, c := &numbered{3}, &numbered{3}, &numbered{0}
	var s IDSet[*numbered]
	if !s.Add(a) || !s.Add(b) || !s.Add(c) || s.Add(a) || s.Add(b) {
		t.Error("a thing was entered twice, or taken for another one")
	}
	s.Delete(a)
	if s.Has(a) || !s.Has(b) || !s.Has(c) {
		t.Errorf("a %t, b %t, c %t, want only a to be gone", s.Has(a), s.Has(b), s.Has(c))
	}
	s.Delete(b)
	if s.Has(b) || !s.Add(b) {
		t.Error("b is still there")
	}
	if s.Add(&numbered{100}); !s.Has(b) || !s.Has(c) || s.Has(&numbered{100}) {
		t.Error("a longer table has lost something, or has more")
	}
}

// As TestStackReturns, with two things of one number.
func TestIDStackReturns(t *testing.T) {
	things := []*numbered{{0}, {1}, {2}, {2}}
	var s IDStack[*numbered]
	s.Grow(4, 1)
	for _, n := range []int{1, 2, 3, 0} {
		if !s.Push(things[n]) {
			t.Errorf("%d was not entered", n)
		}
	}
	if s.Push(things[1]) || s.Push(things[3]) {
		t.Error("a thing was entered twice")
	}
	s.Remove(things[2])
	s.Remove(&numbered{2})
	if s.Len() != 3 {
		t.Errorf("%d things, want 3", s.Len())
	}
	var order []int
	for x := range s.All() {
		if order = append(order, slices.Index(things, x)); len(order) == 2 {
			s.Push(things[3])
			s.Remove(things[1])
			s.Push(things[1])
		}
	}
	if want := []int{0, 3, 1, 3}; !slices.Equal(order, want) {
		t.Errorf("popped %v, want %v", order, want)
	}
	if _, ok := s.Pop(); ok {
		t.Error("something was left")
	}
}
