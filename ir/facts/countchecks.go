package facts

import (
	"slices"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// countChecks is what a body says of looks at reference counts: whether it has one, and whom it calls.
type countChecks struct {
	checks  bool
	callees []*ir.Function
}

// ChecksCountOf reports whether an instruction, or what it calls in the module, may look at the reference count of the object of v. Where
// it does, a retain and a release around it are no pair without effect: they make the object shared while it looks
// (docs/ARCOptimization.md, is_unique).
func (p *Program) ChecksCountOf(i *ir.Inst, v *ir.Value) bool {
	if !looksAtCount(i) {
		if !IsFullApply(i) {
			return false
		}
		callees := p.Callees(i.Arg(0)).Funcs
		if len(callees) == 0 || !p.reachCountCheck(callees) {
			return false
		}
	}
	return p.escapesTo(v, effects.PathValues, i, false)
}

// MayCheckCountOf is ChecksCountOf where every call may look at a count that gets to it, whatever its body says.
func (p *Program) MayCheckCountOf(i *ir.Inst, v *ir.Value) bool {
	return (looksAtCount(i) || IsFullApply(i)) && p.escapesTo(v, effects.PathValues, i, false)
}

// looksAtCount reports whether the instruction itself looks at a reference count and tells the program.
func looksAtCount(i *ir.Inst) bool {
	switch i.Op {
	case op.IsUnique, op.BeginCowMutation, op.IsEscapingClosure, op.DestroyNotEscapedClosure:
		return true
	case op.Builtin:
		return i.Builtin() == op.BuiltinUnknown // isUnique and its kin have no row
	}
	return false
}

// reachCountCheck reports whether one of the functions, or a function that they call, looks at a reference count.
func (p *Program) reachCountCheck(fs []*ir.Function) bool {
	return slices.ContainsFunc(fs, p.reachesCountCheck)
}

// reachesCountCheck is reachCountCheck for one function. Answers are kept until a body changes: of a search that finds nothing those of all
// that it saw, of one that does those of the calls that led there.
func (p *Program) reachesCountCheck(f *ir.Function) bool {
	if known, ok := p.reached[f]; ok {
		return known
	}
	if p.reached == nil {
		p.reached = map[*ir.Function]bool{}
	}
	callers := map[*ir.Function]*ir.Function{f: nil} // of what was seen, by whom it was found
	work := []*ir.Function{f}
	for f := range worklist.Drain(&work) {
		c := p.countChecks(f)
		if c.checks || p.reached[f] {
			for ; f != nil; f = callers[f] {
				p.reached[f] = true
			}
			return true
		}
		for _, callee := range c.callees {
			_, seen := callers[callee]
			if known, ok := p.reached[callee]; !seen && (known || !ok) {
				callers[callee] = f
				work = append(work, callee)
			}
		}
	}
	for f := range callers {
		p.reached[f] = false
	}
	return false
}

func (p *Program) countChecks(f *ir.Function) *countChecks {
	if known := p.counts[f]; known != nil {
		return known
	}
	c := &countChecks{}
	for _, b := range f.Blocks {
		for i := b.First(); i != nil && !c.checks; i = i.Next() {
			c.checks = looksAtCount(i)
			if IsApply(i) {
				c.callees = append(c.callees, p.Callees(i.Arg(0)).Funcs...)
			}
		}
	}
	if p.counts == nil {
		p.counts = map[*ir.Function]*countChecks{}
	}
	p.counts[f] = c
	return c
}
