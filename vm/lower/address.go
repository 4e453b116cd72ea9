package lower

import (
	"slices"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// checkedRefs are the references that were checked to be alive since the last operation that could end an object.
type checkedRefs struct{ regs []reg }

// maxChecked bounds the references that are remembered, so that asking stays cheap.
const maxChecked = 16

func (c *checkedRefs) clear() { c.regs = c.regs[:0] }

func (c *checkedRefs) has(r reg) bool {
	return slices.Contains(c.regs, r)
}

func (c *checkedRefs) note(r reg) {
	if len(c.regs) < maxChecked && !c.has(r) {
		c.regs = append(c.regs, r)
	}
}

// at returns the address off bytes further on.
func (a addr) at(off uint64) addr {
	a.off += int64(off)
	return a
}

// address returns the symbolic address that an address value stands for; a raw pointer or reference counts as the address itself.
func (b *builder) address(v *ir.Value) addr {
	if x := b.lookup(v); x.isAddr {
		return x.addr
	} else if len(x.ops) > 0 {
		return addr{base: x.ops[0]}
	}
	return addr{}
}

// scalars returns the scalars of a loadable value; an address is made one register.
func (b *builder) scalars(v *ir.Value) []operand {
	x := b.lookup(v)
	switch {
	case x.isAddr:
		return []operand{b.pointer(x.addr)}
	case x.callee != nil:
		return b.functionWords(x)
	}
	return x.ops
}

// scalar returns the only scalar of a value; 0 for a value that has none.
func (b *builder) scalar(v *ir.Value) operand {
	if s := b.scalars(v); len(s) > 0 {
		return s[0]
	}
	return operand{}
}

// lookup finds a value; undef, and what only unreachable code defines, is zeros.
func (b *builder) lookup(v *ir.Value) *value {
	if x := b.values[v]; x != nil {
		return x
	}
	x := &value{}
	t := b.typeOf(v)
	if t.IsAddress() {
		x.isAddr = true
	} else if lay, err := b.layout(t); err == nil {
		x.ops = make([]operand, len(lay.Scalars))
	}
	b.values[v] = x
	return x
}

// pointer makes an address one operand. If it lies in an object, that is checked to be alive.
func (b *builder) pointer(a addr) operand {
	b.checkRef(a.ref)
	switch {
	case a.index != 0:
		r := b.NewReg()
		if packed, ok := packIndexed(a); ok {
			b.emit(code.AddX, r, b.inReg(a.base), a.index, packed)
			return r.Op()
		}
		return b.op2(code.Add, b.op2(code.Add, a.base, b.op2(code.Mul, a.index.Op(), mir.Const(uint64(a.stride)))), mir.Const(uint64(a.off)))
	case a.base.IsConst():
		return mir.Const(a.base.Imm + uint64(a.off))
	case a.off == 0:
		return a.base
	}
	return b.op2(code.Add, a.base, mir.Const(uint64(a.off)))
}

// packIndexed returns the immediate of an indexed access, and false when the offset doesn't fit it.
func packIndexed(a addr) (uint64, bool) {
	if int64(int32(a.off)) != a.off {
		return 0, false
	}
	return uint64(uint32(a.off)) | uint64(a.stride)<<32, true
}

// checkRef emits a check that the object is alive unless there was one since the last call.
func (b *builder) checkRef(ref reg) {
	if ref == 0 || b.checked.has(ref) {
		return
	}
	b.emit(code.RefCheck, ref, 0, 0, 0)
	b.checked.note(ref)
}

// unchecked returns the address for accesses that need no liveness check: initialization of a fresh object, its deinit.
func (a addr) unchecked() addr { a.ref = 0; return a }

var loadOps = map[uint8][3]code.Op{
	1: {code.Load8, code.LoadX8, code.RefLoad8}, 2: {code.Load16, code.LoadX16, code.RefLoad16},
	4: {code.Load32, code.LoadX32, code.RefLoad32}, 8: {code.Load64, code.LoadX64, code.RefLoad64},
}

var storeOps = map[uint8][3]code.Op{
	1: {code.Store8, code.StoreX8, code.RefStore8}, 2: {code.Store16, code.StoreX16, code.RefStore16},
	4: {code.Store32, code.StoreX32, code.RefStore32}, 8: {code.Store64, code.StoreX64, code.RefStore64},
}

// loadAt reads width bytes (1, 2, 4 or 8), zero extended.
func (b *builder) loadAt(a addr, width uint8) reg {
	r := b.NewReg()
	b.access(loadOps[width], a, r)
	return r
}

// storeAt writes the low width bytes (1, 2, 4 or 8) of src.
func (b *builder) storeAt(a addr, width uint8, src operand) {
	b.access(storeOps[width], a, b.inReg(src))
}

// access emits a load into or a store of r: plain, indexed or with a liveness check.
func (b *builder) access(forms [3]code.Op, a addr, r reg) {
	if a.index != 0 {
		if packed, ok := packIndexed(a); ok {
			b.checkRef(a.ref)
			b.emit(forms[1], r, b.inReg(a.base), a.index, packed)
			return
		}
		a = addr{base: b.pointer(a)}
	}
	if a.ref != 0 && a.ref == a.base.Reg && !b.checked.has(a.ref) {
		b.emit(forms[2], r, a.ref, 0, uint64(a.off))
		b.checked.note(a.ref)
		return
	}
	b.checkRef(a.ref)
	if a.base.IsConst() { // a fixed address: the offset is all of it
		b.emit(forms[0], r, b.inReg(a.base), 0, uint64(a.off))
		return
	}
	b.emit(forms[0], r, a.base.Reg, 0, uint64(a.off))
}

// loadValue reads all scalars of a loadable value.
func (b *builder) loadValue(a addr, lay *abi.Layout) []operand {
	out := make([]operand, len(lay.Scalars))
	for i, s := range lay.Scalars {
		out[i] = b.loadAt(a.at(s.Offset), s.Width).Op()
	}
	return out
}

// storeValue writes all scalars of a loadable value.
func (b *builder) storeValue(a addr, lay *abi.Layout, ops []operand) {
	for i, s := range lay.Scalars {
		if i < len(ops) {
			b.storeAt(a.at(s.Offset), s.Width, ops[i])
		}
	}
}
