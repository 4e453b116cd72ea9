package native

import (
	"bytes"
	"fmt"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"
)

// graphemeLen returns the number of bytes of the first Character of a text that is not empty.
func graphemeLen(b []byte) int {
	if len(b) == 1 || b[0] < 0x80 && b[1] < 0x80 && (b[0] != '\r' || b[1] != '\n') {
		return 1
	}
	n := 0
	for {
		cluster, rest, _, _ := uniseg.FirstGraphemeCluster(b[n:], -1)
		n += max(len(cluster), 1)
		if len(rest) == 0 || rest[0] < 0xE0 || !endsLinked(cluster) {
			return n
		}
		if r, _ := utf8.DecodeRune(rest); !unicode.Is(linkingConsonants, r) {
			return n
		}
	}
}

// linkingConsonants and linkers are the letters of Indic scripts that make one Character when a linker is between them
// (UAX #29, GB9c; Indic_Conjunct_Break).
var (
	linkingConsonants = rangetable.New(consonants()...)
	linkers           = rangetable.New(0x94D, 0x9CD, 0xACD, 0xB4D, 0xC4D, 0xD4D)
)

func consonants() (all []rune) {
	for _, r := range [][2]rune{{0x915, 0x939}, {0x958, 0x95F}, {0x978, 0x97F}, {0x995, 0x9A8}, {0x9AA, 0x9B0}, {0x9B2, 0x9B2},
		{0x9B6, 0x9B9}, {0x9DC, 0x9DD}, {0x9DF, 0x9DF}, {0x9F0, 0x9F1}, {0xA95, 0xAA8}, {0xAAA, 0xAB0}, {0xAB2, 0xAB3}, {0xAB5, 0xAB9},
		{0xAF9, 0xAF9}, {0xB15, 0xB28}, {0xB2A, 0xB30}, {0xB32, 0xB33}, {0xB35, 0xB39}, {0xB5C, 0xB5D}, {0xB5F, 0xB5F}, {0xB71, 0xB71},
		{0xC15, 0xC28}, {0xC2A, 0xC39}, {0xC58, 0xC5A}, {0xD15, 0xD3A}} {
		for ch := r[0]; ch <= r[1]; ch++ {
			all = append(all, ch)
		}
	}
	return all
}

// endsLinked reports whether a cluster ends in a consonant and marks after it, a linker among them.
func endsLinked(cluster []byte) bool {
	linked := false
	for len(cluster) > 0 {
		r, n := utf8.DecodeLastRune(cluster)
		switch {
		case unicode.Is(linkers, r):
			linked = true
		case unicode.Is(linkingConsonants, r):
			return linked
		case !staysLinked(r):
			return false
		}
		cluster = cluster[:len(cluster)-n]
	}
	return false
}

// staysLinked reports whether a scalar may be between a consonant, a linker and another consonant that make one Character.
func staysLinked(r rune) bool {
	return r == joiner || extends(r) && norm.NFD.PropertiesString(string(r)).CCC() != 0
}

// lastGraphemeLen returns the number of bytes of the last Character of a text that is not empty.
func lastGraphemeLen(b []byte) int {
	n := len(b)
	if n == 1 || b[n-1] < 0x80 && b[n-2] < 0x80 && (b[n-2] != '\r' || b[n-1] != '\n') {
		return 1
	}
	// From the last place that is a boundary whatever surrounds it: between two ASCII characters.
	start := n - 1
	for start > 0 && (b[start] >= 0x80 || b[start-1] >= 0x80 || b[start-1] == '\r' && b[start] == '\n') {
		start--
	}
	for {
		k := graphemeLen(b[start:])
		if start+k >= n {
			return n - start
		}
		start += k
	}
}

// graphemeCount counts the Characters of a text.
func graphemeCount(b []byte) int {
	if isASCII(b) {
		return len(b) - bytes.Count(b, []byte("\r\n"))
	}
	n := 0
	for len(b) > 0 {
		b = b[graphemeLen(b):]
		n++
	}
	return n
}

// combines reports whether two scalars are in one Character.
func combines(left, right string) bool {
	s := left + right
	return graphemeLen([]byte(s)) == len(s)
}

// nfc returns the bytes by which Strings are compared and hashed.
func nfc(b []byte) []byte {
	if isASCII(b) || norm.NFC.IsNormal(b) {
		return b
	}
	return norm.NFC.Bytes(b)
}

// nfd returns the bytes of the decomposed form.
func nfd(b []byte) []byte { return norm.NFD.Bytes(b) }

// upper and lower map each scalar by its full mapping, whatever language and context.
func upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(s)
}

func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und, cases.HandleFinalSigma(false)).String(s)
}

// quoteScalar escapes a scalar as debugDescription of a string does; "" when it stands for itself. With ascii every scalar that
// is not ASCII is escaped (stdlib/public/core/UnicodeScalar.swift, _escaped(asASCII:)).
func quoteScalar(r rune, ascii bool) string {
	switch r {
	case '\\':
		return `\\`
	case '\'':
		return `\'`
	case '"':
		return `\"`
	case 0:
		return `\0`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	switch {
	case r < 0x20 || r == 0x7F:
		return fmt.Sprintf(`\u{%02X}`, r)
	case r < 0x80 || !ascii:
		return ""
	case r <= 0xFFFF:
		return fmt.Sprintf(`\u{%04X}`, r)
	}
	return fmt.Sprintf(`\u{%08X}`, r)
}

// quote writes a string as debugDescription does: in quotes, escaped, and so that no scalar combines with a quote or with an
// escape (stdlib/public/core/String.swift).
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	wantBreak, last := true, `"`
	var raw []int // where in b the scalars start that stand for themselves, since the last escape
	for len(text) > 0 {
		r, size := decodeScalar(text)
		text = text[min(size, len(text)):]
		scalar := string(r)
		q := quoteScalar(r, false)
		if q == "" && r >= 0x80 && wantBreak && combines(last, scalar) {
			q = quoteScalar(r, true)
		}
		if q != "" {
			b.WriteString(q)
			wantBreak, last, raw = true, q[len(q)-1:], raw[:0]
			continue
		}
		raw = append(raw, b.Len())
		b.WriteString(scalar)
		wantBreak = false
	}
	s, suffix := b.String(), `"`
	for n := len(raw) - 1; n >= 0 && s[raw[n]] >= 0x80 && combines(s[raw[n]:], suffix[:1]); n-- {
		r, _ := utf8.DecodeRuneInString(s[raw[n]:])
		s, suffix = s[:raw[n]], quoteScalar(r, true)+suffix
	}
	return s + suffix
}

// decodeScalar decodes the scalar before a text by the length that its first byte tells, as a String's scalars are read: a slice that
// begins or ends inside a scalar holds bytes that are no UTF-8. What lies after the end is zero, as in a String of up to 15 bytes.
func decodeScalar(text string) (rune, int) {
	if r, n := utf8.DecodeRuneInString(text); r != utf8.RuneError || n == len("\uFFFD") {
		return r, n
	}
	lead := text[0]
	n := max(bits.LeadingZeros8(^lead), 1)
	if n == 1 {
		return rune(lead), n
	}
	r := rune(lead & (0x7F >> n))
	for i := 1; i < n; i++ {
		var next byte
		if i < len(text) {
			next = text[i]
		}
		r = r<<6 | rune(next&0x3F)
	}
	return r, n
}

// quoteOne writes a Unicode.Scalar as its debugDescription does.
func quoteOne(r rune) string {
	if q := quoteScalar(r, true); q != "" {
		return `"` + q + `"`
	}
	return `"` + string(r) + `"`
}
