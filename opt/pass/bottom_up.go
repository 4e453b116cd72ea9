package pass

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/graph"
	"silvm/ir/op"
)

// BottomUp lists the functions, declarations included, so that callees come before their callers, as sil-opt visits them: functions that
// call one another in a cycle are together in one list, and where calls do not tell, the order is that of the text. The ends of references
// count as calls of the deinits that they may run. Time is linear in the module and the number of callees.
func BottomUp(p *facts.Program) [][]*ir.Function {
	o := &bottomUp{p}
	return graph.Components(p.Mod.Functions(), o.callees)
}

// bottomUp knows who calls whom.
type bottomUp struct{ p *facts.Program }

// callees lists the functions of the module that the body may call, in the order of the calls.
func (o *bottomUp) callees(f *ir.Function) (list []*ir.Function) {
	seen := map[*ir.Function]bool{}
	p := o.p.In(f)
	for i := range f.Insts() {
		for _, to := range called(p, i) {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		}
	}
	return list
}

// called returns the functions that an instruction may call, as far as the module has them.
func called(p *facts.Program, i *ir.Inst) []*ir.Function {
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply:
		return p.Callees(i.Arg(0)).Funcs
	case op.StrongRelease, op.ReleaseValue, op.DestroyValue:
		if t := i.Arg(0).Type; !p.IsFinalClass(t) { // sil-opt looks for those under another name
			return p.Destructors(t).Funcs
		}
	case op.Builtin:
		if id := i.Builtin(); (id == op.BuiltinOnce || id == op.BuiltinOnceWithContext) && len(i.Operands) > 1 {
			return p.Callees(i.Arg(1)).Funcs
		}
	}
	return nil
}
