package native

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// FuzzGraphemes checks that the Characters of a text are the same from both ends, and that each place is found from within.
func FuzzGraphemes(f *testing.F) {
	for _, s := range []string{"abc", "\r\n\n\r", "e\u0301x", "🇩🇪🇫🇷🇮", "👨‍👩‍👧", "नमस्ते", "각힣", "\u200d\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || len(s) > 1000 {
			return
		}
		b := []byte(s)
		var ends []int
		for at := 0; at < len(b); {
			n := graphemeLen(b[at:])
			for in := at; in < at+n; in++ {
				if utf8.RuneStart(b[in]) && lastBoundary(b, in) != at {
					t.Fatalf("%q: boundary before %d is %d, want %d", s, in, lastBoundary(b, in), at)
				}
			}
			at += n
			ends = append(ends, at)
		}
		if len(ends) != graphemeCount(b) {
			t.Fatalf("%q: %d Characters, counted %d", s, len(ends), graphemeCount(b))
		}
		for at, i := len(b), len(ends)-2; at > 0; i-- {
			at -= lastGraphemeLen(b[:at])
			want := 0
			if i >= 0 {
				want = ends[i]
			}
			if at != want {
				t.Fatalf("%q: from after a boundary at %d, want %d", s, at, want)
			}
		}
	})
}

// TestRepair checks ill-formed text: each maximal part of a scalar becomes one replacement (Unicode 15, table 3-8).
func TestRepair(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"abc", "abc"},
		{"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82A", strings.Repeat("\uFFFD", 8) + "A"},
		{"\xED\xA0\x80\xED\xBF\xBFA", strings.Repeat("\uFFFD", 6) + "A"},
		{"\xF4\x91\x92\x93\xFFA\x80\xBFB", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB"},
		{"\xE1\x80\xE2\xF0\x91\x92\xF1\xBFA", "\uFFFD\uFFFD\uFFFD\uFFFDA"},
	} {
		if got := repair(c.in); got != c.want {
			t.Errorf("repair(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// TestQuoteBrokenText has slices of "😀😁" as Swift 6.0.3 describes them, where an index of another string begins or ends them inside a scalar.
func TestQuoteBrokenText(t *testing.T) {
	for text, want := range map[string]string{
		"\xf0\x9f\x98":         "\"\U0001F600\"",
		"\x9f\x98\x81\xf0":     "\"\u009f\u0098\u0081\\0\"",
		"\x98\x81\xf0\x9f\x98": "\"\u0098\u0081\U0001F600\"",
		"\xe2":                 "\"\u2000\"",
	} {
		if got := quote(text); got != want {
			t.Errorf("%q is described as %q, want %q", text, got, want)
		}
	}
}

// FuzzUTF16 checks counts and places of UTF-16 code units in a text, which go by eight bytes and blocks, against the standard library's.
func FuzzUTF16(f *testing.F) {
	for _, s := range []string{"", "abc", "grün", "日本語", "😀a😀", strings.Repeat("abcdefgh", 20), strings.Repeat("a😀é日", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || len(s) > 1000 {
			return
		}
		b := []byte(s)
		units := uint64(0)
		for at, r := range s {
			if got := utf16Len(b[:at]); got != units {
				t.Fatalf("%q: %d units before %d, want %d", s, got, at, units)
			}
			if gotAt, got := skipUTF16(b, units); gotAt != at || got != units {
				t.Fatalf("%q: %d units end at %d (%d), want %d", s, units, gotAt, got, at)
			}
			units += uint64(utf16.RuneLen(r))
			if gotAt, got := skipUTF16(b, units-1); utf16.RuneLen(r) == 2 && (gotAt != at || got != units-2) {
				t.Fatalf("%q: %d units end at %d (%d), want %d", s, units-1, gotAt, got, at)
			}
		}
		if gotAt, got := skipUTF16(b, units+1); gotAt != len(b) || got != units {
			t.Fatalf("%q: %d units end at %d (%d), want %d (%d)", s, units+1, gotAt, got, len(b), units)
		}
	})
}
