package ownership

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// enclosing finds the definitions whose lifetimes enclose guaranteed values, through aggregates, forwarded block arguments and
// reborrows (the compiler's FindEnclosingDefs describes the algorithm).
type enclosing struct {
	own *Ownership
	of  map[*ir.Value]*orderedValues // what is known of block arguments that branches pass values to
}

// orderedValues is a set of values that knows their order.
type orderedValues struct {
	list []*ir.Value
	seen map[*ir.Value]bool
}

func (s *orderedValues) add(v *ir.Value) bool {
	if s.seen[v] {
		return false
	}
	if s.seen == nil {
		s.seen = map[*ir.Value]bool{}
	}
	s.seen[v] = true
	s.list = append(s.list, v)
	return true
}

// EnclosingDefs lists the values that keep a guaranteed value alive: what a begin_borrow borrows, for a reborrow the value or the
// block argument beside it that it borrows, for a forwarded value the beginnings of its borrow scopes. A load_borrow and a
// parameter have none.
func (o *Ownership) EnclosingDefs(v *ir.Value) []*ir.Value {
	return o.enclosing(o.phisBefore(v)).definitions(v)
}

// Introducers lists the beginnings of the lifetimes in which a value lies: itself when it is owned or begins a borrow scope.
func (o *Ownership) Introducers(v *ir.Value) []*ir.Value {
	return o.enclosing(o.phisBefore(v)).scopes(v)
}

// BorrowedFrom lists for each of the guaranteed block arguments that branches pass values to the values that keep it alive, as the
// instruction borrowed names them (docs/SIL.rst, borrowed from): found are values that dominate the block, or its arguments. phis are the
// GuaranteedPhis. The work is that of one iteration over the forwarding instructions before the branches for each nesting of phis.
func (o *Ownership) BorrowedFrom(phis []*ir.Value) [][]*ir.Value {
	e := o.enclosing(phis)
	lists := make([][]*ir.Value, len(phis))
	for n, v := range phis {
		lists[n] = e.of[v].list
	}
	return lists
}

// GuaranteedPhis lists the guaranteed block arguments that branches pass values to, in the order of the blocks.
func (o *Ownership) GuaranteedPhis() []*ir.Value {
	var phis []*ir.Value
	for _, b := range o.f.Blocks[1:] {
		for _, a := range b.Args {
			if o.isGuaranteedPhi(a) {
				phis = append(phis, a)
			}
		}
	}
	return phis
}

func (o *Ownership) isGuaranteedPhi(v *ir.Value) bool {
	return v.IsArg() && !isParameter(v) && o.KindOf(v) == KindGuaranteed && TerminatorOf(v, o.Preds) == nil
}

// phisBefore lists the guaranteed phis from which v is forwarded or borrowed, through other phis too.
func (o *Ownership) phisBefore(v *ir.Value) []*ir.Value {
	met := orderedValues{}
	met.add(v)
	var phis []*ir.Value
	for n := 0; n < len(met.list); n++ {
		switch v := met.list[n]; {
		case o.isGuaranteedPhi(v):
			phis = append(phis, v)
			for _, x := range o.IncomingOperands(v) {
				met.add(x.Value())
			}
		case o.KindOf(v) != KindGuaranteed:
		case v.Inst() != nil && v.Inst().Op == op.BeginBorrow:
			met.add(v.Inst().Arg(0))
		default:
			o.eachForwarded(v, func(from *ir.Value) { met.add(from) })
		}
	}
	return phis
}

// eachForwarded calls visit with each value that v, which is no phi, forwards.
func (o *Ownership) eachForwarded(v *ir.Value, visit func(from *ir.Value)) {
	if v.IsArg() {
		if t := TerminatorOf(v, o.Preds); t != nil {
			visit(t.Arg(0))
		}
		return
	}
	i := v.Inst()
	for n := range i.Operands {
		if o.UseOf(&i.Operands[n]) == op.OwnershipGuaranteedForwarding {
			visit(i.Arg(n))
		}
	}
}

// enclosing finds what encloses phis, in rounds: in a cycle of block arguments what one of them lacks is known in a later round.
func (o *Ownership) enclosing(phis []*ir.Value) *enclosing {
	e := &enclosing{own: o, of: make(map[*ir.Value]*orderedValues, len(phis))}
	for _, v := range phis {
		e.of[v] = &orderedValues{}
	}
	for changed := true; changed; {
		changed = false
		for _, v := range phis {
			for _, x := range o.IncomingOperands(v) {
				for _, def := range e.definitions(unnamed(x.Value())) {
					changed = e.of[v].add(e.after(x.User(), v.Block(), def)) || changed
				}
			}
		}
	}
	return e
}

// unnamed returns the block argument of which v is the name that borrowed gives it, else v.
func unnamed(v *ir.Value) *ir.Value {
	if i := v.Inst(); i != nil && i.Op == op.Borrowed {
		return i.Arg(0)
	}
	return v
}

// definitions lists what encloses the scope that v begins or, when it is forwarded, the scopes in which it lies.
func (e *enclosing) definitions(v *ir.Value) []*ir.Value {
	if e.own.KindOf(v) != KindGuaranteed {
		return nil
	}
	switch i := v.Inst(); {
	case !e.own.beginsBorrow(v):
		return e.scopes(v)
	case i != nil && i.Op == op.BeginBorrow:
		return e.scopes(i.Arg(0))
	case e.of[v] != nil:
		return e.scopes(e.of[v].list...)
	}
	return nil
}

// scopes lists the beginnings of the lifetimes in which values lie, those of what was forwarded last first.
func (e *enclosing) scopes(values ...*ir.Value) []*ir.Value {
	var met, found orderedValues
	work := []*ir.Value(nil)
	push := func(v *ir.Value) {
		if met.add(v) {
			work = append(work, v)
		}
	}
	for _, v := range values {
		push(v)
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		switch k := e.own.KindOf(v); {
		case k == KindOwned || k == KindGuaranteed && e.own.beginsBorrow(v):
			found.add(v)
		case k != KindGuaranteed:
		case e.of[v] != nil:
			for _, def := range e.of[v].list {
				push(def)
			}
		default:
			e.own.eachForwarded(v, push)
		}
	}
	return found.list
}

// after returns the argument of the block to which a branch hands on the lifetime that v begins, else v.
func (e *enclosing) after(branch *ir.Inst, to *ir.Block, v *ir.Value) *ir.Value {
	for n := range branch.Operands {
		arg := ReceivedBy(branch, n)
		if branch.Arg(n) == v && arg != nil && arg.Block() == to && (e.own.KindOf(v) == KindOwned || IsReborrow(arg)) {
			return arg
		}
	}
	return v
}

// beginsBorrow reports a value that begins a borrow scope, be it in the caller.
func (o *Ownership) beginsBorrow(v *ir.Value) bool {
	return o.IsBorrowIntroducer(v) || v.Inst() != nil && v.Inst().Op == op.BeginApply
}

// InnerAdjacentPhis lists the arguments of the block of v, one of them, whose lifetimes lie in that of v.
func (o *Ownership) InnerAdjacentPhis(v *ir.Value) []*ir.Value {
	var list []*ir.Value
	for _, a := range v.Block().Args {
		if a != v && slices.Contains(o.EnclosingDefs(a), v) {
			list = append(list, a)
		}
	}
	return list
}
