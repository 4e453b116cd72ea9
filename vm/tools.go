package vm

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
)

// What tools need of a machine, besides snapshots (snapshot.go). The program of such a machine is lowered for tools (Config.Tools): it
// passes a boundary before each SIL instruction, and stops at boundaries only. While it is at one, the instruction of
// that boundary has not begun, and Steps counts it already.

// Breakpoint is the StopKind of Advance for a boundary where SetBreak asked for a stop.
const Breakpoint = Interrupted + 1

// watched is the StopKind of Watch when the watcher asked for a stop.
const watched = Breakpoint + 1

// edit is a change that the run made to its program: an instruction that settled, or a thing of static memory that got its address.
type edit struct {
	at       *uint64 // the address; nil for an instruction
	addr     uint64
	pc       uint32
	old, new code.Inst
}

func (m *Machine) undo(e edit) {
	if e.at != nil {
		*e.at = 0
	} else {
		m.prog.Insts[e.pc] = e.old
	}
}

func (m *Machine) redo(e edit) {
	if e.at != nil {
		*e.at = e.addr
	} else {
		m.prog.Insts[e.pc] = e.new
	}
}

// note keeps an edit. The edits of a run are the same whenever it passes here, so that only those past the longest run are new.
func (m *Machine) note(e edit) {
	if m.edited == len(m.edits) {
		m.edits = append(m.edits, e)
	}
	m.edited++
}

// patch changes an instruction permanently.
func (m *Machine) patch(pc uint32, op code.Op, imm uint64) {
	in := &m.prog.Insts[pc]
	old := *in
	in.Op, in.Imm = op, imm
	if m.cfg.Tools {
		m.note(edit{pc: pc, old: old, new: *in})
	}
	if m.joins() {
		m.rejoin(pc)
	}
}

// placeAt assigns an address to a thing of static memory.
func (m *Machine) placeAt(at *uint64, addr uint64) {
	*at = addr
	if m.cfg.Tools {
		m.note(edit{at: at, addr: addr})
	}
}

// Advance passes n boundaries, n at least 1, unless something stops it before.
func (m *Machine) Advance(n uint64) (stop Stop) {
	began := m.clock()
	defer func() {
		if p := recover(); p != nil {
			stop = m.broken(p)
		}
		m.world.flush()
		m.spend(began)
	}()
	for !m.ended {
		if m.interrupt.Swap(false) {
			return Stop{Kind: Interrupted}
		}
		if stop, over := m.overLimit(began); over {
			return stop
		}
		if stop, over := m.condemned(); over {
			return stop
		}
		grant := min(n, slice)
		if m.verdict != nil {
			grant = min(grant, m.verdictAt-m.steps)
		}
		used, stop, over := m.pass(grant)
		broke := m.broke && m.wantsStop()
		m.broke = false
		switch n -= used; {
		case over:
			return stop
		case broke:
			return Stop{Kind: Breakpoint}
		case n == 0:
			return Stop{Kind: Budget}
		}
		if used == grant {
			runtime.Gosched()
		}
	}
	return m.ending()
}

// Watch is Advance that asks at each boundary; when the answer is true it stops there.
func (m *Machine) Watch(n uint64, enough func() bool) Stop {
	return m.boundaries(func(used uint64, broke bool) (Stop, bool) {
		switch n -= used; {
		case enough():
			return Stop{Kind: watched}, true
		case broke:
			return Stop{Kind: Breakpoint}, true
		}
		return Stop{Kind: Budget}, n == 0
	})
}

// boundaries goes from boundary to boundary and tells look how many it passed and whether there is a breakpoint, until look or the run
// comes to an end.
func (m *Machine) boundaries(look func(used uint64, broke bool) (stop Stop, over bool)) Stop {
	return m.turns(func() (int, Stop, bool) {
		if stop, over := m.condemned(); over {
			return 1, stop, true
		}
		used, stop, over := m.pass(1)
		if over {
			return 1, stop, true
		}
		broke := m.broke && m.wantsStop()
		m.broke = false
		stop, over = look(used, broke)
		return 1, stop, over
	})
}

// limitTurns is how many cheap turns may pass until interrupts and limits are looked at.
const limitTurns = 4096

