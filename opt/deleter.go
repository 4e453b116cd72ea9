package opt

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// deleter removes instructions of a function in ownership form, and with them those that are dead without them: instructions
// without effects whose results are only destroyed.
type deleter struct {
	*editor
	own     *facts.Ownership
	removed func(i *ir.Inst) // called before an instruction is removed; may be nil
	dead    []*ir.Inst
	queued  map[*ir.Inst]bool
	changed bool
}

func newDeleter(e *editor, own *facts.Ownership) *deleter {
	return &deleter{editor: e, own: own, queued: map[*ir.Inst]bool{}}
}

// trackIfDead notes an instruction that is dead, for cleanup.
func (d *deleter) trackIfDead(i *ir.Inst) {
	if i.Block() != nil && d.isDead(i) && !d.queued[i] {
		d.queued[i] = true
		d.dead = append(d.dead, i)
	}
}

func (d *deleter) isDead(i *ir.Inst) bool {
	if isEndOfScope(i) || isDebug(i) {
		return false
	}
	return isTriviallyDead(i) || d.onlyEnds(i)
}

func isEndOfScope(i *ir.Inst) bool {
	switch i.Op {
	case op.EndBorrow, op.DestroyValue, op.EndLifetime, op.EndAccess, op.DeallocStack:
		return true
	}
	return false
}

// onlyEnds says whether an instruction does nothing but begin a scope or hand a value on, and nothing uses its results but what ends
// their lives.
func (d *deleter) onlyEnds(i *ir.Inst) bool {
	if len(i.Results) == 0 || !mayOnlyEnd(i) || !hasOnlyEndUses(i) {
		return false
	}
	for _, r := range i.Results {
		if isMoveOnly(d.c.Module, r.Type) || d.own.IsLexical(r) && !isNoescape(r.Type) {
			return false
		}
	}
	return true
}

// mayOnlyEnd says whether an instruction does nothing but begin a scope or hand a value on.
func mayOnlyEnd(i *ir.Inst) bool {
	switch i.Op {
	case op.CopyValue, op.BeginBorrow, op.BeginAccess, op.MoveValue, op.MarkDependence, op.LoadBorrow, op.AllocStack, op.Struct, op.Enum, op.Tuple,
		op.ConvertFunction, op.DestructureStruct, op.DestructureTuple, op.Upcast, op.UncheckedRefCast, op.ThinToThickFunction,
		op.ConvertEscapeToNoescape, op.RefToBridgeObject, op.BridgeObjectToRef, op.UncheckedValueCast:
		return true
	case op.Load:
		return i.Has("copy") || i.Has("take") || i.Has("trivial")
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

// hasOnlyEndUses says whether nothing uses the results but what ends their lives or scopes, and debug_value.
func hasOnlyEndUses(i *ir.Inst) bool {
	for _, r := range i.Results {
		for x := r.FirstUse(); x != nil; x = x.NextUse() {
			if u := x.User(); !isEndOfScope(u) && !isDebug(u) {
				return false
			}
		}
	}
	return true
}

// forceDelete removes an instruction with its uses, none of which may matter.
func (d *deleter) forceDelete(i *ir.Inst) { d.delete(i, false) }

// deleteIfDead removes an instruction if it is dead.
func (d *deleter) deleteIfDead(i *ir.Inst) bool {
	if i.Block() == nil || !d.isDead(i) {
		return false
	}
	d.delete(i, true)
	return true
}

// cleanup removes what was noted as dead, and what becomes dead by that.
func (d *deleter) cleanup() {
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

// delete removes i and the users of its results. With fix, values that i consumed are destroyed in its place.
func (d *deleter) delete(i *ir.Inst, fix bool) {
	list := []*ir.Inst{i}
	in := map[*ir.Inst]bool{i: true}
	var drop []*ir.Operand
	for n := 0; n < len(list); n++ {
		for _, r := range list[n].Results {
			for _, x := range uses(r) {
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
				consumed[x] = own.IsConsume() && d.own.KindOf(x.Value()) == facts.KindOwned
			}
		}
	}
	for _, x := range drop {
		x.Set(nil)
	}
	d.changed = true
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
				emit(d.before(i), op.DestroyValue, v)
			} else if fix && i.Op == op.Load && i.Has("take") {
				emit(d.before(i), op.DestroyAddr, v)
			}
			x.Set(nil)
			if def := v.Inst(); def != nil && !in[def] {
				d.trackIfDead(def)
			}
		}
		if d.removed != nil {
			d.removed(i)
		}
		i.Remove()
	}
}
