package combine

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/flow"
	"silvm/opt/fold"
	"silvm/opt/pass"
)

// foldCasts replaces the checked casts of a function of which the outcome is known: by their result, by a branch or by a trap. The last
// come first.
func foldCasts(c *pass.Context, f *ir.Function) bool {
	var values, branches []*ir.Inst
	for i := range f.Insts() {
		switch i.Op {
		case op.UnconditionalCheckedCast, op.UnconditionalCheckedCastAddr:
			values = append(values, i)
		case op.CheckedCastBr, op.CheckedCastAddrBr:
			branches = append(branches, i)
		}
	}
	changed := false
	if len(values) > 0 {
		r := NewCombiner(c, f)
		for _, i := range slices.Backward(values) {
			switch {
			case i.Block() == nil:
			case i.Op == op.UnconditionalCheckedCast:
				changed = r.unconditionalCast(i) || changed
			default:
				changed = r.unconditionalCastAddr(i) || changed
			}
		}
	}
	if len(branches) > 0 {
		s := flow.NewCFGSimplifier(c, f, false)
		for _, i := range slices.Backward(branches) {
			switch {
			case i.Block() == nil:
			case i.Op == op.CheckedCastAddrBr && bridgeCast(c, f, i):
				changed = true
				s = flow.NewCFGSimplifier(c, f, false)
			case i.Op == op.CheckedCastAddrBr:
				changed = s.SimplifyCheckedCastAddrBr(i) || changed
			default:
				changed = s.FoldCastBranch(i) || changed
			}
		}
	}
	return changed
}

// PerformanceConstantPropagation folds constants in a whole function.
var PerformanceConstantPropagation = &pass.Pass{Name: "performance-constant-propagation", Doc: "Folds what can be computed from constants", Function: foldFunction}

// DiagnosticConstantPropagation does the same without the diagnostics of the compiler's pass of that name.
var DiagnosticConstantPropagation = &pass.Pass{Name: "diagnostic-constant-propagation", Doc: "Folds what can be computed from constants, before optimization", Function: foldFunction}

func foldFunction(c *pass.Context, f *ir.Function) bool {
	folder := &fold.ConstantFolder{Mod: c.Module, Own: ownership.New(f, c.Types(f))}
	folder.Changed = foldCasts(c, f)
	for _, b := range f.Blocks {
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			switch i.Op {
			case op.IntegerLiteral, op.FloatLiteral, op.StringLiteral:
				if i.Results[0].HasUses() {
					folder.Add(i)
				}
			case op.Struct, op.Tuple:
				if fold.IsTakenApart(i) {
					folder.Add(i)
				}
			case op.Builtin:
				next = folder.Question(c, i)
			}
		}
	}
	folder.Run()
	return folder.Changed
}
