package native

import "github.com/rivo/uniseg"

// substr is a Substring: Slice<String> (stdlib/public/core/Substring.swift).
type substr struct {
	start, end uint64 // indices
	base       str
}

// A String.Index is a word: the offset in UTF-8 bytes from bit 16 on, an offset within a scalar in UTF-16 views in bits 14 and 15,
// the length of the Character there in bits 8 to 13 when known, and flags (stdlib/public/core/StringIndex.swift).
const (
	indexShift     = 16
	indexOrder     = 14 // what is above compares indices
	indexStride    = 8
	indexScalar    = 1 // aligned to a scalar
	indexCharacter = 2 // aligned to a Character
	indexUTF8      = 4
	indexUTF16     = 8
	indexFlags     = indexScalar | indexCharacter | indexUTF8
	firstIndex     = indexFlags | indexUTF16 // that of offset 0
)

// maxStride is the length in bytes of the longest Character that an index remembers.
const maxStride = 63

// indexAt returns the index of a Character at an offset, of unknown length.
func indexAt(offset uint64) uint64 {
	if offset == 0 {
		return firstIndex
	}
	return offset<<indexShift | indexFlags
}

// characterIndex returns the index of the Character of stride bytes at an offset into s. It remembers the length, as any index does that was
// found by moving over Characters. Where s begins inside of one, its indices aren't known to be aligned.
func characterIndex(s substr, at, stride uint64) uint64 {
	i := s.start>>indexShift<<indexShift + at<<indexShift | indexScalar | indexUTF8 | s.start&indexCharacter
	if stride <= maxStride {
		i |= stride << indexStride
	}
	return i
}

// characterIndexAt is characterIndex where the length is not known. It is that in the whole string, which may end after s.
func (c *call) characterIndexAt(s substr, b []byte, at uint64) uint64 {
	stride := uint64(0)
	if at < uint64(len(b)) {
		stride = uint64(graphemeLen(c.view(s.base, 0)[s.start>>indexShift+at:]))
	}
	return characterIndex(s, at, stride)
}

// strideAt returns the length of the Character at offset at of b, which index i is that of; it may remember it.
func strideAt(i uint64, b []byte, at uint64) uint64 {
	if n := i >> indexStride & maxStride; n != 0 && i&indexCharacter != 0 && at+n <= uint64(len(b)) {
		return n
	}
	return uint64(graphemeLen(b[at:]))
}

// scalarIndexAt returns the index of a scalar at an offset.
func scalarIndexAt(offset uint64) uint64 { return offset<<indexShift | indexScalar | indexUTF8 }

// argSubstring returns the Substring in argument scalars i to i+3.
func (c *call) argSubstring(i int) substr {
	return substr{c.Arg(i), c.Arg(i + 1), str{c.Arg(i + 2), c.Arg(i + 3)}}
}

func (c *call) loadSubstring(a uint64) substr {
	return substr{c.load(a), c.load(a + 8), c.loadString(a + 16)}
}

// setSubstring leaves a Substring as result scalars.
func (c *call) setSubstring(s substr) {
	c.Set(0, s.start)
	c.Set(1, s.end)
	c.Set(2, s.base.bits)
	c.Set(3, s.base.object)
}

// viewOf returns the bytes of a substring; see view.
func (c *call) viewOf(s substr, slot int) []byte {
	b := c.view(s.base, slot)
	lo, hi := s.start>>indexShift, s.end>>indexShift
	if lo > hi || hi > uint64(len(b)) {
		c.outOfBounds()
		return nil
	}
	return b[lo:hi]
}

// textOf returns a copy of the bytes of a substring.
func (c *call) textOf(s substr) string { return string(c.viewOf(s, 0)) }

func (c *call) outOfBounds() { c.fail(c.Fatal("String index is out of bounds")) }

// whole returns the substring that is all of a string.
func whole(s str) substr { return substr{firstIndex, indexAt(s.count()), s} }

// textSpan leaves a Span of the bytes of the string at an address, so many of them from the one at lo: those of a small string are in the string.
func (c *call) textSpan(at, lo, count uint64) {
	s := c.loadString(at)
	if !s.isSmall() {
		at = c.bytesAddr(s)
	}
	c.Set(0, at+lo)
	c.Set(1, count)
}

