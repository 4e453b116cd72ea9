// Package debugger runs a program forwards and backwards and shows what it does: breakpoints, watchpoints, stepping, a timeline of
// snapshots, frames and values, objects with their counts and histories. It returns data; front ends (debugger/repl, debugger/dap)
// put it into words.
//
// A [Debugger] holds one run of one program, lowered for tools. Time is a number of steps: at step n the program has run n SIL
// instructions and is about to begin the next one. The same program with the same input is in the same state at step n however
// often and from wherever one comes there; so going back is restoring the latest snapshot before a step and running on from it, and
// everything that looks for a moment in the past (backward verbs, histories) runs a stretch of the past again and watches it.
//
// Invariants: between calls the run stands at a step, or has ended; searching and looking never change what the program does; output
// that was delivered once is not delivered again, input that was read once is not asked for again.
//
// It refuses to go on after the end of the program. What the user sets (set.go) becomes a part of the run. It is not safe for use by several
// goroutines, but for [Debugger.Interrupt].
//
// Read this file, then timeline.go and search.go.
package debugger

import (
	"errors"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/leak"
)

// Config says how a program is debugged.
type Config struct {
	VM      vm.Config // Tools is set by New
	History uint64    // bytes that snapshots may hold; 0 is DefaultHistory
	// AllowLeaks are the names of leaks that are not told, see leak.Report.Allow.
	AllowLeaks []string

	// Finding is where full checking, which the debugger does not do itself, found that the run breaks a rule; nil is nowhere. The run
	// ends there.
	Finding *Finding
}

// Finding is what a run under full checking (vm/check) of the same program with the same configuration ended in.
type Finding struct {
	Step uint64 // of the run when it ended, as vm.Machine.Steps counts
	Trap *vm.Trap
}

// DefaultHistory is the memory that snapshots may hold when nobody says.
const DefaultHistory = 512 << 20

// Debugger is a session.
type Debugger struct {
	m        *vm.Machine
	leaks    *leak.Report
	mod      *ir.Module
	timeline timeline

	breaks  []*Breakpoint
	made    int            // breakpoints ever made
	planted map[uint32]int // how many want a stop at a boundary, by pc
	wanted  map[uint32]int // the same of a search under way
	lifted  bool           // those of breaks are not in the code now
	under   *scanner       // the search under way
	// globalsCalled caches what globals are called.
	globalsCalled map[*ir.Global]globalNames
	midway        bool // the run stands in the middle of an instruction
	lines         map[*code.Func]*lineTable
	selected      int // frame in which names are looked up
	hidden        int // inlined calls at the innermost place that a stop does not show yet

	end       *End // how the run ended, when it was run to there; it stays known when one goes back
	last      Stop
	counts    map[uint64]Counts // of the live objects at the last stop, by serial number
	called    map[uint64]string // their names
	counted   bool              // counts has all of them
	names     map[*ir.Function]map[*ir.Value]string
	bookmarks map[string]uint64
	settings  []Setting                        // of the user, by position
	told      *vm.Trap                         // the finding whose callers were looked for
	say       func(b *Breakpoint, text string) // see OnMessage
	tick      func(step uint64)                // see OnProgress
	scopes    map[*ir.Function]*cfg.Dominators
	tellers   map[*ir.Function]map[string][]*ir.Inst // see variables
	views     map[viewpoint]map[*ir.Scope]int        // see visible
	unasked   bool                                   // no name is looked for that is like one which there is not
	symbols   map[string]string                      // names of functions that were inlined, by symbol
}

// End is how the run ended.
type End struct {
	Step     uint64 // of the instruction that trapped, or the number of instructions of a run that exited
	ExitCode int
	Trap     *vm.Trap // nil when the program exited
}

