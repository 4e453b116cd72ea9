package calls

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// EagerSpecializer makes the copies of generic functions that they ask for themselves, and lets the function call one when it is called for
// its types:
//
//	sil [_specialize where T == Int] @f : $<T> (@in T) -> () { … }
//	                              ⇒
//	sil shared @$s1fSi_Tg5 : $(Int) -> () { … }
//	sil @f : $<T> (@in T) -> () {
//	bb0(%0 : $*T):
//	  %1 = metatype $@thick T.Type ; %2 = metatype $@thick Int.Type ; …
//	  cond_br %same, bb4, bb1                     // the copy, or what the body was
//
// A copy for other modules (exported: true) is not called here. Only requirements that give each parameter a type without parameters of its own
// are done, and layouts of trivial types (eager_layouts.go); other ones are left as they are.
var EagerSpecializer = &pass.Pass{Name: "eager-specializer", Doc: "Makes the copies that generic functions ask for, and calls them where the types are these", Function: func(c *pass.Context, f *ir.Function) bool {
	if !f.Attrs.Has(ir.AttrSpecialize) || f.IsDeclaration() || f.Type.Func.Generic == nil {
		return false
	}
	var made []*specializing // that the function calls itself
	var fns []*ir.Function
	kept, changed := ir.Attrs{}, false
	for _, a := range f.Attrs {
		if a.Kind != ir.AttrSpecialize {
			kept = append(kept, a)
			continue
		}
		s := &specializing{c: c, f: f, callee: f}
		fn, reason := s.eager(a.Text)
		if fn == nil {
			kept = append(kept, a)
			c.Missed(f, f.Entry().First(), "kept @_specialize: %s", reason)
			continue
		}
		changed = true
		if s.exported {
			c.Passed(f, f.Entry().First(), "made @%s for other modules", fn.Name)
			a.Text = "exported: true, kind: full, where" + a.Text[strings.Index(a.Text, "where")+len("where"):]
			kept = append(kept, a)
			continue
		}
		made, fns = append(made, s), append(fns, fn)
	}
	if !changed {
		return false
	}
	f.Attrs = kept
	d := &eagerDispatch{Editor: rewrite.NewEditor(c, f), f: f}
	d.result = d.resultType()
	start := f.Entry().First()
	for n, s := range made {
		c.Passed(f, start, "calls @%s for its types", fns[n].Name)
		d.to(s, fns[n])
	}
	f.Renumber()
	return true
}}

// eager makes the copy that an attribute asks for; without one it tells why.
func (s *specializing) eager(text string) (made *ir.Function, reason string) {
	if head, where, ok := strings.Cut(text, "where "); ok && !strings.Contains(head, "target:") && !strings.Contains(head, "available:") {
		if s.layouts = s.requestedLayouts(where); s.layouts != nil {
			s.exported = strings.Contains(head, "exported: true")
			return s.forLayouts()
		}
	}
	if s.subs, reason = s.requested(text); reason != "" {
		return nil, reason
	}
	if reason = s.refusal(); reason != "" {
		return nil, reason
	}
	if s.prepare(); s.shape == nil {
		return nil, "its types are not all known"
	}
	name, ok := s.name(false)
	if !ok {
		return nil, "the name of a type is not known"
	}
	if s.c.Module.Funcs[name] != nil {
		return nil, "there is a function of the name of the copy"
	}
	for n, a := range s.f.Entry().Args {
		if p := n - s.shape.firstParam(); p >= 0 && !a.Type.IsAddress() && s.c.Module.Lowered(s.shape.fn.Params[p].Type) == nil {
			return nil, "its types are not all known"
		}
	}
	if made = s.clone(name); made == nil {
		return nil, "its types are not all known"
	}
	made.Attrs = slices.DeleteFunc(slices.Clone(made.Attrs), func(a ir.Attr) bool { return a.Kind == ir.AttrSpecialize })
	if s.exported {
		made.Linkage = ir.LinkageDefault
	}
	s.c.AddFunction(made, s.f)
	return made, ""
}

