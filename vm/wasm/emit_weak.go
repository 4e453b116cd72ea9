package wasm

import (
	"silvm/heap"
	"silvm/vm/code"
)

// Weak variables and unowned references: see heap/sidetable.go. The interpreter makes the side table of an object with the first weak reference to
// it, and frees the table with the last; it also says what is wrong.

// emitUnowned adds or drops an unowned reference to an object that has a count of its own and is alive or deiniting. The last one is the
// interpreter's.
func emitUnowned(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	word := g.local(i64)
	g.settle(in.A)
	done := g.openBlock()
	slow := g.openExits(3)
	a, plus := g.counted(in.A, slow)
	w.get(a)
	w.mem(i64Load, plus+heap.RefCountOffset)
	w.tee(word)
	w.i64(0)
	w.op(i64LtS)
	w.exitIf(slow)
	w.get(word)
	w.op(i32WrapI64)
	o, least, tally := i64Add, heap.UnownedOne, uint64(TallyUnownedRetain)
	if in.Op == code.ReleaseUnowned {
		o, least, tally = i64Sub, 2*heap.UnownedOne, TallyUnownedRelease
	}
	w.i32(uint32(least))
	w.op(i32Sub)
	w.i32(1<<31 - 1) // what is below, and what has half of the room for the count
	w.op(i32GtU)
	w.exitIf(slow)
	w.get(a)
	w.get(word)
	w.i64(heap.UnownedOne)
	w.op(o)
	w.mem(i64Store, plus+heap.RefCountOffset)
	g.tally(w, tally)
	g.br(done)
	g.closeExits(slow)
	g.otherwise(pc, in)
}

// emitWeakStore begins or assigns a weak variable.
func emitWeakStore(g *fn, _ *block, pc uint32, in code.Inst) {
	w := &g.w
	g.get(in.A)
	g.get(in.B)
	assign := uint32(0)
	if in.Op == code.WeakAssign {
		assign = 1
	}
	w.i32(assign)
	w.call(g.weakStore)
	g.openRare()
	g.otherwise(pc, in)
}

// emitWeakDestroy ends a weak variable.
func emitWeakDestroy(g *fn, _ *block, pc uint32, in code.Inst) {
	g.get(in.A)
	g.w.call(g.weakDestroy)
	g.openRare()
	g.otherwise(pc, in)
}

// entryExits is how many exits entry has.
const entryExits = 5

// entry puts the offset of the side table that a weak variable at an offset names, 0 for nil, into a local; it takes an exit where that is no
// side table, or the variable is its last reference.
func (w *writer) entry(slot, to, wide int, slow *exits) {
	w.i32(0)
	w.set(to)
	w.get(slot)
	w.mem(i64Load, Linear)
	w.tee(wide)
	w.op(i64Eqz, i32Eqz)
	w.begin(opIf, noResult)
	w.object(wide, to, wide, slow)
	w.mark(to)
	w.i32(uint32(heap.MarkSide))
	w.op(i32Ne)
	w.exitIf(slow)
	w.get(to)
	w.mem(i64Load32u, Linear+heap.SideWeak)
	w.i64(1)
	w.op(i64Sub)
	w.i64(1)
	w.op(i64LtS)
	w.exitIf(slow)
	w.op(opEnd)
}

// addWeak adds n to the weak count of the side table at an offset.
func (w *writer) addWeak(at int, n int64) {
	w.get(at)
	w.get(at)
	w.mem(i64Load32u, Linear+heap.SideWeak)
	w.i64(uint64(n))
	w.op(i64Add)
	w.mem(i64Store32, Linear+heap.SideWeak)
}

// weakStoreHelper is (address of a weak variable, ref, whether it has a value so far) -> whether the variable refers to the object now.
func (t *translator) weakStoreHelper(w *writer) {
	const slot, ref, assign, at, old, entry, word, wide = 0, 1, 2, 3, 4, 5, 6, 7
	slow := w.openExits(4 + entryExits + liveExits)
	w.offset(slot, wide, slow)
	w.get(wide)
	w.op(i32WrapI64)
	w.set(at)
	w.probe(at, Linear+8)
	w.get(assign)
	w.begin(opIf, noResult)
	w.entry(at, old, wide, slow)
	w.op(opEnd)
	w.get(ref)
	w.i64(0)
	w.op(i64GtS)
	w.begin(opIf, noResult)
	w.offset(ref, wide, slow)
	w.get(wide)
	w.op(i32WrapI64)
	w.mem(i64Load, Linear+heap.RefCountOffset)
	w.call(t.side)
	w.tee(entry)
	w.op(i32Eqz)
	w.exitIf(slow)
	w.get(entry)
	w.mem(i64Load, Linear)
	w.set(word)
	w.unlessLive(word, slow)
	w.get(entry)
	w.i32(heap.SideWord)
	w.op(i32Sub)
	w.tee(entry)
	w.mem(i64Load32u, Linear+heap.SideWeak)
	w.i64(heap.MaxWeak)
	w.op(i64Eq)
	w.exitIf(slow)
	w.addWeak(entry, 1)
	w.get(entry)
	w.op(i64ExtendI32U)
	w.i64(heap.Base)
	w.op(i64Add)
	w.set(word)
	w.op(opElse)
	w.i64(0)
	w.set(word)
	w.op(opEnd)
	w.get(at)
	w.get(word)
	w.mem(i64Store, Linear)
	w.get(old)
	w.begin(opIf, noResult)
	w.addWeak(old, -1)
	w.op(opEnd)
	t.tally(w, TallyWeakStore)
	w.i32(1)
	w.op(opReturn)
	w.closeExits(slow)
	w.i32(0)
}

// weakDestroyHelper is (address of a weak variable) -> whether it is nil now and refers to nothing.
func (t *translator) weakDestroyHelper(w *writer) {
	const slot, at, old, wide = 0, 1, 2, 3
	slow := w.openExits(1 + entryExits)
	w.offset(slot, wide, slow)
	w.get(wide)
	w.op(i32WrapI64)
	w.set(at)
	w.entry(at, old, wide, slow)
	w.get(old)
	w.begin(opIf, noResult)
	w.addWeak(old, -1)
	w.get(at)
	w.i64(0)
	w.mem(i64Store, Linear)
	w.op(opEnd)
	t.tally(w, TallyWeakDestroy)
	w.i32(1)
	w.op(opReturn)
	w.closeExits(slow)
	w.i32(0)
}
