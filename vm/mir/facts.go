package mir

import (
	"silvm/ir/graph"
	"silvm/vm/code"
)

// What the program has tested already it need not test again: facts about single registers that hold at a block hold in all blocks
// that it dominates. Facts come from branches, from traps that did not happen, and from the operations themselves.

// fact is something known of a register or of two.
type fact struct {
	kind factKind
	x, y Reg
	imm  uint64
}

type factKind uint8

const (
	factNonNegative factKind = iota + 1 // x >= 0, signed
	factLess                            // x < y, signed
	factLessEqual                       // x <= y, signed
	factBelow                           // x is less than something, signed: it is not the greatest number
	factEqual                           // x == imm
	factNotEqual                        // x != imm
)

// prover walks the dominator tree and keeps the facts that hold where it is.
type prover struct {
	fn       *Function
	defs     []uint8
	positive []bool       // registers that are never negative
	known    map[fact]int // how often a fact was learned on the path down
	undo     []fact
	changed  bool
	order    []*Label
	preds    graph.Graph        // predecessors by index
	def      []*Inst            // the instruction that writes a single register; nil for block arguments
	home     []*Label           // the block in which a register is written, or whose argument it is
	counts   map[*Label]counter // loops that count up to a bound
	loads    loadSet
	done     map[memoryWord]Reg // operations of the block so far; is is 0 in the keys
	names    []Operand          // registers that are the same as an earlier one
}

// prove removes tests whose outcome is known. It reports whether branches became jumps.
func (fn *Function) prove(order []*Label) bool {
	p := &prover{fn: fn, defs: fn.countDefs(order), order: order, known: map[fact]int{}, done: map[memoryWord]Reg{}}
	p.positive = fn.neverNegative(order, p.defs)
	g := graphOf(order)
	p.preds = g.Reverse(nil)
	p.gather(order)
	children := g.Dominators(0).Children()
	type visit struct {
		l    *Label
		mark int // length of undo before the block
		done bool
	}
	stack := []visit{{l: order[0]}}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if v.done {
			p.forget(v.mark)
			stack = stack[:len(stack)-1]
			continue
		}
		v.done, v.mark = true, len(p.undo)
		l := v.l
		if len(p.preds[l.index]) == 1 && l != order[0] {
			p.edge(order[p.preds[l.index][0]], l)
		}
		p.block(l)
		for _, c := range children[l.index] {
			stack = append(stack, visit{l: order[c]})
		}
	}
	fn.rename(order, p.names)
	return p.changed
}

// gather notes where registers are written.
func (p *prover) gather(order []*Label) {
	n := int(p.fn.nregs) + 2
	p.counts = map[*Label]counter{}
	p.def, p.home, p.names = make([]*Inst, n), make([]*Label, n), make([]Operand, n)
	for _, l := range order {
		for _, r := range l.Params {
			p.home[r] = l
		}
		for k := range l.Insts {
			i := &l.Insts[k]
			i.EachDef(func(r Reg) { p.def[r], p.home[r] = i, l })
		}
	}
}

func (p *prover) learn(f fact) {
	f.x, f.y = p.same(f.x), p.same(f.y)
	if f.x == 0 || p.defs[f.x] != 1 || f.y != 0 && p.defs[f.y] != 1 {
		return
	}
	p.known[f]++
	p.undo = append(p.undo, f)
}

func (p *prover) forget(mark int) {
	for len(p.undo) > mark {
		f := p.undo[len(p.undo)-1]
		p.undo = p.undo[:len(p.undo)-1]
		if p.known[f]--; p.known[f] == 0 {
			delete(p.known, f)
		}
	}
}

func (p *prover) has(f fact) bool {
	f.x, f.y = p.same(f.x), p.same(f.y)
	return p.known[f] > 0
}

func (p *prover) nonNegative(x Reg) bool {
	x = p.same(x)
	return p.defs[x] == 1 && p.positive[x] || p.has(fact{kind: factNonNegative, x: x})
}

// less learns x < y; then y is not negative if x is not.
func (p *prover) less(x, y Reg) {
	p.learn(fact{kind: factLess, x: x, y: y})
	p.learn(fact{kind: factLessEqual, x: x, y: y})
	p.learn(fact{kind: factBelow, x: x})
	if p.nonNegative(x) {
		p.learn(fact{kind: factNonNegative, x: y})
	}
}

func (p *prover) lessEqual(x, y Reg) {
	p.learn(fact{kind: factLessEqual, x: x, y: y})
	if p.nonNegative(x) {
		p.learn(fact{kind: factNonNegative, x: y})
	}
}

// edge learns what the branch at the end of f says in its successor l.
func (p *prover) edge(f, l *Label) {
	t := f.Term()
	if len(f.Succs) != 2 || f.Succs[0] == f.Succs[1] {
		return
	}
	p.outcome(t, l == f.Succs[0])
	if c, ok := p.counts[f]; ok && l == f.Succs[c.inside] {
		c.learn(p)
	}
}

// outcome learns that the comparison of a branch holds or not.
func (p *prover) outcome(t *Inst, holds bool) {
	k := uint64(int64(int16(t.KB)))
	switch t.Op {
	case code.JumpSlt:
		if holds {
			p.less(t.A, t.B)
		} else {
			p.lessEqual(t.B, t.A)
		}
	case code.JumpSle:
		if holds {
			p.lessEqual(t.A, t.B)
		} else {
			p.less(t.B, t.A)
		}
	case code.JumpSltI:
		p.bound(t.A, int64(k), holds)
	case code.JumpSleI:
		p.bound(t.A, int64(k)+1, holds)
	case code.JumpSgeI:
		p.bound(t.A, int64(k), !holds)
	case code.JumpSgtI:
		p.bound(t.A, int64(k)+1, !holds)
	case code.JumpEqI, code.JumpNeI:
		kind := factEqual
		if holds != (t.Op == code.JumpEqI) {
			kind = factNotEqual
		}
		p.learn(fact{kind: kind, x: t.A, imm: k})
	case code.JumpIf:
		kind := factNotEqual
		if !holds {
			kind = factEqual
		}
		p.learn(fact{kind: kind, x: t.A})
	}
}

