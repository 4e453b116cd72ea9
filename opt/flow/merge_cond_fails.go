package flow

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// MergeCondFails makes one cond_fail of several in a row that trap with the same message:
//
//	cond_fail %0, "out of range"        %2 = builtin "or_Int1"(%0, %1)
//	cond_fail %1, "out of range"   ⇒    cond_fail %2, "out of range"
//
// Those of arithmetic overflow stay, as a jump on overflow is cheaper than keeping the bit.
var MergeCondFails = &pass.Pass{
	Name:  "merge-cond_fails",
	Doc:   "Merges cond_fail instructions with nothing between them that writes or reads memory",
	Needs: [][]op.Op{{op.CondFail}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		for _, b := range f.Blocks {
			var list []*ir.Inst
			for _, i := range b.InstList() {
				switch {
				case i.Op == op.CondFail:
					if !isOverflowCheck(i) && (len(list) == 0 || trapMessage(i) == trapMessage(list[0])) {
						list = append(list, i)
					}
				case facts.MayHaveSideEffects(i) || facts.OrderMemory(i).MayRead():
					changed = mergeTraps(c, list) || changed
					list = nil
				}
			}
			changed = mergeTraps(c, list) || changed
		}
		return changed
	},
}

// isOverflowCheck reports whether the condition looks like the overflow bit of an arithmetic builtin.
func isOverflowCheck(i *ir.Inst) bool {
	bit := facts.DefinedBy(i.Arg(0), op.TupleExtract)
	return bit != nil && facts.DefinedBy(bit.Arg(0), op.Builtin) != nil
}

// mergeTraps puts one cond_fail in the place of the last of those in the list.
func mergeTraps(c *pass.Context, list []*ir.Inst) bool {
	if len(list) < 2 {
		return false
	}
	last := list[len(list)-1]
	b := &ir.Builder{Module: c.Module, Block: last.Block(), Before: last.Next(), Loc: last.Loc, Scope: last.Scope}
	cond := list[0].Arg(0)
	for _, i := range list[1:] {
		or := b.Emit(&ir.Inst{Op: op.Builtin, Aux: ir.BuiltinOn(op.BuiltinOr, c.Module.Types.BuiltinInt(1)), Types: []*ir.Type{cond.Type}}, cond, i.Arg(0))
		if or.Result() != nil && or.Result().Type == nil {
			or.Result().Type = cond.Type
		}
		cond = or.Result()
	}
	b.Emit(&ir.Inst{Op: op.CondFail, Aux: &ir.StringAux{Value: trapMessage(last)}}, cond)
	for _, i := range list {
		i.Remove()
	}
	return true
}

// trapMessage returns the message of a cond_fail, "" when it has none.
func trapMessage(i *ir.Inst) string {
	if aux, ok := i.Aux.(*ir.StringAux); ok {
		return aux.Value
	}
	return ""
}
