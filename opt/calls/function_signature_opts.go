package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/arc"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// FunctionSignatureOpts gives functions cheaper signatures: without arguments that nothing uses, with borrowed in place of owned parameters
// where the function releases them at its end, without the retain of an owned result, with the parts of an argument that are used in place
// of the whole. The body moves to a function of its own; what is left calls it and is inlined into callers.
//
//	sil @f : $(Int64, @owned C) -> () {           sil [signature_optimized_thunk] [always_inline] @f {
//	bb0(%0 : $Int64, %1 : $C):                    bb0(%0 : $Int64, %1 : $C):
//	  apply %use(%1)                       ⇒        %2 = function_ref @$s1fTf4dg_n : $(@guaranteed C) -> ()
//	  strong_release %1                             %3 = apply %2(%1)
//	  …                                             release_value %1
//
// The rules are those of the compiler's FunctionSignatureOpts.
var FunctionSignatureOpts = &pass.Pass{Name: "function-signature-opts", Doc: "Moves functions behind cheaper signatures", Function: func(c *pass.Context, f *ir.Function) bool {
	s := newSignature(c, f)
	if s == nil || f.Attrs.Has(ir.AttrAlwaysInline) || s.fn.Convention == ir.RepWitnessMethod {
		return false
	}
	return s.optimize(c.Callers().Of(f))
}}

// DeadArgSignatureOpt does it for functions of which closures hold nothing but trivial arguments that are not used, and leaves out those.
var DeadArgSignatureOpt = &pass.Pass{Name: "dead-arg-signature-opt", Doc: "Leaves out the arguments of closures when none is used", Function: func(c *pass.Context, f *ir.Function) bool {
	held := c.Callers().Of(f).FewestApplied()
	s := newSignature(c, f)
	return held > 0 && s != nil && s.dropHeld(held)
}}

// dropHeld leaves out the last arguments, of which closures hold at least that many, when all of them are trivial and nothing uses them.
func (s *signature) dropHeld(held int) bool {
	first := len(s.args) - held
	for n, a := range s.args {
		if n >= first && (!a.changeable() || !isUseless(a.v) || !s.ts.IsTrivial(a.v.Type)) {
			return false
		}
	}
	keep := s.fn.Generic != nil
	for _, a := range s.args {
		keep = keep && (!a.changeable() || !isUseless(a.v) || isAnyMetatype(a.v.Type))
	}
	if keep {
		return false
	}
	for _, a := range s.args[first:] {
		s.drop(a)
	}
	s.move()
	return true
}

// signature is a function with what becomes of its arguments and its result.
type signature struct {
	c    *pass.Context
	f    *ir.Function
	fn   *ir.FuncType
	ts   *facts.Types
	rc   *facts.RCIdentity
	args []*argument
	// retains are those of the result that the caller makes instead.
	retains []*ir.Inst
	// plain says that the new function is no method: it has lost or split self.
	plain bool
}

// argument says what becomes of an argument of the entry.
type argument struct {
	v       *ir.Value
	param   *ir.Param // nil for an indirect result
	self    bool
	dead    bool
	borrow  bool       // owned becomes guaranteed
	ends    []*ir.Inst // the releases that the caller makes instead
	parts   *projectionTree
	explode bool
}

// newSignature returns nil for functions whose signatures stay.
func newSignature(c *pass.Context, f *ir.Function) *signature {
	fn := f.Type.Func
	switch {
	case f.Attrs.Has(ir.AttrOnone), f.Attrs.Has(ir.AttrOsize), f.Attrs.Has(ir.AttrDynamicallyReplacable), f.Attrs.Has(ir.AttrSignatureOptimizedThunk), f.Attrs.Has(ir.AttrOptremark):
		return nil
	case c.IsNative(f):
		return nil
	case fn != nil && fn.Generic != nil && c.IsOff("sil-fso-enable-generics"):
		return nil
	case fn == nil, fn.Coroutine != ir.NotCoroutine, facts.IndirectResults(fn) > 0, fn.Convention == ir.RepBlock, fn.Convention == ir.RepObjCMethod:
		return nil
	case len(f.Entry().Args) != len(fn.Params):
		return nil
	}
	s := &signature{c: c, f: f, fn: fn, ts: c.Types(f), rc: c.RCIdentity(f)}
	for n, v := range f.Entry().Args {
		s.args = append(s.args, &argument{v: v, param: &fn.Params[n], self: fn.Convention.IsMethod() && n == len(fn.Params)-1})
	}
	return s
}

