package native

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
)

// concurrency has the entry points of the concurrency runtime (stdlib/public/Concurrency). What they do with tasks, groups and bindings is written in Swift
// (loader/library/tasks.swift); what is left here moves between tasks.
var concurrency = map[string]func(*call){
	"silvm_task_start":          startTask,
	"silvm_task_fiber":          func(c *call) { n, _ := c.Fiber(); c.Set(0, n) },
	"silvm_task_current":        func(c *call) { _, task := c.Fiber(); c.Set(0, task) },
	"silvm_task_ready":          once(func(c *call) *vm.Trap { return c.Ready(c.Arg(0)) }),
	"silvm_task_prefer":         prefer,
	"silvm_task_prefers":        func(c *call) { e := c.Prefers(); c.Set(0, e.Identity); c.Set(1, e.Impl) },
	"silvm_task_wait":           once(func(c *call) *vm.Trap { return c.Wait(vm.Waiting(c.Arg(0)), c.Arg(1)) }),
	"silvm_task_yield":          once(func(c *call) *vm.Trap { return c.YieldTask() }),
	"silvm_task_pause":          once(func(c *call) *vm.Trap { return c.Pause() }),
	"silvm_task_sleep":          once(func(c *call) *vm.Trap { return c.Sleep(c.Arg(0)) }),
	"silvm_task_release":        func(c *call) { c.Order(vm.OrderRelease, c.Arg(0)) },
	"silvm_task_acquire":        func(c *call) { c.Order(vm.OrderAcquire, c.Arg(0)) },
	"silvm_task_exit":           func(c *call) { c.fail(c.EndTask()) },
	"silvm_task_call":           callTask,
	"silvm_task_hop":            once(func(c *call) *vm.Trap { return c.Hop(c.executorAt(0)) }),
	"silvm_task_run":            once(runJob),
	"silvm_task_bind":           func(c *call) { c.fail(c.Bind(c.Arg(0), c.Arg(1))) },
	"silvm_task_locals":         func(c *call) { c.Set(0, *c.Locals()) },
	"silvm_task_setLocals":      func(c *call) { *c.Locals() = c.Arg(0) },
	"silvm_thread_start":        startThread,
	"silvm_thread_wait":         once(func(c *call) *vm.Trap { return c.Block(vm.Waiting(c.Arg(0)), c.Arg(1), c.Arg(2)) }),
	"silvm_thread_frame":        func(c *call) { c.Set(0, c.ThreadFrame()) },
	"silvm_thread_setFrame":     func(c *call) { c.Set(0, c.SetThreadFrame(c.Arg(0))) },
	"silvm_thread_isMain":       onMainThread,
	"silvm_clock_now":           func(c *call) { c.Set(0, c.Now()) },
	"silvm_executor_current":    currentExecutor,
	"silvm_executor_enter":      enterExecutor,
	"silvm_executor_same":       sameContext,
	"silvm_executor_isolates":   executorIsolates,
	"silvm_executor_main":       func(c *call) { c.Set(0, c.mainActor()); c.Set(1, 0) },
	"silvm_executor_ofActor":    executorOfActor,
	"silvm_continuation_make":   func(c *call) { c.Set(0, c.NewContinuation(c.Arg(0))) },
	"silvm_continuation_slot":   continuationSlot,
	"silvm_continuation_await":  awaitContinuation,
	"silvm_continuation_resume": once(func(c *call) *vm.Trap { return c.Resume(c.Arg(0), c.Arg(1)) }),
	"silvm_continuation_leaked": func(c *call) {
		if c.FullChecks() {
			c.fail(&vm.Trap{Kind: vm.BrokenRule, Rule: "SV1003", What: "a continuation is never resumed: the last reference to it goes, and its task waits forever"})
		}
	},
	"silvm_warn":                     func(c *call) { c.fail(c.WriteError(c.mem(c.Arg(0), c.Arg(1)))) },
	"swift_task_asyncMainDrainQueue": once(func(c *call) *vm.Trap { return c.Wait(vm.WaitsForJobs, 0) }),
	// Of the library's actors: the main one.
	"#Actor.unownedExecutor!getter": func(c *call) { c.Set(1, 0) },
	"#GlobalActor.shared!getter":    func(c *call) { c.Set(0, c.mainActor()) },
	// static MainActor.shared
	"$sScM6sharedScMvgZ": func(c *call) { c.Set(0, c.mainActor()) },
}

