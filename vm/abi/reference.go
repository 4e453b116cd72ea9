package abi

import (
	"bytes"
	"slices"

	"silvm/ir"
)

// nativeSpare are the bits that are zero in every native reference: the low three and the top eight.
var nativeSpare = [8]byte{0x07, 0, 0, 0, 0, 0, 0, 0xFF}

// reference is the layout of one strong native reference.
func reference(t *ir.Type) *Layout {
	return shaped(t, builtinShapes[ir.BuiltinNativeObject])
}

// words lays out consecutive words of 8 bytes.
func words(t *ir.Type, kinds ...ScalarKind) *Layout {
	lay := &Layout{Type: t, Size: uint64(len(kinds)) * PointerSize, Align: PointerSize, Trivial: true, BitwiseTakable: true, PlainRefs: true, depth: 1}
	for i, k := range kinds {
		lay.Scalars = append(lay.Scalars, Scalar{uint64(i) * PointerSize, PointerSize, 64, k})
		lay.Trivial = lay.Trivial && !k.IsCounted()
	}
	return lay
}

// function lays out function values: a code handle, and for thick ones a context reference.
func (l *Layouts) function(t *ir.Type) (*Layout, error) {
	switch t.Func.Convention {
	case ir.RepThick:
		kind := ScalarStrong
		if t.Kind == ir.KindFunction && t.Func.Noescape {
			kind = ScalarRaw
		}
		lay := words(t, ScalarCode, kind)
		lay.xi = pointerXI(0, pointerInhabitants)
		return lay, nil
	case ir.RepBlock:
		return reference(t), nil
	case ir.RepUnknown:
		return nil, &Unsupported{t, "not supported: @convention(" + t.Func.ConventionWord() + ")"}
	}
	lay := words(t, ScalarCode)
	lay.xi = pointerXI(0, pointerInhabitants)
	return lay, nil
}

// blockStorage lays out the storage of a block: a word, and what the block captures.
func (l *Layouts) blockStorage(t *ir.Type) (*Layout, error) {
	if t.Elem == nil {
		return nil, &Unsupported{t, "names no type"}
	}
	return l.same(t, l.types.Tuple([]*ir.Type{l.types.Builtin(ir.BuiltinRawPointer), t.Elem}, nil))
}

// metatype lays out T.Type: nothing when thin, a word when thick. A metatype whose representation is not said is thick.
func (l *Layouts) metatype(t *ir.Type) (*Layout, error) {
	switch t.Rep {
	case ir.MetatypeThin:
		return words(t).withAlign(1), nil
	case ir.MetatypeThick, ir.MetatypeFormal:
		return metatypeWords(t, 0), nil
	}
	return nil, &Unsupported{t, "not supported: Objective-C metatypes"}
}

func (lay *Layout) withAlign(n uint64) *Layout {
	lay.Align = n
	return lay
}

func metatypeWords(t *ir.Type, witnesses int) *Layout {
	lay := words(t, append([]ScalarKind{ScalarMetatype}, witnessKinds(witnesses)...)...)
	lay.xi = pointerXI(0, pointerInhabitants)
	lay.spare = wordSpare(1 + witnesses)
	return lay
}

func witnessKinds(n int) []ScalarKind { return slices.Repeat([]ScalarKind{ScalarWitness}, n) }

// wordSpare returns the spare bits of n words of references, metadata or witness tables.
func wordSpare(n int) []byte { return bytes.Repeat(nativeSpare[:], n) }

// storage lays out @sil_weak, @sil_unowned and @sil_unmanaged storage of a reference, optional or not.
func (l *Layouts) storage(t *ir.Type) (*Layout, error) {
	referent, optional := t.Elem, false
	if referent == nil {
		return nil, &Unsupported{t, "names no type"}
	}
	if payload := referent.OptionalPayload(); payload != nil {
		referent, optional = payload, true
	}
	ref, err := l.Of(referent)
	if err != nil {
		return nil, err
	}
	if len(ref.Scalars) == 0 || ref.Scalars[0].Kind != ScalarStrong || ref.Enum != nil {
		return nil, &Unsupported{t, "stores no reference"}
	}
	lay := *ref
	lay.Type = t
	lay.Scalars = slices.Clone(ref.Scalars)
	lay.Fields = nil
	switch t.Storage {
	case ir.StorageWeak:
		lay.AddressOnly, lay.BitwiseTakable, lay.Trivial, lay.Scalars, lay.spare = true, false, false, nil, nil
		lay.weak, lay.PlainRefs = true, false
		lay.xi = inhabitants{}
		if lay.Size > PointerSize {
			// The word of a weak reference alone has none; with a witness table after it, that word is 1.
			lay.xi = inhabitants{maxInhabitants, func(i uint64) bytePattern {
				return append(word(0, PointerSize, i), word(PointerSize, PointerSize, 1)...)
			}}
		}
		return &lay, nil
	case ir.StorageUnowned:
		lay.Scalars[0].Kind = ScalarUnowned
	case ir.StorageUnmanaged:
		lay.Scalars[0].Kind, lay.Trivial = ScalarUnmanaged, true
	default:
		return nil, &Unsupported{t, "not supported: @sil_" + t.Storage.String()}
	}
	if inner := lay.xi; optional && inner.count > 0 {
		// Zero is nil.
		lay.xi = inhabitants{inner.count - 1, func(i uint64) bytePattern { return inner.at(i + 1) }}
	}
	return &lay, nil
}

// opened lays out an opened archetype: a reference when its existential holds only class instances, else not known here.
func (l *Layouts) opened(t *ir.Type) (*Layout, error) {
	self := len(t.Args) == 0 || t.Args[0].Kind == ir.KindParam
	if self && t.Elem != nil {
		e, err := l.constraints(t.Elem)
		if err != nil {
			return nil, err
		}
		if e.class {
			lay := reference(t)
			lay.spare = nil
			return lay, nil
		}
	}
	return nil, &NotConcrete{t, t}
}
