package ossa

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// optionalDiamond returns where the two cases of a switch over an optional meet, nil when they don't.
func optionalDiamond(sw *ir.Inst) *ir.Block {
	if sw.Op != op.SwitchEnum || len(sw.Succs) != 2 {
		return nil
	}
	some, none := sw.Succs[0].To, sw.Succs[1].To
	if len(some.Args) != 1 {
		some, none = none, some
	}
	if len(some.Args) != 1 || len(none.Args) != 0 {
		return nil
	}
	meet := onlySuccessor(some)
	for n := 0; meet != nil && n < 3 && none != nil; n++ {
		if none == meet {
			return meet
		}
		none = onlySuccessor(none)
	}
	return nil
}

func onlySuccessor(b *ir.Block) *ir.Block {
	if s := b.Last().Succs; len(s) == 1 {
		return s[0].To
	}
	return nil
}

// extendOverOptional keeps the closure in an optional alive that is converted to an optional closure without escaping, and that to an optional
// block: from the first switch to where the optional block is destroyed.
//
//	switch_enum %optional, some: bb1, none: bb2
//	bb1(%c): %n = convert_escape_to_noescape [not_guaranteed] %c, …
//	bb3(%optionalNoescape): switch_enum …
//	bb6(%optionalBlock): … destroy_value %optionalBlock
func (x *closureFixup) extendOverOptional(cvt *ir.Inst) bool {
	home := cvt.Block()
	pred := cfg.NewPredecessors(x.Func).Single(home)
	if !cvt.Arg(0).IsArg() || onlySuccessor(home) == nil || pred == nil {
		return false
	}
	first := pred.Last()
	meet := optionalDiamond(first)
	if meet == nil {
		return false
	}
	last := optionalDiamond(meet.Last())
	if last == nil || len(last.Args) != 1 {
		return false
	}
	var destroy *ir.Inst
	for u := range last.Args[0].Uses() {
		if i := u.User(); i.Op == op.DestroyValue {
			if destroy != nil {
				return false
			}
			destroy = i
		}
	}
	if destroy == nil || !x.Dominates(first, destroy) {
		return false
	}
	b := x.generated(first)
	copied := rewrite.Emit(b, op.CopyValue, first.Arg(0)).Result()
	borrow := rewrite.Emit(b, op.BeginBorrow, copied).Result()
	payload := x.generated(cvt).Emit(&ir.Inst{Op: op.UncheckedEnumData, Aux: optionalCase(ir.CaseSome)}, borrow).Result()
	guarantee(cvt, payload)
	b = x.generated(destroy)
	rewrite.Emit(b, op.EndBorrow, borrow)
	rewrite.Emit(b, op.DestroyValue, copied)
	return true
}

// fixBlock makes a copy_block of a copy_block_without_escaping, and checks at the end of the copy that nothing else holds the closure.
func (x *closureFixup) fixBlock(i *ir.Inst) {
	destroy := x.endOfBlock(i)
	if destroy != nil && destroy.Block() == i.Block() {
		x.cut(destroy)
		if rewrite.IsFunctionExit(destroy.Block().Last()) {
			x.cut(destroy.Next())
		}
		x.Context.Changed(x.Func)
	}
	sentinel, loc := i.Arg(1), i.Loc
	made := x.Before(i).Emit(&ir.Inst{Op: op.CopyBlock}, i.Arg(0))
	i.ReplaceWith(made.Result())
	i.Remove()
	if made.Block() == x.Func.Entry() {
		if destroy != nil {
			x.check(destroy.Next(), loc, sentinel)
			return
		}
		for _, b := range x.Func.Blocks {
			if rewrite.IsFunctionExit(b.Last()) {
				x.check(b.Last(), loc, sentinel)
			}
		}
		return
	}
	u := rewrite.NewSSAUpdater(cfg.NewPredecessors(x.Func), x.Context.Module.Types.Optional(sentinel.Type), ir.OwnershipOwned)
	u.Defs[x.Func.Entry()] = x.none(x.generated(x.Func.Entry().First()), sentinel.Type)
	some := x.some(x.generated(made), sentinel)
	u.Defs[made.Block()] = some
	if destroy != nil {
		u.Defs[destroy.Block()] = x.none(x.generated(destroy.Next()), sentinel.Type)
	}
	rewrite.Emit(x.generated(some.Inst()), op.DestroyValue, u.AtStart(made.Block()))
	if destroy != nil {
		x.check(destroy.Next(), loc, u.AtStart(destroy.Block()))
	}
	var reached []*ir.Block
	work := worklist.Of(made.Block())
	for b := range work.All() {
		reached = append(reached, b)
		for _, e := range b.Last().Succs {
			work.Push(e.To)
		}
	}
	for _, at := range exits(reached) {
		rewrite.Emit(x.generated(at), op.DestroyValue, u.AtEnd(at.Block()))
	}
}

// cut begins a new block with an instruction.
func (x *closureFixup) cut(at *ir.Inst) {
	old := at.Block()
	next := x.Func.SplitBefore(at)
	b := ir.AtEnd(x.Context.Module, old)
	b.Loc, b.Scope = at.Loc, at.Scope
	b.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: next}}})
}

// check destroys the closure and traps when something else holds it.
func (x *closureFixup) check(at *ir.Inst, loc *ir.Loc, sentinel *ir.Value) {
	b := x.Before(at)
	b.Loc = loc
	escaped := rewrite.EmitQ(b, op.IsEscapingClosure, op.QualObjc, sentinel).Result()
	b.Emit(&ir.Inst{Op: op.CondFail, Aux: &ir.StringAux{Value: "non-escaping closure has escaped"}}, escaped)
	rewrite.Emit(b, op.DestroyValue, sentinel)
}

// endOfBlock returns where a copied block ends, that is passed unowned only and destroyed once, or the memory of the block it was copied from if
// that ends later.
func (x *closureFixup) endOfBlock(i *ir.Inst) (destroy *ir.Inst) {
	for u := range i.Result().Uses() {
		switch user := u.User(); {
		case facts.IsDebug(user):
		case facts.IsFullApply(user):
			if p := facts.Param(user, u.Number()); p == nil || p.Conv != ir.ParamDirectUnowned {
				return nil
			}
		case destroy != nil || user.Op != op.DestroyValue:
			return nil
		default:
			destroy = user
		}
	}
	header := facts.DefinedBy(i.Arg(0), op.InitBlockStorageHeader)
	if destroy == nil || header == nil || facts.DefinedBy(header.Arg(0), op.AllocStack) == nil {
		return nil
	}
	free := rewrite.UsersWith(header.Arg(0), op.DeallocStack)
	switch {
	case len(free) != 1 || free[0].Block() != destroy.Block():
		return nil
	case ownership.ComesAfter(free[0], destroy):
		return destroy
	}
	return free[0]
}
