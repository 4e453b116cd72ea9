package wasm

// bits is a set of registers.
type bits []uint64

func (b bits) has(r uint16) bool { return b[r>>6]>>(r&63)&1 != 0 }
func (b bits) add(r uint16)      { b[r>>6] |= 1 << (r & 63) }
func (b bits) drop(r uint16)     { b[r>>6] &^= 1 << (r & 63) }

// each calls f with the members, ascending.
func (b bits) each(f func(r uint16)) {
	for k, w := range b {
		for ; w != 0; w &= w - 1 {
			f(uint16(k<<6 + trailingZeros(w)))
		}
	}
}

// liveness finds the registers that are alive at the start of each block.
func (g *fn) liveness() {
	words := (g.nregs + 63) / 64
	reads, kills := make([]bits, len(g.blocks)), make([]bits, len(g.blocks))
	all := make([]uint64, 3*words*len(g.blocks))
	take := func() bits {
		b := bits(all[:words:words])
		all = all[words:]
		return b
	}
	for n := range g.blocks {
		b := &g.blocks[n]
		b.live, reads[n], kills[n] = take(), take(), take()
		b.passes.each(func(dst, src uint16) { kills[n].add(dst); reads[n].add(src) })
		for pc := b.end; pc > b.start; pc-- {
			g.writes(b, pc-1, func(r uint16) { kills[n].add(r); reads[n].drop(r) })
			g.reads(b, pc-1, func(r uint16) { reads[n].add(r) })
		}
		if b.exit != nil {
			for _, r := range b.exit.Regs {
				reads[n].add(r)
			}
		}
		copy(b.live, reads[n])
	}
	for changed := true; changed; {
		changed = false
		for k := len(g.order) - 1; k >= 0; k-- {
			n := g.order[k]
			b := &g.blocks[n]
			for _, s := range b.succs {
				for w, out := range g.blocks[s].live {
					if x := b.live[w] | out&^kills[n][w]; x != b.live[w] {
						b.live[w], changed = x, true
					}
				}
			}
		}
	}
}
