package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// IsDebug reports whether an instruction only serves debuggers.
func IsDebug(i *ir.Inst) bool { return i.Row().Family == op.FamilyDebug }

// IsCountOrEnd reports whether all that an instruction does with the value that it uses is to count a reference to it, or to end its lifetime or
// a borrow of it: it neither reads what the value is nor keeps it.
func IsCountOrEnd(i *ir.Inst) bool {
	switch i.Op {
	case op.StrongRetain, op.StrongRelease, op.RetainValue, op.ReleaseValue, op.DestroyValue, op.EndBorrow, op.DeallocStack:
		return true
	}
	return false
}

// HasOnlyDebugUses reports whether nothing but debug_value uses the results.
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
var NeverDead = [op.Count]bool{
	op.DebugValue: true, op.DebugStep: true, op.SpecifyTest: true, op.MarkUninitialized: true, op.CondFail: true,
	op.UnconditionalCheckedCast: true, op.UnconditionalCheckedCastAddr: true, // a trap
}

// IsTriviallyDead reports whether the instruction can be removed at once: nothing but debug_value uses its results, and
// it does nothing else.
func IsTriviallyDead(i *ir.Inst) bool {
	if i.Op.IsTerminator() || i.Block() == nil || !HasOnlyDebugUses(i) {
		return false
	}
	switch i.Op {
	case op.CondFail:
		lit := Literal(i.Arg(0))
		return lit != nil && lit.Sign() == 0
	case op.Builtin:
		if i.Builtin() == op.BuiltinOnFastPath {
			return false
		}
	case op.UncheckedTakeEnumDataAddr:
		return true
	}
	return !NeverDead[i.Op] && !MayHaveSideEffects(i) && !OpensNamedType(i)
}

// IsRefCounting reports whether an instruction does nothing but change or carry along a count.
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
