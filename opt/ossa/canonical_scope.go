package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// outerUses moves the copies out of a borrow scope whose users lie after its end: the users get a copy of what is borrowed, made before
// the scope, and what hands the borrowed value on to them is done for the copy again.
//
//	%1 = begin_borrow %0               %1 = copy_value %0
//	%2 = copy_value %1                 %2 = begin_borrow %0
//	apply %f(%1)                   ⇒   apply %f(%2)
//	end_borrow %1                      end_borrow %2
//	apply %g(%2) : (@owned C)          apply %g(%1) : (@owned C)
type outerUses struct {
	*CopyPropagator
	borrow *ir.Inst
	ends   *ownership.Liveness // of the borrow scope
	users  map[*ir.Inst]bool   // users of copies that don't lie in the scope, or may not
	outer  map[*ir.Value]*ir.Value
	copies []*ir.Inst // that were made
}

// CanonicalizeScope removes the copies in a borrow scope that begins in the function; copies for what follows it are made before it. It
// reports whether it could, and lists the copies that it made.
func (p *CopyPropagator) CanonicalizeScope(borrow *ir.Inst) (copies []*ir.Inst, ok bool) {
	v := borrow.Result()
	if facts.IsMoveOnly(p.Context.Module, v.Type) {
		return nil, false
	}
	o := &outerUses{CopyPropagator: p, borrow: borrow, ends: ownership.NewLiveness(p.Preds), users: map[*ir.Inst]bool{}, outer: map[*ir.Value]*ir.Value{}}
	o.ends.Define(v)
	var last []*ir.Inst
	p.Own.BorrowEnds(v, func(end *ir.Inst) {
		o.ends.Use(end, true)
		last = append(last, end)
	})
	if !o.find(v) {
		return nil, false
	}
	o.dropInner(last)
	if len(o.users) == 0 {
		p.rewriteInner(v, map[*ir.Value]bool{})
		return nil, true
	}
	at := p.Before(borrow)
	at.Loc, at.Scope = nil, borrow.Scope
	copied := rewrite.Emit(at, op.CopyValue, borrow.Arg(0))
	o.copies = append(o.copies, copied)
	o.outer[v] = copied.Result()
	o.rewrite(v)
	p.Changed = true
	p.Context.Passed(p.Func, borrow, "copied what is borrowed before the scope, for uses after it")
	return o.copies, true
}

// extendedUses calls yield for the uses of a value in the scope and of its copies, and tells the ones that hand it on and can be done again.
func (o *outerUses) extendedUses(inner *ir.Value, yield func(x *ir.Operand, handsOn bool) bool) bool {
	work := worklist.Of(inner)
	for v := range work.All() {
		for _, x := range v.UseList() {
			i := x.User()
			switch {
			case i.Block() == nil:
				continue
			case i.Op == op.CopyValue:
				work.Push(i.Result())
				continue
			}
			handsOn := false
			switch o.Own.UseOf(x) {
			case op.OwnershipNonUse, op.OwnershipInteriorPointer, op.OwnershipAnyInteriorPointer, op.OwnershipEndBorrow, op.OwnershipReborrow:
				continue
			case op.OwnershipForwardingUnowned, op.OwnershipPointerEscape:
				if o.Own.KindOf(v) != ownership.KindGuaranteed {
					return false
				}
			case op.OwnershipGuaranteedForwarding, op.OwnershipForwardingConsume:
				handsOn = o.isRewritable(i) && i.Op != op.MoveValue
			case op.OwnershipTrivialUse, 0:
				return false
			}
			if i.Op == op.MoveValue || !yield(x, handsOn) {
				return false
			}
		}
	}
	return true
}

// find notes who may use the value or a copy of it after the scope; false when that can't be told.
func (o *outerUses) find(inner *ir.Value) bool {
	return o.extendedUses(inner, func(x *ir.Operand, handsOn bool) bool {
		i := x.User()
		if handsOn {
			o.note(i)
			for _, r := range i.Results {
				if o.Own.KindOf(r) != ownership.KindNone && !o.find(r) {
					return false
				}
			}
			return true
		}
		if o.Own.KindOf(x.Value()) == ownership.KindGuaranteed {
			return true
		}
		o.note(i)
		if o.Own.UseOf(x) != op.OwnershipBorrow {
			return true
		}
		known := false
		o.Own.ScopeEnds(x, func(end *ir.Inst) {
			known = end.Op != op.Br
			o.note(end)
		})
		return known
	})
}

func (o *outerUses) note(i *ir.Inst) {
	if !o.ends.LivesAtEnd(i.Block()) {
		o.users[i] = true
	}
}

