package lower

import "silvm/vm/code"

// What the program has tested already it need not test again: facts about single registers that hold at a block hold in all blocks
// that it dominates. Facts come from branches, from traps that did not happen, and from the operations themselves.

// fact is something known of a register or of two.
type fact struct {
	kind factKind
	x, y reg
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
	fn       *mirFunction
	defs     []uint8
	positive []bool // registers that are never negative
	preds    map[*label]int
	known    map[fact]int // how often a fact was learned on the way down
	undo     []fact
	changed  bool
	from     map[*label][]*label // predecessors
	def      []*minst            // the instruction that writes a single register; nil for block arguments
	home     []*label            // the block in which a register is written, or whose argument it is
	counts   map[*label]counter  // loops that count up to a bound
	loads    loadSet
	done     map[memoryWord]reg // operations of the block so far; is is 0 in the keys
	names    []operand          // registers that are the same as an earlier one
}

// prove removes tests whose outcome is known. It says whether branches became jumps.
func (fn *mirFunction) prove(order []*label) bool {
	p := &prover{fn: fn, defs: fn.countDefs(order), preds: map[*label]int{}, known: map[fact]int{}, done: map[memoryWord]reg{}}
	p.positive = fn.neverNegative(order, p.defs)
	for _, l := range order {
		for _, s := range l.succs {
			p.preds[s]++
		}
	}
	p.gather(order)
	children := dominated(order)
	type visit struct {
		l    *label
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
		if p.preds[l] == 1 && l != order[0] {
			p.edge(p.from[l][0], l)
		}
		p.block(l)
		for _, c := range children[l.index] {
			stack = append(stack, visit{l: c})
		}
	}
	fn.rename(order, p.names)
	return p.changed
}

// gather notes where registers are written and which blocks lead to which.
func (p *prover) gather(order []*label) {
	n := int(p.fn.nregs) + 2
	p.from, p.counts = map[*label][]*label{}, map[*label]counter{}
	p.def, p.home, p.names = make([]*minst, n), make([]*label, n), make([]operand, n)
	for _, l := range order {
		for _, s := range l.succs {
			p.from[s] = append(p.from[s], l)
		}
		for _, r := range l.params {
			p.home[r] = l
		}
		for k := range l.insts {
			i := &l.insts[k]
			i.eachDef(func(r reg) { p.def[r], p.home[r] = i, l })
		}
	}
}

// dominated gives, for each block, those that it immediately dominates (Cooper, Harvey, Kennedy: A simple, fast dominance algorithm).
func dominated(order []*label) [][]*label {
	preds := make([][]int, len(order))
	for _, l := range order {
		for _, s := range l.succs {
			preds[s.index] = append(preds[s.index], l.index)
		}
	}
	idom := make([]int, len(order))
	for n := range idom {
		idom[n] = -1
	}
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for n := 1; n < len(order); n++ {
			best := -1
			for _, p := range preds[n] {
				switch {
				case idom[p] < 0:
				case best < 0:
					best = p
				default:
					best = intersect(idom, best, p)
				}
			}
			if best != idom[n] {
				idom[n], changed = best, true
			}
		}
	}
	children := make([][]*label, len(order))
	for n := 1; n < len(order); n++ {
		if idom[n] >= 0 {
			children[idom[n]] = append(children[idom[n]], order[n])
		}
	}
	return children
}

