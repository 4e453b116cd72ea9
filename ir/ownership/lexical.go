package ownership

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// IsLexical reports whether the lifetime of an owned or borrowed value is that of a variable of the source: it may not be shortened over
// a deinit barrier (docs/SIL.rst, Lexical Lifetimes).
func (o *Ownership) IsLexical(v *ir.Value) bool {
	work := worklist.Of(v)
	for v := range work.All() {
		switch i := v.Inst(); {
		case i != nil:
			if (i.Op == op.BeginBorrow || i.Op == op.MoveValue) && i.Has(op.QualLexical) {
				return true
			}
		case !v.IsArg():
		case isParameter(v):
			if o.KindOf(v) == KindOwned && o.isLexicalParameter(v) {
				return true
			}
		default:
			work.Push(o.Incoming(v)...)
		}
	}
	return false
}

func (o *Ownership) isLexicalParameter(v *ir.Value) bool {
	switch {
	case v.Flags.Has(ir.ArgEagerMove):
		return false
	case v.Flags.Has(ir.ArgLexical):
		return true
	}
	return !o.Types.IsEagerMove(v.Type)
}

// Incoming lists the values that branches pass to a block argument, nothing for the result of a terminator or a parameter.
func (o *Ownership) Incoming(v *ir.Value) []*ir.Value {
	var list []*ir.Value
	for _, x := range o.IncomingOperands(v) {
		list = append(list, x.Value())
	}
	return list
}

// IncomingOperands lists the operands of branches that become the value of a block argument, in the order of the predecessors.
func (o *Ownership) IncomingOperands(v *ir.Value) []*ir.Operand {
	if !v.IsArg() || isParameter(v) {
		return nil
	}
	var list []*ir.Operand
	b := v.Block()
	seen := map[*ir.Block]bool{}
	for _, p := range o.Preds(b) {
		t := p.Terminator()
		if t == nil || seen[p] || t.Op != op.Br && t.Op != op.CondBr {
			continue
		}
		seen[p] = true
		for n := range t.Succs {
			if e := &t.Succs[n]; e.To == b && v.Index() < e.N {
				list = append(list, &t.Operands[e.First+v.Index()])
			}
		}
	}
	return list
}

// Escapes reports whether a pointer made of the value, or of what it is handed on to, may be used without being seen as a use of it.
func (o *Ownership) Escapes(v *ir.Value) bool {
	if k := o.KindOf(v); k != KindOwned && k != KindGuaranteed {
		return false
	}
	work := worklist.Of(v)
	add := func(v *ir.Value) {
		if v != nil {
			work.Push(v)
		}
	}
	for phis := o.Incoming(v); len(phis) > 0; {
		p := phis[len(phis)-1]
		phis = phis[:len(phis)-1]
		if !work.Has(p) {
			add(p)
			phis = append(phis, o.Incoming(p)...)
		}
	}
	for v := range work.All() {
		for x := range v.Uses() {
			i := x.User()
			switch o.UseOf(x) {
			case op.OwnershipPointerEscape, op.OwnershipForwardingUnowned:
				return true
			case op.OwnershipForwardingConsume:
				if i.Op == op.Br {
					add(ReceivedBy(i, x.Number()))
				}
			case op.OwnershipBorrow:
				if i.Op == op.BeginBorrow {
					add(i.Result())
				}
			case op.OwnershipReborrow:
				add(ReceivedBy(i, x.Number()))
			case op.OwnershipGuaranteedForwarding:
				o.Forwarded(x, func(r *ir.Value) {
					if o.KindOf(r) != KindNone {
						add(r)
					}
				})
			case op.OwnershipInteriorPointer:
				if AddressEscapes(i) {
					return true
				}
			}
		}
	}
	return false
}

// Forwarded calls yield for the values that take over what the operand hands on: the results, the arguments of the blocks to which a
// terminator goes, or the argument that a branch passes its value to.
func (o *Ownership) Forwarded(x *ir.Operand, yield func(r *ir.Value)) {
	i := x.User()
	if !i.Op.IsTerminator() {
		for _, r := range i.Results {
			yield(r)
		}
		return
	}
	if arg := ReceivedBy(i, x.Number()); arg != nil {
		yield(arg)
		return
	}
	if i.Op == op.Br || i.Op == op.CondBr {
		return
	}
	for _, e := range i.Succs {
		for _, a := range e.To.Args {
			yield(a)
		}
	}
}

// AddressEscapes reports whether the address that the instruction results in, or one derived from it, may be used without being seen.
func AddressEscapes(i *ir.Inst) bool {
	work := append([]*ir.Value(nil), i.Results...)
	for v := range worklist.Drain(&work) {
		for x := range v.Uses() {
			u := x.User()
			if ProjectsAddress(u, x.Number()) {
				work = append(work, u.Results...)
				continue
			}
			switch u.Op {
			case op.AddressToPointer, op.RefToRawPointer, op.UncheckedTrivialBitCast, op.PartialApply, op.Yield, op.MarkDependence:
				return true
			}
		}
	}
	return false
}

// IsForwarding reports whether the results of the instruction have the ownership of its operands.
func IsForwarding(i *ir.Inst) bool {
	switch i.Row().Results.Own {
	case op.ResultForwarded:
		return true
	case op.ResultGuaranteed:
		return len(i.Operands) > 0 && Column(i, 0) == op.OwnershipGuaranteedForwarding
	}
	return false
}

// ForwardsBorrowed reports whether the instruction can hand on an operand that is guaranteed as well as one that is owned.
func ForwardsBorrowed(i *ir.Inst, mod *ir.Module) bool {
	switch i.Op {
	case op.SwitchEnum, op.DynamicMethodBr:
		return true
	case op.CheckedCastBr, op.UnconditionalCheckedCast:
		return castKeepsReference(i, mod)
	case op.MarkUninitialized, op.MarkUnresolvedNonCopyableValue, op.DropDeinit:
		return false
	case op.Br, op.CondBr:
		return false
	}
	return IsForwarding(i)
}

// castKeepsReference reports whether the result of a cast is the very reference it takes: between classes.
func castKeepsReference(i *ir.Inst, mod *ir.Module) bool {
	v := i.Arg(0)
	if v == nil || v.Type == nil || len(i.Types) == 0 {
		return false
	}
	to := i.Types[len(i.Types)-1]
	isClass := func(t *ir.Type) bool {
		d := mod.DeclOf(t)
		return d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor) || t.IsBuiltin(ir.BuiltinNativeObject)
	}
	return isClass(v.Type) && isClass(to)
}
