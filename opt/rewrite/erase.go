package rewrite

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
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
			if d.Block() != nil && facts.IsTriviallyDead(d) && len(consumed(d)) == 0 {
				work = append(work, d)
			}
		}
	}
}

// consumed lists the values that an instruction in ownership form consumes, which need another end if it goes.
func consumed(i *ir.Inst) []*ir.Value {
	f := i.Block().Func
	if !f.IsOSSA() {
		return nil
	}
	var vs []*ir.Value
	own := ownership.New(f, nil)
	for n := range i.Operands {
		if ownership.EndsLifetime(own.Use(i, n)) {
			vs = append(vs, i.Arg(n))
		}
	}
	return vs
}

// IsDead reports whether the instruction can be removed at once, and ends no value that would be left without an end: what takes a trivial
// payload out of an owned enum is the enum's end, whoever uses the payload.
func IsDead(i *ir.Inst) bool {
	return facts.IsTriviallyDead(i) && (i.Op != op.UncheckedEnumData || len(consumed(i)) == 0)
}

// EraseOrDestroy does as EraseIfDead, and destroys what the instruction consumed in its place.
func (e *Eraser) EraseOrDestroy(v *ir.Value) bool {
	if v == nil || v.Inst() == nil || !facts.IsTriviallyDead(v.Inst()) {
		return false
	}
	b := ir.At(v.Inst().Block().Func.Module, v.Inst())
	for _, c := range consumed(v.Inst()) {
		b.Emit(&ir.Inst{Op: op.DestroyValue}, c)
	}
	return e.EraseIfDead(v)
}

// EraseIfDead removes the instruction that defines v, and what dies with it, when it is trivially dead. It reports whether it did.
func (e *Eraser) EraseIfDead(v *ir.Value) bool {
	if v == nil || v.Inst() == nil || !facts.IsTriviallyDead(v.Inst()) {
		return false
	}
	e.Erase(v.Inst())
	return true
}
