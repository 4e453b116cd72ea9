package lower

import (
	"fmt"
	"math/rand"
	"testing"

	"silvm/vm/code"
)

// A random program of MIR, run over virtual registers, and what becomes of it, run over physical ones, do the same.
func TestAllocationKeepsMeaning(t *testing.T) {
	for seed := int64(0); seed < 400; seed++ {
		b := randomMIR(rand.New(rand.NewSource(seed)))
		args := []uint64{3, 1 << 40, 77}
		want := runMIR(b.entry, args, func(r reg) reg { return r }, false)
		order := linearize(b.entry)
		if seed%2 == 1 {
			b.fuse(order)
			b.removeDead(order)
		}
		a, err := b.allocate(order)
		if err != nil {
			t.Fatal(err)
		}
		a.expand()
		got := runMIR(b.entry, args, nil, true)
		if got != want {
			t.Fatalf("seed %d: got %s, want %s", seed, got, want)
		}
	}
}

// randomMIR makes a function of three arguments with loops, joins, block arguments, calls and pairs. Each block defines some
// registers from those that dominate it, so every use has a definition.
func randomMIR(rnd *rand.Rand) *builder {
	f := &code.Func{}
	b := newBuilder(&Lowerer{Prog: &code.Program{Reasons: map[uint32]string{}}}, f)
	for n := 0; n < 3; n++ {
		b.param(n)
	}
	b.entry.insts[0].rets = b.params
	blocks := make([]*label, 4+rnd.Intn(8))
	avail := make([][]reg, len(blocks)) // registers defined at the end of a block, or in blocks that dominate it
	for n := range blocks {
		blocks[n] = &label{index: -1}
		for k := 0; k < rnd.Intn(3); k++ {
			blocks[n].params = append(blocks[n].params, b.newReg())
		}
	}
	b.jumpWith(rnd, blocks[0], b.params)
	for n, l := range blocks {
		// The blocks form a chain in which each one dominates the next; further edges go anywhere back, or skip to a block
		// of the tail, which uses only what the first block defines.
		b.cur = l
		known := append([]reg(nil), b.params...)
		known = append(known, l.params...)
		if n > 0 && n < len(blocks)/2 {
			known = append(known, avail[n-1]...)
		} else if n > 0 {
			known = append(known, avail[0]...)
		}
		for k := rnd.Intn(6); k > 0; k-- {
			known = append(known, randomInst(rnd, b, known)...)
		}
		avail[n] = known
		if n == len(blocks)-1 {
			b.ret(known[rnd.Intn(len(known))].op(), known[rnd.Intn(len(known))].op(), con(5))
			continue
		}
		next := blocks[n+1]
		other := blocks[rnd.Intn(n+1)]
		if n+1 >= len(blocks)/2 && rnd.Intn(2) == 0 {
			other = blocks[n+1+rnd.Intn(len(blocks)-n-1)]
		}
		if other.params == nil && next.params == nil {
			b.branch(code.JumpUlt, known[rnd.Intn(len(known))].op(), known[rnd.Intn(len(known))].op(), next, other)
			continue
		}
		x, y := b.newLabel(), b.newLabel()
		b.branchIf(known[rnd.Intn(len(known))].op(), x, y)
		b.cur = x
		b.jumpWith(rnd, next, known)
		b.cur = y
		b.jumpWith(rnd, other, known)
	}
	return b
}

// jumpWith ends the block with a jump that passes random registers and constants.
func (b *builder) jumpWith(rnd *rand.Rand, to *label, known []reg) {
	for _, p := range to.params {
		src := known[rnd.Intn(len(known))].op()
		if rnd.Intn(4) == 0 {
			src = con(uint64(rnd.Intn(100)))
		}
		b.cur.moves = append(b.cur.moves, move{p, src})
	}
	b.jump(to)
}

