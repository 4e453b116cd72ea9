package memory

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// PredictableDeadAllocElim removes stack slots and boxes, in ownership form, that are only stored to: what they hold is taken or destroyed as the
// value that was stored.
//
//	%1 = alloc_stack $C
//	store %0 to [init] %1
//	destroy_addr %1              ⇒    destroy_value %0
//	dealloc_stack %1
//
// A value that nobody takes out is destroyed where it ceases to live.
var PredictableDeadAllocElim = &pass.Pass{
	Name: "predictable-deadalloc-elim",
	Doc:  "Removes local memory that is only stored to",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if !f.IsOSSA() {
			return false
		}
		e := rewrite.NewEditor(c, f)
		w := &deadAllocator{Editor: e, own: e.Ownership(), preds: cfg.NewPredecessors(f), budget: maxAvailabilitySteps}
		w.del = rewrite.NewDeleter(e, w.own)
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Block() != nil {
					w.remove(i)
				}
			}
		}
		return w.changed || w.del.Changed
	},
}

// deadAllocator is one run of the pass on a function.
type deadAllocator struct {
	*rewrite.Editor
	own     *ownership.Ownership
	del     *rewrite.Deleter
	preds   *cfg.Predecessors
	budget  int
	changed bool
}

// memoryTake is an instruction that ends the life of what is in memory, with the values that are there.
type memoryTake struct {
	inst   *ir.Inst
	values []availableValue
	first  int
}

// remove removes what an instruction allocates.
func (w *deadAllocator) remove(alloc *ir.Inst) {
	m := localMemoryOf(w.Editor, alloc)
	if m == nil {
		return
	}
	w.changed = m.collect() || w.changed
	if u := keepsAllocation(m); u != nil {
		w.Context.Missed(w.Func, alloc, "kept: %s uses it", u.Op)
		return
	}
	flow := newValueFlow(m, w.preds, &w.budget)
	if !w.Types.IsTrivial(m.typ) {
		takes, why := w.takes(flow)
		w.changed = w.changed || len(flow.loads) > 0
		if why != nil {
			w.Context.Missed(w.Func, alloc, "kept: what %s ends is not known", why.Op)
			return
		}
		taken := map[*ir.Value]*ir.Value{} // results of loads, and what took their places
		for _, t := range takes {
			w.takeStored(flow, t, taken)
		}
	}
	w.Context.Passed(w.Func, alloc, "removed memory: what it holds is known everywhere")
	var stored []*ir.Value
	for _, u := range flow.uses {
		if u.inst != nil && u.inst.Block() != nil && u.inst.Op == op.Store {
			stored = append(stored, u.inst.Arg(0))
			w.SalvageStore(u.inst)
		}
	}
	w.del.ForceDelete(alloc)
	for _, l := range flow.loads {
		w.del.TrackIfDead(l)
	}
	w.del.Cleanup()
	w.CompleteLifetimes(stored)
	w.changed = true
}

// keepsAllocation returns a use that does more than store or take, nil when there is none.
func keepsAllocation(m *localMemory) *ir.Inst {
	for _, u := range m.uses {
		ok := false
		switch u.kind {
		case memoryInitOrAssign:
			ok = true
		case memoryInit:
			ok = u.inst.Op == op.Store || u.inst.Op == op.CopyAddr && u.inst.Has(op.QualTake)
		case memoryLoad:
			ok = u.inst.Op == op.Load && u.inst.Has(op.QualTake)
		}
		if !ok {
			return u.inst
		}
	}
	return nil
}

// takes finds the values that each end of a life in memory ends; why is one that ends values that aren't known.
func (w *deadAllocator) takes(flow *valueFlow) (takes []memoryTake, why *ir.Inst) {
	var list []*ir.Inst
	for n := range flow.uses {
		if u := flow.uses[n]; u.kind == memoryLoad {
			list = append(list, u.inst)
		}
	}
	for _, i := range append(list, flow.ends...) {
		if i.Op == op.DeallocBox {
			continue
		}
		if i.Op != op.Load && i.Op != op.DestroyAddr {
			return nil, i
		}
		t := i.Arg(0).Type
		first, ok := flow.subelement(i.Arg(0))
		if !ok {
			return nil, i
		}
		values := flow.at(i, first, flow.countOf(t))
		for k := range values {
			if values[k].v == nil {
				return nil, i // the whole must be known, even if a part is taken
			}
		}
		maker := &valueMaker{valueFlow: flow, at: i, values: values, take: true}
		if values == nil || !maker.canTake(t, first) {
			return nil, i
		}
		takes = append(takes, memoryTake{i, values, first})
	}
	for _, u := range flow.uses {
		if u.inst != nil && u.inst.Op == op.CopyAddr {
			return nil, u.inst // nobody takes out what it moves
		}
	}
	return takes, nil
}

// takeStored ends the life of what was stored instead of the life in memory.
func (w *deadAllocator) takeStored(flow *valueFlow, t memoryTake, taken map[*ir.Value]*ir.Value) {
	for k := range t.values {
		for x := &t.values[k]; taken[x.v] != nil; {
			x.v = taken[x.v] // it was taken out and stored again
		}
	}
	maker := &valueMaker{valueFlow: flow, at: t.inst, values: t.values, take: true}
	v := maker.make(t.inst.Arg(0).Type, t.inst.Arg(0), t.first, true)
	if t.inst.Op == op.Load {
		taken[t.inst.Result()] = v
		t.inst.ReplaceWith(v)
		return
	}
	if w.own.KindOf(v) == ownership.KindOwned {
		w.DestroyValue(w.Before(t.inst), v)
	}
	t.inst.Remove()
}
