package wasm

import "silvm/heap"

// Strings that are made: of small ones, which are in their two words, and at the end of a large one that has room. What is more is left to the natives
// (vm/native/string.go).

const (
	textNative = 1 << 61                        // of the first word of a large string: its bytes are in an object
	textOther  = textNative | textTail          // what such a word has besides the count
	textOwn    = textOther | textPlain          // where all are ASCII
	noText     = 0                              // a second word that is no string's
	capacityAt = heap.HeaderSize                // in that object: how many bytes may follow, with the last NUL
	countAt    = heap.HeaderSize + 8            // the first word of the string
	onlyASCII  = uint64(smallASCII) << textSize // the second word of an empty small string
	smallMask  = 1<<textSize - 1                // the bytes in the second word
)

// emitConcatenate makes one String of two small ones.
func emitConcatenate(c *nativeCall) {
	bits, object := c.local(i64), c.local(i64)
	for k := range 4 {
		c.get(c.arg(k))
	}
	c.w.call(c.concatenate)
	c.w.set(object)
	c.w.set(bits)
	c.elsewise(1, func(slow *exits) {
		c.w.get(object)
		c.w.op(i64Eqz)
		c.w.exitIf(slow)
		c.w.get(bits)
		c.w.set(c.int(c.arg(0)))
		c.w.get(object)
		c.w.set(c.int(c.arg(1)))
	})
	c.assigned(c.arg(0))
	c.assigned(c.arg(1))
}

// small takes an exit unless the second word is that of a small string of ASCII.
func (w *writer) small(object int, slow *exits) {
	w.get(object)
	w.i64(textKind)
	w.op(i64ShrU)
	w.i64(textASCII)
	w.op(i64Ne)
	w.exitIf(slow)
}

// size pushes how many bytes a small string has.
func (w *writer) size(object int) {
	w.get(object)
	w.i64(textSize)
	w.op(i64ShrU)
	w.i64(smallMax)
	w.op(i64And)
}

// concatenateHelper is (the words of two Strings) -> those of both in one, which is small too; the second is noText when it is not.
func (t *translator) concatenateHelper(w *writer) {
	const bits, object, more, moreObject, shift, low, total = 0, 1, 2, 3, 4, 5, 6
	slow := w.openExits(3)
	w.small(object, slow)
	w.small(moreObject, slow)
	w.size(object)
	w.tee(shift)
	w.size(moreObject)
	w.op(i64Add)
	w.tee(total)
	w.i64(smallMax)
	w.op(i64GtU)
	w.exitIf(slow)
	w.get(shift)
	w.i64(3)
	w.op(i64Shl)
	w.set(shift)
	w.get(moreObject)
	w.i64(smallMask)
	w.op(i64And)
	w.set(moreObject)
	w.get(object)
	w.i64(smallMask)
	w.op(i64And)
	w.set(object)
	result := func() {
		w.get(low)
		w.get(object)
		w.get(total)
		w.i64(textSize)
		w.op(i64Shl, i64Or)
		w.i64(onlyASCII)
		w.op(i64Or, opReturn)
	}
	w.get(shift)
	w.i64(64)
	w.op(i64GeU)
	w.begin(opIf, noResult) // all of the second comes into the second word
	w.get(bits)
	w.set(low)
	w.get(object)
	w.get(more)
	w.get(shift)
	w.op(i64Shl, i64Or)
	w.set(object)
	result()
	w.op(opEnd)
	w.get(bits)
	w.get(more)
	w.get(shift)
	w.op(i64Shl, i64Or)
	w.set(low)
	w.get(object)
	w.get(moreObject)
	w.get(shift)
	w.op(i64Shl, i64Or)
	w.get(more) // by 64 - shift, in two steps: a shift by 64 is none
	w.i64(1)
	w.op(i64ShrU)
	w.i64(63)
	w.get(shift)
	w.op(i64Sub, i64ShrU, i64Or)
	w.set(object)
	result()
	w.closeExits(slow)
	w.i64(0)
	w.i64(noText)
}

// appends is a native that appends the String in argument text, and the one after that, to the one at the address in argument to.
func appends(text, to int) native {
	return func(c *nativeCall) {
		done := c.local(i32)
		at := c.within31(func() { c.get(c.arg(to)) }, true)
		c.w.get(at)
		c.get(c.arg(text))
		c.get(c.arg(text + 1))
		c.w.call(c.append)
		c.w.set(done)
		c.elsewise(1, func(slow *exits) {
			c.w.get(done)
			c.w.op(i32Eqz)
			c.w.exitIf(slow)
		})
	}
}

