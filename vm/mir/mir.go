// Package mir is the middle form of a function between SIL and bytecode, and what is done to it: operations of vm/code over virtual
// registers, in basic blocks whose edges are parallel moves.
//
// [Function.Improve] simplifies it: blocks are merged, operations fused, tests dropped whose outcome is known, loads reused, constants
// hoisted out of loops, dead code removed. [Function.Allocate] assigns physical registers and [Function.Encode] appends bytecode to the
// program.
//
// Invariants: a register may be written at several places, but each path to a use passes a write; a step counts at the end of its
// block, whatever is moved. Nothing here sees SIL, a type or a layout: a position is an index into [Function.Places].
//
// Read this file, then regs.go and encode.go.
package mir

import "silvm/vm/code"

// Reg is a virtual register of one function, counted from 1; 0 is none. A register may be written at several places as long
// as each path to a use passes a write.
type Reg int32

// Operand is a virtual register or, when reg is 0, the constant imm.
type Operand struct {
	Reg Reg
	Imm uint64
}

// Const returns a constant operand.
func Const(v uint64) Operand { return Operand{Imm: v} }

// Op returns the operand that reads r.
func (r Reg) Op() Operand { return Operand{Reg: r} }

// IsConst reports whether the operand is a constant.
func (o Operand) IsConst() bool { return o.Reg == 0 }

// Ops returns the operands that read the registers.
func Ops(rs ...Reg) []Operand {
	out := make([]Operand, len(rs))
	for i, r := range rs {
		out[i] = r.Op()
	}
	return out
}

// Function is a function while it is lowered.
type Function struct {
	Entry  *Label
	Params []Reg           // its arguments
	Places []code.PosEntry // what the position entries will say, but for PC
	nregs  Reg             // virtual registers so far
	pairs  map[Reg]bool    // r and r+1 must be neighbours
}

// New returns a function with an empty entry.
func New() Function {
	return Function{Entry: &Label{}, Places: []code.PosEntry{{}}, pairs: map[Reg]bool{}}
}

// NewReg returns a fresh virtual register.
func (fn *Function) NewReg() Reg { fn.nregs++; return fn.nregs }

// NewPair returns a fresh virtual register r such that r and r+1 will be neighbours.
func (fn *Function) NewPair() Reg {
	r := fn.NewReg()
	fn.NewReg()
	fn.pairs[r] = true
	return r
}

// Improve joins instructions and removes dead code; it returns the order of the blocks that are left.
func (fn *Function) Improve() []*Label {
	fn.mergeBlocks()
	order := Linearize(fn.Entry)
	fn.dropParams(order)
	fn.fuse(order)
	for n := 0; n < 3 && fn.prove(order); n++ {
		fn.mergeBlocks()
		order = Linearize(fn.Entry)
	}
	if fn.reuseLoads(order) && fn.prove(order) {
		fn.mergeBlocks()
		order = Linearize(fn.Entry)
	}
	fn.checkOnce(order)
	fn.sinkSteps(order)
	fn.hoistConstants(order)
	fn.pairLoads(order)
	fn.RemoveDead(order)
	fn.fuseBounds(order)
	return order
}

// Inst is one MIR instruction. Which of a, b, c, d are registers, read or written, is said by the row of op; d is the register
// that the Imm field names. Calls have args, which are placed in the window of the callee, and rets, which come back there.
type Inst struct {
	Op         code.Op
	A, B, C, D Reg
	Imm        uint64
	KB, KC     uint16 // constants in fields B and C where the row says so
	At         int32  // index in places
	before     uint32 // steps of blocks that were joined before the instruction's own
	Args       []Operand
	Rets       []Reg
	More       []Reg          // further registers read, for templates
	Fix        func([]uint16) // gets their numbers when they are known
	Reason     string         // of a Trap
	// nonNegative: the index of AddX or StoreXNN is known not to be negative.
	nonNegative bool
}

// pseudo operations of MIR; numbers above code.Count.
const (
	// OpResults is at the start of a block that a call continues in: rets are the words at the start of the call's window.
	OpResults = code.Op(code.Count) + iota
	// opArgs is at the start of the entry block: rets are the function's arguments, from register 1.
	OpArgs
)

// Move is one part of a parallel move.
type Move struct {
	Dst Reg
	Src Operand
}

// Label is a basic block of MIR. Its last instruction is a terminator once it is finished.
type Label struct {
	Insts  []Inst
	Succs  []*Label // targets of the terminator, in its order
	Params []Reg    // registers that the moves of edges to this block write
	Moves  []Move   // parallel moves at the end of a block whose terminator is Jump
	Steps  uint32   // SIL instructions that the terminator accounts for
	Done   bool     // has a terminator

	// Set by order and regs.
	preds      int
	index      int // in the linear order
	rpo        int // number in reverse postorder
	start, end int32
	pc         uint32
	results    int // words that it takes from the window of the call that continues in it
	loop       *loop
}

// Term returns the instruction that ends the block.
func (l *Label) Term() *Inst { return &l.Insts[len(l.Insts)-1] }
