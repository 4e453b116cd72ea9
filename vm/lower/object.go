package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// objectLowerings are the instructions that make, project and free class instances and boxes (docs/SIL.rst, Allocation and
// Deallocation), and the casts between references, which change no bit.
var objectLowerings = map[op.Op]lowering{
	op.AllocRef:          lowerAllocRef,
	op.AllocRefDynamic:   lowerAllocRefDynamic,
	op.AllocBox:          lowerAllocBox,
	op.ProjectBox:        lowerProjectBox,
	op.RefElementAddr:    lowerRefElementAddr,
	op.RefTailAddr:       lowerRefTailAddr,
	op.DeallocRef:        lowerDeallocRef,
	op.DeallocStackRef:   lowerDeallocStackRef,
	op.DeallocPartialRef: lowerDeallocPartialRef,
	op.DeallocBox:        lowerDeallocBox,
	op.BeginDeallocRef:   lowerBeginDeallocRef,
}

// tailCounts returns how many elements each tail array of an allocation has, and their layouts.
func (b *builder) tailCounts(i *ir.Inst) ([]operand, []*abi.Layout, error) {
	var counts []operand
	var lays []*abi.Layout
	for n, t := range i.Types[:max(0, len(i.Types)-1)] {
		lay, err := b.layout(b.subst(t))
		if err != nil {
			return nil, nil, err
		}
		if n >= len(i.Operands) {
			return nil, nil, unsupportedf("alloc_ref with a tail array without a count")
		}
		counts, lays = append(counts, b.scalar(i.Arg(n))), append(lays, lay)
	}
	return counts, lays, nil
}

// objectSize returns the bytes of an instance with its tail arrays, and its alignment. Each array starts where the part before
// ends, rounded up to the alignment of its elements (lib/IRGen/GenClass.cpp).
func (b *builder) objectSize(c *abi.ClassLayout, counts []operand, lays []*abi.Layout) (operand, uint64) {
	size, align := mir.Const(c.Size), c.Align
	for n, lay := range lays {
		if lay.Align > 1 {
			size = b.op2(code.And, b.op2(code.Add, size, mir.Const(lay.Align-1)), mir.Const(-lay.Align))
		}
		size = b.op2(code.Add, size, b.op2(code.Mul, counts[n], mir.Const(lay.Stride)))
		align = max(align, lay.Align)
	}
	return size, align
}

func lowerAllocRef(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Results[0])
	if b.anyDynamic(b.substAll(i.Types)...) {
		meta, err := b.metadata(t)
		if err != nil {
			return err
		}
		return b.dynamicInstance(i, meta)
	}
	counts, lays, err := b.tailCounts(i)
	if err != nil {
		return err
	}
	index, class, err := b.class(t)
	if err != nil {
		return err
	}
	if len(lays) == 0 && !i.Has(op.QualStack) {
		r := b.NewReg()
		b.emit(code.AllocClass, r, 0, 0, uint64(index))
		b.define(i.Results[0], mir.Ops(r))
		return nil
	}
	size, align := b.objectSize(class.Layout, counts, lays)
	meta, err := b.metadata(t)
	if err != nil {
		return err
	}
	return b.allocObject(i, meta, size, align)
}

// maxStackObject is the largest object that is promoted into the function's memory frame; larger ones and those whose size is
// only known at run time get a block of their own until dealloc_stack_ref.
const maxStackObject = 1 << 16

