// Package op is the instruction table of SIL: one row for each instruction, one for each builtin.
//
// Parser, printer, verifier, effects analysis and lowering read the rows; nothing here does anything.
// The package holds no function values: a room that gives an instruction behaviour keeps its own array
// indexed by Op and has a test that fails on a hole. Read table.go first.
package op

// Op names a SIL instruction. The zero value is Invalid and never stands for an instruction.
type Op uint16

// Count is the number of opcodes including Invalid, for arrays indexed by Op.
const Count = int(numOps)
