package opt

// passes lists every pass, in the order in which `silvm opt --help` shows them. A pass is a line here and a file named after it.
var passes = []*Pass{
	aaDump,
	accessEnforcementRelease,
	accessEnforcementWMO,
	accessMarkerElim,
	arcLoopOpts,
	arcSequenceOpts,
	assumeSingleThreaded,
	basicInstructionPropertyDump,
	booleanLiteralFolding,
	codeSinking,
	computeEscapeEffects,
	computeSideEffects,
	copyForwarding,
	copyPropagation,
	cowOpts,
	cse,
	dce,
	deadObjectElim,
	redundantPhiElimination,
	splitCriticalEdges,
	splitOtherCriticalEdges,
	deadStoreElimination,
	destroyAddrHoisting,
	devirtualizer,
	diagnosticConstantPropagation,
	dumpAddrEscapeInfo,
	dumpDeadEndBlocks,
	dumpEscapeInfo,
	dumpMemBehavior,
	earlyCodeMotion,
	earlyInline,
	epilogueARCDumper,
	epilogueRetainReleaseDumper,
	earlyRedundantLoadElimination,
	earlySROA,
	deadArgSignatureOpt,
	existentialSpecializer,
	functionSignatureOpts,
	genericSpecializer,
	highLevelCSE,
	inline,
	jumpThreadSimplifyCFG,
	lateCodeMotion,
	lateReleaseHoisting,
	loopCanonicalizer,
	lowerAggregateInstrs,
	mandatoryARCOpts,
	mandatoryCopyPropagation,
	mem2reg,
	mergeCondFails,
	namedReturnValueOptimization,
	allocBoxToStack,
	tempRValueOpt,
	tempLValueOpt,
	lexicalLifetimeEliminator,
	nonTransparentOwnershipModelEliminator,
	ownershipModelEliminator,
	performanceConstantPropagation,
	phiExpansion,
	rcIDDumper,
	redundantLoadElimination,
	releaseDevirtualizer,
	releaseHoisting,
	retainSinking,
	semanticARCOpts,
	silCombine,
	simplifyBBArgs,
	simplifyCFG,
	sroa,
	sroaBBArgs,
	stackPromotion,
	stripDebugInfo,
	stripObjectHeaders,
}

// Lookup gives the pass of that name, nil when there is none.
func Lookup(name string) *Pass {
	for _, p := range passes {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Passes lists all passes in the order of the table.
func Passes() []*Pass { return passes }