func intersect(idom []int, x, y int) int {
	for x != y {
		for x > y {
			x = idom[x]
		}
		for y > x {
			y = idom[y]
		}
	}
	return x
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

func (p *prover) nonNegative(x reg) bool {
	x = p.same(x)
	return p.defs[x] == 1 && p.positive[x] || p.has(fact{kind: factNonNegative, x: x})
}

// less learns x < y; then y is not negative if x is not.
func (p *prover) less(x, y reg) {
	p.learn(fact{kind: factLess, x: x, y: y})
	p.learn(fact{kind: factLessEqual, x: x, y: y})
	p.learn(fact{kind: factBelow, x: x})
	if p.nonNegative(x) {
		p.learn(fact{kind: factNonNegative, x: y})
	}
}

func (p *prover) lessEqual(x, y reg) {
	p.learn(fact{kind: factLessEqual, x: x, y: y})
	if p.nonNegative(x) {
		p.learn(fact{kind: factNonNegative, x: y})
	}
}

// edge learns what the branch at the end of f says in its successor l.
func (p *prover) edge(f, l *label) {
	t := f.term()
	if len(f.succs) != 2 || f.succs[0] == f.succs[1] {
		return
	}
	p.outcome(t, l == f.succs[0])
	if c, ok := p.counts[f]; ok && l == f.succs[c.inside] {
		c.learn(p)
	}
}

// outcome learns that the comparison of a branch holds or not.
func (p *prover) outcome(t *minst, holds bool) {
	k := uint64(int64(int16(t.kb)))
	switch t.op {
	case code.JumpSlt:
		if holds {
			p.less(t.a, t.b)
		} else {
			p.lessEqual(t.b, t.a)
		}
	case code.JumpSle:
		if holds {
			p.lessEqual(t.a, t.b)
		} else {
			p.less(t.b, t.a)
		}
	case code.JumpSltI:
		p.bound(t.a, int64(k), holds)
	case code.JumpSleI:
		p.bound(t.a, int64(k)+1, holds)
	case code.JumpSgeI:
		p.bound(t.a, int64(k), !holds)
	case code.JumpSgtI:
		p.bound(t.a, int64(k)+1, !holds)
	case code.JumpEqI, code.JumpNeI:
		kind := factEqual
		if holds != (t.op == code.JumpEqI) {
			kind = factNotEqual
		}
		p.learn(fact{kind: kind, x: t.a, imm: k})
	case code.JumpIf:
		kind := factNotEqual
		if !holds {
			kind = factEqual
		}
		p.learn(fact{kind: kind, x: t.a})
	}
}

// bound learns x < k, or that it is not so.
func (p *prover) bound(x reg, k int64, less bool) {
	switch {
	case less:
		p.learn(fact{kind: factBelow, x: x})
	case k >= 0:
		p.learn(fact{kind: factNonNegative, x: x})
	}
}

// decide tells whether the outcome of a branch is known.
func (p *prover) decide(t *minst) (holds, ok bool) {
	k := uint64(int64(int16(t.kb)))
	switch t.op {
	case code.JumpSlt:
		switch {
		case p.has(fact{kind: factLess, x: t.a, y: t.b}):
			return true, true
		case p.has(fact{kind: factLessEqual, x: t.b, y: t.a}):
			return false, true
		}
	case code.JumpSle:
		switch {
		case p.has(fact{kind: factLessEqual, x: t.a, y: t.b}):
			return true, true
		case p.has(fact{kind: factLess, x: t.b, y: t.a}):
			return false, true
		}
	case code.JumpSltI:
		return false, int64(k) <= 0 && p.nonNegative(t.a)
	case code.JumpSleI:
		return false, int64(k) < 0 && p.nonNegative(t.a)
	case code.JumpSgeI:
		return true, int64(k) <= 0 && p.nonNegative(t.a)
	case code.JumpSgtI:
		return true, int64(k) < 0 && p.nonNegative(t.a)
	case code.JumpEqI, code.JumpNeI:
		equal := t.op == code.JumpEqI
		switch {
		case p.has(fact{kind: factEqual, x: t.a, imm: k}):
			return equal, true
		case p.has(fact{kind: factNotEqual, x: t.a, imm: k}):
			return !equal, true
		}
	case code.JumpIf:
		switch {
		case p.has(fact{kind: factEqual, x: t.a}):
			return false, true
		case p.has(fact{kind: factNotEqual, x: t.a}):
			return true, true
		}
	}
	return false, false
}

// block removes the tests of a block that are known to pass and learns from the others.
func (p *prover) block(l *label) {
	p.loads.clear()
	clear(p.done)
	for k := range l.insts {
		p.inst(&l.insts[k])
		p.load(&l.insts[k])
	}
	t := l.term()
	p.count(l)
	if len(l.succs) != 2 {
		return
	}
	if holds, ok := p.decide(t); ok {
		to := l.succs[1-int(flag(holds))]
		*t = minst{op: code.Jump, at: t.at, before: t.before}
		l.succs = []*label{to}
		p.changed = true
	}
}

func (p *prover) inst(i *minst) {
	pass := func() { *i = minst{op: code.Nop, at: i.at} }
	switch i.op {
	case code.AddX, code.StoreX8, code.StoreX16, code.StoreX32, code.StoreX64:
		i.nonNegative = i.nonNegative || p.nonNegative(i.c)
	case code.TrapSltI:
		if int64(i.imm) <= 0 && p.nonNegative(i.a) {
			pass()
		} else {
			p.bound(i.a, int64(i.imm), false)
		}
	case code.TrapSgtI:
		if int64(i.imm) < 1<<63-1 {
			p.learn(fact{kind: factBelow, x: i.a})
		}
	case code.TrapUgtI:
		if int64(i.imm) >= 0 {
			p.learn(fact{kind: factNonNegative, x: i.a})
			p.learn(fact{kind: factBelow, x: i.a})
		}
	case code.TrapOut:
		if p.nonNegative(i.a) && p.has(fact{kind: factLess, x: i.a, y: i.b}) {
			pass()
			return
		}
		p.learn(fact{kind: factNonNegative, x: i.a})
		p.less(i.a, i.b)
	case code.TrapIndex:
		p.learn(fact{kind: factNonNegative, x: i.a})
		p.learn(fact{kind: factBelow, x: i.a})
	case code.TrapSle:
		switch {
		case p.has(fact{kind: factLess, x: i.b, y: i.a}):
			pass()
		case p.nonNegative(i.b): // the same as a bounds check, which can be joined with more
			p.less(i.b, i.a)
			i.op, i.a, i.b = code.TrapOut, i.b, i.a
		default:
			p.less(i.b, i.a)
		}
	case code.TrapSlt:
		if p.has(fact{kind: factLessEqual, x: i.b, y: i.a}) {
			pass()
		} else {
			p.lessEqual(i.b, i.a)
		}
	case code.TrapEqI:
		if p.has(fact{kind: factNotEqual, x: i.a, imm: i.imm}) {
			pass()
		} else {
			p.learn(fact{kind: factNotEqual, x: i.a, imm: i.imm})
		}
	case code.TrapNeI:
		if p.has(fact{kind: factEqual, x: i.a, imm: i.imm}) {
			pass()
		} else {
			p.learn(fact{kind: factEqual, x: i.a, imm: i.imm})
		}
	case code.SaddTI:
		if i.imm == 1 && p.has(fact{kind: factBelow, x: i.b}) {
			i.op = code.AddI
		}
	case code.SsubTI:
		if int64(i.imm) >= 0 && p.nonNegative(i.b) {
			i.op = code.SubI
		}
	}
}
