package lower

import "silvm/vm/code"

// reg is a virtual register of one function, counted from 1; 0 is none. A register may be written at several places as long
// as each way to a use passes a write.
type reg int32

// operand is a virtual register or, when reg is 0, the constant imm.
type operand struct {
	reg reg
	imm uint64
}

// con gives a constant operand.
func con(v uint64) operand { return operand{imm: v} }

// op gives the operand that reads r.
func (r reg) op() operand { return operand{reg: r} }

// isConst says whether the operand is a constant.
func (o operand) isConst() bool { return o.reg == 0 }

// ops gives the operands that read the registers.
func ops(rs ...reg) []operand {
	out := make([]operand, len(rs))
	for i, r := range rs {
		out[i] = r.op()
	}
	return out
}

// mirFunction is a function while it is lowered.
type mirFunction struct {
	Entry  *label
	params []reg           // its arguments
	places []code.PosEntry // what the position entries will say, but for PC
	nregs  reg             // virtual registers so far
	pairs  map[reg]bool    // r and r+1 must be neighbours
}

func newMIRFunction() mirFunction {
	return mirFunction{Entry: &label{}, places: []code.PosEntry{{}}, pairs: map[reg]bool{}}
}

// newReg returns a fresh virtual register.
func (fn *mirFunction) newReg() reg { fn.nregs++; return fn.nregs }

// newPair returns a fresh virtual register r such that r and r+1 will be neighbours.
func (fn *mirFunction) newPair() reg {
	r := fn.newReg()
	fn.newReg()
	fn.pairs[r] = true
	return r
}

// improve joins instructions and removes what is not needed; it returns the order of the blocks that are left.
func (fn *mirFunction) improve() []*label {
	fn.mergeBlocks()
	order := linearize(fn.Entry)
	fn.dropParams(order)
	fn.fuse(order)
	for n := 0; n < 3 && fn.prove(order); n++ {
		fn.mergeBlocks()
		order = linearize(fn.Entry)
	}
	if fn.reuseLoads(order) && fn.prove(order) {
		fn.mergeBlocks()
		order = linearize(fn.Entry)
	}
	fn.checkOnce(order)
	fn.sinkSteps(order)
	fn.hoistConstants(order)
	fn.pairLoads(order)
	fn.removeDead(order)
	fn.fuseBounds(order)
	return order
}

// minst is one MIR instruction. Which of a, b, c, d are registers, read or written, is said by the row of op; d is the register
// that the Imm field names. Calls have args, which are placed in the window of the callee, and rets, which come back there.
type minst struct {
	op         code.Op
	a, b, c, d reg
	imm        uint64
	kb, kc     uint16 // constants in fields B and C where the row says so
	at         int32  // index in places
	before     uint32 // steps of blocks that were joined in front of the instruction's own
	args       []operand
	rets       []reg
	more       []reg          // further registers read, for templates
	fix        func([]uint16) // gets their numbers when they are known
	reason     string         // of a Trap
	// nonNegative: the index of AddX or StoreXNN is known not to be negative.
	nonNegative bool
}

// pseudo operations of MIR; numbers above code.Count.
const (
	// opResults stands at the start of a block that a call continues in: rets are the words at the start of the call's window.
	opResults = code.Op(code.Count) + iota
	// opArgs stands at the start of the entry block: rets are the function's arguments, from register 1.
	opArgs
)

// move is one part of a parallel move.
type move struct {
	dst reg
	src operand
}

// label is a basic block of MIR. Its last instruction is a terminator once it is finished.
type label struct {
	insts  []minst
	succs  []*label // targets of the terminator, in its order
	params []reg    // registers that the moves of edges to this block write
	moves  []move   // parallel moves at the end of a block whose terminator is Jump
	steps  uint32   // SIL instructions that the terminator accounts for
	done   bool     // has a terminator

	// Set by order and regs.
	preds      int
	index      int // in the linear order
	rpo        int // number in reverse postorder
	start, end int32
	pc         uint32
	loop       *loop
}

func (l *label) term() *minst { return &l.insts[len(l.insts)-1] }
