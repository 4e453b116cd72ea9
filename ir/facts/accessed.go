package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// accessNoAddress are the instructions that read or write memory, but access none in the sense of docs/SILMemoryAccess.md.
var accessNoAddress = [op.Count]bool{op.ExplicitCopyAddr: true, op.IsUnique: true, op.TupleAddrConstructor: true, op.UncheckedRefCastAddr: true,
	op.UnconditionalCheckedCastAddr: true}

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
	if i.Op == op.Builtin {
		for _, n := range accessedByBuiltin(i.Builtin()) {
			if n < len(i.Operands) && i.Arg(n).Type.IsAddress() {
				yield(&i.Operands[n])
			}
		}
		return
	}
	for n := range i.Operands {
		if i.OperandMem(n) != op.MemNone && !accessNoAddress[i.Op] {
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
