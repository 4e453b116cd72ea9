package vm

import (
	"math/bits"

	"silvm/vm/code"
)

// execArith does integer operations that have no case in the loop. Whatever comes here from the loop with an overflow, a zero
// divisor or a true condition of a trap ends in the trap that Swift defines.
func (m *Machine) execArith(in code.Inst, r *[windowSize]uint64) *Trap {
	if k, ok := narrow[in.Op]; ok {
		return m.execNarrow(in, r, k)
	}
	x, y := r[in.B], r[in.C]
	up := -in.Imm & 63 // distance of a value of width Imm to the top of the register
	switch in.Op {
	case code.SmulT, code.SmulTI:
		if in.Op == code.SmulTI {
			y = in.Imm
		}
		lo, over := signedMul(x, y)
		if over {
			return m.trapNow(SwiftTrap)
		}
		r[in.A] = lo
	case code.UmulT, code.UmulTI:
		if in.Op == code.UmulTI {
			y = in.Imm
		}
		hi, lo := bits.Mul64(x, y)
		if hi != 0 {
			return m.trapNow(SwiftTrap)
		}
		r[in.A] = lo
	case code.SmulO:
		lo, over := signedMul(x, y)
		r[in.A], r[in.A+1] = lo, bit(over)
	case code.UmulO:
		hi, lo := bits.Mul64(x, y)
		r[in.A], r[in.A+1] = lo, bit(hi != 0)
	case code.Mul128:
		hi, lo := bits.Mul64(x, y)
		r[in.A], r[in.A+1] = lo, hi
	case code.Smul128:
		hi, lo := bits.Mul64(x, y)
		r[in.A], r[in.A+1] = lo, hi-uint64(int64(x)>>63)&y-uint64(int64(y)>>63)&x
	case code.Ctlz:
		r[in.A] = min(uint64(bits.LeadingZeros64(x<<up)), in.Imm)
	case code.Cttz:
		r[in.A] = min(uint64(bits.TrailingZeros64(x)), in.Imm)
	case code.Ctpop:
		r[in.A] = uint64(bits.OnesCount64(x << up))
	case code.Bswap:
		r[in.A] = bits.ReverseBytes64(x << up)
	case code.BitReverse:
		r[in.A] = bits.Reverse64(x << up)
	default:
		return m.trapNow(SwiftTrap)
	}
	return nil
}

// narrowOp is an overflow operation on less than 64 bits.
type narrowOp struct {
	kind   byte // + - *
	signed bool
	report bool // sets A+1 instead of trapping
}

var narrow = map[code.Op]narrowOp{
	code.SaddTN: {'+', true, false}, code.SaddON: {'+', true, true}, code.UaddTN: {'+', false, false}, code.UaddON: {'+', false, true},
	code.SsubTN: {'-', true, false}, code.SsubON: {'-', true, true}, code.UsubTN: {'-', false, false}, code.UsubON: {'-', false, true},
	code.SmulTN: {'*', true, false}, code.SmulON: {'*', true, true}, code.UmulTN: {'*', false, false}, code.UmulON: {'*', false, true},
}

func (m *Machine) execNarrow(in code.Inst, r *[windowSize]uint64, k narrowOp) *Trap {
	up := -in.Imm & 63
	x, y := r[in.B]<<up>>up, r[in.C]<<up>>up
	if k.signed {
		x, y = uint64(int64(r[in.B]<<up)>>up), uint64(int64(r[in.C]<<up)>>up)
	}
	var v uint64
	var over bool
	switch k.kind {
	case '+':
		v = x + y
	case '-':
		v = x - y
	case '*':
		if k.signed {
			v, over = signedMul(x, y)
		} else {
			var hi uint64
			hi, v = bits.Mul64(x, y)
			over = hi != 0
		}
	}
	low := v << up >> up
	if k.signed {
		over = over || uint64(int64(v<<up)>>up) != v
	} else {
		over = over || low != v
	}
	if over && !k.report {
		return m.trapNow(SwiftTrap)
	}
	r[in.A] = low
	if k.report {
		r[in.A+1] = bit(over)
	}
	return nil
}

// signedMul returns the low word of a signed product and whether it overflows.
func signedMul(x, y uint64) (lo uint64, over bool) {
	hi, lo := bits.Mul64(x, y)
	hi -= uint64(int64(x)>>63)&y + uint64(int64(y)>>63)&x
	return lo, hi != uint64(int64(lo)>>63)
}
