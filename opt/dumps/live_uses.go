package dumps

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// liveUses notes uses in a liveness, and keeps the order in which they were found.
type liveUses struct {
	own       *facts.Ownership
	live      *facts.Liveness
	users     []*ir.Inst
	reborrows bool // a borrow goes on in a block argument
	escapes   []*ir.Inst
}

func (u *liveUses) note(i *ir.Inst, ends bool) {
	if !u.live.IsUser(i) {
		u.users = append(u.users, i)
	}
	u.live.Use(i, ends)
}

// simple notes the uses of def, of what is made of it without a copy, and the ends of borrows of these.
func (u *liveUses) simple(def *ir.Value) { u.simpleOf(def, def, map[*ir.Value]bool{}) }

func (u *liveUses) simpleOf(def, v *ir.Value, visited map[*ir.Value]bool) {
	if visited[v] {
		return
	}
	visited[v] = true
	for x := range v.Uses() {
		switch own := u.own.UseOf(x); own {
		case op.OwnershipNonUse:
		case op.OwnershipBorrow:
			u.own.ScopeEnds(x, func(end *ir.Inst) {
				u.reborrows = u.reborrows || end.Op == op.Br
				u.note(end, false)
			})
		case op.OwnershipPointerEscape:
			u.escapes = append(u.escapes, x.User())
		case op.OwnershipInteriorPointer:
			u.interior(x)
		case op.OwnershipGuaranteedForwarding:
			u.note(x.User(), false)
			u.forwarded(def, x, visited)
		case op.OwnershipTrivialUse:
			u.scopeOfAddress(x.User())
			u.note(x.User(), false)
		default:
			u.note(x.User(), facts.EndsLifetime(own) && u.own.KindOf(v) != facts.KindNone)
		}
	}
}

func (u *liveUses) forwarded(def *ir.Value, x *ir.Operand, visited map[*ir.Value]bool) {
	u.own.Forwarded(x, func(r *ir.Value) {
		if u.own.KindOf(r) == facts.KindNone {
			return
		}
		if x.User().Op == op.Br {
			for _, d := range u.own.EnclosingDefs(r) {
				if d == def {
					u.simpleOf(def, r, visited)
					return
				}
			}
			return
		}
		u.simpleOf(def, r, visited)
	})
}

// scopeOfAddress notes the ends of a store_borrow or begin_access.
func (u *liveUses) scopeOfAddress(i *ir.Inst) bool {
	end := op.EndAccess
	switch i.Op {
	case op.BeginAccess:
	case op.StoreBorrow:
		end = op.EndBorrow
	default:
		return false
	}
	for _, e := range rewrite.UsersWith(i.Result(), end) {
		u.note(e, false)
	}
	return true
}

// interior notes the uses of an address inside of a value, or where the address is made when it has none.
func (u *liveUses) interior(x *ir.Operand) {
	if u.scopeOfAddress(x.User()) {
		return
	}
	found := false
	for _, r := range x.User().Results {
		for _, use := range u.addressUses(r) {
			found = true
			u.note(use, false)
		}
	}
	if !found {
		u.note(x.User(), false)
	}
}

// addressUses lists the users of an address and of what is derived from it, in the order in which the compiler finds them.
func (u *liveUses) addressUses(v *ir.Value) []*ir.Inst {
	var found []*ir.Inst
	work := usesToVisit(v)
	for x := work.pop(); x != nil; x = work.pop() {
		i := x.User()
		switch {
		case facts.Column(i, x.Number()) == op.OwnershipNonUse:
		case i.Op == op.LoadBorrow:
			found = append(found, u.borrowedUses(i.Result())...)
		case facts.ProjectsAddress(i, x.Number()) && i.Result() != nil:
			if i.Result().FirstUse() == nil {
				found = append(found, i)
			}
			work.push(i.Result())
		case i.Op == op.AddressToPointer || i.Op == op.PartialApply || i.Op == op.Br || i.Op == op.MarkDependence:
			u.escapes = append(u.escapes, i)
			found = append(found, i)
		default:
			found = append(found, i)
		}
	}
	return found
}

// borrowedUses lists the users of a borrowed value and of what is made of it without a copy.
func (u *liveUses) borrowedUses(v *ir.Value) []*ir.Inst {
	var found []*ir.Inst
	work := usesToVisit(v)
	for x := work.pop(); x != nil; x = work.pop() {
		switch u.own.UseOf(x) {
		case op.OwnershipNonUse:
		case op.OwnershipPointerEscape:
			u.escapes = append(u.escapes, x.User())
			found = append(found, x.User())
		case op.OwnershipInteriorPointer:
			any := false
			for _, r := range x.User().Results {
				more := u.addressUses(r)
				any = any || len(more) > 0
				found = append(found, more...)
			}
			if !any {
				found = append(found, x.User())
			}
		case op.OwnershipGuaranteedForwarding:
			u.own.Forwarded(x, func(r *ir.Value) {
				if u.own.KindOf(r) == facts.KindGuaranteed {
					work.push(r)
				}
			})
			found = append(found, x.User())
		case op.OwnershipBorrow:
			u.own.ScopeEnds(x, func(end *ir.Inst) { found = append(found, end) })
		default:
			found = append(found, x.User())
		}
	}
	return found
}

// summary says why the uses that were found are not all.
func (u *liveUses) summary(t *testRun) {
	if u.reborrows {
		fmt.Fprintln(t.c.Out, "Incomplete liveness: Reborrowed inner scope")
	}
	if len(u.escapes) > 0 {
		fmt.Fprintln(t.c.Out, "Incomplete liveness: Escaping address")
	}
}

// linear notes the uses that end the lifetime of v. goesOn is told of the block arguments in which it goes on.
func (u *liveUses) linear(v *ir.Value, goesOn func(phi *ir.Value)) {
	for x := range v.Uses() {
		if !facts.EndsLifetime(u.own.UseOf(x)) {
			continue
		}
		if x.User().Op == op.Br {
			goesOn(facts.ReceivedBy(x.User(), x.Number()))
		}
		u.note(x.User(), true)
	}
}

func innerAdjacentPhis(o *facts.Ownership, v *ir.Value) []*ir.Value {
	var list []*ir.Value
	for _, a := range v.Block().Args {
		if a != v && o.EnclosesBeside(v, a) {
			list = append(list, a)
		}
	}
	return list
}