// turns repeats turn until it, the program or a limit ends the run. A turn returns what it cost, in cheap turns.
func (m *Machine) turns(turn func() (cost int, stop Stop, over bool)) (stop Stop) {
	began := m.clock()
	defer func() {
		if p := recover(); p != nil {
			stop = m.broken(p)
		}
		m.world.flush()
		m.spend(began)
	}()
	for spent := limitTurns; !m.ended; {
		if spent >= limitTurns {
			spent = 0
			if m.interrupt.Swap(false) {
				return Stop{Kind: Interrupted}
			}
			if stop, over := m.overLimit(began); over {
				return stop
			}
		}
		cost, stop, over := turn()
		if over {
			return stop
		}
		spent += cost
	}
	return m.ending()
}

// pass passes up to n boundaries; over says that the run ended.
func (m *Machine) pass(n uint64) (used uint64, stop Stop, over bool) {
	m.granted = int64(n) - 1
	m.left, m.rest = m.granted, 0
	kind, t := m.runLoop()
	used = uint64(m.granted - m.left - m.rest)
	m.steps += used
	m.granted, m.left, m.rest = 0, 0, 0
	if kind != stopBudget {
		return used, m.finish(kind, t), true
	}
	return used, Stop{}, false
}

// Condemn makes the run end in a trap when it is at the boundary of step at, each time that it comes there: what another run of the
// same program under full checking found there, t as it reported it.
func (m *Machine) Condemn(at uint64, t *Trap) { m.verdictAt, m.verdict = at, t }

// Fork makes the run, which is at a boundary, another one from here on: whoever changes its memory says so. What the program's text
// became after this point is forgotten, a verdict there too; input that was read there is read again, and output is new.
func (m *Machine) Fork() {
	m.edits = m.edits[:m.edited]
	if m.verdict != nil && m.verdictAt >= m.steps {
		m.verdict = nil
	}
	m.world.fork()
}

// condemned ends the run if it has come to its verdict.
func (m *Machine) condemned() (Stop, bool) {
	if m.verdict == nil || m.steps < m.verdictAt {
		return Stop{}, false
	}
	m.ended, m.trap = true, m.verdict
	return m.ending(), true
}

// clock is the time now if there is a limit of time; looking is slow beside a few steps.
func (m *Machine) clock() time.Time {
	if m.cfg.Limits.Timeout > 0 {
		return time.Now()
	}
	return time.Time{}
}

func (m *Machine) spend(began time.Time) {
	if !began.IsZero() {
		m.spent += time.Since(began)
	}
}

func (m *Machine) overLimit(began time.Time) (Stop, bool) {
	if limit := m.cfg.Limits.Timeout; limit > 0 && m.spent+time.Since(began) > limit {
		return m.finish(stopTrap, m.limit(LimitTime)), true
	}
	if limit := m.cfg.Limits.Steps; limit > 0 && m.steps > limit {
		return m.finish(stopTrap, m.limit(LimitSteps)), true
	}
	return Stop{}, false
}

// stopLoop makes the loop come back at its next look at the budget.
func (m *Machine) stopLoop() {
	if m.left >= 0 {
		m.rest, m.left = m.left+1, -1
	}
}

// StopSoon makes Advance or Watch, which must be running, come back as at a Break: an observer calls it. The machine may be in the
// middle of an instruction then.
func (m *Machine) StopSoon() {
	m.broke, m.visits.soon = true, true
	m.stopLoop()
}

// Now is Steps while the machine runs: for observers.
func (m *Machine) Now() uint64 { return m.steps + uint64(m.granted-m.left-m.rest) }

// Ended reports whether the run is over.
func (m *Machine) Ended() bool { return m.ended }

// Observe calls f after each change of an object's counts, of the one at an address if only is not 0; nil ends that. Retains and releases take
// their long way meanwhile.
func (m *Machine) Observe(f heap.Tap, only heap.Addr) {
	m.heap.SetTap(f, only)
	m.strongOne, m.heard = heap.StrongOne, -1
	switch {
	case f == nil:
	case only != 0 && m.cfg.Tools:
		m.heard = int(only - (heap.Base - heap.RefCountOffset))
	default:
		m.strongOne = 1 << 63
	}
}

