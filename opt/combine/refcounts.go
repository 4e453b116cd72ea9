package combine

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

func bigInt(n int64) *big.Int { return big.NewInt(n) }

// combineRules has the rule for each op that has one. A rule reports whether it changed anything.
var combineRules [op.Count]func(r *Combiner, i *ir.Inst) bool

// plain makes a rule for functions that are not in ownership form.
func plain(rule func(r *Combiner, i *ir.Inst) bool) func(r *Combiner, i *ir.Inst) bool {
	return func(r *Combiner, i *ir.Inst) bool { return !r.OSSA && rule(r, i) }
}

func init() {
	combineRules = [op.Count]func(r *Combiner, i *ir.Inst) bool{
		op.RetainValue:                  plain((*Combiner).retainValue),
		op.ReleaseValue:                 plain((*Combiner).retainValue),
		op.StrongRetain:                 plain((*Combiner).strongRetain),
		op.StrongRelease:                plain((*Combiner).strongRelease),
		op.CondFail:                     (*Combiner).condFail,
		op.MarkDependence:               (*Combiner).markDependence,
		op.FixLifetime:                  (*Combiner).fixLifetime,
		op.GlobalValue:                  (*Combiner).onlyCounted,
		op.Load:                         (*Combiner).load1,
		op.LoadBorrow:                   (*Combiner).loadBorrow,
		op.RefToRawPointer:              (*Combiner).refToRawPointer,
		op.Upcast:                       (*Combiner).upcast,
		op.PointerToAddress:             (*Combiner).pointerToAddress,
		op.UncheckedAddrCast:            (*Combiner).uncheckedAddrCast,
		op.UncheckedRefCast:             (*Combiner).uncheckedRefCast,
		op.BridgeObjectToRef:            plain((*Combiner).bridgeObjectToRef),
		op.UncheckedRefCastAddr:         (*Combiner).uncheckedRefCastAddr,
		op.RawPointerToRef:              plain((*Combiner).rawPointerToRef),
		op.UncheckedTrivialBitCast:      (*Combiner).uncheckedTrivialBitCast,
		op.UncheckedBitwiseCast:         (*Combiner).uncheckedBitwiseCast,
		op.ConvertFunction:              (*Combiner).convertFunction,
		op.UnconditionalCheckedCast:     (*Combiner).unconditionalCast,
		op.UnconditionalCheckedCastAddr: (*Combiner).unconditionalCastAddr,
		op.ClassifyBridgeObject:         plain((*Combiner).classifyBridgeObject),
		op.SwitchEnumAddr:               (*Combiner).switchEnumAddr,
		op.SelectEnumAddr:               (*Combiner).selectEnumAddr,
		op.SelectEnum:                   (*Combiner).selectEnum,
		op.SwitchValue:                  (*Combiner).switchValue,
		op.CondBr:                       (*Combiner).condBr,
		op.InjectEnumAddr:               plain((*Combiner).injectEnumAddr),
		op.UncheckedTakeEnumDataAddr:    (*Combiner).takeEnumDataAddr,
		op.TupleExtract:                 plain((*Combiner).tupleExtract),
		op.IndexAddr:                    (*Combiner).indexAddr,
		op.AllocStack:                   plain((*Combiner).allocStack),
		op.AllocRefDynamic:              (*Combiner).allocRefDynamic,
		op.Builtin:                      (*Combiner).builtin,
		op.Apply:                        (*Combiner).apply,
		op.PartialApply:                 (*Combiner).partialApply,
		op.TryApply:                     (*Combiner).tryApply,
		op.CheckedCastAddrBr:            (*Combiner).checkedCastAddrBr,
		op.ThickToObjcMetatype:          (*Combiner).metatypeConversion,
		op.ObjcToThickMetatype:          (*Combiner).metatypeConversion,
		op.DestructureStruct:            (*Combiner).destructure,
		op.DestructureTuple:             (*Combiner).destructure,
		op.DestroyValue:                 (*Combiner).ownless,
		op.CopyValue:                    (*Combiner).ownless,
		op.EndCowMutation:               (*Combiner).endCowMutation,
		op.BeginCowMutation:             (*Combiner).simplifyCowMutation,
		op.ConvertEscapeToNoescape:      (*Combiner).escapeToNoescape,
		op.AllocExistentialBox:          (*Combiner).existentialBox,
	}
}

