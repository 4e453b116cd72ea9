package op

import "sort"

// The instruction table. The rows are in the table_*.go files, section by section of docs/SIL.rst; a row is
// three lines, or more where one is long:
//
//	name, family, syntax with the qualifiers right after the name,
//	operands, results or successors, effects, stage, execution under default and full checking,
//	what it does.
//
// Effects are memory behaviour, may release, may be a deinit barrier, refine rule. The facts on memory
// behaviour, releases and stages are those of SILNodes.def and the verifier in Swift 6.0.3; the operand
// ownerships those of OperandOwnership.cpp, with OwnershipNonUse where a function in ownership form can not
// hold the instruction.

// section is a part of the manual with its rows.
type section struct {
	title string
	lines []line
}

// line is a row as the files write it.
type line struct {
	name    string
	family  Family
	syntax  syntax
	in      in
	out     out
	effects effects
	stage   Stage
	run     run
	doc     string
}

type in []operand

// operand is an operand as the files write it.
type operand struct {
	role  string
	class TypeClass
	use   use
}

// use is what becomes of an operand: of the value, and of the memory that it is the address of.
type use struct {
	own Ownership
	mem Mem
}

type out struct {
	results ResultRow
	succs   SuccKind
}

type syntax struct {
	form  string
	named NamedForm
	quals []string
}

type effects struct {
	mem     Mem
	release Answer
	barrier Answer
	refine  Refine
}

type run struct{ plain, full Run }

// The words of the table.
const (
	anyType        = ClassAny
	address        = ClassAddress
	object         = ClassObject
	reference      = ClassReference
	class          = ClassClass
	box            = ClassBox
	existentialBox = ClassExistentialBox
	existential    = ClassExistential
	storage        = ClassStorage
	bridge         = ClassBridge
	metatype       = ClassMetatype
	function       = ClassFunction
	block          = ClassBlock
	tuple          = ClassTuple
	structure      = ClassStruct
	enumeration    = ClassEnum
	pointer        = ClassPointer
	integer        = ClassInteger
	int1           = ClassInt1
	token          = ClassToken
	packIndex      = ClassPackIndex
	pack           = ClassPack

	none         = ResultNone
	owned        = ResultOwned
	guaranteed   = ResultGuaranteed
	unowned      = ResultUnowned
	forwarded    = ResultForwarded
	conventional = ResultByConvention
	qualified    = ResultByQualifier
	builtinOwned = ResultByBuiltin
)

var (
	nonUse                  = use{OwnershipNonUse, MemNone}
	trivialUse              = use{OwnershipTrivialUse, MemNone}
	instantaneousUse        = use{OwnershipInstantaneousUse, MemNone}
	unownedInstantaneousUse = use{OwnershipUnownedInstantaneousUse, MemNone}
	pointerEscape           = use{OwnershipPointerEscape, MemNone}
	bitwiseEscape           = use{OwnershipBitwiseEscape, MemNone}
	borrow                  = use{OwnershipBorrow, MemNone}
	destroyingConsume       = use{OwnershipDestroyingConsume, MemNone}
	forwardingConsume       = use{OwnershipForwardingConsume, MemNone}
	interiorPointer         = use{OwnershipInteriorPointer, MemNone}
	guaranteedForwarding    = use{OwnershipGuaranteedForwarding, MemNone}
	endBorrow               = use{OwnershipEndBorrow, MemNone}
	forwardedUse            = use{OwnershipForwarded, MemNone}
	byConvention            = use{OwnershipByConvention, MemNone}
	byArgument              = use{OwnershipByArgument, MemNone}
	byBuiltin               = use{OwnershipByBuiltin, MemNone}

	// Addresses have no ownership.
	reads  = use{OwnershipTrivialUse, MemRead}
	writes = use{OwnershipTrivialUse, MemWrite}

	nothing = out{ResultRow{NoResults, TypeAbsent, ResultAbsent}, NoSuccs}
	pure    = effects{MemNone, No, No, RefineNone}

	own         = run{RunOwn, RunOwn}
	alias       = run{RunAlias, RunAlias}
	erased      = run{RunErased, RunErased}
	unsupported = run{RunTrap, RunTrap}
)

