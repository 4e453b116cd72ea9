package wasm

import "silvm/heap"

// Strings whose bytes are ASCII, in the two words or after the header of an object, are compared, hashed and read by machine code; whatever else
// a String can be is left to the natives (vm/native/string.go, stdlib/public/core/StringObject.swift).

// The parts of the words of a String.
const (
	textSmall   = 1 << 61 // of the second: the bytes are in the two words
	textForeign = 1 << 60
	textAddress = 1<<60 - 1
	textASCII   = 7 // of a small string, from textKind on
	textKind    = 61
	textSize    = 56 // where the second word of a small string has its count
	textTail    = 1 << 60
	textCount   = 1<<48 - 1 // of the first
	textHeader  = 32        // before the bytes of a large string
	textBytes   = heap.Base - textHeader
	oneASCII    = 0xE1 << textSize // the second word of a string of one byte
)

// The parts of a String.Index: see vm/native/substring.go.
const (
	indexShift     = 16
	indexStride    = 8
	maxStride      = 63
	indexCharacter = 2
	indexFlags     = 7
)

// textHelpers writes the helpers for strings.
func (t *translator) textHelpers() {
	t.compareText = t.helper([]valtype{i64, i64, i64, i64, i64}, []valtype{i64}, []valtype{i32, i32, i64, i64, i64, i64, i64}, t.compareHelper)
	t.hashText = t.helper([]valtype{i32, i64, i64}, []valtype{i32}, []valtype{i32, i64, i64}, t.hashTextHelper)
	t.character = t.helper([]valtype{i64, i64, i64, i64}, []valtype{i64}, []valtype{i32, i64, i64, i64}, t.characterHelper)
	t.literal = t.helper([]valtype{i64, i64, i64}, []valtype{i64, i64}, []valtype{i32, i32, i64, i64, i64}, t.literalHelper)
	t.concatenate = t.helper(words(4), words(2), words(3), t.concatenateHelper)
	t.append = t.helper([]valtype{i32, i64, i64}, []valtype{i32}, []valtype{i64, i64, i32, i64, i64, i32}, t.appendHelper)
	t.number = t.helper([]valtype{i64, i32}, words(2), []valtype{i64, i64, i64}, t.numberHelper)
}

// compares is a native that compares the Strings in arguments 0 and 1, and 2 and 3. less says whether it tells if the first is less or if they are equal;
// a number below 0 is that argument 4 does.
func compares(less int) native {
	return func(c *nativeCall) {
		is := c.local(i64)
		for k := range 4 {
			c.get(c.arg(k))
		}
		if less < 0 {
			c.get(c.arg(4))
		} else {
			c.w.i64(uint64(less))
		}
		c.w.call(c.compareText)
		c.w.set(is)
		c.elsewise(1, func(slow *exits) {
			c.w.get(is)
			c.w.i64(1)
			c.w.op(i64GtU)
			c.w.exitIf(slow)
			c.w.get(is)
			c.w.set(c.int(c.arg(0)))
		})
		c.assigned(c.arg(0))
	}
}

// isLarge puts on the stack whether the bytes of a string are after its second word, not in the two.
func (w *writer) isLarge(object int) {
	w.get(object)
	w.i64(textSmall)
	w.op(i64And, i64Eqz)
}

// ascii takes an exit unless a string is known to have ASCII only.
func (w *writer) ascii(bits, object int, slow *exits) {
	w.get(bits) // a large one
	w.i64(0)
	w.op(i64LtS)
	w.get(object)
	w.i64(textKind)
	w.op(i64ShrU)
	w.i64(textASCII)
	w.op(i64Eq)
	w.get(object)
	w.i64(textSmall)
	w.op(i64And, i64Eqz, opSelect, i32Eqz)
	w.exitIf(slow)
}

// tailExits is how many exits tail has.
const tailExits = 5

// tail puts where the bytes of a large string are and how many into locals; it takes an exit unless they lie after the header of an
// object, and are in memory.
func (w *writer) tail(bits, object, at, count, wide int, slow *exits) {
	w.get(object)
	w.i64(textForeign)
	w.op(i64And, i64Eqz, i32Eqz)
	w.exitIf(slow)
	w.get(bits)
	w.i64(textTail)
	w.op(i64And, i64Eqz)
	w.exitIf(slow)
	w.get(bits)
	w.i64(textCount)
	w.op(i64And)
	w.tee(count)
	w.i64(1)
	w.op(i64Sub)
	w.i64(reach - 2)
	w.op(i64GtU)
	w.exitIf(slow)
	w.get(object)
	w.i64(textAddress)
	w.op(i64And)
	w.i64(textBytes)
	w.op(i64Sub)
	w.tee(wide)
	w.i64(reach - 1)
	w.op(i64GtU)
	w.exitIf(slow)
	w.get(wide)
	w.op(i32WrapI64)
	w.tee(at)
	w.get(count)
	w.op(i32WrapI64, i32Add)
	w.mem(i32Load8u, Linear-1)
	w.op(opDrop)
}

