package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// CopyPropagation gives owned values the lifetime that their uses need, so that copies go away where one lifetime is enough, and
// destroys move up to right after the last use.
//
//	%1 = copy_value %0 : $C
//	…  use of %1                    …  use of %0
//	destroy_value %1 : $C      ⇒    consume %0
//	consume %0
var CopyPropagation = &pass.Pass{
	Name: "copy-propagation",
	Doc:  "Removes copies of owned values by rewriting their lifetimes",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return f.IsOSSA() && propagateCopies(c, f, c.IsSet(rewriteBorrows))
	},
}

// MandatoryCopyPropagation never rewrites borrow scopes; the compiler has it for its mandatory pipeline.
var MandatoryCopyPropagation = &pass.Pass{
	Name: "mandatory-copy-propagation",
	Doc:  "Is copy-propagation that leaves borrow scopes alone",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return f.IsOSSA() && propagateCopies(c, f, false)
	},
}

// rewriteBorrows is the setting with which copies leave borrow scopes that begin in the function, too.
const rewriteBorrows = "canonical-ossa-rewrite-borrows"

// CopyPropagator is one run of the pass on a function.
type CopyPropagator struct {
	*rewrite.Editor
	Scopes   bool // whether copies leave borrow scopes, and what hands owned values on moves to where it is needed
	Own      *ownership.Ownership
	Del      *rewrite.Deleter
	Canon    *Canonicalizer
	owned    worklist.Stack[*ir.Value]
	borrowed worklist.Stack[*ir.Value]
	forwards worklist.Stack[*ir.Inst] // of owned values
	extracts []*ir.Inst               // whose results are copied
	Changed  bool
}

// NewCopyPropagator returns a propagator for a function; nothing is deleted before Del cleans up.
func NewCopyPropagator(c *pass.Context, f *ir.Function) *CopyPropagator {
	p := &CopyPropagator{Editor: rewrite.NewEditor(c, f)}
	p.Own = p.Ownership()
	p.Del = rewrite.NewDeleter(p.Editor, p.Own)
	p.Del.Removed = p.Forget
	p.Canon = NewCanonicalizer(p.Editor, p.Own, p.Del)
	return p
}

func propagateCopies(c *pass.Context, f *ir.Function, scopes bool) bool {
	p := NewCopyPropagator(c, f)
	p.Scopes = scopes
	p.run()
	p.Del.Cleanup()
	return p.Changed || p.Del.Changed
}

// Forget strikes the results of an instruction that goes away from the lists of what is to be done.
func (p *CopyPropagator) Forget(i *ir.Inst) {
	for _, r := range i.Results {
		p.owned.Remove(r)
		p.borrowed.Remove(r)
	}
	p.forwards.Remove(i)
}

// run gathers what there is to canonicalize, removes what is in its way, and canonicalizes borrowed values before owned ones.
func (p *CopyPropagator) run() {
	var borrows, moves []*ir.Inst
	for i := range p.Func.Insts() {
		switch i.Op {
		case op.CopyValue:
			p.enter(i.Result())
		case op.BeginBorrow:
			borrows = append(borrows, i)
		case op.MoveValue:
			moves = append(moves, i)
		case op.DestroyValue:
			p.enter(i.Arg(0))
		}
	}
	for _, i := range borrows {
		p.shrink(i)
	}
	for _, i := range moves {
		if i.Block() != nil {
			p.removeMove(i)
		}
	}
	for _, a := range p.Func.Entry().Args {
		p.HoistLexicalDestroys(a)
	}
	p.Del.Cleanup()
	p.convertExtracts()
	p.sinkForwards()
	for v := range p.borrowed.All() {
		if i := v.Inst(); i == nil {
			p.CanonicalizeBorrowed(v)
		} else {
			copies, _ := p.CanonicalizeScope(i)
			for _, made := range copies {
				p.enter(made.Result())
			}
			if rewrite.HasOnlyEndUses(i) {
				p.Del.ForceDelete(i)
			}
		}
		p.Del.Cleanup()
		p.sinkForwards()
	}
	for v := range p.owned.All() {
		if p.Canon.Canonicalize(v) && v.Inst() != nil {
			p.Del.TrackIfDead(v.Inst())
		}
	}
}

