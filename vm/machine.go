// Package vm is the machine that runs silvm's bytecode: registers, frames, linear memory, reference counts, exclusivity,
// traps and all input and output of the program.
//
// [Machine] holds everything that changes during a run, and [Machine.Run] is the only way forward. Calls, deinits,
// coroutines and natives that call back are frames on the machine's own register stack, never Go recursion, so that a run
// can stop at any block end and go on later, and a chain of millions of deinits needs no Go stack.
//
// Frames. The register stack is one []uint64. A frame is a window of it that starts with a link: the pc to go on with and
// the distance to the caller's window (code.Link). Arguments and results are in registers 1... of the callee's window, which
// lies above the caller's registers. vm/code describes the operations.
//
// It refuses to let a program touch anything but its linear memory: each address, reference, handle, metadata word and
// witness table that a program computes is checked when it is used, and a bad one ends in a [Trap].
//
// Read machine.go, then loop.go; the exec_ files have the operations that are too long for the loop.
package vm

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
)

// CheckLevel says how much of what a program does is checked.
type CheckLevel uint8

// The levels. Every one keeps the program inside its linear memory.
const (
	ChecksDefault CheckLevel = iota // dead objects, arithmetic, and, save in Embedded mode, exclusivity of dynamic accesses
	ChecksFast                      // without exclusivity
	ChecksFull                      // everything silvm can check
)

// Limits bound a run. Zero means the default that is given.
type Limits struct {
	Steps   uint64        // SIL instructions; default none
	Heap    uint64        // bytes of linear memory; default the most there is, just under 4 GiB
	Objects uint64        // live objects; default none
	Depth   uint32        // frames; default 1,000,000
	Output  uint64        // bytes written to stdout and stderr; default none
	Timeout time.Duration // wall time of all Run calls together; default none
}

// Config is what a run gets from outside. The zero value has no input, discards output and has no limits but the defaults.
type Config struct {
	Stdout, Stderr io.Writer  // nil discards
	Stdin          io.Reader  // nil is empty
	Args           []string   // program name first
	Environment    []string   // NAME=VALUE each; a program sees no other
	Limits         Limits     // see there
	Checks         CheckLevel // see there
	Seed           uint64     // of everything random
	// Quarantine is how many freed blocks of each size wait before reuse, so that stale references are noticed; 0 is 16, or none
	// with ChecksFast, a negative number is none.
	Quarantine int
	Tools      bool    // lowers for tools, see tools.go, and keeps the input
	KeepInput  bool    // keeps what the program reads, so that it can run again, see Repeat
	Plain      bool    // lowers without joining instructions: slower, and does the same
	Natives    Natives // besides those of Swift's runtime that the machine brings itself
}

const (
	defaultDepth      = 1_000_000
	defaultQuarantine = 16
)

// maxSlots bounds the register stack: 1 GiB.
const maxSlots = 1 << 27

// Machine is a run of a program: all that changes while it goes on. It is not safe for use by several goroutines, but for
// Interrupt.
type Machine struct {
	prog *code.Program
	heap *heap.Heap
	cfg  Config

	// The running frame. pc is that of the next instruction.
	stack []uint64
	frame uint64 // register index of the window << 32 | number of frames
	pc    uint32
	left  int64 // steps left of what Run granted; below 0 at a stop by up to a block
	rest  int64 // what stopLoop took from left
	steps uint64

	// maxDepth and strongOne are constants of a run, here because the loop is faster when it reads them from memory.
	maxDepth  uint32
	strongOne uint64

	// The linear-memory stack: chunks in use up to chunk, the free part of the last.
	sp, spEnd uint64
	chunk     int
	chunks    []stackChunk

	argv uint64 // table of the arguments' addresses
	envp uint64 // table of those of the environment, 0 when there is none

	// Static records and what they stand for, by number of the record.
	metas, tables, handles records
	readsMetadata          bool       // the program has read words of it
	vtables                [][]uint32 // entries of the vtable of a class by metadata record; 0: ask callMethod
	wtables                [][]uint32 // entries of a witness table by table record; 0: ask callWitnessMethod
	handleEntry            []uint32   // entry of a function by handle record; 0: ask callHandle
	classes                []classInfo
	nativeFuncs            []*code.Func // by native: the function that CallNative calls

	sched      schedule
	coroutines []coroutine
	freeCoro   []int
	accesses   []access
	nextAccess uint64
	unpaired   []unpairedAccess

	count   Counters
	world   world
	weakNil weakNil
	exit    exitState
	trap    *Trap
	ncall   NativeCall
	exitPC  uint32 // of the instruction to which the first frame returns
	sealed  int    // instructions that are ready to run
	ended   bool

	// What the run changed in its program, in order, kept for tools; the first edited ones are in effect.
	edits  []edit
	edited int

	// Of tools only, see tools.go.
	granted   int64        // what left was set to
	broke     bool         // a Break was reached
	inspect   func() *Trap // asked at each Break instead of stopping there, see inspect.go; nil outside Inspect
	onLowered func(f *code.Func)
	onOrder   func(kind OrderKind, by, key uint64)
	onThrow   func(symbol string)
	pointers  pointers // see pointerKeeps
	verdict   *Trap    // what the run ends in when it comes to step verdictAt; nil is nothing
	verdictAt uint64
	visits    visits

	// Of tools too: the refcount word of the object that an observer of one alone hears of, and the memory before whose writes the
	// run stops (see Near), as offsets.
	heard            int
	nearFrom, nearTo uint64

	nest      nest // of a second engine only, see bridge.go
	spent     time.Duration
	interrupt atomic.Bool
}

