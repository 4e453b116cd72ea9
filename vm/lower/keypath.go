package lower

import (
	"fmt"
	"strconv"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// keyPathLowerings make key path objects; package native walks them.
var keyPathLowerings = map[op.Op]lowering{op.Keypath: lowerKeyPath}

// pathBuilder makes the parts of one key path.
type pathBuilder struct {
	b    *builder
	aux  *ir.KeyPathAux
	subs []*ir.Type
}

// bind returns a type of the pattern with the instruction's substitutions put in.
func (p *pathBuilder) bind(t *ir.Type) *ir.Type {
	if p.aux.Generic != nil {
		t = p.b.Mod.Types.Subst(t, ir.BindParams(p.aux.Generic, p.subs))
	}
	return p.b.subst(t)
}

// lowerKeyPath makes the object; the operands, which are indices of subscripts, move into boxes.
func lowerKeyPath(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.KeyPathAux)
	if !ok || aux.Root == nil {
		return unsupportedf("keypath without a root")
	}
	p := &pathBuilder{b: b, aux: aux, subs: b.substAll(aux.Subs)}
	base := p.bind(aux.Root)
	if t := b.typeOf(i.Results[0]); t.HasLocal() || base.HasLocal() || hasLocal(p.subs) {
		return unsupportedf("a key path of types that are only known at run time")
	}
	size := uint64(code.KeyPathParts + code.KeyPathPart*len(aux.Components))
	slots := make([]operand, 0, 2*len(aux.Components))
	for n := range aux.Components {
		c := &aux.Components[n]
		part, err := p.part(c, base)
		if err != nil {
			return err
		}
		box := mir.Const(0)
		if len(c.Indices) > 0 {
			if box, err = p.indices(i, c, part); err != nil {
				return err
			}
		}
		slots = append(slots, mir.Const(uint64(b.pathPart(part))), box)
		base = part.Value
	}
	class := b.typeOf(i.Results[0]).Object()
	if c := b.Mod.ClassConstraint(class); c != nil { // Swift 6 makes any KeyPath<Root, Value> & Sendable
		class = c
	}
	meta, err := b.metadata(class)
	if err != nil {
		return err
	}
	r := b.NewReg()
	b.emit(code.AllocObject, r, meta, 0, size|abi.PointerSize<<48)
	object := addr{base: r.Op()}
	b.storeAt(object.at(abi.HeaderSize), 8, mir.Const(0))
	b.storeAt(object.at(code.KeyPathCount), 8, mir.Const(uint64(len(aux.Components))))
	for n, s := range slots {
		b.storeAt(object.at(code.KeyPathParts+8*uint64(n)), 8, s)
	}
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

// pathPart returns the number of a part, the same for parts that do the same.
func (l *Lowerer) pathPart(p *code.PathPart) int {
	key := fmt.Sprintf("%s %p %p %d %d", p.Key, p.Base, p.Value, p.Getter, p.Setter)
	if n, ok := l.pathParts[key]; ok {
		return n
	}
	if l.pathParts == nil {
		l.pathParts = map[string]int{}
	}
	n := len(l.Prog.PathParts)
	l.Prog.PathParts = append(l.Prog.PathParts, p)
	l.pathParts[key] = n
	return n
}

// part makes the part for a component that starts at a value of type base.
func (p *pathBuilder) part(c *ir.KeyPathComponent, base *ir.Type) (*code.PathPart, error) {
	part := &code.PathPart{Base: base, Getter: -1, Setter: -1, Equals: -1, Hash: -1}
	if c.Type == nil {
		return nil, unsupportedf("%s in a key path", c.Word)
	}
	part.Value = p.bind(c.Type)
	var err error
	switch c.Kind {
	case ir.KeyPathStored:
		err = p.stored(part, c.Member)
	case ir.KeyPathTupleElement:
		part.Kind = code.PathStored
		part.Name = "." + strconv.Itoa(c.Index)
		if n := c.Index; n < len(base.Labels) && base.Labels[n] != "" {
			part.Name = base.Labels[n]
		}
		var lay *abi.Layout
		var f *abi.Field
		if lay, err = p.b.layout(base); err == nil {
			if f, err = fieldNumber(lay, c.Index); err == nil {
				part.Offset = f.Offset
			}
		}
	case ir.KeyPathOptionalChain:
		part.Kind = code.PathChain
	case ir.KeyPathOptionalForce:
		part.Kind = code.PathForce
	case ir.KeyPathOptionalWrap:
		part.Kind = code.PathWrap
	default:
		err = p.computed(part, c)
	}
	if part.Key == "" {
		part.Key = fmt.Sprintf("%d+%d %s", part.Kind, part.Offset, base)
	}
	return part, err
}

// stored fills in the part of a stored property.
func (p *pathBuilder) stored(part *code.PathPart, m *ir.MemberAux) error {
	part.Name = m.Property()
	if !p.b.Mod.IsClassType(part.Base) {
		part.Kind = code.PathStored
		lay, err := p.b.layout(part.Base)
		if err != nil {
			return err
		}
		f, err := fieldNamed(lay, part.Name)
		if err == nil {
			part.Offset = f.Offset
		}
		return err
	}
	part.Kind = code.PathClass
	layout, err := p.b.Layouts.Class(part.Base)
	if err != nil {
		return err
	}
	f := storedProperty(layout, m)
	if f == nil {
		return unsupportedf("class %s has no stored property %s", part.Base, m.Name)
	}
	part.Offset = f.Offset
	return nil
}

// computed fills in the part of a property or subscript that has accessors.
func (p *pathBuilder) computed(part *code.PathPart, c *ir.KeyPathComponent) error {
	part.Kind, part.Key = code.PathComputed, "id "+c.ID
	indexes := []*int{&part.Getter, &part.Setter, &part.Equals, &part.Hash}
	for n, symbol := range []string{c.Getter, c.Setter, c.Equals, c.Hash} {
		index := indexes[n]
		if symbol == "" {
			continue
		}
		fn := p.b.Mod.Func(symbol)
		if fn == nil {
			return unsupportedf("function %s, which is not in the file", symbol)
		}
		types, err := typeArgs(fn, p.subs)
		if err != nil {
			return err
		}
		if *index, err = p.b.Func(fn, types); err != nil {
			return err
		}
		if f, ok := funcTypeOf(fn); ok && symbol == c.Setter && len(f.Params) > 1 {
			part.Mutating = f.Params[1].Conv == ir.ParamInout
		}
	}
	if part.Getter < 0 {
		return unsupportedf("a property without a getter in a key path")
	}
	return nil
}

// indices moves the indices of a subscript into a box of their own.
func (p *pathBuilder) indices(i *ir.Inst, c *ir.KeyPathComponent, part *code.PathPart) (operand, error) {
	types := make([]*ir.Type, len(c.Indices))
	for n, x := range c.Indices {
		if x.Operand >= len(i.Operands) {
			return mir.Const(0), unsupportedf("a key path without its operand %d", x.Operand)
		}
		types[n] = p.bind(x.Type)
	}
	all := types[0]
	if len(types) > 1 {
		all = p.b.Mod.Types.Tuple(types, nil)
	}
	object, err := p.b.Layouts.Context([]*ir.Type{all})
	if err != nil {
		return mir.Const(0), err
	}
	meta, err := p.b.objectMetadata("indices of a key path "+all.String(), "indices of a key path", object)
	if err != nil {
		return mir.Const(0), err
	}
	r := p.b.NewReg()
	p.b.emit(code.AllocObject, r, meta, 0, max(object.Size, abi.HeaderSize+8)|object.Align<<48)
	part.Indices = max(object.Fields[0].Offset, abi.HeaderSize)
	for n, t := range types {
		at := addr{base: r.Op()}.at(part.Indices)
		if len(types) > 1 {
			at = at.at(object.Fields[0].Layout.Fields[n].Offset)
		}
		v := i.Arg(c.Indices[n].Operand)
		if p.b.typeOf(v).IsAddress() {
			if err := p.b.copyAt(at, p.b.address(v), t, true, true); err != nil {
				return mir.Const(0), err
			}
			continue
		}
		lay, err := p.b.layout(t)
		if err != nil {
			return mir.Const(0), err
		}
		p.b.storeValue(at, lay, p.b.scalars(v))
	}
	return r.Op(), nil
}

// destroyKeyPathTail releases the boxes with indices.
func destroyKeyPathTail(b *builder, self addr, _ *abi.ClassLayout) error {
	count := b.loadAt(self.at(code.KeyPathCount), 8)
	n := b.NewReg()
	b.copyTo(n, mir.Const(0))
	test, body, end := b.newLabel(), b.newLabel(), b.newLabel()
	b.jump(test)
	b.placeLabel(test)
	b.branch(code.JumpUlt, n.Op(), count.Op(), body, end)
	b.placeLabel(body)
	at := b.op2(code.Add, b.pointer(self), b.op2(code.Mul, n.Op(), mir.Const(code.KeyPathPart)))
	b.emit(code.Release, b.loadAt(addr{base: at, off: code.KeyPathParts + 8}, 8), 0, 0, 0)
	b.emit(code.AddI, n, n, 0, 1)
	b.jump(test)
	b.placeLabel(end)
	return nil
}
