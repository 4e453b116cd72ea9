package opt

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// completeLifetimes destroys owned values where they cease to live without being consumed, such as on ways on which memory held a case of an enum that needs no
// destroy: lexical ones where the function ends there, others behind their last uses (docs/SIL.rst, Ownership SSA).
func (e *editor) completeLifetimes(values []*ir.Value) {
	own := e.ownership()
	done := map[*ir.Value]bool{}
	for _, v := range values {
		if done[v] || v.IsUndef() || v.Block() == nil || own.KindOf(v) != facts.KindOwned {
			continue
		}
		done[v] = true
		live := facts.NewLiveness(e.preds)
		live.Define(v)
		destroy := func(at *ir.Inst) { emit(e.before(at), op.DestroyValue, v) }
		known := live.UseAll(own, v)
		end := unended(live)
		var dead []*ir.Block // in which it lives to the end of the function
		complete := func(at *ir.Inst) {
			if (!known || own.IsLexical(v)) && e.inDeadEnd(at) {
				dead = append(dead, at.Block())
			} else {
				destroy(at)
			}
		}
		end.After(complete)
		if len(end.DeadDefs) > 0 {
			complete(behind(v))
		}
		for _, t := range terminatorsBehind(dead) {
			destroy(t)
		}
	}
}