// once makes a native that may switch to another task; when its own goes on, it returns without a result.
func once(f func(c *call) *vm.Trap) func(*call) {
	return func(c *call) {
		if c.State() == 0 {
			c.SetState(1)
			c.fail(f(c))
		}
	}
}

// mainActor returns the main actor, which is its executor too.
func (c *call) mainActor() uint64 {
	a, t := c.GlobalAddr("MainActor.shared")
	c.fail(t)
	return a
}

// executorAt is the executor that arguments n and n+1 are.
func (c *call) executorAt(n int) vm.Executor {
	return vm.Executor{Identity: c.Arg(n), Impl: c.Arg(n + 1)}
}

// prefer makes the running task prefer a task executor, and returns the one before.
func prefer(c *call) {
	old := c.Prefer(c.executorAt(0))
	c.Set(0, old.Identity)
	c.Set(1, old.Impl)
}

// startTask makes the fiber of a task object on an executor, with the task executor that it prefers, and returns its number.
func startTask(c *call) {
	fi, t := c.Library("library_task_main")
	c.fail(t)
	if c.trap != nil {
		return
	}
	n, t := c.StartTask(fi, c.Arg(0), c.executorAt(1), c.executorAt(3))
	c.fail(t)
	c.Set(0, n)
}

// startThread makes a thread that is no task run, on the main executor or on none.
func startThread(c *call) {
	fi, t := c.Library("library_thread_main")
	c.fail(t)
	if c.trap == nil {
		c.fail(c.StartThread(fi, c.Arg(0), vm.Executor{Identity: c.Arg(1)}))
	}
}

func onMainThread(c *call) {
	on, t := c.OnMainThread()
	c.fail(t)
	c.Set(0, flag(on))
}

// callTask calls what a task runs, function and context, with the address for the value unless that is 0, and returns the error that it throws,
// 0 for none.
func callTask(c *call) {
	switch {
	case c.State() == 0:
		c.SetState(1)
		if to := c.Arg(2); to != 0 {
			c.fail(c.CallHandle(c.Arg(0), c.Arg(1), to))
		} else {
			c.fail(c.CallHandle(c.Arg(0), c.Arg(1)))
		}
	case c.Threw():
		c.Set(0, c.Returned(0))
	default:
		c.Set(0, 0)
	}
}

// runJob runs the job of a task, which an executor was handed, on a serial executor, a task executor, or both.
func runJob(c *call) *vm.Trap { return c.RunJob(c.Arg(0), c.executorAt(1), c.executorAt(3)) }

// currentExecutor returns the executor that the running code is on: outside of tasks it is the main one.
func currentExecutor(c *call) {
	e := c.Executor()
	if n, _ := c.Fiber(); n == 0 && e == (vm.Executor{}) {
		e.Identity = c.mainActor()
	}
	c.Set(0, e.Identity)
	c.Set(1, e.Impl)
}

// enterExecutor has the running code go on as if it ran on an executor, and returns the one before.
func enterExecutor(c *call) {
	old := c.Enter(c.executorAt(0))
	c.Set(0, old.Identity)
	c.Set(1, old.Impl)
}

// executorOfActor returns the executor of an actor, the global one for none.
func executorOfActor(c *call) {
	switch c.State() {
	case 0:
		if e, known := c.actorExecutor(); known {
			c.Set(0, e.Identity)
			c.Set(1, e.Impl)
		}
	case 1:
		a, b := c.Returned(0), c.Returned(1)
		c.Set(0, a)
		c.Set(1, b)
	}
}

