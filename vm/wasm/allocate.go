package wasm

import (
	"slices"

	"silvm/heap"
)

// Small blocks: objects from the classes of them, which package heap keeps.

// allocation is where the parts of the code that makes an object have what they need.
type allocation struct {
	meta, zero, head, i, n, m int // locals
	record                    record
	size, siteAndSize, mark   func() // push them
}

// allocHelper is (metadata, size, class, pc): an object of a class of small blocks that it fits into.
func (t *translator) allocHelper(w *writer) {
	const meta, size, class, pc, at, head, i, n, m, zero = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
	slow := w.openExits(allocExits)
	w.get(class)
	w.i32(heap.ClassShift)
	w.op(i32Shl)
	w.set(at)
	w.probe(at, state+heap.ClassQueue+4)
	t.make(w, slow, allocation{meta, zero, head, i, n, m, record{at, state},
		func() { w.get(size) }, func() { w.siteAndSize(pc, size) }, func() {
			w.get(class)
			w.i32(marksObject)
			w.op(i32Or)
		}})
	w.closeExits(slow)
	w.get(meta)
	w.get(size)
	w.i32(16)
	w.get(pc)
	w.call(t.host.alloc)
}

// allocOf is (metadata, the site shifted by 32 and the size): an object of a class of small blocks. The compiler then knows where all that it counts lies.
func (t *translator) allocOf(w *writer, class uint8) {
	const meta, what, zero, head, i, n, m = 0, 1, 2, 3, 4, 5, 6
	size := func() {
		w.get(what)
		w.op(i32WrapI64, i64ExtendI32U)
	}
	slow := w.openExits(allocExits)
	t.make(w, slow, allocation{meta, zero, head, i, n, m, record{zero, state + uint64(class)<<heap.ClassShift},
		size, func() { w.get(what) }, func() { w.i32(uint32(class) | marksObject) }})
	w.closeExits(slow)
	w.get(meta)
	size()
	w.i32(16)
	w.get(what)
	w.i64(32)
	w.op(i64ShrU, i32WrapI64)
	w.call(t.host.alloc)
}

// allocExits is how many exits make has, for the host's cases.
const allocExits = 2

// make makes an object and returns it. No paths meet in it, as the compiler forgets there which addresses are in memory.
func (t *translator) make(w *writer, slow *exits, a allocation) {
	w.probe(a.zero, state+heap.CountMax+8)
	w.get(a.zero)
	w.mem(i64Load, state+heap.CountLive)
	w.tee(a.n)
	w.get(a.zero)
	w.mem(i64Load, state+heap.CountMax)
	w.op(i64GeU)
	w.exitIf(slow)
	fresh := w.openExits(1)
	w.field(a.record, heap.ClassKeep)
	w.queued(a.record, heap.ClassHead, a.head)
	w.op(i32GeU)
	w.exitIf(fresh)
	w.slot(a.record, a.head)
	w.mem(i32Load, 0)
	w.set(a.i)
	w.pass(a.record, heap.ClassHead, a.head)
	t.object(w, a)
	w.closeExits(fresh)
	w.again(a.zero)
	w.probe(a.zero, state+heap.CountMax+8)
	w.unused(a.record, a.i, slow)
	t.object(w, a)
}

// object counts one object more, writes the head of the block at the offset in local i, and returns its address.
func (t *translator) object(w *writer, a allocation) {
	w.bump(a.zero, state+heap.CountLive, a.n)
	w.get(a.zero)
	w.mem(i64Load, state+heap.CountObjects)
	w.set(a.n)
	w.bump(a.zero, state+heap.CountObjects, a.n)
	w.get(a.zero)
	w.get(a.zero)
	w.mem(i64Load, state+heap.CountBytes)
	a.size()
	w.op(i64Add)
	w.tee(a.m)
	w.mem(i64Store, state+heap.CountBytes)
	w.get(a.zero)
	w.get(a.m)
	w.get(a.zero)
	w.mem(i64Load, state+heap.CountPeak)
	w.get(a.m)
	w.get(a.zero)
	w.mem(i64Load, state+heap.CountPeak)
	w.op(i64GtU, opSelect)
	w.mem(i64Store, state+heap.CountPeak)
	w.get(a.i)
	w.i32(heap.GranuleShift)
	w.op(i32ShrU)
	a.mark()
	w.mem(i32Store8, marks)
	w.probe(a.i, Linear+heap.RefCountOffset+8)
	w.word(a.i, Linear-heap.SerialBefore, func() {
		w.get(a.n)
		w.i64(1)
		w.op(i64Add)
		w.i64(8)
		w.op(i64Shl)
		w.i64(uint64(heap.KindObject))
		w.op(i64Or)
	})
	w.word(a.i, Linear-heap.SizeBefore, a.siteAndSize)
	w.word(a.i, Linear-heap.LastReleaseBefore, func() { w.i64(0) })
	w.word(a.i, Linear, func() { w.get(a.meta) })
	w.word(a.i, Linear+heap.RefCountOffset, func() { w.i64(heap.FreshWord) })
	w.get(a.i)
	w.op(i64ExtendI32U)
	w.i64(heap.Base)
	w.op(i64Add)
	t.tally(w, TallyAlloc)
	w.op(opReturn)
}

