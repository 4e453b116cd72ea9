package wasm

import (
	"silvm/heap"
	"silvm/vm/code"
)

// Natives that are called often and do little are machine code: a call of the host takes longer than they do. What each does is what the
// native of its symbol does (vm/native); cases that are not common are left to that.

// native writes a call of a native.
type native func(c *nativeCall)

// nativeCall is a call of a native while it is translated.
type nativeCall struct {
	*fn
	pc      uint32
	in      code.Inst
	counted bool // where it was done
}

// arg is the register of an argument and, with the same number, that of a result.
func (c *nativeCall) arg(k int) uint16 { return c.in.A + 1 + uint16(k) }

var natives = map[string]native{
	"$sSa12_endMutationyyFyXl_Ts5":                  func(*nativeCall) {},
	"$ss15ContiguousArrayV12_endMutationyyFyXl_Ts5": func(*nativeCall) {},
	"_swift_stdlib_has_malloc_size":                 func(c *nativeCall) { c.w.i64(1); c.set(c.arg(0)) },
	"_swift_stdlib_malloc_size":                     emitUsableSize,

	"$sSa034_makeUniqueAndReserveCapacityIfNotB0yyFyXl_Ts5":                               emitMakeUnique,
	"$ss15ContiguousArrayV034_makeUniqueAndReserveCapacityIfNotD0yyFyXl_Ts5":              emitMakeUnique,
	"$sSa37_appendElementAssumeUniqueAndCapacity_03newB0ySi_xntFyXl_Ts5":                  emitAppendReference,
	"$ss15ContiguousArrayV37_appendElementAssumeUniqueAndCapacity_03newD0ySi_xntFyXl_Ts5": emitAppendReference,

	"$ss27_stringCompareWithSmolCheck__9expectingSbs11_StringGutsV_ADs01_G16ComparisonResultOtF": compares(-1),
	"$ss22_stringCompareInternal__9expectingSbs11_StringGutsV_ADs01_E16ComparisonResultOtF":      compares(-1),
	"$sSS2eeoiySbSS_SStFZ":         compares(0),
	"$sSS1loiySbSS_SStFZ":          compares(1),
	"$sSJ2eeoiySbSJ_SJtFZ":         compares(0),
	"$sSJ1loiySbSJ_SJtFZ":          compares(1),
	"$sSS4hash4intoys6HasherVz_tF": emitHashText,
	"$sSJ4hash4intoys6HasherVz_tF": emitHashText,
	"$sSS8IteratorV4nextSJSgyF":    emitNextCharacter,
	"$sSS21_builtinStringLiteral17utf8CodeUnitCount7isASCIISSBp_BwBi1_tcfC": emitLiteral,
	"$sSSySJSS5IndexVcig":                                  emitCharacterAt,
	"$sSS5index5afterSS5IndexVAD_tF":                       emitIndexAfter,
	"$sSS1poiyS2S_SStFZ":                                   emitConcatenate,
	"$sSS2peoiyySSz_SStFZ":                                 appends(1, 0),
	"$sSS6appendyySSF":                                     appends(0, 2),
	"$sSS6append10contentsOfySS_tF":                        appends(0, 2),
	"$sSS5writeyySSF":                                      appends(0, 2),
	"$ss26DefaultStringInterpolationV13appendLiteralyySSF": appends(0, 2),

	"$ss6HasherV5_seedABSi_tcfC":                           emitNewHasher,
	"$ss6HasherV9_finalizeSiyF":                            emitFinish,
	"$ss6HasherV5_hash4seed_S2i_s6UInt64VtFZ":              emitHashWord,
	"$ss6HasherV5_hash4seed_S2i_SutFZ":                     emitHashWord,
	"$ss6HasherV5_hash4seed5bytes5countS2i_s6UInt64VSitFZ": emitHashBytes,
	"$ss6HasherV8_combineyySuF":                            feeds(0, 1, 8),
	"$ss6HasherV8_combineyys6UInt64VF":                     feeds(0, 1, 8),
	"$ss6HasherV8_combineyys6UInt32VF":                     feeds(0, 1, 4),
	"$ss6HasherV8_combineyys6UInt16VF":                     feeds(0, 1, 2),
	"$ss6HasherV8_combineyys5UInt8VF":                      feeds(0, 1, 1),
	"$sSi4hash4intoys6HasherVz_tF":                         feeds(1, 0, 8),
	"$sSu4hash4intoys6HasherVz_tF":                         feeds(1, 0, 8),
	"$ss5Int64V4hash4intoys6HasherVz_tF":                   feeds(1, 0, 8),
	"$ss6UInt64V4hash4intoys6HasherVz_tF":                  feeds(1, 0, 8),
	"$ss5Int32V4hash4intoys6HasherVz_tF":                   feeds(1, 0, 4),
	"$ss6UInt32V4hash4intoys6HasherVz_tF":                  feeds(1, 0, 4),
	"$ss5Int16V4hash4intoys6HasherVz_tF":                   feeds(1, 0, 2),
	"$ss6UInt16V4hash4intoys6HasherVz_tF":                  feeds(1, 0, 2),
	"$ss4Int8V4hash4intoys6HasherVz_tF":                    feeds(1, 0, 1),
	"$ss5UInt8V4hash4intoys6HasherVz_tF":                   feeds(1, 0, 1),
}

