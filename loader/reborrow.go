package loader

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// markReborrows sets the flag @reborrow of the guaranteed block arguments that begin a borrow scope of their own, which the text of a function
// in ownership form may leave out. Of those that borrowed gives a name to, which compilers since 6.1 do, these are the ones whose scope ends
// somewhere: at an end_borrow, or where a branch hands it on to such an argument. Of the others it is those that receive a borrow that begins
// with an instruction, or such an argument.
func markReborrows(f *ir.Function) {
	r := &reborrows{f: f}
	for _, b := range f.Blocks {
		for _, a := range b.Args {
			switch {
			case a.Flags.Has(ir.ArgReborrow):
				r.work = append(r.work, a)
			case b != f.Blocks[0] && hasEnd(a):
				r.mark(a)
			}
		}
		for i := range b.Insts() {
			if (i.Op == op.BeginBorrow || i.Op == op.LoadBorrow) && len(i.Results) == 1 {
				r.handOn(i.Results[0])
			}
		}
	}
	for v := range worklist.Drain(&r.work) {
		r.handOn(v)
		r.comesFrom(v)
	}
}

type reborrows struct {
	f    *ir.Function
	work []*ir.Value
	into map[*ir.Block][]*ir.Inst // the branches to a block; nil as long as nobody asked
}

func (r *reborrows) mark(a *ir.Value) {
	if a.Ownership == ir.OwnershipGuaranteed && !a.Flags.Has(ir.ArgReborrow) {
		a.Flags |= ir.ArgReborrow
		r.work = append(r.work, a)
	}
}

// handOn marks the arguments without a name that branches hand a borrow to.
func (r *reborrows) handOn(v *ir.Value) {
	for x := range v.Uses() {
		if x.User().Op != op.Br {
			continue
		}
		e := x.User().Succs[0]
		if n := x.Number() - e.First; e.To != nil && n >= 0 && n < len(e.To.Args) && nameOf(e.To.Args[n]) == nil {
			r.mark(e.To.Args[n])
		}
	}
}

// comesFrom marks the arguments with a name whose scopes branches hand on to an argument.
func (r *reborrows) comesFrom(a *ir.Value) {
	if r.into == nil {
		r.into = map[*ir.Block][]*ir.Inst{}
		for _, b := range r.f.Blocks {
			if i := b.Terminator(); i != nil && i.Op == op.Br {
				r.into[i.Succs[0].To] = append(r.into[i.Succs[0].To], i)
			}
		}
	}
	for _, i := range r.into[a.Block()] {
		if n := i.Succs[0].First + a.Index(); n < len(i.Operands) {
			if from := i.Arg(n).Inst(); from != nil && from.Op == op.Borrowed && from.Arg(0).IsArg() {
				r.mark(from.Arg(0))
			}
		}
	}
}

// nameOf returns the name that borrowed gives to an argument, nil when it has none.
func nameOf(a *ir.Value) *ir.Value {
	for x := range a.Uses() {
		if i := x.User(); i.Op == op.Borrowed && x.Number() == 0 {
			return i.Result()
		}
	}
	return nil
}

// hasEnd reports whether an argument has a name and an end_borrow ends its scope.
func hasEnd(a *ir.Value) bool {
	v := nameOf(a)
	if v == nil {
		return false
	}
	for x := range v.Uses() {
		if x.User().Op == op.EndBorrow {
			return true
		}
	}
	return false
}
