package op

import "strings"

// Row is what the house knows of one SIL instruction. Columns are upper bounds: the refine rule named in
// Refine may only narrow what Mem, Release and Barrier say. In every enum column zero means that nobody
// filled it in; Validate reports it.
type Row struct {
	Op      Op     // set from the name
	Name    string // SIL's name
	Family  Family
	Doc     string // one sentence
	Section string // of docs/SIL.rst; the instruction's own heading, where it has one, is inside
	// Form is the pattern of the text after the name, see form.go; "" when Named is set, and for an
	// instruction that is its name only. Parts is the form taken apart.
	Form  string
	Parts []Part
	Named NamedForm // zero for an instruction that has a Form
	// Quals are the bracketed qualifiers that may follow the name, in printing order, then those that the
	// form places elsewhere. A qualifier with a value is written in the rows up to its "=" or space: "align=" for
	// "[align=8]", "parameters " for "[parameters 0 1]".
	Quals     []Qual
	qualNames []string // the same as the row writes them
	placed    Quals    // those that the form places
	// Operands are in the order of the text. A Role that ends in "..." stands for any number of operands,
	// one that ends in "?" for one that may be absent.
	Operands []OperandRow
	Results  ResultRow
	Succs    SuccKind
	Mem      Mem
	Release  Answer // may release, and so run a deinit
	Barrier  Answer // may be a deinit barrier
	Refine   Refine
	Stage    Stage
	Since    Version // the first release that has the instruction
	Until    Version // the last one; zero when the newest release that was looked at has it
	Run      Run     // under default checking
	RunFull  Run     // under full checking
}

// OpensType reports whether the instruction opens a type: that of the value in an existential, or that of an element of a pack.
func (o Op) OpensType() bool {
	switch o {
	case OpenExistentialAddr, OpenExistentialBox, OpenExistentialBoxValue, OpenExistentialMetatype, OpenExistentialRef, OpenExistentialValue, OpenPackElement:
		return true
	}
	return false
}

// IsTerminator reports whether the instruction ends a block.
func (r *Row) IsTerminator() bool { return r.Succs > NoSuccs }

// OperandRow describes one operand.
type OperandRow struct {
	Role  string // "src", "dst", "payload?", "args..."
	Class TypeClass
	Own   Ownership
	// Mem is what the instruction does to the memory that the operand is the address of: reads the value there, or puts one there. To end the
	// value's lifetime, as a take and destroy_addr do, is neither; what a callee or a builtin does is not the row's to say.
	Mem Mem
}

// IsList reports whether the row stands for any number of operands.
func (r *OperandRow) IsList() bool { return strings.HasSuffix(r.Role, "...") }

// IsOptional reports whether the operand may be absent.
func (r *OperandRow) IsOptional() bool { return strings.HasSuffix(r.Role, "?") }

// ResultRow describes the results.
type ResultRow struct {
	Count ResultCount
	Type  ResultType
	Own   ResultOwnership
}

// Family groups instructions by what they are for.
type Family uint8

// The families.
const (
	FamilyAllocation Family = iota + 1
	FamilyDeallocation
	FamilyDebug
	FamilyTesting
	FamilyProfiling
	FamilyMemoryAccess
	FamilyMemoryBinding
	FamilyAddressing
	FamilyExclusivity
	FamilyOwnership
	FamilyReferenceCounting
	FamilyCopyOnWrite
	FamilyDependence
	FamilyLiteral
	FamilyDynamicDispatch
	FamilyFunctionApplication
	FamilyMetatype
	FamilyAggregate
	FamilyEnum
	FamilyExistential
	FamilyBlock
	FamilyPackIndex
	FamilyVariadicGenerics
	FamilyUncheckedConversion
	FamilyBridgeObject
	FamilyCheckedCast
	FamilyRuntimeFailure
	FamilyTerminator
	FamilyConcurrency
	FamilyKeyPath
	FamilyDifferentiation
	FamilyDataflowMarker
	FamilyMoveOnlyWrapper
	FamilyWeakLinking
	numFamilies
)