// nativeOf returns how the native that an instruction calls is translated.
func (t *translator) nativeOf(in code.Inst) (n native, ok bool) {
	if in.Op.First() == code.CallNative && in.Imm < uint64(len(t.prog.Natives)) {
		ref := t.prog.Natives[in.Imm]
		switch {
		case ref.From != 0 && ref.To != 0:
			return emitConvert, true
		case ref.From != 0:
			return emitNumber, true
		case ref.Stride != 0:
			return emitArray, true
		}
		n, ok = natives[ref.Symbol]
	}
	return n, ok
}

// nativeHelpers writes the helpers for natives.
func (t *translator) nativeHelpers() {
	state := []valtype{i64, i64, i64, i64, i64}
	t.usable = t.helper([]valtype{i64}, []valtype{i64}, []valtype{i32, i32, i64}, t.usableHelper)
	t.feed = t.helper([]valtype{i32, i64, i64}, nil, append(state, i64, i64), t.feedHelper)
	t.hashed = t.helper([]valtype{i32}, []valtype{i64}, state, t.finishHelper)
	t.hashWord = t.helper([]valtype{i64, i64}, []valtype{i64}, state, t.hashWordHelper)
	t.hashBytes = t.helper([]valtype{i64, i64, i64}, []valtype{i64}, state, t.hashBytesHelper)
	t.textHelpers()
}

// callNative does a call of a native, none of which throws.
func (g *fn) callNative(pc uint32, in code.Inst, n native) {
	c := &nativeCall{fn: g, pc: pc, in: in}
	n(c)
	c.count()
}

// count counts a call that was not left to the interpreter.
func (c *nativeCall) count() {
	if !c.counted {
		c.counted = true
		c.tally(&c.w, TallyCall)
		c.tally(&c.w, TallyNative)
	}
}

// elsewise runs fast, which takes exits, and where it does the native itself. results are set by both.
func (c *nativeCall) elsewise(exits int, fast func(slow *exits)) {
	for k := range c.fn.in.frame.f.CallAt(c.pc).Args {
		c.settle(c.arg(k))
	}
	done := c.openBlock()
	slow := c.openExits(exits)
	c.cold(func() { fast(slow) })
	c.count()
	c.br(done)
	c.closeExits(slow)
	c.cold(func() { c.exec(c.pc, c.in) })
	c.end()
}

// integer pushes the integer at an address in a register, of so many bytes as the width says, which is negative where it has a sign.
func (c *nativeCall) integer(width int, address uint16) {
	at := c.within31(func() { c.get(address) }, true)
	c.w.get(at)
	c.w.mem(integerLoads[max(width, -width)], 0)
	if width < 0 {
		c.signed(uint64(-8 * width))
	}
}

// signed extends the number on the stack, which has so many bits.
func (c *nativeCall) signed(bits uint64) {
	if bits < 64 {
		c.w.i64(64 - bits)
		c.w.op(i64Shl)
		c.w.i64(64 - bits)
		c.w.op(i64ShrS)
	}
}

