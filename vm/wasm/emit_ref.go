package wasm

import (
	"silvm/heap"
	"silvm/vm/code"
)

// counted checks the address of an object whose references are counted. It may trap, as address does without an exit, where the block goes
// on to an access that does.
func (g *fn) counted(r uint16, slow *exits) (local int, plus uint64) {
	if g.accesses(r) {
		slow = nil
	}
	return g.address(r, 0, 0, 0, slow)
}

// accesses reports whether register r is accessed by one of the next instructions of the block, with no call in between.
func (g *fn) accesses(r uint16) bool {
	for pc := g.at + 1; pc < min(g.in.end, g.at+ahead); pc++ {
		in := g.in.inst(pc)
		if a, size := extent(in); size != 0 && a.base == r && a.index == 0 && a.off >= 0 && uint64(a.off)+size <= reachAhead {
			return true
		}
		if in.Op.Operands().MayCall || ways[in.Op].kind == wayExec {
			return false
		}
		written := false
		g.writes(g.in, pc, func(x uint16) { written = written || x == r })
		if written {
			return false
		}
	}
	return false
}

// count adds to the strong count in a refcount word of its own, on its upper half, or takes from it. Null, immortal objects, side tables, the
// last release and whatever is wrong are for a helper.
func (g *fn) count(r uint16, o op, tally uint64, helper func()) {
	w := &g.w
	old, sum := g.local(i32), g.local(i32)
	g.settle(r)
	done := g.openBlock()
	slow := g.openExits(2)
	a, plus := g.counted(r, slow)
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
	w.exitIf(slow)
	w.get(a)
	w.get(sum)
	w.mem(i32Store, plus)
	g.tally(w, tally)
	g.br(done)
	g.closeExits(slow)
	g.get(r)
	if g.opts.Counting {
		helper()
		g.join()
		return
	}
	w.i64(0) // what is no reference is most often null
	w.op(i64GtS)
	w.begin(opIf, noResult)
	g.get(r)
	helper()
	w.op(opEnd)
	g.join()
}

func emitRetain(g *fn, _ *block, _ uint32, in code.Inst) {
	g.count(in.A, i32Add, TallyRetain, func() { g.w.call(g.retain) })
}

func emitRelease(g *fn, _ *block, pc uint32, in code.Inst) {
	g.count(in.A, i32Sub, TallyRelease, func() {
		g.w.i32(pc)
		g.w.call(g.release)
	})
}

func emitIsUnique(g *fn, b *block, pc uint32, in code.Inst) {
	if pc+2 == b.end && g.asksUnique(b) {
		g.branchUnique(b, pc, in)
		return
	}
	w := &g.w
	done := g.openBlock()
	slow, word := g.uniqueWord(in)
	w.get(word)
	g.down(i64ShrU, 32)
	w.op(i64Eqz, i64ExtendI32U)
	w.set(g.int(in.A))
	g.br(done)
	g.closeExits(slow)
	g.uniqueAside(pc, in)
	g.join()
	g.assigned(in.A)
}

// uniqueAside asks whether a reference is the only one where the refcount word does not say so by itself.
func (g *fn) uniqueAside(pc uint32, in code.Inst) {
	w := &g.w
	answer := g.local(i64)
	g.get(in.B)
	w.call(g.unique)
	w.tee(answer)
	w.i64(uniqueUnknown)
	w.op(i64Ne)
	g.openIf()
	w.get(answer)
	w.set(g.int(in.A))
	w.op(opElse)
	g.otherwise(pc, in)
}

// uniqueWord loads the refcount word that says by itself whether a reference is the only one; others take an exit.
func (g *fn) uniqueWord(in code.Inst) (slow *exits, word int) {
	w := &g.w
	word = g.local(i64)
	g.settle(in.B)
	slow = g.openExits(2)
	a, plus := g.counted(in.B, slow)
	w.get(a)
	w.mem(i64Load, plus+heap.RefCountOffset)
	w.tee(word)
	w.i64(0)
	w.op(i64LeS)
	w.exitIf(slow)
	g.tally(w, TallyUnique)
	return slow, word
}