// changeable reports whether the argument is one that may be left out or passed otherwise: a value, or memory of a generic type.
func (a *argument) changeable() bool {
	if !a.v.Type.IsAddress() {
		return true
	}
	return a.v.Type.HasParams() && (a.param.Conv == ir.ParamIn || a.param.Conv == ir.ParamInGuaranteed)
}

// optimize decides, and makes the new function when there is something to gain.
func (s *signature) optimize(how pass.CallerInfo) bool {
	called := how.Direct > 0 || s.c.IsSet("sil-fso-optimize-if-not-called")
	if !called && (s.fn.Convention.IsMethod() || s.f.Attrs.Has(ir.AttrDynamicReplacementFor) || s.f.Attrs.Has(ir.AttrRefAdhocRequirementWitness)) {
		return false
	}
	onlyHere := how.Escapes == 0 && !s.fn.Convention.IsMethod() && !isUsedOutside(s.f)
	changed := s.borrowArguments()
	if (called || changed || onlyHere) && s.dropArguments() {
		changed = true
	}
	if (called || changed || onlyHere) && s.splitArguments(!onlyHere) {
		changed = true
	}
	if s.fn.Generic != nil && !changed && !s.usesGenerics() {
		changed = true
	}
	if !changed {
		return false
	}
	s.move()
	s.c.Restart = true // what is left of the function calls one that may be inlined
	return true
}

// isUsedOutside reports whether other files may refer to the function by name.
func isUsedOutside(f *ir.Function) bool {
	switch f.Linkage {
	case ir.LinkagePrivate, ir.LinkageShared:
		return f.Attrs.Has(ir.AttrUnderscoredUsed)
	}
	return true
}

// borrowArguments finds owned parameters that the function releases at its ends, and an owned result that it retains there. It removes these
// releases and retains.
func (s *signature) borrowArguments() bool {
	if facts.HasSemantics(s.f, ir.SemanticsOwnedToGuaranteedNever) || s.c.IsSet("sil-fso-disable-owned-to-guaranteed") {
		return false
	}
	changed := s.findRetains()
	p := s.c.Program(s.f)
	returns := arc.NewArgumentReleases(p, s.rc, s.f, op.Return, true)
	throws := arc.NewArgumentReleases(p, s.rc, s.f, op.Throw, true)
	for _, a := range s.args {
		if !a.changeable() || !s.c.Module.IsCopyable(a.v.Type.Object()) {
			continue
		}
		if a.param.Conv != ir.ParamDirectOwned && a.param.Conv != ir.ParamIn || !returns.All[a.v] || throws.Block != nil && !throws.All[a.v] {
			continue
		}
		if a.param.Conv == ir.ParamIn && a.v.Type.IsAddress() && isMutated(a.v) {
			continue
		}
		ends := append(slices.Clone(returns.Found[a.v]), throws.Found[a.v]...)
		if i := dependsOnEnd(p, ends, a.v.Type.Object()); i != nil {
			s.c.Missed(s.f, i, "left the argument owned: %s depends on the deinit that runs before it", i.Op)
			continue
		}
		a.ends, a.borrow = ends, true
		s.plain = s.plain || a.self
		changed = true
	}
	s.dropRetains()
	for _, a := range s.args {
		for _, i := range a.ends {
			i.Remove()
		}
	}
	return changed
}

// dependsOnEnd returns an instruction after the ends of a parameter's life that may not change places with the deinit that they run: in the caller
// the deinit runs after it.
func dependsOnEnd(p *facts.Program, ends []*ir.Inst, t *ir.Type) *ir.Inst {
	for _, end := range ends {
		for i := end.Next(); i != nil; i = i.Next() {
			if !slices.Contains(ends, i) && p.DependsOnDeinit(i, t) {
				return i
			}
		}
	}
	return nil
}

