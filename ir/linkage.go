package ir

// Linkage says who may see a symbol, and whether this module or another one defines it (docs/SIL.rst, Linkage).
type Linkage uint8

// The linkages under SIL's names.
const (
	LinkageDefault Linkage = iota // no word: public for a definition, public_external for a declaration
	LinkagePublic
	LinkageNonABI
	LinkagePublicNonABI
	LinkagePackage
	LinkagePackageNonABI
	LinkageHidden
	LinkageShared
	LinkagePrivate
	LinkagePublicExternal
	LinkagePackageExternal
	LinkageHiddenExternal
	LinkageSharedExternal
	LinkagePrivateExternal
)

var linkageWords = [...]string{
	LinkageDefault:         "",
	LinkagePublic:          "public",
	LinkageNonABI:          "non_abi",
	LinkagePublicNonABI:    "public_non_abi",
	LinkagePackage:         "package",
	LinkagePackageNonABI:   "package_non_abi",
	LinkageHidden:          "hidden",
	LinkageShared:          "shared",
	LinkagePrivate:         "private",
	LinkagePublicExternal:  "public_external",
	LinkagePackageExternal: "package_external",
	LinkageHiddenExternal:  "hidden_external",
	LinkageSharedExternal:  "shared_external",
	LinkagePrivateExternal: "private_external",
}

// String returns the linkage as the text spells it, "" for LinkageDefault.
func (l Linkage) String() string { return wordOf(linkageWords[:], int(l)) }

// LinkageWords lists the words that may follow sil and sil_global.
func LinkageWords() []string { return linkageWords[1:] }

// ParseLinkage returns the linkage that the word names.
func ParseLinkage(word string) (Linkage, bool) {
	n, ok := findWord(linkageWords[:], word)
	return Linkage(n), ok
}

// IsExternal reports whether another module defines the symbol.
func (l Linkage) IsExternal() bool { return l >= LinkagePublicExternal }