// uniqueHalf does by the upper half of the refcount word what is to be done when a reference is the only one; what the word does not say by itself takes an exit. Of an object
// that is alive the lower half tells nothing: that half alone is not 0, or the upper one is negative.
func (g *fn) uniqueHalf(in code.Inst, alive bool, yes func()) (slow *exits) {
	w := &g.w
	half := g.local(i32)
	slow = g.openExits(3)
	a, plus := g.counted(in.B, slow)
	w.get(a)
	w.mem(i32Load, plus+heap.RefCountOffset+4)
	w.tee(half)
	w.op(i32Eqz)
	g.openIf()
	if !alive {
		w.get(a)
		w.mem(i32Load, plus+heap.RefCountOffset)
		w.op(i32Eqz)
		w.exitIf(slow)
	}
	g.tally(w, TallyUnique)
	yes()
	g.join()
	w.get(half)
	w.i32(0)
	w.op(i32LtS)
	w.exitIf(slow)
	g.tally(w, TallyUnique)
	return slow
}

// asksUnique reports whether a block ends with a question for the only reference and a jump by the answer.
func (g *fn) asksUnique(b *block) bool {
	if b.end-b.start < 2 || g.raw(b.end-1).Op != code.JumpIf || g.raw(b.end-2).Op != code.IsUnique {
		return false
	}
	return b.inst(b.end-1).A == b.inst(b.end-2).A && g.state < 0
}

// branchUnique goes to one of two blocks, both of which are merge points, as the answer says.
func (g *fn) branchUnique(b *block, pc uint32, in code.Inst) {
	w := &g.w
	answer := func(yes bool) {
		n, to := uint64(0), 1
		if yes {
			n, to = 1, 0
		}
		w.i64(n)
		w.set(g.int(in.A))
		g.assigned(in.A)
		g.goTo(b.n, b.succs[to])
	}
	g.settle(in.B)
	alive := g.seenAlive(in.B)
	g.assigned(in.A)
	g.settleForms(b)
	slow := g.uniqueHalf(in, alive, func() { answer(true) })
	answer(false)
	g.closeExits(slow)
	g.uniqueAside(pc, in)
	g.get(in.A)
	w.op(i64Eqz)
	g.openIf()
	answer(false)
	g.join()
	answer(true)
}

// emitAlloc takes a small block from its class here, and asks the host for all others.
func emitAlloc(g *fn, _ *block, pc uint32, in code.Inst) {
	g.get(in.B)
	if in.Op == code.AllocObject {
		g.allocate(in.Imm&(1<<48-1), in.Imm>>48, pc)
		g.set(in.A)
		return
	}
	w := &g.w
	if in.Imm > 16 {
		g.get(in.C)
		w.i32(uint32(in.Imm))
		w.i32(pc)
		w.call(g.host.alloc)
		g.set(in.A)
		return
	}
	g.get(in.C)
	g.get(in.C)
	w.i64(heap.MaxSmall)
	w.op(i64GtU)
	w.begin(opIf, byte(i32)) // a class that has nothing leads to the host
	w.i32(0)
	w.op(opElse)
	g.get(in.C)
	w.i64(heap.ClassRound)
	w.op(i64Add)
	w.op(i32WrapI64)
	w.i32(heap.GranuleShift)
	w.op(i32ShrU)
	w.mem(i32Load8u, ClassTable)
	w.op(opEnd)
	w.i32(pc)
	w.call(g.alloc)
	g.set(in.A)
}

// allocate pops the metadata of an object and pushes a reference to the new object.
func (g *fn) allocate(size, align uint64, pc uint32) {
	class, small := heap.ClassFor(size)
	if small && align <= 16 {
		if f, ok := g.allocFor(class); ok {
			g.w.i64(uint64(pc)<<32 | size)
			g.w.call(f)
			return
		}
	}
	g.w.i64(size)
	if !small || align > 16 {
		g.w.i32(uint32(align))
		g.w.i32(pc)
		g.w.call(g.host.alloc)
		return
	}
	g.w.i32(uint32(class))
	g.w.i32(pc)
	g.w.call(g.alloc)
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
	if meta, ok := g.settled(in); ok && g.opts.Whole != nil {
		w.i64(meta)
		g.allocate(l.Size, l.Align, pc)
		g.set(in.A)
		return
	}
	meta := g.local(i64)
	zero := g.zeroed(g.area + constantsEnd)
	w.get(zero)
	w.mem(i64Load, at)
	w.tee(meta)
	w.i64(0)
	w.op(i64Ne)
	g.openIf()
	w.get(meta)
	g.allocate(l.Size, l.Align, pc)
	w.set(g.int(in.A))
	w.op(opElse)
	g.cold(func() {
		g.exec(pc, in)
		a, plus := g.address(in.A, 0, 0, 0, nil)
		w.get(zero)
		w.get(a)
		w.mem(i64Load, plus)
		w.mem(i64Store, at)
	})
	g.join()
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
	return g.area + constants + 8*uint64(n), true
}

