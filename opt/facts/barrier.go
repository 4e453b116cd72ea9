package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// MayBeDeinitBarrier says whether a deinit may not be moved over the instruction, as it may synchronize with another thread, look at a
// weak or unowned reference, or access memory that nobody can identify. Every call counts.
func MayBeDeinitBarrier(i *ir.Inst) bool {
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply, op.EndApply, op.AbortApply, op.Yield, op.HopToExecutor,
		op.LoadWeak, op.LoadUnowned, op.StrongCopyUnownedValue, op.StrongCopyUnmanagedValue, op.StrongCopyWeakValue:
		return true
	case op.Builtin:
		return BuiltinMemory(i) != op.MemNone
	}
	if i.Row().Mem == op.MemNone {
		return false
	}
	for n := range i.Operands {
		if v := i.Arg(n); v != nil && v.Type != nil && v.Type.IsAddress() && accessesAddress(i) && isUnidentified(v) {
			return true
		}
	}
	return false
}

// accessesAddress says whether the instruction reads or writes memory at its address operands.
func accessesAddress(i *ir.Inst) bool {
	switch i.Op {
	case op.EndAccess, op.DeallocStack, op.DebugValue, op.FixLifetime, op.MarkDependence, op.EndBorrow:
		return false
	}
	return true
}

// isUnidentified says whether an address leads to a global or to memory that came from a pointer.
func isUnidentified(v *ir.Value) bool {
	for range maxAccessSteps {
		i := v.Inst()
		if i == nil {
			return v.IsArg() && !isParameter(v)
		}
		switch {
		case len(i.Operands) > 0 && ProjectsAddress(i, 0):
			v = i.Arg(0)
		case i.Op == op.StoreBorrow:
			v = i.Arg(1)
		case i.Op == op.GlobalAddr, i.Op == op.PointerToAddress, i.Op == op.Apply, i.Op == op.BeginApply, i.Op == op.IndexRawPointer:
			return true
		default:
			return false
		}
	}
	return true
}
