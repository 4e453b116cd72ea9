package combine

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/calls"
	"silvm/opt/flow"
	"silvm/opt/fold"
	"silvm/opt/rewrite"
)

// simplificationRules has the rule for each instruction that has one. Many are sil-combine's.
var simplificationRules map[op.Op]simplificationRule

func init() {
	simplificationRules = map[op.Op]simplificationRule{
		op.Apply:                   {apply: (*Combiner).callWhatIsMade},
		op.TryApply:                {apply: (*Combiner).callWhatIsMade},
		op.BeginBorrow:             {apply: (*Combiner).borrowOwned},
		op.BeginCowMutation:        {apply: (*Combiner).simplifyCowMutation, optimized: true},
		op.Br:                      {apply: (*Combiner).mergeWithTarget},
		op.Builtin:                 {apply: (*Combiner).simplifyBuiltin},
		op.CondBr:                  {apply: (*Combiner).branchOnLiteral},
		op.CondFail:                {apply: (*Combiner).neverFails},
		op.ConvertEscapeToNoescape: {apply: (*Combiner).escapeToNoescapeThin},
		op.CopyValue:               {apply: (*Combiner).ownless},
		op.DebugStep:               {apply: func(r *Combiner, i *ir.Inst) bool { r.erase(i); return true }, optimized: true},
		op.DestroyValue:            {apply: (*Combiner).ownless},
		op.DestructureStruct:       {apply: (*Combiner).destructure},
		op.DestructureTuple:        {apply: (*Combiner).destructure},
		op.GlobalValue:             {apply: (*Combiner).onlyCounted, optimized: true},
		op.InitEnumDataAddr:        {apply: (*Combiner).storeEnum},
		op.Keypath:                 {apply: (*Combiner).unusedKeypath},
		op.Load:                    {apply: (*Combiner).simplifyLoad},
		op.PartialApply:            {apply: (*Combiner).foldOrDrop},
		op.PointerToAddress:        {apply: (*Combiner).pointerOfAddress},
		op.ReleaseValue:            {apply: plain((*Combiner).retainValue), optimized: true},
		op.RetainValue:             {apply: plain((*Combiner).retainValue), optimized: true},
		op.StrongRelease:           {apply: plain((*Combiner).strongRelease), optimized: true},
		op.StrongRetain:            {apply: plain((*Combiner).strongRetain), optimized: true},
		op.StructExtract:           {apply: (*Combiner).extractFromMade},
		op.SwitchEnum:              {apply: (*Combiner).switchMade},
		op.TupleExtract:            {apply: (*Combiner).extractFromMade},
		op.UncheckedEnumData:       {apply: (*Combiner).dataOfMade},
		op.UncheckedRefCast:        {apply: (*Combiner).castSource},
		op.CheckedCastBr:           {apply: (*Combiner).castSource},
	}
}

func hasDebugUses(v *ir.Value) bool {
	for u := range v.Uses() {
		if facts.IsDebug(u.User()) {
			return true
		}
	}
	return false
}

// isOwned reports whether a value has an owner that must give it up; nothing has outside of ownership form.
func (r *Combiner) isOwned(v *ir.Value) bool {
	return r.own != nil && r.own.KindOf(v) == ownership.KindOwned
}

// callWhatIsMade calls a thin function instead of the thick one made of it, and the function of a closure.
func (r *Combiner) callWhatIsMade(i *ir.Inst) bool {
	callee := i.Arg(0)
	if c := facts.DefinedBy(callee, op.ConvertEscapeToNoescape); c != nil {
		callee = c.Arg(0)
	}
	if t := facts.DefinedBy(callee, op.ThinToThickFunction); t != nil && i.Op == op.Apply {
		return r.callThin(i, t.Arg(0))
	}
	if p := facts.DefinedBy(i.Arg(0), op.PartialApply); p != nil {
		return r.foldOrDrop(p)
	}
	return calls.Devirtualize(r.Context, r.Func, r.preds, i)
}

// foldOrDrop calls the function of a closure where that is called, and removes the closure if nothing else needs it.
func (r *Combiner) foldOrDrop(closure *ir.Inst) bool {
	if r.OSSA {
		return r.foldClosure(closure)
	}
	changed := r.callDirectly(closure)
	if closure.Block() == nil || r.keepDebug && hasDebugUses(closure.Results[0]) {
		return changed
	}
	return r.deadClosure(closure) || changed
}

