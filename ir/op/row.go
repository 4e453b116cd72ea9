package op

// Row is what the house knows of one SIL instruction. Columns are upper bounds: the refine rule named in
// Refine may only narrow what Mem, MayRelease and Barrier say. In every enum column zero means that nobody
// filled it in; Validate reports it.
type Row struct {
	Op      Op
	Name    string // SIL's name
	Family  Family
	Doc     string // one sentence
	Section string // of docs/SIL.rst
	// Form is the pattern of the text after the name, see form.go; "" when Named is set.
	Form  string
	Named NamedForm
	// Quals are the bracketed qualifiers that may follow the name, in printing order. A value in a
	// qualifier ("align=8") stands here up to its "=".
	Quals    []string
	Operands []OperandRow // the last one repeats when its Role ends in "..."
	Results  ResultRow
	Succs    SuccKind // None for an instruction that is no terminator
	Mem      Mem
	Release  Answer // may release, and so run a deinit
	Barrier  Answer // may be a deinit barrier
	Refine   Refine
	Stage    Stage
	Run      Run // under default checking
	RunFull  Run // under full checking
}

// IsTerminator says whether the instruction ends a block.
func (r *Row) IsTerminator() bool { return r.Succs != NoSuccs }

// OperandRow describes one operand.
type OperandRow struct {
	Role  string // "src", "dst", "base", "arg..."
	Class TypeClass
	Own   Ownership
}

// ResultRow describes the results.
type ResultRow struct {
	Count ResultCount
	Type  ResultType
	Own   ResultOwnership
}

// Family groups instructions as docs/SIL.rst does; the category column of the instruction facts.
type Family uint8

// TypeClass says what types an operand may have.
type TypeClass uint8

// Ownership is what an instruction does with an operand, under the names of OperandOwnership.h.
type Ownership uint8

// ResultCount says how many results there are.
type ResultCount uint8

// ResultType is the rule that gives the types of the results.
type ResultType uint8

// ResultOwnership is the rule that gives the ownership of the results.
type ResultOwnership uint8

// SuccKind says which successors a terminator has.
type SuccKind uint8

// Mem is what an instruction may do to memory.
type Mem uint8

// Answer is yes, no or maybe (narrowed by the refine rule).
type Answer uint8

// Refine names the rule that narrows the columns for one particular instruction.
type Refine uint8

// Stage says in which stages and function forms the instruction may stand.
type Stage uint8

// Run says how the machine executes the instruction.
type Run uint8

// NamedForm names a syntax that no pattern expresses: one parser and one printer function each.
type NamedForm uint8
