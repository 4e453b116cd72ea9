package ir

import (
	"slices"

	"silvm/ir/op"
)

// SubstCallee returns a replacement for the types inside a callee's type: first the parameters of its
// pattern, then those of its generic signature by subs (docs/SIL.rst, Function Types).
func (m *Module) SubstCallee(fn *FuncType, subs []*Type) func(*Type) *Type {
	return func(t *Type) *Type {
		if fn.Pattern != nil {
			t = m.Types.Subst(t, BindParams(fn.Pattern, fn.Subs))
		}
		if fn.Generic != nil && len(subs) > 0 {
			t = m.Types.Subst(t, BindParams(fn.Generic, subs))
		}
		return t
	}
}

// SubstitutedCallee returns the type of a callee as a call sees it, without generic parameters of its own.
func (m *Module) SubstitutedCallee(aux *ApplyAux) *FuncType {
	fn := *aux.Fn.Func
	subst := m.SubstCallee(aux.Fn.Func, aux.Subs)
	if len(aux.Subs) > 0 {
		fn.Generic = nil
	}
	fn.Params, fn.Yields, fn.Results = slices.Clone(fn.Params), slices.Clone(fn.Yields), slices.Clone(fn.Results)
	for n := range fn.Params {
		fn.Params[n].Type = subst(fn.Params[n].Type)
	}
	for _, list := range [][]Result{fn.Yields, fn.Results} {
		for n := range list {
			list[n].Type = subst(list[n].Type)
		}
	}
	return &fn
}

// ArgumentTypes returns the types of the arguments of a call in their order: addresses for the results that come
// back through memory, then the parameters. A type is nil when more than the function's type is needed to tell it.
func (m *Module) ArgumentTypes(fn *FuncType, subs []*Type) []*Type {
	subst := m.SubstCallee(fn, subs)
	var types []*Type
	for _, r := range fn.Results {
		if r.Conv.IsIndirect() {
			types = append(types, m.address(m.lowerAs(r.Type, subst(r.Type))))
		}
	}
	if fn.Error != nil && fn.Error.Indirect {
		types = append(types, m.address(m.lowerAs(fn.Error.Type, subst(fn.Error.Type))))
	}
	for _, p := range fn.Params {
		t := m.lowerAs(p.Type, subst(p.Type))
		if p.Conv.IsIndirect() {
			t = m.address(t)
		}
		types = append(types, t)
	}
	return types
}

func applied(i *Inst) (*ApplyAux, *FuncType) {
	aux, ok := i.Aux.(*ApplyAux)
	if !ok || aux.Fn == nil || aux.Fn.Func == nil {
		return nil, nil
	}
	return aux, aux.Fn.Func
}

// appliedType returns the type of the result of a call: the direct results, in a tuple unless there is one.
func (m *Module) appliedType(i *Inst) *Type {
	aux, fn := applied(i)
	if fn == nil {
		return nil
	}
	subst := m.SubstCallee(fn, aux.Subs)
	var direct []*Type
	for _, r := range fn.Results {
		if r.Conv.IsIndirect() {
			continue
		}
		t := m.lowerAs(r.Type, subst(r.Type))
		if t == nil {
			return nil
		}
		direct = append(direct, t)
	}
	return m.Types.Tuple(direct, nil)
}

// yieldedTypes returns the types of the results of begin_apply: the yields, then the token and, of newer coroutines, their memory.
func (m *Module) yieldedTypes(i *Inst) []*Type {
	aux, fn := applied(i)
	if fn == nil {
		return nil
	}
	subst := m.SubstCallee(fn, aux.Subs)
	types := make([]*Type, 0, len(fn.Yields)+1)
	for _, y := range fn.Yields {
		t := m.lowerAs(y.Type, subst(y.Type))
		if y.Yield.IsIndirect() {
			t = m.address(t)
		}
		types = append(types, t)
	}
	token := m.Types.Builtin(BuiltinSILToken)
	if fn.Coroutine == YieldOnce2 { // the memory that the coroutine took from the caller's stack comes last
		return append(types, token, m.Types.Address(token))
	}
	return append(types, token)
}

// closureType returns the type of a partial_apply: the callee's, substituted, without the applied arguments,
// which are the last ones (docs/SIL.rst, partial_apply).
func (m *Module) closureType(i *Inst) *Type {
	aux, fn := applied(i)
	count := len(i.Operands) - 1
	if fn == nil || count < 0 || count > len(fn.Params) {
		return nil
	}
	subst := m.SubstCallee(fn, aux.Subs)
	n := *fn
	n.Generic = nil
	if fn.Pattern != nil { // the closure keeps it
		outer := *fn
		outer.Pattern = nil
		bind := m.SubstCallee(&outer, aux.Subs)
		n.Subs = make([]*Type, len(fn.Subs))
		for k, s := range fn.Subs {
			n.Subs[k] = bind(s)
		}
		subst = func(t *Type) *Type { return t }
	}
	n.Convention, n.Witness = RepThick, ""
	n.Callee, n.Noescape = CalleeOwned, i.Has(op.QualOnStack)
	if i.Has(op.QualCalleeGuaranteed) || i.Op == op.Thunk {
		n.Callee = CalleeGuaranteed
	}
	if i.Has(op.QualIsolatedAny) && !n.Attrs.Has(ModIsolatedAny) {
		n.Attrs = append(Modifiers{ModIsolatedAny.modifier()}, n.Attrs...)
	}
	n.Params = append([]Param(nil), fn.Params[:len(fn.Params)-count]...)
	for k := range n.Params {
		n.Params[k].Type = subst(n.Params[k].Type)
	}
	n.Results = substAll(fn.Results, subst)
	n.Yields = substAll(fn.Yields, subst)
	if fn.Error != nil {
		e := *fn.Error
		e.Type = subst(e.Type)
		n.Error = &e
	}
	for k := range n.Results {
		switch n.Results[k].Conv {
		case ResultUnownedInnerPointer:
			n.Results[k].Conv = ResultUnowned
		case ResultAutoreleased:
			n.Results[k].Conv = ResultOwned
		}
	}
	return m.Types.Function(&n)
}

func substAll(list []Result, subst func(*Type) *Type) []Result {
	out := append([]Result(nil), list...)
	for n := range out {
		out[n].Type = subst(out[n].Type)
	}
	return out
}
