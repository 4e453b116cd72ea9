package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// memoryLowerings are the instructions that read, write, copy and destroy memory (docs/SIL.rst, Accessing Memory), the stack
// allocations, and formal accesses.
var memoryLowerings = map[op.Op]lowering{
	op.AllocStack:   lowerAllocStack,
	op.AllocVector:  lowerAllocVector,
	op.DeallocStack: lowerDeallocStack,
	op.Load:         lowerLoad,
	op.LoadBorrow:   lowerLoadBorrow,
	op.Store:        lowerStore, op.Assign: lowerAssign,
	op.StoreBorrow:          lowerStoreBorrow,
	op.CopyAddr:             lowerCopyAddr,
	op.ExplicitCopyAddr:     lowerCopyAddr,
	op.DestroyAddr:          lowerDestroyAddr,
	op.TupleAddrConstructor: lowerTupleAddrConstructor,
	op.BindMemory:           lowerMemoryToken,
	op.RebindMemory:         lowerMemoryToken,
	op.BeginAccess:          lowerBeginAccess,
	op.EndAccess:            lowerEndAccess,
	op.BeginUnpairedAccess:  lowerBeginUnpaired,
	op.EndUnpairedAccess:    lowerEndUnpaired,
}

// lowerAllocStack returns a variable its place: in the function's memory frame if its size is known, else a block of its own.
func lowerAllocStack(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Results[0]).Object()
	if t.HasLocal() {
		meta, err := b.metadata(t)
		if err != nil {
			return err
		}
		size, align, r := b.NewReg(), b.NewReg(), b.NewReg()
		b.emit(code.TypeSize, size, meta, 0, 0)
		b.emit(code.TypeAlign, align, meta, 0, 0)
		b.emit(code.StackAlloc, r, size, align, 0)
		b.defineAddress(i.Results[0], addr{base: r.Op()})
		return nil
	}
	lay, err := b.layout(t)
	if err != nil {
		return err
	}
	slot := b.frameSlot(max(lay.Size, 1), lay.Align)
	if isBlockStorage(t) {
		b.storeAt(slot, 8, mir.Const(0))
	}
	b.defineAddress(i.Results[0], slot)
	return nil
}

// lowerAllocVector returns a number of elements a block of their own.
func lowerAllocVector(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	bytes := b.op2(code.Mul, b.scalar(i.Arg(0)), mir.Const(lay.Stride))
	r := b.NewReg()
	b.emit(code.StackAlloc, r, b.inReg(bytes), b.inReg(mir.Const(lay.Align)), 0)
	b.defineAddress(i.Results[0], addr{base: r.Op()})
	return nil
}

func lowerDeallocStack(b *builder, i *ir.Inst) error {
	v := i.Arg(0)
	def := v.Inst()
	if def == nil {
		return nil
	}
	switch def.Op {
	case op.AllocStack:
		if isBlockStorage(b.typeOf(v)) {
			b.freeBlockStorage(b.address(v))
		} else if b.typeOf(v).HasLocal() {
			b.emit(code.StackFree, b.inReg(b.pointer(b.address(v).unchecked())), 0, 0, 0)
		}
	case op.AllocVector:
		b.emit(code.StackFree, b.inReg(b.pointer(b.address(v))), 0, 0, 0)
	}
	return nil // an [on_stack] partial_apply borrows its captures, its memory is the frame's
}

func lowerLoad(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	if lay.AddressOnly {
		return unsupportedf("load of %s, which is only used in memory", lay.Type)
	}
	value := b.loadValue(b.address(i.Arg(0)), lay)
	if i.Has(op.QualCopy) {
		b.copyValue(lay, value)
	}
	b.define(i.Results[0], value)
	return nil
}

func lowerLoadBorrow(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	if lay.AddressOnly {
		return unsupportedf("load_borrow of %s, which is only used in memory", lay.Type)
	}
	b.define(i.Results[0], b.loadValue(b.address(i.Arg(0)), lay))
	return nil
}

// lowerStore writes a value; [assign] reads the old value first and destroys it after the write.
func lowerStore(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	a, value := b.address(i.Arg(1)), b.scalars(i.Arg(0))
	return b.replace(a, lay, value, !i.Has(op.QualAssign))
}

func lowerStoreBorrow(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	a := b.address(i.Arg(1))
	b.storeValue(a, lay, b.scalars(i.Arg(0)))
	if len(i.Results) > 0 {
		b.defineAddress(i.Results[0], a)
	}
	return nil
}

func lowerCopyAddr(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Arg(0)).Object()
	return b.copyAt(b.address(i.Arg(1)), b.address(i.Arg(0)), t, i.Has(op.QualInit), i.Has(op.QualTake))
}

