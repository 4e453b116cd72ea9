package wasm

import (
	"slices"

	"silvm/heap"
	"silvm/vm/code"
)

// fn is a function while it is translated.
type fn struct {
	*translator
	f     *code.Func
	sig   *signature
	nregs int
	grown int // instructions of callees that stand in the places of calls
	// Control flow, see cfg.go.
	blocks      []block
	first       int   // the block that the function begins with
	order       []int // of the blocks, in reverse postorder
	irreducible bool
	odd         int   // a block of a cycle with several entries, if it is
	floats      bool  // registers have forms
	within      *Loop // the loop that is translated, nil for a whole function
	exits       []*Exit

	w      writer
	params []uint16  // registers whose values the function gets
	locals []valtype // behind the parameters
	ints   []int32   // local of a register, by register, 0 for none yet
	flts   []int32

	// While code is written.
	at      uint32 // the instruction
	in      *block // and its block
	zero    int    // local that is 0 throughout, -1 for none yet
	scopes  []scope
	state   int // local that says where the dispatch loop goes, -1 in structured code
	traps   int // so far
	calls   int // local with what globalCalls was when the function began, -1 for none
	now     []form
	addrs   []address
	aliases []alias
	alive   []uint16 // registers that refer to objects that are known to be alive
	counts  []uint16 // registers that are known to be no negative numbers
}

// scope is a block, loop or if that is open.
type scope struct {
	kind  scopeKind
	block int // where a branch to it leads
}

type scopeKind uint8

const (
	scopePlain    scopeKind = iota // inside the code of one instruction
	scopeFollowed                  // what follows its end is a basic block
	scopeLoop
	scopeDispatch
)

func (b *block) inst(pc uint32) code.Inst { return b.frame.insts[pc-b.frame.f.Entry] }

// local makes a local.
func (g *fn) local(t valtype) int {
	g.locals = append(g.locals, t)
	return len(g.params) + len(g.locals) - 1
}

// int returns the local that holds register r as an integer.
func (g *fn) int(r uint16) int {
	if g.ints[r] == 0 {
		g.ints[r] = int32(g.local(i64)) + 1
	}
	return int(g.ints[r]) - 1
}

// float returns the local that holds register r as a float.
func (g *fn) float(r uint16) int {
	if g.flts[r] == 0 {
		g.flts[r] = int32(g.local(f64)) + 1
	}
	return int(g.flts[r]) - 1
}

// settle makes the integer form of r valid.
func (g *fn) settle(r uint16) {
	if g.now[r]&formInt == 0 {
		g.w.get(g.float(r))
		g.w.op(i64ReinterpretF64)
		g.w.set(g.int(r))
		g.now[r] |= formInt
	}
}

// get pushes register r as an integer.
func (g *fn) get(r uint16) {
	g.settle(r)
	g.w.get(g.int(r))
}

// getFloat pushes register r as a float of 64 bits.
func (g *fn) getFloat(r uint16) {
	if g.now[r]&formFloat != 0 {
		g.w.get(g.float(r))
		return
	}
	g.w.get(g.int(r))
	g.w.op(f64ReinterpretI64)
	if g.floats {
		g.w.tee(g.float(r))
		g.now[r] |= formFloat
	}
}

// getFloat32 pushes the low half of register r as a float.
func (g *fn) getFloat32(r uint16) {
	g.get(r)
	g.w.op(i32WrapI64, f32ReinterpretI32)
}

// set pops an integer into register r.
func (g *fn) set(r uint16) {
	g.w.set(g.int(r))
	g.assigned(r)
}

// setFloat pops a float into register r.
func (g *fn) setFloat(r uint16) {
	if !g.floats {
		g.w.op(i64ReinterpretF64)
		g.set(r)
		return
	}
	g.w.set(g.float(r))
	g.forget(r)
	g.now[r] = formFloat
}

// setFloat32 pops a float of 32 bits into register r.
func (g *fn) setFloat32(r uint16) {
	g.w.op(i32ReinterpretF32, i64ExtendI32U)
	g.set(r)
}

// assigned notes that the integer local of r has a new value.
func (g *fn) assigned(r uint16) {
	g.forget(r)
	g.now[r] = formInt
}

