package abi

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
