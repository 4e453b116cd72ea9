package ir

import (
	"slices"
	"strings"
)

// ModifierKind says which attribute or modifier of the language a Modifier is.
type ModifierKind uint8

// The attributes and modifiers with a meaning for silvm, under the language's names.
const (
	ModUnknown ModifierKind = iota // any other word

	// Of function types.
	ModSendable
	ModIsolatedAny // the function carries the actor that it is isolated to
	ModDifferentiable
	ModPseudogeneric
	ModUnimplementable
	ModNoescape
	ModAsync
	ModMainActor
	ModNonsending // an async function that runs on the executor of its caller
	ModConcurrent
	ModConvention
	ModEscaping
	ModAutoclosure

	// Of parameters and results.
	ModSILSending
	ModSILIsolated
	ModSILImplicitLeading
	ModSending
	ModIsolated
	ModOwned
	ModConsuming
	ModShared
	ModBorrowing
	ModConst
	ModNoDerivative
	ModNonEphemeral
	ModUnderscoredNonEphemeral
	ModNoImplicitCopy
	ModLifetime

	// Of declarations.
	ModFinal
	ModIndirect
	ModObjC
	ModMarker
	ModEagerMove
	ModRawLayout
	ModAlignment
	ModDeinit // @_deinit("symbol"): silvm's own, in the declarations of the library that it carries
	ModSemantics
)

var modifierWords = [...]string{
	ModUnknown:            "?",
	ModSendable:           "@Sendable",
	ModIsolatedAny:        "@isolated(any)",
	ModDifferentiable:     "@differentiable",
	ModPseudogeneric:      "@pseudogeneric",
	ModUnimplementable:    "@unimplementable",
	ModNoescape:           "@noescape",
	ModAsync:              "@async",
	ModMainActor:          "@MainActor",
	ModNonsending:         "nonisolated(nonsending)",
	ModConcurrent:         "@concurrent",
	ModConvention:         "@convention",
	ModEscaping:           "@escaping",
	ModAutoclosure:        "@autoclosure",
	ModSILSending:         "@sil_sending",
	ModSILIsolated:        "@sil_isolated",
	ModSILImplicitLeading: "@sil_implicit_leading_param",
	ModSending:            "sending",
	ModIsolated:           "isolated",
	ModOwned:              "__owned",
	ModConsuming:          "consuming",
	ModShared:             "__shared",
	ModBorrowing:          "borrowing",
	ModConst:              "_const",
	ModNoDerivative:       "@noDerivative",
	ModNonEphemeral:       "@nonEphemeral",
	ModNoImplicitCopy:     "@noImplicitCopy",
	ModLifetime:           "@lifetime",
	ModFinal:              "final",
	ModIndirect:           "indirect",
	ModObjC:               "@objc",
	ModMarker:             "@_marker",
	ModEagerMove:          "@_eagerMove",
	ModRawLayout:          "@_rawLayout",
	ModAlignment:          "@_alignment",
	ModDeinit:             "@_deinit",
	ModSemantics:          "@_semantics",

	ModUnderscoredNonEphemeral: "@_nonEphemeral",
}

// String returns the word as the text spells it, "?" for ModUnknown.
func (k ModifierKind) String() string { return wordOf(modifierWords[:], int(k)) }

// modifier returns the modifier without arguments.
func (k ModifierKind) modifier() Modifier { return Modifier{k, k.String()} }

// Modifier is an attribute or modifier of the language on a type, a parameter or a declaration: @Sendable, sending, @_rawLayout(size: 4).
type Modifier struct {
	Kind ModifierKind
	Text string // as printed, with its arguments
}

// ParseModifier reads one attribute or modifier with its arguments.
func ParseModifier(text string) Modifier {
	word := strings.TrimSpace(text)
	n, ok := findWord(modifierWords[:], word)
	if !ok {
		word, _, _ = strings.Cut(word, "(")
		n, _ = findWord(modifierWords[:], word)
	}
	return Modifier{ModifierKind(n), text}
}

// Modifiers are attributes and modifiers in the order of the text.
type Modifiers []Modifier

// ParseModifiers reads a list of attributes and modifiers, each with its arguments.
func ParseModifiers(texts ...string) Modifiers {
	if len(texts) == 0 {
		return nil
	}
	list := make(Modifiers, len(texts))
	for n, text := range texts {
		list[n] = ParseModifier(text)
	}
	return list
}

// Has reports whether one of the list is of the kind, whatever its arguments are.
func (l Modifiers) Has(kind ModifierKind) bool { return l.Find(kind) != "" }

// Find returns the first of the kind as printed, with its arguments; "" when there is none.
func (l Modifiers) Find(kind ModifierKind) string {
	if n := slices.IndexFunc(l, func(m Modifier) bool { return m.Kind == kind }); n >= 0 {
		return l[n].Text
	}
	return ""
}

// HasSemantics reports whether the list has that @_semantics.
func (l Modifiers) HasSemantics(s Semantics) bool {
	return slices.ContainsFunc(l, func(m Modifier) bool {
		return m.Kind == ModSemantics && strings.Contains(m.Text, `"`+semanticsNames[s]+`"`)
	})
}

// ThrowsKind reports whether a function type of the language throws.
type ThrowsKind uint8

// The kinds of throwing under the language's words.
const (
	ThrowsNothing ThrowsKind = iota
	Throws
	Rethrows
)

var throwsWords = [...]string{ThrowsNothing: "", Throws: "throws", Rethrows: "rethrows"}

// String returns the word as the text spells it, "" for ThrowsNothing.
func (k ThrowsKind) String() string { return wordOf(throwsWords[:], int(k)) }

// ParseThrows returns the kind of throwing that the word names.
func ParseThrows(word string) (ThrowsKind, bool) {
	n, ok := findWord(throwsWords[:], word)
	return ThrowsKind(n), ok
}
