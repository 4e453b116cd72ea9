package access

import (
	"strings"

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
var AccessEnforcementRelease = &pass.Pass{
	Name: "access-enforcement-release",
	Doc:  "Moves releases behind the end of the access that they lie in",
	Function: func(_ *pass.Context, f *ir.Function) bool {
		if f.IsOSSA() {
			return false
		}
		changed := false
		for _, b := range f.Blocks {
			var end *ir.Inst // the last end_access with no barrier in front of it
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
					i.MoveBefore(end.Next())
					changed = true
				}
				i = prev
			}
		}
		return changed
	},
}

func isSinkableRelease(i *ir.Inst) bool {
	switch i.Op {
	case op.ReleaseValue, op.ReleaseValueAddr, op.StrongRelease, op.UnmanagedReleaseValue:
		return true
	}
	return false
}

// sensitiveBuiltins are those that a deinit may not change places with, by name or by stem.
var sensitiveBuiltins = []string{"allocRaw", "deallocRaw", "fence", "ifdef_", "atomicload", "atomicstore", "atomicrmw", "unreachable", "cmpxchg",
	"condUnreachable", "destroyArray", "copyArray", "takeArray", "assignCopyArray", "assignTakeArray", "cancelAsyncTask", "startAsyncLet",
	"createAsyncTask", "createTask", "taskRunInline", "convertTaskToJob", "initialize", "destroyDefaultActor", "build", "resumeNonThrowing",
	"resumeThrowing", "autoDiffProjectTopLevelSubcontext", "autoDiffAllocateSubcontext", "addressOfBorrowOpaque", "addressofBorrow",
	"unprotectedAddressOf", "unexpectedError", "errorInMain", "distributedActorAsAnyActor"}

// isReleaseSinkBarrier reports whether a release may not move down over the instruction: calls, uniqueness checks, deallocations, the beginning of
// another access, builtins that may depend on what lives.
func isReleaseSinkBarrier(i *ir.Inst) bool {
	switch i.Op {
	case op.BeginAccess, op.BeginUnpairedAccess, op.BeginCowMutation, op.DeallocStack, op.DeallocRef, op.DeallocPartialRef, op.DeallocBox,
		op.DeallocStackRef, op.DeallocPack, op.DeallocPackMetadata, op.DeallocExistentialBox:
		return true
	case op.Builtin:
		name := i.Aux.(*ir.BuiltinAux).Name
		for _, stem := range sensitiveBuiltins {
			if strings.HasPrefix(name, stem) {
				return true
			}
		}
		return false
	}
	return facts.IsFullApply(i) || facts.ChecksCount(i)
}
