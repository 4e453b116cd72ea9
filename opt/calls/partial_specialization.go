package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/opt/pass"
)

// A copy may be made for some of the types alone, and stay generic in the others:
//
//	apply @f<U, Float>(%0, %1)                         %2 = load %1
//	                                              ⇒    apply @$s1fxSfSfRs_r0_lIetiy_Tp5<U, Float>(%0, %2)
//
//	sil shared @$s1fxSfSfRs_r0_lIetiy_Tp5 : $<τ_0_0, τ_0_1 where τ_0_1 == Float> (@in τ_0_0, Float) -> ()
//
// The copy has all parameters of the function. What the function asks of those that have a type now, that type was checked for at the call.

// partialSubs returns what a copy has for the parameters of a signature, and the signature of the copy: types without parameters of their
// own where the call passes such, otherwise the parameter as it is, under the name that SIL gives it. sig is nil when the copy can't be made.
func partialSubs(mod *ir.Module, fn *ir.Type, subs []*ir.Type) (inside []*ir.Type, sig *ir.GenericSig) {
	old := fn.Func.Generic
	sig = &ir.GenericSig{Params: old.Params}
	var own []ir.Requirement
	concrete := func(t *ir.Type) int {
		n := paramOf(sig, t)
		if n >= 0 && isOpen(subs[n]) {
			return -1
		}
		return n
	}
	for n, t := range subs {
		p := mod.Types.Param(old.Params[n].Name)
		if isOpen(t) {
			inside = append(inside, p)
			continue
		}
		inside = append(inside, t)
		own = append(own, ir.Requirement{Kind: ir.ReqSameType, Subject: p, Type: t})
	}
	bind := ir.BindParams(old, inside)
	for _, r := range old.Requirements {
		if concrete(r.Subject) >= 0 && r.Kind != ir.ReqSameType {
			continue
		}
		if mod.Types.Subst(r.Subject, bind) != r.Subject || r.Type != nil && mod.Types.Subst(r.Type, bind) != r.Type {
			return nil, nil // of a type that belongs to one that is known now
		}
		own = append(own, r)
	}
	// The compiler lists them by whose they are, those of types that belong to parameters after all others.
	rank := func(r ir.Requirement) int {
		if n := paramOf(sig, r.Subject); n >= 0 {
			return n
		}
		return len(sig.Params)
	}
	slices.SortStableFunc(own, func(a, b ir.Requirement) int { return rank(a) - rank(b) })
	sig.Requirements = own
	return inside, sig
}

// isOpen reports whether a type names a parameter of the caller, or one that it has opened.
func isOpen(t *ir.Type) bool { return t.HasParams() || t.HasLocal() }

// isPartial reports whether the call passes types of both kinds, and a copy for those that are known is wanted.
func (s *specializing) isPartial() bool {
	return (s.call == nil || s.c.IsSet("sil-partial-specialization")) && slices.ContainsFunc(s.subs, isOpen) && slices.ContainsFunc(s.subs, func(t *ir.Type) bool { return !isOpen(t) })
}

// partialRefusal tells why no copy for some of the types is made, "" when there may be one.
func (s *specializing) partialRefusal() string {
	for _, t := range s.subs {
		if isOpen(t) && t.Kind != ir.KindParam && t.Kind != ir.KindOpened && t.Kind != ir.KindMember {
			return "the call is generic itself"
		}
	}
	for _, p := range s.callee.Type.Func.Generic.Params {
		if p.Depth > 0 || p.Value != nil {
			return "its parameters are of several declarations"
		}
	}
	if namesDynamicSelf(s.callee) || slices.ContainsFunc(s.callee.Entry().Args, isDynamicSelf) {
		return "it needs to know what Self is"
	}
	return ""
}

// typesOf returns the table for the types in a function of a signature; nil stands for none.
func typesOf(mod *ir.Module, sig *ir.GenericSig) *facts.Types {
	ts := facts.NewTypes(mod)
	if sig == nil {
		return ts
	}
	return ts.In(&ir.Function{Type: mod.Types.Function(&ir.FuncType{Generic: sig}), Module: mod})
}

// partialName returns the name of a copy that is generic itself: that of the function and the type of the copy.
func partialName(c *pass.Context, f *ir.Function, fn *ir.FuncType, code string) (name string, ok bool) {
	m, ok := mangle.Resume(f.Name)
	if !ok {
		return "", false
	}
	node := typeNamer{mod: c.Module, params: fn.Generic.Params}.generic(fn)
	if node == nil || !m.PartialSpecialization(node, code) {
		return "", false
	}
	return string(m.Buf), true
}
