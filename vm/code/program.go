package code

import (
	"silvm/ir"
	"silvm/vm/abi"
)

// Program is everything the machine runs: the bytecode of all functions lowered so far and the tables that
// instructions index. It grows while the program runs; nothing is ever removed or moved, except that Insts may
// be reallocated.
type Program struct {
	Module  *ir.Module
	Layouts *abi.Layouts
	Runtime Runtime

	Insts      []Inst // Insts[0] is an Unreachable, so that entry 0 means "not lowered"
	Funcs      []*Func
	Lowered    []*Func // those of Funcs that have code, by Entry
	Classes    []*Class
	Types      []*TypeInfo
	Globals    []*Global
	Strings    []*String
	Witnesses  []*WitnessTable
	Natives    []*NativeRef
	JumpTables [][]uint32 // the last target of a table is its default
	DynCalls   []*DynCall
	DynTypes   []*DynType
	Casts      []*Cast
	Exists     []*Existential
	PathParts  []*PathPart
	// Reasons says, by pc, why a Trap instruction is there, where its SIL instruction doesn't say it: the thing that is not
	// supported.
	Reasons map[uint32]string
}

// TypeBase is the address of the first record of type metadata, which lies past all memory, and 1 << TypeShift the distance of two.
const (
	TypeBase  = 1 << 40
	TypeShift = 12
)

// Func is one function of the machine: a specialization of a SIL function, or code that lowering made up
// (value witnesses, thunks).
type Func struct {
	Index int
	Name  string       // mangled name, or a description for made-up code
	Fn    *ir.Function // nil for made-up code
	// Closure is the function that closures with this code run, set on the made-up code that hands captures over to it.
	Closure *ir.Function
	Types   []*ir.Type // the concrete type arguments of the specialization
	Entry   uint32     // index of the first instruction; 0 as long as it was not lowered
	End     uint32     // index after the last instruction
	NRegs   int        // registers of the frame, link included
	Handle  uint64     // address of the static record that stands for the function; 0 until asked for
	Pos     []PosEntry // sorted by PC
	Native  *NativeRef // set when calling it means calling a native
	// Shape is what the function takes and returns, as far as its code shows it: one that never returns has no results. Calls has the
	// shapes of its call sites, by pc. Both are there once it is lowered.
	Shape
	Calls []CallSite
	// Bounds and Values are there when the function was lowered for tools: the pcs of the boundaries, ascending, and where the values of
	// Fn are.
	Bounds []uint32
	Values map[*ir.Value]Location
	// Emit lowers the function when it is first needed. It sets Entry, End, NRegs and Pos.
	Emit func() error
}

// Shape is how many words a function or a call passes and gets.
type Shape struct {
	Args, Rets, ErrRets int
	Throws              bool // of a function: some path throws
}

// CallSite is the shape of the call at a pc. A tail call has its arguments only.
type CallSite struct {
	PC uint32
	Shape
}

// PosEntry says to which SIL instruction the bytecode from PC on belongs.
type PosEntry struct {
	PC    uint32
	Inst  *ir.Inst // nil for prologues
	Step  uint32   // number of SIL instructions of the block before Inst
	Scope int
}

// DeallocPartialInstance names the native that gives up an object, its first argument, whose initializer failed in the class that its
// second argument is the metadata of.
const DeallocPartialInstance = "swift_deallocPartialClassInstance"

// ValueType is where the metadata word of the value in an opaque existential is, in bytes.
const ValueType = abi.ExistentialType

// Class is what the machine knows of a class beside its type.
type Class struct {
	Type    *TypeInfo
	Layout  *abi.ClassLayout
	Super   *Class
	VTable  []int          // function indexes by slot; -1 for an entry without a function
	Dealloc int            // function index of the deallocating deinit, -1 when the class has none (then Destroy)
	Destroy int            // function index of the code that destroys the stored properties and frees the object
	IVars   int            // function index of the ivar destroyer, -1 when none
	Slots   map[string]int // vtable slot by declaration ("#Base.hello") and type
	// Generic has the methods that are generic themselves, keyed as Slots: no slot can hold them.
	Generic map[string]*ir.Function
}

