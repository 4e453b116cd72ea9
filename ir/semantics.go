package ir

import "strings"

// Semantics is a name after @_semantics that silvm knows: what the standard library tells the optimizer of a function.
type Semantics uint8

// The names that some room asks for.
const (
	SemanticsUnknown Semantics = iota // no @_semantics, or one that silvm does not know
	SemanticsArrayInit
	SemanticsArrayInitEmpty
	SemanticsArrayUninitialized
	SemanticsArrayUninitializedIntrinsic
	SemanticsArrayFinalizeIntrinsic
	SemanticsArrayGetCount
	SemanticsArrayGetCapacity
	SemanticsArrayGetElement
	SemanticsArrayGetElementAddress
	SemanticsArrayMakeMutable
	SemanticsArrayEndMutation
	SemanticsArrayMutateUnknown
	SemanticsArrayWithUnsafeMutableBufferPointer
	SemanticsArrayCheckIndex
	SemanticsArrayCheckSubscript
	SemanticsArrayIsNativeTypeChecked
	SemanticsArrayAppendElement
	SemanticsArrayAppendContentsOf
	SemanticsArrayReserveCapacityForAppend
	SemanticsArrayCopyIntoVector
	SemanticsArrayStorageType
	SemanticsStringInitEmpty
	SemanticsStringInitEmptyWithCapacity
	SemanticsStringMakeUTF8
	SemanticsStringAppend
	SemanticsStringConcat
	SemanticsStringGetUTF8CString
	SemanticsStringEscapePercent
	SemanticsIntegerDescription
	SemanticsBoolLiteralInit
	SemanticsInlineLate
	SemanticsProgramTerminationPoint
	SemanticsGenericNever     // no specialization for type arguments
	SemanticsGenericSizeNever // none where size matters
	SemanticsOwnedToGuaranteedNever
	SemanticsVerifyNone
	SemanticsDeleteIfUnused
	SemanticsAvailabilityOSVersion // asks whether the system is new enough
	SemanticsSequenceForEach
	// Effects on a copy-on-write value (docs/proposals/OptimizerEffects.rst); of a method, they are about self.
	SemanticsMakeUnique
	SemanticsPreserveUnique
	SemanticsGetSubobject
	SemanticsGetSubobjectNonBridged
	SemanticsGetSubobjectAddr
	SemanticsInitializeSubobject
	SemanticsSetSubobject
	SemanticsProjectsSubobject // the result lives as long as the current value of self does
	SemanticsProjectsSubobjectAddr
	SemanticsCOWStorage // of a property: its references count as parts of the value
	SemanticsPureValue  // of a type: copies share no state that a program can tell
	SemanticsTraps      // the function may trap: it is not called where it was not
)

