package native

import "silvm/heap"

// The main task, which is the only one, and its actor (stdlib/public/Concurrency).

var _ = register(map[string]func(*call){
	"swift_job_run":                  runJob,
	"swift_task_asyncMainDrainQueue": func(c *call) { c.unsupported("waiting for other tasks at the end of the main one") },
	// static MainActor.shared
	"$sScM6sharedScMvgZ": func(c *call) {
		a, t := c.GlobalAddr("MainActor.shared")
		c.fail(t)
		c.Set(0, a)
	},
	// _checkExpectedExecutor: every executor is the one that runs.
	"$ss22_checkExpectedExecutor14_filenameLength01_E7IsASCII5_line9_executoryBp_BwBi1_BwBetF": func(*call) {},
	// static Task<Never, Never>.yield(), isCancelled
	"$sScTss5NeverORszABRs_rlE5yieldyyYaFZ":       func(*call) {},
	"$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ": func(c *call) { c.setBool(false) },
})

// runJob calls the function of a task. The task itself goes first, as the function may end the program; what the function captures goes
// when it returns.
func runJob(c *call) {
	if c.State() == 0 {
		task := c.Arg(0)
		function, context := c.load(task+heap.HeaderSize), c.load(task+heap.HeaderSize+8)
		c.fail(c.ReleaseLeaf(task))
		c.SetState(1)
		c.SetLocal(0, context)
		if c.trap == nil {
			c.fail(c.CallHandle(function, context, 0))
		}
		return
	}
	c.Release(c.Local(0))
}