// requested reads "exported: false, kind: full, where T == Int, U == Bool" into a type for each parameter.
func (s *specializing) requested(text string) (subs []*ir.Type, reason string) {
	sig := s.f.Type.Func.Generic
	head, where, ok := strings.Cut(text, "where ")
	switch {
	case strings.Contains(head, "target:"), strings.Contains(head, "available:"):
		return nil, "the copy is to be one of another function, or for some systems only"
	case s.f.Linkage == ir.LinkageShared && strings.Contains(head, "exported: true"):
		return nil, "another module has the function, and makes the copy"
	case !ok:
		return nil, "it names no types"
	}
	s.exported = strings.Contains(head, "exported: true")
	subs = make([]*ir.Type, len(sig.Params))
	for _, r := range strings.Split(where, ",") {
		name, typ, ok := strings.Cut(r, "==")
		name, typ = strings.TrimSpace(name), strings.TrimSpace(typ)
		n := slices.IndexFunc(sig.Params, func(p ir.GenericParam) bool { return p.Name == name })
		t := s.c.Module.Types.Nominal(nil, typ)
		if d := s.c.Module.DeclOf(t); !ok || n < 0 || d == nil || d.Generic != nil || d.Kind == ir.Protocol {
			return nil, "silvm specializes for types without parameters only"
		}
		subs[n] = s.c.Module.Canonical(t)
	}
	for n, t := range subs {
		switch {
		case t != nil:
		case s.exported || !strings.Contains(head, "kind: partial"):
			return nil, "the copy is to be generic too"
		default:
			subs[n] = s.c.Module.Types.Param(sig.Params[n].Name)
		}
	}
	return subs, ""
}

// eagerDispatch puts calls of copies before the body of the function that they were made of.
type eagerDispatch struct {
	*rewrite.Editor
	f      *ir.Function
	result *ir.Type // of what the function returns directly
}

// to lets the function call a copy when its parameters stand for the types of the copy.
func (d *eagerDispatch) to(s *specializing, made *ir.Function) {
	returns, throws := d.merged(op.Return), d.merged(op.Throw)
	mod := d.Context.Module
	entry := d.f.Entry()
	body := d.f.SplitBefore(entry.First())
	at, last := entry, entry
	test := func(holds *ir.Value) { // goes on in a new block where it does, else before the body
		next := d.f.AddBlock("")
		other := d.f.InsertBlockAfter(last)
		last = other
		ir.AtEnd(mod, other).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: body}}})
		ir.AtEnd(mod, at).Emit(&ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: next}, {To: other}}}, holds)
		at = next
	}
	for _, l := range s.layouts {
		d.conditions(l, func() *ir.Builder { return ir.AtEnd(mod, at) }, test)
	}
	for n, p := range d.f.Type.Func.Generic.Params {
		if s.layouts != nil {
			break
		}
		if isOpen(s.subs[n]) {
			continue
		}
		b := ir.AtEnd(mod, at)
		word := mod.Types.Builtin(ir.BuiltinWord)
		of := func(t *ir.Type) *ir.Value {
			return b.Emit(&ir.Inst{Op: op.Metatype, Types: []*ir.Type{mod.Types.Metatype(t, ir.MetatypeThick)}}).Result()
		}
		has, want := of(mod.Types.Param(p.Name)), of(s.subs[n])
		has = b.Emit(&ir.Inst{Op: op.UncheckedBitwiseCast, Types: []*ir.Type{word}}, has).Result()
		want = b.Emit(&ir.Inst{Op: op.UncheckedBitwiseCast, Types: []*ir.Type{word}}, want).Result()
		same := b.Emit(&ir.Inst{Op: op.Builtin, Aux: ir.BuiltinOn(op.BuiltinCmpEq, word), Types: []*ir.Type{mod.Types.BuiltinInt(1)}}, has, want).Result()
		test(same)
	}
	d.call(s, made, at, returns, throws)
}

