package ir

import "strings"

// LayoutConstraint is what a generic signature demands of the layout of a type (docs/SIL.rst, layout constraints of @_specialize).
type LayoutConstraint uint8

// The layout constraints under SIL's names.
const (
	NoLayout LayoutConstraint = iota // of a requirement that is about something else, or about a layout that silvm does not know
	LayoutAnyObject
	LayoutClass
	LayoutNativeClass
	LayoutRefCountedObject
	LayoutNativeRefCountedObject
	LayoutTrivial
	LayoutTrivialAtMost
	LayoutTrivialStride
	LayoutBridgeObject
	LayoutUnknownLayout
)

var layoutWords = [...]string{
	NoLayout:                     "",
	LayoutAnyObject:              "AnyObject",
	LayoutClass:                  "_Class",
	LayoutNativeClass:            "_NativeClass",
	LayoutRefCountedObject:       "_RefCountedObject",
	LayoutNativeRefCountedObject: "_NativeRefCountedObject",
	LayoutTrivial:                "_Trivial",
	LayoutTrivialAtMost:          "_TrivialAtMost",
	LayoutTrivialStride:          "_TrivialStride",
	LayoutBridgeObject:           "_BridgeObject",
	LayoutUnknownLayout:          "_UnknownLayout",
}

// String returns the word as the text spells it, "" for NoLayout.
func (c LayoutConstraint) String() string { return wordOf(layoutWords[:], int(c)) }

// ParseLayoutConstraint returns the constraint that the word names.
func ParseLayoutConstraint(word string) (LayoutConstraint, bool) {
	n, ok := findWord(layoutWords[:], word)
	return LayoutConstraint(n), ok
}

// IsClass reports whether only references to objects meet the constraint.
func (c LayoutConstraint) IsClass() bool {
	return c >= LayoutAnyObject && c <= LayoutNativeRefCountedObject
}

// IsTrivial reports whether only trivial types meet the constraint.
func (c LayoutConstraint) IsTrivial() bool { return c >= LayoutTrivial && c <= LayoutTrivialStride }

// Layout returns the layout that the requirement demands, NoLayout when it is about something else.
func (r *Requirement) Layout() LayoutConstraint {
	if r.Kind != ReqLayout {
		return NoLayout
	}
	word, _, _ := strings.Cut(r.Text, "(") // _Trivial(64)
	c, _ := ParseLayoutConstraint(strings.TrimSpace(word))
	return c
}
