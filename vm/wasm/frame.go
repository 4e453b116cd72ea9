package wasm

import (
	"slices"

	"silvm/vm/code"
)

// Small functions are translated where they are called: calls are what the compiler does worst. The registers of a callee are those of its
// caller from the base of its window on, so nothing moves for a call or a return.

// frame is a function as part of the one that is translated: that one itself, or a callee in its place.
type frame struct {
	f      *code.Func
	window int    // 0 for that of the function that is translated, else that of a coroutine
	offset uint16 // of its registers
	nregs  int
	insts  []code.Inst           // with their registers moved by that
	callee map[uint32]*code.Func // calls in whose place the callee stands, by pc
	guards map[uint32]*guard     // and calls that may find one of a few
	caller *frame                // nil for the function itself
	depth  int                   // callers that count calls
	ret    int                   // the block where a callee goes on when it returns
	err    int                   // and when it throws, -1 for nowhere
	begun  *begun                // coroutines that are begun and ended in their places
	// Of a part of a coroutine: where the values go that it yields or returns.
	partial         bool
	yields, returns *passes
}

const (
	inlineInsts   = 40  // instructions of a function that is translated in place of a call
	inlineGrowth  = 400 // instructions that a function gets by that
	inlineDepth   = 4
	inlineItself  = 2       // times that a function stands in itself
	inlineWindows = 1 << 14 // bounds the number of a register
)

// frameOf prepares a function that is called by caller in a window at offset.
func (g *fn) frameOf(f *code.Func, caller *frame, offset uint16) *frame {
	fr := &frame{f: f, offset: offset, caller: caller, ret: -1, err: -1, insts: make([]code.Inst, f.End-f.Entry), callee: map[uint32]*code.Func{}, guards: map[uint32]*guard{}}
	if caller != nil {
		fr.depth, fr.window = caller.depth+1, caller.window
	}
	g.frames = append(g.frames, fr)
	for k := range fr.insts {
		pc := f.Entry + uint32(k)
		in := g.raw(pc)
		w := &ways[in.Op]
		g.floats = g.floats || w.floatIn || w.floatOut
		note := func(r uint16) { fr.nregs = max(fr.nregs, int(r)+1) }
		g.prog.Reads(f, pc, in, note)
		g.prog.Writes(f, pc, in, note)
	}
	return fr
}

// raw is the instruction at pc as it was lowered.
func (t *translator) raw(pc uint32) code.Inst {
	in := t.prog.Insts[pc]
	in.Op = in.Op.First()
	return in
}

// moved returns an instruction with other registers.
func moved(in code.Inst, offset uint16) code.Inst {
	if offset == 0 {
		return in
	}
	o := in.Op.Operands()
	for _, x := range [...]struct {
		role code.Role
		r    *uint16
	}{{o.A, &in.A}, {o.B, &in.B}, {o.C, &in.C}} {
		switch x.role {
		case code.RoleUse, code.RoleDef, code.RoleUsePair, code.RoleDefPair, code.RoleBase:
			*x.r += offset
		}
	}
	if o.Reg == code.RoleUse {
		in.Imm += uint64(offset) << o.RegShift
	}
	return in
}

// reads calls yield with each register that an instruction of a block reads, writes with each that it sets.
func (g *fn) reads(b *block, pc uint32, yield func(r uint16)) {
	g.prog.Reads(b.frame.f, pc, g.raw(pc), func(r uint16) { yield(r + b.frame.offset) })
}

func (g *fn) writes(b *block, pc uint32, yield func(r uint16)) {
	g.prog.Writes(b.frame.f, pc, g.raw(pc), func(r uint16) { yield(r + b.frame.offset) })
}

// inline chooses the calls of a frame, which begins at first, in whose place the callee is translated.
func (g *fn) inline(fr *frame, first uint32) {
	full := g.grown >= inlineGrowth
	var part map[uint32]bool
	if fr.partial {
		part = g.reachedIn(fr.f, first)
	}
	for pc := fr.f.Entry; pc < fr.f.End; pc++ {
		if g.outside(fr, pc) || fr.partial && !part[pc] {
			continue
		}
		in := g.raw(pc)
		switch in.Op {
		case code.TailCall, code.TailEntry:
			if fr.caller != nil { // it was looked at with the callee that ends so
				fr.callee[pc] = g.callee(in)
			}
		case code.Call, code.CallTry, code.CallEntry, code.CallTryEntry:
			if to := g.callee(in); !full && g.fits(fr, in, to) && g.grown+g.small[to] <= inlineGrowth {
				g.grown += g.small[to]
				fr.callee[pc] = to
			}
		case code.CallThick, code.CallMethod, code.CallWitnessMethod:
			if !full {
				g.guard(fr, pc, in)
			}
		}
	}
}

