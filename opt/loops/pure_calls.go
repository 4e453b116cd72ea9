package loops

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// PureCalls treats calls of pure functions like instructions without effects (docs/proposals/OptimizerEffects.rst, Pure Functions and Pure Value
// Types): of two with the same arguments one is left, one that is loop-invariant moves before the loop, and one whose result
// nobody wants goes.
//
//	%2 = apply %bar(%0)                    %2 = apply %bar(%0)
//	apply %unknown()                  ⇒    apply %unknown()
//	%4 = apply %bar(%0)                    // uses of %4: %2
//
// A function is pure if it touches nothing that its arguments do not lead to, and these are pure values: trivial, declared so by
// @_semantics("pure_value"), or made of such. That is read off its effect list or its promises (readnone, get_subobject). What others do
// cannot change a pure value, but the value must be held where it is used: one that lies in memory only may be written in place. A call that
// may trap or loop is merged with one that comes first anyway, but neither moved nor dropped.
var PureCalls = &pass.Pass{Name: "pure-calls", Doc: "Merges, moves out of loops and drops calls of pure functions", Function: func(c *pass.Context, f *ir.Function) bool {
	h := &pureCalls{loopHoister: &loopHoister{Editor: rewrite.NewEditor(c, f), p: c.Program(f)}, pure: map[*ir.Function]bool{}, traps: map[*ir.Function]bool{}}
	if !h.any() {
		return false
	}
	h.findLoops()
	h.drop()
	h.merge()
	if !h.loops.Irreducible {
		for _, l := range h.loops.InnerFirst() {
			if to := rewrite.Preheader(h.dom, l); to != nil {
				h.hoist(l, to)
			}
		}
	}
	return h.changed
}}

type pureCalls struct {
	*loopHoister
	pure, traps map[*ir.Function]bool
}

// any reports whether the function calls a pure one.
func (h *pureCalls) any() bool {
	for i := range h.Func.Insts() {
		if h.callee(i) != nil {
			return true
		}
	}
	return false
}

// callee returns the pure function that a call of values that are held calls, nil when it is no such call.
func (h *pureCalls) callee(i *ir.Inst) *ir.Function {
	if i.Op != op.Apply {
		return nil
	}
	f := facts.StaticCallee(i)
	if f == nil || len(i.Aux.(*ir.ApplyAux).Subs) > 0 || !h.Types.IsTrivial(i.Result().Type) {
		return nil
	}
	pure, known := h.pure[f]
	if !known {
		pure = h.p.IsPure(f)
		h.pure[f] = pure
	}
	if !pure {
		return nil
	}
	for n := 1; n < len(i.Operands); n++ {
		if !h.isHeld(i.Arg(n)) {
			return nil
		}
	}
	return f
}

// isHeld reports whether a value has no references, or owns or is lent the ones that it has.
func (h *pureCalls) isHeld(v *ir.Value) bool {
	if h.Types.IsTrivial(v.Type) {
		return true
	}
	root := h.Context.RCIdentity(h.Func).Root(v)
	i := root.Inst()
	switch {
	case i == nil:
		return root.IsArg() && root.Block() == h.Func.Entry()
	case i.Op == op.Load:
		return i.Has(op.QualCopy) || i.Has(op.QualTake)
	}
	return i.Op == op.Apply || i.Op == op.CopyValue || i.Op == op.LoadBorrow
}

func (h *pureCalls) mayTrap(f *ir.Function) bool {
	traps, known := h.traps[f]
	if !known {
		traps = h.p.MayTrapOrLoop(f)
		h.traps[f] = traps
	}
	return traps
}

// drop removes calls whose results nobody wants.
func (h *pureCalls) drop() {
	for _, b := range h.Func.Blocks {
		for _, i := range b.InstList() {
			if f := h.callee(i); f != nil && len(i.Result().UseList()) == 0 && !h.mayTrap(f) {
				h.Context.Passed(h.Func, i, "dropped a call of a pure function, the result of which nobody wants")
				i.Remove()
				h.changed = true
			}
		}
	}
}

// merge makes one call of several with the same arguments.
func (h *pureCalls) merge() {
	calls := map[*ir.Function][]*ir.Inst{}
	for _, b := range h.dom.Order {
		for _, i := range b.InstList() {
			f := h.callee(i)
			if f == nil {
				continue
			}
			if first := h.sameCall(calls[f], i); first != nil {
				h.Context.Passed(h.Func, i, "merged a call of a pure function with an earlier one that has the same arguments")
				i.ReplaceWith(first.Result())
				h.changed = true
				continue
			}
			calls[f] = append(calls[f], i)
		}
	}
}

// maxSameCallee bounds with how many earlier calls of a function one is compared.
const maxSameCallee = 100

// sameCall returns the call of the list that comes before i on each path and has the same arguments, nil when there is none.
func (h *pureCalls) sameCall(list []*ir.Inst, i *ir.Inst) *ir.Inst {
	for _, first := range list[max(0, len(list)-maxSameCallee):] {
		same := h.comesFirst(first, i)
		for n := 1; n < len(i.Operands) && same; n++ {
			same = first.Arg(n) == i.Arg(n)
		}
		if same {
			return first
		}
	}
	return nil
}

func (h *pureCalls) comesFirst(first, i *ir.Inst) bool {
	if first.Block() == i.Block() {
		return first.IsBefore(i)
	}
	return h.dom.Dominates(first.Block(), i.Block())
}

// hoist moves calls whose arguments come from before the loop there.
func (h *pureCalls) hoist(l *cfg.Loop, to *ir.Block) {
	for _, b := range h.dom.Order {
		if !l.Has(b) {
			continue
		}
		for _, i := range b.InstList() {
			f := h.callee(i)
			if f == nil || !h.isInvariant(l, i) {
				continue
			}
			if h.mayTrap(f) {
				h.Context.Missed(h.Func, i, "left a call of a pure function in the loop: it may trap or not come back")
				continue
			}
			if !h.allTrivial(i) && !isPassed(l, map[*ir.Block]bool{b: true}) {
				continue
			}
			h.Context.Passed(h.Func, i, "moved a call of a pure function before the loop")
			if ref := i.Arg(0).Inst(); l.Has(ref.Block()) {
				ref.MoveBefore(to.Last())
			}
			i.MoveBefore(to.Last())
			h.changed = true
		}
	}
}

func (h *pureCalls) isInvariant(l *cfg.Loop, i *ir.Inst) bool {
	for n := 1; n < len(i.Operands); n++ {
		if b := i.Arg(n).Block(); b == nil || l.Has(b) {
			return false
		}
	}
	return true
}

func (h *pureCalls) allTrivial(i *ir.Inst) bool {
	for n := 1; n < len(i.Operands); n++ {
		if !h.Types.IsTrivial(i.Arg(n).Type) {
			return false
		}
	}
	return true
}