// textUTF8Span leaves the same as a UTF8Span, whose word of the count says of an ASCII string that it is that, and so normalized.
func (c *call) textUTF8Span(at, lo, count uint64) {
	if c.loadString(at).isASCII() {
		count |= 3 << 62
	}
	c.textSpan(at, lo, count)
}

// spanOf makes a function that leaves a span of the text of the String or Substring at its argument.
func spanOf(isSubstring bool, leave func(c *call, at, lo, count uint64)) func(*call) {
	return func(c *call) {
		if !isSubstring {
			leave(c, c.Arg(0), 0, c.loadString(c.Arg(0)).count())
			return
		}
		s := c.loadSubstring(c.Arg(0))
		leave(c, c.Arg(0)+16, s.start>>indexShift, s.end>>indexShift-s.start>>indexShift)
	}
}

var substrings = map[string]func(*call){
	"$sSS8UTF8ViewV4spans4SpanVys5UInt8VGvg":              spanOf(false, (*call).textSpan),
	"$sSs8UTF8ViewV4spans4SpanVys5UInt8VGvg":              spanOf(true, (*call).textSpan),
	"$sSS8utf8Spans04UTF8B0Vvg":                           spanOf(false, (*call).textUTF8Span),
	"$sSs8utf8Spans04UTF8B0Vvg":                           spanOf(true, (*call).textUTF8Span),
	"$sSSySsSnySS5IndexVGcig":                             sliceString,
	"$sSsySsSnySS5IndexVGcig":                             sliceSubstring,
	"$sSsySsSScfC":                                        func(c *call) { c.setSubstring(whole(c.argString(0))) },
	"$sSsyS2scfC":                                         func(c *call) {},
	"$sSS14_fromSubstringySSSshFZ":                        func(c *call) { c.setString(c.newString(c.textOf(c.argSubstring(0)))) },
	"$sSsySJSS5IndexVcig":                                 func(c *call) { c.characterAt(c.argSubstring(1), c.Arg(0)) },
	"$sSs5index5afterSS5IndexVAD_tF":                      func(c *call) { c.Set(0, c.indexAfter(c.argSubstring(1), c.Arg(0))) },
	"$sSs5index6beforeSS5IndexVAD_tF":                     func(c *call) { c.Set(0, c.indexBefore(c.argSubstring(1), c.Arg(0))) },
	"$sSs6_index12roundingDownSS5IndexVAD_tF":             func(c *call) { c.Set(0, c.offsetIndex(c.argSubstring(1), c.Arg(0), 0)) },
	"$sSs5index_8offsetBySS5IndexVAE_SitF":                func(c *call) { c.Set(0, c.offsetIndex(c.argSubstring(2), c.Arg(0), c.Arg(1))) },
	"$sSs5index_8offsetBy07limitedC0SS5IndexVSgAE_SiAEtF": func(c *call) { c.limitedIndex(c.argSubstring(3)) },
	"$sSs8distance4from2toSiSS5IndexV_AEtF":               func(c *call) { c.Set(0, c.distance(c.argSubstring(2), c.Arg(0), c.Arg(1))) },
	"$sSs5countSivg":                                      func(c *call) { c.Set(0, uint64(graphemeCount(c.viewOf(c.argSubstring(0), 0)))) },
	"$sSs11descriptionSSvg":                               func(c *call) { c.setString(c.newString(c.textOf(c.argSubstring(0)))) },
	"$sSs10uppercasedSSyF":                                func(c *call) { c.setString(c.newString(upper(c.textOf(c.argSubstring(0))))) },
	"$sSs10lowercasedSSyF":                                func(c *call) { c.setString(c.newString(lower(c.textOf(c.argSubstring(0))))) },
	"$sSsyS2s9UTF16ViewVcfC":                              alignUnits,
	"$sSsyS2s8UTF8ViewVcfC":                               alignUnits,
	"$sSsyS2s17UnicodeScalarViewVcfC":                     func(c *call) {},
	"$sSS9UTF16ViewVySsAAVSnySS5IndexVGcig":               sliceUnits,
	"$sSS8UTF8ViewVySsAAVSnySS5IndexVGcig":                sliceUnits,
	"$sSS17UnicodeScalarViewVySsAAVSnySS5IndexVGcig":      sliceString,
	"$sSs17UnicodeScalarViewVyABSnySS5IndexVGcig":         sliceSubstring,
}

