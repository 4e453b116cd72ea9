package wasm

import (
	"strconv"

	"silvm/heap"
)

// Control is the length of the control areas, the first part of a module's memory: each module that lives in it has an area of its own, as
// its tables hold numbers of its functions.
const (
	Control = Areas * Area
	Area    = 1 << 20
	Areas   = 24
)

// What lies after it.
const (
	state  = Control // of the heap
	marks  = Control + heap.SharedMarks
	Linear = Control + heap.SharedLinear // linear memory, up to the end
)

// What lies where in an area, as offsets in bytes.
const (
	tallies = 0x20 // in the first area only
	// Words has what the host is told of the module, and it of the host, when it calls: the globals from the first to globalCalls but the wish to
	// stop, in their order.
	Words = 0xc0
	// Slots is where the values of registers go to the host and back.
	Slots    = 0x100
	maxSlots = (Open - Slots) / 8
	// Open has the tracked accesses that are open, see code.AccessSize.
	Open         = 0x3c00
	constants    = 0x4000 // addresses of constants, see fn.constant
	maxConsts    = (constantsEnd - constants) / 8
	constantsEnd = Handles
	// Handles has the Target that a function record stands for, 4 bytes each; 0 where the host was not asked yet.
	Handles = 0x20000
	// Known has the bit KnownRecord, by metadata record, once it is known to be there, and the others once it is known how values of the type
	// lie in an opaque existential; a byte each.
	Known = 0x34000
	// Destroyers has, by metadata record, the number of the function that destroys such an object, 0 where the host was not asked yet; 4 bytes
	// each.
	Destroyers = 0x35000
	// ClassTable, in the first area only, has the class of small blocks for requests of n bytes at n + heap.ClassRound >> heap.GranuleShift; a byte each.
	ClassTable = 0x39000
	// Casts has the answers to the last casts of objects to classes, each at the place that CastPlace says; 4 bytes each.
	Casts     = 0x3a000
	castCount = 1024
	// targets has a table for each method number and each place in witness tables that the module calls: by metadata record, or by that of the
	// witness table, the Target, 4 bytes each; 0 where the host was not asked yet. Tables do not lie a multiple of a page apart, so that
	// the entries of one record do not push each other out of the processor's cache.
	targets     = 0x3b000
	TargetsLong = 2048 // entries of a table
	tableSize   = 4*TargetsLong + 64
	maxTables   = (Area - targets) / tableSize
)

// ExportEntry is the name by which a module exports entry n.
func ExportEntry(n int) string { return "entry" + strconv.Itoa(n) }

// Names of what a module exports beside its entries.
const (
	exportMemory = "memory"
	exportTable  = "table" // of all functions, by number
	// GlobalStop is not 0 when somebody wants the program to stop.
	GlobalStop = "stop"
)

// The globals.
const (
	globalStack    = iota // the free part of the linear-memory stack's chunk
	globalStackEnd        // and its end
	globalAccesses        // tracked accesses that are open
	globalCalls           // how many more calls may be under way
	globalStop
	numGlobals
)

// Where they are from Words on.
const (
	WordStack    = 8 * globalStack
	WordStackEnd = 8 * globalStackEnd
	WordAccesses = 8 * globalAccesses
	WordCalls    = 8 * globalCalls
	// WordBegun is how many tracked accesses have begun so far.
	WordBegun = 8 * (numGlobals + 1)
	// WordExit is not 0 where an entry has left its loop: the number of the exit in Entry.Exits, counted from 1.
	WordExit = 8 * numGlobals
)

// The bits of Known.
const (
	KnownRecord  = 1
	KnownInline  = 2  // in its buffer
	KnownTrivial = 4  // and a copy is no more than the bytes
	KnownBoxed   = 8  // in a box, right after the header
	KnownRef     = 16 // in its buffer, and a strong reference
)

// Prepare fills in what a module looks up and never changes.
func Prepare(arena []byte) {
	table := arena[ClassTable:]
	for size := uint64(0); size <= heap.MaxSmall; size++ {
		class, _ := heap.ClassFor(size)
		table[(size+heap.ClassRound)>>heap.GranuleShift] = class
	}
}

// The answer to a cast has the number of the object's metadata record in its low bits, that of the class from castShift on, and above them whether
// there is one and what it is.
const (
	castShift  = 12
	castYes    = 1 << 24
	castNo     = 1 << 25
	castSpread = 0x9e3779b1 // makes a place of the numbers: the top bits of a product (D. Knuth, The Art of Computer Programming 3, 6.4)
)

// Cast returns where, from Casts on, the answer to a cast is noted, and the word to note.
func Cast(object, class uint64, is bool) (place uint64, answer uint32) {
	key := uint32(object | class<<castShift)
	answer = key | castNo
	if is {
		answer = key | castYes
	}
	return uint64(key * castSpread >> castDrop << 2), answer
}

// castDrop leaves so many bits of a product as castCount has places.
const castDrop = 32 - 10

// Offset is where the byte at an address of linear memory is in a module's memory.
func Offset(a heap.Addr) uint64 { return Linear + a - heap.Base }