// mergeWithTarget joins a block with the one it branches to when nothing else leads there. The block with fewer instructions is moved.
func (r *Combiner) mergeWithTarget(br *ir.Inst) bool {
	b, to := br.Block(), br.Succs[0].To
	if to == b || r.preds.Single(to) == nil || to == r.Func.Blocks[0] {
		return false
	}
	vs := flow.EdgeValues(br, 0)
	for n, a := range to.Args {
		if vs[n] == a {
			return false
		}
	}
	for n, a := range to.Args {
		r.pushUsers(a)
		rewrite.ReplaceUses(r.own, a, vs[n])
	}
	to.Args = nil
	if r.keepDebug {
		r.Before(br).Emit(&ir.Inst{Op: op.DebugStep})
	}
	r.preds.Disconnect(br)
	r.work.Remove(br)
	br.Remove()
	gone := to
	if b != r.Func.Blocks[0] && flow.HasFewer(b, to) {
		gone = b
		for _, e := range append([]cfg.InEdge(nil), r.preds.Edges(b)...) {
			r.preds.Disconnect(e.Term)
			e.Term.Succs[e.N].To = to
			r.preds.Connect(e.Term)
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
	r.preds.Forget(gone)
	r.Func.RemoveBlock(gone)
	r.Context.Changed(r.Func)
	return true
}

// branchOnLiteral branches to where a condition that is known leads.
func (r *Combiner) branchOnLiteral(i *ir.Inst) bool {
	n := facts.KnownWay(i)
	if n < 0 {
		return false
	}
	vs := flow.EdgeValues(i, n)
	return r.terminator(i, &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: i.Succs[n].To, N: len(vs)}}}, vs...)
}

// neverFails removes a check that never fails.
func (r *Combiner) neverFails(i *ir.Inst) bool {
	if !facts.IsLiteral(i.Arg(0), 0) {
		return false
	}
	r.erase(i)
	return true
}

func (r *Combiner) escapeToNoescapeThin(i *ir.Inst) bool {
	t := facts.DefinedBy(i.Arg(0), op.ThinToThickFunction)
	return t != nil && r.cast(i, op.ThinToThickFunction, t.Arg(0))
}

// onlyCounted removes the uses of an object in static memory when all of them count references or hold it.
func (r *Combiner) onlyCounted(i *ir.Inst) bool {
	for u := range i.Results[0].Uses() {
		switch u.User().Op {
		case op.StrongRetain, op.StrongRelease, op.RetainValue, op.ReleaseValue, op.FixLifetime:
		default:
			if !facts.IsDebug(u.User()) || r.keepDebug {
				return false
			}
		}
	}
	r.eraseWithUsers(i)
	return true
}

// unusedKeypath removes a key path that is only cast, copied and destroyed.
func (r *Combiner) unusedKeypath(i *ir.Inst) bool {
	if !r.isUnusedKeypath(i.Results[0]) {
		return false
	}
	var captured []*ir.Value
	for n := range i.Operands {
		if r.isOwned(i.Arg(n)) || !r.OSSA && !r.Types.IsTrivial(i.Arg(n).Type) {
			captured = append(captured, i.Arg(n))
		}
	}
	for _, v := range captured {
		if v.Type.IsAddress() {
			return false
		}
	}
	for _, v := range captured {
		r.DestroyValue(r.Before(i), v)
	}
	r.eraseWithUsers(i)
	return true
}

func (r *Combiner) isUnusedKeypath(v *ir.Value) bool {
	for u := range v.Uses() {
		switch i := u.User(); i.Op {
		case op.Upcast, op.UncheckedRefCast, op.CopyValue, op.BeginBorrow, op.MoveValue:
			if !r.isUnusedKeypath(i.Results[0]) {
				return false
			}
		case op.DestroyValue, op.EndBorrow, op.StrongRetain, op.StrongRelease:
		default:
			if !facts.IsDebug(i) || r.keepDebug {
				return false
			}
		}
	}
	return true
}

// simplifyLoad loads from the address before a cast to a superclass, takes constants from initializers and literals, and drops a copy
// that is only destroyed.
func (r *Combiner) simplifyLoad(i *ir.Inst) bool {
	if c := facts.DefinedBy(i.Arg(0), op.UncheckedAddrCast); c != nil {
		from, to := c.Arg(0).Type.Object(), c.Results[0].Type.Object()
		if from != to && r.Context.Module.IsClassType(from) && r.Context.Module.IsClassType(to) && r.Context.Module.Inherits(from, to) {
			v := r.emit(i, &ir.Inst{Op: op.Load, Quals: i.Quals}, c.Arg(0)).Results[0]
			return r.cast(i, op.Upcast, v)
		}
	}
	if r.loadCharacter(i) || r.loadConstant(i) {
		return true
	}
	if i.Has(op.QualCopy) && r.onlyDestroyed(i.Results[0]) && !(r.keepDebug && hasDebugUses(i.Results[0])) {
		r.eraseWithUsers(i)
		return true
	}
	return false
}

// pointerOfAddress takes the address that a pointer was made of.
func (r *Combiner) pointerOfAddress(i *ir.Inst) bool {
	a := facts.DefinedBy(i.Arg(0), op.AddressToPointer)
	if a == nil || !i.Has(op.QualStrict) || a.Arg(0).Type != i.Results[0].Type || r.OSSA && !r.rauw.CanReplace(i.Results[0], a.Arg(0)) ||
		fold.OutlivesSlot(i.Results[0], a.Arg(0)) {
		return false
	}
	return r.replacePair(a, i, a.Arg(0))
}

