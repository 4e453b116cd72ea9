package heap

import "fmt"

// FaultKind says what the program did wrong, or which limit it reached.
type FaultKind uint8

// The kinds of fault. Ref is the reference that was used unless the comment says otherwise.
const (
	NoFault            FaultKind = iota
	UseAfterFree                 // the object is deinited or freed
	OverRelease                  // a strong release of an object that has no strong reference left to give up
	UnownedOverRelease           // an unowned release of an object that has no unowned reference left to give up
	DanglingUnowned              // an unowned reference was loaded while the object was deiniting or deinited
	EscapedDeinit                // the object has strong references as its memory goes; N is the retain count that the runtime reports
	StackObjectEscaped           // a stack-promoted object has strong references as its stack slot goes
	StackObjectUnowned           // the same with unowned references
	StackObjectWeak              // the same with weak references
	DeinitTwice                  // deinit was started for an object that is already deiniting
	RetainOverflow               // more than 2^30 strong references
	UnownedOverflow              // more than 2^31-2 unowned references
	WeakOverflow                 // more than 2^32-1 weak references
	NotAnObject                  // the reference points at mapped memory that holds no object
	NotWeak                      // Ref is the address of a weak variable that holds neither null nor a side table
	BadAddress                   // Ref is not mapped
	DoubleFree                   // Ref is a block that was freed before
	InvalidFree                  // Ref is not the start of a block, or of one that is freed in another way
	BadAlignment                 // N is the alignment: not a power of two
	OutOfMemory                  // N is the number of bytes asked for
	TooManyObjects               // N is the limit
	numFaultKinds
)

var faultNames = [numFaultKinds]string{
	NoFault:            "no fault",
	UseAfterFree:       "use after free",
	OverRelease:        "over-release",
	UnownedOverRelease: "unowned over-release",
	DanglingUnowned:    "dangling unowned reference",
	EscapedDeinit:      "object escaped its deinit",
	StackObjectEscaped: "stack object escaped",
	StackObjectUnowned: "unowned reference to stack object",
	StackObjectWeak:    "weak reference to stack object",
	DeinitTwice:        "deinit started twice",
	RetainOverflow:     "too many strong references",
	UnownedOverflow:    "too many unowned references",
	WeakOverflow:       "too many weak references",
	NotAnObject:        "not an object",
	NotWeak:            "not a weak variable",
	BadAddress:         "bad address",
	DoubleFree:         "double free",
	InvalidFree:        "invalid free",
	BadAlignment:       "bad alignment",
	OutOfMemory:        "out of memory",
	TooManyObjects:     "too many objects",
}

// String returns the kind in a few lower-case words.
func (k FaultKind) String() string {
	if k < numFaultKinds {
		return faultNames[k]
	}
	return fmt.Sprintf("fault %d", uint8(k))
}

// IsLimit reports whether the kind is a limit of the run rather than a mistake of the program.
func (k FaultKind) IsLimit() bool { return k == OutOfMemory || k == TooManyObjects }

// Fault is what stops a program that uses its memory wrongly. After one the heap is consistent but the operation was not done.
type Fault struct {
	Kind FaultKind
	Ref  Addr   // the reference or address that was used; 0 for allocations
	N    uint64 // a count or size, see the kinds
	// Msg is what the Swift runtime prints on stderr as it aborts at the same point, byte for byte; empty where it says nothing.
	// For EscapedDeinit it needs the class: see RuntimeText. (stdlib/public/runtime/Errors.cpp, HeapObject.cpp)
	Msg string
}

// Error describes the fault for a log; findings are worded by whoever knows the classes.
func (f *Fault) Error() string {
	if f.Ref == 0 {
		return fmt.Sprintf("%v (%d)", f.Kind, f.N)
	}
	return fmt.Sprintf("%v at 0x%x", f.Kind, f.Ref)
}

// RuntimeText is Msg with the name of the object's class filled in.
func (f *Fault) RuntimeText(class string) string {
	if f.Kind != EscapedDeinit {
		return f.Msg
	}
	return fmt.Sprintf("Object 0x%x of class %s deallocated with non-zero retain count %d. This object's deinit, or something "+
		"called from it, may have created a strong reference to self which outlived deinit, resulting in a dangling reference.\n",
		f.Ref, class, f.N)
}

// runtimeMessages are the texts that don't depend on the object.
var runtimeMessages = [numFaultKinds]string{
	RetainOverflow:     "Fatal error: Object was retained too many times",
	UnownedOverflow:    "Fatal error: Object's unowned reference was retained too many times",
	WeakOverflow:       "Fatal error: Object's weak reference was retained too many times",
	StackObjectEscaped: "Fatal error: Stack object escaped\n",
	StackObjectUnowned: "Fatal error: Unowned reference to stack object\n",
	StackObjectWeak:    "Fatal error: Weak reference to stack object\n",
}

// fault makes the fault of a kind for a reference.
func fault(k FaultKind, ref Addr) *Fault {
	f := &Fault{Kind: k, Ref: ref, Msg: runtimeMessages[k]}
	if k == DanglingUnowned {
		f.Msg = fmt.Sprintf("Fatal error: Attempted to read an unowned reference but object 0x%x was already deallocated", ref)
	}
	return f
}
