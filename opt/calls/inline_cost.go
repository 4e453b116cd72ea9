package calls

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// The cost model of inlining: an instruction that becomes code costs one, and a call is inlined when its benefit is at least the cost
// of the callee. Scopes that run long lower the benefit, loops raise it. The numbers are those of the compiler
// (lib/SILOptimizer/Transforms/PerformanceInliner.cpp, lib/SILOptimizer/Utils/PerformanceInlinerUtils.cpp).
const (
	callBenefit       = 20
	closureBenefit    = callBenefit + 50
	loadBenefit       = callBenefit + 5
	storeBenefit      = callBenefit + 10
	terminatorBenefit = callBenefit + 10
	refCountBenefit   = callBenefit + 20
	fastPathBenefit   = callBenefit + 40

	trivialCost  = 18   // a function of up to this cost can be inlined without making the caller larger
	blockDivisor = 3000 // of the cubic penalty for callers with many blocks
	mostBlocks   = 400  // callers with more blocks get nothing inlined
	mostInlined  = 1e5  // calls in one go, where functions that are only inlined call each other
	callLength   = 10   // of a call of an unknown function
	loopWeight   = 4    // of one loop
)

// weight says how much a benefit counts at a place: the length of the shortest path through the scope around it, and the loops.
type weight struct{ length, loops int }

// raise returns the larger one of benefit and what a benefit of that importance is worth here.
func (w weight) raise(benefit, importance int) int {
	worth := importance
	switch {
	case w.length > 320:
	case w.length > 160:
		worth += w.loops * 4
	case w.length > 80:
		worth += w.loops * 8
	case w.length > 40:
		worth += w.loops * 12
	case w.length > 20:
		worth += w.loops * 16
	default:
		worth += w.loops * 16
	}
	return max(benefit, worth)
}

// lengths has the shortest paths through a function, in instructions: from the entry to each block, and from it to an end.
type lengths struct {
	of    []blockLengths // by the index of the block
	whole int
}

// blockLengths tells of one block what it counts, how far it is from the entry and to an end, and how many loops are around it.
type blockLengths struct{ own, in, out, loops int }

const far = 1 << 20 // farther than any way

// newLengths finds the lengths by relaxing along the order of the blocks until nothing changes; the order is nearly always right at
// once. Blocks that end unreachable are cold and count as far.
func newLengths(f *ir.Function, dom *cfg.Dominators, call func(*ir.Inst) int) *lengths {
	l := &lengths{of: make([]blockLengths, len(f.Blocks))}
	if len(dom.Order) == 0 {
		return l
	}
	loops := cfg.FindLoops(dom)
	for _, b := range dom.Order {
		x := &l.of[b.Index]
		for i := range b.Insts() {
			if facts.IsFullApply(i) {
				x.own += call(i)
			} else {
				x.own += rewrite.InlineCost(i)
			}
		}
		x.in, x.out = far, far
		for loop := loops.Of(b); loop != nil; loop = loop.Parent {
			x.loops++
		}
	}
	entry := &l.of[dom.Order[0].Index]
	entry.in = 0
	for changed := true; changed; {
		changed = false
		for _, b := range dom.Order {
			n := l.of[b.Index].in + l.of[b.Index].own
			for _, e := range b.Terminator().Succs {
				if to := &l.of[e.To.Index]; n < to.in {
					to.in, changed = n, true
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for k := len(dom.Order) - 1; k >= 0; k-- {
			t := dom.Order[k].Terminator()
			x := &l.of[dom.Order[k].Index]
			best := far
			if len(t.Succs) == 0 && t.Op != op.Unreachable {
				best = x.own
			}
			for _, e := range t.Succs {
				best = min(best, x.own+l.of[e.To.Index].out)
			}
			if best < x.out {
				x.out, changed = best, true
			}
		}
	}
	l.whole = entry.out
	return l
}

// at returns the weight of a block, within a scope of another weight.
func (l *lengths) at(b *ir.Block, around weight) weight {
	x := &l.of[b.Index]
	return weight{length: min(x.in+x.out, far) + around.length, loops: x.loops*loopWeight + around.loops}
}
