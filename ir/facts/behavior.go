package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
)

// ownMemory tells what an instruction may do to memory by itself: its row's column, narrowed by the row's refine rule and by what the
// declaration of the callee promises. It looks into no function; Program.Memory does.
func ownMemory(i *ir.Inst) op.Mem {
	row := i.Row()
	switch row.Refine {
	case op.RefineLoad:
		if i.Has(op.QualTake) || i.Has(op.QualCopy) {
			return op.MemSideEffects
		}
		return op.MemRead
	case op.RefineStore:
		if i.Has(op.QualAssign) {
			return op.MemSideEffects
		}
		return op.MemWrite
	case op.RefineApply:
		// A function that only reads may still release what it is handed.
		if f := StaticCallee(i); f != nil && IsFullApply(i) && f.Attrs.Has(ir.AttrReadnone) {
			return op.MemNone
		}
	case op.RefineBuiltin:
		return builtinMemory(i)
	}
	return row.Mem
}

// Memory is ownMemory with calls by the effects of their callee.
func (p *Program) Memory(i *ir.Inst) op.Mem {
	if f := StaticCallee(i); f != nil && IsFullApply(i) {
		return memOf(p.SideEffects(f), true)
	}
	return ownMemory(i)
}

// CallMemory is Memory of a call where copies of references don't count.
func (p *Program) CallMemory(i *ir.Inst) op.Mem {
	if f := StaticCallee(i); f != nil {
		return memOf(p.SideEffects(f), false)
	}
	return ownMemory(i)
}

// IsInitialization reports whether i does nothing once it has run, and then returns the same: it initializes a global variable.
func IsInitialization(i *ir.Inst) bool {
	if i.Op == op.Builtin {
		return BuiltinID(i) == op.BuiltinOnce
	}
	f := StaticCallee(i)
	return f != nil && f.Attrs.Has(ir.AttrGlobalInit)
}

// OrderMemory is the function Memory for who moves an instruction or takes it away: a copy counts as a side effect, since the value that
// it makes has to be consumed, and a dependence on memory reads it.
func OrderMemory(i *ir.Inst) op.Mem {
	switch i.Op {
	case op.CopyValue:
		return op.MemSideEffects
	case op.MarkDependence:
		if i.Arg(1).Type.IsAddress() {
			return op.MemRead
		}
	}
	return ownMemory(i)
}

// MayHaveSideEffects reports whether the instruction may do more than compute its results, by OrderMemory: write memory, release, trap.
func MayHaveSideEffects(i *ir.Inst) bool { return mayTrap(i) || OrderMemory(i).MayWrite() }

// MayReadOrWrite reports whether the instruction may touch memory at all, by OrderMemory.
func MayReadOrWrite(i *ir.Inst) bool { return OrderMemory(i) != op.MemNone }

// builtinMemory tells what a builtin may do to memory.
func builtinMemory(i *ir.Inst) op.Mem {
	b := i.Builtin().Row()
	switch {
	case b == nil:
		return op.MemSideEffects
	case b.ID == op.BuiltinZeroInitializer && len(i.Operands) > 0: // of the memory that the operand is the address of
		return op.MemWrite
	}
	return b.Mem
}

// memOf returns the memory behaviour of a call with these effects; retains reports whether a copy counts as a side effect.
func memOf(g effects.Global, retains bool) op.Mem {
	if g.Allocates || g.Destroy || g.Copy && retains {
		return op.MemSideEffects
	}
	return accessOf(g)
}

// accessOf returns the memory behaviour of the reads and writes alone.
func accessOf(g effects.Global) op.Mem {
	switch {
	case g.Read && g.Write:
		return op.MemReadWrite
	case g.Write:
		return op.MemWrite
	case g.Read:
		return op.MemRead
	}
	return op.MemNone
}

// MayRead reports whether the instruction may read memory.
func (p *Program) MayRead(i *ir.Inst) bool { return p.Memory(i).MayRead() }

// MayWrite reports whether the instruction may write memory.
func (p *Program) MayWrite(i *ir.Inst) bool { return p.Memory(i).MayWrite() }

