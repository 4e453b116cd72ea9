package lower

import (
	"silvm/ir"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// The lowering for tools. Before each SIL instruction that counts a step stands a boundary, a Steps of one: a run that was
// granted n steps stops after boundary n+1, and the pc before its own says where it is. Nothing is joined, moved or dropped, and
// each virtual register has a physical one of its own, so that every value of the function can be shown until its frame goes.

// boundary puts a boundary before the instruction that is about to be lowered. Blocks count nothing at their end then.
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

// note makes a block note what it counts and what it stores. A boundary notes the first store of its instruction, and those next to it, if
// the registers of its address are set there already; before every other store stands a note that is no boundary.
func (b *builder) note(l *mir.Label) {
	var out []minst
	bound := -1 // the boundary of this instruction
	set := map[reg]bool{}
	for _, i := range l.Insts {
		if o := noted[i.Op]; o != 0 {
			i.Op = o
		}
		switch n, ok := b.storeNote(&out, &i); {
		case i.Op == code.Steps:
			bound = len(out)
			clear(set)
		case !ok:
		case bound >= 0 && !set[n.A] && !set[n.B] && merge(&out[bound], n):
		default:
			out = append(out, n)
		}
		i.EachDef(func(r reg) { set[r] = true })
		out = append(out, i)
	}
	l.Insts = out
}

// storeNote is the note for a store; ok is false for other operations.
func (b *builder) storeNote(out *[]minst, i *minst) (n minst, ok bool) {
	size, ok := storeSizes[i.Op]
	if !ok {
		return n, false
	}
	n = minst{Op: code.Writes, A: i.B, At: i.At}
	off, stride := i.Imm, uint64(0)
	if i.Op >= code.StoreX8 && i.Op <= code.StoreX64 {
		n.B, off, stride = i.C, uint64(int64(int32(i.Imm))), i.Imm>>32
	}
	if off != uint64(int64(int32(off))) || stride >= 1<<16 { // the address has no room in a note
		at := b.NewReg()
		sum := minst{Op: code.AddI, A: at, B: i.B, Imm: off, At: i.At}
		if stride > 0 {
			sum = minst{Op: code.AddX, A: at, B: i.B, C: i.C, Imm: i.Imm, At: i.At}
		}
		*out = append(*out, sum)
		n.A, n.B, off, stride = at, 0, 0, 0
	}
	n.Imm = code.WritesImm(int32(off), size, stride)
	return n, true
}

var storeSizes = map[code.Op]uint64{
	code.Store8: 1, code.Store16: 2, code.Store32: 4, code.Store64: 8, code.Store64x2: 16,
	code.StoreX8: 1, code.StoreX16: 2, code.StoreX32: 4, code.StoreX64: 8,
	code.RefStore8: 1, code.RefStore16: 2, code.RefStore32: 4, code.RefStore64: 8,
}

// merge makes a boundary note a store beside what it notes already, if that is near.
func merge(bound *minst, n minst) bool {
	if bound.Op == code.Steps {
		bound.Op, bound.A, bound.B, bound.Imm = code.Writes, n.A, n.B, n.Imm
		return true
	}
	const near = 128
	a, s := bound.Imm, n.Imm
	from, to := min(int64(int32(a)), int64(int32(s))), max(int64(int32(a))+int64(a>>32&0xffff), int64(int32(s))+int64(s>>32&0xffff))
	if bound.A != n.A || bound.B != n.B || a>>48 != s>>48 || to-from > near {
		return false
	}
	bound.Imm = code.WritesImm(int32(from), uint64(to-from), a>>48)
	return true
}

// finishForTools is finish for this lowering.
func (b *builder) finishForTools() error {
	b.f.Bounds = b.f.Bounds[:0]
	order := mir.Linearize(b.Entry)
	for _, l := range order {
		b.note(l)
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
