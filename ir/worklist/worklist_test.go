package worklist

import (
	"slices"
	"testing"
)

// A list hands out each thing once, also one that comes back while it is at work, and the last entered first.
func TestListOnce(t *testing.T) {
	edges := map[string][]string{"a": {"b", "c", "b"}, "b": {"a", "d"}, "c": {"d"}, "d": {"a"}}
	work := Of("a")
	var order []string
	for x := range work.All() {
		order = append(order, x)
		work.Push(edges[x]...)
	}
	if want := []string{"a", "c", "d", "b"}; !slices.Equal(order, want) {
		t.Errorf("visited %v, want %v", order, want)
	}
	if work.Len() != 4 || !work.Has("d") || work.Has("e") {
		t.Errorf("%d things, d %t, e %t", work.Len(), work.Has("d"), work.Has("e"))
	}
}

// What the body of the loop appends comes next, and what is left after a break is still there.
func TestDrain(t *testing.T) {
	work := []int{1, 2, 3}
	var order []int
	for x := range Drain(&work) {
		if order = append(order, x); x == 3 {
			work = append(work, 4)
		}
		if x == 2 {
			break
		}
	}
	if !slices.Equal(order, []int{3, 4, 2}) || !slices.Equal(work, []int{1}) {
		t.Errorf("took %v and left %v", order, work)
	}
}

// What is in a stack is not entered again, keeps its place, and loses it when it is removed; what was popped may come back.
func TestStackReturns(t *testing.T) {
	var s Stack[int]
	for _, x := range []int{1, 2, 3, 0} {
		if !s.Push(x) {
			t.Errorf("%d was not entered", x)
		}
	}
	if s.Push(1) {
		t.Error("1 was entered twice")
	}
	s.Remove(2)
	s.Remove(7)
	if s.Len() != 3 {
		t.Errorf("%d things, want 3", s.Len())
	}
	var order []int
	for x := range s.All() {
		if order = append(order, x); len(order) == 2 {
			s.Push(3) // popped before: 3
			s.Remove(1)
			s.Push(1)
		}
	}
	if want := []int{0, 3, 1, 3}; !slices.Equal(order, want) {
		t.Errorf("popped %v, want %v", order, want)
	}
	if _, ok := s.Pop(); ok {
		t.Error("something was left")
	}
}
