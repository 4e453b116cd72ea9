package ir

import (
	"slices"
	"strconv"
	"strings"
)

// function returns the lowered form of a function type of the language. Where the pattern depends on generic parameters, the function is one of a
// pattern of its own: (T) -> [T] with Int for T is @callee_guaranteed @substituted <τ_0_0, τ_0_1> (@in_guaranteed τ_0_0) -> @owned Array<τ_0_1>
// for <Int, Int> (docs/SIL.rst, Substituted Function Types).
func (l *lowering) function(p, t *Type) *Type {
	f := &FuncType{Callee: CalleeGuaranteed, Async: t.Func.Async}
	if !l.takeAttrs(f, t.Func) {
		return nil
	}
	in := *l
	if p == nil || p.HasParams() || p.HasLocal() {
		g := generalization{lowering: l, sig: &GenericSig{}}
		t = g.function(p, t)
		if g.failed {
			return nil
		}
		if len(g.subs) > 0 {
			f.Pattern, f.Subs = g.sig, g.subs
			in.sigs = []*GenericSig{g.sig}
		}
	}
	for n := range t.Func.Params {
		if !in.addParam(f, &t.Func.Params[n], variadic(t.Func, n)) {
			return nil
		}
	}
	for _, r := range t.Func.Results {
		if !in.addResult(f, r.Type, r.Attrs) {
			return nil
		}
	}
	if t.Func.Throws != ThrowsNothing && !in.addError(f, t.Func.Error) {
		return nil
	}
	return l.m.Types.Function(f)
}

// takeAttrs takes the attributes of a function type t of the language over; false when one is not understood.
func (l *lowering) takeAttrs(f, t *FuncType) bool {
	for _, a := range t.Written {
		switch a.Kind {
		case ModSendable, ModIsolatedAny:
			f.Attrs = append(f.Attrs, a)
		case ModNonsending: // is passed the caller's actor, before all else
			actor := Param{Type: l.m.Types.Builtin(BuiltinImplicitActor), Conv: ParamDirectGuaranteed}
			actor.Attrs = Modifiers{ModSILIsolated.modifier(), ModSILImplicitLeading.modifier()}
			f.Params = append(f.Params, actor)
		case ModEscaping, ModAutoclosure, ModConcurrent:
		case ModConvention:
			if strings.Contains(a.Text, ",") {
				return false // names a C type, which the lowered type would have to name too
			}
		default:
			if l.m.GlobalActor(a) == nil {
				return false
			}
		}
	}
	switch t.Convention {
	case RepThick:
		return true
	case RepThin, RepC, RepBlock:
		f.Convention, f.Callee = t.Convention, CalleeNone
		return true
	}
	return false
}

func (l *lowering) addParam(f *FuncType, p *Param, variadic bool) bool {
	owned, escaping := false, false
	var attrs Modifiers
	for _, a := range p.Attrs {
		switch a.Kind {
		case ModEscaping:
			escaping = true
		case ModOwned, ModConsuming:
			owned = true
		case ModSending:
			owned, attrs = true, append(attrs, ModSILSending.modifier())
		case ModIsolated:
			attrs = append(attrs, ModSILIsolated.modifier())
		case ModBorrowing, ModShared, ModAutoclosure, ModConst:
		default:
			return false
		}
	}
	t := p.Type
	if variadic {
		t = l.m.Types.Nominal(nil, "Array", t)
	}
	return l.addParamType(f, t, owned, escaping, attrs)
}

// addParamType adds the lowered parameters for a type, one for each element of a tuple; false when the type is not known well enough.
func (l *lowering) addParamType(f *FuncType, t *Type, owned, escaping bool, attrs Modifiers) bool {
	if t.Kind == KindTuple { // its elements are passed one by one
		for _, e := range t.Args {
			if e.Kind == KindPackExpansion || !l.addParamType(f, e, owned, true, attrs) {
				return false
			}
		}
		return true
	}
	p := Param{Attrs: attrs}
	if t.Kind == KindPack { // made by generalization
		p.Type, p.Conv = t, ParamPackGuaranteed
		if owned {
			p.Conv = ParamPackOwned
		}
		f.Params = append(f.Params, p)
		return true
	}
	inout := t.Kind == KindInOut
	if inout {
		t = t.Elem
	}
	if p.Type = l.lower(t, t); p.Type == nil {
		return false
	}
	if t.Kind == KindASTFunction && !escaping && !inout {
		n := *p.Type.Func
		n.Noescape = true
		p.Type = l.m.Types.Function(&n)
	}
	switch pass := l.passing(p.Type); {
	case pass == passUnknown:
		return false
	case inout:
		p.Conv = ParamInout
	case pass == passMemory && owned:
		p.Conv = ParamIn
	case pass == passMemory:
		p.Conv = ParamInGuaranteed
	case pass == passReference && (f.Convention == RepC || f.Convention == RepBlock):
		return false // follows the rules of C, not looked into
	case pass == passReference && owned:
		p.Conv = ParamDirectOwned
	case pass == passReference:
		p.Conv = ParamDirectGuaranteed
	}
	f.Params = append(f.Params, p)
	return true
}

