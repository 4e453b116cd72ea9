package lower

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// An asynchronous function is called like any other: the frames of its task stay where they are while the task waits, and the natives of
// vm/native switch from one task to another. Tasks themselves, groups and async let are objects of the supplement (loader/library).

var concurrencyLowerings = map[op.Op]lowering{
	op.HopToExecutor:            lowerHopToExecutor,
	op.ExtractExecutor:          lowerExtractExecutor,
	op.FunctionExtractIsolation: lowerFunctionExtractIsolation,
	op.GetAsyncContinuationAddr: lowerGetAsyncContinuationAddr,
	op.AwaitAsyncContinuation:   lowerAwaitAsyncContinuation,
}

var concurrencyBuiltins = map[op.BuiltinID]builtinLowering{
	op.BuiltinCreateAsyncTask:                        lowerCreateAsyncTask,
	op.BuiltinConvertTaskToJob:                       firstOperand,
	op.BuiltinCreateTaskGroup:                        lowerCreateTaskGroup,
	op.BuiltinCreateTaskGroupWithFlags:               lowerCreateTaskGroup,
	op.BuiltinDestroyTaskGroup:                       libraryCall("library_task_destroyGroup", 1),
	op.BuiltinStartAsyncLetWithLocalBuffer:           lowerStartAsyncLet,
	op.BuiltinEndAsyncLetLifetime:                    libraryCall("library_task_endAsyncLet", 1),
	op.BuiltinCancelAsyncTask:                        libraryCall("library_swift_task_cancel", 1),
	op.BuiltinResumeNonThrowingContinuationReturning: lowerResumeReturning,
	op.BuiltinResumeThrowingContinuationReturning:    lowerResumeReturning,
	op.BuiltinResumeThrowingContinuationThrowing:     lowerResumeThrowing,
	op.BuiltinBuildMainActorExecutorRef: func(b *builder, c *builtinCall) error {
		return c.result(b, mir.Ops(b.runtimeCall("silvm_executor_main", 2)...)...)
	},
	op.BuiltinBuildDefaultActorExecutorRef:          lowerActorExecutor,
	op.BuiltinBuildOrdinarySerialExecutorRef:        executorOf(0),
	op.BuiltinBuildComplexEqualitySerialExecutorRef: executorOf(1),
	op.BuiltinBuildOrdinaryTaskExecutorRef:          executorOf(2),
	op.BuiltinInitializeDefaultActor:                nothing,
	op.BuiltinDestroyDefaultActor:                   nothing,
}

// runtimeCall calls a native that no program declares.
func (b *builder) runtimeCall(symbol string, results int, args ...operand) []reg {
	fn := b.runtime[symbol]
	if fn == nil {
		fn = &ir.Function{Name: symbol, Module: b.Mod}
		b.Lowerer.runtime[symbol] = fn
	}
	ref := b.native(b.key(fn, nil), fn, nil)
	m := minst{Op: code.CallNative, Imm: uint64(ref.Index), KB: uint16(len(args)), Args: args, Rets: b.newRegs(results)}
	b.add(m)
	return m.Rets
}

// callLibrary calls a function of the supplement.
func (b *builder) callLibrary(name string, types []*ir.Type, results int, args ...operand) ([]reg, error) {
	if !hasLocal(types) {
		index, err := b.Library(name, types)
		if err != nil {
			return nil, err
		}
		return b.call(index, args, results), nil
	}
	l := b.Lowerer
	index, more, fix, err := b.dynCall(nil, types, func(types []*ir.Type) (int, error) { return l.Library(name, types) })
	if err != nil {
		return nil, err
	}
	m := minst{Op: code.CallDyn, Imm: index, More: more, Fix: fix, Args: args, Rets: b.newRegs(results)}
	b.add(m)
	return m.Rets, nil
}

// libraryCall lowers a builtin to a function of the supplement that takes its first operands, of a word each, and returns nothing.
func libraryCall(name string, operands int) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		x, err := c.wordsOf(b, operands)
		if err != nil {
			return err
		}
		if _, err = b.callLibrary(name, nil, 0, x...); err != nil {
			return err
		}
		return c.result(b)
	}
}

