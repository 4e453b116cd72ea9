// Package ir is SIL in memory: types, values, instructions, blocks, functions, tables and the module that
// holds them, with the printer, the builder and the edits that passes make.
//
// Invariants: types of one module are interned, so equal types are equal pointers; an operand is in the list
// of uses of its value, whose order means nothing; an instruction is in one block or in none; results and block
// arguments never change their place. Printing a module that was loaded results in text that loads to the same print.
// The package knows no more of Swift than types and declarations need: it neither parses nor runs anything.
//
// Read inst.go first, with the instruction table in package op at hand; then type.go and result_type.go.
package ir

import (
	"slices"
	"strings"

	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/ir/source"
)

// Module is one or several SIL files linked together.
type Module struct {
	Types   *Types
	Files   *source.Set
	Stage   Stage
	Imports []string // as printed, in order

	// OpaqueValues says that the text is of the mode in which types that live in memory only are values all the same: @in and @out are
	// conventions of values there (lib/SIL/IR/SILModule.cpp, useLoweredAddresses).
	OpaqueValues bool

	// AsWritten makes bodies print with the names that they were read with (Function.Shadowed), which need not tell two parameters apart.
	AsWritten bool

	settled bool // SettlePlaces was called

	// OmitTypes says that operands print without the types that their definitions tell, as newer compilers print them: with a type only where
	// the definition is in a block further down.
	OmitTypes bool

	// Release is the release of the compiler that wrote the program, as far as its text shows it: what the loader knows of the library without
	// its text differs between releases.
	Release op.Version

	// Typeless says that some file leaves out types of operands, so that no use tells a type that the definition does not.
	Typeless bool

	// Comments are those of people in the text, nil where the loader was not asked for them. The printer puts them back.
	Comments Comments

	// Items lists everything in the order of the text, for printing.
	Items []Item

	Funcs         map[string]*Function
	Globals       map[string]*Global
	Nominals      map[string]*Nominal // by qualified name: "Set._Variant"
	VTables       map[string]*VTable  // by VTable.QualifiedClass; specialized ones by their type as printed
	WitnessTables []*WitnessTable
	Extensions    []*Nominal // extensions as declared: their conformances and typealiases
	Deinits       map[string]*Function

	// Embedded says that the module was compiled in Embedded mode: it brings the runtime's functions along.
	Embedded bool

	// Library declares the standard library's types of that name, the nested ones included, when the module
	// has none of its own: it enters them into Nominals and Extensions. nil when there is nobody to ask.
	Library func(m *Module, name string)

	// LibraryFunc returns a function of the standard library that silvm brings along, by its name there; nil when there is none such.
	LibraryFunc func(m *Module, name string) *Function

	// Archive has what is linked in when something refers to it, nil when there is nothing: see Func, Global and VTable.
	Archive Archive

	asked        map[string]bool // names that Library was asked for
	hidden       map[string]bool // names that Library is never asked for, see Hide
	index        conformanceIndex
	replacements replacementIndex
	// returningOpaque has the functions that declare an opaque type of a declaration among their results, by the declaration; see underlying.
	returningOpaque map[string][]*Function
	canon           map[*Type]*Type
	// opaque are the types behind opaque results that were asked for.
	opaque map[opaqueKey]opaqueType
	// opaqueDepth is the number of bodies that are being read to find such a type.
	opaqueDepth int
	// canonDepth is the number of calls of Canonical in progress.
	canonDepth int
	// scopes are the sil_scopes of each file by their numbers, nil until somebody asks.
	scopes map[*source.File]map[int]*Scope

	// thunks are those that were inlined into functions, of the functions that somebody asked for: see isThunk.
	thunks map[*Function]map[thunkCall]bool
	// swiftModules are the names of the Swift modules of the files, nil until somebody asks; that of nil is for files that don't tell.
	swiftModules map[*source.File]string
}

// EntryPoint is the name of the function in which a program starts.
const EntryPoint = "main"

// SwiftModule returns the name of the Swift module that declares a type of the program. A program of several files may be of several modules:
// a file is of the one that most names of what it defines begin with, and one that doesn't tell of the one that most names in the program do.
func (m *Module) SwiftModule(d *Nominal) string {
	m.NoteSwiftModules()
	if name := m.swiftModules[m.Files.File(d.Pos)]; name != "" {
		return name
	}
	return m.swiftModules[nil]
}

// ModuleC is the module of what Swift imports from C, as names of types show it.
const ModuleC = "__C"

// NoteSwiftModules finds the names of the Swift modules, if that was not done before. What passes add is named after functions of any name,
// and says nothing of them.
func (m *Module) NoteSwiftModules() {
	if m.swiftModules == nil {
		m.swiftModules = m.findSwiftModules()
	}
}

// NameSwiftModule says that all of the program is of the Swift module of that name.
func (m *Module) NameSwiftModule(name string) {
	m.swiftModules = map[*source.File]string{nil: name}
}

