package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// liveRange is the life of an owned value under all the names that it gets by forwarding.
type liveRange struct {
	v          *arcVisitor
	value      *ir.Value
	destroys   []*ir.Operand
	forwarding []*ir.Operand // uses that could as well hand on a borrowed value
	unknown    []*ir.Operand // other uses that consume it
}

// consuming lists all instructions that consume the value.
func (r *liveRange) consuming() []*ir.Inst {
	var list []*ir.Inst
	for _, group := range [][]*ir.Operand{r.destroys, r.forwarding, r.unknown} {
		for _, x := range group {
			list = append(list, x.User())
		}
	}
	return list
}

// isForwarding has the uses whose results live no longer than the operand.
var isForwarding = map[op.Ownership]bool{
	op.OwnershipBorrow: true, op.OwnershipReborrow: true, op.OwnershipGuaranteedForwarding: true,
	op.OwnershipInteriorPointer: true, op.OwnershipAnyInteriorPointer: true,
}

// extent lists all instructions up to which the value, what it is forwarded to and what is borrowed from it live: what consumes them, and the
// uses too, as after them the value may leak where the program ends.
func (r *liveRange) extent() []*ir.Inst {
	list := r.consuming()
	listed := map[*ir.Inst]bool{}
	for _, i := range list {
		listed[i] = true
	}
	work := worklist.Of(r.value)
	for x := range work.All() {
		for u := x.FirstUse(); u != nil; u = u.NextUse() {
			i := u.User()
			if !listed[i] {
				listed[i] = true
				list = append(list, i)
			}
			switch {
			case x.Type.IsAddress():
				if ownership.ProjectsAddress(i, u.Number()) {
					work.Push(i.Result())
				}
			case isForwarding[r.v.own.UseOf(u)], ownership.ForwardsBorrowed(i, r.v.Context.Module):
				r.v.own.Forwarded(u, func(v *ir.Value) { work.Push(v) })
			}
		}
	}
	return list
}

// borrow makes the users use the guaranteed value by instead, of which nothing has to be destroyed.
func (r *liveRange) borrow(by *ir.Value) {
	for _, x := range r.destroys {
		r.v.erase(x.User())
	}
	i := r.value.Inst()
	r.makeGuaranteed()
	r.v.replaceUses(r.value, by)
	r.v.erase(i)
}

// makeGuaranteed makes what hands the value on hand on a guaranteed value.
func (r *liveRange) makeGuaranteed() {
	for _, x := range r.forwarding {
		i := x.User()
		i.Forwarding = ir.OwnershipUnspecified
		if i.Op.IsTerminator() {
			for _, e := range i.Succs {
				for _, a := range e.To.Args {
					if a.Ownership == ir.OwnershipOwned {
						a.Ownership = ir.OwnershipGuaranteed
					}
				}
			}
		}
	}
}

// singleUnknown returns the only unknown consuming use, nil when there are none or several.
func (r *liveRange) singleUnknown() *ir.Operand {
	if len(r.unknown) == 1 {
		return r.unknown[0]
	}
	return nil
}

// insertEndBorrows ends the borrow by at the places where the owned value ceased to live.
func (r *liveRange) insertEndBorrows(by *ir.Value) {
	l := ownership.NewLiveness(r.v.Preds)
	l.Define(r.value)
	for _, i := range r.consuming() {
		l.Use(i, true)
	}
	b := l.Boundary()
	b.After(func(at *ir.Inst) {
		if !r.v.InDeadEnd(at) {
			rewrite.Emit(r.v.Before(at), op.EndBorrow, by)
		}
	})
}

// liveRange gathers the uses that end the life of an owned value: destroys, forwarding uses, whose results it follows, and others.
func (v *arcVisitor) liveRange(x *ir.Value) *liveRange {
	r := &liveRange{v: v, value: x}
	work := x.UseList()
	seen := map[*ir.Operand]bool{}
	for x := range worklist.Drain(&work) {
		i := x.User()
		if seen[x] || !ownership.EndsLifetime(v.own.UseOf(x)) {
			continue
		}
		seen[x] = true
		if i.Op == op.DestroyValue {
			r.destroys = append(r.destroys, x)
			continue
		}
		if !ownership.ForwardsBorrowed(i, v.Context.Module) || v.ownedOperands(i) != 1 || v.makesDeinit(i) {
			r.unknown = append(r.unknown, x)
			continue
		}
		r.forwarding = append(r.forwarding, x)
		v.own.Forwarded(x, func(res *ir.Value) {
			k := v.own.KindOf(res)
			if k == ownership.KindNone && i.Op.IsTerminator() {
				r.unknown = append(r.unknown, x) // the value may be none on this way only
			}
			if k == ownership.KindOwned {
				work = append(work, res.UseList()...)
			}
		})
	}
	return r
}

// makesDeinit reports whether an instruction makes a value that runs a deinit when it is destroyed, which a borrowed one doesn't.
func (v *arcVisitor) makesDeinit(i *ir.Inst) bool {
	for _, r := range i.Results {
		if v.Types.HasDeinit(r.Type) {
			return true
		}
	}
	return false
}

func (v *arcVisitor) ownedOperands(i *ir.Inst) int {
	n := 0
	for k := range i.Operands {
		if a := i.Arg(k); a != nil && v.own.KindOf(a) == ownership.KindOwned {
			n++
		}
	}
	return n
}

// replaceUses is replace for a value whose instruction stays.
func (v *arcVisitor) replaceUses(x, by *ir.Value) {
	for x.FirstUse() != nil {
		x.FirstUse().Set(by)
		v.work.Push(by)
	}
}
