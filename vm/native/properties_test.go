package native

import "testing"

// TestProperties looks up values that testdata/text.swift does not print: what properties.swift wrote of them (swift 6.0.3).
func TestProperties(t *testing.T) {
	for _, name := range flags {
		if len(properties()[name]) == 0 {
			t.Errorf("no scalar has %s", name)
		}
	}
	for _, x := range []struct {
		name  string
		r     rune
		value string
		ok    bool
	}{
		{"age", 'A', "11", true},
		{"age", 0x1FAE8, "f0", true},
		{"age", 0x378, "", false},
		{"generalCategory", 'a', "1", true},
		{"numericValue", '½', "3fe0000000000000", true},
		{"canonicalCombiningClass", 0x301, "e6", true},
		{"uppercaseMapping", 'ß', "53+53", true},
	} {
		if v, ok := property(x.name, x.r); v != x.value || ok != x.ok {
			t.Errorf("%s of U+%04X is %q %v, want %q %v", x.name, x.r, v, ok, x.value, x.ok)
		}
	}
	for r, want := range map[rune]string{'A': "LATIN CAPITAL LETTER A", 0xD55C: "HANGUL SYLLABLE HAN", 0x4E2D: "CJK UNIFIED IDEOGRAPH-4E2D",
		0x17000: "TANGUT IDEOGRAPH-17000", '\n': "", 0xE000: "", 0x378: ""} {
		if got := scalarName(r); got != want {
			t.Errorf("the name of U+%04X is %q, want %q", r, got, want)
		}
	}
}
