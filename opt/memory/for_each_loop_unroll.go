package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ForEachLoopUnroll calls the closure that forEach on an array literal is given for each element, in place of forEach:
//
//	%1 = apply %allocate(%n) ; store %x to [init] %address        %x1 = copy_value %x ; …
//	store_borrow %array to %slot                           ⇒      store_borrow %x1 to %e
//	try_apply %forEach(%f, %slot), normal bb1, error bb2          try_apply %f(%e), normal bb3, error bb4
//	                                                              … ; store_borrow %y1 to %e ; try_apply %f(%e), normal bb1, error bb5
//
// The copies of the elements live as long as the array. Nothing may change that, and each way from where it is made to where it is destroyed
// has to store all its elements once. Functions in ownership form only.
var ForEachLoopUnroll = &pass.Pass{Name: "for-each-loop-unroll", Doc: "Calls the closures of forEach on array literals for each element", Function: func(c *pass.Context, f *ir.Function) bool {
	if !f.IsOSSA() {
		return false
	}
	u := &forEachUnroller{elementPropagation: &elementPropagation{Editor: rewrite.NewEditor(c, f)}}
	u.deleter = rewrite.NewDeleter(u.Editor, u.Ownership())
	for _, b := range slices.Clone(f.Blocks) {
		for _, i := range b.InstList() {
			if i.Op == op.Apply && i.Block() != nil {
				u.literal(i)
			}
		}
	}
	u.deleter.Cleanup()
	return u.deleter.Changed
}}

// mostForEach is how many elements are gone through one by one.
const mostForEach = 125

type forEachUnroller struct {
	*elementPropagation
	deleter *rewrite.Deleter
}

// A forEachArray is an array literal that forEach is called on.
type forEachArray struct {
	literalArray
	array    *ir.Value
	calls    []*ir.Inst // of forEach
	destroys []*ir.Inst // of the array and its copies
	count    int64
}

// literal looks at the array that a call makes.
func (u *forEachUnroller) literal(call *ir.Inst) {
	if !facts.HasSemantics(facts.StaticCallee(call), ir.SemanticsArrayUninitializedIntrinsic) || len(call.Operands) != 2 {
		return
	}
	array, elements := u.parts(call)
	count := facts.Literal(call.Arg(1))
	if array == nil || elements == nil || count == nil || !count.IsInt64() {
		return
	}
	a := &forEachArray{literalArray: literalArray{elements: map[int64]*ir.Inst{}}, array: array, count: count.Int64()}
	if a.count < 1 || a.count > mostForEach || !a.stores(elements) || int64(len(a.elements)) != a.count || !a.onlyRead(array) || len(a.calls) == 0 {
		return
	}
	ends := u.lastDestroys(a)
	if ends == nil || !u.areAllStored(call, a, ends) {
		u.Context.Missed(u.Func, a.calls[0], "kept forEach on an array literal: not each way to where that is destroyed stores all its elements")
		return
	}
	for _, forEach := range a.calls {
		if u.canUnroll(a, forEach) {
			u.unroll(a, forEach, u.lastDestroys(a))
		}
	}
}

// onlyRead gathers the uses of the array; false when one of them may change it.
func (a *forEachArray) onlyRead(v *ir.Value) bool {
	for x := range v.Uses() {
		i := x.User()
		switch i.Op {
		case op.BeginBorrow, op.CopyValue, op.MoveValue:
			if !a.onlyRead(i.Result()) {
				return false
			}
			continue
		case op.DestroyValue:
			a.destroys = append(a.destroys, i)
			continue
		case op.EndBorrow, op.FixLifetime:
			continue
		case op.MarkDependence:
			if x.Number() == 1 {
				continue
			}
			return false
		case op.StoreBorrow:
			if !a.stored(i) {
				return false
			}
			continue
		}
		switch s, what := facts.ArrayCall(i); {
		case facts.IsDebug(i):
		case s == ir.SemanticsArrayFinalizeIntrinsic:
			if !a.onlyRead(i.Result()) {
				return false
			}
		case what == facts.ArrayAsks && s != ir.SemanticsArrayMakeMutable && s != ir.SemanticsArrayEndMutation && s != ir.SemanticsArrayGetElementAddress:
		default:
			return false
		}
	}
	return true
}

// stored looks at the array in a slot of the stack: forEach reads it there, or its lifetime is fixed.
func (a *forEachArray) stored(store *ir.Inst) bool {
	if facts.DefinedBy(store.Arg(1), op.AllocStack) == nil {
		return false
	}
	var call *ir.Inst
	for x := range store.Result().Uses() {
		switch i := x.User(); {
		case i.Op == op.FixLifetime, i.Op == op.EndBorrow, facts.IsDebug(i):
		case call == nil && i.Op == op.TryApply && x.Number() == 2 && facts.HasSemantics(facts.StaticCallee(i), ir.SemanticsSequenceForEach) && len(i.Operands) == 3:
			call = i
		default:
			return false
		}
	}
	if call != nil {
		for x := range store.Arg(1).Uses() {
			if i := x.User(); i != store && i.Op != op.DeallocStack && !facts.IsDebug(i) {
				return false // the slot serves something else too
			}
		}
		a.calls = append(a.calls, call)
	}
	return true
}

