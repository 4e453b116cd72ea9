package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/fold"
	"silvm/opt/rewrite"
)

// The rules for checked casts whose outcome is known: an upcast, an existential, or a trap.

// unconditionalCast makes an upcast of a cast to a superclass and a trap of one that fails.
func (r *Combiner) unconditionalCast(i *ir.Inst) bool {
	to, v := i.Results[0].Type, i.Arg(0)
	if len(i.Types) == 0 || to.IsAddress() {
		return false
	}
	switch fold.ForeseeMeta(r.Context.Module, v.Type, to) {
	case fold.CastFails:
		return r.failCast(i)
	case fold.CastSucceeds:
		switch {
		case !i.Results[0].HasUses():
			r.erase(i)
			return true
		case v.Type == to:
			return r.replace(i, v)
		}
		return r.cast(i, op.Upcast, v)
	}
	return false
}

// failCast puts a trap in the place of a cast that fails, and removes what follows it.
func (r *Combiner) failCast(i *ir.Inst) bool {
	t := r.Context.Module.Types.BuiltinInt(1)
	fail := r.emit(i, &ir.Inst{Op: op.CondFail, Aux: &ir.StringAux{Value: "failed cast"}}, r.number(i, t, -1))
	for _, v := range i.Results {
		rewrite.ReplaceWithUndef(v)
	}
	r.erase(i)
	return r.endAfter(fail)
}

// takeAndInit returns the qualifiers with which a reference goes from memory to memory.
func (r *Combiner) takeAndInit() (load, store op.Quals) {
	if r.OSSA {
		return op.QualsOf(op.QualTake), op.QualsOf(op.QualInit)
	}
	return op.Quals{}, op.Quals{}
}

// unconditionalCastAddr makes a cast in memory to a superclass one of the value, a cast to an existential its initialization, and one
// that fails a trap.
func (r *Combiner) unconditionalCastAddr(i *ir.Inst) bool {
	from, to := i.Arg(0).Type.Object(), i.Arg(1).Type.Object()
	if v := r.boxedSource(i); v != nil {
		r.emit(i, &ir.Inst{Op: op.DestroyAddr}, i.Arg(0))
		r.Store(r.Before(i), v, i.Arg(1), op.QualInit)
		r.erase(i)
		return true
	}
	if bridgeCast(r.Context, r.Func, i) {
		return true
	}
	mod := r.Context.Module
	known := fold.Foresee(mod, from, to)
	existential := fold.ConformsTo(mod, r.Func.Type.Func.Generic, from, to)
	if known == fold.CastFails {
		return r.failCast(i)
	}
	if (known == fold.CastSucceeds || existential) && r.destroysUnread(i) {
		return true
	}
	load, store := r.takeAndInit()
	switch {
	case existential && to.IsAnyError():
		box := r.emit(i, &ir.Inst{Op: op.AllocExistentialBox, Types: []*ir.Type{to, from}}).Results[0]
		in := r.emit(i, &ir.Inst{Op: op.ProjectExistentialBox, Types: []*ir.Type{from}}, box).Results[0]
		r.emit(i, &ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualTake, op.QualInit)}, i.Arg(0), in)
		r.emit(i, &ir.Inst{Op: op.Store, Quals: store}, box, i.Arg(1))
	case existential && r.Types.IsReference(to):
		if !r.Types.IsReference(from) {
			return false
		}
		v := r.emit(i, &ir.Inst{Op: op.Load, Quals: load}, i.Arg(0)).Results[0]
		e := r.emit(i, &ir.Inst{Op: op.InitExistentialRef, Types: []*ir.Type{from, to}}, v).Results[0]
		r.emit(i, &ir.Inst{Op: op.Store, Quals: store}, e, i.Arg(1))
	case existential:
		e := r.emit(i, &ir.Inst{Op: op.InitExistentialAddr, Types: []*ir.Type{from}}, i.Arg(1)).Results[0]
		r.emit(i, &ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualTake, op.QualInit)}, i.Arg(0), e)
	case !r.CastValueInMemory(r.Before(i), i.Arg(0), i.Arg(1)):
		return false
	}
	r.erase(i)
	return true
}

