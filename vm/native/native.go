// Package native has the functions of Swift's standard library that programs call and that are in no SIL file: printing,
// strings, hashing, storage of dictionaries and sets, fatal errors and the like, in Go.
//
// [Table] lists them by symbol. A name that starts with # is a requirement of a protocol, as witness tables name it: it is the
// witness of every type of the standard library whose conformance no file has.
//
// Invariants: a native keeps no state of a run outside the machine. What lasts from one turn to the next lies in the native's
// frame or in linear memory; a library holds only what follows from the program's text. Values are read and written where
// Swift's ABI has them, so that library code that was inlined into the program works on the same bytes. No Go recursion follows
// a program's data: nested values are walked with a stack in linear memory, and code of the program is called back through
// frames of the machine.
//
// It refuses, by a trap that names the function, what it can't do exactly as Swift 6.0.3 does.
//
// Read this file, then string.go and describe.go.
package native

import (
	"silvm/ir"
	"silvm/ir/tables"
	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/libc"
)

// Table returns the natives for one machine: those of this package and the C library.
func Table() vm.Natives {
	l := &library{}
	natives := make(map[string]vm.Native, 512)
	for symbol, f := range tables.Join("natives", groups...) {
		natives[symbol] = l.native(f)
	}
	for known := range shownNatively {
		for _, p := range [][2]string{stringConverts, debugConverts} {
			tables.Enter(natives, "natives", p[1]+" of "+known.String(), natives[p[1]])
		}
	}
	return vm.Natives{Swift: natives, C: libc.Table()}
}

// groups are the natives by area. No symbol may be in two of them.
var groups = []map[string]func(*call){
	anyHashables, arrays, atomicIntegers, characters, collections, concurrency, coreLibrary, equalities, fatalErrors, hashTables, hashing, integerDescriptions(),
	integerFunctions, integerHashes(), keyPaths, mirrors, numbers, extendedNumbers, extendedOperations(), parsers, printers, recognizers, scalarProperties(), sequences, stringEditing,
	stringClasses, stringFunctions, substrings, utf16Functions, utf8Spans, vectors(), witnesses,
}

// library is what the natives of one program share: facts that follow from the program's text alone.
type library struct {
	c      call
	styles map[int]*description // how values of a type print, by index of the type's record
	// executors has the getter of each actor class's executor, -1 for default actors, by index of the type's record.
	executors map[int]int
	w         writer // buffers of the turn
}

// call is one turn of a native. The first trap that its methods meet is kept, and ends the turn; after one they do nothing and
// give zeros.
type call struct {
	*vm.NativeCall
	m    *vm.Machine
	lib  *library
	trap *vm.Trap
	buf  [2][16]byte // bytes of small strings
	// resumed takes what a called function returned, once the writer is as it was before the call; nil when the writer knows itself.
	resumed func()
}

func (l *library) native(f func(*call)) vm.Native {
	return func(m *vm.Machine, c *vm.NativeCall) *vm.Trap {
		if l.c.m != m { // what is kept is of one machine's program
			l.styles, l.executors = nil, map[int]int{}
		}
		l.c.NativeCall, l.c.m, l.c.lib, l.c.trap, l.c.resumed = c, m, l, nil, nil
		f(&l.c)
		return l.c.trap
	}
}

// fail notes a trap unless there is one already.
func (c *call) fail(t *vm.Trap) {
	if c.trap == nil {
		c.trap = t
	}
}

// unsupported ends the turn with a trap that names what can't be done.
func (c *call) unsupported(what string) { c.fail(c.Unsupported(what)) }

// typeArg returns type argument i of the call; nil, with a trap, when there is none.
func (c *call) typeArg(i int) *ir.Type {
	if i < len(c.Types) {
		return c.Types[i]
	}
	c.fail(c.Internal("native " + c.Ref.Symbol + " without its type arguments"))
	return nil
}

// info returns the run-time record of a type.
func (c *call) info(t *ir.Type) *code.TypeInfo {
	if c.trap != nil || t == nil {
		return nil
	}
	ti, trap := c.TypeInfo(t)
	if trap == nil && ti.Layout == nil {
		trap = c.Unsupported("the layout of " + ti.Name)
	}
	c.fail(trap)
	return ti
}

// nominal returns a type of the standard library.
func (c *call) nominal(name string, args ...*ir.Type) *ir.Type {
	return c.m.Module().Types.Nominal(nil, name, args...)
}

// anyType returns the type Any.
func (c *call) anyType() *ir.Type {
	return c.m.Module().Types.Intern(&ir.Type{Kind: ir.KindExistential})
}
