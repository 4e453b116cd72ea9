package ossa

import "silvm/ir"

// UseStack is a stack of uses to look at, each of which goes on it once.
type UseStack struct {
	list []*ir.Operand
	seen map[*ir.Operand]bool
}

// UsesToVisit returns a stack with the uses of a value.
func UsesToVisit(v *ir.Value) *UseStack {
	s := &UseStack{seen: map[*ir.Operand]bool{}}
	s.Push(v)
	return s
}

// Push puts the uses of a value on top.
func (s *UseStack) Push(v *ir.Value) {
	for _, x := range v.UseList() {
		if !s.seen[x] {
			s.seen[x] = true
			s.list = append(s.list, x)
		}
	}
}

// Pop takes the use from the top, nil when there is none.
func (s *UseStack) Pop() *ir.Operand {
	if len(s.list) == 0 {
		return nil
	}
	x := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return x
}