// countsNothing reports whether a reference is to nothing that counts: a function without context, or an object that the compiler laid out in
// a global and that is immortal, such as the storage of the empty array:
//
//	%0 = global_addr @_swiftEmptyArrayStorage
//	%1 = address_to_pointer %0
//	%2 = raw_pointer_to_ref %1
func countsNothing(v *ir.Value) bool {
	for {
		i := v.Inst()
		if i == nil {
			return false
		}
		switch i.Op {
		case op.ConvertFunction, op.Upcast, op.UncheckedRefCast:
			v = i.Arg(0)
		case op.ThinToThickFunction, op.ObjcExistentialMetatypeToObject, op.ObjcMetatypeToObject, op.ValueToBridgeObject, op.GlobalValue:
			return true
		case op.RawPointerToRef:
			a := facts.DefinedBy(i.Arg(0), op.AddressToPointer)
			return a != nil && facts.DefinedBy(a.Arg(0), op.GlobalAddr) != nil
		default:
			return false
		}
	}
}

// retainValue narrows retain_value and release_value to the reference that they are about.
func (r *Combiner) retainValue(i *ir.Inst) bool {
	v := i.Arg(0)
	if r.Types.HasDeinit(v.Type) {
		return false
	}
	if e := facts.DefinedBy(v, op.Enum); e != nil {
		if len(e.Operands) == 0 || r.Types.IsTrivial(e.Arg(0).Type) {
			r.erase(i)
			return true
		}
		return r.instead(i, &ir.Inst{Op: i.Op, Quals: i.Quals}, e.Arg(0))
	}
	strong, unowned := op.StrongRetain, op.UnownedRetain
	if i.Op == op.ReleaseValue {
		strong, unowned = op.StrongRelease, op.UnownedRelease
	}
	switch {
	case facts.IsUnownedStorage(v.Type):
		return r.instead(i, &ir.Inst{Op: unowned, Quals: i.Quals}, v)
	case r.Types.IsReference(v.Type):
		return r.instead(i, &ir.Inst{Op: strong, Quals: i.Quals}, v)
	case r.Types.IsTrivial(v.Type):
		r.erase(i)
		return true
	}
	if p := i.Prev(); i.Op == op.RetainValue && p != nil && p.Op == op.ReleaseValue && p.Arg(0) == v {
		r.erase(p)
		r.erase(i)
		return true
	}
	return false
}

func (r *Combiner) strongRetain(i *ir.Inst) bool {
	v := i.Arg(0)
	if countsNothing(v) {
		r.erase(i)
		return true
	}
	if p := i.Prev(); p != nil && p.Op == op.StrongRelease && p.Arg(0) == v {
		r.Context.Passed(r.Func, i, "the release before the retain goes with it")
		r.erase(p)
		r.erase(i)
		return true
	}
	return false
}

func (r *Combiner) strongRelease(i *ir.Inst) bool {
	v := i.Arg(0)
	if countsNothing(v) {
		r.erase(i)
		return true
	}
	if e := facts.DefinedBy(v, op.InitExistentialRef); e != nil && v.FirstUse().NextUse() == nil {
		r.setOperand(i, 0, e.Arg(0))
		r.erase(e)
		return true
	}
	return false
}

// condFail removes checks that never fail, and what follows one that always does.
func (r *Combiner) condFail(i *ir.Inst) bool {
	lit := facts.Literal(i.Arg(0))
	if lit == nil && !r.Context.IsSet("remove-runtime-asserts") {
		return false
	}
	if lit == nil || lit.Sign() == 0 || r.Context.IsSet("remove-runtime-asserts") {
		r.erase(i)
		return true
	}
	return r.endAfter(i)
}

