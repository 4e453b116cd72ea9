package vm

import (
	"fmt"
	"math"
	"slices"
)

// What the natives of the concurrency library ask of the scheduler (fiber.go). A native that switches to another task must come back at
// once; it is called again, with the next state, when its own task goes on.

// StartTask makes the fiber of a task object, which calls function fi with it, on an executor, with the task executor that it prefers. Its
// number is what the other calls take.
func (c *NativeCall) StartTask(fi int, task uint64, e, prefers Executor) (uint64, *Trap) {
	k, t := c.m.newFiber(fi, task)
	if t != nil {
		return 0, t
	}
	f := &c.m.sched.fibers[k]
	f.task, f.executor, f.prefers, f.state = task, e, prefers, fiberHandedOver
	return uint64(k), nil
}

// StartThread makes a fiber that is no task, which calls function fi with a word, on an executor, and lets it run.
func (c *NativeCall) StartThread(fi int, arg uint64, e Executor) *Trap {
	k, t := c.m.newFiber(fi, arg)
	if t != nil {
		return t
	}
	f := &c.m.sched.fibers[k]
	f.thread, f.executor = true, e
	c.m.sched.enqueue(k)
	return nil
}

// Block stops the thread of the running fiber, with what runs on it and the executors that it holds, until it is made ready or so many nanoseconds
// of the program's clock are over, if not all bits are set.
func (c *NativeCall) Block(why Waiting, on, ns uint64) *Trap {
	m, s := c.m, &c.m.sched
	f := &s.fibers[s.current]
	if at := m.world.elapsed + ns; ns != math.MaxUint64 && at >= ns {
		m.sleepUntil(at)
	}
	f.state, f.why, f.on, f.blocked = fiberWaiting, why, on, true
	s.blocked = append(s.blocked, s.current)
	m.pc = c.code + offReturned
	m.put(nativeBase)
	c.called = true
	return m.runReady()
}

// ThreadFrame is the word that the running fiber, or the nearest one for which it runs a job, has set.
func (c *NativeCall) ThreadFrame() uint64 {
	for f := range c.m.sched.thread() {
		if f.threadFrame != 0 {
			return f.threadFrame
		}
	}
	return 0
}

// SetThreadFrame sets the running fiber's word, and returns the one before.
func (c *NativeCall) SetThreadFrame(word uint64) uint64 {
	f := &c.m.sched.fibers[c.m.sched.current]
	old := f.threadFrame
	f.threadFrame = word
	return old
}

// OnMainThread reports whether the running code is on the main thread.
func (c *NativeCall) OnMainThread() (bool, *Trap) {
	main, t := c.GlobalAddr("MainActor.shared")
	if t != nil {
		return false, t
	}
	for f := range c.m.sched.thread() {
		if f.number == 0 || f.executor.Identity == main {
			return true, nil
		}
	}
	return false, nil
}

// ThreadNumber is 0 on the main thread, else the number of the fiber whose thread it is: each task or thread that no other one runs has one of
// its own, as if there were always another free in the pool.
func (c *NativeCall) ThreadNumber() uint64 {
	if on, t := c.OnMainThread(); on || t != nil {
		return 0
	}
	n := uint64(0)
	for f := range c.m.sched.thread() {
		n = f.number
	}
	return n
}

// Ready lets a task run that waits, or that was not run yet.
func (c *NativeCall) Ready(fiber uint64) *Trap {
	if fiber >= uint64(len(c.m.sched.fibers)) {
		return c.m.internal("no such task")
	}
	f := &c.m.sched.fibers[fiber]
	if f.state != fiberWaiting && f.state != fiberHandedOver {
		return nil
	}
	return c.wake(int(fiber))
}

// wake lets a task run; when that takes a call of a custom executor, the native has to come back at once.
func (c *NativeCall) wake(fiber int) *Trap {
	c.m.order(OrderWake, c.m.sched.fibers[fiber].number)
	call, t := c.m.makeReady(fiber)
	if t != nil {
		return t
	}
	return c.m.runWithin(c, call)
}

// WakeLock lets the thread go on that waits longest for the lock at an address, if one does.
func (c *NativeCall) WakeLock(at uint64) *Trap {
	s := &c.m.sched
	for _, k := range s.blocked {
		if f := &s.fibers[k]; f.state == fiberWaiting && f.why == WaitsForLock && f.on == at {
			return c.wake(k)
		}
	}
	return nil
}

// Prefer sets the task executor that the running task prefers, and returns the one before.
func (c *NativeCall) Prefer(e Executor) Executor {
	f := &c.m.sched.fibers[c.m.sched.current]
	old := f.prefers
	f.prefers = e
	return old
}

