package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

// IsForwardingTerminator reports whether a terminator hands its operand on to the arguments of its successors.
func IsForwardingTerminator(i *ir.Inst) bool {
	return i.Op == op.SwitchEnum || i.Op == op.CheckedCastBr
}

func single(list []*ir.Operand) *ir.Operand {
	if len(list) == 1 {
		return list[0]
	}
	return nil
}

func (v *arcVisitor) visitCopy(i *ir.Inst) {
	switch {
	case v.should(arcCopies) && v.removeDeadCopy(i):
	case v.should(arcJoins) && v.joinWithOperand(i):
	case v.should(arcCopies) && !v.mandatory && v.removeCopyOfBorrowed(i):
	case v.should(arcCopies) && !v.mandatory && v.removeCopyOfOwned(i):
	}
}

// removeDeadCopy removes a copy that is only destroyed.
func (v *arcVisitor) removeDeadCopy(i *ir.Inst) bool {
	var destroys []*ir.Inst
	for _, x := range i.Result().UseList() {
		if x.User().Op != op.DestroyValue {
			return false
		}
		destroys = append(destroys, x.User())
	}
	v.Context.Passed(v.Func, i, "removed a copy that is only destroyed")
	for n := len(destroys) - 1; n >= 0; n-- {
		v.erase(destroys[n])
	}
	v.work.Push(i.Arg(0))
	v.erase(i)
	return true
}

// removeCopyOfBorrowed removes a copy of a borrowed value that is not consumed and dies inside the borrow scope.
func (v *arcVisitor) removeCopyOfBorrowed(i *ir.Inst) bool {
	introducers, ok := v.own.BorrowIntroducers(i.Arg(0))
	if !ok {
		return false
	}
	r := v.liveRange(i.Result())
	phi := false
	if len(r.unknown) > 0 {
		x := r.singleUnknown()
		if !v.fixed || x == nil || !isOwnershipPhi(x) || v.makesDeinit(x.User()) {
			if !v.fixed {
				v.Context.Missed(v.Func, i, "the copy is consumed")
			}
			return false
		}
		phi = true
	}
	local := false
	for _, b := range introducers {
		local = local || ownership.IsLocalBorrow(b)
	}
	if len(r.destroys) == 0 && local {
		return false
	}
	if !v.withinScopes(r, introducers) {
		v.Context.Missed(v.Func, i, "the copy lives longer than the borrow that it is made of")
		return false
	}
	if phi {
		v.notePhi(r.singleUnknown(), introducers, local)
		return false
	}
	v.Context.Passed(v.Func, i, "replaced a copy by the borrowed value")
	r.borrow(i.Arg(0))
	return true
}

// withinScopes reports whether the value dies inside all the scopes.
func (v *arcVisitor) withinScopes(r *liveRange, introducers []*ir.Value) bool {
	for _, b := range introducers {
		if !ownership.IsLocalBorrow(b) {
			continue
		}
		l := v.scopeLiveness(b)
		for _, i := range r.extent() {
			if !l.Within(i) {
				return false
			}
		}
	}
	return true
}

// scopeLiveness returns where the borrow scope that b begins, and those that go on with it in block arguments, last.
func (v *arcVisitor) scopeLiveness(b *ir.Value) *ownership.Liveness {
	l := ownership.NewLiveness(v.Preds)
	seen := map[*ir.Value]bool{b: true}
	work := []*ir.Value{b}
	l.Define(b)
	for n := 0; n < len(work); n++ {
		for x := range work[n].Uses() {
			switch v.own.UseOf(x) {
			case op.OwnershipEndBorrow:
				l.Use(x.User(), true)
			case op.OwnershipReborrow:
				if arg := ownership.ReceivedBy(x.User(), x.Number()); arg != nil {
					if !seen[arg] {
						seen[arg] = true
						work = append(work, arg)
					}
					l.Define(arg)
				}
				l.Use(x.User(), false)
			}
		}
	}
	return l
}

// removeCopyOfOwned removes a copy of an owned value that lives for all uses of the copy.
func (v *arcVisitor) removeCopyOfOwned(i *ir.Inst) bool {
	from := i.Arg(0)
	if v.own.KindOf(from) != ownership.KindOwned {
		return false
	}
	var destroys, all, ends []*ir.Inst
	for _, x := range i.Result().UseList() {
		all = append(all, x.User())
		if !ownership.EndsLifetime(v.own.UseOf(x)) {
			continue
		}
		if x.User().Op != op.DestroyValue {
			return false
		}
		destroys = append(destroys, x.User())
	}
	var handed []*ir.Inst // what goes on to live under another name; the compiler does not ask for these, and uses the original after them
	for x := range from.Uses() {
		switch {
		case !ownership.EndsLifetime(v.own.UseOf(x)):
		case ownership.IsForwarding(x.User()) || IsForwardingTerminator(x.User()):
			handed = append(handed, x.User())
		default:
			ends = append(ends, x.User())
		}
	}
	if !v.validLifetime(from, ends, all) || leadsTo(from, v.inDeadEnds(ends), all) || leadsTo(from, handed, all) {
		v.Context.Missed(v.Func, i, "the copy outlives the value that it is made of")
		return false
	}
	v.Context.Passed(v.Func, i, "removed a copy that the original outlives")
	for n := len(destroys) - 1; n >= 0; n-- {
		v.erase(destroys[n])
	}
	v.replace(i, from)
	return true
}

// inDeadEnds returns those of the instructions that lie in dead ends, where validLifetime does not look at other blocks.
func (v *arcVisitor) inDeadEnds(list []*ir.Inst) []*ir.Inst {
	dead := v.Context.DeadEnds(v.Func)
	return slices.DeleteFunc(slices.Clone(list), func(i *ir.Inst) bool { return !dead[i.Block().Index] })
}

