package opt

import (
	"fmt"
	"slices"

	"silvm/opt/access"
	"silvm/opt/arc"
	"silvm/opt/calls"
	"silvm/opt/combine"
	"silvm/opt/flow"
	"silvm/opt/fold"
	"silvm/opt/loops"
	"silvm/opt/memory"
	"silvm/opt/ossa"
	"silvm/opt/pass"
)

// A Pipeline is a named sequence of passes.
type Pipeline struct {
	Name   string
	Doc    string
	Passes []*pass.Pass
}

// Default is the pipeline of `silvm run -O`: what makes of code as swiftc -Onone prints it what swiftc -O makes of it. Its phases are
// the compiler's (lib/SILOptimizer/PassManager/PassPipeline.cpp).
var Default = Pipeline{Name: "default", Doc: "the passes of silvm run -O", Passes: slices.Concat(prepare, highLevel, midLevel, closurePhase, lowLevel, late)}

// prepare works on ownership form, where there is one, and leaves it.
var prepare = []*pass.Pass{
	combine.Simplification,
	// what the compiler proved of accesses is no use to the optimizer, and keeps variables in memory
	access.AccessMarkerElim,
	calls.DeadFunctionElim,
	// a constant that getters return is worth more the earlier they return it
	memory.LetPropertiesOpt,
	memory.TempRValueOpt,
	// copies of borrowed values go before copy-propagation shrinks the scope
	ossa.SemanticARCOpts, ossa.CopyPropagation,
	memory.AllocBoxToStack, memory.CopyForwarding, ossa.DestroyAddrHoisting, memory.TempRValueOpt, memory.TempLValueOpt, memory.Mem2reg,
	ossa.CopyPropagation, ossa.SemanticARCOpts, ossa.CopyPropagation, ossa.OwnershipModelEliminator,
}

// A level says which calls are inlined, and with that which passes are of use.
type level int

const (
	high level = iota // calls with semantics and effects of their own stay whole
	mid               // everything is inlined
	low               // releases move last
)

// highLevel leaves semantic calls whole, and optimizes callers before what they call for is in the way.
var highLevel = slices.Concat(functionPasses(high), loopPasses, []*pass.Pass{
	calls.ComputeEscapeEffects, calls.ComputeSideEffects,
	calls.DeadFunctionElim, memory.DeadObjectElim,
}, pass.OnOwn([]*pass.Pass{calls.ComputeEscapeEffects, calls.ComputeSideEffects, loops.PureCalls, memory.StackPromotion}))

// midLevel inlines semantic calls. In functions of the library lowLevel does, which does the rest as well.
var midLevel = pass.OnOwn(slices.Concat(functionPasses(mid), []*pass.Pass{calls.DeadArgSignatureOpt, loops.LICM, loops.LICM}))

// closurePhase lays out short loops, and specializes for closures what could not be inlined.
var closurePhase = slices.Concat([]*pass.Pass{
	// functions that nothing calls any more may have written a variable
	calls.DeadFunctionElim, memory.ReadOnlyGlobalVariables,
}, pass.OnOwn([]*pass.Pass{
	memory.DeadStoreElimination, memory.DeadObjectElim,
	loops.LoopUnroll, flow.SimplifyCFG, combine.SILCombine, combine.PerformanceConstantPropagation, flow.SimplifyCFG, combine.Simplification,
	calls.ComputeEscapeEffects, calls.ComputeSideEffects,
	memory.ObjectOutliner, combine.SILCombine,
}), []*pass.Pass{calls.CapturePropagation, calls.ClosureSpecialize},
	pass.OnOwn([]*pass.Pass{memory.StackPromotion}), pass.OnOwn(branchPasses), pass.OnOwn([]*pass.Pass{calls.ComputeEscapeEffects, calls.ComputeSideEffects}))

// lowLevel is for what became visible last.
var lowLevel = slices.Concat([]*pass.Pass{arc.ReleaseDevirtualizer}, functionPasses(low), []*pass.Pass{
	memory.NamedReturnValueOptimization, memory.DeadObjectElim, memory.DeadStoreElimination, fold.DCE, combine.Simplification,
	memory.DeadObjectElim, calls.FunctionSignatureOpts, calls.ComputeEscapeEffects, calls.ComputeSideEffects,
})

// late has what nothing but clean-up may follow.
var late = []*pass.Pass{
	calls.LateDeadFunctionElim, flow.CodeSinking, loops.LICM, arc.LoopHoisting, memory.COWOpts, flow.SimplifyCFG,
	// what does not leave its function needs no heap, and its last release is a call of its deinit
	calls.ComputeEscapeEffects, calls.ComputeSideEffects, memory.StackPromotion, arc.ReleaseDevirtualizer,
	flow.OverflowChecks, flow.MergeCondFails, fold.DCE, combine.SILCombine, flow.SimplifyCFG, memory.StripObjectHeaders,
	// no later pass reads the scope of an access as what keeps a release in its place
	flow.InvariantPhiElimination, access.AccessEnforcementRelease, arc.CoveredPairs, arc.IdleRetains, arc.LateReleaseHoisting, arc.ARCSequenceOpts,
}

