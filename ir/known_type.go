package ir

import "strings"

// Known is a type of the standard library that the rules of SIL or of the language know by name.
type Known uint8

// The known types, those that are nested in another one by both names.
const (
	NotKnown Known = iota
	KnownAnyHashable
	KnownAnyKeyPath
	KnownAnyObject
	KnownArray
	KnownArraySlice
	KnownBinaryInteger
	KnownBitwiseCopyable
	KnownBool
	KnownCharacter
	KnownClosedRange
	KnownClosedRangeIndex
	knownCollectionDifference
	KnownCollectionDifferenceIndex
	KnownCollectionOfOne
	KnownContiguousArray
	KnownContiguousArrayBuffer
	KnownContiguousArrayStorage
	KnownContiguousArrayStorageBase
	KnownCopyable
	KnownDefaultStringInterpolation
	KnownDictionary
	KnownDictionaryIterator
	KnownDictionaryKeys
	KnownDictionaryKeysIterator
	KnownDictionaryStorage
	KnownDictionaryValues
	KnownDictionaryValuesIterator
	KnownDouble
	KnownError
	KnownEscapable
	KnownFloat
	KnownFloat16
	KnownFloat80
	KnownIndexingIterator
	KnownInt
	KnownInt8
	KnownInt16
	KnownInt32
	KnownInt64
	KnownInt128
	KnownKeyPath
	KnownMainActor
	KnownNever
	KnownObjectIdentifier
	KnownOpaquePointer
	KnownOptional
	KnownRange
	KnownReferenceWritableKeyPath
	KnownReversedCollection
	KnownSIMD2
	KnownSIMD3
	KnownSIMD4
	KnownSIMD8
	KnownSIMD16
	KnownSIMD32
	KnownSIMD64
	KnownSIMDMask
	KnownSendable
	KnownSendableMetatype
	KnownSet
	KnownSetIterator
	KnownSetStorage
	KnownStaticString
	KnownStrideThrough
	KnownStrideTo
	KnownString
	KnownStringIndex
	KnownStringIterator
	KnownStringUTF16View
	KnownStringUTF8View
	KnownStringUnicodeScalarView
	KnownSubstring
	KnownUInt
	KnownUInt8
	KnownUInt16
	KnownUInt32
	KnownUInt64
	KnownUInt128
	knownUnicode
	KnownUnicodeCanonicalCombiningClass
	KnownUnicodeScalar
	KnownUnicodeCharacterRecognizer
	KnownUnsafeMutablePointer
	KnownUnsafeMutableRawPointer
	KnownUnsafePointer
	KnownUnsafeRawPointer
	KnownWritableKeyPath
)

var knownWords = [...]string{
	KnownAnyHashable:                    "AnyHashable",
	KnownAnyKeyPath:                     "AnyKeyPath",
	KnownAnyObject:                      "AnyObject",
	KnownArray:                          "Array",
	KnownArraySlice:                     "ArraySlice",
	KnownBinaryInteger:                  "BinaryInteger",
	KnownBitwiseCopyable:                "BitwiseCopyable",
	KnownBool:                           "Bool",
	KnownCharacter:                      "Character",
	KnownClosedRange:                    "ClosedRange",
	KnownClosedRangeIndex:               "ClosedRange.Index",
	knownCollectionDifference:           "CollectionDifference",
	KnownCollectionDifferenceIndex:      "CollectionDifference.Index",
	KnownCollectionOfOne:                "CollectionOfOne",
	KnownContiguousArray:                "ContiguousArray",
	KnownCopyable:                       "Copyable",
	KnownDefaultStringInterpolation:     "DefaultStringInterpolation",
	KnownDictionary:                     "Dictionary",
	KnownDictionaryIterator:             "Dictionary.Iterator",
	KnownDictionaryKeys:                 "Dictionary.Keys",
	KnownDictionaryKeysIterator:         "Dictionary.Keys.Iterator",
	KnownDictionaryValues:               "Dictionary.Values",
	KnownDictionaryValuesIterator:       "Dictionary.Values.Iterator",
	KnownDouble:                         "Double",
	KnownError:                          "Error",
	KnownEscapable:                      "Escapable",
	KnownFloat:                          "Float",
	KnownFloat16:                        "Float16",
	KnownFloat80:                        "Float80",
	KnownIndexingIterator:               "IndexingIterator",
	KnownInt:                            "Int",
	KnownInt8:                           "Int8",
	KnownInt16:                          "Int16",
	KnownInt32:                          "Int32",
	KnownInt64:                          "Int64",
	KnownInt128:                         "Int128",
	KnownKeyPath:                        "KeyPath",
	KnownMainActor:                      "MainActor",
	KnownNever:                          "Never",
	KnownObjectIdentifier:               "ObjectIdentifier",
	KnownOpaquePointer:                  "OpaquePointer",
	KnownOptional:                       "Optional",
	KnownRange:                          "Range",
	KnownReferenceWritableKeyPath:       "ReferenceWritableKeyPath",
	KnownReversedCollection:             "ReversedCollection",
	KnownSIMD2:                          "SIMD2",
	KnownSIMD3:                          "SIMD3",
	KnownSIMD4:                          "SIMD4",
	KnownSIMD8:                          "SIMD8",
	KnownSIMD16:                         "SIMD16",
	KnownSIMD32:                         "SIMD32",
	KnownSIMD64:                         "SIMD64",
	KnownSIMDMask:                       "SIMDMask",
	KnownSendable:                       "Sendable",
	KnownSendableMetatype:               "SendableMetatype",
	KnownSet:                            "Set",
	KnownSetIterator:                    "Set.Iterator",
	KnownStaticString:                   "StaticString",
	KnownStrideThrough:                  "StrideThrough",
	KnownStrideTo:                       "StrideTo",
	KnownString:                         "String",
	KnownStringIndex:                    "String.Index",
	KnownStringIterator:                 "String.Iterator",
	KnownStringUTF16View:                "String.UTF16View",
	KnownStringUTF8View:                 "String.UTF8View",
	KnownStringUnicodeScalarView:        "String.UnicodeScalarView",
	KnownSubstring:                      "Substring",
	KnownUInt:                           "UInt",
	KnownUInt8:                          "UInt8",
	KnownUInt16:                         "UInt16",
	KnownUInt32:                         "UInt32",
	KnownUInt64:                         "UInt64",
	KnownUInt128:                        "UInt128",
	knownUnicode:                        "Unicode",
	KnownUnicodeCanonicalCombiningClass: "Unicode.CanonicalCombiningClass",
	KnownUnicodeScalar:                  "Unicode.Scalar",
	KnownUnicodeCharacterRecognizer:     "Unicode._CharacterRecognizer",
	KnownUnsafeMutablePointer:           "UnsafeMutablePointer",
	KnownUnsafeMutableRawPointer:        "UnsafeMutableRawPointer",
	KnownUnsafePointer:                  "UnsafePointer",
	KnownUnsafeRawPointer:               "UnsafeRawPointer",
	KnownContiguousArrayBuffer:          "_ContiguousArrayBuffer",
	KnownContiguousArrayStorage:         "_ContiguousArrayStorage",
	KnownContiguousArrayStorageBase:     "__ContiguousArrayStorageBase",
	KnownDictionaryStorage:              "_DictionaryStorage",
	KnownSetStorage:                     "_SetStorage",
	KnownWritableKeyPath:                "WritableKeyPath",
}