// Prefers returns the task executor that the running task prefers.
func (c *NativeCall) Prefers() Executor { return c.m.sched.fibers[c.m.sched.current].prefers }

// Wait stops the running task until it is made ready.
func (c *NativeCall) Wait(why Waiting, on uint64) *Trap {
	f := &c.m.sched.fibers[c.m.sched.current]
	f.state, f.why, f.on = fiberWaiting, why, on
	return c.m.switchAway(c)
}

// Sleep stops the running task for so many nanoseconds of the program's clock, or until it is made ready.
func (c *NativeCall) Sleep(ns uint64) *Trap {
	at := c.m.world.elapsed + ns
	if at < ns {
		at = ^uint64(0)
	}
	c.m.sleepUntil(at)
	return c.Wait(WaitsForTime, 0)
}

// Now returns the nanoseconds since the run began, by the program's clock.
func (c *NativeCall) Now() uint64 { return c.m.world.now() }

// YieldTask lets the other tasks run that are ready.
func (c *NativeCall) YieldTask() *Trap {
	s := &c.m.sched
	if c.m.world.elapsed += clockTick; len(s.ready) == 0 && s.fibers[s.current].runner < 0 && s.fibers[s.current].isPlain() {
		if t := c.m.wakeDue(); t != nil || len(s.ready) == 0 {
			return t
		}
	}
	call, t := c.m.makeReady(s.current)
	if t != nil {
		return t
	}
	return c.m.runInstead(c, call)
}

// Pause lets the other tasks run for the sake of code that polls and need not be asynchronous, after so many polls: the thread waits with the
// executors that it holds.
func (c *NativeCall) Pause() *Trap {
	m, s := c.m, &c.m.sched
	f := &s.fibers[s.current]
	if s.polls++; s.polls < maxPolls && !(s.chance && s.draw()&3 == 0) || f.runner >= 0 || !f.isPlain() {
		return nil
	}
	if m.world.elapsed += clockTick; len(s.ready) == 0 {
		if t := m.wakeDue(); t != nil || len(s.ready) == 0 {
			return t
		}
	}
	f.state, f.blocked = fiberReady, true
	s.blocked = append(s.blocked, s.current)
	s.enqueue(s.current)
	return m.switchAway(c)
}

// isPlain reports whether the scheduler runs a task, and no executor of the program.
func (f *fiber) isPlain() bool { return f.executor.Impl == 0 && f.prefers == Executor{} }

// EndTask ends the running task's fiber.
func (c *NativeCall) EndTask() *Trap { return c.m.endFiber(c) }

// Fiber returns the number of the running task's fiber, and the task, 0 for none.
func (c *NativeCall) Fiber() (number, task uint64) {
	s := &c.m.sched
	return uint64(s.current), s.fibers[s.current].task
}

// Locals returns the word that is the head of the running task's task-local bindings.
func (c *NativeCall) Locals() *uint64 { return &c.m.sched.fibers[c.m.sched.current].locals }

// Bind sets the head of the task-local bindings of a task that was not run yet.
func (c *NativeCall) Bind(fiber, word uint64) *Trap {
	if fiber >= uint64(len(c.m.sched.fibers)) {
		return c.m.internal("no such task")
	}
	c.m.sched.fibers[fiber].locals = word
	return nil
}

// Order tells who looks for races of an order that the library makes between tasks.
func (c *NativeCall) Order(kind OrderKind, key uint64) { c.m.order(kind, key) }

// Executor returns the executor of the running task.
func (c *NativeCall) Executor() Executor { return c.m.sched.fibers[c.m.sched.current].executor }

// Enter has the running code be on an executor that nobody else can be on, and returns the one before.
func (c *NativeCall) Enter(e Executor) Executor {
	f := &c.m.sched.fibers[c.m.sched.current]
	old := f.executor
	f.executor = e
	return old
}

// Hop makes the running task continue on an executor. Where a custom executor runs the task, or is to run it, the job goes through that
// executor's enqueue, even if only the task executor that is preferred changed (Actor.cpp, swift_task_switchImpl).
func (c *NativeCall) Hop(e Executor) *Trap {
	m, s := c.m, &c.m.sched
	f := &s.fibers[s.current]
	if f.task == 0 || f.executor == e && f.host == f.prefers {
		return nil
	}
	plain := f.isPlain()
	f.executor = e
	if plain && e.Impl == 0 && f.runner < 0 && s.queued[e] == 0 && len(s.blocked) == 0 && !(s.chance && len(s.ready) > 0 && s.draw()&1 != 0) {
		return nil
	}
	call, t := m.makeReady(s.current)
	if t != nil {
		return t
	}
	return m.runInstead(c, call)
}

