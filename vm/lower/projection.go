package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// addressLowerings compute addresses from addresses; constant offsets cost nothing.
var addressLowerings = map[op.Op]lowering{
	op.StructElementAddr: lowerStructElementAddr,
	op.TupleElementAddr:  lowerTupleElementAddr,
	op.IndexAddr:         lowerIndexAddr,
	op.IndexRawPointer:   lowerIndexRawPointer,
	op.TailAddr:          lowerTailAddr,
	op.BaseAddrForOffset: lowerBaseAddr,
}

func lowerStructElementAddr(b *builder, i *ir.Inst) error {
	if b.isDynamic(b.typeOf(i.Arg(0))) {
		return b.dynamicField(i)
	}
	f, err := b.memberField(i)
	if err != nil {
		return err
	}
	b.defineAddress(i.Results[0], b.address(i.Arg(0)).at(f.Offset))
	return nil
}

func lowerTupleElementAddr(b *builder, i *ir.Inst) error {
	if b.isDynamic(b.typeOf(i.Arg(0))) {
		return b.dynamicElement(i)
	}
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	n, err := fieldIndex(i)
	if err != nil {
		return err
	}
	f, err := fieldNumber(lay, n)
	if err != nil {
		return err
	}
	b.defineAddress(i.Results[0], b.address(i.Arg(0)).at(f.Offset))
	return nil
}

// indexed returns the address index elements of stride bytes further on.
func (b *builder) indexed(a addr, index operand, stride uint64) addr {
	switch {
	case index.IsConst():
		return a.at(index.Imm * stride)
	case a.index != 0 || stride > 1<<31:
		a = addr{base: b.pointer(a)}
	}
	if stride > 1<<31 {
		return addr{base: b.op2(code.Add, a.base, b.op2(code.Mul, index, mir.Const(stride)))}
	}
	a.index, a.stride = index.Reg, uint32(stride)
	return a
}

// indexOperand returns an index, sign extended to 64 bits.
func (b *builder) indexOperand(v *ir.Value) operand {
	x := b.scalar(v)
	if n, ok := numberOf(b.typeOf(v).Builtin()); ok && n.bits < 64 {
		return b.signed(x, n.bits)
	}
	return x
}

func lowerIndexAddr(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Arg(0)).Object()
	if t.HasLocal() {
		meta, err := b.metadata(t)
		if err != nil {
			return err
		}
		bytes := b.op2(code.Mul, b.indexOperand(i.Arg(1)), b.op1(code.TypeStride, meta.Op()))
		b.defineAddress(i.Results[0], addr{base: b.op2(code.Add, b.pointer(b.address(i.Arg(0))), bytes)})
		return nil
	}
	lay, err := b.layout(t)
	if err != nil {
		return err
	}
	a := b.indexed(b.address(i.Arg(0)), b.indexOperand(i.Arg(1)), lay.Stride)
	if a.index != 0 && b.countAccesses(i.Results[0], 0) >= manyAccesses {
		a = addr{base: b.pointer(a)}
	}
	b.defineAddress(i.Results[0], a)
	return nil
}

// manyAccesses is how many loads and stores through one indexed address make it worth computing once.
const manyAccesses = 3

// countAccesses counts the loads and stores of scalars that go through an address, up to manyAccesses.
func (b *builder) countAccesses(v *ir.Value, depth int) int {
	n := 0
	for u := v.FirstUse(); u != nil && n < manyAccesses; u = u.NextUse() {
		switch i := u.User(); i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.BeginAccess:
			if depth < manyAccesses {
				n += b.countAccesses(i.Results[0], depth+1)
			}
		case op.Load:
			n += b.scalarCount(i.Results[0])
		case op.Store:
			n += b.scalarCount(i.Arg(0))
		}
	}
	return n
}

// scalarCount is the number of scalars of a loadable value.
func (b *builder) scalarCount(v *ir.Value) int {
	lay, err := b.layoutOf(v)
	if err != nil {
		return 0
	}
	return len(lay.Scalars)
}

func lowerIndexRawPointer(b *builder, i *ir.Inst) error {
	b.defineAddress(i.Results[0], b.indexed(b.address(i.Arg(0)), b.indexOperand(i.Arg(1)), 1))
	return nil
}

// lowerTailAddr returns the address of the tail array after another one: past its elements, rounded up to the alignment.
func lowerTailAddr(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	next, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	end := b.pointer(b.indexed(b.address(i.Arg(0)), b.indexOperand(i.Arg(1)), lay.Stride))
	if next.Align > 1 {
		end = b.op2(code.And, b.op2(code.Add, end, mir.Const(next.Align-1)), mir.Const(^(next.Align - 1)))
	}
	b.defineAddress(i.Results[0], addr{base: end})
	return nil
}

func lowerBaseAddr(b *builder, i *ir.Inst) error {
	b.defineAddress(i.Results[0], addr{})
	return nil
}
