package vm

import (
	"iter"
	"maps"
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
)

// A fiber is one thread of control: a frame stack, a linear-memory stack and open accesses of its own. Fiber 0 is that of the main
// thread; each task has one, and each call of a custom executor's enqueue. One fiber runs at a time and goes on until it waits, yields or
// ends (stdlib/public/Concurrency/Task.cpp runs them on threads, whose order nobody promises): the scheduler then picks another one,
// the longest ready first, or with a seed any. All of it is data of the machine, so that snapshots have every task.
type fiber struct {
	number   uint64
	task     uint64 // the task object, 0 for the main thread and for calls of enqueue
	state    fiberState
	why      Waiting
	on       uint64   // what it waits for: see Waiting
	wakeAt   uint64   // of one that sleeps, by the program's clock
	executor Executor // its isolation: an actor, the main one, a custom serial executor, or none
	prefers  Executor // the task executor that it prefers, for jobs that need no custom serial executor
	host     Executor // the task executor that runs it now
	runner   int      // index of the fiber that runs this one's job and waits until it stops, -1 for the scheduler
	thread   bool     // runs what a dispatch queue was given
	blocked  bool     // waits with its thread: nobody else gets the executors that it holds
	handOver bool     // goes to its task executor when it is picked: its actor was busy when that ran it
	// Word that the code of dispatch queues keeps for the thread: what runs on behalf of which queue.
	threadFrame uint64
	locals      uint64 // innermost task-local binding: an object of the supplement, which it owns, or 0

	// Of one that does not run.
	stack     []uint64
	frame     uint64
	pc        uint32
	sp, spEnd uint64
	chunk     int
	chunks    []stackChunk
	accesses  []access
	unpaired  []unpairedAccess
}

type fiberState uint8

const (
	fiberReady fiberState = iota
	fiberRunning
	fiberWaiting
	fiberHandedOver // its job was given to a custom executor
	fiberEnded
)

// Waiting says why a task does not run.
type Waiting uint8

// The reasons. On is the object or number of what is waited for.
const (
	NotWaiting       Waiting = iota
	WaitsForTask             // the value of another task: its object
	WaitsForGroup            // the next result of a task group: its object
	WaitsForResume           // a continuation: its number
	WaitsForTime             // Task.sleep
	WaitsForJobs             // the main thread, when it has nothing left to do but to run jobs
	WaitsForRun              // a job that runSynchronously runs
	WaitsForExecutor         // a custom executor, which has the job
	WaitsForLock             // a lock: its address
	WaitsForSemaphore
	WaitsForDispatchGroup
	WaitsForQueue // its turn in a dispatch queue
)

// Executor is where a task runs. The zero value is the global concurrent executor; Impl is 0 for an actor's own executor and the main actor's,
// else bits that say what kind of custom executor the object is. executorCustom is set in each of them.
type Executor struct{ Identity, Impl uint64 }

// Bits of Impl.
const (
	executorCustom  = 8 // set in each
	executorComplex = 1 // equality of executors asks isSameExclusiveExecutionContext
	executorOfTasks = 2 // a task executor
)

// schedule is the state of the scheduler.
type schedule struct {
	fibers   []fiber // ended ones leave their place to new ones; 0 is the main thread
	current  int
	outer    int              // how many of the open accesses are of the code that runs the running fiber's job
	queued   map[Executor]int // how many of ready belong to an actor
	ready    []int            // indices of fibers that can run, the longest ready first
	made     uint64
	polls    uint64 // of the running fiber since it was picked
	free     []int
	random   uint64         // state of the generator that picks, when a seed was given
	chance   bool           // picks by random
	spare    []stackChunk   // chunks of ended fibers
	conts    []continuation // by number, ascending
	spent    []continuation // the last that are over
	nextCont uint64
	blocked  []int // indices of fibers that wait with their threads
	sleepers []int // indices of fibers that sleep, the first to wake first
}

// continuation is one that waits for its resume, or for its task to wait for it.
type continuation struct {
	number  uint64
	fiber   int
	to      uint64 // where the value goes
	err     uint64 // the error it was resumed with, 0 for none
	resumed bool
	waited  bool
	made    uint32 // where it was made, as the program's own code has it
	by      uint32 // where it was resumed, likewise
}

