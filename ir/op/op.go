// Package op is the instruction table of SIL: one row for each instruction, one for each builtin.
//
// Parser, printer, verifier, effects analysis and lowering read the rows; nothing here does anything.
// The package holds no function values: a room that gives an instruction behaviour keeps its own array
// indexed by Op and has a test that fails on a hole. Every enum has zero for "nobody filled this in", which
// Validate reports. The package refuses to know instances: what a row can not say about all instructions of
// an opcode it bounds from above, and names the rule that narrows it. Read table.go first, form.go for syntax.
package op

//go:generate go run ./gen

// Op names a SIL instruction. The zero value is Invalid and never stands for an instruction.
type Op uint16

// Count is the number of opcodes including Invalid, for arrays indexed by Op.
const Count = int(numOps)
