package ir

import (
	"slices"
	"strings"
)

// AttrKind names an attribute of a function, a global or a table: the first word in the brackets.
type AttrKind uint8

// The attributes in the order in which the compiler prints them (lib/SIL/IR/SILPrinter.cpp, SILFunction::print and
// SILGlobalVariable::print), then those that silvm knows besides.
const (
	AttrUnknown AttrKind = iota // one that silvm knows nothing of: Attr.Text has all of it
	AttrTransparent
	AttrSerialized
	AttrSerializedForPackage
	AttrLet
	AttrThunk
	AttrSignatureOptimizedThunk
	AttrReabstractionThunk
	AttrBackDeployedThunk
	AttrDynamicallyReplacable
	AttrDistributed
	AttrRuntimeAccessible
	AttrLexicalLifetimes
	AttrNoOnstackPackMetadata
	AttrUnsafeNonescapableResult
	AttrExactSelfClass
	AttrWithoutActuallyEscaping
	AttrGlobalInit
	AttrGlobalInitOnceFn
	AttrLazyGetter
	AttrWeakImported
	AttrAvailable
	AttrNoinline
	AttrAlwaysInline
	AttrOnone
	AttrOspeed
	AttrOsize
	AttrNoLocks
	AttrNoAllocation
	AttrNoRuntime
	AttrNoExistentials
	AttrNoObjCBridging
	AttrPerfConstraint
	AttrReadonly
	AttrReadnone
	AttrReadwrite
	AttrReleasenone
	AttrDynamicReplacementFor
	AttrRefAdhocRequirementWitness
	AttrObjCReplacementFor
	AttrSemantics
	AttrSpecialize
	AttrUsed
	AttrSection
	AttrClang
	AttrCanonical // those that silvm does not place are here
	AttrOSSA
	AttrStackProtection

	AttrSerializable
	AttrDynamicallyReplaceable
	AttrUnderscoredUsed // [_used]
	AttrOptremark
)

var attrWords = [...]string{
	AttrUnknown:                    "?",
	AttrTransparent:                "transparent",
	AttrSerialized:                 "serialized",
	AttrSerializedForPackage:       "serialized_for_package",
	AttrLet:                        "let",
	AttrThunk:                      "thunk",
	AttrSignatureOptimizedThunk:    "signature_optimized_thunk",
	AttrReabstractionThunk:         "reabstraction_thunk",
	AttrBackDeployedThunk:          "back_deployed_thunk",
	AttrDynamicallyReplacable:      "dynamically_replacable",
	AttrDistributed:                "distributed",
	AttrRuntimeAccessible:          "runtime_accessible",
	AttrLexicalLifetimes:           "lexical_lifetimes",
	AttrNoOnstackPackMetadata:      "no_onstack_pack_metadata",
	AttrUnsafeNonescapableResult:   "unsafe_nonescapable_result",
	AttrExactSelfClass:             "exact_self_class",
	AttrWithoutActuallyEscaping:    "without_actually_escaping",
	AttrGlobalInit:                 "global_init",
	AttrGlobalInitOnceFn:           "global_init_once_fn",
	AttrLazyGetter:                 "lazy_getter",
	AttrWeakImported:               "weak_imported",
	AttrAvailable:                  "available",
	AttrNoinline:                   "noinline",
	AttrAlwaysInline:               "always_inline",
	AttrOnone:                      "Onone",
	AttrOspeed:                     "Ospeed",
	AttrOsize:                      "Osize",
	AttrNoLocks:                    "no_locks",
	AttrNoAllocation:               "no_allocation",
	AttrNoRuntime:                  "no_runtime",
	AttrNoExistentials:             "no_existentials",
	AttrNoObjCBridging:             "no_objc_bridging",
	AttrPerfConstraint:             "perf_constraint",
	AttrReadonly:                   "readonly",
	AttrReadnone:                   "readnone",
	AttrReadwrite:                  "readwrite",
	AttrReleasenone:                "releasenone",
	AttrDynamicReplacementFor:      "dynamic_replacement_for",
	AttrRefAdhocRequirementWitness: "ref_adhoc_requirement_witness",
	AttrObjCReplacementFor:         "objc_replacement_for",
	AttrSemantics:                  "_semantics",
	AttrSpecialize:                 "_specialize",
	AttrUsed:                       "used",
	AttrSection:                    "section",
	AttrClang:                      "clang",
	AttrCanonical:                  "canonical",
	AttrOSSA:                       "ossa",
	AttrStackProtection:            "stack_protection",
	AttrSerializable:               "serializable",
	AttrDynamicallyReplaceable:     "dynamically_replaceable",
	AttrUnderscoredUsed:            "_used",
	AttrOptremark:                  "optremark",
}