// maxSpent is how many continuations that are over are remembered, for the finding about one that is resumed again.
const maxSpent = 64

func (s *schedule) init(seed uint64) {
	s.fibers = []fiber{{state: fiberRunning, runner: -1}}
	s.random, s.chance = seed, seed != 0
	s.made = 1
}

func (s *schedule) clone() schedule {
	c := *s
	c.fibers = slices.Clone(s.fibers)
	for k := range c.fibers {
		f := &c.fibers[k]
		f.stack, f.chunks = slices.Clone(f.stack), slices.Clone(f.chunks)
		f.accesses, f.unpaired = slices.Clone(f.accesses), slices.Clone(f.unpaired)
	}
	c.queued, c.sleepers, c.blocked = maps.Clone(s.queued), slices.Clone(s.sleepers), slices.Clone(s.blocked)
	c.ready, c.free, c.spare, c.conts = slices.Clone(s.ready), slices.Clone(s.free), slices.Clone(s.spare), slices.Clone(s.conts)
	c.spent = slices.Clone(s.spent)
	return c
}

// size is about what the schedule takes in a snapshot besides the main thread, in bytes.
func (s *schedule) size() uint64 {
	n := 8*len(s.ready) + 8*len(s.free) + 24*len(s.spare) + 48*(len(s.conts)+len(s.spent))
	for k := 1; k < len(s.fibers); k++ {
		f := &s.fibers[k]
		n += 200 + 8*len(f.stack) + 24*len(f.chunks) + 32*len(f.accesses) + 16*len(f.unpaired)
	}
	return uint64(n)
}

func (f *fiber) same(g *fiber) bool {
	return f.number == g.number && f.task == g.task && f.state == g.state && f.why == g.why && f.on == g.on && f.wakeAt == g.wakeAt &&
		f.executor == g.executor && f.prefers == g.prefers && f.host == g.host && f.runner == g.runner && f.thread == g.thread && f.blocked == g.blocked && f.handOver == g.handOver &&
		f.threadFrame == g.threadFrame && f.locals == g.locals && f.frame == g.frame && f.pc == g.pc && f.sp == g.sp &&
		f.spEnd == g.spEnd && f.chunk == g.chunk && len(f.stack) == len(g.stack) && slices.Equal(f.chunks, g.chunks) &&
		slices.Equal(f.accesses, g.accesses) && slices.Equal(f.unpaired, g.unpaired)
}

func (s *schedule) same(o *schedule) bool {
	return s.current == o.current && s.outer == o.outer && s.polls == o.polls && s.made == o.made && s.random == o.random && s.chance == o.chance && s.nextCont == o.nextCont &&
		slices.Equal(s.ready, o.ready) && slices.Equal(s.free, o.free) && slices.Equal(s.spare, o.spare) && slices.Equal(s.conts, o.conts) && slices.Equal(s.spent, o.spent) && slices.Equal(s.sleepers, o.sleepers) && slices.Equal(s.blocked, o.blocked) && maps.Equal(s.queued, o.queued) &&
		slices.EqualFunc(s.fibers, o.fibers, func(x, y fiber) bool { return x.same(&y) })
}

// newFiber makes a fiber that will call function fi.
func (m *Machine) newFiber(fi int, args ...uint64) (int, *Trap) {
	entry, t := m.entryOf(fi)
	if t != nil {
		return 0, t
	}
	s := &m.sched
	f := fiber{number: s.made, state: fiberReady, runner: -1, stack: append([]uint64{code.Link(m.exitPC, 0)}, args...), frame: 1, pc: entry}
	s.made++
	m.order(OrderStart, f.number)
	if n := len(s.free); n > 0 {
		k := s.free[n-1]
		s.free = s.free[:n-1]
		s.fibers[k] = f
		return k, nil
	}
	if uint64(len(s.fibers)) >= maxFibers {
		return 0, m.limit(LimitTasks)
	}
	s.fibers = append(s.fibers, f)
	return len(s.fibers) - 1, nil
}

// maxPolls is how often a task may ask whether it was cancelled, and the like, before the others have their turn.
const maxPolls = 100

// maxFibers bounds the tasks that exist at one time.
const maxFibers = 1 << 20