var knownByName = func() map[string]Known {
	m := map[string]Known{}
	for k, name := range knownWords {
		if name != "" {
			m[name] = Known(k)
		}
	}
	return m
}()

// The cases of Optional.
const (
	CaseNone = "none"
	CaseSome = "some"
)

// String returns the name of the type as the program spells it, "" for NotKnown.
func (k Known) String() string { return wordOf(knownWords[:], int(k)) }

// knownOf returns what a nominal type is known as that is called that, with the names of the types around it: "Dictionary.Keys".
func knownOf(path string) Known { return knownByName[path] }

// Known returns which of the known types this is, whatever its arguments.
func (t *Type) Known() Known { return t.known }

// Known returns which of the known types is declared here.
func (d *Nominal) Known() Known { return knownOf(d.Path) }

// Inverse returns the protocol that a constraint ~P removes, NotKnown for any other type.
func (t *Type) Inverse() Known {
	if t.Kind != KindUnparsed {
		return NotKnown
	}
	return inverseOf(t.Name)
}

// Inverse returns the protocol that the requirement T : ~P removes, NotKnown for one of another kind.
func (r *Requirement) Inverse() Known {
	if r.Kind != ReqInverse {
		return NotKnown
	}
	return inverseOf(r.Text)
}

func inverseOf(text string) Known {
	name, ok := strings.CutPrefix(text, "~")
	if !ok {
		return NotKnown
	}
	return knownOf(name)
}

// IsAnyError reports whether the type is any Error, whose values lie in boxes.
func (t *Type) IsAnyError() bool {
	return t.Kind == KindExistential && len(t.Args) == 1 && t.Args[0].known == KnownError
}

// AnyObject returns the existential type AnyObject.
func (ts *Types) AnyObject() *Type { return ts.existentialOf(KnownAnyObject) }

// anyError returns the type any Error.
func (ts *Types) anyError() *Type { return ts.existentialOf(KnownError) }

func (ts *Types) existentialOf(k Known) *Type {
	return ts.Intern(&Type{Kind: KindExistential, Args: []*Type{ts.Nominal(nil, k.String())}})
}

// resilientTypes lists the structs and enums of the standard library that are not @frozen. Outside of the library their layout is not
// fixed, so that enums keep no tags in them. Embedded Swift has no such types.
var resilientTypes = map[string]bool{
	"CodingUserInfoKey": true, "CollectionDifference": true, "DecodingError": true, "DecodingError.Context": true,
	"DiscontiguousSlice": true, "DiscontiguousSlice.Index": true, "EncodingError": true, "EncodingError.Context": true,
	"FloatingPointRoundingRule": true, "KeyedDecodingContainer": true, "KeyedEncodingContainer": true, "Mirror": true,
	"Mirror.AncestorRepresentation": true, "Mirror.DisplayStyle": true, "RangeSet": true, "RangeSet.Ranges": true,
	"Unicode.CanonicalCombiningClass": true, "Unicode.GeneralCategory": true, "Unicode.NumericType": true,
	"Unicode.Scalar.Properties": true, "Unicode._CharacterRecognizer": true, "Unicode._NFC": true, "Unicode._NFC.Iterator": true,
	"Unicode._NFD": true, "Unicode._NFD.Iterator": true, "_EachFieldOptions": true, "_MetadataKind": true,
	"_StringRepresentation": true, "_StringRepresentation._Form": true,
}

// IsResilient reports whether the layout of a type is open outside of the library that declares it. In the library's own text it is not.
func (m *Module) IsResilient(d *Nominal) bool {
	return d.Module == "Swift" && !m.Embedded && resilientTypes[d.Path]
}
