package wasm

import (
	"math"
	"slices"

	"silvm/vm/code"
)

// Structured control flow from the dominator tree (N. Ramsey: Beyond Relooper, 2022). A graph that is not reducible becomes a loop around
// a br_table.

// tree writes block n and what it dominates.
func (g *fn) tree(n int) {
	b := &g.blocks[n]
	var merges []int // those that come first are innermost
	for _, k := range b.kids {
		if g.blocks[k].merge {
			merges = append(merges, k)
		}
	}
	slices.SortFunc(merges, func(x, y int) int { return g.blocks[y].rpo - g.blocks[x].rpo })
	if !b.header {
		g.inside(n, merges)
		return
	}
	g.fill(n)
	g.beforeLoop(n)
	g.w.begin(opLoop, noResult)
	g.enter(scopeLoop, n)
	g.poll()
	g.inside(n, merges)
	g.end()
}

// inside writes block n inside of blocks that the merge points follow.
func (g *fn) inside(n int, merges []int) {
	if len(merges) == 0 {
		g.straight(n)
		return
	}
	g.w.begin(opBlock, noResult)
	g.enter(scopeFollowed, merges[0])
	g.inside(n, merges[1:])
	g.end()
	g.meets(merges[0])
	g.tree(merges[0])
}

// dispatch writes all blocks into a loop that goes where a local says.
func (g *fn) dispatch() {
	g.state = g.local(i32)
	g.w.begin(opLoop, noResult)
	g.enter(scopeDispatch, -1)
	g.poll()
	for range g.order {
		g.w.begin(opBlock, noResult)
		g.enter(scopePlain, -1)
	}
	g.w.get(g.state)
	g.w.with(opBrTable, len(g.order)-1)
	for k := range g.order {
		g.w.u(uint64(k))
	}
	for _, n := range g.order {
		g.end()
		g.unknown()
		g.straight(n)
	}
	g.end()
}

// poll traps when somebody wants the program to stop.
func (g *fn) poll() {
	g.w.getGlobal(globalStop)
	g.w.op(i32WrapI64)
	g.trapIf()
}

// scopeOf returns the scope that leads from one block to another by a branch, -1 when the other's code goes in place.
func (g *fn) scopeOf(from, to int) int {
	kind := scopeFollowed
	if g.blocks[to].rpo <= g.blocks[from].rpo {
		kind = scopeLoop
	}
	for k := len(g.scopes) - 1; k >= 0; k-- {
		if g.scopes[k].kind == kind && g.scopes[k].block == to {
			return k
		}
	}
	return -1
}

// goTo goes on at another block.
func (g *fn) goTo(from, to int) {
	g.leaves(from)
	if g.state >= 0 {
		g.w.i32(uint32(g.blocks[to].rpo))
		g.w.set(g.state)
		g.br(slices.IndexFunc(g.scopes, func(s scope) bool { return s.kind == scopeDispatch }))
		return
	}
	if s := g.scopeOf(from, to); s >= 0 {
		g.br(s)
		return
	}
	now := slices.Clone(g.now)
	g.cold(func() { g.tree(to) })
	copy(g.now, now)
}

// branch goes to one of two blocks by the i32 on the stack.
func (g *fn) branch(from, yes, no int) {
	if g.state < 0 && g.scopeOf(from, yes) < 0 && g.scopeOf(from, no) >= 0 {
		g.openIf()
		g.goTo(from, yes)
		g.end()
		g.goTo(from, no)
		return
	}
	g.openIf()
	g.goTo(from, yes)
	g.end()
	g.goTo(from, no)
}

// formsAt sets the forms to those at the start of a block.
func (g *fn) formsAt(b *block) {
	copy(g.now, b.in)
	for r, f := range g.now {
		g.now[r] = max(f, formInt)
	}
}

// straight writes the instructions of a block and where it goes.
func (g *fn) straight(n int) {
	b := &g.blocks[n]
	if g.floats {
		g.formsAt(b)
	}
	g.in = b
	g.livesAt(n)
	if b.exit != nil {
		g.leaveLoop(b.exit)
		return
	}
	for pc := b.start; pc < b.end; pc++ {
		g.at = pc
		in := b.inst(pc)
		w := &ways[in.Op]
		if pc == b.end-1 {
			if _, ends := g.flow(pc); ends {
				g.terminator(b, pc, in)
				return
			}
		}
		if !keepsObjects(in.Op) {
			g.alive = g.alive[:0]
		}
		switch w.kind {
		case wayEmit:
			most := g.mostOf(in)
			g.step(in, func() { w.emit(g, b, pc, in) })
			if most != math.MaxUint64 {
				g.atMost(in.A, most)
			}
			if pc+2 == b.end && g.asksUnique(b) {
				return // it has jumped too
			}
		case wayExec:
			g.exec(pc, in)
		case wayNothing:
		default:
			g.w.op(opUnreachable)
		}
		if g.here != nil {
			g.livesOver(g.here, b, pc)
		}
	}
	if b.start == b.end && b.guard != nil {
		g.choose(b)
		return
	}
	if b.passes != nil {
		g.pass(b)
	}
	if b.calls {
		if o := g.raw(b.end).Op; o != code.TailCall && o != code.TailEntry {
			g.tally(&g.w, TallyCall)
		}
	}
	g.settleForms(b)
	g.goTo(n, b.succs[0])
}

