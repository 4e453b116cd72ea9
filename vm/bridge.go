package vm

import (
	"bytes"

	"silvm/heap"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Engine runs programs by other means than the loop of this package, over the same linear memory.
type Engine interface {
	// Control is how many bytes the engine needs before what the heap shares, see heap.Share.
	Control() uint64
	// Run runs the program of b from its start to its end. When ok is false the engine gave up, for the reason that why names in words for
	// people: the program must then be run again by the loop, see Machine.Again.
	Run(b *Bridge) (stop Stop, why string, ok bool)
}

// Bridge is what a second engine needs of a machine whose program it runs: functions, the heap, and the interpreter for whatever the engine
// has no code for.
//
// The frames of the engine are its own. The interpreter works for it in the machine's bottom frame: the registers that an instruction reads
// are put there, and those that it writes are taken from there. What the instruction calls runs above that frame until it returns.
//
// Where the interpreter finds a trap the engine stops: only a run of the interpreter from the start can say where it happened.
type Bridge struct {
	m     *Machine
	trap  *Trap
	why   string // the engine stopped, of itself
	end   ended
	tiers *tiers // nil when the engine runs the whole program
	left  int64  // steps of the interpreter up to the end of the slice
}

// ended says why the program does not go on.
type ended uint8

const (
	notEnded ended = iota
	endExit
	endTrap
	endInterrupt
	endGaveUp
)

// nest is how a frame that an engine had pushed returns: to a Break.
type nest struct {
	ret  uint32 // pc of the Break; a stand-in for the call and an OnError are before it, a Break for errors after it
	site uint32 // pc of the call
}

// Outcome is how a piece of the program ended that an engine left to the interpreter.
type Outcome uint8

// The outcomes. After Ended the engine must come back from Run at once, with what Bridge.End says.
const (
	Done Outcome = iota
	Threw
	Ended
)

// RunBy runs the program, which has not begun, by an engine. why is not empty when the engine stopped early: then Again returns the machine to go on
// with.
func (m *Machine) RunBy(e Engine) (stop Stop, why string) {
	b := newBridge(m)
	defer m.world.flush()
	m.heap.Share(e.Control())
	stop, why, ok := e.Run(b)
	if ok {
		why = ""
	}
	return stop, why
}

// newBridge readies a machine for an engine.
func newBridge(m *Machine) *Bridge {
	m.world.journal()
	at := uint32(len(m.prog.Insts))
	m.prog.Insts = append(m.prog.Insts, code.Inst{Op: code.BeginApply}, code.Inst{Op: code.OnError, Imm: uint64(at) + 3},
		code.Inst{Op: code.Break}, code.Inst{Op: code.Break}, code.Inst{Op: code.Return}, code.Inst{Op: code.Throw})
	m.sealed = len(m.prog.Insts)
	m.nest.ret = at + 2
	return &Bridge{m: m}
}

// Again returns a machine that runs the same program from its start. It reads what this one read, and what this one has printed it does not
// print again.
func (m *Machine) Again() (*Machine, error) {
	again, err := New(m.prog.Module, m.cfg)
	if err == nil {
		again.world.replay(&m.world)
	}
	return again, err
}

// Repeat returns a machine that runs the same program from its start and prints nothing, for what the run did not note as it went. ok is
// false where the run read input that it did not keep.
func (m *Machine) Repeat() (again *Machine, ok bool) {
	if m.world.reads > len(m.world.input) {
		return nil, false
	}
	config := m.cfg
	config.Stdout, config.Stderr, config.Tools = nil, nil, false
	if config.Stdin != nil {
		config.Stdin = bytes.NewReader(nil) // what was read is kept
	}
	again, err := New(m.prog.Module, config)
	if err != nil {
		return nil, false
	}
	again.world.input = m.world.input
	return again, true
}

// Program returns the program that the machine runs.
func (b *Bridge) Program() *code.Program { return b.m.prog }

// Arena returns the engine's control area and, after it, what the heap shares. It moves whenever the interpreter allocates.
func (b *Bridge) Arena() []byte { return b.m.heap.Arena() }

// UseControl says how many bytes of the control area are in use.
func (b *Bridge) UseControl(n uint64) { b.m.heap.UseControl(n) }

// Plain reports whether the run is one that an engine can do as the loop does it: nobody looks at its steps, and nothing but
// Interrupt can end it.
func (b *Bridge) Plain() bool {
	l := &b.m.cfg.Limits
	return !b.m.cfg.Tools && !b.m.ended && l.Steps == 0 && l.Timeout == 0 && b.m.maxDepth >= defaultDepth
}

// Main returns the function that the program starts with, and its arguments.
func (b *Bridge) Main() (f *code.Func, args [2]uint64) {
	r := b.m.regs()
	return b.m.funcAt(b.m.pc), [2]uint64{r[1], r[2]}
}

// Stack returns the free part of the linear-memory stack's chunk, as addresses.
func (b *Bridge) Stack() (sp, end uint64) { return b.m.sp, b.m.spEnd }

// SetStack says which part of the chunk is free now.
func (b *Bridge) SetStack(sp, end uint64) { b.m.sp, b.m.spEnd = sp, end }

// MaxCalls is how many calls may be under way at once.
func (b *Bridge) MaxCalls() uint64 { return uint64(b.m.maxDepth) }

// SetCalls says how many calls of the engine are under way.
func (b *Bridge) SetCalls(n uint64) { b.m.frame = b.m.frame>>32<<32 | n + 1 }

// PutAccesses writes the open tracked accesses for the engine, see code.AccessSize, and returns how many they are and how many have begun so far. When they are more than
// code.MaxAccesses it returns one more than that, and a token that is none stands there.
func (b *Bridge) PutAccesses(to []byte) (n, begun uint64) {
	m := b.m
	for k, a := range m.accesses {
		if k == code.MaxAccesses {
			le.PutUint64(to[k*code.AccessSize+code.AccessToken:], 0)
			return code.MaxAccesses + 1, m.nextAccess
		}
		e := to[k*code.AccessSize:]
		le.PutUint64(e, a.addr)
		le.PutUint64(e[code.AccessToken:], a.token)
		le.PutUint64(e[code.AccessBegin:], uint64(a.pc)<<1|bit(a.modify))
	}
	return uint64(len(m.accesses)), m.nextAccess
}

// TakeAccesses reads what the engine has made of them since.
func (b *Bridge) TakeAccesses(from []byte, n, begun uint64) {
	m := b.m
	if n > code.MaxAccesses || n == uint64(len(m.accesses)) && begun == m.nextAccess {
		return
	}
	m.nextAccess, m.accesses = begun, m.accesses[:0]
	for k := range n {
		e := from[k*code.AccessSize:]
		begin := le.Uint64(e[code.AccessBegin:])
		m.accesses = append(m.accesses, access{addr: le.Uint64(e), token: le.Uint64(e[code.AccessToken:]), pc: uint32(begin >> 1), modify: begin&1 != 0})
	}
}

// Records returns the addresses of the first record of type metadata, of witness tables and of functions, which are as far apart as
// code says, and how many of each lie side by side.
func (b *Bridge) Records() (bases, counts [3]uint64) {
	m := b.m
	return [3]uint64{m.metas.base, m.tables.base, m.handles.base}, [3]uint64{nearMetas, nearTables, nearHandles}
}

// Interrupted reports whether somebody called Interrupt, and makes that the end of the run.
func (b *Bridge) Interrupted() bool {
	if b.m.interrupt.Swap(false) {
		b.end = endInterrupt
	}
	return b.end == endInterrupt
}

// Count adds what the engine has counted itself.
func (b *Bridge) Count(c Counters) {
	n := &b.m.count
	n.StrongRetain += c.StrongRetain
	n.StrongRelease += c.StrongRelease
	n.AllocObject += c.AllocObject
	n.Dealloc += c.Dealloc
	n.Deinit += c.Deinit
	n.UniqueCheck += c.UniqueCheck
	n.Access += c.Access
	n.Calls += c.Calls
	n.NativeCalls += c.NativeCalls
	n.CopyAddr += c.CopyAddr
	n.Yields += c.Yields
	n.UnownedLoad += c.UnownedLoad
	n.WeakLoad += c.WeakLoad
	n.UnownedRetain += c.UnownedRetain
	n.UnownedRelease += c.UnownedRelease
	n.WeakStore += c.WeakStore
	n.WeakDestroy += c.WeakDestroy
	n.AllocStack += c.AllocStack
}

// Exit ends the run with the exit status that main returned.
func (b *Bridge) Exit(status uint64) {
	if !b.m.exit.set {
		b.m.exit = exitState{true, int(uint8(status))}
	}
	b.end = endExit
}

// End says how the run ended; ok is false when it did not, or by a trap.
func (b *Bridge) End() (stop Stop, why string, ok bool) {
	b.m.world.flush()
	switch b.end {
	case endExit:
		return b.m.finish(stopExit, nil), "", true
	case endInterrupt:
		return Stop{Kind: Interrupted}, "", true
	case endTrap:
		return Stop{Kind: Trapped, ExitCode: b.trap.ExitCode(), Trap: b.trap}, b.trap.Error(), false
	case endGaveUp:
		return Stop{}, b.why, false
	}
	return Stop{}, "", false
}

func (b *Bridge) fail(t *Trap) Outcome {
	b.trap, b.end = t, endTrap
	return Ended
}

// Reach lowers what the program may call, as far as that can be told from its functions and up to limit instructions, and returns the functions.
func (b *Bridge) Reach(limit int) []*code.Func {
	r := reacher{m: b.m, limit: min(limit, maxInsts/2), tried: map[int]bool{}, classes: map[*code.Class]bool{}, entries: map[int]bool{}, tables: map[int]bool{}}
	r.run()
	return b.m.prog.Lowered
}

// Exec does the instruction of a site. slots holds the values of the registers it reads, 8 bytes each; those that it writes are put there.
// slots is where in the arena that is.
func (b *Bridge) Exec(s *code.Site, slots uint64) Outcome {
	if s.Inst.Op == code.CallNative {
		return b.native(s, slots)
	}
	m := b.m
	frame, r := m.frame, m.regs()
	link := r[0] // a tail call puts its own in its place
	in := m.heap.Arena()[slots:]
	for k, reg := range s.Reads {
		r[reg] = le.Uint64(in[8*k:])
	}
	out := Done
	for again := true; again; {
		again = false
		m.pc = s.PC + 1
		if t := b.exec(s); t != nil {
			return b.fail(t)
		}
		if m.frame != frame {
			standIn := &m.prog.Insts[m.nest.ret-2]
			token := standIn.B
			if isBeginApply(s.Inst.Op) {
				standIn.B = s.Inst.B
			}
			var ret uint32
			if ret, out = b.nested(s.PC); out == Ended {
				return Ended
			}
			m.prog.Insts[m.nest.ret-2].B = token // of a begin_apply that has not yielded yet
			again = ret == s.PC
		}
	}
	r, res := m.regs(), m.heap.Arena()[slots:]
	r[0] = link
	for k, reg := range s.Writes {
		le.PutUint64(res[8*k:], r[reg])
	}
	return out
}

// native is Exec for calls of natives, most of which do all that they do in one turn.
func (b *Bridge) native(s *code.Site, slots uint64) Outcome {
	m := b.m
	r, in := m.regs(), m.heap.Arena()[slots:]
	for k, reg := range s.Reads {
		r[reg] = le.Uint64(in[8*k:])
	}
	m.pc = s.PC + 1
	if t := m.callNative(s.Inst.Imm, s.Inst.A, m.nest.ret); t != nil {
		return b.fail(t)
	}
	outer := m.nest.site
	m.nest.site = s.PC
	begin := m.prog.Insts[m.pc]
	m.pc++
	if t := m.runNative(begin); t != nil {
		return b.fail(t)
	}
	out := Done
	switch m.pc {
	case m.nest.ret:
	case m.nest.ret + 1:
		out = Threw
	default:
		if out = b.untilReturn(); out == Ended {
			return Ended
		}
	}
	m.nest.site = outer
	r, in = m.regs(), m.heap.Arena()[slots:]
	for k, reg := range s.Writes {
		le.PutUint64(in[8*k:], r[reg])
	}
	return out
}

// exec does the instruction of a site in the bottom frame; a call pushes a frame.
func (b *Bridge) exec(s *code.Site) *Trap {
	m, in := b.m, s.Inst
	switch in.Op {
	case code.AllocObject, code.AllocClass:
		return m.allocObject(&in)
	case code.DeallocObject:
		return m.deallocObject(m.regs()[in.A])
	case code.Release:
		return m.execRelease(m.regs()[in.A], in.B)
	case code.TailCall:
		m.count.Calls-- // in place of the call that led here
		return m.callFunc(int(in.Imm), 0, m.pc)
	}
	return m.execInst(in)
}

// nested runs the interpreter until the frame that was just pushed returns, and says where it would have returned to.
func (b *Bridge) nested(site uint32) (ret uint32, out Outcome) {
	m := b.m
	link := m.stack[m.frame>>32]
	ret = uint32(link >> 16)
	m.stack[m.frame>>32] = code.Link(m.nest.ret, uint16(link))
	outer := m.nest.site
	m.nest.site = site
	defer func() { m.nest.site = outer }()
	return ret, b.untilReturn()
}

// untilReturn runs the interpreter until the frame above that of the engine has returned.
func (b *Bridge) untilReturn() Outcome {
	m := b.m
	for {
		kind, t := b.loop()
		switch {
		case kind == stopTrap:
			return b.fail(t)
		case kind == stopExit:
			b.end = endExit
			return Ended
		case m.broke && m.pc == m.nest.ret+2:
			return Threw
		case m.broke && m.pc == m.nest.ret+1:
			return Done
		case m.broke:
			if b.enter() == Ended {
				return Ended
			}
		case b.Interrupted():
			return Ended
		default:
			b.tick()
		}
	}
}

// Release drops a strong reference for the Release at pc. When it was the last one f is the function that destroys the object, which has to
// be called with the reference.
func (b *Bridge) Release(ref uint64, pc uint32) (f *code.Func, out Outcome) {
	m := b.m
	m.pc = pc + 1
	m.count.StrongRelease++
	dealloc, fault := m.heap.Release(ref, pc)
	if fault != nil {
		return nil, b.fail(m.fault(fault))
	}
	if !dealloc {
		return nil, Done
	}
	return b.Destroyer(ref, pc)
}

// Destroyer returns the function that destroys the object at ref, which is deiniting since the Release at pc.
func (b *Bridge) Destroyer(ref uint64, pc uint32) (f *code.Func, out Outcome) {
	m := b.m
	m.pc = pc + 1
	fi, t := m.destroyFunc(ref)
	if t != nil {
		return nil, b.fail(t)
	}
	m.count.Deinit++
	return m.prog.Funcs[fi], Done
}

// Destroy has the interpreter run the function that destroys the object at ref, for the Release at pc.
func (b *Bridge) Destroy(f *code.Func, ref uint64, pc uint32) Outcome {
	m := b.m
	m.pc = pc + 1
	if t := m.callFunc(f.Index, 1, m.pc); t != nil {
		return b.fail(t)
	}
	m.stack[m.frame>>32+1] = ref
	_, out := b.nested(pc)
	return out
}

// Alloc allocates an object for the instruction at pc.
func (b *Bridge) Alloc(meta, size, align uint64, pc uint32) (uint64, Outcome) {
	ref, f := b.m.heap.AllocObject(meta, size, align, pc)
	if f != nil {
		return 0, b.fail(b.m.fault(f))
	}
	b.m.count.AllocObject++
	return ref, Done
}

// Dealloc does DeallocObject for the instruction at pc.
func (b *Bridge) Dealloc(ref uint64, pc uint32) Outcome {
	b.m.pc = pc + 1
	if t := b.m.deallocObject(ref); t != nil {
		return b.fail(t)
	}
	return Done
}

// CheckLive checks that the object at ref is alive.
func (b *Bridge) CheckLive(ref uint64) Outcome {
	if t := b.m.checkLive(ref); t != nil {
		return b.fail(t)
	}
	return Done
}

// Retain does Retain in the cases that are not a matter of adding to a count.
func (b *Bridge) Retain(ref uint64) Outcome {
	b.m.count.StrongRetain++
	if f := b.m.heap.Retain(ref); f != nil {
		return b.fail(b.m.fault(f))
	}
	return Done
}

// Held says how a value of a type lies in an opaque existential.
type Held struct {
	Inline  bool // in its buffer
	Trivial bool // and a copy takes no more than its bytes
	Ref     bool // and it is a strong reference
	Boxed   bool // right after the header of a box
}

// Held says how a value of the type with a metadata record lies in an opaque existential.
func (b *Bridge) Held(meta uint64) (h Held) {
	ti, t := b.m.typeOf(meta)
	if t != nil || ti.Layout == nil {
		return Held{}
	}
	l := ti.Layout
	if !l.IsInline() {
		return Held{Boxed: boxOffset(l) == heap.HeaderSize}
	}
	ref := l.PlainRefs && l.Size == 8 && len(l.Scalars) == 1 && l.Scalars[0].Kind == abi.ScalarStrong && l.Deinit == nil
	return Held{Inline: true, Trivial: l.Trivial, Ref: ref}
}

// Target returns the function that an indirect call at pc leads to: CallThick with its handle, CallMethod with the object, or CallWitnessMethod with the
// witness table; and the number of the record that tells them from each other. It is nil when there is none: then Exec finds out
// what is wrong.
func (b *Bridge) Target(in code.Inst, word uint64) (f *code.Func, record int) {
	m := b.m
	fi, n := -1, 0
	var t *Trap
	switch in.Op {
	case code.CallThick:
		fi, n, t = m.funcOf(word)
	case code.CallWitnessMethod:
		fi, n, t = m.witnessOf(word, in.Imm)
	case code.CallMethod:
		var ti *code.TypeInfo
		if t = m.checkLive(word); t != nil {
			break
		}
		if ti, t = m.typeOfObject(word); t != nil {
			break
		}
		if fi, t = m.methodOf(ti, in.Imm); t == nil {
			n, _ = m.metas.number(ti.Addr)
		}
	}
	if t != nil || fi < 0 {
		return nil, 0
	}
	return m.prog.Funcs[fi], n
}