// fits reports whether a function may stand in the place of a call.
func (g *fn) fits(fr *frame, in code.Inst, to *code.Func) bool {
	return g.inlinable(to) && fr.takes(to) && int(fr.offset)+int(in.Base())+to.NRegs <= inlineWindows
}

// takes reports whether a function may stand in a frame.
func (fr *frame) takes(to *code.Func) bool {
	depth, same := 0, 0
	for ; fr != nil; fr = fr.caller {
		if fr.caller == nil || fr.depth > fr.caller.depth { // else it was entered by a tail call
			depth++
		}
		if fr.f == to {
			same++
		}
	}
	return depth < inlineDepth && same <= inlineItself
}

// inlinable reports whether a function can be translated in the place of a call, and is small, with all that it ends in a tail call of.
func (t *translator) inlinable(f *code.Func) bool {
	if f == nil || f.Native != nil || f.Entry == 0 || f.End-f.Entry > inlineInsts {
		return false
	}
	size, known := t.small[f]
	if known {
		return size > 0
	}
	t.small[f] = 0 // until it is known: in case it calls itself so
	if !t.translatable(f) {
		return false
	}
	size = int(f.End - f.Entry)
	for pc := f.Entry; pc < f.End; pc++ {
		if succs, _ := t.flow(pc); slices.ContainsFunc(succs, func(to uint32) bool { return to <= pc }) {
			return false // the loop takes longer than the call, and fares better with all registers
		}
		if in := t.raw(pc); in.Op == code.TailCall || in.Op == code.TailEntry {
			to := t.callee(in)
			if !t.inlinable(to) {
				return false
			}
			size += t.small[to]
		}
	}
	if size > inlineInsts {
		return false
	}
	t.small[f] = size
	return true
}

// enterCalls puts the callees of a frame, whose blocks are there, into the places of their calls. calls has the blocks that end before
// those, and at the blocks by pc.
func (g *fn) enterCalls(fr *frame, calls []int, at func(pc uint32) int) {
	for _, n := range calls {
		pc := g.blocks[n].end
		g.blocks[n].succs = []int{g.stand(fr, pc, fr.callee[pc], at)}
	}
}

// enterGuarded does so for the calls that begin with guards.
func (g *fn) enterGuarded(fr *frame, begins []int, at func(pc uint32) int) {
	for _, n := range begins {
		c := g.blocks[n].guard
		g.blocks[n+1].guard = c
		var succs []int
		for _, f := range c.funcs {
			succs = append(succs, g.stand(fr, c.pc, f, at))
		}
		g.blocks[n].succs = append(succs, n+1)
	}
}

// stand puts a callee into the place of the call at pc and returns the block that it begins with.
func (g *fn) stand(fr *frame, pc uint32, f *code.Func, at func(pc uint32) int) int {
	in := g.raw(pc)
	if in.Op == code.TailCall || in.Op == code.TailEntry {
		to := g.frameOf(f, fr, fr.offset)
		to.depth, to.ret, to.err = fr.depth, fr.ret, fr.err
		return g.findBlocks(to, f.Entry)
	}
	to := g.frameOf(f, fr, fr.offset+in.Base())
	if in.HasOnError() {
		to.ret, to.err = at(pc+2), at(uint32(g.raw(pc+1).Imm))
	} else {
		to.ret = at(pc + 1)
	}
	return g.findBlocks(to, f.Entry)
}

// leaf reports whether no block calls anything.
func (g *fn) leaf() bool {
	return !slices.ContainsFunc(g.order, func(n int) bool {
		b := &g.blocks[n]
		for pc := b.start; pc < b.end; pc++ {
			if g.raw(pc).Op.Operands().MayCall {
				return true
			}
		}
		return false
	})
}

// recount brings the count of calls that may be under way to what it is in the place of a call, where some stand in places of their calls.
func (g *fn) recount() {
	if g.calls < 0 || g.grown+g.suspended == 0 {
		return
	}
	g.w.get(g.calls)
	g.w.i64(1 + uint64(g.in.frame.depth))
	g.w.op(i64Sub)
	g.w.setGlobal(globalCalls)
}
