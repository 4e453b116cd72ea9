package access

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// isCheckedAccess reports whether an instruction begins an access that is checked at run time.
func isCheckedAccess(i *ir.Inst) bool { return i.Op == op.BeginAccess && i.Has(op.QualDynamic) }

// openAccesses is what is known at a place of the function.
type openAccesses struct {
	open   []*ir.Inst // on some way
	closed []*ir.Inst // ended on all paths, and since then nothing came that may conflict
}

// begin notes an access that begins.
func (s *openAccesses) begin(i *ir.Inst) {
	if !slices.Contains(s.open, i) {
		s.open = append(s.open, i)
	}
}

// end notes the end of an access, and reports whether it was open.
func (s *openAccesses) end(begin *ir.Inst) bool {
	n := len(s.open)
	s.open = slices.DeleteFunc(s.open, func(a *ir.Inst) bool { return a == begin })
	return len(s.open) < n
}

// isSame reports whether the same is known, in whatever order.
func (s *openAccesses) isSame(o *openAccesses) bool {
	return isSameSet(s.open, o.open) && isSameSet(s.closed, o.closed)
}

func isSameSet(a, b []*ir.Inst) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(i *ir.Inst) bool { return !slices.Contains(b, i) })
}

// solveAccesses finds what holds at the ends of the blocks. visit goes over one instruction; in a last visit, after the fixed point, it is told that what it gets is final.
func solveAccesses(c *pass.Context, f *ir.Function, visit func(s *openAccesses, i *ir.Inst, last bool)) map[*ir.Block]*openAccesses {
	preds := cfg.NewPredecessors(f)
	order := c.Dominators(f).Order
	ends := map[*ir.Block]*openAccesses{}
	over := func(b *ir.Block, last bool) *openAccesses {
		s := joinAccesses(preds, ends, b)
		for i := range b.Insts() {
			visit(s, i, last)
		}
		return s
	}
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			s := over(b, false)
			if was := ends[b]; was == nil || !was.isSame(s) {
				ends[b] = s
				changed = true
			}
		}
	}
	for _, b := range order {
		over(b, true)
	}
	return ends
}

// joinAccesses returns what is known where a block begins; a block that wasn't looked at yet doesn't count.
func joinAccesses(preds *cfg.Predecessors, ends map[*ir.Block]*openAccesses, b *ir.Block) *openAccesses {
	s := &openAccesses{}
	first := true
	for _, p := range preds.Of(b) {
		from := ends[p]
		if from == nil {
			continue
		}
		for _, i := range from.open {
			s.begin(i)
		}
		if first {
			s.closed = slices.Clone(from.closed)
		} else {
			s.closed = slices.DeleteFunc(s.closed, func(i *ir.Inst) bool { return !slices.Contains(from.closed, i) })
		}
		first = false
	}
	return s
}
