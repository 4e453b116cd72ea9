package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// lifetimeCompleter ends the lifetimes of values that nobody ends in dead ends (docs/SIL.rst, Ownership SSA; the compiler's
// OSSALifetimeCompletion describes the algorithm): a lexical value lives up to the unreachable, others up to their last use. The
// lifetimes of the scopes inside are completed first.
type lifetimeCompleter struct {
	*rewrite.Editor
	done map[*ir.Value]bool
	err  error
}

// CompleteLifetime ends the lifetime of v, a value that e edits the function of. The error says what silvm can't follow.
func CompleteLifetime(e *rewrite.Editor, v *ir.Value) error {
	c := &lifetimeCompleter{Editor: e, done: map[*ir.Value]bool{}}
	c.complete(v)
	return c.err
}

func (c *lifetimeCompleter) complete(v *ir.Value) {
	own := c.Ownership()
	k := own.KindOf(v)
	if c.done[v] || k != ownership.KindOwned && !(k == ownership.KindGuaranteed && own.IsBorrowIntroducer(v) && ownership.IsLocalBorrow(v)) {
		return
	}
	c.done[v] = true
	u, err := FindInteriorUses(own, ownership.NewLiveness(c.Preds), v, false, c.complete)
	if err != nil {
		c.err = err
		return
	}
	end := op.DestroyValue
	if k == ownership.KindGuaranteed {
		end = op.EndBorrow
	}
	endBefore := func(at *ir.Inst) { rewrite.Emit(c.Before(at), end, v) }
	if own.IsLexical(v) {
		for _, i := range deadEndsAfter(u.Live) {
			endBefore(i)
		}
		return
	}
	b := rewrite.Unended(u.Live)
	b.After(endBefore)
	if len(b.DeadDefs) > 0 {
		endBefore(rewrite.After(v))
	}
}

// deadEndsAfter lists the terminators of the dead ends to which paths lead from where the value ceases to live without its lifetime
// being ended.
func deadEndsAfter(l *ownership.Liveness) []*ir.Inst {
	boundary := rewrite.Unended(l)
	from := boundary.Edges
	for _, i := range boundary.LastUsers {
		from = append(from, i.Block())
	}
	for _, v := range boundary.DeadDefs {
		from = append(from, v.Block())
	}
	return rewrite.TerminatorsAfter(from)
}
