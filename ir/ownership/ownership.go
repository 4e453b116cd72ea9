package ownership

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// Ownership answers for one function which ownership its values have (KindOf) and what its operands do with them (UseOf), by the
// rules of ownership form.
type Ownership struct {
	Types *facts.Types
	// Lookup answers for values whose kind the caller has at hand; nil when there are none.
	Lookup func(v *ir.Value) (k Kind, ok bool)

	// Preds returns the predecessors of a block, where a question goes through block arguments.
	Preds func(b *ir.Block) []*ir.Block

	f *ir.Function
}

// New prepares for the function f; ts may be nil.
func New(f *ir.Function, ts *facts.Types) *Ownership {
	if ts == nil {
		mod := f.Module
		if mod == nil {
			mod = ir.NewModule(ir.NewTypes(), nil)
		}
		ts = facts.NewTypes(mod)
	}
	return &Ownership{Types: ts.In(f), f: f}
}

// KindOf returns the ownership of a value; undef has none. The work is that of the instructions that forward the value.
func (o *Ownership) KindOf(v *ir.Value) Kind {
	if v == nil || v.IsUndef() {
		return KindNone
	}
	if k, ok := o.leaf(v); ok {
		return k
	}
	i := v.Inst()
	return o.handedOn(v, o.Forwards(i))
}

// leaf returns the ownership of a value that is not forwarded, or is known otherwise.
func (o *Ownership) leaf(v *ir.Value) (Kind, bool) {
	if v.IsUndef() {
		return KindNone, true
	}
	if o.Lookup != nil {
		if k, ok := o.Lookup(v); ok {
			return k, true
		}
	}
	if v.IsArg() {
		return o.ArgKind(v), true
	}
	if !isForwarded(v) {
		return o.ResultKind(v), true
	}
	if o.Types.IsTrivial(v.Type) {
		return KindNone, true
	}
	if k := wrapperKind(v.Inst()); k != KindNone {
		return k, true
	}
	return 0, false
}

// wrapperKind returns the ownership that copyable_to_moveonlywrapper gives its result, which has one even if the value inside is trivial.
func wrapperKind(i *ir.Inst) Kind {
	switch {
	case i.Op != op.CopyableToMoveonlywrapper:
		return KindNone
	case i.Has(op.QualGuaranteed):
		return KindGuaranteed
	}
	return KindOwned
}

// ArgKind returns the ownership of a block argument. What is written at one of trivial type counts only where the function begins, as for the
// compiler.
func (o *Ownership) ArgKind(v *ir.Value) Kind {
	k := ArgKind(v)
	if k != KindNone && v.Block() != nil && v.Block() != v.Block().Func.Entry() && o.Types.IsTrivial(v.Type) {
		return KindNone
	}
	return k
}

// isForwarded reports whether a result has the ownership of the operands of its instruction.
func isForwarded(v *ir.Value) bool {
	i := v.Inst()
	if v.Type == nil || v.Type.IsAddress() || i.Op == op.Invalid || i.Row().Results.Own != op.ResultForwarded {
		return false
	}
	_, text := i.Aux.(*ir.TextAux)
	return !text && i.Forwarding == ir.OwnershipUnspecified
}

// unlessTrivial returns k for a type that is not trivial.
func (o *Ownership) unlessTrivial(t *ir.Type, k Kind) Kind {
	switch o.Types.Triviality(t) {
	case facts.Trivial:
		return KindNone
	case facts.Nontrivial:
		return k
	}
	return KindUnknown
}

// handedOn returns the ownership of a result whose instruction forwards k.
func (o *Ownership) handedOn(v *ir.Value, k Kind) Kind {
	if k == KindUnknown || o.Types.IsTrivial(v.Type) {
		return o.unlessTrivial(v.Type, k)
	}
	return k
}

// ResultKind returns the ownership of the result of an instruction by the rule of the instruction's row.
func (o *Ownership) ResultKind(r *ir.Value) Kind {
	i := r.Inst()
	if r.Type == nil || i == nil || i.Op == op.Invalid {
		return KindUnknown
	}
	if _, ok := i.Aux.(*ir.TextAux); ok {
		return KindUnknown
	}
	if r.Type.IsAddress() {
		return KindNone
	}
	switch i.Row().Results.Own {
	case op.ResultNone:
		return KindNone
	case op.ResultOwned:
		return o.ownedKind(i, r)
	case op.ResultGuaranteed:
		if i.Op == op.BeginBorrow || i.Op == op.LoadBorrow {
			return KindGuaranteed
		}
		if IsForwarding(i) && o.Forwards(i) == KindNone {
			return KindNone
		}
		return o.unlessTrivial(r.Type, KindGuaranteed)
	case op.ResultUnowned:
		return o.unlessTrivial(r.Type, KindUnowned)
	case op.ResultForwarded:
		return o.handedOn(r, o.Forwards(i))
	case op.ResultByConvention:
		return o.appliedKind(i, r)
	case op.ResultByQualifier:
		return qualifiedKind(i)
	case op.ResultByBuiltin:
		switch row := i.Builtin().Row(); {
		case row == nil:
		case row.ResultOwn == op.ResultOwned:
			return o.unlessTrivial(r.Type, KindOwned)
		case row.ResultOwn == op.ResultNone: // also where the type is not trivial, as in the compiler's own tests
			return KindNone
		}
		if o.Types.IsTrivial(r.Type) {
			return KindNone
		}
	}
	return KindUnknown
}

