package mir

import "silvm/vm/code"

// Immediate returns, for an operation on two registers, its form with a constant on the right.
var Immediate = map[code.Op]code.Op{
	code.Add: code.AddI, code.Sub: code.SubI, code.Mul: code.MulI, code.And: code.AndI, code.Or: code.OrI, code.Xor: code.XorI,
	code.Shl: code.ShlI, code.Lshr: code.LshrI, code.Ashr: code.AshrI,
	code.Sdiv: code.SdivI, code.Srem: code.SremI, code.Udiv: code.UdivI, code.Urem: code.UremI,
	code.CmpEq: code.CmpEqI, code.CmpNe: code.CmpNeI, code.CmpSlt: code.CmpSltI, code.CmpSle: code.CmpSleI,
	code.CmpUlt: code.CmpUltI, code.CmpUle: code.CmpUleI,
	code.SaddT: code.SaddTI, code.SsubT: code.SsubTI, code.SmulT: code.SmulTI,
	code.UaddT: code.UaddTI, code.UsubT: code.UsubTI, code.UmulT: code.UmulTI,
}

// Swapped returns, for an operation on two registers, the one that does the same with the operands exchanged and has a form
// with a constant on the right.
var Swapped = map[code.Op]code.Op{
	code.AddI: code.AddI, code.MulI: code.MulI, code.AndI: code.AndI, code.OrI: code.OrI, code.XorI: code.XorI,
	code.CmpEqI: code.CmpEqI, code.CmpNeI: code.CmpNeI,
	code.CmpSltI: code.CmpSgtI, code.CmpSleI: code.CmpSgeI, code.CmpUltI: code.CmpUgtI, code.CmpUleI: code.CmpUgeI,
	code.SaddTI: code.SaddTI, code.SmulTI: code.SmulTI, code.UaddTI: code.UaddTI, code.UmulTI: code.UmulTI,
}

// FitsBranch reports whether a constant can be in field B of a branch, sign extended.
func FitsBranch(v uint64) bool { return int64(v) == int64(int16(v)) }

// Flag is 1 for true and 0 for false.
func Flag(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}
