package lower

import (
	"fmt"

	"silvm/vm/code"
)

// codeTarget says where the code of a function goes.
type codeTarget struct {
	prog     *code.Program
	fn       *code.Func
	straight bool // no code is copied in place of a jump to it
	bounds   bool // note the boundaries in fn
}

// tooLarge is the error for a function that needs too many registers.
type tooLarge struct{ what string }

func (t tooLarge) Error() string { return t.what }

// encoder writes the blocks of one function into the program.
type encoder struct {
	codeTarget
	places []code.PosEntry
	nregs  int
	fixups []fixup
	last   code.PosEntry // of the latest position entry
	any    bool
}

// fixup is a code codeTarget that is not known yet.
type fixup struct {
	pc   uint32
	half int // 0: low half of Imm, 1: high half, 2 and on: entry of the jump table that Imm names
	to   *label
}

// Bodies of up to maxCopied instructions are copied in place of a Jump to them, maxGrowth instructions for one Jump.
const (
	maxCopied = 4
	maxGrowth = 6
)

// encode appends the function's code to the program and fills in its code.Func. The error is for a frame that is too large.
func (fn *mirFunction) encode(to codeTarget, a *allocator, usesScratch bool) error {
	e := &encoder{codeTarget: to, places: fn.places, nregs: len(a.busy)}
	outs := len(a.outEnd)
	for _, l := range a.order {
		for k := range l.insts {
			if i := &l.insts[k]; mayCall(i.op) {
				outs = max(outs, len(i.args)+1, len(i.rets)+1)
			} else {
				e.nregs = max(e.nregs, len(i.args)+1)
			}
		}
	}
	if usesScratch {
		e.nregs++ // behind the results, which a cycle may be among
	}
	if e.nregs+outs > code.MaxReg {
		return tooLarge{fmt.Sprintf("a function that needs %d registers", e.nregs+outs)}
	}
	if i := a.order[0].insts; len(i) > 0 && i[0].op == code.ClearRegs {
		i[0].imm = uint64(e.nregs)
	}
	p := to.prog
	entry := uint32(len(p.Insts))
	to.fn.Pos = to.fn.Pos[:0]
	var placed []*label
	for n, l := range a.order {
		if n == 0 || e.threaded(l) == l {
			placed = append(placed, l)
		}
	}
	for n, l := range placed {
		var next *label
		if n+1 < len(placed) {
			next = placed[n+1]
		}
		l.pc = uint32(len(p.Insts))
		e.block(l, next)
	}
	for _, x := range e.fixups {
		to := uint64(e.threaded(x.to).pc)
		switch x.half {
		case 0:
			p.Insts[x.pc].Imm |= to
		case 1:
			p.Insts[x.pc].Imm |= to << 32
		default:
			p.JumpTables[p.Insts[x.pc].Imm][x.half-2] = uint32(to)
		}
	}
	to.fn.Entry, to.fn.End, to.fn.NRegs = entry, uint32(len(p.Insts)), e.nregs
	p.Lowered = append(p.Lowered, to.fn)
	return nil
}

// threaded follows blocks that do nothing but jump and count nothing.
func (e *encoder) threaded(l *label) *label {
	for n := 0; n < 16 && len(l.insts) == 1 && l.insts[0].op == code.Jump && l.steps == 0 && l.succs[0] != l; n++ {
		l = l.succs[0]
	}
	return l
}

// block writes one block; next is the block that follows it in the code, nil at the end.
func (e *encoder) block(l, next *label) {
	for k := range l.insts[:len(l.insts)-1] {
		e.inst(&l.insts[k], 0)
	}
	steps, growth := l.steps, 0
	for {
		t := l.term()
		if t.op != code.Jump {
			e.terminator(l, steps)
			return
		}
		to := e.threaded(l.succs[0])
		if to == next && steps == 0 {
			return
		}
		if e.straight || len(to.insts) > maxCopied || growth+len(to.insts) > maxGrowth || to.copies() {
			e.jump(t, to, steps)
			return
		}
		for k := range to.insts[:len(to.insts)-1] {
			e.inst(&to.insts[k], steps)
		}
		growth += len(to.insts)
		steps += to.steps
		l = to
	}
}

// copies says whether the block may stand in the code only once: it holds what has a table or a continuation of its own.
func (l *label) copies() bool {
	for k := range l.insts {
		if i := &l.insts[k]; i.fix != nil || mayCall(i.op) || i.op == code.Switch || i.op == code.Trap {
			return true
		}
	}
	return false
}