// emitHashText feeds a Hasher the bytes of a String, and one that is in none.
func emitHashText(c *nativeCall) {
	done := c.local(i32)
	at := c.within31(func() { c.get(c.arg(0)) }, true)
	c.w.get(at)
	c.get(c.arg(1))
	c.get(c.arg(2))
	c.w.call(c.hashText)
	c.w.set(done)
	c.elsewise(1, func(slow *exits) {
		c.w.get(done)
		c.w.op(i32Eqz)
		c.w.exitIf(slow)
	})
}

// hashTextHelper is (Hasher, bits, object) -> whether it has done what emitHashText does.
func (t *translator) hashTextHelper(w *writer) {
	const at, bits, object, from, n, word = 0, 1, 2, 3, 4, 5
	last := func() { // up to 7 bytes
		w.get(at)
		w.get(word)
		w.i64(0xff)
		w.get(n)
		w.i64(3)
		w.op(i64Shl, i64Shl, i64Or)
		w.get(n)
		w.i64(1)
		w.op(i64Add)
		w.call(t.feed)
		w.i32(1)
		w.op(opReturn)
	}
	whole := func() {
		w.i64(8)
		w.call(t.feed)
		w.get(n)
		w.i64(8)
		w.op(i64Sub)
		w.set(n)
	}
	slow := w.openExits(1 + tailExits)
	w.ascii(bits, object, slow)
	w.isLarge(object)
	w.begin(opIf, noResult)
	w.tail(bits, object, from, n, word, slow)
	w.begin(opBlock, noResult)
	w.begin(opLoop, noResult)
	w.get(n)
	w.i64(8)
	w.op(i64LtU)
	w.with(opBrIf, 1)
	w.get(at)
	w.get(from)
	w.mem(i64Load, Linear)
	whole()
	w.get(from)
	w.i32(8)
	w.op(i32Add)
	w.set(from)
	w.with(opBr, 0)
	w.op(opEnd, opEnd)
	w.i64(0)
	w.set(word)
	w.get(from)
	w.get(n)
	w.op(i32WrapI64, i32Add)
	w.set(from)
	w.get(n)
	w.set(bits)
	w.begin(opBlock, noResult)
	w.begin(opLoop, noResult)
	w.get(bits)
	w.op(i64Eqz)
	w.with(opBrIf, 1)
	w.get(from)
	w.i32(1)
	w.op(i32Sub)
	w.set(from)
	w.get(word)
	w.i64(8)
	w.op(i64Shl)
	w.get(from)
	w.mem(i64Load8u, Linear)
	w.op(i64Or)
	w.set(word)
	w.get(bits)
	w.i64(1)
	w.op(i64Sub)
	w.set(bits)
	w.with(opBr, 0)
	w.op(opEnd, opEnd)
	last()
	w.op(opEnd)
	w.get(object)
	w.i64(textSize)
	w.op(i64ShrU)
	w.i64(15)
	w.op(i64And)
	w.set(n)
	w.get(bits)
	w.set(word)
	w.get(n)
	w.i64(8)
	w.op(i64GeU)
	w.begin(opIf, noResult)
	w.get(at)
	w.get(bits)
	whole()
	w.get(object)
	w.i64(1<<textSize - 1)
	w.op(i64And)
	w.set(word)
	w.op(opEnd)
	last()
	w.closeExits(slow)
	w.i32(0)
}

// characterHelper is (bits, object, end, offset) -> the Character of one byte that is at an offset of a string, of which end is the end of the part
// that is looked at; a number below 0 where there may be another one, or none.
func (t *translator) characterHelper(w *writer) {
	const bits, object, end, offset, from, x, y, n = 0, 1, 2, 3, 4, 5, 6, 7
	slow := w.openExits(4 + tailExits)
	w.get(offset)
	w.get(end)
	w.op(i64GeU)
	w.exitIf(slow)
	inside := func() {
		w.get(end)
		w.get(n)
		w.op(i64GtU)
		w.exitIf(slow)
	}
	both := func(byteAt func(ahead uint64)) {
		byteAt(0)
		w.set(x)
		w.get(offset)
		w.i64(1)
		w.op(i64Add)
		w.get(end)
		w.op(i64LtU)
		w.begin(opIf, noResult)
		byteAt(1)
		w.set(y)
		w.op(opEnd)
	}
	w.isLarge(object)
	w.begin(opIf, noResult)
	w.tail(bits, object, from, n, x, slow)
	inside()
	w.get(from)
	w.get(offset)
	w.op(i32WrapI64, i32Add)
	w.set(from)
	both(func(ahead uint64) {
		w.get(from)
		w.mem(i64Load8u, Linear+ahead)
	})
	w.op(opElse)
	w.get(object)
	w.i64(textSize)
	w.op(i64ShrU)
	w.i64(15)
	w.op(i64And)
	w.set(n)
	inside()
	both(func(ahead uint64) {
		at := func() {
			w.get(offset)
			w.i64(ahead)
			w.op(i64Add)
		}
		w.get(bits)
		w.get(object)
		at()
		w.i64(8)
		w.op(i64LtU, opSelect)
		at()
		w.i64(3)
		w.op(i64Shl, i64ShrU)
		w.i64(0xff)
		w.op(i64And)
	})
	w.op(opEnd)
	w.get(x)
	w.get(y)
	w.op(i64Or)
	w.i64(0x7f)
	w.op(i64GtU)
	w.exitIf(slow)
	w.get(x) // which two make one Character
	w.i64(8)
	w.op(i64Shl)
	w.get(y)
	w.op(i64Or)
	w.i64('\r'<<8 | '\n')
	w.op(i64Eq)
	w.exitIf(slow)
	w.get(x)
	w.op(opReturn)
	w.closeExits(slow)
	w.i64(^uint64(0))
}

