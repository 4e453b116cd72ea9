package rewrite

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// freeOps are the instructions that become no code of their own.
var freeOps = opSet(op.IntegerLiteral, op.FloatLiteral, op.StringLiteral, op.DebugValue, op.DebugStep, op.SpecifyTest, op.FunctionRef,
	op.AllocGlobal, op.GlobalAddr, op.FixLifetime, op.EndLifetime, op.BeginBorrow, op.EndBorrow, op.MoveValue, op.MarkDependence,
	op.UncheckedOwnershipConversion, op.TupleElementAddr, op.StructElementAddr, op.ProjectBlockStorage,
	op.DestructureStruct, op.DestructureTuple, op.Struct, op.StructExtract, op.Tuple, op.TupleExtract, op.TupleAddrConstructor,
	op.AddressToPointer, op.PointerToAddress, op.UncheckedRefCast, op.UncheckedAddrCast, op.UncheckedTrivialBitCast, op.UncheckedBitwiseCast,
	op.UncheckedValueCast, op.RawPointerToRef, op.RefToRawPointer, op.Upcast, op.ThinToThickFunction, op.ConvertFunction,
	op.ConvertEscapeToNoescape, op.EndInitLetRef, op.EndCowMutation, op.BeginDeallocRef, op.Return, op.Throw, op.ThrowAddr, op.Unwind,
	op.Unreachable, op.Yield, op.HasSymbol, op.DynamicFunctionRef, op.PrevDynamicFunctionRef, op.UncheckedRefCastAddr, op.BridgeObjectToWord,
	op.ObjcProtocol, op.ObjcExistentialMetatypeToObject, op.ObjcMetatypeToObject)

func opSet(ops ...op.Op) (set [op.Count]bool) {
	for _, o := range ops {
		set[o] = true
	}
	return set
}

// InlineCost is the cost of one instruction.
func InlineCost(i *ir.Inst) int {
	switch {
	case freeOps[i.Op]:
		return 0
	case i.Op == op.Br && i.Prev() == nil:
		return 0
	case i.Op == op.BeginAccess && !i.Has(op.QualDynamic):
		return 0
	case i.Op == op.EndAccess:
		if begin := facts.DefinedBy(i.Arg(0), op.BeginAccess); begin != nil {
			return InlineCost(begin)
		}
	case i.Op == op.Metatype && i.Types[0].Rep == ir.MetatypeThin:
		return 0
	case i.Op == op.Builtin && (facts.BuiltinID(i) == op.BuiltinOnFastPath || facts.BuiltinID(i) == op.BuiltinIntExpect):
		return 0
	}
	return 1
}

// notDuplicable are the instructions that may not be twice in a function where only one stood.
var notDuplicable = [op.Count]bool{
	op.AllocStack: true, op.AllocPack: true, op.DeallocPack: true, op.AllocPackMetadata: true, op.DeallocPackMetadata: true,
	op.BeginApply: true, op.EndApply: true, op.AbortApply: true, op.DynamicMethodBr: true, op.OpenExistentialAddr: true, op.OpenExistentialRef: true,
	op.OpenExistentialBox: true, op.OpenExistentialBoxValue: true, op.OpenExistentialMetatype: true, op.OpenExistentialValue: true,
	op.OpenPackElement: true, op.BeginAccess: true, op.EndAccess: true, op.GetAsyncContinuation: true, op.GetAsyncContinuationAddr: true,
	op.AwaitAsyncContinuation: true, op.Yield: true, op.Throw: true, op.TryApply: true,
}

// stackBuiltins are the builtins that pair up in a function as stack allocations do.
var stackBuiltins = map[op.BuiltinID]bool{
	op.BuiltinStackAlloc: true, op.BuiltinUnprotectedStackAlloc: true, op.BuiltinStackDealloc: true, op.BuiltinAllocVector: true,
	op.BuiltinStartAsyncLetWithLocalBuffer: true, op.BuiltinEndAsyncLetLifetime: true,
	op.BuiltinCreateTaskGroup: true, op.BuiltinCreateTaskGroupWithFlags: true, op.BuiltinDestroyTaskGroup: true, op.BuiltinUnknown: true,
}

// IsDuplicable reports whether a second instruction like i may be elsewhere in the function.
func IsDuplicable(i *ir.Inst) bool {
	if i.Op == op.Builtin && stackBuiltins[facts.BuiltinID(i)] {
		return false
	}
	if i.Op == op.PartialApply || i.Op == op.AllocRef || i.Op == op.AllocRefDynamic {
		return !i.Has(op.QualOnStack) && !i.Has(op.QualStack)
	}
	if i.Op == op.ObjcMethod || i.Op == op.ObjcSuperMethod { // is no value of its own: the call sends the message
		return !UsedOutside(i.Result())
	}
	return !notDuplicable[i.Op]
}

// UsedOutside reports whether another block uses the value.
func UsedOutside(v *ir.Value) bool {
	for u := range v.Uses() {
		if u.User().Block() != v.Block() {
			return true
		}
	}
	return false
}

// IsSelfRecursive reports whether the function calls itself.
func IsSelfRecursive(f *ir.Function) bool {
	for i := range f.Insts() {
		if facts.IsFullApply(i) && facts.StaticCallee(i) == f {
			return true
		}
	}
	return false
}