// lowerHopToExecutor makes the task continue on an executor, or on that of an actor.
func lowerHopToExecutor(b *builder, i *ir.Inst) error {
	x := b.scalars(i.Arg(0))
	if len(x) == 0 {
		return unsupportedf("%s to %s", i.Op, b.typeOf(i.Arg(0)))
	}
	if isExecutor(b.typeOf(i.Arg(0))) {
		if len(x) != 2 {
			return unsupportedf("an executor of %d words", len(x))
		}
		b.runtimeCall("silvm_task_hop", 0, x...)
		return nil
	}
	b.runtimeCall("silvm_task_hop", 0, b.executorOf(i.Arg(0), i.Block())...)
	return nil
}

// extracted is where the executor of an actor was asked for.
type extracted struct {
	block *ir.Block
	words []operand
}

// executorOf returns the executor of an actor: what a dominating place has found, as the compiler does
// (lib/SILOptimizer/Mandatory/LowerHopToActor.cpp), since asking runs code of the program.
func (b *builder) executorOf(actor *ir.Value, block *ir.Block) []operand {
	for _, e := range b.executors[actor] {
		if e.block == block || b.dominators().Dominates(e.block, block) {
			return e.words
		}
	}
	words := mir.Ops(b.runtimeCall("silvm_executor_ofActor", 2, b.scalars(actor)[0])...)
	if b.executors == nil {
		b.executors = map[*ir.Value][]extracted{}
	}
	b.executors[actor] = append(b.executors[actor], extracted{block, words})
	return words
}

// dominators returns those of the function, made when first needed.
func (b *builder) dominators() *cfg.Dominators {
	if b.dom == nil {
		b.dom = cfg.NewDominators(b.fn)
	}
	return b.dom
}

// isExecutor reports whether a type is Builtin.Executor or an optional one.
func isExecutor(t *ir.Type) bool {
	if t.Kind == ir.KindNominal && len(t.Args) == 1 {
		t = t.Args[0]
	}
	return t.IsBuiltin(ir.BuiltinExecutor)
}

func lowerExtractExecutor(b *builder, i *ir.Inst) error {
	x := b.scalars(i.Arg(0))
	if isExecutor(b.typeOf(i.Arg(0))) {
		b.define(i.Results[0], x)
		return nil
	}
	b.define(i.Results[0], b.executorOf(i.Arg(0), i.Block()))
	return nil
}

// lowerFunctionExtractIsolation returns the actor that an @isolated(any) function value belongs to, which it captured first; a function value
// without context is isolated to none (lib/IRGen/GenFunc.cpp, emitFunctionPartialApplication).
func lowerFunctionExtractIsolation(b *builder, i *ir.Inst) error {
	words := b.scalars(i.Arg(0))
	lay, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	if len(words) != 2 || len(lay.Scalars) != 2 {
		return unsupportedf("%s of a function value of %d words", i.Op, len(words))
	}
	out := b.newRegs(2)
	none, some, done := b.newLabel(), b.newLabel(), b.newLabel()
	context := b.inReg(words[1])
	b.branchIf(context.Op(), some, none)
	b.placeLabel(none)
	b.copyTo(out[0], mir.Const(0))
	b.copyTo(out[1], mir.Const(0))
	b.jump(done)
	b.placeLabel(some)
	for k, x := range b.loadValue(addr{base: context.Op(), off: isolationOffset}, lay) {
		b.copyTo(out[k], x)
	}
	b.jump(done)
	b.placeLabel(done)
	b.bind(i.Results[0], out)
	return nil
}

// isolationOffset is where the context of a closure has its first capture.
const isolationOffset = 16

func lowerGetAsyncContinuationAddr(b *builder, i *ir.Inst) error {
	b.bind(i.Results[0], b.runtimeCall("silvm_continuation_make", 1, b.pointer(b.address(i.Arg(0)))))
	return nil
}

func lowerAwaitAsyncContinuation(b *builder, i *ir.Inst) error {
	err := b.runtimeCall("silvm_continuation_await", 1, b.scalar(i.Arg(0)))
	if len(i.Succs) == 1 {
		to, moves, fail := b.edgeMoves(i, 0, nil)
		if fail != nil {
			return fail
		}
		b.cur.Moves = moves
		b.jump(to)
		return nil
	}
	b.branchIf(err[0].Op(), b.edge(i, 1, err[0].Op()), b.edge(i, 0))
	return nil
}

