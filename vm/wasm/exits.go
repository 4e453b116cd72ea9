package wasm

// exits is a group of branches to one place, which follows what is skipped. Each has a block of its own to go to: the compiler fuses a
// comparison with a branch where that is the only way to its block, and computes a word of 1 or 0 first where it is not.
type exits struct {
	base int // depth around the blocks
	n    int // blocks
	used int
}

// openExits begins the code that has up to n exits.
func (w *writer) openExits(n int) *exits {
	e := &exits{base: w.depth(), n: n}
	for range n {
		w.begin(opBlock, noResult)
	}
	return e
}

// exitIf leaves by an exit when the i32 on the stack is not 0.
func (w *writer) exitIf(e *exits) {
	w.to(opBrIf, e.base+e.n-e.used)
	e.used = min(e.used+1, e.n-1)
}

// closeExits ends the code that has exits, which lead here.
func (w *writer) closeExits(e *exits) {
	for w.depth() > e.base+1 {
		w.op(opEnd)
		w.to(opBr, e.base+1)
	}
	w.op(opEnd)
}

// to writes a branch to the end of the block at a depth.
func (w *writer) to(o op, depth int) { w.with(o, w.depth()-depth) }

// probe has the compiler check that n bytes from the one that a local with an i32 says are in memory. It checks no access again that lies within,
// as long as the local is not assigned, and drops the load.
func (w *writer) probe(local int, n uint64) {
	w.get(local)
	w.mem(i32Load8u, n-1)
	w.op(opDrop)
}

func (g *fn) openExits(n int) *exits {
	for range n {
		g.enter(scopePlain, -1)
	}
	return g.w.openExits(n)
}

func (g *fn) closeExits(e *exits) {
	g.w.closeExits(e)
	g.scopes = g.scopes[:len(g.scopes)-e.n]
}
