package rewrite

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
)

// Replacer replaces a value by an equal one. In ownership form the new value is copied where its lifetime has to be made longer, and what
// the old value's instruction consumed is destroyed instead:
//
//	%1 = struct $S (%0 : $C)              %1 = struct $S (%0 : $C)
//	%3 = struct $S (%2 : $C)          →   %4 = copy_value %1 : $S
//	destroy_value %3 : $S                 destroy_value %2 : $C
//	                                      destroy_value %4 : $S
type Replacer struct {
	c     *pass.Context
	f     *ir.Function
	Preds *cfg.Predecessors
	Own   *ownership.Ownership // nil outside of ownership form
	dead  []bool
	// made is called for every instruction that is put in; nil when nobody wants to know.
	Made func(i *ir.Inst)
}

// emit puts an instruction before at.
func (r *Replacer) emit(at *ir.Inst, o op.Op, v *ir.Value) *ir.Inst {
	i := ir.At(r.c.Module, at).Emit(&ir.Inst{Op: o}, v)
	if r.Made != nil {
		r.Made(i)
	}
	return i
}

// NewReplacer returns a replacer for a function, which keeps preds up to date.
func NewReplacer(c *pass.Context, f *ir.Function, preds *cfg.Predecessors) *Replacer {
	r := &Replacer{c: c, f: f, Preds: preds}
	if f.IsOSSA() {
		r.Own = ownership.New(f, c.Types(f))
		r.Own.Preds = preds.Of
		r.dead = c.DeadEnds(f)
	}
	return r
}

// CanReplace reports whether the uses of old, the result of an instruction, may become uses of v.
func (r *Replacer) CanReplace(old, v *ir.Value) bool {
	if r.Own == nil {
		return true
	}
	if old.Type.IsAddress() {
		return r.canReplaceAddress(old, v)
	}
	switch was, is := r.Own.KindOf(old), r.Own.KindOf(v); {
	case is == ownership.KindNone:
		return true
	case was == ownership.KindUnknown || is == ownership.KindUnknown || is == ownership.KindUnowned:
		return false
	case was == ownership.KindGuaranteed:
		if r.outlives(v) {
			return true
		}
		_, ok := r.usesWithin(old)
		return ok && !facts.IsMoveOnly(r.c.Module, v.Type)
	case was == ownership.KindOwned:
		return !facts.IsMoveOnly(r.c.Module, v.Type) // it would be copied
	}
	return false
}

// canReplaceAddress reports whether the address v is valid wherever old is: it lies in no object, or in one of the same borrow scope.
func (r *Replacer) canReplaceAddress(old, v *ir.Value) bool {
	base := r.scopeOfAddress(v)
	return base == nil || base == r.scopeOfAddress(old) || base.IsArg() && base.Block() == r.f.Blocks[0]
}

// scopeOfAddress returns the value that begins the borrow scope of the object in which an address lies, nil when it lies in none.
func (r *Replacer) scopeOfAddress(v *ir.Value) *ir.Value {
	for {
		i := v.Inst()
		if i == nil || len(i.Operands) == 0 {
			return nil
		}
		n := 0
		v = i.Arg(n)
		if v.Type.IsAddress() {
			if !ownership.ProjectsAddress(i, n) {
				return nil
			}
			continue
		}
		if r.Own.KindOf(v) == ownership.KindGuaranteed {
			return r.scopeOf(v)
		}
		return nil
	}
}

// scopeOf returns the value that begins the scope of a guaranteed value.
func (r *Replacer) scopeOf(v *ir.Value) *ir.Value {
	for {
		i := v.Inst()
		if i == nil || ownership.BeginsBorrow(v) {
			return v
		}
		up := v
		for n := range i.Operands {
			if r.Own.KindOf(i.Arg(n)) == ownership.KindGuaranteed {
				up = i.Arg(n)
				break
			}
		}
		if up == v {
			return v
		}
		v = up
	}
}

// usesWithin lists the instructions up to which a guaranteed value must live; ok is false when a use escapes or joins scopes.
func (r *Replacer) usesWithin(v *ir.Value) (users []*ir.Inst, ok bool) {
	work := worklist.Of(v)
	for v := range work.All() {
		for u := range v.Uses() {
			i := u.User()
			users = append(users, i)
			switch r.Own.UseOf(u) {
			case op.OwnershipPointerEscape, op.OwnershipBitwiseEscape, op.OwnershipReborrow, 0:
				return nil, false
			case op.OwnershipGuaranteedForwarding:
				if i.Op.IsTerminator() {
					for _, e := range i.Succs {
						if len(e.To.Args) > 0 && e.N > 0 {
							return nil, false
						}
						work.Push(e.To.Args...)
					}
				}
				work.Push(i.Results...)
			case op.OwnershipBorrow:
				r.Own.ScopeEnds(u, func(end *ir.Inst) { users = append(users, end) })
			case op.OwnershipInteriorPointer, op.OwnershipAnyInteriorPointer:
				return nil, false
			}
		}
	}
	return users, true
}

