package ownership

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// Column returns the ownership rule of the row for operand n, 0 when there is none.
func Column(i *ir.Inst, n int) op.Ownership {
	if _, ok := i.Aux.(*ir.TextAux); ok {
		return 0
	}
	row := i.OperandRow(n)
	if row == nil {
		return 0
	}
	return row.Own
}

// UseOf returns what the instruction does with the value of an operand; 0 when that is not known.
func (o *Ownership) UseOf(x *ir.Operand) op.Ownership {
	return o.Use(x.User(), x.Number())
}

// Use returns what the instruction does with operand n: the column of its row, with the four that leave it to the instruction
// resolved; 0 when that is not known.
func (o *Ownership) Use(i *ir.Inst, n int) op.Ownership {
	v := i.Arg(n)
	own := Column(i, n)
	switch {
	case own == 0 || v == nil || v.Type == nil:
		return 0
	case v.Type.IsAddress() && own != op.OwnershipEndBorrow:
		return op.OwnershipTrivialUse
	case i.Op == op.WitnessMethod:
		return op.OwnershipNonUse
	case i.Op == op.MarkDependence && n == 1:
		if i.Has(op.QualNonescaping) {
			return op.OwnershipBorrow
		}
		return own
	}
	switch own {
	case op.OwnershipForwarded:
		return o.Forwards(i).Forwarding()
	case op.OwnershipByConvention:
		return o.conventional(i, n)
	case op.OwnershipByArgument:
		return branched(i, n)
	case op.OwnershipByBuiltin:
		if row := i.Builtin().Row(); row != nil {
			return row.Own
		}
		return 0
	}
	return own
}

// branched returns the use of a branch argument by the argument that receives it.
func branched(i *ir.Inst, n int) op.Ownership {
	arg := ReceivedBy(i, n)
	if arg == nil {
		return 0
	}
	k := ArgKind(arg)
	if k == KindGuaranteed && IsReborrow(arg) {
		return op.OwnershipReborrow
	}
	return k.Forwarding()
}

// ReceivedBy returns the block argument to which a branch passes operand n, nil when it passes it to none.
func ReceivedBy(i *ir.Inst, n int) *ir.Value {
	for _, e := range i.Succs {
		if n >= e.First && n < e.First+e.N && e.To != nil && n-e.First < len(e.To.Args) {
			return e.To.Args[n-e.First]
		}
	}
	return nil
}

// IsReborrow reports whether a guaranteed block argument begins a borrow scope of its own.
func IsReborrow(arg *ir.Value) bool { return arg.Flags.Has(ir.ArgReborrow) }

// IsReborrowed reports whether a branch hands the scope that an instruction begins on to a phi.
func IsReborrowed(i *ir.Inst) bool {
	for x := range i.Result().Uses() {
		if to := ReceivedBy(x.User(), x.Number()); to != nil && IsReborrow(to) {
			return true
		}
	}
	return false
}

// conventional returns the use by the convention of the function type.
func (o *Ownership) conventional(i *ir.Inst, n int) op.Ownership {
	switch i.Op {
	case op.Return:
		own := o.returned()
		if own == op.OwnershipUnownedInstantaneousUse && o.f.Module != nil && o.f.Module.OmitTypes && o.ReturnsUnowned() && o.KindOf(i.Arg(n)) == KindOwned {
			return op.OwnershipForwardingConsume // newer compilers give an owned value away
		}
		return own
	case op.Yield:
		if o.f.Type == nil || o.f.Type.Func == nil || n >= len(o.f.Type.Func.Yields) {
			return 0
		}
		return convUse(o.f.Type.Func.Yields[n].Yield, false)
	case op.PartialApply:
		if !i.Has(op.QualOnStack) || n == 0 {
			return op.OwnershipForwardingConsume
		}
		p := facts.Param(i, n)
		if p == nil {
			return 0
		}
		return convUse(p.Conv, true)
	}
	fn := facts.Callee(i)
	if fn == nil {
		return 0
	}
	if n == 0 {
		return calleeUse(fn, i.Op == op.BeginApply)
	}
	p := facts.Param(i, n)
	if p == nil {
		return 0
	}
	return convUse(p.Conv, i.Op == op.BeginApply)
}