func randomInst(rnd *rand.Rand, b *builder, known []reg) []reg {
	pick := func() reg { return known[rnd.Intn(len(known))] }
	switch rnd.Intn(6) {
	case 0:
		r := b.newPair()
		b.emit(code.SaddO, r, pick(), pick(), 0)
		return []reg{r, r + 1}
	case 1, 2:
		var args []operand
		for n := rnd.Intn(4); n > 0; n-- {
			args = append(args, pick().op())
		}
		if rnd.Intn(2) == 0 {
			args = append(args, con(9))
		}
		return b.call(rnd.Intn(5), args, rnd.Intn(3))
	case 3:
		r := b.newReg()
		b.emit(code.LoadImm, r, 0, 0, uint64(rnd.Intn(1000)))
		return []reg{r}
	case 4:
		r := b.newReg()
		b.emit(code.Move, r, pick(), 0, 0)
		return []reg{r}
	}
	r := b.newReg()
	b.emit(code.Add, r, pick(), pick(), 0)
	return []reg{r}
}

// runMIR runs MIR for up to a thousand blocks and gives the calls and results as text. With physical, registers are physical ones
// and what a call leaves above the frame is garbage.
func runMIR(entry *label, args []uint64, _ func(reg) reg, physical bool) string {
	r := map[reg]uint64{}
	for k, a := range args {
		r[reg(k+1)] = a
	}
	log := ""
	for l, n := entry, 0; n < 1000; n++ {
		for k := range l.insts {
			i := &l.insts[k]
			switch i.op {
			case opArgs:
				for k, p := range i.rets {
					r[p] = args[k]
				}
			case code.LoadImm:
				r[i.a] = i.imm
			case code.Move:
				r[i.a] = r[i.b]
			case code.Move2:
				r[i.a], r[i.a+1] = r[i.b], r[i.b+1]
			case code.Add:
				r[i.a] = r[i.b] + r[i.c]
			case code.AddI:
				r[i.a] = r[i.b] + i.imm
			case code.SaddO:
				s := r[i.b] + r[i.c]
				over := s < r[i.b]
				r[i.a], r[i.a+1] = s, flag(over)
			case code.Call:
				log += runCall(i, r, physical)
			case code.Return:
				log += "return"
				for k, a := range i.args {
					v := value64(r, a)
					if physical {
						v = r[reg(k+1)]
					}
					log += fmt.Sprint(" ", v)
				}
				return log
			}
		}
		l = follow(l, r)
	}
	return log
}

// runCall does a call: it logs the arguments and gives results that depend on them.
func runCall(i *minst, r map[reg]uint64, physical bool) string {
	log := fmt.Sprint("call ", i.imm)
	sum := i.imm
	for k, a := range i.args {
		v := value64(r, a)
		if physical {
			v = r[outSlot+reg(k+1)]
		}
		log += fmt.Sprint(" ", v)
		sum = sum*31 + v
	}
	if physical {
		for k := reg(1); k < 12; k++ {
			r[outSlot+k] = 0xdead
		}
	}
	for k, res := range i.rets {
		if physical {
			res = outSlot + reg(k+1)
		}
		r[res] = sum + uint64(k)
	}
	return log + "\n"
}

func value64(r map[reg]uint64, o operand) uint64 {
	if o.isConst() {
		return o.imm
	}
	return r[o.reg]
}

// follow gives the next block; over virtual registers it does the parallel moves.
func follow(l *label, r map[reg]uint64) *label {
	t := l.term()
	taken := true
	switch t.op {
	case code.Jump:
		values := make([]uint64, len(l.moves))
		for k, m := range l.moves {
			values[k] = value64(r, m.src)
		}
		for k, m := range l.moves {
			r[m.dst] = values[k]
		}
	case code.JumpIf:
		taken = r[t.a] != 0
	case code.JumpUlt:
		taken = r[t.a] < r[t.b]
	}
	if taken {
		return l.succs[0]
	}
	return l.succs[1]
}
