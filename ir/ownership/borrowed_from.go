package ownership

import (
	"silvm/ir"
	"silvm/ir/op"
)

// GuaranteedPhis lists the guaranteed block arguments that branches pass values to, in the order of the blocks.
func (o *Ownership) GuaranteedPhis() []*ir.Value {
	var phis []*ir.Value
	for _, b := range o.f.Blocks[1:] {
		for _, a := range b.Args {
			if o.KindOf(a) == KindGuaranteed && TerminatorOf(a, o.Preds) == nil {
				phis = append(phis, a)
			}
		}
	}
	return phis
}

// BorrowedFrom lists for each of the guaranteed block arguments that branches pass values to the values that keep it alive, as the
// instruction borrowed names them (docs/SIL.rst, borrowed from): found are values that dominate the block, or its arguments. phis are the
// GuaranteedPhis, and they have no names of borrowed yet. The work is that of one iteration over the
// forwarding instructions before the branches for each nesting of phis.
func (o *Ownership) BorrowedFrom(phis []*ir.Value) [][]*ir.Value {
	b := &borrowedFrom{o: o, of: make(map[*ir.Value]*orderedValues, len(phis))}
	for _, v := range phis {
		b.of[v] = &orderedValues{}
	}
	for changed := true; changed; {
		changed = false
		for _, v := range phis {
			for _, x := range o.IncomingOperands(v) {
				for _, def := range b.enclosing(x.Value()) {
					changed = b.of[v].add(b.behind(x.User(), v.Block(), def)) || changed
				}
			}
		}
	}
	lists := make([][]*ir.Value, len(phis))
	for n, v := range phis {
		lists[n] = b.of[v].list
	}
	return lists
}

type borrowedFrom struct {
	o  *Ownership
	of map[*ir.Value]*orderedValues // what is known of the phis
}

// enclosing lists what encloses the scope that v begins or, when it is forwarded, the scopes in which it lies.
func (b *borrowedFrom) enclosing(v *ir.Value) []*ir.Value {
	if b.o.KindOf(v) != KindGuaranteed {
		return nil
	}
	switch i := v.Inst(); {
	case !b.o.beginsBorrow(v):
		return b.scopes(v)
	case i != nil && i.Op == op.BeginBorrow:
		return b.scopes(i.Arg(0))
	case b.of[v] != nil:
		return b.scopes(b.of[v].list...)
	}
	return nil
}

// scopes lists the beginnings of the lifetimes in which values lie, those of what was forwarded last first.
func (b *borrowedFrom) scopes(values ...*ir.Value) []*ir.Value {
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
		switch k := b.o.KindOf(v); {
		case k == KindOwned || k == KindGuaranteed && b.o.beginsBorrow(v):
			found.add(v)
		case k != KindGuaranteed:
		case b.of[v] != nil:
			for _, def := range b.of[v].list {
				push(def)
			}
		case v.IsArg():
			if t := TerminatorOf(v, b.o.Preds); t != nil {
				push(t.Arg(0))
			}
		default:
			i := v.Inst()
			for n := range i.Operands {
				if b.o.UseOf(&i.Operands[n]) == op.OwnershipGuaranteedForwarding {
					push(i.Arg(n))
				}
			}
		}
	}
	return found.list
}

// behind returns the argument of the block to which a branch hands on the lifetime that v begins, else v.
func (b *borrowedFrom) behind(branch *ir.Inst, to *ir.Block, v *ir.Value) *ir.Value {
	for n := range branch.Operands {
		arg := ReceivedBy(branch, n)
		if branch.Arg(n) == v && arg != nil && arg.Block() == to && (b.o.KindOf(v) == KindOwned || IsReborrow(arg)) {
			return arg
		}
	}
	return v
}

// beginsBorrow reports a value that begins a borrow scope, be it in the caller.
func (o *Ownership) beginsBorrow(v *ir.Value) bool {
	return o.IsBorrowIntroducer(v) || v.Inst() != nil && v.Inst().Op == op.BeginApply
}
