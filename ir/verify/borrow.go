package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

// scopeEnds adds the places at which a scope ends that the use begins: up to there its value is used.
func (o *owner) scopeEnds(u *use, to []event) []event {
	if u.own != op.OwnershipBorrow {
		return to
	}
	switch u.inst.Op {
	case op.BeginBorrow, op.StoreBorrow:
		if r := u.inst.Result(); r != nil {
			to = o.endsOf(r, u.inst, to)
		}
	case op.BeginApply:
		to = o.tokenUses(u.inst, to)
	case op.Builtin:
		ownership.AsyncLetEnds(u.inst, func(end *ir.Inst) { to = append(to, event{end, u.inst}) })
	case op.PartialApply, op.MarkDependence:
		if r := u.inst.Result(); r != nil {
			to = o.closureEnds(r, u.inst, to)
		}
	}
	return to
}

// endsOf adds the uses that end the scope of a borrowed value or of the address of a store_borrow.
func (o *owner) endsOf(v *ir.Value, why *ir.Inst, to []event) []event {
	o.each(v, func(u *use) {
		if u.own == op.OwnershipEndBorrow || u.own == op.OwnershipReborrow {
			to = append(to, event{u.inst, why})
		}
	})
	return to
}

// tokenUses adds the end_apply and abort_apply of a begin_apply.
func (o *owner) tokenUses(i *ir.Inst, to []event) []event {
	if n := len(i.Results); n > 0 {
		o.each(i.Results[n-1], func(u *use) {
			if u.inst.Op == op.EndApply || u.inst.Op == op.AbortApply { // a mark_dependence may name the token, too
				to = append(to, event{u.inst, i})
			}
		})
	}
	return to
}

// closureEnds adds the places where a value that borrows others is destroyed, under whatever name.
func (o *owner) closureEnds(v *ir.Value, why *ir.Inst, to []event) []event {
	work := worklist.Of(v)
	for v := range work.All() {
		o.each(v, func(u *use) {
			switch {
			case u.own == op.OwnershipForwardingConsume && len(u.inst.Results) > 0:
				work.Push(u.inst.Results...)
			case ownership.EndsLifetime(u.own):
				to = append(to, event{u.inst, why})
			}
		})
	}
	return to
}

// isForwarding reports whether the value is part of the borrow scope of another one, with which it is checked.
func (o *owner) isForwarding(v *ir.Value) bool {
	return !(v.IsArg() && v.Block() == o.c.f.Entry()) && !ownership.BeginsBorrow(v)
}

// guaranteed checks the borrow scope that a value begins.
func (o *owner) guaranteed(info *valueInfo) {
	v := info.value
	if o.isForwarding(v) {
		return
	}
	consumes, regular, ok := o.borrowed(v)
	if !ok {
		return
	}
	b := v.Block()
	if v.IsArg() && b == o.c.f.Entry() {
		for _, e := range consumes {
			o.c.diags.InstErrorf(e.inst.Pos, "ownership-kind", "%s ends the lifetime of %s, a guaranteed parameter", e.inst.Op, v)
		}
		return
	}
	if len(consumes) == 0 {
		if i := v.Inst(); i != nil && i.Op == op.BeginApply {
			if consumes = o.tokenUses(i, nil); len(consumes) > 0 {
				for n := range consumes {
					consumes[n].why = nil
				}
				o.report(v, o.life.check(b, consumes, regular), yieldWords)
			}
			return
		}
		if !o.dead[b.Index] {
			o.c.diags.InstErrorf(o.place(v), "ownership-borrow-unended", "the borrow scope of %s is never ended", v)
		}
		return
	}
	o.report(v, o.life.check(b, consumes, regular), borrowWords)
}

var yieldWords = &words{
	double: "ownership-double-consume", doubleText: "the access that yields %s is ended twice",
	use: "ownership-use-outside-borrow", useText: "%s is used after the end of the access that yields it",
	scope: "ownership-use-outside-borrow", scopeText: "the access that yields %s ends before a scope that is nested in it",
	leak: "ownership-borrow-unended", leakText: "the access that yields %s is not ended on every path",
	stray: "ownership-use-outside-borrow", strayText: "%s is used where the access that yields it may have ended",
	note: "ended here",
}

