package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// ignoredByHoisting are instructions over which it is not worth to move a destroy.
func ignoredByHoisting(i *ir.Inst) bool {
	switch i.Op {
	case op.DebugValue, op.DestroyValue, op.CopyValue, op.BeginBorrow, op.EndBorrow, op.FunctionRef, op.Enum, op.Struct:
		return true
	}
	return false
}

// destroyFrom returns the last destroy of the value from i on that nothing of interest comes before, nil when there is none.
func (c *Canonicalizer) destroyFrom(i *ir.Inst) *ir.Inst {
	var last *ir.Inst
	for ; i != nil; i = i.Next() {
		if c.destroys[i] {
			last = i
			continue
		}
		if !ignoredByHoisting(i) {
			break
		}
	}
	return last
}

// destroyAtBegin returns the first instruction of a block when it is a destroy, else the last that nothing of interest after the
// first instruction comes before.
func (c *Canonicalizer) destroyAtBegin(b *ir.Block) *ir.Inst {
	if first := b.First(); c.destroys[first] {
		return first
	}
	return c.destroyFrom(b.First().Next())
}

// extendUnconsumed lets the value live as long as it did before, other than where it is consumed without being copied then: without
// optimization a variable keeps its value as long as its source says.
func (c *Canonicalizer) extendUnconsumed(b ownership.Boundary) {
	lived := map[*ir.Block]bool{} // as things are, destroys included
	var work worklist.Stack[*ir.Block]
	for _, b := range c.blocks {
		work.Push(b)
	}
	for b := range work.All() {
		if lived[b] {
			continue
		}
		lived[b] = true
		if b != c.def.Block() {
			for _, p := range c.Preds(b) {
				work.Push(p)
			}
		}
	}
	consumed := map[*ir.Block]bool{} // at their ends
	for _, i := range b.LastUsers {
		if !c.destroys[i] && c.live.EndsAt(i) {
			work.Push(i.Block())
		}
	}
	entered := worklist.Of[*ir.Block]()
	for b := range work.All() {
		if consumed[b] {
			continue
		}
		consumed[b] = true
		for _, e := range b.Last().Succs {
			if lived[e.To] {
				entered.Push(e.To)
				work.Push(e.To)
			}
		}
	}
	for b := range entered.All() {
		for _, p := range c.Preds(b) {
			if !consumed[p] {
				c.liveBefore(p.Last())
			}
		}
	}
	for _, d := range c.ordered {
		if !consumed[d.Block()] {
			c.live.Use(d, true)
		}
	}
}

// extendToDestroys moves the boundary down to destroys that stand close enough, so that nothing moves without need.
func (c *Canonicalizer) extendToDestroys(b ownership.Boundary) ownership.Boundary {
	var r ownership.Boundary
	for _, d := range b.DeadDefs {
		at := (*ir.Inst)(nil)
		if d.Inst() != nil {
			at = c.destroyFrom(d.Inst().Next())
		} else {
			at = c.destroyAtBegin(d.Block())
		}
		if at != nil {
			r.LastUsers = append(r.LastUsers, at)
		} else if d == c.def || d.Inst() == nil || d.Inst() != c.def.Inst() {
			r.DeadDefs = append(r.DeadDefs, d)
		}
	}
	for _, e := range b.Edges {
		if at := c.destroyAtBegin(e); at != nil {
			r.LastUsers = append(r.LastUsers, at)
		} else {
			r.Edges = append(r.Edges, e)
		}
	}
	seen := map[*ir.Block]bool{}
	for _, i := range b.LastUsers {
		c.extendFromUser(i, seen, &r)
	}
	return r
}

// extendFromUser moves the boundary from a last user down to a destroy right after it that may stay in its place.
func (c *Canonicalizer) extendFromUser(i *ir.Inst, seen map[*ir.Block]bool, r *ownership.Boundary) {
	switch {
	case c.destroys[i]:
		r.LastUsers = append(r.LastUsers, i)
	case c.live.EndsAt(i):
		r.LastUsers = append(r.LastUsers, i)
	case i.Op.IsTerminator():
		found := false
		var without []*ir.Block
		for _, e := range i.Succs {
			at := c.destroyAtBegin(e.To)
			if seen[e.To] {
				found = at != nil
				continue
			}
			seen[e.To] = true
			if at != nil {
				r.LastUsers = append(r.LastUsers, at)
				found = true
			} else {
				without = append(without, e.To)
			}
		}
		if found {
			r.Edges = append(r.Edges, without...)
		} else {
			r.LastUsers = append(r.LastUsers, i)
		}
	default:
		if at := c.destroyFrom(i.Next()); at != nil {
			r.LastUsers = append(r.LastUsers, at)
		} else {
			r.LastUsers = append(r.LastUsers, i)
		}
	}
}

