package native

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"silvm/vm"
)

var stringFunctions = map[string]func(*call){
	"$sSS21_builtinStringLiteral17utf8CodeUnitCount7isASCIISSBp_BwBi1_tcfC": literalString,
	"$sSS6appendyySSF": func(c *call) { c.appendAt(c.Arg(2), c.scratch(c.argString(0))) },
	"$sSS6appendyySJF": func(c *call) { c.appendAt(c.Arg(2), c.scratch(c.argString(0))) },
	"$sSS5writeyySSF":  func(c *call) { c.appendAt(c.Arg(2), c.scratch(c.argString(0))) },
	"$ss26DefaultStringInterpolationV13appendLiteralyySSF":                             func(c *call) { c.appendAt(c.Arg(2), c.scratch(c.argString(0))) },
	"$ss26DefaultStringInterpolationV15literalCapacity18interpolationCountABSi_SitcfC": newInterpolation,
	"$sSS19stringInterpolationSSs013DefaultStringB0V_tcfC":                             func(c *call) {},
	"$ss26DefaultStringInterpolationV11descriptionSSvg": func(c *call) {
		c.retain(c.Arg(1))
	},
	"$ss11_StringGutsV4growyySiF":           growGuts,
	"$sSS15reserveCapacityyySiF":            reserveString,
	"$sSS9removeAll15keepingCapacityySb_tF": removeAll,
	"$sSS1poiyS2S_SStFZ":                    concatenate,
	"$sSS2peoiyySSz_SStFZ":                  func(c *call) { c.appendAt(c.Arg(0), c.scratch(c.argString(1))) },
	"$sSS2eeoiySbSS_SStFZ":                  func(c *call) { c.setBool(c.compare(0, 2) == 0) },
	"$sSS1loiySbSS_SStFZ":                   func(c *call) { c.setBool(c.compare(0, 2) < 0) },
	"$sSJ2eeoiySbSJ_SJtFZ":                  func(c *call) { c.setBool(c.compare(0, 2) == 0) },
	"$sSJ1loiySbSJ_SJtFZ":                   func(c *call) { c.setBool(c.compare(0, 2) < 0) },
	"$ss27_stringCompareWithSmolCheck__9expectingSbs11_StringGutsV_ADs01_G16ComparisonResultOtF": func(c *call) {
		c.compared(c.compare(0, 2), c.Arg(4))
	},
	"$ss22_stringCompareInternal____9expectingSbs11_StringGutsV_SnySiGAdEs01_E16ComparisonResultOtF": compareRanges,
	"$ss22_stringCompareInternal__9expectingSbs11_StringGutsV_ADs01_E16ComparisonResultOtF": func(c *call) {
		c.compared(c.compare(0, 2), c.Arg(4))
	},
	"$sSS5countSivg":                                                    func(c *call) { c.Set(0, uint64(graphemeCount(c.view(c.argString(0), 0)))) },
	"$sSS7isEmptySbvg":                                                  func(c *call) { c.setBool(c.argString(0).count() == 0) },
	"$sSS9repeating5countS2S_SitcfC":                                    repeatString,
	"$sSS9repeating5countSSSJ_SitcfC":                                   repeatString,
	"$sSS10uppercasedSSyF":                                              func(c *call) { c.setString(c.newString(upper(c.text(c.argString(0))))) },
	"$sSS10lowercasedSSyF":                                              func(c *call) { c.setString(c.newString(lower(c.text(c.argString(0))))) },
	"$sSJ10uppercasedSSyF":                                              func(c *call) { c.setString(c.newString(upper(c.text(c.argString(0))))) },
	"$sSJ10lowercasedSSyF":                                              func(c *call) { c.setString(c.newString(lower(c.text(c.argString(0))))) },
	"$sSS9hasPrefixySbSSF":                                              func(c *call) { c.setBool(c.affix(true)) },
	"$sSS9hasSuffixySbSSF":                                              func(c *call) { c.setBool(c.affix(false)) },
	"$sSSySJSS5IndexVcig":                                               func(c *call) { c.characterAt(whole(c.argString(1)), c.Arg(0)) },
	"$sSS5index5afterSS5IndexVAD_tF":                                    func(c *call) { c.Set(0, c.indexAfter(whole(c.argString(1)), c.Arg(0))) },
	"$sSS5index6beforeSS5IndexVAD_tF":                                   func(c *call) { c.Set(0, c.indexBefore(whole(c.argString(1)), c.Arg(0))) },
	"$sSS6_index12roundingDownSS5IndexVAD_tF":                           func(c *call) { c.Set(0, c.offsetIndex(whole(c.argString(1)), c.Arg(0), 0)) },
	"$sSS5index_8offsetBySS5IndexVAD_SitF":                              func(c *call) { c.Set(0, c.offsetIndex(whole(c.argString(2)), c.Arg(0), c.Arg(1))) },
	"$sSS5index_8offsetBy07limitedC0SS5IndexVSgAE_SiAEtF":               func(c *call) { c.limitedIndex(whole(c.argString(3))) },
	"$sSS8distance4from2toSiSS5IndexV_AEtF":                             func(c *call) { c.Set(0, c.distance(whole(c.argString(2)), c.Arg(0), c.Arg(1))) },
	"$sSS8IteratorV4nextSJSgyF":                                         nextCharacter,
	"$sSS16debugDescriptionSSvg":                                        func(c *call) { c.setString(c.newString(quote(c.text(c.argString(0))))) },
	"$sSJ16debugDescriptionSSvg":                                        func(c *call) { c.setString(c.newString(quote(c.text(c.argString(0))))) },
	"$sSS11descriptionSSvg":                                             func(c *call) { c.retain(c.Arg(1)) },
	"$sSJ11descriptionSSvg":                                             func(c *call) { c.retain(c.Arg(1)) },
	"$ss12StaticStringV11descriptionSSvg":                               func(c *call) { c.setString(c.newString(c.argStatic(0))) },
	"$sSS18_uncheckedFromUTF8ySSSRys5UInt8VGFZ":                         func(c *call) { c.setString(c.newString(string(c.mem(c.Arg(0), c.Arg(1))))) },
	"$sSS18_fromUTF8RepairingySS6result_Sb11repairsMadetSRys5UInt8VGFZ": repairText,
	"$sSS10_wordIndex5afterSS0B0VAD_tF":                                 wordAfter,
	"library_decomposedText":                                            func(c *call) { c.setString(c.newString(string(nfd(c.view(c.argString(0), 0))))) },
	"library_composedText":                                              func(c *call) { c.setString(c.newString(string(nfc(c.view(c.argString(0), 0))))) },
	"library_repairedText":                                              repairText,
	"$sSS7cStringSSSPys4Int8VG_tcfC":                                    func(c *call) { c.setString(c.newString(repair(c.cString(c.Arg(0))))) },
	"_swift_stdlib_strlen_unsigned":                                     func(c *call) { c.Set(0, uint64(len(c.cString(c.Arg(0))))) },
	"$sSS14validatingUTF8SSSgSPys4Int8VG_tcfC":                          validatedCString,
	"$sSS7cStringSSSPys5UInt8VG_tcfC":                                   func(c *call) { c.setString(c.newString(repair(c.cString(c.Arg(0))))) },
	"$sSS6insert_2atySJ_SS5IndexVtF":                                    insertCharacter,
	"$sSS6remove2atSJSS5IndexV_tF":                                      removeCharacter,
	"$sSd11descriptionSSvg":                                             func(c *call) { c.setString(c.newString(describeFloat(formatDouble(math.Float64frombits(c.Arg(0)))))) },
	"$sSf11descriptionSSvg": func(c *call) {
		c.setString(c.newString(describeFloat(formatFloat32(math.Float32frombits(uint32(c.Arg(0)))))))
	},
	"$sSd16debugDescriptionSSvg":                                                                    func(c *call) { c.setString(c.newString(formatDouble(math.Float64frombits(c.Arg(0))))) },
	"$sSf16debugDescriptionSSvg":                                                                    func(c *call) { c.setString(c.newString(formatFloat32(math.Float32frombits(uint32(c.Arg(0)))))) },
	"$sSb11descriptionSSvg":                                                                         func(c *call) { c.setString(c.newString(strconv.FormatBool(c.Arg(0)&1 != 0))) },
	"$sSd5write2toyxz_ts16TextOutputStreamRzlF":                                                     func(c *call) { c.writeText(formatDouble(math.Float64frombits(c.Arg(1)))) },
	"$sSf5write2toyxz_ts16TextOutputStreamRzlF":                                                     func(c *call) { c.writeText(formatFloat32(math.Float32frombits(uint32(c.Arg(1))))) },
	"$ss7UnicodeO6ScalarV5write2toyxz_ts16TextOutputStreamRzlF":                                     func(c *call) { c.writeText(string(rune(c.Arg(1)))) },
	"$sSS5write2toyxz_ts16TextOutputStreamRzlF":                                                     func(c *call) { c.writeText(c.text(c.argString(1))) },
	"$sSJ5write2toyxz_ts16TextOutputStreamRzlF":                                                     func(c *call) { c.writeText(c.text(c.argString(1))) },
	"$ss7UnicodeO6ScalarV11descriptionSSvg":                                                         func(c *call) { c.setString(c.newString(string(rune(c.Arg(0))))) },
	"$ss7UnicodeO6ScalarV16debugDescriptionSSvg":                                                    func(c *call) { c.setString(c.newString(quoteOne(rune(c.Arg(0))))) },
	"$ss21_findStringSwitchCase5cases6stringSiSays06StaticB0VG_SStF":                                findCase,
	"$ss30_findStringSwitchCaseWithCache5cases6string5cacheSiSays06StaticB0VG_SSs07_OpaquebcF0VztF": findCase,
	"$ss9_typeName_9qualifiedSSypXp_SbtF":                                                           typeNameOf,
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (c *call) setBool(b bool) { c.Set(0, flag(b)) }

// scratch returns a copy of the bytes of a string, valid until the next one.
func (c *call) scratch(s str) []byte {
	w := &c.lib.w
	w.out = append(w.out[:0], c.view(s, 0)...)
	return w.out
}

// literalString makes a String of a literal, which stays where it is.
func literalString(c *call) {
	start, count := c.Arg(0), c.Arg(1)
	if count <= smallMax {
		c.setString(smallString(c.mem(start, count)))
		return
	}
	bits := count | flagTail
	if c.Arg(2)&1 != 0 {
		bits |= flagASCII | flagNFC
	}
	c.setString(str{bits, (start - textOffset) | 1<<63})
}

// newInterpolation makes an empty string with room for what an interpolation is expected to need.
func newInterpolation(c *call) {
	capacity := c.Arg(0) + 2*c.Arg(1)
	if capacity <= smallMax || int64(capacity) < 0 {
		c.setString(emptyString)
		return
	}
	c.setString(c.newStorage(0, capacity, true))
}

func growGuts(c *call) {
	n, a := c.Arg(0), c.Arg(1)
	s := c.loadString(a)
	if int64(n) < 0 {
		n = 0
	}
	c.growAt(a, s, max(n, 2*c.room(s)))
}

func reserveString(c *call) {
	n, a := c.Arg(0), c.Arg(1)
	s := c.loadString(a)
	if room := c.room(s); int64(n) > smallMax && room < n {
		c.growAt(a, s, max(n, 2*room))
	}
}

func removeAll(c *call) {
	a := c.Arg(1)
	s := c.loadString(a)
	if c.Arg(0)&1 != 0 && c.room(s) > 0 {
		s.bits = asciiNative
		c.store(a, s.bits)
		c.store(s.object+storageCount, s.bits)
		c.storeN(s.object+textOffset, 1, 0)
		return
	}
	c.storeString(a, emptyString)
	c.releaseString(s)
}

// concatenate is lhs + rhs, both borrowed.
func concatenate(c *call) {
	l, r := c.argString(0), c.argString(2)
	switch {
	case r.count() == 0:
		c.retain(l.object)
		c.setString(l)
	case l.count() == 0:
		c.retain(r.object)
		c.setString(r)
	default:
		c.setString(c.newString(string(c.view(l, 0)) + string(c.view(r, 1))))
	}
}

// compare orders the Strings in argument scalars i and j by their normalized scalars.
func (c *call) compare(i, j int) int { return c.compareStrings(c.argString(i), c.argString(j)) }

func (c *call) compareStrings(l, r str) int {
	if l == r {
		return 0
	}
	a, b := c.view(l, 0), c.view(r, 1)
	if l.isASCII() && r.isASCII() {
		return bytes.Compare(a, b)
	}
	return compareText(a, b)
}

func compareText(a, b []byte) int { return bytes.Compare(nfc(a), nfc(b)) }

// compared leaves whether an order is the expected one: 0 equal, 1 less.
func (c *call) compared(order int, expecting uint64) {
	c.setBool(expecting&1 == 0 && order == 0 || expecting&1 == 1 && order < 0)
}

// compareRanges is _stringCompareInternal of parts of two strings.
func compareRanges(c *call) {
	a := c.part(c.argString(0), 0, c.Arg(2), c.Arg(3))
	b := c.part(c.argString(4), 1, c.Arg(6), c.Arg(7))
	c.compared(bytes.Compare(nfc(a), nfc(b)), c.Arg(8))
}

func (c *call) part(s str, slot int, lo, hi uint64) []byte {
	b := c.view(s, slot)
	if lo > hi || hi > uint64(len(b)) {
		c.outOfBounds()
		return nil
	}
	return b[lo:hi]
}

func repeatString(c *call) {
	s, n := c.argString(0), int64(c.Arg(2))
	text := c.text(s)
	switch {
	case n < 0:
		c.fail(c.SwiftTrap("Negative count not allowed"))
	case n == 0 || len(text) == 0:
		c.setString(emptyString)
	case uint64(n) > (1<<32)/uint64(len(text)):
		c.fail(c.Limit(vm.LimitMemory))
	default:
		c.setString(c.newString(strings.Repeat(text, int(n))))
	}
	c.releaseString(s)
}

// affix reports whether the String in argument 2 starts, or ends, with the one in argument 0: by whole normalized Characters.
func (c *call) affix(prefix bool) bool {
	part, s := c.view(c.argString(0), 0), c.view(c.argString(2), 1)
	if !isASCII(part) || !isASCII(s) {
		return affixOf(part, s, prefix)
	}
	if prefix {
		return bytes.HasPrefix(s, part) && !splitsCRLF(s, len(part))
	}
	return bytes.HasSuffix(s, part) && !splitsCRLF(s, len(s)-len(part))
}

// splitsCRLF reports whether a place is inside the one Character that carriage return and line feed make.
func splitsCRLF(s []byte, i int) bool { return i > 0 && i < len(s) && s[i-1] == '\r' && s[i] == '\n' }

// affixOf compares Character by Character. An empty part is found everywhere.
func affixOf(part, s []byte, prefix bool) bool {
	for len(part) > 0 {
		if len(s) == 0 {
			return false
		}
		var a, b []byte
		if prefix {
			a, b = part[:graphemeLen(part)], s[:graphemeLen(s)]
			part, s = part[len(a):], s[len(b):]
		} else {
			a, b = part[len(part)-lastGraphemeLen(part):], s[len(s)-lastGraphemeLen(s):]
			part, s = part[:len(part)-len(a)], s[:len(s)-len(b)]
		}
		if !bytes.Equal(nfc(a), nfc(b)) {
			return false
		}
	}
	return true
}

// nextCharacter is String.Iterator.next: the string, the position and the end lie at argument 0.
func nextCharacter(c *call) {
	a := c.Arg(0)
	s, at, end := c.loadString(a), c.load(a+16), c.load(a+24)
	b := c.view(s, 0)
	if at >= end || end > uint64(len(b)) || c.trap != nil {
		c.Set(0, 0)
		c.Set(1, 0)
		return
	}
	n := uint64(graphemeLen(b[at:end]))
	text := b[at : at+n]
	c.store(a+16, at+n)
	if n <= smallMax {
		c.setString(smallString(text))
		return
	}
	c.setString(c.newString(string(text)))
}

// repair replaces each maximal part of a text that is no UTF-8 by U+FFFD (stdlib/public/core/StringUTF8Validation.swift).
func repair(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r != utf8.RuneError || n > 1 {
			b.WriteString(text[:n])
		} else {
			n = maximalPart(text)
			b.WriteString("\uFFFD")
		}
		text = text[n:]
	}
	return b.String()
}

