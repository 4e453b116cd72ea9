package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/source"
)

// ownership checks the rules of ownership form for every value (docs/SIL.rst, Ownership SSA): each owned value is
// consumed exactly once on every path out of the function, each borrow scope is ended and lies within the
// lifetime of what it borrows, each use takes a value of the ownership it asks for.
func (o *owner) ownership() {
	o.trivialStores()
	for n := range o.vals {
		o.compatible(&o.vals[n])
	}
	o.phis = o.partPhis()
	for n := range o.vals {
		info := &o.vals[n]
		b := info.value.Block()
		if !o.c.dom.IsReachable(b) || !info.clear {
			continue
		}
		switch info.kind {
		case ownership.KindOwned:
			o.owned(info)
		case ownership.KindGuaranteed:
			o.guaranteed(info)
		}
	}
}

// compatible compares the ownership of a value with what its uses ask for.
func (o *owner) compatible(info *valueInfo) {
	if info.kind == ownership.KindUnknown {
		info.clear = false
		return
	}
	for n := info.first; n >= 0; n = o.uses[n].next {
		u := &o.uses[n]
		if u.own == 0 {
			info.clear = false
			continue
		}
		if ownership.Accepts(u.own, info.kind) {
			continue
		}
		info.clear = false
		o.c.diags.InstErrorf(u.inst.Pos, "ownership-kind", "%s needs %s, %s is %s", u.inst.Op, wanted(u.own), info.value, info.kind).
			Note(definition(info.value), "%s is defined here", info.value)
	}
}

// wanted says in words what a use asks for.
func wanted(own op.Ownership) string {
	switch own {
	case op.OwnershipTrivialUse:
		return "a value without ownership"
	case op.OwnershipDestroyingConsume, op.OwnershipForwardingConsume:
		return "an owned value"
	case op.OwnershipInteriorPointer, op.OwnershipGuaranteedForwarding:
		return "a guaranteed value"
	case op.OwnershipEndBorrow, op.OwnershipReborrow:
		return "a borrowed value"
	}
	return "a value that is owned or guaranteed"
}

// owned checks the lifetime of an owned value.
func (o *owner) owned(info *valueInfo) {
	var consumes, regular []event
	for n := info.first; n >= 0; n = o.uses[n].next {
		u := &o.uses[n]
		switch {
		case u.own == op.OwnershipNonUse:
		case ownership.EndsLifetime(u.own):
			consumes = append(consumes, event{inst: u.inst})
		default:
			regular = append(regular, event{inst: u.inst})
			regular = o.scopeEnds(u, regular)
		}
	}
	b := info.value.Block()
	if len(consumes) == 0 {
		if !o.dead[b.Index] {
			o.c.diags.InstErrorf(o.place(info.value), "ownership-leak", "%s is owned and never consumed", info.value)
		}
		return
	}
	o.report(info.value, o.life.check(b, consumes, regular), ownedWords)
	o.reborrows(info)
}

// words are the codes and sentences for the faults of one kind of lifetime.
type words struct {
	double, doubleText string
	use, useText       string
	scope, scopeText   string // a use on behalf of a scope
	leak, leakText     string
	stray, strayText   string
	note               string
}

var ownedWords = &words{
	double: "ownership-double-consume", doubleText: "%s is consumed twice",
	use: "ownership-use-after-consume", useText: "%s is used after it was consumed",
	scope: "ownership-borrow-consumed", scopeText: "%s is consumed while it is borrowed",
	leak: "ownership-leak", leakText: "%s is not consumed on every path",
	stray: "ownership-use-after-consume", strayText: "%s is used where it may have been consumed",
	note: "consumed here",
}

var borrowWords = &words{
	double: "ownership-double-consume", doubleText: "the borrow scope of %s is ended twice",
	use: "ownership-use-outside-borrow", useText: "%s is used after the end of its borrow scope",
	scope: "ownership-use-outside-borrow", scopeText: "the borrow scope of %s ends before one that is nested in it",
	leak: "ownership-borrow-unended", leakText: "the borrow scope of %s is not ended on every path",
	stray: "ownership-use-outside-borrow", strayText: "%s is used where its borrow scope may have ended",
	note: "ended here",
}

// report turns findings about a value into diagnostics.
func (o *owner) report(v *ir.Value, found []finding, w *words) {
	seen := map[fault]bool{}
	for _, f := range found {
		if seen[f.fault] {
			continue
		}
		seen[f.fault] = true
		switch f.fault {
		case faultDouble:
			o.c.diags.InstErrorf(f.at.inst.Pos, w.double, w.doubleText, v).Note(f.note.inst.Pos, "first %s", w.note)
		case faultUse:
			code, text := w.use, w.useText
			if f.at.why != nil {
				code, text = w.scope, w.scopeText
				o.c.diags.InstErrorf(f.note.inst.Pos, code, text, v).Note(f.at.why.Pos, "the scope begins here").Note(f.at.inst.Pos, "it ends here")
				continue
			}
			o.c.diags.InstErrorf(f.at.inst.Pos, code, text, v).Note(f.note.inst.Pos, "%s", w.note)
		case faultStray:
			o.c.diags.InstErrorf(f.at.inst.Pos, w.stray, w.strayText, v).Note(definition(v), "%s is defined here", v)
		case faultLeak:
			o.c.diags.InstErrorf(o.place(v), w.leak, w.leakText, v).Note(f.block.First().Pos, "not on a path through block %s", f.block.Name)
		}
	}
}

// place returns a position for findings about a value as a whole.
func (o *owner) place(v *ir.Value) source.Pos {
	if i := v.Inst(); i != nil {
		return i.Pos
	}
	b := v.Block()
	if b == o.c.f.Entry() || b.First() == nil {
		return o.c.f.Pos
	}
	return b.First().Pos
}
