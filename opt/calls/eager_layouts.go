package calls

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// A @_specialize may ask for a copy for all types of a layout. It is the same code, of which the layout is known:
//
//	sil [_specialize where S : _Trivial(64)] @f : $<S> (@inout S) -> () { … }
//	                              ⇒
//	sil shared @$s1fxRlze63_lIetl_Tp5 : $<S where S : _Trivial(64)> (@inout S) -> () { … }
//	sil @f : $<S> (@inout S) -> () {
//	bb0(%0 : $*S):
//	  %2 = builtin "sizeof"<S>(%1)                // 8 bytes?
//	  …  builtin "ispod"<S>(%1)                   // and without references?
//
// Of the layouts, silvm has those of trivial types, of any size or of one.

// layoutOf is a layout that a parameter is to have.
type layoutOf struct {
	param int
	req   ir.Requirement
	bits  []int // the size and the alignment in bits, as far as they are given
}

// topLevelParts splits a list at the commas outside of brackets.
func topLevelParts(text string) []string {
	var list []string
	depth, from := 0, 0
	for n := 0; n < len(text); n++ {
		switch text[n] {
		case '(', '<', '[':
			depth++
		case ')', '>', ']':
			depth--
		case ',':
			if depth == 0 {
				list, from = append(list, text[from:n]), n+1
			}
		}
	}
	return append(list, text[from:])
}

// requestedLayouts reads "S : _Trivial(64), T : _Trivial"; nil when it says anything else.
func (s *specializing) requestedLayouts(where string) []layoutOf {
	sig := s.f.Type.Func.Generic
	var list []layoutOf
	for _, part := range topLevelParts(where) {
		name, text, ok := strings.Cut(part, ":")
		name, text = strings.TrimSpace(name), strings.TrimSpace(text)
		n := slices.IndexFunc(sig.Params, func(p ir.GenericParam) bool { return p.Name == name && !p.Each })
		if !ok || n < 0 || slices.ContainsFunc(list, func(l layoutOf) bool { return l.param == n }) {
			return nil
		}
		l := layoutOf{param: n, req: ir.Requirement{Kind: ir.ReqLayout, Subject: s.c.Module.Types.Param(name), Text: text}}
		if l.req.Layout() != ir.LayoutTrivial {
			return nil
		}
		if l.bits, ok = layoutBits(text); !ok {
			return nil
		}
		list = append(list, l)
	}
	return list
}

// forLayouts makes the copy for layouts; without one it tells why.
func (s *specializing) forLayouts() (made *ir.Function, reason string) {
	old := s.f.Type.Func
	switch {
	case s.exported:
		return nil, "the copy is to be for other modules"
	case s.c.IsNative(s.f):
		return nil, "its body is not what runs"
	case s.f.Attrs.Has(ir.AttrOnone):
		return nil, "it is not to be optimized"
	case old.Pattern != nil, old.Error != nil && old.Error.Indirect, old.Coroutine != ir.NotCoroutine:
		return nil, "its type is none that silvm copies for layouts"
	}
	sig := *old.Generic
	sig.Requirements = slices.Clone(sig.Requirements)
	for _, l := range s.layouts {
		sig.Requirements = append(sig.Requirements, l.req)
	}
	fn := *old
	fn.Generic = &sig
	m, ok := mangle.Resume(s.f.Name)
	if !ok {
		return nil, "its name can't be read"
	}
	node := typeNamer{mod: s.c.Module, params: sig.Params}.generic(&fn)
	if node == nil || !m.PartialSpecialization(node, "Tp5") {
		return nil, "the name of a type is not known"
	}
	name := string(m.Buf)
	if s.c.Module.Funcs[name] != nil {
		return nil, "there is a function of the name of the copy"
	}
	made = rewrite.NewCloner(s.c.Module).Function(s.f, name)
	made.Type = s.c.Module.Types.Function(&fn)
	made.Linkage = sharedLinkage(s.f)
	made.Attrs = slices.DeleteFunc(specializedAttrs(s.f, s.serialized, allSemantics), func(a ir.Attr) bool { return a.Kind == ir.AttrSpecialize })
	s.c.AddFunction(made, s.f)
	return made, ""
}

// conditions emits the tests whether a parameter has the layout that a copy is for; test goes on where one holds.
func (d *eagerDispatch) conditions(l layoutOf, b func() *ir.Builder, test func(holds *ir.Value)) {
	mod := d.Context.Module
	t := l.req.Subject
	meta := b().Emit(&ir.Inst{Op: op.Metatype, Types: []*ir.Type{mod.Types.Metatype(t, ir.MetatypeThick)}}).Result()
	word := mod.Types.Builtin(ir.BuiltinWord)
	if len(l.bits) > 0 {
		size := b().Emit(&ir.Inst{Op: op.Builtin, Aux: d.builtinFor(op.BuiltinSizeof, t), Types: []*ir.Type{word}}, meta).Result()
		want := b().Emit(&ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{word}, Aux: rewrite.IntAux(l.bits[0] / 8)}).Result()
		test(b().Emit(&ir.Inst{Op: op.Builtin, Aux: ir.BuiltinOn(op.BuiltinCmpEq, word), Types: []*ir.Type{mod.Types.BuiltinInt(1)}}, size, want).Result())
	}
	test(b().Emit(&ir.Inst{Op: op.Builtin, Aux: d.builtinFor(op.BuiltinIspod, t), Types: []*ir.Type{mod.Types.BuiltinInt(1)}}, meta).Result())
}

// builtinFor returns a question about a type. The compiler passes that once for each parameter of the function.
func (d *eagerDispatch) builtinFor(id op.BuiltinID, t *ir.Type) *ir.BuiltinAux {
	aux := ir.BuiltinOn(id)
	for range d.f.Type.Func.Generic.Params {
		aux.Subs = append(aux.Subs, t)
	}
	return aux
}

// passAll passes the arguments of the function on as they are.
func (d *eagerDispatch) passAll(b *ir.Builder) (operands []*ir.Value) {
	for _, a := range d.f.Entry().Args {
		if a.Type.IsAddress() {
			a = b.Emit(&ir.Inst{Op: op.UncheckedAddrCast, Types: []*ir.Type{a.Type}}, a).Result()
		} else {
			a = d.as(b, a, a.Type)
		}
		operands = append(operands, a)
	}
	return operands
}
