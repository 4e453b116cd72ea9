package native

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"silvm/vm/code"
)

// Unicode._CharacterRecognizer, which is given the scalars of a text one after another and tells where Characters begin
// (stdlib/public/core/StringGraphemeBreaking.swift).

var recognizers = map[string]func(*call){
	"$ss7UnicodeO20_CharacterRecognizerVADycfC": func(c *call) { c.store(c.Arg(0), 0) },
	"$ss7UnicodeO20_CharacterRecognizerV8hasBreak6beforeSbAB6ScalarV_tF": func(c *call) {
		r := c.loadRecognizer(c.Arg(1))
		c.setBool(r.hasBreak(rune(c.Arg(0))))
		c.storeRecognizer(c.Arg(1), &r)
	},
	"$ss7UnicodeO20_CharacterRecognizerV11_firstBreak27inUncheckedUnsafeUTF8Buffer10startingAtSnySiGSgSRys5UInt8VG_SitF": firstBreak,
	"$ss7UnicodeO20_CharacterRecognizerV10quickBreak7between3andSbSgAB6ScalarV_AJtFZ": func(c *call) {
		c.Set(0, quickBreak(rune(c.Arg(0)), rune(c.Arg(1))))
	},
	"$ss7UnicodeO20_CharacterRecognizerV2eeoiySbAD_ADtFZ": func(c *call) { c.setBool(c.load(c.Arg(0)) == c.load(c.Arg(1))) },
}

// firstBreak takes the scalars of a buffer from an index on, up to the first with which a Character begins, and leaves where that one
// stands, or nil. Only as much is read as is taken.
func firstBreak(c *call) {
	base, count, i, self := c.Arg(0), c.Arg(1), c.Arg(2), c.Arg(3)
	r := c.loadRecognizer(self)
	for int64(i) < int64(count) {
		var b [utf8.UTFMax]byte
		n := min(uint64(len(b)), count-i)
		for k := range n {
			b[k] = byte(c.loadN(base+i+k, 1))
		}
		if c.trap != nil {
			return
		}
		next, size := decodeScalar(string(b[:n]))
		if r.hasBreak(next) {
			c.storeRecognizer(self, &r)
			c.Set(0, i)
			c.Set(1, i+uint64(size))
			c.Set(2, 0)
			return
		}
		i += uint64(size)
	}
	c.storeRecognizer(self, &r)
	c.Set(0, 0)
	c.Set(1, 0)
	c.Set(2, 1)
}

// quickBreak is what Unicode._CharacterRecognizer.quickBreak says of two scalars alone, as the value of an Optional<Bool>: 2, nil, where
// scalars before them or more of their properties may matter.
func quickBreak(first, second rune) uint64 {
	switch {
	case first == '\r' && second == '\n':
		return 0
	case unicode.Is(alwaysApart, first) && unicode.Is(alwaysApart, second):
		return 1
	}
	return 2
}

// alwaysApart has the scalars that the library holds to break from each other without a look at their properties
// (_hasGraphemeBreakBetween). It is less than Unicode says, on purpose.
var alwaysApart = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0, Hi: 0x2FF, Stride: 1}, {Lo: 0x400, Hi: 0x482, Stride: 1}, {Lo: 0x61D, Hi: 0x64A, Stride: 1},
		{Lo: 0x2010, Hi: 0x2029, Stride: 1}, {Lo: 0x3000, Hi: 0x3029, Stride: 1}, {Lo: 0x3041, Hi: 0x3096, Stride: 1},
		{Lo: 0x30A1, Hi: 0x30FC, Stride: 1}, {Lo: 0x3400, Hi: 0xA4CF, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7AF, Stride: 1},
		{Lo: 0xFF01, Hi: 0xFF9D, Stride: 1},
	},
}

// recognizer is what the library's one keeps: the scalar before, and what the rules have to know of those further back.
type recognizer struct {
	previous   rune
	virama     bool // a linker comes after the last consonant
	inEmoji    bool // previous is a mark or joiner after a pictograph and marks
	inConjunct bool // previous is a mark or joiner after a consonant and marks
	breakRI    bool // the last letter of a flag is its second one
}

// The fields in memory: the scalar, and a byte each.
func (c *call) loadRecognizer(a uint64) recognizer {
	is := func(n uint64) bool { return c.loadN(a+4+n, 1) != 0 }
	return recognizer{previous: rune(c.loadN(a, 4)), virama: is(0), inEmoji: is(1), inConjunct: is(2), breakRI: is(3)}
}

func (c *call) storeRecognizer(a uint64, r *recognizer) {
	c.storeN(a, 4, uint64(r.previous))
	for n, is := range []bool{r.virama, r.inEmoji, r.inConjunct, r.breakRI} {
		v := uint64(0)
		if is {
			v = 1
		}
		c.storeN(a+4+uint64(n), 1, v)
	}
}

func showRecognizer(c *call, _ *code.TypeInfo, a uint64, _ bool) {
	r := c.loadRecognizer(a)
	c.put("[")
	for _, flag := range []struct {
		is     bool
		letter string
	}{{r.virama, "V"}, {r.inEmoji, "E"}, {r.inConjunct, "I"}, {r.breakRI, "R"}} {
		if flag.is {
			c.put(flag.letter)
		}
	}
	c.put("]U+" + strings.ToUpper(strconv.FormatInt(int64(r.previous), 16)))
}

const joiner = 0x200D

// hasBreak takes the next scalar and reports whether a Character begins with it (UAX #29).
func (r *recognizer) hasBreak(next rune) bool {
	last := *r
	*r = recognizer{previous: next}
	joined := combines(string(last.previous), string(next))
	switch {
	case isRegional(last.previous) && isRegional(next):
		joined = !last.breakRI
		r.breakRI = joined
	case last.inEmoji && last.previous == joiner && isPictograph(next),
		last.inConjunct && last.virama && unicode.Is(linkingConsonants, next):
		joined = true
	case joined:
		r.virama, r.breakRI = last.virama, last.breakRI
		if next == joiner || extends(next) {
			r.inEmoji = isPictograph(last.previous) || last.inEmoji && last.previous != joiner
			r.inConjunct = (unicode.Is(linkingConsonants, last.previous) || last.inConjunct) && staysLinked(next)
			r.virama = r.virama || r.inConjunct && unicode.Is(linkers, next)
		}
	}
	return !joined
}

func isRegional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// extends reports whether a scalar is a mark to what comes before it.
func extends(r rune) bool {
	_, mark := property("isGraphemeExtend", r)
	_, modifier := property("isEmojiModifier", r)
	return mark || modifier
}

// isPictograph reports whether a joiner joins a scalar to a pictograph before, but to no letter.
func isPictograph(r rune) bool {
	return combines("\U0001F469\u200D", string(r)) && !combines("a", string(r))
}
