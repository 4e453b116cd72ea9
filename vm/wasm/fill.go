package wasm

import (
	"slices"

	"silvm/vm/code"
)

// A loop that does no more than store one value into each element, one after the other, has nearly all of them filled at once before
// it, and does the last one itself.

// filling is such a loop: each time it stores once, at a register that moves on by the size of the element; count counts to limit.
type filling struct {
	store        code.Inst
	size         uint64
	ahead        uint64 // how far the register has moved before the store
	count, limit uint16
}

// leastFill is how many elements are worth it.
const leastFill = 8

// fillOf reports whether block n is a loop that fills.
func (g *fn) fillOf(n int) (f filling, ok bool) {
	b := &g.blocks[n]
	if len(b.succs) != 2 || b.succs[1] != n || b.guard != nil || b.calls {
		return f, false
	}
	var insts []code.Inst
	for pc := b.start; pc < b.end; pc++ {
		if in := b.inst(pc); ways[in.Op].kind != wayNothing {
			insts = append(insts, in)
		}
	}
	if len(insts) != 4 || insts[3].Op != code.JumpEq {
		return f, false
	}
	k := slices.IndexFunc(insts, func(in code.Inst) bool { return storesAt(in.Op) && in.Op <= code.Store64 })
	if k < 0 {
		return f, false
	}
	f.store, f.size = insts[k], sizes[insts[k].Op]
	at, value, jump := f.store.B, f.store.A, insts[3]
	if f.count, f.limit = jump.A, jump.B; f.limit == insts[(k+1)%3].A || f.limit == insts[(k+2)%3].A {
		f.count, f.limit = f.limit, f.count
	}
	moves, counts := false, false
	for i, in := range insts[:3] {
		switch {
		case i == k:
		case in.Op != code.AddI || in.A != in.B:
			return f, false
		case in.A == at && in.Imm == f.size:
			if moves = true; i < k {
				f.ahead = f.size
			}
		case in.A == f.count && in.Imm == 1:
			counts = true
		}
	}
	apart := f.count != at && f.limit != at && f.limit != f.count && value != at && value != f.count
	return f, moves && counts && apart
}

// fill fills all elements but the last, where the loop of block n fills them. A count that leads past the end of memory traps: the loop would
// come there too, as nothing else ends it.
func (g *fn) fill(n int) {
	f, ok := g.fillOf(n)
	if !ok {
		return
	}
	if g.floats {
		g.formsAt(&g.blocks[n])
		for _, r := range [...]uint16{f.store.A, f.store.B, f.count, f.limit} {
			if g.now[r] != formInt {
				return
			}
		}
	}
	w, at := &g.w, f.store.B
	k := g.local(i64)
	g.get(f.limit)
	g.get(f.count)
	w.op(i64Sub)
	w.i64(1)
	w.op(i64Sub)
	w.tee(k)
	w.i64(leastFill)
	w.op(i64GtU)
	g.openIf()
	w.get(k)
	w.i64((reach - 1) / f.size)
	w.op(i64GtU)
	g.trapIf()
	to := g.within31(func() { g.get(at); g.add(int64(f.store.Imm + f.ahead)) }, true)
	length := func() {
		w.get(k)
		g.scale(f.size)
	}
	if f.size == 1 {
		w.get(to)
		g.get(f.store.A)
		w.op(i32WrapI64)
		length()
		w.op(i32WrapI64, opMemory)
		w.u(memoryFill)
		w.u(0)
	} else {
		w.get(to)
		g.get(f.store.A)
		w.mem(map[uint64]op{2: i64Store16, 4: i64Store32, 8: i64Store}[f.size], 0)
		bytes := g.local(i32)
		length()
		w.op(i32WrapI64)
		w.set(bytes)
		g.double(to, bytes, uint32(f.size))
	}
	g.get(at)
	length()
	w.op(i64Add)
	w.set(g.int(at))
	g.get(f.count)
	w.get(k)
	w.op(i64Add)
	w.set(g.int(f.count))
	g.join()
	g.assigned(at)
	g.assigned(f.count)
}

// double copies the first size bytes after themselves again and again, twice as many each time, until there are so many bytes.
func (g *fn) double(to, bytes int, size uint32) {
	w := &g.w
	done, more := g.local(i32), g.local(i32)
	w.i32(size)
	w.set(done)
	w.begin(opLoop, noResult)
	w.get(done)
	w.get(bytes)
	w.get(done)
	w.op(i32Sub)
	w.tee(more)
	w.get(done)
	w.get(more)
	w.op(i32LtU, opSelect) // the lesser one
	w.set(more)
	w.get(to)
	w.get(done)
	w.op(i32Add)
	w.get(to)
	w.get(more)
	w.op(opMemory)
	w.u(memoryCopy)
	w.u(0)
	w.u(0)
	w.get(done)
	w.get(more)
	w.op(i32Add)
	w.tee(done)
	w.get(bytes)
	w.op(i32LtU)
	w.with(opBrIf, 0)
	w.op(opEnd)
}