// merged returns the block that all ways out of the function lead to, with what they return or throw as its argument; nil when there is no such
// way.
func (d *eagerDispatch) merged(exit op.Op) *ir.Block {
	var from *ir.Block
	for _, b := range d.f.Blocks {
		if b.Terminator().Op == exit {
			from = b
		}
	}
	if from == nil {
		return nil
	}
	end := from.Terminator()
	v := end.Arg(0)
	mod := d.Context.Module
	if exit == op.Return && isVoid(v.Type) {
		if unit := v.Inst(); unit != nil && unit.Op == op.Tuple && unit.Next() == end {
			end = unit
		}
		if end == from.First() && len(from.Args) == 0 && from != d.f.Entry() {
			return from
		}
		to := d.f.SplitBefore(end)
		ir.AtEnd(mod, from).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to}}})
		return to
	}
	if from.First() == end && v.IsArg() && v.Block() == from && from != d.f.Entry() && len(from.Args) == 1 && isBranchedTo(d.f, from) {
		return from
	}
	alone := from.First() == end
	to := d.f.SplitBefore(end)
	if alone { // such a block comes after all others
		d.f.Blocks = append(slices.DeleteFunc(d.f.Blocks, func(b *ir.Block) bool { return b == to }), to)
		d.f.Renumber()
	}
	arg := to.AddArg(v.Type)
	if d.OSSA && !d.Types.IsTrivial(v.Type) {
		arg.Ownership = ir.OwnershipOwned
	}
	end.Operands[0].Set(arg)
	ir.AtEnd(mod, from).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to, First: 0, N: 1}}}, v)
	return to
}

// isBranchedTo reports whether nothing but branches leads to a block.
func isBranchedTo(f *ir.Function, to *ir.Block) bool {
	for _, b := range f.Blocks {
		for _, e := range b.Terminator().Succs {
			if e.To == to && b.Terminator().Op != op.Br {
				return false
			}
		}
	}
	return true
}

// call calls the copy with the arguments of the function, as they are for the types of the copy, and goes where the function ends.
func (d *eagerDispatch) call(s *specializing, made *ir.Function, at, returns, throws *ir.Block) {
	mod := d.Context.Module
	b := ir.AtEnd(mod, at)
	var operands, loaded []*ir.Value
	var out, failed *ir.Value
	aux := &ir.ApplyAux{Fn: made.Type}
	if s.layouts != nil {
		aux.Fn = mod.Types.Unsugared(made.Type)
		for _, p := range d.f.Type.Func.Generic.Params {
			aux.Subs = append(aux.Subs, mod.Types.Param(p.Name))
		}
		operands = d.passAll(b)
	} else {
		if operands, loaded, out, failed = d.passFor(s, b); s.sig != nil {
			aux.Fn, aux.Subs = mod.Types.Unsugared(made.Type), s.subs
		}
	}
	ref := rewrite.FunctionRef(b, made)
	operands = append([]*ir.Value{ref}, operands...)
	call := &ir.Inst{Op: op.Apply, Aux: aux}
	var v *ir.Value
	if made.Type.Func.Error != nil && throws != nil {
		failure, normal := d.f.AddBlock(""), d.f.AddBlock("")
		types, _ := mod.ResultTypes(call)
		v = d.owned(normal.AddArg(types[0]))
		err := d.owned(failure.AddArg(mod.Lowered(made.Type.Func.Error.Type)))
		call.Op, call.Succs = op.TryApply, []ir.Edge{{To: normal}, {To: failure}}
		b.Emit(call, operands...)
		b = ir.AtEnd(mod, failure)
		d.end(b, loaded)
		if failed != nil {
			d.Store(b, err, failed, op.QualInit)
		}
		b.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: throws, N: 1}}}, err)
		b = ir.AtEnd(mod, normal)
	} else {
		if made.Type.Func.Error != nil {
			call.Quals = call.Quals.With(op.QualNothrow)
		}
		v = b.Emit(call, operands...).Result()
	}
	d.end(b, loaded)
	if out != nil {
		d.Store(b, v, out, op.QualInit)
	}
	if isVoid(d.result) {
		v = b.Emit(&ir.Inst{Op: op.Tuple}).Result()
	}
	if returns == nil {
		rewrite.Emit(b, op.Unreachable)
		return
	}
	v = d.as(b, v, d.result)
	br := &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: returns}}}
	if len(returns.Args) == 0 {
		b.Emit(br)
		return
	}
	br.Succs[0].N = 1
	b.Emit(br, v)
}

