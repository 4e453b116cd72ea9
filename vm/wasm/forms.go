package wasm

import (
	mathbits "math/bits"

	"silvm/vm/code"
)

func trailingZeros(w uint64) int { return mathbits.TrailingZeros64(w) }

// form says in which locals the value of a register is: as an integer, as a float of 64 bits, or in both.
type form uint8

const (
	formInt   form = 1
	formFloat form = 2
)

// maxForms bounds the work on forms: a function whose blocks and registers are more, multiplied, keeps floats in integer locals.
const maxForms = 1 << 22

// maxRounds is how often the blocks are gone through before findForms stops.
const maxRounds = 100

// findForms chooses the forms that registers have at the start of each block, when the function computes with floats at all. A value gets
// the form that its instruction makes; where paths meet, a form that all of them have, else the integer.
func (g *fn) findForms() {
	if !g.floats || len(g.blocks)*g.nregs > maxForms {
		g.floats = false
		return
	}
	all := make([]form, 2*len(g.blocks)*g.nregs)
	for n := range g.blocks {
		b := &g.blocks[n]
		b.in, all = all[:g.nregs:g.nregs], all[g.nregs:]
		b.out, all = all[:g.nregs:g.nregs], all[g.nregs:]
	}
	done := make([]bool, len(g.blocks))
	now := make([]form, g.nregs)
	for round, changed := 0, true; changed; round++ {
		if round == maxRounds {
			g.floats = false
			return
		}
		changed = false
		for k, n := range g.order {
			b := &g.blocks[n]
			b.live.each(func(r uint16) {
				v := formInt | formFloat
				if k == 0 {
					v = formInt
				}
				for _, p := range b.preds {
					if done[p] {
						v &= g.blocks[p].out[r]
					}
				}
				b.in[r] = max(v, formInt)
			})
			copy(now, b.in)
			for r := range now {
				now[r] = max(now[r], formInt)
			}
			for pc := b.start; pc < b.end; pc++ {
				g.advance(b, pc, now)
			}
			b.passes.each(func(dst, src uint16) { now[dst] = now[src] })
			same := done[n]
			for r, v := range now {
				if b.out[r] != v {
					b.out[r], same = v, false
				}
			}
			if !same {
				done[n], changed = true, true
			}
		}
	}
}

// computes reports whether an instruction takes its operands, and returns its result, as floats.
func computes(in code.Inst) (floatIn, floatOut bool) {
	if _, ok := math64[code.MathFunc(in.Imm)]; in.Op == code.FmathUnary64 && !ok {
		return false, false
	}
	w := &ways[in.Op]
	return w.floatIn, w.floatOut
}

// stores reports whether an instruction does no more with register r than store it, in either form.
func stores(in code.Inst, r uint16) bool {
	return ways[in.Op].stores && in.B != r && in.C != r && (in.A == r || in.Op == code.Store64x2 && in.A+1 == r)
}

// advance changes the forms as the instruction at pc does.
func (g *fn) advance(b *block, pc uint32, now []form) {
	in := b.inst(pc)
	switch in.Op {
	case code.Move:
		now[in.A] = now[in.B]
		return
	case code.Move2:
		now[in.A], now[in.A+1] = formInt, formInt
		now[in.B], now[in.B+1] = now[in.B]|formInt, now[in.B+1]|formInt
		return
	}
	w := &ways[in.Op]
	floatIn, floatOut := computes(in)
	g.reads(b, pc, func(r uint16) {
		switch {
		case floatIn:
			now[r] |= formFloat
		case !stores(in, r):
			now[r] |= formInt
		}
	})
	g.writes(b, pc, func(r uint16) {
		switch {
		case floatOut:
			now[r] = formFloat
		case w.loads:
			now[r] = g.wanted(b, pc, r)
		default:
			now[r] = formInt
		}
	})
}

// wanted says in which form the value that the instruction at pc puts into r is used, as far as its block shows.
func (g *fn) wanted(b *block, pc uint32, r uint16) form {
	if !g.floats {
		return formInt
	}
	for pc++; pc < b.end; pc++ {
		in := b.inst(pc)
		if in.Op == code.Move && in.B == r {
			return formInt | formFloat
		}
		used, again := false, false
		g.reads(b, pc, func(x uint16) { used = used || x == r })
		if used && !stores(in, r) {
			if floatIn, _ := computes(in); floatIn {
				return formFloat
			}
			return formInt
		}
		g.writes(b, pc, func(x uint16) { again = again || x == r })
		if again {
			return formInt
		}
	}
	for _, s := range b.succs {
		if g.blocks[s].live.has(r) {
			return formInt | formFloat
		}
	}
	return formInt
}

// settleForms brings the registers that are live-out of b into the forms that its successors want.
func (g *fn) settleForms(b *block) {
	if !g.floats {
		return
	}
	for _, s := range b.succs {
		to := &g.blocks[s]
		to.live.each(func(r uint16) {
			switch need := to.in[r] &^ g.now[r]; {
			case need&formInt != 0:
				g.settle(r)
			case need&formFloat != 0:
				g.w.get(g.int(r))
				g.w.op(f64ReinterpretI64)
				g.w.set(g.float(r))
				g.now[r] |= formFloat
			}
		})
	}
}