// insertDestroys puts destroys on the boundary where nothing consumes the value, and notes what ends its life.
func (c *Canonicalizer) insertDestroys(b ownership.Boundary) []*ir.Inst {
	var made []*ir.Inst
	insert := func(at *ir.Inst) {
		if c.leaks[at] {
			return
		}
		d := rewrite.Emit(c.Before(at), op.DestroyValue, c.def)
		c.final[d] = true
		made = append(made, d)
	}
	seen := map[*ir.Block]bool{}
	for _, i := range b.LastUsers {
		switch {
		case c.destroys[i] || c.live.EndsAt(i):
			c.final[i] = true
		case i.Op.IsTerminator():
			for _, e := range i.Succs {
				if !seen[e.To] {
					seen[e.To] = true
					insert(e.To.First())
				}
			}
		default:
			insert(i.Next())
		}
	}
	for _, e := range b.Edges {
		insert(e.First())
	}
	for _, d := range b.DeadDefs {
		if d != c.def {
			continue
		}
		if d.Inst() != nil {
			insert(d.Inst().Next())
		} else {
			insert(d.Block().First())
		}
	}
	for _, d := range made {
		c.destroys[d] = true
	}
	return made
}

func (c *Canonicalizer) claim(i *ir.Inst) bool {
	had := c.final[i]
	delete(c.final, i)
	return had
}

// rewrite goes over all uses: those that consume the value before its end get copies, the other copies and destroys go away.
func (c *Canonicalizer) rewrite(made []*ir.Inst) {
	var dead []*ir.Inst
	needsCopy := func(x *ir.Operand) bool {
		i := x.User()
		if c.destroys[i] {
			if !c.claim(i) {
				dead = append(dead, i)
			} else {
				c.live.Use(i, true)
			}
			return false
		}
		return ownership.EndsLifetime(c.own.UseOf(x)) && !c.claim(i)
	}
	for _, d := range c.defs {
		switch {
		case d.borrow:
		case !d.copied:
			for _, x := range d.v.UseList() {
				if needsCopy(x) {
					c.copyUse(x)
				}
			}
		default:
			dead = append(dead, c.rewriteCopy(d.v, needsCopy)...)
		}
	}
	for _, d := range made {
		c.live.Use(d, true)
	}
	deadEnds := c.Context.DeadEnds(c.Func)
	for _, i := range c.debug {
		if i.Block() != nil && !c.live.Within(i) && !deadEnds[i.Block().Index] {
			c.del.ForceDelete(i)
		}
	}
	for _, i := range dead {
		if i.Block() != nil {
			c.del.ForceDelete(i)
		}
	}
}

// rewriteCopy makes the users of a copy use what it copies; the copy itself stays for one use that needs it, if there is one.
func (c *Canonicalizer) rewriteCopy(v *ir.Value, needsCopy func(*ir.Operand) bool) (dead []*ir.Inst) {
	i := v.Inst()
	var reused *ir.Operand
	for _, x := range v.UseList() {
		if !needsCopy(x) {
			continue
		}
		if reused == nil && i.Block() == x.User().Block() {
			reused = x
		} else {
			c.copyUse(x)
		}
	}
	if reused != nil && v.FirstUse() != nil && v.FirstUse().NextUse() == nil {
		return nil
	}
	v.ReplaceAllUses(i.Arg(0))
	if reused != nil {
		reused.Set(v)
		return nil
	}
	c.Context.Passed(c.Func, i, "removed a copy: the value lives long enough")
	return []*ir.Inst{i}
}

// copyUse gives the operand a copy of its own.
func (c *Canonicalizer) copyUse(x *ir.Operand) {
	cp := rewrite.Emit(c.Before(x.User()), op.CopyValue, x.Value())
	x.Set(cp.Result())
	c.del.Changed = true
}
