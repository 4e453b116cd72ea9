package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// noteAddressUsers notes the users of addresses that are results of i; false when one escapes.
func noteAddressUsers(i *ir.Inst, users map[*ir.Inst]bool) bool {
	if ownership.AddressEscapes(i) {
		return false
	}
	work := append([]*ir.Value(nil), i.Results...)
	for v := range worklist.Drain(&work) {
		for _, x := range v.UseList() {
			users[x.User()] = true
			if ownership.ProjectsAddress(x.User(), x.Number()) {
				work = append(work, x.User().Results...)
			}
			if x.User().Op == op.LoadBorrow {
				for _, e := range x.User().Result().UseList() {
					users[e.User()] = true
				}
			}
		}
	}
	return true
}

// shrink moves the ends of a borrow scope up, after its last use and the deinit barriers, and makes copies that the scope no longer
// reaches copies of what is borrowed; then it gives the borrowed value the lifetime that this leaves it with.
func (p *CopyPropagator) shrink(i *ir.Inst) {
	for first := true; ; first = false {
		shrunk, _ := p.ShrinkScope(i)
		p.Changed = p.Changed || shrunk
		if !shrunk && !first || p.Own.KindOf(i.Arg(0)) != ownership.KindOwned {
			return
		}
		if !p.Canon.Canonicalize(i.Arg(0)) && !first {
			return
		}
		move := p.FoldLexical(i)
		if move == nil {
			return
		}
		p.Canon.Canonicalize(move.Result())
		p.removeMove(move)
	}
}

// ShrinkScope moves the ends of the scope. It reports whether anything was changed, and lists the copies that copy what is borrowed now.
func (p *CopyPropagator) ShrinkScope(i *ir.Inst) (changed bool, copies []*ir.Inst) {
	borrow, from := i.Result(), i.Arg(0)
	var ends []*ir.Inst
	isEnd := map[*ir.Inst]bool{}
	for _, x := range borrow.UseList() {
		if ownership.EndsLifetime(p.Own.UseOf(x)) {
			if x.User().Op != op.EndBorrow {
				return false, nil
			}
			ends = append(ends, x.User())
			isEnd[x.User()] = true
		}
	}
	users, ok := p.extendedUsers(borrow)
	if !ok {
		return false, nil
	}
	isCopy := func(x *ir.Inst) bool { return x.Op == op.CopyValue && p.isNameOf(x.Arg(0), i) }
	at := p.BarriersOutsideAccesses(ends, borrow, false, func(x *ir.Inst) bool {
		return !isCopy(x) && (users[x] || p.Context.KeepsDeinit(x, borrow.Type))
	})
	for _, x := range at.Passed {
		if isCopy(x) {
			copies = append(copies, x)
		}
	}
	changed = len(copies) > 0
	reused := map[*ir.Inst]bool{}
	insert := func(before *ir.Inst) {
		end := before
		for slices.Contains(copies, end) { // the scope may as well end after the copies that do not need it any more
			end = end.Next()
		}
		if isEnd[end] {
			reused[end] = true
			return
		}
		rewrite.Emit(p.Before(before), op.EndBorrow, borrow)
		changed = true
	}
	at.Places(insert)
	if changed {
		p.Context.Passed(p.Func, i, "shrank a borrow scope")
		for _, e := range ends {
			if !reused[e] {
				p.Del.ForceDelete(e)
			}
		}
	}
	for _, c := range copies {
		c.Operands[0].Set(from)
		p.enter(c.Result())
	}
	return changed, copies
}

// isNameOf reports whether v is the result of i or a copy of it.
func (p *CopyPropagator) isNameOf(v *ir.Value, i *ir.Inst) bool {
	for {
		d := v.Inst()
		if d == i {
			return true
		}
		if d == nil || d.Op != op.CopyValue {
			return false
		}
		v = d.Arg(0)
	}
}

// extendedUsers finds the users of a borrowed value and its copies; ok is false when a pointer escapes.
func (p *CopyPropagator) extendedUsers(v *ir.Value) (users map[*ir.Inst]bool, ok bool) {
	users = map[*ir.Inst]bool{}
	work := worklist.Of[*ir.Operand]()
	add := func(v *ir.Value) {
		for _, x := range v.UseList() {
			if p.Own.UseOf(x) != op.OwnershipNonUse {
				work.Push(x)
			}
		}
	}
	add(v)
	for x := range work.All() {
		i := x.User()
		if i.Op == op.CopyValue {
			add(i.Result())
		}
		switch p.Own.UseOf(x) {
		case op.OwnershipForwardingUnowned, op.OwnershipPointerEscape, op.OwnershipReborrow, 0:
			return nil, false
		case op.OwnershipInteriorPointer, op.OwnershipAnyInteriorPointer:
			if !noteAddressUsers(i, users) {
				return nil, false
			}
			users[i] = true
		case op.OwnershipGuaranteedForwarding:
			if i.Op == op.Br {
				return nil, false
			}
			p.Own.Forwarded(x, func(r *ir.Value) {
				if p.Own.KindOf(r) != ownership.KindNone {
					add(r)
				}
			})
			users[i] = true
		case op.OwnershipBorrow:
			ended, reborrowed := false, false
			p.Own.ScopeEnds(x, func(end *ir.Inst) {
				ended = true
				users[end] = true
				reborrowed = reborrowed || end.Op.IsTerminator() && len(end.Succs) > 0
			})
			if reborrowed {
				return nil, false // the scope of the phi lies in this one, too
			}
			if !ended {
				users[i] = true
			}
		default:
			users[i] = true
		}
	}
	return users, true
}