func (m *Module) findSwiftModules() map[*source.File]string {
	files, all := map[*source.File]map[string]int{}, map[string]int{}
	for _, item := range m.Items {
		switch x := item.(type) {
		case *Function:
			name, _, ok := mangle.CutModule(x.Name)
			if !ok || name == "Swift" || x.IsDeclaration() || m.Files.IsOurs(x.Pos) {
				continue
			}
			all[name]++
			if x.Linkage != LinkageShared && !x.Linkage.IsExternal() {
				file := m.Files.File(x.Pos)
				if files[file] == nil {
					files[file] = map[string]int{}
				}
				files[file][name]++
			}
		case *Global:
			if name, _, ok := mangle.CutModule(x.Name); ok && name != "Swift" && !m.Files.IsOurs(x.Pos) {
				all[name]++
			}
		}
	}
	modules := map[*source.File]string{}
	for file, votes := range files {
		modules[file] = mostVoted(votes, "")
	}
	modules[nil] = mostVoted(all, "main") // which is what swiftc calls a module without a name
	return modules
}

// mostVoted returns the name with most votes, of several the first one; other where there is none.
func mostVoted(votes map[string]int, other string) string {
	best := 0
	for name, n := range votes {
		if n > best || n == best && name < other {
			other, best = name, n
		}
	}
	return other
}

// ImportsModule reports whether a file of the module imports the Swift module of that name.
func (m *Module) ImportsModule(name string) bool {
	return slices.ContainsFunc(m.Imports, func(text string) bool {
		words := strings.Fields(text)
		return len(words) > 0 && words[len(words)-1] == name
	})
}

// Item is one top-level thing of a SIL file: *Function, *Global, *Nominal, *VTable, *WitnessTable or *Raw.
type Item interface{ item() }

// Raw is a top-level thing that silvm keeps as text: a scope, a coverage map, a property descriptor, a
// Swift declaration that is no type, a comment block.
type Raw struct {
	Text string
	Pos  source.Pos
}

func (*Raw) item()          {}
func (*Function) item()     {}
func (*Global) item()       {}
func (*Nominal) item()      {}
func (*VTable) item()       {}
func (*WitnessTable) item() {}

// Functions lists the functions of the module, declarations too, in the order of the text.
func (m *Module) Functions() []*Function {
	var list []*Function
	for _, item := range m.Items {
		if f, ok := item.(*Function); ok {
			list = append(list, f)
		}
	}
	return list
}

// NewModule returns an empty module over a table of types and a set of files.
func NewModule(types *Types, files *source.Set) *Module {
	return &Module{
		Types: types, Files: files,
		Funcs: map[string]*Function{}, Globals: map[string]*Global{}, Nominals: map[string]*Nominal{},
		VTables: map[string]*VTable{}, Deinits: map[string]*Function{},
	}
}

// Global is a sil_global.
type Global struct {
	Name    string
	Linkage Linkage
	Attrs   Attrs
	Type    *Type
	// Init holds the instructions of the static initializer in one block without terminator, nil when none;
	// its last instruction defines the initial value.
	Init    *Block
	Pos     source.Pos
	Loc     *Loc
	Scope   int
	Comment string
}

// VTable is a sil_vtable: the methods of a class, inherited entries included.
type VTable struct {
	Class   string // the class name as printed: "Base"
	Around  string // of a nested class, the outermost type around it where its name stands for several types (see Namesake), else ""
	Type    *Type  // of a specialized table (sil_vtable $C<Int>), else nil
	Attrs   Attrs
	Entries []VTableEntry
	Pos     source.Pos
}

// QualifiedClass is the name of the class with those of the types around it: "Outer.Node". The text of a table names the class alone,
// but the entries that the class introduced, of which the deallocating deinit is one, name it in full.
func (t *VTable) QualifiedClass() string {
	if t.Type != nil {
		return t.Class
	}
	for i := range t.Entries {
		e := &t.Entries[i]
		owner := outsideFunctions(e.Ref.Owner())
		if e.Kind == EntryNew && strings.HasSuffix(owner, "."+t.Class) {
			if t.Around != "" {
				_, nested, _ := strings.Cut(owner, ".")
				return t.Around + "." + nested
			}
			return owner
		}
		if e.Kind == EntryNew && owner == t.Class {
			break
		}
	}
	return t.Class
}

// VTableEntry maps the declaration that introduced a method to the function that implements it.
type VTableEntry struct {
	Ref           DeclRef
	DeclType      DeclType
	Func          string // name without @
	Kind          VTableEntryKind
	Nonoverridden bool
}

// WitnessTable is a sil_witness_table (or a default witness table): how a type meets a protocol.
type WitnessTable struct {
	Default     bool
	Linkage     Linkage
	Attrs       Attrs
	Conformance Conformance
	Entries     []WitnessEntry
	Declared    bool // no body in the text
	Pos         source.Pos
}

// Conformance names a normal conformance, <T where T : P> S<T> : Q module main, or, of the table of a type that Embedded Swift specialized,
// a specialized one: S<Int>: specialize <Int> (<T where T : P> S<T>: Q module main).
type Conformance struct {
	Generic     *GenericSig
	Type        *Type
	Protocol    *Type
	Module      string
	Specialized bool   // Type has arguments, and its witnesses are specialized for them
	Text        string // as printed
}

// WitnessEntry is one entry of a witness table.
type WitnessEntry struct {
	Kind     WitnessEntryKind
	Ref      DeclRef // of a method
	Name     string  // of an associated type
	Type     *Type   // what the associated type is
	Func     string  // of a method; "" for nil
	DeclType DeclType
	Text     string // as printed
	Proto    *Type  // protocol of a base_protocol or associated_conformance
	Conf     *Conformance
}