func (g *fn) enter(kind scopeKind, block int) { g.scopes = append(g.scopes, scope{kind, block}) }

func (g *fn) openBlock() int {
	g.w.begin(opBlock, noResult)
	g.enter(scopePlain, -1)
	return len(g.scopes) - 1
}

func (g *fn) openIf() {
	g.w.begin(opIf, noResult)
	g.enter(scopePlain, -1)
}

func (g *fn) end() {
	g.w.op(opEnd)
	g.scopes = g.scopes[:len(g.scopes)-1]
}

func (g *fn) br(scope int) { g.w.with(opBr, len(g.scopes)-1-scope) }

// trapIf traps when the i32 on the stack is not 0: by a branch to a block of its own around the function, which the compiler puts out
// of the way.
func (g *fn) trapIf() {
	g.w.with(opBrIf, len(g.scopes)+g.traps)
	if g.traps < maxTraps-1 {
		g.traps++
	}
}

// maxTraps is how many blocks a function has for traps; the last one is shared.
const maxTraps = 1000

// finish returns the body of the function.
func (g *fn) finish() []byte {
	var w writer
	n := g.traps + 1
	for range n {
		w.begin(opBlock, noResult)
	}
	w.b = append(w.b, g.w.b...)
	for range n {
		w.op(opEnd, opUnreachable)
	}
	w.op(opEnd)
	return body(g.locals, w.b)
}

// address is a checked address in a local: that of Base + Index*Stride + Off, as an offset into linear memory below 2 GiB.
type address struct {
	alias
	local int
}

// alias is an address in terms of registers; of is the register that holds it.
type alias struct {
	of, base, index uint16
	stride          uint64
	off             int64
}

// forget drops the facts about register r.
func (g *fn) forget(r uint16) {
	g.alive = slices.DeleteFunc(g.alive, func(x uint16) bool { return x == r })
	g.counts = slices.DeleteFunc(g.counts, func(x uint16) bool { return x == r })
	n := 0
	for _, a := range g.addrs {
		if a.base != r && a.index != r {
			g.addrs[n] = a
			n++
		}
	}
	g.addrs = g.addrs[:n]
	n = 0
	for _, a := range g.aliases {
		if a.of != r && a.base != r && a.index != r {
			g.aliases[n] = a
			n++
		}
	}
	g.aliases = g.aliases[:n]
}

// maxOffset bounds the constant offset of an access.
const maxOffset = 1 << 30

// address checks an address and returns the local with its offset into linear memory, and what an access through it adds. slow has
// the exit to take when the address can't be one; without it that traps.
func (g *fn) address(base, index uint16, stride uint64, off int64, slow *exits) (local int, plus uint64) {
	if index == 0 && slow == nil {
		for _, a := range g.aliases {
			if a.of == base && a.off+off >= 0 {
				base, index, stride, off = a.base, a.index, a.stride, a.off+off
				break
			}
		}
	}
	key := alias{base: base, index: index, stride: stride}
	plus = Linear
	if off >= 0 && off < maxOffset {
		plus += uint64(off)
	} else {
		key.off = off
	}
	for _, a := range g.addrs {
		if a.alias == key {
			g.w.again(a.local)
			return a.local, plus
		}
	}
	g.get(base)
	if index != 0 {
		g.get(index)
		g.scale(stride)
		g.w.op(i64Add)
	}
	g.add(key.off - heap.Base)
	t, l := g.local(i64), g.local(i32)
	g.w.tee(t)
	g.w.i64(1<<31 - 1)
	g.w.op(i64GtU)
	if slow != nil {
		g.w.exitIf(slow)
	} else {
		g.trapIf()
	}
	g.w.get(t)
	g.w.op(i32WrapI64)
	g.w.set(l)
	if slow == nil {
		g.addrs = append(g.addrs, address{key, l})
		g.probeAhead(key, l)
	}
	return l, plus
}

// ahead is how many instructions probeAhead looks at, and reachAhead how far from the address their accesses may end.
const (
	ahead      = 64
	reachAhead = 4096
)

