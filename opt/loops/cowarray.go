package loops

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// COWArrayOpt makes an array mutable before a loop that mutates it in each iteration:
//
//	bb0: br bb1                                     bb0: apply %make_mutable(%0) ; apply %end_mutation(%0) ; br bb1
//	bb1: apply %make_mutable(%0)                    bb1: apply %make_mutable(%0)
//	     …                                     ⇒         …
//	     apply %end_mutation(%0)                         apply %end_mutation(%0)
//	     cond_br %1, bb1, bb2                            cond_br %1, bb1, bb2
//
// What is left in the loop asks for a buffer that on all paths there comes from the end of a mutation, which cow-opts answers when it is
// inlined. To make an array mutable changes nothing that a program can tell (docs/HighLevelSILOptimizations.rst, array.make_mutable), but it
// needs an array, and copies one that is shared. A function that ends no mutations is called before the loop only, if nothing in the loop
// may share the array. So the call in the loop has to be one that each iteration makes, of an array at the same
// place, which nothing in the loop writes as a whole or brings to share its storage.
var COWArrayOpt = &pass.Pass{
	Name:      "cowarray-opt",
	Doc:       "Makes arrays mutable before the loops that mutate them",
	NeedsLoop: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		h := &loopHoister{Editor: rewrite.NewEditor(c, f), p: c.Program(f)}
		h.findLoops()
		if h.loops.Irreducible {
			return false
		}
		changed := false
		for _, l := range h.loops.InnerFirst() {
			if to := rewrite.Preheader(h.dom, l); to != nil {
				changed = h.makeMutableInFront(l, to) || changed
			}
		}
		return changed
	},
}

// arrayMutation are the calls of a loop that begin and end mutations of an array at one place.
type arrayMutation struct {
	make, end *ir.Inst
	makes     []*ir.Inst         // all calls that begin one
	in        map[*ir.Block]bool // blocks with a call that begins one
}

// makeMutableInFront looks for arrays that each iteration makes mutable.
func (h *loopHoister) makeMutableInFront(l *cfg.Loop, to *ir.Block) bool {
	var places []*ir.Value
	found := map[*ir.Value]*arrayMutation{}
	for i := range l.Insts() {
		s, _ := facts.COWCall(i)
		if s != ir.SemanticsArrayMakeMutable && s != ir.SemanticsArrayEndMutation && s != ir.SemanticsMakeUnique {
			continue
		}
		at := facts.ArraySelf(i)
		if !at.Type.IsAddress() || len(i.Operands) != 2 || !h.isAddressInFront(l, to, at) {
			continue
		}
		m := found[at]
		if m == nil {
			m = &arrayMutation{}
			found[at] = m
			places = append(places, at)
		}
		switch {
		case s == ir.SemanticsArrayEndMutation:
			m.end = i
		case m.make == nil:
			m.make, m.makes, m.in = i, []*ir.Inst{i}, map[*ir.Block]bool{i.Block(): true}
		default:
			m.makes, m.in[i.Block()] = append(m.makes, i), true
		}
	}
	changed := false
	for _, at := range places {
		m := found[at]
		if m.make == nil || !h.canMove(l, m.make) || m.end != nil && !h.canMove(l, m.end) {
			continue
		}
		if !isPassed(l, m.in) {
			h.Context.Missed(h.Func, m.make, "kept the array as it is before the loop: not every iteration makes it mutable")
			continue
		}
		if m.end == nil {
			changed = h.moveInFront(l, to, at, m) || changed
			continue
		}
		if i := h.sharesArray(l, at); i != nil {
			h.Context.Missed(h.Func, m.make, "kept the array as it is before the loop: %s may share its storage or put another array there", i.Op)
			continue
		}
		h.Context.Passed(h.Func, m.make, "made the array mutable before the loop too")
		h.moveAddressInFront(l, to, at)
		h.copyInFront(l, to, m.make)
		h.copyInFront(l, to, m.end)
		changed = true
	}
	return changed
}

// isAddressInFront reports whether an address is known before the loop, or can be computed there from what is: each iteration computes
// the same then.
func (h *loopHoister) isAddressInFront(l *cfg.Loop, to *ir.Block, at *ir.Value) bool {
	if !l.Has(at.Block()) {
		return h.dom.Dominates(at.Block(), to)
	}
	i := at.Inst()
	if i == nil {
		return false
	}
	switch i.Op {
	case op.StructElementAddr, op.TupleElementAddr, op.RefElementAddr, op.RefTailAddr, op.IndexAddr:
	default:
		return false
	}
	for n := range i.Operands {
		if !h.isAddressInFront(l, to, i.Arg(n)) {
			return false
		}
	}
	return !namesLocalType(i)
}

