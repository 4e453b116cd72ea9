package wasm

import (
	"slices"

	"silvm/vm/code"
)

// A small coroutine that yields at one place is translated where it is begun, up to the yield, and where it is ended, from there on. In between
// its registers lie in a window of their own, which nothing else uses.

// coroutine is a coroutine that is in the place of the calls that begin and end it.
type coroutine struct {
	f      *code.Func
	window int
	inside *begun // what it begins itself
}

// begun is what a function, or a coroutine in its place, begins and ends in its own code.
type begun struct {
	by   map[uint32]*coroutine // by the pc of a BeginApply
	ends map[uint32]uint32     // the pc of the BeginApply, by that of an EndApply or AbortApply
}

const (
	coroutineInsts  = 80  // instructions of a coroutine that is translated in place
	coroutineGrowth = 600 // instructions that a function gets by that
	coroutineDepth  = 6
)

// Stands reports whether a function is a coroutine that can be translated in the place of the calls that begin and end it.
func Stands(p *code.Program, f *code.Func) bool {
	t := &translator{prog: p}
	return t.yieldOf(f) != 0
}

// yieldOf returns where a coroutine yields that can be translated in place; 0 for other functions.
func (t *translator) yieldOf(f *code.Func) (yield uint32) {
	if f.Native != nil || f.Entry == 0 || f.End-f.Entry > coroutineInsts {
		return 0
	}
	for pc := f.Entry; pc < f.End; pc++ {
		switch in := t.raw(pc); {
		case in.Op == code.Yield && yield == 0:
			yield = pc
		case in.Op == code.Unwind:
		case ways[in.Op].kind == wayStub, in.Op == code.Throw, in.Op == code.TailCall, in.Op == code.TailEntry:
			return 0
		}
	}
	if yield == 0 {
		return 0
	}
	imm := t.raw(yield).Imm
	for _, to := range [...]uint32{uint32(imm), uint32(imm >> 32)} {
		if t.reachedIn(f, to)[yield] {
			return 0 // it yields again
		}
	}
	return yield
}

// reachedIn returns the instructions of a function that a run from pc may come to before it yields.
func (t *translator) reachedIn(f *code.Func, pc uint32) map[uint32]bool {
	seen := map[uint32]bool{}
	for work := []uint32{pc}; len(work) > 0; {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		for !seen[pc] {
			seen[pc] = true
			succs, ends := t.flow(pc)
			work = append(work, succs...)
			if ends {
				break
			}
			pc++
		}
	}
	return seen
}

// begins chooses the coroutines that are translated in the places of calls of a frame, which begins at pc.
func (g *fn) begins(fr *frame, pc uint32) *begun {
	bg := &begun{by: map[uint32]*coroutine{}}
	if g.sigs == nil || !slices.ContainsFunc(g.prog.Insts[fr.f.Entry:fr.f.End], func(in code.Inst) bool { return in.Op.First() == code.BeginApply }) {
		return bg
	}
	bg.ends = g.ended(fr, pc)
	depth := 0
	for x := fr; x != nil; x = x.caller {
		depth++
	}
	times := map[uint32]int{}
	for _, at := range bg.ends {
		times[at]++
	}
	for at := fr.f.Entry; at < fr.f.End; at++ {
		in := g.raw(at)
		if times[at] == 0 || depth >= coroutineDepth {
			continue
		}
		f := g.prog.Funcs[in.Imm]
		size := int(f.End-f.Entry) * times[at]
		if g.suspended+size > coroutineGrowth || f.Args != fr.f.CallAt(at).Args || in.HasOnError() || g.yieldOf(f) == 0 {
			continue
		}
		g.suspended += size
		g.windows++
		bg.by[at] = &coroutine{f: f, window: g.windows}
	}
	return bg
}

// ended finds which BeginApply each EndApply and AbortApply of a frame's function ends, of those whose ends are all known.
func (g *fn) ended(fr *frame, first uint32) map[uint32]uint32 {
	preds, ends := map[uint32][]uint32{}, []uint32(nil)
	seen := map[uint32]bool{}
	for work := []uint32{first}; len(work) > 0; {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[pc] || g.outside(fr, pc) {
			continue
		}
		seen[pc] = true
		succs, last := g.flow(pc)
		in := g.raw(pc)
		if in.Op == code.Yield {
			succs = []uint32{uint32(in.Imm), uint32(in.Imm >> 32)}
		} else if !last {
			succs = append(slices.Clone(succs), pc+1)
		}
		for _, s := range succs {
			preds[s] = append(preds[s], pc)
			work = append(work, s)
		}
		if in.Op == code.EndApply || in.Op == code.AbortApply {
			ends = append(ends, pc)
		}
	}
	of, bad := map[uint32]uint32{}, map[uint32]bool{}
	for _, e := range ends {
		begins, sure := g.reaching(fr, e, first, preds)
		if sure && len(begins) == 1 {
			of[e] = begins[0]
			continue
		}
		for _, b := range begins {
			bad[b] = true
		}
	}
	if g.within != nil && fr.caller == nil {
		for e, b := range of {
			for _, regs := range g.within.exits {
				if slices.Contains(regs, g.raw(e).B) {
					bad[b] = true // it may go on outside of the loop
				}
			}
		}
	}
	for e, b := range of {
		if bad[b] {
			delete(of, e)
		}
	}
	return of
}

