package vm

import (
	"runtime"
	"time"

	"silvm/vm/code"
)

// A program that runs in tiers begins in the interpreter. At the ends of slices the machine looks at what runs; when that went on for a while
// it has an engine compile these functions, as far as they are lowered, and goes on meanwhile. A function that is compiled is entered where it
// is called, and one that runs already where its loop begins: a Break stands there in place of the instruction, and the frame is left as
// if the function had returned by itself.
//
// Only the main thread enters machine code, so that what it calls returns in order; a program that makes tasks goes on in the interpreter.

// Tiers is an engine that takes over parts of a program.
type Tiers interface {
	// Compile begins to make machine code of what is hot, about limit instructions of it, if that takes no more than most, unless that is 0. When it makes
	// none, c says what it would have taken, if that is why.
	Compile(b *Bridge, h *Heat, limit, most int) (c Compilation)
	// Compiled returns the places where what was compiled can be entered, when that is ready; busy is true before that.
	Compiled(b *Bridge) (places []uint32, busy bool)
	// Idle is called at the end of each slice in the interpreter.
	Idle(b *Bridge)
	// Enter runs the machine code of a place in the running frame; out is as in Bridge.Exec. When it is done the frame goes on at on, or
	// returns if that is 0.
	Enter(b *Bridge, place uint32) (out Outcome, on uint32)
}

// Compilation is what an engine says of one.
type Compilation struct {
	Busy  bool // it began
	Takes int  // instructions
	Fresh bool // it makes places to enter machine code at where there were none
}

// Heat is what a machine has seen of a program's frames.
type Heat struct {
	Looks int
	// Seen says how often a frame was at a place, Top how often that was the running one.
	Seen, Top map[Spot]int
	// Now has the topmost frames of the last look, the running one first.
	Now []Spot
	// Words says what indirect calls went by that were under way, ever, by the pc of the call: the closure's function, the metadata of the receiver, or
	// the witness table. It may have words that none went by.
	Words map[uint32]map[uint64]int
}

// Spot is a place in a function that runs.
type Spot struct {
	Func *code.Func
	PC   uint32
}

// Pace says when a run in tiers compiles what.
type Pace struct {
	Slice int64 // steps between two looks at what runs
	First int   // looks before the first compilation, and at least as many before each later one: see tick
	Insts int   // instructions that the first compilation takes; a later one takes more, as there were more looks
	Part  int   // a compilation takes no more than one part in so many of the time that the program has taken, and all of them twice that; 0 for as much as it likes
	Wait  bool  // does nothing while the engine compiles: for tests
}

// Usual compiles after a few hundredths of a second, so much that the program loses little even if it ends then.
var Usual = Pace{Slice: 1 << 17, First: 128, Insts: 300, Part: 8}

// What a compilation takes, and a program before it runs.
const (
	timeAnInst  = 25 * time.Microsecond
	timeToBegin = 3600 * time.Microsecond // whatever there is to compile
	timeToLoad  = 18 * time.Millisecond
	longestLook = 2 * time.Millisecond // what takes longer waits
)

// affords returns how many instructions may be compiled after so long, of which so much was spent on compilations.
func (p Pace) affords(ran, spent time.Duration) int {
	if p.Part == 0 {
		return 0
	}
	one := (ran + timeToLoad) / time.Duration(p.Part)
	return max(1, int((min(one, 2*one-spent)-timeToBegin)/timeAnInst))
}

// until returns when a program affords so many.
func (p Pace) until(insts int, spent time.Duration) time.Duration {
	return max(timeFor(insts), (timeFor(insts)+spent)/2)*time.Duration(p.Part) - timeToLoad
}

// timeFor is what the compilation of so many instructions takes.
func timeFor(insts int) time.Duration { return time.Duration(insts)*timeAnInst + timeToBegin }

// tiers is the state of a run in tiers.
type tiers struct {
	engine  Tiers
	first   *code.Func // main
	pace    Pace
	looks   int // slices in the interpreter so far
	last    time.Time
	ran     time.Duration // what they took
	spent   time.Duration // what was compiled took
	ticks   int           // and since the last compilation began
	next    int           // after how many the next one begins
	busy    bool
	entered bool
	off     bool
	depth   int                 // entries under way
	heat    Heat                // of late: a program that was busy elsewhere before has another phase now
	places  map[uint32]*entered // by pc
}

// entered is a place where machine code is entered.
type entered struct {
	op    code.Op // the instruction's, which is a Break
	count int
	spent time.Duration // in the first entries
}

const (
	maxNested    = 200 // entries under way at once: they are on Go's stack
	spotsSeen    = 32  // frames that a look sees
	timedPlaces  = 64  // entries whose time is taken
	maxSites     = 1 << 12
	maxWordsSeen = 32
	worthwhile   = time.Microsecond
)

