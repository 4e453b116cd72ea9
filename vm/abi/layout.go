// Package abi says how values of Swift types lie in memory and in registers: sizes, offsets, class instances, boxes,
// closure contexts, existential containers, the layout of enums with the instructions that make, test and open them, and
// the names of types as programs print them.
//
// Everything follows Swift 6.0's ABI for x86-64 Linux without Objective-C (docs/ABI/TypeLayout.rst, lib/IRGen), so that raw
// pointer code, MemoryLayout and bit casts have the results that they have in natively compiled programs. Invariants: a Layout never changes after
// Of has returned it; one type has one Layout; every type inside has been laid out before its parent, so that what lies below a
// Layout is finite. Refused, by an error that names the type: types that are not declared, packs, imported C and Objective-C
// types, types past maxSize, and types that need a concrete type first (NotConcrete).
//
// Read layout.go first, then enum.go.
package abi

import (
	"fmt"

	"silvm/ir"
)

// Limits that keep work and memory bounded for any input.
const (
	maxSize    = 1 << 18 // bytes of one value
	maxAlign   = 4096    // bytes
	maxNesting = 400     // types inside one another
	maxScalars = 1 << 16 // scalars of one value; more than a frame has registers
)

// PointerSize is the size and alignment of references, addresses and metadata words, in bytes.
const PointerSize = 8

// Layout says how values of a type are stored. Layouts are shared: nobody may change one.
type Layout struct {
	Type   *ir.Type // the object type
	Size   uint64   // bytes, without tail padding
	Stride uint64   // bytes from one array element to the next, at least 1
	Align  uint64   // bytes, a power of two
	// Trivial: the value holds no references; copying is copying its bytes, destroying is nothing.
	Trivial bool
	// BitwiseTakable: moving is copying its bytes. False for weak references and what contains them.
	BitwiseTakable bool
	// AddressOnly: the value lives in memory only and has no scalars.
	AddressOnly bool
	// PlainRefs: every counted scalar may be retained and released in every value of the type, because null and negative words,
	// which retain and release ignore, are all that stands there when it is no reference. Always true of a loadable type that is
	// Trivial, never of an address-only one; false for enums whose case must be known first.
	PlainRefs bool
	// MoveOnly: the type is ~Copyable.
	MoveOnly bool
	// Deinit is the user's deinit of a ~Copyable struct or enum, nil when it has none. A type with one is not Trivial.
	Deinit *ir.Function
	// LibraryDeinit names the deinit of a ~Copyable library type whose body the program leaves in the library, else "". A type with
	// one is not Trivial and lives in memory only.
	LibraryDeinit string
	// Scalars are the parts of a loadable value, one register each, in the order of their offsets; nil when AddressOnly.
	Scalars []Scalar
	// Fields are the stored properties of a struct or the elements of a tuple, in order; nil for other types.
	Fields []Field
	// Enum is set for enums.
	Enum *Enum

	spare []byte // mask of the bits that every valid value leaves zero; nil means none
	xi    inhabitants
	depth int // layouts inside one another, at least 1

	opaque, weak bool // an opaque existential, a weak reference
	raw          bool // a struct with @_rawLayout
	resilient    bool // contains a type whose layout the library may change, see generic.go
}

// Field is one stored property or tuple element.
type Field struct {
	Name   string // "" for an unlabelled tuple element
	Offset uint64 // bytes from the start of the aggregate
	Layout *Layout
	First  int // index of the field's first scalar among those of the aggregate
}

// Scalar is a part of a loadable value that has a register of its own. In the register it is extended with zeros to 64 bits.
type Scalar struct {
	Offset uint64 // bytes from the start of the value
	Width  uint8  // bytes in memory: 1, 2, 4 or 8
	Bits   uint8  // significant bits: 1 for Builtin.Int1, 64 for Builtin.Int64
	Kind   ScalarKind
}

// ScalarKind says what a scalar holds and so how it is copied and destroyed.
type ScalarKind uint8

