package ossa

import (
	"errors"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// interiorUses finds all uses that lie within the lifetime of a value: borrow scopes count by their ends, addresses by their users.
type interiorUses struct {
	*LiveUses
	def     *ir.Value
	scopes  func(begin *ir.Value) // told of each inner scope
	swift   bool                  // as the compiler's part in Swift finds them: with the projections and what debug_value describes
	visited map[*ir.Inst]bool
	phis    map[*ir.Value]bool
	err     error
}

// FindInteriorUses finds them in a function whose values have the ownership own, for a liveness of nothing yet. swift says that it should be
// done as the compiler's part in Swift does it; scopes is told of each inner scope. The error says what silvm can't follow.
func FindInteriorUses(own *ownership.Ownership, live *ownership.Liveness, v *ir.Value, swift bool, scopes func(begin *ir.Value)) (*LiveUses, error) {
	u := &interiorUses{LiveUses: NewLiveUses(own, live), def: v, visited: map[*ir.Inst]bool{}, phis: map[*ir.Value]bool{}, scopes: scopes, swift: swift}
	live.Define(v)
	if swift && own.KindOf(v) == ownership.KindNone {
		return u.LiveUses, nil
	}
	u.beside()
	u.find(v)
	return u.LiveUses, u.err
}

func (u *interiorUses) find(v *ir.Value) {
	for x := range v.Uses() {
		i, own := x.User(), u.own.UseOf(x)
		switch {
		case u.swift && facts.IsDebug(i):
			u.Note(i, false)
		case own == op.OwnershipNonUse:
		case u.swift && own == op.OwnershipInteriorPointer:
			u.interiorPointer(x)
		case own == op.OwnershipInteriorPointer:
			u.address(x)
		case own == op.OwnershipPointerEscape:
			u.Escapes = append(u.Escapes, i)
			u.Note(i, false)
		case own == op.OwnershipBorrow:
			u.borrow(x)
		case own == op.OwnershipGuaranteedForwarding:
			u.Note(i, false)
			u.forward(x)
		default:
			u.Note(i, ownership.EndsLifetime(own))
		}
	}
}

func (u *interiorUses) forward(x *ir.Operand) {
	i := x.User()
	if i.Op == op.Br {
		if phi := ownership.ReceivedBy(i, x.Number()); u.enclosed(phi) {
			u.find(phi)
		}
		return
	}
	if u.visited[i] {
		return
	}
	u.visited[i] = true
	u.own.Forwarded(x, func(r *ir.Value) {
		if u.own.KindOf(r) != ownership.KindNone {
			u.find(r)
		}
	})
}

// enclosed reports whether the lifetime of a block argument lies in that of the value and has yet to be looked at.
func (u *interiorUses) enclosed(phi *ir.Value) bool {
	if u.phis[phi] {
		return false
	}
	u.phis[phi] = true
	for _, d := range u.own.EnclosingDefs(phi) {
		if d == u.def {
			return true
		}
		isScope := u.own.KindOf(u.def) == ownership.KindOwned || u.own.IsBorrowIntroducer(u.def)
		if isScope && (d.Block() != phi.Block() || !d.IsArg()) { // no other value encloses anything
			u.err = errors.New("silvm has no interior liveness through block arguments that nothing beside them encloses")
		}
	}
	return false
}

func (u *interiorUses) borrow(x *ir.Operand) {
	i := x.User()
	if r := i.Result(); r != nil && (i.Op == op.BeginBorrow || i.Op == op.StoreBorrow) {
		u.scope(r)
		return
	}
	u.own.ScopeEnds(x, func(end *ir.Inst) { u.Note(end, false) })
}

// scope notes the ends of an inner scope, and of the scopes in which it goes on.
func (u *interiorUses) scope(begin *ir.Value) {
	u.scopes(begin)
	for x := range begin.Uses() {
		switch u.own.UseOf(x) {
		case op.OwnershipEndBorrow:
		case op.OwnershipReborrow:
			if phi := ownership.ReceivedBy(x.User(), x.Number()); u.enclosed(phi) {
				u.scope(phi)
			}
		default:
			continue
		}
		u.Note(x.User(), false)
	}
}

// beside notes the uses of the arguments of the same block that lie in the lifetime of an argument.
func (u *interiorUses) beside() {
	if !u.def.IsArg() {
		return
	}
	for _, phi := range u.own.InnerAdjacentPhis(u.def) {
		u.phis[phi] = true
		if ownership.IsReborrow(phi) {
			u.scope(phi)
		} else {
			u.find(phi)
		}
	}
}

func (u *interiorUses) address(x *ir.Operand) {
	i := x.User()
	if i.Op == op.StoreBorrow || i.Op == op.BeginAccess {
		u.scopes(i.Result())
		u.scopeOfAddress(i)
		return
	}
	u.Note(i, false)
	for _, r := range i.Results {
		for _, use := range u.AddressUses(r) {
			u.Note(use, false)
		}
	}
}

// interiorPointer notes the uses of an address, the projections among them, and the ends of the scopes that begin with it.
func (u *interiorUses) interiorPointer(x *ir.Operand) {
	i := x.User()
	if u.visited[i] {
		return
	}
	u.visited[i] = true
	u.Note(i, false)
	switch {
	case i.Op == op.LoadBorrow:
		for _, end := range rewrite.UsersWith(i.Result(), op.EndBorrow) {
			u.Note(end, false)
		}
	case u.scopeOfAddress(i):
	case ownership.ProjectsAddress(i, x.Number()), i.Op == op.RefElementAddr, i.Op == op.RefTailAddr, i.Op == op.ProjectBox:
		for use := range i.Result().Uses() {
			u.interiorPointer(use)
		}
	case i.Op == op.AddressToPointer:
		u.Escapes = append(u.Escapes, i)
	}
}
