package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// controlLowerings are the terminators that know no enums, casts or calls, and cond_fail (docs/SIL.rst, Terminators).
var controlLowerings = map[op.Op]lowering{
	op.Br:          lowerBr,
	op.CondBr:      lowerCondBr,
	op.SwitchValue: lowerSwitchValue,
	op.Return:      lowerReturn,
	op.Throw:       lowerThrow,
	op.ThrowAddr:   lowerThrowAddr,
	op.Unreachable: lowerUnreachable,
	op.CondFail:    lowerCondFail,
}

func lowerBr(b *builder, i *ir.Inst) error {
	to, moves, err := b.edgeMoves(i, 0, nil)
	if err != nil {
		return err
	}
	b.cur.Moves = moves
	b.jump(to)
	return nil
}

func lowerCondBr(b *builder, i *ir.Inst) error {
	cond := b.scalar(i.Arg(0))
	b.branchIf(cond, b.edge(i, 0), b.edge(i, 1))
	return nil
}

// edge returns the label for successor n of the terminator i, which passes args to the successor's arguments before the
// operands that the edge itself names. It makes a block of its own for the moves if there are any.
func (b *builder) edge(i *ir.Inst, n int, args ...operand) *label {
	to, moves, err := b.edgeMoves(i, n, args)
	stub := &label{}
	switch what, ok := reasonOf(err); {
	case err != nil && ok:
		stub.Insts = []minst{{Op: code.Trap, Imm: uint64(code.TrapUnsupported), At: b.at, Reason: what}}
	case err != nil:
		stub.Insts = []minst{{Op: code.Trap, Imm: uint64(code.TrapUnsupported), At: b.at, Reason: err.Error()}}
	case len(moves) == 0:
		return to
	default:
		stub.Insts, stub.Succs, stub.Moves = []minst{{Op: code.Jump, At: b.at}}, []*label{to}, moves
	}
	stub.Done = true
	return stub
}

// edgeMoves returns the block that successor n of i is and the moves that pass it first args, then the operands of the edge.
func (b *builder) edgeMoves(i *ir.Inst, n int, args []operand) (*label, []move, error) {
	if n >= len(i.Succs) || i.Succs[n].To == nil {
		return nil, nil, unsupportedf("%s without successor %d", i.Op, n)
	}
	for _, o := range i.EdgeArgs(n) {
		args = append(args[:len(args):len(args)], b.scalars(o.Value())...)
	}
	to, err := b.blockLabel(i.Succs[n].To)
	if err != nil {
		return nil, nil, err
	}
	if len(to.Params) != len(args) {
		return nil, nil, unsupportedf("%s that passes %d words to a block of %d", i.Op, len(args), len(to.Params))
	}
	moves := make([]move, len(args))
	for k, r := range to.Params {
		moves[k] = move{Dst: r, Src: args[k]}
	}
	return to, moves, nil
}

// blockLabel returns the label of a SIL block and, the first time, registers for its arguments.
func (b *builder) blockLabel(block *ir.Block) (*label, error) {
	if l := b.blocks[block]; l != nil {
		return l, nil
	}
	widths := make([]int, len(block.Args))
	for k, arg := range block.Args {
		n, err := b.width(arg)
		if err != nil {
			return nil, err
		}
		widths[k] = n
	}
	l := &label{}
	for k, arg := range block.Args {
		rs := b.newRegs(widths[k])
		l.Params = append(l.Params, rs...)
		b.bind(arg, rs)
	}
	b.blocks[block] = l
	return l, nil
}

// immediateJumps holds, for a comparison, its form with a constant on the right and that with the operands swapped.
var immediateJumps = map[code.Op][2]code.Op{
	code.JumpEq:  {code.JumpEqI, code.JumpEqI},
	code.JumpNe:  {code.JumpNeI, code.JumpNeI},
	code.JumpSlt: {code.JumpSltI, code.JumpSgtI},
	code.JumpSle: {code.JumpSleI, code.JumpSgeI},
	code.JumpUlt: {code.JumpUltI, code.JumpUgtI},
	code.JumpUle: {code.JumpUleI, code.JumpUgeI},
}

// branch ends the current block: to yes if the comparison holds, else to no. cmp is one of code.JumpEq, JumpNe, JumpSlt,
// JumpSle, JumpUlt, JumpUle; constants become immediates where they fit.
func (b *builder) branch(cmp code.Op, x, y operand, yes, no *label) {
	forms := immediateJumps[cmp]
	switch {
	case x.IsConst() && y.IsConst():
		if compare(cmp, x.Imm, y.Imm) {
			b.jump(yes)
		} else {
			b.jump(no)
		}
	case y.IsConst() && mir.FitsBranch(y.Imm):
		b.end(minst{Op: forms[0], A: x.Reg, KB: uint16(y.Imm)}, yes, no)
	case x.IsConst() && mir.FitsBranch(x.Imm):
		b.end(minst{Op: forms[1], A: y.Reg, KB: uint16(x.Imm)}, yes, no)
	default:
		b.end(minst{Op: cmp, A: b.inReg(x), B: b.inReg(y)}, yes, no)
	}
}

// compare decides a comparison of constants.
func compare(cmp code.Op, x, y uint64) bool {
	switch cmp {
	case code.JumpEq:
		return x == y
	case code.JumpNe:
		return x != y
	case code.JumpSlt:
		return int64(x) < int64(y)
	case code.JumpSle:
		return int64(x) <= int64(y)
	case code.JumpUlt:
		return x < y
	}
	return x <= y
}

// lowerSwitchValue compares with one value after the other; a successor without value is the default.
func lowerSwitchValue(b *builder, i *ir.Inst) error {
	values := len(i.Operands) - 1
	if values < 0 || len(i.Succs) != values && len(i.Succs) != values+1 {
		return unsupportedf("switch_value of %d values and %d blocks", values, len(i.Succs))
	}
	x := b.scalars(i.Arg(0))
	if len(x) != 1 {
		return unsupportedf("switch_value of $%s", i.Arg(0).Type)
	}
	for n := range values {
		next := b.newLabel()
		b.branch(code.JumpEq, x[0], b.scalar(i.Arg(1+n)), b.edge(i, n), next)
		b.placeLabel(next)
	}
	if len(i.Succs) == values {
		b.end(minst{Op: code.Unreachable})
		return nil
	}
	b.jump(b.edge(i, values))
	return nil
}

// leave ends the current block with an instruction that leaves the function.
func (b *builder) leave(i minst) { b.end(i) }

func lowerReturn(b *builder, i *ir.Inst) error {
	b.leave(minst{Op: code.Return, Args: b.scalars(i.Arg(0))})
	return nil
}

func lowerThrow(b *builder, i *ir.Inst) error {
	b.leave(minst{Op: code.Throw, Args: b.scalars(i.Arg(0))})
	return nil
}

func lowerThrowAddr(b *builder, _ *ir.Inst) error {
	b.leave(minst{Op: code.Throw})
	return nil
}

func lowerUnreachable(b *builder, _ *ir.Inst) error {
	b.end(minst{Op: code.Unreachable})
	return nil
}

// lowerCondFail stops the program when the condition holds; its message is found through the position table.
func lowerCondFail(b *builder, i *ir.Inst) error {
	c := b.scalar(i.Arg(0))
	if c.IsConst() {
		if c.Imm != 0 {
			b.trap(code.TrapProgram)
		}
		return nil
	}
	b.emit(code.TrapIf, c.Reg, 0, 0, 0)
	return nil
}
