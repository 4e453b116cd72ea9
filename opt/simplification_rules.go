package opt

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// simplificationRules has the rule for each instruction that has one. Many are sil-combine's.
var simplificationRules map[op.Op]simplificationRule

func init() {
	simplificationRules = map[op.Op]simplificationRule{
		op.Apply:                   {apply: (*combiner).callWhatIsMade},
		op.TryApply:                {apply: (*combiner).callWhatIsMade},
		op.BeginBorrow:             {apply: (*combiner).borrowOwned},
		op.BeginCowMutation:        {apply: (*combiner).simplifyCowMutation, optimized: true},
		op.Br:                      {apply: (*combiner).mergeWithTarget},
		op.Builtin:                 {apply: (*combiner).simplifyBuiltin},
		op.CondBr:                  {apply: (*combiner).branchOnLiteral},
		op.CondFail:                {apply: (*combiner).neverFails},
		op.ConvertEscapeToNoescape: {apply: (*combiner).escapeToNoescapeThin},
		op.CopyValue:               {apply: (*combiner).ownless},
		op.DebugStep:               {apply: func(r *combiner, i *ir.Inst) bool { r.erase(i); return true }, optimized: true},
		op.DestroyValue:            {apply: (*combiner).ownless},
		op.DestructureStruct:       {apply: (*combiner).destructure},
		op.DestructureTuple:        {apply: (*combiner).destructure},
		op.GlobalValue:             {apply: (*combiner).onlyCounted, optimized: true},
		op.InitEnumDataAddr:        {apply: (*combiner).storeEnum},
		op.Keypath:                 {apply: (*combiner).unusedKeypath},
		op.Load:                    {apply: (*combiner).simplifyLoad},
		op.PartialApply:            {apply: (*combiner).foldOrDrop},
		op.PointerToAddress:        {apply: (*combiner).pointerOfAddress},
		op.ReleaseValue:            {apply: plain((*combiner).retainValue), optimized: true},
		op.RetainValue:             {apply: plain((*combiner).retainValue), optimized: true},
		op.StrongRelease:           {apply: plain((*combiner).strongRelease), optimized: true},
		op.StrongRetain:            {apply: plain((*combiner).strongRetain), optimized: true},
		op.StructExtract:           {apply: (*combiner).extractFromMade},
		op.SwitchEnum:              {apply: (*combiner).switchMade},
		op.TupleExtract:            {apply: (*combiner).extractFromMade},
		op.UncheckedEnumData:       {apply: (*combiner).dataOfMade},
		op.UncheckedRefCast:        {apply: (*combiner).castSource},
	}
}

// isOwned says whether a value has an owner that must give it up; nothing has outside of ownership form.
func (r *combiner) isOwned(v *ir.Value) bool {
	return r.own != nil && r.own.KindOf(v) == facts.KindOwned
}

// callWhatIsMade calls a thin function instead of the thick one made of it, and the function of a closure.
func (r *combiner) callWhatIsMade(i *ir.Inst) bool {
	callee := i.Arg(0)
	if c := definedBy(callee, op.ConvertEscapeToNoescape); c != nil {
		callee = c.Arg(0)
	}
	if t := definedBy(callee, op.ThinToThickFunction); t != nil && i.Op == op.Apply {
		return r.callThin(i, t.Arg(0))
	}
	if p := definedBy(i.Arg(0), op.PartialApply); p != nil {
		return r.foldOrDrop(p)
	}
	return false
}

// foldOrDrop calls the function of a closure where that is called, and removes the closure if nothing else needs it.
func (r *combiner) foldOrDrop(closure *ir.Inst) bool {
	if r.ossa {
		return r.foldClosure(closure)
	}
	changed := r.callDirectly(closure)
	if closure.Block() == nil || r.keepDebug && hasDebugUses(closure.Results[0]) {
		return changed
	}
	return r.deadClosure(closure) || changed
}

func hasDebugUses(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		if isDebug(u.User()) {
			return true
		}
	}
	return false
}

