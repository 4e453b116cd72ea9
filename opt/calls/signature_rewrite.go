package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// thunkAttrs returns the attributes of the function once it only calls the new one.
func thunkAttrs(attrs ir.Attrs) ir.Attrs {
	kept := ir.AttrsOf(ir.AttrSignatureOptimizedThunk, ir.AttrAlwaysInline)
	for _, a := range attrs {
		switch a.Kind {
		case ir.AttrThunk, ir.AttrReabstractionThunk, ir.AttrNoinline, ir.AttrAlwaysInline:
		default:
			kept = append(kept, a)
		}
	}
	return kept
}

func borrowed(c ir.ParamConv) ir.ParamConv {
	if c == ir.ParamIn {
		return ir.ParamInGuaranteed
	}
	return ir.ParamDirectGuaranteed
}

// instNamesParams reports whether operands, results or type arguments of an instruction name generic parameters or opened types.
func instNamesParams(i *ir.Inst) bool {
	open := func(t *ir.Type) bool { return t != nil && (t.HasParams() || t.HasLocal()) }
	for n := range i.Operands {
		if open(i.Arg(n).Type) {
			return true
		}
	}
	for _, r := range i.Results {
		if open(r.Type) {
			return true
		}
	}
	switch aux := i.Aux.(type) {
	case *ir.ApplyAux:
		return slices.ContainsFunc(aux.Subs, open)
	case *ir.BuiltinAux:
		return slices.ContainsFunc(aux.Subs, open)
	}
	return false
}

// forwardedSubs returns the type arguments with which a function passes its own on.
func forwardedSubs(mod *ir.Module, f *ir.Function) []*ir.Type {
	if f.Type.Func.Generic == nil {
		return nil
	}
	var subs []*ir.Type
	for _, p := range f.Type.Func.Generic.Params {
		subs = append(subs, mod.Types.Param(p.Name))
	}
	return subs
}

func isNever(t *ir.Type) bool {
	return t.Known() == ir.KnownNever
}

// move moves the body of the function to a new one with the new signature and lets the function call it.
func (s *signature) move() {
	s.c.Passed(s.f, s.f.Entry().First(), "moved the body to @%s", s.name())
	n := &ir.Function{Name: s.name(), Linkage: sharedLinkage(s.f), Attrs: specializedAttrs(s.f, serializedAttr(s.f), noArraySemantics), Type: s.newType(), Loc: s.f.Loc, Pos: s.f.Pos, Scope: s.f.Scope,
		Comment: rewrite.SpecializedComment(s.f)}
	n.TakeBlocks(s.f)
	params := make([]*ir.Value, len(s.args))
	for k, a := range s.args {
		params[k] = &ir.Value{Type: a.v.Type, Ownership: a.v.Ownership, Flags: a.v.Flags, Name: a.v.Name}
	}
	if s.f.IsOSSA() {
		for _, a := range s.args {
			if a.borrow && a.v.Ownership == ir.OwnershipOwned {
				a.v.Ownership = ir.OwnershipGuaranteed
			}
		}
	}
	s.explodeArguments(n.Entry())
	s.c.AppendFunction(n)
	if h := s.c.Made[s.f]; h != nil {
		s.c.Made[n] = h
	}
	s.f.Attrs = thunkAttrs(s.f.Attrs)
	s.thunk(n, params)
}

// name returns the name of the new function (docs/ABI/Mangling.rst, function signature specialization).
func (s *signature) name() string {
	code := "Tf4"
	for _, a := range s.args {
		switch {
		case a.dead:
			code += "d"
		case a.borrow && a.explode:
			code += "gX"
		case a.borrow:
			code += "g"
		case a.explode:
			code += "x"
		default:
			code += "n"
		}
	}
	if len(s.retains) > 0 {
		return mangledBase(s.f.Name) + serializedCode(s.f, code) + "_g"
	}
	return mangledBase(s.f.Name) + serializedCode(s.f, code) + "_n"
}

// newType returns the type of the new function.
func (s *signature) newType() *ir.Type {
	fn := *s.fn
	fn.Params = nil
	for _, a := range s.args {
		p := *a.param
		if a.borrow {
			p.Conv = borrowed(p.Conv)
		}
		switch {
		case a.dead:
		case a.explode:
			for _, leaf := range a.parts.leaves {
				q := ir.Param{Conv: p.Conv, Type: leaf.typ}
				if s.ts.IsTrivial(leaf.typ) {
					q.Conv = ir.ParamDirectUnowned
				}
				fn.Params = append(fn.Params, q)
			}
		default:
			fn.Params = append(fn.Params, p)
		}
	}
	if len(s.retains) > 0 {
		fn.Results = slices.Clone(fn.Results)
		fn.Results[0].Conv = ir.ResultUnowned
	}
	if s.plain {
		fn.Convention, fn.Witness = ir.RepThin, ""
	}
	if fn.Generic != nil && !s.usesGenerics() {
		fn.Generic = nil
	}
	return s.c.Module.Types.Function(&fn)
}

