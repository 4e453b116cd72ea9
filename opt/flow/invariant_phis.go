package flow

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
)

// InvariantPhiElimination replaces an argument of a block to which every edge passes the same value or the argument itself, such as what an
// iterator holds all through a loop:
//
//	br bb1(%0)                        br bb1
//	bb1(%1):  …  br bb1(%1)     →     bb1:  …  br bb1
//
// Counts of %1 are counts of %0 then, and to everything that compares values the two are one.
var InvariantPhiElimination = &pass.Pass{
	Name: "invariant-phi-elimination",
	Doc:  "Removes block arguments to which every edge passes one value",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if f.IsOSSA() || !hasPhis(f, 1) {
			return false
		}
		preds := cfg.NewPredecessors(f)
		changed := false
		work := map[*ir.Block]bool{}
		list := append([]*ir.Block{}, f.Blocks[1:]...)
		for _, b := range list {
			work[b] = true
		}
		for b := range worklist.Drain(&list) {
			work[b] = false
			for n := len(b.Args) - 1; n >= 0; n-- {
				to := replaceInvariant(preds.Edges(b), b, n)
				for _, t := range to { // arguments that it was passed to may be next
					if !work[t] {
						work[t] = true
						list = append(list, t)
					}
				}
				changed = changed || to != nil
			}
		}
		return changed
	},
}

// replaceInvariant replaces argument n of a block by the only value that edges pass it besides itself, and returns the blocks to which it was
// passed and the block itself; nil when there are several values.
func replaceInvariant(edges []cfg.InEdge, b *ir.Block, n int) []*ir.Block {
	arg := b.Args[n]
	var only *ir.Value
	for _, e := range edges {
		if e.Term.Op != op.Br && e.Term.Op != op.CondBr {
			return nil
		}
		switch v := e.Arg(n); {
		case v == arg || v == only:
		case only != nil:
			return nil
		default:
			only = v
		}
	}
	if only == nil || only.IsUndef() || only.Type != arg.Type {
		return nil
	}
	to := []*ir.Block{b}
	for u := range arg.Uses() {
		if i := u.User(); i.Op == op.Br || i.Op == op.CondBr {
			for _, e := range i.Succs {
				to = append(to, e.To)
			}
		}
	}
	arg.ReplaceAllUses(only)
	for _, e := range edges {
		e.Term.RemoveEdgeArg(e.N, n)
	}
	b.RemoveArg(n)
	return to
}

// hasPhis reports whether a block but the entry has so many arguments.
func hasPhis(f *ir.Function, n int) bool {
	return slices.ContainsFunc(f.Blocks[1:], func(b *ir.Block) bool { return len(b.Args) >= n })
}
