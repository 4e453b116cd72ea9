package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// accessedOperands are the operands at which instructions access memory (docs/SILMemoryAccess.md). What is not listed accesses none by
// itself: the ends of lifetimes and scopes, allocations, counting, checks.
var accessedOperands = map[op.Op][]int{
	op.Assign: {1}, op.AssignByWrapper: {1}, op.AssignOrInit: {1},
	op.CheckedCastAddrBr: {0, 1}, op.CopyAddr: {0, 1},
	op.Store: {1}, op.StoreBorrow: {1}, op.StoreWeak: {1}, op.StoreUnowned: {1}, op.PackElementSet: {1},
	op.SelectEnumAddr: {0}, op.SwitchEnumAddr: {0}, op.InitExistentialAddr: {0}, op.InjectEnumAddr: {0}, op.Load: {0}, op.LoadBorrow: {0},
	op.LoadWeak: {0}, op.LoadUnowned: {0}, op.OpenExistentialAddr: {0}, op.UncheckedTakeEnumDataAddr: {0}, op.UnconditionalCheckedCast: {0},
}

// accessedByBuiltin returns those of a builtin that gets addresses, the type argument of operations on arrays included.
func accessedByBuiltin(id op.BuiltinID) []int {
	switch id {
	case op.BuiltinCmpxchg, op.BuiltinAtomicload, op.BuiltinAtomicstore, op.BuiltinIntMemset:
		return []int{0}
	case op.BuiltinIntMemcpy, op.BuiltinIntMemmove:
		return []int{0, 1}
	case op.BuiltinCopyArray, op.BuiltinTakeArrayNoAlias, op.BuiltinTakeArrayFrontToBack, op.BuiltinTakeArrayBackToFront,
		op.BuiltinAssignCopyArrayNoAlias, op.BuiltinAssignCopyArrayFrontToBack, op.BuiltinAssignCopyArrayBackToFront, op.BuiltinAssignTakeArray:
		return []int{1, 2}
	}
	if id.IsReadModifyWrite() {
		return []int{0}
	}
	return nil
}

// AccessedAddresses calls yield for the operands whose memory an instruction may access: those of address type, and for a call those that
// closures passed to it have captured, if they can't escape.
func AccessedAddresses(i *ir.Inst, yield func(o *ir.Operand)) {
	if IsFullApply(i) {
		applyAccesses(i, yield, 0)
		return
	}
	operands := accessedOperands[i.Op]
	if i.Op == op.Builtin {
		operands = accessedByBuiltin(i.Builtin())
	}
	for _, n := range operands {
		if n < len(i.Operands) && i.Arg(n).Type.IsAddress() {
			yield(&i.Operands[n])
		}
	}
}

// maxClosureDepth bounds how deep closures that capture closures are looked into.
const maxClosureDepth = 16

func applyAccesses(i *ir.Inst, yield func(o *ir.Operand), depth int) {
	for n := 1; n < len(i.Operands) && depth < maxClosureDepth; n++ {
		v := i.Arg(n)
		switch {
		case IsTypeDependence(&i.Operands[n]):
		case v.Type.IsAddress():
			yield(&i.Operands[n])
		case v.Type.Func != nil && v.Type.Func.Noescape:
			if closure := closureOf(v); closure != nil {
				applyAccesses(closure, yield, depth+1)
			}
		}
	}
}

// closureOf looks through conversions of a function value for the partial_apply that it is, nil when there is none.
func closureOf(v *ir.Value) *ir.Inst {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch i.Op {
		case op.PartialApply:
			return i
		case op.ConvertFunction, op.ConvertEscapeToNoescape, op.ThinToThickFunction, op.MarkDependence, op.CopyValue, op.BeginBorrow, op.MoveValue:
			v = i.Arg(0)
		default:
			return nil
		}
	}
	return nil
}