// integerLoads are the loads of integers, by how many bytes they have.
var integerLoads = map[int]op{1: i64Load8u, 2: i64Load16u, 4: i64Load32u, 8: i64Load}

// emitConvert converts an integer in memory to one of another type that has its value. What becomes of others is for the native to find out.
func emitConvert(c *nativeCall) {
	ref := c.prog.Natives[c.in.Imm]
	to := uint64(8 * max(ref.To, -ref.To)) // bits
	v := c.local(i64)
	c.integer(ref.From, c.arg(1))
	c.w.set(v)
	out := c.within31(func() { c.get(c.arg(0)) }, true)
	c.elsewise(1, func(slow *exits) {
		c.w.get(v)
		switch {
		case ref.From < 0 && ref.To < 0:
			c.signed(to)
			c.w.get(v)
			c.w.op(i64Ne)
		case ref.To < 0 || to == 64: // the sign is the same and 0
			c.w.i64(to - 1)
			c.w.op(i64ShrU, i64Eqz, i32Eqz)
		default:
			c.w.i64(to)
			c.w.op(i64ShrU, i64Eqz, i32Eqz)
		}
		c.w.exitIf(slow)
		c.w.get(out)
		c.w.get(v)
		c.w.mem(storeOf[integerLoads[int(to/8)]], 0)
	})
}

// emitUsableSize is malloc_size: of a block for less than a page the host needs not be asked.
func emitUsableSize(c *nativeCall) {
	t := c.local(i64)
	c.get(c.arg(0))
	c.w.call(c.usable)
	c.w.set(t)
	c.elsewise(1, func(slow *exits) {
		c.w.get(t)
		c.w.op(i64Eqz)
		c.w.exitIf(slow)
		c.w.get(t)
		c.w.set(c.int(c.arg(0)))
	})
	c.assigned(c.arg(0))
}

// usableHelper is (ref) -> the usable size of the small block there, 0 for other blocks; see heap.UsableSize.
func (t *translator) usableHelper(w *writer) {
	const ref, at, m, wide = 0, 1, 2, 3
	slow := w.openExits(4)
	w.object(ref, at, wide, slow)
	w.mark(at)
	w.tee(m)
	w.i32(uint32(heap.MarkLive))
	w.op(i32And, i32Eqz)
	w.exitIf(slow)
	w.classOf(m, m, slow)
	w.least(func() { w.get(at); w.mem(i64Load32u, Linear-heap.SizeBefore) }, func() {
		w.get(m)
		w.mem(i64Load32u, state+heap.ClassTotal)
		w.i64(heap.BlockHeader)
		w.op(i64Sub)
	}, wide)
	w.get(wide)
	w.i64(23)
	w.op(i64Add)
	w.i64(^uint64(15))
	w.op(i64And)
	w.i64(8)
	w.op(i64Sub)
	w.set(wide)
	w.i64(24)
	w.get(wide)
	w.get(wide)
	w.i64(24)
	w.op(i64LtU, opSelect, opReturn)
	w.closeExits(slow)
	w.i64(0)
}

// emitMakeUnique does nothing for an array whose storage nothing else refers to.
func emitMakeUnique(c *nativeCall) {
	c.elsewise(3, func(slow *exits) {
		at, plus := c.address(c.arg(0), 0, 0, 0, slow)
		_, storage := c.boxOf(at, plus, slow)
		c.unlessUnique(storage, slow)
	})
}

// unlessUnique takes an exit unless the strong reference to the object at an offset is known to be the only one.
func (g *fn) unlessUnique(offset int, slow *exits) {
	w := &g.w
	w.get(offset)
	w.mem(i64Load, Linear+heap.RefCountOffset)
	w.i64(1)
	w.op(i64Sub)
	w.i64(heap.StrongOne/2 - 1) // what is not positive, and what counts more than one
	w.op(i64GeU)
	w.exitIf(slow)
}

