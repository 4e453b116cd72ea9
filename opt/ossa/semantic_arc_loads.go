package ossa

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// isAddressStep reports whether the result of the instruction is an address in the memory at its operand, or the same one as another type.
func isAddressStep(i *ir.Inst) bool {
	return len(i.Operands) > 0 && ownership.ProjectsAddress(i, 0)
}

func globalIsLet(g *ir.Global) bool {
	return g.Attrs.Has(ir.AttrLet)
}

// singleInitDestroys reports whether a stack slot is initialized once and else only loaded from and borrowed, and lists what destroys it.
func singleInitDestroys(slot *ir.Value) (destroys []*ir.Inst, ok bool) {
	inits := 0
	work := slot.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		switch {
		case facts.IsAddressProjection(i):
			work = append(work, i.Result().UseList()...)
		case mustInitialize(x):
			inits++
		case i.Op == op.Load && !i.Has(op.QualTake), i.Op == op.LoadBorrow, i.Op == op.DeallocStack, facts.IsDebug(i):
		case i.Op == op.DestroyAddr, i.Op == op.UnconditionalCheckedCastAddr && x.Number() == 0:
			destroys = append(destroys, i)
		default:
			return nil, false
		}
	}
	return destroys, inits == 1
}

// mustInitialize reports whether an instruction initializes the memory at the operand, which held nothing before.
func mustInitialize(x *ir.Operand) bool {
	switch i := x.User(); i.Op {
	case op.Store:
		return x.Number() == 1 && (i.Has(op.QualInit) || i.Has(op.QualTrivial))
	case op.CopyAddr:
		return x.Number() == 1 && i.Has(op.QualInit)
	case op.InitEnumDataAddr, op.InjectEnumAddr:
		return true
	case op.Apply, op.TryApply:
		_, result := ArgConvention(i, x.Number())
		return result
	}
	return false
}

// ArgConvention returns how a call passes operand n; result is true for the address of an indirect result.
func ArgConvention(i *ir.Inst, n int) (conv ir.ParamConv, result bool) {
	fn := facts.Callee(i)
	if fn == nil || n == 0 {
		return ir.ParamDirectUnowned, false
	}
	k := n - 1
	if i.Op == op.PartialApply {
		k = len(fn.Params) - (len(i.Operands) - n)
	} else {
		for r := range fn.Results {
			if fn.Results[r].Conv.IsIndirect() {
				if k == 0 {
					return 0, true
				}
				k--
			}
		}
		if fn.Error != nil && fn.Error.Conv.IsIndirect() {
			if k == 0 {
				return 0, true
			}
			k--
		}
	}
	if k < 0 || k >= len(fn.Params) {
		return ir.ParamDirectUnowned, false
	}
	return fn.Params[k].Conv, false
}

// writeList are the operands by which memory is written, if they are known to be all.
type writeList struct {
	list  []*ir.Operand
	known bool
}

// visitLoad makes a load_borrow of a load [copy] whose value is not consumed, from memory that is not written while it lives.
func (v *arcVisitor) visitLoad(i *ir.Inst) {
	if !v.should(arcLoads) || !i.Has(op.QualCopy) {
		return
	}
	r := v.liveRange(i.Result())
	if len(r.unknown) > 0 {
		v.Context.Missed(v.Func, i, "the loaded value is consumed")
		return
	}
	if v.mayBeWritten(i, r) {
		v.Context.Missed(v.Func, i, "the memory may be written while the loaded value lives")
		return
	}
	v.Context.Passed(v.Func, i, "made a load_borrow of a load [copy]")
	b := rewrite.Emit(v.Before(i), op.LoadBorrow, i.Arg(0)).Result()
	r.insertEndBorrows(b)
	r.borrow(b)
}

// mayBeWritten reports whether the memory that i loads from may be written while the loaded value lives.
func (v *arcVisitor) mayBeWritten(i *ir.Inst, r *liveRange) bool {
	at := i.Arg(0)
	for n := 0; n < 1000; n++ {
		d := at.Inst()
		switch {
		case d == nil:
			return v.argumentWritten(at, i, r)
		case d.Op == op.BeginAccess:
			if done, written := v.accessWritten(d, r); done {
				return written
			}
			at = d.Arg(0)
		case d.Op == op.AllocStack:
			return !v.singleInit(d.Result(), r)
		case d.Op == op.RefElementAddr:
			return v.fieldWritten(d, r)
		case d.Op == op.GlobalAddr:
			aux, ok := d.Aux.(*ir.SymbolAux)
			return !ok || aux.Global == nil || !globalIsLet(aux.Global)
		case d.Op == op.StoreBorrow:
			at = d.Arg(1)
		case isAddressStep(d):
			at = d.Arg(0)
		default:
			return true
		}
	}
	return true
}