// moveAddressInFront moves what computes an address in the loop before it.
func (h *loopHoister) moveAddressInFront(l *cfg.Loop, to *ir.Block, at *ir.Value) {
	if !l.Has(at.Block()) {
		return
	}
	for n := range at.Inst().Operands {
		h.moveAddressInFront(l, to, at.Inst().Arg(n))
	}
	at.Inst().MoveBefore(to.Last())
}

// copyInFront makes a call before the loop too.
func (h *loopHoister) copyInFront(l *cfg.Loop, to *ir.Block, i *ir.Inst) {
	switch ref := i.Arg(0).Inst(); {
	case l.Has(ref.Block()):
		ref.MoveBefore(to.Last())
	case ref != ref.Block().First():
		ref.MoveBefore(ref.Block().First())
	}
	rewrite.NewCloner(h.Context.Module).Inst(i).InsertBefore(to.Last())
}

// moveInFront makes an array that knows no end of mutations mutable before the loop and nowhere in it
// (docs/proposals/OptimizerEffects.rst, make_unique), where nothing in the loop can make it shared again.
func (h *loopHoister) moveInFront(l *cfg.Loop, to *ir.Block, at *ir.Value, m *arrayMutation) bool {
	for i := range l.Insts() {
		if !h.keepsUnique(i, at) {
			h.Context.Missed(h.Func, m.make, "kept what makes the array mutable in each iteration: %s may make it shared again", i.Op)
			return false
		}
	}
	h.Context.Passed(h.Func, m.make, "made the array mutable before the loop only")
	h.moveAddressInFront(l, to, at)
	h.copyInFront(l, to, m.make)
	for _, i := range m.makes {
		i.Remove()
	}
	return true
}

// keepsUnique reports whether an instruction can neither bring another reference to the storage of the array nor put another array there: it
// asks the array, or it gets nothing but trivial values, and does not read or write the array's place, or it says that it preserves uniqueness.
func (h *loopHoister) keepsUnique(i *ir.Inst, at *ir.Value) bool {
	switch s, what := facts.COWCall(i); what {
	case facts.ArrayAsks:
		p := facts.Param(i, len(i.Operands)-1)
		lent := facts.ArraySelf(i) == at || p != nil && p.Conv == ir.ParamDirectGuaranteed || s == ir.SemanticsMakeUnique && !h.p.MayAlias(facts.ArraySelf(i), at)
		return lent && !h.mayBeArray(i.Result(), at)
	case facts.ArrayKeeps:
		return h.preservesUnique(i, s, at)
	}
	switch {
	case i.Op == op.CopyValue, i.Op == op.Load && i.Has(op.QualCopy):
		return !h.retains(i, at, h.Context.RCIdentity(h.Func))
	case i.Op == op.Load, isBorrowScope(i), facts.IsDebug(i), i.Op.IsTerminator() && len(i.Succs) > 0 && !facts.IsFullApply(i), i.Op == op.CondFail:
		return true
	case facts.IsRetain(i):
		return !h.mayBeArray(h.Context.RCIdentity(h.Func).Root(i.Arg(0)), at)
	case i.Op == op.Store:
		return h.Types.IsTrivial(i.Arg(0).Type) && !h.p.MayWriteTo(i, at)
	case i.Op == op.Apply:
		for n := 1; n < len(i.Operands); n++ {
			if v := i.Arg(n); v.Type.IsAddress() || !h.Types.IsTrivial(v.Type) || h.Types.HoldsRawPointer(v.Type) {
				return false
			}
		}
		return facts.DefinedBy(i.Arg(0), op.FunctionRef) != nil && !h.p.MayReadFrom(i, at) && !h.p.MayWriteTo(i, at)
	}
	return !facts.MayHaveSideEffects(i) && !facts.MayReadOrWrite(i)
}

