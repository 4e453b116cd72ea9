package lower

import "silvm/vm/code"

// Peepholes: what the machine can do in one instruction is joined. Each rewrite names its conditions. "Single" registers are
// written at one place only, so that an instruction without effect that reads them may be done anywhere behind it.

// fuser is the state of the peepholes over one function.
type fuser struct {
	fn    *mirFunction
	defs  []uint8
	uses  []int32
	def   []*minst // the instruction that writes a single register; nil for block arguments
	block []*label // the block of that instruction
	moved []bool   // the register is an argument or result of a call, or moved along an edge
}

// fuse joins instructions of the blocks in order.
func (fn *mirFunction) fuse(order []*label) {
	f := fn.newFuser(order)
	for _, l := range order {
		f.overflow(l)
		for k := range l.insts {
			f.inst(l, k)
		}
	}
}

// fuseBounds joins the parts of bounds checks; dead instructions are gone, so that what is counted is really read.
func (fn *mirFunction) fuseBounds(order []*label) {
	f := fn.newFuser(order)
	for _, l := range order {
		f.bounds(l)
		keepNonNop(l)
	}
}

func keepNonNop(l *label) {
	insts := l.insts[:0]
	for _, i := range l.insts {
		if i.op != code.Nop {
			insts = append(insts, i)
		}
	}
	l.insts = insts
}

func (fn *mirFunction) newFuser(order []*label) *fuser {
	n := int(fn.nregs) + 2
	f := &fuser{fn: fn, defs: fn.countDefs(order), uses: make([]int32, n), def: make([]*minst, n), block: make([]*label, n), moved: make([]bool, n)}
	for _, l := range order {
		for k := range l.insts {
			i := &l.insts[k]
			i.eachUse(func(r *reg) { f.uses[*r]++ })
			i.eachDef(func(r reg) { f.def[r], f.block[r] = i, l })
			for _, a := range i.args {
				f.moved[a.reg] = true
			}
			for _, r := range i.rets {
				f.moved[r] = true
			}
		}
		for _, m := range l.moves {
			f.uses[m.src.reg]++
			f.moved[m.src.reg], f.moved[m.dst] = true, true
		}
	}
	for r, d := range f.defs {
		if d != 1 {
			f.def[r] = nil
		}
	}
	return f
}

// single says whether the register is written once.
func (f *fuser) single(r reg) bool { return f.defs[r] == 1 }

// constant gives the value of a single register that LoadImm writes.
func (f *fuser) constant(r reg) (uint64, bool) {
	if d := f.def[r]; d != nil && d.op == code.LoadImm {
		return d.imm, true
	}
	return 0, false
}

