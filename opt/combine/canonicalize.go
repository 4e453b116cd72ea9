package combine

import (
	"sort"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/fold"
	"silvm/opt/ossa"
	"silvm/opt/rewrite"
)

// soleBorrower returns the only user of a borrow besides the ends of it, nil when there are others.
func soleBorrower(borrow *ir.Inst) *ir.Inst {
	var user *ir.Inst
	for u := range borrow.Results[0].Uses() {
		if u.User().Op == op.EndBorrow {
			continue
		}
		if user != nil {
			return nil
		}
		user = u.User()
	}
	return user
}

// hasUsesBesideEnds reports whether a borrowed value is used otherwise than by the ends of the borrow and by debug_value.
func hasUsesBesideEnds(v *ir.Value) bool {
	for u := range v.Uses() {
		if u.User().Op != op.EndBorrow && !facts.IsDebug(u.User()) {
			return true
		}
	}
	return false
}

// isShown reports whether a variable has one of the results.
func isShown(i *ir.Inst) bool {
	for _, v := range i.Results {
		for u := range v.Uses() {
			if facts.IsDebug(u.User()) {
				return true
			}
		}
	}
	return false
}

// canonicalize brings an instruction into the form that other rules expect, and reports whether it changed anything: a value that is there
// already, single loads instead of one of an aggregate, stores of whole structs, no copies and borrows for nothing.
func (r *Combiner) canonicalize(i *ir.Inst) bool {
	if v := fold.Simplified(i, r.preds); v != nil && r.rauw.CanReplace(i.Results[0], v) {
		r.pushUsers(i.Results[0])
		for n := range i.Operands {
			r.Push(i.Arg(n).Inst())
		}
		r.unlistDoomed(i)
		r.rauw.ReplaceAndErase(i, v)
		return true
	}
	switch i.Op {
	case op.Load, op.LoadBorrow:
		return r.splitLoad(i)
	case op.Store:
		return r.broadenStore(i)
	case op.CopyValue:
		return r.removeCopy(i)
	case op.BeginBorrow:
		return r.removeBorrow(i)
	}
	return r.own != nil && r.removeForwarding(i)
}

// removeForwarding destroys an owned value itself instead of what it is handed on as.
func (r *Combiner) removeForwarding(i *ir.Inst) bool {
	if len(i.Results) != 1 || len(i.Operands) != 1 || i.Op.IsTerminator() || i.Op == op.MoveValue || i.Results[0].Type == nil ||
		!ownership.IsForwardingColumn(ownership.Column(i, 0)) || i.Op == op.DropDeinit || i.Op == op.MarkUninitialized ||
		i.Op == op.DestructureStruct || i.Op == op.DestructureTuple {
		return false
	}
	v := i.Results[0]
	if r.own.KindOf(v) != ownership.KindOwned || !r.onlyDestroyed(v) || r.Context.Unoptimized() && isShown(i) {
		return false
	}
	if from := i.Arg(0).Type; from != v.Type && (r.Types.HasDeinit(from) || r.Types.HasDeinit(v.Type)) {
		return false // a deinit runs for one of them only
	}
	rewrite.EraseDebugUses(v, r.work.Remove)
	return r.replace(i, i.Arg(0))
}

// unlistDoomed takes an instruction and the ends of its scope from the list.
func (r *Combiner) unlistDoomed(i *ir.Inst) {
	r.work.Remove(i)
	if rewrite.BeginsScope(i) {
		for u := range i.Results[0].Uses() {
			if rewrite.IsScopeEnd(u.User()) {
				r.work.Remove(u.User())
			}
		}
	}
}

// splitLoad loads the parts of a struct or tuple of which nothing but parts is used, and nothing where there is no use at all:
//
//	%1 = load %0 : $*S                      %1 = struct_element_addr %0 : $*S, #S.x
//	%2 = struct_extract %1 : $S, #S.x   →   %2 = load %1 : $*X
func (r *Combiner) splitLoad(load *ir.Inst) bool {
	if load.Has(op.QualTake) {
		return false
	}
	var parts, ends, borrows []*ir.Inst
	for u := range load.Results[0].Uses() {
		i := u.User()
		if load.Has(op.QualCopy) && i.Op == op.BeginBorrow {
			borrows = append(borrows, i)
			if i = soleBorrower(i); i == nil || i.Op != op.StructExtract && i.Op != op.TupleExtract {
				return false
			}
		} else if load.Has(op.QualCopy) && i.Op != op.DestroyValue && !facts.IsDebug(i) {
			return false
		}
		switch {
		case facts.IsDebug(i):
		case (i.Op == op.StructExtract || i.Op == op.TupleExtract) && facts.FieldNumber(r.Context.Module, i) >= 0:
			parts = append(parts, i)
		case load.Op == op.LoadBorrow && i.Op == op.EndBorrow, load.Has(op.QualCopy) && i.Op == op.DestroyValue:
			ends = append(ends, i)
		default:
			return false
		}
	}
	mod := r.Context.Module
	place := map[*ir.Inst]int{}
	for k, p := range parts {
		place[p] = k
	}
	sort.SliceStable(parts, func(a, b int) bool { return facts.FieldNumber(mod, parts[a]) < facts.FieldNumber(mod, parts[b]) })
	last := -1
	var made *ir.Inst
	for _, p := range parts {
		n := facts.FieldNumber(mod, p)
		if n != last {
			last = n
			made = r.loadField(load, p, ends)
		}
		v := made.Results[0]
		if made.Has(op.QualCopy) {
			v = r.borrowedAs(p.Arg(0).Inst(), v)
		}
		r.replace(p, v)
	}
	for _, b := range borrows {
		r.eraseWithUsers(b)
	}
	for _, e := range ends {
		r.work.Remove(e)
		e.Remove()
	}
	if r.Context.Unoptimized() {
		r.showInMemory(load)
	}
	r.erase(load)
	return true
}

