package abi

import (
	"strconv"

	"silvm/ir"
)

// ClassLayout says how instances of a class lie in memory. It never changes after Class has returned it.
type ClassLayout struct {
	Type    *ir.Type
	Decl    *ir.Nominal
	Super   *ClassLayout // nil for a root class
	Size    uint64       // bytes of an instance, header included, tail elements and tail padding not
	Align   uint64       // bytes, at least 8
	Fields  []ClassField // stored properties, inherited ones first
	Trivial bool         // no stored property needs destroying
	IsActor bool
}

// ClassField is a stored property of a class.
type ClassField struct {
	Name   string
	Offset uint64 // bytes from the start of the object
	Layout *Layout
	Let    bool
	Param  bool         // its type is a generic parameter of the class, or an Optional of one
	Owner  *ClassLayout // the class that declares it
}

type classEntry struct {
	layout *ClassLayout
	err    error
	open   bool
}

// maxClassDepth bounds superclass chains.
const maxClassDepth = 1000

// Class returns the layout of instances of a class type with concrete arguments, always the same one for the same type. Errors:
// *Unsupported, *NotConcrete.
func (l *Layouts) Class(t *ir.Type) (*ClassLayout, error) {
	if t == nil {
		return nil, &Unsupported{t, "is no class"}
	}
	t = t.Object()
	for t.Kind == ir.KindDynamicSelf || t.Kind == ir.KindMoveOnly {
		t = t.Elem.Object()
	}
	// The chain up to the first class that is done or has no superclass, then down again: no recursion over superclasses.
	var chain []*ir.Type
	var base *ClassLayout
	for up := t; up != nil; {
		if e := l.classes[up]; e != nil {
			if e.err != nil {
				return nil, e.err
			}
			if e.open {
				return nil, &Unsupported{t, "inherits from itself"}
			}
			base = e.layout
			break
		}
		decl := l.decl(up)
		if decl == nil {
			return nil, undeclared(up)
		}
		if decl.Kind != ir.Class && decl.Kind != ir.Actor {
			return nil, &Unsupported{up, "is no class"}
		}
		chain = append(chain, up)
		if len(chain) > maxClassDepth {
			return nil, &Unsupported{t, "has more than " + strconv.Itoa(maxClassDepth) + " superclasses"}
		}
		up = l.mod.Superclass(up)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		c := chain[i]
		e := &classEntry{open: true}
		l.classes[c] = e
		e.layout, e.err = l.instance(c, base)
		e.open = false
		if e.err != nil {
			err := e.err
			delete(l.classes, c)
			return nil, err
		}
		base = e.layout
	}
	return base, nil
}

// instance lays out the fields that one class adds to its superclass (lib/IRGen/GenClass.cpp).
func (l *Layouts) instance(t *ir.Type, super *ClassLayout) (*ClassLayout, error) {
	decl := l.decl(t)
	c := &ClassLayout{Type: t, Decl: decl, Super: super, Size: HeaderSize, Align: PointerSize, Trivial: true}
	if super != nil {
		c.Size, c.Align, c.Trivial, c.IsActor = super.Size, super.Align, super.Trivial, super.IsActor
		c.Fields = append(c.Fields, super.Fields...)
	}
	if decl.Kind == ir.Actor && !c.IsActor {
		c.IsActor = true
		storage, err := l.Of(l.types.Builtin(ir.BuiltinDefaultActorStorage))
		if err != nil {
			return nil, err
		}
		c.add(ClassField{Name: "$defaultActor", Layout: storage})
	}
	bind := l.bind(t, decl)
	for _, f := range decl.Fields {
		lay, err := l.Of(bind(l.stored(f.Type)))
		if err != nil {
			return nil, err
		}
		c.add(ClassField{Name: f.Name, Layout: lay, Let: f.Let, Param: isParam(f.Type)})
		if c.Size > maxSize {
			return nil, &Unsupported{t, "not supported: instances of more than " + strconv.Itoa(maxSize) + " bytes"}
		}
	}
	return c, nil
}

// isParam reports whether a declared type is a generic parameter, or an Optional of one.
func isParam(t *ir.Type) bool {
	for t != nil && t.IsOptional() && len(t.Args) == 1 {
		t = t.Args[0]
	}
	return t != nil && t.Kind == ir.KindParam
}

func (c *ClassLayout) add(f ClassField) {
	f.Owner = c
	f.Offset = alignUp(c.Size, f.Layout.Align)
	c.Size = f.Offset + f.Layout.Size
	c.Align = max(c.Align, f.Layout.Align)
	c.Trivial = c.Trivial && f.Layout.Trivial
	c.Fields = append(c.Fields, f)
}

// Field finds a stored property by name, the one of the most derived class first; nil when there is none.
func (c *ClassLayout) Field(name string) *ClassField {
	for i := len(c.Fields) - 1; i >= 0; i-- {
		if c.Fields[i].Name == name {
			return &c.Fields[i]
		}
	}
	return nil
}

// TailOffset is where tail-allocated elements start: bytes from the start of the object, for the first kind of element of that
// alignment. Further kinds follow at the end of the previous array, rounded up likewise.
func (c *ClassLayout) TailOffset(elemAlign uint64) uint64 { return alignUp(c.Size, max(1, elemAlign)) }

// Object is the layout of a heap object that is no class instance: a box, a closure context or an error box.
type Object struct {
	Size, Align uint64  // bytes, header included
	Fields      []Field // offsets from the start of the object; First counts scalars of all fields
	Trivial     bool    // no field needs destroying
}

// Box lays out the box type ${ var T, … }: the header, then the fields as in a struct.
func (l *Layouts) Box(t *ir.Type) (*Object, error) {
	if t = t.Object(); t.Kind != ir.KindBox || t.Box == nil {
		return nil, &Unsupported{t, "is no box"}
	}
	fields := make([]*ir.Type, len(t.Box.Fields))
	for i, f := range t.Box.Fields {
		fields[i] = l.boxField(t.Box, f.Type)
	}
	return l.Context(fields)
}

// boxField puts what the box's own parameters stand for into the type of a field.
func (l *Layouts) boxField(b *ir.BoxType, t *ir.Type) *ir.Type {
	if b.Generic != nil {
		t = l.types.Subst(t, ir.BindParams(b.Generic, b.Subs))
	}
	return l.canonical(t)
}

// Context lays out a closure context: the header, then the captured values in order as in a struct. An address type is
// captured as a raw address.
func (l *Layouts) Context(captures []*ir.Type) (*Object, error) {
	lay := &Layout{}
	for _, t := range captures {
		var f *Layout
		if t.IsAddress() {
			f = words(t, ScalarRaw)
		} else {
			var err error
			if f, err = l.Of(t); err != nil {
				return nil, err
			}
		}
		lay.Fields = append(lay.Fields, Field{Layout: f})
	}
	if err := lay.place(HeaderSize, PointerSize); err != nil {
		return nil, err
	}
	return &Object{Size: lay.Size, Align: lay.Align, Fields: lay.Fields, Trivial: lay.Trivial}, nil
}

// ErrorBox lays out the box of an error value of type t: header, type metadata, witness table, value.
func (l *Layouts) ErrorBox(t *ir.Type) (*Object, error) {
	lay, err := l.Of(t)
	if err != nil {
		return nil, err
	}
	off := alignUp(errorStart, lay.Align)
	return &Object{Size: off + lay.Size, Align: max(PointerSize, lay.Align), Trivial: lay.Trivial,
		Fields: []Field{{Offset: off, Layout: lay}}}, nil
}
