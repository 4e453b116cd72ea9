package rewrite

import (
	"silvm/ir"
	"silvm/ir/facts"
)

// EraseWithDebugUses removes the instruction and the debug_values of its results, which nothing else may use.
func EraseWithDebugUses(i *ir.Inst) {
	for _, r := range i.Results {
		for u := r.FirstUse(); u != nil; u = r.FirstUse() {
			u.User().Remove()
		}
	}
	i.Remove()
}

// Eraser removes instructions together with what becomes dead by it. Variables that showed their values stay visible where they can.
type Eraser struct {
	// erased is called before an instruction is removed; nil when nobody wants to know.
	Erased func(i *ir.Inst)
}

// Erase removes the instruction, whose results nothing but debug_value may use, then those of its operands that are dead without it.
func (e *Eraser) Erase(i *ir.Inst) {
	work := []*ir.Inst{i}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
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
		EraseWithDebugUses(i)
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

// RemoveUnreachable takes out the blocks that the entry does not reach, and reports whether there were any.
func RemoveUnreachable(f *ir.Function) bool {
	f.Renumber()
	seen := make([]bool, len(f.Blocks))
	stack := []*ir.Block{f.Blocks[0]}
	seen[0] = true
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range b.Last().Succs {
			if !seen[e.To.Index] {
				seen[e.To.Index] = true
				stack = append(stack, e.To)
			}
		}
	}
	var dead []*ir.Block
	live := f.Blocks[:0]
	for n, b := range f.Blocks {
		if seen[n] {
			live = append(live, b)
		} else {
			dead = append(dead, b)
		}
	}
	f.Blocks = live
	for _, b := range dead {
		for _, a := range b.Args {
			ReplaceWithUndef(a)
		}
		for i := range b.Insts() {
			for _, r := range i.Results {
				ReplaceWithUndef(r)
			}
		}
	}
	for _, b := range dead {
		for b.First() != nil {
			b.First().Remove()
		}
	}
	f.Renumber()
	return len(dead) > 0
}

// ReplaceWithUndef makes every user of v use undef.
func ReplaceWithUndef(v *ir.Value) {
	if v.HasUses() {
		v.ReplaceAllUses(ir.NewUndef(v.Type))
	}
}
