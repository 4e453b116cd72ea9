package abi

import (
	"slices"

	"silvm/ir"
)

// signature is a function type as the language writes it.
type signature struct {
	attrs  []string // "@Sendable", "@convention(c)"
	params []parameter
	result *ir.Type
	tuple  []*ir.Type // several results; result is nil
	sends  bool       // the result is sending
	async  bool
	throws string // "", "throws" or "throws(E)"
}

type parameter struct {
	prefix   string // "inout ", "__owned ", "__shared ", with "sending " in front
	typ      *ir.Type
	variadic bool
}

func (n *namer) function(s signature) {
	for _, a := range s.attrs {
		n.b.WriteString(a + " ")
	}
	n.b.WriteString("(")
	for i, p := range s.params {
		if i > 0 {
			n.b.WriteString(", ")
		}
		n.b.WriteString(p.prefix)
		n.typ(p.typ)
		if p.variadic {
			n.b.WriteString("...")
		}
	}
	n.b.WriteString(")")
	if s.async {
		n.b.WriteString(" async")
	}
	if s.throws != "" {
		n.b.WriteString(" " + s.throws)
	}
	n.b.WriteString(" -> ")
	if s.sends {
		n.b.WriteString("sending ")
	}
	if s.result != nil {
		n.typ(s.result)
		return
	}
	n.tuple(s.tuple, nil)
}

// written returns the signature of a function type of the language.
func (n *namer) written(f *ir.FuncType) signature {
	s := signature{async: f.Async, attrs: n.attributes(slices.Concat(f.Written, f.Attrs))}
	if f.Convention != ir.RepThick && !f.Written.Has(ir.ModConvention) {
		s.attrs = append(s.attrs, "@convention("+f.ConventionWord()+")")
	}
	for i, p := range f.Params {
		q := parameter{typ: p.Type, variadic: i < len(f.Variadic) && f.Variadic[i]}
		switch {
		case p.Type.Kind == ir.KindInOut || p.Conv == ir.ParamInout:
			q.prefix = "inout "
		default:
			q.prefix = ownership(p.Attrs)
		}
		if p.Attrs.Has(ir.ModSending) {
			q.prefix = "sending " + q.prefix
		}
		s.params = append(s.params, q)
	}
	if s.throws = f.Throws.String(); f.Error != nil {
		s.throws += "(" + n.l.TypeName(f.Error.Type, n.qualified) + ")"
	}
	s.setResults(f.Results, func(t *ir.Type) *ir.Type { return t })
	return s
}

// ownership is what names show of the specifier before a parameter.
func ownership(all ir.Modifiers) string {
	for _, a := range all {
		switch a.Kind {
		case ir.ModOwned, ir.ModConsuming, ir.ModSending:
			return "__owned "
		case ir.ModShared:
			return "__shared "
		}
	}
	return ""
}

// formal returns the signature of the language that a lowered function type stands for.
func (n *namer) formal(f *ir.FuncType) signature {
	s := signature{async: f.Async, attrs: n.attributes(f.Attrs)}
	subst := func(t *ir.Type) *ir.Type { return t }
	if f.Pattern != nil {
		bind := ir.BindParams(f.Pattern, f.Subs)
		subst = func(t *ir.Type) *ir.Type { return n.l.canonical(n.l.types.Subst(t, bind)) }
	}
	if f.Convention == ir.RepC || f.Convention == ir.RepBlock || f.Convention == ir.RepThin {
		s.attrs = append(s.attrs, "@convention("+f.ConventionWord()+")")
	}
	for i, p := range f.Params {
		q := parameter{typ: subst(p.Type), variadic: i < len(f.Variadic) && f.Variadic[i]}
		if p.Conv == ir.ParamInout || p.Conv == ir.ParamInoutAliasable || p.Type.Kind == ir.KindInOut {
			q.prefix = "inout "
		}
		if p.Conv == ir.ParamDirectOwned || p.Conv == ir.ParamIn {
			q.prefix = "__owned "
		}
		if q.prefix == "" {
			q.prefix = ownership(p.Attrs) // of a type of the language that was read where a lowered one may stand
		}
		if p.Attrs.Has(ir.ModSILSending) || p.Attrs.Has(ir.ModSending) {
			q.prefix = "sending " + q.prefix
		}
		s.params = append(s.params, q)
	}
	if f.Error != nil {
		s.throws = "throws"
		if t := subst(f.Error.Type); !t.IsAnyError() {
			s.throws += "(" + n.l.TypeName(t, n.qualified) + ")"
		}
	}
	s.setResults(f.Results, subst)
	return s
}

