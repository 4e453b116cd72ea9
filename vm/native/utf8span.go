package native

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// UTF8Span: the address of the bytes, and a word with their count and two flags (stdlib/public/core/UTF8Span.swift). Its iterators are a span
// and an offset.
const (
	spanASCII = 1 << 63
	spanNFC   = 1 << 62
	spanCount = 1<<56 - 1

	spanPosition = 16 // of the offset in an iterator
)

// spanBytes returns the bytes of a UTF8Span.
func (c *call) spanBytes(addr, word uint64) []byte {
	b, ok := c.Heap().View(addr, word&spanCount)
	if !ok {
		c.fail(c.BadAddress(addr))
	}
	return b
}

// setSpan leaves a UTF8Span: nothing but null when the address is that.
func (c *call) setSpan(addr, word uint64) {
	if addr == 0 {
		word = 0
	}
	if word&spanASCII != 0 {
		word |= spanNFC
	}
	c.Set(0, addr)
	c.Set(1, word)
}

// How the bytes of a text are no UTF-8 (Unicode.UTF8.ValidationError.Kind).
const (
	unexpectedContinuation = iota
	surrogateCodePoint
	invalidCodePoint
	overlongEncoding
	truncatedScalar
)

// invalidUTF8 returns what is wrong where a text is no UTF-8 first, and where that is.
func invalidUTF8(b []byte) (kind, from, to int, wrong bool) {
	for at := 0; at < len(b); {
		if b[at] < utf8.RuneSelf {
			at++
			continue
		}
		if _, n := utf8.DecodeRune(b[at:]); n > 1 {
			at += n
			continue
		}
		lead, next, ends := b[at], byte(0), at+1 == len(b)
		if !ends {
			next = b[at+1]
		}
		switch {
		case lead < 0xC0:
			return unexpectedContinuation, at, at + 1, true
		case lead < 0xC2, !ends && (lead == 0xE0 && (next < 0xA0 || next > 0xBF) || lead == 0xF0 && (next < 0x90 || next > 0xBF)):
			return overlongEncoding, at, at + 1, true
		case lead > 0xF4, !ends && lead == 0xF4 && (next < 0x80 || next > 0x8F):
			return invalidCodePoint, at, at + 1, true
		case !ends && lead == 0xED && (next < 0x80 || next > 0x9F):
			return surrogateCodePoint, at, at + 1, true
		}
		return truncatedScalar, at, at + maximalPart(string(b[at:min(at+utf8.UTFMax, len(b))])), true
	}
	return 0, 0, 0, false
}

var wrongUTF8 = [...]string{
	unexpectedContinuation: ".unexpectedContinuationByte", surrogateCodePoint: ".surrogateCodePointByte",
	invalidCodePoint: ".invalidNonSurrogateCodePointByte", overlongEncoding: ".overlongEncodingByte", truncatedScalar: ".truncatedScalar",
}

// wrongText describes a kind of error.
func wrongText(kind uint64) string { return wrongUTF8[min(kind, truncatedScalar)] }

// validateSpan makes a UTF8Span of a Span, or throws what is wrong.
func validateSpan(c *call) {
	addr, count := c.Arg(0), c.Arg(1)
	b := c.spanBytes(addr, count)
	if kind, from, to, wrong := invalidUTF8(b); wrong {
		c.Set(0, uint64(kind))
		c.Set(1, uint64(from))
		c.Set(2, uint64(to))
		c.Throw()
		return
	}
	if isASCII(b) {
		count |= spanASCII
	}
	c.setSpan(addr, count)
}

// checkSpan makes a function that leaves whether the span at an argument is all ASCII, or in normal form C, and notes in the span that it is.
func checkSpan(at int, flag uint64, is func(c *call, b []byte) bool) func(*call) {
	return func(c *call) {
		a := c.Arg(at)
		addr, word := c.load(a), c.load(a+8)
		known := word&flag != 0
		if !known && is(c, c.spanBytes(addr, word)) {
			known = true
			c.store(a+8, word|flag|spanNFC)
		}
		c.setBool(known)
	}
}

func isNormal(c *call, b []byte) bool {
	if c.Arg(0)&1 != 0 {
		return norm.NFC.QuickSpan(b) == len(b)
	}
	return bytes.Equal(nfc(b), b)
}

// compareSpans compares by normal forms.
func (c *call) compareSpans() int {
	a, b := c.spanBytes(c.Arg(0), c.Arg(1)), c.spanBytes(c.Arg(2), c.Arg(3))
	if c.Arg(1)&c.Arg(3)&spanNFC != 0 || bytes.Equal(a, b) {
		return bytes.Compare(a, b)
	}
	return bytes.Compare(nfc(a), nfc(b))
}

// A spanIterator is one at an address: its bytes and where it stands.
type spanIterator struct {
	a  uint64
	b  []byte
	at int
}

