package ossa

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// convertExtracts makes the copy of the only field of a struct that has an owner a copy of the whole that is taken apart, so that the whole can give
// the field away:
//
//	%1 = struct_extract %0, #S.c        %1 = copy_value %0
//	%2 = copy_value %1             ⇒    (%2, …) = destructure_struct %1
func (p *CopyPropagator) convertExtracts() {
	for n := 0; n < len(p.extracts); n++ {
		i := p.extracts[n]
		copied := p.onlyCopy(i)
		if copied == nil || facts.IsMoveOnly(p.Context.Module, i.Arg(0).Type) {
			continue
		}
		at := p.Before(i)
		whole := rewrite.Emit(at, op.CopyValue, i.Arg(0))
		parts := rewrite.Emit(at, op.DestructureStruct, whole.Result())
		fields, _ := p.Types.FieldTypes(i.Arg(0).Type)
		for k, r := range parts.Results {
			r.Type = fields[k]
		}
		copied.Result().ReplaceAllUses(parts.Results[facts.FieldNumber(p.Context.Module, i)])
		p.Changed = true
		p.enter(whole.Result())
		p.noteExtract(whole)
		p.Del.ForceDelete(i)
	}
	p.extracts = nil
}

// noteExtract notes the struct_extract that a copy copies.
func (p *CopyPropagator) noteExtract(copied *ir.Inst) {
	if i := copied.Arg(0).Inst(); p.Scopes && i != nil && i.Op == op.StructExtract && p.Own.KindOf(copied.Arg(0)) == ownership.KindGuaranteed {
		p.extracts = append(p.extracts, i)
	}
}

// onlyCopy returns the copy that is the only use of the only field with an owner; nil when there are others.
func (p *CopyPropagator) onlyCopy(i *ir.Inst) (copied *ir.Inst) {
	if i.Block() == nil {
		return nil
	}
	fields, ok := p.Types.FieldTypes(i.Arg(0).Type)
	field := facts.FieldNumber(p.Context.Module, i)
	if !ok || field < 0 {
		return nil
	}
	for n, t := range fields {
		if n != field && !p.Types.IsTrivial(t) {
			return nil
		}
	}
	for x := range i.Result().Uses() {
		switch u := x.User(); {
		case facts.IsDebug(u):
		case u.Op != op.CopyValue || copied != nil:
			return nil
		default:
			copied = u
		}
	}
	return copied
}

// enterForwards notes what hands an owned value on, from the definition to the uses.
func (p *CopyPropagator) enterForwards(v *ir.Value) {
	work := v.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		if i.Op == op.CopyValue || p.isRewritable(i) && p.Own.KindOf(x.Value()) == ownership.KindOwned && p.forwards.Push(i) {
			for _, r := range i.Results {
				work = append(work, r.UseList()...)
			}
		}
	}
}

// sinkForwards moves what hands owned values on to where it is needed, the last first.
func (p *CopyPropagator) sinkForwards() {
	for i := range p.forwards.All() {
		if i.Block() == nil || p.Del.DeleteIfDead(i) {
			continue
		}
		for _, r := range i.Results {
			p.Canon.Canonicalize(r)
		}
		if i.Block() == nil || !p.sink(i) {
			continue
		}
		p.Changed = true
		if def := p.CopiedDef(i.Arg(0)).Inst(); def != nil && p.isRewritable(def) && p.Own.KindOf(i.Arg(0)) == ownership.KindOwned {
			p.forwards.Push(def)
		}
	}
}

// sink moves an instruction before the first use of its results, but into no loop.
func (p *CopyPropagator) sink(i *ir.Inst) bool {
	dom := p.Context.Dominators(p.Func)
	var to *ir.Block
	common := func(b *ir.Block) bool {
		if !dom.IsReachable(b) {
			return false
		}
		if to == nil {
			to = b
		}
		for !dom.Dominates(to, b) {
			to = dom.Idom(to)
		}
		return true
	}
	users := map[*ir.Inst]bool{}
	for _, r := range i.Results {
		for x := range r.Uses() {
			if users[x.User()] = true; !common(x.User().Block()) {
				return false
			}
		}
	}
	from := i.Block()
	if to == nil || !dom.Dominates(from, to) {
		return false
	}
	if to != from {
		order := map[*ir.Block]int{}
		for n, b := range dom.Order {
			order[b] = n
		}
		work := worklist.Of(to)
		for b := range work.All() {
			loops := false
			for _, pred := range p.Preds(b) {
				loops = loops || order[pred] >= order[b]
			}
			for _, pred := range p.Preds(b) {
				if loops && order[pred] < order[b] && !common(pred) {
					return false
				}
				if pred != from {
					work.Push(pred)
				}
			}
		}
	}
	at := to.First()
	if to == from {
		at = i.Next()
	}
	for !users[at] && at != to.Last() {
		at = at.Next()
	}
	if at == i.Next() {
		return false
	}
	i.MoveBefore(at)
	return true
}
