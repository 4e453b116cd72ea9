package native

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// Properties of Characters and scalars (stdlib/public/core/CharacterProperties.swift, UnicodeScalarProperties.swift).
var _ = register(map[string]func(*call){
	"$sSJ8isLetterSbvg":          scalarTest(isAlphabetic),
	"$sSJ8isNumberSbvg":          func(c *call) { c.testScalar(isNumeric) },
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
	"$sSJ7isASCIISbvg":                                    func(c *call) { _, ok := asciiOf(c.view(c.argString(0), 0)); c.setBool(ok) },
	"$sSJ10asciiValues5UInt8VSgvg":                        func(c *call) { c.setOptional(asciiOf(c.view(c.argString(0), 0))) },
	"$sSJ10isHexDigitSbvg":                                func(c *call) { _, ok := hexDigit(c.view(c.argString(0), 0)); c.setBool(ok) },
	"$sSJ13hexDigitValueSiSgvg":                           func(c *call) { c.setOptional(hexDigit(c.view(c.argString(0), 0))) },
	"$sSJ16wholeNumberValueSiSgvg":                        func(c *call) { c.setOptional(c.wholeNumber()) },
	"$sSJ13isWholeNumberSbvg":                             func(c *call) { _, ok := c.wholeNumber(); c.setBool(ok) },
	"$ss7UnicodeO6ScalarV10propertiesAD10PropertiesVvg":   func(c *call) { c.storeN(c.Arg(0), 4, c.Arg(1)) },
	"$ss7UnicodeO6ScalarV10PropertiesV12isAlphabeticSbvg": propertyTest(isAlphabetic),
	"$ss7UnicodeO6ScalarV10PropertiesV12isWhitespaceSbvg": propertyTest(isWhitespace),
	"$ss7UnicodeO6ScalarV10PropertiesV11isUppercaseSbvg":  propertyTest(isUpper),
	"$ss7UnicodeO6ScalarV10PropertiesV11isLowercaseSbvg":  propertyTest(isLower),
	"$ss7UnicodeO6ScalarV10PropertiesV7isCasedSbvg":       propertyTest(isCased),
	"$ss7UnicodeO6ScalarV10PropertiesV6isMathSbvg":        propertyTest(isMath),
	"$ss7UnicodeO6ScalarV10PropertiesV15generalCategoryAC07GeneralF0Ovg": func(c *call) {
		c.storeN(c.Arg(0), 1, generalCategory(c.propertyScalar(1)))
	},
	"$ss7UnicodeO6ScalarV10PropertiesV11numericTypeAC07NumericF0OSgvg": func(c *call) {
		const decimal, none = 0, 3
		v := uint64(decimal)
		if r := c.propertyScalar(1); !unicode.Is(unicode.Nd, r) {
			if is, known := isNumeric(r); is || !known {
				c.unsupported("the numeric value of " + string(r))
			}
			v = none
		}
		c.storeN(c.Arg(0), 1, v)
	},
	"$ss7UnicodeO6ScalarV10PropertiesV12numericValueSdSgvg": func(c *call) {
		v, ok := c.digit(c.propertyScalar(0))
		c.setOptional(math.Float64bits(float64(v)), ok)
		if !ok {
			c.Set(0, 0)
		}
	},
	"$ss7UnicodeO6ScalarV10PropertiesV16lowercaseMappingSSvg": func(c *call) { c.setString(c.newString(lower(string(c.propertyScalar(0))))) },
	"$ss7UnicodeO6ScalarV10PropertiesV16uppercaseMappingSSvg": func(c *call) { c.setString(c.newString(upper(string(c.propertyScalar(0))))) },
})

// setOptional leaves an optional integer that has no spare values.
func (c *call) setOptional(v uint64, ok bool) {
	c.Set(0, v)
	c.Set(1, flag(!ok))
}

// first gives the first scalar of the Character in argument 0.
func (c *call) first() rune {
	r, _ := utf8.DecodeRune(c.view(c.argString(0), 0))
	return r
}

func scalarTest(f func(rune) bool) func(*call) { return func(c *call) { c.setBool(f(c.first())) } }

func propertyTest(f func(rune) bool) func(*call) {
	return func(c *call) { c.setBool(f(c.propertyScalar(0))) }
}

// propertyScalar gives the scalar whose Properties are at the address in argument i.
func (c *call) propertyScalar(i int) rune { return rune(c.loadN(c.Arg(i), 4)) }

// testScalar is scalarTest for a property that is not known of every scalar.
func (c *call) testScalar(f func(rune) (is, known bool)) {
	r := c.first()
	is, known := f(r)
	if !known {
		c.unsupported("the numeric value of " + string(r))
		return
	}
	c.setBool(is)
}

func isAlphabetic(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic)
}

func isWhitespace(r rune) bool { return unicode.Is(unicode.White_Space, r) }

func isCased(r rune) bool { return isUpper(r) || isLower(r) || unicode.Is(unicode.Lt, r) }

func isMath(r rune) bool { return unicode.In(r, unicode.Sm, unicode.Other_Math) }

// categories are the general categories in the order of the cases of Unicode.GeneralCategory.
var categories = []*unicode.RangeTable{unicode.Lu, unicode.Ll, unicode.Lt, unicode.Lm, unicode.Lo, unicode.Mn, unicode.Mc, unicode.Me,
	unicode.Nd, unicode.Nl, unicode.No, unicode.Pc, unicode.Pd, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Po, unicode.Sm,
	unicode.Sc, unicode.Sk, unicode.So, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co}

// generalCategory gives the number of a scalar's case; those of no category are unassigned, the last case.
func generalCategory(r rune) uint64 {
	for i, t := range categories {
		if unicode.Is(t, r) {
			return uint64(i)
		}
	}
	return uint64(len(categories))
}

func isNewline(r rune) bool {
	return r >= '\n' && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

func isUpper(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Other_Uppercase) }

func isLower(r rune) bool { return unicode.In(r, unicode.Ll, unicode.Other_Lowercase) }

// isNumeric says whether a scalar has a numeric value; of ideographs that is not known here.
func isNumeric(r rune) (is, known bool) {
	return unicode.In(r, unicode.Nd, unicode.Nl, unicode.No), !unicode.Is(unicode.Han, r)
}

// isCasedText says whether a Character has another form in upper or lower case, or is one scalar that is cased.
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

// asciiOf gives the code of an ASCII Character; carriage return and line feed together count as line feed.
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

// wholeNumber gives the value of a digit. Other numbers than decimal digits are not known here.
func (c *call) wholeNumber() (uint64, bool) {
	b := c.view(c.argString(0), 0)
	r, n := utf8.DecodeRune(b)
	if n != len(b) {
		return 0, false
	}
	return c.digit(r)
}

// digit gives the value of a decimal digit.
func (c *call) digit(r rune) (uint64, bool) {
	is, known := isNumeric(r)
	switch {
	case known && !is:
		return 0, false
	case !unicode.Is(unicode.Nd, r):
		c.unsupported("the numeric value of " + string(r))
		return 0, false
	}
	zero := r // digits come in runs of ten
	for unicode.Is(unicode.Nd, zero-1) && r-zero < 9 && (zero-1 < 0x1D7CE || zero-1 > 0x1D7FF) {
		zero--
	}
	if r >= 0x1D7CE && r <= 0x1D7FF {
		return uint64((r - 0x1D7CE) % 10), true
	}
	return uint64(r - zero), true
}