// extractFromMade takes the field that a struct or tuple was made of.
func (r *Combiner) extractFromMade(i *ir.Inst) bool {
	o := op.Struct
	if i.Op == op.TupleExtract {
		o = op.Tuple
	}
	made := facts.DefinedBy(i.Arg(0), o)
	if made == nil {
		return false
	}
	n := facts.FieldNumber(r.Context.Module, i)
	return n >= 0 && n < len(made.Operands) && r.replacePair(made, i, made.Arg(n))
}

// dataOfMade takes the payload that an enum was made of.
func (r *Combiner) dataOfMade(i *ir.Inst) bool {
	made := facts.DefinedBy(i.Arg(0), op.Enum)
	if made == nil || facts.CaseOf(made) != facts.CaseOf(i) || len(made.Operands) == 0 {
		return false
	}
	whole := made.Results[0]
	if r.isOwned(whole) && !r.isOwned(made.Arg(0)) && r.soleUser(whole) != i { // taking out a payload without ownership was its end
		r.emit(i, &ir.Inst{Op: op.DestroyValue}, whole)
	}
	return r.replacePair(made, i, made.Arg(0))
}

// switchMade branches to the case of an enum that is made before the switch.
func (r *Combiner) switchMade(i *ir.Inst) bool {
	made := facts.DefinedBy(i.Arg(0), op.Enum)
	if made == nil {
		return false
	}
	n := -1
	for k, m := range i.Aux.(*ir.CaseAux).Cases {
		if m != nil && m.Name == facts.CaseOf(made) {
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
		vs = rewrite.Values(made)
	}
	r.terminator(i, &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to, N: len(vs)}}}, vs...)
	if sole {
		r.eraseWithUsers(made)
	}
	return true
}

// castSource casts what was cast before, once.
func (r *Combiner) castSource(i *ir.Inst) bool {
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
	if !sole && r.isOwned(source.Arg(0)) || i.Op == op.CheckedCastBr && !r.castAgainAfter(i, source) {
		return false
	}
	r.setOperand(i, 0, source.Arg(0))
	if sole {
		r.eraseWithUsers(source)
	}
	return true
}

// castAgainAfter lets what gets the value of a failed cast, in ownership form, have it as it was: source made that of what will be cast.
func (r *Combiner) castAgainAfter(i, source *ir.Inst) bool {
	no := i.Succs[1].To
	if source.Op == op.OpenExistentialRef {
		return false // the block can't open it again under the same name
	}
	if len(no.Args) == 0 {
		return true
	}
	if len(no.Args) != 1 || len(r.preds.Of(no)) != 1 {
		return false
	}
	old := no.Args[0]
	v := no.AddArg(source.Arg(0).Type)
	v.Ownership = old.Ownership
	again := r.emit(no.First(), &ir.Inst{Op: source.Op, Types: source.Types, Aux: source.Aux, Quals: source.Quals}, v)
	again.Forwarding = source.Forwarding
	old.ReplaceAllUses(again.Result())
	no.RemoveArg(0)
	return true
}

// storeEnum stores a case as a value instead of its payload and its tag:
//
//	%2 = init_enum_data_addr %0 : $*E, #E.a        %2 = enum $E, #E.a, %1 : $T
//	store %1 to %2 : $*T                       →   store %2 to %0 : $*E
//	inject_enum_addr %0 : $*E, #E.a
func (r *Combiner) storeEnum(i *ir.Inst) bool {
	store := r.soleUser(i.Results[0])
	if store == nil || store.Op != op.Store || store.Arg(1) != i.Results[0] || store.Block() != i.Block() || store.Has(op.QualAssign) {
		return false
	}
	inject := store.Next()
	for inject != nil && (inject.Op != op.InjectEnumAddr || inject.Arg(0) != i.Arg(0)) {
		if facts.OrderMemory(inject) != op.MemNone || inject.Op.IsTerminator() {
			return false
		}
		inject = inject.Next()
	}
	t := i.Arg(0).Type.Object()
	if inject == nil || facts.CaseOf(inject) != facts.CaseOf(i) || r.Types.IsAddressOnly(t) {
		return false
	}
	v := r.emit(inject, &ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: inject.Aux}, store.Arg(0)).Results[0]
	quals := store.Quals
	if store.Has(op.QualTrivial) && !r.Types.IsTrivial(t) {
		quals = op.QualsOf(op.QualInit)
	}
	r.emit(inject, &ir.Inst{Op: op.Store, Quals: quals}, v, i.Arg(0))
	r.erase(inject)
	r.erase(store)
	r.eraseWithUsers(i)
	return true
}
