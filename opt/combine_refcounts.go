package opt

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

func bigInt(n int64) *big.Int { return big.NewInt(n) }

// combineRules has the rule for each op that has one. A rule says whether it changed anything.
var combineRules map[op.Op]func(r *combiner, i *ir.Inst) bool

// plain makes a rule for functions that are not in ownership form.
func plain(rule func(r *combiner, i *ir.Inst) bool) func(r *combiner, i *ir.Inst) bool {
	return func(r *combiner, i *ir.Inst) bool { return !r.ossa && rule(r, i) }
}

func init() {
	combineRules = map[op.Op]func(r *combiner, i *ir.Inst) bool{
		op.RetainValue:                  plain((*combiner).retainValue),
		op.ReleaseValue:                 plain((*combiner).retainValue),
		op.StrongRetain:                 plain((*combiner).strongRetain),
		op.StrongRelease:                plain((*combiner).strongRelease),
		op.CondFail:                     (*combiner).condFail,
		op.MarkDependence:               (*combiner).markDependence,
		op.FixLifetime:                  (*combiner).fixLifetime,
		op.GlobalValue:                  (*combiner).onlyCounted,
		op.Load:                         (*combiner).load1,
		op.LoadBorrow:                   (*combiner).loadBorrow,
		op.RefToRawPointer:              (*combiner).refToRawPointer,
		op.Upcast:                       (*combiner).upcast,
		op.PointerToAddress:             (*combiner).pointerToAddress,
		op.UncheckedAddrCast:            (*combiner).uncheckedAddrCast,
		op.UncheckedRefCast:             (*combiner).uncheckedRefCast,
		op.BridgeObjectToRef:            plain((*combiner).bridgeObjectToRef),
		op.UncheckedRefCastAddr:         (*combiner).uncheckedRefCastAddr,
		op.RawPointerToRef:              plain((*combiner).rawPointerToRef),
		op.UncheckedTrivialBitCast:      (*combiner).uncheckedTrivialBitCast,
		op.UncheckedBitwiseCast:         (*combiner).uncheckedBitwiseCast,
		op.ConvertFunction:              (*combiner).convertFunction,
		op.UnconditionalCheckedCast:     (*combiner).unconditionalCast,
		op.UnconditionalCheckedCastAddr: (*combiner).unconditionalCastAddr,
		op.ClassifyBridgeObject:         plain((*combiner).classifyBridgeObject),
		op.SwitchEnumAddr:               (*combiner).switchEnumAddr,
		op.SelectEnumAddr:               (*combiner).selectEnumAddr,
		op.SelectEnum:                   (*combiner).selectEnum,
		op.SwitchValue:                  (*combiner).switchValue,
		op.CondBr:                       (*combiner).condBr,
		op.InjectEnumAddr:               plain((*combiner).injectEnumAddr),
		op.UncheckedTakeEnumDataAddr:    (*combiner).takeEnumDataAddr,
		op.TupleExtract:                 plain((*combiner).tupleExtract),
		op.IndexAddr:                    (*combiner).indexAddr,
		op.AllocStack:                   plain((*combiner).allocStack),
		op.AllocRefDynamic:              (*combiner).allocRefDynamic,
		op.Builtin:                      (*combiner).builtin,
		op.Apply:                        (*combiner).apply,
		op.PartialApply:                 (*combiner).partialApply,
		op.TryApply:                     (*combiner).tryApply,
		op.CheckedCastAddrBr:            (*combiner).checkedCastAddrBr,
		op.ThickToObjcMetatype:          (*combiner).metatypeConversion,
		op.ObjcToThickMetatype:          (*combiner).metatypeConversion,
		op.DestructureStruct:            (*combiner).destructure,
		op.DestructureTuple:             (*combiner).destructure,
		op.DestroyValue:                 (*combiner).ownless,
		op.CopyValue:                    (*combiner).ownless,
		op.EndCowMutation:               (*combiner).endCowMutation,
		op.BeginCowMutation:             (*combiner).simplifyCowMutation,
		op.ConvertEscapeToNoescape:      (*combiner).escapeToNoescape,
		op.AllocExistentialBox:          (*combiner).existentialBox,
	}
}

