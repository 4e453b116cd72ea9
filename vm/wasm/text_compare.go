package wasm

// textCompare writes the helper that compares strings.
type textCompare struct{ *writer }

// The locals of that helper: its parameters, then for each side the address and the number of bytes, then what is compared.
const (
	compareLeftBits = iota
	compareLeftObject
	compareRightBits
	compareRightObject
	compareExpecting
	compareLeft
	compareRight
	compareLeftCount
	compareRightCount
	compareCount
	compareX
	compareY
)

// compareHelper is (bits, object, bits, object, expecting) -> whether two strings are in the expected order, equal if that is even and less if
// it is odd; 2 when the native has to say.
func (t *translator) compareHelper(out *writer) {
	w := textCompare{out}
	w.same(compareLeftBits, compareRightBits)
	w.same(compareLeftObject, compareRightObject)
	w.op(i32And)
	w.begin(opIf, noResult)
	w.get(compareExpecting)
	w.i64(1)
	w.op(i64And, i64Eqz, i64ExtendI32U, opReturn, opEnd)
	slow := w.openExits(3 + 2*tailExits)
	w.ascii(compareLeftBits, compareLeftObject, slow)
	w.ascii(compareRightBits, compareRightObject, slow)
	w.get(compareLeftObject)
	w.get(compareRightObject)
	w.op(i64And)
	w.i64(textSmall)
	w.op(i64And, i64Eqz)
	w.begin(opIf, noResult)
	w.large(slow)
	w.op(opEnd)
	w.small()
	w.closeExits(slow)
	w.i64(2)
}

// same puts on the stack whether two locals are equal.
func (w textCompare) same(a, b int) {
	w.get(a)
	w.get(b)
	w.op(i64Eq)
}

// less returns 1 when a smaller value is asked for and what push puts on the stack says that it is there.
func (w textCompare) less(push func()) {
	w.get(compareExpecting)
	w.i64(1)
	w.op(i64And)
	push()
	w.op(i64ExtendI32U, i64And, opReturn)
}

// differ returns the answer by the first byte in which words x and y differ.
func (w textCompare) differ() {
	w.get(compareX)
	w.get(compareY)
	w.op(i64Xor, i64Ctz)
	w.i64(56)
	w.op(i64And)
	w.set(compareCount)
	w.less(func() {
		for _, word := range [...]int{compareX, compareY} {
			w.get(word)
			w.get(compareCount)
			w.op(i64ShrU)
			w.i64(0xff)
			w.op(i64And)
		}
		w.op(i64LtU)
	})
}

// large compares two strings of which one at least is in an object. Where the other is a small one it takes an exit, but strings of different
// lengths are not equal in any case.
func (w textCompare) large(slow *exits) {
	for _, side := range [...]struct{ bits, object, at, count int }{
		{compareLeftBits, compareLeftObject, compareLeft, compareLeftCount},
		{compareRightBits, compareRightObject, compareRight, compareRightCount},
	} {
		w.isLarge(side.object)
		w.begin(opIf, noResult)
		w.tail(side.bits, side.object, side.at, side.count, compareCount, slow)
		w.op(opElse)
		w.get(side.object)
		w.i64(textSize)
		w.op(i64ShrU)
		w.i64(15)
		w.op(i64And)
		w.set(side.count)
		w.op(opEnd)
	}
	w.get(compareExpecting)
	w.i64(1)
	w.op(i64And, i64Eqz)
	w.same(compareLeftCount, compareRightCount)
	w.op(i32GtU)
	w.begin(opIf, noResult)
	w.i64(0)
	w.op(opReturn, opEnd)
	w.get(compareLeftObject)
	w.get(compareRightObject)
	w.op(i64Or)
	w.i64(textSmall)
	w.op(i64And, i64Eqz, i32Eqz)
	w.exitIf(slow)
	w.least(func() { w.get(compareLeftCount) }, func() { w.get(compareRightCount) }, compareCount)
	w.pass(8, i64Load)
	w.pass(1, i64Load8u)
	w.get(compareExpecting)
	w.i64(1)
	w.op(i64And, i64Eqz)
	w.begin(opIf, noResult)
	w.i64(1)
	w.op(opReturn, opEnd)
	w.less(func() { w.get(compareLeftCount); w.get(compareRightCount); w.op(i64LtU) })
}

// pass goes over what is equal, so many bytes at a time, as far as the shorter string has so many left.
func (w textCompare) pass(by uint64, load op) {
	w.begin(opBlock, noResult)
	w.begin(opLoop, noResult)
	w.get(compareCount)
	w.i64(by)
	w.op(i64LtU)
	w.with(opBrIf, 1)
	for _, side := range [...][2]int{{compareLeft, compareX}, {compareRight, compareY}} {
		w.get(side[0])
		w.mem(load, Linear)
		w.set(side[1])
		w.get(side[0])
		w.i32(uint32(by))
		w.op(i32Add)
		w.set(side[0])
	}
	w.get(compareX)
	w.get(compareY)
	w.op(i64Ne)
	w.begin(opIf, noResult)
	w.differ()
	w.op(opEnd)
	w.get(compareCount)
	w.i64(by)
	w.op(i64Sub)
	w.set(compareCount)
	w.with(opBr, 0)
	w.op(opEnd, opEnd)
}

// small compares two small strings: after the bytes, which 0 follows, is the count.
func (w textCompare) small() {
	w.same(compareLeftBits, compareRightBits)
	w.begin(opIf, noResult)
	w.get(compareLeftObject)
	w.set(compareLeftBits)
	w.get(compareRightObject)
	w.set(compareRightBits)
	w.op(opEnd)
	w.get(compareLeftBits)
	w.set(compareX)
	w.get(compareRightBits)
	w.set(compareY)
	w.differ()
}
