package ossa

import "silvm/ir"

// blotSet is a stack without duplicates from which values can be struck out.
type blotSet struct {
	list []*ir.Value // nil where a value was struck out
	at   map[*ir.Value]int
}

// add enters v at the top unless it is there.
func (s *blotSet) add(v *ir.Value) bool {
	if _, ok := s.at[v]; ok {
		return false
	}
	if s.at == nil {
		s.at = map[*ir.Value]int{}
	}
	s.at[v] = len(s.list)
	s.list = append(s.list, v)
	return true
}

func (s *blotSet) remove(v *ir.Value) {
	if n, ok := s.at[v]; ok {
		s.list[n] = nil
		delete(s.at, v)
	}
}

// pop takes the value from the top, nil when there is none.
func (s *blotSet) pop() *ir.Value {
	for len(s.list) > 0 {
		v := s.list[len(s.list)-1]
		s.list = s.list[:len(s.list)-1]
		if v != nil {
			delete(s.at, v)
			return v
		}
	}
	return nil
}
