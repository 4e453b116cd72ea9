package abi

import (
	"silvm/ir"
)

// The parts of an opaque existential container and of an error box, bytes from the start of each.
const (
	BufferSize         = 24 // inline buffer of an opaque existential container, at 0
	bufferAlign        = 8
	ExistentialType    = 24 // type metadata word of an opaque container
	ExistentialWitness = 32 // first witness table word of an opaque container

	HeaderSize   = 16 // of every heap object: metadata word, refcount word
	ErrorType    = 16 // type metadata word of an error box
	ErrorWitness = 24 // Error witness table word of an error box
	errorStart   = 32 // the value, at the next multiple of its alignment
)

// Existential says what an existential type is made of.
type Existential struct {
	Kind       ExistentialKind
	Protocols  []*ir.Type // those with a witness table word, in the order of the words
	Superclass *ir.Type   // class constraint, nil when none
	Layout     *Layout
}

// ExistentialKind is the representation of an existential.
type ExistentialKind uint8

// The representations (docs/ABI/TypeLayout.rst, Existential Container Layout).
const (
	ExistentialOpaque ExistentialKind = iota // buffer, type metadata, witness tables
	ExistentialClass                         // reference, witness tables
	ExistentialError                         // one reference to an error box
)

// Existential returns the parts of an existential type (any P & Q, Any, AnyObject, any Error).
func (l *Layouts) Existential(t *ir.Type) (*Existential, error) {
	t = t.Object()
	lay, err := l.Of(t)
	if err != nil {
		return nil, err
	}
	c, err := l.constraints(t)
	if err != nil {
		return nil, err
	}
	e := &Existential{Protocols: c.protocols, Superclass: c.superclass, Layout: lay}
	switch {
	case c.isError():
		e.Kind = ExistentialError
	case c.class:
		e.Kind = ExistentialClass
	}
	return e, nil
}

// IsInline reports whether a value of this layout lies in the buffer of an opaque existential container; if not, the buffer's
// first word refers to a box (header, then the value).
func (lay *Layout) IsInline() bool {
	return lay.Size <= BufferSize && lay.Align <= bufferAlign && lay.BitwiseTakable
}

// constraintSet is what the constraints of an existential add up to.
type constraintSet struct {
	protocols  []*ir.Type
	superclass *ir.Type
	class      bool // only class instances
}

// isError reports whether the constraints are Error alone, whose values are boxed.
func (c *constraintSet) isError() bool {
	return len(c.protocols) == 1 && c.superclass == nil && !c.class && c.protocols[0].Known() == ir.KnownError
}

func (l *Layouts) constraints(t *ir.Type) (constraintSet, error) {
	parts := []*ir.Type{t}
	if t.Kind == ir.KindExistential {
		parts = t.Args
	}
	return l.gather(t, parts)
}

func (l *Layouts) gather(whole *ir.Type, parts []*ir.Type) (constraintSet, error) {
	var c constraintSet
	for _, p := range parts {
		if p.Kind == ir.KindExistential {
			inner, err := l.gather(whole, p.Args)
			if err != nil {
				return c, err
			}
			c.protocols = append(c.protocols, inner.protocols...)
			c.class = c.class || inner.class
			if inner.superclass != nil {
				c.superclass = inner.superclass
			}
			continue
		}
		if p.Kind == ir.KindUnparsed && len(p.Name) > 0 && p.Name[0] == '~' {
			continue
		}
		if p.Kind != ir.KindNominal {
			return c, &Unsupported{whole, "is constrained by " + shown(p)}
		}
		if p.Known() == ir.KnownAnyObject {
			c.class = true
			continue
		}
		d := l.decl(p)
		switch {
		case d == nil:
			if ir.IsUnclear(p.Name) {
				return c, undeclared(p)
			}
			return c, &Unsupported{whole, "is constrained by " + shown(p) + ", which is not declared"}
		case d.Kind == ir.Class || d.Kind == ir.Actor:
			c.class, c.superclass = true, p
		case d.Kind == ir.Protocol:
			if !l.mod.IsMarker(p) {
				c.protocols = append(c.protocols, p)
			}
			c.class = c.class || l.mod.IsClassBound(d)
		default:
			return c, &Unsupported{whole, "is constrained by " + shown(p) + ", which is no protocol or class"}
		}
	}
	return c, nil
}

func (l *Layouts) existential(t *ir.Type) (*Layout, error) { return l.existentialOf(t, t.Args) }

func (l *Layouts) existentialOf(t *ir.Type, parts []*ir.Type) (*Layout, error) {
	c, err := l.gather(t, parts)
	if err != nil {
		return nil, err
	}
	if c.isError() {
		return reference(t), nil
	}
	n := len(c.protocols)
	if c.class {
		lay := words(t, append([]ScalarKind{ScalarStrong}, witnessKinds(n)...)...)
		lay.xi = pointerXI(0, pointerInhabitants)
		lay.spare = wordSpare(1 + n)
		return lay, nil
	}
	return &Layout{
		Type: t, Size: ExistentialWitness + uint64(n)*PointerSize, Align: PointerSize, BitwiseTakable: true, AddressOnly: true, opaque: true,
		xi: pointerXI(ExistentialType, pointerInhabitants), depth: 1,
	}, nil
}

// existentialMetatype lays out any P.Type: a metadata word and the witness table words of P.
func (l *Layouts) existentialMetatype(t *ir.Type) (*Layout, error) {
	if t.Rep == ir.MetatypeObjC || t.Elem == nil {
		return nil, &Unsupported{t, "not supported: Objective-C metatypes"}
	}
	inner := t.Elem
	for inner.Kind == ir.KindExistentialMetatype || inner.Kind == ir.KindMetatype {
		inner = inner.Elem // any (any P.Type).Type
	}
	c, err := l.constraints(inner)
	if err != nil {
		return nil, err
	}
	return metatypeWords(t, len(c.protocols)), nil
}
