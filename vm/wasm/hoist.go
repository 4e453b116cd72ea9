package wasm

import "silvm/vm/code"

// What a loop checks each time that it comes round of registers that it does not set is checked once, before it: as far as its first
// block does so, which runs whenever the loop is entered. Checks may move across anything, since a trap has the program run again.

// beforeLoop writes the checks of the loop that begins with block n, and leaves as known what stays true all through it.
func (g *fn) beforeLoop(n int) {
	if len(g.blocks) > maxBlocks {
		g.unknown()
		return
	}
	written := make(bits, (g.nregs+63)/64)
	for k := range g.body(n) {
		for i, w := range g.blocks[k].writes {
			written[i] |= w
		}
	}
	g.hoist(&g.blocks[n], written)
	before := g.facts.clone()
	g.unknown()
	g.with(&before, written.has)
	for k := range g.addrs {
		g.addrs[k].probed = nil // the compiler forgets what it knows where a loop begins
	}
}

// hoist writes the checks of the first block of a loop that are about registers that are not written in it.
func (g *fn) hoist(b *block, written bits) {
	in, at := g.in, g.at
	defer func() { g.in, g.at = in, at }()
	g.in = b
	if g.floats {
		g.formsAt(b)
	}
	g.at = b.start
	g.aliveBefore(b.n)
	within := map[uint16]bool{} // indexes that were compared with how many there are
	fixed := func(r uint16) bool { return r != 0 && !written.has(r) }
	for g.at = b.start; g.at < min(b.end, b.start+ahead); g.at++ {
		in := b.inst(g.at)
		switch in.Op {
		case code.TrapOut:
			if fixed(in.B) {
				g.boundOnce(in)
			}
			within[in.A] = true
		case code.TrapIndex:
			within[in.A] = true
		case code.AddX:
			if fixed(in.B) && within[in.C] {
				g.address(in.B, 0, 0, 0, nil)
			}
		}
		switch a, size := extent(in); {
		case size == 0 || !fixed(a.base) || a.off < 0:
		case a.index == 0:
			g.address(a.base, 0, 0, a.off, nil)
		case within[a.index]:
			g.address(a.base, 0, 0, 0, nil)
		}
	}
}
