package mir

import "silvm/vm/code"

// checkOnce removes checks that an object is alive where it was checked on every path there and nothing on those paths can have ended
// it: no call, no release, no deallocation. A block argument is checked when all that is passed to it is.
func (fn *Function) checkOnce(order []*Label) {
	d := newLiveness(order, fn.countDefs(order))
	if len(d.number) == 0 || d.words*len(order) > maxLivenessWords {
		return
	}
	d.solve(order)
	if d.hoist(order) {
		d.solve(order)
	}
	for n, l := range order {
		d.walk(l, d.in[n], true)
	}
}

// hoist moves the checks at the start of a block to the ends of those predecessors that come without, if others come with the
// reference checked: out of loops, and off the fast way past a copy. What the block itself defines has no value before it: at the
// end of the loop that it is the head of, it was checked in the iteration before. It reports whether it moved any.
func (d *liveness) hoist(order []*Label) bool {
	preds := graphOf(order).Reverse(nil)
	outs := make([][]uint64, len(order))
	for n, l := range order {
		outs[n] = d.passed(l, d.walk(l, d.in[n], false))
	}
	moved := false
	own := make([]int, len(d.defs)) // by register: the last block that defines it, by number from 1
	for n, l := range order {
		for k := range l.Insts {
			i := &l.Insts[k]
			if d.kills(i) {
				break
			}
			if num := d.number[i.A]; i.Op == code.RefCheck && num != 0 && own[i.A] != n+1 && !has(d.in[n], num) &&
				d.split(i, num, order, preds[n], outs) {
				moved = true
			}
			i.EachDef(func(r Reg) { own[r] = n + 1 })
		}
	}
	return moved
}

// split puts a check at the end of the predecessors from which the reference comes unchecked, if there are both kinds.
func (d *liveness) split(check *Inst, num int, order []*Label, preds []int, outs [][]uint64) bool {
	var without []*Label
	for _, n := range preds {
		switch p := order[n]; {
		case has(outs[p.index], num):
		case len(p.Succs) == 1 && p.Term().Op == code.Jump:
			without = append(without, p)
		default:
			return false
		}
	}
	if len(without) == len(preds) {
		return false
	}
	for _, p := range without {
		c := *check
		if src, ok := movedTo(p, check.A); ok {
			if src.Reg == 0 || d.defs[src.Reg] != 1 {
				return false
			}
			c.A = src.Reg
		}
		if d.number[c.A] == 0 {
			return false
		}
	}
	for _, p := range without {
		c := *check
		if src, ok := movedTo(p, check.A); ok {
			c.A = src.Reg
		}
		insertLast(p, c)
		add(outs[p.index], num)
	}
	return true
}

// kills reports whether an instruction may end an object.
func (d *liveness) kills(i *Inst) bool {
	return !d.ever && i.effect() == effectOther && i.Op != code.Nop && i.Op != OpArgs && i.Op != OpResults &&
		(int(i.Op) >= code.Count || !keepsObjects(i.Op))
}

// maxLivenessWords bounds the memory that checkOnce takes for one function.
const maxLivenessWords = 1 << 18

// liveness is a data flow problem over sets of references that were checked.
type liveness struct {
	number map[Reg]int // of a reference, from 1
	defs   []uint8
	words  int
	in     [][]uint64 // by block: checked at its start
	// ever: whether a register was checked at all is asked, that it holds a reference; what ends objects doesn't matter.
	ever bool
}

// newLiveness numbers the registers of interest: those that are checked, and what is passed to arguments that are.
func newLiveness(order []*Label, defs []uint8) *liveness {
	d := &liveness{number: map[Reg]int{}, defs: defs}
	for _, l := range order {
		for k := range l.Insts {
			if r := checkedBy(&l.Insts[k]); r != 0 && d.defs[r] == 1 && d.number[r] == 0 {
				d.number[r] = len(d.number) + 1
			}
		}
	}
	for _, l := range order {
		for _, m := range l.Moves {
			if d.number[m.Dst] != 0 && m.Src.Reg != 0 && d.defs[m.Src.Reg] == 1 && d.number[m.Src.Reg] == 0 {
				d.number[m.Src.Reg] = len(d.number) + 1
			}
		}
	}
	d.words = len(d.number)/64 + 1
	return d
}

