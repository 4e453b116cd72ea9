package ownership

import (
	"silvm/ir"
	"silvm/ir/op"
)

// enclosing finds the definitions whose lifetimes enclose guaranteed values, through aggregates, forwarded block arguments and
// reborrows (the compiler's FindEnclosingDefs describes the algorithm).
type enclosing struct {
	own  *Ownership
	phis map[*ir.Value]*orderedValues // what is known of block arguments of branches
	met  map[*ir.Value]bool           // those that were met in this round
	more bool                         // something became known in this round
}

// definitions finds them in rounds: in a cycle of block arguments what one of them lacks is known in a later round.
func (o *Ownership) definitions(find func(e *enclosing) []*ir.Value) []*ir.Value {
	e := &enclosing{own: o, phis: map[*ir.Value]*orderedValues{}}
	for {
		e.met, e.more = map[*ir.Value]bool{}, false
		if found := find(e); !e.more {
			return found
		}
	}
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
	if o.KindOf(v) != KindGuaranteed {
		return nil
	}
	if !o.IsBorrowIntroducer(v) {
		return o.Introducers(v)
	}
	if v.IsArg() && !isParameter(v) {
		return o.definitions(func(e *enclosing) []*ir.Value {
			var defs orderedValues
			e.ofReborrow(v, &defs)
			return defs.list
		})
	}
	if i := v.Inst(); i != nil && i.Op == op.BeginBorrow {
		return o.Introducers(i.Arg(0))
	}
	return nil
}

// Introducers lists the beginnings of the lifetimes in which a value lies: itself when it is owned or begins a borrow scope.
func (o *Ownership) Introducers(v *ir.Value) []*ir.Value {
	return o.definitions(func(e *enclosing) []*ir.Value {
		var found orderedValues
		e.introduce(v, &found, map[*ir.Value]bool{})
		return found.list
	})
}

// enclosesBeside reports whether the lifetime of inner, an argument of the same block, depends on outer.
func (o *Ownership) enclosesBeside(outer, inner *ir.Value) bool {
	ins, outs := o.IncomingOperands(inner), o.IncomingOperands(outer)
	for n := range ins {
		for _, def := range o.EnclosingDefs(ins[n].Value()) {
			if n < len(outs) && def == outs[n].Value() {
				return true
			}
		}
	}
	return false
}

// introduce adds the values that own or borrow what v is: v itself where it does, else those of the operands that v forwards.
func (e *enclosing) introduce(v *ir.Value, found *orderedValues, visited map[*ir.Value]bool) {
	if visited[v] {
		return
	}
	visited[v] = true
	switch k := e.own.KindOf(v); {
	case k == KindOwned:
		found.add(v)
		return
	case k != KindGuaranteed:
		return
	case e.own.beginsBorrow(v):
		found.add(v)
		return
	}
	var t *ir.Inst
	if v.IsArg() {
		if t = TerminatorOf(v, e.own.Preds); t == nil {
			e.ofForwardingPhi(v, found)
			return
		}
		e.introduce(t.Arg(0), found, visited)
		return
	}
	i := v.Inst()
	for n := range i.Operands {
		if e.own.UseOf(&i.Operands[n]) == op.OwnershipGuaranteedForwarding {
			e.introduce(i.Arg(n), found, visited)
		}
	}
}

// ofForwardingPhi finds what introduces the values that branches pass.
func (e *enclosing) ofForwardingPhi(v *ir.Value, found *orderedValues) {
	e.ofPhi(v, found, func(from *ir.Value, there *orderedValues) { e.introduce(from, there, map[*ir.Value]bool{}) })
}

// ofReborrow finds what the borrow scopes that branches pass borrow.
func (e *enclosing) ofReborrow(v *ir.Value, found *orderedValues) {
	e.ofPhi(v, found, func(from *ir.Value, there *orderedValues) {
		if i := from.Inst(); i != nil && i.Op == op.Borrowed { // another name of a block argument
			from = i.Arg(0)
		}
		switch {
		case e.own.KindOf(from) != KindGuaranteed:
		case from.IsArg() && !isParameter(from):
			e.ofReborrow(from, there)
		case from.Inst() != nil && from.Inst().Op == op.BeginBorrow:
			e.introduce(from.Inst().Arg(0), there, map[*ir.Value]bool{})
		}
	})
}

// ofPhi finds the definitions of each value that branches pass, as the block knows them.
func (e *enclosing) ofPhi(v *ir.Value, found *orderedValues, definitions func(from *ir.Value, there *orderedValues)) {
	known := e.phis[v]
	if known == nil {
		known = &orderedValues{}
		e.phis[v] = known
	}
	if !e.met[v] {
		e.met[v] = true
		for _, x := range e.own.IncomingOperands(v) {
			var there orderedValues
			definitions(x.Value(), &there)
			for _, def := range there.list {
				e.more = known.add(behindBranch(x.User(), v.Block(), def)) || e.more
			}
		}
	}
	for _, def := range known.list {
		found.add(def)
	}
}

// behindBranch returns the argument of the block that takes the value's place when the branch passes it, else the value.
func behindBranch(branch *ir.Inst, to *ir.Block, v *ir.Value) *ir.Value {
	for n := range branch.Operands {
		if branch.Arg(n) == v {
			if arg := ReceivedBy(branch, n); arg != nil && arg.Block() == to {
				return arg
			}
		}
	}
	return v
}

// InnerAdjacentPhis lists the arguments of the block of v, one of them, whose lifetimes lie in that of v.
func (o *Ownership) InnerAdjacentPhis(v *ir.Value) []*ir.Value {
	var list []*ir.Value
	for _, a := range v.Block().Args {
		if a != v && o.enclosesBeside(v, a) {
			list = append(list, a)
		}
	}
	return list
}