// actorExecutor returns the executor of the actor that is argument 0; if that has a property of its own for it, the property is called instead,
// and the answer is there on turn 1.
func (c *call) actorExecutor() (vm.Executor, bool) {
	ref := c.Arg(0)
	if ref == 0 {
		return vm.Executor{}, true
	}
	ti, t := c.TypeOfObject(ref)
	c.fail(t)
	if c.trap != nil {
		return vm.Executor{}, true
	}
	getter, ok := c.lib.executors[ti.Index]
	if !ok {
		getter = c.customExecutor(ti.Index)
		c.lib.executors[ti.Index] = getter
	}
	if getter < 0 {
		return vm.Executor{Identity: ref}, true
	}
	c.SetState(1)
	c.fail(c.NativeCall.Call(getter, ref))
	return vm.Executor{}, false
}

// customExecutor returns the function by which an actor class that is no default actor returns its executor, -1 for default actors: their getter,
// which the compiler makes, asks the runtime.
func (c *call) customExecutor(index int) int {
	fi, t := c.Requirement("#Actor.unownedExecutor!getter", c.m.Program().Types[index].Type)
	if t != nil || isDefaultExecutor(c.Function(fi).Fn, 0) {
		return -1
	}
	return fi
}

// isDefaultExecutor reports whether a getter returns the executor of a default actor, itself or through the function that its thunk calls.
func isDefaultExecutor(fn *ir.Function, depth int) bool {
	if fn == nil || fn.IsDeclaration() || fn.Body() != nil {
		return true
	}
	for i := range fn.Insts() {
		switch aux := i.Aux.(type) {
		case *ir.BuiltinAux:
			if aux.ID() == op.BuiltinBuildDefaultActorExecutorRef {
				return true
			}
		case *ir.SymbolAux:
			if i.Op == op.FunctionRef && depth == 0 && strings.Contains(aux.Name, "unownedExecutor") {
				return isDefaultExecutor(aux.Func, depth+1)
			}
		}
	}
	return false
}

// executorIsolates asks a custom executor whether the running code is isolated to it: 0 no, 1 yes, 2 it does not know.
func executorIsolates(c *call) {
	if c.State() == 1 {
		r := c.Returned(0) & 0xff
		c.Set(0, r)
		return
	}
	executor := c.Arg(0)
	ti, t := c.TypeOfObject(executor)
	c.fail(t)
	if c.trap != nil {
		return
	}
	fi, t := c.Requirement("#SerialExecutor.isIsolatingCurrentContext", c.m.Program().Types[ti.Index].Type)
	if t != nil || c.Function(fi).Fn == nil {
		c.Set(0, 2) // before 6.2, or the library's own answer
		return
	}
	c.SetState(1)
	c.fail(c.NativeCall.Call(fi, executor))
}

// sameContext asks the executor that is argument 0 whether the one that is argument 1 is the same exclusive context: what meets the requirement
// is asked with executors that conform by the same witness table only, be they of different classes (Actor.cpp, swift_compareWitnessTables).
func sameContext(c *call) {
	if c.State() == 1 {
		same := c.Returned(0) & 1
		c.Set(0, same)
		return
	}
	a, b := c.Arg(0), c.Arg(1)
	mod := c.m.Module()
	var tables [2]*ir.WitnessTable
	for i, ref := range [...]uint64{a, b} {
		ti, t := c.TypeOfObject(ref)
		c.fail(t)
		if c.trap != nil {
			return
		}
		tables[i], _ = mod.WitnessTable(ti.Type, "SerialExecutor")
	}
	if tables[0] == nil || tables[0] != tables[1] {
		c.Set(0, 0)
		return
	}
	fi, t := c.Requirement("#SerialExecutor.isSameExclusiveExecutionContext", tables[0].Conformance.Type)
	c.fail(t)
	c.SetState(1)
	c.fail(c.NativeCall.Call(fi, b, a))
}

func continuationSlot(c *call) {
	to, t := c.ContinuationSlot(c.Arg(0))
	c.fail(t)
	c.Set(0, to)
}

// awaitContinuation waits until a continuation is resumed, and returns the error, 0 for none.
func awaitContinuation(c *call) {
	if c.State() == 0 {
		c.SetState(1)
		c.SetLocal(0, c.Arg(0))
		c.fail(c.Await(c.Arg(0)))
		if c.trap != nil || c.Called() {
			return
		}
	}
	c.Set(0, c.Awaited(c.Local(0)))
}