func form(form string, quals ...string) syntax      { return syntax{form: form, quals: quals} }
func named(named NamedForm, quals ...string) syntax { return syntax{named: named, quals: quals} }
func one(t ResultType, o ResultOwnership) out       { return out{ResultRow{OneResult, t, o}, NoSuccs} }
func two(t ResultType, o ResultOwnership) out       { return out{ResultRow{TwoResults, t, o}, NoSuccs} }
func many(t ResultType, o ResultOwnership) out      { return out{ResultRow{ManyResults, t, o}, NoSuccs} }
func to(s SuccKind) out                             { return out{nothing.results, s} }

var tableErrors []error // of forms that do not compile; Validate reports them

// table holds the rows in the order of the manual, index the same rows by opcode.
var table = buildTable()
var index, byName = buildIndex(table)

func buildTable() []*Row {
	var rows []*Row
	for _, file := range [][]section{allocRows, memoryRows, refcountRows, literalsRows, aggregatesRows,
		existentialsRows, castsRows, controlRows} {
		for _, s := range file {
			for _, l := range s.lines {
				rows = append(rows, l.row(s.title))
			}
		}
	}
	return rows
}

// versions names the instructions that not all releases from Swift60 on have.
var versions = map[string]struct{ since, until Version }{
	"destroy_not_escaped_closure":           {Swift62, 0},
	"end_cow_mutation_addr":                 {Swift62, 0},
	"extend_lifetime":                       {Swift62, 0},
	"ignored_use":                           {Swift62, 0},
	"implicitactor_to_opaqueisolation_cast": {Swift62, 0},
	"is_escaping_closure":                   {Swift60, Swift60},
	"mark_dependence_addr":                  {Swift62, 0},
	"merge_isolation_region":                {Swift62, 0},
	"thunk":                                 {Swift62, 0},
	"type_value":                            {Swift62, 0},
}

// row fills in what a line says elsewhere or by omission.
func (l *line) row(section string) *Row {
	r := &Row{
		Name: l.name, Family: l.family, Doc: l.doc, Section: section,
		Form: l.syntax.form, Named: l.syntax.named, qualNames: l.syntax.quals,
		Results: l.out.results, Succs: l.out.succs,
		Mem: l.effects.mem, Release: l.effects.release, Barrier: l.effects.barrier, Refine: l.effects.refine,
		Stage: l.stage, Run: l.run.plain, RunFull: l.run.full,
	}
	for _, o := range l.in {
		r.Operands = append(r.Operands, OperandRow{Role: o.role, Class: o.class, Own: o.use.own, Mem: o.use.mem})
	}
	if v, ok := versions[r.Name]; ok {
		r.Since, r.Until = v.since, v.until
	} else {
		r.Since = Swift60
	}
	parts, err := compileForm(r.Form)
	if err != nil {
		tableErrors = append(tableErrors, err)
	}
	r.Parts = parts
	for _, p := range parts {
		if p.Kind == PartQuals {
			r.qualNames = append(r.qualNames[:len(r.qualNames):len(r.qualNames)], p.Names...)
		}
	}
	return r
}

// buildIndex numbers the rows by name, as the generator numbers the constants of opcodes.go.
func buildIndex(table []*Row) ([]*Row, map[string]*Row) {
	byName := make(map[string]*Row, len(table))
	index := append([]*Row{{}}, table...)
	sort.SliceStable(index[1:], func(i, j int) bool { return index[i+1].Name < index[j+1].Name })
	for i, r := range index {
		r.Op = Op(i)
		byName[r.Name] = r
	}
	delete(byName, "")
	return index, byName
}

// Row returns the row of an opcode. That of Invalid, and of a number that is no opcode, has no name and zero
// in every column.
func (o Op) Row() *Row {
	if int(o) < len(index) {
		return index[o]
	}
	return index[Invalid]
}

// terminators has by opcode what the rows say, which are far apart in memory.
var terminators = func() (is [Count]bool) {
	for o := range index {
		is[o] = index[o].IsTerminator()
	}
	return is
}()

// IsTerminator reports whether the instruction ends a block.
func (o Op) IsTerminator() bool { return int(o) < len(terminators) && terminators[o] }

// String returns SIL's name of the instruction, "invalid" for Invalid.
func (o Op) String() string {
	if n := o.Row().Name; n != "" {
		return n
	}
	return "invalid"
}

// ByName finds the opcode of an instruction by SIL's name.
func ByName(name string) (Op, bool) {
	r, ok := byName[name]
	if !ok {
		return Invalid, false
	}
	return r.Op, true
}

// Rows lists all rows in the order of docs/SIL.rst. The caller must not change the slice or the rows.
func Rows() []*Row { return table }