// usesGenerics reports whether what is left of the function names generic parameters.
func (s *signature) usesGenerics() bool {
	for _, a := range s.args {
		if !a.dead && a.param.Type.HasParams() {
			return true
		}
	}
	for _, r := range s.fn.Results {
		if r.Type.HasParams() {
			return true
		}
	}
	blocks := s.f.Blocks
	for n, b := range blocks {
		if n > 0 && slices.ContainsFunc(b.Args, func(v *ir.Value) bool { return v.Type.HasParams() }) {
			return true
		}
		for i := range b.Insts() {
			if instNamesParams(i) {
				return true
			}
		}
	}
	return false
}

// thunk makes the function pass its arguments on to n.
func (s *signature) thunk(n *ir.Function, params []*ir.Value) {
	mod, e := s.c.Module, rewrite.NewEditor(s.c, s.f)
	entry := s.f.AddBlock("")
	for k, p := range params {
		v := entry.AddArg(p.Type)
		v.Ownership, v.Flags, v.Name = p.Ownership, p.Flags, p.Name
		params[k] = v
	}
	b := ir.AtEnd(mod, entry)
	fn := mod.Types.Unsugared(n.Type)
	ref := rewrite.FunctionRef(b, n)
	operands := []*ir.Value{ref}
	for k, a := range s.args {
		switch {
		case a.dead:
		case a.explode:
			operands = append(operands, a.parts.extract(e, b, params[k])...)
		default:
			operands = append(operands, params[k])
		}
	}
	call := &ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Subs: forwardedSubs(mod, n), Fn: fn}}
	result := call
	ends := []*ir.Block{entry}
	if s.fn.Error != nil {
		ends = s.tryApply(b, call, operands)
	} else {
		b.Emit(call, operands...)
		b.Before = nil
		s.finish(b, result.Result())
	}
	for k, a := range s.args {
		if a.borrow || a.dead && params[k].Ownership == ir.OwnershipOwned {
			for _, end := range ends {
				if end.Terminator().Op != op.Unreachable {
					s.release(call, end, params[k])
				}
			}
		}
	}
	if len(s.retains) > 0 {
		v := ends[0].Args
		if s.fn.Error != nil {
			rewrite.Emit(s.first(call, ends[0]), op.RetainValue, v[0])
		} else {
			rewrite.Emit(s.first(call, ends[0]), op.RetainValue, call.Result())
		}
	}
	s.f.Renumber()
}

// tryApply emits the call of a function that throws and returns the blocks that follow it, the normal one first.
func (s *signature) tryApply(b *ir.Builder, call *ir.Inst, operands []*ir.Value) []*ir.Block {
	mod := s.c.Module
	normal, failed := s.f.AddBlock(""), s.f.AddBlock("")
	types, _ := mod.ResultTypes(&ir.Inst{Op: op.Apply, Aux: call.Aux})
	v := normal.AddArg(types[0])
	err := failed.AddArg(mod.Lowered(s.fn.Error.Type))
	if s.f.IsOSSA() {
		v.Ownership, err.Ownership = ir.OwnershipOwned, ir.OwnershipOwned
		if s.ts.IsTrivial(v.Type) {
			v.Ownership = ir.OwnershipUnspecified
		}
	}
	call.Op = op.TryApply
	call.Succs = []ir.Edge{{To: normal}, {To: failed}}
	b.Emit(call, operands...)
	rewrite.Emit(ir.AtEnd(mod, failed), op.Throw, err)
	s.finish(ir.AtEnd(mod, normal), v)
	return []*ir.Block{normal, failed}
}

// finish ends a block of the thunk with the result.
func (s *signature) finish(b *ir.Builder, v *ir.Value) {
	if isNever(v.Type) {
		rewrite.Emit(b, op.Unreachable)
		return
	}
	rewrite.Emit(b, op.Return, v)
}

// first returns a builder before what follows the call.
func (s *signature) first(call *ir.Inst, end *ir.Block) *ir.Builder {
	at := end.First()
	if call.Op == op.Apply {
		at = call.Next()
	}
	return ir.At(s.c.Module, at)
}

// release ends the life of a parameter of the thunk after the call: the body borrows it, or got along without. An owned one that is useless
// in ownership form is so because the body never returns.
func (s *signature) release(call *ir.Inst, end *ir.Block, v *ir.Value) {
	o := op.ReleaseValue
	switch {
	case v.Type.IsAddress():
		o = op.DestroyAddr
	case s.f.IsOSSA():
		o = op.DestroyValue
	}
	rewrite.Emit(s.first(call, end), o, v)
}
