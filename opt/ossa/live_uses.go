package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// LiveUses notes uses in a liveness, and keeps the order in which they were found.
type LiveUses struct {
	Live      *ownership.Liveness
	Users     []*ir.Inst // each once
	Reborrows bool       // a borrow goes on in a block argument
	Escapes   []*ir.Inst // where an address leaves for where it can't be followed

	own *ownership.Ownership
}

// NewLiveUses returns a LiveUses that notes uses in live, which may be nil for AddressUses.
func NewLiveUses(own *ownership.Ownership, live *ownership.Liveness) *LiveUses {
	return &LiveUses{own: own, Live: live}
}

// Note notes a user; ends says that it ends the lifetime.
func (u *LiveUses) Note(i *ir.Inst, ends bool) {
	if !u.Live.IsUser(i) {
		u.Users = append(u.Users, i)
	}
	u.Live.Use(i, ends)
}

// Simple notes the uses of def, of what is made of it without a copy, and the ends of borrows of these.
func (u *LiveUses) Simple(def *ir.Value) { u.simpleOf(def, def, map[*ir.Value]bool{}) }

func (u *LiveUses) simpleOf(def, v *ir.Value, visited map[*ir.Value]bool) {
	if visited[v] {
		return
	}
	visited[v] = true
	for x := range v.Uses() {
		switch own := u.own.UseOf(x); own {
		case op.OwnershipNonUse:
		case op.OwnershipBorrow:
			u.own.ScopeEnds(x, func(end *ir.Inst) {
				u.Reborrows = u.Reborrows || end.Op == op.Br
				u.Note(end, false)
			})
		case op.OwnershipPointerEscape:
			u.Escapes = append(u.Escapes, x.User())
		case op.OwnershipInteriorPointer:
			u.interior(x)
		case op.OwnershipGuaranteedForwarding:
			u.Note(x.User(), false)
			u.forwarded(def, x, visited)
		case op.OwnershipTrivialUse:
			u.scopeOfAddress(x.User())
			u.Note(x.User(), false)
		default:
			u.Note(x.User(), ownership.EndsLifetime(own) && u.own.KindOf(v) != ownership.KindNone)
		}
	}
}

func (u *LiveUses) forwarded(def *ir.Value, x *ir.Operand, visited map[*ir.Value]bool) {
	u.own.Forwarded(x, func(r *ir.Value) {
		if u.own.KindOf(r) == ownership.KindNone {
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
func (u *LiveUses) scopeOfAddress(i *ir.Inst) bool {
	end := op.EndAccess
	switch i.Op {
	case op.BeginAccess:
	case op.StoreBorrow:
		end = op.EndBorrow
	default:
		return false
	}
	for _, e := range rewrite.UsersWith(i.Result(), end) {
		u.Note(e, false)
	}
	return true
}

// interior notes the uses of an address inside of a value, or where the address is made when it has none.
func (u *LiveUses) interior(x *ir.Operand) {
	if u.scopeOfAddress(x.User()) {
		return
	}
	found := false
	for _, r := range x.User().Results {
		for _, use := range u.AddressUses(r) {
			found = true
			u.Note(use, false)
		}
	}
	if !found {
		u.Note(x.User(), false)
	}
}

// AddressUses lists the users of an address and of what is derived from it, in the order in which the compiler finds them.
func (u *LiveUses) AddressUses(v *ir.Value) []*ir.Inst {
	var found []*ir.Inst
	work := UsesToVisit(v)
	for x := work.Pop(); x != nil; x = work.Pop() {
		i := x.User()
		switch {
		case ownership.Column(i, x.Number()) == op.OwnershipNonUse:
		case i.Op == op.LoadBorrow:
			found = append(found, u.borrowedUses(i.Result())...)
		case ownership.ProjectsAddress(i, x.Number()) && i.Result() != nil:
			if i.Result().FirstUse() == nil {
				found = append(found, i)
			}
			work.Push(i.Result())
		case i.Op == op.AddressToPointer || i.Op == op.PartialApply || i.Op == op.Br || i.Op == op.MarkDependence:
			u.Escapes = append(u.Escapes, i)
			found = append(found, i)
		default:
			found = append(found, i)
		}
	}
	return found
}

// borrowedUses lists the users of a borrowed value and of what is made of it without a copy.
func (u *LiveUses) borrowedUses(v *ir.Value) []*ir.Inst {
	var found []*ir.Inst
	work := UsesToVisit(v)
	for x := work.Pop(); x != nil; x = work.Pop() {
		switch u.own.UseOf(x) {
		case op.OwnershipNonUse:
		case op.OwnershipPointerEscape:
			u.Escapes = append(u.Escapes, x.User())
			found = append(found, x.User())
		case op.OwnershipInteriorPointer:
			any := false
			for _, r := range x.User().Results {
				more := u.AddressUses(r)
				any = any || len(more) > 0
				found = append(found, more...)
			}
			if !any {
				found = append(found, x.User())
			}
		case op.OwnershipGuaranteedForwarding:
			u.own.Forwarded(x, func(r *ir.Value) {
				if u.own.KindOf(r) == ownership.KindGuaranteed {
					work.Push(r)
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

// Linear notes the uses that end the lifetime of v. goesOn is told of the block arguments in which it goes on.
func (u *LiveUses) Linear(v *ir.Value, goesOn func(phi *ir.Value)) {
	for x := range v.Uses() {
		if !ownership.EndsLifetime(u.own.UseOf(x)) {
			continue
		}
		if x.User().Op == op.Br {
			goesOn(ownership.ReceivedBy(x.User(), x.Number()))
		}
		u.Note(x.User(), true)
	}
}
