package flow

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ConditionForwarding moves a condition after the block in which its two paths meet, if all that comes out of them is an enum that this
// block switches over:
//
//	bb0: cond_br %0, bb1, bb2                  bb0: br bb3
//	bb1: %1 = enum #E.a ; br bb3(%1)           bb1: br bb4
//	bb2: %2 = enum #E.b ; br bb3(%2)      ⇒    bb2: br bb5
//	bb3(%3): … ; switch_enum %3, bb4, bb5      bb3: … ; cond_br %0, bb1, bb2
//
// The enum may be used in the blocks that the switch goes to; they get it as an argument then.
var ConditionForwarding = &pass.Pass{
	Name:  "condition-forwarding",
	Doc:   "Moves a condition to the switch over the enum that it selects",
	Needs: [][]op.Op{{op.SwitchEnum}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		preds := cfg.NewPredecessors(f)
		for _, b := range f.Blocks {
			if sw := b.Last(); sw.Op == op.SwitchEnum && forwardCondition(c, preds, sw) {
				preds = cfg.NewPredecessors(f)
				changed = true
			}
		}
		return changed
	},
}

// forwardCondition does it for one switch_enum.
func forwardCondition(c *pass.Context, preds *cfg.Predecessors, sw *ir.Inst) bool {
	mod, b, x := c.Module, sw.Block(), sw.Arg(0)
	if !x.IsArg() || x.Block() != b || len(b.Args) != 1 {
		return false
	}
	cond := commonCondition(preds, b)
	if cond == nil || b.Func.IsOSSA() && mayBeOver(c, cond) {
		return false
	}
	needed := map[*ir.Block]*ir.Value{} // the blocks that use the enum
	for u := range x.Uses() {
		if i := u.User(); i != sw && !facts.IsDebug(i) {
			if preds.Single(i.Block()) != b {
				return false
			}
			needed[i.Block()] = nil
		}
	}
	for _, e := range preds.Edges(b) {
		enum := facts.DefinedBy(e.Arg(0), op.Enum)
		if enum == nil || !isQuiet(e.Term.Block()) || !isMovable(c, enum, e.Term) || facts.CaseEdge(sw, facts.CaseOf(enum)) < 0 {
			return false
		}
	}
	rewriteUses(x, sw, needed)
	for _, e := range slices.Clone(preds.Edges(b)) {
		passCase(mod, e.Term, sw, needed)
	}
	from := cond.Block()
	b.RemoveArg(0)
	sw.Remove()
	cond.MoveToEnd(b)
	ir.AtEnd(mod, from).Emit(&ir.Inst{Op: op.Br, Loc: cond.Loc, Scope: cond.Scope, Succs: []ir.Edge{{To: b}}})
	return true
}

// mayBeOver reports whether what a branch tests may be borrowed for less than the whole function: the scope may end after the branch.
func mayBeOver(c *pass.Context, cond *ir.Inst) bool {
	own := ownership.New(cond.Block().Func, c.Types(cond.Block().Func))
	for _, x := range cond.Operands {
		if own.KindOf(x.Value()) == ownership.KindUnowned {
			return true
		}
		if own.KindOf(x.Value()) != ownership.KindGuaranteed {
			continue
		}
		for _, v := range own.Introducers(x.Value()) {
			if own.KindOf(v) != ownership.KindGuaranteed || ownership.IsLocalBorrow(v) {
				return true
			}
		}
	}
	return false
}

// commonCondition returns the branch to all the predecessors of a block and to nothing else, nil when there is none: each of them has no other
// predecessor and only goes to the block.
func commonCondition(preds *cfg.Predecessors, b *ir.Block) *ir.Inst {
	var common *ir.Block
	for _, e := range preds.Edges(b) {
		from := preds.Single(e.Term.Block())
		if from == nil || from == b || common != nil && from != common || e.Term.Op != op.Br {
			return nil
		}
		common = from
	}
	if common == nil || len(common.Last().Succs) != len(preds.Edges(b)) {
		return nil
	}
	switch cond := common.Last(); cond.Op {
	case op.CondBr, op.SwitchEnum, op.SwitchValue:
		return cond
	case op.CheckedCastBr:
		if isQuiet(b) { // else the object may be gone
			return cond
		}
	}
	return nil
}

// isQuiet reports whether a block does nothing but compute.
func isQuiet(b *ir.Block) bool {
	for i := b.First(); i != b.Last(); i = i.Next() {
		if facts.MayReadOrWrite(i) || facts.MayHaveSideEffects(i) || i.Row().Family == op.FamilyAllocation {
			return false
		}
	}
	return true
}

// isMovable reports whether, in ownership form, a block that ends in passing an enum on may come after other code: it uses only values that it
// makes itself, others may have ended by then; and an owned enum is passed on whole and looked at by nobody.
func isMovable(c *pass.Context, enum, br *ir.Inst) bool {
	b := br.Block()
	if !b.Func.IsOSSA() {
		return true
	}
	own := ownership.New(b.Func, c.Types(b.Func))
	for i := range b.Insts() {
		for _, x := range i.Operands {
			v := x.Value()
			if i != enum && v != enum.Result() && v.Block() != b && own.KindOf(v) != ownership.KindNone {
				return false
			}
		}
	}
	if own.KindOf(enum.Result()) != ownership.KindOwned {
		return true
	}
	for x := range enum.Result().Uses() {
		if i := x.User(); i != br && !facts.IsDebug(i) {
			return false
		}
	}
	return true
}

// rewriteUses gives the blocks after the switch that need the enum an argument for it.
func rewriteUses(x *ir.Value, sw *ir.Inst, needed map[*ir.Block]*ir.Value) {
	for _, e := range sw.Succs {
		if _, ok := needed[e.To]; ok && needed[e.To] == nil {
			v := e.To.AddArg(x.Type)
			v.Ownership = x.Ownership
			needed[e.To] = v
		}
	}
	for u := x.FirstUse(); u != nil; {
		next, i := u.NextUse(), u.User()
		switch {
		case facts.IsDebug(i):
			i.Remove()
		case i != sw:
			u.Set(needed[i.Block()])
		}
		u = next
	}
}

// passCase makes the end of a block that selects a case a branch to where the switch goes for it.
func passCase(mod *ir.Module, br, sw *ir.Inst, needed map[*ir.Block]*ir.Value) {
	value := br.Arg(0)
	enum := value.Inst()
	n := facts.CaseEdge(sw, facts.CaseOf(enum))
	to := sw.Succs[n].To
	var args []*ir.Value
	isDefault := sw.Aux.(*ir.CaseAux).Cases[n] == nil
	own := len(to.Args) // without the argument for uses of the enum
	if needed[to] != nil {
		own--
	}
	switch {
	case own == 0:
	case isDefault:
		args = append(args, value)
	default:
		args = append(args, enum.Operands[0].Value())
	}
	if needed[to] != nil {
		args = append(args, value)
	}
	rewrite.BranchTo(mod, br, to, args...)
	if facts.IsTriviallyDead(enum) {
		rewrite.EraseWithUsers(enum)
	}
}
