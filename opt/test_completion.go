package opt

import (
	"fmt"
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
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
	endBefore := func(at *ir.Inst) { emit(newEditor(c.t.c, c.t.f).before(at), end, v) }
	if own.IsLexical(v) {
		for _, i := range deadEndsBehind(u.live) {
			endBefore(i)
		}
		return
	}
	b := unended(u.live)
	b.After(endBefore)
	if len(b.DeadDefs) > 0 {
		endBefore(behind(v))
	}
}

// unended gives the boundary without the uses that end the lifetime.
func unended(l *facts.Liveness) facts.Boundary {
	b := l.Boundary()
	b.LastUsers = slices.DeleteFunc(b.LastUsers, l.EndsAt)
	return b
}

// deadEndsBehind lists the terminators of the dead ends to which ways lead from where the value ceases to live without its lifetime
// being ended.
func deadEndsBehind(l *facts.Liveness) []*ir.Inst {
	boundary := unended(l)
	from := boundary.Edges
	for _, i := range boundary.LastUsers {
		from = append(from, i.Block())
	}
	for _, v := range boundary.DeadDefs {
		from = append(from, v.Block())
	}
	return terminatorsBehind(from)
}

// terminatorsBehind lists the terminators without successors to which ways lead from the blocks.
func terminatorsBehind(from []*ir.Block) []*ir.Inst {
	var work []*ir.Block
	seen := map[*ir.Block]bool{}
	push := func(b *ir.Block) {
		if !seen[b] {
			seen[b] = true
			work = append(work, b)
		}
	}
	for _, b := range from {
		push(b)
	}
	var ends []*ir.Inst
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		t := b.Last()
		if len(t.Succs) == 0 {
			ends = append(ends, t)
		}
		for _, e := range t.Succs {
			push(e.To)
		}
	}
	return ends
}

func testCompleteLifetime(t *testRun, v *ir.Value) error {
	fmt.Fprintf(t.c.Out, "OSSA lifetime completion: %s", t.line(v))
	c := &lifetimeCompleter{t: t, done: map[*ir.Value]bool{}}
	c.complete(v)
	if c.err != nil {
		return c.err
	}
	t.printFunction()
	return nil
}
