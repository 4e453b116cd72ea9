package flow

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
)

// OptimizeHopToExecutor removes hops to where the task already is, and hops after which it does nothing that has to be done there:
//
//	hop_to_executor %0           hop_to_executor %0
//	apply %isolated(%0)     ⇒    apply %isolated(%0)
//	hop_to_executor %0           apply %isolated(%0)
//	apply %isolated(%0)
//
// A call of an async function may come back anywhere, and goes itself to where it has to be. Mandatory hops stay
// (lib/SILOptimizer/Mandatory/OptimizeHopToExecutor.cpp).
var OptimizeHopToExecutor = &pass.Pass{
	Name:        "optimize-hop-to-executor",
	Doc:         "Removes hops to the executor that the task is on, and to one that it does not need",
	Unoptimized: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		h := &hops{c: c, f: f, preds: cfg.NewPredecessors(f)}
		for i := range f.Insts() {
			if i.Op == op.HopToExecutor {
				removed := h.removeRedundant()
				return h.removeDead() || removed
			}
		}
		return false
	},
}

type hops struct {
	c     *pass.Context
	f     *ir.Function
	preds *cfg.Predecessors
}

// executor is where the task is: an actor, or nobody knows where.
type executor struct {
	actor *ir.Value // nil: not known
	found bool      // some way leads here
}

// suspends reports whether the task may be elsewhere after an instruction: it calls an async function or waits.
func suspends(i *ir.Inst) bool {
	if i.Op == op.AwaitAsyncContinuation {
		return true
	}
	if !facts.IsFullApply(i) {
		return false
	}
	fn := facts.Callee(i)
	return fn == nil || fn.Async
}

// removeRedundant removes hops to the executor that every way there has gone to already.
func (h *hops) removeRedundant() bool {
	at := map[*ir.Block]executor{h.f.Entry(): {found: true}} // at the beginning of blocks
	work := worklist.Of(h.f.Entry())
	var again worklist.Stack[*ir.Block]
	visit := func(b *ir.Block) {
		end := h.through(b, at[b], nil)
		for _, e := range b.Last().Succs {
			old := at[e.To]
			met := end
			if old.found && old.actor != end.actor {
				met = executor{found: true}
			}
			if met != old {
				at[e.To] = met
				again.Push(e.To)
			}
		}
	}
	for b := range work.All() {
		visit(b)
		for b := range again.All() {
			visit(b)
		}
	}
	changed := false
	for _, b := range h.f.Blocks {
		if at[b].found {
			h.through(b, at[b], func(hop *ir.Inst) {
				h.c.Passed(h.f, hop, "removed a hop to the executor that the task is on")
				hop.Remove()
				changed = true
			})
		}
	}
	return changed
}

// through returns where the task is at the end of a block, and calls redundant for hops that lead nowhere else.
func (h *hops) through(b *ir.Block, is executor, redundant func(hop *ir.Inst)) executor {
	for _, i := range b.InstList() {
		switch {
		case i.Op == op.HopToExecutor && is.actor == i.Arg(0) && !i.Has(op.QualMandatory) && redundant != nil:
			redundant(i)
		case i.Op == op.HopToExecutor:
			is.actor = i.Arg(0)
		case suspends(i):
			is.actor = nil
		}
	}
	return is
}

// removeDead removes hops after which nothing has to be done there before the task goes elsewhere or ends.
func (h *hops) removeDead() bool {
	needed := map[*ir.Block]bool{} // at the beginning of blocks
	var work worklist.Stack[*ir.Block]
	for _, b := range h.f.Blocks {
		work.Push(b)
	}
	for b := range work.All() {
		if needs := h.before(b, needed, nil); needs && !needed[b] {
			needed[b] = true
			for _, p := range h.preds.Of(b) {
				work.Push(p)
			}
		}
	}
	changed := false
	for _, b := range h.f.Blocks {
		h.before(b, needed, func(hop *ir.Inst) {
			h.c.Passed(h.f, hop, "removed a hop to an executor on which nothing is done")
			hop.Remove()
			changed = true
		})
	}
	return changed
}

// before reports whether something in a block or after it needs the executor that the task is on when it enters the block, and calls dead for
// hops that nothing needs.
func (h *hops) before(b *ir.Block, needed map[*ir.Block]bool, dead func(hop *ir.Inst)) bool {
	needs := false
	for _, e := range b.Last().Succs {
		needs = needs || needed[e.To]
	}
	for i := b.Last(); i != nil; {
		prev := i.Prev()
		switch {
		case i.Op == op.HopToExecutor:
			if !needs && !i.Has(op.QualMandatory) && dead != nil {
				dead(i)
			}
			needs = false
		case suspends(i):
			needs = false
		case needsExecutor(i):
			needs = true
		}
		i = prev
	}
	return needs
}

// needsExecutor reports whether an instruction may do what has to be done on a certain executor: it touches memory that others may see.
func needsExecutor(i *ir.Inst) bool {
	switch i.Op {
	case op.Load:
		return !isOwnSlot(i.Arg(0))
	case op.Store:
		return !isOwnSlot(i.Arg(1))
	case op.CopyAddr:
		return !isOwnSlot(i.Arg(0)) || !isOwnSlot(i.Arg(1))
	case op.BeginBorrow, op.EndBorrow:
		return false
	}
	m := facts.OrderMemory(i)
	return m.MayRead() || m.MayWrite()
}

// isOwnSlot reports whether an address is in a slot of the function.
func isOwnSlot(v *ir.Value) bool {
	for v.Inst() != nil {
		i := v.Inst()
		if i.Op == op.AllocStack {
			return true
		}
		base := v
		for n := range i.Operands {
			if ownership.ProjectsAddress(i, n) {
				base = i.Arg(n)
			}
		}
		if base == v {
			return false
		}
		v = base
	}
	return false
}
