package access

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// AccessEnforcementRelease moves releases out of access scopes, whose deinits might begin a conflicting access:
//
//	%1 = begin_access [modify] [dynamic] %0        %1 = begin_access [modify] [dynamic] %0
//	strong_release %2                         ⇒    end_access %1
//	end_access %1                                  strong_release %2
//
// A release stays whose deinit reads or writes what lies in between: an access that was merged from several has a release of the source inside.
var AccessEnforcementRelease = &pass.Pass{
	Name: "access-enforcement-release",
	Doc:  "Moves releases after the end of the access that they lie in",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if f.IsOSSA() {
			return false
		}
		changed := false
		for _, b := range f.Blocks {
			var end *ir.Inst // the last end_access with no barrier before it
			for i := b.Last(); i != nil; {
				prev := i.Prev()
				switch {
				case i.Op == op.EndAccess:
					if end == nil {
						end = i
					}
				case isReleaseSinkBarrier(i):
					end = nil
				case end != nil && isSinkableRelease(i):
					if stays(c.Program(f), i, end) {
						c.Missed(f, i, "what its deinit reads or writes lies between it and the end of the access")
						end = nil
						break
					}
					i.MoveBefore(end.Next())
					changed = true
				}
				i = prev
			}
		}
		return changed
	},
}

// maxSunk is over how many instructions a release is moved at most whose deinit matters.
const maxSunk = 1000

// stays reports whether a deinit of the release may not change places with an instruction up to the end of the access.
func stays(p *facts.Program, release, end *ir.Inst) bool {
	t := release.Arg(0).Type
	if !p.DeinitActs(t) {
		return false
	}
	n := 0
	for i := release.Next(); i != end; i = i.Next() {
		if n++; n > maxSunk || p.DependsOnDeinit(i, t) {
			return true
		}
	}
	return false
}

func isSinkableRelease(i *ir.Inst) bool {
	switch i.Op {
	case op.ReleaseValue, op.ReleaseValueAddr, op.StrongRelease, op.UnmanagedReleaseValue:
		return true
	}
	return false
}

// sensitiveBuiltins are those that a deinit may not change places with, and those that the table lacks.
var sensitiveBuiltins = map[op.BuiltinID]bool{
	op.BuiltinUnknown:  true,
	op.BuiltinAllocRaw: true, op.BuiltinDeallocRaw: true, op.BuiltinFence: true, op.BuiltinAtomicload: true, op.BuiltinAtomicstore: true,
	op.BuiltinCmpxchg: true, op.BuiltinUnreachable: true, op.BuiltinUnexpectedError: true, op.BuiltinErrorInMain: true,
	op.BuiltinDestroyArray: true, op.BuiltinCopyArray: true, op.BuiltinTakeArrayNoAlias: true, op.BuiltinTakeArrayFrontToBack: true,
	op.BuiltinTakeArrayBackToFront: true, op.BuiltinAssignCopyArrayNoAlias: true, op.BuiltinAssignCopyArrayFrontToBack: true,
	op.BuiltinAssignCopyArrayBackToFront: true, op.BuiltinAssignTakeArray: true,
	op.BuiltinStartAsyncLetWithLocalBuffer: true, op.BuiltinCreateAsyncTask: true, op.BuiltinCreateTaskGroup: true,
	op.BuiltinCreateTaskGroupWithFlags: true, op.BuiltinConvertTaskToJob: true,
	op.BuiltinInitializeDefaultActor: true, op.BuiltinDestroyDefaultActor: true, op.BuiltinBuildMainActorExecutorRef: true,
	op.BuiltinBuildDefaultActorExecutorRef: true, op.BuiltinBuildOrdinaryTaskExecutorRef: true,
	op.BuiltinBuildOrdinarySerialExecutorRef: true, op.BuiltinBuildComplexEqualitySerialExecutorRef: true,
	op.BuiltinResumeNonThrowingContinuationReturning: true, op.BuiltinResumeThrowingContinuationReturning: true,
	op.BuiltinResumeThrowingContinuationThrowing: true,
	op.BuiltinAutoDiffProjectTopLevelSubcontext:  true, op.BuiltinAutoDiffAllocateSubcontextWithType: true,
}

// isReleaseSinkBarrier reports whether a release may not move down over the instruction: calls, uniqueness checks, deallocations, the beginning of
// another access, builtins that may depend on what lives.
func isReleaseSinkBarrier(i *ir.Inst) bool {
	switch i.Op {
	case op.BeginAccess, op.BeginUnpairedAccess, op.BeginCowMutation, op.DeallocStack, op.DeallocRef, op.DeallocPartialRef, op.DeallocBox,
		op.DeallocStackRef, op.DeallocPack, op.DeallocPackMetadata, op.DeallocExistentialBox:
		return true
	case op.Builtin:
		return sensitiveBuiltins[i.Builtin()] || i.Builtin().IsReadModifyWrite()
	}
	return facts.IsFullApply(i) || facts.ChecksCount(i)
}