var familyNames = [numFamilies]string{
	FamilyAllocation:          "allocation",
	FamilyDeallocation:        "deallocation",
	FamilyDebug:               "debug",
	FamilyTesting:             "testing",
	FamilyProfiling:           "profiling",
	FamilyMemoryAccess:        "memory access",
	FamilyMemoryBinding:       "memory binding",
	FamilyAddressing:          "addressing",
	FamilyExclusivity:         "exclusivity",
	FamilyOwnership:           "ownership",
	FamilyReferenceCounting:   "reference counting",
	FamilyCopyOnWrite:         "copy-on-write",
	FamilyDependence:          "dependence",
	FamilyLiteral:             "literal",
	FamilyDynamicDispatch:     "dynamic dispatch",
	FamilyFunctionApplication: "function application",
	FamilyMetatype:            "metatype",
	FamilyAggregate:           "aggregate",
	FamilyEnum:                "enum",
	FamilyExistential:         "existential",
	FamilyBlock:               "block",
	FamilyPackIndex:           "pack index",
	FamilyVariadicGenerics:    "variadic generics",
	FamilyUncheckedConversion: "unchecked conversion",
	FamilyBridgeObject:        "bridge object",
	FamilyCheckedCast:         "checked cast",
	FamilyRuntimeFailure:      "runtime failure",
	FamilyTerminator:          "terminator",
	FamilyConcurrency:         "concurrency",
	FamilyKeyPath:             "key path",
	FamilyDifferentiation:     "differentiation",
	FamilyDataflowMarker:      "dataflow marker",
	FamilyMoveOnlyWrapper:     "move-only wrapper",
	FamilyWeakLinking:         "weak linking",
}

// String returns the family in words.
func (f Family) String() string { return name(familyNames[:], int(f)) }

// name returns entry i of a table of names, "?" where there is none.
func name(names []string, i int) string {
	if i < len(names) && names[i] != "" {
		return names[i]
	}
	return "?"
}

// NamedForm names a syntax that no pattern expresses: one parser and one printer function each.
type NamedForm uint8

// The named forms, with what they read and where they put it. Qualifiers right after the name are read
// before, location and scope after, as for every form.
const (
	// FormApply: %callee<Subs>(%args) : $FunctionType. ApplyAux.
	FormApply NamedForm = iota + 1
	// FormTryApply: the same, then ", normal bb1, error bb2".
	FormTryApply
	// FormBuiltin: "name"<Subs>(%0 : $T, …) : $Result. BuiltinAux; Types[0] is the result.
	FormBuiltin
	// FormMethod: %self : $T, #C.method!kind : DeclType, $FunctionType. MethodAux; the function type is also
	// the last of Types.
	FormMethod
	// FormWitnessMethod: $T, #P.requirement : DeclType : $FunctionType, with ", %opened : $T" before the last
	// part when the lookup type was opened by an instruction. MethodAux; Types are T and the function type.
	FormWitnessMethod
	// FormAllocRef: any number of [tail_elems $E * %n : $Builtin.Word], then $C, or %metatype : $M, $C for
	// alloc_ref_dynamic. The counts are the first operands; Types are the tail types, then C.
	FormAllocRef
	// FormTuple: (%0 : $A, %1 : $B), or $(x: A, y: B) (%0, %1) with the type in Types[0].
	FormTuple
	// FormObject: $C (%0 : $A, [tail_elems] %1 : $B, …). Types[0] is C; IntAux is the number of operands in
	// front of the tail elements, absent when there are none.
	FormObject
	// FormSwitchEnum: %enum : $E, case #E.a!enumelt: bb1, …, default bb2. CaseAux and Succs.
	FormSwitchEnum
	// FormSwitchValue: %value : $T, case %1: bb1, …, default bb2. The values are Operands[1:].
	FormSwitchValue
	// FormSelectEnum: %enum : $E, case #E.a!enumelt: %1, …, default %2 : $T. CaseAux; Types[0] is T.
	FormSelectEnum
	// FormYield: %0 : $T, or (%0 : $T, …) unless there is exactly one, then ", resume bb1, unwind bb2".
	FormYield
	// FormKeyPath: $KeyPathType, <Signature> (components) <Subs> (%0, …). KeyPathAux; Types[0] is the type.
	FormKeyPath
	// FormOpenPackElement: %index of <Signature> at <Subs>, shape $T, uuid "…".
	FormOpenPackElement
	// FormProfilerCounter: 1, "name", num_counters 3, hash 0.
	FormProfilerCounter
	// FormDifferentiableFunction: [parameters 0 1] [results 0] %f : $F with_derivative {%jvp : $J, %vjp : $V}.
	FormDifferentiableFunction
	// FormLinearFunction: [parameters 0] %f : $F with_transpose %t : $T.
	FormLinearFunction
	// FormDifferentiabilityWitness: [jvp] [reverse] [parameters 0] [results 0] <Signature> @f : $F.
	FormDifferentiabilityWitness
	// FormBlockHeader: %storage : $S, invoke %invoke<Subs> : $FunctionType, type $BlockType. InvokeAux; Types[0]
	// is the block's type.
	FormBlockHeader
	numNamedForms
)