func (c *call) spanIterator(i int) spanIterator {
	a := c.Arg(i)
	s := spanIterator{a, c.spanBytes(c.load(a), c.load(a+8)), int(c.load(a + spanPosition))}
	if c.trap == nil && (s.at < 0 || s.at > len(s.b)) {
		c.outOfBounds()
	}
	return s
}

// A unit is what an iterator walks over: how many bytes the first one of a text has, and the last one.
type unit struct{ first, last func(b []byte) int }

var (
	scalarUnit = unit{
		func(b []byte) int { _, n := utf8.DecodeRune(b); return n },
		func(b []byte) int { _, n := utf8.DecodeLastRune(b); return n },
	}
	characterUnit = unit{graphemeLen, lastGraphemeLen}
)

// passing makes a function that moves an iterator by one, backwards or not, and leaves what it passed.
func passing(u unit, back bool, leave func(c *call, b []byte)) func(*call) {
	return func(c *call) {
		s := c.spanIterator(0)
		if c.trap != nil {
			return
		}
		from, to := s.at, s.at
		switch {
		case back && from > 0:
			from -= u.last(s.b[:to])
			c.store(s.a+spanPosition, uint64(from))
		case !back && to < len(s.b):
			to += u.first(s.b[from:])
			c.store(s.a+spanPosition, uint64(to))
		}
		leave(c, s.b[from:to])
	}
}

func leaveScalar(c *call, b []byte) {
	r, _ := utf8.DecodeRune(b)
	c.setOptional(uint64(r), len(b) > 0)
	if len(b) == 0 {
		c.Set(0, 0)
	}
}

func leaveCharacter(c *call, b []byte) { c.setOptionalText(string(b)) }

func leaveOne(c *call, b []byte) { c.Set(0, flag(len(b) > 0)) }

// skip makes a function that moves an iterator by so many, as far as there are, and leaves how many there were.
func skip(u unit, back bool) func(*call) {
	return func(c *call) {
		most, s, n := int64(c.Arg(0)), c.spanIterator(1), int64(0)
		for ; c.trap == nil && n < most; n++ {
			if back && s.at > 0 {
				s.at -= u.last(s.b[:s.at])
			} else if !back && s.at < len(s.b) {
				s.at += u.first(s.b[s.at:])
			} else {
				break
			}
		}
		c.store(s.a+spanPosition, uint64(s.at))
		c.Set(0, uint64(n))
	}
}

// resetSpan makes a function that sets an iterator to an offset, or to the begin of a scalar in that direction.
func resetSpan(direction int) func(*call) {
	return func(c *call) {
		i, s := int(c.Arg(0)), c.spanIterator(1)
		if c.trap == nil && (i < 0 || i > len(s.b)) {
			c.outOfBounds()
			return
		}
		for direction != 0 && i > 0 && i < len(s.b) && !utf8.RuneStart(s.b[i]) {
			i += direction
		}
		c.store(s.a+spanPosition, uint64(i))
	}
}

// setPart leaves what lies before an iterator's position, or what lies after it, as a span.
func (c *call) setPart(addr, word, at uint64, after bool) {
	flags, count := word&^spanCount, word&spanCount
	switch {
	case at > count:
		c.outOfBounds()
	case after && addr != 0:
		c.setSpan(addr+at, flags|(count-at))
	default:
		c.setSpan(addr, flags|at)
	}
}

func spanPart(after bool) func(*call) {
	return func(c *call) { c.setPart(c.Arg(0), c.Arg(1), c.Arg(2), after) }
}

func spanPartAt(after bool) func(*call) {
	return func(c *call) {
		a := c.Arg(0)
		c.setPart(c.load(a), c.load(a+8), c.load(a+spanPosition), after)
	}
}

func makeSpanIterator(c *call) {
	c.Set(2, 0)
	c.setTwo(c.Arg(0), c.Arg(1))
}

// makeSpanIteratorAt is that of Characters, which lies in memory.
func makeSpanIteratorAt(c *call) {
	a, addr, word := c.Arg(0), c.Arg(1), c.Arg(2)
	c.store(a, addr)
	c.store(a+8, word)
	c.store(a+spanPosition, 0)
}

func (c *call) setTwo(x, y uint64) {
	c.Set(0, x)
	c.Set(1, y)
}

