package op

import (
	"slices"
	"strings"

	"silvm/ir/tables"
)

// BuiltinRow is what the house knows of one builtin function. SIL writes its name in quotes, followed by
// the types it works on: builtin "cmp_eq_Int64"(…), builtin "zext_Int8_Int64"(…). LLVM's intrinsics have
// names that begin with int_. What works on any type takes it as a substitution: builtin "sizeof"<T>().
type BuiltinRow struct {
	ID   BuiltinID
	Name string // without the types: "cmp_eq", "zext"; with the memory order of an atomic access: "atomicload_seqcst"
	// Signature is Operands and Result as one text: "T, U, Int1 -> (U, Int1)".
	//
	//	T U V      the types after the name, in order; a signature names all that the name carries
	//	X          the first substitution;  *X its address,  X.Type its metatype
	//	Int1(T)    Builtin.Int1, or as many of them as the vector T has lanes
	//	Lane(T)    the type of a lane of the vector T
	//	any        a type that the row does not pin down
	//	… and else builtin types without "Builtin.", (), a tuple of those, or a type of the library
	Signature string
	Operands  []string
	Result    string
	Types     int             // how many types follow the name
	Own       Ownership       // of the operands that are neither numbers nor addresses
	ResultOwn ResultOwnership // as in ResultRow
	Mem       Mem
	Release   Answer
	Barrier   Answer
	Doc       string // one sentence
}

// TakesAny reports whether the builtin takes any number of operands.
func (r *BuiltinRow) TakesAny() bool { return slices.Contains(r.Operands, "any...") }

// builtinLine is a row as the table writes it: name, signature, effects, what it does.
type builtinLine struct {
	name, signature string
	does            builtinEffects
	doc             string
}

type builtinEffects struct {
	own     Ownership
	result  ResultOwnership
	mem     Mem
	release Answer
	barrier Answer
}

// The effects that most builtins have. Builtins.def says which do nothing to memory; every other one counts
// as an access of pointers, and so as a deinit barrier.
var (
	computes = builtinEffects{OwnershipInstantaneousUse, ResultNone, MemNone, No, No}
	acts     = builtinEffects{OwnershipInstantaneousUse, ResultNone, MemSideEffects, No, Yes}
	releases = builtinEffects{OwnershipInstantaneousUse, ResultNone, MemSideEffects, Yes, Yes}
	escapes  = builtinEffects{OwnershipBitwiseEscape, ResultNone, MemNone, No, No}
	consumes = builtinEffects{OwnershipDestroyingConsume, ResultNone, MemSideEffects, Maybe, Yes}
	forwards = builtinEffects{OwnershipForwardingConsume, ResultOwned, MemNone, No, No}
	converts = builtinEffects{OwnershipForwardingConsume, ResultNone, MemNone, No, No}
	spawns   = builtinEffects{OwnershipDestroyingConsume, ResultOwned, MemSideEffects, Maybe, Yes}
	makes    = builtinEffects{OwnershipTrivialUse, ResultOwned, MemSideEffects, No, Yes}
	projects = builtinEffects{OwnershipPointerEscape, ResultNone, MemSideEffects, No, Yes}
	borrows  = builtinEffects{OwnershipBorrow, ResultNone, MemSideEffects, No, Yes}
)

