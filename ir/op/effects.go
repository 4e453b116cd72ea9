package op

// Mem is what an instruction may do to memory that others can see (SILInstruction's MemoryBehavior).
type Mem uint8

// The memory behaviours, each including what the ones before it allow, except that MemWrite does not read.
const (
	MemNone        Mem = iota + 1 // nothing
	MemRead                       // may read
	MemWrite                      // may write
	MemReadWrite                  // may read and write
	MemSideEffects                // may do anything, a trap or a release included
	numMems
)

var memNames = [numMems]string{
	MemNone:        "none",
	MemRead:        "read",
	MemWrite:       "write",
	MemReadWrite:   "read-write",
	MemSideEffects: "side effects",
}

// String returns the behaviour in words.
func (m Mem) String() string { return name(memNames[:], int(m)) }

// MayRead reports whether the instruction may read memory.
func (m Mem) MayRead() bool { return m == MemRead || m >= MemReadWrite }

// MayWrite reports whether the instruction may write memory.
func (m Mem) MayWrite() bool { return m >= MemWrite }

// Answer is yes, no or maybe: the instruction's refine rule, its types or what it calls decide.
type Answer uint8

// The answers. Who does not look closer takes Maybe for Yes.
const (
	No Answer = iota + 1
	Maybe
	Yes
	numAnswers
)

var answerNames = [numAnswers]string{No: "no", Maybe: "maybe", Yes: "yes"}

// String returns the answer in words.
func (a Answer) String() string { return name(answerNames[:], int(a)) }

// Refine names the rule that narrows the effect columns for one particular instruction.
type Refine uint8

// The refine rules. A rule only ever narrows.
const (
	RefineNone         Refine = iota + 1 // the columns hold as they are
	RefineLoad                           // trivial or unqualified: reads only; take: reads and writes
	RefineStore                          // init, trivial or unqualified: writes only, releases nothing
	RefineCopyAddr                       // to [init]: releases nothing; trivial type: reads and writes only
	RefineTupleAddr                      // init: releases nothing
	RefineAccess                         // static and unsafe accesses do nothing at run time
	RefineApply                          // by the effects of the callee, where it is known
	RefinePartialApply                   // on_stack: allocates nothing on the heap
	RefineBuiltin                        // by the builtin's row
	RefineCast                           // by the kinds of the two types: a cast that cannot bridge or take releases nothing
	RefineAddress                        // no deinit barrier when the address is that of a known variable that is no global
	numRefines
)

var refineNames = [numRefines]string{
	RefineNone:         "by nothing",
	RefineLoad:         "by the qualifier: trivial and unqualified loads only read",
	RefineStore:        "by the qualifier: all but assign only write and release nothing",
	RefineCopyAddr:     "by the qualifier: to [init] releases nothing",
	RefineTupleAddr:    "by the qualifier: init releases nothing",
	RefineAccess:       "by the enforcement: only dynamic accesses are checked at run time",
	RefineApply:        "by the effects of the callee",
	RefinePartialApply: "by the qualifier: on_stack allocates nothing on the heap",
	RefineBuiltin:      "by the builtin",
	RefineCast:         "by the two types and the consumption",
	RefineAddress:      "by the address: one of a local variable or a stored property is no barrier",
}

// String returns the rule in words.
func (r Refine) String() string { return name(refineNames[:], int(r)) }

// Stage says in which stages and function forms the instruction may stand.
type Stage uint8

// The stages.
const (
	StageAny           Stage = iota + 1 // everywhere
	StageRaw                            // raw SIL only
	StageRawOSSA                        // raw SIL only, in functions in ownership form
	StageMostlyRaw                      // raw SIL, and canonical SIL until the move-only passes have run
	StageMostlyRawOSSA                  // the same, in functions in ownership form
	StageOSSA                           // functions in ownership form only
	StageNonOSSA                        // functions that are not in ownership form
	StageLowered                        // lowered SIL only
	StageStaticInit                     // static initializers of globals only
	numStages
)

var stageNames = [numStages]string{
	StageAny:           "every stage",
	StageRaw:           "raw SIL",
	StageRawOSSA:       "raw SIL in ownership form",
	StageMostlyRaw:     "raw SIL, and canonical SIL until the move-only passes have run",
	StageMostlyRawOSSA: "raw SIL in ownership form, and canonical SIL until the move-only passes have run",
	StageOSSA:          "ownership form",
	StageNonOSSA:       "functions without ownership form",
	StageLowered:       "lowered SIL",
	StageStaticInit:    "static initializers",
}

// String returns the stage in words.
func (s Stage) String() string { return name(stageNames[:], int(s)) }

// IsOSSAOnly reports whether the instruction may be in functions in ownership form only.
func (s Stage) IsOSSAOnly() bool {
	return s == StageOSSA || s == StageRawOSSA || s == StageMostlyRawOSSA
}

// Run says how the machine executes the instruction.
type Run uint8

// The ways to execute an instruction.
const (
	RunErased Run = iota + 1 // nothing happens; it has no results, or results that hold nothing
	RunAlias                 // the results are the operands under new names
	RunTrap                  // not supported: the program stops when it gets here, and says so
	RunOwn                   // has a lowering of its own
	numRuns
)

var runNames = [numRuns]string{RunErased: "erased", RunAlias: "alias", RunTrap: "not supported", RunOwn: "own"}

// String returns the way in words.
func (r Run) String() string { return name(runNames[:], int(r)) }