func emitDealloc(g *fn, _ *block, pc uint32, in code.Inst) {
	g.get(in.A)
	g.w.i32(pc)
	g.w.call(g.dealloc)
}

// emitInitStack makes an object of memory of the stack.
func emitInitStack(g *fn, _ *block, _ uint32, in code.Inst) {
	a, plus := g.address(in.A, 0, 0, 0, nil)
	g.w.get(a)
	g.get(in.B)
	g.w.mem(i64Store, plus)
	g.w.get(a)
	g.w.i64(heap.StackWord)
	g.w.mem(i64Store, plus+heap.RefCountOffset)
	g.tally(&g.w, TallyAllocStack)
}

// emitSetDeiniting begins the deinit of an object of the stack that has no second reference; others are left to the interpreter.
func emitSetDeiniting(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	g.settle(in.A)
	done := g.openBlock()
	slow := g.openExits(2)
	a, plus := g.counted(in.A, slow)
	w.get(a)
	w.mem(i64Load, plus+heap.RefCountOffset)
	w.i64(heap.StackWord)
	w.op(i64Ne)
	w.exitIf(slow)
	w.get(a)
	w.i64(heap.StackDeiniting)
	w.mem(i64Store, plus+heap.RefCountOffset)
	g.tally(w, TallyDeinit)
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
}

func emitDeallocPartial(g *fn, _ *block, pc uint32, in code.Inst) {
	g.get(in.A)
	g.w.i32(pc)
	g.w.call(g.deallocPartial)
	g.openRare()
	g.otherwise(pc, in)
}

// emitCheckAccess checks an access in which nothing nests.
func emitCheckAccess(g *fn, _ *block, pc uint32, in code.Inst) {
	g.checkAccess(pc, in, int64(in.Imm)>>1, func() {})
}

// checkAccess has the interpreter do the begin of an access at register A plus off that nothing nests in, if it may conflict with an open one; else
// fine is what there is to do.
func (g *fn) checkAccess(pc uint32, in code.Inst, off int64, fine func()) {
	w := &g.w
	g.settle(in.A)
	done := g.openBlock()
	slow := g.openExits(2)
	w.getGlobal(globalAccesses)
	w.op(i64Eqz)
	w.begin(opIf, noResult)
	w.op(opElse)
	g.get(in.A)
	g.add(off)
	w.i64(in.Imm & modifies)
	w.call(g.conflict)
	w.exitIf(slow)
	w.op(opEnd)
	fine()
	g.tally(w, TallyAccess)
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
}

// Bits of an operation that begins an access: it modifies, and nothing nests in it.
const (
	modifies     = 1
	nothingNests = 2
)

func emitBeginAccess(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	if in.Imm&nothingNests != 0 {
		g.checkAccess(pc, in, 0, func() {
			w.i64(0)
			w.set(g.int(in.B))
		})
		g.assigned(in.B)
		return
	}
	token := g.local(i64) // register B may be A
	g.settle(in.A)
	g.get(in.A)
	w.i64(uint64(pc)<<1 | in.Imm&modifies)
	w.call(g.beginAccess)
	w.tee(token)
	w.i64(0)
	w.op(i64Ne)
	g.openIf()
	w.get(token)
	w.set(g.int(in.B))
	w.op(opElse)
	g.otherwise(pc, in)
	g.assigned(in.B)
}

// emitEndAccess ends the access that began last; others are for the interpreter.
func emitEndAccess(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	g.get(in.B)
	w.op(i64Eqz)
	g.openRare()
	last := g.local(i32)
	w.openAccess(last)
	w.get(last)
	w.i32(code.AccessSize)
	w.op(i32Sub)
	w.mem(i64Load, g.area+Open+code.AccessToken)
	w.get(g.int(in.B))
	w.op(i64Eq)
	g.openIf()
	w.getGlobal(globalAccesses)
	w.i64(1)
	w.op(i64Sub)
	w.setGlobal(globalAccesses)
	w.op(opElse)
	g.otherwise(pc, in)
	g.join()
}

