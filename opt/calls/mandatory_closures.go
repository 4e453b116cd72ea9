package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// closureCaptures returns the part of the arguments that the closure holds.
func closureCaptures(s *callSite, closure *ir.Inst) []*ir.Value {
	return s.args[len(s.args)-(len(closure.Operands)-1):]
}

// removeVariable removes the box of a closure that is stored once and loaded by nobody but load, and returns the closure, which is destroyed
// where the box was; nil when that can't be done.
func removeVariable(e *rewrite.Editor, load *ir.Inst) *ir.Value {
	closure := storedInBox(load)
	if closure == nil {
		return nil
	}
	for _, x := range load.Result().UseList() {
		if x.User().Op != op.DestroyValue {
			return nil
		}
	}
	project := load.Arg(0).Inst()
	box := project.Arg(0).Inst()
	var release, store *ir.Inst
	for _, x := range box.Result().UseList() {
		switch i := x.User(); {
		case i == project, facts.IsDebug(i):
		case (i.Op == op.StrongRelease || i.Op == op.DestroyValue) && release == nil:
			release = i
		default:
			return nil
		}
	}
	for _, x := range project.Result().UseList() {
		switch i := x.User(); {
		case i == load, facts.IsDebug(i):
		case i.Op == op.Store:
			store = i
		default:
			return nil
		}
	}
	eraseWithUsesOf(load)
	store.Remove()
	if release != nil {
		e.DestroyValue(e.Before(release), closure)
		release.Remove()
	}
	rewrite.EraseWithUsers(project)
	rewrite.EraseWithUsers(box)
	return closure
}

// eraseWithUsesOf removes the instruction and all users of its results.
func eraseWithUsesOf(i *ir.Inst) {
	for _, r := range i.Results {
		for _, x := range r.UseList() {
			if x.User().Block() != nil {
				eraseWithUsesOf(x.User())
			}
		}
	}
	i.Remove()
}

// removeGivenUpClosure removes a closure that is only copied, borrowed and given up; what it captured is destroyed where its life ended.
func removeGivenUpClosure(c *pass.Context, f *ir.Function, closure *ir.Inst) bool {
	var users []*ir.Inst
	if !givenUp(closure.Result(), &users) {
		return false
	}
	e := rewrite.NewEditor(c, f)
	var captured []*ir.Value
	for n, v := range rewrite.Values(closure)[1:] {
		switch {
		case closure.Op != op.PartialApply, closure.Has(op.QualOnStack):
		case v.Type.IsAddress():
			if !isVariable(facts.Param(closure, n+1)) {
				return false
			}
		case e.Types.IsTrivial(v.Type):
		default:
			captured = append(captured, v)
		}
	}
	if len(captured) > 0 && len(users) > 0 {
		way, ok := rewrite.RegionOf(cfg.NewPredecessors(f), closure.Next(), users)
		if !ok {
			return false
		}
		dead := c.DeadEnds(f)
		for _, end := range way.Ends {
			if end.User == nil && dead[end.Before.Block().Index] {
				continue
			}
			for _, v := range captured {
				e.DestroyValue(e.Before(end.Before), v)
			}
		}
	}
	eraseWithUsesOf(closure)
	return true
}

// givenUp reports whether a function value is only copied, borrowed, converted and destroyed, and lists what does that.
func givenUp(v *ir.Value, users *[]*ir.Inst) bool {
	for u := range v.Uses() {
		i := u.User()
		switch i.Op {
		case op.CopyValue, op.BeginBorrow, op.MoveValue, op.ConvertFunction, op.ConvertEscapeToNoescape, op.MarkDependence:
			if i.Op == op.MarkDependence && u.Number() == 1 || !givenUp(i.Result(), users) {
				return false
			}
		default:
			if facts.IsCountOrEnd(i) {
				*users = append(*users, i)
			} else if !facts.IsDebug(i) {
				return false
			}
		}
	}
	return true
}

// This file is about the closures that mandatory inlining sees through: what they captured goes to the callee and lives as long as the
// closure would have kept it, and closures that are called no more go.

// canKeepCaptured reports whether what the closure captured can be passed where it is called.
func (m *mandatoryInliner) canKeepCaptured(in *inliner, s callSite, closure *ir.Inst) bool {
	if closure.Has(op.QualOnStack) {
		return true
	}
	fn := s.callee.Type.Func
	for n, v := range closureCaptures(&s, closure) {
		param := len(fn.Params) - (len(closure.Operands) - 1) + n
		if param < 0 {
			return false
		}
		if conv := fn.Params[param].Conv; v.Type.IsAddress() && (conv == ir.ParamIn || conv == ir.ParamInGuaranteed && !m.c.Types(in.caller).IsTrivial(v.Type.Object())) {
			return false // the closure has taken what was in the memory
		}
	}
	_, ok := rewrite.RegionOf(cfg.NewPredecessors(in.caller), closure.Next(), []*ir.Inst{s.call})
	return ok
}