// accessWritten decides by an access around the load; done is false when the live range goes beyond it.
func (v *arcVisitor) accessWritten(d *ir.Inst, r *liveRange) (done, written bool) {
	if !d.Has(op.QualRead) && !d.Has(op.QualModify) {
		return false, false
	}
	var ends []*ir.Inst
	for x := range d.Result().Uses() {
		if x.User().Op == op.EndAccess {
			ends = append(ends, x.User())
		}
	}
	if !v.validLifetime(d.Result(), ends, r.extent()) {
		return false, false
	}
	if d.Has(op.QualRead) {
		return true, false
	}
	w := v.writesTo(d.Result())
	return true, !w.known || len(w.list) > 0
}

// argumentWritten decides for memory of an indirect parameter.
func (v *arcVisitor) argumentWritten(arg *ir.Value, load *ir.Inst, r *liveRange) bool {
	if !arg.IsArg() || arg.Block() != v.Func.Entry() {
		return true
	}
	switch v.Convention(arg) {
	case ir.ParamInGuaranteed, ir.ParamInConstant:
		return false
	case ir.ParamInout, ir.ParamInoutAliasable, ir.ParamIn:
	default:
		return true
	}
	w := v.writesTo(arg)
	if !w.known {
		return true
	}
	if len(w.list) == 0 {
		return false
	}
	live := ownership.NewLiveness(v.Preds)
	live.Define(r.value)
	destroyed := map[*ir.Block]bool{}
	for _, x := range r.destroys {
		live.Use(x.User(), true)
		destroyed[x.User().Block()] = true
	}
	for _, end := range deadEndExits(v.Func, v.Context.DeadEnds(v.Func), live, func(b *ir.Block) bool { return destroyed[b] }) {
		live.Use(end, false)
	}
	for _, x := range w.list {
		if i := x.User(); live.Within(i) || live.IsUser(i) {
			return true
		}
	}
	for _, x := range w.list {
		if x.User().Op != op.BeginAccess {
			continue
		}
		access := ownership.NewLiveness(v.Preds)
		access.Define(x.User().Result())
		for u := range x.User().Result().Uses() {
			if u.User().Op == op.EndAccess {
				access.Use(u.User(), true)
			}
		}
		if access.Within(load) {
			return true
		}
	}
	return false
}

// fieldWritten decides for a property of an object: one declared by let is not written while the object is borrowed.
func (v *arcVisitor) fieldWritten(d *ir.Inst, r *liveRange) bool {
	if !v.FieldIsLet(d) {
		return true
	}
	base := d.Arg(0)
	introducers, ok := v.own.BorrowIntroducers(base)
	if !ok || len(introducers) != 1 {
		return true
	}
	b := introducers[0]
	if !ownership.IsLocalBorrow(b) {
		return false
	}
	if b.IsArg() {
		return true
	}
	var ends []*ir.Inst
	for x := range b.Uses() {
		if ownership.EndsLifetime(v.own.UseOf(x)) {
			ends = append(ends, x.User())
		}
	}
	return !v.validLifetime(base, ends, r.extent())
}

// singleInit reports whether a stack slot is written only once, when it is initialized, and not destroyed before the live range ends.
func (v *arcVisitor) singleInit(slot *ir.Value, r *liveRange) bool {
	destroys, ok := singleInitDestroys(slot)
	return ok && v.validLifetime(slot, destroys, r.extent())
}

// writesTo finds the writes to the memory at an address, and the ends of accesses that may write.
func (v *arcVisitor) writesTo(addr *ir.Value) *writeList {
	if w := v.writes[addr]; w != nil {
		return w
	}
	w := &writeList{}
	v.writes[addr] = w
	work := addr.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		switch {
		case i.Op == op.BeginAccess:
			if !i.Has(op.QualRead) {
				w.list = append(w.list, x)
				for _, u := range i.Result().UseList() {
					if u.User().Op == op.EndAccess {
						w.list = append(w.list, u)
					}
				}
			}
			work = append(work, i.Result().UseList()...)
		case i.Op == op.OpenExistentialAddr:
			if i.Word() != ir.WordImmutableAccess {
				w.list = append(w.list, x)
			}
			work = append(work, i.Result().UseList()...)
		case facts.IsAddressProjection(i):
			work = append(work, i.Result().UseList()...)
		case i.Op == op.Store, i.Op == op.DestroyAddr:
			w.list = append(w.list, x)
		case i.Op == op.LoadBorrow, facts.IsDebug(i), i.Op == op.EndAccess, i.Op == op.FixLifetime, i.Op == op.DeallocStack:
		case i.Op == op.Load:
			if i.Has(op.QualTake) {
				w.list = append(w.list, x)
			}
		case i.Op == op.Apply || i.Op == op.TryApply || i.Op == op.BeginApply:
			conv, result := ArgConvention(i, x.Number())
			switch {
			case !result && conv == ir.ParamInGuaranteed:
			case !result && i.Op != op.BeginApply && (conv == ir.ParamInout || conv == ir.ParamInoutAliasable):
				w.list = append(w.list, x)
			default:
				return w
			}
		case i.Op == op.CopyAddr:
			if x.Number() == 1 || i.Has(op.QualTake) {
				w.list = append(w.list, x)
			}
		default:
			return w
		}
	}
	w.known = true
	return w
}
