package vm_test

import (
	"flag"

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
		at := heap.HeaderSize + 16*uint64(s.rnd.IntN(2)) // behind a header of 32 bytes
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
	try("_swift_stdlib_malloc_size", 1, 1, func(s *stateProgram) { s.add(code.Move, arg, s.object(), 0, 0) })
	return list
}