func repairText(c *call) {
	text := string(c.mem(c.Arg(0), c.Arg(1)))
	repaired := repair(text)
	c.setString(c.newString(repaired))
	c.Set(2, flag(repaired != text))
}

// maximalPart returns how many bytes of an ill-formed text could have started a scalar, at least 1 (Unicode 15, table 3-7).
func maximalPart(text string) int {
	lead, need, lo, hi := text[0], 0, byte(0x80), byte(0xBF)
	switch {
	case lead >= 0xC2 && lead <= 0xDF:
		need = 1
	case lead >= 0xE0 && lead <= 0xEF:
		need = 2
		if lead == 0xE0 {
			lo = 0xA0
		} else if lead == 0xED {
			hi = 0x9F
		}
	case lead >= 0xF0 && lead <= 0xF4:
		need = 3
		if lead == 0xF0 {
			lo = 0x90
		} else if lead == 0xF4 {
			hi = 0x8F
		}
	}
	n := 1
	for ; n <= need && n < len(text) && text[n] >= lo && text[n] <= hi; n++ {
		lo, hi = 0x80, 0xBF
	}
	return n
}

// validatedCString leaves the String of the bytes up to a NUL, nil when they are no UTF-8.
func validatedCString(c *call) {
	text := c.cString(c.Arg(0))
	if !utf8.ValidString(text) {
		c.Set(0, 0)
		c.Set(1, 0)
		return
	}
	c.setString(c.newString(text))
}