// RunTiers runs the program, which has not begun, in the interpreter, and what is hot by an engine. why is as in RunBy.
func (m *Machine) RunTiers(e Tiers, pace Pace) (stop Stop, why string) {
	b := newBridge(m)
	b.tiers = &tiers{engine: e, first: m.funcAt(m.pc), pace: pace, next: pace.First, heat: newHeat(nil), places: map[uint32]*entered{}}
	b.tiers.off = !b.Plain()
	defer func() {
		if p := recover(); p != nil {
			stop, why = m.broken(p), ""
		}
		if b.tiers.entered {
			m.steps = 0 // machine code counts none
		}
		m.world.flush()
	}()
	for !m.ended {
		if b.Interrupted() {
			break
		}
		kind, t := b.loop()
		switch {
		case kind == stopTrap && !b.tiers.entered:
			return m.finish(kind, t), ""
		case kind == stopTrap:
			b.fail(t)
		case kind == stopExit:
			b.end = endExit
		case m.broke:
			b.enter()
		default:
			b.tick()
			runtime.Gosched()
		}
		if b.end != notEnded {
			break
		}
	}
	if m.ended {
		return m.ending(), ""
	}
	stop, why, _ = b.End()
	return stop, why
}

// loop runs the interpreter to the end of the slice, if nothing ends it earlier: the next call goes on with the same slice.
func (b *Bridge) loop() (stopKind, *Trap) {
	m, grant := b.m, b.grant()
	m.left, m.rest, m.broke = grant, 0, false
	kind, t := m.runLoop()
	b.left = m.left + m.rest
	m.steps += uint64(grant - b.left)
	return kind, t
}

// grant is how many steps are left of the slice.
func (b *Bridge) grant() int64 {
	if b.left <= 0 {
		b.left = b.slice()
	}
	return b.left
}

// slice is how many steps the interpreter may go.
func (b *Bridge) slice() int64 {
	if b.tiers == nil || b.tiers.off {
		return slice
	}
	t := b.tiers
	return t.pace.Slice + int64(uint64(uint32(t.looks)*spread)*uint64(t.pace.Slice)>>40)
}

// spread makes slices differ by up to one part in 256, for loops of the same steps to be seen at all their places.
const spread = 0x9e3779b1

// tick looks at what runs at the end of a slice.
func (b *Bridge) tick() {
	t := b.tiers
	if t == nil {
		return
	}
	t.engine.Idle(b)
	t.looks++
	if t.off {
		return
	}
	now := time.Now()
	if t.looks > 1 {
		t.ran += min(now.Sub(t.last), longestLook)
	}
	t.last = now
	if b.m.TaskCount() > 1 {
		b.noTiers()
		return
	}
	if t.busy {
		b.compiled()
		return
	}
	t.heat.note(b.spots())
	if t.ticks++; t.ticks == t.next/2 {
		t.heat = newHeat(t.heat.Words)
	}
	if t.ticks < t.next {
		return
	}
	t.ticks = 0
	for pc := range t.places {
		b.restore(pc)
	}
	c := t.engine.Compile(b, &t.heat, t.pace.Insts*max(t.next, t.looks/2)/t.pace.First, t.pace.affords(t.ran, t.spent))
	switch t.busy = c.Busy; {
	case !c.Busy:
		wait := int((t.pace.until(c.Takes, t.spent) - t.ran) / max(1, t.ran/time.Duration(t.looks)))
		t.ticks = t.next - max(1, t.next/8, t.looks/8, wait)
	case c.Fresh: // a program has other phases
		t.next = max(t.pace.First, t.looks/4)
	default:
		t.next *= 2
	}
	if c.Busy {
		t.spent += timeFor(c.Takes)
		t.heat = newHeat(t.heat.Words)
	}
	for pc := range t.places {
		b.setBreak(pc)
	}
	for t.busy && t.pace.Wait {
		time.Sleep(time.Millisecond)
		b.compiled()
	}
}

// compiled looks whether there is new machine code.
func (b *Bridge) compiled() {
	t := b.tiers
	places, busy := t.engine.Compiled(b)
	if t.busy = busy; !busy {
		b.place(places)
		t.ticks = 0
	}
}

// spots returns where the topmost frames are, the running one first.
func (b *Bridge) spots() (list []Spot) {
	m := b.m
	pc, frame := m.pc, m.frame
	for len(list) < spotsSeen && uint32(frame) > 0 {
		f := m.funcAt(pc)
		if f == nil || f.Native != nil {
			break // what an engine called, or the begin of the program
		}
		list = append(list, Spot{f, pc})
		if len(list) == 1 && pc > f.Entry {
			b.noteWord(pc-1, frame>>32) // slices end where calls return
		}
		b.noteWord(pc, frame>>32)
		link := m.stack[frame>>32]
		pc = uint32(link>>16) - 1
		frame -= uint64(uint16(link))<<32 + 1
	}
	return list
}

