package native

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/unicode/runenames"

	"silvm/ir/mangle"
)

// propertyText is what properties.swift writes: the properties of all scalars, of Unicode 15.0, as the library of Swift 6.0.3 has them.
//
//	swiftc -O properties.swift && ./properties | gzip -9n > properties.txt.gz
//
//go:embed properties.txt.gz
var propertyText []byte

// propertyRun is a run of scalars that have the same value of a property.
type propertyRun struct {
	first, last rune
	value       string
}

var properties = sync.OnceValue(func() map[string][]propertyRun {
	table := map[string][]propertyRun{}
	z, err := gzip.NewReader(bytes.NewReader(propertyText))
	if err != nil {
		return table // TestProperties finds it empty
	}
	text, _ := io.ReadAll(z)
	for line := range strings.SplitSeq(string(text), "\n") {
		f := strings.SplitN(line, " ", 4)
		if len(f) == 4 {
			first, _ := strconv.ParseUint(f[1], 16, 32)
			last, _ := strconv.ParseUint(f[2], 16, 32)
			table[f[0]] = append(table[f[0]], propertyRun{rune(first), rune(last), f[3]})
		}
	}
	return table
})

// property returns the value of a property of a scalar; false where it has none, or the property is false.
func property(name string, r rune) (string, bool) {
	runs := properties()[name]
	n := sort.Search(len(runs), func(i int) bool { return runs[i].last >= r })
	if n < len(runs) && runs[n].first <= r {
		return runs[n].value, true
	}
	return "", false
}

// propertyNumber returns a property that is a number.
func propertyNumber(name string, r rune) (uint64, bool) {
	v, ok := property(name, r)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(v, 16, 64)
	return n, err == nil
}

// numericValue returns what number a scalar stands for.
func numericValue(r rune) (float64, bool) {
	bits, ok := propertyNumber("numericValue", r)
	return math.Float64frombits(bits), ok
}

// mapped returns what a scalar is mapped to.
func mapped(name string, r rune) string {
	v, ok := property(name, r)
	if !ok {
		return string(r)
	}
	var b strings.Builder
	for part := range strings.SplitSeq(v, "+") {
		n, _ := strconv.ParseUint(part, 16, 32)
		b.WriteRune(rune(n))
	}
	return b.String()
}

// scalarName returns the name of a scalar, "" when it has none (The Unicode Standard 15.0, 4.8).
func scalarName(r rune) string {
	name := runenames.Name(r)
	if !strings.HasPrefix(name, "<") {
		return name
	}
	code := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	switch {
	case strings.HasPrefix(name, "<CJK Ideograph"):
		return "CJK UNIFIED IDEOGRAPH-" + code
	case strings.HasPrefix(name, "<Tangut Ideograph"):
		return "TANGUT IDEOGRAPH-" + code
	case strings.HasPrefix(name, "<Hangul Syllable"):
		return hangulName(r)
	}
	return ""
}

// hangulName spells a syllable by its letters (The Unicode Standard 15.0, 3.12).
func hangulName(r rune) string {
	const vowels, trails = 21, 28
	lead := strings.Split("G,GG,N,D,DD,R,M,B,BB,S,SS,,J,JJ,C,K,T,P,H", ",")
	vowel := strings.Split("A,AE,YA,YAE,EO,E,YEO,YE,O,WA,WAE,OE,YO,U,WEO,WE,WI,YU,EU,YI,I", ",")
	trail := strings.Split(",G,GG,GS,N,NJ,NH,D,L,LG,LM,LB,LS,LT,LP,LH,M,B,BS,S,SS,NG,J,C,K,T,P,H", ",")
	n := int(r - 0xAC00)
	return "HANGUL SYLLABLE " + lead[n/(vowels*trails)] + vowel[n/trails%vowels] + trail[n%trails]
}