// The kinds of scalars. Only Strong and Unowned are counted; a counted scalar of an enum's payload holds a reference only
// while that case is there (see Enum).
const (
	ScalarInvalid   ScalarKind = iota
	ScalarInt                  // an integer
	ScalarFloat32              // IEEE single, in the low half
	ScalarFloat64              // IEEE double
	ScalarFloat16              // IEEE half, in the low 16 bits
	ScalarFloat80              // x87 extended: the significand, then sign and exponent
	ScalarStrong               // a strong native reference: class instance, box, closure context, error box, bridge object
	ScalarUnowned              // an unowned native reference, counted in the unowned count
	ScalarUnmanaged            // a reference nobody counts
	ScalarRaw                  // an address without owner
	ScalarCode                 // a function handle
	ScalarMetatype             // the address of type metadata
	ScalarWitness              // the address of a witness table
	ScalarChunk                // a piece of a multi-payload enum: payload bits of any kind, perhaps with tag bits
	ScalarTag                  // the tag of an enum, or extra tag bytes
)

var scalarKindNames = [...]string{"invalid", "int", "float32", "float64", "float16", "float80", "strong", "unowned", "unmanaged",
	"raw", "code", "metatype", "witness", "chunk", "tag"}

func (k ScalarKind) String() string {
	if int(k) < len(scalarKindNames) {
		return scalarKindNames[k]
	}
	return fmt.Sprintf("ScalarKind(%d)", uint8(k))
}

// IsCounted reports whether a scalar of the kind is retained and released.
func (k ScalarKind) IsCounted() bool { return k == ScalarStrong || k == ScalarUnowned }

// IsWeak reports whether the type is a weak reference.
func (lay *Layout) IsWeak() bool { return lay.weak }

// IsOpaque reports whether the type is an opaque existential: a buffer of three words, then metadata and witness tables.
func (lay *Layout) IsOpaque() bool { return lay.opaque }

// IsRaw reports whether the type is a struct with @_rawLayout: moving it is copying its bytes, although it is not BitwiseTakable, and
// only a deinit does anything when it goes.
func (lay *Layout) IsRaw() bool { return lay.raw }

// Inhabitants is the number of extra inhabitants.
func (lay *Layout) Inhabitants() uint64 { return lay.xi.count }

// Unwrapped returns the layout of the value in an Optional, however often it is one, and any other layout itself.
func (lay *Layout) Unwrapped() *Layout {
	for lay.Enum != nil && lay.Type != nil && lay.Type.IsOptional() {
		found := false
		for _, c := range lay.Enum.Cases {
			if c.Payload != nil {
				lay, found = c.Payload, true
			}
		}
		if !found {
			break
		}
	}
	return lay
}

// Unsupported is the error for a type that has no layout here: unknown, not supported or impossible.
type Unsupported struct {
	Type *ir.Type
	Why  string
}

func (e *Unsupported) Error() string { return fmt.Sprintf("type $%s: %s", shown(e.Type), e.Why) }

func undeclared(t *ir.Type) error {
	if ir.IsUnclear(t.Name) {
		return &Unsupported{t, "is one of several types of this name, of the program and of the library or of another module, and the text does not tell which"}
	}
	return &Unsupported{t, "is not declared"}
}

// NotConcrete is the error for a type whose layout depends on a generic parameter or an opened archetype; its values are
// handled through type metadata at run time.
type NotConcrete struct {
	Type *ir.Type // the type that was asked for
	Leaf *ir.Type // the parameter, member or archetype that has no layout
}

func (e *NotConcrete) Error() string {
	return fmt.Sprintf("type $%s: needs a concrete type for %s", shown(e.Type), shown(e.Leaf))
}

// shown is the text of a type for a message; the text of a type that substitution made can be too long to write.
func shown(t *ir.Type) string {
	if t != nil && (t.Size() > maxNameSize || t.Depth() > maxNesting) {
		return "…"
	}
	return ir.PlainName(t.String())
}

// Layouts lays out the types of one module. It is not safe for use by several goroutines at once.
type Layouts struct {
	mod     *ir.Module
	types   *ir.Types
	done    map[*ir.Type]*entry
	classes map[*ir.Type]*classEntry
	names   map[*ir.Type]string
	nesting int
	class   *ir.Type // stands for a class-constrained generic parameter, see generic.go
}

type entry struct {
	layout *Layout // nil while it is being made and when err is set
	err    error
	open   bool // being made
}

