// Package memory has the passes on memory: they make values of stack slots and boxes, remove loads, stores, copies and temporaries,
// and objects that nobody looks at.
//
// Invariants: a read sees what it saw before, whoever else may write (package facts says who may); memory that is initialized is
// destroyed as often as before, in an order that the language permits. What may alias and can't be told apart stays.
//
// Read local_memory.go first, the uses of one allocation, then mem2reg.go.
package memory