// RunJob runs the job of a task that an executor was handed, here and now, until it waits, ends or goes on elsewhere: on a serial executor, a
// task executor, or both.
func (c *NativeCall) RunJob(fiber uint64, serial, host Executor) *Trap {
	m, s := c.m, &c.m.sched
	if fiber >= uint64(len(s.fibers)) || s.fibers[fiber].state != fiberHandedOver || int(fiber) == s.current {
		return &Trap{Kind: BrokenRule, Rule: "SV1005", What: "a job is run that its executor was not handed, or a second time"}
	}
	f, job := &s.fibers[s.current], &s.fibers[fiber]
	if e := job.executor; e != (Executor{}) && e.Impl&executorCustom == 0 && len(s.blocked) > 0 {
		held, t := m.held()
		if t != nil {
			return t
		}
		if slices.Contains(held, e) { // the actor is busy on a thread that blocks: it hands the job over again when it is free
			job.state, job.why, job.on, job.handOver = fiberReady, NotWaiting, 0, true
			s.enqueue(int(fiber))
			return nil
		}
	}
	f.state, f.why, f.on = fiberWaiting, WaitsForRun, job.task
	m.order(OrderWake, job.number)
	m.pc = c.code + offReturned
	m.put(nativeBase)
	c.called = true
	if job.runner, job.host = s.current, host; serial != (Executor{}) && (job.executor == Executor{} || job.executor.Impl&executorCustom != 0) {
		job.executor = serial // a job of a default actor stays isolated to that, wherever it runs
	}
	return m.take(int(fiber))
}

// Continuation words: numbers, such that they look like addresses.
const (
	contBase   = 1 << 16
	contStride = 16
)

// NewContinuation makes a continuation of the running task whose value goes to an address.
func (c *NativeCall) NewContinuation(to uint64) uint64 {
	s := &c.m.sched
	s.nextCont++
	s.conts = append(s.conts, continuation{number: s.nextCont, fiber: s.current, to: to, made: c.m.userSite()})
	return contBase + contStride*s.nextCont
}

// continuation finds the one that a word stands for.
func (c *NativeCall) continuation(word uint64) (int, *Trap) {
	s := &c.m.sched
	number := (word - contBase) / contStride
	if word < contBase || word%contStride != 0 || number == 0 || number > s.nextCont {
		return 0, c.m.badWord("continuation", word)
	}
	k, ok := slices.BinarySearchFunc(s.conts, number, func(x continuation, n uint64) int {
		return int(min(max(int64(x.number-n), -1), 1))
	})
	if !ok || s.conts[k].resumed {
		t := &Trap{Kind: BrokenRule, Rule: "SV1002", What: "a continuation is resumed twice"}
		var x continuation
		if ok {
			x = s.conts[k]
		} else if n := slices.IndexFunc(s.spent, func(x continuation) bool { return x.number == number }); n >= 0 {
			x = s.spent[n]
		}
		if x.number != 0 {
			t.Notes = append(t.Notes, Note{Msg: "it was resumed the first time here", Place: c.m.place(x.by)}, Note{Msg: "it was made here", Place: c.m.place(x.made)})
		}
		return 0, t
	}
	return k, nil
}

// ContinuationSlot returns the address that the value of a continuation goes to, which is about to be resumed.
func (c *NativeCall) ContinuationSlot(word uint64) (uint64, *Trap) {
	k, t := c.continuation(word)
	if t != nil {
		return 0, t
	}
	return c.m.sched.conts[k].to, nil
}

// Resume resumes a continuation: with the value in its slot, or with an error unless that is 0.
func (c *NativeCall) Resume(word, err uint64) *Trap {
	k, t := c.continuation(word)
	if t != nil {
		return t
	}
	c.m.order(OrderRelease, word)
	x := &c.m.sched.conts[k]
	x.resumed, x.err, x.by = true, err, c.m.userSite()
	if x.waited {
		return c.wake(x.fiber)
	}
	return nil
}

// Await stops the running task until a continuation of it is resumed; Awaited says how, on the turn after.
func (c *NativeCall) Await(word uint64) *Trap {
	s := &c.m.sched
	number := (word - contBase) / contStride
	for k := range s.conts {
		if x := &s.conts[k]; x.number == number {
			if x.resumed && !s.chance {
				return nil
			}
			x.waited = true
			if x.resumed {
				return c.YieldTask()
			}
			return c.Wait(WaitsForResume, number)
		}
	}
	return c.m.badWord("continuation", word)
}