// OnLowered calls f with each function that is lowered from now on, before it runs.
func (m *Machine) OnLowered(f func(*code.Func)) { m.onLowered = f }

// OrderKind says what puts tasks in order.
type OrderKind uint8

// The kinds. Keys are addresses of objects and words that stand for something; tasks go by their numbers.
const (
	OrderStart   OrderKind = iota // the running task makes task key
	OrderWake                     // task key goes on after what the running one did so far
	OrderRelease                  // what the running task did so far comes before what others do after they acquire the key
	OrderAcquire                  // the running task goes on after what was released by the key
)

// OnOrder calls f with each order between tasks that the program's text or its library makes: by is the running task.
func (m *Machine) OnOrder(f func(kind OrderKind, by, key uint64)) { m.onOrder = f }

// OnThrow calls f when an error begins in a native, with its symbol, while the instruction that called it runs; nil ends that.
func (m *Machine) OnThrow(f func(symbol string)) { m.onThrow = f }

func (m *Machine) order(kind OrderKind, key uint64) {
	if m.onOrder != nil {
		m.onOrder(kind, m.CurrentTask(), key)
	}
}

// CurrentExecutor is the executor that the running task is on.
func (m *Machine) CurrentExecutor() Executor { return m.sched.fibers[m.sched.current].executor }

// Frame is one call under way.
type Frame struct {
	Func *code.Func // nil when nothing is known
	PC   uint32     // of the boundary, or of the call that is under way
	Inst *ir.Inst   // nil for code without SIL
	Regs []uint64   // the frame's registers, aliasing the machine's; valid until it runs
}

// Frames calls yield with the frames, innermost first, until it returns false.
func (m *Machine) Frames(yield func(Frame) bool) { m.framesOf(m.stack, m.frame, m.pc, yield) }

func (m *Machine) framesOf(stack []uint64, frame uint64, pc uint32, yield func(Frame) bool) {
	fp := frame >> 32
	for n, depth := 0, int(uint32(frame)); n < depth && pc != 0 && pc <= uint32(len(m.prog.Insts)) && fp < uint64(len(stack)); n++ {
		at := m.place(pc - 1)
		f := Frame{Func: at.Func, PC: at.PC, Inst: at.Inst}
		if at.Func != nil {
			f.Regs = stack[fp:min(fp+uint64(at.Func.NRegs), uint64(len(stack)))]
		}
		if !yield(f) {
			return
		}
		link := stack[fp]
		base := uint64(uint16(link))
		pc = uint32(link >> 16)
		if base > fp || base == 0 {
			return
		}
		fp -= base
	}
}

// PC is the position of the machine: that of the boundary where it stands.
func (m *Machine) PC() uint32 { return max(m.pc, 1) - 1 }

// PlaceOf tells what a site that the heap keeps stands for.
func (m *Machine) PlaceOf(site uint32) Place { return m.place(site) }

// TypeAt returns the type that a metadata word stands for, nil when it stands for none.
func (m *Machine) TypeAt(meta uint64) *code.TypeInfo {
	if n, ok := m.metas.number(meta); ok {
		return m.prog.Types[m.metas.index[n]]
	}
	return nil
}

// FuncAt returns the function that a function word stands for, nil when it stands for none.
func (m *Machine) FuncAt(handle uint64) *code.Func {
	if n, ok := m.handles.number(handle); ok {
		return m.prog.Funcs[m.handles.index[n]]
	}
	return nil
}

// OpenAccess is a tracked access that has begun and not ended.
type OpenAccess struct {
	Addr   uint64
	Modify bool
	Place  Place
	Number uint64 // in the order of all tracked accesses, from 1
}

// AccessesBegun is how many tracked accesses have begun so far.
func (m *Machine) AccessesBegun() uint64 { return m.nextAccess }

// Accesses lists the open tracked accesses, oldest first.
func (m *Machine) Accesses() []OpenAccess {
	var out []OpenAccess
	for _, a := range m.accesses {
		out = append(out, OpenAccess{a.addr, a.modify, m.place(a.pc), a.token})
	}
	return out
}

