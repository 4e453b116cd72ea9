package memory

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// PredictableMemAccessOpts replaces loads and copies from stack slots and boxes by the values that were stored there, subelement by
// subelement:
//
//	store %0 to [init] %1.a           %4 = copy_value %0; store %0 to [init] %1.a
//	store %2 to [init] %1.b      ⇒    %5 = copy_value %2; store %2 to [init] %1.b
//	%3 = load [copy] %1               %3 = struct (%4, %5)
//
// What is not known of a struct or tuple is loaded. Memory whose address escapes is left alone, and so are load [take] and values that differ
// from way to way.
var PredictableMemAccessOpts = &pass.Pass{
	Name:   "predictable-memaccess-opts",
	Doc:    "Replaces loads from local memory by the values that were stored there, which it copies at the store",
	Copies: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		e := rewrite.NewEditor(c, f)
		w := &loadForwarder{e: e, del: rewrite.NewDeleter(e, e.Ownership()), preds: cfg.NewPredecessors(f), budget: maxAvailabilitySteps}
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Block() != nil {
					w.forward(i)
				}
			}
		}
		return w.changed
	},
}

// loadForwarder is one run of the pass on a function.
type loadForwarder struct {
	e       *rewrite.Editor
	del     *rewrite.Deleter
	preds   *cfg.Predecessors
	budget  int
	changed bool
}

// forward replaces loads from what an instruction allocates.
func (w *loadForwarder) forward(alloc *ir.Inst) {
	m := localMemoryOf(w.e, alloc)
	if m == nil {
		return
	}
	w.changed = m.collect() || w.changed
	flow := newValueFlow(m, w.preds, &w.budget)
	if flow.escapes {
		w.e.Context.Missed(w.e.Func, alloc, "loads are kept: the address escapes")
		return
	}
	for n := 0; n < len(flow.uses); n++ { // more come in on the way
		if u := flow.uses[n]; u.inst != nil && u.kind == memoryLoad && w.load(flow, u.inst) {
			flow.uses[n].inst = nil
			w.changed = true
		}
	}
	w.changed = w.changed || len(flow.loads) > 0
}

// load replaces one load or copy by values that are known.
func (w *loadForwarder) load(flow *valueFlow, i *ir.Inst) bool {
	switch i.Op {
	case op.Load:
		if i.Has(op.QualTake) {
			return false
		}
	case op.LoadBorrow:
		if w.e.OSSA && ownership.IsReborrowed(i) {
			return false // the copy would have to end where the scope of the phi does
		}
	case op.CopyAddr:
		if w.e.Types.IsAddressOnly(i.Arg(0).Type) {
			return false
		}
	default:
		return false
	}
	address := i.Arg(0)
	first, ok := flow.subelement(address)
	if !ok {
		return false
	}
	maker := &valueMaker{valueFlow: flow, at: i, values: flow.at(i, first, flow.countOf(address.Type))}
	if maker.values == nil || !maker.canMake(address.Type, first) {
		w.e.Context.Missed(w.e.Func, i, "kept %s: the value in memory is not known on all paths", i.Op)
		return false
	}
	w.e.Context.Passed(w.e.Func, i, "replaced %s by what was stored", i.Op)
	if i.Op == op.CopyAddr {
		flow.explode(i)
		return true
	}
	v := maker.make(address.Type, address, first, true)
	w.replace(i, v)
	maker.destroyCopies()
	i.Remove()
	if def := address.Inst(); def != nil && (w.e.OSSA || facts.IsTriviallyDead(def)) {
		w.del.DeleteIfDead(def)
	}
	return true
}

// replace lets the users of a load use a copy of v.
func (w *loadForwarder) replace(i *ir.Inst, v *ir.Value) {
	if w.e.OSSA && !w.e.Types.IsTrivial(v.Type) {
		v = rewrite.Emit(w.e.Before(i), op.CopyValue, v).Result()
	}
	if i.Op == op.LoadBorrow && w.e.OSSA && !w.e.Types.IsTrivial(v.Type) {
		for _, x := range i.Result().UseList() {
			if end := x.User(); end.Op == op.EndBorrow {
				rewrite.Emit(w.e.After(end), op.DestroyValue, v)
			}
		}
		v = rewrite.Emit(w.e.Before(i), op.BeginBorrow, v).Result()
	}
	i.Result().ReplaceAllUses(v)
}
