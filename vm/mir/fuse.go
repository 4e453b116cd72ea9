package mir

import "silvm/vm/code"

// Peepholes: what the machine can do in one instruction is joined. Each rewrite names its conditions. "Single" registers are
// written at one place only, so that an instruction without effect that reads them may be done anywhere after it.

// fuser is the state of the peepholes over one function.
type fuser struct {
	fn    *Function
	defs  []uint8
	uses  []int32
	def   []*Inst  // the instruction that writes a single register; nil for block arguments
	block []*Label // the block of that instruction
	moved []bool   // the register is an argument or result of a call, or moved along an edge
}

// fuse joins instructions of the blocks in order.
func (fn *Function) fuse(order []*Label) {
	f := fn.newFuser(order)
	for _, l := range order {
		f.overflow(l)
		for k := range l.Insts {
			f.inst(l, k)
		}
	}
}

// fuseBounds joins the parts of bounds checks; dead instructions are gone, so that what is counted is really read.
func (fn *Function) fuseBounds(order []*Label) {
	f := fn.newFuser(order)
	for _, l := range order {
		f.bounds(l)
		keepNonNop(l)
	}
}

func keepNonNop(l *Label) {
	insts := l.Insts[:0]
	for _, i := range l.Insts {
		if i.Op != code.Nop {
			insts = append(insts, i)
		}
	}
	l.Insts = insts
}

func (fn *Function) newFuser(order []*Label) *fuser {
	n := int(fn.nregs) + 2
	f := &fuser{fn: fn, defs: fn.countDefs(order), uses: make([]int32, n), def: make([]*Inst, n), block: make([]*Label, n), moved: make([]bool, n)}
	for _, l := range order {
		for k := range l.Insts {
			i := &l.Insts[k]
			i.eachUse(func(r *Reg) { f.uses[*r]++ })
			i.EachDef(func(r Reg) { f.def[r], f.block[r] = i, l })
			for _, a := range i.Args {
				f.moved[a.Reg] = true
			}
			for _, r := range i.Rets {
				f.moved[r] = true
			}
		}
		for _, m := range l.Moves {
			f.uses[m.Src.Reg]++
			f.moved[m.Src.Reg], f.moved[m.Dst] = true, true
		}
	}
	for r, d := range f.defs {
		if d != 1 {
			f.def[r] = nil
		}
	}
	return f
}

// single reports whether the register is written once.
func (f *fuser) single(r Reg) bool { return f.defs[r] == 1 }

// constant returns the value of a single register that LoadImm writes.
func (f *fuser) constant(r Reg) (uint64, bool) {
	if d := f.def[r]; d != nil && d.Op == code.LoadImm {
		return d.Imm, true
	}
	return 0, false
}

func (f *fuser) inst(l *Label, k int) {
	i := &l.Insts[k]
	switch i.Op {
	case code.JumpIf:
		f.jumpIf(l, i)
	case code.TrapIf:
		f.trapIf(l, k)
	case code.Fadd64, code.Fadd32, code.Fsub64, code.Fsub32:
		f.multiplyAdd(l, i)
	case code.SaddO, code.SsubO, code.SmulO, code.UaddO, code.UsubO, code.UmulO:
		f.wrap(i)
	}
}

// plain returns the operation that an overflow operation does when nobody looks at the overflow.
var plain = map[code.Op]code.Op{
	code.SaddO: code.Add, code.UaddO: code.Add, code.SsubO: code.Sub, code.UsubO: code.Sub, code.SmulO: code.Mul, code.UmulO: code.Mul,
}

// wrap: SaddO v:o with o never read -> Add v. The pair must not be wanted otherwise.
func (f *fuser) wrap(i *Inst) {
	if f.uses[i.A+1] != 0 || f.defs[i.A+1] != 1 {
		return
	}
	o := plain[i.Op]
	f.unpair(i.A)
	i.Op = o
	if c, ok := f.constant(i.C); ok {
		i.Op, i.Imm, i.C = Immediate[o], c, 0
	} else if c, ok := f.constant(i.B); ok && o != code.Sub {
		i.Op, i.Imm, i.B, i.C = Immediate[o], c, i.C, 0
	}
}

