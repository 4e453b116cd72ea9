package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// A pack in memory is one address for each element, and a pack index is the element's number (docs/SIL.rst, Value packs). The
// elements' types are known here: packs that are as long as a caller wants are specialized like other generic parameters.
// Refused: packs with expansions left in them.

var packLowerings = map[op.Op]lowering{
	op.AllocPack:            lowerAllocPack,
	op.DeallocPack:          func(*builder, *ir.Inst) error { return nil },
	op.ScalarPackIndex:      lowerScalarPackIndex,
	op.DynamicPackIndex:     lowerDynamicPackIndex,
	op.PackPackIndex:        lowerPackPackIndex,
	op.PackLength:           lowerPackLength,
	op.PackElementGet:       lowerPackElementGet,
	op.PackElementSet:       lowerPackElementSet,
	op.TuplePackElementAddr: lowerTuplePackElementAddr,
	op.OpenPackElement:      lowerOpenPackElement,
}

// packElements lists the element types of a pack type.
func (b *builder) packElements(t *ir.Type) ([]*ir.Type, error) {
	t = b.subst(t).Object()
	if t.Kind != ir.KindPack {
		return nil, unsupportedf("%s as a pack", t)
	}
	for _, e := range t.Args {
		if e.Kind == ir.KindPackExpansion {
			return nil, unsupportedf("the pack %s, whose length is not known", t)
		}
	}
	return t.Args, nil
}

func lowerAllocPack(b *builder, i *ir.Inst) error {
	elements, err := b.packElements(i.Results[0].Type)
	if err != nil {
		return err
	}
	b.defineAddress(i.Results[0], b.frameSlot(8*uint64(max(len(elements), 1)), 8))
	return nil
}

// packNumber returns the number of the element at which the component begins that an index instruction names.
func (b *builder) packNumber(i *ir.Inst) (uint64, error) {
	n, err := fieldIndex(i)
	if err != nil || len(i.Types) == 0 || i.Types[0].Kind != ir.KindPack || n < 0 || n >= len(i.Types[0].Args) {
		return uint64(n), err
	}
	front, err := b.packElements(b.Mod.Types.Intern(&ir.Type{Kind: ir.KindPack, Args: i.Types[0].Args[:n]}))
	return uint64(len(front)), err
}

func lowerScalarPackIndex(b *builder, i *ir.Inst) error {
	n, err := b.packNumber(i)
	if err != nil {
		return err
	}
	if len(i.Types) > 0 {
		if _, err := b.packElements(i.Types[0]); err != nil {
			return err
		}
	}
	b.define(i.Results[0], []operand{mir.Const(n)})
	return nil
}

func lowerDynamicPackIndex(b *builder, i *ir.Inst) error {
	b.define(i.Results[0], []operand{b.scalar(i.Arg(0))})
	return nil
}

func lowerPackPackIndex(b *builder, i *ir.Inst) error {
	n, err := b.packNumber(i)
	if err != nil {
		return err
	}
	x, err := b.packIndex(i.Arg(0))
	if err != nil {
		return err
	}
	if !x.IsConst() {
		b.define(i.Results[0], []operand{b.op2(code.Add, x, mir.Const(n))})
		return nil
	}
	b.define(i.Results[0], []operand{mir.Const(n + x.Imm)})
	return nil
}

func lowerPackLength(b *builder, i *ir.Inst) error {
	if len(i.Types) == 0 {
		return unsupportedf("pack_length without a pack")
	}
	elements, err := b.packElements(i.Types[0])
	if err != nil {
		return err
	}
	b.define(i.Results[0], []operand{mir.Const(uint64(len(elements)))})
	return nil
}

// packIndex returns the word of a pack index.
func (b *builder) packIndex(v *ir.Value) (operand, error) {
	if x := b.values[v]; x != nil && len(x.ops) == 1 {
		return x.ops[0], nil
	}
	return operand{}, unsupportedf("a pack index that comes from elsewhere")
}

// packSlot returns the place in memory of an element's address.
func (b *builder) packSlot(pack, index *ir.Value) (addr, error) {
	elements, err := b.packElements(pack.Type)
	if err != nil {
		return addr{}, err
	}
	x, err := b.packIndex(index)
	if err != nil {
		return addr{}, err
	}
	if x.IsConst() && x.Imm >= uint64(len(elements)) {
		return addr{}, unsupportedf("element %d of a pack of %d", x.Imm, len(elements))
	}
	return b.indexed(b.address(pack), x, 8), nil
}

func lowerPackElementGet(b *builder, i *ir.Inst) error {
	slot, err := b.packSlot(i.Arg(1), i.Arg(0))
	if err != nil {
		return err
	}
	b.defineAddress(i.Results[0], addr{base: b.loadAt(slot, 8).Op()})
	return nil
}

func lowerPackElementSet(b *builder, i *ir.Inst) error {
	slot, err := b.packSlot(i.Arg(2), i.Arg(1))
	if err != nil {
		return err
	}
	b.storeAt(slot, 8, b.pointer(b.address(i.Arg(0))))
	return nil
}

// lowerTuplePackElementAddr returns the address of the element of a tuple that came from a pack.
func lowerTuplePackElementAddr(b *builder, i *ir.Inst) error {
	if b.typeOf(i.Arg(1)).Object().Kind != ir.KindTuple { // of one element, which is the tuple
		b.defineAddress(i.Results[0], b.address(i.Arg(1)))
		return nil
	}
	lay, err := b.layoutOf(i.Arg(1))
	if err != nil {
		return err
	}
	x, err := b.packIndex(i.Arg(0))
	if err != nil {
		return err
	}
	if !x.IsConst() {
		offsets := make([]uint64, len(lay.Fields))
		for n := range offsets {
			offsets[n] = lay.Fields[n].Offset
		}
		r, err := b.dynamicTupleElement(x, offsets)
		if err != nil {
			return err
		}
		b.defineAddress(i.Results[0], addr{base: b.op2(code.Add, b.pointer(b.address(i.Arg(1))), r.Op())})
		return nil
	}
	f, err := fieldNumber(lay, int(x.Imm))
	if err != nil {
		return err
	}
	b.defineAddress(i.Results[0], b.address(i.Arg(1)).at(f.Offset))
	return nil
}