// sliceString is s[a..<b]; bounds that are not those of a scalar are rounded down.
func sliceString(c *call) {
	s := c.argString(2)
	r := c.checkedRange(whole(s), c.Arg(0), c.Arg(1))
	c.retain(s.object)
	c.setSubstring(r)
}

// sliceUnits is view[a..<b] of the UTF-8 and UTF-16 code units of a string: bounds may lie within a scalar.
func sliceUnits(c *call) {
	s := c.argString(2)
	start, end := c.Arg(0), c.Arg(1)
	c.checkBounds(whole(s), start, end)
	c.retain(s.object)
	c.setSubstring(substr{start, end, s})
}

// alignUnits makes a substring of such a slice; bounds within a scalar are rounded down.
func alignUnits(c *call) {
	s := c.argSubstring(0)
	c.setSubstring(c.checkedRange(whole(s.base), s.start, s.end))
}

func sliceSubstring(c *call) {
	s := c.argSubstring(2)
	r := c.checkedRange(s, c.Arg(0), c.Arg(1))
	c.retain(s.base.object)
	c.setSubstring(r)
}

func (c *call) checkBounds(s substr, start, end uint64) {
	if start>>14 > end>>14 || start>>14 < s.start>>14 || end>>14 > s.end>>14 {
		c.outOfBounds()
	}
}

func (c *call) checkedRange(s substr, start, end uint64) substr {
	c.checkBounds(s, start, end)
	return substr{c.scalarAligned(s.base, start), c.scalarAligned(s.base, end), s.base}
}

// scalarAligned rounds an index down to the start of a scalar.
func (c *call) scalarAligned(s str, i uint64) uint64 {
	if i&indexScalar != 0 {
		return i
	}
	b, at := c.view(s, 0), i>>indexShift
	if at >= uint64(len(b)) {
		return i | indexScalar
	}
	for at > 0 && b[at]&0xC0 == 0x80 {
		at--
	}
	return scalarIndexAt(at)
}

// place returns the offset of an index into s, which must be that of a Character that is there. Indices that are none are rounded
// down to one.
func (c *call) place(s substr, i uint64, b []byte) uint64 {
	lo := s.start >> indexShift
	at := i >> indexShift
	if i>>14 < s.start>>14 || at-lo > uint64(len(b)) {
		c.outOfBounds()
		return 0
	}
	at -= lo
	if i&indexCharacter != 0 || at == 0 || at == uint64(len(b)) {
		return at
	}
	return uint64(lastBoundary(b, int(scalarStart(b, at))))
}

// scalarPlace is place for what looks at scalars: it rounds down to the start of one, which may be inside a Character.
func (c *call) scalarPlace(s substr, i uint64, b []byte) uint64 {
	at := i>>indexShift - s.start>>indexShift
	if i>>14 < s.start>>14 || at > uint64(len(b)) {
		c.outOfBounds()
		return 0
	}
	return scalarStart(b, at)
}

// scalarStart returns the start of the scalar that byte n belongs to.
func scalarStart(b []byte, n uint64) uint64 {
	for n > 0 && n < uint64(len(b)) && b[n]&0xC0 == 0x80 {
		n--
	}
	return n
}

// lastBoundary returns the last boundary between Characters at or before n, which is that of a scalar.
func lastBoundary(b []byte, n int) int {
	if n == 0 || n >= len(b) {
		return n
	}
	start := n
	for start > 0 && !(b[start] < 0x80 && b[start-1] < 0x80 && (b[start-1] != '\r' || b[start] != '\n')) {
		start--
	}
	for start < n {
		k := graphemeLen(b[start:])
		if start+k > n {
			break
		}
		start += k
	}
	return start
}

// characterAt leaves the Character at an index as a string.
func (c *call) characterAt(s substr, i uint64) {
	b := c.viewOf(s, 0)
	at := c.scalarPlace(s, i, b)
	if c.trap != nil {
		return
	}
	if at >= uint64(len(b)) {
		c.outOfBounds()
		return
	}
	c.setString(c.newString(string(b[at : at+strideAt(i, b, at)])))
}

func (c *call) indexAfter(s substr, i uint64) uint64 {
	b := c.viewOf(s, 0)
	at := c.place(s, i, b)
	if c.trap != nil {
		return 0
	}
	if at >= uint64(len(b)) {
		c.outOfBounds()
		return 0
	}
	return c.characterIndexAt(s, b, at+strideAt(i, b, at))
}