// retainValue narrows retain_value and release_value to the reference that they are about.
func (r *combiner) retainValue(i *ir.Inst) bool {
	v := i.Arg(0)
	if r.ts.HasDeinit(v.Type) {
		return false
	}
	if e := definedBy(v, op.Enum); e != nil {
		if len(e.Operands) == 0 || r.ts.IsTrivial(e.Arg(0).Type) {
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
	case isUnownedStorage(v.Type):
		return r.instead(i, &ir.Inst{Op: unowned, Quals: i.Quals}, v)
	case r.ts.IsReference(v.Type):
		return r.instead(i, &ir.Inst{Op: strong, Quals: i.Quals}, v)
	case r.ts.IsTrivial(v.Type):
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

// countsNothing are the instructions whose results carry no count.
func countsNothing(v *ir.Value) bool {
	if v.Inst() == nil {
		return false
	}
	switch v.Inst().Op {
	case op.ThinToThickFunction, op.ObjcExistentialMetatypeToObject, op.ObjcMetatypeToObject, op.ValueToBridgeObject, op.GlobalValue:
		return true
	}
	return false
}

func (r *combiner) strongRetain(i *ir.Inst) bool {
	v := i.Arg(0)
	through := v
	if cf := definedBy(v, op.ConvertFunction); cf != nil {
		through = cf.Arg(0)
	}
	if countsNothing(v) || definedBy(through, op.ThinToThickFunction) != nil {
		r.erase(i)
		return true
	}
	if p := i.Prev(); p != nil && p.Op == op.StrongRelease && p.Arg(0) == v {
		r.c.Passed(r.f, i, "the release in front of the retain goes with it")
		r.erase(p)
		r.erase(i)
		return true
	}
	return false
}

func (r *combiner) strongRelease(i *ir.Inst) bool {
	v := i.Arg(0)
	if countsNothing(v) {
		r.erase(i)
		return true
	}
	if e := definedBy(v, op.InitExistentialRef); e != nil && v.FirstUse().NextUse() == nil {
		r.setOperand(i, 0, e.Arg(0))
		r.erase(e)
		return true
	}
	return false
}

// condFail removes checks that never fail, and what comes behind one that always does.
func (r *combiner) condFail(i *ir.Inst) bool {
	lit := literal(i.Arg(0))
	if lit == nil {
		return false
	}
	if lit.Sign() == 0 {
		r.erase(i)
		return true
	}
	if i.Next().Op == op.Unreachable {
		return false
	}
	b := i.Block()
	r.preds.disconnect(b.Last())
	for x := b.Last(); x != i; x = b.Last() {
		for _, v := range x.Results {
			replaceWithUndef(v)
		}
		r.unlist(x)
		for n := range x.Operands {
			r.push(x.Arg(n).Inst())
		}
		x.Remove()
	}
	ir.AtEnd(r.c.Module, b).Emit(&ir.Inst{Op: op.Unreachable, Loc: i.Loc, Scope: i.Scope})
	r.changed = true
	return true
}

// markDependence depends on what the base was made from.
func (r *combiner) markDependence(i *ir.Inst) bool {
	base := i.Arg(1)
	if !base.Type.IsAddress() && r.ts.IsTrivial(base.Type) {
		return r.replace(i, i.Arg(0))
	}
	d := base.Inst()
	if d == nil || r.ossa {
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
func (r *combiner) fixLifetime(i *ir.Inst) bool {
	slot := definedBy(i.Arg(0), op.AllocStack)
	if slot == nil || r.ts.IsAddressOnly(slot.Results[0].Type) {
		return false
	}
	if r.ossa && !r.ts.IsTrivial(slot.Results[0].Type.Object()) {
		v := r.emit(i, &ir.Inst{Op: op.LoadBorrow}, i.Arg(0)).Results[0]
		r.emit(i, &ir.Inst{Op: op.FixLifetime}, v)
		r.emit(i, &ir.Inst{Op: op.EndBorrow}, v)
		r.erase(i)
		return true
	}
	load := &ir.Inst{Op: op.Load}
	if r.ossa {
		load.Quals = []string{"trivial"}
	}
	return r.instead(i, &ir.Inst{Op: op.FixLifetime}, r.emit(i, load, i.Arg(0)).Results[0])
}

func (r *combiner) load1(i *ir.Inst) bool {
	if up := definedBy(i.Arg(0), op.Upcast); up != nil {
		v := r.emit(i, &ir.Inst{Op: op.Load, Quals: i.Quals}, up.Arg(0)).Results[0]
		return r.cast(i, op.Upcast, v)
	}
	if r.loadCharacter(i) || r.loadConstant(i) {
		return true
	}
	if i.Has("copy") && r.onlyDestroyed(i.Results[0]) {
		r.eraseWithUsers(i)
		return true
	}
	return false
}

// ownless removes copies and destroys of values without ownership, such as an enum case without payload.
func (r *combiner) ownless(i *ir.Inst) bool {
	if r.own == nil || r.own.KindOf(i.Arg(0)) != facts.KindNone {
		return false
	}
	if i.Op == op.CopyValue {
		return r.replace(i, i.Arg(0))
	}
	r.erase(i)
	return true
}

func (r *combiner) onlyDestroyed(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		if u.User().Op != op.DestroyValue && !isDebug(u.User()) {
			return false
		}
	}
	return true
}

// loadBorrow removes a borrow that nothing uses.
func (r *combiner) loadBorrow(i *ir.Inst) bool {
	for u := i.Results[0].FirstUse(); u != nil; u = u.NextUse() {
		if u.User().Op != op.EndBorrow && !isDebug(u.User()) {
			return false
		}
	}
	r.eraseWithUsers(i)
	return true
}