// unpair lets r and r+1 have any registers.
func (f *fuser) unpair(r Reg) { delete(f.fn.pairs, r) }

// trapping returns, for an operation with an overflow bit as its result, the one that traps on overflow.
var trapping = map[code.Op]code.Op{
	code.SaddO: code.SaddT, code.SsubO: code.SsubT, code.SmulO: code.SmulT,
	code.UaddO: code.UaddT, code.UsubO: code.UsubT, code.UmulO: code.UmulT,
	code.SaddON: code.SaddTN, code.SsubON: code.SsubTN, code.SmulON: code.SmulTN,
	code.UaddON: code.UaddTN, code.UsubON: code.UsubTN, code.UmulON: code.UmulTN,
}

// overflow: SaddO v:o ... TrapIf o -> SaddT v, at the place of TrapIf, when o is read by nothing else and all in between is
// without effect.
func (f *fuser) overflow(l *Label) {
	var pending []*Inst // overflow operations since the last effect
	for k := range l.Insts {
		i := &l.Insts[k]
		switch {
		case trapping[i.Op] != 0:
			pending = append(pending, i)
			continue
		case i.Op == code.TrapIf:
			if d := overflowOf(pending, i.A); d != nil && f.uses[i.A] == 1 && f.single(i.A) {
				f.trapOnOverflow(d, i)
				continue
			}
		}
		if i.effect() != effectPure {
			pending = pending[:0]
		}
	}
}

// overflowOf finds the operation among the last few whose overflow bit is r.
func overflowOf(pending []*Inst, r Reg) *Inst {
	for n := len(pending) - 1; n >= 0 && n >= len(pending)-8; n-- {
		if pending[n].A+1 == r && trapping[pending[n].Op] != 0 {
			return pending[n]
		}
	}
	return nil
}

func (f *fuser) trapOnOverflow(d, trap *Inst) {
	o := trapping[d.Op]
	f.unpair(d.A)
	d.Op, d.At, d.before = o, trap.At, trap.before
	if imm := Immediate[o]; imm != 0 {
		if c, ok := f.constant(d.C); ok {
			d.Op, d.Imm, d.C = imm, c, 0
		} else if c, ok := f.constant(d.B); ok && Swapped[imm] == imm {
			d.Op, d.Imm, d.B, d.C = imm, c, d.C, 0
		}
	}
	f.uses[trap.A]--
	*trap = Inst{Op: code.Nop, At: trap.At}
}

// condition is a comparison that decides a branch or a trap.
type condition struct {
	op   code.Op // a CmpXX operation
	x, y Reg
	imm  uint64
	not  bool // the branch is taken when the comparison does not hold
}

// condition finds the comparison that defines r: a CmpXX of single registers, perhaps after XorI 1. ok is false when there is none.
func (f *fuser) condition(r Reg) (c condition, ok bool) {
	for n := 0; n < 4; n++ {
		d := f.def[r]
		if d == nil {
			return c, false
		}
		switch {
		case d.Op == code.XorI && d.Imm == 1 && f.single(d.B) && f.isBit(d.B):
			c.not = !c.not
			r = d.B
			continue
		case d.Op >= code.CmpEq && d.Op <= code.CmpUgeI, d.Op >= code.FcmpOlt64 && d.Op <= code.FcmpOle64,
			d.Op >= code.FcmpOlt32 && d.Op <= code.FcmpOle32:
			if !f.single(d.B) || d.C != 0 && !f.single(d.C) {
				return c, false
			}
			c.op, c.x, c.y, c.imm = d.Op, d.B, d.C, d.Imm
			return c, true
		}
		return c, false
	}
	return c, false
}

// isBit reports whether a single register is known to hold 0 or 1.
func (f *fuser) isBit(r Reg) bool {
	for n := 0; n < 4; n++ {
		d := f.def[r]
		switch {
		case d == nil:
			return false
		case d.Op >= code.CmpEq && d.Op <= code.CmpUgeI, d.Op >= code.FcmpOlt64 && d.Op <= code.FcmpOrd64,
			d.Op >= code.FcmpOlt32 && d.Op <= code.FcmpOrd32, d.Op == code.AndI && d.Imm == 1:
			return true
		case d.Op == code.XorI && d.Imm == 1:
			r = d.B
		default:
			return false
		}
	}
	return false
}

