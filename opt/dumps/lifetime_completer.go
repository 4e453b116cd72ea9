package dumps

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// lifetimeCompleter ends the lifetimes of values that nobody ends in dead ends (docs/SIL.rst, Ownership SSA; the compiler's
// OSSALifetimeCompletion describes the algorithm): a lexical value lives up to the unreachable, others up to their last use. The
// lifetimes of the scopes inside are completed first.
type lifetimeCompleter struct {
	t    *testRun
	done map[*ir.Value]bool
	err  error
}

func (c *lifetimeCompleter) complete(v *ir.Value) {
	own := c.t.ownership()
	k := own.KindOf(v)
	if c.done[v] || k != facts.KindOwned && !(k == facts.KindGuaranteed && own.IsBorrowIntroducer(v) && facts.IsLocalBorrow(v)) {
		return
	}
	c.done[v] = true
	u, err := c.t.interiorUses(v, false, c.complete)
	if err != nil {
		c.err = err
		return
	}
	end := op.DestroyValue
	if k == facts.KindGuaranteed {
		end = op.EndBorrow
	}
	endBefore := func(at *ir.Inst) { rewrite.Emit(rewrite.NewEditor(c.t.c, c.t.f).Before(at), end, v) }
	if own.IsLexical(v) {
		for _, i := range deadEndsBehind(u.live) {
			endBefore(i)
		}
		return
	}
	b := rewrite.Unended(u.live)
	b.After(endBefore)
	if len(b.DeadDefs) > 0 {
		endBefore(rewrite.Behind(v))
	}
}

// deadEndsBehind lists the terminators of the dead ends to which ways lead from where the value ceases to live without its lifetime
// being ended.
func deadEndsBehind(l *facts.Liveness) []*ir.Inst {
	boundary := rewrite.Unended(l)
	from := boundary.Edges
	for _, i := range boundary.LastUsers {
		from = append(from, i.Block())
	}
	for _, v := range boundary.DeadDefs {
		from = append(from, v.Block())
	}
	return rewrite.TerminatorsBehind(from)
}
