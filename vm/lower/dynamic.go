package lower

import (
	"errors"
	"slices"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// What instructions do on values in memory whose type names opened archetypes and so has no layout before the program runs: the machine
// asks the metadata.

// isDynamic reports whether the layout of a type is only known at run time.
func (b *builder) isDynamic(t *ir.Type) bool {
	if t = t.Object(); !t.HasLocal() {
		return false
	}
	_, err := b.layout(t)
	if err == nil && t.Kind == ir.KindBox {
		_, err = b.Layouts.Box(t)
	} else if err == nil && b.Mod.IsClassType(t) {
		_, err = b.Layouts.Class(t)
	}
	var n *abi.NotConcrete
	return errors.As(err, &n)
}

// caseNumber returns the number of a case in the declaration of an enum.
func (b *builder) caseNumber(t *ir.Type, name string) (uint64, error) {
	if d := b.Mod.DeclOf(t); d != nil {
		for n := range d.Cases {
			if d.Cases[n].Name == name {
				return uint64(n), nil
			}
		}
	}
	return 0, unsupportedf("case %s of %s, which is not declared", name, t)
}

// dynamicCase returns the number of the case that the enum at an address is in.
func (b *builder) dynamicCase(v *ir.Value) (reg, error) {
	t := b.typeOf(v)
	if !t.IsAddress() {
		return 0, unsupportedf("a value of type %s, whose layout is only known at run time", t)
	}
	meta, err := b.metadata(t)
	if err != nil {
		return 0, err
	}
	r := b.NewReg()
	b.emit(code.EnumCase, r, b.inReg(b.pointer(b.address(v))), meta, 0)
	return r, nil
}

// dynamicArms goes to arm(n) for the case that entry n of the list names, or to that of the default.
func (b *builder) dynamicArms(v *ir.Value, cases []*ir.MemberAux, arm func(n int) *label) error {
	kase, err := b.dynamicCase(v)
	if err != nil {
		return err
	}
	fallback := -1
	for n, m := range cases {
		if m == nil {
			fallback = n
			continue
		}
		number, err := b.caseNumber(b.typeOf(v).Object(), m.Name)
		if err != nil {
			return err
		}
		next := b.newLabel()
		b.branch(code.JumpEq, kase.Op(), mir.Const(number), arm(n), next)
		b.placeLabel(next)
	}
	if fallback < 0 {
		b.trap(code.TrapProgram)
		return nil
	}
	b.jump(arm(fallback))
	return nil
}

func (b *builder) dynamicSwitch(i *ir.Inst) error {
	return b.dynamicArms(i.Arg(0), i.Aux.(*ir.CaseAux).Cases, func(n int) *label { return b.edge(i, n) })
}

func (b *builder) dynamicSelect(i *ir.Inst) error {
	out := b.newRegs(len(b.scalars(i.Arg(1))))
	cases := i.Aux.(*ir.CaseAux).Cases
	arms, end := make([]*label, len(cases)), b.newLabel()
	if err := b.dynamicArms(i.Arg(0), cases, func(n int) *label {
		arms[n] = b.newLabel()
		return arms[n]
	}); err != nil {
		return err
	}
	for n, l := range arms {
		b.placeLabel(l)
		for k, o := range b.scalars(i.Arg(1 + n)) {
			b.copyTo(out[k], o)
		}
		b.jump(end)
	}
	b.placeLabel(end)
	b.define(i.Results[0], mir.Ops(out...))
	return nil
}

// dynamicInject makes the enum that the operand leads to the case that the instruction names.
func (b *builder) dynamicInject(i *ir.Inst) error {
	t := b.typeOf(i.Arg(0)).Object()
	number, err := b.caseNumber(t, i.Aux.(*ir.MemberAux).Name)
	if err != nil {
		return err
	}
	meta, err := b.metadata(t)
	if err != nil {
		return err
	}
	b.emit(code.EnumInject, b.inReg(b.pointer(b.address(i.Arg(0)))), meta, 0, number)
	return nil
}

// dynamicTake leaves the payload of the enum that the operand leads to where it is, without tag bits.
func (b *builder) dynamicTake(i *ir.Inst) error {
	meta, err := b.metadata(b.typeOf(i.Arg(0)))
	if err != nil {
		return err
	}
	a := b.address(i.Arg(0))
	b.emit(code.EnumStrip, b.inReg(b.pointer(a)), meta, 0, 0)
	b.defineAddress(i.Results[0], a)
	return nil
}

// dynamicField returns the address of a field of the struct, or of the instance, that the operand is or refers to.
func (b *builder) dynamicField(i *ir.Inst) error {
	m, ok := i.Aux.(*ir.MemberAux)
	if !ok {
		return unsupportedf("%s without field", i.Op)
	}
	return b.dynamicOffset(i, code.FieldNamed, uint64(b.constString(m.Type+"."+m.Name)))
}

// dynamicElement returns the address of an element of a tuple.
func (b *builder) dynamicElement(i *ir.Inst) error {
	n, err := fieldIndex(i)
	if err != nil {
		return err
	}
	return b.dynamicOffset(i, code.FieldNumbered, uint64(n))
}

// dynamicBoxField returns the address of a field of a box.
func (b *builder) dynamicBoxField(i *ir.Inst) error {
	n := 0
	if _, ok := i.Aux.(*ir.IntAux); ok {
		var err error
		if n, err = fieldIndex(i); err != nil {
			return err
		}
	}
	return b.dynamicOffset(i, code.FieldNumbered, uint64(n))
}

func (b *builder) dynamicOffset(i *ir.Inst, o code.Op, which uint64) error {
	meta, err := b.metadata(b.typeOf(i.Arg(0)))
	if err != nil {
		return err
	}
	off := b.NewReg()
	b.emit(o, off, meta, 0, which)
	var base operand
	if b.typeOf(i.Arg(0)).IsAddress() {
		base = b.pointer(b.address(i.Arg(0)))
	} else {
		base = b.pointer(b.inObject(i.Arg(0), 0))
	}
	b.defineAddress(i.Results[0], addr{base: b.op2(code.Add, base, off.Op())})
	return nil
}

// dynamicBox allocates a box whose fields have no layout yet.
func (b *builder) dynamicBox(i *ir.Inst) error {
	meta, err := b.metadata(b.typeOf(i.Results[0]))
	if err != nil {
		return err
	}
	r := b.NewReg()
	b.emit(code.AllocBox, r, meta, 0, 0)
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

// anyDynamic reports whether the layout of one of the types is only known at run time.
func (b *builder) anyDynamic(types ...*ir.Type) bool {
	return slices.ContainsFunc(types, b.isDynamic)
}

// dynamicInstance allocates an instance of a class, with tail arrays, where the class or elements are only known at run time. meta is the
// metadata of the class.
func (b *builder) dynamicInstance(i *ir.Inst, meta reg) error {
	size, err := b.instanceSize(b.typeOf(i.Results[0]), meta)
	if err != nil {
		return err
	}
	for n, t := range i.Types[:max(0, len(i.Types)-1)] {
		if n >= len(i.Operands) {
			return unsupportedf("%s with a tail array without a count", i.Op)
		}
		stride, align, err := b.strideAndAlign(b.subst(t))
		if err != nil {
			return err
		}
		size = b.op2(code.Add, b.roundUp(size, align), b.op2(code.Mul, b.scalar(i.Arg(n)), stride))
	}
	return b.allocObject(i, meta, b.inReg(size).Op(), 16)
}

// instanceSize returns the bytes of an instance without tail arrays.
func (b *builder) instanceSize(t *ir.Type, meta reg) (operand, error) {
	if !b.isDynamic(t) {
		layout, err := b.Layouts.Class(t)
		if err != nil {
			return operand{}, err
		}
		return mir.Const(layout.Size), nil
	}
	r := b.NewReg()
	b.emit(code.InstanceSize, r, meta, 0, 0)
	return r.Op(), nil
}

// strideAndAlign returns stride and alignment of a type, in bytes.
func (b *builder) strideAndAlign(t *ir.Type) (stride, align operand, err error) {
	if !b.isDynamic(t) {
		lay, err := b.layout(t)
		if err != nil {
			return operand{}, operand{}, err
		}
		return mir.Const(lay.Stride), mir.Const(lay.Align), nil
	}
	meta, err := b.metadata(t)
	if err != nil {
		return operand{}, operand{}, err
	}
	s, a := b.NewReg(), b.NewReg()
	b.emit(code.TypeStride, s, meta, 0, 0)
	b.emit(code.TypeAlign, a, meta, 0, 0)
	return s.Op(), a.Op(), nil
}

// roundUp rounds up to a multiple of a power of two.
func (b *builder) roundUp(n, align operand) operand {
	return b.op2(code.And, b.op2(code.Sub, b.op2(code.Add, n, align), mir.Const(1)), b.op2(code.Sub, mir.Const(0), align))
}

// dynamicTail returns the address of the first tail array of an instance.
func (b *builder) dynamicTail(i *ir.Inst) error {
	t := b.typeOf(i.Arg(0))
	var meta reg
	if b.isDynamic(t) {
		var err error
		if meta, err = b.metadata(t); err != nil {
			return err
		}
	}
	size, err := b.instanceSize(t, meta)
	if err != nil {
		return err
	}
	_, align, err := b.strideAndAlign(b.typeOf(i.Results[0]).Object())
	if err != nil {
		return err
	}
	base := b.pointer(b.inObject(i.Arg(0), 0))
	b.defineAddress(i.Results[0], addr{base: b.op2(code.Add, base, b.roundUp(size, align))})
	return nil
}

// Box returns the index of the record of boxes of a concrete box type, and their layout.
func (l *Lowerer) Box(t *ir.Type) (int, *abi.Object, error) {
	box, err := l.Layouts.Box(t)
	if err != nil {
		return 0, nil, err
	}
	return l.objectInfo(boxKey(t), boxKey(t), box), box, nil
}

// boxKey names the kind of heap object that a box is.
func boxKey(t *ir.Type) string { return "box " + t.String() }
