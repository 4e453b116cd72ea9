package graph

// Components lists the strongly connected components of what the roots reach by next, those that are reached before those that reach them
// (Tarjan, Depth-first search and linear graph algorithms, 1972). It does without recursion, in linear time.
func Components[T comparable](roots []T, next func(T) []T) [][]T {
	s := &componentSearch[T]{next: next, number: map[T]int{}, least: map[T]int{}, open: map[T]bool{}}
	for _, root := range roots {
		if s.number[root] == 0 {
			s.visit(root)
		}
	}
	return s.done
}

type componentSearch[T comparable] struct {
	next   func(T) []T
	number map[T]int // in the order of the visits, from 1
	least  map[T]int // the least number of an open node that is known to be reachable
	open   map[T]bool
	stack  []T // those that are open
	done   [][]T
}

func (s *componentSearch[T]) visit(root T) {
	type frame struct {
		node T
		left []T
	}
	enter := func(node T) frame {
		n := len(s.number) + 1
		s.number[node], s.least[node], s.open[node] = n, n, true
		s.stack = append(s.stack, node)
		return frame{node, s.next(node)}
	}
	frames := []frame{enter(root)}
	for len(frames) > 0 {
		top := &frames[len(frames)-1]
		if len(top.left) == 0 {
			s.leave(top.node)
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				from := frames[len(frames)-1].node
				s.least[from] = min(s.least[from], s.least[top.node])
			}
			continue
		}
		to := top.left[0]
		top.left = top.left[1:]
		switch {
		case s.number[to] == 0:
			frames = append(frames, enter(to))
		case s.open[to]:
			s.least[top.node] = min(s.least[top.node], s.number[to])
		}
	}
}

// leave ends the visit of a node: when it reaches none that was open before, it closes the component that it began.
func (s *componentSearch[T]) leave(node T) {
	if s.least[node] != s.number[node] {
		return
	}
	var component []T
	for {
		last := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		delete(s.open, last)
		component = append(component, last)
		if last == node {
			break
		}
	}
	s.done = append(s.done, component)
}
