package wasm

import (
	"math"

	"silvm/heap"
	"silvm/vm/code"
)

// load is a load; checked is one of an object that has to be alive.
func load(o op) way {
	return way{kind: wayEmit, loads: o == i64Load, emit: func(g *fn, b *block, pc uint32, in code.Inst) {
		a, plus := g.accessed(in)
		want := formInt
		if o == i64Load {
			want = g.wanted(b, pc, in.A)
		}
		g.w.get(a)
		if want == formInt {
			g.w.mem(o, plus)
			g.set(in.A)
			return
		}
		g.w.mem(f64Load, plus)
		if want == formFloat {
			g.setFloat(in.A)
			return
		}
		g.w.get(a)
		g.w.mem(i64Load, plus)
		g.set(in.A)
		g.w.set(g.float(in.A))
		g.now[in.A] = want
	}}
}

func store(o op) way {
	return way{kind: wayEmit, stores: o == i64Store, emit: func(g *fn, _ *block, pc uint32, in code.Inst) {
		if o == i64Store && in.A != in.B && in.A != in.C && g.now[in.A]&formInt == 0 {
			a, plus := g.accessed(in)
			g.w.get(a)
			g.w.get(g.float(in.A))
			g.w.mem(f64Store, plus)
			return
		}
		a, plus := g.accessed(in)
		g.w.get(a)
		g.get(in.A)
		g.w.mem(o, plus)
	}}
}

// accessed checks the address of a load or store, and before it the object if that has to be alive.
func (g *fn) accessed(in code.Inst) (local int, plus uint64) {
	switch {
	case in.Op >= code.LoadX8 && in.Op <= code.StoreX64:
		return g.address(in.B, in.C, in.Imm>>32, int64(int32(in.Imm)), nil)
	case in.Op >= code.RefLoad8 && in.Op <= code.RefStore64:
		g.checkLive(in.B)
	}
	return g.address(in.B, 0, 0, int64(in.Imm), nil)
}

// checkLive traps unless register r refers to a live object: one whose refcount word is positive, or that is immortal. Words that stand for
// a side table are for the host.
func (g *fn) checkLive(r uint16) {
	if g.seenAlive(r) {
		return
	}
	g.alive = append(g.alive, g.origin(r))
	w := &g.w
	a, plus := g.address(r, 0, 0, 0, nil)
	t := g.local(i64)
	w.get(a)
	w.mem(i64Load, plus+heap.RefCountOffset)
	w.tee(t)
	w.i64(0)
	w.op(i64GtS)
	g.openRare()
	w.get(t)
	w.op(i32WrapI64)
	w.i32(^uint32(0))
	w.op(i32Eq)
	g.openRare()
	g.get(r)
	w.get(t)
	w.call(g.aliveSlow)
	g.join()
	g.join()
}

func emitCheckLive(g *fn, _ *block, _ uint32, in code.Inst) { g.checkLive(in.A) }

func emitLoadPair(g *fn, b *block, pc uint32, in code.Inst) {
	a, plus := g.address(in.B, 0, 0, int64(in.Imm), nil)
	for k := range uint16(2) {
		if g.wanted(b, pc, in.A+k)&formFloat != 0 {
			g.w.get(a)
			g.w.mem(f64Load, plus+8*uint64(k))
			g.w.set(g.float(in.A + k))
		}
	}
	for k := range uint16(2) {
		if g.wanted(b, pc, in.A+k)&formInt != 0 {
			g.w.get(a)
			g.w.mem(i64Load, plus+8*uint64(k))
			g.w.set(g.int(in.A + k))
		}
	}
	for k := range uint16(2) {
		g.forget(in.A + k)
		g.now[in.A+k] = g.wanted(b, pc, in.A+k)
	}
}

func emitStorePair(g *fn, _ *block, _ uint32, in code.Inst) {
	a, plus := g.address(in.B, 0, 0, int64(in.Imm), nil)
	for k := range uint16(2) {
		g.w.get(a)
		if g.now[in.A+k]&formInt == 0 {
			g.w.get(g.float(in.A + k))
			g.w.mem(f64Store, plus+8*uint64(k))
			continue
		}
		g.get(in.A + k)
		g.w.mem(i64Store, plus+8*uint64(k))
	}
}