// lastDestroys lists the instructions that destroy the array or a copy of it last, nil when something else does.
func (u *forEachUnroller) lastDestroys(a *forEachArray) []*ir.Inst {
	l := ownership.NewLiveness(u.Preds)
	l.Define(a.array)
	for _, i := range a.destroys {
		l.Use(i, true)
	}
	return l.Boundary().LastUsers
}

// areAllStored reports whether each element is stored once between where the array is made and where it is used by forEach or ends.
func (u *forEachUnroller) areAllStored(call *ir.Inst, a *forEachArray, ends []*ir.Inst) bool {
	loops := cfg.FindLoops(u.Context.Dominators(u.Func))
	if loops.Irreducible {
		return false
	}
	in := loops.Of(call.Block())
	for _, store := range a.elements {
		if loops.Of(store.Block()) != in {
			return false
		}
		for _, i := range slices.Concat(ends, a.calls) {
			if !u.Dominates(store, i) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(ends, func(i *ir.Inst) bool { return loops.Of(i.Block()) != in })
}

// canUnroll reports whether the closure takes an element where it lies and may throw, as forEach passes on.
func (u *forEachUnroller) canUnroll(a *forEachArray, forEach *ir.Inst) bool {
	t := forEach.Arg(1).Type
	if t.Kind != ir.KindFunction {
		return false
	}
	closure := u.Context.Module.SubstitutedCallee(&ir.ApplyAux{Fn: t})
	if len(closure.Params) != 1 || len(closure.Results) != 0 || closure.Error == nil || closure.Async {
		return false
	}
	p := closure.Params[0]
	normal, failed := forEach.Succs[0].To, forEach.Succs[1].To
	return p.Conv == ir.ParamInGuaranteed && p.Type.Object() == a.elements[0].Arg(0).Type && len(normal.Args) == 1 && len(failed.Args) <= 1
}

// unroll calls the closure of a forEach for each element.
func (u *forEachUnroller) unroll(a *forEachArray, forEach *ir.Inst, ends []*ir.Inst) {
	e := u.Editor
	e.Context.Passed(e.Func, forEach, "called the closure for each of %d elements", a.count)
	copies := make([]*ir.Value, a.count)
	for n := range copies {
		store := a.elements[int64(n)]
		copies[n] = e.CopyValue(e.Before(store), store.Arg(0))
	}
	for _, i := range ends {
		for _, v := range copies {
			e.DestroyValue(e.Before(i), v)
		}
	}
	element := copies[0].Type
	slot := e.Before(forEach).Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{element}}).Result()
	normal, failed, next := forEach.Succs[0].To, forEach.Succs[1].To, forEach.Succs[0].To
	for n, v := range slices.Backward(copies) {
		here, b := forEach.Block(), e.Before(forEach)
		if n > 0 {
			here = blockBefore(next, normal.Args)
			b = ir.AtEnd(e.Context.Module, here)
			b.Loc, b.Scope = forEach.Loc, forEach.Scope
		}
		throws := blockBefore(next, failed.Args)
		pass := &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: failed, N: len(throws.Args)}}, Loc: forEach.Loc, Scope: forEach.Scope}
		pass.SetOperands(throws.Args)
		throws.Append(pass)
		after, at := next.First(), slot
		if e.Types.IsTrivial(element) {
			e.Store(b, v, slot, op.QualTrivial)
		} else {
			borrow := rewrite.Emit(b, op.BeginBorrow, v).Result()
			at = rewrite.Emit(b, op.StoreBorrow, borrow, slot).Result()
			for _, i := range []*ir.Inst{after, pass} {
				rewrite.Emit(e.Before(i), op.EndBorrow, at)
				rewrite.Emit(e.Before(i), op.EndBorrow, borrow)
			}
		}
		if next == normal {
			rewrite.Emit(e.Before(after), op.DeallocStack, slot)
		}
		b.Emit(&ir.Inst{Op: op.TryApply, Aux: &ir.ApplyAux{Fn: forEach.Arg(1).Type}, Succs: []ir.Edge{{To: next}, {To: throws}}}, forEach.Arg(1), at)
		next = here
	}
	rewrite.Emit(e.Before(failed.First()), op.DeallocStack, slot)
	u.deleter.ForceDelete(forEach.Arg(2).Inst().Arg(1).Inst())
	e.Context.Changed(e.Func)
}

// blockBefore puts a block before another one, with arguments like these.
func blockBefore(next *ir.Block, args []*ir.Value) *ir.Block {
	b := next.Func.InsertBlockAfter(next.Func.Blocks[next.Index-1])
	for _, a := range args {
		b.AddArg(a.Type).Ownership = a.Ownership
	}
	return b
}