// stackChunk is a block of the linear-memory stack.
type stackChunk struct {
	start, end uint64
	sp         uint64 // where the chunk's free part began when the next chunk was taken into use
}

// classInfo is what AllocClass needs.
type classInfo struct{ meta, size, align uint64 }

// exitState is set when the program asked to end.
type exitState struct {
	set  bool
	code int
}

// newMachine makes a machine for a program; start says where it begins.
func newMachine(p *code.Program, cfg Config) *Machine {
	m := &Machine{prog: p, cfg: cfg, strongOne: heap.StrongOne, heard: -1, maxDepth: cfg.Limits.Depth}
	if m.maxDepth == 0 {
		m.maxDepth = defaultDepth
	}
	if cfg.Quarantine == 0 && cfg.Checks != ChecksFast {
		cfg.Quarantine = defaultQuarantine
	}
	m.heap = heap.New(heap.Config{MaxBytes: cfg.Limits.Heap, MaxObjects: cfg.Limits.Objects, Quarantine: max(cfg.Quarantine, 0)})
	m.world.init(cfg)
	m.sched.init(cfg.Seed)
	m.stack = make([]uint64, 4*windowSize)
	insts := spareCode.Get().(*[maxInsts + code.MaxRun]code.Inst)[:1]
	insts[0].Op = code.Unreachable
	p.Insts = append(insts, p.Insts[min(1, len(p.Insts)):]...)
	m.exitPC = uint32(len(p.Insts))
	p.Insts = append(p.Insts, code.Inst{Op: code.Exit})
	for _, f := range p.Funcs {
		if f.Entry != 0 && len(p.Lowered) < len(p.Funcs) { // a program that was put together by hand
			p.Lowered = append(p.Lowered, f)
		}
	}
	m.seal()
	return m
}

// spareCode holds the instructions of released machines, all zero: clearing 16 MiB takes longer than most small programs.
var spareCode = sync.Pool{New: func() any { return new([maxInsts + code.MaxRun]code.Inst) }}

// Release hands the memory of an ended run on to machines that are made later. Neither the machine may be used any more, nor a finding or a snapshot
// that refers to it. A machine that is never released is collected like anything else.
func (m *Machine) Release() {
	insts := m.prog.Insts
	m.prog.Insts = nil
	if cap(insts) == maxInsts+code.MaxRun {
		clear(insts)
		spareCode.Put((*[maxInsts + code.MaxRun]code.Inst)(insts[:cap(insts)]))
	}
}

// seal makes the instructions that were added since ready to run: it lets jumps that go round for ever count a step, so that every
// loop comes to a look at the budget, and makes runs.
func (m *Machine) seal() {
	insts := m.prog.Insts
	for pc := m.sealed; pc < len(insts); pc++ {
		if in := &insts[pc]; in.Op == code.Jump && in.C == 0 && uint32(in.Imm) <= uint32(pc) && goesRound(insts, pc) {
			in.C = 1
		}
	}
	if m.joins() {
		code.Join(insts, m.sealed)
	}
	m.sealed = len(insts)
}

// joins reports whether the program has runs: where it may not, each instruction is dispatched by itself.
func (m *Machine) joins() bool { return !m.cfg.Plain && !m.cfg.Tools }

// rejoin makes new runs of the instructions around pc, which has changed.
func (m *Machine) rejoin(pc uint32) {
	const around = 4 * code.MaxRun
	end := min(int(pc)+around, len(m.prog.Insts))
	code.Join(m.prog.Insts[:end], max(int(pc)-around, 0))
}

// goesRound reports whether the jump at pc comes back to itself over nothing but jumps that count no step.
func goesRound(insts []code.Inst, pc int) bool {
	at := pc
	for n := 0; n < len(insts); n++ {
		in := insts[at]
		if in.Op != code.Jump || in.C != 0 || uint64(uint32(in.Imm)) >= uint64(len(insts)) {
			return false
		}
		if at = int(uint32(in.Imm)); at == pc {
			return true
		}
	}
	return true
}

// exitHere notes the status with which main returned, unless the program asked to end with another.
func (m *Machine) exitHere() {
	if !m.exit.set {
		m.exit = exitState{true, int(uint8(m.regs()[1]))}
	}
}

// start makes function fi the first frame, with the given arguments.
func (m *Machine) start(fi int, args ...uint64) *Trap {
	if t := m.initRecords(); t != nil {
		return t
	}
	m.stack[0] = code.Link(m.exitPC, 0)
	copy(m.stack[1:windowSize], args)
	m.frame = 1
	entry, t := m.entryOf(fi)
	m.pc = entry
	return t
}