func (o *Ownership) ownedKind(i *ir.Inst, r *ir.Value) Kind {
	switch i.Op {
	case op.CopyValue, op.ExplicitCopyValue:
		return KindOwned
	case op.MoveValue: // that of a trivial value is in raw SIL only, as 6.2 prints it
		if b := i.Block(); b == nil || b.Func.Module == nil || b.Func.Module.Stage != ir.StageRaw {
			return KindOwned
		}
	case op.BeginCowMutation:
		if r.Index() == 0 {
			return KindNone
		}
		return KindOwned
	}
	return o.unlessTrivial(r.Type, KindOwned)
}

// Forwards returns the ownership that an instruction hands on: the one written after "forwarding:", or that
// of the first of the values it forwards that has one. Values that are forwarded themselves are looked through.
func (o *Ownership) Forwards(i *ir.Inst) Kind {
	if i.Forwarding != ir.OwnershipUnspecified {
		return i.Forwarding
	}
	if k := wrapperKind(i); k != KindNone {
		return k
	}
	all := KindNone
	var seen map[*ir.Inst]bool
	work := make([]*ir.Inst, 1, 8)
	work[0] = i
	for i := range worklist.Drain(&work) {
		for n := range i.Operands {
			if !IsForwardingColumn(Column(i, n)) || i.Arg(n) == nil {
				continue
			}
			v := i.Arg(n)
			k, ok := o.leaf(v)
			switch {
			case !ok:
				if seen == nil {
					seen = map[*ir.Inst]bool{}
				}
				if !seen[v.Inst()] {
					seen[v.Inst()] = true
					work = append(work, v.Inst())
				}
			case k == KindUnknown:
				return k
			case all == KindNone:
				all = k
			}
		}
	}
	if all == KindNone && i.Op == op.Struct && o.isOwnedWhole(i.Result().Type) {
		return KindOwned
	}
	return all
}

// isOwnedWhole reports whether a struct of this type is owned though no part of it is: one that is not copied.
func (o *Ownership) isOwnedWhole(t *ir.Type) bool {
	mod := o.f.Module
	return mod != nil && mod.DeclOf(t) != nil && !mod.IsCopyable(t) && !o.Types.IsTrivial(t)
}

// IsForwardingColumn reports whether an operand with this column of its row is one whose ownership the results may have.
func IsForwardingColumn(own op.Ownership) bool {
	return own == op.OwnershipForwarded || own == op.OwnershipGuaranteedForwarding || own == op.OwnershipForwardingConsume
}

func qualifiedKind(i *ir.Inst) Kind {
	if i.Op == op.Load {
		if i.Has(op.QualCopy) || i.Has(op.QualTake) {
			return KindOwned
		}
		return KindNone
	}
	_, to := i.ConvertedOwnership()
	return to
}

// appliedKind returns the ownership of the result of a call, or of a yielded value.
func (o *Ownership) appliedKind(i *ir.Inst, r *ir.Value) Kind {
	fn := facts.Callee(i)
	if fn == nil {
		return KindUnknown
	}
	if i.Op == op.BeginApply {
		if r.Index() >= len(fn.Yields) {
			return KindNone // the token
		}
		return o.unlessTrivial(r.Type, ParamKind(fn.Yields[r.Index()].Yield))
	}
	all := KindNone
	for n := range fn.Results {
		if res := &fn.Results[n]; !res.Conv.IsIndirect() {
			k := KindUnowned
			switch res.Conv {
			case ir.ResultOwned, ir.ResultAutoreleased, ir.ResultOpaqueOut:
				k = KindOwned
			case ir.ResultUnowned:
				if o.f.Module != nil && o.f.Module.OmitTypes {
					k = KindOwned // newer compilers give it away
				}
			}
			if all == KindNone || k == KindOwned {
				all = k
			}
		}
	}
	return o.unlessTrivial(r.Type, all)
}
