package wasm

import (
	"silvm/vm/code"
)

// fn is a function while it is translated.
type fn struct {
	*translator
	f                  *code.Func
	sig                *signature
	nregs              int
	grown              int // instructions of callees that are in the places of calls
	frames             []*frame
	windows, suspended int // windows of coroutines, and instructions of those that are in the places of calls
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
	locals []valtype // after the parameters
	ints   []int32   // local of a register, by register, 0 for none yet
	flts   []int32

	// While code is written.
	at      uint32 // the instruction
	in      *block // and its block
	zero    int    // local that is 0 throughout, -1 for none yet
	scopes  []scope
	state   int        // local that says where the dispatch loop goes, -1 in structured code
	traps   int        // so far
	reasons []TrapSite // for them, in a whole program
	calls   int        // local with what globalCalls was when the function began, -1 for none
	now     []form
	lives   []*lives     // at the start of each block, nil when that takes too much work
	here    *lives       // at the instruction
	asked   map[int]bits // what the loop that begins with a block takes to be alive, see asksFirst
	facts
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

// openRare begins what is done when the i32 on the stack, which seldom is so, is 0. The other case comes first: where paths meet, the compiler has
// values where the first path has them, and on the rare one a call has often moved them to the stack.
func (g *fn) openRare() {
	g.openIf()
	g.w.op(opElse)
}

// end ends a block, loop or if.
func (g *fn) end() {
	g.w.op(opEnd)
	g.scopes = g.scopes[:len(g.scopes)-1]
}

// join ends a block or if after which several paths go on in the block of the program.
func (g *fn) join() {
	g.end()
	g.recall()
}

// recall has the compiler find, where paths meet, what it knows of addresses.
func (g *fn) recall() {
	for _, a := range g.addrs {
		g.w.again(a.local)
	}
}

func (g *fn) br(scope int) { g.w.with(opBr, len(g.scopes)-1-scope) }

// trapIf traps when the i32 on the stack is not 0: by a branch to a block of its own around the function, which the compiler puts out
// of the way.
func (g *fn) trapIf() { g.trapFor(TrapMemory) }

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
	for k := range n {
		w.op(opEnd)
		if k < len(g.reasons) {
			g.tellTrap(&w, g.reasons[k])
		}
		w.op(opUnreachable)
	}
	w.op(opEnd)
	return body(g.locals, w.b)
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
		b.passes.each(func(dst, _ uint16) { b.writes.add(dst) })
	}
}