// mergeWithTarget joins a block with the one it branches to when nothing else leads there. The block with fewer instructions is moved.
func (r *combiner) mergeWithTarget(br *ir.Inst) bool {
	b, to := br.Block(), br.Succs[0].To
	if to == b || r.preds.single(to) == nil || to == r.f.Blocks[0] {
		return false
	}
	vs := edgeValues(br, 0)
	for n, a := range to.Args {
		if vs[n] == a {
			return false
		}
	}
	for n, a := range to.Args {
		r.pushUsers(a)
		a.ReplaceAllUses(vs[n])
	}
	to.Args = nil
	if r.keepDebug {
		r.before(br).Emit(&ir.Inst{Op: op.DebugStep})
	}
	r.preds.disconnect(br)
	r.unlist(br)
	br.Remove()
	gone := to
	if b != r.f.Blocks[0] && hasFewer(b, to) {
		gone = b
		for _, e := range append([]inEdge(nil), r.preds.edges(b)...) {
			r.preds.disconnect(e.term)
			e.term.Succs[e.n].To = to
			r.preds.connect(e.term)
		}
		first := to.First()
		for i := b.First(); i != nil; i = b.First() {
			i.MoveBefore(first)
		}
		to.TakeArgs(b)
	} else {
		for i := to.First(); i != nil; i = to.First() {
			i.MoveToEnd(b)
		}
	}
	delete(r.preds.in, gone)
	r.f.RemoveBlock(gone)
	r.c.Changed(r.f)
	return true
}

// branchOnLiteral branches to where a condition that is known leads.
func (r *combiner) branchOnLiteral(i *ir.Inst) bool {
	n := knownWay(i)
	if n < 0 {
		return false
	}
	vs := edgeValues(i, n)
	return r.terminator(i, &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: i.Succs[n].To, N: len(vs)}}}, vs...)
}

// neverFails removes a check that never fails.
func (r *combiner) neverFails(i *ir.Inst) bool {
	if !isLiteral(i.Arg(0), 0) {
		return false
	}
	r.erase(i)
	return true
}

func (r *combiner) escapeToNoescapeThin(i *ir.Inst) bool {
	t := definedBy(i.Arg(0), op.ThinToThickFunction)
	return t != nil && r.cast(i, op.ThinToThickFunction, t.Arg(0))
}

// onlyCounted removes the uses of an object in static memory when all of them count references or hold it.
func (r *combiner) onlyCounted(i *ir.Inst) bool {
	for u := i.Results[0].FirstUse(); u != nil; u = u.NextUse() {
		switch u.User().Op {
		case op.StrongRetain, op.StrongRelease, op.RetainValue, op.ReleaseValue, op.FixLifetime:
		default:
			if !isDebug(u.User()) || r.keepDebug {
				return false
			}
		}
	}
	r.eraseWithUsers(i)
	return true
}

// unusedKeypath removes a key path that is only cast, copied and destroyed.
func (r *combiner) unusedKeypath(i *ir.Inst) bool {
	if !r.isUnusedKeypath(i.Results[0]) {
		return false
	}
	var captured []*ir.Value
	for n := range i.Operands {
		if r.isOwned(i.Arg(n)) || !r.ossa && !r.ts.IsTrivial(i.Arg(n).Type) {
			captured = append(captured, i.Arg(n))
		}
	}
	for _, v := range captured {
		if v.Type.IsAddress() {
			return false
		}
	}
	for _, v := range captured {
		r.destroyValue(r.before(i), v)
	}
	r.eraseWithUsers(i)
	return true
}

func (r *combiner) isUnusedKeypath(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		switch i := u.User(); i.Op {
		case op.Upcast, op.UncheckedRefCast, op.CopyValue, op.BeginBorrow, op.MoveValue:
			if !r.isUnusedKeypath(i.Results[0]) {
				return false
			}
		case op.DestroyValue, op.EndBorrow, op.StrongRetain, op.StrongRelease:
		default:
			if !isDebug(i) || r.keepDebug {
				return false
			}
		}
	}
	return true
}

// simplifyLoad loads from the address before a cast to a superclass, takes constants from initializers and literals, and drops a copy
// that is only destroyed.
func (r *combiner) simplifyLoad(i *ir.Inst) bool {
	if c := definedBy(i.Arg(0), op.UncheckedAddrCast); c != nil {
		from, to := c.Arg(0).Type.Object(), c.Results[0].Type.Object()
		if from != to && r.c.Module.IsClassType(from) && r.c.Module.IsClassType(to) && r.isSuperclass(to, from) {
			v := r.emit(i, &ir.Inst{Op: op.Load, Quals: i.Quals}, c.Arg(0)).Results[0]
			return r.cast(i, op.Upcast, v)
		}
	}
	if r.loadCharacter(i) || r.loadConstant(i) {
		return true
	}
	if i.Has("copy") && r.onlyDestroyed(i.Results[0]) && !(r.keepDebug && hasDebugUses(i.Results[0])) {
		r.eraseWithUsers(i)
		return true
	}
	return false
}