func (s *signature) setResults(results []ir.Result, subst func(*ir.Type) *ir.Type) {
	for _, r := range results {
		s.tuple = append(s.tuple, subst(r.Type))
		s.sends = s.sends || r.Attrs.Has(ir.ModSending) || r.Attrs.Has(ir.ModSILSending)
	}
	if len(s.tuple) == 1 {
		s.result = s.tuple[0]
	}
}

// CastsFunction reports whether a value of one function type can be cast to another: the types must be the same but for the throwing, which
// the target may add, and for what the flags of the metadata do not tell apart, which are all the runtime looks at: one global actor from
// another, and whatever of @isolated(any), nonisolated(nonsending), a thrown type and a sending result makes it need extended flags
// (stdlib/public/runtime/DynamicCast.cpp, tryCastToFunction).
func (l *Layouts) CastsFunction(from, to *ir.Type) bool {
	a, throwsA := l.functionFlags(from)
	b, throwsB := l.functionFlags(to)
	return a == b && a != invalidName && (throwsB || !throwsA)
}

// functionFlags returns what must be the same of two function types, and whether the function throws.
func (l *Layouts) functionFlags(t *ir.Type) (string, bool) {
	n := namer{l: l, qualified: true}
	var s signature
	if t.Kind == ir.KindASTFunction {
		s = n.written(t.Func)
	} else {
		s = n.formal(t.Func)
	}
	throws := s.throws != ""
	extended := s.sends || throws && s.throws != "throws"
	actor, attrs := false, []string(nil)
	all := slices.Concat(t.Func.Written, t.Func.Attrs)
	for _, a := range all {
		actor = actor || l.mod.GlobalActor(a) != nil
		extended = extended || a.Kind == ir.ModIsolatedAny || a.Kind == ir.ModNonsending
	}
	flags := slices.DeleteFunc(all, func(a ir.Modifier) bool {
		return a.Kind == ir.ModIsolatedAny || a.Kind == ir.ModNonsending || l.mod.GlobalActor(a) != nil
	})
	attrs = n.attributes(flags)
	for _, a := range s.attrs {
		if len(a) > 11 && a[:11] == "@convention" && !slices.Contains(attrs, a) {
			attrs = append(attrs, a)
		}
	}
	if actor {
		attrs = append(attrs, "@actor")
	}
	if extended {
		attrs = append(attrs, "@extended")
	}
	s.attrs, s.throws, s.sends = attrs, "", false
	n.function(s)
	if n.invalid {
		return invalidName, false
	}
	return n.b.String(), throws
}

// attributes writes what names show of attributes: a convention, then an isolation, then @Sendable.
func (n *namer) attributes(all ir.Modifiers) []string {
	var convention, isolation, sendable []string
	for _, a := range all {
		switch a.Kind {
		case ir.ModSendable:
			sendable = []string{a.Text}
		case ir.ModConvention:
			convention = []string{a.Text}
		case ir.ModIsolatedAny, ir.ModNonsending:
			isolation = []string{a.Text}
		default:
			if actor := n.l.mod.GlobalActor(a); actor != nil {
				isolation = []string{"@" + n.l.TypeName(actor, n.qualified)}
			}
		}
	}
	return slices.Concat(convention, isolation, sendable)
}