// emitAppendReference puts a reference after the others of an array.
func emitAppendReference(c *nativeCall) {
	w := &c.w
	ref := c.arg(1)
	at, plus := c.address(c.arg(2), 0, 0, 0, nil)
	storage, element, value := c.local(i64), c.local(i64), c.local(i64)
	w.get(at)
	w.mem(i64Load, plus)
	w.set(storage)
	if c.prog.Natives[c.in.Imm].Indirect(1) {
		from, plus := c.address(ref, 0, 0, 0, nil)
		w.get(from)
		w.mem(i64Load, plus)
	} else {
		c.get(ref)
	}
	w.set(value)
	count := c.within31(func() { w.get(storage) }, true)
	w.get(count)
	c.get(c.arg(0))
	w.i64(1)
	w.op(i64Add)
	w.mem(i64Store, arrayCount)
	w.get(storage)
	c.get(c.arg(0))
	w.i64(3)
	w.op(i64Shl, i64Add)
	w.set(element)
	to := c.within31(func() { w.get(element) }, true)
	w.get(to)
	w.get(value)
	w.mem(i64Store, arrayElements)
}

// Where the storage of an array has its count and, of references, its elements.
const (
	arrayCount    = 16
	arrayCapacity = 24
	arrayElements = 32
)

// feeds is a native that feeds a Hasher the low n bytes of an argument; to says which argument is the Hasher's address.
func feeds(word, to int, n uint64) native {
	return func(c *nativeCall) {
		at := c.within31(func() { c.get(c.arg(to)) }, true)
		c.w.get(at)
		c.get(c.arg(word))
		if n < 8 {
			c.w.i64(1<<(8*n) - 1)
			c.w.op(i64And)
		}
		c.w.i64(n)
		c.w.call(c.feed)
	}
}

func emitFinish(c *nativeCall) {
	at := c.within31(func() { c.get(c.arg(0)) }, true)
	c.w.get(at)
	c.w.call(c.hashed)
	c.set(c.arg(0))
}

// emitHashWord hashes one word with a seed.
func emitHashWord(c *nativeCall) {
	c.get(c.arg(0))
	c.get(c.arg(1))
	c.w.call(c.hashWord)
	c.set(c.arg(0))
}

// emitHashBytes hashes up to 7 bytes of a word with a seed.
func emitHashBytes(c *nativeCall) {
	for k := range 3 {
		c.get(c.arg(k))
	}
	c.w.call(c.hashBytes)
	c.set(c.arg(0))
}

// hashStart has the words of the state of a new Hasher; the first and the third are mixed with its seed.
var hashStart = [4]uint64{0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573}

// emitNewHasher makes a Hasher with a seed: nothing that waits, then the words of the state and four that are not used.
func emitNewHasher(c *nativeCall) {
	for k, v := range append(hashStart[:], 0, 0, 0, 0) {
		c.w.i64(v)
		if k == 0 || k == 2 {
			c.get(c.arg(0))
			c.w.op(i64Xor)
		}
		c.set(c.arg(1 + k))
	}
	c.w.i64(0)
	c.set(c.arg(0))
}

// sipHash writes SipHash-1-3 (J. Aumasson, D. Bernstein: SipHash, a fast short-input PRF, 2012) over the words of a Hasher, the bytes that wait first.
// They are locals from tail on.
type sipHash struct {
	*writer
	at, tail int
}

func (h sipHash) load() {
	for k := range 5 {
		h.get(h.at)
		h.mem(i64Load, 8*uint64(k))
		h.set(h.tail + k)
	}
}

// mix is v[x] = o(v[x], v[y]).
func (h sipHash) mix(o op, x, y int) {
	h.get(h.tail + 1 + x)
	h.get(h.tail + 1 + y)
	h.op(o)
	h.set(h.tail + 1 + x)
}

func (h sipHash) rotate(x int, n uint64) {
	h.get(h.tail + 1 + x)
	h.i64(64 - n)
	h.op(i64Rotr)
	h.set(h.tail + 1 + x)
}

func (h sipHash) round() {
	for _, s := range [...]struct {
		x, y int
		n    uint64
		swap bool
	}{{0, 1, 13, true}, {2, 3, 16, false}, {0, 3, 21, false}, {2, 1, 17, true}} {
		h.mix(i64Add, s.x, s.y)
		h.rotate(s.y, s.n)
		h.mix(i64Xor, s.y, s.x)
		if s.swap {
			h.rotate(s.x, 32)
		}
	}
}

