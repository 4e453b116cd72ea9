package wasm

import (
	"slices"

	"silvm/ir/graph"
	"silvm/vm/code"
)

// block is a basic block of bytecode.
type block struct {
	n          int // number
	frame      *frame
	start, end uint32 // empty for one that only goes on in a callee
	succs      []int
	preds      []int
	rpo        int // number in reverse postorder, -1 for one that nothing leads to
	idom       int
	kids       []int // blocks that it dominates immediately
	header     bool  // a back edge leads here
	merge      bool  // several forward edges do
	live       bits  // registers that are alive at the start
	writes     bits  // registers that the block sets
	in, out    []form
	exit       *Exit  // leaves the loop that is translated, nil for others
	calls      bool   // goes on in a callee, whose call is at its end
	guard      *guard // of a call that begins or is here, nil for none
	passes     *passes
	known      *facts // at its end
}

// flow returns where the instruction at pc leads; ends is false when it goes on to the next one.
func (t *translator) flow(pc uint32) (succs []uint32, ends bool) {
	in := t.raw(pc)
	switch in.Op {
	case code.Jump:
		return []uint32{uint32(in.Imm)}, true
	case code.Switch:
		return t.prog.JumpTables[in.Imm], true
	case code.Return, code.Throw, code.Trap, code.Unreachable, code.TailCall, code.TailEntry, code.Exit, code.Unwind, code.Yield:
		return nil, true
	}
	if in.HasOnError() {
		return []uint32{pc + 2, uint32(t.raw(pc + 1).Imm)}, true
	}
	if in.Op.Operands().Imm == code.RoleTargets && in.Op != code.OnError {
		return []uint32{uint32(in.Imm), uint32(in.Imm >> 32)}, true
	}
	return nil, false
}

// lastOp is the operation that a block ends with.
func (g *fn) lastOp(b *block) code.Op {
	if b.start == b.end {
		return code.Nop
	}
	return g.raw(b.end - 1).Op
}

// findBlocks cuts what the function of a frame does from pc on into basic blocks, and returns the first.
func (g *fn) findBlocks(fr *frame, pc uint32) (first int) {
	if fr.begun == nil {
		fr.begun = g.begins(fr, pc)
	}
	g.inline(fr, pc)
	entry := fr.f.Entry
	leader, seen := g.leaders(fr, pc)
	at := make([]int, len(leader)) // the block that begins at an instruction
	for k := range fr.f.End - entry {
		if leader[k] && seen[k] {
			at[k] = len(g.blocks)
			if entry+k == pc {
				first = len(g.blocks)
			}
			b := block{n: len(g.blocks), frame: fr, start: entry + k, end: entry + k, rpo: -1, idom: -1}
			if gd := fr.guards[b.start]; gd != nil { // the beginning of the call, then the call
				b.guard = gd
				g.blocks = append(g.blocks, b)
				b.n++
			}
			g.blocks = append(g.blocks, b)
		}
	}
	var calls, begins, coroutines []int
	for n := range g.blocks {
		b := &g.blocks[n]
		if b.frame != fr {
			continue
		}
		if c := b.guard; c != nil && n == at[c.pc-entry] {
			begins = append(begins, n)
			continue
		}
		switch g.endBlock(fr, b, leader, at) {
		case endsInCall:
			calls = append(calls, n)
		case endsInCoroutine:
			coroutines = append(coroutines, n)
		}
	}
	blockAt := func(pc uint32) int { return at[pc-entry] }
	g.enterCalls(fr, calls, blockAt)
	g.enterGuarded(fr, begins, blockAt)
	g.enterCoroutines(fr, coroutines, blockAt)
	return first
}

// leaders finds the instructions of a frame that begin a block, and those that can be reached from pc, by their place in the function.
func (g *fn) leaders(fr *frame, pc uint32) (leader, seen []bool) {
	entry := fr.f.Entry
	n := fr.f.End - entry
	leader, seen = make([]bool, n+1), make([]bool, n+1)
	leader[pc-entry] = true
	work := []uint32{pc}
	for len(work) > 0 {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		for !seen[pc-entry] {
			seen[pc-entry] = true
			if g.outside(fr, pc) {
				leader[pc-entry] = true
				break
			}
			succs, ends := g.flow(pc)
			if fr.stands(pc) || fr.callee[pc] != nil && !ends {
				succs, ends = []uint32{pc + 1}, true
			}
			for _, t := range succs {
				leader[t-entry] = true
			}
			if fr.guards[pc] != nil {
				leader[pc-entry], leader[pc+1-entry] = true, true
			}
			work = append(work, succs...)
			if ends {
				break
			}
			pc++
		}
	}
	return leader, seen
}

// blockEnd says whether a block goes on in another frame, which has to be entered.
type blockEnd uint8

const (
	endsHere blockEnd = iota
	endsInCall
	endsInCoroutine
)