// endAfter removes what follows an instruction that always traps.
func (r *Combiner) endAfter(i *ir.Inst) bool {
	if i.Next().Op == op.Unreachable {
		return false
	}
	b := i.Block()
	r.preds.Disconnect(b.Last())
	for x := b.Last(); x != i; x = b.Last() {
		for _, v := range x.Results {
			rewrite.ReplaceWithUndef(v)
		}
		r.work.Remove(x)
		for n := range x.Operands {
			r.Push(x.Arg(n).Inst())
		}
		x.Remove()
	}
	ir.AtEnd(r.Context.Module, b).Emit(&ir.Inst{Op: op.Unreachable, Loc: i.Loc, Scope: i.Scope})
	r.changed = true
	return true
}

// markDependence depends on what the base was made from.
func (r *Combiner) markDependence(i *ir.Inst) bool {
	base := i.Arg(1)
	if !base.Type.IsAddress() && r.Types.IsTrivial(base.Type) {
		return r.replace(i, i.Arg(0))
	}
	d := base.Inst()
	if d == nil || r.OSSA {
		return false
	}
	switch {
	case d.Op == op.Enum && len(d.Operands) > 0 && base.FirstUse().NextUse() == nil,
		d.Op == op.InitExistentialRef, d.Op == op.OpenExistentialRef:
		r.setOperand(i, 1, d.Arg(0))
		if !base.HasUses() {
			r.erase(d)
		}
		return true
	}
	return false
}

// fixLifetime takes the loaded value instead of the slot.
func (r *Combiner) fixLifetime(i *ir.Inst) bool {
	slot := facts.DefinedBy(i.Arg(0), op.AllocStack)
	if slot == nil || r.Types.IsAddressOnly(slot.Results[0].Type) {
		return false
	}
	if r.OSSA && !r.Types.IsTrivial(slot.Results[0].Type.Object()) {
		v := r.emit(i, &ir.Inst{Op: op.LoadBorrow}, i.Arg(0)).Results[0]
		r.emit(i, &ir.Inst{Op: op.FixLifetime}, v)
		r.emit(i, &ir.Inst{Op: op.EndBorrow}, v)
		r.erase(i)
		return true
	}
	load := &ir.Inst{Op: op.Load}
	if r.OSSA {
		load.Quals = op.QualsOf(op.QualTrivial)
	}
	return r.instead(i, &ir.Inst{Op: op.FixLifetime}, r.emit(i, load, i.Arg(0)).Results[0])
}

func (r *Combiner) load1(i *ir.Inst) bool {
	c, to := facts.DefinedBy(i.Arg(0), op.UncheckedAddrCast), i.Results[0].Type
	if c != nil && c.Arg(0).Type.Object() != to && r.Context.Module.Inherits(c.Arg(0).Type.Object(), to) {
		v := r.emit(i, &ir.Inst{Op: op.Load, Quals: i.Quals}, c.Arg(0)).Results[0]
		return r.cast(i, op.Upcast, v)
	}
	if r.loadCharacter(i) || r.loadConstant(i) {
		return true
	}
	if i.Has(op.QualCopy) && r.onlyDestroyed(i.Results[0]) {
		r.eraseWithUsers(i)
		return true
	}
	return false
}

// ownless removes copies and destroys of values without ownership, such as an enum case without payload.
func (r *Combiner) ownless(i *ir.Inst) bool {
	if r.own == nil || r.own.KindOf(i.Arg(0)) != ownership.KindNone {
		return false
	}
	if i.Op == op.CopyValue {
		return r.replace(i, i.Arg(0))
	}
	r.erase(i)
	return true
}

func (r *Combiner) onlyDestroyed(v *ir.Value) bool {
	for u := range v.Uses() {
		if u.User().Op != op.DestroyValue && !facts.IsDebug(u.User()) {
			return false
		}
	}
	return true
}

// loadBorrow removes a borrow that nothing uses.
func (r *Combiner) loadBorrow(i *ir.Inst) bool {
	for u := range i.Results[0].Uses() {
		if u.User().Op != op.EndBorrow && !facts.IsDebug(u.User()) {
			return false
		}
	}
	r.eraseWithUsers(i)
	return true
}
