package lower

import (
	"silvm/ir"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// The lowering for tools. In front of each SIL instruction that counts a step stands a boundary, a Steps of one: a run that was
// granted n steps stops behind boundary n+1, and the pc before its own says where it is. Nothing is joined, moved or dropped, and
// each virtual register has a physical one of its own, so that every value of the function can be shown until its frame goes.

// boundary puts a boundary in front of the instruction that is about to be lowered. Blocks count nothing at their end then.
func (b *builder) boundary(block *ir.Block) {
	if b.cur == nil {
		return
	}
	b.cur.Steps = 0
	if blockSteps(block, 1) > 0 {
		b.add(minst{Op: code.Steps, KC: 1})
	}
}

// noted are the operations that take the place of others.
var noted = map[code.Op]code.Op{code.Retain: code.RetainNoted, code.Release: code.ReleaseNoted}

// finishForTools is finish for this lowering.
func (b *builder) finishForTools() error {
	b.f.Bounds = b.f.Bounds[:0]
	order := mir.Linearize(b.Entry)
	for _, l := range order {
		for k := range l.Insts {
			if i := &l.Insts[k]; noted[i.Op] != 0 {
				i.Op = noted[i.Op]
			}
		}
	}
	a := b.AllocateApart(order)
	if a == nil {
		return b.write(b.Allocate(order))
	}
	b.locate(a)
	return b.write(a, nil)
}

// locate notes where the values of the function are.
func (b *builder) locate(a *mir.Allocation) {
	if b.fn == nil {
		return
	}
	part := func(o operand) code.Part {
		if o.Reg == 0 {
			return code.Part{Imm: o.Imm}
		}
		return code.Part{Reg: a.Register(o.Reg)}
	}
	b.f.Values = make(map[*ir.Value]code.Location, len(b.values))
	for v, x := range b.values {
		l := code.Location{IsAddress: x.isAddr}
		if x.isAddr {
			l.Base, l.Index = part(x.addr.base), part(operand{Reg: x.addr.index})
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
