package abi

import (
	"math/bits"
	"strconv"

	"silvm/ir"
)

// builtinShape describes a builtin type whose layout has nothing to compute.
type builtinShape struct {
	size, align uint64
	kind        ScalarKind
	bits        uint8
	width       uint8
	refXI       uint64 // inhabitants of the word
	spare       bool   // has the spare bits of a native reference
	parts       int    // scalars of that width; 0 is one
}

// builtinShapes lists the builtin types other than integers and vectors (lib/IRGen/GenType.cpp, include/swift/ABI).
var builtinShapes = map[ir.BuiltinKind]builtinShape{
	ir.BuiltinWord:                  {size: 8, align: 8, kind: ScalarInt, bits: 64, width: 8},
	ir.BuiltinRawPointer:            {size: 8, align: 8, kind: ScalarRaw, bits: 64, width: 8, refXI: 1},
	ir.BuiltinNativeObject:          {size: 8, align: 8, kind: ScalarStrong, bits: 64, width: 8, refXI: pointerInhabitants, spare: true},
	ir.BuiltinBridgeObject:          {size: 8, align: 8, kind: ScalarStrong, bits: 64, width: 8, refXI: pointerInhabitants},
	ir.BuiltinIntLiteral:            {size: 16, align: 8, kind: ScalarInt, bits: 64, width: 8, parts: 2}, // here the low 128 bits
	ir.BuiltinRawUnsafeContinuation: {size: 8, align: 8, kind: ScalarRaw, bits: 64, width: 8, refXI: pointerInhabitants},
	ir.BuiltinPackIndex:             {size: 8, align: 8, kind: ScalarInt, bits: 64, width: 8},
	ir.BuiltinJob:                   {size: 8, align: 8, kind: ScalarRaw, bits: 64, width: 8, refXI: pointerInhabitants},
	ir.BuiltinExecutor:              {size: 16, align: 8, kind: ScalarInt, bits: 64, width: 8, refXI: pointerInhabitants, parts: 2},
	ir.BuiltinUnsafeValueBuffer:     {size: 24, align: 8, kind: ScalarInt, bits: 64, width: 8, parts: 3},
	ir.BuiltinDefaultActorStorage:   {size: 96, align: 16, kind: ScalarInt, bits: 64, width: 8, parts: 12},
	ir.BuiltinSILToken:              {align: 1},
}

// floatShapes lists the floats by their bits.
var floatShapes = map[uint32]builtinShape{
	16: {size: 2, align: 2, kind: ScalarFloat16, bits: 16, width: 2},
	32: {size: 4, align: 4, kind: ScalarFloat32, bits: 32, width: 4},
	64: {size: 8, align: 8, kind: ScalarFloat64, bits: 64, width: 8},
	// moved only: no type of the library has it, and nothing computes with it
	128: {size: 16, align: 16, kind: ScalarInt, bits: 64, width: 8, parts: 2},
}

func (l *Layouts) builtin(t *ir.Type) (*Layout, error) {
	b := t.Builtin()
	if s, ok := builtinShapes[b.Kind]; ok {
		return shaped(t, s), nil
	}
	switch b.Kind {
	case ir.BuiltinFixedArray:
		if t.FixedArrayElement() != nil {
			return l.fixedArray(t)
		}
	case ir.BuiltinImplicitActor: // the bits that the runtime may keep beside the reference are never set here
		actor := l.types.Intern(&ir.Type{Kind: ir.KindExistential, Args: []*ir.Type{l.types.Nominal(nil, "Actor")}})
		return l.same(t, l.types.Optional(actor))
	case ir.BuiltinFloat:
		if b.Bits == 80 { // 10 bytes of 16
			lay := shaped(t, builtinShape{size: 16, align: 16, kind: ScalarFloat80, bits: 64, width: 8})
			lay.Scalars = append(lay.Scalars, Scalar{8, 2, 16, ScalarFloat80})
			return lay, nil
		}
		if s, ok := floatShapes[b.Bits]; ok {
			return shaped(t, s), nil
		}
	case ir.BuiltinInt:
		if b.Bits > 0 && b.Bits <= maxSize*8 {
			return integer(t, uint64(b.Bits)), nil
		}
		return nil, &Unsupported{t, "not supported: values of this builtin type at run time"}
	case ir.BuiltinVector:
		return l.vector(t, b)
	}
	return nil, &Unsupported{t, "not supported: this builtin type"}
}