// Tried is what a call that Try made came to.
type Tried struct {
	Returned bool
	Words    []uint64 // what it returned, or the error that it threw, and more behind it
	Threw    bool
	Stop     Stop   // why it did not return; a stop of kind Budget where its steps were used up
	Printed  []byte // what it wrote, standard output and error as they came
	Steps    uint64
}

// Try calls a function of the program where the run stands, and puts the run back to s, a snapshot of it as it stands. pass makes the words of
// the arguments, in memory too, when the function is lowered; look sees what came of it, before everything goes back. The call takes at most so
// many steps, stops at no Break, and what it reads is there to be read again. Nobody may be observing counts.
func (m *Machine) Try(s *Snapshot, fn *ir.Function, types []*ir.Type, most uint64, pass func(f *code.Func) ([]uint64, error), look func(Tried)) error {
	if m.ended || s.Steps != m.steps {
		return errors.New("the run does not stand at the snapshot")
	}
	fi, err := m.prog.Runtime.Func(fn, types)
	if err != nil {
		return err
	}
	m.world.flush()
	defer m.goBack(s)()
	if _, t := m.entryOf(fi); t != nil {
		return t
	}
	f := m.prog.Funcs[fi]
	args, err := pass(f)
	if err != nil {
		return err
	}
	if len(args) >= windowSize-nativeBase || f.Native == nil && len(args) != f.Args {
		return fmt.Errorf("%s takes %d words, not %d", f.Name, f.Args, len(args))
	}
	var tried Tried
	var printed bytes.Buffer
	m.world.stdout, m.world.stderr = &printed, &printed
	m.tryRef().Impl = Native(func(_ *Machine, c *NativeCall) *Trap {
		if c.State() == 0 {
			c.SetState(1)
			return c.Call(fi, args...)
		}
		tried.Returned, tried.Threw = true, c.Threw()
		for k := range windowSize - nativeBase - 1 {
			tried.Words = append(tried.Words, c.Returned(k))
		}
		c.Exit(0)
		return nil
	})
	base := uint16(1)
	if at := m.funcAt(m.PC()); at != nil {
		base = uint16(at.NRegs)
	}
	if t := m.callNative(uint64(m.tryRef().Index), base, m.exitPC); t != nil {
		return t
	}
	for tried.Stop.Kind = Breakpoint; tried.Stop.Kind == Breakpoint && m.steps-s.Steps < most; {
		tried.Stop = m.Advance(most - (m.steps - s.Steps))
	}
	tried.Printed, tried.Steps = printed.Bytes(), m.steps-s.Steps
	look(tried)
	return nil
}

// tryRef is the native that makes the calls of Try.
func (m *Machine) tryRef() *code.NativeRef {
	const symbol = "call by a tool"
	if n := slices.IndexFunc(m.prog.Natives, func(r *code.NativeRef) bool { return r.Symbol == symbol }); n >= 0 {
		return m.prog.Natives[n]
	}
	ref := &code.NativeRef{Index: len(m.prog.Natives), Symbol: symbol}
	m.prog.Natives = append(m.prog.Natives, ref)
	return ref
}

// goBack keeps what a snapshot does not have, and what tools asked for, and returns what puts all of it back.
func (m *Machine) goBack(s *Snapshot) func() {
	world, edits, verdict, lowered := m.world, m.edits, m.verdict, len(m.prog.Lowered)
	order, threw, from, to := m.onOrder, m.onThrow, m.nearFrom, m.nearTo
	v := &m.visits
	on, glance := v.on, v.glance
	m.edits = m.edits[:m.edited:m.edited] // those of the call are its own
	m.verdict, m.onOrder, m.onThrow, m.nearFrom, m.nearTo = nil, nil, nil, 0, 0
	v.on, v.glance = false, func(uint32, []uint64) bool { return false }
	m.world.delivered, m.world.summing, m.world.expected = m.world.produced, false, nil
	return func() {
		m.Restore(s)
		world.input, world.stdin, world.out, world.err = m.world.input, m.world.stdin, m.world.out, m.world.err
		m.world, m.edits = world, edits
		m.verdict, m.onOrder, m.onThrow, m.nearFrom, m.nearTo = verdict, order, threw, from, to
		v.on, v.glance = on, glance
		for _, f := range m.prog.Lowered[lowered:] {
			m.watchVisits(f)
		}
	}
}