var builtinLines = []builtinLine{
	// Integer arithmetic; each also on vectors, lane by lane.
	{"add", "T, T -> T", computes, "Adds and wraps around."},
	{"sub", "T, T -> T", computes, "Subtracts and wraps around."},
	{"mul", "T, T -> T", computes, "Multiplies and wraps around."},
	{"sdiv", "T, T -> T", computes, "Divides signed integers toward zero; undefined for a zero divisor or an overflow."},
	{"sdiv_exact", "T, T -> T", computes, "Divides signed integers without remainder; undefined where there is one."},
	{"udiv", "T, T -> T", computes, "Divides unsigned integers; undefined for a zero divisor."},
	{"udiv_exact", "T, T -> T", computes, "Divides unsigned integers without remainder; undefined where there is one."},
	{"srem", "T, T -> T", computes, "Returns the remainder of sdiv, with the sign of the dividend."},
	{"urem", "T, T -> T", computes, "Returns the remainder of udiv."},
	{"and", "T, T -> T", computes, "Combines bits by and."},
	{"or", "T, T -> T", computes, "Combines bits by or."},
	{"xor", "T, T -> T", computes, "Combines bits by exclusive or."},
	{"shl", "T, T -> T", computes, "Shifts left; undefined from the bit width on."},
	{"lshr", "T, T -> T", computes, "Shifts right, filling with zeros; undefined from the bit width on."},
	{"ashr", "T, T -> T", computes, "Shifts right, filling with the sign; undefined from the bit width on."},
	{"sadd_with_overflow", "T, T, Int1 -> (T, Int1)", computes, "Adds signed integers and tells whether that overflowed; the last operand asks for a later trap."},
	{"uadd_with_overflow", "T, T, Int1 -> (T, Int1)", computes, "Adds unsigned integers and tells whether that overflowed."},
	{"ssub_with_overflow", "T, T, Int1 -> (T, Int1)", computes, "Subtracts signed integers and tells whether that overflowed."},
	{"usub_with_overflow", "T, T, Int1 -> (T, Int1)", computes, "Subtracts unsigned integers and tells whether that overflowed."},
	{"smul_with_overflow", "T, T, Int1 -> (T, Int1)", computes, "Multiplies signed integers and tells whether that overflowed."},
	{"umul_with_overflow", "T, T, Int1 -> (T, Int1)", computes, "Multiplies unsigned integers and tells whether that overflowed."},
	{"int_sadd_with_overflow", "T, T -> (T, Int1)", computes, "Adds signed integers and tells whether that overflowed, as sadd_with_overflow."},
	{"int_uadd_with_overflow", "T, T -> (T, Int1)", computes, "Adds unsigned integers and tells whether that overflowed, as uadd_with_overflow."},
	{"int_ssub_with_overflow", "T, T -> (T, Int1)", computes, "Subtracts signed integers and tells whether that overflowed, as ssub_with_overflow."},
	{"int_usub_with_overflow", "T, T -> (T, Int1)", computes, "Subtracts unsigned integers and tells whether that overflowed, as usub_with_overflow."},
	{"int_smul_with_overflow", "T, T -> (T, Int1)", computes, "Multiplies signed integers and tells whether that overflowed, as smul_with_overflow."},
	{"int_umul_with_overflow", "T, T -> (T, Int1)", computes, "Multiplies unsigned integers and tells whether that overflowed, as umul_with_overflow."},
	{"int_ctpop", "T -> T", computes, "Counts the one bits."},
	{"int_ctlz", "T, Int1 -> T", computes, "Counts the leading zero bits; a one as second operand makes zero undefined."},
	{"int_cttz", "T, Int1 -> T", computes, "Counts the trailing zero bits; a one as second operand makes zero undefined."},
	{"int_bswap", "T -> T", computes, "Reverses the order of the bytes."},
	{"int_bitreverse", "T -> T", computes, "Reverses the order of the bits."},

	// Comparisons; on vectors lane by lane, and the equal ones and unsigned ones on pointers.
	{"cmp_eq", "T, T -> Int1(T)", computes, "Is equal."},
	{"cmp_ne", "T, T -> Int1(T)", computes, "Is not equal."},
	{"cmp_slt", "T, T -> Int1(T)", computes, "Is less, signed."},
	{"cmp_sle", "T, T -> Int1(T)", computes, "Is less or equal, signed."},
	{"cmp_sgt", "T, T -> Int1(T)", computes, "Is greater, signed."},
	{"cmp_sge", "T, T -> Int1(T)", computes, "Is greater or equal, signed."},
	{"cmp_ult", "T, T -> Int1(T)", computes, "Is less, unsigned."},
	{"cmp_ule", "T, T -> Int1(T)", computes, "Is less or equal, unsigned."},
	{"cmp_ugt", "T, T -> Int1(T)", computes, "Is greater, unsigned."},
	{"cmp_uge", "T, T -> Int1(T)", computes, "Is greater or equal, unsigned."},

	// Integer conversions.
	{"trunc", "T -> U", computes, "Cuts an integer to fewer bits."},
	{"zext", "T -> U", computes, "Widens an integer with zeros."},
	{"sext", "T -> U", computes, "Widens an integer with its sign."},
	{"truncOrBitCast", "T -> U", computes, "Is trunc, or nothing for the same width."},
	{"zextOrBitCast", "T -> U", computes, "Is zext, or nothing for the same width."},
	{"sextOrBitCast", "T -> U", computes, "Is sext, or nothing for the same width."},
	{"s_to_s_checked_trunc", "T -> (U, Int1)", computes, "Cuts a signed integer, literals included, and tells whether that changed its value."},
	{"s_to_u_checked_trunc", "T -> (U, Int1)", computes, "Cuts a signed integer, literals included, to an unsigned one and tells whether that changed its value."},
	{"u_to_s_checked_trunc", "T -> (U, Int1)", computes, "Cuts an unsigned integer to a signed one and tells whether that changed its value."},
	{"u_to_u_checked_trunc", "T -> (U, Int1)", computes, "Cuts an unsigned integer and tells whether that changed its value."},
	{"ptrtoint", "RawPointer -> T", computes, "Returns a pointer as an integer."},
	{"inttoptr", "T -> RawPointer", computes, "Returns an integer as a pointer."},
	{"bitcast", "T -> U", computes, "Reads the bits as a type of the same size."},
	{"bitWidth", "T -> Word", computes, "Returns the bit width of an integer literal."},
	{"isNegative", "T -> Int1", computes, "Reports whether an integer literal is negative."},
	{"wordAtIndex", "T, Word -> Word", computes, "Returns 64 bits of an integer literal, counted from the low end."},

	// Floating point; each also on vectors, lane by lane.
	{"fadd", "T, T -> T", computes, "Adds."},
	{"fsub", "T, T -> T", computes, "Subtracts."},
	{"fmul", "T, T -> T", computes, "Multiplies."},
	{"fdiv", "T, T -> T", computes, "Divides."},
	{"frem", "T, T -> T", computes, "Returns the remainder of a division truncated toward zero."},
	{"fneg", "T -> T", computes, "Flips the sign."},
	{"fcmp_oeq", "T, T -> Int1(T)", computes, "Is equal, no number being NaN."},
	{"fcmp_ogt", "T, T -> Int1(T)", computes, "Is greater, no number being NaN."},
	{"fcmp_oge", "T, T -> Int1(T)", computes, "Is greater or equal, no number being NaN."},
	{"fcmp_olt", "T, T -> Int1(T)", computes, "Is less, no number being NaN."},
	{"fcmp_ole", "T, T -> Int1(T)", computes, "Is less or equal, no number being NaN."},
	{"fcmp_one", "T, T -> Int1(T)", computes, "Is not equal, no number being NaN."},
	{"fcmp_ord", "T, T -> Int1(T)", computes, "Tells that no number is NaN."},
	{"fcmp_ueq", "T, T -> Int1(T)", computes, "Is equal, or a number is NaN."},
	{"fcmp_ugt", "T, T -> Int1(T)", computes, "Is greater, or a number is NaN."},
	{"fcmp_uge", "T, T -> Int1(T)", computes, "Is greater or equal, or a number is NaN."},
	{"fcmp_ult", "T, T -> Int1(T)", computes, "Is less, or a number is NaN."},
	{"fcmp_ule", "T, T -> Int1(T)", computes, "Is less or equal, or a number is NaN."},
	{"fcmp_une", "T, T -> Int1(T)", computes, "Is not equal, or a number is NaN."},
	{"fcmp_uno", "T, T -> Int1(T)", computes, "Tells that a number is NaN."},
	{"sitofp", "T -> U", computes, "Converts a signed integer, rounding to nearest."},
	{"uitofp", "T -> U", computes, "Converts an unsigned integer, rounding to nearest."},
	{"fptosi", "T -> U", computes, "Converts to a signed integer, toward zero; undefined outside its range."},
	{"fptoui", "T -> U", computes, "Converts to an unsigned integer, toward zero; undefined outside its range."},
	{"fpext", "T -> U", computes, "Widens a floating point number."},
	{"fptrunc", "T -> U", computes, "Narrows a floating point number, rounding to nearest."},
	{"itofp_with_overflow", "T -> U", computes, "Converts an integer literal, rounding to nearest."},
	{"int_fabs", "T -> T", computes, "Returns the absolute value."},
	{"int_copysign", "T, T -> T", computes, "Returns the magnitude of the first number with the sign of the second."},
	{"int_fma", "T, T, T -> T", computes, "Multiplies and adds with a single rounding."},
	{"int_sqrt", "T -> T", computes, "Returns the square root."},
	{"int_ceil", "T -> T", computes, "Rounds up to an integral number."},
	{"int_floor", "T -> T", computes, "Rounds down to an integral number."},
	{"int_trunc", "T -> T", computes, "Rounds toward zero to an integral number."},
	{"int_round", "T -> T", computes, "Rounds to the nearest integral number, halves away from zero."},
	{"int_rint", "T -> T", computes, "Rounds to the nearest integral number, halves to even."},
	{"int_nearbyint", "T -> T", computes, "Is int_rint without the inexact flag."},
	{"int_cos", "T -> T", computes, "Returns the cosine."},
	{"int_sin", "T -> T", computes, "Returns the sine."},
	{"int_exp", "T -> T", computes, "Returns e to a power."},
	{"int_exp2", "T -> T", computes, "Returns two to a power."},
	{"int_log", "T -> T", computes, "Returns the natural logarithm."},
	{"int_log2", "T -> T", computes, "Returns the logarithm to base two."},
	{"int_log10", "T -> T", computes, "Returns the logarithm to base ten."},

	// Vectors.
	{"insertelement", "T, U, V -> T", computes, "Replaces a lane of a vector."},
	{"extractelement", "T, U -> Lane(T)", computes, "Returns a lane of a vector."},
	{"zeroInitializer", " -> X", computes, "Returns the value of a type whose bits are all zero."},

	// Hints.
	{"int_expect", "T, T -> T", computes, "Returns the first operand; the second is the value expected."},
	{"int_is_constant", "T -> Int1", computes, "Reports whether the compiler knows the operand's value; zero is never wrong."},
	{"assume", "T -> Int1", acts, "Promises that a bit is one."},
	{"assumeNonNegative", "T -> T", computes, "Returns the operand, which is promised not to be negative."},
	{"assumeAlignment", "RawPointer, Word -> RawPointer", computes, "Returns the pointer, which is promised to be aligned."},
	{"onFastPath", " -> ()", computes, "Marks a path that is worth optimizing."},
	{"stringObjectOr", "T, T -> T", computes, "Combines by or the bits of a string's second word, which share none."},
	{"assert_configuration", " -> Int32", computes, "Returns the build mode: 0 debug, 1 release, 2 unchecked."},
	{"staticReport", "Int1, Int1, RawPointer -> ()", acts, "Reports at compile time; does nothing at run time."},

	// Failure.
	{"int_trap", " -> Never", acts, "Stops the program."},
	{"conditionallyUnreachable", " -> Never", acts, "Says that control never gets here, also after inlining."},
	{"unreachable", " -> Never", acts, "Says that control never gets here."},
	{"condfail_message", "Int1, RawPointer -> ()", acts, "Stops the program when a bit is one; becomes cond_fail."},
	{"willThrow", "any Error -> ()", acts, "Is called just before an error is thrown; has no visible effect."},
	{"unexpectedError", "any Error, any -> Never", acts, "Reports an error that try! met and stops the program."},
	{"errorInMain", "any Error -> ()", acts, "Reports an error that left the top level and ends the program."},

	// Types.
	{"sizeof", " -> Word", computes, "Returns the size of X in bytes."},
	{"strideof", " -> Word", computes, "Returns the distance in bytes between elements of type X in an array."},
	{"alignof", " -> Word", computes, "Returns the alignment of X in bytes."},
	{"ispod", "X.Type -> Int1", computes, "Reports whether copies and destroys of X do nothing but move bytes."},
	{"isbitwisetakable", "X.Type -> Int1", computes, "Reports whether a value of X can be moved by copying its bytes."},
	{"isOptional", "X.Type -> Int1", computes, "Reports whether X is an Optional."},
	{"isConcrete", "X.Type -> Int1", computes, "Reports whether X names no generic parameter."},
	{"canBeClass", "X.Type -> Int8", computes, "Reports whether X can not be (0), is (1) or may be (2) a class."},
	{"is_same_metatype", "any, any -> Int1", computes, "Reports whether two metatypes are the same."},
	{"globalStringTablePointer", "String -> RawPointer", computes, "Returns the bytes of a string literal."},

	// Memory.
	{"allocRaw", "Word, Word -> RawPointer", acts, "Allocates bytes with an alignment mask; all ones ask for the default alignment."},
	{"deallocRaw", "RawPointer, Word, Word -> ()", acts, "Frees memory of allocRaw."},
	{"stackAlloc", "Word, Word, Word -> RawPointer", acts, "Allocates elements on the stack: count, stride, alignment."},
	{"unprotectedStackAlloc", "Word, Word, Word -> RawPointer", acts, "Is stackAlloc without stack protection."},
	{"stackDealloc", "RawPointer -> ()", acts, "Frees memory of stackAlloc."},
	{"allocVector", "X.Type, Word -> RawPointer", acts, "Allocates uninitialized elements on the stack or in a static initializer."},
	{"copy", "*X, *X -> ()", acts, "Copies the value at the second address to the first, uninitialized one."},
	{"addressOfRawLayout", "*X -> RawPointer", computes, "Returns the bytes of a value whose type has a raw layout."},
	{"destroyArray", "X.Type, RawPointer, Word -> ()", releases, "Destroys elements in place."},
	{"copyArray", "X.Type, RawPointer, RawPointer, Word -> ()", acts, "Copies elements to uninitialized memory: destination, source, count."},
	{"takeArrayNoAlias", "X.Type, RawPointer, RawPointer, Word -> ()", acts, "Moves elements to uninitialized memory elsewhere."},
	{"takeArrayFrontToBack", "X.Type, RawPointer, RawPointer, Word -> ()", acts, "Moves elements to uninitialized, overlapping memory, the first one first."},
	{"takeArrayBackToFront", "X.Type, RawPointer, RawPointer, Word -> ()", acts, "Moves elements to uninitialized, overlapping memory, the last one first."},
	{"assignCopyArrayNoAlias", "X.Type, RawPointer, RawPointer, Word -> ()", releases, "Copies elements over initialized ones elsewhere."},
	{"assignCopyArrayFrontToBack", "X.Type, RawPointer, RawPointer, Word -> ()", releases, "Copies elements over initialized, overlapping ones, the first one first."},
	{"assignCopyArrayBackToFront", "X.Type, RawPointer, RawPointer, Word -> ()", releases, "Copies elements over initialized, overlapping ones, the last one first."},
	{"assignTakeArray", "X.Type, RawPointer, RawPointer, Word -> ()", releases, "Moves elements over initialized ones."},
	{"int_memcpy", "T, U, V, Int1 -> ()", acts, "Copies bytes between areas that do not overlap: destination, source, count."},
	{"int_memmove", "T, U, V, Int1 -> ()", acts, "Copies bytes between areas that may overlap: destination, source, count."},
	{"int_memset", "T, Int8, U, Int1 -> ()", acts, "Fills bytes: destination, byte, count."},
	{"COWBufferForReading", "X -> X", forwards, "Returns the same buffer, for reading only."},
	{"once", "RawPointer, any -> SILToken", releases, "Runs a function exactly once for a token word."},
	{"onceWithContext", "RawPointer, any, RawPointer -> SILToken", releases, "Runs a function with a context pointer exactly once for a token word."},

	// Concurrency and differentiation.
	{"createAsyncTask", "any... -> any", spawns, "Starts an async task: flags, executor, group, options, body."},
	{"convertTaskToJob", "any -> any", converts, "Returns a task as a job."},
	{"createTaskGroup", "X.Type -> RawPointer", acts, "Makes a task group."},
	{"createTaskGroupWithFlags", "Int, X.Type -> RawPointer", acts, "Makes a task group: flags, type of the results."},
	{"cancelAsyncTask", "NativeObject -> ()", acts, "Cancels a task."},
	{"destroyTaskGroup", "RawPointer -> ()", acts, "Destroys a task group."},
	{"startAsyncLetWithLocalBuffer", "any... -> RawPointer", borrows, "Starts the task of an async let."},
	{"endAsyncLetLifetime", "any... -> ()", acts, "Ends the use of an async let's closure."},
	{"resumeNonThrowingContinuationReturning", "RawUnsafeContinuation, any -> ()", consumes, "Resumes a continuation with a value."},
	{"resumeThrowingContinuationReturning", "RawUnsafeContinuation, any -> ()", consumes, "Resumes a continuation that can throw with a value."},
	{"resumeThrowingContinuationThrowing", "RawUnsafeContinuation, any Error -> ()", consumes, "Resumes a continuation with an error."},
	{"buildMainActorExecutorRef", " -> Executor", escapes, "Makes the executor of the main actor."},
	{"buildDefaultActorExecutorRef", "X -> Executor", escapes, "Makes the executor of a default actor."},
	{"buildOrdinaryTaskExecutorRef", "X -> Executor", escapes, "Makes a reference to a task executor."},
	{"buildOrdinarySerialExecutorRef", "X -> Executor", escapes, "Makes a reference to a serial executor that is compared by identity."},
	{"buildComplexEqualitySerialExecutorRef", "X -> Executor", escapes, "Makes a reference to a serial executor that is compared by its own method."},
	{"initializeDefaultActor", "any -> ()", acts, "Sets up the storage of a default actor."},
	{"destroyDefaultActor", "any -> ()", acts, "Tears down the storage of a default actor."},
	{"autoDiffCreateLinearMapContextWithType", "any -> NativeObject", makes, "Makes the context of a linear map."},
	{"autoDiffAllocateSubcontextWithType", "NativeObject, any -> RawPointer", projects, "Allocates a part of the context of a linear map."},
	{"autoDiffProjectTopLevelSubcontext", "NativeObject -> RawPointer", projects, "Returns the first part of the context of a linear map."},

	// Atomic memory access; the rows for every memory order are made below.
	{"fence", " -> ()", acts, "Orders memory accesses."},
	{"atomicload", "RawPointer -> T", acts, "Reads memory atomically."},
	{"atomicstore", "RawPointer, T -> ()", acts, "Writes memory atomically."},
	{"cmpxchg", "RawPointer, T, T -> (T, Int1)", acts, "Replaces a value if it is the expected one; returns the old value and whether it was."},
	{"atomicrmw_xchg", "RawPointer, T -> T", acts, "Replaces a value and returns the old one."},
	{"atomicrmw_add", "RawPointer, T -> T", acts, "Adds to a value and returns the old one."},
	{"atomicrmw_sub", "RawPointer, T -> T", acts, "Subtracts from a value and returns the old one."},
	{"atomicrmw_and", "RawPointer, T -> T", acts, "Combines a value by and, and returns the old one."},
	{"atomicrmw_nand", "RawPointer, T -> T", acts, "Combines a value by and, flips it, and returns the old one."},
	{"atomicrmw_or", "RawPointer, T -> T", acts, "Combines a value by or, and returns the old one."},
	{"atomicrmw_xor", "RawPointer, T -> T", acts, "Combines a value by exclusive or, and returns the old one."},
	{"atomicrmw_max", "RawPointer, T -> T", acts, "Keeps the greater signed value and returns the old one."},
	{"atomicrmw_min", "RawPointer, T -> T", acts, "Keeps the lesser signed value and returns the old one."},
	{"atomicrmw_umax", "RawPointer, T -> T", acts, "Keeps the greater unsigned value and returns the old one."},
	{"atomicrmw_umin", "RawPointer, T -> T", acts, "Keeps the lesser unsigned value and returns the old one."},
}