// preservesUnique reports whether a method that keeps the uniqueness of its own self keeps that of the array too. It captures what else it is
// passed: the array must not be among that. Where it may replace elements, their deinits run; where it may do more, it must not reach the array.
func (h *loopHoister) preservesUnique(i *ir.Inst, s ir.Semantics, at *ir.Value) bool {
	rc := h.Context.RCIdentity(h.Func)
	for n := 1; n < len(i.Operands)-1; n++ {
		if v := i.Arg(n); v.Type.IsAddress() && h.p.MayAlias(v, at) || h.mayBeArray(rc.Root(v), at) {
			return false
		}
	}
	self := facts.ArraySelf(i)
	if self != at && (!self.Type.IsAddress() || h.p.MayAlias(self, at)) {
		return false
	}
	switch s {
	case ir.SemanticsInitializeSubobject:
		return true
	case ir.SemanticsSetSubobject:
		return !h.p.ReleaseMayAct(i)
	}
	return self == at && !h.reachesElse(at)
}

// reachesElse reports whether code that is not passed the place may read or write it.
func (h *loopHoister) reachesElse(at *ir.Value) bool {
	switch root := h.p.AccessStorage(at); root.Kind {
	case facts.BaseStack:
		return !root.IsLocal()
	case facts.BaseArgument:
		return !at.IsArg() || at.Block() != h.Func.Entry() || !facts.EntryConv(h.Func, at.Index()).IsExclusive()
	}
	return true
}

// isPassed reports whether each path through a loop leads through one of the blocks.
func isPassed(l *cfg.Loop, through map[*ir.Block]bool) bool {
	work := worklist.Of(l.Header)
	for b := range work.All() {
		if through[b] {
			continue
		}
		for _, e := range b.Terminator().Succs {
			if e.To == l.Header || !l.Has(e.To) {
				return false
			}
			work.Push(e.To)
		}
	}
	return true
}

// canMove reports whether the call can be made before the loop: of a function that is named and for types that are known there.
func (h *loopHoister) canMove(l *cfg.Loop, i *ir.Inst) bool {
	return facts.DefinedBy(i.Arg(0), op.FunctionRef) != nil && !namesLocalType(i)
}

// sharesArray returns an instruction of the loop that may write the array as a whole or share its storage with another; nil when there is
// none.
func (h *loopHoister) sharesArray(l *cfg.Loop, at *ir.Value) *ir.Inst {
	rc := h.Context.RCIdentity(h.Func)
	for i := range l.Insts() {
		_, what := facts.COWCall(i)
		switch {
		case what != facts.ArrayNone && what != facts.ArrayKeeps && facts.ArraySelf(i) == at:
		case h.retains(i, at, rc) && !h.isReleasedAtOnce(i, at, rc), !isBorrowScope(i) && h.p.MayWriteTo(i, at),
			i.Op == op.CopyAddr && h.p.MayAlias(i.Arg(0), at):
			return i
		}
	}
	return nil
}

// mayBeArray reports whether a value looks like the array at a place or like its storage.
func (h *loopHoister) mayBeArray(v, at *ir.Value) bool {
	if v == nil {
		return false
	}
	from := facts.DefinedBy(v, op.Load)
	return from != nil && h.p.MayAlias(from.Arg(0), at) || v.Type == at.Type.Object()
}

// retains reports whether an instruction makes another reference to what looks like the array.
func (h *loopHoister) retains(i *ir.Inst, at *ir.Value, rc *facts.RCIdentity) bool {
	switch {
	case i.Op == op.Load && i.Has(op.QualCopy):
		return h.mayBeArray(i.Result(), at)
	case isBorrowScope(i):
		return false
	case facts.IsRetain(i), i.Op == op.CopyValue:
		return h.mayBeArray(rc.Root(i.Arg(0)), at)
	}
	return false
}

// isReleasedAtOnce reports whether what an instruction retains is released in the same block, where nothing but questions to arrays and
// mutations of others is between the two.
func (h *loopHoister) isReleasedAtOnce(retain *ir.Inst, at *ir.Value, rc *facts.RCIdentity) bool {
	held := retain.Result()
	if held == nil {
		held = retain.Arg(0)
	}
	root := rc.Root(held)
	for i := retain.Next(); i != nil; i = i.Next() {
		if (facts.IsRelease(i) || i.Op == op.DestroyValue) && rc.Root(i.Arg(0)) == root {
			return true
		}
		s, what := facts.COWCall(i)
		if s == ir.SemanticsArrayMakeMutable && facts.ArraySelf(i) == at || what == facts.ArrayNone && (facts.IsFullApply(i) || facts.MayHaveSideEffects(i) && !facts.IsDebug(i) && !isBorrowScope(i)) {
			return false
		}
	}
	return false
}

func isBorrowScope(i *ir.Inst) bool {
	switch i.Op {
	case op.BeginBorrow, op.LoadBorrow, op.EndBorrow:
		return true
	}
	return false
}
