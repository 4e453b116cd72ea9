package calls

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ClosureSpecialize makes copies of functions for the closures that they are passed and call. The copy takes what the closure holds and
// makes the closure itself, so that later passes can inline it:
//
//	%2 = partial_apply %1(%0)              retain_value %0
//	apply @callee(%2)                ⇒     apply @$s6callee7closureSiTf1c_n(%0)
//
// (lib/SILOptimizer/IPO/ClosureSpecializer.cpp).
var ClosureSpecialize = &pass.Pass{Name: "closure-specialize", Doc: "Makes copies of functions for the closures that they are passed", Copies: true, Needs: [][]op.Op{{op.PartialApply, op.ThinToThickFunction}}, Function: func(c *pass.Context, f *ir.Function) bool {
	if f.IsOSSA() {
		return false
	}
	s := &closureSpecializer{c: c, f: f, e: rewrite.NewEditor(c, f), preds: cfg.NewPredecessors(f)}
	var closures []*ir.Inst
	for _, site := range s.find() {
		if s.specialize(site) && (len(closures) == 0 || closures[len(closures)-1] != site.closure) {
			closures = append(closures, site.closure)
		}
	}
	for _, closure := range closures {
		if closure.Block() != nil && !c.IsOff("closure-specialize-eliminate-dead-closures") {
			removeGivenUpClosure(c, f, closure)
		}
	}
	return len(closures) > 0
}}

type closureSpecializer struct {
	c     *pass.Context
	f     *ir.Function
	e     *rewrite.Editor
	preds *cfg.Predecessors
}

// closureSite is a call that is passed a closure.
type closureSite struct {
	call    *ir.Inst
	callee  *ir.Function
	closure *ir.Inst    // a partial_apply or thin_to_thick_function
	index   int         // of the argument
	exits   []*ir.Block // of the callee, which give the closure up
	// borrowed says that the callee gets the closure without having to release it.
	borrowed bool
}

// find lists the calls that can be specialized, in the order of the closures.
func (s *closureSpecializer) find() []*closureSite {
	var sites []*closureSite
	seen := map[*ir.Inst]int{} // calls, by the number of closures that they are passed
	for i := range s.f.Insts() {
		if !s.isSupported(i) {
			continue
		}
		for _, u := range passedClosures(i.Result()) {
			call := u.User()
			aux := call.Aux.(*ir.ApplyAux)
			if len(aux.Subs) > 0 || call.Op == op.BeginApply || u.Number() == 0 {
				continue
			}
			if seen[call]++; seen[call] > 1 {
				continue
			}
			if site := s.site(i, call, u); site != nil {
				sites = append(sites, site)
			}
		}
	}
	return slices.DeleteFunc(sites, func(site *closureSite) bool { return seen[site.call] > 1 })
}

// isSupported reports whether a closure can be made in another function: it is one of a named function, and holds no memory but that of
// variables.
func (s *closureSpecializer) isSupported(i *ir.Inst) bool {
	if i.Op != op.PartialApply && i.Op != op.ThinToThickFunction || facts.DefinedBy(i.Arg(0), op.FunctionRef) == nil {
		return false
	}
	f := i.Arg(0).Inst().Aux.(*ir.SymbolAux).Func
	if f == nil || f.Type.Func == nil {
		return false
	}
	if i.Op == op.ThinToThickFunction {
		return true
	}
	if len(i.Aux.(*ir.ApplyAux).Subs) > 0 || f.Type.Func.Generic != nil {
		return false
	}
	for n := 1; n < len(i.Operands); n++ {
		if t := i.Arg(n).Type; t.IsAddress() && !isVariable(facts.Param(i, n)) || t.HasParams() || t.HasLocal() {
			return false
		} else if !t.IsAddress() && !s.c.Module.IsCopyable(t) {
			return false // the copy of the function would own another of it
		}
	}
	return true
}

func isVariable(p *ir.Param) bool {
	return p != nil && (p.Conv == ir.ParamInout || p.Conv == ir.ParamInoutAliasable)
}

// passedClosures lists where a closure is used in calls, itself or converted.
func passedClosures(v *ir.Value) []*ir.Operand {
	var list []*ir.Operand
	work := []*ir.Value{v}
	for n := 0; n < len(work); n++ {
		for _, u := range work[n].UseList() {
			i := u.User()
			switch {
			case i.Op == op.ConvertFunction, i.Op == op.ConvertEscapeToNoescape, i.Op == op.MarkDependence && u.Number() == 0:
				work = append(work, i.Result())
			case facts.IsFullApply(i):
				list = append(list, u)
			}
		}
	}
	return list
}