// bound learns x < k, or that it is not so.
func (p *prover) bound(x Reg, k int64, less bool) {
	switch {
	case less:
		p.learn(fact{kind: factBelow, x: x})
	case k >= 0:
		p.learn(fact{kind: factNonNegative, x: x})
	}
}

// decide reports whether the outcome of a branch is known.
func (p *prover) decide(t *Inst) (holds, ok bool) {
	k := uint64(int64(int16(t.KB)))
	switch t.Op {
	case code.JumpSlt:
		switch {
		case p.has(fact{kind: factLess, x: t.A, y: t.B}):
			return true, true
		case p.has(fact{kind: factLessEqual, x: t.B, y: t.A}):
			return false, true
		}
	case code.JumpSle:
		switch {
		case p.has(fact{kind: factLessEqual, x: t.A, y: t.B}):
			return true, true
		case p.has(fact{kind: factLess, x: t.B, y: t.A}):
			return false, true
		}
	case code.JumpSltI:
		return false, int64(k) <= 0 && p.nonNegative(t.A)
	case code.JumpSleI:
		return false, int64(k) < 0 && p.nonNegative(t.A)
	case code.JumpSgeI:
		return true, int64(k) <= 0 && p.nonNegative(t.A)
	case code.JumpSgtI:
		return true, int64(k) < 0 && p.nonNegative(t.A)
	case code.JumpEqI, code.JumpNeI:
		equal := t.Op == code.JumpEqI
		switch {
		case p.has(fact{kind: factEqual, x: t.A, imm: k}):
			return equal, true
		case p.has(fact{kind: factNotEqual, x: t.A, imm: k}):
			return !equal, true
		}
	case code.JumpIf:
		switch {
		case p.has(fact{kind: factEqual, x: t.A}):
			return false, true
		case p.has(fact{kind: factNotEqual, x: t.A}):
			return true, true
		}
	}
	return false, false
}

// block removes the tests of a block that are known to pass and learns from the others.
func (p *prover) block(l *Label) {
	p.loads.clear()
	clear(p.done)
	for k := range l.Insts {
		p.inst(&l.Insts[k])
		p.load(&l.Insts[k])
	}
	t := l.Term()
	p.count(l)
	if len(l.Succs) != 2 {
		return
	}
	if holds, ok := p.decide(t); ok {
		to := l.Succs[1-int(Flag(holds))]
		*t = Inst{Op: code.Jump, At: t.At, before: t.before}
		l.Succs = []*Label{to}
		p.changed = true
	}
}

// inst removes the test of an instruction, or makes it cheaper, if its outcome is known, and learns from the outcome that lets the program go on.
func (p *prover) inst(i *Inst) {
	pass := func() { *i = Inst{Op: code.Nop, At: i.At} }
	switch i.Op {
	case code.AddX, code.StoreX8, code.StoreX16, code.StoreX32, code.StoreX64:
		i.nonNegative = i.nonNegative || p.nonNegative(i.C)
	case code.TrapSltI:
		if int64(i.Imm) <= 0 && p.nonNegative(i.A) {
			pass()
		} else {
			p.bound(i.A, int64(i.Imm), false)
		}
	case code.TrapSgtI:
		if int64(i.Imm) < 1<<63-1 {
			p.learn(fact{kind: factBelow, x: i.A})
		}
	case code.TrapUgtI:
		if int64(i.Imm) >= 0 {
			p.learn(fact{kind: factNonNegative, x: i.A})
			p.learn(fact{kind: factBelow, x: i.A})
		}
	case code.TrapOut:
		if p.nonNegative(i.A) && p.has(fact{kind: factLess, x: i.A, y: i.B}) {
			pass()
			return
		}
		p.learn(fact{kind: factNonNegative, x: i.A})
		p.less(i.A, i.B)
	case code.TrapIndex:
		p.learn(fact{kind: factNonNegative, x: i.A})
		p.learn(fact{kind: factBelow, x: i.A})
	case code.TrapSle:
		switch {
		case p.has(fact{kind: factLess, x: i.B, y: i.A}):
			pass()
		case p.nonNegative(i.B): // the same as a bounds check, which can be joined with more
			p.less(i.B, i.A)
			i.Op, i.A, i.B = code.TrapOut, i.B, i.A
		default:
			p.less(i.B, i.A)
		}
	case code.TrapSlt:
		if p.has(fact{kind: factLessEqual, x: i.B, y: i.A}) {
			pass()
		} else {
			p.lessEqual(i.B, i.A)
		}
	case code.TrapEqI:
		if p.has(fact{kind: factNotEqual, x: i.A, imm: i.Imm}) {
			pass()
		} else {
			p.learn(fact{kind: factNotEqual, x: i.A, imm: i.Imm})
		}
	case code.TrapNeI:
		if p.has(fact{kind: factEqual, x: i.A, imm: i.Imm}) {
			pass()
		} else {
			p.learn(fact{kind: factEqual, x: i.A, imm: i.Imm})
		}
	case code.SaddTI:
		if i.Imm == 1 && p.has(fact{kind: factBelow, x: i.B}) {
			i.Op = code.AddI
		}
	case code.SsubTI:
		if int64(i.Imm) >= 0 && p.nonNegative(i.B) {
			i.Op = code.SubI
		}
	}
}