// passFor passes the arguments of the function to a copy for certain types. loaded are borrows to be ended after the call, out and failed are where
// the result and the error belong that the copy returns directly.
func (d *eagerDispatch) passFor(s *specializing, b *ir.Builder) (operands, loaded []*ir.Value, out, failed *ir.Value) {
	mod, r := d.Context.Module, s.shape
	replace := substitution(mod, d.f.Type.Func.Generic, s.subs)
	low := &rewrite.TypeLowering{Mod: mod, Replace: replace}
	for n, a := range d.f.Entry().Args {
		if !a.Type.IsAddress() {
			operands = append(operands, d.as(b, a, mod.Canonical(low.Value(a.Type))))
			continue
		}
		v := b.Emit(&ir.Inst{Op: op.UncheckedAddrCast, Types: []*ir.Type{mod.Types.Address(mod.Canonical(low.Value(a.Type.Object())))}}, a).Result()
		p := n - r.firstParam()
		switch {
		case p < 0 && n == r.result:
			out = v
		case p < 0 && n == r.failure:
			failed = v
		case p < 0, !r.direct[p]:
			operands = append(operands, v)
		case d.OSSA && r.fn.Params[p].Conv == ir.ParamInGuaranteed && !d.Types.IsTrivial(v.Type.Object()):
			v = rewrite.Emit(b, op.LoadBorrow, v).Result()
			operands, loaded = append(operands, v), append(loaded, v)
		case d.OSSA:
			operands = append(operands, d.Load(b, v, op.QualTake))
		default:
			operands = append(operands, rewrite.Emit(b, op.Load, v).Result())
		}
	}
	return operands, loaded, out, failed
}

// resultType returns the type of what the function returns directly.
func (d *eagerDispatch) resultType() *ir.Type {
	types, _ := d.Context.Module.ResultTypes(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Fn: d.f.Type}})
	for _, b := range d.f.Blocks {
		if t := b.Terminator(); t.Op == op.Return {
			return t.Arg(0).Type
		}
	}
	return types[0]
}

// owned gives an argument that is passed to a block the owner that it needs.
func (d *eagerDispatch) owned(v *ir.Value) *ir.Value {
	if d.OSSA && !d.Types.IsTrivial(v.Type) {
		v.Ownership = ir.OwnershipOwned
	}
	return v
}

// end ends borrows.
func (d *eagerDispatch) end(b *ir.Builder, loaded []*ir.Value) {
	for _, v := range loaded {
		rewrite.Emit(b, op.EndBorrow, v)
	}
}

// as takes a value for one of another type, which it is where the types of the copy are those of the call.
func (d *eagerDispatch) as(b *ir.Builder, v *ir.Value, t *ir.Type) *ir.Value {
	how := op.UncheckedBitwiseCast
	switch {
	case d.Types.IsTrivial(v.Type) && d.Types.IsTrivial(t):
		how = op.UncheckedTrivialBitCast
	case d.Types.IsReference(v.Type) && d.Types.IsReference(t) && !v.Type.IsAnyError():
		how = op.UncheckedRefCast
	case d.OSSA:
		how = op.UncheckedValueCast
	}
	return b.Emit(&ir.Inst{Op: how, Types: []*ir.Type{t}}, v).Result()
}