// jumps returns the branch for a comparison.
var jumps = map[code.Op]code.Op{
	code.CmpEq: code.JumpEq, code.CmpNe: code.JumpNe, code.CmpSlt: code.JumpSlt, code.CmpSle: code.JumpSle,
	code.CmpUlt: code.JumpUlt, code.CmpUle: code.JumpUle,
	code.CmpEqI: code.JumpEqI, code.CmpNeI: code.JumpNeI, code.CmpSltI: code.JumpSltI, code.CmpSleI: code.JumpSleI,
	code.CmpSgtI: code.JumpSgtI, code.CmpSgeI: code.JumpSgeI, code.CmpUltI: code.JumpUltI, code.CmpUleI: code.JumpUleI,
	code.CmpUgtI: code.JumpUgtI, code.CmpUgeI: code.JumpUgeI,
	code.FcmpOlt64: code.JumpFOlt64, code.FcmpOle64: code.JumpFOle64, code.FcmpOlt32: code.JumpFOlt32, code.FcmpOle32: code.JumpFOle32,
}

// jumpIf: CmpXX c, x, y ... JumpIf c -> JumpXX x, y, with the targets exchanged under an odd number of XorI 1; and
// JumpIf (XorI x, n) -> JumpNeI x, n.
func (f *fuser) jumpIf(l *Label, i *Inst) {
	c, ok := f.condition(i.A)
	if ok && c.y == 0 && !FitsBranch(c.imm) {
		c = f.inRegister(l, i.A, c)
	}
	if !ok || c.y == 0 && !FitsBranch(c.imm) {
		if d := f.def[i.A]; d != nil && d.Op == code.XorI && f.single(d.B) && FitsBranch(d.Imm) {
			f.reuse(i, d.B)
			i.Op, i.A, i.KB = code.JumpNeI, d.B, uint16(d.Imm)
		}
		return
	}
	f.reuse(i, c.x, c.y)
	i.Op, i.A, i.B, i.KB = jumps[c.op], c.x, c.y, 0
	if c.y == 0 {
		i.KB = uint16(c.imm)
	}
	if c.not {
		l.Succs[0], l.Succs[1] = l.Succs[1], l.Succs[0]
	}
}

// inRegister lets the comparison that defines r, if it is done for a branch at the end of l only, put its constant into r instead.
func (f *fuser) inRegister(l *Label, r Reg, c condition) condition {
	d := f.def[r]
	form, ok := inRegisters[c.op]
	if !ok || d.Op != c.op || f.uses[r] != 1 || f.block[r] != l || f.moved[r] {
		return c
	}
	*d = Inst{Op: code.LoadImm, A: r, Imm: c.imm, At: d.At, before: d.before}
	f.uses[c.x]--
	c.op, c.y = form.op, r
	if form.swap {
		c.x, c.y = c.y, c.x
	}
	return c
}

// inRegisters returns the comparison of two registers for one with a constant.
var inRegisters = map[code.Op]trapForm{
	code.CmpEqI: {op: code.CmpEq}, code.CmpNeI: {op: code.CmpNe}, code.CmpSltI: {op: code.CmpSlt}, code.CmpSleI: {op: code.CmpSle},
	code.CmpUltI: {op: code.CmpUlt}, code.CmpUleI: {op: code.CmpUle}, code.CmpSgtI: {op: code.CmpSlt, swap: true},
	code.CmpSgeI: {op: code.CmpSle, swap: true}, code.CmpUgtI: {op: code.CmpUlt, swap: true}, code.CmpUgeI: {op: code.CmpUle, swap: true},
}

// reuse counts that i reads the registers instead of its first one.
func (f *fuser) reuse(i *Inst, rs ...Reg) {
	f.uses[i.A]--
	for _, r := range rs {
		f.uses[r]++
	}
}

// traps returns the trap for a comparison, negated the one for its opposite; imm is added to the constant. Opposites of register
// forms exchange the operands.
type trapForm struct {
	op   code.Op
	add  int64
	swap bool
}

