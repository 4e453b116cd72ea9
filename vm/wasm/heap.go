package wasm

import "silvm/heap"

// The helpers do what package heap does in the ordinary case, on the state that the heap shares: see
// heap.AllocObject, heap.Release and heap.DeallocObject. The state is never what the program made: where the heap's marks say that an
// object starts, one does. Every other case is the host's.

// marksObject is the least mark of an object in use.
const marksObject uint32 = uint32(heap.MarkLive | heap.MarkObject)

// allHelpers writes the functions that modules may need.
func (t *translator) allHelpers() {
	t.destroys = t.mod.typ(words(1), words(2))
	t.execer = t.helper([]valtype{i32}, []valtype{i32}, []valtype{i32}, t.execHelper)
	t.side = t.helper([]valtype{i64}, []valtype{i32}, []valtype{i32, i64}, t.sideHelper)
	t.aliveSlow = t.helper([]valtype{i64, i64}, nil, []valtype{i32, i64}, t.aliveHelper)
	t.unique = t.helper([]valtype{i64}, []valtype{i64}, []valtype{i32, i64}, t.uniqueHelper)
	t.retain = t.helper([]valtype{i64}, nil, []valtype{i32, i64, i64}, t.retainHelper)
	t.alloc = t.helper([]valtype{i64, i64, i32, i32}, []valtype{i64}, []valtype{i32, i32, i32, i64, i64, i32}, t.allocHelper)
	t.release = t.helper([]valtype{i64, i32}, nil, []valtype{i32, i64, i32, i32, i64, i64}, t.releaseHelper)
	t.weakLoad = t.helper([]valtype{i64}, []valtype{i64}, []valtype{i32, i64, i64}, t.weakHelper)
	t.weakStore = t.helper([]valtype{i64, i64, i32}, []valtype{i32}, []valtype{i32, i32, i32, i64, i64}, t.weakStoreHelper)
	t.weakDestroy = t.helper([]valtype{i64}, []valtype{i32}, []valtype{i32, i32, i64}, t.weakDestroyHelper)
	t.conflict = t.helper([]valtype{i64, i64}, []valtype{i32}, []valtype{i32}, t.conflictHelper)
	t.beginAccess = t.helper([]valtype{i64, i64}, []valtype{i64}, []valtype{i64, i32, i32}, t.beginHelper)
	locals := []valtype{i32, i32, i32, i32, i64, i32, i32}
	t.dealloc = t.helper([]valtype{i64, i32}, nil, locals, t.deallocHelper)
	t.deallocPartial = t.helper([]valtype{i64, i32}, []valtype{i32}, locals, t.deallocPartialHelper)
	t.newFrame = t.helper([]valtype{i64, i32, i32}, []valtype{i64}, []valtype{i32, i32, i32}, t.frameHelper)
	t.endFrame = t.helper([]valtype{i64, i32}, []valtype{i32}, locals, t.frameEndHelper)
	t.nativeHelpers()
	if t.opts.Whole != nil {
		t.globalsHelpers()
	}
	t.reserveAllocs()
}

// helper adds a function; f writes its body, whose first locals are the parameters.
func (t *translator) helper(params, results, locals []valtype, f func(w *writer)) int {
	var w writer
	f(&w)
	w.op(opEnd)
	t.mod.funcs = append(t.mod.funcs, t.mod.typ(params, results))
	t.mod.bodies = append(t.mod.bodies, body(locals, w.b))
	t.helpers = append(t.helpers, w.calls)
	return t.mod.nimport + len(t.mod.funcs) - 1
}

// dropHelpers leaves out the bodies of the helpers that nothing calls, for the compiler to have less to do.
func (t *translator) dropHelpers() {
	first := t.mod.nimport
	for k := len(t.helpers) - 1; k >= 0; k-- { // one calls others before it only
		if t.used>>(first+k)&1 != 0 {
			t.used |= t.helpers[k]
		} else {
			t.mod.bodies[k] = nobody
		}
	}
}

// retainHelper is (ref): what is not a matter of the count in the object. Null and negative words are no references.
func (t *translator) retainHelper(w *writer) {
	const ref, at, wide, sum = 0, 1, 2, 3
	w.get(ref)
	w.i64(0)
	w.op(i64LeS)
	w.begin(opIf, noResult)
	t.tally(w, TallyRetain)
	w.op(opReturn, opEnd)
	t.countAside(w, ref, at, wide, sum, i64Add, TallyRetain)
	w.get(ref)
	w.call(t.host.retain)
}