// Has reports whether the vtable has a method, named as the keys of Slots are.
func (c *Class) Has(key string) bool {
	_, ok := c.Slots[key]
	return ok || c.Generic[key] != nil
}

// FieldAt returns the stored property at an offset in an instance, in bytes from its header, and nil where there is none.
func (c *Class) FieldAt(off uint64) *abi.ClassField {
	for n := range c.Layout.Fields {
		if f := &c.Layout.Fields[n]; off >= f.Offset && off < f.Offset+max(f.Layout.Size, 1) {
			return f
		}
	}
	return nil
}

// TypeInfo is the run-time record of a type: what its metadata word stands for.
type TypeInfo struct {
	Index   int
	Type    *ir.Type
	Layout  *abi.Layout
	Name    string            // as Swift prints it
	Addr    uint64            // address of the static metadata record
	Class   *Class            // nil when no class
	Witness [NumWitnesses]int // function indexes of value witnesses, -1 until asked for
	// Object is the layout of heap objects whose metadata this is (boxes, contexts, error boxes); nil for other types.
	Object *abi.Object
	// DestroyObject is the function that destroys heap objects whose metadata this is (boxes, contexts,
	// error boxes): it destroys what is inside and frees the object. -1 for other types and for classes.
	DestroyObject int
}

// Witness numbers the value witnesses of a type, all made up by lowering as bytecode. Arguments are addresses
// unless said otherwise.
type Witness int

// The value witnesses.
const (
	WitnessDestroy                    Witness = iota // (value)
	WitnessInitCopy                                  // (dst, src)
	WitnessInitTake                                  // (dst, src)
	WitnessAssignCopy                                // (dst, src)
	WitnessAssignTake                                // (dst, src)
	WitnessDestroyArray                              // (first, count)
	WitnessInitCopyArray                             // (dst, src, count)
	WitnessAssignCopyArrayFrontToBack                // (dst, src, count)
	WitnessAssignCopyArrayBackToFront                // (dst, src, count)
	WitnessInitTakeArrayFrontToBack                  // (dst, src, count)
	WitnessInitTakeArrayBackToFront                  // (dst, src, count)
	WitnessAssignTakeArray                           // (dst, src, count)
	NumWitnesses
)

// Global is a global variable of the program.
type Global struct {
	Global *ir.Global
	Layout *abi.Layout
	Addr   uint64 // 0 until first used
	// Image is the static initializer; nil when the variable starts as zeros. Why says what of it is not supported: then
	// using the variable traps.
	Image *Image
	Why   string
	// Object is set when the initializer is an object: Image is then that of the whole object.
	Object *StaticObject
}

// StaticObject describes the object of a global whose initializer is an object instruction.
type StaticObject struct {
	Type  int    // index of its type record
	Align uint64 // bytes
}

// Image is the initial content of static memory: bytes, and words that are only known when they are placed.
type Image struct {
	Bytes  []byte
	Relocs []Reloc
}

// Reloc is a word of an Image that holds the address of something, plus Add, or'ed with Or.
type Reloc struct {
	Offset uint64
	Kind   RelocKind
	Index  int
	Add    uint64
	Or     uint64
}

// RelocKind says what a Reloc's Index means.
type RelocKind uint8

// The kinds of relocations.
const (
	RelocString   RelocKind = iota + 1 // Program.Strings
	RelocFunc                          // handle of Program.Funcs
	RelocGlobal                        // address of Program.Globals
	RelocMetadata                      // record of Program.Types
	RelocWitness                       // record of Program.Witnesses
)

// String is a constant string in static memory, followed by a zero byte.
type String struct {
	Bytes string
	Addr  uint64 // 0 until first used
}

// WitnessTable is a conformance at run time: one function for each method requirement.
type WitnessTable struct {
	Index    int
	Table    *ir.WitnessTable // nil for a conformance of the standard library
	Type     *ir.Type
	Protocol *ir.Type
	Entries  []int  // function indexes by requirement as far as asked for; see Runtime.WitnessEntry
	Addr     uint64 // address of the static record
}