// site describes the call with the closure as operand u; nil when a copy of the callee is of no use or can't be made.
func (s *closureSpecializer) site(closure, call *ir.Inst, u *ir.Operand) *closureSite {
	callee, param := facts.StaticCallee(call), facts.Param(call, u.Number())
	switch {
	case callee == nil, callee.Type.Func == nil, callee.Body() != nil, len(callee.Blocks) == 0, callee.IsOSSA(), s.c.IsNative(callee), param == nil:
		return nil
	case callee.Type.Func.Generic != nil, isSerialized(s.f) && !isSerialized(callee), bindsDynamicSelf(callee):
		return nil
	case u.User().Op == op.TryApply && callee.Type.Func.Error == nil, specializationLevel(callee.Name) > mostLevels:
		return nil
	}
	index := u.Number() - 1
	if index >= len(callee.Entry().Args) || !callsClosure(callee, index, map[*ir.Function]bool{}) {
		s.c.Missed(s.f, call, "@%s does not call the closure", callee.Name)
		return nil
	}
	if facts.EffectAttr(callee) != ir.AttrUnknown && closure.Op == op.PartialApply {
		s.c.Missed(s.f, call, "@%s promises to release nothing, and its copy would release the closure", callee.Name)
		return nil
	}
	site := &closureSite{call: call, callee: callee, closure: closure, index: index,
		borrowed: param.Conv != ir.ParamDirectOwned || facts.IsNoescape(u.Value().Type)}
	if site.borrowed && closure.Op == op.PartialApply {
		exits, ok := closureExits(callee)
		if !ok {
			return nil
		}
		site.exits = exits
	}
	if closure.Block() != call.Block() {
		if _, ok := s.lifetime(closure); !ok {
			return nil
		}
	}
	return site
}

// holdsContext reports whether the closure has a context on the heap.
func (site *closureSite) holdsContext() bool {
	return site.closure.Op == op.PartialApply && !site.closure.Has(op.QualOnStack)
}

// lifetime returns where a closure lives, conversions of it included.
func (s *closureSpecializer) lifetime(closure *ir.Inst) (rewrite.Region, bool) {
	var users []*ir.Inst
	work := []*ir.Value{closure.Result()}
	for n := 0; n < len(work); n++ {
		for _, u := range work[n].UseList() {
			users = append(users, u.User())
			switch u.User().Op {
			case op.ConvertFunction, op.ConvertEscapeToNoescape, op.MarkDependence:
				work = append(work, u.User().Result())
			}
		}
	}
	return rewrite.RegionOf(s.preds, closure.Next(), users)
}

const (
	mostLevels  = 2 // of copies of copies for closures
	mostCallees = 8 // that are searched for a call of a closure
)

// specializationLevel counts the copies for closures that led to a name.
func specializationLevel(name string) int {
	if !rewrite.IsMangledName(name) {
		return 0
	}
	return strings.Count(name, "Tf1") + strings.Count(name, "Tfq1")
}

// callsClosure reports whether the function calls an argument, itself or by others that it hands it to.
func callsClosure(f *ir.Function, index int, seen map[*ir.Function]bool) bool {
	if index < 0 || index >= len(f.Entry().Args) {
		return false
	}
	for _, u := range f.Entry().Args[index].UseList() {
		call := u.User()
		if !facts.IsFullApply(call) {
			continue
		}
		if u.Number() == 0 {
			return true
		}
		to := facts.StaticCallee(call)
		if to == nil || to.Body() != nil || len(to.Blocks) == 0 || seen[to] || len(seen) >= mostCallees {
			continue
		}
		seen[to] = true
		if callsClosure(to, u.Number()-1, seen) {
			return true
		}
	}
	return false
}

// closureExits lists the blocks at whose ends the function is left; false when it may also end in a way that is not understood.
func closureExits(f *ir.Function) (exits []*ir.Block, ok bool) {
	for _, b := range f.Blocks {
		t := b.Terminator()
		switch {
		case t.Op == op.Return, t.Op == op.Throw, t.Op == op.ThrowAddr, t.Op == op.Unwind:
			exits = append(exits, b)
		case t.Op != op.Unreachable:
		case t.Prev() != nil && facts.IsFullApply(t.Prev()):
			exits = append(exits, b)
		case !isInert(b):
			return nil, false
		}
	}
	return exits, true
}

// isInert reports whether nothing in the block can see a reference count.
func isInert(b *ir.Block) bool {
	for i := range b.Insts() {
		if i.Op != op.Unreachable && i.Op != op.Builtin && i.Op != op.CondFail && facts.MayHaveSideEffects(i) {
			return false
		}
	}
	return true
}