// frameHelper is (size, class, pc) -> the address of a block for the memory frame of a coroutine; 0 for what is a case of the host.
func (t *translator) frameHelper(w *writer) {
	const size, class, pc, record, head, i = 0, 1, 2, 3, 4, 5
	slow := w.openExits(1)
	w.take(class, record, head, i, slow)
	w.markBlock(i, class, uint32(heap.MarkLive))
	w.probe(i, Linear)
	w.word(i, Linear-heap.SerialBefore, func() { w.i64(uint64(heap.KindStack)) })
	w.word(i, Linear-heap.SizeBefore, func() { w.siteAndSize(pc, size) })
	w.word(i, Linear-heap.LastReleaseBefore, func() { w.i64(0) })
	w.get(i)
	w.op(i64ExtendI32U)
	w.i64(heap.Base)
	w.op(i64Add, opReturn)
	w.closeExits(slow)
	w.i64(0)
}

// frameEndHelper is (address, pc) -> whether the block of a coroutine's memory frame is given back.
func (t *translator) frameEndHelper(w *writer) {
	const wide, zero = freeWide, freeZero
	slow := w.openExits(freeExits)
	w.object(freeRef, freeAt, wide, slow)
	w.get(freeAt)
	w.i32(heap.GranuleShift)
	w.op(i32ShrU)
	w.tee(freeGranule)
	w.mem(i32Load8u, marks)
	w.tee(freeMark)
	w.i32(uint32(heap.MarkLive | heap.MarkObject))
	w.op(i32And)
	w.i32(uint32(heap.MarkLive))
	w.op(i32Ne)
	w.exitIf(slow)
	w.get(freeAt)
	w.mem(i32Load8u, Linear-heap.SerialBefore)
	w.i32(uint32(heap.KindStack))
	w.op(i32Ne)
	w.exitIf(slow)
	w.get(freeMark)
	w.i32(uint32(heap.MarkClass))
	w.op(i32And)
	w.ring(slow)
	w.put()
	w.i32(1)
	w.op(opReturn)
	w.closeExits(slow)
	w.i32(0)
}

// bump stores one more than a local of 64 bits holds; zero is a local that is 0.
func (w *writer) bump(zero int, at uint64, local int) {
	w.get(zero)
	w.get(local)
	w.i64(1)
	w.op(i64Add)
	w.mem(i64Store, at)
}

// object takes an exit unless the i64 in local ref may be a reference to an object that the heap has made: it is a multiple of 16
// in reach of the shared marks. Its offset goes to local at.
func (w *writer) object(ref, at, wide int, slow *exits) {
	w.get(ref)
	w.i64(heap.Base)
	w.op(i64Sub)
	w.tee(wide)
	w.i64(heap.SharedReach - 1)
	w.op(i64GtU)
	w.exitIf(slow)
	w.get(wide)
	w.op(i32WrapI64)
	w.tee(at)
	w.i32(15)
	w.op(i32And)
	w.exitIf(slow)
	w.probe(at, Linear+heap.RefCountOffset+8)
}

// wordIs takes an exit unless the refcount word of the object at an offset is this.
func (w *writer) wordIs(at int, word uint64, slow *exits) {
	w.get(at)
	w.mem(i64Load, Linear+heap.RefCountOffset)
	w.i64(word)
	w.op(i64Ne)
	w.exitIf(slow)
}

// classOf leaves the record of the class of blocks that mark m names in record; it takes an exit for a big block, which is of none.
func (w *writer) classOf(m, record int, slow *exits) {
	w.get(m)
	w.i32(uint32(heap.MarkClass))
	w.op(i32And)
	w.tee(record)
	w.i32(uint32(heap.ClassBig))
	w.op(i32GeU)
	w.exitIf(slow)
	w.get(record)
	w.i32(heap.ClassShift)
	w.op(i32Shl)
	w.set(record)
}

// mark pushes the mark at an offset.
func (w *writer) mark(at int) {
	w.get(at)
	w.i32(heap.GranuleShift)
	w.op(i32ShrU)
	w.mem(i32Load8u, marks)
}

