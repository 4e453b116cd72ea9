package rewrite

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/worklist"
)

// EraseWithUsers removes the instruction with all that uses its results, directly or not: what is removed is as good as dead, such as the
// debug_values of an instruction that nothing else uses. Nothing else is told or kept.
func EraseWithUsers(i *ir.Inst) {
	for _, r := range i.Results {
		EraseUsers(r)
	}
	i.Remove()
}

// EraseUsers removes all users of v with theirs.
func EraseUsers(v *ir.Value) {
	for u := v.FirstUse(); u != nil; u = v.FirstUse() {
		EraseWithUsers(u.User())
	}
}

// EraseDebugUses removes the debug_values of v. erased, which may be nil, is told before each goes.
func EraseDebugUses(v *ir.Value, erased func(i *ir.Inst)) {
	for _, x := range v.UseList() {
		if i := x.User(); facts.IsDebug(i) {
			if erased != nil {
				erased(i)
			}
			i.Remove()
		}
	}
}

// Eraser removes instructions together with what becomes dead by it. Variables that showed their values stay visible where they can.
type Eraser struct {
	// Erased is called before an instruction is removed; nil when nobody wants to know.
	Erased func(i *ir.Inst)
}

// Erase removes the instruction, whose results nothing but debug_value may use, then those of its operands that are dead without it.
func (e *Eraser) Erase(i *ir.Inst) {
	work := []*ir.Inst{i}
	for i := range worklist.Drain(&work) {
		if i.Block() == nil {
			continue
		}
		var defs []*ir.Inst
		for n := range i.Operands {
			if d := i.Arg(n).Inst(); d != nil {
				defs = append(defs, d)
			}
		}
		if e.Erased != nil {
			for _, r := range i.Results {
				for u := range r.Uses() {
					e.Erased(u.User())
				}
			}
			e.Erased(i)
		}
		SalvageDebugInfo(i.Block().Func.Module, i)
		EraseWithUsers(i)
		for _, d := range defs {
			if d.Block() != nil && facts.IsTriviallyDead(d) {
				work = append(work, d)
			}
		}
	}
}

// EraseIfDead removes the instruction that defines v, and what dies with it, when it is trivially dead. It reports whether it did.
func (e *Eraser) EraseIfDead(v *ir.Value) bool {
	if v == nil || v.Inst() == nil || !facts.IsTriviallyDead(v.Inst()) {
		return false
	}
	e.Erase(v.Inst())
	return true
}
