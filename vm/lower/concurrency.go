package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// Asynchronous code runs as one task, the main one, on one thread: an asynchronous function is called like any other, an await finds what
// it waits for done, and each executor is the one that runs already. What makes further tasks is not supported.

var concurrencyLowerings = map[op.Op]lowering{
	op.HopToExecutor: lowerNothing,
}

var concurrencyBuiltins = map[string]builtinLowering{
	"createAsyncTask":              lowerCreateAsyncTask,
	"convertTaskToJob":             firstOperand,
	"buildMainActorExecutorRef":    func(b *builder, c *builtinCall) error { return c.result(b, mir.Const(0), mir.Const(0)) },
	"buildDefaultActorExecutorRef": lowerActorExecutor,
	"initializeDefaultActor":       nothing,
	"destroyDefaultActor":          nothing,
}

// taskEnqueued is the flag of a task that the runtime enqueues, which then runs beside the one that makes it
// (include/swift/ABI/MetadataValues.h, TaskCreateFlags).
const taskEnqueued = 1 << 12

// lowerCreateAsyncTask makes the main task, which swift_job_run runs: a box with the function.
func lowerCreateAsyncTask(b *builder, c *builtinCall) error {
	args, err := c.operands(b, 2)
	if err != nil {
		return err
	}
	last := len(args) - 1
	if flags := args[0]; len(flags) != 1 || !flags[0].IsConst() || flags[0].Imm&taskEnqueued != 0 || len(args[last]) != 2 {
		return unsupportedf("tasks beside the main one")
	}
	t := b.Mod.Types.Intern(&ir.Type{Kind: ir.KindBox, Box: &ir.BoxType{Fields: []ir.BoxField{{Type: b.typeOf(c.Arg(last)), Mutable: true}}}})
	box, err := b.boxObject(t)
	if err != nil {
		return err
	}
	meta, err := b.objectMetadata(boxKey(t), box)
	if err != nil {
		return err
	}
	r := b.NewReg()
	b.emit(code.AllocObject, r, meta, 0, objectBits(box))
	b.storeValue(addr{base: r.Op(), off: int64(box.Fields[0].Offset)}, box.Fields[0].Layout, args[last])
	return c.result(b, r.Op(), mir.Const(0))
}

// lowerActorExecutor gives the executor of a default actor, which is the actor itself.
func lowerActorExecutor(b *builder, c *builtinCall) error {
	x, err := c.wordsOf(b, 1)
	if err != nil {
		return err
	}
	return c.result(b, x[0], mir.Const(0))
}
