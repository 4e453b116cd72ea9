package lower

import (
	"math/rand"
	"testing"

	"silvm/vm/code"
	"silvm/vm/mir"
)

// A random function of MIR, run over virtual registers, and what the peepholes and register allocation make of it, run over
// physical ones, do the same: calls, stores, traps and results in the same order.
func TestPipelineKeepsMeaning(t *testing.T) {
	args := [][]uint64{{3, 1 << 40, 77}, {0, 1, 2}, {1<<63 - 1, 5, 1<<63 - 2}, {^uint64(0), 0, 9}}
	for seed := int64(0); seed < 1000; seed++ {
		for mode, pipeline := range []func(*builder) []*label{justOrder, allPeepholes} {
			b := randomMIR(rand.New(rand.NewSource(seed)))
			var want []string
			var endless []bool
			for _, a := range args {
				m := &machine{args: a}
				want, endless = append(want, m.run(b.Entry)), append(endless, m.endless)
			}
			order := pipeline(b)
			a, err := b.Allocate(order)
			if err != nil {
				t.Fatal(err)
			}
			a.Expand()
			for k := range args {
				m := &machine{args: args[k], physical: true}
				got, want := m.run(b.Entry), want[k]
				if m.endless || endless[k] {
					n := min(len(got), len(want))
					got, want = got[:n], want[:n]
				}
				if got != want {
					t.Fatalf("seed %d, pipeline %d, arguments %v: got\n%s\nwant\n%s", seed, mode, args[k], got, want)
				}
			}
		}
	}
}

// The register that breaks a cycle among a function's results is none of the results, however many there are: two arguments give
// back five words, the first two in exchange.
func TestScratchIsNoResult(t *testing.T) {
	p := &code.Program{Reasons: map[uint32]string{}}
	b := newBuilder(&Lowerer{Prog: p}, &code.Func{})
	x, y := b.param(0), b.param(1)
	b.Entry.Insts[0].Rets = b.Params
	b.ret(y.Op(), x.Op(), x.Op(), x.Op(), y.Op())
	order := mir.Linearize(b.Entry)
	if err := b.write(b.Allocate(order)); err != nil {
		t.Fatal(err)
	}
	regs := map[uint16]uint64{1: 10, 2: 20}
	for _, in := range p.Insts {
		switch in.Op {
		case code.Move:
			regs[in.A] = regs[in.B]
		case code.Move2:
			regs[in.A], regs[in.A+1] = regs[in.B], regs[in.B+1]
		case code.Return:
		default:
			t.Fatalf("unexpected %v", in.Op)
		}
	}
	for n, want := range []uint64{20, 10, 10, 10, 20} {
		if got := regs[uint16(n+1)]; got != want {
			t.Errorf("result %d is %d, want %d", n, got, want)
		}
	}
}

func justOrder(b *builder) []*label { return mir.Linearize(b.Entry) }

func allPeepholes(b *builder) []*label {
	return b.Improve()
}

// randomMIR makes a function of three arguments with loops, joins, block arguments, memory, calls and pairs. Each block reads what
// it defines itself and what blocks that dominate it define.
func randomMIR(rnd *rand.Rand) *builder {
	b := newBuilder(&Lowerer{Prog: &code.Program{Reasons: map[uint32]string{}}}, &code.Func{})
	for n := 0; n < 3; n++ {
		b.param(n)
	}
	b.Entry.Insts[0].Rets = b.Params
	blocks := make([]*label, 4+rnd.Intn(8))
	avail := make([][]reg, len(blocks)) // registers defined at the end of a block, or in blocks that dominate it
	for n := range blocks {
		blocks[n] = &label{}
		for k := 0; k < rnd.Intn(3); k++ {
			blocks[n].Params = append(blocks[n].Params, b.NewReg())
		}
	}
	b.jumpWith(rnd, blocks[0], b.Params)
	for n, l := range blocks {
		// The first half is a chain in which each block dominates the next; edges go back anywhere, or skip within the second
		// half, which reads only what the first block defines.
		b.cur = l
		known := append(append([]reg(nil), b.Params...), l.Params...)
		if n > 0 && n < len(blocks)/2 {
			known = append(known, avail[n-1]...)
		} else if n > 0 {
			known = append(known, avail[0]...)
		}
		for k := rnd.Intn(8); k > 0; k-- {
			known = append(known, randomInst(rnd, b, known)...)
		}
		avail[n] = known
		if n == len(blocks)-1 {
			b.ret(known[rnd.Intn(len(known))].Op(), known[rnd.Intn(len(known))].Op(), mir.Const(5))
			continue
		}
		next, other := blocks[n+1], blocks[rnd.Intn(n+1)]
		if n+1 >= len(blocks)/2 && rnd.Intn(2) == 0 {
			other = blocks[n+1+rnd.Intn(len(blocks)-n-1)]
		}
		if rnd.Intn(2) == 0 {
			next, other = other, next
		}
		x, y := b.newLabel(), b.newLabel()
		randomBranch(rnd, b, known, x, y)
		b.cur = x
		b.jumpWith(rnd, next, known)
		b.cur = y
		b.jumpWith(rnd, other, known)
	}
	return b
}