var traps = map[code.Op][2]trapForm{
	code.CmpEq:   {{op: code.TrapEq}, {op: code.TrapNe}},
	code.CmpNe:   {{op: code.TrapNe}, {op: code.TrapEq}},
	code.CmpSlt:  {{op: code.TrapSlt}, {op: code.TrapSle, swap: true}},
	code.CmpSle:  {{op: code.TrapSle}, {op: code.TrapSlt, swap: true}},
	code.CmpUlt:  {{op: code.TrapUlt}, {op: code.TrapUle, swap: true}},
	code.CmpUle:  {{op: code.TrapUle}, {op: code.TrapUlt, swap: true}},
	code.CmpEqI:  {{op: code.TrapEqI}, {op: code.TrapNeI}},
	code.CmpNeI:  {{op: code.TrapNeI}, {op: code.TrapEqI}},
	code.CmpSltI: {{op: code.TrapSltI}, {op: code.TrapSgtI, add: -1}},
	code.CmpSgeI: {{op: code.TrapSgtI, add: -1}, {op: code.TrapSltI}},
	code.CmpSgtI: {{op: code.TrapSgtI}, {op: code.TrapSltI, add: 1}},
	code.CmpSleI: {{op: code.TrapSltI, add: 1}, {op: code.TrapSgtI}},
	code.CmpUltI: {{op: code.TrapUltI}, {op: code.TrapUgtI, add: -1}},
	code.CmpUgeI: {{op: code.TrapUgtI, add: -1}, {op: code.TrapUltI}},
	code.CmpUgtI: {{op: code.TrapUgtI}, {op: code.TrapUltI, add: 1}},
	code.CmpUleI: {{op: code.TrapUltI, add: 1}, {op: code.TrapUgtI}},
}

// trapIf: CmpXX c, x, y ... TrapIf c -> TrapXX x, y. A constant that can't be moved by one keeps the two instructions.
func (f *fuser) trapIf(l *Label, k int) {
	i := &l.Insts[k]
	c, ok := f.condition(i.A)
	if !ok {
		if !f.trapOut(i) {
			f.trapEither(l, k)
		}
		return
	}
	f.trapOn(i, c)
}

// trapOn makes i a trap that tests c itself, if there is one.
func (f *fuser) trapOn(i *Inst, c condition) {
	form := traps[c.op][Flag(c.not)]
	if !f.testable(c) {
		return
	}
	f.reuse(i, c.x, c.y)
	i.Op, i.A, i.B, i.Imm = form.op, c.x, c.y, c.imm+uint64(form.add)
	if form.swap {
		i.A, i.B = c.y, c.x
	}
}

// trapOut: TrapIf (x < 0 | !(x < n)) -> TrapOut x, n, or TrapUgtI x, n-1 for a constant n.
func (f *fuser) trapOut(i *Inst) bool {
	d := f.def[i.A]
	if d == nil || d.Op != code.Or || !f.single(i.A) {
		return false
	}
	low, ok := f.condition(d.B)
	high, ok2 := f.condition(d.C)
	if ok && ok2 && (low.op != code.CmpSltI || low.imm != 0) {
		low, high = high, low
	}
	if !ok || !ok2 || low.op != code.CmpSltI || low.imm != 0 || low.not || !high.not || low.x != high.x {
		return false
	}
	switch {
	case high.op == code.CmpSlt:
		f.reuse(i, high.x, high.y)
		i.Op, i.A, i.B = code.TrapOut, high.x, high.y
	case high.op == code.CmpSltI && int64(high.imm) > 0:
		f.reuse(i, high.x)
		i.Op, i.A, i.Imm = code.TrapUgtI, high.x, high.imm-1
	default:
		return false
	}
	return true
}