// lowerResumeReturning moves the value to where the continuation's task expects it, and resumes it.
func lowerResumeReturning(b *builder, c *builtinCall) error {
	if len(c.Operands) != 2 || len(c.subs) != 1 {
		return unsupportedf("builtin %s with %d operands", c.name, len(c.Operands))
	}
	word := b.scalar(c.Arg(0))
	slot := addr{base: b.runtimeCall("silvm_continuation_slot", 1, word)[0].Op()}
	if v := c.Arg(1); b.typeOf(v).IsAddress() {
		if err := b.copyAt(slot, b.address(v), c.subs[0], true, true); err != nil {
			return err
		}
	} else {
		lay, err := b.layoutOf(v)
		if err != nil {
			return err
		}
		b.storeValue(slot, lay, b.scalars(v))
	}
	b.runtimeCall("silvm_continuation_resume", 0, word, mir.Const(0))
	return c.result(b)
}

func lowerResumeThrowing(b *builder, c *builtinCall) error {
	x, err := c.wordsOf(b, 2)
	if err != nil {
		return err
	}
	b.runtimeCall("silvm_continuation_resume", 0, x...)
	return c.result(b)
}

// lowerCreateAsyncTask makes a task. Its operands are the flags, the executor that it begins on, the group, the task executors to prefer, of
// which one is consumed, since 6.2 a name, and what it runs.
func lowerCreateAsyncTask(b *builder, c *builtinCall) error {
	args, err := c.operands(b, 5)
	if err != nil {
		return err
	}
	last := len(args) - 1
	if len(args[0]) != 1 || len(args[1]) != 2 || len(args[2]) != 1 || len(args[3]) != 2 || len(args[4]) != 2 || len(args[last]) != 2 {
		return unsupportedf("builtin %s with operands of other types", c.name)
	}
	label := mir.Const(0)
	if last == 6 && len(args[5]) == 1 {
		label = args[5][0]
	}
	words := []operand{args[0][0], args[1][0], args[1][1], args[2][0], args[3][0], args[3][1], args[4][0], args[4][1], label, args[last][0], args[last][1], mir.Const(0)}
	name := "library_task_create"
	if len(c.subs) == 0 { // that of a discarding group, which returns no value
		name = "library_task_createPlain"
	}
	task, err := b.callLibrary(name, c.subs, 1, words...)
	if err != nil {
		return err
	}
	return c.result(b, task[0].Op(), mir.Const(0))
}

func lowerCreateTaskGroup(b *builder, c *builtinCall) error {
	flags := mir.Const(0)
	if c.Builtin() == op.BuiltinCreateTaskGroupWithFlags {
		flags = b.scalar(c.Arg(0))
	}
	group, err := b.callLibrary("library_task_makeGroup", nil, 1, flags)
	if err != nil {
		return err
	}
	return c.result(b, group[0].Op())
}

// lowerStartAsyncLet starts the task of an async let: the options, what it runs, which it borrows, and where its value goes.
func lowerStartAsyncLet(b *builder, c *builtinCall) error {
	args, err := c.operands(b, 3)
	if err != nil {
		return err
	}
	if len(c.subs) != 1 || len(args[1]) != 2 || len(args[2]) != 1 {
		return unsupportedf("builtin %s with operands of other types", c.name)
	}
	task, err := b.callLibrary("library_task_startAsyncLet", c.subs, 1, args[1][0], args[1][1], args[2][0])
	if err != nil {
		return err
	}
	return c.result(b, task[0].Op())
}

// lowerActorExecutor returns the executor of a default actor, which is the actor itself.
func lowerActorExecutor(b *builder, c *builtinCall) error {
	x, err := c.wordsOf(b, 1)
	if err != nil {
		return err
	}
	return c.result(b, x[0], mir.Const(0))
}

// executorCustom marks an executor whose enqueue is the program's (vm, Executor).
const executorCustom = 8

// executorOf returns the executor that a class is: the object, and bits that say what kind.
func executorOf(bits uint64) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		x, err := c.wordsOf(b, 1)
		if err != nil {
			return err
		}
		return c.result(b, x[0], mir.Const(bits|executorCustom))
	}
}
