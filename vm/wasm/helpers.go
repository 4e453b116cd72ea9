package wasm

import (
	"silvm/heap"
	"silvm/vm/code"
)

// Helpers besides those of heap.go: what goes to the host and back, and counts that are in side tables.

// save tells the host the globals that it wants to know, load takes what it says of them. zero is a local that is 0.
func (t *translator) save(w *writer, zero int) {
	w.probe(zero, t.area+Words+8*globalStop)
	for _, g := range [...]int{globalStack, globalAccesses, globalCalls} {
		w.get(zero)
		w.getGlobal(g)
		w.mem(i64Store, t.area+Words+8*uint64(g))
	}
}

func (t *translator) load(w *writer, zero int) {
	w.again(zero)
	w.probe(zero, t.area+Words+8*globalStop)
	for g := range globalStop {
		w.get(zero)
		w.mem(i64Load, t.area+Words+8*uint64(g))
		w.setGlobal(g)
	}
}

// hand does a call of the host that may run the program, and puts its result, an i32, into a local; that of its value is 0 before.
func (t *translator) hand(w *writer, call func(), result int) {
	w.i32(0)
	w.set(result)
	t.save(w, result)
	call()
	zero := result
	w.i32(0)
	w.set(zero)
	t.load(w, zero)
	w.set(result)
}

// execHelper is (site) -> threw.
func (t *translator) execHelper(w *writer) {
	const site, zero = 0, 1
	if t.opts.Whole != nil { // has no sites
		w.op(opUnreachable)
		return
	}
	t.save(w, zero)
	w.get(site)
	w.call(t.host.exec)
	t.load(w, zero)
}

// gate returns the number of a function that does what an entry does, for the host to call.
func (t *translator) gate(e Entry, number int) int {
	var w writer
	params, results := len(e.Params), e.Results+flagWords(e.Flag)
	t.load(&w, params)
	for k := range params {
		w.get(k)
	}
	w.call(number)
	t.save(&w, params)
	w.op(opEnd)
	t.mod.funcs = append(t.mod.funcs, t.mod.typ(words(params), words(results)))
	t.mod.bodies = append(t.mod.bodies, body([]valtype{i32}, w.b))
	return t.mod.nimport + len(t.mod.funcs) - 1
}

// sideHelper is (refcount word) -> the offset of the word in the side table that it names, 0 when there is none.
func (t *translator) sideHelper(w *writer) {
	const word, at, wide = 0, 1, 2
	none := w.openExits(4)
	w.get(word)
	w.i64(heap.SideMask)
	w.op(i64And)
	w.i64(heap.SideMask)
	w.op(i64Ne)
	w.exitIf(none)
	w.get(word)
	w.i64(^heap.SideMask)
	w.op(i64And)
	w.i64(heap.SideShift)
	w.op(i64Shl)
	w.set(wide)
	w.object(wide, at, wide, none)
	w.mark(at)
	w.i32(uint32(heap.MarkSide))
	w.op(i32Ne)
	w.exitIf(none)
	w.get(at)
	w.i32(heap.SideWord)
	w.op(i32Add, opReturn)
	w.closeExits(none)
	w.i32(0)
}

// aliveHelper is (ref, its refcount word, which is not positive): traps, or has the host do so, unless the object is alive.
func (t *translator) aliveHelper(w *writer) {
	const ref, word, at, aside = 0, 1, 2, 3
	slow := w.openExits(asideExits)
	t.wordAside(w, word, at, aside, slow)
	w.op(opReturn)
	w.closeExits(slow)
	w.get(ref)
	w.call(t.host.check)
}

// uniqueUnknown is the answer of uniqueHelper that leaves it to the interpreter.
const uniqueUnknown = 2