// record is the record of a class of blocks, so far after what a local holds.
type record struct {
	local int
	at    uint64
}

// field pushes a field of a class.
func (w *writer) field(r record, at uint64) {
	w.get(r.local)
	w.mem(i32Load, r.at+at)
}

// allocs is for how many classes a module has an allocOf.
const allocs = 8

// allocFor returns the number of the allocOf of a class; there may be none left.
func (t *translator) allocFor(class uint8) (number int, ok bool) {
	k := slices.Index(t.allocOfs, class)
	if k < 0 {
		if k = len(t.allocOfs); k == allocs {
			return 0, false
		}
		t.allocOfs = append(t.allocOfs, class)
		var w writer
		t.allocOf(&w, class)
		w.op(opEnd)
		t.mod.bodies[t.firstAlloc-t.mod.nimport+k] = body([]valtype{i32, i32, i32, i64, i64}, w.b)
	}
	return t.firstAlloc + k, true
}

// reserveAllocs adds the functions that allocFor writes.
func (t *translator) reserveAllocs() {
	t.firstAlloc = t.mod.nimport + len(t.mod.funcs)
	for range allocs {
		t.mod.funcs = append(t.mod.funcs, t.mod.typ(words(2), words(1)))
		t.mod.bodies = append(t.mod.bodies, nobody)
	}
}

// slot pushes the address of the entry of a class's queue that local n counts.
func (w *writer) slot(r record, n int) {
	w.field(r, heap.ClassQueue)
	w.get(n)
	w.field(r, heap.ClassSlots)
	w.i32(1)
	w.op(i32Sub, i32And)
	w.i32(2)
	w.op(i32Shl, i32Add)
}

// queued pushes how many blocks the queue of a class has. The number of the end that is asked for, heap.ClassHead or heap.ClassTail, goes to
// a local too.
func (w *writer) queued(r record, end uint64, local int) {
	load := func(at uint64) {
		w.field(r, at)
		if at == end {
			w.tee(local)
		}
	}
	load(heap.ClassTail)
	load(heap.ClassHead)
	w.op(i32Sub)
}

// pass moves an end of a class's queue, whose number is in a local, one on.
func (w *writer) pass(r record, end uint64, local int) {
	w.get(r.local)
	w.get(local)
	w.i32(1)
	w.op(i32Add)
	w.mem(i32Store, r.at+end)
}

// unused puts the offset of a block of a class that was never used into local i; it takes an exit when the class has none.
func (w *writer) unused(r record, i int, slow *exits) {
	w.field(r, heap.ClassNext)
	w.tee(i)
	w.field(r, heap.ClassEnd)
	w.op(i32Eq)
	w.exitIf(slow)
	w.get(r.local)
	w.get(i)
	w.field(r, heap.ClassTotal)
	w.op(i32Add)
	w.mem(i32Store, r.at+heap.ClassNext)
}

// markBlock gives the block at the offset in local i the mark of its class.
func (w *writer) markBlock(i, class int, mark uint32) {
	w.get(i)
	w.i32(heap.GranuleShift)
	w.op(i32ShrU)
	w.get(class)
	w.i32(mark)
	w.op(i32Or)
	w.mem(i32Store8, marks)
}

// word stores a value of 64 bits at the offset in local i, or beside it.
func (w *writer) word(i int, at uint64, value func()) {
	w.get(i)
	value()
	w.mem(i64Store, at)
}

// siteAndSize pushes the word of a block's header that says where it was made and how large it is.
func (w *writer) siteAndSize(pc, size int) {
	w.get(pc)
	w.op(i64ExtendI32U)
	w.i64(32)
	w.op(i64Shl)
	w.get(size)
	w.op(i64Or)
}

// take puts the offset of a free block of a class into local i; it takes an exit when the class has none.
func (w *writer) take(class, at, head, i int, slow *exits) {
	r := record{at, state}
	w.get(class)
	w.i32(heap.ClassShift)
	w.op(i32Shl)
	w.set(at)
	w.probe(at, state+heap.ClassQueue+4)
	w.queued(r, heap.ClassHead, head)
	w.field(r, heap.ClassKeep)
	w.op(i32GtU)
	w.begin(opIf, noResult)
	w.slot(r, head)
	w.mem(i32Load, 0)
	w.set(i)
	w.pass(r, heap.ClassHead, head)
	w.op(opElse)
	w.unused(r, i, slow)
	w.op(opEnd)
}
