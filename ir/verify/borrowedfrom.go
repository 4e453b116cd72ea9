package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// borrowedFrom checks the names that borrowed instructions give to block arguments that branches pass guaranteed values to: since Swift 6.1
// each has one, which tells what has to live as long, and nothing else uses the argument.
//
//	bb1(%2 : @reborrow $C):
//	%3 = borrowed %2 from (%0)
func (o *owner) borrowedFrom() {
	names := map[*ir.Value]*ir.Inst{}
	for i := range o.c.f.Insts() {
		if i.Op != op.Borrowed {
			continue
		}
		v := i.Arg(0)
		switch {
		case !o.isPhi(v):
			o.c.diags.InstErrorf(i.Pos, "borrowed-from", "borrowed names an argument that branches pass values to, and %s is none", v)
		case o.kindOf(v) == ownership.KindOwned:
			o.c.diags.InstErrorf(i.Pos, "ownership-kind", "borrowed needs a guaranteed value, %s is owned", v)
		case names[v] != nil:
			o.c.diags.InstErrorf(i.Pos, "borrowed-from", "%s has two names of borrowed", v).Note(names[v].Pos, "this is the first")
		default:
			names[v] = i
			for n := 1; n < len(i.Operands); n++ {
				if a := i.Arg(n); a.Type != nil && a.Type.IsAddress() {
					o.c.diags.InstErrorf(i.Pos, "borrowed-from", "borrowed lists values that keep another one alive, and %s is an address", a)
				}
				o.isHandedOn(i.Arg(n), v, i)
			}
			o.encloses(i)
		}
	}
	for _, b := range o.c.f.Blocks {
		for _, v := range b.Args {
			if !o.c.dom.IsReachable(b) || o.kindOf(v) != ownership.KindGuaranteed || !o.isPhi(v) {
				continue
			}
			i := names[v]
			if i == nil {
				if o.c.isRead && o.mod.OmitTypes { // older compilers, which print the types of operands, do without
					o.c.diags.InstErrorf(o.place(v), "borrowed-from", "%s is guaranteed and passed by branches, and no borrowed says what it is borrowed from", v)
				}
				continue
			}
			for u := range v.Uses() {
				if x := u.User(); x.Op != op.Borrowed {
					o.c.diags.InstErrorf(x.Pos, "borrowed-from", "%s uses %s, not the name that borrowed gives it", x.Op, v).Note(i.Pos, "this is the name")
				}
			}
		}
	}
}

// isHandedOn reports a value that borrowed lists although its scope has ended: where a branch handed it on to the argument that it names.
func (o *owner) isHandedOn(v, to *ir.Value, name *ir.Inst) {
	o.each(v, func(u *use) {
		if u.own == op.OwnershipReborrow && ownership.ReceivedBy(u.inst, u.n) == to {
			o.c.diags.InstErrorf(name.Pos, "borrowed-from", "borrowed lists %s, whose scope a branch has handed on to %s", v, to).Note(u.inst.Pos, "this is the branch")
		}
	})
}

// encloses reports which values a borrowed instruction should list.
func (o *owner) encloses(i *ir.Inst) {
	if !o.c.dom.IsReachable(i.Block()) {
		return
	}
	for _, v := range o.own.EnclosingDefs(i.Arg(0)) {
		listed := o.ids[v] == o.ids[i.Result()] // a borrow scope that branches hand on as a whole
		for n := 1; n < len(i.Operands); n++ {
			listed = listed || !i.Arg(n).IsUndef() && o.ids[i.Arg(n)] == o.ids[v]
		}
		if !listed {
			o.c.diags.InstErrorf(i.Pos, "borrowed-from", "%s is borrowed from %s too, which borrowed does not list", i.Arg(0), v)
		}
	}
}

// isPhi reports whether branches pass the value, an argument of a block.
func (o *owner) isPhi(v *ir.Value) bool {
	if !v.IsArg() || v.Block() == o.c.f.Entry() {
		return false
	}
	for _, p := range o.c.dom.Preds[v.Block().Index] {
		if t := p.Last().Op; t != op.Br && t != op.CondBr {
			return false
		}
	}
	return true
}

// unownedResults checks what a function returns whose result is unowned: newer compilers, which don't print the types of operands, take a value
// that is owned there, and none that is borrowed or unowned.
func (o *owner) unownedResults() {
	if !o.c.isRead || !o.mod.OmitTypes || !o.own.ReturnsUnowned() {
		return
	}
	for _, b := range o.c.f.Blocks {
		i := b.Last()
		if i == nil || i.Op != op.Return {
			continue
		}
		if k := o.kindOf(i.Arg(0)); k == ownership.KindGuaranteed || k == ownership.KindUnowned {
			o.c.diags.InstErrorf(i.Pos, "ownership-kind", "return needs an owned value, %s is %s", i.Arg(0), k)
		}
	}
}

// nonescaping checks that a value that depends on another one, and says that it does not escape, is not returned by a function whose type does not
// say on what its result depends.
func (o *owner) nonescaping() {
	if fn := o.c.f.Type; fn == nil || fn.Func == nil || fn.Func.Lifetime != "" {
		return
	}
	for i := range o.c.f.Insts() {
		if i.Op != op.MarkDependence || !i.Has(op.QualNonescaping) || o.kindOf(i.Result()) != ownership.KindOwned {
			continue
		}
		for _, end := range o.closureEnds(i.Result(), i, nil) {
			if end.inst.Op == op.Return {
				o.c.diags.InstErrorf(end.inst.Pos, "escape", "%s depends on %s and is [nonescaping], and the type of @%s does not say that its result depends on anything",
					i.Result(), i.Arg(1), o.c.f.Name).Note(i.Pos, "it depends on %s here", i.Arg(1))
			}
		}
	}
}
