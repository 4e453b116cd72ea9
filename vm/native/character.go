package native

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// characters has properties of Characters and scalars (stdlib/public/core/CharacterProperties.swift, UnicodeScalarProperties.swift).
var characters = map[string]func(*call){
	"$sSJ8isLetterSbvg":          scalarTest(isAlphabetic),
	"$sSJ8isNumberSbvg":          scalarTest(isNumeric),
	"$sSJ12isWhitespaceSbvg":     scalarTest(isWhitespace),
	"$sSJ9isNewlineSbvg":         scalarTest(isNewline),
	"$sSJ13isPunctuationSbvg":    scalarTest(unicode.IsPunct),
	"$sSJ8isSymbolSbvg":          scalarTest(unicode.IsSymbol),
	"$sSJ12isMathSymbolSbvg":     scalarTest(isMath),
	"$sSJ16isCurrencySymbolSbvg": scalarTest(func(r rune) bool { return unicode.Is(unicode.Sc, r) }),
	"$sSJ11isUppercaseSbvg":      func(c *call) { c.setBool(c.isCase(isUpper, upper)) },
	"$sSJ11isLowercaseSbvg":      func(c *call) { c.setBool(c.isCase(isLower, lower)) },
	"$sSJ7isCasedSbvg": func(c *call) {
		c.setBool(isCasedText(c.text(c.argString(0))))
	},
	"$sSJ13_isUppercasedSbvg":            func(c *call) { text := c.text(c.argString(0)); c.setBool(upper(text) == text) },
	"$sSJ13_isLowercasedSbvg":            func(c *call) { text := c.text(c.argString(0)); c.setBool(lower(text) == text) },
	"$sSJ12_firstScalars7UnicodeO0B0Vvg": func(c *call) { c.Set(0, uint64(c.first())) },
	"$sSJ15_isSingleScalarSbvg": func(c *call) {
		b := c.view(c.argString(0), 0)
		_, n := utf8.DecodeRune(b)
		c.setBool(n == len(b))
	},
	"$sSJ7isASCIISbvg":             func(c *call) { _, ok := asciiOf(c.view(c.argString(0), 0)); c.setBool(ok) },
	"$sSJ10asciiValues5UInt8VSgvg": func(c *call) { c.setOptional(asciiOf(c.view(c.argString(0), 0))) },
	"$sSJ10isHexDigitSbvg":         func(c *call) { _, ok := hexDigit(c.view(c.argString(0), 0)); c.setBool(ok) },
	"$sSJ13hexDigitValueSiSgvg":    func(c *call) { c.setOptional(hexDigit(c.view(c.argString(0), 0))) },
	"$sSJ16wholeNumberValueSiSgvg": func(c *call) { c.setOptional(c.wholeNumber()) },
	"$sSJ13isWholeNumberSbvg":      func(c *call) { _, ok := c.wholeNumber(); c.setBool(ok) },
}

// setOptional leaves an optional integer that has no spare values.
func (c *call) setOptional(v uint64, ok bool) {
	c.Set(0, v)
	c.Set(1, flag(!ok))
}

// first returns the first scalar of the Character in argument 0.
func (c *call) first() rune {
	r, _ := utf8.DecodeRune(c.view(c.argString(0), 0))
	return r
}

func scalarTest(f func(rune) bool) func(*call) { return func(c *call) { c.setBool(f(c.first())) } }

// propertyScalar returns the scalar whose Properties are at the address in argument i.
func (c *call) propertyScalar(i int) rune { return rune(c.loadN(c.Arg(i), 4)) }

func isAlphabetic(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic)
}

func isNumeric(r rune) bool {
	_, ok := property("numericType", r)
	return ok
}

func isWhitespace(r rune) bool { return unicode.Is(unicode.White_Space, r) }

func isCased(r rune) bool { return isUpper(r) || isLower(r) || unicode.Is(unicode.Lt, r) }

func isMath(r rune) bool { return unicode.In(r, unicode.Sm, unicode.Other_Math) }

func isNewline(r rune) bool {
	return r >= '\n' && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

func isUpper(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Other_Uppercase) }

func isLower(r rune) bool { return unicode.In(r, unicode.Ll, unicode.Other_Lowercase) }

// isCasedText reports whether a Character has another form in upper or lower case, or is one scalar that is cased.
func isCasedText(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n == len(text) && isCased(r) || upper(text) != text || lower(text) != text
}

// isCase is isUppercase, or isLowercase: of one scalar that has the property, or of what mapping to the case leaves alone.
func (c *call) isCase(has func(rune) bool, to func(string) string) bool {
	text := c.text(c.argString(0))
	if r, n := utf8.DecodeRuneInString(text); n == len(text) && has(r) {
		return true
	}
	return text == to(text) && isCasedText(text)
}

// asciiOf returns the code of an ASCII Character; carriage return and line feed together count as line feed.
func asciiOf(b []byte) (uint64, bool) {
	if len(b) == 2 && b[0] == '\r' && b[1] == '\n' {
		return '\n', true
	}
	if len(b) != 1 || b[0] >= 0x80 {
		return 0, false
	}
	return uint64(b[0]), true
}

func hexDigit(b []byte) (uint64, bool) {
	r, n := utf8.DecodeRune(b)
	if n != len(b) {
		return 0, false
	}
	if r >= 0xFF10 && r <= 0xFF46 {
		r -= 0xFF10 - '0' // full width
	}
	switch {
	case r >= '0' && r <= '9':
		return uint64(r - '0'), true
	case r >= 'A' && r <= 'F':
		return uint64(r-'A') + 10, true
	case r >= 'a' && r <= 'f':
		return uint64(r-'a') + 10, true
	}
	return 0, false
}

// wholeNumber returns the value of a Character of one scalar that stands for a whole number.
func (c *call) wholeNumber() (uint64, bool) {
	b := c.view(c.argString(0), 0)
	r, n := utf8.DecodeRune(b)
	if n != len(b) {
		return 0, false
	}
	v, ok := numericValue(r)
	return uint64(int64(v)), ok && v == math.Trunc(v)
}
