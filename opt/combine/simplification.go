package combine

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ONoneSimplification runs the rules of simplificationRules that hold for code without other optimization, where debug_values keep what
// they show:
//
//	%2 = struct $S (%0 : $A, %1 : $B)
//	%3 = struct_extract %2 : $S, #S.b     →  %1
//	br bb1                                →  debug_step, and the instructions of bb1
//
// The setting simplify-instruction chooses the instructions, by their names, that the rules are applied to.
var ONoneSimplification = &pass.Pass{Name: "onone-simplification", Doc: "Replaces instructions by simpler ones, and keeps debug info",
	Function: func(c *pass.Context, f *ir.Function) bool { return simplifyFunction(c, f, true) }}

// LateOnoneSimplification is ONoneSimplification at the end of the pipeline without optimization.
var LateOnoneSimplification = &pass.Pass{Name: "late-onone-simplification", Doc: "Replaces instructions by simpler ones late, and keeps debug info",
	Function: ONoneSimplification.Function}

// Simplification runs all rules of simplificationRules; what only debug_values use goes away.
var Simplification = &pass.Pass{Name: "simplification", Doc: "Replaces instructions by simpler ones",
	Function: func(c *pass.Context, f *ir.Function) bool { return simplifyFunction(c, f, false) }}

// A simplificationRule simplifies one instruction and reports whether it changed anything.
type simplificationRule struct {
	apply func(r *Combiner, i *ir.Inst) bool
	// optimized says that the rule is for optimized code only.
	optimized bool
}

func simplifyFunction(c *pass.Context, f *ir.Function, keepDebug bool) bool {
	only := c.ValuesOf("simplify-instruction")
	changed := false
	r := NewCombiner(c, f)
	r.simplifying, r.keepDebug = true, keepDebug
	for n := len(f.Blocks) - 1; n >= 0; n-- {
		for i := range f.Blocks[n].Backward() {
			r.Push(i)
		}
	}
	for r.work.Len() > 0 {
		for i := range r.work.All() {
			if i.Block() == nil || len(only) > 0 && !slices.Contains(only, i.Row().Name) {
				continue
			}
			rule, ok := simplificationRules[i.Op]
			if ok && !(rule.optimized && keepDebug) && rule.apply(r, i) {
				changed = true
			}
		}
		changed = r.removeUnused() || changed
		changed = r.removeUnreachable() || changed
	}
	if r.unnested {
		rewrite.FixStackNesting(f)
	}
	r.done()
	return changed
}

// removeUnused removes instructions that do nothing and that nothing uses.
func (r *Combiner) removeUnused() bool {
	changed := false
	for n := len(r.Func.Blocks) - 1; n >= 0; n-- {
		for i, prev := r.Func.Blocks[n].Last(), (*ir.Inst)(nil); i != nil; i = prev {
			prev = i.Prev()
			if !r.isUnused(i) {
				continue
			}
			r.work.Remove(i)
			rewrite.EraseWithUsers(i)
			changed = true
		}
	}
	return changed
}

// isUnused reports whether an instruction does nothing at all, reading memory included, and has no users; debug_values are users where
// they are kept.
func (r *Combiner) isUnused(i *ir.Inst) bool {
	if i.Op.IsTerminator() || facts.NeverDead[i.Op] || !facts.HasOnlyDebugUses(i) || facts.OpensNamedType(i) {
		return false
	}
	if r.keepDebug && slices.ContainsFunc(i.Results, (*ir.Value).HasUses) {
		return false
	}
	switch i.Op {
	case op.Builtin:
		if facts.BuiltinID(i) == op.BuiltinOnFastPath {
			return false
		}
	case op.UncheckedEnumData:
		return !r.OSSA || r.Types.IsTrivial(i.Arg(0).Type)
	}
	return facts.OrderMemory(i) == op.MemNone && !facts.MayHaveSideEffects(i)
}

// removeUnreachable removes the blocks that nothing leads to, and enters the branches that are left: their blocks may join others now.
func (r *Combiner) removeUnreachable() bool {
	if !rewrite.RemoveUnreachable(r.Func) {
		return false
	}
	r.Context.Changed(r.Func)
	r.preds = cfg.NewPredecessors(r.Func)
	r.rauw.Preds = r.preds
	for n := len(r.Func.Blocks) - 1; n >= 0; n-- {
		if br := r.Func.Blocks[n].Last(); br.Op == op.Br {
			r.Push(br)
		}
	}
	return true
}

// soleUser returns the only user of a value, nil when there are none or several. debug_values count where they are kept.
func (r *Combiner) soleUser(v *ir.Value) *ir.Inst {
	var sole *ir.Inst
	for u := range v.Uses() {
		if facts.IsDebug(u.User()) && !r.keepDebug {
			continue
		}
		if sole != nil {
			return nil
		}
		sole = u.User()
	}
	return sole
}

// replacePair replaces an instruction that undoes another one by what that was made of. In ownership form an owned value gets no second
// user: the first must go too.
func (r *Combiner) replacePair(first, second *ir.Inst, with *ir.Value) bool {
	sole := r.soleUser(first.Results[0]) == second
	if !sole && r.isOwned(with) {
		return false
	}
	r.replace(second, with)
	if sole {
		r.eraseWithUsers(first)
	}
	return true
}
