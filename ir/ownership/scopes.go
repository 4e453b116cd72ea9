package ownership

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// ScopeEnds calls yield for the instructions at which the scope ends that a borrowing operand begins: up to there the value must
// live. It does nothing for an operand that begins none. A scope may have the same end twice.
func (o *Ownership) ScopeEnds(x *ir.Operand, yield func(end *ir.Inst)) {
	if o.UseOf(x) != op.OwnershipBorrow {
		return
	}
	i := x.User()
	switch i.Op {
	case op.BeginBorrow, op.StoreBorrow:
		if r := i.Result(); r != nil {
			o.BorrowEnds(r, yield)
		}
	case op.BeginApply:
		TokenUses(i, yield)
	case op.Builtin:
		AsyncLetEnds(i, yield)
	case op.PartialApply, op.MarkDependence:
		if r := i.Result(); r != nil {
			o.lastUses(r, yield)
		}
	}
}

// BorrowEnds calls yield for the uses that end the scope of a borrowed value or of the address of a store_borrow.
func (o *Ownership) BorrowEnds(v *ir.Value, yield func(end *ir.Inst)) {
	for x := range v.Uses() {
		if own := o.UseOf(x); own == op.OwnershipEndBorrow || own == op.OwnershipReborrow {
			yield(x.User())
		}
	}
}

// TokenUses calls yield for the end_apply and abort_apply of a begin_apply.
func TokenUses(i *ir.Inst, yield func(end *ir.Inst)) {
	if n := len(i.Results); n > 0 {
		for x := range i.Results[n-1].Uses() {
			yield(x.User())
		}
	}
}

// AsyncLetEnds calls yield for the ends of the async let that a builtin starts, which borrows its closure for so long.
func AsyncLetEnds(start *ir.Inst, yield func(end *ir.Inst)) {
	if start.Builtin() != op.BuiltinStartAsyncLetWithLocalBuffer {
		return
	}
	for x := range start.Result().Uses() {
		if i := x.User(); i.Op == op.Builtin && i.Builtin() == op.BuiltinEndAsyncLetLifetime {
			yield(i)
		}
	}
}

// lastUses calls yield for the places where an owned value that borrows others is destroyed, under whatever name.
func (o *Ownership) lastUses(v *ir.Value, yield func(end *ir.Inst)) {
	work := worklist.Of(v)
	for v := range work.All() {
		for x := range v.Uses() {
			i, own := x.User(), o.UseOf(x)
			switch {
			case own == op.OwnershipForwardingConsume && len(i.Results) > 0:
				work.Push(i.Results...)
			case EndsLifetime(own):
				yield(i)
			}
		}
	}
}

// BeginsBorrow reports whether a guaranteed value begins a scope of its own; if not, it is a parameter, or part of the scope of the
// values that it was made from.
func BeginsBorrow(v *ir.Value) bool {
	if v.IsArg() {
		return IsReborrow(v)
	}
	i := v.Inst()
	if i == nil {
		return false
	}
	for n := range i.Operands {
		switch Column(i, n) {
		case op.OwnershipForwarded, op.OwnershipGuaranteedForwarding:
			return false
		}
	}
	return true
}

// ProjectsAddress reports whether the result of the instruction is an address in the memory at operand n.
func ProjectsAddress(i *ir.Inst, n int) bool {
	switch i.Op {
	case op.StructElementAddr, op.TupleElementAddr, op.IndexAddr, op.TailAddr, op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr,
		op.InitExistentialAddr, op.OpenExistentialAddr, op.BeginAccess, op.UncheckedAddrCast, op.MarkUnresolvedNonCopyableValue,
		op.CopyableToMoveonlywrapperAddr, op.MoveonlywrapperToCopyableAddr, op.MarkUninitialized, op.DropDeinit,
		op.TuplePackElementAddr, op.MarkUnresolvedReferenceBinding:
		return true
	case op.MarkDependence:
		return n == 0
	case op.StoreBorrow:
		return n == 1
	}
	return false
}

// EndAccesses lists the ends of an access.
func EndAccesses(begin *ir.Inst) []*ir.Inst {
	var ends []*ir.Inst
	for u := range begin.Result().Uses() {
		if u.User().Op == op.EndAccess {
			ends = append(ends, u.User())
		}
	}
	return ends
}

// ComesAfter reports whether b comes after a in a's block.
func ComesAfter(a, b *ir.Inst) bool { return a.Block() == b.Block() && a.IsBefore(b) }