func (l *lowering) addResult(f *FuncType, t *Type, attrs Modifiers) bool {
	if t.Kind == KindTuple {
		for _, e := range t.Args {
			if e.Kind == KindPackExpansion || !l.addResult(f, e, attrs) {
				return false
			}
		}
		return true
	}
	var r Result
	for _, a := range attrs {
		if a.Kind != ModSending {
			return false
		}
		r.Attrs = append(r.Attrs, ModSILSending.modifier())
	}
	if r.Type = l.lower(t, t); r.Type == nil {
		return false
	}
	switch l.passing(r.Type) {
	case passUnknown:
		return false
	case passMemory:
		r.Conv = ResultOut
	case passReference:
		r.Conv = ResultOwned
	}
	f.Results = append(f.Results, r)
	return true
}

// addError adds the error result: of any Error when nil.
func (l *lowering) addError(f *FuncType, e *Result) bool {
	ts := l.m.Types
	r := &Result{Conv: ResultOwned, Type: ts.anyError()}
	if e != nil {
		if e.Type.Known() == KnownNever {
			return true
		}
		if r.Type = l.lower(e.Type, e.Type); r.Type == nil {
			return false
		}
		switch l.passing(r.Type) {
		case passUnknown:
			return false
		case passMemory:
			r.Conv, r.Indirect = ResultOut, true
		}
	}
	f.Error = r
	return true
}

// generalization puts a parameter of its own in each place of a function type where the pattern depends on generic parameters.
type generalization struct {
	*lowering
	sig    *GenericSig
	subs   []*Type
	failed bool
}

// fresh returns the parameter that stands for s, where the pattern is p.
func (g *generalization) fresh(p, s *Type) *Type {
	t := g.m.Types.Param("τ_0_" + strconv.Itoa(len(g.subs)))
	g.sig.Params = append(g.sig.Params, GenericParam{Name: t.Name})
	g.subs = append(g.subs, s)
	if p == nil {
		return t
	}
	if _, class := g.requirement(p); class != "" {
		g.sig.Requirements = append(g.sig.Requirements, Requirement{Kind: ReqLayout, Subject: t, Text: class})
	}
	return t
}

// array returns the type of a parameter as the callee sees it: an array where it is variadic.
func (g *generalization) array(f *FuncType, n int) *Type {
	if variadic(f, n) {
		return g.m.Types.Nominal(nil, "Array", f.Params[n].Type)
	}
	return f.Params[n].Type
}

// function returns the function type t with parameters in its places; a nil pattern is one for each parameter and result.
func (g *generalization) function(p, t *Type) *Type {
	f := *t.Func
	pf := &FuncType{}
	if p != nil && p.Kind == KindASTFunction {
		p, t = g.packed(p, t)
		f = *t.Func
	}
	if p != nil && p.Kind == KindASTFunction && len(p.Func.Params) == len(f.Params) && len(p.Func.Results) == len(f.Results) {
		pf = p.Func
	} else if p != nil {
		g.failed = true
		return t
	}
	f.Params, f.Variadic = append([]Param(nil), f.Params...), nil
	for n := range f.Params {
		var pattern *Type
		if p != nil {
			pattern = g.array(pf, n)
		}
		s := g.array(t.Func, n)
		if pattern == nil && s.Kind == KindInOut {
			f.Params[n].Type = g.m.Types.Intern(&Type{Kind: KindInOut, Elem: g.fresh(nil, s.Elem)})
			continue
		}
		f.Params[n].Type = g.typ(pattern, s)
	}
	f.Results = append([]Result(nil), f.Results...)
	for n := range f.Results {
		var pattern *Type
		if p != nil {
			pattern = pf.Results[n].Type
		}
		f.Results[n].Type = g.typ(pattern, f.Results[n].Type)
	}
	if f.Error != nil && p != nil && pf.Error != nil {
		e := *f.Error
		e.Type = g.typ(pf.Error.Type, e.Type)
		f.Error = &e
	}
	return g.m.Types.Intern(&Type{Kind: KindASTFunction, Func: &f})
}

