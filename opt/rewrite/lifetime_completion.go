package rewrite

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

// CompleteLifetimes destroys owned values where they cease to live without being consumed, such as on ways on which memory held a case of an enum that needs no
// destroy: lexical ones where the function ends there, others after their last uses (docs/SIL.rst, Ownership SSA).
func (e *Editor) CompleteLifetimes(values []*ir.Value) {
	own := e.Ownership()
	done := map[*ir.Value]bool{}
	for _, v := range values {
		if done[v] || v.IsUndef() || v.Block() == nil || own.KindOf(v) != ownership.KindOwned {
			continue
		}
		done[v] = true
		live := ownership.NewLiveness(e.Preds)
		live.Define(v)
		destroy := func(at *ir.Inst) { Emit(e.Before(at), op.DestroyValue, v) }
		known := live.UseAll(own, v)
		end := Unended(live)
		var dead []*ir.Block // in which it lives to the end of the function
		complete := func(at *ir.Inst) {
			if (!known || own.IsLexical(v)) && e.InDeadEnd(at) {
				dead = append(dead, at.Block())
			} else {
				destroy(at)
			}
		}
		end.After(complete)
		if len(end.DeadDefs) > 0 {
			complete(After(v))
		}
		for _, t := range TerminatorsAfter(dead) {
			destroy(t)
		}
	}
}

// Unended returns the boundary without the uses that end the lifetime.
func Unended(l *ownership.Liveness) ownership.Boundary {
	b := l.Boundary()
	b.LastUsers = slices.DeleteFunc(b.LastUsers, l.EndsAt)
	return b
}

// TerminatorsAfter lists the terminators without successors to which paths lead from the blocks.
func TerminatorsAfter(from []*ir.Block) []*ir.Inst {
	work := worklist.Of(from...)
	var ends []*ir.Inst
	for b := range work.All() {
		t := b.Last()
		if len(t.Succs) == 0 {
			ends = append(ends, t)
		}
		for _, e := range t.Succs {
			work.Push(e.To)
		}
	}
	return ends
}