// emitAddress is AddX; loads and stores through its result may use its parts.
func emitAddress(g *fn, _ *block, _ uint32, in code.Inst) {
	stride, off := in.Imm>>32, int64(int32(in.Imm))
	g.get(in.B)
	g.get(in.C)
	g.scale(stride)
	g.w.op(i64Add)
	g.add(off)
	g.set(in.A)
	if in.A != in.B && in.A != in.C {
		g.aliases = add(g.aliases, alias{in.A, g.origin(in.B), g.origin(in.C), stride, off})
	}
}

func emitMove(g *fn, _ *block, _ uint32, in code.Inst) {
	if in.A == in.B {
		return
	}
	f := g.now[in.B]
	if f&formInt != 0 {
		g.w.get(g.int(in.B))
		g.w.set(g.int(in.A))
	}
	if f&formFloat != 0 {
		g.w.get(g.float(in.B))
		g.w.set(g.float(in.A))
	}
	g.forget(in.A)
	g.now[in.A] = f
	g.isCopy(in.A, in.B)
}

func emitMovePair(g *fn, _ *block, _ uint32, in code.Inst) {
	g.get(in.B)
	g.get(in.B + 1)
	g.set(in.A + 1)
	g.set(in.A)
}

func emitLoadImm(g *fn, b *block, pc uint32, in code.Inst) {
	want := g.wanted(b, pc, in.A)
	if want&formFloat != 0 {
		g.w.f64bits(in.Imm)
		g.w.set(g.float(in.A))
	}
	if want&formInt != 0 {
		g.w.i64(in.Imm)
		g.w.set(g.int(in.A))
	}
	g.forget(in.A)
	g.now[in.A] = want
	g.atMost(in.A, in.Imm)
}

// maxInline is the size up to which memory is copied by loads and stores.
const maxInline = 32

// emitCopy copies short memory of known length by loads and stores, all other by memory.copy.
func emitCopy(g *fn, _ *block, _ uint32, in code.Inst) {
	w := &g.w
	if in.Op == code.CopyMem && in.Imm == 0 {
		return
	}
	if in.Op == code.CopyMem && in.Imm <= maxInline {
		g.copyInline(in)
		return
	}
	length := func() {
		if in.Op == code.CopyMem {
			w.i64(in.Imm)
		} else {
			g.get(in.C)
		}
	}
	g.settle(in.A)
	g.settle(in.B)
	length()
	w.i64(0)
	w.op(i64Ne)
	g.openIf()
	d, s, n := g.within31(func() { g.get(in.A) }, true), g.within31(func() { g.get(in.B) }, true), g.within31(length, false)
	w.get(d)
	w.get(s)
	w.get(n)
	w.op(opMemory)
	w.u(memoryCopy)
	w.u(0)
	w.u(0)
	g.join()
}

// within31 traps unless a value is below 2 GiB and returns a local with it: an address as an offset into the module's memory.
func (g *fn) within31(push func(), address bool) int {
	w := &g.w
	t, l := g.local(i64), g.local(i32)
	push()
	if address {
		g.add(-heap.Base)
	}
	w.tee(t)
	w.i64(1<<31 - 1)
	w.op(i64GtU)
	g.trapIf()
	w.get(t)
	w.op(i32WrapI64)
	if address {
		w.i32(Linear)
		w.op(i32Add)
	}
	w.set(l)
	return l
}

// copyInline loads all before it stores anything: the ranges may overlap.
func (g *fn) copyInline(in code.Inst) {
	type part struct {
		off   uint64
		o     op
		local int
	}
	var parts []part
	left, off := in.Imm, uint64(0)
	for _, p := range []struct {
		n uint64
		o op
	}{{8, i64Load}, {4, i64Load32u}, {2, i64Load16u}, {1, i64Load8u}} {
		for ; left >= p.n; left -= p.n {
			parts = append(parts, part{off, p.o, g.local(i64)})
			off += p.n
		}
	}
	s, plus := g.address(in.B, 0, 0, 0, nil)
	for _, p := range parts {
		g.w.get(s)
		g.w.mem(p.o, plus+p.off)
		g.w.set(p.local)
	}
	d, plus := g.address(in.A, 0, 0, 0, nil)
	for _, p := range parts {
		g.w.get(d)
		g.w.get(p.local)
		g.w.mem(storeOf[p.o], plus+p.off)
	}
}