// trapEither: TrapIf (c | d), after the Or -> TrapIf c; TrapIf d, as traps that test c and d themselves.
func (f *fuser) trapEither(l *Label, k int) {
	i := &l.Insts[k]
	d := f.def[i.A]
	if k == 0 || d != &l.Insts[k-1] || d.Op != code.Or || !f.single(i.A) || f.uses[i.A] != 1 {
		return
	}
	c1, ok1 := f.condition(d.B)
	c2, ok2 := f.condition(d.C)
	if !ok1 || !ok2 || !f.testable(c1) || !f.testable(c2) {
		return
	}
	r1, r2 := d.B, d.C
	f.def[i.A] = nil
	f.uses[i.A] = 0
	*d = Inst{Op: code.TrapIf, A: r1, At: i.At, before: i.before}
	i.A = r2
	f.trapOn(d, c1)
	f.trapOn(i, c2)
}

// testable reports whether there is a trap that tests c.
func (f *fuser) testable(c condition) bool {
	form := traps[c.op][Flag(c.not)]
	return form.op != 0 && (form.add == 0 || !atEdge(c.op, c.imm, form.add))
}

// bounds: TrapSltI x, 0 ... TrapSle n, x -> TrapOut x, n; TrapSltI x, 0 ... TrapOut x, n -> TrapOut x, n; and RefLoad64 n, [ref] ... TrapOut x, n -> TrapIndex x, [ref] when
// nothing else reads n. What is between must not do more than read and trap: which of two traps comes first is not kept,
// for either stops the program.
func (f *fuser) bounds(l *Label) {
	var low, load *Inst
	for k := range l.Insts {
		i := &l.Insts[k]
		switch {
		case i.Op == code.TrapSltI && i.Imm == 0 && f.single(i.A):
			low = i
			continue
		case i.Op == code.RefLoad64:
			load = i
			continue
		case i.Op == code.TrapSle && low != nil && low.A == i.B && f.single(i.A):
			f.uses[low.A]--
			*low = Inst{Op: code.Nop, At: low.At}
			low = nil
			i.Op, i.A, i.B = code.TrapOut, i.B, i.A
		case i.Op == code.TrapOut && low != nil && low.A == i.A:
			f.uses[low.A]--
			*low = Inst{Op: code.Nop, At: low.At}
			low = nil
		}
		if i.Op == code.TrapOut && load != nil && load.A == i.B && f.single(load.A) && f.single(load.B) && f.uses[load.A] == 1 {
			i.Op, i.B, i.Imm = code.TrapIndex, load.B, load.Imm
			f.uses[load.A] = 0
			*load = Inst{Op: code.Nop, At: load.At}
			load = nil
		}
		if e := i.effect(); e == effectOther {
			low, load = nil, nil
		}
	}
}

// atEdge reports whether adding to the constant leaves the range of numbers of the comparison.
func atEdge(o code.Op, v uint64, add int64) bool {
	isSigned := o >= code.CmpSltI && o <= code.CmpSleI || o == code.CmpSgtI || o == code.CmpSgeI
	switch {
	case isSigned && add > 0:
		return v == 1<<63-1
	case isSigned:
		return v == 1<<63
	case add > 0:
		return v == ^uint64(0)
	}
	return v == 0
}

// multiplyAdd: Fmul m, x, y ... Fadd r, a, m -> FmulAdd r, x, y, a, and the like for Fsub r, a, m, when nothing else reads m and
// both are in one block. The machine rounds twice, as the two would.
func (f *fuser) multiplyAdd(l *Label, i *Inst) {
	mul, fused := code.Fmul64, code.FmulAdd64
	switch i.Op {
	case code.Fadd32:
		mul, fused = code.Fmul32, code.FmulAdd32
	case code.Fsub64:
		fused = code.FmulSub64
	case code.Fsub32:
		mul, fused = code.Fmul32, code.FmulSub32
	}
	try := func(m, a Reg) bool {
		d := f.def[m]
		if d == nil || d.Op != mul || f.uses[m] != 1 || f.block[m] != l || !f.single(d.B) || !f.single(d.C) {
			return false
		}
		i.Op, i.B, i.C, i.D = fused, d.B, d.C, a
		*d = Inst{Op: code.Nop, At: d.At}
		return true
	}
	if try(i.C, i.B) {
		return
	}
	if i.Op == code.Fadd64 || i.Op == code.Fadd32 {
		try(i.B, i.C)
	}
}