// NativeRef names a function that has no body and is bound to Go code by its symbol.
type NativeRef struct {
	Index    int
	Symbol   string
	DeclType ir.DeclType // of a requirement: it tells overloads apart
	Fn       *ir.Function
	Types    []*ir.Type // concrete type arguments of the call
	// From is how many bytes an integer of the standard library has that it converts to another one that it makes, which has To, or to text, for which To is
	// 0; negative where they have a sign, 0 for all else.
	From, To int
	// Stride and Align are those of the elements of an array that it makes room for; 0 for all else.
	Stride, Align uint64
	ArgSlots      int
	// Impl is the machine's function; package vm knows its type.
	Impl any
}

// Indirect reports whether parameter k is passed by its address.
func (n *NativeRef) Indirect(k int) bool {
	if n.Fn == nil || n.Fn.Type == nil || n.Fn.Type.Kind != ir.KindFunction {
		return false
	}
	params := n.Fn.Type.Func.Params
	return k < len(params) && params[k].Conv.IsIndirect()
}

// TypeTemplate is a type in which some parts are only known at run time: Regs[i] is the register that holds the metadata
// of Open[i], an opened archetype that occurs in Type.
type TypeTemplate struct {
	Type *ir.Type
	Open []*ir.Type
	Regs []uint16
}

// DynType is the description behind MetadataDyn.
type DynType struct{ Template TypeTemplate }

// DynCall is the description behind CallDyn: a generic function and templates of its type arguments.
type DynCall struct {
	Fn    *ir.Function
	Args  []TypeTemplate
	Cache map[string]int // function index by the metadata addresses
	// Specialize returns the function index for concrete type arguments.
	Specialize func(types []*ir.Type) (int, error)
}

// Cast is the description behind CastDyn.
type Cast struct {
	From, To       TypeTemplate
	Indirect       bool // operands are addresses (checked_cast_addr_br, unconditional_checked_cast_addr)
	Unconditional  bool
	TakeAlways     bool
	TakeOnSuccess  bool
	CopyOnSuccess  bool
	Prohibits      bool // a conformance that is isolated to a global actor does not count ([prohibit_isolated_conformances])
	ForcesMetatype bool // a metatype is forced to another, as swift_dynamicCastMetatypeUnconditional does it
}

// Existential is the description behind InitExistential: the witness tables of the concrete type for the
// protocols of the existential, in order.
type Existential struct {
	Protocols []*ir.Type
	Tables    []int // indexes of witness tables; -1 when unknown
}

// Runtime is what the machine asks of lowering while the program runs. Indexes are those of Program's tables.
type Runtime interface {
	// Func returns the index of a function of the module with its type arguments, made when first asked for.
	Func(fn *ir.Function, types []*ir.Type) (int, error)
	// TypeInfo returns the index of the run-time record of a concrete type, made when first asked for.
	TypeInfo(t *ir.Type) (int, error)
	// ValueWitness returns the index of the function that is value witness w of a type, and notes it in the record.
	ValueWitness(typeInfo int, w Witness) (int, error)
	// Conformance returns the index of the witness table of a concrete type for a protocol, -1 when it doesn't conform.
	Conformance(t, protocol *ir.Type) (int, error)
	// WitnessEntry returns the index of the function that an entry of a witness table is, and notes it in the table.
	WitnessEntry(table, entry int) (int, error)
	// Requirement returns the index of the function by which a concrete type meets a requirement, named as witness tables name it
	// ("#Hashable.hash"). types are the type, then the type arguments of a requirement that is generic itself.
	Requirement(ref string, types []*ir.Type) (int, error)
	// Library returns the index of a function of the supplement to the standard library, with its type arguments.
	Library(name string, types []*ir.Type) (int, error)
	// Global returns the index of a global variable of the program.
	Global(name string) (int, error)
	// ErrorBox returns the index of the record of error boxes of a concrete type, and their layout: Fields[0] is the value.
	ErrorBox(t *ir.Type) (int, *abi.Object, error)
	// Box returns the index of the record of boxes of a concrete box type, and their layout.
	Box(t *ir.Type) (int, *abi.Object, error)
}
