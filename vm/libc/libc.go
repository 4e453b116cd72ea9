// Package libc has the functions of the C library that Swift programs call, in Go: those that Embedded mode leaves outside and those
// that programs declare for themselves.
//
// [Table] returns them by symbol. They see the program's memory, streams, clock and random numbers through the call that the machine
// hands them, as those of vm/native do, and keep no state besides: what lasts lies in the machine, so that a run can go back.
//
// Results are those of glibc on x86-64 Linux in the C locale. The outside can't be seen: time is the run's own clock, the
// environment is what the run was given, and there is no file but the three standard streams.
//
// Read this file, then memory.go.
package libc

import (
	"silvm/ir/tables"
	"silvm/vm"
)

// native is the code of one function.
type native func(c call) *vm.Trap

// call is one turn of a native.
type call struct{ *vm.NativeCall }

// groups are the functions by area. No symbol may be in two of them.
var groups = []map[string]native{memory, stringFunctions, characters, classes, mathematics, divisions, numericsShims, streams, printed, sorting, randomNumbers, clocks, process, threads, terminal, pages, locales}

// Table returns the functions by symbol.
func Table() map[string]vm.Native {
	natives := map[string]vm.Native{}
	for symbol, f := range tables.Join("C functions", groups...) {
		natives[symbol] = func(_ *vm.Machine, c *vm.NativeCall) *vm.Trap { return f(call{c}) }
	}
	return natives
}

// nothing is a function that programs call for an effect which no program can see.
func nothing(call) *vm.Trap { return nil }
