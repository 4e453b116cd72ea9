package mir

import (
	"fmt"

	"silvm/vm/code"
)

// Target says where the code of a function goes.
type Target struct {
	Prog     *code.Program
	Func     *code.Func
	Straight bool // no code is copied in place of a jump to it
	Bounds   bool // note the boundaries in fn
}

// TooLarge is the error for a function that needs too many registers.
type TooLarge struct{ What string }

func (t TooLarge) Error() string { return t.What }

// encoder writes the blocks of one function into the program.
type encoder struct {
	Target
	places []code.PosEntry
	nregs  int
	fixups []fixup
	last   code.PosEntry // of the latest position entry
	any    bool
}

// fixup is a code target that is not known yet.
type fixup struct {
	pc   uint32
	half int // 0: low half of Imm, 1: high half, 2 and on: entry of the jump table that Imm names
	to   *Label
}

// Bodies of up to maxCopied instructions are copied in place of a Jump to them, maxGrowth instructions for one Jump.
const (
	maxCopied = 4
	maxGrowth = 6
)

// Encode appends the function's code to the program and fills in its code.Func. The error is for a frame that is too large.
func (fn *Function) Encode(to Target, a *Allocation, usesScratch bool) error {
	e := &encoder{Target: to, places: fn.Places, nregs: len(a.busy)}
	outs := len(a.outEnd)
	for _, l := range a.order {
		for k := range l.Insts {
			if i := &l.Insts[k]; MayCall(i.Op) {
				outs = max(outs, len(i.Args)+1, len(i.Rets)+1)
			} else {
				e.nregs = max(e.nregs, len(i.Args)+1)
			}
		}
	}
	if usesScratch {
		e.nregs++ // after the results, which a cycle may be among
	}
	if e.nregs+outs > code.MaxReg {
		return TooLarge{fmt.Sprintf("a function that needs %d registers", e.nregs+outs)}
	}
	if i := a.order[0].Insts; len(i) > 0 && i[0].Op == code.ClearRegs {
		i[0].Imm = uint64(e.nregs)
	}
	p := to.Prog
	entry := uint32(len(p.Insts))
	to.Func.Pos, to.Func.Calls = to.Func.Pos[:0], to.Func.Calls[:0]
	to.Func.Shape = code.Shape{Args: len(fn.Params)}
	var placed []*Label
	for n, l := range a.order {
		if n == 0 || e.threaded(l) == l {
			placed = append(placed, l)
		}
	}
	for n, l := range placed {
		var next *Label
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
	to.Func.Entry, to.Func.End, to.Func.NRegs = entry, uint32(len(p.Insts)), e.nregs
	p.Lowered = append(p.Lowered, to.Func)
	return nil
}

// threaded follows blocks that do nothing but jump and count nothing.
func (e *encoder) threaded(l *Label) *Label {
	for n := 0; n < 16 && len(l.Insts) == 1 && l.Insts[0].Op == code.Jump && l.Steps == 0 && l.Succs[0] != l; n++ {
		l = l.Succs[0]
	}
	return l
}

// block writes one block; next is the block that follows it in the code, nil at the end.
func (e *encoder) block(l, next *Label) {
	for k := range l.Insts[:len(l.Insts)-1] {
		e.inst(&l.Insts[k], 0)
	}
	steps, growth := l.Steps, 0
	for {
		t := l.Term()
		if t.Op != code.Jump {
			e.terminator(l, steps)
			return
		}
		to := e.threaded(l.Succs[0])
		if to == next && steps == 0 {
			return
		}
		if e.Straight || len(to.Insts) > maxCopied || growth+len(to.Insts) > maxGrowth || to.copies() {
			e.jump(t, to, steps)
			return
		}
		for k := range to.Insts[:len(to.Insts)-1] {
			e.inst(&to.Insts[k], steps)
		}
		growth += len(to.Insts)
		steps += to.Steps
		l = to
	}
}

// copies reports whether the block may be in the code only once: it holds what has a table or a continuation of its own.
func (l *Label) copies() bool {
	for k := range l.Insts {
		if i := &l.Insts[k]; i.Fix != nil || MayCall(i.Op) || i.Op == code.Switch || i.Op == code.Trap {
			return true
		}
	}
	return false
}

func (e *encoder) jump(t *Inst, to *Label, steps uint32) {
	pc := e.put(code.Inst{Op: code.Jump, C: e.steps(steps, t)}, t, 0)
	e.fixups = append(e.fixups, fixup{pc, 0, to})
}

// steps writes what doesn't fit a branch and returns the rest.
func (e *encoder) steps(n uint32, t *Inst) uint16 {
	for ; n > 65535; n -= 65535 {
		e.put(code.Inst{Op: code.Steps, C: 65535}, t, 0)
	}
	return uint16(n)
}

// terminator writes the last instruction of a block, other than Jump.
func (e *encoder) terminator(l *Label, steps uint32) {
	t := l.Term()
	o := t.Op.Operands()
	inst := e.fields(t)
	switch {
	case o.C == code.RoleSteps:
		inst.C = e.steps(steps, t)
	case steps > 0 && t.Op != code.Trap && t.Op != code.Unreachable:
		if rest := e.steps(steps, t); rest > 0 {
			e.put(code.Inst{Op: code.Steps, C: rest}, t, 0)
		}
	}
	switch {
	case t.Op == code.Switch:
		inst.Imm = uint64(len(e.Prog.JumpTables))
		e.Prog.JumpTables = append(e.Prog.JumpTables, make([]uint32, len(l.Succs)))
		pc := e.put(inst, t, 0)
		for n, s := range l.Succs {
			e.fixups = append(e.fixups, fixup{pc, n + 2, s})
		}
	case continues(t.Op):
		e.call(e.put(inst, t, 0), t, l.Succs)
		if len(l.Succs) > 1 {
			pc := e.put(code.Inst{Op: code.OnError}, t, 0)
			e.fixups = append(e.fixups, fixup{pc, 0, l.Succs[1]})
		}
		pc := e.put(code.Inst{Op: code.Jump}, t, 0)
		e.fixups = append(e.fixups, fixup{pc, 0, l.Succs[0]})
	default:
		pc := e.put(inst, t, 0)
		e.leaves(pc, t)
		if t.Reason != "" {
			e.Prog.Reasons[pc] = t.Reason
		}
		for n, s := range l.Succs {
			e.fixups = append(e.fixups, fixup{pc, n, s})
		}
	}
	if t.Fix != nil {
		e.applyFix(t)
	}
}

// continues reports whether the operation is a call: as a terminator it goes on after itself, with an OnError in between if it
// has a second successor.
func continues(o code.Op) bool { return o != code.Yield && MayCall(o) }

func (e *encoder) inst(i *Inst, before uint32) {
	pc := e.put(e.fields(i), i, before)
	if MayCall(i.Op) {
		e.call(pc, i, nil)
	}
	if i.Reason != "" {
		e.Prog.Reasons[pc] = i.Reason
	}
	if i.Fix != nil {
		e.applyFix(i)
	}
}

// call notes the shape of a call, which goes on in succs when it ends its block.
func (e *encoder) call(pc uint32, i *Inst, succs []*Label) {
	s := code.Shape{Args: len(i.Args), Rets: len(i.Rets)}
	if len(succs) > 0 {
		s.Rets = max(s.Rets, succs[0].results)
	}
	if len(succs) > 1 {
		s.ErrRets = succs[1].results
	}
	e.Func.Calls = append(e.Func.Calls, code.CallSite{PC: pc, Shape: s})
}

// leaves notes what the function returns at an instruction by which it leaves.
func (e *encoder) leaves(pc uint32, t *Inst) {
	switch f := e.Func; t.Op {
	case code.Return:
		f.Rets = max(f.Rets, len(t.Args))
	case code.Throw:
		f.ErrRets, f.Throws = max(f.ErrRets, len(t.Args)), true
	case code.TailCall:
		f.Calls = append(f.Calls, code.CallSite{PC: pc, Shape: code.Shape{Args: len(t.Args)}})
	}
}

func (e *encoder) applyFix(i *Inst) {
	regs := make([]uint16, len(i.More))
	for n, r := range i.More {
		regs[n] = e.reg(r)
	}
	i.Fix(regs)
}

// fields returns the machine's form of an instruction.
func (e *encoder) fields(i *Inst) code.Inst {
	o := i.Op.Operands()
	inst := code.Inst{Op: i.Op, Imm: i.Imm}
	inst.A = e.field(o.A, i.A, 0)
	inst.B = e.field(o.B, i.B, i.KB)
	inst.C = e.field(o.C, i.C, i.KC)
	if o.Reg == code.RoleUse {
		inst.Imm = o.Merge(i.Imm, e.reg(i.D))
	}
	return inst
}

func (e *encoder) field(role code.Role, r Reg, k uint16) uint16 {
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

// reg returns the number of a physical register.
func (e *encoder) reg(r Reg) uint16 {
	switch {
	case r >= OutSlot:
		return uint16(e.nregs + int(r-OutSlot))
	case r == scratch:
		return uint16(e.nregs - 1)
	}
	return uint16(r)
}

// put appends an instruction and, where the place changes, a position entry; before counts the instructions of blocks that a
// copied body was put after.
func (e *encoder) put(inst code.Inst, i *Inst, before uint32) uint32 {
	pc := uint32(len(e.Prog.Insts))
	at := e.places[i.At]
	at.Step += before + i.before
	if !e.any || at != e.last {
		entry := at
		entry.PC = pc
		e.Func.Pos = append(e.Func.Pos, entry)
		e.last, e.any = at, true
	}
	if e.Bounds && inst.IsBoundary() {
		e.Func.Bounds = append(e.Func.Bounds, pc)
	}
	e.Prog.Insts = append(e.Prog.Insts, inst)
	return pc
}