// endBlock finds where a block ends, and its successors unless it goes on in another frame.
func (g *fn) endBlock(fr *frame, b *block, leader []bool, at []int) blockEnd {
	entry := fr.f.Entry
	for pc := b.start; ; pc++ {
		if g.outside(fr, pc) {
			b.exit = g.exitTo(pc)
			return endsHere
		}
		if fr.stands(pc) {
			b.end = pc
			return endsInCoroutine
		}
		if g.leavesPart(b, pc) {
			return endsHere
		}
		if fr.callee[pc] != nil {
			b.end, b.calls = pc, true
			return endsInCall
		}
		succs, ends := g.flow(pc)
		if !ends && leader[pc+1-entry] {
			succs, ends = []uint32{pc + 1}, true
		}
		if !ends {
			continue
		}
		b.end = pc + 1
		for _, t := range succs {
			b.succs = append(b.succs, at[t-entry])
		}
		switch o := g.raw(pc).Op; {
		case o == code.Return && fr.ret >= 0:
			b.succs = []int{fr.ret}
		case o == code.Throw && fr.err >= 0:
			b.succs = []int{fr.err}
		}
		return endsHere
	}
}

// outside reports whether an instruction is outside of the loop that is translated, if it is one.
func (g *fn) outside(fr *frame, pc uint32) bool {
	return g.within != nil && fr.caller == nil && !g.within.In[pc]
}

// exitTo returns the exit that leads out of the loop to pc.
func (g *fn) exitTo(pc uint32) *Exit {
	g.exits = append(g.exits, &Exit{n: len(g.exits), PC: pc, Regs: g.within.exits[pc]})
	return g.exits[len(g.exits)-1]
}

// dominators finds order, predecessors and dominators of the blocks that the first one leads to. Of several successors the first comes first in
// the order.
func (g *fn) dominators() {
	t := graph.New(len(g.blocks), func(n int, add func(to int)) {
		for _, s := range slices.Backward(g.blocks[n].succs) {
			add(s)
		}
	}).Dominators(g.first)
	g.order = t.Order
	for k, n := range t.Order {
		b := &g.blocks[n]
		b.rpo, b.preds = k, slices.Clip(t.Preds[n])
		if n == g.first {
			b.idom = n
			continue
		}
		b.idom = t.Idom(n)
		d := &g.blocks[b.idom]
		d.kids = append(d.kids, n)
	}
}

// dominates reports whether every path from the first block to b passes a.
func (g *fn) dominates(a, b int) bool {
	for g.blocks[b].rpo > g.blocks[a].rpo {
		b = g.blocks[b].idom
	}
	return a == b
}

// loops finds loop headers and merge points, and whether the graph is irreducible: some cycle has several entries.
func (g *fn) loops() {
	for _, n := range g.order {
		b := &g.blocks[n]
		forward := 0
		for _, p := range b.preds {
			from := &g.blocks[p]
			if from.rpo < b.rpo {
				forward++
				if g.lastOp(from) == code.Switch || g.asksUnique(from) {
					forward++ // br_table, and a question with two answers, need a block to go to
				}
				continue
			}
			b.header = true
			if !g.dominates(n, p) {
				g.irreducible, g.odd = true, n
			}
		}
		b.merge = forward >= 2
	}
}

// Loop is a loop of a function.
type Loop struct {
	Head  uint32          // where it begins
	Insts int             // how many instructions it has
	In    map[uint32]bool // their places

	exits map[uint32][]uint16 // where it is left to, and the registers that are alive there
}

// LoopsAround returns the loops of a function that the instruction at pc is in, the innermost first; none when some are entered at several
// places.
func LoopsAround(prog *code.Program, f *code.Func, pc uint32) (list []*Loop) {
	t := &translator{prog: prog}
	if !t.translatable(f) {
		return nil
	}
	g := t.blocksOf(f, f.Entry)
	at := -1
	for n := range g.blocks {
		if b := &g.blocks[n]; at < 0 && b.rpo >= 0 && b.start <= pc && pc < b.end {
			at = n
		}
	}
	if at < 0 || g.irreducible {
		return nil
	}
	for _, n := range g.order {
		if !g.blocks[n].header || !g.dominates(n, at) {
			continue
		}
		if body := g.body(n); body[at] {
			if len(list) == 0 {
				g.liveness()
			}
			list = append(list, g.loop(n, body))
		}
	}
	slices.SortFunc(list, func(x, y *Loop) int { return x.Insts - y.Insts })
	return list
}

// loop describes the loop that begins with block n.
func (g *fn) loop(n int, body map[int]bool) *Loop {
	l := &Loop{Head: g.blocks[n].start, In: map[uint32]bool{}, exits: map[uint32][]uint16{}}
	for k := range body {
		b := &g.blocks[k]
		for pc := b.start; pc < b.end; pc++ {
			l.In[pc] = true
		}
		for _, s := range b.succs {
			if to := &g.blocks[s]; !body[s] && l.exits[to.start] == nil {
				live := []uint16{}
				to.live.each(func(r uint16) { live = append(live, r) })
				l.exits[to.start] = live
			}
		}
	}
	l.Insts = len(l.In)
	return l
}

// body returns the blocks of the loop that begins with block n.
func (g *fn) body(n int) map[int]bool {
	in := map[int]bool{n: true}
	var work []int
	add := func(p int) {
		if !in[p] {
			in[p] = true
			work = append(work, p)
		}
	}
	for _, p := range g.blocks[n].preds {
		if g.blocks[p].rpo >= g.blocks[n].rpo {
			add(p)
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, q := range g.blocks[p].preds {
			add(q)
		}
	}
	return in
}