// Heap returns the program's memory.
func (m *Machine) Heap() *heap.Heap { return m.heap }

// Program returns what the machine runs.
func (m *Machine) Program() *code.Program { return m.prog }

// Module returns the module of the program, nil for a program that was put together by hand.
func (m *Machine) Module() *ir.Module { return m.prog.Module }

// StopKind says why Run came back.
type StopKind uint8

// The reasons. After Exited and Trapped the run is over.
const (
	Budget      StopKind = iota // the steps that Run was given are used up
	Exited                      // the program ended
	Trapped                     // see Stop.Trap; a limit is a trap too
	Interrupted                 // Interrupt was called
)

// Stop is what Run returns.
type Stop struct {
	Kind     StopKind
	ExitCode int   // of Exited
	Trap     *Trap // of Trapped
}

// Interrupt makes Run come back soon, also from another goroutine.
func (m *Machine) Interrupt() { m.interrupt.Store(true) }

// Steps is the number of SIL instructions run so far.
func (m *Machine) Steps() uint64 { return m.steps }

// Depth is the number of frames.
func (m *Machine) Depth() int { return int(uint32(m.frame)) }

// slice is how many steps run between looks at clock and interrupt: a few thousandths of a second. Each ends in a call of
// runtime.Gosched, because a goroutine that runs for 10 ms without one is preempted by a signal, and a signal in the middle of
// the loop costs far more than the call: up to a quarter of the run where signals are slow.
const slice = 1 << 21

// Run goes on for about budget SIL instructions, to the end of a block, and says why it stopped; 0 means to the end. Standard
// output is flushed whenever Run comes back.
func (m *Machine) Run(budget uint64) (stop Stop) {
	if budget == 0 {
		budget = ^uint64(0)
	}
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			stop = m.broken(p)
		}
		m.world.flush()
		m.spent += time.Since(began)
	}()
	for !m.ended {
		if m.interrupt.Swap(false) {
			return Stop{Kind: Interrupted}
		}
		if limit := m.cfg.Limits.Timeout; limit > 0 && m.spent+time.Since(began) > limit {
			return m.finish(stopTrap, m.limit(LimitTime))
		}
		grant := min(budget, slice)
		if limit := m.cfg.Limits.Steps; limit > 0 {
			if m.steps >= limit {
				return m.finish(stopTrap, m.limit(LimitSteps))
			}
			grant = min(grant, limit-m.steps)
		}
		m.left, m.rest = int64(grant), 0
		kind, t := m.runLoop()
		used := uint64(int64(grant) - m.left - m.rest)
		m.steps += used
		if kind != stopBudget {
			return m.finish(kind, t)
		}
		if used >= budget {
			return Stop{Kind: Budget}
		}
		budget -= used
		runtime.Gosched()
	}
	return m.ending()
}

// broken ends the run after a Go panic.
func (m *Machine) broken(p any) (stop Stop) {
	t := m.panicked(p)
	defer func() {
		if recover() != nil { // what is broken can't even be located
			m.trap = t
			stop = m.ending()
		}
	}()
	return m.finish(stopTrap, t)
}

// runLoop runs the loop. It is a function of its own so that the compiler finds the call in cmd/silvm/default.pgo, a CPU profile of the
// kernels, whatever changes around it: with the profile it puts the head of the loop at the start of a cache line, which is worth a
// fifth of the time. (go test -trimpath ./cmd/silvm -run '^$' -bench Kernels -benchtime 1x -cpuprofile cmd/silvm/default.pgo)
//
// Tests compare what loopRuns does with loop, which Config.Plain asks for.
func (m *Machine) runLoop() (stopKind, *Trap) {
	if m.cfg.Plain {
		return m.loop()
	}
	return m.loopRuns()
}

// finish notes how the run ended.
func (m *Machine) finish(kind stopKind, t *Trap) Stop {
	m.ended = true
	if kind == stopTrap {
		m.trap = t
		m.locate(t)
	}
	if !m.cfg.Tools {
		for _, t := range m.Tasks() {
			m.steps += m.openSteps(t)
		}
	}
	return m.ending()
}

// openSteps are the steps of the blocks that the calls of a task are in, which the plain lowering counts at their ends.
func (m *Machine) openSteps(t Task) (n uint64) {
	m.TaskFrames(t, func(f Frame) bool {
		if f.Inst != nil {
			n += m.stepsBefore(f.PC) + 1
		}
		return true
	})
	return n
}

func (m *Machine) ending() Stop {
	if m.trap != nil {
		return Stop{Kind: Trapped, ExitCode: m.trap.ExitCode(), Trap: m.trap}
	}
	return Stop{Kind: Exited, ExitCode: m.exit.code}
}

// stopKind is what loop returns.
type stopKind uint8

const (
	stopBudget stopKind = iota
	stopExit
	stopTrap
)