var storeOf = map[op]op{i64Load: i64Store, i64Load32u: i64Store32, i64Load16u: i64Store16, i64Load8u: i64Store8}

func emitFill(g *fn, _ *block, _ uint32, in code.Inst) {
	w := &g.w
	g.settle(in.A)
	g.settle(in.B)
	g.get(in.C)
	w.i64(0)
	w.op(i64Ne)
	g.openIf()
	d, n := g.within31(func() { g.get(in.A) }, true), g.within31(func() { g.get(in.C) }, false)
	w.get(d)
	g.get(in.B)
	w.op(i32WrapI64)
	w.get(n)
	w.op(opMemory)
	w.u(memoryFill)
	w.u(0)
	g.join()
}

func emitEnter(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	sp, end := g.local(i64), g.local(i64)
	w.getGlobal(globalStack)
	w.tee(sp)
	w.i64(in.Imm)
	w.op(i64Add)
	w.tee(end)
	w.getGlobal(globalStackEnd)
	w.op(i64LeU)
	g.openIf()
	w.get(sp)
	w.set(g.int(in.A))
	w.i64(0)
	w.set(g.int(in.A + 1))
	w.get(end)
	w.i64(15)
	w.op(i64Add)
	w.i64(^uint64(15))
	w.op(i64And)
	w.setGlobal(globalStack)
	w.op(opElse)
	g.otherwise(pc, in)
	g.assigned(in.A)
	g.assigned(in.A + 1)
}

func emitLeave(g *fn, _ *block, pc uint32, in code.Inst) {
	g.settle(in.A)
	g.get(in.A + 1)
	g.w.op(i64Eqz)
	g.openIf()
	g.get(in.A)
	g.w.setGlobal(globalStack)
	g.w.op(opElse)
	g.otherwise(pc, in)
}

// emitEnterHeap makes the memory frame of a coroutine: a block of the heap that is none of the program's.
func emitEnterHeap(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	class, ok := heap.ClassFor(in.Imm)
	if !ok {
		g.exec(pc, in)
		return
	}
	w.i64(in.Imm)
	w.i32(uint32(class))
	w.i32(pc)
	w.call(g.newFrame)
	w.tee(g.int(in.A))
	w.op(i64Eqz)
	w.op(i32Eqz)
	g.openIf()
	w.i64(0)
	w.set(g.int(in.A + 1))
	w.op(opElse)
	g.otherwise(pc, in)
	g.assigned(in.A)
	g.assigned(in.A + 1)
}

func emitLeaveHeap(g *fn, _ *block, pc uint32, in code.Inst) {
	g.get(in.A)
	g.w.i32(pc)
	g.w.call(g.endFrame)
	g.openRare()
	g.otherwise(pc, in)
}

// emitTrapOut traps unless 0 <= A < B, signed.
func emitTrapOut(g *fn, _ *block, _ uint32, in code.Inst) {
	g.get(in.A)
	g.get(in.B)
	g.w.op(i64GeU)
	g.trapFor(TrapProgram)
	g.boundOnce(in)
	g.atMost(in.A, g.most(in.B)-1)
}

// boundOnce bounds the second operand of a TrapOut, unless it is known to be small enough.
func (g *fn) boundOnce(in code.Inst) {
	if s := g.strideOf(in.A); g.most(in.B) > math.MaxInt64 || s != 0 && s <= reach && g.most(in.B) > (reach-1)/s {
		g.atMost(in.B, g.bounded(in.A, func() { g.get(in.B) }))
	}
}

// emitTrapIndex traps unless 0 <= A < the word at B + Imm, signed, and B is a live object.
func emitTrapIndex(g *fn, _ *block, _ uint32, in code.Inst) {
	w := &g.w
	g.checkLive(in.B)
	n := g.local(i64)
	a, plus := g.address(in.B, 0, 0, int64(in.Imm), nil)
	w.get(a)
	w.mem(i64Load, plus)
	w.set(n)
	g.get(in.A)
	w.get(n)
	w.op(i64GeU)
	g.trapFor(TrapProgram)
	g.atMost(in.A, g.bounded(in.A, func() { w.get(n) })-1)
}
