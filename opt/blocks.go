package opt

import "silvm/ir"

// uniqueCase gives the case for which a switch_enum goes to the block, a default that stands for one case included; "" when none or
// several do.
func uniqueCase(sw *ir.Inst, to *ir.Block) string {
	found := ""
	for n, c := range sw.Aux.(*ir.CaseAux).Cases {
		if sw.Succs[n].To != to {
			continue
		}
		name := defaultCase(sw)
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

// defaultCase gives the one case that the default of a switch_enum or select_enum stands for, "" when there is no default or it stands
// for several cases or for none.
func defaultCase(sw *ir.Inst) string {
	aux := sw.Aux.(*ir.CaseAux)
	if len(aux.Cases) == 0 || aux.Cases[len(aux.Cases)-1] != nil {
		return ""
	}
	return caseLeft(sw.Block().Func.Module, sw.Arg(0).Type.Object(), aux.Cases)
}

// caseLeft gives the one case of an enum type that is not in the list, "" when there are several or none.
func caseLeft(mod *ir.Module, t *ir.Type, cases []*ir.MemberAux) string {
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