// mayTrap reports whether the instruction may stop the program by a trap that is its purpose.
func mayTrap(i *ir.Inst) bool {
	switch i.Op {
	case op.CondFail, op.UnconditionalCheckedCast, op.UnconditionalCheckedCastAddr:
		return true
	}
	return IsFullApply(i) && HasSemantics(StaticCallee(i), ir.SemanticsTraps)
}

// mayHaveSideEffects reports whether the instruction writes memory or traps.
func (p *Program) mayHaveSideEffects(i *ir.Inst) bool { return mayTrap(i) || p.MayWrite(i) }

// MayRelease reports whether the instruction may end the life of an object. Calls count by the effects of their callee.
func (p *Program) MayRelease(i *ir.Inst) bool {
	row := i.Row()
	switch row.Refine {
	case op.RefineStore:
		return i.Has(op.QualAssign)
	case op.RefineCopyAddr:
		return !i.Has(op.QualInit) && !p.Types.IsTrivial(i.Arg(0).Type.Object())
	case op.RefineTupleAddr:
		return !i.Has(op.QualInit)
	case op.RefineApply:
		if f := StaticCallee(i); f != nil && IsFullApply(i) {
			return p.SideEffects(f).Destroy
		}
	case op.RefineBuiltin:
		if b := i.Builtin().Row(); b != nil && (b.Mem == op.MemNone || b.Release == op.No && !b.Mem.MayWrite()) {
			return false
		}
		return !isCopyBuiltin(i)
	case op.RefineCast:
		if i.Op == op.UnconditionalCheckedCast || i.Op == op.CheckedCastBr {
			return p.castMayRelease(i)
		}
	}
	return row.Release != op.No
}

// isCopyBuiltin reports whether a builtin has side effects of which none is a release.
func isCopyBuiltin(i *ir.Inst) bool {
	switch i.Builtin() {
	case op.BuiltinCopyArray, op.BuiltinIntMemcpy, op.BuiltinIntMemmove, op.BuiltinIntMemset:
		return true
	}
	return false
}

// castMayRelease reports whether a cast of a value may bridge, which may release: not between classes and existentials of them.
func (p *Program) castMayRelease(i *ir.Inst) bool {
	return !p.isNativeRef(i.Arg(0).Type) && !p.Types.IsTrivial(i.Arg(0).Type)
}

func (p *Program) isNativeRef(t *ir.Type) bool {
	if t.Kind == ir.KindBuiltin {
		return true
	}
	return p.IsClass(t)
}

// IsBarrier reports whether the instruction may be a deinit barrier: whether a release may not be moved over it to an earlier place
// (docs/SIL.rst, Deinit barriers). A call counts by what it may reach.
func (p *Program) IsBarrier(i *ir.Inst) bool {
	if IsFullApply(i) {
		return p.CallEffects(i).Barrier
	}
	return p.MayBeBarrier(i)
}

// storageAddress looks through projections and casts of an address for the one that tells in what storage it lies.
func storageAddress(v *ir.Value) *ir.Value {
	for range maxAccessSteps {
		i := v.Inst()
		if i == nil {
			return v
		}
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr, op.BeginAccess, op.IndexAddr,
			op.UncheckedAddrCast:
			v = i.Arg(0)
		default:
			return v
		}
	}
	return v
}

// MayBeBarrier is IsBarrier without a look at what is called: every call counts.
func (p *Program) MayBeBarrier(i *ir.Inst) bool {
	row := i.Row()
	switch row.Barrier {
	case op.No:
		return false
	case op.Yes:
		return true
	}
	switch row.Refine {
	case op.RefineBuiltin:
		b := i.Builtin().Row()
		return b == nil || b.Barrier != op.No
	case op.RefineApply:
		return true
	case op.RefinePartialApply:
		return false
	}
	for n := range i.Operands {
		v := i.Arg(n)
		if !v.Type.IsAddress() {
			continue
		}
		v = storageAddress(v)
		if i := v.Inst(); i != nil && i.Op == op.PointerToAddress && !isEntryArg(i.Arg(0)) {
			return true
		}
		switch p.AccessPath(v, 0).Kind {
		case BaseGlobal, BaseUnidentified:
			return true
		}
	}
	return false
}
