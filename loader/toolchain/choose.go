package toolchain

import "bytes"

// Compilers before this version print the type of every operand, later ones don't.
const untypedSince = "6.2"

// printsTypes tells from a text in which way its compiler prints operands: known is false when no instruction shows it.
func printsTypes(text []byte) (types, known bool) {
	for _, word := range []string{"\n  return %", "\n  strong_release %", "\n  strong_retain %", "\n  destroy_value %"} {
		n := bytes.Index(text, []byte(word))
		if n < 0 {
			continue
		}
		line, _, _ := bytes.Cut(text[n+len(word):], []byte("\n"))
		line, _, _ = bytes.Cut(line, []byte("//"))
		return bytes.Contains(line, []byte(" : $")), true
	}
	return false, false
}

// Choose returns the library that fits a program's text best: of the versions that print like the program's compiler the newest, else the newest
// of all; nil when there are none. The text does not say more of its compiler. It reports whether the chosen one prints like the program.
func Choose(entries []*Entry, text []byte) (e *Entry, fits bool) {
	if len(entries) == 0 {
		return nil, true
	}
	types, known := printsTypes(text)
	if !known {
		return entries[0], true
	}
	for _, e := range entries {
		if (compareVersions(e.Version, untypedSince) < 0) == types {
			return e, true
		}
	}
	return entries[0], false
}

// Prints says in words which compilers print like a text.
func Prints(text []byte) string {
	if types, _ := printsTypes(text); types {
		return "a Swift before " + untypedSince
	}
	return "Swift " + untypedSince + " or later"
}