// releaseHelper is (ref, pc): a release that is not a matter of the count. The commonest end is one strong reference and nothing else.
func (t *translator) releaseHelper(w *writer) {
	const ref, pc, at, wide, to, side, word, sum = 0, 1, 2, 3, 4, 5, 6, 7
	w.begin(opBlock, noResult) // what destroys the object is known
	known := w.depth()
	destroyer := func() {
		unknown := w.openExits(2)
		w.get(at)
		w.mem(i64Load, Linear)
		t.recordNumber(w, recordTypes, wide, unknown)
		w.get(wide)
		w.op(i32WrapI64)
		w.i32(2)
		w.op(i32Shl)
		w.mem(i32Load, t.area+Destroyers)
		w.tee(to)
		w.op(i32Eqz)
		w.exitIf(unknown)
		t.tally(w, TallyDeinit)
		w.to(opBr, known)
		w.closeExits(unknown)
		w.get(ref)
		w.get(pc)
		t.hand(w, func() { w.call(t.host.destroyer) }, to)
		w.get(to)
		w.to(opBrIf, known)
		w.op(opReturn)
	}
	other := w.openExits(4)
	w.object(ref, at, wide, other)
	w.wordIs(at, heap.FreshWord, other)
	w.mark(at)
	w.i32(marksObject)
	w.op(i32LtU)
	w.exitIf(other)
	w.word(at, Linear+heap.RefCountOffset, func() { w.i64(heap.DeinitingWord) })
	w.get(at)
	w.get(pc)
	w.mem(i32Store, Linear-heap.LastReleaseBefore)
	t.tally(w, TallyRelease)
	destroyer()
	w.closeExits(other)
	w.get(ref)
	w.i64(0)
	w.op(i64LeS)
	w.begin(opIf, noResult)
	t.tally(w, TallyRelease)
	w.op(opReturn, opEnd)
	t.countAside(w, ref, side, word, sum, i64Sub, TallyRelease)
	slow := w.openExits(3) // the host's cases
	w.object(ref, at, wide, slow)
	w.wordIs(at, heap.StackWord, slow) // the second unit says that it is an object
	w.word(at, Linear+heap.RefCountOffset, func() { w.i64(heap.StackDeiniting) })
	w.mark(at)
	w.i32(marksObject)
	w.op(i32GeU)
	w.begin(opIf, noResult)
	w.get(at)
	w.get(pc)
	w.mem(i32Store, Linear-heap.LastReleaseBefore)
	w.op(opEnd)
	t.tally(w, TallyRelease)
	destroyer()
	w.closeExits(slow)
	w.get(ref)
	w.get(pc)
	t.hand(w, func() { w.call(t.host.release) }, to)
	w.get(to)
	w.with(opBrIf, 0)
	w.op(opReturn, opEnd)
	t.tally(w, TallyCall)
	w.get(ref)
	w.get(to)
	w.callIndirect(t.destroys)
	w.op(opDrop, opDrop)
}

// deallocHelper is (ref, pc): the end of an object whose deinit has run.
func (t *translator) deallocHelper(w *writer) {
	slow := w.openExits(freeExits) // the host's cases
	t.free(w, slow, func() { w.wordIs(freeAt, heap.DeinitingWord, slow) })
	w.op(opReturn)
	w.closeExits(slow)
	slow = w.openExits(3)
	w.object(freeRef, freeAt, freeWide, slow)
	w.wordIs(freeAt, heap.StackDeiniting, slow)
	w.get(freeAt)
	w.i64(heap.StackEnded)
	w.mem(i64Store, Linear+heap.RefCountOffset)
	t.tally(w, TallyDealloc)
	w.op(opReturn)
	w.closeExits(slow)
	w.get(freeRef)
	w.get(freePC)
	w.call(t.host.dealloc)
}

// deallocPartialHelper is (ref, pc): the end of an object that was not initialized, whatever its strong count; 0 for what is a case of the host.
func (t *translator) deallocPartialHelper(w *writer) {
	slow := w.openExits(freeExits)
	t.free(w, slow, func() { // neither dead nor with a side table, and no unowned reference
		w.get(freeAt)
		w.mem(i64Load, Linear+heap.RefCountOffset)
		w.tee(freeWide)
		w.i64(0)
		w.op(i64LtS)
		w.exitIf(slow)
		w.get(freeWide)
		w.op(i32WrapI64)
		w.i32(uint32(heap.FreshWord & (1<<32 - 1)))
		w.op(i32Ne)
		w.exitIf(slow)
	})
	w.i32(1)
	w.op(opReturn)
	w.closeExits(slow)
	w.i32(0)
}

