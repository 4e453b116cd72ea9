// Package jit is an engine that runs a program's bytecode as machine code: package wasm translates it to WebAssembly, and wazero compiles
// that for the processor at hand.
//
// Invariants: what the program does is what the interpreter would do. Wherever the engine can't promise that, at each trap and each
// fault, it gives up, and the interpreter runs the program again from its start.
//
// It refuses runs that somebody counts the steps of, or that a clock ends, and processors that wazero has no compiler for.
//
// Read engine.go.
package jit