var memoryOrders = []string{"unordered", "monotonic", "acquire", "release", "acqrel", "seqcst"}

var builtins = buildBuiltins()
var builtinByName = tables.Index("builtins", builtins, func(r *BuiltinRow) []string { return []string{r.Name} })

func buildBuiltins() []*BuiltinRow {
	var rows []*BuiltinRow
	for i := range builtinLines {
		l := &builtinLines[i]
		id := firstBuiltin + BuiltinID(i)
		switch {
		case l.name == "cmpxchg":
			for _, success := range memoryOrders {
				for _, failure := range memoryOrders {
					rows = append(rows, l.row(id, l.name+"_"+success+"_"+failure))
				}
			}
		case l.name == "fence" || strings.HasPrefix(l.name, "atomic"):
			for _, order := range memoryOrders {
				rows = append(rows, l.row(id, l.name+"_"+order))
			}
		default:
			rows = append(rows, l.row(id, l.name))
		}
	}
	return rows
}

func (l *builtinLine) row(id BuiltinID, name string) *BuiltinRow {
	in, result, _ := strings.Cut(l.signature, " -> ")
	r := &BuiltinRow{
		ID: id, Name: name, Signature: strings.TrimSpace(l.signature), Result: result, Doc: l.doc,
		Own: l.does.own, ResultOwn: l.does.result,
		Mem: l.does.mem, Release: l.does.release, Barrier: l.does.barrier,
	}
	if in != "" {
		r.Operands = strings.Split(in, ", ")
	}
	for _, letter := range []string{"T", "U", "V"} {
		if slices.Contains(append(r.Operands, strings.Split(strings.Trim(result, "()"), ", ")...), letter) {
			r.Types++
		}
	}
	return r
}

// Builtins lists the rows of all builtins, grouped by what they do. The caller must not change them.
func Builtins() []*BuiltinRow { return builtins }

// BuiltinByName finds the row for a builtin's name as SIL writes it and returns the types after it:
// "zext_Int8_Int64" is the row zext and "Int8_Int64". The words weak, volatile and singlethread, which may
// come before the types of an atomic access, are left out of both. False when no row has the name or
// the types are not as many as it takes.
func BuiltinByName(full string) (row *BuiltinRow, suffix string, ok bool) {
	for end := len(full); end > 0; end = strings.LastIndexByte(full[:end], '_') {
		row = builtinByName[full[:end]]
		if row == nil {
			continue
		}
		suffix = strings.TrimPrefix(full[end:], "_")
		for _, word := range []string{"weak", "volatile", "singlethread"} {
			if row.Mem == MemSideEffects && (suffix == word || strings.HasPrefix(suffix, word+"_")) {
				suffix = strings.TrimPrefix(suffix[len(word):], "_")
			}
		}
		types := 0
		if suffix != "" {
			types = strings.Count(suffix, "_") + 1
		}
		if types == row.Types {
			return row, suffix, true
		}
	}
	return nil, "", false
}
