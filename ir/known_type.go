package ir

import "strings"

// Known is a type of the standard library that the rules of SIL or of the language know by name.
type Known uint8

// The known types.
const (
	NotKnown Known = iota
	KnownAnyObject
	KnownArray
	KnownBitwiseCopyable
	KnownCopyable
	KnownError
	KnownEscapable
	KnownNever
	KnownOptional
	KnownSendable
	KnownSendableMetatype
	KnownString
)

var knownWords = [...]string{
	KnownAnyObject:        "AnyObject",
	KnownArray:            "Array",
	KnownBitwiseCopyable:  "BitwiseCopyable",
	KnownCopyable:         "Copyable",
	KnownError:            "Error",
	KnownEscapable:        "Escapable",
	KnownNever:            "Never",
	KnownOptional:         "Optional",
	KnownSendable:         "Sendable",
	KnownSendableMetatype: "SendableMetatype",
	KnownString:           "String",
}

// String returns the name of the type, "" for NotKnown.
func (k Known) String() string { return wordOf(knownWords[:], int(k)) }

// knownOf returns what a nominal type with that name, nested in none, is known as.
func knownOf(name string) Known {
	n, ok := findWord(knownWords[:], name)
	if !ok {
		return NotKnown
	}
	return Known(n)
}

// Known returns which of the known types this is, whatever its arguments.
func (t *Type) Known() Known { return t.known }

// Inverse returns the protocol that a constraint ~P takes away, NotKnown for any other type.
func (t *Type) Inverse() Known {
	if t.Kind != KindUnparsed {
		return NotKnown
	}
	return inverseOf(t.Name)
}

// Inverse returns the protocol that the requirement T : ~P takes away, NotKnown for one of another kind.
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