// probeAhead probes for what the rest of the block accesses through an address of which local l has just been made, so that one check does for
// all of it.
func (g *fn) probeAhead(key alias, l int) {
	if key.index != 0 || key.off != 0 || g.in == nil {
		return
	}
	reach := uint64(0)
	for pc := g.at; pc < min(g.in.end, g.at+ahead); pc++ {
		in := g.in.inst(pc)
		if base, end := extent(in); end != 0 && base == key.base && end <= reachAhead {
			reach = max(reach, end)
		}
		written := false
		g.writes(g.in, pc, func(r uint16) { written = written || r == key.base })
		if written {
			break
		}
	}
	if reach > 0 {
		g.w.probe(l, Linear+reach)
	}
}

// zeroed returns a local that is 0 throughout, from which places in the control area up to end are in reach: all accesses through it share
// checks.
func (g *fn) zeroed(end uint64) int {
	if g.zero < 0 {
		g.zero = g.local(i32)
	}
	g.w.again(g.zero)
	g.w.probe(g.zero, end)
	return g.zero
}

// add adds a constant to the i64 on the stack; the compiler folds positive ones only.
func (g *fn) add(n int64) {
	if n < 0 {
		g.w.i64(uint64(-n))
		g.w.op(i64Sub)
	} else if n > 0 {
		g.w.i64(uint64(n))
		g.w.op(i64Add)
	}
}

// scale multiplies the i64 on the stack.
func (g *fn) scale(n uint64) {
	switch {
	case n == 1:
	case n != 0 && n&(n-1) == 0:
		g.w.i64(uint64(trailingZeros(n)))
		g.w.op(i64Shl)
	default:
		g.w.i64(n)
		g.w.op(i64Mul)
	}
}

// known is what is known of addresses at the end of a block.
type known struct {
	addrs   []address
	aliases []alias
	counts  []uint16
}

// maxBlocks is how many blocks a function has at most in which addresses are remembered where paths meet.
const maxBlocks = 1000

// leaves notes what is known where a block ends.
func (g *fn) leaves(n int) {
	if b := &g.blocks[n]; b.known == nil && len(g.blocks) <= maxBlocks {
		b.known = &known{slices.Clone(g.addrs), slices.Clone(g.aliases), slices.Clone(g.counts)}
	}
}

// meets forgets what is not known on all paths to block n, which several lead to: what was known at the end of the block that dominates it
// stays if no register of it is set on the way.
func (g *fn) meets(n int) {
	g.unknown()
	d := g.blocks[n].idom
	k := g.blocks[d].known
	if k == nil || d == n || len(k.addrs)+len(k.aliases)+len(k.counts) == 0 {
		return
	}
	written := make(bits, (g.nregs+63)/64)
	seen := make([]bool, len(g.blocks))
	seen[d] = true
	for work := []int{n}; len(work) > 0; {
		b := &g.blocks[work[len(work)-1]]
		work = work[:len(work)-1]
		for _, p := range b.preds {
			if !seen[p] {
				seen[p] = true
				work = append(work, p)
				for i, w := range g.blocks[p].writes {
					written[i] |= w
				}
			}
		}
	}
	for _, a := range k.addrs {
		if !written.has(a.base) && !written.has(a.index) {
			g.addrs = append(g.addrs, a)
		}
	}
	for _, r := range k.counts {
		if !written.has(r) {
			g.counts = append(g.counts, r)
		}
	}
	for _, a := range k.aliases {
		if !written.has(a.of) && !written.has(a.base) && !written.has(a.index) {
			g.aliases = append(g.aliases, a)
		}
	}
}

// findWrites finds the registers that each block sets.
func (g *fn) findWrites() {
	words := (g.nregs + 63) / 64
	all := make([]uint64, words*len(g.blocks))
	for n := range g.blocks {
		b := &g.blocks[n]
		b.writes, all = all[:words:words], all[words:]
		for pc := b.start; pc < b.end; pc++ {
			g.writes(b, pc, b.writes.add)
		}
	}
}

// cold runs f, whose code runs on some paths only, and forgets the addresses that it came to know. The forms that f needs must be settled
// before.
func (g *fn) cold(f func()) {
	addrs, aliases, alive, counts := slices.Clone(g.addrs), slices.Clone(g.aliases), slices.Clone(g.alive), slices.Clone(g.counts)
	f()
	g.addrs, g.aliases, g.alive, g.counts = addrs, aliases, alive, counts
}