// ReplaceAndErase makes the users of the only result of i use v, and removes i. It returns the instruction that followed.
func (r *Replacer) ReplaceAndErase(i *ir.Inst, v *ir.Value) *ir.Inst {
	old := i.Results[0]
	if BeginsScope(i) {
		for u, more := old.FirstUse(), (*ir.Operand)(nil); u != nil; u = more {
			more = u.NextUse()
			if IsScopeEnd(u.User()) {
				u.User().Remove()
			}
		}
	}
	if r.Own != nil && !old.Type.IsAddress() {
		v = r.prepare(i, old, v)
	}
	if r.Own != nil {
		r.endOperands(i)
	}
	ReplaceUses(r.Own, old, v)
	next := i.Next()
	i.Remove()
	return next
}

// ReplaceUses makes the users of old use v. What handed old on goes on to hand on a value of the ownership of old when v has none, such as a
// case without payload; own is nil outside of ownership form.
func ReplaceUses(own *ownership.Ownership, old, v *ir.Value) {
	var users []*ir.Operand
	var kind ownership.Kind
	if own != nil && old.HasUses() && own.KindOf(v) == ownership.KindNone {
		if kind = own.KindOf(old); kind == ownership.KindOwned || kind == ownership.KindGuaranteed {
			users = old.UseList()
		}
	}
	old.ReplaceAllUses(v)
	for _, u := range users {
		i := u.User()
		if i.Forwarding != ir.OwnershipUnspecified || !ownership.IsForwardingColumn(ownership.Column(i, u.Number())) {
			continue
		}
		if own.Forwards(i) == ownership.KindNone {
			i.Forwarding = kind
		}
	}
}

// prepare returns the value that can stand for old, the result of i: v itself or a copy.
func (r *Replacer) prepare(i *ir.Inst, old, v *ir.Value) *ir.Value {
	if r.Own.KindOf(v) == ownership.KindNone || !old.HasUses() && r.Own.KindOf(old) != ownership.KindOwned {
		return v
	}
	kind := r.Own.KindOf(old)
	if kind == ownership.KindGuaranteed && r.outlives(v) {
		return v
	}
	users, _ := r.usesWithin(old)
	at := After(v)
	copied := r.emit(at, op.CopyValue, v).Results[0]
	taken := r.destroyOnEdges(copied, at, i)
	switch {
	case kind == ownership.KindGuaranteed:
	case taken:
		return copied
	default:
		return r.emit(i, op.CopyValue, copied).Results[0]
	}
	borrowed := r.emit(i, op.BeginBorrow, copied).Results[0]
	within, ok := RegionOf(r.Preds, i, users)
	if !ok {
		return borrowed
	}
	for _, end := range within.Ends {
		if r.isDeadEnd(end.Before.Block()) && end.User == nil {
			continue
		}
		r.emit(end.Before, op.EndBorrow, borrowed)
		if taken {
			r.emit(end.Before, op.DestroyValue, copied)
		}
	}
	return borrowed
}

// outlives reports whether the value is a guaranteed parameter, which lives as long as the function runs.
func (r *Replacer) outlives(v *ir.Value) bool {
	return v.IsArg() && v.Block() == r.f.Blocks[0] && r.Own.KindOf(v) == ownership.KindGuaranteed
}

func (r *Replacer) isDeadEnd(b *ir.Block) bool { return b.Index < len(r.dead) && r.dead[b.Index] }

// destroyOnEdges destroys the copy, made before from, where control turns away from the instruction that takes it over. False says
// that the instruction can't take it over: it runs in a loop that the copy was made outside of, and the copy lives on to the exits.
func (r *Replacer) destroyOnEdges(copied *ir.Value, from, to *ir.Inst) (taken bool) {
	if from.Block() == to.Block() {
		return true
	}
	way, ok := RegionOf(r.Preds, from, []*ir.Inst{to})
	if !ok {
		return true
	}
	for _, end := range way.Ends {
		taken = taken || end.User == to
		if end.User == nil && !r.isDeadEnd(end.Before.Block()) {
			r.emit(end.Before, op.DestroyValue, copied)
		}
	}
	return taken
}

// After returns the instruction before which v is defined and nothing else has happened.
func After(v *ir.Value) *ir.Inst {
	if i := v.Inst(); i != nil {
		return i.Next()
	}
	return v.Block().First()
}

// BeginsScope reports whether an instruction opens an access or a borrow scope.
func BeginsScope(i *ir.Inst) bool {
	return i.Op == op.BeginAccess || i.Op == op.BeginBorrow || i.Op == op.LoadBorrow
}

// IsScopeEnd reports whether an instruction closes an access or a borrow scope.
func IsScopeEnd(i *ir.Inst) bool { return i.Op == op.EndAccess || i.Op == op.EndBorrow }

// endOperands destroys what an instruction that is about to go consumes.
func (r *Replacer) endOperands(i *ir.Inst) {
	for n := range i.Operands {
		if use := r.Own.Use(i, n); use.IsConsume() && r.Own.KindOf(i.Arg(n)) == ownership.KindOwned {
			r.emit(i, op.DestroyValue, i.Arg(n))
		}
	}
}