func (e *encoder) jump(t *minst, to *label, steps uint32) {
	pc := e.put(code.Inst{Op: code.Jump, C: e.steps(steps, t)}, t, 0)
	e.fixups = append(e.fixups, fixup{pc, 0, to})
}

// steps writes what doesn't fit a branch and gives the rest.
func (e *encoder) steps(n uint32, t *minst) uint16 {
	for ; n > 65535; n -= 65535 {
		e.put(code.Inst{Op: code.Steps, C: 65535}, t, 0)
	}
	return uint16(n)
}

// terminator writes the last instruction of a block, other than Jump.
func (e *encoder) terminator(l *label, steps uint32) {
	t := l.term()
	o := t.op.Operands()
	inst := e.fields(t)
	switch {
	case o.C == code.RoleSteps:
		inst.C = e.steps(steps, t)
	case steps > 0 && t.op != code.Trap && t.op != code.Unreachable:
		if rest := e.steps(steps, t); rest > 0 {
			e.put(code.Inst{Op: code.Steps, C: rest}, t, 0)
		}
	}
	switch {
	case t.op == code.Switch:
		inst.Imm = uint64(len(e.prog.JumpTables))
		e.prog.JumpTables = append(e.prog.JumpTables, make([]uint32, len(l.succs)))
		pc := e.put(inst, t, 0)
		for n, s := range l.succs {
			e.fixups = append(e.fixups, fixup{pc, n + 2, s})
		}
	case continues(t.op):
		e.put(inst, t, 0)
		if len(l.succs) > 1 {
			pc := e.put(code.Inst{Op: code.OnError}, t, 0)
			e.fixups = append(e.fixups, fixup{pc, 0, l.succs[1]})
		}
		pc := e.put(code.Inst{Op: code.Jump}, t, 0)
		e.fixups = append(e.fixups, fixup{pc, 0, l.succs[0]})
	default:
		pc := e.put(inst, t, 0)
		if t.reason != "" {
			e.prog.Reasons[pc] = t.reason
		}
		for n, s := range l.succs {
			e.fixups = append(e.fixups, fixup{pc, n, s})
		}
	}
	if t.fix != nil {
		e.applyFix(t)
	}
}

// continues says whether the operation is a call: as a terminator it goes on behind itself, with an OnError in between if it
// has a second successor.
func continues(o code.Op) bool { return o != code.Yield && mayCall(o) }

func (e *encoder) inst(i *minst, before uint32) {
	pc := e.put(e.fields(i), i, before)
	if i.reason != "" {
		e.prog.Reasons[pc] = i.reason
	}
	if i.fix != nil {
		e.applyFix(i)
	}
}

func (e *encoder) applyFix(i *minst) {
	regs := make([]uint16, len(i.more))
	for n, r := range i.more {
		regs[n] = e.reg(r)
	}
	i.fix(regs)
}

// fields gives the machine's form of an instruction.
func (e *encoder) fields(i *minst) code.Inst {
	o := i.op.Operands()
	inst := code.Inst{Op: i.op, Imm: i.imm}
	inst.A = e.field(o.A, i.a, 0)
	inst.B = e.field(o.B, i.b, i.kb)
	inst.C = e.field(o.C, i.c, i.kc)
	if o.Reg == code.RoleUse {
		inst.Imm = o.Merge(i.imm, e.reg(i.d))
	}
	return inst
}

func (e *encoder) field(role code.Role, r reg, k uint16) uint16 {
	switch role {
	case code.RoleBase:
		return uint16(e.nregs)
	case code.RoleConst, code.RoleSigned, code.RoleSteps:
		return k
	case code.RoleNone:
		return 0
	}
	return e.reg(r)
}

// reg gives the number of a physical register.
func (e *encoder) reg(r reg) uint16 {
	switch {
	case r >= outSlot:
		return uint16(e.nregs + int(r-outSlot))
	case r == scratch:
		return uint16(e.nregs - 1)
	}
	return uint16(r)
}

// put appends an instruction and, where the place changes, a position entry; before counts the instructions of blocks that a
// copied body was put behind.
func (e *encoder) put(inst code.Inst, i *minst, before uint32) uint32 {
	pc := uint32(len(e.prog.Insts))
	at := e.places[i.at]
	at.Step += before + i.before
	if !e.any || at != e.last {
		entry := at
		entry.PC = pc
		e.fn.Pos = append(e.fn.Pos, entry)
		e.last, e.any = at, true
	}
	if e.bounds && inst.Op == code.Steps {
		e.fn.Bounds = append(e.fn.Bounds, pc)
	}
	e.prog.Insts = append(e.prog.Insts, inst)
	return pc
}
