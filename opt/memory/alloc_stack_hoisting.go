package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// AllocStackHoisting allocates stack slots of a size that is only known at run time at the start of the function, where they cost no
// adjustment of the stack. Slots of one type that are never in use at the same time become one.
//
//	bb0(…):                          bb0(…):
//	  …                                %2 = alloc_stack $T
//	bb1:                               …
//	  %2 = alloc_stack $T      ⇒     bb1:
//	  …                                …
//	  dealloc_stack %2                 dealloc_stack %2   // before the return
var AllocStackHoisting = &pass.Pass{
	Name: "alloc-stack-hoisting",
	Doc:  "Allocates stack slots of generic types at the start of the function",
	Function: func(c *pass.Context, f *ir.Function) bool {
		h := &slotHoister{Editor: rewrite.NewEditor(c, f), at: map[*ir.Inst]int{}}
		var order []*ir.Type
		slots := map[*ir.Type][]*ir.Inst{}
		for i := range f.Insts() {
			switch {
			case asksForVersion(i):
				return false
			case rewrite.IsFunctionExit(i):
				h.exits = append(h.exits, i)
			case i.Op == op.DeallocStack:
				h.at[i] = len(h.at)
			case i.Op == op.AllocStack && hasDynamicSize(h.Types, i.Result().Type.Object()):
				t := i.Result().Type
				if slots[t] == nil {
					order = append(order, t)
				}
				slots[t] = append(slots[t], i)
				h.at[i] = len(h.at)
			}
		}
		for _, t := range order {
			for _, g := range h.disjoint(slots[t]) {
				h.hoist(g.slots)
			}
		}
		return len(order) > 0
	},
}

// asksForVersion reports whether an instruction may look for a declaration that older systems lack. The type of a slot after that may not be
// there before it.
func asksForVersion(i *ir.Inst) bool {
	switch i.Op {
	case op.HasSymbol:
		return true
	case op.Builtin:
		return i.Builtin() == op.BuiltinUnknown // targetOSVersionAtLeast, which silvm does not have
	}
	return facts.IsApply(i) && facts.HasSemantics(facts.StaticCallee(i), ir.SemanticsAvailabilityOSVersion)
}

type slotHoister struct {
	*rewrite.Editor
	exits []*ir.Inst
	at    map[*ir.Inst]int // the order of slots and their ends
}

// hasDynamicSize reports whether the size of values of a type depends on generic parameters of the function.
func hasDynamicSize(ts *facts.Types, t *ir.Type) bool {
	return !t.HasLocal() && ts.AnyPart(t, func(t *ir.Type) bool {
		return (t.Kind == ir.KindParam || t.Kind == ir.KindMember) && !ts.IsReference(t)
	})
}

// slotGroup is a list of slots of one type of which no two are in use at the same time.
type slotGroup struct {
	slots []*ir.Inst
	busy  map[*ir.Block]*ir.Inst // the last end of a slot in each block; nil when some slot is in use in several blocks
}

// disjoint sorts slots of one type, which come in the order of the text, into groups.
func (h *slotHoister) disjoint(slots []*ir.Inst) (groups []*slotGroup) {
next:
	for _, i := range slots {
		end := endInBlock(i)
		if end == nil {
			groups = append(groups, &slotGroup{slots: []*ir.Inst{i}})
			continue
		}
		for _, g := range groups {
			if h.Context.IsOff("sil-merge-stack-slots") {
				break
			}
			if last := g.busy[i.Block()]; g.busy != nil && (last == nil || h.at[last] < h.at[i]) {
				g.slots = append(g.slots, i)
				g.busy[i.Block()] = end
				continue next
			}
		}
		groups = append(groups, &slotGroup{slots: []*ir.Inst{i}, busy: map[*ir.Block]*ir.Inst{i.Block(): end}})
	}
	return groups
}

// endInBlock returns the only dealloc_stack of a slot when it is in the block of the slot; nil when there is none.
func endInBlock(slot *ir.Inst) *ir.Inst {
	var end *ir.Inst
	for _, x := range slot.Result().UseList() {
		if i := x.User(); i.Op == op.DeallocStack {
			if end != nil || i.Block() != slot.Block() {
				return nil
			}
			end = i
		}
	}
	return end
}

// hoist puts the first slot of a group at the start of the function, in place of all of them.
func (h *slotHoister) hoist(group []*ir.Inst) {
	first := group[0]
	h.Context.Passed(h.Func, first, "allocated a slot of %s at the start of the function, for %d", first.Result().Type.Object(), len(group))
	for _, slot := range group {
		for _, x := range slot.Result().UseList() {
			if x.User().Op == op.DeallocStack {
				x.User().Remove()
			}
		}
	}
	moveable := slices.ContainsFunc(group, func(slot *ir.Inst) bool { return slot.Has(op.QualMoveableValueDebuginfo) })
	if moveable && first.Var() != nil { // its value may come and go: it is the variable's from where it stood only
		next := first.Next()
		h.showFrom(next, first.Var(), first, moveable)
		first.Aux = nil
	}
	if moveable {
		first.Quals = first.Quals.With(op.QualMoveableValueDebuginfo)
	}
	if start := h.Func.Entry().First(); start != first {
		first.MoveBefore(start)
	}
	for _, exit := range h.exits {
		rewrite.Emit(h.Before(exit), op.DeallocStack, first.Result())
	}
	for _, slot := range group[1:] {
		slot.Result().ReplaceAllUses(first.Result())
		if slot.Var() == nil {
			slot.Remove()
			continue
		}
		v := slot.Var()
		if v.Type == first.Result().Type.Object() {
			v = v.WithType(nil)
		}
		next := slot.Next()
		slot.Remove()
		h.showFrom(next, v, first, moveable)
	}
}

// showFrom says before an instruction that a variable is in a slot, and begins a block after that: debuggers look at its start.
func (h *slotHoister) showFrom(at *ir.Inst, v *ir.DebugVar, slot *ir.Inst, moveable bool) {
	d := h.Before(at).Emit(&ir.Inst{Op: op.DebugValue, Aux: v}, slot.Result())
	if moveable {
		d.Quals = op.QualsOf(op.QualMoveableValueDebuginfo)
	}
	rest := h.Func.SplitBefore(at)
	ir.AtEnd(h.Context.Module, d.Block()).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: rest}}})
}