// put saves the running fiber: its frames up to the running one, which has n registers.
func (m *Machine) put(n int) {
	f := &m.sched.fibers[m.sched.current]
	f.stack = append(f.stack[:0], m.stack[:min(m.frame>>32+uint64(n), uint64(len(m.stack)))]...)
	f.frame, f.pc, f.sp, f.spEnd, f.chunk, f.chunks = m.frame, m.pc, m.sp, m.spEnd, m.chunk, m.chunks
	f.accesses, f.unpaired = m.accesses[m.sched.outer:], m.unpaired
	m.sched.outer = 0
}

// take makes fiber k the running one.
func (m *Machine) take(k int) *Trap {
	f := &m.sched.fibers[k]
	if t := m.room(f.frame >> 32); t != nil {
		return t
	}
	copy(m.stack, f.stack)
	m.frame, m.pc, m.sp, m.spEnd, m.chunk, m.chunks = f.frame, f.pc, f.sp, f.spEnd, f.chunk, f.chunks
	m.accesses, m.unpaired = f.accesses, f.unpaired
	m.sched.outer = 0
	if f.runner >= 0 {
		m.openOuter(f.runner)
	}
	f.stack, f.chunks, f.accesses, f.unpaired = f.stack[:0], nil, nil, nil
	f.state, f.why, f.on = fiberRunning, NotWaiting, 0
	if f.blocked {
		f.blocked = false
		m.sched.blocked = slices.DeleteFunc(m.sched.blocked, func(n int) bool { return n == k })
	}
	m.sched.current, m.sched.polls = k, 0
	return nil
}

// openOuter puts the accesses of the code that runs a job before those of the job: they are open on the same thread.
func (m *Machine) openOuter(runner int) {
	var outer []access
	for f := range m.sched.threadOf(runner) {
		outer = append(slices.Clone(f.accesses), outer...)
	}
	m.sched.outer, m.accesses = len(outer), append(outer, m.accesses...)
}

// switchAway saves the running fiber, whose innermost frame is that of native c, such that the native returns or has its next turn when the
// fiber goes on, and lets another one run.
func (m *Machine) switchAway(c *NativeCall) *Trap {
	m.pc = c.code + offReturned
	m.put(nativeBase)
	c.called = true
	return m.runNext()
}

// runNext picks the fiber that runs now.
func (m *Machine) runNext() *Trap {
	s := &m.sched
	if r := s.fibers[s.current].runner; r >= 0 { // its job ran inside of another fiber's, which goes on
		m.order(OrderWake, s.fibers[r].number)
		s.fibers[s.current].runner = -1
		return m.take(r)
	}
	return m.runReady()
}

// runReady has a fiber that is ready run, or lets time pass until one is.
func (m *Machine) runReady() *Trap {
	s := &m.sched
	for {
		if t := m.wakeDue(); t != nil {
			return t
		}
		k, ok, t := m.pick()
		if t != nil {
			return t
		}
		if ok && s.fibers[k].handOver {
			s.fibers[k].handOver = false
			call, t := m.makeReady(k)
			if t != nil {
				return t
			}
			m.soon(call)
			continue
		}
		if ok {
			if f := &s.fibers[k]; !f.blocked {
				f.host = Executor{}
			}
			return m.take(k)
		}
		if !m.passTime() {
			return m.deadlock()
		}
	}
}

// pick takes the next fiber to run out of those that are ready. What belongs to an executor that a blocked thread holds stays where it is.
func (m *Machine) pick() (int, bool, *Trap) {
	s := &m.sched
	allowed := s.ready
	if len(s.blocked) > 0 {
		held, t := m.held()
		if t != nil {
			return 0, false, t
		}
		allowed = nil
		for _, k := range s.ready {
			if f := &s.fibers[k]; f.blocked || !slices.Contains(held, f.executor) {
				allowed = append(allowed, k)
			}
		}
	}
	if len(allowed) == 0 {
		return 0, false, nil
	}
	n := 0
	if s.chance {
		n = int(s.draw() % uint64(len(allowed)))
	}
	return s.dequeue(slices.Index(s.ready, allowed[n])), true, nil
}