// compress takes in the word in a local.
func (h sipHash) compress(m int) {
	for _, x := range [...]int{3, 0} {
		h.get(h.tail + 1 + x)
		h.get(m)
		h.op(i64Xor)
		h.set(h.tail + 1 + x)
		if x == 3 {
			h.round()
		}
	}
}

// feedHelper is (Hasher, word, n): feeds it a word of n bytes.
func (t *translator) feedHelper(w *writer) {
	const at, word, n, tail, waiting, text = 0, 1, 2, 3, 8, 9
	const countShift, textMask = 56, 1<<56 - 1
	h := sipHash{w, at, tail}
	h.load()
	w.get(tail) // eight times the number of bytes that wait
	w.i64(countShift)
	w.op(i64ShrU)
	w.i64(7)
	w.op(i64And)
	w.i64(3)
	w.op(i64Shl)
	w.set(waiting)
	w.get(tail)
	w.i64(textMask)
	w.op(i64And)
	w.get(word)
	w.get(waiting)
	w.op(i64Shl, i64Or)
	w.set(text)
	w.get(tail) // the number of all bytes
	w.i64(countShift)
	w.op(i64ShrU)
	w.get(n)
	w.op(i64Add)
	w.i64(countShift)
	w.op(i64Shl)
	w.set(tail)
	w.get(waiting)
	w.get(n)
	w.i64(3)
	w.op(i64Shl, i64Add)
	w.i64(64)
	w.op(i64LtU)
	w.begin(opIf, noResult)
	w.get(at)
	w.get(text)
	w.get(tail)
	w.op(i64Or)
	w.mem(i64Store, 0)
	w.op(opReturn, opEnd)
	w.get(at) // what does not fit waits
	w.get(word)
	w.i64(1)
	w.op(i64ShrU)
	w.i64(63)
	w.get(waiting)
	w.op(i64Sub, i64ShrU)
	w.get(tail)
	w.op(i64Or)
	w.mem(i64Store, 0)
	h.compress(text)
	for k := range 4 {
		w.get(at)
		w.get(tail + 1 + k)
		w.mem(i64Store, 8+8*uint64(k))
	}
}

// finishHelper is (Hasher) -> its hash.
func (t *translator) finishHelper(w *writer) {
	const at, tail = 0, 1
	h := sipHash{w, at, tail}
	h.load()
	h.finish()
}

// hashWordHelper is (seed, word) -> the hash of a word.
func (t *translator) hashWordHelper(w *writer) {
	const seed, word, tail = 0, 1, 2
	const eightBytes = 8 << 56
	h := sipHash{writer: w, tail: tail}
	h.begin(seed)
	h.compress(word)
	w.i64(eightBytes)
	w.set(tail)
	h.finish()
}

// hashBytesHelper is (seed, word, n) -> the hash of the low n bytes of a word, of 7 at most.
func (t *translator) hashBytesHelper(w *writer) {
	const seed, word, n, tail = 0, 1, 2, 3
	h := sipHash{writer: w, tail: tail}
	h.begin(seed)
	w.least(func() { w.get(n) }, func() { w.i64(7) }, n)
	w.get(word)
	w.i64(1)
	w.get(n)
	w.i64(3)
	w.op(i64Shl, i64Shl)
	w.i64(1)
	w.op(i64Sub, i64And)
	w.get(n)
	w.i64(56)
	w.op(i64Shl, i64Or)
	w.set(tail)
	h.finish()
}

// begin sets the state to what it is before anything was fed.
func (h sipHash) begin(seed int) {
	w := h.writer
	for k, v := range hashStart {
		w.i64(v)
		if k == 0 || k == 2 {
			w.get(seed)
			w.op(i64Xor)
		}
		w.set(h.tail + 1 + k)
	}
}

// finish pushes the hash of what was fed.
func (h sipHash) finish() {
	w, tail := h.writer, h.tail
	h.compress(tail)
	w.get(tail + 3)
	w.i64(0xff)
	w.op(i64Xor)
	w.set(tail + 3)
	for range 3 {
		h.round()
	}
	w.get(tail + 1)
	for k := range 3 {
		w.get(tail + 2 + k)
		w.op(i64Xor)
	}
}