func (b *builder) allocObject(i *ir.Inst, meta reg, size operand, align uint64) error {
	r := b.NewReg()
	switch {
	case i.Has(op.QualStack) && size.IsConst() && size.Imm <= maxStackObject && align <= 16:
		if b.inFrame == nil {
			b.inFrame = map[*ir.Inst]bool{}
		}
		b.inFrame[i] = true
		at := b.frameSlot(size.Imm, 16)
		b.copyTo(r, b.pointer(at))
		b.emit(code.InitStackObject, r, meta, 0, 0)
	case i.Has(op.QualStack):
		b.emit(code.StackAlloc, r, b.inReg(size), b.inReg(mir.Const(max(align, 16))), 0)
		b.emit(code.InitStackObject, r, meta, 0, 0)
	default:
		b.emit(code.AllocObjectR, r, meta, b.inReg(size), align)
	}
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

func lowerAllocRefDynamic(b *builder, i *ir.Inst) error {
	if n := len(i.Operands); n > 0 && b.anyDynamic(b.substAll(i.Types)...) {
		if meta := b.scalars(i.Arg(n - 1)); len(meta) > 0 {
			return b.dynamicInstance(i, b.inReg(meta[0]))
		}
	}
	counts, lays, err := b.tailCounts(i)
	if err != nil {
		return err
	}
	_, class, err := b.class(b.typeOf(i.Results[0]))
	if err != nil {
		return err
	}
	if len(i.Operands) == 0 {
		return unsupportedf("alloc_ref_dynamic without a metatype")
	}
	meta := b.scalars(i.Arg(len(i.Operands) - 1))
	if len(meta) == 0 {
		r, err := b.metadata(b.typeOf(i.Results[0]))
		if err != nil {
			return err
		}
		meta = mir.Ops(r)
	}
	if len(lays) == 0 {
		r := b.NewReg()
		b.emit(code.AllocDynamic, r, b.inReg(meta[0]), 0, 0)
		b.define(i.Results[0], mir.Ops(r))
		return nil
	}
	size, align := b.objectSize(class.Layout, counts, lays)
	return b.allocObject(i, b.inReg(meta[0]), size, align)
}

// boxObject returns the layout of the object behind a box type.
func (b *builder) boxObject(t *ir.Type) (*abi.Object, error) {
	if t.Kind != ir.KindBox {
		return nil, unsupportedf("%s is no box", t)
	}
	return b.Layouts.Box(t)
}

func lowerAllocBox(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Results[0])
	if b.isDynamic(t) {
		return b.dynamicBox(i)
	}
	box, err := b.boxObject(t)
	if err != nil {
		return err
	}
	r := b.NewReg()
	meta, err := b.objectMetadata(boxKey(t), boxKey(t), box)
	if err != nil {
		return err
	}
	b.emit(code.AllocObject, r, meta, 0, objectBits(box))
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

// objectBits packs size and alignment for AllocObject.
func objectBits(o *abi.Object) uint64 { return o.Size | o.Align<<48 }

func lowerProjectBox(b *builder, i *ir.Inst) error {
	if b.isDynamic(b.typeOf(i.Arg(0))) {
		return b.dynamicBoxField(i)
	}
	box, err := b.boxObject(b.typeOf(i.Arg(0)))
	if err != nil {
		return err
	}
	n := 0
	if aux, ok := i.Aux.(*ir.IntAux); ok {
		n = int(aux.Int64())
	}
	if n < 0 || n >= len(box.Fields) {
		return unsupportedf("field %d of %s", n, b.typeOf(i.Arg(0)))
	}
	b.defineAddress(i.Results[0], b.inObject(i.Arg(0), box.Fields[n].Offset))
	return nil
}

// inObject returns the address off bytes from the start of an object whose liveness is to be checked.
func (b *builder) inObject(ref *ir.Value, off uint64) addr {
	s := b.scalar(ref)
	a := addr{base: s, off: int64(off)}
	if !s.IsConst() && !b.isOnStack(ref) {
		a.ref = s.Reg
	}
	return a
}

// isOnStack reports whether a reference is to an object on the stack of this function: its memory is there for sure.
func (b *builder) isOnStack(v *ir.Value) bool {
	for n := 0; n < 8; n++ {
		i := v.Inst()
		if i == nil {
			return false
		}
		switch i.Op {
		case op.AllocBox, op.AllocRef, op.AllocRefDynamic:
			return i.Has(op.QualStack)
		case op.Upcast, op.UncheckedRefCast, op.EndInitLetRef, op.BeginBorrow, op.MoveValue, op.EndCowMutation, op.MarkUninitialized:
			v = i.Arg(0)
		default:
			return false
		}
	}
	return false
}

func lowerRefElementAddr(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Arg(0))
	if b.isDynamic(t) {
		return b.dynamicField(i)
	}
	layout, err := b.Layouts.Class(t)
	if err != nil {
		return err
	}
	m := i.Aux.(*ir.MemberAux)
	f := storedProperty(layout, m)
	if f == nil {
		return unsupportedf("class %s has no stored property %s", t, m.Name)
	}
	b.defineAddress(i.Results[0], b.inObject(i.Arg(0), f.Offset))
	return nil
}

