package opt

import "silvm/ir"

// BottomUp lists the functions with bodies so that callees come before their callers where no cycle forbids it, as sil-opt
// visits them: in the order of the text otherwise. Time is linear in the module.
func BottomUp(mod *ir.Module) []*ir.Function {
	var order []*ir.Function
	seen := map[*ir.Function]bool{}
	type frame struct {
		f       *ir.Function
		callees []*ir.Function
	}
	for _, root := range functions(mod) {
		if seen[root] {
			continue
		}
		seen[root] = true
		stack := []frame{{root, Callees(root)}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.callees) == 0 {
				if len(top.f.Blocks) > 0 {
					order = append(order, top.f)
				}
				stack = stack[:len(stack)-1]
				continue
			}
			next := top.callees[0]
			top.callees = top.callees[1:]
			if !seen[next] {
				seen[next] = true
				stack = append(stack, frame{next, Callees(next)})
			}
		}
	}
	return order
}

// Callees lists the functions that the body refers to by name, in the order of the text, once each.
func Callees(f *ir.Function) []*ir.Function {
	var callees []*ir.Function
	seen := map[*ir.Function]bool{}
	for _, b := range f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			if aux, ok := i.Aux.(*ir.SymbolAux); ok && aux.Func != nil && !seen[aux.Func] {
				seen[aux.Func] = true
				callees = append(callees, aux.Func)
			}
		}
	}
	return callees
}
