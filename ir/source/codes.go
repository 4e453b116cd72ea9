package source

import (
	"strings"

	"silvm/ir/tables"
)

// Code is one kind of diagnostic. Number and name are stable: a kind that goes away leaves a hole.
type Code struct {
	Number string // "SV0103"
	Name   string // "use-after-free"
	Title  string // a few words, lower case
	Text   string // what `silvm explain` prints below the title
}

// class is the family of a code, its first two digits.
type class uint8

// The families.
const (
	classSyntax      class = iota // SV00xx: the text cannot be read
	classMemory                   // SV01xx: memory findings
	classExclusivity              // SV02xx: conflicting accesses
	classLeak                     // SV03xx: objects alive at exit
	classOwnership                // SV04xx: ownership rules broken, found without running
	classStructure                // SV05xx: malformed functions and modules, found without running
	classLimit                    // SV06xx: a limit was reached
	classTrap                     // SV07xx: the program trapped as Swift defines it
	classUnsupported              // SV08xx: silvm does not support something
	classBug                      // SV09xx: silvm itself is wrong
)

// class returns the family of the code.
func (c *Code) class() class { return class(c.Number[3] - '0') }

// Codes returns all codes in the order of their numbers; the caller must not change the slice.
func Codes() []Code { return codes }

var codeIndex = func() map[string]*Code {
	index := make(map[string]*Code, 2*len(codes))
	for i := range codes {
		c := &codes[i]
		tables.Enter(index, "findings", c.Number, c)
		tables.Enter(index, "findings", c.Name, c)
	}
	return index
}()

// Lookup returns the code of a number or a name, nil when there is none. Small letters and a number without SV
// or leading zero are understood: "sv0103", "103".
func Lookup(name string) *Code {
	if c := codeIndex[name]; c != nil {
		return c
	}
	if c := codeIndex[strings.ToUpper(name)]; c != nil {
		return c
	}
	if c := codeIndex[strings.ToLower(name)]; c != nil {
		return c
	}
	if len(name) > 0 && len(name) <= 4 && strings.Trim(name, "0123456789") == "" {
		return codeIndex["SV"+strings.Repeat("0", 4-len(name))+name]
	}
	return nil
}