// showInMemory says of variables that a load shows that they are in the memory.
func (r *Combiner) showInMemory(load *ir.Inst) {
	for _, u := range load.Results[0].UseList() {
		d := u.User()
		v := d.Var()
		if d.Op != op.DebugValue || v == nil {
			continue
		}
		if facts.DefinedBy(load.Arg(0), op.AllocStack) == nil {
			v = v.WithDeref()
		}
		b := ir.At(r.Context.Module, load)
		b.Loc, b.Scope = d.Loc, d.Scope
		b.Emit(&ir.Inst{Op: op.DebugValue, Quals: d.Quals, Aux: v}, load.Arg(0))
	}
}

// borrowedAs borrows a loaded field just as long as the whole was borrowed.
func (r *Combiner) borrowedAs(borrow *ir.Inst, field *ir.Value) *ir.Value {
	v := r.emit(borrow, &ir.Inst{Op: op.BeginBorrow}, field).Results[0]
	for u := range borrow.Results[0].Uses() {
		if u.User().Op == op.EndBorrow {
			r.emit(u.User(), &ir.Inst{Op: op.EndBorrow}, v)
		}
	}
	return v
}

// loadField loads the field that part takes out of what load loads.
func (r *Combiner) loadField(load, part *ir.Inst, ends []*ir.Inst) *ir.Inst {
	o := op.StructElementAddr
	if part.Op == op.TupleExtract {
		o = op.TupleElementAddr
	}
	addr := r.emit(load, &ir.Inst{Op: o, Aux: part.Aux}, load.Arg(0))
	if addr.Results[0].Type == nil {
		addr.Results[0].Type = r.Context.Module.Types.Address(part.Results[0].Type)
	}
	by := &ir.Inst{Op: op.Load}
	switch {
	case !r.OSSA:
	case r.Types.IsTrivial(part.Results[0].Type):
		by.Quals = op.QualsOf(op.QualTrivial)
	case load.Op == op.LoadBorrow:
		by.Op = op.LoadBorrow
	default:
		by.Quals = load.Quals
	}
	r.emit(load, by, addr.Results[0])
	end := op.EndBorrow
	if by.Has(op.QualCopy) {
		end = op.DestroyValue
	}
	for _, e := range ends {
		if by.Op == op.LoadBorrow || by.Has(op.QualCopy) {
			r.emit(e, &ir.Inst{Op: end}, by.Results[0])
		}
	}
	return by
}

// broadenStore stores a struct with one field as a whole.
func (r *Combiner) broadenStore(store *ir.Inst) bool {
	addr := facts.DefinedBy(store.Arg(1), op.StructElementAddr)
	if addr == nil {
		return false
	}
	v, base := store.Arg(0), store.Arg(1)
	for a := addr; a != nil; a = facts.DefinedBy(base, op.StructElementAddr) {
		t := a.Arg(0).Type.Object()
		fields, ok := r.Types.FieldTypes(t)
		if !ok || len(fields) != 1 || !r.Context.Module.IsCopyable(t) || r.Types.IsAddressOnly(t) {
			break
		}
		v = r.emit(store, &ir.Inst{Op: op.Struct, Types: []*ir.Type{t}}, v).Results[0]
		base = a.Arg(0)
	}
	if base == store.Arg(1) {
		return false
	}
	r.emit(store, &ir.Inst{Op: op.Store, Quals: store.Quals}, v, base)
	r.erase(store)
	return true
}

// removeCopy removes a copy that is only destroyed.
func (r *Combiner) removeCopy(i *ir.Inst) bool {
	var ends []*ir.Inst
	for u := range i.Results[0].Uses() {
		switch {
		case facts.IsDebug(u.User()):
			if r.Context.Unoptimized() {
				return false // the variable's lifetime is the copy's
			}
		case u.User().Op == op.DestroyValue:
			ends = append(ends, u.User())
		default:
			return false
		}
	}
	for _, e := range ends {
		r.work.Remove(e)
		e.Remove()
	}
	r.erase(i)
	return true
}

// removeBorrow removes a borrow scope within which nothing needs one.
func (r *Combiner) removeBorrow(i *ir.Inst) bool {
	if i.Has(op.QualLexical) && !ossa.IsNestedLexical(r.own, i) {
		return false
	}
	if !hasUsesBesideEnds(i.Results[0]) {
		r.eraseWithUsers(i)
		return true
	}
	kind := r.own.KindOf(i.Arg(0))
	var ends []*ir.Inst
	for u := range i.Results[0].Uses() {
		if u.User().Op == op.EndBorrow {
			ends = append(ends, u.User())
			continue
		}
		if facts.IsDebug(u.User()) {
			continue
		}
		use := r.own.UseOf(u)
		if ownership.EndsLifetime(use) || !ownership.Accepts(use, kind) || use == op.OwnershipGuaranteedForwarding && kind != ownership.KindGuaranteed ||
			use == op.OwnershipInteriorPointer && kind != ownership.KindGuaranteed {
			return false
		}
	}
	for _, e := range ends {
		r.work.Remove(e)
		e.Remove()
	}
	return r.replace(i, i.Arg(0))
}
