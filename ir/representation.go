package ir

import "slices"

// Representation is the form of a function value: what a call of it needs besides the code (docs/SIL.rst, Function Types, @convention).
type Representation uint8

// The representations under SIL's names.
const (
	RepThick         Representation = iota // code and context, also where no @convention is written
	RepThin                                // code alone
	RepMethod                              // thin, with self as the last parameter
	RepWitnessMethod                       // thin, and generic over Self, whose conformance is passed
	RepObjCMethod
	RepC
	RepBlock // an Objective-C block
	RepClosure
	RepCXXMethod
	RepKeyPathGetter
	RepKeyPathSetter
	RepKeyPathEquals
	RepKeyPathHash
	RepUnknown // a word that silvm does not know, see FuncType.ConventionWord
)

// representationWords are the words between the parentheses of @convention.
var representationWords = [...]string{
	RepThick:         "thick",
	RepThin:          "thin",
	RepMethod:        "method",
	RepWitnessMethod: "witness_method",
	RepObjCMethod:    "objc_method",
	RepC:             "c",
	RepBlock:         "block",
	RepClosure:       "closure",
	RepCXXMethod:     "cxx_method",
	RepKeyPathGetter: "keypath_accessor_getter",
	RepKeyPathSetter: "keypath_accessor_setter",
	RepKeyPathEquals: "keypath_accessor_equals",
	RepKeyPathHash:   "keypath_accessor_hash",
	RepUnknown:       "?",
}

// String returns the word between the parentheses of @convention, "?" for RepUnknown.
func (r Representation) String() string { return wordOf(representationWords[:], int(r)) }

// SetConvention gives the function type the representation that the word between the parentheses of @convention names.
func (f *FuncType) SetConvention(word string) {
	f.Convention, f.unknown = RepUnknown, ""
	if word == "swift" { // the language's word for thick
		word = "thick"
	}
	for n, w := range representationWords[:RepUnknown] {
		if w == word {
			f.Convention = Representation(n)
			return
		}
	}
	f.unknown = word
}

// Unread returns what silvm knows nothing of in a lowered function type, because a newer compiler wrote it: the convention, or an attribute
// of a parameter or result; "" when it knows all. What such a function expects of its callers is not known.
func (f *FuncType) Unread() string {
	if f.Convention == RepUnknown {
		return "@convention(" + f.unknown + ")"
	}
	for _, p := range f.Params {
		if a := p.Attrs.Find(ModUnknown); a != "" {
			return a
		}
	}
	results := slices.Concat(f.Yields, f.Results)
	if f.Error != nil {
		results = append(results, *f.Error)
	}
	for _, r := range results {
		if a := r.Attrs.Find(ModUnknown); a != "" {
			return a
		}
	}
	return ""
}

// ConventionWord returns the word between the parentheses of @convention, also one that silvm does not know.
func (f *FuncType) ConventionWord() string {
	if f.Convention == RepUnknown {
		return f.unknown
	}
	return f.Convention.String()
}

// IsSameConvention reports whether function values of both types have the same representation.
func (f *FuncType) IsSameConvention(other *FuncType) bool {
	return f.ConventionWord() == other.ConventionWord()
}

// IsCode reports whether function values are code alone, without a context.
func (r Representation) IsCode() bool {
	switch r {
	case RepThick, RepBlock, RepUnknown:
		return false
	}
	return true
}

// IsMethod reports whether the last parameter is self.
func (r Representation) IsMethod() bool {
	switch r {
	case RepMethod, RepWitnessMethod, RepObjCMethod, RepCXXMethod:
		return true
	}
	return false
}

// IsKeyPathAccessor reports whether the function is one of those that a computed component of a key path calls.
func (r Representation) IsKeyPathAccessor() bool {
	switch r {
	case RepKeyPathGetter, RepKeyPathSetter, RepKeyPathEquals, RepKeyPathHash:
		return true
	}
	return false
}

// MetatypeRep is the form of a metatype value (docs/SIL.rst, Metatype Types).
type MetatypeRep uint8

// The representations of metatypes.
const (
	MetatypeFormal MetatypeRep = iota // none: the type of the language
	MetatypeThin                      // nothing at run time
	MetatypeThick                     // a pointer to metadata
	MetatypeObjC                      // an Objective-C class
)

var metatypeWords = [...]string{MetatypeFormal: "", MetatypeThin: "thin", MetatypeThick: "thick", MetatypeObjC: "objc_metatype"}

// String returns the attribute before the metatype, without @; "" for MetatypeFormal.
func (r MetatypeRep) String() string { return wordOf(metatypeWords[:], int(r)) }

// ParseMetatypeRep returns the representation that SIL writes @word.
func ParseMetatypeRep(word string) (MetatypeRep, bool) {
	n, ok := findWord(metatypeWords[:], word)
	return MetatypeRep(n), ok
}

// StorageKind says how storage holds a reference (docs/SIL.rst, Reference Storage Types).
type StorageKind uint8

// The kinds of storage of references.
const (
	NoStorage        StorageKind = iota
	StorageWeak                  // @sil_weak
	StorageUnowned               // @sil_unowned
	StorageUnmanaged             // @sil_unmanaged
)

var storageWords = [...]string{NoStorage: "", StorageWeak: "weak", StorageUnowned: "unowned", StorageUnmanaged: "unmanaged"}

// String returns the word after @sil_: "weak".
func (k StorageKind) String() string { return wordOf(storageWords[:], int(k)) }

// ParseStorageKind returns the kind that SIL writes @sil_word.
func ParseStorageKind(word string) (StorageKind, bool) {
	n, ok := findWord(storageWords[:], word)
	return StorageKind(n), ok
}

// IsStorage reports whether the type is reference storage of the kind.
func (t *Type) IsStorage(kind StorageKind) bool { return t.Kind == KindStorage && t.Storage == kind }

// IsMetatype reports whether the type is a metatype or an existential metatype.
func (t *Type) IsMetatype() bool { return t.Kind == KindMetatype || t.Kind == KindExistentialMetatype }

// IsNamedAlike reports whether both types are of a kind and differ in the types inside at most.
func (t *Type) IsNamedAlike(other *Type) bool {
	return t.Kind == other.Kind && t.Name == other.Name && t.Rep == other.Rep && t.Storage == other.Storage
}
