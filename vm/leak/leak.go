// Package leak finds the objects that a program never frees, and says what keeps them: rings of strong references with the reference
// that should be weak, retains that no release goes with, raw memory. Leaks that differ in nothing but which objects they are of are one
// finding.
//
// The heap finds the leaks (heap.Leaks); the words for places, objects and references are the machine's. What the run did not note as
// it went, as who called the initializer of an object, comes out of a second run.
package leak

import (
	"silvm/heap"
	"silvm/vm"
)

// Report tells the leaks of a run, at whatever point it is. What it found out by running the program again it keeps.
type Report struct {
	m      *vm.Machine
	makers map[blockKey][]vm.Place // see findMakers
}

// Of returns the report on a machine.
func Of(m *vm.Machine) *Report { return &Report{m: m, makers: map[blockKey][]vm.Place{}} }

// Leaks finds the objects that are alive and that nothing living until the end of the program refers to: globals and other
// static memory are the roots. Each leak is an object, or a ring of objects that hold each other.
func (r *Report) Leaks() []heap.Leak { return heap.Leaks(r.m.Heap(), r.m.Roots(), r.m.References) }
