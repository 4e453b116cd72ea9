package wasm

import (
	"silvm/heap"
	"silvm/vm/code"
)

// count adds to the strong count in a refcount word of its own, on its upper half, or takes from it. Null, immortal objects, side tables, the
// last release and whatever is wrong are for a helper.
func (g *fn) count(r uint16, o op, helper func()) {
	w := &g.w
	old, sum := g.local(i32), g.local(i32)
	g.settle(r)
	done := g.openBlock()
	slow := g.openBlock()
	a, plus := g.address(r, 0, 0, 0, slow)
	plus += heap.RefCountOffset + 4
	w.get(a)
	w.mem(i32Load, plus)
	w.tee(old)
	w.i32(uint32(heap.StrongOne >> 32))
	w.op(o)
	w.tee(sum)
	w.get(old)
	w.op(i32Or)
	w.i32(0)
	w.op(i32LtS)
	g.brIf(slow)
	w.get(a)
	w.get(sum)
	w.mem(i32Store, plus)
	g.br(done)
	g.end()
	g.get(r)
	helper()
	g.end()
}

func emitRetain(g *fn, _ *block, _ uint32, in code.Inst) {
	g.count(in.A, i32Add, func() { g.w.call(g.retain) })
}

func emitRelease(g *fn, _ *block, pc uint32, in code.Inst) {
	g.count(in.A, i32Sub, func() {
		g.w.i32(pc)
		g.w.call(g.release)
	})
}

func emitIsUnique(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	word := g.local(i64)
	g.settle(in.B)
	done := g.openBlock()
	slow := g.openBlock()
	a, plus := g.address(in.B, 0, 0, 0, slow)
	w.get(a)
	w.mem(i64Load, plus+heap.RefCountOffset)
	w.tee(word)
	w.i64(0)
	w.op(i64LeS)
	g.brIf(slow)
	w.get(word)
	g.down(i64ShrU, 32)
	w.op(i64Eqz, i64ExtendI32U)
	w.set(g.int(in.A))
	g.br(done)
	g.end()
	g.cold(func() { g.exec(pc, in) })
	g.end()
	g.assigned(in.A)
}

func emitAlloc(g *fn, _ *block, pc uint32, in code.Inst) {
	g.get(in.B)
	if in.Op == code.AllocObject {
		g.w.i64(in.Imm & (1<<48 - 1))
		g.w.i32(uint32(in.Imm >> 48))
	} else {
		g.get(in.C)
		g.w.i32(uint32(in.Imm))
	}
	g.w.i32(pc)
	g.w.call(g.host.alloc)
	g.set(in.A)
}

// emitAllocClass allocates an object of a class. Its metadata is there from the first object on: the interpreter makes that one.
func emitAllocClass(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	at, ok := g.constant(in)
	if !ok {
		g.exec(pc, in)
		return
	}
	l := g.prog.Classes[in.Imm].Layout
	meta := g.local(i64)
	w.i32(0)
	w.mem(i64Load, at)
	w.tee(meta)
	w.op(i64Eqz)
	g.openIf()
	g.cold(func() {
		g.exec(pc, in)
		a, plus := g.address(in.A, 0, 0, 0, -1)
		w.i32(0)
		w.get(a)
		w.mem(i64Load, plus)
		w.mem(i64Store, at)
	})
	w.op(opElse)
	w.get(meta)
	w.i64(l.Size)
	w.i32(uint32(max(l.Align, 16)))
	w.i32(pc)
	w.call(g.host.alloc)
	w.set(g.int(in.A))
	g.end()
	g.assigned(in.A)
}

// constant returns where in the control area the address is kept that an instruction gives from its first time on.
func (g *fn) constant(in code.Inst) (at uint64, ok bool) {
	key := constantKey{in.Op, in.Imm}
	n, ok := g.consts[key]
	if !ok {
		if n = len(g.consts); n == maxConsts {
			return 0, false
		}
		g.consts[key] = n
	}
	return constants + 8*uint64(n), true
}

func emitDealloc(g *fn, _ *block, pc uint32, in code.Inst) {
	g.get(in.A)
	g.w.i32(pc)
	g.w.call(g.host.dealloc)
}

// emitCheckAccess checks an access in which nothing nests: when no access is open there is nothing to conflict with.
func emitCheckAccess(g *fn, _ *block, pc uint32, in code.Inst) {
	g.settle(in.A)
	g.ifAccesses()
	g.cold(func() { g.exec(pc, in) })
	g.end()
}

func (g *fn) ifAccesses() {
	g.w.getGlobal(globalAccesses)
	g.w.i64(0)
	g.w.op(i64Ne)
	g.openIf()
}

// accessNoNestedConflict is the bit of BeginAccess that says that nothing nests in the access.
const accessNoNestedConflict = 2

func emitBeginAccess(g *fn, _ *block, pc uint32, in code.Inst) {
	if in.Imm&accessNoNestedConflict == 0 {
		g.exec(pc, in)
		return
	}
	g.settle(in.A)
	g.w.i64(0)
	g.w.set(g.int(in.B))
	g.ifAccesses()
	g.cold(func() { g.exec(pc, in) })
	g.end()
	g.assigned(in.B)
}

func emitEndAccess(g *fn, _ *block, pc uint32, in code.Inst) {
	g.get(in.B)
	g.w.i64(0)
	g.w.op(i64Ne)
	g.openIf()
	g.cold(func() { g.exec(pc, in) })
	g.end()
}

// emitConstant emits the address of something that has one from its first use on. It is kept in the control area then.
func emitConstant(g *fn, _ *block, pc uint32, in code.Inst) {
	at, ok := g.constant(in)
	if !ok {
		g.exec(pc, in)
		return
	}
	g.w.i32(0)
	g.w.mem(i64Load, at)
	g.w.tee(g.int(in.A))
	g.w.op(i64Eqz)
	g.openIf()
	g.cold(func() { g.exec(pc, in) })
	g.w.i32(0)
	g.w.get(g.int(in.A))
	g.w.mem(i64Store, at)
	g.end()
	g.assigned(in.A)
}

// emitObjectType loads the metadata of an object; that there is such a record the host sees first.
func emitObjectType(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	g.settle(in.B)
	t, n := g.local(i64), g.local(i64)
	done := g.openBlock()
	slow := g.openBlock()
	a, plus := g.address(in.B, 0, 0, 0, slow)
	w.get(a)
	w.mem(i64Load, plus)
	w.tee(t)
	g.record(recordTypes, n, slow)
	w.get(n)
	w.op(i32WrapI64)
	w.mem(i32Load8u, Known)
	w.op(i32Eqz)
	g.brIf(slow)
	w.get(t)
	w.set(g.int(in.A))
	g.br(done)
	g.end()
	g.cold(func() { g.exec(pc, in) })
	g.end()
	g.assigned(in.A)
}

// record pops the address of a static record and puts its number into a local; it leaves by slow when the address is none of those that lie side by side.
func (g *fn) record(kind, n, slow int) {
	w := &g.w
	w.i64(g.records.Bases[kind])
	w.op(i64Sub)
	w.i64(4) // records are 16 bytes apart: other addresses become large numbers
	w.op(i64Rotr)
	w.tee(n)
	w.i64(g.records.Counts[kind])
	w.op(i64GeU)
	g.brIf(slow)
}
