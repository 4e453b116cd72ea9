package loader

import (
	"silvm/ir"
	"silvm/ir/op"
)

// markReborrows sets the flag @reborrow of the guaranteed block arguments that begin a borrow scope of their own, which the text
// of a function in ownership form may leave out: those that receive a borrow that begins with an instruction, or such an argument.
func markReborrows(f *ir.Function) {
	var work []*ir.Value
	enter := func(v *ir.Value) {
		for x := range v.Uses() {
			if x.User().Op != op.Br {
				continue
			}
			e := x.User().Succs[0]
			n := x.Number() - e.First
			if e.To == nil || n < 0 || n >= len(e.To.Args) {
				continue
			}
			arg := e.To.Args[n]
			if arg.Ownership == ir.OwnershipGuaranteed && !arg.Flags.Has(ir.ArgReborrow) {
				arg.Flags |= ir.ArgReborrow
				work = append(work, arg)
			}
		}
	}
	for _, b := range f.Blocks {
		for i := range b.Insts() {
			if (i.Op == op.BeginBorrow || i.Op == op.LoadBorrow) && len(i.Results) == 1 {
				enter(i.Results[0])
			}
		}
		for _, a := range b.Args {
			if a.Flags.Has(ir.ArgReborrow) {
				enter(a)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		enter(v)
	}
}
