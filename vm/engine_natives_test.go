package vm_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"silvm/heap"
	"silvm/vm/code"
)

var stateSeeds = flag.Uint64("states", 4, "how many programs TestStatesInBothEngines makes for each operation")

// text loads a String into two registers: a small one, one whose bytes are in the holder or outside memory, or words that are none.
func (s *stateProgram) text(r int) {
	letters := []string{"", "a", "b", "ab", "abc", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno", "\r\n", "a\r", "\na", "é", "abcdéf", "e\u0301x", "\u00e9x", "\x00", "\x7f", "zz\r\nzz"}
	text := letters[s.rnd.IntN(len(letters))]
	if s.rnd.IntN(3) == 0 {
		text += text
	}
	ascii := true
	for _, b := range []byte(text) {
		ascii = ascii && b < 0x80
	}
	switch n := s.rnd.IntN(10); {
	case n == 0:
		s.load(r, edgeInts[s.rnd.IntN(len(edgeInts))])
		s.load(r+1, s.one(0, 1, 2, 8)<<60|s.one(0, heap.Base, 1<<40, 1<<59))
	case n < 5 && len(text) <= 15:
		var w [2]uint64
		for k, b := range []byte(text) {
			w[k/8] |= uint64(b) << (8 * (k % 8))
		}
		kind := uint64(0xa0)
		if ascii {
			kind = 0xe0
		}
		s.load(r, w[0])
		s.load(r+1, w[1]|(kind|uint64(len(text)))<<56)
	default:
		at := heap.HeaderSize + 16*uint64(s.rnd.IntN(2)) // after a header of 32 bytes
		for k := 0; k < len(text); k++ {
			s.load(stateWord, uint64(text[k]))
			s.add(code.Store8, stateWord, stateObjects, 0, at+32+uint64(k))
		}
		flags := uint64(0x3000) // it ends in 0, and has a tail
		if ascii {
			flags |= 0xc000
		}
		if s.rnd.IntN(4) == 0 {
			flags = s.one(0, 0x1000, 0x3000, 0x5000, 0xe000)
		}
		s.load(r, flags<<48|uint64(len(text)))
		s.add(code.AddI, r+1, stateObjects, 0, at)
		s.load(stateWord, s.one(0, 0, 1<<63, 1<<60))
		s.add(code.Or, r+1, r+1, stateWord, 0)
	}
}

// native calls a native with so many arguments and takes its results.
func (s *stateProgram) native(symbol string, args, results int) {
	s.natives = append(s.natives, &code.NativeRef{Index: len(s.natives), Symbol: symbol, ArgSlots: args})
	s.calls = append(s.calls, code.CallSite{PC: uint32(len(s.insts)) + 1, Shape: code.Shape{Args: args, Rets: results}})
	s.add(code.CallNative, stateBase, args, 0, uint64(len(s.natives)-1))
	if results > 0 {
		s.add(code.Move, result, stateBase+1, 0, 0)
	}
	if results > 1 {
		s.add(code.Move, result+1, stateBase+2, 0, 0)
	}
}

// nativeTries lists natives that are machine code.
func nativeTries() (list []stateTried) {
	const arg = stateBase + 1
	try := func(symbol string, args, results int, prepare func(s *stateProgram)) {
		list = append(list, stateTried{name: symbol, write: func(s *stateProgram) { prepare(s); s.native(symbol, args, results) }})
	}
	for _, symbol := range []string{"$sSS2eeoiySbSS_SStFZ", "$sSS1loiySbSS_SStFZ", "$sSJ2eeoiySbSJ_SJtFZ", "$sSJ1loiySbSJ_SJtFZ"} {
		try(symbol, 4, 1, func(s *stateProgram) { s.text(arg); s.text(arg + 2) })
	}
	for _, symbol := range []string{"$ss27_stringCompareWithSmolCheck__9expectingSbs11_StringGutsV_ADs01_G16ComparisonResultOtF",
		"$ss22_stringCompareInternal__9expectingSbs11_StringGutsV_ADs01_E16ComparisonResultOtF"} {
		try(symbol, 5, 1, func(s *stateProgram) { s.text(arg); s.text(arg + 2); s.load(arg+4, s.one(0, 1)) })
	}
	// hasher feeds one in the holder a few words first, so that any number of bytes waits.
	hasher := func(s *stateProgram) {
		s.add(code.AddI, stateFrame, stateHolder, 0, heap.HeaderSize)
		for k := range 9 {
			s.load(stateWord, uint64(s.rnd.Uint32())*0x9e3779b97f4a7c15)
			if k == 0 {
				s.load(stateWord, uint64(s.rnd.IntN(9))<<56|s.one(0, 0x41, 0x4142434445464748)&(1<<56-1))
			}
			s.add(code.Store64, stateWord, stateFrame, 0, 8*uint64(k))
		}
	}
	for _, symbol := range []string{"$sSS4hash4intoys6HasherVz_tF", "$sSJ4hash4intoys6HasherVz_tF"} {
		try(symbol, 3, 0, func(s *stateProgram) { hasher(s); s.add(code.Move, arg, stateFrame, 0, 0); s.text(arg + 1) })
	}
	for _, symbol := range []string{"$ss6HasherV8_combineyySuF", "$ss6HasherV8_combineyys6UInt32VF", "$ss6HasherV8_combineyys6UInt16VF", "$ss6HasherV8_combineyys5UInt8VF"} {
		try(symbol, 2, 0, func(s *stateProgram) {
			hasher(s)
			s.load(arg, edgeInts[s.rnd.IntN(len(edgeInts))])
			s.add(code.Move, arg+1, stateFrame, 0, 0)
		})
	}
	for _, symbol := range []string{"$sSi4hash4intoys6HasherVz_tF", "$ss5Int32V4hash4intoys6HasherVz_tF", "$ss5Int16V4hash4intoys6HasherVz_tF", "$ss5UInt8V4hash4intoys6HasherVz_tF"} {
		try(symbol, 2, 0, func(s *stateProgram) {
			hasher(s)
			s.load(arg+1, edgeInts[s.rnd.IntN(len(edgeInts))])
			s.add(code.Move, arg, stateFrame, 0, 0)
		})
	}
	try("$ss6HasherV9_finalizeSiyF", 1, 1, func(s *stateProgram) { hasher(s); s.add(code.Move, arg, stateFrame, 0, 0) })
	try("$ss6HasherV5_hash4seed_S2i_s6UInt64VtFZ", 2, 1, func(s *stateProgram) {
		s.load(arg, edgeInts[s.rnd.IntN(len(edgeInts))])
		s.load(arg+1, edgeInts[s.rnd.IntN(len(edgeInts))])
	})
	try("$sSS8IteratorV4nextSJSgyF", 1, 2, func(s *stateProgram) {
		s.text(arg + 1)
		s.add(code.AddI, stateFrame, stateHolder, 0, heap.HeaderSize)
		s.add(code.Store64x2, arg+1, stateFrame, 0, 0)
		s.load(stateNumber, s.one(0, 0, 1, 2, 5, 15))
		s.load(stateNumber+1, s.one(0, 1, 2, 6, 15))
		if s.rnd.IntN(3) > 0 { // the count
			s.load(stateWord, 1<<48-1)
			s.add(code.And, stateNumber+1, arg+1, stateWord, 0)
		}
		s.add(code.Store64x2, stateNumber, stateFrame, 0, 16)
		s.add(code.Move, arg, stateFrame, 0, 0)
	})
	index := func(s *stateProgram) {
		s.text(arg + 1)
		s.load(arg, s.one(0, 0, 1, 2, 3, 7, 8, 15)<<16|s.one(0, 1, 1)<<8|s.one(0, 1, 3, 7, 15))
	}
	try("$sSSySJSS5IndexVcig", 3, 2, index)
	try("$sSS5index5afterSS5IndexVAD_tF", 3, 1, index)
	try("$sSS21_builtinStringLiteral17utf8CodeUnitCount7isASCIISSBp_BwBi1_tcfC", 3, 2, func(s *stateProgram) {
		s.text(stateNumber)
		s.add(code.AddI, arg, stateObjects, 0, heap.HeaderSize+32)
		s.small(arg+1, 20)
		s.load(arg+2, s.one(0, 1, 1))
	})
	try("$sSS1poiyS2S_SStFZ", 4, 2, func(s *stateProgram) { s.text(arg); s.text(arg + 2) })
	// inHolder puts a String into the holder.
	inHolder := func(s *stateProgram) {
		s.text(stateNumber)
		s.add(code.AddI, stateFrame, stateHolder, 0, heap.HeaderSize)
		s.add(code.Store64x2, stateNumber, stateFrame, 0, 0)
	}
	try("$sSS2peoiyySSz_SStFZ", 3, 0, func(s *stateProgram) { inHolder(s); s.add(code.Move, arg, stateFrame, 0, 0); s.text(arg + 1) })
	for _, symbol := range []string{"$sSS6appendyySSF", "$sSS5writeyySSF"} {
		try(symbol, 3, 0, func(s *stateProgram) { inHolder(s); s.add(code.Move, arg+2, stateFrame, 0, 0); s.text(arg) })
	}
	try("$ss6HasherV5_hash4seed5bytes5countS2i_s6UInt64VSitFZ", 3, 1, func(s *stateProgram) {
		s.load(arg, edgeInts[s.rnd.IntN(len(edgeInts))])
		s.load(arg+1, edgeInts[s.rnd.IntN(len(edgeInts))])
		s.load(arg+2, s.one(0, 1, 2, 4, 7, 8, 1<<63))
	})
	try("_swift_stdlib_malloc_size", 1, 1, func(s *stateProgram) { s.add(code.Move, arg, s.object(), 0, 0) })
	return list
}

// Registers of the loops below.
const (
	loopObjects = 1 // two arrays: a count, then elements
	loopPlace   = 3
	loopIndexes = 4 // three of them
	loopLimits  = 7 // two
	loopCount   = 9 // bounds the rounds
	loopNumber  = 10
	loopWord    = 12
	loopFold    = 14
)

// boundLoop is a program with loops that walk over arrays by indexes at random, whose checks may move before them.
type boundLoop struct{ handLoop }

func (h *boundLoop) index() int { return loopIndexes + h.rnd.IntN(3) }
func (h *boundLoop) limit() int { return loopLimits + h.rnd.IntN(2) }
func (h *boundLoop) array() int { return loopObjects + h.rnd.IntN(2) }

func (h *boundLoop) pick(list ...uint64) uint64 { return list[h.rnd.IntN(len(list))] }

// start is a number that an index begins with or is compared with: mostly a small one.
func (h *boundLoop) start() uint64 {
	if h.rnd.IntN(8) == 0 {
		return h.pick(^uint64(0), ^uint64(0)-1, 1<<63-2, 1<<63, 1<<31-2, 1<<31, 1<<32-2, 1<<32, 1<<28-1, 1<<28, 1<<60, 1<<61-1, 1<<61)
	}
	return uint64(h.rnd.IntN(7))
}

func (h *boundLoop) at() uint64 { // of elements: before, at and after the count
	return h.pick(8, 8, 8, 1, 4, 16)<<32 | uint64(uint32(int32(h.pick(24, 24, 24, 16, 32, 0, ^uint64(7), 1<<31-8))))
}

// memoryEnd is about where the memory of these programs ends.
const memoryEnd = heap.Base + 409600

var boundKinds = []func(h *boundLoop){
	func(h *boundLoop) { h.add(code.TrapOut, h.index(), h.limit(), 0, 0) },
	func(h *boundLoop) { h.add(code.TrapIndex, h.index(), h.array(), 0, heap.HeaderSize) },
	func(h *boundLoop) { h.add(code.StoreX64, loopNumber, h.array(), h.index(), h.at()) },
	func(h *boundLoop) { h.add(code.LoadX64, loopNumber, h.array(), h.index(), h.at()) },
	func(h *boundLoop) { h.add(code.LoadX8, loopNumber+1, loopPlace, h.index(), h.at()) },
	func(h *boundLoop) { h.add(code.StoreX8, loopNumber, loopPlace, h.index(), h.at()) },
	func(h *boundLoop) {
		h.add(code.AddX, loopWord, h.array(), h.index(), h.at())
		h.add(code.Load64, loopNumber, loopWord, 0, h.pick(0, 8))
	},
	func(h *boundLoop) {
		i := h.index()
		h.add(code.AddI, i, i, 0, h.pick(1, 1, 1, 2, ^uint64(0), 4, 1<<28))
	},
	func(h *boundLoop) { i := h.index(); h.add(code.SaddTI, i, i, 0, h.pick(1, 1, 1, 2, ^uint64(0), 1<<62)) },
	func(h *boundLoop) { i := h.index(); h.add(code.SsubTI, i, i, 0, h.pick(1, 1, 2)) },
	func(h *boundLoop) { i := h.index(); h.add(code.UaddTI, i, i, 0, h.pick(1, 1, 2)) },
	func(h *boundLoop) { i := h.index(); h.add(code.SmulTI, i, i, 0, h.pick(2, 3, 1<<30)) },
	func(h *boundLoop) { h.add(code.SaddT, loopNumber, loopNumber, loopNumber+1, 0) },
	func(h *boundLoop) { h.add(code.AndI, h.index(), h.index(), 0, h.pick(7, 255, 1<<31-1, 1<<32-1)) },
	func(h *boundLoop) { h.add(code.Move, h.index(), h.index(), 0, 0) },
	func(h *boundLoop) { h.add(code.Move, h.limit(), h.index(), 0, 0) },
	func(h *boundLoop) { h.add(code.Move, loopObjects, loopObjects+1, 0, 0) },
	func(h *boundLoop) { h.add(code.RefLoad64, h.limit(), h.array(), 0, heap.HeaderSize) },
	func(h *boundLoop) {
		h.load64(loopWord, h.start())
		h.add(code.RefStore64, loopWord, h.array(), 0, heap.HeaderSize)
	},
	func(h *boundLoop) { h.add(code.AddI, loopPlace, loopPlace, 0, h.pick(1, 8, ^uint64(7), 4096)) },
	func(h *boundLoop) { h.add(code.AddI, loopPlace, h.array(), 0, h.pick(0, 16, 24, 32)) },
	func(h *boundLoop) {
		h.load64(loopPlace, h.pick(memoryEnd-8, memoryEnd-64, memoryEnd, memoryEnd+1<<20, heap.Base+1<<31-8, 0, 1<<40))
	},
	func(h *boundLoop) { h.allocateArray(h.array()) },
	func(h *boundLoop) { h.add(code.Release, h.array(), handBase, 0, 0) },
	func(h *boundLoop) { h.add(code.Load64, loopNumber, loopPlace, 0, h.pick(0, 8, 16, 256, 4000)) },
	(*boundLoop).fill,
}

func (h *boundLoop) load64(r int, v uint64) { h.add(code.LoadImm, r, 0, 0, v) }

func (h *boundLoop) allocateArray(r int) {
	h.add(code.AllocClass, r, 0, 0, 0)
	h.load64(loopWord, uint64(h.rnd.IntN(handFields)))
	h.add(code.RefStore64, loopWord, r, 0, heap.HeaderSize)
	h.load64(loopWord, 5)
	for f := range handFields {
		h.add(code.RefStore64, loopWord, r, 0, heap.HeaderSize+8+8*uint64(f))
	}
}

// fill is a loop that does no more than fill, of any number of elements but so many that it takes long.
func (h *boundLoop) fill() {
	n := h.rnd.IntN(4)
	op, size := []code.Op{code.Store8, code.Store16, code.Store32, code.Store64}[n], uint64(1)<<n
	i := h.index()
	h.load64(i, h.start())
	h.add(code.AddI, loopLimits, i, 0, h.pick(1, 2, 5, 8, 9, 10, 11, 30, 100, 5000))
	if h.rnd.IntN(2) == 0 {
		h.add(code.AddI, loopPlace, h.array(), 0, h.pick(24, 24, 32, 16))
	}
	parts := []func(){
		func() { h.add(op, loopNumber, loopPlace, 0, h.pick(0, 0, size, 8)) },
		func() { h.add(code.AddI, loopPlace, loopPlace, 0, size) },
		func() { h.add(code.AddI, i, i, 0, 1) },
	}
	loop := uint32(len(h.insts) + 1)
	for _, k := range h.rnd.Perm(3) {
		parts[k]()
	}
	h.add(code.JumpEq, i, loopLimits, 0, code.Targets(uint32(len(h.insts)+2), loop))
}

func (h *boundLoop) some(n int) {
	for range n {
		boundKinds[h.rnd.IntN(len(boundKinds))](h)
	}
}

// leave jumps on a condition; the result is where its target is to be filled in.
func (h *boundLoop) leave() (at int) {
	at = len(h.insts)
	switch h.rnd.IntN(4) {
	case 0:
		h.add(code.JumpEq, h.index(), h.limit(), 0, 0)
	case 1:
		h.add(code.JumpSltI, h.index(), int(h.pick(1, 3, 5)), 0, 0)
	case 2:
		h.add(code.JumpUlt, h.limit(), h.index(), 0, 0)
	case 3:
		h.add(code.JumpEqI, loopNumber, 5, 0, 0)
	}
	return at
}

// loop writes a loop that runs a few times at most, with loops inside; each may be left early.
func (h *boundLoop) loop(depth int) {
	for k := range 3 {
		if h.rnd.IntN(2) == 0 {
			h.load64(loopIndexes+k, h.start())
		}
	}
	var leaves []int
	if h.rnd.IntN(3) == 0 { // no round at all
		leaves = append(leaves, h.leave())
	}
	loop := uint32(len(h.insts) + 1)
	h.some(1 + h.rnd.IntN(5))
	if h.rnd.IntN(2) == 0 {
		leaves = append(leaves, h.leave())
	}
	if depth > 0 && h.rnd.IntN(2) == 0 {
		h.loop(depth - 1)
	}
	h.some(h.rnd.IntN(4))
	h.add(code.AddI, loopCount, loopCount, 0, 1)
	leaves = append(leaves, len(h.insts))
	h.add(code.JumpSgtI, loopCount, 30, 0, 0)
	if h.rnd.IntN(3) > 0 {
		h.add(code.JumpSlt, h.index(), h.limit(), 0, code.Targets(loop, uint32(len(h.insts)+2)))
	} else {
		h.add(code.Jump, 0, 0, 0, code.Targets(loop, 0))
	}
	for _, k := range leaves {
		next := uint32(k + 2)
		h.insts[k].Imm = code.Targets(uint32(len(h.insts)+1), next)
	}
}

func (h *boundLoop) make() {
	for k := range 2 {
		h.allocateArray(loopObjects + k)
	}
	h.add(code.AddI, loopPlace, loopObjects, 0, 24)
	for k := range 3 {
		h.load64(loopIndexes+k, h.start())
	}
	for k := range 2 {
		h.load64(loopLimits+k, h.start())
		h.load64(loopNumber+k, uint64(k+3))
	}
	h.load64(loopCount, 0)
	for range 1 + h.rnd.IntN(2) {
		h.loop(2)
	}
	h.load64(loopFold, 0)
	for r := loopPlace; r <= loopNumber+1; r++ {
		h.add(code.MulI, loopFold, loopFold, 0, 31)
		h.add(code.Add, loopFold, loopFold, r, 0)
	}
	h.load64(handStart, results)
	h.add(code.Store64, loopFold, handStart, 0, 0)
	h.add(code.Store64, loopCount, handStart, 0, 8)
	h.load64(loopFold, 0)
	for k := range 2 {
		for f := range handFields + 8 {
			h.add(code.Load64, loopWord, loopObjects+k, 0, heap.RefCountOffset+8*uint64(f))
			h.add(code.MulI, loopFold, loopFold, 0, 31)
			h.add(code.Add, loopFold, loopFold, loopWord, 0)
		}
	}
	h.load64(handStart, results)
	h.add(code.Store64, loopFold, handStart, 0, 16)
	h.load64(1, 0)
	h.add(code.Return, 0, 0, 0, 0)
}

var (
	boundSeeds = flag.Uint64("bounds", 200, "how many programs TestBoundsInBothEngines makes")
	boundFirst = flag.Uint64("bounds-first", 0, "the seed of the first of them")
)

// Loops whose bounds, addresses and overflows are checked before them, several times in their place, or filled at once, end as they do in the
// interpreter: loops at random with indexes that wrap around, no rounds, early ends, loops inside, arrays that change, die and share memory.
func TestBoundsInBothEngines(t *testing.T) {
	ended := map[string]int{}
	for seed := range *boundSeeds {
		h := &boundLoop{handLoop{rnd: rand.New(rand.NewPCG(*boundFirst+seed, 91))}}
		h.make()
		want, got := h.run(t, false), h.run(t, true)
		switch {
		case got == want:
			ended["same "+want[:2]]++
		case got == "trapped":
			ended["trapped in machine code only"]++ // only slow: the interpreter runs again
		}
		if got != want && got != "trapped" {
			var text strings.Builder
			for k, in := range h.insts {
				fmt.Fprintf(&text, "%3d %v\n", k+1, in)
			}
			t.Errorf("seed %d (-bounds 1 -bounds-first %[1]d): the engine says%q, the interpreter%q\n%s", *boundFirst+seed, got, want, text.String())
			return
		}
	}
	t.Log(ended)
}
