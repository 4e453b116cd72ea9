package ir

// VTableEntryKind says where the method of a vtable's entry comes from.
type VTableEntryKind uint8

// The kinds of entries of vtables.
const (
	EntryNew       VTableEntryKind = iota // the class introduced the method
	EntryOverride                         // [override]
	EntryInherited                        // [inherited]
)

var vtableEntryWords = [...]string{EntryNew: "", EntryOverride: "override", EntryInherited: "inherited"}

// String returns the word that is in brackets after the entry, "" for EntryNew.
func (k VTableEntryKind) String() string { return wordOf(vtableEntryWords[:], int(k)) }

// ParseVTableEntryKind returns the kind that stands as [word] after an entry.
func ParseVTableEntryKind(word string) (VTableEntryKind, bool) {
	n, ok := findWord(vtableEntryWords[:], word)
	return VTableEntryKind(n), ok
}

// WitnessEntryKind says what an entry of a witness table provides.
type WitnessEntryKind uint8

// The kinds of entries of witness tables (docs/SIL.rst, Witness Tables).
const (
	WitnessInvalid               WitnessEntryKind = iota
	WitnessMethod                                 // the function that meets a requirement
	WitnessAssociatedType                         // the type that an associated type is
	WitnessAssociatedProtocol                     // associated_type_protocol, the older word for the next
	WitnessAssociatedConformance                  // how an associated type conforms
	WitnessConditionalConformance
	WitnessBaseProtocol // how the type conforms to a protocol that this one inherits
	WitnessNoDefault
)

var witnessEntryWords = [...]string{
	WitnessInvalid:                "",
	WitnessMethod:                 "method",
	WitnessAssociatedType:         "associated_type",
	WitnessAssociatedProtocol:     "associated_type_protocol",
	WitnessAssociatedConformance:  "associated_conformance",
	WitnessConditionalConformance: "conditional_conformance",
	WitnessBaseProtocol:           "base_protocol",
	WitnessNoDefault:              "no_default",
}

// String returns the word with which the entry begins.
func (k WitnessEntryKind) String() string { return wordOf(witnessEntryWords[:], int(k)) }

// ParseWitnessEntryKind returns the kind of the entry that begins with the word.
func ParseWitnessEntryKind(word string) (WitnessEntryKind, bool) {
	n, ok := findWord(witnessEntryWords[:], word)
	return WitnessEntryKind(n), ok
}
