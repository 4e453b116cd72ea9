package wasm

import (
	"math"

	"silvm/heap"
	"silvm/vm/code"
)

// Opaque existentials: what the host has seen of the type of the value that one holds says where the value is and what a copy takes.

// boxValue is where the value of a box is, of a type whose alignment is no more than that of the header.
const boxValue = heap.HeaderSize

// held checks the address of the existential at r and puts what is known of the type of its value into a local.
func (g *fn) held(r uint16, slow *exits) (at int, plus uint64, known int) {
	w := &g.w
	n := g.local(i64)
	known = g.local(i32)
	at, plus = g.address(r, 0, 0, 0, slow)
	w.probe(at, plus+code.ValueType+8)
	w.get(at)
	w.mem(i64Load, plus+code.ValueType)
	g.record(recordTypes, n, slow)
	w.get(n)
	w.op(i32WrapI64)
	w.mem(i32Load8u, g.area+Known)
	w.set(known)
	return at, plus, known
}

// knows pushes whether a bit is known.
func (g *fn) knows(known int, bit uint32) {
	g.w.get(known)
	g.w.i32(bit)
	g.w.op(i32And)
}

// boxOf loads the box of the existential at an offset, checks its address, and leaves its offset in a local.
func (g *fn) boxOf(at int, plus uint64, slow *exits) (box, offset int) {
	w := &g.w
	box, offset = g.local(i64), g.local(i32)
	t := g.local(i64)
	w.get(at)
	w.mem(i64Load, plus)
	w.tee(box)
	w.i64(heap.Base)
	w.op(i64Sub)
	w.tee(t)
	w.i64(math.MaxInt32)
	w.op(i64GtU)
	w.exitIf(slow)
	w.get(t)
	w.op(i32WrapI64)
	w.set(offset)
	return box, offset
}

// emitProject gives the address of the value: that of the existential's buffer, or in its box.
func emitProject(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	g.settle(in.B)
	done := g.openBlock()
	slow := g.openExits(5)
	at, plus, known := g.held(in.B, slow)
	g.knows(known, KnownInline)
	g.openIf()
	w.get(g.int(in.B))
	w.set(g.int(in.A))
	g.br(done)
	g.end()
	g.knows(known, KnownBoxed)
	w.op(i32Eqz)
	w.exitIf(slow)
	box, offset := g.boxOf(at, plus, slow)
	w.get(offset)
	w.mem(i64Load, Linear+heap.RefCountOffset)
	w.i64(0)
	w.op(i64LeS)
	w.exitIf(slow)
	w.get(box)
	w.i64(boxValue)
	w.op(i64Add)
	w.set(g.int(in.A))
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
	g.assigned(in.A)
}

// emitCopyExistential copies the words of an existential, and retains its box.
func emitCopyExistential(g *fn, _ *block, pc uint32, in code.Inst) {
	if in.Imm > 2*maxInline || in.Imm%8 != 0 {
		g.exec(pc, in)
		return
	}
	w := &g.w
	g.settle(in.A)
	g.settle(in.B)
	done := g.openBlock()
	slow := g.openExits(6)
	at, plus, known := g.held(in.B, slow)
	to, plusTo := g.address(in.A, 0, 0, 0, slow)
	w.probe(at, plus+in.Imm)
	w.probe(to, plusTo+in.Imm)
	words := make([]int, in.Imm/8)
	for k := range words {
		words[k] = g.local(i64)
		w.get(at)
		w.mem(i64Load, plus+8*uint64(k))
		w.set(words[k])
	}
	move := func() {
		for k, l := range words {
			w.get(to)
			w.get(l)
			w.mem(i64Store, plusTo+8*uint64(k))
		}
	}
	g.knows(known, KnownTrivial)
	g.openIf()
	move()
	g.br(done)
	g.end()
	g.knows(known, KnownBoxed|KnownRef)
	w.op(i32Eqz)
	w.exitIf(slow)
	_, offset := g.boxOf(at, plus, slow)
	old, sum := g.local(i64), g.local(i64)
	w.get(offset)
	w.mem(i64Load, Linear+heap.RefCountOffset)
	w.tee(old)
	w.i64(heap.StrongOne)
	w.op(i64Add)
	w.tee(sum)
	w.get(old)
	w.op(i64Or)
	w.i64(0)
	w.op(i64LtS)
	w.exitIf(slow)
	move()
	w.get(offset)
	w.get(sum)
	w.mem(i64Store, Linear+heap.RefCountOffset)
	g.tally(w, TallyRetain)
	g.tallyWitness(known, TallyCall, TallyCopy)
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
}

// forBoxed does nothing for an existential whose type is known to be of a kind, hands one whose is of another kind to emit, and any other to exec.
func (g *fn) forBoxed(pc uint32, in code.Inst, nothing, kinds uint32, emit func(w *writer, at int, plus uint64, known int, slow *exits)) {
	w := &g.w
	g.settle(in.A)
	done := g.openBlock()
	slow := g.openExits(5)
	at, plus, known := g.held(in.A, slow)
	g.knows(known, nothing)
	g.openIf()
	g.br(done)
	g.end()
	g.knows(known, kinds)
	w.op(i32Eqz)
	w.exitIf(slow)
	emit(w, at, plus, known, slow)
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
}

// emitDestroyExistential releases the box, if there is one.
func emitDestroyExistential(g *fn, _ *block, pc uint32, in code.Inst) {
	g.forBoxed(pc, in, KnownTrivial, KnownBoxed|KnownRef, func(w *writer, at int, plus uint64, known int, slow *exits) {
		box, offset := g.boxOf(at, plus, slow)
		old, sum := g.local(i32), g.local(i32)
		g.tallyWitness(known, TallyCall)
		w.get(offset)
		w.mem(i32Load, Linear+heap.RefCountOffset+4)
		w.tee(old)
		w.i32(uint32(heap.StrongOne >> 32))
		w.op(i32Sub)
		w.tee(sum)
		w.get(old)
		w.op(i32Or)
		w.i32(0)
		w.op(i32LtS)
		g.openIf()
		w.get(box)
		w.i32(pc)
		w.call(g.release)
		w.op(opElse)
		w.get(offset)
		w.get(sum)
		w.mem(i32Store, Linear+heap.RefCountOffset+4)
		g.tally(w, TallyRelease)
		g.join()
	})
}

// tallyWitness counts what a value witness of a reference counts beside the reference.
func (g *fn) tallyWitness(known int, what ...uint64) {
	if g.opts.Counting {
		g.knows(known, KnownRef)
		g.openIf()
		for _, x := range what {
			g.tally(&g.w, x)
		}
		g.join()
	}
}

// emitUniqueExistential does nothing for a value in the buffer, and for one in a box that nothing else refers to.
func emitUniqueExistential(g *fn, _ *block, pc uint32, in code.Inst) {
	g.forBoxed(pc, in, KnownInline, KnownBoxed, func(w *writer, at int, plus uint64, _ int, slow *exits) {
		_, offset := g.boxOf(at, plus, slow)
		g.unlessUnique(offset, slow)
	})
}