// Awaited forgets a continuation that was resumed, and returns the error, 0 for none.
func (c *NativeCall) Awaited(word uint64) uint64 {
	c.m.order(OrderAcquire, word)
	s := &c.m.sched
	number := (word - contBase) / contStride
	for k := range s.conts {
		if x := s.conts[k]; x.number == number {
			s.conts = slices.Delete(s.conts, k, k+1)
			if s.spent = append(s.spent, x); len(s.spent) > maxSpent {
				s.spent = slices.Delete(s.spent, 0, 1)
			}
			return x.err
		}
	}
	return 0
}

// Task is one task, or the main thread, as tools see it.
type Task struct {
	Number   uint64 // in the order in which they were made; 0 is the main thread
	Object   uint64 // 0 for the main thread, for other threads and for what calls a custom executor
	Running  bool
	Thread   bool // what a dispatch queue runs, no task
	Why      Waiting
	On       uint64
	WakeAt   uint64 // by the program's clock, in nanoseconds, when it waits for time
	Executor Executor
	fiber    int
}

// Tasks lists the tasks that have not ended, in the order in which they were made.
func (m *Machine) Tasks() []Task {
	var out []Task
	for k := range m.sched.fibers {
		f := &m.sched.fibers[k]
		if f.state == fiberEnded {
			continue
		}
		out = append(out, Task{Number: f.number, Object: f.task, Running: k == m.sched.current, Thread: f.thread, Why: f.why, On: f.on, WakeAt: f.wakeAt,
			Executor: f.executor, fiber: k})
	}
	slices.SortFunc(out, func(a, b Task) int { return int(min(max(int64(a.Number-b.Number), -1), 1)) })
	return out
}

// CurrentTask is the number of the task that runs.
func (m *Machine) CurrentTask() uint64 { return m.sched.fibers[m.sched.current].number }

// TaskCount is how many tasks exist, the main thread included.
func (m *Machine) TaskCount() int { return len(m.sched.fibers) - len(m.sched.free) }

// HadTasks reports whether there was ever a task besides the main thread.
func (m *Machine) HadTasks() bool { return len(m.sched.fibers) > 1 }

// TaskFrames calls yield with the frames of a task, innermost first, until it returns false.
func (m *Machine) TaskFrames(t Task, yield func(Frame) bool) {
	f := &m.sched.fibers[t.fiber]
	if t.fiber == m.sched.current {
		m.Frames(yield)
		return
	}
	m.framesOf(f.stack, f.frame, f.pc, yield)
}

// TaskName is what messages call a task.
func (m *Machine) TaskName(t Task) string {
	switch {
	case t.Number == 0:
		return "the main thread"
	case t.Thread:
		return fmt.Sprintf("thread %d", t.Number)
	case t.Object == 0:
		return fmt.Sprintf("call of enqueue %d", t.Number)
	}
	return fmt.Sprintf("task %d", t.Number)
}

// Waits says in words what a task does or waits for.
func (m *Machine) Waits(t Task) string {
	name := func() string {
		for _, o := range m.Tasks() {
			if o.Object == t.On && o.Object != 0 {
				return m.TaskName(o)
			}
		}
		return "a task"
	}
	switch t.Why {
	case WaitsForTask:
		return "waits for the value of " + name()
	case WaitsForGroup:
		return "waits for the next result of a task group"
	case WaitsForResume:
		return "waits for its continuation to be resumed"
	case WaitsForTime:
		return fmt.Sprintf("sleeps until %.9f s", float64(t.WakeAt)/1e9)
	case WaitsForJobs:
		return "runs jobs"
	case WaitsForRun:
		return "waits for the job of " + name() + ", which it runs"
	case WaitsForExecutor:
		return "waits for a custom executor to run it"
	case WaitsForLock:
		return "waits for a lock"
	case WaitsForSemaphore:
		return "waits for a semaphore"
	case WaitsForDispatchGroup:
		return "waits for a dispatch group"
	case WaitsForQueue:
		return "waits for its turn in a dispatch queue"
	}
	if t.Running {
		return "runs"
	}
	return "is ready to run"
}

// deadlock is the trap of a program in which every task waits.
func (m *Machine) deadlock() *Trap {
	t := &Trap{Kind: BrokenRule, Rule: "SV1001", What: "deadlock: every task waits, and nothing is left that could wake one"}
	for _, task := range m.Tasks() {
		if task.Why == WaitsForJobs {
			continue
		}
		n := Note{Msg: m.TaskName(task) + " " + m.Waits(task)}
		m.TaskFrames(task, func(f Frame) bool {
			p := m.place(f.PC)
			if p.Inst != nil && !m.prog.Module.Files.IsOurs(p.Pos) {
				n.Place = p
			}
			return n.Place.Inst == nil
		})
		t.Notes = append(t.Notes, n)
	}
	return t
}
