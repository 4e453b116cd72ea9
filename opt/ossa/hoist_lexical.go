package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// HoistLexicalDestroys moves the destroys of an owned lexical value up, after its last uses and the deinit barriers.
func (p *CopyPropagator) HoistLexicalDestroys(v *ir.Value) bool {
	if p.Own.KindOf(v) != ownership.KindOwned || !p.Own.IsLexical(v) {
		return false
	}
	users, isEnd := map[*ir.Inst]bool{}, map[*ir.Inst]bool{}
	var ends []*ir.Inst
	for _, x := range v.UseList() {
		i := x.User()
		switch p.Own.UseOf(x) {
		case op.OwnershipPointerEscape:
			return false
		case op.OwnershipBorrow:
			ok := true
			p.Own.ScopeEnds(x, func(end *ir.Inst) {
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
	at := p.BarriersOutsideAccesses(ends, v, false, func(i *ir.Inst) bool { return users[i] || p.Context.KeepsDeinit(i, v.Type) })
	changed, reused := false, map[*ir.Inst]bool{}
	insert := func(before *ir.Inst) {
		if isEnd[before] {
			reused[before] = true
			return
		}
		rewrite.Emit(p.Before(before), op.DestroyValue, v)
		changed = true
	}
	if at.Initial && v.IsArg() {
		insert(v.Block().First())
	}
	at.Places(insert)
	if changed {
		for _, e := range ends {
			if !reused[e] {
				p.Del.ForceDelete(e)
			}
		}
	}
	return changed
}
