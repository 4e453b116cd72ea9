package loader

import (
	"silvm/ir"
	"silvm/loader/evidence"
)

// SameType says that two types are one. Types of different shape, of which a requirement of the function may say that they are the same, tell
// nothing.
func (s *shadows) SameType(a, b *ir.Type) {
	if a == nil || b == nil || a == b {
		return
	}
	a, b = evidence.Objects(a, b)
	if a == b || !a.HasParams() || !b.HasParams() || a.Kind != b.Kind {
		return
	}
	if a.Kind == ir.KindParam {
		s.sameParam(a.Name, b.Name)
		return
	}
	if a.Name != b.Name || len(a.Args) != len(b.Args) {
		return
	}
	s.SameType(a.Elem, b.Elem)
	s.SameType(a.Parent, b.Parent)
	s.sameTypes(a.Args, b.Args)
	if a.Func != nil && b.Func != nil {
		s.SameFunction(a.Func, b.Func)
	}
	if a.Box != nil && b.Box != nil {
		s.sameTypes(a.Box.Subs, b.Box.Subs)
		if a.Box.Generic == nil && b.Box.Generic == nil && len(a.Box.Fields) == len(b.Box.Fields) {
			for k := range a.Box.Fields {
				s.SameType(a.Box.Fields[k].Type, b.Box.Fields[k].Type)
			}
		}
	}
}

func (s *shadows) sameTypes(a, b []*ir.Type) { evidence.SameTypes(s, a, b) }

// Also takes nothing from an instruction by itself.
func (s *shadows) Also(*ir.Inst) {}

// SameFunction compares two function types that bind nothing, or by what is substituted into them.
func (s *shadows) SameFunction(a, b *ir.FuncType) {
	s.sameTypes(a.Subs, b.Subs)
	if a.Generic != nil || b.Generic != nil || a.Pattern != nil || b.Pattern != nil || len(a.Params) != len(b.Params) || len(a.Results) != len(b.Results) {
		return
	}
	for k := range a.Params {
		s.SameType(a.Params[k].Type, b.Params[k].Type)
	}
	for k := range a.Results {
		s.SameType(a.Results[k].Type, b.Results[k].Type)
	}
	if a.Error != nil && b.Error != nil {
		s.SameType(a.Error.Type, b.Error.Type)
	}
}

func (s *shadows) sameParam(a, b string) {
	x, isX := s.byName[a]
	y, isY := s.byName[b]
	switch {
	case isX && isY:
		s.unite(x, y)
	case isX && s.bit(b) != 0:
		s.restrict(x, s.bit(b))
	case isY && s.bit(a) != 0:
		s.restrict(y, s.bit(a))
	}
}

// Fulfils says that a type conforms to a protocol, which parameters without requirements do not.
func (s *shadows) Fulfils(mod *ir.Module, t, protocol *ir.Type) {
	if t == nil || t.Kind != ir.KindParam || protocol == nil || evidence.IsImplied(protocol.Name) {
		return
	}
	if d := mod.DeclOf(protocol); d == nil || d.Kind != ir.Protocol {
		return
	}
	k, ok := s.byName[t.Name]
	if !ok {
		return
	}
	var set uint64
	for _, r := range s.sig.Requirements {
		if r.Kind == ir.ReqConformance || r.Kind == ir.ReqSameType {
			set |= s.namedIn(r.Subject)
			if r.Kind == ir.ReqSameType {
				set |= s.namedIn(r.Type)
			}
		}
	}
	if set != 0 {
		s.restrict(k, set)
	}
}

// namedIn returns the parameters of the signature that a type is or is a member of.
func (s *shadows) namedIn(t *ir.Type) uint64 {
	for t != nil && t.Kind == ir.KindMember {
		t = t.Elem
	}
	if t == nil || t.Kind != ir.KindParam {
		return 0
	}
	return s.bit(t.Name)
}
