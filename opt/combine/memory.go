package combine

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// retainsBeforeEnd reports whether something is retained between an instruction and the end of the slot's use.
func retainsBeforeEnd(from *ir.Inst, address *ir.Value) bool {
	return !cfg.WalkPathsFrom(from, func(i *ir.Inst) cfg.Path {
		switch {
		case i.Op == op.RetainValue || i.Op == op.StrongRetain:
			return cfg.Fail
		case (i.Op == op.DeallocStack || i.Op == op.DestroyAddr) && i.Arg(0) == address:
			return cfg.EndPath
		}
		return cfg.Follow
	})
}

// isExactMetatype reports whether a metatype came out of an exact cast: it is that of its class and of no subclass.
func isExactMetatype(v *ir.Value, preds *cfg.Predecessors) bool {
	b := v.Block()
	if !v.IsArg() || b == b.Func.Entry() {
		return false
	}
	from := preds.Single(b)
	return from != nil && from.Last().Op == op.CheckedCastBr && from.Last().Has(op.QualExact) && from.Last().Succs[0].To == b
}

// The rules for stack slots, objects and addresses.

// indexAddr adds up constant indices.
func (r *Combiner) indexAddr(i *ir.Inst) bool {
	inner := facts.DefinedBy(i.Arg(0), op.IndexAddr)
	if inner == nil {
		return false
	}
	a, b := facts.Literal(i.Arg(1)), facts.Literal(inner.Arg(1))
	if a == nil || b == nil || a.Sign() < 0 || b.Sign() < 0 || a.BitLen() > 32 || b.BitLen() > 32 {
		return false
	}
	n := r.number(i, i.Arg(1).Type, a.Int64()+b.Int64())
	return r.instead(i, &ir.Inst{Op: op.IndexAddr, Quals: i.Quals}, inner.Arg(0), n)
}

func (r *Combiner) allocStack(i *ir.Inst) bool {
	return !r.Context.IsSet("sil-combine-disable-alloc-stack-opts") && (r.slotOfEnum(i) || r.slotOfExistential(i))
}

// slotOfEnum replaces a slot that only holds one case of an enum by a slot of the payload.
func (r *Combiner) slotOfEnum(slot *ir.Inst) bool {
	address := slot.Results[0]
	d := r.Context.Module.DeclOf(address.Type.Object())
	if address.Type.Object().Kind != ir.KindNominal || d == nil || d.Kind != ir.Enum {
		return false
	}
	name := ""
	var payload *ir.Type
	var inits, takes []*ir.Inst
	for u := range address.Uses() {
		i := u.User()
		switch i.Op {
		case op.DebugValue, op.DestroyAddr, op.DeallocStack, op.InjectEnumAddr:
		case op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr:
			if name != "" && facts.CaseOf(i) != name {
				return false
			}
			name = facts.CaseOf(i)
			if i.Op == op.InitEnumDataAddr {
				payload = i.Results[0].Type.Object()
				inits = append(inits, i)
			} else {
				takes = append(takes, i)
			}
		default:
			return false
		}
	}
	if payload == nil {
		return false
	}
	pair := len(inits) == 1 && len(takes) == 1 && inits[0].Block() == takes[0].Block()
	for u := address.FirstUse(); u != nil && !pair; u = u.NextUse() {
		if i := u.User(); i.Op == op.InjectEnumAddr && facts.CaseOf(i) != name {
			return false
		}
	}
	by := r.emit(slot, &ir.Inst{Op: op.AllocStack, Quals: slot.Quals.Only(op.QualDynamicLifetime), Types: []*ir.Type{payload}, Aux: slot.Aux}).Results[0]
	for u := address.FirstUse(); u != nil; u = address.FirstUse() {
		i := u.User()
		switch i.Op {
		case op.InjectEnumAddr, op.DebugValue:
			r.erase(i)
		case op.DestroyAddr:
			if pair {
				r.erase(i)
			} else {
				u.Set(by)
			}
		case op.DeallocStack:
			u.Set(by)
		default:
			r.replace(i, by)
		}
	}
	r.Push(slot)
	return true
}