// held returns the executors that blocked threads hold.
func (m *Machine) held() ([]Executor, *Trap) {
	var held []Executor
	for _, k := range m.sched.blocked {
		for f := range m.sched.threadOf(k) {
			e := f.executor
			if f.number == 0 {
				c := NativeCall{m: m}
				main, t := c.GlobalAddr("MainActor.shared")
				if t != nil {
					return nil, t
				}
				e = Executor{Identity: main}
			}
			if e != (Executor{}) {
				held = append(held, e)
			}
		}
	}
	return held, nil
}

// thread goes through the fibers whose jobs the running one's thread runs: the running one, the one that runs its job, and so on.
func (s *schedule) thread() iter.Seq[*fiber] { return s.threadOf(s.current) }

func (s *schedule) threadOf(k int) iter.Seq[*fiber] {
	return func(yield func(*fiber) bool) {
		for k >= 0 && yield(&s.fibers[k]) {
			k = s.fibers[k].runner
		}
	}
}

// draw returns the next number of the scheduler's generator (Vigna, splitmix64).
func (s *schedule) draw() uint64 {
	s.random += 0x9e3779b97f4a7c15
	z := s.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// passTime puts the clock forward to when the next sleeper wakes; false when nobody sleeps.
func (m *Machine) passTime() bool {
	s := &m.sched
	if len(s.sleepers) == 0 {
		return false
	}
	m.world.elapsed = max(m.world.elapsed, s.fibers[s.sleepers[0]].wakeAt)
	return true
}

// wakeDue wakes the sleepers whose time has come, in the order of their times.
func (m *Machine) wakeDue() *Trap {
	s := &m.sched
	n := 0
	for n < len(s.sleepers) && s.fibers[s.sleepers[n]].wakeAt <= m.world.elapsed {
		n++
	}
	due := slices.Clone(s.sleepers[:n])
	s.sleepers = slices.Delete(s.sleepers, 0, n)
	for _, k := range due {
		call, t := m.makeReady(k)
		if t != nil {
			return t
		}
		m.soon(call)
	}
	return nil
}

// sleepUntil puts the running fiber among the sleepers.
func (m *Machine) sleepUntil(at uint64) {
	s := &m.sched
	s.fibers[s.current].wakeAt = at
	n, _ := slices.BinarySearchFunc(s.sleepers, at, func(k int, at uint64) int {
		if s.fibers[k].wakeAt <= at {
			return -1
		}
		return 1
	})
	s.sleepers = slices.Insert(s.sleepers, n, s.current)
}

// makeReady lets a fiber run again. A custom executor is handed its job first: the result is then the fiber that calls enqueue, else -1, and
// the scheduler has the task. What the caller must do is run that fiber at once (runWithin, runInstead) or have it picked next (soon).
func (m *Machine) makeReady(k int) (int, *Trap) {
	s := &m.sched
	f := &s.fibers[k]
	if n := slices.Index(s.sleepers, k); n >= 0 {
		s.sleepers = slices.Delete(s.sleepers, n, n+1)
	}
	if f.why == WaitsForTask || f.why == WaitsForGroup { // wakes on the global executor, and hops from there (Task.cpp, AsyncTask::completeFuture)
		f.executor = Executor{}
	}
	if f.blocked {
		f.state = fiberReady
		s.enqueue(k)
		return -1, nil
	}
	e, t := m.hostOf(f)
	if t != nil {
		return -1, t
	}
	if e != (Executor{}) {
		return m.handOver(k, e)
	}
	f.state, f.why, f.on = fiberReady, NotWaiting, 0
	s.enqueue(k)
	return -1, nil
}

// hostOf returns the custom executor that must be handed the job of a task, the zero value when the scheduler may run it.
func (m *Machine) hostOf(f *fiber) (Executor, *Trap) {
	if f.executor.Impl&executorCustom != 0 || f.prefers == (Executor{}) {
		if f.executor.Impl&executorCustom == 0 {
			return Executor{}, nil
		}
		return f.executor, nil
	}
	c := NativeCall{m: m}
	main, t := c.GlobalAddr("MainActor.shared")
	if t != nil || f.executor.Identity == main {
		return Executor{}, t
	}
	return f.prefers, nil
}

// soon has a fiber that calls enqueue picked next; -1 is none.
func (m *Machine) soon(call int) {
	if call >= 0 {
		m.sched.ready = slices.Insert(m.sched.ready, 0, call)
	}
}

// runInstead lets the fiber that calls enqueue, if there is one, go on in the place of the running one, which waits; else another one runs.
func (m *Machine) runInstead(c *NativeCall, call int) *Trap {
	if call < 0 {
		return m.switchAway(c)
	}
	s := &m.sched
	m.pc = c.code + offReturned
	m.put(nativeBase)
	c.called = true
	s.fibers[call].runner, s.fibers[s.current].runner = s.fibers[s.current].runner, -1
	return m.take(call)
}

// runWithin lets the fiber that calls enqueue, if there is one, run inside of the running one, which goes on afterwards.
func (m *Machine) runWithin(c *NativeCall, call int) *Trap {
	if call < 0 {
		return nil
	}
	s := &m.sched
	f := &s.fibers[s.current]
	f.state, f.why, f.on = fiberWaiting, WaitsForRun, s.fibers[call].on
	m.pc = c.code + offReturned
	m.put(nativeBase)
	c.called = true
	s.fibers[call].runner = s.current
	return m.take(call)
}

func (s *schedule) enqueue(k int) {
	s.ready = append(s.ready, k)
	if e := s.fibers[k].executor; e != (Executor{}) {
		if s.queued == nil {
			s.queued = map[Executor]int{}
		}
		s.queued[e]++
	}
}

// dequeue takes entry n of those that are ready.
func (s *schedule) dequeue(n int) int {
	k := s.ready[n]
	s.ready = slices.Delete(s.ready, n, n+1)
	if e := s.fibers[k].executor; e != (Executor{}) {
		if s.queued[e]--; s.queued[e] == 0 {
			delete(s.queued, e)
		}
	}
	return k
}

// handOver passes the job of fiber k to a custom executor: the result is a fiber of its own, which calls enqueue.
func (m *Machine) handOver(k int, e Executor) (int, *Trap) {
	s := &m.sched
	job := s.fibers[k].task
	ti, t := m.typeOfObject(e.Identity)
	if t != nil {
		return -1, t
	}
	name := "library_task_enqueue"
	if e.Impl&executorOfTasks != 0 {
		name = "library_task_enqueueOnTaskExecutor"
	}
	fi, err := m.prog.Runtime.Library(name, []*ir.Type{ti.Type})
	if err != nil {
		return -1, m.unsupportedError(err)
	}
	n, t := m.newFiber(fi, e.Identity, job)
	if t != nil {
		return -1, t
	}
	f := &s.fibers[k]
	f.state, f.why, f.on = fiberHandedOver, WaitsForExecutor, e.Identity
	return n, nil
}

// endFiber forgets the running fiber and lets another one run.
func (m *Machine) endFiber(c *NativeCall) *Trap {
	s := &m.sched
	f := &s.fibers[s.current]
	if !m.cfg.Tools {
		m.steps += m.openSteps(Task{fiber: s.current})
	}
	s.spare = append(s.spare, m.chunks...)
	m.chunks, m.accesses, m.unpaired = nil, nil, nil
	runner := f.runner
	*f = fiber{state: fiberEnded, runner: runner, number: f.number}
	s.free = append(s.free, s.current)
	c.called = true
	return m.runNext()
}

// newChunk returns the running fiber a chunk of at least size bytes for its linear-memory stack.
func (m *Machine) newChunk(size uint64) (stackChunk, *heap.Fault) {
	s := &m.sched
	for k := len(s.spare) - 1; k >= 0; k-- {
		if c := s.spare[k]; c.end-c.start >= size {
			s.spare = slices.Delete(s.spare, k, k+1)
			return stackChunk{start: c.start, end: c.end}, nil
		}
	}
	n := max(size, chunkBytes)
	if s.current != 0 && len(m.chunks) == 0 {
		n = max(size, taskChunkBytes)
	}
	start, f := m.heap.AllocRaw(n, 16, heap.KindStack, m.site())
	return stackChunk{start: start, end: start + n}, f
}

// taskChunkBytes is the usual size of the first chunk of a task's linear-memory stack: there are many tasks.
const taskChunkBytes = 4 << 10