func lowerDestroyAddr(b *builder, i *ir.Inst) error {
	return b.destroyAt(b.address(i.Arg(0)), b.typeOf(i.Arg(0)).Object())
}

func lowerTupleAddrConstructor(b *builder, i *ir.Inst) error {
	return constructTuple(b, i, i.Has(op.QualInit))
}

func constructTuple(b *builder, i *ir.Inst, init bool) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	parts := i.Operands[1:]
	leaves := b.tupleLeaves(lay, 0, &parts, nil)
	if len(leaves) != len(i.Operands)-1 || len(parts) != 0 {
		return unsupportedf("tuple_addr_constructor of %s", lay.Type)
	}
	dst := b.address(i.Arg(0))
	for n, leaf := range leaves {
		src := i.Arg(n + 1)
		at := dst.at(leaf.Offset)
		if b.typeOf(src).IsAddress() {
			if err := b.copyAt(at, b.address(src), leaf.Layout.Type, init, true); err != nil {
				return err
			}
			continue
		}
		if err := b.replace(at, leaf.Layout, b.scalars(src), init); err != nil {
			return err
		}
	}
	return nil
}

// tupleLeaves lists the elements of a tuple that the next parts are for, with their offsets from the start of the whole: those that are no
// tuples, and those that are the tuple that a type parameter stands for here. Nothing is passed for an empty one if its type was always known.
func (b *builder) tupleLeaves(lay *abi.Layout, off uint64, parts *[]ir.Operand, out []abi.Field) []abi.Field {
	for _, f := range lay.Fields {
		f.Offset += off
		whole := len(*parts) > 0 && b.Mod.Canonical(b.typeOf((*parts)[0].Value()).Object()) == b.Mod.Canonical(f.Layout.Type)
		if f.Layout.Type.Kind == ir.KindTuple && !whole {
			out = b.tupleLeaves(f.Layout, f.Offset, parts, out)
			continue
		}
		if len(*parts) > 0 {
			*parts = (*parts)[1:]
		}
		out = append(out, f)
	}
	return out
}

// lowerMemoryToken: memory is not typed at run time, so that the token says nothing.
func lowerMemoryToken(b *builder, i *ir.Inst) error {
	for _, r := range i.Results {
		b.define(r, []operand{mir.Const(0)})
	}
	return nil
}

// accessBits packs what the machine must know of a formal access: bit 0 modify, bit 1 no nested conflict.
func accessBits(i *ir.Inst) uint64 {
	var bits uint64
	if !i.Has(op.QualRead) {
		bits = 1
	}
	if i.Has(op.QualNoNestedConflict) {
		bits |= 2
	}
	return bits
}

// lowerBeginAccess checks [dynamic] accesses. The token of an access that has no nested conflict is needed too: it says that
// nothing was recorded.
func lowerBeginAccess(b *builder, i *ir.Inst) error {
	a := b.address(i.Arg(0))
	if !i.Has(op.QualDynamic) || b.Opts.Unchecked {
		b.defineAddress(i.Results[0], a)
		return nil
	}
	if i.Has(op.QualNoNestedConflict) && a.index == 0 {
		b.emit(code.CheckAccess, b.inReg(a.base), 0, 0, uint64(a.off)<<1|accessBits(i)&1)
		b.defineAddress(i.Results[0], a)
		return nil
	}
	r, token := b.inReg(b.pointer(a)), b.NewReg()
	b.emit(code.BeginAccess, r, token, 0, accessBits(i))
	if b.accesses == nil {
		b.accesses = map[*ir.Inst]reg{}
	}
	b.accesses[i] = token
	b.defineAddress(i.Results[0], addr{base: r.Op()})
	return nil
}

func lowerEndAccess(b *builder, i *ir.Inst) error {
	def := i.Arg(0).Inst()
	if def == nil || def.Op != op.BeginAccess {
		return nil
	}
	if token := b.accesses[def]; token != 0 {
		b.emit(code.EndAccess, 0, token, 0, 0)
	}
	return nil
}

func lowerBeginUnpaired(b *builder, i *ir.Inst) error {
	if !i.Has(op.QualDynamic) {
		return nil
	}
	b.emit(code.BeginUnpaired, b.inReg(b.pointer(b.address(i.Arg(0)))), b.inReg(b.pointer(b.address(i.Arg(1)))), 0, accessBits(i))
	return nil
}

func lowerEndUnpaired(b *builder, i *ir.Inst) error {
	if i.Has(op.QualDynamic) {
		b.emit(code.EndUnpaired, b.inReg(b.pointer(b.address(i.Arg(0)))), 0, 0, 0)
	}
	return nil
}