// noteWord notes what the indirect call goes by that a frame is at, if it is at one.
func (b *Bridge) noteWord(pc uint32, fp uint64) {
	m := b.m
	in := m.prog.Insts[pc]
	if in.Op.First() == code.OnError && pc > 0 {
		pc--
		in = m.prog.Insts[pc]
	}
	word := m.stack[fp+uint64(in.B)]
	switch in.Op.First() {
	case code.CallThick, code.CallWitnessMethod:
	case code.CallMethod:
		word, _ = m.heap.Load64(word)
	default:
		return
	}
	words := b.tiers.heat.Words
	if words[pc] == nil && len(words) < maxSites {
		words[pc] = map[uint64]int{}
	}
	if at := words[pc]; at != nil && (at[word] > 0 || len(at) < maxWordsSeen) {
		at[word]++
	}
}

// newHeat forgets what was seen, but the words.
func newHeat(words map[uint32]map[uint64]int) Heat {
	if words == nil {
		words = map[uint32]map[uint64]int{}
	}
	return Heat{Seen: map[Spot]int{}, Top: map[Spot]int{}, Words: words}
}

// note adds a look to what was seen.
func (h *Heat) note(spots []Spot) {
	h.Looks++
	h.Now = spots
	for k, s := range spots {
		if k == 0 {
			h.Top[s]++
		}
		h.Seen[s]++
	}
}

// place makes the interpreter enter machine code at places.
func (b *Bridge) place(pcs []uint32) {
	t := b.tiers
	for _, pc := range pcs {
		if t.places[pc] == nil {
			t.places[pc] = &entered{}
			b.setBreak(pc)
		}
	}
}

// setBreak makes the interpreter enter machine code at a place. The operation there may have become another since the last time, with another
// constant: machine code has it done by Exec, which writes the new one over the Break.
func (b *Bridge) setBreak(pc uint32) {
	in := &b.m.prog.Insts[pc]
	if in.Op.First() != code.Break {
		b.tiers.places[pc].op = in.Op.First()
	}
	in.Op = code.Break
	b.m.rejoin(pc)
}

// restore puts an instruction back.
func (b *Bridge) restore(pc uint32) {
	if in := &b.m.prog.Insts[pc]; in.Op.First() == code.Break {
		in.Op = b.tiers.places[pc].op
		b.m.rejoin(pc)
	}
}

// noTiers leaves the rest of the run to the interpreter, but for what is in machine code now.
func (b *Bridge) noTiers() {
	for pc := range b.tiers.places {
		b.restore(pc)
	}
	b.tiers.off = true
	clear(b.tiers.places)
}

// enter runs machine code in the running frame, which is at a Break, and leaves the frame.
func (b *Bridge) enter() Outcome {
	m, t := b.m, b.tiers
	pc := m.pc - 1
	if t == nil || t.places[pc] == nil {
		return b.giveUp("a break that nobody set")
	}
	p := t.places[pc]
	m.pc = pc
	if t.depth >= maxNested || m.TaskCount() > 1 {
		b.noTiers()
		return Done
	}
	var began time.Time
	if p.count++; p.count <= timedPlaces {
		began = time.Now()
	}
	t.entered = true
	t.depth++
	out, on := t.engine.Enter(b, pc)
	t.depth--
	switch {
	case out == Ended:
		return Ended
	case on != 0:
		m.pc = on
	case out == Threw:
		m.pc = m.nest.ret + 3
	default:
		m.pc = m.nest.ret + 2
	}
	if p.count <= timedPlaces {
		if p.spent += time.Since(began); p.count == timedPlaces && p.spent < timedPlaces*worthwhile {
			b.restore(pc) // entering takes longer than it saves
			delete(t.places, pc)
		}
	}
	return out
}

// giveUp ends the run: the interpreter has to run the program from the start.
func (b *Bridge) giveUp(why string) Outcome {
	b.end, b.why = endGaveUp, why
	return Ended
}

// Stopped says that the machine code that was entered has stopped, for the reason that why names, unless the run has ended otherwise or is
// to be interrupted.
func (b *Bridge) Stopped(why string) {
	if b.end == notEnded && !b.Interrupted() {
		b.giveUp(why)
	}
}

// Share makes the arena, with so many bytes of the engine's in front, unless there is one.
func (b *Bridge) Share(control uint64) {
	if b.m.heap.Arena() == nil {
		b.m.heap.Share(control)
	}
}

// IsFirst reports whether a function is the one that the program began with.
func (b *Bridge) IsFirst(f *code.Func) bool { return f == b.tiers.first }

// FuncAt returns the function that begins at pc.
func (b *Bridge) FuncAt(pc uint32) *code.Func { return b.m.funcAt(pc) }

// Frame returns the registers of the running frame and how many calls are under way.
func (b *Bridge) Frame() (regs []uint64, calls uint64) {
	return b.m.regs()[:], uint64(uint32(b.m.frame))
}