// unlessCharacter pushes the arguments of characterHelper and puts its result into a local; it takes an exit where that is none.
func (c *nativeCall) unlessCharacter(text, end, offset func(), to int, slow *exits) {
	text()
	end()
	offset()
	c.w.call(c.character)
	c.w.tee(to)
	c.w.i64(0)
	c.w.op(i64LtS)
	c.w.exitIf(slow)
}

// emitNextCharacter moves String.Iterator, the String and two offsets, to the next Character.
func emitNextCharacter(c *nativeCall) {
	w := &c.w
	at, plus := c.address(c.arg(0), 0, 0, 0, nil)
	x := c.local(i64)
	load := func(off uint64) func() {
		return func() {
			w.get(at)
			w.mem(i64Load, plus+off)
		}
	}
	c.elsewise(1, func(slow *exits) {
		c.unlessCharacter(func() { load(0)(); load(8)() }, load(24), load(16), x, slow)
		w.get(at)
		load(16)()
		w.i64(1)
		w.op(i64Add)
		w.mem(i64Store, plus+16)
		c.giveCharacter(x)
	})
	c.assigned(c.arg(0))
	c.assigned(c.arg(1))
}

// giveCharacter leaves a Character of one byte as the result.
func (c *nativeCall) giveCharacter(x int) {
	c.w.get(x)
	c.w.set(c.int(c.arg(0)))
	c.w.i64(oneASCII)
	c.w.set(c.int(c.arg(1)))
}

// textOf has what pushes the String in two arguments and its count, which is put into a local.
func (c *nativeCall) textOf(k, count int) (text, end func()) {
	w := &c.w
	text = func() { c.get(c.arg(k)); c.get(c.arg(k + 1)) }
	c.get(c.arg(k))
	w.i64(textCount)
	w.op(i64And)
	c.get(c.arg(k + 1))
	w.i64(textSize)
	w.op(i64ShrU)
	w.i64(15)
	w.op(i64And)
	c.get(c.arg(k + 1))
	w.i64(textSmall)
	w.op(i64And, i64Eqz, opSelect)
	w.set(count)
	return text, func() { w.get(count) }
}

// unlessShort takes an exit when an index remembers that the Character there has several bytes.
func (c *nativeCall) unlessShort(index uint16, slow *exits) {
	c.get(index)
	c.w.i64((maxStride - 1) << indexStride)
	c.w.op(i64And, i64Eqz, i32Eqz)
	c.w.exitIf(slow)
}

func (c *nativeCall) offsetOf(index uint16) func() {
	return func() {
		c.get(index)
		c.w.i64(indexShift)
		c.w.op(i64ShrU)
	}
}

// emitCharacterAt is String's subscript of an index.
func emitCharacterAt(c *nativeCall) {
	x, count := c.local(i64), c.local(i64)
	c.elsewise(2, func(slow *exits) {
		text, end := c.textOf(1, count)
		c.unlessShort(c.arg(0), slow)
		c.unlessCharacter(text, end, c.offsetOf(c.arg(0)), x, slow)
		c.giveCharacter(x)
	})
	c.assigned(c.arg(0))
	c.assigned(c.arg(1))
}

// emitIndexAfter is index(after:) of a String: the index remembers the length of the Character there, if that is not the end.
func emitIndexAfter(c *nativeCall) {
	w := &c.w
	x, count, next := c.local(i64), c.local(i64), c.local(i64)
	c.elsewise(4, func(slow *exits) {
		text, end := c.textOf(1, count)
		c.unlessShort(c.arg(0), slow)
		c.get(c.arg(0)) // one that may be inside a Character
		w.i64(indexCharacter)
		w.op(i64And, i64Eqz)
		w.exitIf(slow)
		c.unlessCharacter(text, end, c.offsetOf(c.arg(0)), x, slow)
		c.offsetOf(c.arg(0))()
		w.i64(1)
		w.op(i64Add)
		w.set(next)
		w.get(next)
		w.get(count)
		w.op(i64Ne)
		c.openIf()
		c.unlessCharacter(text, end, func() { w.get(next) }, x, slow)
		c.end()
		w.get(next)
		w.i64(indexShift)
		w.op(i64Shl)
		w.i64(indexFlags)
		w.op(i64Or)
		w.get(next)
		w.get(count)
		w.op(i64Ne, i64ExtendI32U)
		w.i64(indexStride)
		w.op(i64Shl, i64Or)
		w.set(c.int(c.arg(0)))
	})
	c.assigned(c.arg(0))
}
