package flow

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/fold"
	"silvm/opt/rewrite"
)

// FoldCastBranch goes where a cast surely goes. In ownership form the blocks after it need no arguments any more.
func (s *CFGSimplifier) FoldCastBranch(i *ir.Inst) bool {
	targets := []*ir.Block{i.Succs[0].To, i.Succs[1].To}
	if !s.simplifyCheckedCastBr(i) {
		return false
	}
	if !s.f.IsOSSA() {
		return true
	}
	for _, to := range targets {
		edges := s.preds.Edges(to)
		if len(to.Args) != 1 || len(edges) > 1 {
			continue
		}
		v := ir.NewUndef(to.Args[0].Type)
		if len(edges) == 1 {
			v = edges[0].Arg(0)
			edges[0].Term.RemoveEdgeArg(edges[0].N, 0)
		}
		to.Args[0].ReplaceAllUses(v)
		to.RemoveArg(0)
	}
	return true
}

// simplifyCheckedCastBr goes where a cast surely goes.
func (s *CFGSimplifier) simplifyCheckedCastBr(i *ir.Inst) bool {
	if len(i.Succs) != 2 || len(i.Succs[0].To.Args) != 1 {
		return false
	}
	b, from := i.Block(), i.Arg(0)
	yes, no := i.Succs[0].To, i.Succs[1].To
	to := yes.Args[0].Type
	var foreseen fold.CastOutcome
	if !i.Has(op.QualExact) {
		foreseen = fold.ForeseeValue(s.c.Module, from, to)
	} else if made := allocated(from); made != nil {
		switch made.Result().Type {
		case to:
			if from.Type != to {
				return false
			}
			foreseen = fold.CastSucceeds
		default:
			foreseen = fold.CastFails
		}
	}
	switch foreseen {
	case fold.CastSucceeds:
		v := from
		switch {
		case from.Type == to:
		case !yes.Args[0].HasUses() && !s.f.IsOSSA():
			v = ir.NewUndef(to)
		default:
			v = ir.At(s.c.Module, i).Emit(&ir.Inst{Op: op.Upcast, Types: []*ir.Type{to}}, from).Results[0]
		}
		s.takeEdge(i, yes, no, v)
	case fold.CastFails:
		var args []*ir.Value
		if len(no.Args) > 0 {
			args = append(args, from)
		}
		s.takeEdge(i, no, yes, args...)
	default:
		return false
	}
	s.work.Push(b)
	return true
}

// allocated returns the instruction that made the object of a reference in this function, nil when it is not known: the object is of exactly
// that class.
func allocated(v *ir.Value) *ir.Inst {
	for facts.DefinedBy(v, op.Upcast) != nil {
		v = v.Inst().Arg(0)
	}
	if made := facts.DefinedBy(v, op.AllocRef); made != nil && !made.Has(op.QualObjc) {
		return made
	}
	return nil
}

// SimplifyCheckedCastAddrBr goes where a cast in memory surely goes.
func (s *CFGSimplifier) SimplifyCheckedCastAddrBr(i *ir.Inst) bool {
	yes, no := i.Succs[0].To, i.Succs[1].To
	b, takes := i.Block(), i.Word()
	e := rewrite.NewEditor(s.c, s.f)
	switch fold.ForeseeInMemory(s.c.Module, i.Arg(0).Type.Object(), i.Arg(1).Type.Object()) {
	case fold.CastFails:
		if takes == ir.WordTakeAlways {
			e.DestroyAt(i, i.Arg(0))
		}
		s.takeEdge(i, no, yes)
	case fold.CastSucceeds:
		if destroys, ok := fold.UnreadSlot(i); ok {
			for _, d := range destroys {
				d.Remove()
			}
			if takes != ir.WordCopyOnSuccess {
				e.DestroyAt(i, i.Arg(0))
			}
		} else {
			e.CastInMemory(i, takes == ir.WordCopyOnSuccess)
		}
		s.takeEdge(i, yes, no)
	default:
		return false
	}
	s.work.Push(b)
	return true
}

// simplifyTryApply calls a function that does not throw: one that was converted to a throwing type, or one whose error block is
// unreachable.
func (s *CFGSimplifier) simplifyTryApply(i *ir.Inst) bool {
	normal, failed := i.Succs[0].To, i.Succs[1].To
	aux := *i.Aux.(*ir.ApplyAux)
	callee := i.Arg(0)
	quals := i.Quals.With(op.QualNothrow)
	if c := facts.DefinedBy(callee, op.ConvertFunction); c != nil && !s.f.IsOSSA() && fold.ConvertsToThrowing(c) {
		if callee = c.Arg(0); facts.DefinedBy(callee, op.ThinToThickFunction) != nil {
			callee = callee.Inst().Arg(0)
		}
		quals, aux.Fn = i.Quals, callee.Type
	} else if !isOnlyUnreachable(failed) {
		return false
	}
	operands := append([]*ir.Value{callee}, rewrite.Values(i)[1:]...)
	call := &ir.Inst{Op: op.Apply, Quals: quals, Aux: &aux}
	ir.At(s.c.Module, i).Emit(call, operands...)
	if call.Results[0].Type == nil && len(normal.Args) == 1 {
		call.Results[0].Type = normal.Args[0].Type
	}
	b := i.Block()
	s.work.Push(b)
	s.takeEdge(i, normal, failed, call.Results[0])
	return true
}
