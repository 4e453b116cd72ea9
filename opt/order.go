package opt

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// BottomUp lists the functions, declarations included, so that callees come before their callers, as sil-opt visits them: functions that
// call one another in a cycle are together in one list, and where calls do not tell, the order is that of the text. The ends of references
// count as calls of the deinits that they may run. Time is linear in the module and the number of callees.
func BottomUp(p *facts.Program) [][]*ir.Function {
	o := &bottomUp{p: p, number: map[*ir.Function]int{}, least: map[*ir.Function]int{}, open: map[*ir.Function]bool{}}
	for _, f := range functions(p.Mod) {
		if o.number[f] == 0 {
			o.visit(f)
		}
	}
	return o.done
}

// bottomUp is a search for strongly connected components (Tarjan, Depth-first search and linear graph algorithms, 1972).
type bottomUp struct {
	p      *facts.Program
	number map[*ir.Function]int // in the order of the visits, from 1
	least  map[*ir.Function]int // the least number of an open function that is known to be reachable
	open   map[*ir.Function]bool
	stack  []*ir.Function // those that are open
	done   [][]*ir.Function
}

// visit follows the calls from root without recursion.
func (o *bottomUp) visit(root *ir.Function) {
	type frame struct {
		f       *ir.Function
		callees []*ir.Function
	}
	enter := func(f *ir.Function) frame {
		n := len(o.number) + 1
		o.number[f], o.least[f], o.open[f] = n, n, true
		o.stack = append(o.stack, f)
		return frame{f, o.callees(f)}
	}
	frames := []frame{enter(root)}
	for len(frames) > 0 {
		top := &frames[len(frames)-1]
		if len(top.callees) == 0 {
			o.leave(top.f)
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				caller := frames[len(frames)-1].f
				o.least[caller] = min(o.least[caller], o.least[top.f])
			}
			continue
		}
		next := top.callees[0]
		top.callees = top.callees[1:]
		switch {
		case o.number[next] == 0:
			frames = append(frames, enter(next))
		case o.open[next]:
			o.least[top.f] = min(o.least[top.f], o.number[next])
		}
	}
}

// leave ends the visit of a function: when it reaches none that was open before, it closes the component that it began.
func (o *bottomUp) leave(f *ir.Function) {
	if o.least[f] != o.number[f] {
		return
	}
	var component []*ir.Function
	for {
		last := o.stack[len(o.stack)-1]
		o.stack = o.stack[:len(o.stack)-1]
		delete(o.open, last)
		component = append(component, last)
		if last == f {
			break
		}
	}
	o.done = append(o.done, component)
}

// callees lists the functions of the module that the body may call, in the order of the calls.
func (o *bottomUp) callees(f *ir.Function) (list []*ir.Function) {
	o.p.Types.Enter(f)
	seen := map[*ir.Function]bool{}
	eachInst(f, func(i *ir.Inst) {
		for _, to := range o.called(i) {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		}
	})
	return list
}

// called gives the functions that an instruction may call, as far as the module has them.
func (o *bottomUp) called(i *ir.Inst) []*ir.Function {
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply:
		return o.p.Callees(i.Arg(0)).Funcs
	case op.StrongRelease, op.ReleaseValue, op.DestroyValue:
		if t := i.Arg(0).Type; !o.p.IsFinalClass(t) { // sil-opt looks for those under another name
			return o.p.Destructors(t).Funcs
		}
	case op.Builtin:
		if aux, ok := i.Aux.(*ir.BuiltinAux); ok && (aux.Name == "once" || aux.Name == "onceWithContext") && len(i.Operands) > 1 {
			return o.p.Callees(i.Arg(1)).Funcs
		}
	}
	return nil
}
