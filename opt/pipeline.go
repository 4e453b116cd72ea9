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

// Default is the pipeline of `silvm run -O`: what lowers the ARC traffic of code as swiftc -Onone prints it.
var Default = Pipeline{Name: "default", Doc: "the passes of silvm run -O", Passes: []*pass.Pass{
	// what the compiler proved of accesses is no use to the optimizer, and keeps variables in memory
	access.AccessMarkerElim,
	// in ownership form, where there is one: copies of what a borrow scope gives go before copy-propagation shrinks the scope
	ossa.SemanticARCOpts, ossa.CopyPropagation,
	memory.AllocBoxToStack, memory.CopyForwarding, ossa.DestroyAddrHoisting, memory.TempRValueOpt, memory.TempLValueOpt, memory.Mem2reg,
	ossa.CopyPropagation, ossa.SemanticARCOpts, ossa.CopyPropagation, ossa.OwnershipModelEliminator,
	// calls out of the way, so that both ends of a pair meet in one function
	calls.Devirtualizer, calls.GenericSpecializer, calls.EarlyInline, calls.Devirtualizer, calls.GenericSpecializer, calls.Inline,
	flow.SimplifyCFG, combine.SILCombine, memory.SROA, memory.Mem2reg, fold.CSE, fold.DCE, combine.SILCombine, flow.SimplifyCFG,
	// retains and releases towards one another, then away
	calls.ComputeEscapeEffects, calls.ComputeSideEffects, memory.RedundantLoadElimination, memory.DeadStoreElimination,
	flow.EarlyCodeMotion, arc.RetainSinking, arc.ReleaseHoisting, arc.ARCSequenceOpts,
	calls.Inline, flow.SimplifyCFG, combine.SILCombine, memory.SROA, memory.Mem2reg, combine.PerformanceConstantPropagation, fold.CSE, fold.DCE, flow.SimplifyCFG,
	calls.ComputeEscapeEffects, calls.ComputeSideEffects, memory.RedundantLoadElimination, memory.DeadStoreElimination,
	memory.DeadObjectElim, flow.LateCodeMotion, arc.RetainSinking, arc.LateReleaseHoisting, arc.ARCSequenceOpts,
	// what does not leave its function needs no heap, and its last release is a call of its deinit
	calls.ComputeEscapeEffects, memory.StackPromotion, arc.ReleaseDevirtualizer,
}}

// Pipelines lists all pipelines.
func Pipelines() []*Pipeline { return []*Pipeline{&Default} }

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
	{calls.Devirtualizer, calls.Inline, false, "the call of a method has no body to inline"},
	{calls.ComputeSideEffects, memory.RedundantLoadElimination, false, "a call of unknown effects ends what is known of memory"},
	{calls.ComputeSideEffects, memory.DeadStoreElimination, false, "a call of unknown effects reads every store"},
	{calls.ComputeEscapeEffects, memory.StackPromotion, false, "an object that is passed to a call of unknown effects escapes"},
	{memory.StackPromotion, arc.ReleaseDevirtualizer, false, "the last release of an object is known where the object is on the stack"},
	{ossa.SemanticARCOpts, ossa.OwnershipModelEliminator, true, "it works on ownership form only, which is gone behind the eliminator"},
	{ossa.CopyPropagation, ossa.OwnershipModelEliminator, true, "it works on ownership form only, which is gone behind the eliminator"},
	{memory.CopyForwarding, ossa.OwnershipModelEliminator, true, "it works on ownership form only, which is gone behind the eliminator"},
	{ossa.DestroyAddrHoisting, ossa.OwnershipModelEliminator, true, "it works on ownership form only, which is gone behind the eliminator"},
	{ossa.OwnershipModelEliminator, flow.EarlyCodeMotion, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, flow.LateCodeMotion, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, arc.RetainSinking, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, arc.ReleaseHoisting, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, arc.LateReleaseHoisting, true, "it passes over functions in ownership form"},
	{ossa.OwnershipModelEliminator, arc.ARCSequenceOpts, true, "it passes over functions in ownership form"},
}

func init() {
	for _, l := range Pipelines() {
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
		then := slices.Index(l.Passes, o.then)
		if then < 0 || !slices.Contains(l.Passes, o.first) {
			continue
		}
		early, late := slices.Contains(l.Passes[:then], o.first), slices.Contains(l.Passes[then:], o.first)
		if !early || o.always && late {
			return fmt.Errorf("pipeline %s: %s does not run before %s: %s", l.Name, o.first.Name, o.then.Name, o.why)
		}
	}
	return nil
}