// The locals of free: its parameters first.
const (
	freeRef = iota
	freePC
	freeAt
	freeMark
	freeRecord
	freeTail
	freeWide
	freeZero // is 0
	freeGranule
)

// freeExits is how many exits free and its test have.
const freeExits = 8

// free gives the block of an object back to its class; it takes an exit, as test does, when it can't.
func (t *translator) free(w *writer, slow *exits, test func()) {
	const ref, at, m, class, wide, zero, granule = freeRef, freeAt, freeMark, freeRecord, freeWide, freeZero, freeGranule
	w.object(ref, at, wide, slow)
	test()
	w.get(at)
	w.i32(heap.GranuleShift)
	w.op(i32ShrU)
	w.tee(granule)
	w.mem(i32Load8u, marks)
	w.tee(m)
	w.i32(marksObject)
	w.op(i32Sub)
	w.ring(slow)
	// The size from the block's header must be no more than the block holds, nor than all that is alive.
	w.get(at)
	w.mem(i64Load32u, Linear-heap.SizeBefore)
	w.tee(wide)
	w.get(class)
	w.mem(i64Load32u, state+heap.ClassTotal)
	w.i64(heap.BlockHeader)
	w.op(i64Sub, i64GtU)
	w.exitIf(slow)
	w.probe(zero, state+heap.CountMax+8)
	w.get(wide)
	w.get(zero)
	w.mem(i64Load, state+heap.CountBytes)
	w.op(i64GtU)
	w.exitIf(slow)
	w.get(zero)
	w.get(zero)
	w.mem(i64Load, state+heap.CountBytes)
	w.get(wide)
	w.op(i64Sub)
	w.mem(i64Store, state+heap.CountBytes)
	w.get(zero)
	w.get(zero)
	w.mem(i64Load, state+heap.CountLive)
	w.i64(1)
	w.op(i64Sub)
	w.mem(i64Store, state+heap.CountLive)
	w.get(at)
	w.i64(heap.FreedWord)
	w.mem(i64Store, Linear+heap.RefCountOffset)
	w.put()
	t.tally(w, TallyDealloc)
}

// ring pops the number of the class of a block and finds its record, and the end of its queue; it takes an exit for a big block, which is of no class, and
// when there is no room. The locals are those of free.
func (w *writer) ring(slow *exits) {
	r := record{freeRecord, state}
	w.tee(freeRecord)
	w.i32(uint32(heap.ClassBig))
	w.op(i32GeU)
	w.exitIf(slow)
	w.get(freeRecord)
	w.i32(heap.ClassShift)
	w.op(i32Shl)
	w.set(freeRecord)
	w.probe(freeRecord, state+heap.ClassQueue+4)
	w.queued(r, heap.ClassTail, freeTail)
	w.field(r, heap.ClassSlots)
	w.op(i32Eq)
	w.exitIf(slow)
}

// put gives the block back to its class, after the others in the queue.
func (w *writer) put() {
	r := record{freeRecord, state}
	w.get(freeAt)
	w.get(freePC)
	w.mem(i32Store, Linear-heap.FreeSiteBefore)
	w.get(freeGranule)
	w.get(freeMark)
	w.i32(uint32(^heap.MarkLive))
	w.op(i32And)
	w.mem(i32Store8, marks)
	w.slot(r, freeTail)
	w.get(freeAt)
	w.mem(i32Store, 0)
	w.pass(r, heap.ClassTail, freeTail)
}

// least puts the lesser of two values of 64 bits, unsigned, into a local. x and y are written twice.
func (w *writer) least(x, y func(), to int) {
	x()
	y()
	x()
	y()
	w.op(i64LtU, opSelect)
	w.set(to)
}

// recordNumber pops the address of a static record and puts its number into a local; it takes an exit when the address is none of those
// that lie side by side.
func (t *translator) recordNumber(w *writer, kind, n int, slow *exits) {
	t.recordOf(w, kind, n)
	w.i64(t.records.Counts[kind])
	w.op(i64GeU)
	w.exitIf(slow)
}

// recordOf pops an address, puts the number of the static record there into a local and pushes it: a great number when there is none.
func (t *translator) recordOf(w *writer, kind, n int) {
	w.i64(t.records.Bases[kind])
	w.op(i64Sub)
	w.i64(uint64(recordShifts[kind])) // other addresses become large numbers
	w.op(i64Rotr)
	w.tee(n)
}
