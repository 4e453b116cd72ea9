package abi

import (
	"strconv"
	"strings"

	"silvm/ir"
)

// nominal lays out a value of a declared type: fields of a struct in place, a class as a reference.
func (l *Layouts) nominal(t *ir.Type) (*Layout, error) {
	decl := l.decl(t)
	if decl == nil {
		if c := l.canonical(t); c != t {
			return l.same(t, c)
		}
		return nil, undeclared(t)
	}
	switch decl.Kind {
	case ir.Class, ir.Actor:
		return reference(t), nil
	case ir.Struct:
		return l.structure(t, decl)
	case ir.Enum:
		return l.enumeration(t, decl)
	case ir.Protocol:
		return l.existentialOf(t, []*ir.Type{t})
	case ir.TypeAlias:
		if c := l.canonical(t); c != t {
			return l.same(t, c)
		}
	}
	return nil, &Unsupported{t, "is no type that values have"}
}

func (l *Layouts) structure(t *ir.Type, decl *ir.Nominal) (*Layout, error) {
	if attr := decl.Attrs.Find(ir.ModRawLayout); attr != "" {
		return l.rawLayout(t, decl, attr)
	}
	lay := &Layout{Type: t, Fields: []Field{}}
	bind := l.bind(t, decl)
	for _, f := range decl.Fields {
		ft, err := l.Of(bind(l.stored(f.Type)))
		if err != nil {
			return nil, err
		}
		lay.Fields = append(lay.Fields, Field{Name: f.Name, Layout: ft})
	}
	if err := lay.place(0, 1); err != nil {
		return nil, err
	}
	lay.declare(l, decl)
	return lay, lay.applyAlignment(decl)
}

// rawLayout lays out a struct with @_rawLayout: bytes that no instruction reads as a value (lib/IRGen/GenStruct.cpp,
// StructTypeInfo with a raw layout). It has no scalars and no extra inhabitants.
func (l *Layouts) rawLayout(t *ir.Type, decl *ir.Nominal, attr string) (*Layout, error) {
	raw := decl.Raw
	if raw == nil {
		return nil, &Unsupported{t, "not supported: " + attr}
	}
	lay := &Layout{Type: t, Size: raw.Size, Align: raw.Align, Trivial: true, AddressOnly: true, MoveOnly: true, raw: true, depth: 1}
	if raw.Like != nil {
		like, err := l.Of(l.bind(t, decl)(l.stored(raw.Like)))
		if err != nil {
			return nil, err
		}
		lay.Size, lay.Align, lay.depth = like.Size, like.Align, like.depth+1
		if raw.MovesAsLike && !like.BitwiseTakable {
			return nil, &Unsupported{t, "not supported: " + attr + " of a type that moves by code"}
		}
		if raw.Array {
			if raw.Count > maxSize/like.Stride {
				return nil, &Unsupported{t, "not supported: values of more than " + strconv.Itoa(maxSize) + " bytes"}
			}
			lay.Size = raw.Count * like.Stride
		}
	}
	if lay.Align == 0 || lay.Align&(lay.Align-1) != 0 || lay.Align > maxAlign {
		return nil, &Unsupported{t, "not supported: " + attr}
	}
	lay.declare(l, decl)
	return lay, lay.applyAlignment(decl)
}

func (l *Layouts) tuple(t *ir.Type) (*Layout, error) {
	lay := &Layout{Type: t, Fields: make([]Field, 0, len(t.Args))}
	for i, e := range t.Args {
		et, err := l.Of(e)
		if err != nil {
			return nil, err
		}
		f := Field{Layout: et}
		if i < len(t.Labels) {
			f.Name = t.Labels[i]
		}
		lay.Fields = append(lay.Fields, f)
	}
	return lay, lay.place(0, 1)
}