// maxFixedArray bounds the elements of a fixed array, each of which is a field of its layout.
const maxFixedArray = 1 << 16

// fixedArray lays out Builtin.FixedArray<count, Element>: elements after one another, with their tail padding (lib/IRGen/GenBuiltin.cpp and
// its kin).
func (l *Layouts) fixedArray(t *ir.Type) (*Layout, error) {
	if t.Args[0].HasParams() || t.Args[0].HasLocal() {
		return nil, &NotConcrete{t, t.Args[0]}
	}
	elem, err := l.Of(t.Args[1])
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(t.Args[0].Name, 0, 64)
	if t.Args[0].Kind != ir.KindInteger || err != nil || n < 0 || n > maxFixedArray {
		return nil, &Unsupported{t, "not supported: arrays of this length"}
	}
	lay := &Layout{Type: t, Fields: make([]Field, n)}
	for i := range lay.Fields {
		lay.Fields[i].Layout = elem
	}
	if err := lay.place(0, elem.Align); err != nil {
		return nil, err
	}
	lay.Size = uint64(n) * elem.Stride
	return lay, nil
}

func shaped(t *ir.Type, s builtinShape) *Layout {
	lay := &Layout{Type: t, Size: s.size, Align: s.align, Trivial: s.kind != ScalarStrong, BitwiseTakable: true, PlainRefs: true, depth: 1}
	parts := max(1, s.parts)
	if s.kind == ScalarInvalid {
		parts = 0
	}
	for i := range parts {
		lay.Scalars = append(lay.Scalars, Scalar{uint64(i * int(s.width)), s.width, s.bits, s.kind})
	}
	if s.refXI > 0 {
		lay.xi = pointerXI(0, s.refXI)
	}
	if s.spare {
		lay.spare = nativeSpare[:]
	}
	return lay
}

// integer lays out Builtin.IntN: as many bytes as its bits need, rounded up to a power of two. More than 64 bits take several
// scalars, low word first.
func integer(t *ir.Type, width uint64) *Layout {
	size := powerCeil((width + 7) / 8)
	lay := &Layout{Type: t, Size: size, Align: min(size, 16), Trivial: true, BitwiseTakable: true, PlainRefs: true, depth: 1}
	for off := uint64(0); off < size; off += 8 {
		left := uint64(0)
		if width > off*8 {
			left = min(64, width-off*8)
		}
		lay.Scalars = append(lay.Scalars, Scalar{off, uint8(min(8, size)), uint8(left), ScalarInt})
	}
	if width < size*8 {
		lay.spare = make([]byte, size)
		for bit := width; bit < size*8; bit++ {
			lay.spare[bit/8] |= 1 << (bit % 8)
		}
		lay.xi = spareXI(size, lay.spare)
	}
	return lay
}

// vector lays out Builtin.VecNxT, one scalar per lane. A vector of Int1, which is only ever a value between two operations,
// takes a byte per lane.
func (l *Layouts) vector(t *ir.Type, b ir.BuiltinType) (*Layout, error) {
	n := int(b.Lanes)
	if n > maxScalars {
		return nil, &Unsupported{t, "not supported: this builtin type"}
	}
	e, err := l.Of(l.types.BuiltinNamed(b.Lane().String()))
	if err != nil {
		return nil, err
	}
	if len(e.Scalars) != 1 || e.Stride != e.Size {
		return nil, &Unsupported{t, "not supported: vectors of this element"}
	}
	size := powerCeil(uint64(n) * e.Size)
	lay := &Layout{Type: t, Size: size, Align: min(size, 16), Trivial: e.Trivial, BitwiseTakable: true, PlainRefs: true, depth: 2}
	for i := range n {
		s := e.Scalars[0]
		s.Offset = uint64(i) * e.Size
		lay.Scalars = append(lay.Scalars, s)
	}
	return lay, nil
}

func powerCeil(n uint64) uint64 {
	if n <= 1 {
		return 1
	}
	return 1 << uint(bits.Len64(n-1))
}
