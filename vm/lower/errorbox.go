package lower

import (
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// errorKey names the kind of heap object that an error box of a type is.
func errorKey(t *ir.Type) string { return "error box " + t.String() }

// lowerAllocExistentialBox makes the box of an error: its type and its witness table for Error, and room for the value.
func lowerAllocExistentialBox(b *builder, i *ir.Inst) error {
	if len(i.Types) < 2 {
		return unsupportedf("alloc_existential_box without a type")
	}
	e, t := b.typeOf(i.Results[0]), b.subst(i.Types[1])
	x, err := b.Layouts.Existential(e)
	if err != nil {
		return err
	}
	if x.Kind != abi.ExistentialError {
		return unsupportedf("alloc_existential_box of %s", e)
	}
	meta, err := b.metadata(t)
	if err != nil {
		return err
	}
	tables, err := b.witnessTables(t, e)
	if err != nil {
		return err
	}
	r := b.NewReg()
	if t.HasLocal() {
		b.emit(code.AllocErrorBox, r, meta, 0, 0)
	} else {
		box, err := b.Layouts.ErrorBox(t)
		if err != nil {
			return err
		}
		kind, err := b.objectMetadata(errorKey(t), errorKey(t), box)
		if err != nil {
			return err
		}
		b.emit(code.AllocObject, r, kind, 0, objectBits(box))
	}
	a := addr{base: r.Op()}
	b.storeAt(a.at(abi.ErrorType), 8, meta.Op())
	if len(tables) > 0 {
		b.storeAt(a.at(abi.ErrorWitness), 8, tables[0])
	}
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

// ErrorBox returns the index of the record of error boxes of a concrete type, and their layout.
func (l *Lowerer) ErrorBox(t *ir.Type) (int, *abi.Object, error) {
	box, err := l.Layouts.ErrorBox(t)
	if err != nil {
		return 0, nil, err
	}
	return l.objectInfo(errorKey(t), errorKey(t), box), box, nil
}

func lowerProjectExistentialBox(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Results[0]).Object()
	if t.HasLocal() {
		_, payload := b.openErrorBox(b.scalar(i.Arg(0)))
		b.defineAddress(i.Results[0], addr{base: payload})
		return nil
	}
	box, err := b.Layouts.ErrorBox(t)
	if err != nil {
		return err
	}
	b.defineAddress(i.Results[0], b.inObject(i.Arg(0), box.Fields[0].Offset))
	return nil
}

// openErrorBox returns the metadata of the value in an error box and its address: the first multiple of its alignment after the
// words of the box.
func (b *builder) openErrorBox(box operand) (meta reg, value operand) {
	const start = abi.ErrorWitness + 8
	a := addr{base: box}
	if !box.IsConst() {
		a.ref = box.Reg
	}
	meta = b.loadAt(a.at(abi.ErrorType), 8)
	align := b.NewReg()
	b.emit(code.TypeAlign, align, meta, 0, 0)
	up := b.op2(code.Sub, b.op2(code.Add, mir.Const(start), align.Op()), mir.Const(1))
	offset := b.op2(code.And, up, b.op2(code.Sub, mir.Const(0), align.Op()))
	return meta, b.op2(code.Add, box, offset)
}

// lowerOpenExistentialBox returns the address of the value in an error box and binds its type.
func lowerOpenExistentialBox(b *builder, i *ir.Inst) error {
	value, err := b.openBox(i, b.typeOf(i.Results[0]).Object())
	if err != nil {
		return err
	}
	b.defineAddress(i.Results[0], addr{base: value})
	return nil
}

// lowerOpenExistentialBoxValue returns the value in an error box; only a reference can be had that way.
func lowerOpenExistentialBoxValue(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	value, err := b.openBox(i, lay.Type)
	if err != nil {
		return err
	}
	b.define(i.Results[0], b.loadValue(addr{base: value}, lay))
	return nil
}

func (b *builder) openBox(i *ir.Inst, t *ir.Type) (operand, error) {
	e := b.typeOf(i.Arg(0))
	if !isOpenedSelf(t) {
		return operand{}, unsupportedf("%s of %s to %s", i.Op, e, t)
	}
	box := b.scalar(i.Arg(0))
	meta, value := b.openErrorBox(box)
	b.bindOpened(t, meta, e, []operand{b.loadAt(addr{base: box, off: abi.ErrorWitness}, 8).Op()})
	return value, nil
}

// lowerDeallocExistentialBox frees an error box whose value was never made or was moved out.
func lowerDeallocExistentialBox(b *builder, i *ir.Inst) error {
	b.emit(code.DeallocPartial, b.inReg(b.scalar(i.Arg(0))), 0, 0, 0)
	return nil
}