// uniqueHelper is (ref) -> whether the reference is the only one to an object with a count in a side table, and no to null and immortal objects, which have none.
func (t *translator) uniqueHelper(w *writer) {
	const ref, at, word = 0, 1, 2
	answer := func(push func()) {
		t.tally(w, TallyUnique)
		push()
		w.op(opReturn)
	}
	w.get(ref)
	w.i64(0)
	w.op(i64LeS)
	w.begin(opIf, noResult)
	answer(func() { w.i64(0) })
	w.op(opEnd)
	slow := w.openExits(2 + asideExits)
	w.offset(ref, word, slow)
	w.get(word)
	w.op(i32WrapI64)
	w.mem(i64Load, Linear+heap.RefCountOffset)
	w.tee(word)
	w.i64(0)
	w.op(i64GeS)
	w.exitIf(slow)
	w.get(word)
	w.op(i32WrapI64)
	w.i32(^uint32(0))
	w.op(i32Eq)
	w.begin(opIf, noResult)
	answer(func() { w.i64(0) })
	w.op(opEnd)
	t.wordAside(w, word, at, word, slow)
	answer(func() {
		w.get(word)
		w.i64(32)
		w.op(i64ShrU, i64Eqz, i64ExtendI32U)
	})
	w.closeExits(slow)
	w.i64(uniqueUnknown)
}

// asideExits is how many exits wordAside has.
const asideExits = 4

// wordAside puts the place of the word in the side table that a refcount word names, and that word, into locals; it takes an exit unless that is one
// of a live object.
func (t *translator) wordAside(w *writer, word, at, aside int, slow *exits) {
	w.get(word)
	w.call(t.side)
	w.tee(at)
	w.op(i32Eqz)
	w.exitIf(slow)
	w.get(at)
	w.mem(i64Load, Linear)
	w.tee(aside)
	w.i64(0)
	w.op(i64LtS)
	w.exitIf(slow)
	w.get(aside) // the lower half of one is odd and counts an unowned reference
	w.op(i32WrapI64)
	w.i32(uint32(heap.FreshWord & (1<<32 - 1)))
	w.op(i32LtU)
	w.exitIf(slow)
	w.get(aside)
	w.op(i32WrapI64)
	w.i32(1)
	w.op(i32And, i32Eqz)
	w.exitIf(slow)
}

// countAside adds to the strong count in a side table, or takes from it, and returns: also of an immortal object, which has no count. It goes on
// where that is for others.
func (t *translator) countAside(w *writer, ref, at, word, sum int, o op, tally uint64) {
	slow := w.openExits(3 + asideExits)
	w.offset(ref, word, slow)
	w.get(word)
	w.op(i32WrapI64)
	w.mem(i64Load, Linear+heap.RefCountOffset)
	w.tee(word)
	w.i64(0)
	w.op(i64GeS)
	w.exitIf(slow)
	w.get(word)
	w.op(i32WrapI64)
	w.i32(^uint32(0))
	w.op(i32Eq)
	w.begin(opIf, noResult)
	t.tally(w, tally)
	w.op(opReturn, opEnd)
	t.wordAside(w, word, at, word, slow)
	w.get(word)
	w.i64(heap.StrongOne)
	w.op(o)
	w.tee(sum)
	w.get(word)
	w.op(i64Or)
	w.i64(0)
	w.op(i64LtS)
	w.exitIf(slow)
	w.get(at)
	w.get(sum)
	w.mem(i64Store, Linear)
	t.tally(w, tally)
	w.op(opReturn)
	w.closeExits(slow)
}

// offset puts where an address lies in linear memory into a local; it takes an exit where that is outside.
func (w *writer) offset(address, to int, slow *exits) {
	w.get(address)
	w.i64(heap.Base)
	w.op(i64Sub)
	w.tee(to)
	w.i64(1<<31 - 1)
	w.op(i64GtU)
	w.exitIf(slow)
}

// weakHelper is (address of a weak variable) -> a new strong reference to the object; 0 when the interpreter has to look.
func (t *translator) weakHelper(w *writer) {
	const slot, at, entry, word = 0, 1, 2, 3
	slow := w.openExits(4 + liveExits)
	w.offset(slot, entry, slow)
	w.get(entry)
	w.op(i32WrapI64)
	w.mem(i64Load, Linear)
	w.set(entry)
	w.object(entry, at, word, slow)
	w.mark(at)
	w.i32(uint32(heap.MarkSide))
	w.op(i32Ne)
	w.exitIf(slow)
	w.get(at)
	w.mem(i64Load, Linear+heap.SideWord)
	w.set(word)
	w.unlessLive(word, slow)
	w.get(at)
	w.get(word)
	w.mem(i64Store, Linear+heap.SideWord)
	t.tally(w, TallyWeakLoad)
	w.get(at)
	w.mem(i64Load, Linear+heap.SideObject)
	w.op(opReturn)
	w.closeExits(slow)
	w.i64(0)
}