// pointerOfAddress takes the address that a pointer was made of.
func (r *combiner) pointerOfAddress(i *ir.Inst) bool {
	a := definedBy(i.Arg(0), op.AddressToPointer)
	if a == nil || !i.Has("strict") || a.Arg(0).Type != i.Results[0].Type || r.ossa && !r.rauw.canReplace(i.Results[0], a.Arg(0)) {
		return false
	}
	return r.replacePair(a, i, a.Arg(0))
}

// extractFromMade takes the field that a struct or tuple was made of.
func (r *combiner) extractFromMade(i *ir.Inst) bool {
	o := op.Struct
	if i.Op == op.TupleExtract {
		o = op.Tuple
	}
	made := definedBy(i.Arg(0), o)
	if made == nil {
		return false
	}
	n := facts.FieldNumber(r.c.Module, i)
	return n >= 0 && n < len(made.Operands) && r.replacePair(made, i, made.Arg(n))
}

// dataOfMade takes the payload that an enum was made of.
func (r *combiner) dataOfMade(i *ir.Inst) bool {
	made := definedBy(i.Arg(0), op.Enum)
	return made != nil && caseOf(made) == caseOf(i) && len(made.Operands) > 0 && r.replacePair(made, i, made.Arg(0))
}

// switchMade branches to the case of an enum that is made in front of the switch.
func (r *combiner) switchMade(i *ir.Inst) bool {
	made := definedBy(i.Arg(0), op.Enum)
	if made == nil {
		return false
	}
	n := -1
	for k, m := range i.Aux.(*ir.CaseAux).Cases {
		if m != nil && m.Name == caseOf(made) {
			n = k
		}
	}
	if n < 0 {
		return false
	}
	sole := r.soleUser(made.Results[0]) == i
	if !sole && r.isOwned(made.Results[0]) {
		return false
	}
	to := i.Succs[n].To
	var vs []*ir.Value
	if len(to.Args) > 0 {
		vs = values(made)
	}
	r.terminator(i, &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to, N: len(vs)}}}, vs...)
	if sole {
		r.eraseWithUsers(made)
	}
	return true
}

// castSource casts what was cast before, once.
func (r *combiner) castSource(i *ir.Inst) bool {
	source := i.Arg(0).Inst()
	if source == nil {
		return false
	}
	switch source.Op {
	case op.Upcast, op.InitExistentialRef, op.OpenExistentialRef:
	default:
		return false
	}
	sole := r.soleUser(source.Results[0]) == i
	if !sole && r.ossa {
		return false
	}
	r.setOperand(i, 0, source.Arg(0))
	if sole {
		r.eraseWithUsers(source)
	}
	return true
}

// storeEnum stores a case as a value instead of its payload and its tag:
//
//	%2 = init_enum_data_addr %0 : $*E, #E.a        %2 = enum $E, #E.a, %1 : $T
//	store %1 to %2 : $*T                       →   store %2 to %0 : $*E
//	inject_enum_addr %0 : $*E, #E.a
func (r *combiner) storeEnum(i *ir.Inst) bool {
	store := r.soleUser(i.Results[0])
	if store == nil || store.Op != op.Store || store.Arg(1) != i.Results[0] || store.Block() != i.Block() || store.Has("assign") {
		return false
	}
	inject := store.Next()
	for inject != nil && (inject.Op != op.InjectEnumAddr || inject.Arg(0) != i.Arg(0)) {
		if behaviorOf(inject) != op.MemNone || inject.Row().IsTerminator() {
			return false
		}
		inject = inject.Next()
	}
	t := i.Arg(0).Type.Object()
	if inject == nil || caseOf(inject) != caseOf(i) || r.ts.IsAddressOnly(t) {
		return false
	}
	v := r.emit(inject, &ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: inject.Aux}, store.Arg(0)).Results[0]
	quals := store.Quals
	r.emit(inject, &ir.Inst{Op: op.Store, Quals: quals}, v, i.Arg(0))
	r.erase(inject)
	r.erase(store)
	r.eraseWithUsers(i)
	return true
}
