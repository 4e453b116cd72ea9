package dumps

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/ownership"
)

// check tells the faults of a value's lifetime in the words of the compiler's linear lifetime checker; uses may be in the lists several
// times.
func (r *ownershipReport) check(v *ir.Value, consuming, regular []*ir.Inst) {
	l := ownership.Lifetime{Begin: v.Block(), Consuming: consuming, Other: regular, Preds: r.preds.Of, Dead: r.dead}
	var outside []ownership.LifetimeFault
	for fault := range l.Faults() {
		switch fault.Kind {
		case ownership.FaultOverConsume:
			r.overConsume(v, consuming, fault)
		case ownership.FaultUseAfter:
			r.error("Found outside of lifetime use?!", "Value: ", v, "Consuming User: ", fault.Consume, "Non Consuming User: ", fault.Use, fault.Block, "\n")
		case ownership.FaultUseElsewhere:
			r.error("Function: '"+r.f.Name+"'\nFound non consuming use outside of the lifetime being verified.", "Value: ", v, "User: ", fault.Use)
		case ownership.FaultLeak:
			var left strings.Builder
			for _, b := range fault.Blocks {
				left.WriteString(" " + r.blockName(b))
			}
			r.error("Error! Found a leak due to a consuming post-dominance failure!", "Value: ", v, "Post Dominating Failure Blocks:\n", left.String()+"\n")
		case ownership.FaultUseOutside:
			outside = append(outside, fault)
		}
	}
	slices.SortStableFunc(outside, func(a, b ownership.LifetimeFault) int { return r.mentioned[a.Block] - r.mentioned[b.Block] })
	for _, fault := range outside {
		r.error("Found outside of lifetime use!", "Value: ", v, "User:", fault.Use, fault.Block)
	}
}

// overConsume tells that the value was consumed before.
func (r *ownershipReport) overConsume(v *ir.Value, consuming []*ir.Inst, fault ownership.LifetimeFault) {
	parts := []any{"Value: ", v}
	if fault.Use != nil {
		parts = append(parts, "User: ", fault.Use)
	}
	parts = append(parts, fault.Block, "Consuming Users:\n")
	for _, c := range consuming {
		parts = append(parts, c)
	}
	r.error("Found over consume?!", append(parts, "\n")...)
}