func (f *fuser) inst(l *label, k int) {
	i := &l.insts[k]
	switch i.op {
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

// plain gives the operation that an overflow operation does when nobody looks at the overflow.
var plain = map[code.Op]code.Op{
	code.SaddO: code.Add, code.UaddO: code.Add, code.SsubO: code.Sub, code.UsubO: code.Sub, code.SmulO: code.Mul, code.UmulO: code.Mul,
}

// wrap: SaddO v:o with o never read -> Add v. The pair must not be wanted otherwise.
func (f *fuser) wrap(i *minst) {
	if f.uses[i.a+1] != 0 || f.defs[i.a+1] != 1 {
		return
	}
	o := plain[i.op]
	f.unpair(i.a)
	i.op = o
	if c, ok := f.constant(i.c); ok {
		i.op, i.imm, i.c = immediate[o], c, 0
	} else if c, ok := f.constant(i.b); ok && o != code.Sub {
		i.op, i.imm, i.b, i.c = immediate[o], c, i.c, 0
	}
}

// unpair lets r and r+1 have any registers.
func (f *fuser) unpair(r reg) { delete(f.fn.pairs, r) }

// trapping gives, for an operation that gives an overflow bit, the one that traps on overflow.
var trapping = map[code.Op]code.Op{
	code.SaddO: code.SaddT, code.SsubO: code.SsubT, code.SmulO: code.SmulT,
	code.UaddO: code.UaddT, code.UsubO: code.UsubT, code.UmulO: code.UmulT,
	code.SaddON: code.SaddTN, code.SsubON: code.SsubTN, code.SmulON: code.SmulTN,
	code.UaddON: code.UaddTN, code.UsubON: code.UsubTN, code.UmulON: code.UmulTN,
}

// overflow: SaddO v:o ... TrapIf o -> SaddT v, at the place of TrapIf, when o is read by nothing else and all in between is
// without effect.
func (f *fuser) overflow(l *label) {
	var pending []*minst // overflow operations since the last effect
	for k := range l.insts {
		i := &l.insts[k]
		switch {
		case trapping[i.op] != 0:
			pending = append(pending, i)
			continue
		case i.op == code.TrapIf:
			if d := overflowOf(pending, i.a); d != nil && f.uses[i.a] == 1 && f.single(i.a) {
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
func overflowOf(pending []*minst, r reg) *minst {
	for n := len(pending) - 1; n >= 0 && n >= len(pending)-8; n-- {
		if pending[n].a+1 == r && trapping[pending[n].op] != 0 {
			return pending[n]
		}
	}
	return nil
}

func (f *fuser) trapOnOverflow(d, trap *minst) {
	o := trapping[d.op]
	f.unpair(d.a)
	d.op, d.at, d.before = o, trap.at, trap.before
	if imm := immediate[o]; imm != 0 {
		if c, ok := f.constant(d.c); ok {
			d.op, d.imm, d.c = imm, c, 0
		} else if c, ok := f.constant(d.b); ok && swapped[imm] == imm {
			d.op, d.imm, d.b, d.c = imm, c, d.c, 0
		}
	}
	f.uses[trap.a]--
	*trap = minst{op: code.Nop, at: trap.at}
}

// condition is a comparison that decides a branch or a trap.
type condition struct {
	op   code.Op // a CmpXX operation
	x, y reg
	imm  uint64
	not  bool // the branch is taken when the comparison does not hold
}

// condition finds the comparison that gives r: a CmpXX of single registers, perhaps behind XorI 1. ok is false when there is none.
func (f *fuser) condition(r reg) (c condition, ok bool) {
	for n := 0; n < 4; n++ {
		d := f.def[r]
		if d == nil {
			return c, false
		}
		switch {
		case d.op == code.XorI && d.imm == 1 && f.single(d.b) && f.isBit(d.b):
			c.not = !c.not
			r = d.b
			continue
		case d.op >= code.CmpEq && d.op <= code.CmpUgeI, d.op >= code.FcmpOlt64 && d.op <= code.FcmpOle64,
			d.op >= code.FcmpOlt32 && d.op <= code.FcmpOle32:
			if !f.single(d.b) || d.c != 0 && !f.single(d.c) {
				return c, false
			}
			c.op, c.x, c.y, c.imm = d.op, d.b, d.c, d.imm
			return c, true
		}
		return c, false
	}
	return c, false
}

// isBit says whether a single register is known to hold 0 or 1.
func (f *fuser) isBit(r reg) bool {
	for n := 0; n < 4; n++ {
		d := f.def[r]
		switch {
		case d == nil:
			return false
		case d.op >= code.CmpEq && d.op <= code.CmpUgeI, d.op >= code.FcmpOlt64 && d.op <= code.FcmpOrd64,
			d.op >= code.FcmpOlt32 && d.op <= code.FcmpOrd32, d.op == code.AndI && d.imm == 1:
			return true
		case d.op == code.XorI && d.imm == 1:
			r = d.b
		default:
			return false
		}
	}
	return false
}

// jumps gives the branch for a comparison.
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
func (f *fuser) jumpIf(l *label, i *minst) {
	c, ok := f.condition(i.a)
	if ok && c.y == 0 && !fitsBranch(c.imm) {
		c = f.inRegister(l, i.a, c)
	}
	if !ok || c.y == 0 && !fitsBranch(c.imm) {
		if d := f.def[i.a]; d != nil && d.op == code.XorI && f.single(d.b) && fitsBranch(d.imm) {
			f.reuse(i, d.b)
			i.op, i.a, i.kb = code.JumpNeI, d.b, uint16(d.imm)
		}
		return
	}
	f.reuse(i, c.x, c.y)
	i.op, i.a, i.b, i.kb = jumps[c.op], c.x, c.y, 0
	if c.y == 0 {
		i.kb = uint16(c.imm)
	}
	if c.not {
		l.succs[0], l.succs[1] = l.succs[1], l.succs[0]
	}
}

// inRegister lets the comparison that gives r, if it is done for a branch at the end of l only, put its constant into r instead.
func (f *fuser) inRegister(l *label, r reg, c condition) condition {
	d := f.def[r]
	form, ok := inRegisters[c.op]
	if !ok || d.op != c.op || f.uses[r] != 1 || f.block[r] != l || f.moved[r] {
		return c
	}
	*d = minst{op: code.LoadImm, a: r, imm: c.imm, at: d.at, before: d.before}
	f.uses[c.x]--
	c.op, c.y = form.op, r
	if form.swap {
		c.x, c.y = c.y, c.x
	}
	return c
}

// inRegisters gives the comparison of two registers for one with a constant.
var inRegisters = map[code.Op]trapForm{
	code.CmpEqI: {op: code.CmpEq}, code.CmpNeI: {op: code.CmpNe}, code.CmpSltI: {op: code.CmpSlt}, code.CmpSleI: {op: code.CmpSle},
	code.CmpUltI: {op: code.CmpUlt}, code.CmpUleI: {op: code.CmpUle}, code.CmpSgtI: {op: code.CmpSlt, swap: true},
	code.CmpSgeI: {op: code.CmpSle, swap: true}, code.CmpUgtI: {op: code.CmpUlt, swap: true}, code.CmpUgeI: {op: code.CmpUle, swap: true},
}

// reuse counts that i reads the registers instead of its first one.
func (f *fuser) reuse(i *minst, rs ...reg) {
	f.uses[i.a]--
	for _, r := range rs {
		f.uses[r]++
	}
}

// traps gives the trap for a comparison, negated the one for its opposite; imm is added to the constant. Opposites of register
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
func (f *fuser) trapIf(l *label, k int) {
	i := &l.insts[k]
	c, ok := f.condition(i.a)
	if !ok {
		if !f.trapOut(i) {
			f.trapEither(l, k)
		}
		return
	}
	f.trapOn(i, c)
}

// trapOn makes i a trap that tests c itself, if there is one.
func (f *fuser) trapOn(i *minst, c condition) {
	form := traps[c.op][flag(c.not)]
	if !f.testable(c) {
		return
	}
	f.reuse(i, c.x, c.y)
	i.op, i.a, i.b, i.imm = form.op, c.x, c.y, c.imm+uint64(form.add)
	if form.swap {
		i.a, i.b = c.y, c.x
	}
}

// trapOut: TrapIf (x < 0 | !(x < n)) -> TrapOut x, n, or TrapUgtI x, n-1 for a constant n.
func (f *fuser) trapOut(i *minst) bool {
	d := f.def[i.a]
	if d == nil || d.op != code.Or || !f.single(i.a) {
		return false
	}
	low, ok := f.condition(d.b)
	high, ok2 := f.condition(d.c)
	if ok && ok2 && (low.op != code.CmpSltI || low.imm != 0) {
		low, high = high, low
	}
	if !ok || !ok2 || low.op != code.CmpSltI || low.imm != 0 || low.not || !high.not || low.x != high.x {
		return false
	}
	switch {
	case high.op == code.CmpSlt:
		f.reuse(i, high.x, high.y)
		i.op, i.a, i.b = code.TrapOut, high.x, high.y
	case high.op == code.CmpSltI && int64(high.imm) > 0:
		f.reuse(i, high.x)
		i.op, i.a, i.imm = code.TrapUgtI, high.x, high.imm-1
	default:
		return false
	}
	return true
}

// trapEither: TrapIf (c | d), behind the Or -> TrapIf c; TrapIf d, as traps that test c and d themselves.
func (f *fuser) trapEither(l *label, k int) {
	i := &l.insts[k]
	d := f.def[i.a]
	if k == 0 || d != &l.insts[k-1] || d.op != code.Or || !f.single(i.a) || f.uses[i.a] != 1 {
		return
	}
	c1, ok1 := f.condition(d.b)
	c2, ok2 := f.condition(d.c)
	if !ok1 || !ok2 || !f.testable(c1) || !f.testable(c2) {
		return
	}
	r1, r2 := d.b, d.c
	f.def[i.a] = nil
	f.uses[i.a] = 0
	*d = minst{op: code.TrapIf, a: r1, at: i.at, before: i.before}
	i.a = r2
	f.trapOn(d, c1)
	f.trapOn(i, c2)
}

// testable says whether there is a trap that tests c.
func (f *fuser) testable(c condition) bool {
	form := traps[c.op][flag(c.not)]
	return form.op != 0 && (form.add == 0 || !atEdge(c.op, c.imm, form.add))
}

// bounds: TrapSltI x, 0 ... TrapSle n, x -> TrapOut x, n; TrapSltI x, 0 ... TrapOut x, n -> TrapOut x, n; and RefLoad64 n, [ref] ... TrapOut x, n -> TrapIndex x, [ref] when
// nothing else reads n. What stands between must not do more than read and trap: which of two traps comes first is not kept,
// for either stops the program.
func (f *fuser) bounds(l *label) {
	var low, load *minst
	for k := range l.insts {
		i := &l.insts[k]
		switch {
		case i.op == code.TrapSltI && i.imm == 0 && f.single(i.a):
			low = i
			continue
		case i.op == code.RefLoad64:
			load = i
			continue
		case i.op == code.TrapSle && low != nil && low.a == i.b && f.single(i.a):
			f.uses[low.a]--
			*low = minst{op: code.Nop, at: low.at}
			low = nil
			i.op, i.a, i.b = code.TrapOut, i.b, i.a
		case i.op == code.TrapOut && low != nil && low.a == i.a:
			f.uses[low.a]--
			*low = minst{op: code.Nop, at: low.at}
			low = nil
		}
		if i.op == code.TrapOut && load != nil && load.a == i.b && f.single(load.a) && f.single(load.b) && f.uses[load.a] == 1 {
			i.op, i.b, i.imm = code.TrapIndex, load.b, load.imm
			f.uses[load.a] = 0
			*load = minst{op: code.Nop, at: load.at}
			load = nil
		}
		if e := i.effect(); e == effectOther {
			low, load = nil, nil
		}
	}
}

// atEdge says whether adding to the constant leaves the range of numbers of the comparison.
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
func (f *fuser) multiplyAdd(l *label, i *minst) {
	mul, fused := code.Fmul64, code.FmulAdd64
	switch i.op {
	case code.Fadd32:
		mul, fused = code.Fmul32, code.FmulAdd32
	case code.Fsub64:
		fused = code.FmulSub64
	case code.Fsub32:
		mul, fused = code.Fmul32, code.FmulSub32
	}
	try := func(m, a reg) bool {
		d := f.def[m]
		if d == nil || d.op != mul || f.uses[m] != 1 || f.block[m] != l || !f.single(d.b) || !f.single(d.c) {
			return false
		}
		i.op, i.b, i.c, i.d = fused, d.b, d.c, a
		*d = minst{op: code.Nop, at: d.at}
		return true
	}
	if try(i.c, i.b) {
		return
	}
	if i.op == code.Fadd64 || i.op == code.Fadd32 {
		try(i.b, i.c)
	}
}