// destroysUnread makes a cast into a slot that nobody reads the destruction of what was cast.
func (r *Combiner) destroysUnread(i *ir.Inst) bool {
	slot := facts.DefinedBy(i.Arg(1), op.AllocStack)
	if slot == nil {
		return false
	}
	var destroy *ir.Inst
	for u := range slot.Results[0].Uses() {
		switch user := u.User(); {
		case user.Op == op.DeallocStack || user == i:
		case user.Op == op.DestroyAddr && destroy == nil:
			destroy = user
		default:
			return false
		}
	}
	r.emit(i, &ir.Inst{Op: op.DestroyAddr}, i.Arg(0))
	if destroy != nil {
		r.erase(destroy)
	}
	r.erase(i)
	return true
}

// boxedSource returns the value in the box of an error that a cast takes from a slot, copied where it was made; nil when it is not known, or
// of another type than the cast asks for.
func (r *Combiner) boxedSource(i *ir.Inst) *ir.Value {
	slot := i.Arg(0)
	if facts.DefinedBy(slot, op.AllocStack) == nil {
		return nil
	}
	var store *ir.Inst
	for u := range slot.Uses() {
		switch user := u.User(); user.Op {
		case op.DestroyAddr:
			if next := user.Next(); next != nil && next.Op == op.DeallocStack && next.Arg(0) != slot {
				return nil
			}
		case op.DeallocStack, op.Load, op.DebugValue:
		case op.Store:
			if store != nil {
				return nil
			}
			store = user
		default:
			if user != i {
				return nil
			}
		}
	}
	if store == nil {
		return nil
	}
	v := store.Arg(0)
	for c := facts.DefinedBy(v, op.CopyValue); c != nil; c = facts.DefinedBy(v, op.CopyValue) {
		v = c.Arg(0)
	}
	box := facts.DefinedBy(v, op.AllocExistentialBox)
	if box == nil {
		return nil
	}
	if v = r.boxed(box, store); v == nil {
		return nil
	}
	for c := facts.DefinedBy(v, op.CopyValue); c != nil; c = facts.DefinedBy(v, op.CopyValue) {
		v = c.Arg(0)
	}
	at := v.Block().First()
	if v.Inst() != nil {
		at = v.Inst().Next()
	}
	if v.Type != i.Arg(1).Type.Object() || at == nil || !r.Dominates(at, i) && at != i {
		return nil
	}
	if !r.isStraight(at.Block(), i.Block()) { // a copy would be made on paths that don't come to the cast
		if r.OSSA {
			return nil
		}
		at = i // the box still holds the value
	}
	return r.CopyValue(r.Before(at), v)
}

// isStraight reports whether block to is the only successor of block b, and b its only predecessor.
func (r *Combiner) isStraight(b, to *ir.Block) bool {
	for ; b != to; b = b.Last().Succs[0].To {
		if succs := b.Last().Succs; len(succs) != 1 || len(r.preds.Of(succs[0].To)) != 1 {
			return false
		}
	}
	return true
}

// checkedCastAddrBr takes the value out of the box of an error that was just made. A branch on a constant takes the place of the cast, so
// that the edges stay.
func (r *Combiner) checkedCastAddrBr(i *ir.Inst) bool {
	v := r.boxedSource(i)
	if v == nil {
		return false
	}
	if i.Word() != ir.WordCopyOnSuccess {
		r.emit(i, &ir.Inst{Op: op.DestroyAddr}, i.Arg(0))
	}
	r.Store(r.Before(i), v, i.Arg(1), op.QualInit)
	yes := r.number(i, r.Context.Module.Types.BuiltinInt(1), -1)
	return r.terminator(i, &ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: i.Succs[0].To, First: 1}, {To: i.Succs[1].To, First: 1}}}, yes)
}