// appendHelper is (where a String is, the words of another) -> whether it has appended the other: a small one of ASCII, where that makes a small one or there is room
// in an object that nothing else refers to.
func (t *translator) appendHelper(w *writer) {
	const to, bits, object, old, oldObject, at, count, left, end = 0, 1, 2, 3, 4, 5, 6, 7, 8
	yes := func() {
		w.i32(1)
		w.op(opReturn)
	}
	slow := w.openExits(7)
	w.probe(to, 16)
	w.small(object, slow)
	w.size(object)
	w.tee(left)
	w.op(i64Eqz)
	w.begin(opIf, noResult)
	yes()
	w.op(opEnd)
	w.get(to)
	w.mem(i64Load, 0)
	w.set(old)
	w.get(to)
	w.mem(i64Load, 8)
	w.tee(oldObject)
	w.i64(textSmall)
	w.op(i64And, i64Eqz, i32Eqz)
	w.begin(opIf, noResult)
	w.get(old)
	w.get(oldObject)
	w.get(bits)
	w.get(object)
	w.call(t.concatenate)
	w.set(oldObject)
	w.set(old)
	w.get(oldObject)
	w.op(i64Eqz)
	w.exitIf(slow)
	w.get(to)
	w.get(old)
	w.mem(i64Store, 0)
	w.get(to)
	w.get(oldObject)
	w.mem(i64Store, 8)
	yes()
	w.op(opEnd)
	w.get(old)
	w.i64(textNative)
	w.op(i64And, i64Eqz)
	w.exitIf(slow)
	w.object(oldObject, at, count, slow)
	w.wordIs(at, heap.FreshWord, slow)
	w.get(old)
	w.i64(textCount)
	w.op(i64And)
	w.tee(count)
	w.get(left)
	w.op(i64Add)
	w.get(at)
	w.mem(i64Load, Linear+capacityAt)
	w.i64(textCount)
	w.op(i64And, i64GeU)
	w.exitIf(slow)
	w.get(count)
	w.i64(reach - 1)
	w.op(i64GtU)
	w.exitIf(slow)
	w.get(at)
	w.get(count)
	w.op(i32WrapI64, i32Add)
	w.set(end)
	// The first word: the new count, and whether all are ASCII still.
	w.get(count)
	w.get(left)
	w.op(i64Add)
	w.i64(textOwn)
	w.i64(textOther)
	w.get(old)
	w.i64(0)
	w.op(i64LtS, opSelect, i64Or)
	w.set(old)
	w.get(object)
	w.i64(smallMask)
	w.op(i64And)
	w.set(object)
	w.begin(opLoop, noResult)
	w.get(end)
	w.get(bits)
	w.mem(i64Store8, Linear+textHeader)
	w.get(end)
	w.i32(1)
	w.op(i32Add)
	w.set(end)
	w.get(bits)
	w.i64(8)
	w.op(i64ShrU)
	w.get(object)
	w.i64(56)
	w.op(i64Shl, i64Or)
	w.set(bits)
	w.get(object)
	w.i64(8)
	w.op(i64ShrU)
	w.set(object)
	w.get(left)
	w.i64(1)
	w.op(i64Sub)
	w.tee(left)
	w.op(i64Eqz, i32Eqz)
	w.with(opBrIf, 0)
	w.op(opEnd)
	w.get(end)
	w.i64(0)
	w.mem(i64Store8, Linear+textHeader)
	w.get(at)
	w.get(old)
	w.mem(i64Store, Linear+countAt)
	w.get(to)
	w.get(old)
	w.mem(i64Store, 0)
	yes()
	w.closeExits(slow)
	w.i32(0)
}

// emitNumber makes a String of the integer at an address.
func emitNumber(c *nativeCall) {
	ref := c.prog.Natives[c.in.Imm]
	bits, object := c.local(i64), c.local(i64)
	c.integer(ref.From, c.arg(0))
	c.w.i32(0)
	if ref.From < 0 {
		c.w.op(opDrop)
		c.w.i32(1)
	}
	c.w.call(c.number)
	c.w.set(object)
	c.w.set(bits)
	c.elsewise(1, func(slow *exits) {
		c.w.get(object)
		c.w.op(i64Eqz)
		c.w.exitIf(slow)
		c.w.get(bits)
		c.w.set(c.int(c.arg(0)))
		c.w.get(object)
		c.w.set(c.int(c.arg(1)))
	})
	c.assigned(c.arg(0))
	c.assigned(c.arg(1))
}

// numberHelper is (number, whether it has a sign) -> the words of a String of its digits; the second is noText where these are too many.
func (t *translator) numberHelper(w *writer) {
	const number, signed, low, high, size = 0, 1, 2, 3, 4
	const most = 1e14 // and one for the sign
	slow := w.openExits(1)
	w.get(number)
	w.i64(0)
	w.op(i64LtS)
	w.get(signed)
	w.op(i32And)
	w.tee(signed) // whether it is negative
	w.begin(opIf, noResult)
	w.i64(0)
	w.get(number)
	w.op(i64Sub)
	w.set(number)
	w.op(opEnd)
	w.get(number)
	w.i64(most)
	w.op(i64GeU)
	w.exitIf(slow)
	before := func(push func()) { // puts a byte before the others
		w.get(high)
		w.i64(8)
		w.op(i64Shl)
		w.get(low)
		w.i64(56)
		w.op(i64ShrU, i64Or)
		w.set(high)
		w.get(low)
		w.i64(8)
		w.op(i64Shl)
		push()
		w.op(i64Or)
		w.set(low)
		w.get(size)
		w.i64(1)
		w.op(i64Add)
		w.set(size)
	}
	w.begin(opLoop, noResult)
	before(func() {
		w.get(number)
		w.i64(10)
		w.op(i64RemU)
		w.i64('0')
		w.op(i64Or)
	})
	w.get(number)
	w.i64(10)
	w.op(i64DivU)
	w.tee(number)
	w.op(i64Eqz, i32Eqz)
	w.with(opBrIf, 0)
	w.op(opEnd)
	w.get(signed)
	w.begin(opIf, noResult)
	before(func() { w.i64('-') })
	w.op(opEnd)
	w.get(low)
	w.get(high)
	w.get(size)
	w.i64(textSize)
	w.op(i64Shl, i64Or)
	w.i64(onlyASCII)
	w.op(i64Or, opReturn)
	w.closeExits(slow)
	w.i64(0)
	w.i64(noText)
}