var branchPasses = []*pass.Pass{flow.SimplifyCFG, flow.ConditionForwarding, combine.SILCombine, flow.SimplifyCFG}

// loopPasses work on semantic calls in loops.
var loopPasses = slices.Concat([]*pass.Pass{
	memory.LowerAggregateInstrs, combine.SILCombine, memory.EarlySROA, memory.Mem2reg, fold.DCE, combine.SILCombine, combine.StringOptimization,
}, branchPasses, []*pass.Pass{
	arc.LoopHoisting, loops.LoopRotate, fold.DCE, fold.HighLevelCSE, combine.SILCombine, flow.SimplifyCFG, loops.HighLevelLICM, flow.SimplifyCFG,
	loops.ABCOpts, fold.DCE, loops.COWArrayOpt, fold.DCE,
	memory.ArrayCountPropagation, combine.SILCombine, flow.SimplifyCFG, combine.PerformanceConstantPropagation, flow.SimplifyCFG, fold.DCE,
	memory.ArrayLiteralMoves, memory.ArrayElementPropagation, fold.DCE,
})

// functionPasses are the passes on single functions that every level has.
func functionPasses(at level) []*pass.Pass {
	list := []*pass.Pass{
		calls.DefinePrespecialized, memory.AllocBoxToStack, fold.DCE, memory.TempLValueOpt,
		memory.LowerAggregateInstrs, sroaAt[at], memory.Mem2reg,
		calls.ExistentialSpecializer, combine.PerformanceConstantPropagation,
	}
	list = append(list, branchPasses...)
	if at == mid {
		list = append(list, loops.HighLevelLICM, memory.ArrayCountPropagation, fold.DCE)
	}
	return append(list,
		calls.Devirtualizer, calls.GenericSpecializer, calls.Devirtualizer, arc.ARCSequenceOpts, inlinerAt[at],
		memory.Mem2reg, combine.PerformanceConstantPropagation, flow.JumpThreadSimplifyCFG, flow.PhiExpansion, combine.SILCombine, flow.SimplifyCFG,
		fold.CSE, loadsAt[at], memory.COWOpts, combine.PerformanceConstantPropagation, flow.RedundantPhiElimination, flow.InvariantPhiElimination, fold.CSE, fold.DCE,
		flow.EarlyCodeMotion, arc.ReleaseHoisting, arc.ARCSequenceOpts, memory.TempRValueOpt, flow.SimplifyCFG,
		motionAt[at], arc.RetainSinking, arc.RetainSinking, arc.ReleaseHoisting, arc.ARCSequenceOpts, arc.LastCopies, arc.CoveredPairs, arc.IdleRetains)
}

var (
	sroaAt    = [...]*pass.Pass{high: memory.EarlySROA, mid: memory.SROA, low: memory.SROA}
	inlinerAt = [...]*pass.Pass{high: calls.EarlyInline, mid: calls.Inline, low: calls.Inline}
	loadsAt   = [...]*pass.Pass{high: memory.EarlyRedundantLoadElimination, mid: memory.RedundantLoadElimination, low: memory.RedundantLoadElimination}
	motionAt  = [...]*pass.Pass{high: flow.EarlyCodeMotion, mid: flow.EarlyCodeMotion, low: flow.LateCodeMotion}
)

// pipelines lists all pipelines.
func pipelines() []*Pipeline { return []*Pipeline{&Default} }

// precedence says that in a pipeline with both passes the first one runs before the second.
type precedence struct {
	first, then *pass.Pass
	// always says that every run of first comes before any of then; otherwise one run of first before any of then is enough.
	always bool
	why    string
}