// New returns an empty set of layouts for the types that mod declares.
func New(mod *ir.Module) *Layouts {
	return &Layouts{
		mod: mod, types: mod.Types,
		done: map[*ir.Type]*entry{}, classes: map[*ir.Type]*classEntry{}, names: map[*ir.Type]string{},
		class: mod.Types.Unparsed("class-constrained archetype"),
	}
}

// Of returns the layout of the object type of t, always the same one for the same type. Errors: *Unsupported, *NotConcrete.
func (l *Layouts) Of(t *ir.Type) (*Layout, error) {
	if t == nil {
		return nil, fmt.Errorf("no type given")
	}
	t = t.Object()
	if e := l.done[t]; e != nil {
		if e.open {
			return nil, &Unsupported{t, "contains itself without an indirection"}
		}
		return e.layout, e.err
	}
	if l.nesting >= maxNesting {
		return nil, &Unsupported{t, "types are nested too deeply"}
	}
	e := &entry{open: true}
	l.done[t] = e
	l.nesting++
	e.layout, e.err = l.compute(t)
	l.nesting--
	e.open = false
	if e.err == nil {
		e.err = check(e.layout)
	}
	if e.err != nil {
		e.layout = nil
		// A type that failed for being in the middle of a cycle or of a deep nest may well have a layout of its own.
		if l.nesting > 0 {
			delete(l.done, t)
		}
		return nil, e.err
	}
	return e.layout, nil
}

// check enforces the limits and the invariants that the users of a layout rely on.
func check(lay *Layout) error {
	switch {
	case lay.Size > maxSize:
		return &Unsupported{lay.Type, fmt.Sprintf("not supported: values of %d bytes, the limit is %d", lay.Size, maxSize)}
	case len(lay.Scalars) > maxScalars:
		return &Unsupported{lay.Type, fmt.Sprintf("not supported: values of %d parts, the limit is %d", len(lay.Scalars), maxScalars)}
	case lay.depth > maxNesting:
		return &Unsupported{lay.Type, "types are nested too deeply"}
	}
	lay.Stride = max(1, alignUp(lay.Size, lay.Align))
	return nil
}

func (l *Layouts) compute(t *ir.Type) (*Layout, error) {
	switch t.Kind {
	case ir.KindBuiltin:
		return l.builtin(t)
	case ir.KindNominal:
		return l.nominal(t)
	case ir.KindTuple:
		return l.tuple(t)
	case ir.KindFunction, ir.KindASTFunction:
		return l.function(t)
	case ir.KindMetatype:
		return l.metatype(t)
	case ir.KindExistential:
		return l.existential(t)
	case ir.KindExistentialMetatype:
		return l.existentialMetatype(t)
	case ir.KindStorage:
		return l.storage(t)
	case ir.KindBox:
		return reference(t), nil
	case ir.KindDynamicSelf:
		return l.same(t, t.Elem)
	case ir.KindMoveOnly:
		return l.moveOnly(t)
	case ir.KindOpened:
		return l.opened(t)
	case ir.KindParam, ir.KindMember, ir.KindPackElement, ir.KindOpaque:
		return nil, &NotConcrete{t, t}
	case ir.KindSILToken:
		return &Layout{Type: t, Align: 1, Trivial: true, BitwiseTakable: true, PlainRefs: true, depth: 1}, nil
	case ir.KindUnparsed:
		if t == l.class {
			lay := reference(t)
			lay.spare = nil
			return lay, nil
		}
	case ir.KindPack, ir.KindPackExpansion, ir.KindPackReference:
		return nil, &Unsupported{t, "not supported: parameter packs"}
	case ir.KindBlockStorage:
		return l.blockStorage(t)
	}
	return nil, &Unsupported{t, "has no layout"}
}

// same returns the layout of inner for t.
func (l *Layouts) same(t, inner *ir.Type) (*Layout, error) {
	if inner == nil {
		return nil, &Unsupported{t, "names no type"}
	}
	lay, err := l.Of(inner)
	if err != nil {
		return nil, err
	}
	c := *lay
	c.Type = t
	c.depth++
	return &c, nil
}

func (l *Layouts) moveOnly(t *ir.Type) (*Layout, error) {
	lay, err := l.same(t, t.Elem)
	if err != nil {
		return nil, err
	}
	lay.MoveOnly = true
	return lay, nil
}

// alignUp rounds n up to a multiple of align, a power of two.
func alignUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }
