package verify

import (
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// name is the variable that an access is to, with the part of it, as in "point.x"; "" when it has none in the text.
func (e *exclusivity) name(a *formalAccess) string {
	name := variable(a.storage)
	if name == "" {
		return ""
	}
	for _, i := range a.part {
		switch aux := i.Aux.(type) {
		case *ir.MemberAux:
			name += "." + aux.Name
		case *ir.IntAux:
			name += "." + tupleElement(i, aux)
		}
	}
	return name
}

// tupleElement is the label of the element that a tuple_element_addr selects, its number when it has none.
func tupleElement(i *ir.Inst, aux *ir.IntAux) string {
	if t := i.Arg(0).Type.Object(); aux.Value.IsInt64() {
		if n := aux.Value.Int64(); n >= 0 && n < int64(len(t.Labels)) && t.Labels[n] != "" {
			return t.Labels[n]
		}
	}
	return aux.Value.String()
}

// variable is the name of the declaration behind a storage, "" when the text does not tell it.
func variable(s facts.AccessPath) string {
	if s.Scope != nil || s.Base == nil {
		return ""
	}
	switch s.Kind {
	case facts.BaseClass:
		if aux, ok := s.Base.Inst().Aux.(*ir.MemberAux); ok {
			return aux.Name
		}
	case facts.BaseGlobal:
		if aux, ok := s.Base.Inst().Aux.(*ir.SymbolAux); ok && aux.Global != nil {
			return lastName(ir.DisplayName(aux.Name, aux.Global.Comment), aux.Name)
		}
	case facts.BasePointer:
		f := addressedGlobal(s.Base)
		return lastName(strings.TrimSuffix(f.DisplayName(), ".unsafeMutableAddressor"), f.Name)
	case facts.BaseStack:
		if name := s.Base.Inst().Variable(); name != "" {
			return name
		}
		return debugName(s.Base)
	case facts.BaseBox:
		return boxName(s.Base)
	case facts.BaseArgument:
		return debugName(s.Base)
	}
	return ""
}

// boxName is the variable in a box: the name is at its allocation, or at the address of a box that came from elsewhere.
func boxName(project *ir.Value) string {
	for box := project.Inst().Arg(0); ; {
		box = facts.ReferenceRoot(box)
		i := box.Inst()
		if i == nil || i.Op != op.MarkUninitialized {
			if i != nil {
				if name := i.Variable(); name != "" {
					return name
				}
			}
			break
		}
		box = i.Arg(0)
	}
	return debugName(project)
}

// debugName is the name that a debug_value gives an address.
func debugName(v *ir.Value) string {
	for use := range v.Uses() {
		if i := use.User(); i.Op == op.DebugValue {
			if name := i.Variable(); name != "" {
				return name
			}
		}
	}
	return ""
}

// lastName is the last part of a name for people, "static Point.origin"; a symbol that is not mangled stands for itself.
func lastName(full, symbol string) string {
	if full == symbol {
		if strings.HasPrefix(symbol, "$") {
			return ""
		}
		return symbol
	}
	return full[strings.LastIndexByte(full, '.')+1:]
}