var utf8Spans = map[string]func(*call){
	"$ss8UTF8SpanV10validatingABs0B0Vys5UInt8VG_ts7UnicodeO0A0O15ValidationErrorVYKcfC": validateSpan,
	"$ss7UnicodeO4UTF8O15ValidationErrorV11descriptionSSvg": func(c *call) {
		c.setString(c.newString(fmt.Sprintf("UTF8.ValidationError(%s, %d..<%d)", wrongText(c.Arg(0)), c.Arg(1), c.Arg(2))))
	},
	"$ss7UnicodeO4UTF8O15ValidationErrorV2eeoiySbAF_AFtFZ": func(c *call) {
		c.setBool(c.Arg(0) == c.Arg(3) && c.Arg(1) == c.Arg(4) && c.Arg(2) == c.Arg(5))
	},
	"$ss7UnicodeO4UTF8O15ValidationErrorV4KindV11descriptionSSvg": func(c *call) { c.setString(c.newString(wrongText(c.Arg(0)))) },
	"$ss8UTF8SpanV9unchecked12isKnownASCIIABs0B0Vys5UInt8VG_SbtcfC": func(c *call) {
		c.setSpan(c.Arg(0), c.Arg(1)&spanCount|c.Arg(2)<<63)
	},
	"$ss8UTF8SpanV7isEmptySbvg":                    func(c *call) { c.setBool(c.Arg(1)&spanCount == 0) },
	"$sSS7copyingSSs8UTF8SpanV_tcfC":               func(c *call) { c.setString(c.newString(string(c.spanBytes(c.Arg(0), c.Arg(1))))) },
	"$ss8UTF8SpanV4spans0B0Vys5UInt8VGvg":          func(c *call) { c.setTwo(c.Arg(0), c.Arg(1)&spanCount) },
	"$ss8UTF8SpanV13checkForASCIISbyF":             checkSpan(0, spanASCII, func(_ *call, b []byte) bool { return isASCII(b) }),
	"$ss8UTF8SpanV11checkForNFC10quickCheckS2b_tF": checkSpan(1, spanNFC, isNormal),

	"$ss8UTF8SpanV23isCanonicallyEquivalent2toSbAB_tF": func(c *call) { c.setBool(c.compareSpans() == 0) },
	// self is the last argument
	"$ss8UTF8SpanV21isCanonicallyLessThanySbABF": func(c *call) { c.setBool(c.compareSpans() > 0) },

	"$ss8UTF8SpanV25makeUnicodeScalarIteratorAB0deF0VyF": makeSpanIterator,
	"$ss8UTF8SpanV21UnicodeScalarIteratorVyAdBcfC":       makeSpanIterator,
	"$ss8UTF8SpanV21makeCharacterIteratorAB0dE0VyF":      makeSpanIteratorAt,
	"$ss8UTF8SpanV17CharacterIteratorVyAdBcfC":           makeSpanIteratorAt,

	"$ss8UTF8SpanV21UnicodeScalarIteratorV4nexts0C0O0D0VSgyF":                  passing(scalarUnit, false, leaveScalar),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV8previouss0C0O0D0VSgyF":              passing(scalarUnit, true, leaveScalar),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV11skipForwardSiyF":                   passing(scalarUnit, false, leaveOne),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV8skipBackSiyF":                       passing(scalarUnit, true, leaveOne),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV11skipForward2byS2i_tF":              skip(scalarUnit, false),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV8skipBack2byS2i_tF":                  skip(scalarUnit, true),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV5reset11toUncheckedySi_tF":           resetSpan(0),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV5reset20roundingForwardsFromySi_tF":  resetSpan(1),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV5reset21roundingBackwardsFromySi_tF": resetSpan(-1),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV6prefixAByF":                         spanPart(false),
	"$ss8UTF8SpanV21UnicodeScalarIteratorV6suffixAByF":                         spanPart(true),

	"$ss8UTF8SpanV17CharacterIteratorV21currentCodeUnitOffsetSivg":         func(c *call) { c.Set(0, c.load(c.Arg(0)+spanPosition)) },
	"$ss8UTF8SpanV17CharacterIteratorV9codeUnitsABvg":                      func(c *call) { c.setTwo(c.load(c.Arg(0)), c.load(c.Arg(0)+8)) },
	"$ss8UTF8SpanV17CharacterIteratorV4nextSJSgyF":                         passing(characterUnit, false, leaveCharacter),
	"$ss8UTF8SpanV17CharacterIteratorV8previousSJSgyF":                     passing(characterUnit, true, leaveCharacter),
	"$ss8UTF8SpanV17CharacterIteratorV11skipForwardSiyF":                   passing(characterUnit, false, leaveOne),
	"$ss8UTF8SpanV17CharacterIteratorV8skipBackSiyF":                       passing(characterUnit, true, leaveOne),
	"$ss8UTF8SpanV17CharacterIteratorV11skipForward2byS2i_tF":              skip(characterUnit, false),
	"$ss8UTF8SpanV17CharacterIteratorV8skipBack2byS2i_tF":                  skip(characterUnit, true),
	"$ss8UTF8SpanV17CharacterIteratorV5reset11toUncheckedySi_tF":           resetSpan(0),
	"$ss8UTF8SpanV17CharacterIteratorV5reset20roundingForwardsFromySi_tF":  resetSpan(1),
	"$ss8UTF8SpanV17CharacterIteratorV5reset21roundingBackwardsFromySi_tF": resetSpan(-1),
	"$ss8UTF8SpanV17CharacterIteratorV6prefixAByF":                         spanPartAt(false),
	"$ss8UTF8SpanV17CharacterIteratorV6suffixAByF":                         spanPartAt(true),
}