func (o *Ownership) returned() op.Ownership {
	want := KindNone
	if o.f.Type != nil && o.f.Type.Func != nil {
		fn := o.f.Type.Func
		for n := range fn.Results {
			switch r := &fn.Results[n]; {
			case r.Conv.IsIndirect():
			case r.Conv == ir.ResultOwned || r.Conv == ir.ResultAutoreleased || r.Conv == ir.ResultOpaqueOut:
				if !o.Types.IsTrivial(r.Type) {
					return op.OwnershipForwardingConsume
				}
			case !o.Types.IsTrivial(r.Type):
				want = KindUnowned
			}
		}
	}
	if want == KindNone {
		return op.OwnershipTrivialUse
	}
	return op.OwnershipUnownedInstantaneousUse
}

// ReturnsUnowned reports whether the function has a direct result that is unowned, not one that points into an object.
func (o *Ownership) ReturnsUnowned() bool {
	return o.f.Type != nil && o.f.Type.Func != nil && slices.ContainsFunc(o.f.Type.Func.Results, func(r ir.Result) bool {
		return r.Conv == ir.ResultUnowned && !o.Types.IsTrivial(r.Type)
	})
}

// convUse returns the use of an argument; scope says that the call lasts beyond the instruction.
func convUse(c ir.ParamConv, scope bool) op.Ownership {
	switch c {
	case ir.ParamDirectOwned, ir.ParamIn, ir.ParamInCXX, ir.ParamOpaqueIn:
		return op.OwnershipForwardingConsume
	case ir.ParamDirectGuaranteed, ir.ParamInGuaranteed, ir.ParamOpaqueInGuaranteed:
		if scope {
			return op.OwnershipBorrow
		}
		return op.OwnershipInstantaneousUse
	case ir.ParamDirectUnowned:
		return op.OwnershipUnownedInstantaneousUse
	}
	return op.OwnershipTrivialUse
}

func calleeUse(fn *ir.FuncType, scope bool) op.Ownership {
	switch fn.Callee {
	case ir.CalleeOwned:
		return op.OwnershipForwardingConsume
	case ir.CalleeGuaranteed:
		return convUse(ir.ParamDirectGuaranteed, scope)
	case ir.CalleeUnowned:
		return op.OwnershipUnownedInstantaneousUse
	}
	if fn.Convention == ir.RepBlock {
		return convUse(ir.ParamDirectGuaranteed, scope)
	}
	return op.OwnershipInstantaneousUse
}

// Accepts reports whether a use may take a value of this ownership; one without ownership will always do.
func Accepts(own op.Ownership, k Kind) bool {
	if k == KindNone {
		return true
	}
	switch own {
	case op.OwnershipNonUse:
		return true
	case op.OwnershipTrivialUse:
		return false
	case op.OwnershipUnownedInstantaneousUse, op.OwnershipForwardingUnowned, op.OwnershipPointerEscape, op.OwnershipBitwiseEscape:
		return true
	case op.OwnershipInstantaneousUse, op.OwnershipBorrow, op.OwnershipAnyInteriorPointer:
		return k != KindUnowned
	case op.OwnershipDestroyingConsume, op.OwnershipForwardingConsume:
		return k == KindOwned
	case op.OwnershipInteriorPointer, op.OwnershipGuaranteedForwarding, op.OwnershipEndBorrow, op.OwnershipReborrow:
		return k == KindGuaranteed
	}
	return true
}

// EndsLifetime reports whether the use ends the lifetime or the borrow scope of its value.
func EndsLifetime(own op.Ownership) bool {
	return own.IsConsume() || own == op.OwnershipEndBorrow || own == op.OwnershipReborrow
}