var semanticsNames = [...]string{
	SemanticsUnknown:                             "?",
	SemanticsArrayInit:                           "array.init",
	SemanticsArrayInitEmpty:                      "array.init.empty",
	SemanticsArrayGetElementAddress:              "array.get_element_address",
	SemanticsArrayMakeMutable:                    "array.make_mutable",
	SemanticsArrayEndMutation:                    "array.end_mutation",
	SemanticsArrayMutateUnknown:                  "array.mutate_unknown",
	SemanticsArrayWithUnsafeMutableBufferPointer: "array.withUnsafeMutableBufferPointer",
	SemanticsArrayUninitialized:                  "array.uninitialized",
	SemanticsArrayUninitializedIntrinsic:         "array.uninitialized_intrinsic",
	SemanticsArrayFinalizeIntrinsic:              "array.finalize_intrinsic",
	SemanticsArrayGetCount:                       "array.get_count",
	SemanticsArrayGetCapacity:                    "array.get_capacity",
	SemanticsArrayGetElement:                     "array.get_element",
	SemanticsArrayCheckIndex:                     "array.check_index",
	SemanticsArrayCheckSubscript:                 "array.check_subscript",
	SemanticsArrayIsNativeTypeChecked:            "array.props.isNativeTypeChecked",
	SemanticsArrayAppendElement:                  "array.append_element",
	SemanticsArrayAppendContentsOf:               "array.append_contentsOf",
	SemanticsArrayReserveCapacityForAppend:       "array.reserve_capacity_for_append",
	SemanticsArrayCopyIntoVector:                 "array.copy_into_vector",
	SemanticsArrayStorageType:                    "array.getContiguousArrayStorageType",
	SemanticsStringInitEmpty:                     "string.init_empty",
	SemanticsStringInitEmptyWithCapacity:         "string.init_empty_with_capacity",
	SemanticsStringMakeUTF8:                      "string.makeUTF8",
	SemanticsStringAppend:                        "string.append",
	SemanticsStringConcat:                        "string.concat",
	SemanticsStringGetUTF8CString:                "string.getUTF8CString",
	SemanticsStringEscapePercent:                 "string.escapePercent.get",
	SemanticsIntegerDescription:                  "binaryInteger.description",
	SemanticsBoolLiteralInit:                     "bool.literal_init",
	SemanticsInlineLate:                          "inline_late",
	SemanticsProgramTerminationPoint:             "programtermination_point",
	SemanticsGenericNever:                        "optimize.sil.specialize.generic.never",
	SemanticsGenericSizeNever:                    "optimize.sil.specialize.generic.size.never",
	SemanticsOwnedToGuaranteedNever:              "optimize.sil.specialize.owned2guarantee.never",
	SemanticsVerifyNone:                          "sil.verify_none",
	SemanticsDeleteIfUnused:                      "sil.optimizer.delete_if_unused",
	SemanticsAvailabilityOSVersion:               "availability.osversion",
	SemanticsSequenceForEach:                     "sequence.forEach",
	SemanticsMakeUnique:                          "make_unique",
	SemanticsPreserveUnique:                      "preserve_unique",
	SemanticsGetSubobject:                        "get_subobject",
	SemanticsGetSubobjectNonBridged:              "get_subobject_non_bridged",
	SemanticsGetSubobjectAddr:                    "get_subobject_addr",
	SemanticsInitializeSubobject:                 "initialize_subobject",
	SemanticsSetSubobject:                        "set_subobject",
	SemanticsProjectsSubobject:                   "projects_subobject",
	SemanticsProjectsSubobjectAddr:               "projects_subobject_addr",
	SemanticsCOWStorage:                          "cow_storage",
	SemanticsPureValue:                           "pure_value",
	SemanticsTraps:                               "traps",
}

var semanticsByName = func() map[string]Semantics {
	m := make(map[string]Semantics, len(semanticsNames))
	for s, name := range semanticsNames {
		if s != int(SemanticsUnknown) {
			m[name] = Semantics(s)
		}
	}
	return m
}()

// String returns the name as the text spells it, "?" for SemanticsUnknown.
func (s Semantics) String() string { return wordOf(semanticsNames[:], int(s)) }

// Attr returns the attribute that says so.
func (s Semantics) Attr() Attr { return Attr{AttrSemantics, `"` + s.String() + `"`} }

// Semantics returns what a @_semantics names; SemanticsUnknown for another attribute.
func (a Attr) Semantics() Semantics {
	if a.Kind != AttrSemantics {
		return SemanticsUnknown
	}
	return semanticsByName[a.Name()]
}

// IsEffectSemantics reports whether a @_semantics says what a function does to a copy-on-write value, or that it may trap.
func (a Attr) IsEffectSemantics() bool {
	s := a.Semantics()
	return s >= SemanticsMakeUnique && s <= SemanticsTraps
}

// IsArraySemantics reports whether the attribute is a @_semantics of a function of arrays, also one that silvm does not know.
func (a Attr) IsArraySemantics() bool { return a.hasSemanticsPrefix("array.") }

// IsAvailabilitySemantics reports whether the attribute is a @_semantics of a question for the version of the platform.
func (a Attr) IsAvailabilitySemantics() bool { return a.hasSemanticsPrefix("availability") }

func (a Attr) hasSemanticsPrefix(prefix string) bool {
	return a.Kind == AttrSemantics && strings.HasPrefix(a.Name(), prefix)
}
