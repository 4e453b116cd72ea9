package ir

import (
	"strconv"
	"strings"
)

// BuiltinKind says which type of the module Builtin a type is (docs/ABI/Mangling.rst, builtin types).
type BuiltinKind uint8

// The kinds of builtin types under SIL's names.
const (
	NotBuiltin        BuiltinKind = iota // of a type of another kind
	BuiltinUnknown                       // a name that silvm does not know
	BuiltinInt                           // Int64; Bits
	BuiltinFloat                         // FPIEEE64; Bits
	BuiltinVector                        // Vec4xInt32; Lanes, Elem, and Bits of one lane
	BuiltinWord                          // an integer as wide as a pointer
	BuiltinIntLiteral                    // an integer of any width
	BuiltinFPPPC128
	BuiltinRawPointer
	BuiltinNativeObject
	BuiltinBridgeObject
	BuiltinUnknownObject
	BuiltinAnyObject
	BuiltinFixedArray // FixedArray<4, T>
	BuiltinUnsafeValueBuffer
	BuiltinSILToken
	BuiltinPackIndex
	BuiltinExecutor
	BuiltinJob
	BuiltinImplicitActor
	BuiltinRawUnsafeContinuation
	BuiltinDefaultActorStorage
	BuiltinNonDefaultDistributedActorStorage
)

// builtinNames are the names after "Builtin." of the kinds that have only one.
var builtinNames = [...]string{
	NotBuiltin:                               "",
	BuiltinWord:                              "Word",
	BuiltinIntLiteral:                        "IntLiteral",
	BuiltinFPPPC128:                          "FPPPC128",
	BuiltinRawPointer:                        "RawPointer",
	BuiltinNativeObject:                      "NativeObject",
	BuiltinBridgeObject:                      "BridgeObject",
	BuiltinUnknownObject:                     "UnknownObject",
	BuiltinAnyObject:                         "AnyObject",
	BuiltinFixedArray:                        "FixedArray",
	BuiltinUnsafeValueBuffer:                 "UnsafeValueBuffer",
	BuiltinSILToken:                          "SILToken",
	BuiltinPackIndex:                         "PackIndex",
	BuiltinExecutor:                          "Executor",
	BuiltinJob:                               "Job",
	BuiltinImplicitActor:                     "ImplicitActor",
	BuiltinRawUnsafeContinuation:             "RawUnsafeContinuation",
	BuiltinDefaultActorStorage:               "DefaultActorStorage",
	BuiltinNonDefaultDistributedActorStorage: "NonDefaultDistributedActorStorage",
}

// BuiltinType is what the name of a builtin type says.
type BuiltinType struct {
	Kind  BuiltinKind
	Elem  BuiltinKind // of one lane of a vector
	Lanes uint16      // of a vector, 1 for other types
	Bits  uint32      // of an integer or float, or of one lane; 0 where the name says no width
}

// Lane returns the type of one lane of a vector.
func (b BuiltinType) Lane() BuiltinType { return BuiltinType{Kind: b.Elem, Lanes: 1, Bits: b.Bits} }

// String returns the name without "Builtin."; "" for a type that silvm does not know.
func (b BuiltinType) String() string {
	switch b.Kind {
	case BuiltinInt:
		return "Int" + strconv.Itoa(int(b.Bits))
	case BuiltinFloat:
		return "FPIEEE" + strconv.Itoa(int(b.Bits))
	case BuiltinVector:
		return "Vec" + strconv.Itoa(int(b.Lanes)) + "x" + b.Lane().String()
	}
	return wordOf(builtinNames[:], int(b.Kind))
}

// maxLanes bounds the lanes of a vector type that is known.
const maxLanes = 1<<16 - 1

// ParseBuiltinType reads a name without "Builtin.", as in the names of builtins: Int64, FPIEEE32, Vec4xInt32, RawPointer.
func ParseBuiltinType(name string) BuiltinType {
	if n, ok := findWord(builtinNames[:], name); ok && name != "" {
		return BuiltinType{Kind: BuiltinKind(n), Lanes: 1}
	}
	if spec, ok := strings.CutPrefix(name, "Vec"); ok {
		count, lane, _ := strings.Cut(spec, "x")
		lanes, err := strconv.ParseUint(count, 10, 16)
		if elem := ParseBuiltinType(lane); err == nil && lanes > 0 && lanes <= maxLanes && elem.Kind != BuiltinUnknown && elem.Kind != BuiltinVector {
			return BuiltinType{Kind: BuiltinVector, Elem: elem.Kind, Lanes: uint16(lanes), Bits: elem.Bits}
		}
	}
	for _, family := range [...]struct {
		prefix string
		kind   BuiltinKind
	}{{"Int", BuiltinInt}, {"FPIEEE", BuiltinFloat}} {
		if digits, ok := strings.CutPrefix(name, family.prefix); ok {
			if bits, err := strconv.ParseUint(digits, 10, 32); err == nil {
				return BuiltinType{Kind: family.kind, Lanes: 1, Bits: uint32(bits)}
			}
		}
	}
	return BuiltinType{Kind: BuiltinUnknown, Lanes: 1}
}

// Builtin returns what the name of a builtin type says, Kind NotBuiltin for any other type.
func (t *Type) Builtin() BuiltinType { return t.builtin }

// IsBuiltin reports whether the type is the builtin type of that kind.
func (t *Type) IsBuiltin(kind BuiltinKind) bool { return t.builtin.Kind == kind && kind != NotBuiltin }

// IsBuiltinInt reports whether the type is Builtin.Int of so many bits.
func (t *Type) IsBuiltinInt(bits uint32) bool {
	return t.builtin == BuiltinType{Kind: BuiltinInt, Lanes: 1, Bits: bits}
}

// IsInteger reports whether values of the type are single integers: Int64, Word, IntLiteral.
func (b BuiltinType) IsInteger() bool {
	return b.Kind == BuiltinInt || b.Kind == BuiltinWord || b.Kind == BuiltinIntLiteral
}

// IsReference reports whether values of the type are references to objects.
func (b BuiltinType) IsReference() bool {
	return b.Kind >= BuiltinNativeObject && b.Kind <= BuiltinAnyObject
}

// IntWidth returns the number of bits of a builtin integer type, Word counting 64; 0 for any other type, IntLiteral included.
func (t *Type) IntWidth() uint {
	switch t.builtin.Kind {
	case BuiltinWord:
		return 64
	case BuiltinInt:
		return uint(t.builtin.Bits)
	}
	return 0
}

// FixedArrayElement returns T of Builtin.FixedArray<count, T>, nil for any other type.
func (t *Type) FixedArrayElement() *Type {
	if t.builtin.Kind == BuiltinFixedArray && len(t.Args) == 2 {
		return t.Args[1]
	}
	return nil
}

// Builtin returns the builtin type of a kind that has only one name.
func (ts *Types) Builtin(kind BuiltinKind) *Type { return ts.BuiltinNamed(builtinNames[kind]) }

// BuiltinInt returns Builtin.Int of so many bits.
func (ts *Types) BuiltinInt(bits int) *Type { return ts.BuiltinNamed("Int" + strconv.Itoa(bits)) }

// BuiltinNamed returns Builtin.name.
func (ts *Types) BuiltinNamed(name string) *Type {
	return ts.Intern(&Type{Kind: KindBuiltin, Name: name})
}
