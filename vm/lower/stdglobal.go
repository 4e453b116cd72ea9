package lower

import (
	"encoding/binary"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// standardGlobal is a variable of the runtime library that inlined code of the standard library uses.
type standardGlobal struct {
	typ   string   // its type
	class string   // of an object: its class, whose metadata its header has
	words []uint64 // what follows the header, or the whole of a variable that is no object
}

// The streams of the C library, as values of its variables. They are no addresses of memory.
const (
	Stdin = 8 * (iota + 1)
	Stdout
	Stderr
)

// standardGlobals are the runtime library's variables (stdlib/public/stubs/GlobalObjects.cpp) and those of the C library. The empty hash tables have one bucket, which
// is free; the others of their bitmap are out of bounds. Hashing is deterministic, as with SWIFT_DETERMINISTIC_HASHING set.
var standardGlobals = map[string]standardGlobal{
	"_swiftEmptyArrayStorage":          {"_SwiftEmptyArrayStorage", "__EmptyArrayStorage", []uint64{0, 1}},
	"_swiftEmptyDictionarySingleton":   {"_SwiftEmptyDictionarySingleton", "__EmptyDictionarySingleton", []uint64{0, 0, 0, 0, 1, 1, ^uint64(1)}},
	"_swiftEmptySetSingleton":          {"_SwiftEmptySetSingleton", "__EmptySetSingleton", []uint64{0, 0, 0, 0, 1, ^uint64(1)}},
	"_swift_stdlib_Hashing_parameters": {"_SwiftHashingParameters", "", []uint64{0, 0, 1}},
	"stdin":                            {"OpaquePointer", "", []uint64{Stdin}},
	"stdout":                           {"OpaquePointer", "", []uint64{Stdout}},
	"stderr":                           {"OpaquePointer", "", []uint64{Stderr}},
	"errno":                            {"Int32", "", []uint64{0}},
	"C locale":                         {"Int64", "", []uint64{'C'}},                    // its name, with the byte 0 after it
	"MainActor.shared":                 {"HeapObject", "MainActor", make([]uint64, 12)}, // of the module _Concurrency
}

// globalNamed returns the global of that name; one of the runtime library's is there even where no file declares it. nil when there is none.
func (l *Lowerer) globalNamed(name string) *ir.Global {
	if g := l.Mod.Global(name); g != nil {
		return g
	}
	s, ok := standardGlobals[name]
	if !ok {
		return nil
	}
	g := l.globals.standard[name]
	if g == nil {
		g = &ir.Global{Name: name, Linkage: ir.LinkagePublicExternal, Type: l.Mod.Types.Nominal(nil, s.typ)}
		if l.globals.standard == nil {
			l.globals.standard = map[string]*ir.Global{}
		}
		l.globals.standard[name] = g
	}
	return g
}

// external fills in a global that no file initializes because another module defines it.
func (l *Lowerer) external(g *ir.Global, out *code.Global) error {
	s, ok := standardGlobals[g.Name]
	if !ok {
		if g.Linkage.IsExternal() {
			return unsupportedf("global @%s, which is in no file", g.Name)
		}
		return nil
	}
	image := &code.Image{}
	if s.class != "" {
		image.Bytes = make([]byte, abi.HeaderSize)
		index, err := l.TypeInfo(l.Mod.Types.Nominal(nil, s.class))
		if err != nil {
			return err
		}
		out.Object = &code.StaticObject{Type: index, Align: 16}
	}
	for _, w := range s.words {
		image.Bytes = binary.LittleEndian.AppendUint64(image.Bytes, w)
	}
	if out.Object == nil {
		image.Bytes = image.Bytes[:min(uint64(len(image.Bytes)), out.Layout.Size)]
	}
	out.Image = image
	return nil
}
