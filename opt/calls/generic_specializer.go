package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// GenericSpecializer makes copies of generic functions for the types they are called with. Parameters and a result that the copy can pass
// directly are passed so.
//
//	sil @id : $<T> (@in T) -> @out T { … }             sil shared @$s2idSi_Tg5 : $(Int) -> Int { … }
//	                                             ⇒
//	apply @id<Int>(%out, %in)                          %1 = load %in
//	                                                   %2 = apply @$s2idSi_Tg5(%1)
//	                                                   store %2 to %out
//
// The rules are those of the compiler's GenericSpecializer: calls with types that are themselves open are left alone. Functions of
// which a type cannot be replaced or named exactly are left alone too.
var GenericSpecializer = &pass.Pass{Name: "generic-specializer", Doc: "Makes copies of generic functions for the types they are called with", Needs: [][]op.Op{{op.Apply, op.TryApply, op.BeginApply, op.PartialApply}}, Function: func(c *pass.Context, f *ir.Function) bool {
	changed := false
	before := c.Added
	for _, b := range slices.Clone(f.Blocks) {
		var calls []*ir.Inst
		for i := range b.Insts() {
			if aux, ok := i.Aux.(*ir.ApplyAux); ok && facts.IsApply(i) && len(aux.Subs) > 0 {
				calls = append(calls, i)
			}
		}
		for _, call := range calls {
			if call.Block() == nil { // gone with the call before it
				continue
			}
			callee := facts.StaticCallee(call)
			if callee == nil || callee.Type.Func == nil {
				continue
			}
			c.Added = nil
			s := &specializing{c: c, f: f, call: call, callee: callee, subs: call.Aux.(*ir.ApplyAux).Subs}
			if s.specialize() {
				changed = true
			}
			before = append(c.Added, before...)
		}
	}
	c.Added = before
	return changed
}}

// specializing is one call of a generic function that is about to get a copy of its own.
type specializing struct {
	c      *pass.Context
	f      *ir.Function
	call   *ir.Inst
	callee *ir.Function
	subs   []*ir.Type
	shape  *reabstraction
	// serialized is the attribute for what is made, when both functions have one.
	serialized ir.AttrKind
	exported   bool // the copy is for other modules, see EagerSpecializer
	layouts    []layoutOf
	// inside is what the copy has for the parameters: subs, unless the copy is generic itself. Then sig is its signature.
	inside []*ir.Type
	sig    *ir.GenericSig
}

// deepestType bounds the nesting of types that functions are specialized for.
const deepestType = 50

// specialize makes the copy, unless there is one, and lets the call use it. It reports whether it did.
func (s *specializing) specialize() bool {
	if reason := s.refusal(); reason != "" {
		s.c.Missed(s.f, s.call, "@%s is not specialized: %s", s.callee.Name, reason)
		return false
	}
	s.prepare()
	if s.shape == nil {
		s.c.Missed(s.f, s.call, "@%s is not specialized: its types for this call are not all known", s.callee.Name)
		return false
	}
	if s.sig == nil && s.canDropMetatypes() {
		s.shape.dropMetatypes()
	}
	if isSerialized(s.f) {
		s.serialized = serializedAttr(s.callee)
	}
	name, ok := s.name(false)
	if !ok {
		s.c.Missed(s.f, s.call, "@%s is not specialized: the name of a type is not known", s.callee.Name)
		return false
	}
	made := s.c.Module.Funcs[name]
	if made == nil {
		if made = s.clone(name); made == nil {
			s.c.Missed(s.f, s.call, "@%s is not specialized: its types for this call are not all known", s.callee.Name)
			return false
		}
		s.c.AddFunction(made, s.callee)
		if s.c.Made == nil {
			s.c.Made = map[*ir.Function]*pass.History{}
		}
		s.c.Made[made] = &pass.History{Caller: s.f, Parent: s.callee, Subs: s.subs}
	}
	if s.c.Module.Canonical(made.Type) != s.c.Module.Canonical(s.shape.specialized(s.shape.fn)) { // any Copyable has the name of Any
		s.c.Missed(s.f, s.call, "@%s is not specialized: @%s is for another type", s.callee.Name, name)
		return false
	}
	definePrespecialized(s.c, s.f, made)
	s.c.Passed(s.f, s.call, "calls @%s", name)
	s.redirect(made)
	return true
}

