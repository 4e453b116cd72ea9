package dumps

import (
	"silvm/ir"
)

// useStack is a stack of uses to look at, each of which goes on it once.
type useStack struct {
	list []*ir.Operand
	seen map[*ir.Operand]bool
}

// usesToVisit returns a stack with the uses of a value.
func usesToVisit(v *ir.Value) *useStack {
	s := &useStack{seen: map[*ir.Operand]bool{}}
	s.push(v)
	return s
}

// push puts the uses of a value on top.
func (s *useStack) push(v *ir.Value) {
	for _, x := range v.UseList() {
		if !s.seen[x] {
			s.seen[x] = true
			s.list = append(s.list, x)
		}
	}
}

// pop takes the use from the top, nil when there is none.
func (s *useStack) pop() *ir.Operand {
	if len(s.list) == 0 {
		return nil
	}
	x := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return x
}