// cString returns the bytes up to a NUL.
func (c *call) cString(a uint64) string {
	var b []byte
	for c.trap == nil {
		ch := c.loadN(a, 1)
		if ch == 0 {
			break
		}
		b = append(b, byte(ch))
		a++
	}
	return string(b)
}

// replaceText replaces the contents of the String at an address.
func (c *call) replaceText(a uint64, text string) {
	old := c.loadString(a)
	s := c.newString(text)
	c.storeString(a, s)
	c.releaseString(old)
}

func insertCharacter(c *call) {
	ch, i, a := c.text(c.argString(0)), c.Arg(2), c.Arg(3)
	s := c.loadString(a)
	text := c.text(s)
	at := c.scalarAligned(s, i) >> indexShift
	if at > uint64(len(text)) {
		c.outOfBounds()
		return
	}
	c.replaceText(a, text[:at]+ch+text[at:])
}

func removeCharacter(c *call) {
	i, a := c.Arg(0), c.Arg(1)
	s := c.loadString(a)
	text := c.text(s)
	at := c.place(whole(s), i, []byte(text))
	if c.trap != nil {
		return
	}
	if at >= uint64(len(text)) {
		c.outOfBounds()
		return
	}
	n := at + uint64(graphemeLen([]byte(text[at:])))
	c.replaceText(a, text[:at]+text[n:])
	c.setString(c.newString(text[at:n]))
}

// writeText writes to the stream at argument 0.
func (c *call) writeText(text string) {
	c.sinking(0, func() uint64 { return c.Arg(0) }, func() { c.put(text) })
}

// findCase finds a String among StaticStrings of 24 bytes: its position, -1 when it is none of them.
func findCase(c *call) {
	const stride = 24
	cases, s := c.Arg(0), c.text(c.argString(1))
	found := ^uint64(0)
	for i, n := uint64(0), c.load(cases+arrayCount); i < n && c.trap == nil; i++ {
		a := cases + arrayElements + i*stride
		if t := c.staticText(c.load(a), c.load(a+8), c.loadN(a+16, 1)); t == s ||
			!isASCII(s) && bytes.Equal(nfc([]byte(t)), nfc([]byte(s))) {
			found = i
			break
		}
	}
	c.Set(0, found)
}

func typeNameOf(c *call) {
	ti, t := c.TypeOf(c.Arg(0))
	c.fail(t)
	if t == nil {
		c.setString(c.newString(c.typeName(ti.Type, c.Arg(1)&1 != 0)))
	}
}