// prepare finds out how the copy takes its arguments; shape stays nil where that is not known.
func (s *specializing) prepare() {
	s.inside = s.subs
	fn := s.callee.Type
	if s.isPartial() {
		if s.call != nil {
			fn = s.c.Module.Types.Unsugared(fn)
		}
		if s.inside, s.sig = partialSubs(s.c.Module, fn, s.subs); s.sig == nil {
			return
		}
	}
	s.shape = newReabstraction(s.c, s.callee, s.inside, s.sig)
}

// refusal tells why the callee is not specialized for the call, "" when it may be.
func (s *specializing) refusal() string {
	fn := s.callee.Type.Func
	switch {
	case s.callee.Body() != nil || len(s.callee.Blocks) == 0:
		return "its definition is not visible"
	case s.c.IsNative(s.callee):
		return "its body is not what runs"
	case s.callee.Attrs.Has(ir.AttrOnone):
		return "it is not to be optimized"
	case isSerialized(s.f) && !isSerialized(s.callee):
		return "the caller is serialized and it is not"
	case facts.HasSemantics(s.callee, ir.SemanticsGenericNever),
		s.f.Attrs.Has(ir.AttrOsize) && facts.HasSemantics(s.callee, ir.SemanticsGenericSizeNever):
		return "it says so"
	case fn.Generic == nil || len(fn.Generic.Params) != len(s.subs) || fn.Pattern != nil:
		return "its signature does not fit the call"
	}
	for n, t := range s.subs {
		switch {
		case fn.Generic.Params[n].Each:
			return "it takes packs of types"
		case isOpen(t) && !s.isPartial():
			return "the call is generic itself"
		case t.Kind == ir.KindDynamicSelf || t.Depth() > deepestType:
			return "a type is too complex"
		}
	}
	if s.isPartial() {
		if reason := s.partialRefusal(); reason != "" {
			return reason
		}
	}
	if s.passesUnwritten() {
		return "it is passed memory that nobody has written"
	}
	if s.isEndless() {
		return "it would need ever larger types"
	}
	return ""
}

// isEndless reports whether the functions that led to the call were specialized for ever larger types.
func (s *specializing) isEndless() bool {
	accepted := 1
	for h := s.c.Made[s.f]; h != nil; h = s.c.Made[h.Caller] {
		if h.Parent != s.callee || !growing(h.Subs, s.subs) {
			continue
		}
		if accepted == 0 {
			return true
		}
		accepted--
	}
	return false
}

// growing reports whether one of the types holds the one that it was before.
func growing(before, now []*ir.Type) bool {
	met := false // once a difference was found inside, it counts for all that follow
	partly := func(t, in *ir.Type) bool {
		if holds(in, t) {
			return true
		}
		met = met || differsByHolding(t, in)
		return met
	}
	for n := range now {
		switch {
		case now[n] == before[n], partly(now[n], before[n]):
		case partly(before[n], now[n]):
			return true
		}
	}
	return false
}

// parts lists the types directly inside a type.
func parts(t *ir.Type) []*ir.Type {
	list := slices.Clone(t.Args)
	for _, x := range []*ir.Type{t.Elem, t.Parent} {
		if x != nil {
			list = append(list, x)
		}
	}
	return list
}

// holds reports whether t is another type than part and part is in it.
func holds(t, part *ir.Type) bool {
	for _, x := range parts(t) {
		if x == part || holds(x, part) {
			return true
		}
	}
	return false
}

