package opt

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// hoistLexicalDestroys moves the destroys of an owned lexical value up, behind its last uses and the deinit barriers.
func (p *copyPropagator) hoistLexicalDestroys(v *ir.Value) bool {
	if p.own.KindOf(v) != facts.KindOwned || !p.own.IsLexical(v) {
		return false
	}
	users, isEnd := map[*ir.Inst]bool{}, map[*ir.Inst]bool{}
	var ends []*ir.Inst
	for _, x := range uses(v) {
		i := x.User()
		switch p.own.UseOf(x) {
		case op.OwnershipPointerEscape:
			return false
		case op.OwnershipBorrow:
			ok := true
			p.own.ScopeEnds(x, func(end *ir.Inst) {
				ok = ok && end.Op != op.Br
				users[end] = true
			})
			if !ok {
				return false
			}
		}
		if i.Op == op.DestroyValue {
			ends = append(ends, i)
			isEnd[i] = true
		} else {
			users[i] = true
		}
	}
	at := p.barriersOutsideAccesses(ends, v, false, func(i *ir.Inst) bool { return users[i] || p.c.IsDeinitBarrier(i) })
	changed, reused := false, map[*ir.Inst]bool{}
	insert := func(before *ir.Inst) {
		if isEnd[before] {
			reused[before] = true
			return
		}
		emit(p.before(before), op.DestroyValue, v)
		changed = true
	}
	if at.initial && v.IsArg() {
		insert(v.Block().First())
	}
	at.places(insert)
	if changed {
		for _, e := range ends {
			if !reused[e] {
				p.del.forceDelete(e)
			}
		}
	}
	return changed
}

// places calls yield for each place behind which the walk was free, as the instruction in front of which something can be put.
func (s *barrierSet) places(yield func(before *ir.Inst)) {
	for _, b := range s.phis {
		yield(b.First())
	}
	for _, x := range s.insts {
		if n := x.Next(); n != nil {
			yield(n)
			continue
		}
		for _, e := range x.Succs {
			yield(e.To.First())
		}
	}
	for _, b := range s.edges {
		yield(b.First())
	}
}
