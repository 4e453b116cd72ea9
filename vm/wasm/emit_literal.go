package wasm

// Kinds of small strings: the last byte, with the count.
const (
	smallASCII = 0xE0
	smallOther = 0xA0
	smallMax   = 15 // bytes
)

// textPlain are the bits of the first word of a large string that is ASCII.
const textPlain = 3 << 62

// emitLiteral makes a String of the bytes of a literal: the address of that, how many there are, and whether all are ASCII.
func emitLiteral(c *nativeCall) {
	for k := range 3 {
		c.get(c.arg(k))
	}
	c.w.call(c.literal)
	c.set(c.arg(1))
	c.set(c.arg(0))
}

// literalHelper is (address, count, ASCII) -> the two words of a String. Up to 15 bytes are in them; that those are in memory is tested.
func (t *translator) literalHelper(w *writer) {
	const start, count, ascii, at, n, low, high, all = 0, 1, 2, 3, 4, 5, 6, 7
	w.get(count)
	w.i64(smallMax)
	w.op(i64GtU)
	w.begin(opIf, noResult)
	w.get(count)
	w.i64(textTail)
	w.op(i64Or)
	w.i64(textPlain)
	w.i64(0)
	w.get(ascii)
	w.op(i32WrapI64)
	w.i32(1)
	w.op(i32And, opSelect, i64Or)
	w.get(start)
	w.i64(textHeader)
	w.op(i64Sub)
	w.i64(1 << 63)
	w.op(i64Or, opReturn, opEnd)
	wrong := w.openExits(1)
	w.offset(start, low, wrong)
	w.get(low)
	w.op(i32WrapI64)
	w.set(at)
	w.i64(0)
	w.set(low)
	w.probe(at, Linear+1) // also of none: the interpreter looks at where they would be
	w.get(count)
	w.op(i32WrapI64)
	w.set(n)
	w.begin(opBlock, noResult)
	w.begin(opLoop, noResult) // from the last byte to the first
	w.get(n)
	w.op(i32Eqz)
	w.with(opBrIf, 1)
	w.get(n)
	w.i32(1)
	w.op(i32Sub)
	w.set(n)
	w.get(low)
	w.i64(8)
	w.op(i64Shl)
	w.get(at)
	w.get(n)
	w.op(i32Add)
	w.mem(i64Load8u, Linear)
	w.op(i64Or)
	w.tee(low)
	w.get(all)
	w.op(i64Or)
	w.set(all)
	w.get(n)
	w.i32(8)
	w.op(i32Eq)
	w.begin(opIf, noResult)
	w.get(low)
	w.set(high)
	w.i64(0)
	w.set(low)
	w.op(opEnd)
	w.with(opBr, 0)
	w.op(opEnd, opEnd)
	w.get(low)
	w.get(high)
	w.i64(smallOther)
	w.i64(smallASCII)
	w.get(all)
	w.i64(0x8080808080808080)
	w.op(i64And, i64Eqz, i32Eqz, opSelect)
	w.get(count)
	w.op(i64Or)
	w.i64(textSize)
	w.op(i64Shl, i64Or, opReturn)
	w.closeExits(wrong)
	w.op(opUnreachable)
}