// checkedBy returns the reference that is known to be alive after an instruction; 0 for others.
func checkedBy(i *Inst) Reg {
	switch i.Op {
	case code.RefCheck, code.Retain, code.AllocClass, code.AllocObject, code.AllocObjectR, code.AllocDynamic:
		return i.A
	case code.RefLoad8, code.RefLoad16, code.RefLoad32, code.RefLoad64, code.RefStore8, code.RefStore16, code.RefStore32, code.RefStore64,
		code.TrapIndex, code.IsUnique:
		return i.B
	}
	return 0
}

// keepsObjects reports whether an operation with effects can't end an object.
func keepsObjects(o code.Op) bool {
	switch o {
	case code.Retain, code.RetainN, code.IsUnique, code.RefCheck, code.AllocClass, code.AllocObject, code.AllocObjectR, code.AllocDynamic,
		code.BeginAccess, code.EndAccess, code.CheckAccess, code.GlobalAddr, code.StringAddr, code.GlobalObject, code.Enter, code.Steps:
		return true
	}
	return o >= code.Load8 && o <= code.RefCheck || isTerminator(o)
}

// solve computes what is checked at the start of each block: the greatest fixed point, so that loops keep what they don't end.
func (d *liveness) solve(order []*Label) {
	full := make([]uint64, d.words)
	for w := range full {
		full[w] = ^uint64(0)
	}
	d.in = make([][]uint64, len(order))
	for n := range order {
		d.in[n] = append([]uint64(nil), full...)
	}
	clear(d.in[0])
	for changed := true; changed; {
		changed = false
		for n, l := range order {
			out := d.walk(l, d.in[n], false)
			for _, s := range l.Succs {
				changed = d.meet(s, d.passed(l, out)) || changed
			}
		}
	}
}

// passed adds to what is checked at the end of a block the arguments that get something checked.
func (d *liveness) passed(l *Label, out []uint64) []uint64 {
	for _, m := range l.Moves {
		if to := d.number[m.Dst]; to != 0 {
			if from := d.number[m.Src.Reg]; from != 0 && has(out, from) {
				add(out, to)
			} else {
				remove(out, to)
			}
		}
	}
	return out
}

// meet removes from a block what is not in the set, and reports whether that was anything.
func (d *liveness) meet(l *Label, set []uint64) bool {
	in, changed := d.in[l.index], false
	for w := range in {
		if v := in[w] & set[w]; v != in[w] {
			in[w], changed = v, true
		}
	}
	return changed
}

// walk follows a block from the set at its start and returns that at its end; with rewrite it removes checks that are not needed.
func (d *liveness) walk(l *Label, in []uint64, rewrite bool) []uint64 {
	set := append([]uint64(nil), in...)
	for k := range l.Insts {
		i := &l.Insts[k]
		r := checkedBy(i)
		n := 0
		if r != 0 {
			n = d.number[r]
		}
		if rewrite && i.Op == code.RefCheck && n != 0 && has(set, n) {
			*i = Inst{Op: code.Nop, At: i.At}
		}
		if d.kills(i) {
			clear(set)
		}
		if n != 0 {
			add(set, n)
		}
	}
	return set
}

// note adds the reference that an instruction checks to a set.
func (d *liveness) note(i *Inst, set []uint64) {
	if n := d.number[checkedBy(i)]; n != 0 {
		add(set, n)
	}
}

// knows reports whether a register is in a set.
func (d *liveness) knows(set []uint64, r Reg) bool {
	n := d.number[r]
	return n != 0 && has(set, n)
}

func has(set []uint64, n int) bool { return set[n/64]>>(n%64)&1 != 0 }
func add(set []uint64, n int)      { set[n/64] |= 1 << (n % 64) }
func remove(set []uint64, n int)   { set[n/64] &^= 1 << (n % 64) }