// reaching returns the calls that may have begun what the instruction at pc ends; it is not sure when something else may have.
func (g *fn) reaching(fr *frame, pc, first uint32, preds map[uint32][]uint32) (begins []uint32, sure bool) {
	token, seen := g.raw(pc).B, map[uint32]bool{}
	sure = true
	for work := []uint32{pc}; len(work) > 0; {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		sure = sure && pc != first
		for _, p := range preds[pc] {
			if seen[p] {
				continue
			}
			seen[p] = true
			in, written := g.raw(p), false
			g.prog.Writes(fr.f, p, in, func(r uint16) { written = written || r == token })
			switch {
			case in.Op == code.BeginApply && in.B == token:
				begins = append(begins, p)
			case written:
				sure = false
			default:
				work = append(work, p)
			}
		}
	}
	return begins, sure
}

// passes is a move of registers from one frame to another at the end of a block.
type passes struct {
	from, to *frame
	src, dst uint16 // the bases of the windows there
	n        int
	yields   bool
	calls    bool
}

// each calls f with the registers.
func (p *passes) each(f func(dst, src uint16)) {
	if p == nil {
		return
	}
	for k := range uint16(p.n) {
		f(p.to.offset+p.dst+k+1, p.from.offset+p.src+k+1)
	}
}

// part makes the frame of a part of a coroutine that the instruction at pc begins or ends.
func (g *fn) part(fr *frame, c *coroutine) *frame {
	to := g.frameOf(c.f, fr, 0)
	to.window, to.partial = c.window, true
	if c.inside == nil {
		c.inside = g.begins(to, c.f.Entry)
	}
	to.begun = c.inside
	return to
}

// enterCoroutines puts the parts of coroutines into the places of the calls of a frame that begin and end them. blocks has the blocks that
// end before those, and at the blocks by pc.
func (g *fn) enterCoroutines(fr *frame, blocks []int, at func(pc uint32) int) {
	for _, n := range blocks {
		pc := g.blocks[n].end
		in := g.raw(pc)
		call := fr.f.CallAt(pc)
		if c := fr.begun.by[pc]; c != nil {
			to := g.part(fr, c)
			to.ret = at(pc + 1)
			to.yields = &passes{to: fr, dst: in.A, from: to, yields: true}
			g.blocks[n].passes = &passes{from: fr, src: in.A, to: to, n: call.Args, calls: true}
			first := g.findBlocks(to, c.f.Entry)
			g.blocks[n].succs = []int{first}
			continue
		}
		c := fr.begun.by[fr.begun.ends[pc]]
		to := g.part(fr, c)
		to.ret = at(pc + 1)
		to.returns = &passes{to: fr, dst: in.A, from: to, n: call.Rets}
		g.blocks[n].passes = &passes{from: fr, to: to, calls: true}
		targets := g.raw(g.yieldOf(c.f)).Imm
		if in.Op == code.AbortApply {
			targets >>= 32
		}
		first := g.findBlocks(to, uint32(targets))
		g.blocks[n].succs = []int{first}
	}
}

// stands reports whether a part of a coroutine is in the place of the instruction at pc of a frame.
func (fr *frame) stands(pc uint32) bool {
	if fr.begun.by[pc] != nil {
		return true
	}
	b, ends := fr.begun.ends[pc]
	return ends && fr.begun.by[b] != nil
}

// leavesPart ends a block where a part of a coroutine ends, by the instruction at pc.
func (g *fn) leavesPart(b *block, pc uint32) (ends bool) {
	fr, in := b.frame, g.raw(pc)
	switch {
	case !fr.partial:
		return false
	case in.Op == code.Yield && fr.yields != nil:
		p := *fr.yields
		p.src, p.n = in.A, int(in.B)
		b.passes = &p
	case in.Op == code.Return && fr.returns != nil:
		b.passes = fr.returns
	case in.Op == code.Unwind && fr.returns != nil:
		b.passes = &passes{from: fr, to: fr.caller}
	default:
		return false
	}
	b.end, b.succs = pc, []int{fr.ret}
	return true
}

// settleWindows gives each coroutine's window a place after the others, and the instructions their registers.
func (g *fn) settleWindows() {
	lengths := make([]int, g.windows+1)
	lengths[0] = max(g.f.Args, g.sig.results) + 1
	for _, fr := range g.frames {
		lengths[fr.window] = max(lengths[fr.window], int(fr.offset)+fr.nregs)
	}
	bases := make([]uint16, g.windows+1)
	for k, n := range lengths {
		if k > 0 {
			bases[k] = uint16(g.nregs)
		}
		g.nregs += n
	}
	for _, fr := range g.frames {
		fr.offset += bases[fr.window]
		for k := range fr.insts {
			fr.insts[k] = moved(g.raw(fr.f.Entry+uint32(k)), fr.offset)
		}
	}
}

// pass moves the registers at the end of a block.
func (g *fn) pass(b *block) {
	p := b.passes
	if p.calls {
		g.tally(&g.w, TallyCall)
	}
	if p.yields {
		g.tally(&g.w, TallyYield)
	}
	p.each(func(dst, src uint16) { emitMove(g, b, b.end, code.Inst{Op: code.Move, A: dst, B: src}) })
}