// flags are the properties that are true or false.
var flags = []string{"isAlphabetic", "isASCIIHexDigit", "isBidiControl", "isBidiMirrored", "isCased", "isCaseIgnorable", "changesWhenLowercased",
	"changesWhenUppercased", "changesWhenTitlecased", "changesWhenCaseFolded", "changesWhenCaseMapped", "changesWhenNFKCCaseFolded",
	"isDash", "isDefaultIgnorableCodePoint", "isDeprecated", "isDiacritic", "isEmoji", "isEmojiPresentation", "isEmojiModifier",
	"isEmojiModifierBase", "isExtender", "isFullCompositionExclusion", "isGraphemeBase", "isGraphemeExtend", "isHexDigit",
	"isIDContinue", "isIDStart", "isIdeographic", "isIDSBinaryOperator", "isIDSTrinaryOperator", "isJoinControl",
	"isLogicalOrderException", "isLowercase", "isMath", "isNoncharacterCodePoint", "isQuotationMark", "isPatternSyntax",
	"isPatternWhitespace", "isRadical", "isSentenceTerminal", "isSoftDotted", "isTerminalPunctuation", "isUnifiedIdeograph", "isUppercase",
	"isVariationSelector", "isWhitespace", "isXIDContinue", "isXIDStart"}

// propertyOf is the mangled name of Unicode.Scalar.Properties as a context.
const propertyOf = "$ss7UnicodeO6ScalarV10PropertiesV"

// scalarProperties are the getters of Unicode.Scalar.Properties.
func scalarProperties() map[string]func(*call) {
	g := map[string]func(*call){
		"$ss7UnicodeO6ScalarV10propertiesAD10PropertiesVvg": func(c *call) { c.storeN(c.Arg(0), 4, c.Arg(1)) },
		propertyOf + "15generalCategoryAB07GeneralE0Ovg": func(c *call) {
			const unassigned = 29
			v, ok := propertyNumber("generalCategory", c.propertyScalar(1))
			if !ok {
				v = unassigned
			}
			c.storeN(c.Arg(0), 1, v)
		},
		propertyOf + "11numericTypeAB07NumericE0OSgvg": func(c *call) {
			const none = 3
			v, ok := propertyNumber("numericType", c.propertyScalar(1))
			if !ok {
				v = none
			}
			c.storeN(c.Arg(0), 1, v)
		},
		propertyOf + "12numericValueSdSgvg": func(c *call) {
			v, ok := numericValue(c.propertyScalar(0))
			c.setOptional(math.Float64bits(v), ok)
		},
		propertyOf + "3ageSi5major_Si5minortSgvg": func(c *call) {
			v, ok := propertyNumber("age", c.propertyScalar(0))
			c.Set(0, v>>4)
			c.Set(1, v&15)
			c.Set(2, flag(!ok))
		},
		propertyOf + "23canonicalCombiningClassAB09CanonicaleF0Vvg": func(c *call) {
			v, _ := propertyNumber("canonicalCombiningClass", c.propertyScalar(1))
			c.storeN(c.Arg(0), 1, v)
		},
		"$ss7UnicodeO23CanonicalCombiningClassV8rawValues5UInt8Vvg":      func(c *call) { c.Set(0, c.loadN(c.Arg(0), 1)) },
		"$ss7UnicodeO23CanonicalCombiningClassV8rawValueADs5UInt8V_tcfC": func(c *call) { c.storeN(c.Arg(0), 1, c.Arg(1)) },
		propertyOf + "4nameSSSgvg":                                       func(c *call) { c.setOptionalText(scalarName(c.propertyScalar(0))) },
		propertyOf + "9nameAliasSSSgvg": func(c *call) {
			alias, _ := property("nameAlias", c.propertyScalar(0))
			c.setOptionalText(alias)
		},
	}
	for _, name := range flags {
		g[propertyOf+mangle.Ident(name)+"Sbvg"] = func(c *call) {
			_, ok := property(name, c.propertyScalar(0))
			c.setBool(ok)
		}
	}
	for _, name := range []string{"lowercaseMapping", "uppercaseMapping", "titlecaseMapping"} {
		g[propertyOf+mangle.Ident(name)+"SSvg"] = func(c *call) { c.setString(c.newString(mapped(name, c.propertyScalar(0)))) }
	}
	return g
}

// setOptionalText leaves a String?, nil for the empty text.
func (c *call) setOptionalText(text string) {
	if text == "" {
		c.Set(0, 0)
		c.Set(1, 0)
		return
	}
	c.setString(c.newString(text))
}