// leadsTo reports whether control can get from one of the ends of a value to one of the users, and not by its definition.
func leadsTo(value *ir.Value, ends, users []*ir.Inst) bool {
	used := map[*ir.Block]bool{}
	for _, i := range users {
		used[i.Block()] = true
		if slices.ContainsFunc(ends, func(end *ir.Inst) bool { return ownership.ComesAfter(end, i) }) {
			return true
		}
	}
	seen := map[*ir.Block]bool{value.Block(): true}
	work := make([]*ir.Block, 0, len(ends))
	for _, i := range ends {
		work = append(work, i.Block())
	}
	for b := range worklist.Drain(&work) {
		for _, e := range b.Terminator().Succs {
			if seen[e.To] {
				continue
			}
			if used[e.To] {
				return true
			}
			seen[e.To] = true
			work = append(work, e.To)
		}
	}
	return false
}

// consumingUses lists the uses of an owned value that end its lifetime.
func (v *arcVisitor) consumingUses(x *ir.Value) []*ir.Operand {
	var list []*ir.Operand
	for _, u := range x.UseList() {
		if ownership.EndsLifetime(v.own.UseOf(u)) {
			list = append(list, u)
		}
	}
	return list
}

// joinWithOperand removes a copy of an owned value together with a destroy of that value, after which the copy lives on.
func (v *arcVisitor) joinWithOperand(i *ir.Inst) bool {
	from := i.Arg(0)
	if v.own.KindOf(from) != ownership.KindOwned {
		return false
	}
	join := func(destroy *ir.Inst, why string) bool {
		v.Context.Passed(v.Func, i, "%s", why)
		v.erase(destroy)
		v.replace(i, from)
		return true
	}
	consumed := v.consumingUses(from)
	use := single(v.consumingUses(i.Result()))
	if x := single(consumed); x != nil && x.User().Op == op.DestroyValue && use != nil {
		destroy := x.User()
		if use.User().Op == op.Return || use.User().Block().Last().Op == op.Return && use.User().Block() != destroy.Block() {
			return join(destroy, "joined a value with its copy, which leaves the function")
		}
		if destroy.Block() == use.User().Block() && v.canJoinInBlock(i, destroy, use) {
			return join(destroy, "joined a value with its copy")
		}
	}
	for _, x := range consumed {
		destroy := x.User()
		if destroy.Op != op.DestroyValue || destroy.Block() != i.Block() {
			continue
		}
		if use == nil || use.User().Block() != i.Block() {
			return join(destroy, "joined a value with its copy, which lives on in other blocks")
		}
		if v.canJoinInBlock(i, destroy, use) {
			return join(destroy, "joined a value with its copy")
		}
	}
	return false
}

// canJoinInBlock reports whether the copy i may take the place of the value that it copies, which destroy ends in the block in which use
// consumes the copy.
func (v *arcVisitor) canJoinInBlock(i, destroy *ir.Inst, use *ir.Operand) bool {
	from := i.Arg(0)
	if !ownership.ComesAfter(use.User(), destroy) {
		return true // the copy is consumed after the destroy
	}
	between := func(x *ir.Inst) bool { return ownership.ComesAfter(use.User(), x) && ownership.ComesAfter(x, destroy) }
	if v.own.Escapes(from) {
		v.Context.Missed(v.Func, i, "a pointer to the value escapes")
		return false
	}
	if v.own.IsLexical(from) {
		for x := use.User().Next(); x != destroy; x = x.Next() {
			if v.Context.Program(v.Func).MayBeBarrier(x) {
				v.Context.Missed(v.Func, i, "the lifetime of a variable would be shortened over a deinit barrier")
				return false
			}
		}
	}
	if !v.forwardedPast(use, destroy, between) {
		return false
	}
	for x := range from.Uses() {
		user := x.User()
		if user == destroy {
			continue
		}
		if between(user) || user == use.User() {
			return false
		}
		bad := false
		v.own.ScopeEnds(x, func(end *ir.Inst) { bad = bad || between(end) })
		if bad {
			return false
		}
	}
	return true
}

// forwardedPast reports whether what the consuming use makes of the copy, under one name after the other, lives after the destroy.
func (v *arcVisitor) forwardedPast(use *ir.Operand, destroy *ir.Inst, between func(x *ir.Inst) bool) bool {
	at := use
	for {
		next := v.throughForwarding(at)
		if next == nil || !between(next.User()) {
			break
		}
		at = next
	}
	if at != use && !between(at.User()) {
		return true
	}
	forwarded := v.singleForwarded(at)
	if forwarded == nil {
		return false
	}
	if x := single(v.consumingUses(forwarded)); x != nil && x.User().Block() == destroy.Block() && !ownership.ComesAfter(destroy, x.User()) {
		return false
	}
	return true
}

// singleForwarded returns the only value that an instruction makes of the operand by handing it on, nil when it does something else.
func (v *arcVisitor) singleForwarded(x *ir.Operand) *ir.Value {
	switch v.own.UseOf(x) {
	case op.OwnershipForwardingConsume, op.OwnershipGuaranteedForwarding, op.OwnershipForwardingUnowned:
		if i := x.User(); !i.Op.IsTerminator() {
			return i.Result()
		}
	}
	return nil
}

func (v *arcVisitor) throughForwarding(x *ir.Operand) *ir.Operand {
	if r := v.singleForwarded(x); r != nil {
		return single(v.consumingUses(r))
	}
	return nil
}
