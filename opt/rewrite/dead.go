package rewrite

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// IsDebug says whether an instruction only serves debuggers.
func IsDebug(i *ir.Inst) bool { return i.Row().Family == op.FamilyDebug }

// HasOnlyDebugUses says whether nothing but debug_value uses the results.
func HasOnlyDebugUses(i *ir.Inst) bool {
	for _, r := range i.Results {
		for u := r.FirstUse(); u != nil; u = u.NextUse() {
			if !IsDebug(u.User()) {
				return false
			}
		}
	}
	return true
}

// NeverDead are the instructions without effects that mean something without uses.
var NeverDead = map[op.Op]bool{
	op.DebugValue: true, op.DebugStep: true, op.SpecifyTest: true, op.MarkUninitialized: true, op.CondFail: true,
	op.UnconditionalCheckedCast: true, op.UnconditionalCheckedCastAddr: true, // a trap
}

// IsTriviallyDead says whether the instruction can be taken away without more ado: nothing but debug_value uses its results, and
// it does nothing else.
func IsTriviallyDead(i *ir.Inst) bool {
	if i.Row().IsTerminator() || i.Block() == nil || !HasOnlyDebugUses(i) {
		return false
	}
	switch i.Op {
	case op.CondFail:
		lit := pass.Literal(i.Arg(0))
		return lit != nil && lit.Sign() == 0
	case op.Builtin:
		if name := i.Aux.(*ir.BuiltinAux).Name; name == "onFastPath" {
			return false
		}
	case op.UncheckedTakeEnumDataAddr:
		return true
	}
	return !NeverDead[i.Op] && !MayHaveSideEffects(i) && !pass.OpensNamedType(i)
}

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
				for u := r.FirstUse(); u != nil; u = u.NextUse() {
					e.Erased(u.User())
				}
			}
			e.Erased(i)
		}
		SalvageDebugInfo(i.Block().Func.Module, i)
		EraseWithDebugUses(i)
		for _, d := range defs {
			if d.Block() != nil && IsTriviallyDead(d) {
				work = append(work, d)
			}
		}
	}
}

// EraseIfDead removes the instruction that defines v, and what dies with it, when it is trivially dead. It says whether it did.
func (e *Eraser) EraseIfDead(v *ir.Value) bool {
	if v == nil || v.Inst() == nil || !IsTriviallyDead(v.Inst()) {
		return false
	}
	e.Erase(v.Inst())
	return true
}

// RemoveUnreachable takes out the blocks that the entry does not reach, and says whether there were any.
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
		for i := b.First(); i != nil; i = i.Next() {
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

// IsRefCounting says whether an instruction does nothing but change or carry along a count.
func IsRefCounting(i *ir.Inst) bool {
	if i.Row().Family != op.FamilyReferenceCounting {
		return false
	}
	switch i.Op {
	case op.LoadWeak, op.StoreWeak, op.LoadUnowned, op.StoreUnowned, op.WeakCopyValue, op.UnownedCopyValue, op.StrongCopyUnownedValue,
		op.StrongCopyUnmanagedValue, op.StrongCopyWeakValue:
		return false
	}
	return true
}