// slotOfExistential replaces a slot of an existential by one of the concrete value, and removes a slot that is only copied to.
func (r *Combiner) slotOfExistential(slot *ir.Inst) bool {
	address := slot.Results[0]
	var init, open *ir.Inst
	copied := false
	for u := range address.Uses() {
		i := u.User()
		switch i.Op {
		case op.DebugValue, op.DestroyAddr, op.DeinitExistentialAddr, op.DeallocStack:
		case op.InitExistentialAddr:
			if init != nil || copied {
				return false
			}
			init = i
		case op.OpenExistentialAddr:
			if open != nil || facts.OpensNamedType(i) {
				return false
			}
			for w := range i.Results[0].Uses() {
				if w.User().Op != op.DestroyAddr && !facts.IsDebug(w.User()) {
					return false
				}
			}
			open = i
		case op.CopyAddr:
			if init != nil || i.Arg(1) != address || i.Arg(0) == address {
				return false
			}
			copied = true
		default:
			return false
		}
	}
	switch {
	case init != nil && open == nil:
		return r.concreteSlot(slot, init)
	case copied && init == nil:
		return r.deadSlot(slot)
	}
	return false
}

func (r *Combiner) concreteSlot(slot, init *ir.Inst) bool {
	t := init.Results[0].Type.Object()
	if t.HasLocal() {
		return false
	}
	by := r.emit(slot, &ir.Inst{Op: op.AllocStack, Types: []*ir.Type{t}, Aux: slot.Aux}).Results[0]
	address := slot.Results[0]
	r.replace(init, by)
	for u := address.FirstUse(); u != nil; u = address.FirstUse() {
		switch i := u.User(); i.Op {
		case op.DestroyAddr, op.DeallocStack:
			u.Set(by)
		default:
			r.erase(i)
		}
	}
	r.erase(slot)
	return true
}

// deadSlot removes a slot that is only copied to; what was taken is destroyed where it was. A value that cannot be copied stays: its
// deinit has its place in the program, and in that deinit nothing destroys self.
func (r *Combiner) deadSlot(slot *ir.Inst) bool {
	address := slot.Results[0]
	if r.isNoncopyable(address.Type.Object()) {
		return false
	}
	var takes []*ir.Inst
	for u := range address.Uses() {
		if i := u.User(); i.Op == op.CopyAddr && i.Has(op.QualTake) {
			if retainsBeforeEnd(i, address) {
				return false
			}
			takes = append(takes, i)
		}
	}
	for _, i := range takes {
		r.emit(i, &ir.Inst{Op: op.DestroyAddr}, i.Arg(0))
	}
	r.eraseWithUsers(slot)
	return true
}

// isNoncopyable reports whether a type is ~Copyable, or a generic parameter that may be.
func (r *Combiner) isNoncopyable(t *ir.Type) bool {
	if t.Kind == ir.KindMoveOnly || !r.Context.Module.IsCopyable(t) {
		return true
	}
	ft := r.Func.Type
	if ft == nil || ft.Func == nil || ft.Func.Generic == nil {
		return false
	}
	return slices.ContainsFunc(ft.Func.Generic.Requirements, func(q ir.Requirement) bool {
		return q.Subject == t && q.Inverse() == ir.KnownCopyable
	})
}

// allocRefDynamic allocates the class that the metatype is known to be.
func (r *Combiner) allocRefDynamic(i *ir.Inst) bool {
	at := len(i.Operands) - 1
	if ownership.Column(i, 0) == 0 || at < 0 {
		return false
	}
	meta := i.Arg(at)
	if up := facts.DefinedBy(meta, op.Upcast); up != nil {
		meta = up.Arg(0)
	}
	if c := facts.DefinedBy(meta, op.UncheckedTrivialBitCast); c != nil && facts.DefinedBy(c.Arg(0), op.Metatype) != nil {
		meta = c.Arg(0)
	}
	if facts.DefinedBy(meta, op.Metatype) == nil && !isExactMetatype(meta, r.preds) {
		return false
	}
	t := meta.Type.Elem
	if t.Kind == ir.KindDynamicSelf {
		t = t.Elem
	}
	if !r.Context.Module.IsClassType(t) {
		return false
	}
	if i.Has(op.QualStack) && t != i.Results[0].Type { // what deallocates it names the allocation itself, not a cast of it
		return false
	}
	types := slices.Clone(i.Types) // of tail elements, and of the object
	types[len(types)-1] = t
	var counts []*ir.Value
	for n := range at {
		counts = append(counts, i.Arg(n))
	}
	v := r.emit(i, &ir.Inst{Op: op.AllocRef, Quals: i.Quals, Types: types}, counts...).Results[0]
	switch {
	case v.Type == i.Results[0].Type:
		return r.replace(i, v)
	case meta != i.Arg(at) && facts.DefinedBy(i.Arg(at), op.UncheckedTrivialBitCast) != nil:
		return r.cast(i, op.UncheckedRefCast, v)
	}
	return r.cast(i, op.Upcast, v)
}