// order lists the precedences that matter. Every pipeline is checked against it at start.
var order = []precedence{
	{access.AccessMarkerElim, memory.Mem2reg, false, "a marker uses the address of its variable, which keeps the variable in memory"},
	{access.AccessMarkerElim, memory.AllocBoxToStack, false, "a marker uses the address of its variable, which keeps the variable in memory"},
	{ossa.SemanticARCOpts, ossa.CopyPropagation, false, "once copy-propagation has shrunk a borrow scope, the copy of what is read from it can't be seen to be needless"},
	{calls.GenericSpecializer, calls.Inline, false, "an inlined body that is still generic is never specialized on its own"},
	{calls.DefinePrespecialized, calls.EarlyInline, false, "a call of a function without a body is not inlined, and shows nothing of what it does to an array"},
	{calls.Devirtualizer, calls.Inline, false, "the call of a method has no body to inline"},
	{memory.LowerAggregateInstrs, memory.EarlySROA, false, "a slot that is copied or destroyed as a whole is not split"},
	{memory.LowerAggregateInstrs, memory.SROA, false, "a slot that is copied or destroyed as a whole is not split"},
	{calls.EarlyInline, calls.Inline, false, "a call with semantics of its own that is inlined can't be moved or merged as a whole"},
	{fold.HighLevelCSE, calls.Inline, false, "a call with semantics of its own that is inlined can't be moved or merged as a whole"},
	{loops.LoopRotate, loops.HighLevelLICM, false, "only what runs in each iteration is moved out, and the head of a loop that isn't rotated is all that does"},
	{loops.LoopRotate, loops.ABCOpts, false, "a loop that ends in its head has no block in front that runs only when it does"},
	{arc.LoopHoisting, loops.LoopRotate, false, "an iteration that is taken out of the loop keeps its retain and release"},
	{loops.HighLevelLICM, loops.COWArrayOpt, false, "the place of an array that is found in each iteration is none before the loop"},
	{loops.COWArrayOpt, calls.Inline, false, "an inlined call that makes an array mutable is a look at a count like any other"},
	{loops.HighLevelLICM, loops.ABCOpts, false, "an array that is loaded in the loop, and the count of which is asked for in the loop, may change there"},
	{calls.EarlyInline, loops.ABCOpts, false, "the check of a subscript is seen when the subscript is inlined"},
	{loops.ABCOpts, calls.Inline, false, "an inlined check is a comparison like any other"},
	{loops.LoopRotate, loops.LoopUnroll, false, "only a loop that asks at the end of a round whether there is another one is laid out"},
	{memory.ArrayCountPropagation, loops.LoopUnroll, false, "a loop over a literal runs to a number once the count of that is one"},
	{calls.Inline, loops.LoopUnroll, false, "a call in a loop is worth more to inline than the same calls in a row"},
	{memory.ArrayLiteralMoves, memory.ArrayElementPropagation, false, "an element that is copied out of a literal costs a count that one that moves does not"},
	{memory.ArrayElementPropagation, calls.Inline, false, "an inlined call that reads or appends elements is memory like any other"},
	{combine.StringOptimization, calls.Inline, false, "an inlined call tells nothing of the text that it makes a string of"},
	{calls.ComputeSideEffects, loops.PureCalls, false, "that a function is pure is read off its effect list"},
	{loops.PureCalls, calls.Inline, false, "a call that is inlined can't be merged as a whole"},
	{calls.CapturePropagation, calls.ClosureSpecialize, false, "a closure that captures constants only is no closure after it"},
	{calls.Inline, calls.FunctionSignatureOpts, false, "a thunk and a call take the place of a call that could be inlined"},
	{ossa.OwnershipModelEliminator, arc.CoveredPairs, true, "it passes over functions in ownership form"},
	{calls.ComputeSideEffects, memory.RedundantLoadElimination, false, "a call of unknown effects ends what is known of memory"},
	{calls.ComputeSideEffects, memory.DeadStoreElimination, false, "a call of unknown effects reads every store"},
	{calls.ComputeEscapeEffects, memory.StackPromotion, false, "an object that is passed to a call of unknown effects escapes"},
	{memory.StackPromotion, arc.ReleaseDevirtualizer, false, "the last release of an object is known where the object is on the stack"},
	{ossa.SemanticARCOpts, ossa.OwnershipModelEliminator, true, "it works on ownership form only, which is gone after the eliminator"},
	{ossa.CopyPropagation, ossa.OwnershipModelEliminator, true, "it works on ownership form only, which is gone after the eliminator"},
	{memory.CopyForwarding, ossa.OwnershipModelEliminator, true, "it works on ownership form only, which is gone after the eliminator"},
	{ossa.DestroyAddrHoisting, ossa.OwnershipModelEliminator, true, "it works on ownership form only, which is gone after the eliminator"},
	{ossa.OwnershipModelEliminator, flow.EarlyCodeMotion, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, flow.LateCodeMotion, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, arc.RetainSinking, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, arc.ReleaseHoisting, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, arc.LateReleaseHoisting, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, arc.ARCSequenceOpts, true, "it passes over functions in ownership form"},
}

func init() {
	for _, l := range pipelines() {
		if err := checkPipeline(l, order); err != nil {
			panic(err) // a wrong table above
		}
	}
}

// checkPipeline says in which way a pipeline goes against an order.
func checkPipeline(l *Pipeline, order []precedence) error {
	for n, p := range l.Passes {
		if p == nil {
			return fmt.Errorf("pipeline %s: entry %d is no pass", l.Name, n)
		}
	}
	for _, o := range order {
		if o.why == "" {
			return fmt.Errorf("%s goes before %s without a reason", o.first.Name, o.then.Name)
		}
		first := func(p *pass.Pass) bool { return p.Name == o.first.Name }
		then := slices.IndexFunc(l.Passes, func(p *pass.Pass) bool { return p.Name == o.then.Name })
		if then < 0 || !slices.ContainsFunc(l.Passes, first) {
			continue
		}
		early, late := slices.ContainsFunc(l.Passes[:then], first), slices.ContainsFunc(l.Passes[then:], first)
		if !early || o.always && late {
			return fmt.Errorf("pipeline %s: %s does not run before %s: %s", l.Name, o.first.Name, o.then.Name, o.why)
		}
	}
	return nil
}
