// Package code is the bytecode of silvm's machine: a register code over fixed-size instructions, its table,
// the program image and its position tables.
//
// Lowering (vm/lower) writes it, the machine (vm) runs it. A frame is a window of 64-bit registers; register 0
// holds the link (see Link), arguments start at register 1, results come back at register 1. Read table.go first.
package code

// Inst is one bytecode instruction. A, B and C are registers of the frame unless the table says otherwise;
// Imm is a constant, an offset or a pair of code targets (see Targets).
type Inst struct {
	Op      Op
	A, B, C uint16
	Imm     uint64
}

// IsBoundary reports whether a run for tools may stop at the instruction: it counts a step before a SIL instruction.
func (in Inst) IsBoundary() bool {
	return in.Op == Steps || in.Op == Break || in.Op == Writes && in.C > 0
}

// WritesImm packs what Writes needs: the bytes from an offset on, and the stride of the index.
func WritesImm(off int32, size, stride uint64) uint64 {
	return uint64(uint32(off)) | size<<32 | stride<<48
}

// MaxReg is the highest register number a frame may use; lowering refuses functions that need more.
const MaxReg = 65535

// Targets packs the two targets of a branch, as indexes into Program.Insts: taken when the condition holds, and else.
func Targets(taken, not uint32) uint64 { return uint64(taken) | uint64(not)<<32 }

// Link packs what a frame needs to return: the index of the instruction to go on with and the distance in
// registers to the caller's frame.
func Link(pc uint32, base uint16) uint64 { return uint64(pc)<<16 | uint64(base) }