var attrByWord = func() map[string]AttrKind {
	m := make(map[string]AttrKind, len(attrWords))
	for kind, word := range attrWords {
		if kind != int(AttrUnknown) {
			m[word] = AttrKind(kind)
		}
	}
	return m
}()

// String returns the word as the text spells it, "?" for AttrUnknown.
func (k AttrKind) String() string { return wordOf(attrWords[:], int(k)) }

// Attr is one attribute in brackets: [ossa], [_semantics "array.get_count"].
type Attr struct {
	Kind AttrKind
	// Text is what follows the first word: `"array.get_count"`; of AttrUnknown all that is in the brackets.
	Text string
}

// ParseAttr reads what is in the brackets of an attribute.
func ParseAttr(text string) Attr {
	text = strings.TrimSpace(text)
	word, rest, _ := strings.Cut(text, " ")
	if kind := attrByWord[word]; kind != AttrUnknown {
		return Attr{kind, rest}
	}
	return Attr{Text: text}
}

// AttrsOf returns attributes that have nothing after their words.
func AttrsOf(kinds ...AttrKind) Attrs {
	list := make(Attrs, len(kinds))
	for n, k := range kinds {
		list[n].Kind = k
	}
	return list
}

// String returns the attribute as the text spells it, without brackets.
func (a Attr) String() string {
	switch {
	case a.Kind == AttrUnknown:
		return a.Text
	case a.Text == "":
		return a.Kind.String()
	}
	return a.Kind.String() + " " + a.Text
}

// Name returns Text without the quotes around it: the name of a @_semantics or of the function that a replacement replaces.
func (a Attr) Name() string {
	return strings.TrimSuffix(strings.TrimPrefix(a.Text, `"`), `"`)
}

// Attrs are the attributes of a function, a global or a table.
type Attrs []Attr

// Has reports whether one of the attributes is of the kind.
func (l Attrs) Has(kind AttrKind) bool { return l.index(kind) >= 0 }

// HasAny reports whether one of the attributes is of one of the kinds.
func (l Attrs) HasAny(kinds ...AttrKind) bool { return slices.ContainsFunc(kinds, l.Has) }

func (l Attrs) index(kind AttrKind) int {
	return slices.IndexFunc(l, func(a Attr) bool { return a.Kind == kind })
}

// Insert returns the list with an attribute more before the first of the kind, at the end when there is none.
func (l Attrs) Insert(before AttrKind, a Attr) Attrs {
	at := l.index(before)
	if at < 0 {
		at = len(l)
	}
	return slices.Insert(slices.Clone(l), at, a)
}

// Without returns the list without the attributes of the kind.
func (l Attrs) Without(kind AttrKind) Attrs {
	return slices.DeleteFunc(slices.Clone(l), func(a Attr) bool { return a.Kind == kind })
}

// IsSerialized reports whether others may inline the function or use the global: which of the words says so is serialized.
func (l Attrs) IsSerialized() bool {
	return l.HasAny(AttrSerialized, AttrSerializable, AttrSerializedForPackage)
}

// place returns the kind at whose place the attribute is printed.
func (a Attr) place() AttrKind {
	if a.Kind == AttrUnknown || a.Kind > AttrStackProtection {
		return AttrCanonical
	}
	return a.Kind
}

// compareAttrs orders attributes as they are printed, several semantics by name.
func compareAttrs(a, b Attr) int {
	if a.Kind == AttrSemantics && b.Kind == AttrSemantics {
		return strings.Compare(a.Text, b.Text)
	}
	return int(a.place()) - int(b.place())
}

// sorted returns the attributes in the order in which they are printed.
func (l Attrs) sorted() Attrs {
	if slices.IsSortedFunc(l, compareAttrs) {
		return l
	}
	l = slices.Clone(l)
	slices.SortStableFunc(l, compareAttrs)
	return l
}

// printedAttrs returns the attributes of a function as the compiler prints them: "ossa" only with a body.
func (f *Function) printedAttrs() Attrs {
	attrs := f.Attrs
	if len(f.Blocks) == 0 && attrs.Has(AttrOSSA) {
		attrs = attrs.Without(AttrOSSA)
	}
	return attrs.sorted()
}