// place puts the fields after one another from offset start on and derives everything else from them
// (docs/ABI/TypeLayout.rst, Fragile Struct and Tuple Layout). Padding counts as spare.
func (lay *Layout) place(start, align uint64) error {
	size, scalars, depth := start, 0, 0
	lay.Align, lay.Trivial, lay.BitwiseTakable, lay.PlainRefs = align, true, true, true
	for i := range lay.Fields {
		f := &lay.Fields[i]
		size = alignUp(size, f.Layout.Align)
		f.Offset, f.First = size, scalars
		size += f.Layout.Size
		scalars += len(f.Layout.Scalars)
		if size > maxSize || scalars > maxScalars {
			return &Unsupported{lay.Type, "not supported: values of more than " + strconv.Itoa(maxSize) + " bytes"}
		}
		depth = max(depth, f.Layout.depth)
		lay.Align = max(lay.Align, f.Layout.Align)
		lay.Trivial = lay.Trivial && f.Layout.Trivial
		lay.BitwiseTakable = lay.BitwiseTakable && f.Layout.BitwiseTakable
		lay.AddressOnly = lay.AddressOnly || f.Layout.AddressOnly
		lay.PlainRefs = lay.PlainRefs && f.Layout.PlainRefs
		lay.MoveOnly = lay.MoveOnly || f.Layout.MoveOnly
		lay.resilient = lay.resilient || f.Layout.resilient
	}
	lay.Size, lay.depth = size, depth+1
	lay.xi = fieldXI(lay.Fields)
	lay.gatherSpare(start)
	if !lay.AddressOnly {
		lay.Scalars = make([]Scalar, 0, scalars)
		for _, f := range lay.Fields {
			for _, s := range f.Layout.Scalars {
				s.Offset += f.Offset
				lay.Scalars = append(lay.Scalars, s)
			}
		}
	}
	return nil
}

// gatherSpare joins the spare bits of the fields and of the padding between them.
func (lay *Layout) gatherSpare(start uint64) {
	any, end := false, start
	for _, f := range lay.Fields {
		any = any || f.Layout.spare != nil || f.Offset > end
		end = f.Offset + f.Layout.Size
	}
	if !any {
		return
	}
	lay.spare = make([]byte, lay.Size)
	end = start
	for _, f := range lay.Fields {
		for i := end; i < f.Offset; i++ {
			lay.spare[i] = 0xFF
		}
		copy(lay.spare[f.Offset:], f.Layout.spare)
		end = f.Offset + f.Layout.Size
	}
}

// declare notes what the declaration says of the type beside its fields and cases.
func (lay *Layout) declare(l *Layouts, decl *ir.Nominal) {
	lay.resilient = lay.resilient || l.mod.IsResilient(decl)
	if decl.NonCopyable {
		lay.MoveOnly = lay.MoveOnly || !l.mod.IsCopyable(lay.Type)
		if d := l.mod.Deinits[decl.Path]; d != nil {
			lay.Deinit, lay.Trivial, lay.PlainRefs = d, false, false
		} else if decl.Deinit != "" {
			lay.LibraryDeinit, lay.Trivial, lay.PlainRefs = decl.Deinit, false, false
		}
	}
}

// applyAlignment obeys @_alignment(n).
func (lay *Layout) applyAlignment(decl *ir.Nominal) error {
	attr := decl.Attrs.Find(ir.ModAlignment)
	if attr == "" {
		return nil
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(attr, "@_alignment("), ")"), 10, 32)
	if err != nil || n == 0 || n&(n-1) != 0 || n > maxAlign {
		return &Unsupported{lay.Type, "not supported: " + attr}
	}
	lay.Align = max(lay.Align, n)
	return nil
}

// decl finds the declaration of a nominal type, nil when there is none.
func (l *Layouts) decl(t *ir.Type) *ir.Nominal { return l.mod.DeclOf(t) }

// bind returns a function that puts the generic arguments of t in place of the parameters of decl and of the types around it.
func (l *Layouts) bind(t *ir.Type, decl *ir.Nominal) func(*ir.Type) *ir.Type {
	replace := ir.BindNominal(decl, t)
	return func(x *ir.Type) *ir.Type { return l.canonical(l.types.Subst(x, replace)) }
}

// canonical resolves the members and aliases that a type names.
func (l *Layouts) canonical(t *ir.Type) *ir.Type {
	return l.mod.Canonical(t)
}