// liveExits is how many exits unlessLive has.
const liveExits = 3

// unlessLive adds a strong reference to a refcount word in a local; it takes an exit unless that is one of a live object with a count of its own.
func (w *writer) unlessLive(word int, slow *exits) {
	w.get(word)
	w.i64(heap.LiveBits)
	w.op(i64And)
	w.i64(heap.FreshWord & heap.LiveBits)
	w.op(i64Ne)
	w.exitIf(slow)
	w.get(word) // the lower half counts an unowned reference at least
	w.op(i32WrapI64)
	w.i32(uint32(heap.FreshWord & (1<<32 - 1)))
	w.op(i32LtU)
	w.exitIf(slow)
	w.get(word)
	w.i64(heap.StrongOne)
	w.op(i64Add)
	w.tee(word)
	w.i64(0)
	w.op(i64LtS)
	w.exitIf(slow)
}

// conflictHelper is (address, begin) -> whether an open access, of which there is one at least, conflicts with one that begins.
func (t *translator) conflictHelper(w *writer) {
	const addr, begin, at = 0, 1, 2
	w.getGlobal(globalAccesses)
	w.i64(code.MaxAccesses)
	w.op(i64GtU)
	w.begin(opIf, noResult)
	w.i32(1)
	w.op(opReturn, opEnd)
	w.openAccess(at)
	w.begin(opLoop, noResult)
	w.get(at)
	w.i32(code.AccessSize)
	w.op(i32Sub)
	w.tee(at)
	w.mem(i64Load, t.area+Open)
	w.get(addr)
	w.op(i64Eq)
	w.begin(opIf, noResult)
	w.get(at)
	w.mem(i64Load, t.area+Open+code.AccessBegin)
	w.get(begin)
	w.op(i64Or)
	w.i64(1)
	w.op(i64And, i64Eqz)
	w.begin(opIf, noResult)
	w.op(opElse)
	w.i32(1)
	w.op(opReturn, opEnd, opEnd)
	w.get(at)
	w.with(opBrIf, 0)
	w.op(opEnd)
	w.i32(0)
}

// openAccess puts into a local how far after Open the place after the last open access is.
func (w *writer) openAccess(local int) {
	w.getGlobal(globalAccesses)
	w.op(i32WrapI64)
	w.i32(code.AccessSize)
	w.op(i32Mul)
	w.set(local)
}

// beginHelper is (address, begin) -> the token of a tracked access; 0 when its begin is left to the interpreter.
func (t *translator) beginHelper(w *writer) {
	const addr, begin, token, at, zero = 0, 1, 2, 3, 4
	slow := w.openExits(2)
	w.getGlobal(globalAccesses)
	w.i64(code.MaxAccesses)
	w.op(i64GeU)
	w.exitIf(slow)
	w.getGlobal(globalAccesses)
	w.op(i64Eqz)
	w.begin(opIf, noResult)
	w.op(opElse)
	w.get(addr)
	w.get(begin)
	w.call(t.conflict)
	w.exitIf(slow)
	w.op(opEnd)
	w.get(zero)
	w.get(zero)
	w.mem(i64Load, t.area+Words+WordBegun)
	w.i64(1)
	w.op(i64Add)
	w.tee(token)
	w.mem(i64Store, t.area+Words+WordBegun)
	w.openAccess(at)
	w.probe(at, t.area+Open+code.AccessSize)
	w.get(at)
	w.get(addr)
	w.mem(i64Store, t.area+Open)
	w.get(at)
	w.get(token)
	w.mem(i64Store, t.area+Open+code.AccessToken)
	w.get(at)
	w.get(begin)
	w.mem(i64Store, t.area+Open+code.AccessBegin)
	w.getGlobal(globalAccesses)
	w.i64(1)
	w.op(i64Add)
	w.setGlobal(globalAccesses)
	t.tally(w, TallyAccess)
	w.get(token)
	w.op(opReturn)
	w.closeExits(slow)
	w.i64(0)
}
