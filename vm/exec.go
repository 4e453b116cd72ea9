package vm

import (
	"silvm/vm/code"
)

// exec does the instruction before m.pc with all its checks: one that has no case in the loop, or whose case there met a rare
// or wrong situation. When it comes back without a trap the instruction is done, m.pc and m.frame say where to go on, and
// anything the loop holds in locals may be stale.
func (m *Machine) exec() *Trap {
	in := m.prog.Insts[m.pc-1]
	in.Op = in.Op.First()
	if in.Op == code.Break && m.inspect != nil {
		m.left -= int64(in.C)
		return m.inspect()
	}
	return m.execInst(in)
}

// execInst is exec of an instruction that may stand otherwise in the program by now.
func (m *Machine) execInst(in code.Inst) *Trap {
	r := m.regs()
	switch in.Op {
	case code.Retain, code.RetainNoted, code.RetainN, code.RetainUnowned, code.ReleaseUnowned, code.StrongFromUnowned, code.SetDeiniting,
		code.DeallocPartial, code.IsUnique, code.IsEscaping, code.AllocObjectR, code.AllocDynamic, code.AllocErrorBox,
		code.InitStackObject,
		code.WeakInit, code.WeakAssign, code.WeakLoad, code.WeakTake, code.WeakDestroy, code.WeakCopy, code.WeakMove:
		return m.execRef(in, r)
	case code.Call, code.CallTry, code.CallEntry, code.CallTryEntry, code.CallThick, code.CallMethod, code.CallWitnessMethod,
		code.CallDyn, code.CallWitness, code.CallNative, code.TailCall, code.Throw, code.Once:
		return m.execCall(in, r)
	case code.BeginApply, code.BeginApplyThick, code.BeginApplyMethod, code.BeginApplyWitness, code.BeginApplyDyn, code.Yield,
		code.EndApply, code.AbortApply, code.Unwind:
		return m.execCoroutine(in, r)
	case code.NativeRun:
		return m.runNative(in)
	case code.CheckAccess, code.BeginAccess, code.EndAccess, code.BeginUnpaired, code.EndUnpaired:
		return m.execAccess(in, r)
	case code.FuncHandle, code.FuncHandleDyn, code.ClassMethod, code.ClassMethodMeta, code.WitnessMethod, code.Metadata, code.MetadataDyn,
		code.ObjectType, code.ExistentialType, code.SuperclassOf, code.TypeSize, code.TypeStride, code.TypeAlign,
		code.TypeIsPOD, code.GlobalAddr, code.GlobalObject, code.FindWitness, code.StringAddr, code.WitnessTableAddr,
		code.DynamicType:
		return m.execType(in, r)
	case code.AllocBox, code.EnumCase, code.EnumInject, code.EnumStrip, code.FieldNamed, code.FieldNumbered,
		code.InstanceSize:
		return m.execDynamic(in, r)
	case code.CastClass, code.CastExact, code.CastDyn:
		return m.execCast(in, r)
	case code.InitExistential, code.ProjectExistential, code.DeinitExistential, code.DestroyExistential,
		code.CopyExistential, code.UniqueExistential:
		return m.execExistential(in, r)
	case code.CopyMem, code.CopyMemR, code.FillMem, code.CmpMem, code.Enter, code.Leave, code.EnterHeap, code.LeaveHeap,
		code.AllocRaw, code.FreeRaw, code.StackAlloc, code.StackFree:
		return m.execMemory(in, r)
	case code.AtomicAdd, code.AtomicSub, code.AtomicAnd, code.AtomicOr, code.AtomicXor, code.AtomicXchg, code.AtomicCmpXchg:
		return m.execAtomic(in, r)
	case code.WideDiv, code.WideMulOver:
		return m.execWide(in, r)
	case code.Break, code.Writes:
		m.boundary(in, r)
		return nil
	case code.ClearRegs:
		clear(r[in.B:in.Imm])
		return nil
	case code.Unreachable:
		return m.trapNow(UnreachableReached)
	case code.TrapIndex:
		return m.execIndex(in, r)
	case code.Trap:
		return m.programTrap(code.TrapKind(in.Imm))
	}
	if in.Op >= code.Load8 && in.Op <= code.RefCheck {
		return m.execAccessMemory(in, r)
	}
	if in.Op >= code.Fadd64 && in.Op <= code.Ftrunc3216 {
		return m.execFloat(in, r)
	}
	return m.execArith(in, r)
}
