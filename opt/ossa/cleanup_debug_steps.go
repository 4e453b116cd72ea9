package ossa

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// CleanupDebugSteps removes debug_step where another instruction that a debugger can stop at has the same place in the source.
var CleanupDebugSteps = &pass.Pass{Name: "cleanup-debug-steps", Doc: "Removes debug_step where there is another instruction to stop at",
	Function: func(_ *pass.Context, f *ir.Function) bool {
		changed := false
		for _, b := range f.Blocks {
			changed = cleanupSteps(b) || changed
		}
		return changed
	}}

func cleanupSteps(b *ir.Block) bool {
	changed := false
	var last *ir.Inst // the last one to stop at, while the place in the source is the same
	for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
		next = i.Next()
		step := i.Op == op.DebugStep
		if i.Loc == nil || i.Loc.Line == 0 {
			if step {
				i.Remove()
				changed = true
			}
			continue
		}
		if last != nil && (last.Loc.File != i.Loc.File || last.Loc.Line != i.Loc.Line || last.Loc.Col != i.Loc.Col) {
			last = nil
		}
		if !step && !isStop(i) {
			continue
		}
		switch {
		case last != nil && step:
			i.Remove()
			changed = true
			continue
		case last != nil && last.Op == op.DebugStep:
			last.Remove()
			changed = true
		}
		last = i
	}
	return changed
}

// isStop reports whether an instruction surely becomes machine code, at which a debugger can stop.
func isStop(i *ir.Inst) bool {
	return facts.IsApply(i) || i.Op == op.Load || i.Op == op.Store || i.Op.IsTerminator()
}
