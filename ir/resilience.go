package ir

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