// keepsObjects reports whether no object can end, and no refcount word be overwritten, by an operation.
func keepsObjects(o code.Op) bool {
	switch o {
	case code.Nop, code.Steps, code.FixLifetime, code.LoadImm, code.Move, code.Move2, code.Select, code.Load64x2, code.AddX, code.RefCheck, code.Retain,
		code.IsUnique, code.AllocObject, code.AllocClass, code.FuncHandle, code.Metadata, code.StringAddr, code.GlobalAddr, code.WitnessTableAddr,
		code.Load8, code.Load16, code.Load32, code.Load64, code.LoadX8, code.LoadX16, code.LoadX32, code.LoadX64,
		code.RefLoad8, code.RefLoad16, code.RefLoad32, code.RefLoad64:
		return true
	}
	return ways[o].kind == wayEmit && (o >= code.Add && o <= code.Ftrunc3216 || o >= code.TrapIf && o <= code.TrapUgtI || o == code.TrapOut || o == code.TrapIndex)
}

// terminator writes the last instruction of a block.
func (g *fn) terminator(b *block, pc uint32, in code.Inst) {
	switch in.Op {
	case code.Jump:
		g.settleForms(b)
		g.goTo(b.n, b.succs[0])
	case code.Switch:
		g.jumpTable(b, in)
	case code.Return, code.Throw:
		switch {
		case len(b.succs) > 0: // a callee in its caller
			g.settleForms(b)
			g.goTo(b.n, b.succs[0])
		case b.frame.caller != nil:
			g.trapHere(TrapThrown)
		case in.Op == code.Return:
			g.leave(func() { g.w.i64(0) }, g.f.Rets)
		default:
			g.leave(func() { g.w.i64(1) }, g.f.ErrRets)
		}
	case code.TailCall, code.TailEntry:
		g.tailCall(pc, in)
	case code.Trap, code.Unreachable, code.Exit:
		g.trapHere(TrapProgram)
	default:
		if in.HasOnError() {
			g.alive = g.alive[:0]
			g.call(pc, in, true)
			g.settleForms(b)
			g.branch(b.n, b.succs[1], b.succs[0])
			return
		}
		if ways[in.Op].kind != wayBranch {
			g.w.op(opUnreachable)
			return
		}
		g.condition(in)
		t := g.local(i32)
		if g.floats && g.unsettled(b) {
			g.w.set(t)
			g.settleForms(b)
			g.w.get(t)
		}
		g.branch(b.n, b.succs[0], b.succs[1])
	}
}

// unsettled reports whether settleForms would write code.
func (g *fn) unsettled(b *block) bool {
	found := false
	for _, s := range b.succs {
		to := &g.blocks[s]
		to.live.each(func(r uint16) { found = found || to.in[r]&^g.now[r] != 0 })
	}
	return found
}

// jumpTable goes to one of many blocks.
func (g *fn) jumpTable(b *block, in code.Inst) {
	g.settle(in.A)
	g.settleForms(b)
	last := len(b.succs) - 1
	if g.state >= 0 {
		for k, s := range b.succs[:last] {
			g.get(in.A)
			g.w.i64(uint64(k))
			g.w.op(i64Eq)
			g.openIf()
			g.goTo(b.n, s)
			g.end()
		}
		g.goTo(b.n, b.succs[last])
		return
	}
	g.leaves(b.n)
	g.get(in.A)
	g.w.i64(uint64(last))
	g.w.op(i64LtU)
	g.w.begin(opIf, byte(i32))
	g.get(in.A)
	g.w.op(i32WrapI64, opElse)
	g.w.i32(uint32(last))
	g.w.op(opEnd)
	g.w.with(opBrTable, last)
	for _, s := range b.succs {
		g.w.u(uint64(len(g.scopes) - 1 - g.scopeOf(b.n, s)))
	}
}

// leave returns from the function with the first n registers; threw pushes whether it throws.
func (g *fn) leave(threw func(), n int) {
	g.uncount()
	if g.sig.flag {
		threw()
	}
	for k := range g.sig.results {
		if k < n {
			g.get(uint16(k + 1))
		} else {
			g.w.i64(0)
		}
	}
	g.w.op(opReturn)
}

// leaveLoop returns from the function for the interpreter to go on outside of the loop.
func (g *fn) leaveLoop(e *Exit) {
	w := &g.w
	zero := g.zeroed(g.area + constantsEnd)
	for k, r := range e.Regs {
		w.get(zero)
		g.get(r)
		w.mem(i64Store, g.area+Slots+8*uint64(k))
	}
	w.get(zero)
	w.i64(uint64(e.n) + 1)
	w.mem(i64Store, g.area+Words+WordExit)
	g.leave(func() { g.w.i64(0) }, 0)
}
