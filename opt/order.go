package opt

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// BottomUp lists the functions with bodies so that callees come before their callers where no cycle forbids it, as the compiler's
// BottomUpFunctionOrder does: functions that call one another come together, the one met last first. Time is linear in the module and
// in the ways its calls may go.
func BottomUp(mod *ir.Module) []*ir.Function {
	o := &callOrder{reach: newReach(mod), number: map[*ir.Function]int{}, lowest: map[*ir.Function]int{}, open: map[*ir.Function]bool{}}
	for _, f := range functions(mod) {
		o.visit(f)
	}
	return o.order
}

// callOrder finds the strongly connected components of the call graph (Tarjan).
type callOrder struct {
	reach          *reach
	number, lowest map[*ir.Function]int
	stack          []*ir.Function // of components that are not complete
	open           map[*ir.Function]bool
	order          []*ir.Function
}

func (o *callOrder) visit(root *ir.Function) {
	type frame struct {
		f       *ir.Function
		callees []*ir.Function
	}
	var work []frame
	enter := func(f *ir.Function) {
		o.number[f] = len(o.number) + 1
		o.lowest[f] = o.number[f]
		o.stack = append(o.stack, f)
		o.open[f] = true
		work = append(work, frame{f, o.reach.callees(f)})
	}
	if o.number[root] == 0 {
		enter(root)
	}
	for len(work) > 0 {
		top := &work[len(work)-1]
		if len(top.callees) > 0 {
			next := top.callees[0]
			top.callees = top.callees[1:]
			if o.number[next] == 0 {
				enter(next)
			} else if o.open[next] {
				o.lowest[top.f] = min(o.lowest[top.f], o.number[next])
			}
			continue
		}
		f := top.f
		work = work[:len(work)-1]
		if len(work) > 0 {
			under := work[len(work)-1].f
			o.lowest[under] = min(o.lowest[under], o.lowest[f])
		}
		if o.lowest[f] == o.number[f] {
			o.complete(f)
		}
	}
}

// complete takes the component of which f was met first off the stack.
func (o *callOrder) complete(f *ir.Function) {
	for {
		member := o.stack[len(o.stack)-1]
		o.stack = o.stack[:len(o.stack)-1]
		delete(o.open, member)
		if len(member.Blocks) > 0 {
			o.order = append(o.order, member)
		}
		if member == f {
			return
		}
	}
}

// reach tells where calls may lead within the module, through tables too.
type reach struct {
	program *facts.Program
	methods map[string][]*ir.Function // by the declaration, as methods name it
}

// newReach reads the tables.
func newReach(mod *ir.Module) *reach {
	r := &reach{program: facts.NewProgram(mod), methods: map[string][]*ir.Function{}}
	place := map[*ir.Function]int{}
	for n, f := range functions(mod) {
		place[f] = n
	}
	add := func(ref ir.DeclRef, name string) {
		if f := mod.Funcs[name]; f != nil {
			r.methods[ref.Text] = append(r.methods[ref.Text], f)
		}
	}
	for _, item := range mod.Items {
		switch t := item.(type) {
		case *ir.VTable:
			for n := range t.Entries {
				e := &t.Entries[n]
				add(e.Ref, e.Func)
			}
		case *ir.WitnessTable:
			for n := range t.Entries {
				if e := &t.Entries[n]; e.Kind == "method" {
					add(e.Ref, e.Func)
				}
			}
		}
	}
	for key, list := range r.methods {
		slices.SortStableFunc(list, func(a, b *ir.Function) int { return place[a] - place[b] })
		r.methods[key] = slices.Compact(list)
	}
	return r
}

// callees lists what the calls of the body may run, in the order of the text.
func (r *reach) callees(f *ir.Function) []*ir.Function {
	var list []*ir.Function
	seen := map[*ir.Function]bool{}
	for _, b := range f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			if !facts.IsFullApply(i) {
				continue
			}
			for _, g := range r.called(i.Arg(0)) {
				if !seen[g] {
					seen[g] = true
					list = append(list, g)
				}
			}
		}
	}
	return list
}

// called lists what a value that is called may be.
func (r *reach) called(v *ir.Value) []*ir.Function {
	if i := v.Inst(); i != nil && (i.Op == op.ClassMethod || i.Op == op.WitnessMethod) {
		return r.methods[i.Aux.(*ir.MethodAux).Ref.Text]
	}
	return r.program.Callees(v).Funcs
}