// differsByHolding reports whether, where t and u first differ, what u has there holds what t has.
func differsByHolding(t, u *ir.Type) bool {
	if t == u {
		return false
	}
	a, b := parts(t), parts(u)
	if !t.IsNamedAlike(u) || len(a) != len(b) {
		return holds(u, t)
	}
	for n := range a {
		if differsByHolding(a[n], b[n]) {
			return true
		}
	}
	return len(a) == 0 && holds(u, t)
}

// canDropMetatypes reports whether the copy can do without the metatypes that it is passed: each is thin, or unused, or surely that of the
// type that the signature says.
func (s *specializing) canDropMetatypes() bool {
	entry := s.callee.Entry()
	first := len(entry.Args) - (len(s.call.Operands) - 1)
	if s.call.Op == op.PartialApply {
		first = facts.IndirectResults(s.callee.Type.Func) + len(s.callee.Type.Func.Params) - (len(s.call.Operands) - 1)
	}
	for n, a := range entry.Args {
		if a.Type.Kind != ir.KindMetatype {
			continue
		}
		if n < first || isDynamicSelf(a) || n == len(entry.Args)-1 && namesDynamicSelf(s.callee) {
			return false
		}
		if a.Type.Rep == ir.MetatypeThin || facts.DefinedBy(s.call.Arg(1+n-first), op.Metatype) != nil {
			continue
		}
		for _, x := range a.UseList() {
			if !facts.IsDebug(x.User()) {
				return false
			}
		}
	}
	return true
}

// passesUnwritten reports whether the call passes a slot that nothing else uses, as it may to a function whose effects say that it does not
// read it. A copy of the function that takes the value itself would make the caller load it.
func (s *specializing) passesUnwritten() bool {
	if s.call == nil {
		return false
	}
	for n := 1; n < len(s.call.Operands); n++ {
		slot := facts.DefinedBy(s.call.Arg(n), op.AllocStack)
		if p := facts.Param(s.call, n); slot == nil || p == nil || p.Conv != ir.ParamInGuaranteed {
			continue
		}
		written := false
		for x := range slot.Result().Uses() {
			written = written || x.User() != s.call && x.User().Op != op.DeallocStack
		}
		if !written {
			return true
		}
	}
	return false
}

// namesDynamicSelf reports whether an instruction names the dynamic Self: it needs the argument that tells which type that is.
func namesDynamicSelf(f *ir.Function) bool {
	for i := range f.Insts() {
		for _, t := range i.Types {
			if t != nil && (t.Kind == ir.KindDynamicSelf || t.Elem != nil && t.Elem.Kind == ir.KindDynamicSelf) {
				return true
			}
		}
	}
	return false
}

// isDynamicSelf reports whether a metatype tells the function what Self is.
func isDynamicSelf(a *ir.Value) bool {
	return a.Type.Elem != nil && a.Type.Elem.Kind == ir.KindDynamicSelf
}

// name returns the name of a copy: that of the function, the types, and the code of what it is (docs/ABI/Mangling.rst, specializations). A
// thunk takes what the generic function takes.
func (s *specializing) name(thunk bool) (string, bool) {
	code := "Tg"
	switch {
	case s.sig != nil && thunk:
		code = "TP"
	case s.sig != nil:
		code = "Tp"
	case thunk:
		code = "TG"
	case s.exported:
		code = "Ts"
	}
	if code == "Tg" && s.c.IsSet("enable-library-evolution") {
		code = "TB" // of a module whose types may change
	}
	if s.shape.dropsAny() {
		code += "m"
	}
	if s.serialized != ir.AttrUnknown {
		code += "q"
	}
	if s.sig != nil {
		return partialName(s.c, s.callee, s.shape.specialized(s.shape.fn).Func, code+"5")
	}
	return specializedName(s.c, s.callee, s.subs, code+"5")
}
