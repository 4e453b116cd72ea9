package ownership

import (
	"silvm/ir"
	"silvm/ir/op"
)

// A value that begins a borrow scope is a guaranteed parameter, a begin_borrow, a load_borrow or a reborrow.

// IsBorrowIntroducer reports whether a guaranteed value begins a borrow scope, the whole function for a parameter.
func (o *Ownership) IsBorrowIntroducer(v *ir.Value) bool {
	if v.IsArg() {
		return o.KindOf(v) == KindGuaranteed && (isParameter(v) || IsReborrow(v))
	}
	i := v.Inst()
	return i != nil && (i.Op == op.BeginBorrow || i.Op == op.LoadBorrow)
}

func isParameter(v *ir.Value) bool { return v.IsArg() && v.Block() == v.Block().Func.Entry() }

// IsLocalBorrow reports whether the scope of an introducer ends in the function.
func IsLocalBorrow(v *ir.Value) bool { return !isParameter(v) }

// BorrowIntroducers finds the values that begin the scopes in which a guaranteed value lives; ok is false when one of them is not
// understood.
func (o *Ownership) BorrowIntroducers(v *ir.Value) (introducers []*ir.Value, ok bool) {
	if o.KindOf(v) != KindGuaranteed {
		return nil, false
	}
	seen := map[*ir.Value]bool{v: true}
	work := []*ir.Value{v}
	add := func(v *ir.Value) {
		if v != nil && !seen[v] {
			seen[v] = true
			work = append(work, v)
		}
	}
	for n := 0; n < len(work); n++ {
		v := work[n]
		switch {
		case o.IsBorrowIntroducer(v):
			introducers = append(introducers, v)
		case o.KindOf(v) == KindNone:
		case v.Inst() != nil && IsForwarding(v.Inst()):
			for k := range v.Inst().Operands {
				add(v.Inst().Arg(k))
			}
		case v.IsArg():
			t := TerminatorOf(v, o.Preds)
			if t == nil {
				return nil, false // a block argument of branches
			}
			add(t.Arg(0))
		default:
			return nil, false
		}
	}
	return introducers, true
}

// TerminatorOf returns the switch_enum, checked_cast_br or the like whose result the block argument is, nil for an argument of
// branches or a parameter.
func TerminatorOf(v *ir.Value, preds func(b *ir.Block) []*ir.Block) *ir.Inst {
	if !v.IsArg() || isParameter(v) {
		return nil
	}
	from := preds(v.Block())
	if len(from) == 0 {
		return nil
	}
	if t := from[0].Terminator(); t.Op != op.Br && t.Op != op.CondBr {
		return t
	}
	return nil
}

// noteUse notes one use of a value in its liveness; false when the use does not tell how long the value must live.
func (o *Ownership) noteUse(l *Liveness, x *ir.Operand) bool {
	own := o.UseOf(x)
	switch own {
	case op.OwnershipNonUse:
		return true
	case op.OwnershipBorrow:
		complete := true
		o.ScopeEnds(x, func(end *ir.Inst) {
			l.Use(end, false)
			if end.Op == op.Br {
				complete = false
			}
		})
		l.Use(x.User(), false)
		return complete
	case op.OwnershipPointerEscape:
		l.Use(x.User(), false)
		return false
	}
	l.Use(x.User(), EndsLifetime(own))
	return true
}
