package opt

import (
	"fmt"

	"silvm/opt/access"
	"silvm/opt/arc"
	"silvm/opt/calls"
	"silvm/opt/combine"
	"silvm/opt/dumps"
	"silvm/opt/flow"
	"silvm/opt/fold"
	"silvm/opt/loops"
	"silvm/opt/memory"
	"silvm/opt/ossa"
	"silvm/opt/pass"
)

// passes lists every pass, in the order in which `silvm opt --help` shows them. A pass is a line here and a file named after it.
var passes = []*pass.Pass{
	loops.ABCOpts,
	loops.BCOpts,
	dumps.AADump,
	access.AccessEnforcementDom,
	access.AccessEnforcementOpts,
	access.AccessEnforcementRelease,
	access.AccessEnforcementSelection,
	access.AccessEnforcementWMO,
	access.AccessMarkerElim,
	dumps.AccessStorageAnalysisDump,
	dumps.AccessStorageDump,
	dumps.AccessSummaryDump,
	arc.ARCLoopOpts,
	arc.ARCSequenceOpts,
	memory.ArrayCountPropagation,
	arc.AssumeSingleThreaded,
	dumps.BasicCalleePrinter,
	dumps.BasicInstructionPropertyDump,
	fold.BooleanLiteralFolding,
	dumps.CallerAnalysisPrinter,
	calls.CapturePropagation,
	ossa.CleanupDebugSteps,
	calls.ClosureSpecialize,
	flow.CodeSinking,
	dumps.ComputeDominanceInfo,
	calls.ComputeEscapeEffects,
	dumps.ComputeLoopInfo,
	calls.ComputeSideEffects,
	flow.ConditionForwarding,
	memory.CopyForwarding,
	ossa.CopyPropagation,
	memory.COWOpts,
	fold.CSE,
	fold.DCE,
	calls.DeadFunctionElim,
	memory.DeadObjectElim,
	flow.RedundantPhiElimination,
	flow.SplitCriticalEdges,
	flow.SplitOtherCriticalEdges,
	memory.DeadStoreElimination,
	ossa.DestroyAddrHoisting,
	calls.Devirtualizer,
	flow.DiagnoseUnreachable,
	combine.DiagnosticConstantPropagation,
	dumps.DiagnoseStaticExclusivity,
	dumps.DumpAccess,
	dumps.DumpAddrEscapeInfo,
	dumps.DumpDeadEndBlocks,
	dumps.DumpEscapeInfo,
	dumps.DumpFunctionUses,
	dumps.DumpMemBehavior,
	dumps.DumpRanges,
	flow.EarlyCodeMotion,
	calls.EarlyInline,
	dumps.EpilogueARCDumper,
	dumps.EpilogueRetainReleaseDumper,
	memory.EarlyRedundantLoadElimination,
	memory.EarlySROA,
	calls.DeadArgSignatureOpt,
	calls.DefinePrespecialized,
	calls.DeinitDevirtualizer,
	calls.ExistentialSpecializer,
	dumps.FunctionOrderPrinter,
	calls.FunctionSignatureOpts,
	calls.GenericSpecializer,
	fold.HighLevelCSE,
	loops.HighLevelLICM,
	calls.Inline,
	dumps.IvInfoPrinter,
	flow.JumpThreadSimplifyCFG,
	flow.LateCodeMotion,
	calls.LateDeadFunctionElim,
	arc.CoveredPairs,
	arc.LateReleaseHoisting,
	loops.LoopCanonicalizer,
	dumps.LoopInfoPrinter,
	loops.LoopRotate,
	loops.LICM,
	memory.LowerAggregateInstrs,
	ossa.MandatoryARCOpts,
	ossa.MandatoryCopyPropagation,
	calls.MandatoryInlining,
	memory.Mem2reg,
	flow.MergeCondFails,
	flow.MoveCondFailToPreds,
	memory.NamedReturnValueOptimization,
	calls.AlwaysInline,
	memory.AllocBoxToStack,
	memory.AllocStackHoisting,
	memory.CapturePromotion,
	memory.TempRValueOpt,
	memory.TempLValueOpt,
	ossa.LexicalLifetimeEliminator,
	ossa.NonTransparentOwnershipModelEliminator,
	dumps.OwnershipDumper,
	dumps.OwnershipVerifierTextualErrorDumper,
	ossa.OwnershipModelEliminator,
	combine.PerformanceConstantPropagation,
	flow.NoReturnFolding,
	combine.ONoneSimplification,
	combine.LateOnoneSimplification,
	combine.Simplification,
	flow.SimplifyUnreachableBlocks,
	flow.PhiExpansion,
	memory.PredictableDeadAllocElim,
	memory.PredictableMemAccessOpts,
	dumps.RCIDDumper,
	ossa.RawSILInstLowering,
	memory.RedundantLoadElimination,
	arc.ReleaseDevirtualizer,
	arc.ReleaseHoisting,
	arc.RetainSinking,
	ossa.SemanticARCOpts,
	combine.SILCombine,
	combine.SilgenCleanup,
	dumps.SILPrinter,
	flow.SimplifyBBArgs,
	flow.SimplifyCFG,
	memory.SROA,
	flow.SROABBArgs,
	calls.Specdevirt,
	memory.StackPromotion,
	memory.StackProtection,
	memory.FunctionStackProtection,
	ossa.StripDebugInfo,
	memory.StripObjectHeaders,
	dumps.TestInstructionIteration,
	dumps.TestRunner,
}

var byName = mustIndex(passes)

// mustIndex is indexPasses for the table above.
func mustIndex(passes []*pass.Pass) map[string]*pass.Pass {
	names, err := indexPasses(passes)
	if err != nil {
		panic(err) // a wrong table
	}
	return names
}

// indexPasses returns the passes by their names. A name may stand once.
func indexPasses(passes []*pass.Pass) (map[string]*pass.Pass, error) {
	names := make(map[string]*pass.Pass, len(passes))
	for _, p := range passes {
		if names[p.Name] != nil {
			return nil, fmt.Errorf("two passes are called %q", p.Name)
		}
		names[p.Name] = p
	}
	return names, nil
}

// Lookup returns the pass of that name, nil when there is none.
func Lookup(name string) *pass.Pass { return byName[name] }

// Passes lists all passes in the order of the table.
func Passes() []*pass.Pass { return passes }
