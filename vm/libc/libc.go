// Package libc has the functions of the C library that Swift programs call, in Go: those that Embedded mode leaves outside and those
// that programs declare for themselves.
//
// [Table] returns them by symbol. They see the program's memory, streams, clock and random numbers through the call that the machine
// hands them, as those of vm/native do, and keep no state beside: what lasts lies in the machine, so that a run can go back.
//
// Results are those of glibc on x86-64 Linux in the C locale. The outside can't be seen: time is the run's own clock, there is no
// environment, and no file but the three standard streams.
//
// Read this file, then memory.go.
package libc

import "silvm/vm"

// native is the code of one function.
type native func(c call) *vm.Trap

// call is one turn of a native.
type call struct{ *vm.NativeCall }

// groups are the functions by area. No symbol may stand in two of them.
var groups = []map[string]native{memory, stringFunctions, characters, classes, mathematics, streams, printed, sorting, randomNumbers, clocks, process}

// Table returns the functions by symbol.
func Table() map[string]vm.Native {
	table := map[string]vm.Native{}
	for _, group := range groups {
		for symbol, f := range group {
			enter(table, symbol, func(_ *vm.Machine, c *vm.NativeCall) *vm.Trap { return f(call{c}) })
		}
	}
	return table
}

// enter puts a function into a table, where its symbol may stand once.
func enter[F any](table map[string]F, symbol string, f F) {
	if _, double := table[symbol]; double {
		panic("two C functions for " + symbol) // a wrong table
	}
	table[symbol] = f
}

// nothing is a function that programs call for an effect which no program can see.
func nothing(call) *vm.Trap { return nil }