// dropInner strikes out who lies in the scope: between its beginning and one of its ends.
func (o *outerUses) dropInner(ends []*ir.Inst) {
	scan := func(b *ir.Block, from *ir.Inst) {
		for i := from; i != nil && i != o.borrow; i = i.Prev() {
			delete(o.users, i)
		}
	}
	work := worklist.Of[*ir.Block]()
	for _, end := range ends {
		scan(end.Block(), end)
		if end.Block() != o.borrow.Block() {
			work.Push(end.Block())
		}
	}
	seen := map[*ir.Block]bool{}
	for b := range work.All() {
		for _, pred := range o.Preds(b) {
			if seen[pred] {
				continue
			}
			seen[pred] = true
			if scan(pred, pred.Last()); pred != o.borrow.Block() {
				work.Push(pred)
			}
		}
	}
}

// rewrite gives the users after the scope the outer value, and all others the inner one.
func (o *outerUses) rewrite(inner *ir.Value) {
	var consumes []*ir.Operand
	toOuter := func(x *ir.Operand) {
		from := x.Value()
		x.Set(o.outerValue(from))
		o.deleteChain(from)
		if o.Own.UseOf(x).IsConsume() {
			consumes = append(consumes, x)
		}
	}
	o.extendedUses(inner, func(x *ir.Operand, handsOn bool) bool {
		i := x.User()
		ends := o.users[i]
		o.Own.ScopeEnds(x, func(end *ir.Inst) { ends = ends || o.users[end] })
		switch {
		case ends:
			toOuter(x)
		case handsOn:
			if again := o.rewriteResults(i); again != nil && o.Own.UseOf(&again.Operands[0]).IsConsume() {
				consumes = append(consumes, &again.Operands[0])
			}
			from := x.Value()
			if !o.Del.DeleteIfDead(i) {
				x.Set(o.defInScope(from))
				i.Forwarding = ir.OwnershipUnspecified
			}
			o.deleteChain(from)
		default:
			o.rewriteUse(x)
		}
		return true
	})
	if v := o.outer[inner]; v != nil {
		o.end(v, consumes)
	}
}

// rewriteResults does so for what hands the value on, and returns the instruction that does it for the outer value, nil when nobody needs that.
func (o *outerUses) rewriteResults(i *ir.Inst) (again *ir.Inst) {
	for _, r := range i.Results {
		if o.Own.KindOf(r) == ownership.KindNone {
			continue
		}
		o.rewrite(r)
		if v := o.outer[r]; v != nil {
			again = v.Inst()
		}
	}
	return again
}

// outerValue returns what a value in the scope is outside of it.
func (o *outerUses) outerValue(v *ir.Value) *ir.Value {
	v = o.defInScope(v)
	if have := o.outer[v]; have != nil {
		return have
	}
	i := v.Inst()
	from := o.outerValue(i.Arg(0))
	again := o.Before(i).Emit(&ir.Inst{Op: i.Op, Quals: i.Quals, Types: slices.Clone(i.Types), Aux: i.Aux}, from)
	for n, r := range again.Results {
		r.Type = i.Results[n].Type
		o.outer[i.Results[n]] = r
	}
	return o.outer[v]
}

// end destroys an outer value after its last uses, unless they consume it, and gives those that consume it earlier a copy.
func (o *outerUses) end(v *ir.Value, consumes []*ir.Operand) {
	if !v.HasUses() {
		rewrite.Emit(o.After(v.Inst()), op.DestroyValue, v)
		return
	}
	live := ownership.NewLiveness(o.Preds)
	live.Define(v)
	for x := range v.Uses() {
		live.Use(x.User(), false)
		o.Own.ScopeEnds(x, func(end *ir.Inst) { live.Use(end, false) })
	}
	unclaimed := map[*ir.Inst]bool{}
	for _, x := range consumes {
		unclaimed[x.User()] = true
	}
	b := live.Boundary()
	b.LastUsers = slices.DeleteFunc(b.LastUsers, func(i *ir.Inst) bool {
		ends := unclaimed[i]
		delete(unclaimed, i)
		return ends
	})
	b.Edges = slices.DeleteFunc(b.Edges, func(to *ir.Block) bool { return to.Last().Op == op.Unreachable && to.First() == to.Last() })
	b.After(func(at *ir.Inst) { rewrite.Emit(o.Before(at), op.DestroyValue, v) })
	for _, x := range consumes {
		if unclaimed[x.User()] {
			o.Canon.copyUse(x)
			o.copies = append(o.copies, x.Value().Inst())
		}
		unclaimed[x.User()] = true
	}
}