// emitConstant emits the address of something that has one from its first use on. It is kept in the control area then.
func emitConstant(g *fn, _ *block, pc uint32, in code.Inst) {
	if addr, ok := g.settled(in); ok && g.opts.Whole != nil {
		g.w.i64(addr)
		g.set(in.A)
		return
	}
	at, ok := g.constant(in)
	if !ok {
		g.exec(pc, in)
		return
	}
	zero := g.zeroed(g.area + constantsEnd)
	g.w.get(zero)
	g.w.mem(i64Load, at)
	g.w.tee(g.int(in.A))
	g.w.i64(0)
	g.w.op(i64Ne)
	g.openRare()
	g.cold(func() { g.exec(pc, in) })
	g.w.get(zero)
	g.w.get(g.int(in.A))
	g.w.mem(i64Store, at)
	g.join()
	g.assigned(in.A)
}

// emitObjectType loads the metadata of an object; that there is such a record the host sees first.
func emitObjectType(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	g.settle(in.B)
	t, n := g.local(i64), g.local(i64)
	done := g.openBlock()
	slow := g.openExits(3)
	a, plus := g.address(in.B, 0, 0, 0, slow)
	w.get(a)
	w.mem(i64Load, plus)
	w.tee(t)
	g.record(recordTypes, n, slow)
	w.get(n)
	w.op(i32WrapI64)
	w.mem(i32Load8u, g.area+Known)
	w.op(i32Eqz)
	w.exitIf(slow)
	w.get(t)
	w.set(g.int(in.A))
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
	g.assigned(in.A)
}

// emitStrongFromUnowned retains an object that may be deiniting or gone: that is for the interpreter, and so are counts in side tables.
func emitStrongFromUnowned(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	word := g.local(i64)
	g.settle(in.A)
	done := g.openBlock()
	slow := g.openExits(1 + liveExits)
	a, plus := g.counted(in.A, slow)
	w.get(a)
	w.mem(i64Load, plus+heap.RefCountOffset)
	w.set(word)
	w.unlessLive(word, slow)
	w.get(a)
	w.get(word)
	w.mem(i64Store, plus+heap.RefCountOffset)
	g.tally(w, TallyUnownedLoad)
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
}

// emitWeakLoad makes a strong reference of a weak variable; the interpreter sees why there is none.
func emitWeakLoad(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	ref := g.local(i64)
	g.settle(in.B)
	done := g.openBlock()
	slow := g.openExits(1)
	g.get(in.B)
	w.call(g.weakLoad)
	w.tee(ref)
	w.op(i64Eqz)
	w.exitIf(slow)
	w.get(ref)
	w.set(g.int(in.A))
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
	g.assigned(in.A)
}

// emitCastClass asks whether an object is an instance of a class. What was asked before is noted; the interpreter answers the rest.
func emitCastClass(g *fn, _ *block, pc uint32, in code.Inst) {
	if g.opts.Whole != nil {
		g.exec(pc, in)
		g.assigned(in.A)
		return
	}
	w := &g.w
	g.settle(in.B)
	g.settle(in.C)
	object, class, key, answer := g.local(i64), g.local(i64), g.local(i32), g.local(i32)
	done := g.openBlock()
	slow := g.openExits(4)
	a, plus := g.address(in.B, 0, 0, 0, slow)
	w.get(a)
	w.mem(i64Load, plus)
	g.record(recordTypes, object, slow)
	g.get(in.C)
	g.record(recordTypes, class, slow)
	w.get(object)
	w.get(class)
	w.i64(castShift)
	w.op(i64Shl, i64Or, i32WrapI64)
	w.tee(key)
	w.i32(castSpread)
	w.op(i32Mul)
	w.i32(castDrop)
	w.op(i32ShrU)
	w.i32(2)
	w.op(i32Shl)
	w.mem(i32Load, g.area+Casts)
	w.get(key)
	w.op(i32Sub)
	w.i32(castYes)
	w.op(i32Sub)
	w.tee(answer)
	w.i32(^uint32(castNo - castYes)) // either of the two leaves 0
	w.op(i32And)
	w.exitIf(slow)
	w.get(answer)
	w.op(i32Eqz, i64ExtendI32U)
	w.set(g.int(in.A))
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
	g.assigned(in.A)
}

// record pops the address of a static record and puts its number into a local; it leaves by slow when the address is none of those that lie side by side.
func (g *fn) record(kind, n int, slow *exits) { g.recordNumber(&g.w, kind, n, slow) }