// packed returns a pattern and a function with the parameters that stand for "repeat each T" of the pattern as one, a pack; both as they are where the
// pattern has none.
func (g *generalization) packed(p, t *Type) (pattern, function *Type) {
	at := slices.IndexFunc(p.Func.Params, func(x Param) bool { return x.Type.Kind == KindPackExpansion })
	if at < 0 {
		return p, t
	}
	many := len(t.Func.Params) - len(p.Func.Params) + 1
	if each := p.Func.Params[at].Type.Elem; each == nil || each.Kind != KindPackReference || each.Elem.Kind != KindParam || many < 0 {
		g.failed = true
		return p, t
	}
	pf, tf := *p.Func, *t.Func
	pack := &Type{Kind: KindPack}
	for _, x := range tf.Params[at : at+many] {
		pack.Args = append(pack.Args, x.Type)
	}
	one := p.Func.Params[at]
	one.Type = g.m.Types.Intern(pack)
	tf.Params = slices.Concat(tf.Params[:at], []Param{one}, tf.Params[at+many:])
	pf.Variadic, tf.Variadic = nil, nil
	if t.Func.Variadic != nil || p.Func.Variadic != nil || slices.ContainsFunc(pf.Params[at+1:], func(x Param) bool { return x.Type.Kind == KindPackExpansion }) {
		g.failed = true
	}
	return g.m.Types.Intern(&Type{Kind: KindASTFunction, Func: &pf}), g.m.Types.Intern(&Type{Kind: KindASTFunction, Func: &tf})
}

// freshPack returns "Pack{repeat each T}" with a parameter pack T of its own, which stands for the types of a pack.
func (g *generalization) freshPack(s *Type) *Type {
	t := g.m.Types.Param("τ_0_" + strconv.Itoa(len(g.subs)))
	g.sig.Params = append(g.sig.Params, GenericParam{Name: t.Name, Each: true})
	g.subs = append(g.subs, s)
	each := g.m.Types.Intern(&Type{Kind: KindPackExpansion, Elem: g.m.Types.Intern(&Type{Kind: KindPackReference, Elem: t})})
	return g.m.Types.Intern(&Type{Kind: KindPack, Args: []*Type{each}})
}

// typ returns the type s with parameters in its places.
func (g *generalization) typ(p, s *Type) *Type {
	switch {
	case s.Kind == KindPack && p != nil && p.Kind == KindPackExpansion:
		return g.freshPack(s)
	case isOpaquePattern(p):
		return g.fresh(p, s)
	case !p.HasParams() && !p.HasLocal():
		return s
	case p.Kind != s.Kind || len(p.Args) != len(s.Args) || (p.Parent == nil) != (s.Parent == nil):
		g.failed = true
		return s
	}
	switch p.Kind {
	case KindASTFunction:
		return g.function(p, s)
	case KindNominal, KindTuple, KindExistential, KindMetatype, KindExistentialMetatype, KindInOut, KindStorage:
	default:
		g.failed = true
		return s
	}
	n := *s
	if p.Parent != nil {
		n.Parent = g.typ(p.Parent, s.Parent)
	}
	if p.Elem != nil && s.Elem != nil {
		n.Elem = g.typ(p.Elem, s.Elem)
	}
	n.Args = make([]*Type, len(s.Args))
	for k := range s.Args {
		n.Args[k] = g.typ(p.Args[k], s.Args[k])
	}
	if p.Kind == KindNominal {
		g.require(s, n.Args)
	}
	return g.m.Types.Intern(&n)
}

// require adds what the declaration of a generic type asks of its arguments, where they are parameters now.
func (g *generalization) require(t *Type, args []*Type) {
	d := g.m.DeclOf(t)
	if d == nil {
		g.failed = true
		return
	}
	if d.Generic == nil {
		return
	}
	for _, r := range d.Generic.Requirements {
		if r.Kind == ReqInverse {
			continue
		}
		arg := nominalArg(d.Generic.Params, r.Subject.Name, &Type{Args: args})
		switch {
		case arg == nil || r.Subject.Kind != KindParam:
			g.failed = g.failed || r.Subject.HasParams()
		case arg.Kind == KindParam:
			r.Subject, r.Depth = arg, 0
			g.sig.Requirements = append(g.sig.Requirements, r)
		}
	}
}