func (s *signature) findRetains() bool {
	ret := arc.ExitBlock(s.f, op.Return)
	if len(s.fn.Results) != 1 || s.fn.Results[0].Conv != ir.ResultOwned || ret == nil {
		return false
	}
	s.retains = arc.NewEpilogueARC(s.c.Program(s.f), s.rc, s.c, s.f).Of(ret.Last().Arg(0), true)
	return len(s.retains) > 0
}

// dropRetains removes the retains of the result. The result of a call of the function itself is owned as before and released instead.
func (s *signature) dropRetains() {
	e := rewrite.NewEditor(s.c, s.f)
	for _, i := range s.retains {
		if i.Op == op.Apply {
			e.DestroyValue(e.Before(i.Block().Last()), i.Result())
		} else {
			i.Remove()
		}
	}
}

// isMutated reports whether the memory of a parameter is changed otherwise than by destroying what is in it.
func isMutated(addr *ir.Value) bool {
	work := []*ir.Value{addr}
	for v := range worklist.Drain(&work) {
		for _, x := range v.UseList() {
			i := x.User()
			switch i.Op {
			case op.DestroyAddr, op.LoadBorrow, op.FixLifetime, op.EndBorrow, op.EndAccess, op.DeallocStack, op.WitnessMethod, op.DebugValue,
				op.SwitchEnumAddr, op.SelectEnumAddr, op.ExistentialMetatype, op.ValueMetatype:
			case op.Load:
				if i.Has(op.QualTake) {
					return true
				}
			case op.CopyAddr:
				if x.Number() == 1 || i.Has(op.QualTake) {
					return true
				}
			case op.StructElementAddr, op.TupleElementAddr, op.OpenExistentialAddr, op.UncheckedAddrCast, op.BeginAccess, op.UncheckedTakeEnumDataAddr,
				op.MarkDependence:
				if i.Op == op.BeginAccess && !i.Has(op.QualRead) {
					return true
				}
				work = append(work, i.Result())
			case op.Apply, op.TryApply, op.BeginApply:
				if facts.CallConv(i, x.Number()) != facts.ConvInGuaranteed {
					return true
				}
			default:
				if !facts.IsTypeDependence(x) {
					return true
				}
			}
		}
	}
	return false
}

// dropArguments finds the arguments that nothing uses for anything, and removes what is done with them.
func (s *signature) dropArguments() bool {
	if s.c.IsSet("sil-fso-disable-dead-argument") {
		return false
	}
	var dead []*argument
	keep := s.fn.Generic != nil // metatypes alone are not worth it: what they tell must then be passed otherwise
	for n, a := range s.args {
		// The last argument is where a function that names its dynamic Self has it from, whether an instruction uses it or not.
		if a.changeable() && isUseless(a.v) && !(n == len(s.args)-1 && bindsDynamicSelf(s.f)) {
			dead = append(dead, a)
			keep = keep && isAnyMetatype(a.v.Type)
		}
	}
	if len(dead) == 0 || keep {
		return false
	}
	for _, a := range dead {
		s.drop(a)
	}
	return true
}

// drop leaves an argument out.
func (s *signature) drop(a *argument) {
	a.dead = true
	s.plain = s.plain || a.self
	rewrite.EraseUsers(a.v)
}

func isAnyMetatype(t *ir.Type) bool {
	return t.Kind == ir.KindMetatype || t.Kind == ir.KindExistentialMetatype
}

// isUseless reports whether all that is computed from v comes to nothing, and nothing else names a type that is opened on the way.
func isUseless(v *ir.Value) bool {
	work, users := worklist.Of(v), map[*ir.Inst]bool{}
	for v := range work.All() {
		for _, x := range v.UseList() {
			i := x.User()
			if facts.IsDebug(i) {
				continue
			}
			if i.Op.IsTerminator() || facts.MayHaveSideEffects(i) {
				return false
			}
			users[i] = true
			work.Push(i.Results...)
		}
	}
	for i := range users {
		if facts.OpensTypeFor(i, func(k *ir.Inst) bool { return !users[k] }) {
			return false
		}
	}
	return true
}
