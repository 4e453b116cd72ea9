package opt

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// epilogueRetains finds the retains that give a function's result the count that the caller gets, on each way to the return the last one. A
// call of the function itself, whose result is passed on, counts as one.
type epilogueRetains struct {
	p     *facts.Program
	rc    *facts.RCIdentity
	f     *ir.Function
	v     *ir.Value
	local map[*ir.Block]*ir.Value // what the result is in a predecessor of a block that has it as an argument
	in    map[*ir.Block]bool      // no retain between the beginning of the block and the return
}

// find gives the retains, nil when some way has none or something may release the object behind it.
func findEpilogueRetains(c *Context, rc *facts.RCIdentity, f *ir.Function, v *ir.Value) []*ir.Inst {
	e := &epilogueRetains{p: c.Program(f), rc: rc, f: f, v: v, local: map[*ir.Block]*ir.Value{}, in: map[*ir.Block]bool{}}
	order := c.Dominators(f).Order
	for _, b := range order {
		e.in[b] = true
	}
	e.split()
	for changed := true; changed; {
		changed = false
		for n := len(order) - 1; n >= 0; n-- {
			b := order[n]
			open, _ := e.out(b)
			if open {
				i, blocked := e.scan(b)
				if blocked {
					return nil
				}
				open = i == nil
			}
			changed = changed || e.in[b] != open
			e.in[b] = open
		}
	}
	var list []*ir.Inst
	for n := len(order) - 1; n >= 0; n-- {
		open, agree := e.out(order[n])
		if !agree {
			return nil
		}
		if open {
			if i, _ := e.scan(order[n]); i != nil {
				list = append(list, i)
			}
		}
	}
	if e.in[f.Entry()] {
		return nil
	}
	return list
}

// split follows the result back through block arguments.
func (e *epilogueRetains) split() {
	seen := map[*ir.Value]bool{}
	work := []*ir.Value{e.v}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] || !v.IsArg() || v.Block() == e.f.Entry() {
			continue
		}
		seen[v] = true
		for _, b := range e.p.Predecessors(v.Block()) {
			t := b.Terminator()
			for n := range t.Succs {
				if t.Succs[n].To == v.Block() && t.Succs[n].N > v.Index() {
					in := t.EdgeArgs(n)[v.Index()].Value()
					e.local[b] = in
					work = append(work, in)
				}
			}
		}
	}
}

// out says whether no retain lies behind the block on the ways to the return, and whether its successors agree on it.
func (e *epilogueRetains) out(b *ir.Block) (open, agree bool) {
	t := b.Terminator()
	if len(t.Succs) == 0 {
		return t.Op == op.Return, true
	}
	open, agree = e.in[t.Succs[0].To], true
	for _, s := range t.Succs[1:] {
		if e.in[s.To] != open {
			agree, open = false, false
		}
	}
	return open, agree
}

// scan looks for the last retain of the result in the block. It says whether something that may release the object comes first.
func (e *epilogueRetains) scan(b *ir.Block) (retain *ir.Inst, blocked bool) {
	v := e.v
	if local := e.local[b]; local != nil {
		v = local
	}
	root, whole := e.rc.Root(v), e.rc.Root(e.v)
	for i := b.Last(); i != nil; i = i.Prev() {
		switch {
		case i.Op == op.Apply && facts.StaticCallee(i) == e.f && e.rc.Root(i.Result()) == root,
			(facts.IsRetain(i) || i.Op == op.UnownedRetain) && e.rc.Root(i.Arg(0)) == root:
			return i, false
		case e.p.MayDecrement(i, whole):
			return nil, true
		}
	}
	return nil, false
}