// New makes a session that is at the first instruction of main. The error says why there is none.
func New(mod *ir.Module, c Config) (*Debugger, error) {
	c.VM.Tools = true
	m, err := vm.New(mod, c.VM)
	if err != nil {
		return nil, err
	}
	if c.History == 0 {
		c.History = DefaultHistory
	}
	d := &Debugger{
		m: m, leaks: leak.Of(m), mod: mod, planted: map[uint32]int{}, wanted: map[uint32]int{}, lines: map[*code.Func]*lineTable{},
		names: map[*ir.Function]map[*ir.Value]string{}, bookmarks: map[string]uint64{},
		scopes: map[*ir.Function]*cfg.Dominators{}, counts: map[uint64]Counts{},
	}
	d.leaks.Allow(c.AllowLeaks...)
	if c.Finding != nil {
		m.Condemn(c.Finding.Step, c.Finding.Trap)
	}
	d.timeline = newTimeline(m, c.History)
	m.OnLowered(d.lowered)
	for _, f := range m.Program().Lowered {
		d.lowered(f)
	}
	switch stop := m.Advance(1); stop.Kind {
	case vm.Budget:
		d.timeline.past.note(m)
		d.timeline.markNet()
	case vm.Interrupted:
		return nil, errors.New("interrupted")
	default:
		d.ended(stop)
	}
	d.last = Stop{Reason: Started, Step: d.Step(), End: d.atEnd()}
	return d, nil
}

// Machine returns the run, for looking at only.
func (d *Debugger) Machine() *vm.Machine { return d.m }

// Leaks returns the report on what leaks if nothing happens any more.
func (d *Debugger) Leaks() *leak.Report { return d.leaks }

// Module returns the program.
func (d *Debugger) Module() *ir.Module { return d.mod }

// Heap returns the program's memory, for looking at only.
func (d *Debugger) Heap() *heap.Heap { return d.m.Heap() }

// Step is where the run stands: the number of SIL instructions that it has run.
func (d *Debugger) Step() uint64 {
	if d.m.Ended() && d.end != nil && d.end.Trap == nil {
		return d.m.Steps()
	}
	return d.m.Now() - min(1, d.m.Now()) // conditions are asked while it runs
}

// End tells how the run ended, nil as long as it was never run to its end.
func (d *Debugger) End() *End { return d.end }

// Ended reports whether the run stands at its end.
func (d *Debugger) Ended() bool { return d.m.Ended() }

func (d *Debugger) atEnd() *End {
	if d.m.Ended() {
		return d.end
	}
	return nil
}

// Interrupt makes the verb that is running come back soon; other goroutines may call it.
func (d *Debugger) Interrupt() { d.m.Interrupt() }

// OnProgress calls f again and again while the program runs, forwards or through its past, with the step that it is at; nil calls nothing.
func (d *Debugger) OnProgress(f func(step uint64)) { d.tick = f }

// LastStop is what the last verb returned.
func (d *Debugger) LastStop() Stop { return d.last }

// Unseen makes the last stop one that nothing was seen before: it has no changes.
func (d *Debugger) Unseen() { d.last.Changes, d.last.Back = nil, false }

// ended notes the end of the run.
func (d *Debugger) ended(s vm.Stop) {
	d.end = &End{ExitCode: s.ExitCode, Trap: s.Trap}
	d.end.Step = d.Step()
}

// lowered plants breakpoints in a function that is about to run for the first time.
func (d *Debugger) lowered(f *code.Func) {
	d.noteWrites(f)
	for _, b := range d.breaks {
		d.plantIn(b, f)
	}
	if c := d.under; c != nil && c.s.grow != nil {
		for _, pc := range c.s.grow(f) {
			if !c.s.at[pc] {
				c.s.at[pc] = true
				if c.stopsAt(pc) {
					c.planted = append(c.planted, pc)
					d.plant(pc, 1)
				}
			}
		}
	}
}

// Bookmark returns the present step a name.
func (d *Debugger) Bookmark(name string) { d.bookmarks[name] = d.Step() }

// Bookmarks returns the named steps.
func (d *Debugger) Bookmarks() map[string]uint64 { return d.bookmarks }

// HistoryBytes is the memory that snapshots hold, and how many there are.
func (d *Debugger) HistoryBytes() (bytes uint64, snapshots int) {
	return d.timeline.bytes(), len(d.timeline.net) + len(d.timeline.local)
}

// MadeBy is the serial number of the youngest object at a step.
func (d *Debugger) MadeBy(step uint64) uint64 {
	back := d.stay()
	d.travel(step + 1)
	defer back()
	return d.m.Heap().Stats().Objects
}
