package code

// TrapKind is the reason of a Trap instruction.
type TrapKind uint64

// The reasons of Trap instructions.
const (
	TrapProgram     TrapKind = iota // the program stops as Swift defines it: Builtin.int_trap, a cond_fail that is always true
	TrapUnsupported                 // silvm can't run what is here; Reasons[pc] names it
	TrapOnError                     // unexpected error (Builtin.unexpectedError, errorInMain)
	TrapCast                        // an unconditional cast failed
)

// MathFunc is a function of one or two floats, for FmathUnary and FmathBinary.
type MathFunc uint64

// The functions: those of LLVM's float intrinsics that Swift's builtins name (LLVM language reference, llvm.sqrt and following).
const (
	MathNeg MathFunc = iota // sign flipped, NaN included
	MathAbs
	MathSqrt
	MathFloor
	MathCeil
	MathTrunc
	MathRint      // to nearest, ties to even
	MathNearbyInt // the same: the rounding mode never changes
	MathRound     // to nearest, ties away from zero
	MathRoundEven
	MathSin
	MathCos
	MathExp
	MathExp2
	MathLog
	MathLog2
	MathLog10
	// Binary.
	MathPow
	MathMinNum // the operand that is not NaN, the smaller one
	MathMaxNum
	MathMinimum // NaN if one is
	MathMaximum
	MathCopySign
	NumMathFuncs
)

// String returns the operation's name.
func (o Op) String() string {
	if int(o) < Count {
		return table[o].Name
	}
	return "no operation"
}