// storedProperty finds the field that #Owner.name names; a subclass may have one of the same name.
func storedProperty(c *abi.ClassLayout, m *ir.MemberAux) *abi.ClassField {
	for n := len(c.Fields) - 1; n >= 0; n-- {
		if f := &c.Fields[n]; f.Name == m.Property() && f.Owner.Decl.Path == m.Type {
			return f
		}
	}
	return c.Field(m.Property())
}

func lowerRefTailAddr(b *builder, i *ir.Inst) error {
	if b.anyDynamic(b.typeOf(i.Arg(0)), b.typeOf(i.Results[0])) {
		return b.dynamicTail(i)
	}
	layout, err := b.Layouts.Class(b.typeOf(i.Arg(0)))
	if err != nil {
		return err
	}
	elem, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	b.defineAddress(i.Results[0], b.inObject(i.Arg(0), layout.TailOffset(elem.Align)))
	return nil
}

func lowerDeallocRef(b *builder, i *ir.Inst) error {
	b.emit(code.DeallocObject, b.inReg(b.scalar(i.Arg(0))), 0, 0, 0)
	return nil
}

// lowerDeallocStackRef ends the memory of a stack-promoted object; in the frame that costs nothing.
func lowerDeallocStackRef(b *builder, i *ir.Inst) error {
	def := i.Arg(0).Inst()
	for def != nil && def.Op != op.AllocRef && def.Op != op.AllocRefDynamic && len(def.Operands) > 0 {
		def = def.Operands[len(def.Operands)-1].Value().Inst()
	}
	if def == nil || !b.inFrame[def] {
		b.emit(code.StackFree, b.inReg(b.scalar(i.Arg(0))), 0, 0, 0)
	}
	return nil
}

// lowerDeallocPartialRef deallocates an object whose initializer failed: what the classes from its own up to the given one, without
// it, have initialized is destroyed, no deinit runs (docs/SIL.rst, dealloc_partial_ref; swift_deallocPartialClassInstance).
func lowerDeallocPartialRef(b *builder, i *ir.Inst) error {
	if meta := b.scalars(i.Arg(1)); len(meta) > 0 {
		b.deallocPartialOf(b.scalar(i.Arg(0)), meta[0])
		return nil
	}
	return b.deallocPartial(b.scalar(i.Arg(0)), b.typeOf(i.Arg(0))) // a thin metatype
}

// deallocPartial deallocates an object of class t.
func (b *builder) deallocPartial(ref operand, t *ir.Type) error {
	meta, err := b.metadata(t)
	if err != nil {
		return err
	}
	b.deallocPartialOf(ref, meta.Op())
	return nil
}

func (b *builder) deallocPartialOf(ref, meta operand) {
	fn := b.partialDealloc
	if fn == nil {
		fn = &ir.Function{Name: code.DeallocPartialInstance, Module: b.Mod}
		b.Lowerer.partialDealloc = fn
	}
	native := b.native(b.key(fn, nil), fn, nil)
	b.add(minst{Op: code.CallNative, Imm: uint64(native.Index), KB: 2, Args: []operand{ref, meta}})
}

func lowerDeallocBox(b *builder, i *ir.Inst) error {
	b.emit(code.DeallocPartial, b.inReg(b.scalar(i.Arg(0))), 0, 0, 0)
	return nil
}

func lowerBeginDeallocRef(b *builder, i *ir.Inst) error {
	b.emit(code.SetDeiniting, b.inReg(b.scalar(i.Arg(0))), 0, 0, 0)
	return lowerForward(b, i)
}
