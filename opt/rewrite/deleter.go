package rewrite

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// Deleter removes instructions of a function in ownership form, and with them those that are dead without them: instructions
// without effects whose results are only destroyed.
type Deleter struct {
	*Editor
	own     *ownership.Ownership
	Removed func(i *ir.Inst) // called before an instruction is removed; may be nil
	dead    []*ir.Inst
	queued  map[*ir.Inst]bool
	Changed bool
}

// NewDeleter returns a deleter that edits with e and asks own what is consumed.
func NewDeleter(e *Editor, own *ownership.Ownership) *Deleter {
	return &Deleter{Editor: e, own: own, queued: map[*ir.Inst]bool{}}
}

// TrackIfDead notes an instruction that is dead, for cleanup.
func (d *Deleter) TrackIfDead(i *ir.Inst) {
	if i.Block() != nil && d.isDead(i) && !d.queued[i] {
		d.queued[i] = true
		d.dead = append(d.dead, i)
	}
}

func (d *Deleter) isDead(i *ir.Inst) bool {
	if isEndOfScope(i) || facts.IsDebug(i) {
		return false
	}
	return facts.IsTriviallyDead(i) || d.onlyEnds(i)
}

func isEndOfScope(i *ir.Inst) bool {
	switch i.Op {
	case op.EndBorrow, op.DestroyValue, op.EndLifetime, op.EndAccess, op.DeallocStack:
		return true
	}
	return false
}

// onlyEnds reports whether an instruction does nothing but begin a scope or hand a value on, and nothing uses its results but what ends
// their lives.
func (d *Deleter) onlyEnds(i *ir.Inst) bool {
	if len(i.Results) == 0 || !mayOnlyEnd(i) || !HasOnlyEndUses(i) || i.Op == op.DestructureStruct && d.Types.HasDeinit(i.Arg(0).Type) {
		return false // to destroy a struct with a deinit is more than to destroy its parts
	}
	for _, r := range i.Results {
		if facts.IsMoveOnly(d.Context.Module, r.Type) || d.own.IsLexical(r) && !facts.IsNoescape(r.Type) {
			return false
		}
	}
	return true
}

// mayOnlyEnd reports whether an instruction does nothing but begin a scope or hand a value on.
func mayOnlyEnd(i *ir.Inst) bool {
	switch i.Op {
	case op.CopyValue, op.BeginBorrow, op.BeginAccess, op.MoveValue, op.MarkDependence, op.LoadBorrow, op.AllocStack, op.Struct, op.Enum, op.Tuple,
		op.ConvertFunction, op.DestructureStruct, op.DestructureTuple, op.Upcast, op.UncheckedRefCast, op.ThinToThickFunction,
		op.ConvertEscapeToNoescape, op.RefToBridgeObject, op.BridgeObjectToRef, op.UncheckedValueCast:
		return true
	case op.Load:
		return i.Has(op.QualCopy) || i.Has(op.QualTake) || i.Has(op.QualTrivial)
	case op.PartialApply:
		for n := 1; n < len(i.Operands); n++ {
			if i.Arg(n).Type.IsAddress() {
				return false
			}
		}
		return true
	}
	return false
}

// HasOnlyEndUses reports whether nothing uses the results but what ends their lives or scopes, and debug_value.
func HasOnlyEndUses(i *ir.Inst) bool {
	for _, r := range i.Results {
		for x := range r.Uses() {
			if u := x.User(); !isEndOfScope(u) && !facts.IsDebug(u) {
				return false
			}
		}
	}
	return true
}

// ForceDelete removes an instruction with its uses, none of which may matter.
func (d *Deleter) ForceDelete(i *ir.Inst) { d.delete(i, false) }

// DeleteIfDead removes an instruction if it is dead.
func (d *Deleter) DeleteIfDead(i *ir.Inst) bool {
	if i.Block() == nil || !d.isDead(i) {
		return false
	}
	d.delete(i, true)
	return true
}

// Cleanup removes what was noted as dead, and what becomes dead by that.
func (d *Deleter) Cleanup() {
	for len(d.dead) > 0 {
		work := d.dead
		d.dead = nil
		for _, i := range work {
			delete(d.queued, i)
			if i.Block() != nil {
				d.delete(i, true)
			}
		}
	}
}

// delete removes i and the users of its results. With fix, values that i consumed are destroyed in its place; out of ownership form
// nothing is consumed, so there is nothing to destroy.
func (d *Deleter) delete(i *ir.Inst, fix bool) {
	fix = fix && d.OSSA
	list := []*ir.Inst{i}
	in := map[*ir.Inst]bool{i: true}
	var drop []*ir.Operand
	for n := 0; n < len(list); n++ {
		for _, r := range list[n].Results {
			for _, x := range r.UseList() {
				if !in[x.User()] {
					in[x.User()] = true
					list = append(list, x.User())
				}
				drop = append(drop, x)
			}
		}
	}
	consumed := map[*ir.Operand]bool{}
	if fix {
		for _, i := range list {
			for n := range i.Operands {
				x := &i.Operands[n]
				own := d.own.UseOf(x)
				consumed[x] = own.IsConsume() && d.own.KindOf(x.Value()) == ownership.KindOwned
			}
		}
	}
	for _, x := range drop {
		x.Set(nil)
	}
	d.Changed = true
	for _, i := range list {
		if i.Block() == nil {
			continue
		}
		for n := range i.Operands {
			x := &i.Operands[n]
			v := x.Value()
			if v == nil {
				continue
			}
			if consumed[x] {
				Emit(d.Before(i), op.DestroyValue, v)
			} else if fix && i.Op == op.Load && i.Has(op.QualTake) {
				Emit(d.Before(i), op.DestroyAddr, v)
			}
			x.Set(nil)
			if def := v.Inst(); def != nil && !in[def] {
				d.TrackIfDead(def)
			}
		}
		if d.Removed != nil {
			d.Removed(i)
		}
		i.Remove()
	}
}