// borrowed gathers the uses of a borrowed value and of everything that is part of it. It is not ok when something
// about them is unknown or already reported.
func (o *owner) borrowed(base *ir.Value) (consumes, regular []event, ok bool) {
	ok = true
	work := worklist.Of(base)
	for _, phi := range o.phis[base] { // what is made of them is not looked at
		o.each(phi, func(u *use) {
			if ownership.EndsLifetime(u.own) {
				ok = false
				o.c.diags.InstErrorf(u.inst.Pos, "ownership-kind", "%s ends the scope of %s, which is only part of %s", u.inst.Op, phi, base).
					Note(definition(base), "%s is defined here", base)
			}
			regular = append(regular, event{inst: u.inst})
		})
	}
	push := func(v *ir.Value) {
		switch o.kindOf(v) {
		case ownership.KindGuaranteed:
			work.Push(v)
		case ownership.KindUnknown:
			ok = false
		}
	}
	for v := range work.All() {
		if id, known := o.ids[v]; known && !o.vals[id].clear {
			ok = false
		}
		o.each(v, func(u *use) {
			switch {
			case u.own == op.OwnershipNonUse:
			case ownership.EndsLifetime(u.own) && v != base:
				ok = false
				o.c.diags.InstErrorf(u.inst.Pos, "ownership-kind", "%s ends the scope of %s, which is only part of %s", u.inst.Op, v, base).
					Note(definition(base), "%s is defined here", base)
			case ownership.EndsLifetime(u.own):
				consumes = append(consumes, event{inst: u.inst})
			case u.own == op.OwnershipGuaranteedForwarding:
				regular = append(regular, event{inst: u.inst})
				o.parts(u, push)
			default:
				regular = append(regular, event{inst: u.inst})
				regular = o.scopeEnds(u, regular)
				if u.own == op.OwnershipInteriorPointer {
					for _, r := range u.inst.Results {
						regular = o.addressUses(r, regular)
					}
				}
			}
		})
	}
	return consumes, regular, ok
}

// parts calls push for what a forwarding use makes of its value: results, or the arguments of the next blocks.
func (o *owner) parts(u *use, push func(*ir.Value)) {
	if !u.inst.Row().IsTerminator() {
		for _, r := range u.inst.Results {
			push(r)
		}
		return
	}
	if u.inst.Op == op.Br || u.inst.Op == op.CondBr {
		return // a block argument is checked against its bases
	}
	for _, e := range u.inst.Succs {
		if e.To != nil && e.N == 0 {
			for _, a := range e.To.Args {
				push(a)
			}
		}
	}
}

// addressUses adds all uses of an address and of the addresses made from it.
func (o *owner) addressUses(v *ir.Value, to []event) []event {
	work := worklist.Of(v)
	for v := range work.All() {
		o.each(v, func(u *use) {
			to = append(to, event{inst: u.inst})
			switch {
			case u.inst.Op == op.LoadBorrow:
				to = o.endsOf(u.inst.Result(), u.inst, to)
			case ownership.ProjectsAddress(u.inst, u.n):
				for _, r := range u.inst.Results {
					if r.Type != nil && r.Type.IsAddress() {
						work.Push(r)
					}
				}
			}
		})
	}
	return to
}

// reborrows checks that block arguments which go on borrowing an owned value lie within its lifetime.
func (o *owner) reborrows(info *valueInfo) {
	type pair struct{ phi, base *ir.Value }
	work := worklist.Of[pair]()
	follow := func(from, base *ir.Value) {
		o.each(from, func(u *use) {
			if u.own != op.OwnershipReborrow {
				return
			}
			for _, e := range u.inst.Succs {
				if u.n < e.First || u.n >= e.First+e.N || e.To == nil {
					continue
				}
				next := base
				for k := 0; k < e.N && k < len(e.To.Args); k++ {
					if u.inst.Arg(e.First+k) == base {
						next = e.To.Args[k]
					}
				}
				if k := u.n - e.First; k < len(e.To.Args) {
					work.Push(pair{e.To.Args[k], next})
				}
			}
		})
	}
	o.each(info.value, func(u *use) {
		if u.inst.Op == op.BeginBorrow {
			follow(u.inst.Result(), info.value)
		}
	})
	for p := range work.All() {
		o.within(p.phi, p.base)
		follow(p.phi, p.base)
	}
}

// within checks that the uses of a block argument come before the base is consumed.
func (o *owner) within(phi, base *ir.Value) {
	id, ok := o.ids[base]
	if !ok || !o.vals[id].clear || o.vals[id].kind != ownership.KindOwned {
		return
	}
	var consumes, regular []event
	o.each(base, func(u *use) {
		if ownership.EndsLifetime(u.own) {
			consumes = append(consumes, event{inst: u.inst})
		}
	})
	if len(consumes) == 0 {
		return
	}
	o.each(phi, func(u *use) { regular = append(regular, event{inst: u.inst}) })
	for _, f := range o.life.check(base.Block(), consumes, regular) {
		if f.fault == faultUse || f.fault == faultStray {
			o.c.diags.InstErrorf(f.at.inst.Pos, "ownership-borrow-consumed", "%s is used after %s, which it borrows, was consumed", phi, base).
				Note(o.place(base), "%s is defined here", base)
			return
		}
	}
}
