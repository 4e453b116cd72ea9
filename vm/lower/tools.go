package lower

import (
	"silvm/ir"
	"silvm/vm/code"
)

// The lowering for tools. In front of each SIL instruction that counts a step stands a boundary, a Steps of one: a run that was
// granted n steps stops behind boundary n+1, and the pc before its own says where it is. Nothing is joined, moved or dropped, and
// each virtual register has a physical one of its own, so that every value of the function can be shown until its frame goes.

// boundary puts a boundary in front of the instruction that is about to be lowered. Blocks count nothing at their end then.
func (b *builder) boundary(block *ir.Block) {
	if b.cur == nil {
		return
	}
	b.cur.steps = 0
	if blockSteps(block, 1) > 0 {
		b.add(minst{op: code.Steps, kc: 1})
	}
}

// finishForTools is finish for this lowering.
func (b *builder) finishForTools() error {
	b.f.Bounds = b.f.Bounds[:0]
	return b.write(linearize(b.entry), func(order []*label) (*allocator, error) {
		if len(b.params)+int(b.nregs) >= code.MaxReg/2 {
			return b.allocate(order)
		}
		a := b.allocateApart()
		a.order = order
		e := order[0]
		e.insts = append(e.insts[:1:1], append([]minst{{op: code.ClearRegs, kb: uint16(len(b.params) + 1)}}, e.insts[1:]...)...)
		b.locate(a)
		return a, nil
	})
}

// allocateApart gives each virtual register a physical one of its own, alive throughout.
func (b *builder) allocateApart() *allocator {
	n := int(b.nregs) + 2
	a := &allocator{b: b, start: make([]int32, n), end: make([]int32, n), phys: make([]reg, n)}
	for k, p := range b.params {
		a.phys[p] = reg(k + 1)
	}
	next := reg(len(b.params) + 1)
	for r := reg(1); int(r) < n-1; r++ {
		a.end[r] = 1<<31 - 1
		if a.phys[r] == 0 {
			a.phys[r] = next
			next++
		}
	}
	a.busy = make([]int32, next)
	return a
}

// locate notes where the values of the function are.
func (b *builder) locate(a *allocator) {
	if b.fn == nil {
		return
	}
	part := func(o operand) code.Part {
		if o.reg == 0 {
			return code.Part{Imm: o.imm}
		}
		return code.Part{Reg: uint16(a.phys[o.reg])}
	}
	b.f.Values = make(map[*ir.Value]code.Location, len(b.values))
	for v, x := range b.values {
		l := code.Location{IsAddress: x.isAddr}
		if x.isAddr {
			l.Base, l.Index = part(x.addr.base), part(operand{reg: x.addr.index})
			l.Stride, l.Off = x.addr.stride, x.addr.off
		}
		for _, o := range x.ops {
			l.Parts = append(l.Parts, part(o))
		}
		if x.callee != nil {
			l.Callee = x.callee.String()
		}
		b.f.Values[v] = l
	}
}

// String names what the callee is.
func (c *callee) String() string {
	switch {
	case c.fn != nil:
		return "@" + c.fn.Name
	case c.key != "":
		return c.key
	case c.kind == calleeWitness && c.on != nil:
		return "a witness of " + c.on.String()
	}
	return "a method"
}
