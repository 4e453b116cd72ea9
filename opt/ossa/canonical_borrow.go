package ossa

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

func onlyDebug(v *ir.Value) bool {
	for x := range v.Uses() {
		if !facts.IsDebug(x.User()) {
			return false
		}
	}
	return true
}

// CanonicalizeBorrowed removes the copies of a guaranteed parameter inside the function: all uses but consuming ones take the
// parameter itself, and what hands a copy on hands the parameter on.
func (p *CopyPropagator) CanonicalizeBorrowed(v *ir.Value) {
	p.rewriteInner(v, map[*ir.Value]bool{})
}

// rewriteInner lets the uses of a borrowed value and of its copies, moves and parts within the scope use the definition itself.
func (p *CopyPropagator) rewriteInner(inner *ir.Value, seen map[*ir.Value]bool) {
	work := []*ir.Value{inner}
	for v := range worklist.Drain(&work) {
		if seen[v] {
			continue
		}
		seen[v] = true
		for _, x := range v.UseList() {
			i := x.User()
			if i.Block() == nil {
				break
			}
			switch {
			case i.Op == op.CopyValue:
				work = append(work, i.Result())
				continue
			case i.Op == op.MoveValue && (i.Has(op.QualLexical) || !p.Own.IsLexical(inner)):
				work = append(work, i.Result())
				continue
			}
			switch p.Own.UseOf(x) {
			case op.OwnershipNonUse, op.OwnershipInteriorPointer, op.OwnershipEndBorrow, op.OwnershipReborrow:
			case op.OwnershipGuaranteedForwarding, op.OwnershipForwardingConsume:
				if p.isRewritable(i) {
					for _, r := range i.Results {
						if p.Own.KindOf(r) != ownership.KindNone {
							p.rewriteInner(r, seen)
						}
					}
					from := x.Value()
					if def := p.defInScope(from); def != from || i.Forwarding != ir.OwnershipUnspecified {
						x.Set(def)
						i.Forwarding = ir.OwnershipUnspecified
						p.deleteChain(from)
						p.Changed = true
					}
					continue
				}
				p.rewriteUse(x)
			default:
				p.rewriteUse(x)
			}
		}
	}
}

// defInScope follows copies and moves to the guaranteed value.
func (p *CopyPropagator) defInScope(v *ir.Value) *ir.Value {
	for {
		i := v.Inst()
		if i == nil || i.Op != op.CopyValue && i.Op != op.MoveValue {
			return v
		}
		v = i.Arg(0)
	}
}

// deleteChain removes copies and moves that nothing uses any more.
func (p *CopyPropagator) deleteChain(v *ir.Value) {
	for {
		i := v.Inst()
		if i == nil || i.Op != op.CopyValue && i.Op != op.MoveValue || !onlyDebug(v) {
			return
		}
		from := i.Arg(0)
		p.Del.ForceDelete(i)
		v = from
	}
}

func (p *CopyPropagator) rewriteUse(x *ir.Operand) {
	i, v := x.User(), x.Value()
	if i.Op == op.DestroyValue {
		p.Del.ForceDelete(i)
		p.deleteChain(v)
		return
	}
	def := p.defInScope(v)
	if p.Own.UseOf(x).IsConsume() {
		c := v.Inst()
		if c != nil && c.Op == op.CopyValue && v.FirstUse().NextUse() == nil && c.Block() == i.Block() {
			v = c.Arg(0)
			if v != def {
				c.Operands[0].Set(def)
				p.Changed = true
			}
		} else {
			x.Set(def)
			p.Canon.copyUse(x)
		}
		p.deleteChain(v)
		return
	}
	if v != def {
		x.Set(def)
		p.Changed = true
	}
	p.deleteChain(v)
}