var codes = []Code{
	{"SV0001", "syntax", "the text is not SIL",
		"The loader found something else than the grammar of SIL asks for at this place.\nsilvm reads SIL as the Swift 6 compiler prints it (swiftc -emit-sil, -emit-silgen). Hand-written SIL follows the same grammar;\ndocs/SIL.rst of the Swift project describes it."},
	{"SV0002", "nesting", "nested too deeply",
		"Types, braces or parentheses are nested more deeply than the loader accepts. The limit protects the machine silvm runs on\nfrom texts made to exhaust it; real programs stay far below it."},
	{"SV0003", "unknown-item", "unknown top-level item",
		"A line begins with a sil_ word that is no item of SIL. A misspelled word is the usual reason; the message then names the nearest one."},
	{"SV0004", "unknown-instruction", "unknown instruction",
		"The word stands where an instruction is expected and names none. `silvm features` lists all instructions."},
	{"SV0005", "unknown-value", "use of an undefined value",
		"The instruction uses a value %name that nothing in the function defines."},
	{"SV0006", "unknown-block", "branch to an undefined block",
		"The terminator names a basic block that the function does not have."},
	{"SV0007", "unknown-symbol", "unknown function or global",
		"The instruction names a function or a global variable that none of the loaded files declares."},
	{"SV0008", "unknown-type", "unknown type",
		"A type has no declaration in the loaded files, and it is none of the standard library's that silvm knows. Without its declaration\nits layout is unknown. Load the file that declares it together with this one."},
	{"SV0009", "duplicate-symbol", "symbol defined twice",
		"Two definitions of one function or global were loaded. Definitions with shared linkage may stand in several files and are taken once;\nothers may not."},
	{"SV0010", "redefined", "name defined twice",
		"A value, block or declaration of this name exists already in the same scope."},
	{"SV0011", "type-mismatch", "written type does not match",
		"The type written at an operand, result or argument is not the type that its definition has."},
	{"SV0012", "file-too-large", "file too large",
		"The text is larger than the loader accepts. `silvm run --help` names the limit and the flag that changes it."},
	{"SV0013", "bad-literal", "malformed literal",
		"A number or a string is written in a way that SIL does not know, or does not fit its type."},
	{"SV0014", "not-text", "not SIL text",
		"The file is binary or damaged. silvm reads SIL as text (swiftc -emit-sil), plain or compressed with gzip; serialized SIL (.sib) and\n.swiftmodule files must be printed as text first."},
	{"SV0015", "unknown-attribute", "unknown attribute or qualifier",
		"The word in brackets or after @ is no attribute that SIL knows at this place."},
	{"SV0017", "signature-mismatch", "declaration and definition disagree",
		"A function or global is declared with one type and defined with another, so the files do not belong together."},
	{"SV0018", "duplicate-type", "type declared twice",
		"Two files declare a type of the same name with different contents, so the files do not belong together. As a warning: the program\ndeclares a type of the name of one of the library, and nothing in the text tells which of them is meant at the place. In the source it is\nthe program's unless the library's module stands before it, as in Swift.Duration."},
	{"SV0020", "unknown-member", "unknown field or case",
		"The instruction names a field, a case or a method that the type does not declare."},
	{"SV0021", "function-type", "not a function type",
		"A function must be declared with a function type."},
	{"SV0022", "library-changed", "the library's text is not what its index was made of",
		"The text of a library was changed, cut or removed after silvm made its index. `silvm library --from swiftc` makes both anew."},

	{"SV0101", "memory", "memory error",
		"A memory access that is none of the kinds below broke a rule of the heap."},
	{"SV0102", "null-access", "access through a null or wild address",
		"The program used an address that belongs to no allocation: null, before or after all memory, or made from a number."},
	{"SV0103", "use-after-free", "use after free",
		"An object was used after its last strong reference was released and its memory was freed. Optimized or hand-written SIL that releases\ntoo early, or that forgets a retain for a copy, does this. The help lines name the allocation and the release that destroyed it;\nthe missing retain lies between the two. `history X` in the debugger lists every retain and release."},
	{"SV0104", "over-release", "released too often",
		"A release was executed on an object that was already destroyed: there are more releases than retains. `balance X` in the debugger pairs\nretains and releases and shows the one too many."},
	{"SV0107", "escaped-deinit", "object escaped from its deinit",
		"The deinit of an object stored a strong reference to it somewhere that outlives the deinit. Swift cannot bring the object back:\nthe reference dangles when the deinit ends."},
	{"SV0108", "dangling-unowned", "unowned reference to a destroyed object",
		"An unowned reference was read after the object it names was destroyed. Swift stops with \"Attempted to read an unowned reference but object … was already deallocated\".\nMake the reference weak, or keep the object alive longer."},
	{"SV0109", "uninitialized-read", "read of uninitialized memory",
		"A load, copy or destroy reached memory that nothing had initialized, or whose value was moved out (load [take], copy_addr [take],\ndestroy_addr). Found with --checks=full. Padding does not count, and of an enum or an existential only whether it was written at\nall; memory that functions without SIL were handed counts as initialized."},
	{"SV0110", "out-of-bounds", "access outside an allocation",
		"The address lies in memory, but not within the allocation it was derived from: it is behind the end of a block, or an index led from\none object, block or stack location into another. Found with --checks=full."},
	{"SV0111", "double-free", "memory freed twice",
		"dealloc_ref, dealloc_box or a raw deallocation was executed on memory that was freed already."},
	{"SV0112", "bad-dealloc", "wrong deallocation",
		"Memory was freed in another way than it was allocated, or with another size or alignment, or an object was freed while references to it exist."},
	{"SV0113", "dangling-stack", "use of a stack slot after its deallocation",
		"An alloc_stack slot, or an object promoted to the stack, was used after its dealloc_stack, as through a pointer that outlived\nthe variable or the call. Found with --checks=full."},
	{"SV0114", "borrow-scope", "value consumed or overwritten while borrowed",
		"Between begin_borrow or load_borrow and end_borrow the borrowed value or location may not be consumed, destroyed or overwritten.\nValues are checked before the run (SV0407); locations, which other functions may reach too, with --checks=full: load_borrow and\nstore_borrow, against stores, copies, moves, destroys and the end of the memory."},
	{"SV0116", "bad-cast", "value used as another type",
		"An unchecked cast or a raw pointer made a reference look like an object of an unrelated class, or a number like a reference."},
	{"SV0117", "retain-overflow", "object retained too many times",
		"The count of references left the range that the object header can hold."},
	{"SV0118", "unowned-over-release", "unowned reference released too often",
		"There are more unowned releases than unowned retains on the object."},
	{"SV0120", "bad-destroy", "object destroyed wrongly",
		"A deinit or destroyer ran on an object that was not in the state for it, such as a second dealloc_ref in a deallocating deinit."},
	{"SV0122", "broken-promise", "function does what it promised not to do",
		"A function promises by an attribute ([readnone], [readonly], [releasenone], [no_allocation], @_effects in the source) or by its effect\nlist that it does not read, write, retain, release, allocate or print something, or that an argument does not escape; the type of a\nparameter says the latter of a closure (@noescape), and a constraint that a type argument is trivial (_Trivial). Callers are optimized by that without a look at its body, so the program is\nwrong in the caller, wherever the function is called. What was there before the call counts; initializers of globals and deinits of\nobjects that may die do not. Found with --checks=full, or without running where it can be seen in the text. Make the function keep\nits promise, or take it back. A method of a copy-on-write value that reaches a property\nwith @_semantics(\"cow_storage\") must do so by functions that say what they do to it, such as one with [_semantics \"get_subobject\"]."},

	{"SV0201", "exclusivity", "overlapping accesses",
		"Two accesses to the same variable overlap and at least one of them modifies it. Swift's law of exclusivity forbids that\n(begin_access, docs/SIL.rst). Both accesses are named; end the first before the second begins, or work on a copy."},
	{"SV0202", "unmarked-access", "access without marker",
		"With --checks=full: a global, a stored property or a captured variable was used outside of any begin_access although a caller had an\naccess to it open that excludes this one. Begin an access, as the compiler does around each use that others may see."},
	{"SV0203", "access-kind", "write during a read access",
		"With --checks=full: memory was written through an address whose begin_access says read. The access has to say modify."},
	{"SV0204", "unbalanced-access", "access ended twice or never",
		"An end_access does not match a begin_access in progress, or a function returned with an access in progress."},
	{"SV0205", "static-exclusivity", "overlapping accesses, found without running",
		"Two accesses to one variable, or to parts of it that overlap, are in progress at once whenever the function gets to the second, and at\nleast one of them writes (begin_access, docs/SIL.rst). The compiler refuses Swift source that does so; SIL that does so is well formed,\nhence this is a warning. End the first access before the second begins, or work on a copy. Accesses marked [unsafe] do not count.\nA call counts as an access to what the closures that it gets, and that can't outlive it, captured by address and access."},

	{"SV0301", "leak", "object never freed",
		"The object was still there when the program ended, and nothing that lives until the end refers to it: a retain has no release, or an\nunowned reference was never given up."},
	{"SV0302", "leak-cycle", "cycle of strong references",
		"Objects refer to each other strongly in a ring, so that none of them is ever destroyed. Make one of the edges weak or unowned."},
	{"SV0303", "leak-memory", "raw memory never freed",
		"Memory from an unsafe pointer's allocate was never deallocated."},

	{"SV0401", "ownership-double-consume", "value consumed twice",
		"On some path an owned value is consumed by two instructions. Every owned value is consumed exactly once on every path\n(docs/SIL.rst, Ownership SSA)."},
	{"SV0402", "ownership-leak", "owned value never consumed",
		"On some path an owned value is not consumed at all. Destroy it with destroy_value or forward it."},
	{"SV0403", "ownership-use-after-consume", "use after consume",
		"On some path a value is used after the instruction that consumes it."},
	{"SV0404", "ownership-kind", "wrong kind of ownership",
		"An operand needs another ownership than the value has, such as a consuming use of a guaranteed value."},
	{"SV0405", "ownership-borrow-unended", "borrow scope not ended",
		"A begin_borrow or load_borrow has a path on which no end_borrow follows."},
	{"SV0406", "ownership-use-outside-borrow", "borrowed value used outside its scope",
		"A value from a borrow is used after the end_borrow, or where the scope did not begin."},
	{"SV0407", "ownership-borrow-consumed", "base of a borrow consumed within the scope",
		"The borrowed value is consumed while the borrow scope is open."},
	{"SV0409", "ownership-missing", "instruction needs ownership form",
		"The instruction is allowed only in functions marked [ossa]."},
	{"SV0410", "ownership-forbidden", "instruction not allowed in ownership form",
		"The instruction is not allowed in functions marked [ossa]."},
	{"SV0411", "uninitialized-memory", "memory read before it is initialized",
		"On some path the memory holds nothing where the instruction reads, takes or destroys it, or where the function is left."},
	{"SV0412", "initialized-memory", "memory initialized twice",
		"The memory still holds a value that has to be destroyed where the instruction initializes it: [assign] was meant, or a destroy_addr\nis missing. Slots are looked at before the run; what other functions reach too, with --checks=full."},
	{"SV0413", "memory-leak", "memory not destroyed",
		"The memory still holds a value that has to be destroyed where it is deallocated, or where the function is left."},

	{"SV0501", "no-terminator", "block without terminator",
		"Each basic block ends with exactly one terminator."},
	{"SV0502", "terminator-inside", "terminator in the middle of a block",
		"A terminator stands before other instructions of its block."},
	{"SV0503", "dominance", "value used where it is not defined",
		"The use of a value is not dominated by its definition: some path reaches the use without it."},
	{"SV0504", "argument-count", "wrong number of arguments",
		"A branch passes another number of values than the block has arguments, or a call another number than the function type has parameters."},
	{"SV0505", "operand-type", "operand has the wrong type",
		"The instruction asks for another kind of type than its operand has, such as an address where an object stands."},
	{"SV0506", "entry-block", "malformed entry block",
		"The entry block has predecessors, or its arguments do not match the type of the function."},
	{"SV0507", "return-type", "wrong result type",
		"The value returned, thrown or yielded is not of the type that the function declares."},
	{"SV0508", "stack-order", "stack allocations not properly nested",
		"Stack slots must be deallocated in the reverse order of their allocation, on every path."},
	{"SV0509", "critical-edge", "critical edge",
		"An edge leads from a block with several successors to a block with several predecessors where the form does not allow it."},
	{"SV0511", "result-type", "result has the wrong type",
		"The type of the instruction's result does not follow from its operands."},
	{"SV0512", "switch-cases", "wrong cases",
		"A switch or select names a case twice, misses one without a default, or names one that the type does not have."},
	{"SV0513", "stage-only", "instruction not allowed at this stage",
		"The instruction belongs to raw SIL only, or to a later stage than the file says."},
	{"SV0514", "duplicate-entry", "entry given twice",
		"A vtable or witness table has two entries for one requirement."},
	{"SV0515", "bad-substitution", "wrong generic arguments",
		"The substitutions of a call do not fit the generic signature of the function."},

	{"SV0516", "block-argument", "block argument passed in a forbidden way",
		"Only br, and outside of ownership form cond_br, passes arguments to a block with several predecessors; a block that takes its\nargument from another terminator has no other predecessor. No argument of a block but the first is an address."},
	{"SV0517", "yield-place", "yield, return or unwind at the wrong place",
		"A coroutine that yields once does so on every path before it returns; unwind ends the paths that begin at the unwind edge of\nthe yield, return the others. Functions that are no coroutines neither yield nor unwind (docs/SIL.rst, yield)."},
	{"SV0518", "qualifier", "wrong qualifier",
		"In ownership form each load and store says what it does with ownership ([copy], [take], [trivial]; [init], [assign], [trivial]), in a\nway that fits the type; outside of it none does (docs/SIL.rst, load and store)."},
	{"SV0519", "call-kind", "called by the wrong instruction",
		"Functions that throw are called by try_apply or with [nothrow], coroutines by begin_apply, async functions from async functions\n(docs/SIL.rst, apply)."},
	{"SV0520", "access-rule", "malformed access",
		"An access that initializes or deinitializes is [static]; enforcement is known after raw SIL; only such accesses are aborted\n(docs/SIL.rst, begin_access)."},
	{"SV0521", "immutable-memory", "write to memory that may only be read",
		"Memory that is passed as @in_guaranteed, or opened for reading only, is written, taken or destroyed."},
	{"SV0522", "epilogue", "more than one exit of a kind",
		"A function has one block at most that returns, one that throws and one that unwinds."},
	{"SV0524", "linkage", "reference that linkage does not allow",
		"A function is referred to in a way that its attributes or its linkage do not allow."},
	{"SV0525", "table-entry", "wrong entry in a table",
		"A vtable or witness table names a function that does not fit the requirement or does not exist."},
	{"SV0526", "static-initializer", "wrong initial value of a global",
		"The initial value of a global is a constant: literals, and structs, tuples, enums and objects made of them. Each instruction is there\nfor the one that makes the value (docs/SIL.rst, Global Variables)."},
	{"SV0527", "debug-variable", "two variables for one parameter",
		"Two instructions of a function say of the same parameter that it has different names or types (docs/SIL.rst, debug_value)."},
	{"SV0528", "continuation", "continuation not awaited",
		"A continuation that an async function gets is awaited once on every path before anything else suspends the function or leaves it\n(docs/SIL.rst, get_async_continuation)."},
	{"SV0529", "key-path", "malformed key path",
		"The components of a key path do not lead from its root to its value (docs/SIL.rst, keypath)."},
	{"SV0530", "ambiguous-entry", "methods that the text does not tell apart",
		"Methods of a class that differ in the labels of their parameters alone, f(x:) and f(y:) of one type, have one name in SIL text.\nWhich of them a class_method means is lost, so silvm does not run such calls."},
	{"SV0531", "ambiguous-name", "generic parameters that the text does not tell apart",
		"Two generic parameters of a function have one name in its source, and compilers since 6.2 print both by it. What the instructions\nsay of their types leaves open which is meant, or contradicts itself, so silvm does not run the function."},
	{"SV0532", "optional-cast", "cast that machine code does without a look at nil",
		"checked_cast_br takes an optional object to a class. silvm takes the branch of failure for nil, as Swift's casts do. The machine code\nthat the compilers make of the instruction asks the object for its class without a look at nil, and crashes. Compilers up to 6.2 leave such\na cast when an inlined generic cast is made one of references. Only silvm check says so: look at the optional first."},

	{"SV0601", "limit-steps", "step limit reached",
		"The program executed more instructions than --max-steps allows."},
	{"SV0602", "limit-heap", "heap limit reached",
		"The program needs more memory than --max-heap allows."},
	{"SV0603", "limit-depth", "call depth limit reached",
		"Calls and deinits are nested more deeply than --max-depth allows: endless recursion, as a rule."},
	{"SV0604", "limit-output", "output limit reached",
		"The program printed more than --max-output allows."},
	{"SV0605", "limit-time", "time limit reached",
		"The program ran longer than --timeout allows."},
	{"SV0606", "limit-objects", "object limit reached",
		"More objects are alive, or more tasks exist, at one time than the limit allows."},
	{"SV0607", "limit-types", "type too large",
		"A type, or the number of specializations that the program asks for, is larger than silvm accepts: a generic function that calls\nitself with an ever larger type, as a rule."},

	{"SV0701", "trap", "the program trapped",
		"The program reached a trap: a failed precondition, an unexpected nil, unreachable code."},
	{"SV0702", "trap-overflow", "arithmetic overflow",
		"An integer operation left the range of its type. Swift's + - * trap; &+ &- &* wrap around."},
	{"SV0703", "trap-bounds", "index out of range",
		"An index is not within the bounds of the collection."},
	{"SV0704", "trap-nil", "unexpectedly found nil",
		"An optional was force-unwrapped while it was nil."},
	{"SV0705", "trap-cast", "failed cast",
		"A forced cast (as!) was applied to a value of another type."},
	{"SV0706", "trap-division", "division by zero",
		"An integer was divided by zero, or the smallest value by -1."},
	{"SV0707", "trap-fatal", "fatal error",
		"The program called fatalError, preconditionFailure or a library function that did, with the message shown."},
	{"SV0708", "trap-error", "error not caught",
		"An error left the top level of the program, or a try! met one."},
	{"SV0709", "trap-conversion", "value does not fit the type",
		"A number was converted to a type that cannot hold it."},
	{"SV0710", "trap-unreachable", "unreachable code reached",
		"An unreachable instruction was executed, or a function that never returns did."},

	{"SV0801", "unsupported", "not supported by silvm",
		"The program is not wrong, silvm cannot run this part of it. The message names the thing. A library function that is missing\nmay have a body in the text of the standard library. Your toolchain prints it once, and every command finds it then:\n\n" +
			"    silvm library --from swiftc\n\n" +
			"Code that was compiled with -O needs it rarely."},
	{"SV0805", "unsupported-type", "type not supported by silvm",
		"silvm does not know the layout of this type."},

	{"SV0901", "internal", "bug in silvm",
		"silvm met a state that it should have made impossible. The program may be fine. Please report the message with the file."},

	{"SV1001", "deadlock", "every task waits",
		"Every task waits for another one, for a continuation or for a lock, nothing sleeps, and main has not ended: a native program hangs\nhere. The notes name each task, what it waits for and where."},
	{"SV1002", "continuation-twice", "continuation resumed twice",
		"A continuation is resumed exactly once. An unsafe one that is resumed again is undefined behaviour in a native program; a checked\none ends it."},
	{"SV1003", "continuation-never", "continuation never resumed",
		"A continuation is resumed exactly once. A checked one of which nothing is left, and that was not resumed, leaves its task waiting\nforever; a native program prints a warning. Told under --checks=full."},
	{"SV1004", "data-race", "data race",
		"Two tasks use the same memory, one of them writes, and nothing puts one use before the other: no await, no actor, no lock, no atomic\noperation. In a native program the tasks run at the same time, which is undefined behaviour. It is told under --checks=full whatever\nthe order in which the tasks happened to run."},
	{"SV1005", "job-run", "job run twice",
		"An executor runs each job that it is handed once (SerialExecutor.enqueue, runSynchronously)."},
}
