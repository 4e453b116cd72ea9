package abi

// A type's metadata is a record in static memory whose address a thick metatype, an object header or an existential container
// holds. Its first word is the index of the type in the machine's table, which is checked when it is used; the others repeat what
// generic code asks for without looking there. The words, in bytes from the start of the record:
const (
	metadataIndex  = 0  // index of the type, from 1
	metadataSize   = 8  // bytes of a value
	metadataStride = 16 // bytes from one array element to the next
	metadataAlign  = 24 // bytes
	metadataFlags  = 32 // see metadataTrivial and so on; the witness kind from bit 8 on
	metadataBytes  = 40 // of the whole record
)

// The flags of a metadata record.
const (
	metadataTrivial  = 1 << iota // copying is copying the bytes, destroying nothing
	metadataTakable              // moving is copying the bytes
	metadataInline               // fits the buffer of an opaque existential container
	metadataMoveOnly             // cannot be copied

	metadataWitnessShift = 8
)

// WitnessKind says how values of a type in memory are copied and destroyed. It tells what needs no code of its own from what
// does.
type WitnessKind uint8

// The kinds of value witnesses.
const (
	WitnessTrivial WitnessKind = iota // as bytes
	WitnessStrong                     // one strong reference at offset 0, null or negative ignored
	WitnessRefs                       // as bytes, and every counted scalar retained or released
	WitnessOpaque                     // an opaque existential container
	WitnessWeak                       // a weak reference, perhaps with witness tables
	WitnessCode                       // needs a function made for the type
)

// record returns the words of the metadata record of a type that has this layout.
func (lay *Layout) record(index uint64) [metadataBytes / 8]uint64 {
	flags := uint64(lay.Witness()) << metadataWitnessShift
	for bit, on := range map[uint64]bool{
		metadataTrivial: lay.Trivial, metadataTakable: lay.BitwiseTakable, metadataInline: lay.IsInline(), metadataMoveOnly: lay.MoveOnly,
	} {
		if on {
			flags |= bit
		}
	}
	return [...]uint64{index, lay.Size, lay.Stride, lay.Align, flags}
}

// witnessOf returns the witness kind from the flags word of a metadata record; anything unknown needs code.
func witnessOf(flags uint64) WitnessKind {
	return WitnessKind(min(flags>>metadataWitnessShift, uint64(WitnessCode)))
}

// Witness returns the kind of the layout's value witnesses.
func (lay *Layout) Witness() WitnessKind {
	switch {
	case lay.Trivial:
		return WitnessTrivial
	case lay.Deinit != nil, lay.LibraryDeinit != "":
		return WitnessCode
	case lay.opaque:
		return WitnessOpaque
	case lay.weak:
		return WitnessWeak
	case !lay.PlainRefs:
		return WitnessCode
	case len(lay.Scalars) == 1 && lay.Scalars[0].Kind == ScalarStrong:
		return WitnessStrong
	}
	return WitnessRefs
}
