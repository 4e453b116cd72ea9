// Package wasm translates bytecode (vm/code) to a WebAssembly module that does the same over the same linear memory.
//
// The module's memory is the arena of a heap that shares it (heap.Share): a control area, the heap's state, linear memory. The
// control area holds what the module and its host share: the slots in which registers go to the interpreter and back, the addresses
// of constants that are only known once the program has asked for them, and the tables by which indirect calls find functions.
//
// Each function becomes one function of the module, its registers locals. What has no emitter is left to the interpreter by a call of the
// host with the number of a [code.Site]. A coroutine can't be called as a WebAssembly function: a small one
// is in the places of the calls that begin and end it (coroutine.go), calls to others are sites like any.
//
// Invariants: the module can reach nothing but linear memory through an address of the program: each access has a checked base below
// 2 GiB and an offset past the control area. A trap of the module means nothing but "run the program again by the interpreter": an
// emitter may trap where the interpreter would not, and must trap, or leave the instruction to the interpreter, where that would.
//
// The package is pure: it makes bytes. Read translate.go first, then ways.go, which says how each operation is translated.
package wasm
