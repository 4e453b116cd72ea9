package flow

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// CodeSinking moves what only other blocks use down to them, but not into loops:
//
//	bb0:                               bb0:
//	%1 = enum $E, #E.a                 cond_br %0, bb1, bb2
//	cond_br %0, bb1, bb2          ⇒    bb1:
//	bb1:                               %1 = enum $E, #E.a
//	apply %f(%1)                       apply %f(%1)
var CodeSinking = &pass.Pass{
	Name: "code-sinking",
	Doc:  "Moves instructions without effects down to the blocks that use them",
	Function: func(c *pass.Context, f *ir.Function) bool {
		dom := c.Dominators(f)
		s := &sinker{dom: dom, loops: cfg.FindLoops(dom)}
		if f.IsOSSA() {
			if s.loops.Irreducible {
				return false // what consumes its operands might get into a cycle that is no loop
			}
			s.own = rewrite.NewEditor(c, f).Ownership()
		}
		changed := false
		for n := len(dom.Order) - 1; n >= 0; n-- {
			for i := dom.Order[n].Last(); i != nil; {
				prev := i.Prev()
				changed = s.sink(i) || changed
				i = prev
			}
		}
		return changed
	},
}

// sinker is one run on a function.
type sinker struct {
	dom   *cfg.Dominators
	loops *cfg.Loops
	own   *ownership.Ownership // nil out of ownership form
}

// sink moves one instruction if it may.
func (s *sinker) sink(i *ir.Inst) bool {
	if i.Op != op.CopyValue && (facts.MayHaveSideEffects(i) || facts.MayReadOrWrite(i)) || i.Op.IsTerminator() || rewrite.StackMemory(i) != nil || rewrite.FreesStack(i) {
		return false
	}
	if facts.OpensNamedType(i) {
		return false // who names the type uses it as well
	}
	switch i.Op {
	case op.MarkUninitialized, op.MarkFunctionEscape, op.MarkDependence:
		return false
	}
	if s.own != nil && !s.livesOn(i) {
		return false
	}
	from := i.Block()
	var to *ir.Block
	for _, r := range i.Results {
		for x := range r.Uses() {
			b := x.User().Block()
			switch {
			case b == from || !s.dom.IsReachable(b):
				return false
			case to == nil:
				to = b
				continue
			}
			for to != nil && !s.dom.Dominates(to, b) {
				to = s.dom.Idom(to)
			}
			if to == nil || to == from {
				return false
			}
		}
	}
	if to == nil {
		return false
	}
	for s.loops.Of(to) != s.loops.Of(from) {
		if to = s.dom.Idom(to); to == nil || to == from {
			return false
		}
	}
	i.MoveBefore(to.First())
	return true
}

// livesOn reports whether the values that an instruction uses live at least as long as its results: they are borrowed for the whole
// function, or the instruction consumes them.
func (s *sinker) livesOn(i *ir.Inst) bool {
	for n := range i.Operands {
		v := i.Arg(n)
		for v.Type.IsAddress() && v.Inst() != nil && len(v.Inst().Operands) > 0 && ownership.ProjectsAddress(v.Inst(), 0) {
			v = v.Inst().Arg(0) // a place in an object is one while the object is borrowed
		}
		if d := v.Inst(); v.Type.IsAddress() && d != nil && len(d.Operands) > 0 && s.own.KindOf(d.Arg(0)) == ownership.KindGuaranteed {
			v = d.Arg(0)
		}
		switch s.own.KindOf(v) {
		case ownership.KindNone:
		case ownership.KindGuaranteed:
			for v.Inst() != nil && (v.Inst().Op == op.StructExtract || v.Inst().Op == op.TupleExtract || v.Inst().Op == op.UncheckedRefCast) {
				v = v.Inst().Arg(0)
			}
			if !v.IsArg() || v.Block() != v.Block().Func.Entry() {
				return false
			}
		default:
			if !s.own.Use(i, n).IsConsume() {
				return false
			}
		}
	}
	return true
}
