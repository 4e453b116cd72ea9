package opt

// passes lists every pass, in the order in which `silvm opt --help` shows them. A pass is a line here and a file named after it.
var passes = []*Pass{
	aaDump,
	arcSequenceOpts,
	basicInstructionPropertyDump,
	computeEscapeEffects,
	computeSideEffects,
	cse,
	dce,
	dumpMemBehavior,
	devirtualizer,
	diagnosticConstantPropagation,
	earlyInline,
	highLevelCSE,
	inline,
	jumpThreadSimplifyCFG,
	lateReleaseHoisting,
	loopCanonicalizer,
	ownershipModelEliminator,
	semanticARCOpts,
	copyPropagation,
	mandatoryCopyPropagation,
	nonTransparentOwnershipModelEliminator,
	performanceConstantPropagation,
	rcIDDumper,
	releaseHoisting,
	retainSinking,
	simplifyBBArgs,
	simplifyCFG,
	sroaBBArgs,
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
