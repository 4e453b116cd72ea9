package code

import "silvm/ir"

// A key path is an object of a class KeyPath<Root, Value> or a subclass. After its stored properties it has the number of its
// parts, then for each the number of the part in Program.PathParts and a strong reference to the box with the part's indices,
// or 0. The parts that follow each other lead from a value of type Root to one of type Value.
const (
	KeyPathCount = 24 // offset of the number of parts
	KeyPathParts = 32 // offset of the first part
	KeyPathPart  = 16 // bytes of a part
)

// EndPathAccess names the native that ends an access which swift_modifyAtWritableKeyPath or one of its kind has begun. Those give an
// address and what this one needs.
const EndPathAccess = "#KeyPath.endAccess"

// PathKind says what a part of a key path does.
type PathKind uint8

// The kinds of parts.
const (
	PathStored   PathKind = iota + 1 // a stored property of a struct, an element of a tuple
	PathClass                        // a stored property of a class
	PathComputed                     // a property or subscript with accessors
	PathChain                        // optional chaining: goes on with the payload, or ends with nil
	PathForce                        // the payload, or a trap
	PathWrap                         // the value as an optional
)

// PathPart is one part of key paths. Two parts with equal keys do the same; equal indices besides make them equal.
type PathPart struct {
	Kind        PathKind
	Base, Value *ir.Type
	Key         string
	Name        string // of PathStored and PathClass, for printing; an element of a tuple without a label has its number after a dot
	Offset      uint64 // of PathStored in the value, of PathClass in the object
	// The accessors of PathComputed as function indexes, -1 for none. They take the address of the result, the address of the base
	// and the address of the indices if there are any; Setter has the address of the new value in place of the result's.
	Getter, Setter, Equals, Hash int
	Mutating                     bool   // the setter changes the base
	Indices                      uint64 // offset of the indices in their box, 0 when there are none
}

// IsReference reports whether writing goes to an object rather than to the base itself.
func (p *PathPart) IsReference() bool {
	return p.Kind == PathClass || p.Kind == PathComputed && p.Setter >= 0 && !p.Mutating
}
