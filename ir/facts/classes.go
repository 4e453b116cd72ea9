package facts

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// ClassDecl returns the declaration of a class type or of the class in an optional, nil for any other type.
func (p *Program) ClassDecl(t *ir.Type) *ir.Nominal {
	t = Selfless(t.Object())
	for t != nil && t.IsOptional() {
		t = Selfless(t.Args[0])
	}
	if d := p.Mod.DeclOf(t); d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor) {
		return d
	}
	return nil
}

// IsClass reports whether the type is that of references to objects of a class, optionals apart.
func (p *Program) IsClass(t *ir.Type) bool {
	d := p.Mod.DeclOf(Selfless(t))
	return d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor)
}

// IsFinalClass reports whether the type is a class that nothing can be derived from.
func (p *Program) IsFinalClass(t *ir.Type) bool {
	d := p.ClassDecl(t)
	return d != nil && d.Attrs.Has(ir.ModFinal)
}

// FieldIndex returns the number of the stored property that an instruction names: in a class counted from those of its root class.
func (p *Program) FieldIndex(i *ir.Inst) int {
	d, k := p.property(i)
	if d == nil {
		return FieldNumber(p.Mod, i)
	}
	return p.firstProperty(d) + k
}

// field returns the stored property that a ref_element_addr names, nil when it is not known.
func (p *Program) field(i *ir.Inst) *ir.Field {
	if d, k := p.property(i); d != nil {
		return &d.Fields[k]
	}
	return nil
}

// Property returns the stored property with that number of a class, counted as FieldIndex does, and the class that declares it; nil when it is
// not known.
func (p *Program) Property(t *ir.Type, n int) (*ir.Nominal, *ir.Field) {
	for d := range p.Mod.DeclAncestry(p.ClassDecl(t)) {
		first := p.firstProperty(d)
		if n >= first && n-first < len(d.Fields) {
			return d, &d.Fields[n-first]
		}
	}
	return nil, nil
}

// firstProperty returns the number of the first stored property that a class adds to those of its superclasses.
func (p *Program) firstProperty(d *ir.Nominal) int {
	first := 0
	for s := range p.Mod.DeclAncestry(p.Mod.DeclOf(d.Super)) {
		first += len(s.Fields)
	}
	return first
}

// property finds the class, and the number among its own properties, of what a ref_element_addr names.
func (p *Program) property(i *ir.Inst) (d *ir.Nominal, k int) {
	aux, ok := i.Aux.(*ir.MemberAux)
	if !ok || i.Op != op.RefElementAddr {
		return nil, 0
	}
	owner := aux.Owner()
	for d := range p.Mod.DeclAncestry(p.Mod.DeclOf(Selfless(i.Arg(0).Type))) {
		path := ir.PlainName(d.Path)
		for k := range d.Fields {
			if d.Fields[k].Name == aux.Name && (owner == "" || owner == path || strings.HasSuffix(owner, "."+path) || strings.HasSuffix(path, "."+owner)) {
				return d, k
			}
		}
	}
	return nil, 0
}

// CaseNumber returns the position of the case that a member names among those of the type, -1 when nobody declares it.
func (p *Program) CaseNumber(t *ir.Type, m *ir.MemberAux) int {
	if m == nil {
		return -1
	}
	t = Selfless(t.Object())
	if t.IsOptional() {
		if m.Name == ir.CaseSome {
			return 1
		}
		return 0
	}
	d := p.Mod.DeclOf(t)
	if d == nil {
		return -1
	}
	for n := range d.Cases {
		if d.Cases[n].Name == m.Name {
			return n
		}
	}
	return -1
}