// enter notes the value that a copy is made of in the end as one to be worked on.
func (p *CopyPropagator) enter(v *ir.Value) {
	if p.Own.KindOf(v) != ownership.KindOwned {
		return
	}
	for {
		v = p.CopiedDef(v)
		i := v.Inst()
		if i == nil {
			break
		}
		if i.Op == op.CopyValue {
			if b := p.borrowOf(i.Arg(0)); b != nil {
				p.borrowed.Push(b)
				return
			}
		}
		if !p.Scopes || !p.isRewritable(i) || p.Own.KindOf(i.Arg(0)) != ownership.KindOwned {
			break
		}
		v = i.Arg(0)
	}
	if p.Scopes {
		p.enterForwards(v)
	}
	if i := v.Inst(); p.owned.Push(v) && i != nil && i.Op == op.CopyValue {
		p.noteExtract(i)
	}
	if p.Own.IsLexical(v) {
		for _, x := range v.UseList() {
			if x.User().Op == op.CopyValue {
				p.owned.Push(x.User().Result())
			}
		}
	}
}

// CopiedDef follows copies of owned values to what they copy.
func (p *CopyPropagator) CopiedDef(v *ir.Value) *ir.Value {
	for {
		i := v.Inst()
		if i == nil || i.Op != op.CopyValue || p.Own.KindOf(i.Arg(0)) != ownership.KindOwned {
			return v
		}
		v = i.Arg(0)
	}
}

// BorrowedDef returns the guaranteed parameter that a guaranteed value is, under whatever name; nil when it is none.
func (p *CopyPropagator) BorrowedDef(v *ir.Value) *ir.Value {
	if v = p.borrowRoot(v); v.IsArg() && p.Own.KindOf(v) == ownership.KindGuaranteed && !ownership.IsLocalBorrow(v) {
		return v
	}
	return nil
}

// borrowOf returns the guaranteed value whose copies are to go when v is copied: a parameter, or what a borrow scope borrows.
func (p *CopyPropagator) borrowOf(v *ir.Value) *ir.Value {
	if i := p.borrowRoot(v).Inst(); p.Scopes && i != nil && i.Op == op.BeginBorrow {
		return i.Result()
	}
	return p.BorrowedDef(v)
}

// IsNamedBorrow reports whether a value is a guaranteed parameter or the result of begin_borrow, under whatever name.
func (p *CopyPropagator) IsNamedBorrow(v *ir.Value) bool {
	i := p.borrowRoot(v).Inst()
	return i != nil && i.Op == op.BeginBorrow || p.BorrowedDef(v) != nil
}

// borrowRoot looks through the instructions that only hand on a guaranteed value.
func (p *CopyPropagator) borrowRoot(v *ir.Value) *ir.Value {
	for p.Own.KindOf(v) == ownership.KindGuaranteed {
		i := v.Inst()
		if i == nil || i.Op == op.BeginBorrow || !p.isRewritable(i) {
			break
		}
		v = i.Arg(0)
	}
	return v
}

// isRewritable reports whether an instruction with one operand hands it on, be it owned or guaranteed.
func (p *CopyPropagator) isRewritable(i *ir.Inst) bool {
	if len(i.Operands) != 1 || !ownership.IsForwarding(i) || i.Op.IsTerminator() {
		return false
	}
	switch i.Op {
	case op.StructExtract, op.TupleExtract, op.MarkUninitialized, op.MarkDependence, op.DropDeinit, op.OpenExistentialValue, op.OpenExistentialRef,
		op.LinearFunctionExtract, op.DifferentiableFunctionExtract, op.UncheckedOwnershipConversion:
		return false
	}
	if i.Op != op.MoveValue && len(i.Results) == 1 && p.Types.HasDeinit(i.Result().Type) {
		return false // a deinit runs for an owned one only
	}
	own := p.Own.Use(i, 0)
	return own == op.OwnershipGuaranteedForwarding || own == op.OwnershipForwardingConsume
}

// removeMove removes a move_value that separates two lifetimes with the same properties.
func (p *CopyPropagator) removeMove(i *ir.Inst) {
	if !isRedundantMove(p.Own, i) {
		return
	}
	from := i.Arg(0)
	p.Context.Passed(p.Func, i, "removed a move_value that changes nothing")
	i.Result().ReplaceAllUses(from)
	p.Del.Removed(i)
	i.Remove()
	p.Changed = true
	p.enter(from)
}
