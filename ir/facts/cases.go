package facts

import "silvm/ir"

// UniqueCase returns the case for which a switch_enum goes to the block, a default that stands for one case included; "" when none or
// several do.
func UniqueCase(sw *ir.Inst, to *ir.Block) string {
	found := ""
	for n, c := range sw.Aux.(*ir.CaseAux).Cases {
		if sw.Succs[n].To != to {
			continue
		}
		name := DefaultCase(sw)
		if c != nil {
			name = c.Name
		}
		if found != "" || name == "" {
			return ""
		}
		found = name
	}
	return found
}

// DefaultCase returns the one case that the default of a switch_enum or select_enum stands for, "" when there is no default or it stands
// for several cases or for none.
func DefaultCase(sw *ir.Inst) string {
	aux := sw.Aux.(*ir.CaseAux)
	if len(aux.Cases) == 0 || aux.Cases[len(aux.Cases)-1] != nil {
		return ""
	}
	return CaseLeft(sw.Block().Func.Module, sw.Arg(0).Type.Object(), aux.Cases)
}

// CaseLeft returns the one case of an enum type that is not in the list, "" when there are several or none.
func CaseLeft(mod *ir.Module, t *ir.Type, cases []*ir.MemberAux) string {
	d := mod.DeclOf(t)
	if d == nil {
		return ""
	}
	left := ""
	for _, c := range d.Cases {
		named := false
		for _, m := range cases {
			named = named || m != nil && m.Name == c.Name
		}
		if named {
			continue
		}
		if left != "" {
			return ""
		}
		left = c.Name
	}
	return left
}

// NamedDefault returns the cases of a switch or select with the one case that the default stands for, nil when there is no such default.
func NamedDefault(i *ir.Inst) *ir.CaseAux {
	name := DefaultCase(i)
	aux := i.Aux.(*ir.CaseAux)
	if name == "" || len(aux.Cases) < 2 {
		return nil
	}
	cases := append([]*ir.MemberAux(nil), aux.Cases...)
	first := cases[0]
	cases[len(cases)-1] = &ir.MemberAux{Type: first.Type, Name: name, Suffix: first.Suffix}
	return &ir.CaseAux{Cases: cases}
}

// CaseOf returns the case that an enum instruction or one that names a case is about.
func CaseOf(i *ir.Inst) string { return i.Aux.(*ir.MemberAux).Name }

// CaseNumber returns the entry of a switch or select that a case goes to, the default included; -1 when there is none.
func CaseNumber(aux *ir.CaseAux, name string) int {
	for n, c := range aux.Cases {
		if c == nil || c.Name == name {
			return n
		}
	}
	return -1
}

// CaseEdge returns the successor to which a switch goes for a case, -1 when to none.
func CaseEdge(sw *ir.Inst, name string) int { return CaseNumber(sw.Aux.(*ir.CaseAux), name) }