// keepCaptured copies what the closure captured before it, for the callee, and destroys the copies after the call and where it is
// not reached. A callee that consumes its context gets the closure destroyed.
func (m *mandatoryInliner) keepCaptured(in *inliner, s *callSite, closure *ir.Inst) {
	e := rewrite.NewEditor(m.c, in.caller)
	fn := s.callee.Type.Func
	captured := closureCaptures(s, closure)
	way, _ := rewrite.RegionOf(cfg.NewPredecessors(in.caller), closure.Next(), []*ir.Inst{s.call})
	dead := m.c.DeadEnds(in.caller)
	for n, v := range captured {
		if v.Type.IsAddress() || e.Types.IsTrivial(v.Type) {
			continue
		}
		conv := fn.Params[len(fn.Params)-len(captured)+n].Conv
		owned := e.CopyValue(e.Before(closure), v)
		passed := owned
		if conv == ir.ParamDirectGuaranteed && e.OSSA {
			passed = rewrite.Emit(e.Before(closure), op.BeginBorrow, owned).Result()
		}
		looped := true
		for _, end := range way.Ends {
			at := end.Before
			if end.User == s.call {
				looped = false
				if conv == ir.ParamDirectOwned {
					continue
				}
			} else {
				at = at.Block().First()
				if dead[at.Block().Index] {
					continue
				}
			}
			if passed != owned {
				rewrite.Emit(e.Before(at), op.EndBorrow, passed)
			}
			e.DestroyValue(e.Before(at), owned)
		}
		if looped && conv == ir.ParamDirectOwned {
			passed = e.CopyValue(e.Before(s.call), owned)
		}
		captured[n] = passed
	}
	if closure.Result().Type.Func.Callee != ir.CalleeGuaranteed {
		for _, end := range way.Ends {
			if end.User == s.call {
				e.DestroyValue(e.Before(end.Before), s.call.Arg(0))
			}
		}
	}
}

// removeCallee removes what made a function value that is called no more: loads from its variable, conversions, the closure, and the
// reference to the function.
func (m *mandatoryInliner) removeCallee(f *ir.Function, v *ir.Value) {
	if v = m.removeUnused(f, v); v == nil || v.Inst() == nil || v.Inst().Block() == nil {
		return
	}
	if i := v.Inst(); i.Op == op.Load {
		if v = removeVariable(rewrite.NewEditor(m.c, f), i); v == nil {
			return
		}
	}
	for conv := v; conv.Inst() != nil && f.IsOSSA(); conv = conv.Inst().Arg(0) {
		i := conv.Inst()
		if i.Op == op.ConvertEscapeToNoescape || i.Op == op.ConvertFunction {
			if users := []*ir.Inst(nil); givenUp(conv, &users) {
				v = i.Arg(0)
				eraseWithUsesOf(i)
				v = m.removeUnused(f, v)
			}
			break
		}
		if i.Op != op.CopyValue && i.Op != op.BeginBorrow && i.Op != op.MoveValue {
			break
		}
	}
	if v = withoutConversions(v); v == nil || v.Inst() == nil || v.Inst().Block() == nil {
		return
	}
	switch i := v.Inst(); i.Op {
	case op.PartialApply, op.ThinToThickFunction:
		fn := i.Arg(0)
		if !removeGivenUpClosure(m.c, f, i) {
			return
		}
		dead := &rewrite.Eraser{}
		dead.EraseIfDead(fn)
	case op.FunctionRef:
		dead := &rewrite.Eraser{}
		dead.EraseIfDead(v)
	}
}

// removeUnused removes in ownership form what does nothing but hand on a function value that is given up, and a closure that is, with what
// it captured. It returns the value that is left.
func (m *mandatoryInliner) removeUnused(f *ir.Function, v *ir.Value) *ir.Value {
	if !f.IsOSSA() {
		return v
	}
	e := rewrite.NewEditor(m.c, f)
	for v.Inst() != nil && v.Inst().Block() != nil {
		i := v.Inst()
		for _, x := range v.UseList() {
			if u := x.User(); u.Op != op.DestroyValue && u.Op != op.EndBorrow && !facts.IsDebug(u) {
				return v
			}
		}
		switch i.Op {
		case op.CopyValue, op.BeginBorrow, op.MoveValue, op.ConvertFunction, op.ConvertEscapeToNoescape:
			if i.Has(op.QualLexical) {
				return v
			}
		case op.PartialApply:
			captured := rewrite.Values(i)[1:]
			if i.Has(op.QualOnStack) || slices.ContainsFunc(captured, func(c *ir.Value) bool { return c.Type.IsAddress() }) {
				return v
			}
			for _, c := range captured {
				e.DestroyValue(e.Before(i), c)
			}
		default:
			return v
		}
		v = i.Arg(0)
		eraseWithUsesOf(i)
	}
	return v
}
