package ir

import (
	"slices"
	"strings"
)

// DeclRef names a declaration as vtables, witness tables and method lookups do: #Base.hello!getter.foreign.
type DeclRef struct {
	Path  string     // "Base.hello", "Derived.deinit"
	Parts []DeclPart // after each "!" or "."
	Text  string     // as printed, with the leading #
}

// DeclPart says which of the functions of a declaration a DeclRef names (docs/SIL.rst, Declaration References).
type DeclPart uint8

// The parts with a meaning for silvm under SIL's names.
const (
	PartNone    DeclPart = iota // of a name without parts
	PartUnknown                 // any other word: "jvp.SUU", "enumelt", …
	PartGetter
	PartSetter
	PartRead
	PartModify
	PartAllocator // the initializer that allocates the object
	PartInitializer
	PartDeallocator
	PartIVarDestroyer
	PartForeign // as Objective-C calls it
)

var declParts = [...]string{
	PartNone:          "",
	PartUnknown:       "?",
	PartGetter:        "getter",
	PartSetter:        "setter",
	PartRead:          "read",
	PartModify:        "modify",
	PartAllocator:     "allocator",
	PartInitializer:   "initializer",
	PartDeallocator:   "deallocator",
	PartIVarDestroyer: "ivardestroyer",
	PartForeign:       "foreign",
}

// String returns the word as the text spells it, "?" for PartUnknown.
func (p DeclPart) String() string { return wordOf(declParts[:], int(p)) }

// ParseDeclRef reads a reference with its leading #.
func ParseDeclRef(text string) DeclRef {
	path, rest, _ := strings.Cut(strings.TrimPrefix(text, "#"), "!")
	ref := DeclRef{Path: path, Text: text}
	for word := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '!' || r == '.' }) {
		n, ok := findWord(declParts[:], word)
		if !ok {
			n = int(PartUnknown)
		}
		ref.Parts = append(ref.Parts, DeclPart(n))
	}
	return ref
}

// Owner returns the type in which the declaration stands, "" when it stands in none.
func (d DeclRef) Owner() string { return d.Path[:max(strings.LastIndexByte(d.Path, '.'), 0)] }

// Member returns the name of the declaration without its type.
func (d DeclRef) Member() string { return d.Path[strings.LastIndexByte(d.Path, '.')+1:] }

// IsSpecial reports whether the declaration is an initializer, a deinitializer or a subscript, whose names are keywords.
func (d DeclRef) IsSpecial() bool {
	switch d.Member() {
	case "init", "deinit", "subscript":
		return true
	}
	return false
}

// IsDeinit reports whether the declaration is a deinitializer.
func (d DeclRef) IsDeinit() bool { return d.Member() == "deinit" }

// First returns the first part, PartNone when the name has no parts.
func (d DeclRef) First() DeclPart {
	if len(d.Parts) == 0 {
		return PartNone
	}
	return d.Parts[0]
}

// Last returns the last part, PartNone when the name has no parts.
func (d DeclRef) Last() DeclPart {
	if len(d.Parts) == 0 {
		return PartNone
	}
	return d.Parts[len(d.Parts)-1]
}

// IsForeign reports whether the function is the one that Objective-C calls.
func (d DeclRef) IsForeign() bool { return slices.Contains(d.Parts, PartForeign) }