func randomBranch(rnd *rand.Rand, b *builder, known []reg, x, y *label) {
	pick := func() operand { return known[rnd.Intn(len(known))].Op() }
	switch rnd.Intn(4) {
	case 0:
		c := b.op2([]code.Op{code.CmpSlt, code.CmpSle, code.CmpEq, code.CmpUlt}[rnd.Intn(4)], pick(), smallOr(rnd, pick()))
		if rnd.Intn(2) == 0 {
			c = b.op2(code.Xor, c, mir.Const(1))
		}
		b.branchIf(c, x, y)
	case 1:
		b.branch(code.JumpEq, pick(), smallOr(rnd, pick()), x, y)
	case 2:
		b.branch(code.JumpSlt, pick(), smallOr(rnd, pick()), x, y)
	default:
		b.branchIf(pick(), x, y)
	}
}

func smallOr(rnd *rand.Rand, o operand) operand {
	if rnd.Intn(2) == 0 {
		return mir.Const(uint64(rnd.Intn(5)) - 1)
	}
	return o
}

// jumpWith ends the block with a jump that passes random registers and constants.
func (b *builder) jumpWith(rnd *rand.Rand, to *label, known []reg) {
	for _, p := range to.Params {
		src := known[rnd.Intn(len(known))].Op()
		if rnd.Intn(4) == 0 {
			src = mir.Const(uint64(rnd.Intn(100)))
		}
		b.cur.Moves = append(b.cur.Moves, move{Dst: p, Src: src})
	}
	b.jump(to)
}

func randomInst(rnd *rand.Rand, b *builder, known []reg) []reg {
	pick := func() reg { return known[rnd.Intn(len(known))] }
	one := func(o operand) []reg { return []reg{b.inReg(o)} }
	switch rnd.Intn(12) {
	case 0:
		r := b.NewPair()
		b.emit(code.SaddO, r, pick(), b.inReg(smallOr(rnd, pick().Op())), 0)
		if rnd.Intn(3) > 0 {
			b.emit(code.TrapIf, r+1, 0, 0, 0)
		}
		return []reg{r, r + 1}
	case 1, 2:
		var args []operand
		for n := rnd.Intn(4); n > 0; n-- {
			args = append(args, pick().Op())
		}
		if rnd.Intn(2) == 0 {
			args = append(args, mir.Const(9))
		}
		return b.call(rnd.Intn(5), args, rnd.Intn(3))
	case 3:
		return one(mir.Const(uint64(rnd.Intn(1000))))
	case 4:
		r := b.NewReg()
		b.emit(code.Move, r, pick(), 0, 0)
		return []reg{r}
	case 5:
		return one(b.op2(code.Add, pick().Op(), mir.Const(1)))
	case 6:
		c := b.op2([]code.Op{code.CmpSlt, code.CmpSle}[rnd.Intn(2)], pick().Op(), smallOr(rnd, pick().Op()))
		if !c.IsConst() {
			b.emit(code.TrapIf, c.Reg, 0, 0, 0)
		}
		return nil
	case 7:
		return one(b.op2([]code.Op{code.And, code.Lshr, code.Or}[rnd.Intn(3)], pick().Op(), mir.Const(uint64(rnd.Intn(3)+1))))
	case 8:
		return []reg{b.loadAt(randomAddress(rnd, pick), 8)}
	case 9:
		b.storeAt(randomAddress(rnd, pick), 8, pick().Op())
		return nil
	case 10:
		return ops2regs(b, b.op2(code.SaddT, pick().Op(), smallOr(rnd, pick().Op())))
	}
	return one(b.op2(code.Add, pick().Op(), pick().Op()))
}

func ops2regs(b *builder, o operand) []reg { return []reg{b.inReg(o)} }

// randomAddress returns an address that may be the same as another one, or a neighbour of it.
func randomAddress(rnd *rand.Rand, pick func() reg) addr {
	a := addr{base: pick().Op(), off: int64(8 * rnd.Intn(3))}
	if rnd.Intn(3) == 0 {
		a.index, a.stride = pick(), 8
	}
	return a
}