// wordAfter is _wordIndex(after:): where the word at an index ends (UAX #29).
func wordAfter(c *call) {
	s := whole(c.argString(1))
	b := c.viewOf(s, 0)
	at := c.place(s, c.Arg(0), b)
	if c.trap == nil && at >= uint64(len(b)) {
		c.outOfBounds()
	}
	if c.trap == nil {
		word, _, _ := uniseg.FirstWord(b[at:], -1)
		c.Set(0, indexAt(at+uint64(len(word))))
	}
}

func (c *call) indexBefore(s substr, i uint64) uint64 {
	b := c.viewOf(s, 0)
	at := c.place(s, i, b)
	if c.trap != nil {
		return 0
	}
	if at == 0 {
		c.outOfBounds()
		return 0
	}
	n := uint64(lastGraphemeLen(b[:at]))
	return characterIndex(s, at-n, n)
}

// A walkLimit is where a walk may not go beyond: an offset in quarters of a byte, as the order of indices counts them.
type walkLimit struct {
	at  int
	has bool
}

// passed reports whether an offset lies beyond the limit; when more steps follow, whether it is there already.
func (l walkLimit) passed(offset int, forward, more bool) bool {
	switch offset *= 1 << (indexShift - indexOrder); {
	case !l.has:
		return false
	case offset == l.at:
		return more
	}
	return forward == (offset > l.at)
}

// walk moves by n Characters from offset at; ok is false when the limit is passed, and to is -1 when the text is at its end.
func walk(b []byte, at, n int, limit walkLimit) (to int, ok bool) {
	forward := n >= 0
	for ; n != 0; n = step(n) {
		switch {
		case limit.passed(at, forward, true):
			return at, false
		case forward && at >= len(b), !forward && at <= 0:
			return -1, false
		case forward:
			at += graphemeLen(b[at:])
		default:
			at -= lastGraphemeLen(b[:at])
		}
	}
	return at, !limit.passed(at, forward, false)
}

// step returns n, one nearer to 0.
func step(n int) int {
	if n > 0 {
		return n - 1
	}
	return n + 1
}

func (c *call) offsetIndex(s substr, i, n uint64) uint64 {
	b := c.viewOf(s, 0)
	at := c.place(s, i, b)
	if c.trap != nil {
		return 0
	}
	to, ok := walk(b, int(at), int(n), walkLimit{})
	if !ok {
		c.outOfBounds()
		return 0
	}
	return c.movedIndex(s, i, n, b, uint64(to))
}

// movedIndex returns index i, or that of the Character at offset to of b, n Characters away from it.
func (c *call) movedIndex(s substr, i, n uint64, b []byte, to uint64) uint64 {
	switch {
	case n == 0 && i&indexCharacter != 0:
		return i
	case int(n) < 0:
		return characterIndex(s, to, uint64(graphemeLen(b[to:])))
	}
	return c.characterIndexAt(s, b, to)
}

// limitedIndex is index(_:offsetBy:limitedBy:) with arguments 0 to 2; it leaves an optional index. The walk starts at a Character. The limit is where it
// is, inside of one too, and has no effect after the index as that is given.
func (c *call) limitedIndex(s substr) {
	b := c.viewOf(s, 0)
	i, limit, start := c.Arg(0)>>indexOrder, c.Arg(2)>>indexOrder, s.start>>indexShift<<(indexShift-indexOrder)
	at, n := c.place(s, c.Arg(0), b), int(c.Arg(1))
	if c.trap != nil {
		return
	}
	to, ok := walk(b, int(at), n, walkLimit{int(limit - start), n >= 0 && limit >= i || n < 0 && limit <= i})
	switch {
	case !ok && to < 0:
		c.outOfBounds()
	case !ok:
		c.Set(0, 0)
		c.Set(1, 1)
	default:
		c.Set(0, c.movedIndex(s, c.Arg(0), c.Arg(1), b, uint64(to)))
		c.Set(1, 0)
	}
}

// distance counts the Characters between two indices.
func (c *call) distance(s substr, from, to uint64) uint64 {
	b := c.viewOf(s, 0)
	i, j := c.place(s, from, b), c.place(s, to, b)
	if c.trap != nil {
		return 0
	}
	if i <= j {
		return uint64(graphemeCount(b[i:j]))
	}
	return -uint64(graphemeCount(b[j:i]))
}
