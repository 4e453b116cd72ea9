package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/mir"
)

// packOpening is what open_pack_element binds: its types are the elements at one index of the packs of its signature. Where the
// index is known when the code is made, or does not matter, they are known then too; else they are archetypes of which registers
// hold the metadata.
type packOpening struct {
	params []string     // of its signature
	packs  [][]*ir.Type // what the parameters stand for; nil for one that is no pack
	index  int          // -1: only known at run time
}

// openPacks finds the openings of the function, whose types may come before them in the order of lowering.
func (b *builder) openPacks() error {
	for i := range b.fn.Insts() {
		if i.Op != op.OpenPackElement {
			continue
		}
		aux, ok := i.Aux.(*ir.OpenPackAux)
		if !ok {
			return unsupportedf("open_pack_element without its signature")
		}
		o := &packOpening{params: aux.Params, index: b.constantIndex(i.Arg(0), 0)}
		for n := range o.params {
			if n >= len(i.Types) {
				break
			}
			t := b.subst(i.Types[n])
			if t.Kind != ir.KindPack {
				o.packs = append(o.packs, nil)
				continue
			}
			o.packs = append(o.packs, t.Args)
		}
		if b.packs == nil {
			b.packs = map[string]*packOpening{}
		}
		b.packs[aux.ID] = o
	}
	return nil
}

// constantIndex returns the number of the element that a pack index names, -1 if it is not written out.
func (b *builder) constantIndex(v *ir.Value, depth int) int {
	i := v.Inst()
	if i == nil || depth > 8 {
		return -1
	}
	switch i.Op {
	case op.ScalarPackIndex:
		if n, err := b.packNumber(i); err == nil {
			return int(n)
		}
	case op.PackPackIndex:
		if n, err := b.packNumber(i); err == nil {
			if m := b.constantIndex(i.Arg(0), depth+1); m >= 0 {
				return int(n) + m
			}
		}
	case op.DynamicPackIndex:
		if d := i.Arg(0).Inst(); d != nil && d.Op == op.IntegerLiteral {
			if aux, ok := d.Aux.(*ir.IntAux); ok && aux.Value.IsInt64() {
				return int(aux.Value.Int64())
			}
		}
	}
	return -1
}

// packOf returns the elements of the pack that a type of an opening is one of, and the opening.
func (b *builder) packOf(t *ir.Type) ([]*ir.Type, *packOpening) {
	o := b.packs[t.Name]
	if o == nil {
		return nil, nil
	}
	name := t.PackParameter().Name
	for n, p := range o.params {
		if p == name && n < len(o.packs) {
			return o.packs[n], o
		}
	}
	return nil, o
}

// packElement returns the type that a pack element is known to be, and where all that is known is that it is a class, an archetype of one; nil when
// not even that is known before the program runs.
func (b *builder) packElement(t *ir.Type) *ir.Type {
	elements, o := b.packOf(t)
	if o == nil || len(elements) == 0 {
		return nil
	}
	if o.index >= 0 && o.index < len(elements) {
		return b.Mod.Types.PackElementOf(t, elements[o.index])
	}
	first := b.Mod.Canonical(b.Mod.Types.PackElementOf(t, elements[0]))
	for _, e := range elements[1:] {
		if b.Mod.Canonical(b.Mod.Types.PackElementOf(t, e)) != first {
			return b.classElement(t, elements)
		}
	}
	return first
}

// classElement returns an archetype for an element of a pack of classes, which is a reference whichever it is; nil for other packs. Its
// metadata is that of the pack element.
func (b *builder) classElement(t *ir.Type, elements []*ir.Type) *ir.Type {
	if !isOpenedSelf(t) {
		return nil
	}
	for _, e := range elements {
		if e = b.Mod.Canonical(e); e.Kind != ir.KindNominal || !b.Mod.IsClassType(e) {
			return nil
		}
	}
	return b.Mod.Types.Intern(&ir.Type{Kind: ir.KindOpened, Name: localName(t), Elem: b.Mod.Types.Nominal(nil, "AnyObject")})
}

// lowerOpenPackElement finds the metadata of the elements at the index.
func lowerOpenPackElement(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.OpenPackAux)
	if !ok || b.packs[aux.ID] == nil {
		return unsupportedf("open_pack_element without its signature")
	}
	o := b.packs[aux.ID]
	x, err := b.packIndex(i.Arg(0))
	if err != nil {
		return err
	}
	for n, elements := range o.packs {
		if len(elements) == 0 || o.index >= 0 {
			continue
		}
		r, err := b.chosen(x, len(elements), func(k int) (operand, error) {
			m, err := b.metadata(elements[k])
			return m.Op(), err
		})
		if err != nil {
			return err
		}
		b.opened[aux.ID+" "+o.params[n]] = r
	}
	b.define(i.Results[0], nil)
	return nil
}

// chosen returns a register with the word that of makes for the value of x, a number below n.
func (b *builder) chosen(x operand, n int, of func(k int) (operand, error)) (reg, error) {
	r := b.NewReg()
	if x.IsConst() && x.Imm < uint64(n) {
		v, err := of(int(x.Imm))
		b.copyTo(r, v)
		return r, err
	}
	targets, join := make([]*label, n), b.newLabel()
	for k := range targets {
		targets[k] = b.newLabel()
	}
	b.jumpTable(x, targets)
	for k, l := range targets {
		b.placeLabel(l)
		v, err := of(k)
		if err != nil {
			return 0, err
		}
		b.copyTo(r, v)
		b.jump(join)
	}
	b.placeLabel(join)
	return r, nil
}

// localName tells the archetypes of one function apart: openings by their identity, pack elements by their pack besides.
func localName(t *ir.Type) string {
	if t.Kind != ir.KindPackElement {
		return t.Name
	}
	return t.Name + " " + t.PackParameter().Name
}

// dynamicTupleElement returns the offset of the element of a tuple at an index that is only known at run time.
func (b *builder) dynamicTupleElement(x operand, offsets []uint64) (reg, error) {
	return b.chosen(x, len(offsets), func(k int) (operand, error) { return mir.Const(offsets[k]), nil })
}
