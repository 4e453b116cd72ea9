package flow

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/fold"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// RedundantPhiElimination keeps one of two arguments of a block to which every edge passes equal values:
//
//	br bb1(%0 : $C, %0 : $C)    →   br bb1(%0 : $C)
//	bb1(%1 : $C, %2 : $C):          bb1(%1 : $C):
//
// Equal are the same value, and values that are computed alike from such arguments; loops are followed. In ownership form owned arguments can
// be equal only where what arrives needs no owner, such as a case without payload: the second is a copy of the first then.
var RedundantPhiElimination = &pass.Pass{Name: "redundant-phi-elimination", Doc: "Removes block arguments that always equal another one", Function: func(c *pass.Context, f *ir.Function) bool {
	if !hasPhis(f, 2) {
		return false
	}
	r := &phiRun{preds: cfg.NewPredecessors(f)}
	if f.IsOSSA() {
		r.edit = rewrite.NewEditor(c, f)
		r.own = r.edit.Ownership()
	}
	changed := false
	for _, b := range f.Blocks[1:] {
		for again := true; again; {
			again = r.block(b)
			changed = changed || again
		}
	}
	return changed
}}

type phiRun struct {
	preds *cfg.Predecessors
	edit  *rewrite.Editor // nil outside of ownership form
	own   *ownership.Ownership
}

// block removes one redundant argument.
func (r *phiRun) block(b *ir.Block) bool {
	edges := r.preds.Edges(b)
	if len(edges) == 0 {
		return false
	}
	branches := true // all edges come from br
	for _, e := range edges {
		if e.Term.Op != op.Br && e.Term.Op != op.CondBr {
			return false
		}
		branches = branches && e.Term.Op == op.Br
	}
	for n, a := range b.Args {
		for k := n + 1; k < len(b.Args); k++ {
			other := b.Args[k]
			if a.Type == other.Type && r.mayReplace(a, branches) && r.mayReplace(other, branches) && r.equal(a, other) {
				r.replace(b, edges, n, k)
				return true
			}
		}
	}
	return false
}

// mayReplace reports whether an argument is not borrowed, and what arrives for one with an owner can be destroyed instead.
func (r *phiRun) mayReplace(a *ir.Value, branches bool) bool {
	if r.own == nil {
		return true
	}
	k := r.own.KindOf(a)
	return k == ownership.KindNone || k == ownership.KindOwned && branches && !facts.IsMoveOnly(r.edit.Context.Module, a.Type)
}

// replace makes argument k of a block argument n, or the other way around where only n has an owner.
func (r *phiRun) replace(b *ir.Block, edges []cfg.InEdge, n, k int) {
	owned := func(v *ir.Value) bool { return r.own != nil && r.own.KindOf(v) == ownership.KindOwned }
	if owned(b.Args[n]) && !owned(b.Args[k]) {
		n, k = k, n
	}
	with := b.Args[n]
	if owned(with) {
		with = rewrite.Emit(r.edit.Before(b.First()), op.CopyValue, with).Result()
	}
	b.Args[k].ReplaceAllUses(with)
	for _, e := range edges {
		if v := e.Arg(k); owned(v) {
			rewrite.Emit(r.edit.Before(e.Term), op.DestroyValue, v)
		}
		e.Term.RemoveEdgeArg(e.N, k)
	}
	b.RemoveArg(k)
}

// maxPhiPairs bounds how many pairs of values are compared for one pair of arguments.
const maxPhiPairs = 16

// equal reports whether two values are the same on every path, given that the pairs under comparison are.
func (r *phiRun) equal(a, b *ir.Value) bool {
	type pair [2]*ir.Value
	work := worklist.Of(pair{a, b})
	for p := range work.All() {
		if work.Len() > maxPhiPairs {
			return false
		}
		enter := func(x, y *ir.Value) bool {
			if x == nil || y == nil {
				return false
			}
			if x != y {
				work.Push(pair{x, y})
			}
			return true
		}
		x, y := p[0], p[1]
		switch {
		case x.IsArg() && y.IsArg() && x.Block() == y.Block() && x.Block() != x.Block().Func.Blocks[0]:
			for _, e := range r.preds.Edges(x.Block()) {
				if !enter(e.Arg(x.Index()), e.Arg(y.Index())) {
					return false
				}
			}
		case x.Inst() != nil && y.Inst() != nil && sameComputation(x.Inst(), y.Inst()):
			for n := range x.Inst().Operands {
				if !enter(x.Inst().Arg(n), y.Inst().Arg(n)) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// sameComputation reports whether two instructions compute the same from equal operands.
func sameComputation(a, b *ir.Inst) bool {
	if a.Op != b.Op || len(a.Operands) != len(b.Operands) || len(a.Results) != 1 || len(b.Results) != 1 || facts.MayReadOrWrite(a) || !fold.CSEHandles[a.Op] && a.Op != op.Builtin {
		return false
	}
	r := &fold.CSERun{Ids: map[any]uint64{}}
	key := func(i *ir.Inst) string {
		blank := &ir.Inst{Op: i.Op, Quals: i.Quals, Types: i.Types, Aux: i.Aux}
		blank.AddResult(i.Results[0].Type)
		return string(r.KeyOf(blank))
	}
	return key(a) == key(b)
}
