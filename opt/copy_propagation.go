package opt

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// copyPropagation gives owned values the lifetime that their uses need, so that copies go away where one lifetime is enough, and
// destroys move up behind the last use.
//
//	%1 = copy_value %0 : $C
//	…  use of %1                    …  use of %0
//	destroy_value %1 : $C      ⇒    consume %0
//	consume %0
var copyPropagation = &Pass{
	Name: "copy-propagation",
	Doc:  "Removes copies of owned values by rewriting their lifetimes",
	Function: func(c *Context, f *ir.Function) bool {
		return f.IsOSSA() && propagateCopies(c, f)
	},
}

// mandatoryCopyPropagation never rewrites borrow scopes; the compiler has it for its mandatory pipeline.
var mandatoryCopyPropagation = &Pass{
	Name: "mandatory-copy-propagation",
	Doc:  "Is copy-propagation that leaves borrow scopes alone",
	Function: func(c *Context, f *ir.Function) bool {
		return f.IsOSSA() && propagateCopies(c, f)
	},
}

// copyPropagator is one run of the pass on a function.
type copyPropagator struct {
	*editor
	own      *facts.Ownership
	del      *deleter
	canon    *canonicalizer
	owned    blotSet
	borrowed blotSet
	changed  bool
}

func newCopyPropagator(c *Context, f *ir.Function) *copyPropagator {
	p := &copyPropagator{editor: newEditor(c, f)}
	p.own = p.ownership()
	p.del = newDeleter(p.editor, p.own)
	p.del.removed = p.forget
	p.canon = newCanonicalizer(p.editor, p.own, p.del)
	return p
}

func propagateCopies(c *Context, f *ir.Function) bool {
	p := newCopyPropagator(c, f)
	p.run()
	p.del.cleanup()
	return p.changed || p.del.changed
}

// forget strikes the results of an instruction that goes away from the lists of what is to be done.
func (p *copyPropagator) forget(i *ir.Inst) {
	for _, r := range i.Results {
		p.owned.remove(r)
		p.borrowed.remove(r)
	}
}

func (p *copyPropagator) run() {
	var borrows, moves []*ir.Inst
	for _, b := range p.f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
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
	}
	for _, i := range borrows {
		p.shrink(i)
	}
	for _, i := range moves {
		if i.Block() != nil {
			p.removeMove(i)
		}
	}
	for _, a := range p.f.Entry().Args {
		p.hoistLexicalDestroys(a)
	}
	p.del.cleanup()
	for v := p.borrowed.pop(); v != nil; v = p.borrowed.pop() {
		p.canonicalizeBorrowed(v)
		p.del.cleanup()
	}
	for v := p.owned.pop(); v != nil; v = p.owned.pop() {
		if p.canon.canonicalize(v) && v.Inst() != nil {
			p.del.trackIfDead(v.Inst())
		}
	}
}

// enter notes the value that a copy is made of in the end as one to be worked on.
func (p *copyPropagator) enter(v *ir.Value) {
	if p.own.KindOf(v) != facts.KindOwned {
		return
	}
	v = p.copiedDef(v)
	if i := v.Inst(); i != nil && i.Op == op.CopyValue {
		if b := p.borrowedDef(i.Arg(0)); b != nil {
			p.borrowed.add(b)
			return
		}
	}
	p.owned.add(v)
	if p.own.IsLexical(v) {
		for _, x := range uses(v) {
			if x.User().Op == op.CopyValue {
				p.owned.add(x.User().Result())
			}
		}
	}
}

// copiedDef follows copies of owned values to what they copy.
func (p *copyPropagator) copiedDef(v *ir.Value) *ir.Value {
	for {
		i := v.Inst()
		if i == nil || i.Op != op.CopyValue || p.own.KindOf(i.Arg(0)) != facts.KindOwned {
			return v
		}
		v = i.Arg(0)
	}
}

// borrowedDef gives the guaranteed parameter that a guaranteed value is, under whatever name; nil when it is none.
func (p *copyPropagator) borrowedDef(v *ir.Value) *ir.Value {
	if v = p.borrowRoot(v); v.IsArg() && p.own.KindOf(v) == facts.KindGuaranteed && !facts.IsLocalBorrow(v) {
		return v
	}
	return nil
}

// isNamedBorrow says whether a value is a guaranteed parameter or what begin_borrow gives, under whatever name.
func (p *copyPropagator) isNamedBorrow(v *ir.Value) bool {
	i := p.borrowRoot(v).Inst()
	return i != nil && i.Op == op.BeginBorrow || p.borrowedDef(v) != nil
}

// borrowRoot looks through the instructions that only hand on a guaranteed value.
func (p *copyPropagator) borrowRoot(v *ir.Value) *ir.Value {
	for p.own.KindOf(v) == facts.KindGuaranteed {
		i := v.Inst()
		if i == nil || i.Op == op.BeginBorrow || !p.isRewritable(i) {
			break
		}
		v = i.Arg(0)
	}
	return v
}

// isRewritable says whether an instruction with one operand hands it on, be it owned or guaranteed.
func (p *copyPropagator) isRewritable(i *ir.Inst) bool {
	if len(i.Operands) != 1 || !facts.IsForwarding(i) || i.Row().IsTerminator() {
		return false
	}
	switch i.Op {
	case op.StructExtract, op.TupleExtract, op.MarkUninitialized, op.MarkDependence, op.DropDeinit, op.OpenExistentialValue, op.OpenExistentialRef,
		op.LinearFunctionExtract, op.DifferentiableFunctionExtract, op.UncheckedOwnershipConversion:
		return false
	}
	own := p.own.Use(i, 0)
	return own == op.OwnershipGuaranteedForwarding || own == op.OwnershipForwardingConsume
}

// removeMove removes a move_value that separates two lifetimes with the same properties.
func (p *copyPropagator) removeMove(i *ir.Inst) {
	if !isRedundantMove(p.own, i) {
		return
	}
	from := i.Arg(0)
	p.c.Passed(p.f, i, "removed a move_value that changes nothing")
	i.Result().ReplaceAllUses(from)
	p.del.removed(i)
	i.Remove()
	p.changed = true
	p.enter(from)
}
