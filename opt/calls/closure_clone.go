package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// specialize makes the copy of a callee, unless there is one, and lets the call use it.
func (s *closureSpecializer) specialize(site *closureSite) bool {
	name, ok := s.name(site)
	if !ok {
		return false
	}
	made := s.c.Module.Funcs[name]
	if made == nil {
		made = s.clone(site, name)
		s.c.AddFunction(made, site.callee)
	}
	s.c.Passed(s.f, site.call, "calls @%s", name)
	s.redirect(site, made)
	return true
}

// name returns the name of the copy: with the name of the closure's function and the types that it holds (docs/ABI/Mangling.rst, function
// signature specialization).
func (s *closureSpecializer) name(site *closureSite) (string, bool) {
	m, ok := mangle.Resume(site.callee.Name)
	if !ok {
		return "", false
	}
	m.Name(site.closure.Arg(0).Inst().Aux.(*ir.SymbolAux).Name)
	namer := typeNamer{mod: s.c.Module}
	for _, v := range rewrite.Values(site.closure)[1:] {
		if node := namer.typeNode(v.Type.Object()); node == nil || !m.Type(node) {
			return "", false
		}
	}
	code := serializedCode(s.f, "Tf1")
	for n := range site.callee.Entry().Args {
		if n == site.index {
			code += "c"
		} else {
			code += "n"
		}
	}
	return string(m.Buf) + code + "_n", len(m.Buf)+len(code) < longestName
}

// clone makes the copy, which makes the closure in its entry.
func (s *closureSpecializer) clone(site *closureSite, name string) *ir.Function {
	mod, old := s.c.Module, site.callee
	fn := *old.Type.Func
	fn.Convention, fn.Witness = ir.RepThin, ""
	at := site.index - (len(old.Entry().Args) - len(fn.Params))
	fn.Params = slices.Delete(slices.Clone(fn.Params), at, at+1)
	closed := site.closure.Arg(0).Type.Func
	captured := rewrite.Values(site.closure)[1:]
	held := closed.Params[len(closed.Params)-len(captured):]
	for _, p := range held {
		switch {
		case p.Conv.IsIndirect():
		case s.e.Types.IsTrivial(p.Type):
			p.Conv = ir.ParamDirectUnowned
		default:
			p.Conv = ir.ParamDirectOwned
		}
		fn.Params = append(fn.Params, ir.Param{Type: p.Type, Conv: p.Conv})
	}
	n := &ir.Function{Name: name, Linkage: sharedLinkage(old), Attrs: specializedAttrs(old, serializedAttr(s.f), allSemantics), Type: mod.Types.Function(&fn),
		Loc: old.Loc, Pos: old.Pos, Scope: old.Scope, Module: mod, Comment: rewrite.SpecializedComment(old)}
	entry := n.AddBlock("")
	cl := rewrite.NewCloner(mod)
	for k, a := range old.Entry().Args {
		if k != site.index {
			v := entry.AddArg(a.Type)
			v.Flags, v.Name = a.Flags, a.Name
			cl.Values[a] = v
		}
	}
	b := ir.AtEnd(mod, entry)
	operands := []*ir.Value{rewrite.NewCloner(mod).CopyTo(entry, site.closure.Arg(0).Inst())}
	args := map[*ir.Value]*ir.Value{} // for what the closure holds
	for _, v := range captured {
		args[v] = entry.AddArg(v.Type)
		operands = append(operands, args[v])
	}
	closure := b.Emit(rewrite.NewCloner(mod).Bare(site.closure), operands...).Result()
	view := s.convert(b, site, site.call.Arg(site.index+1), closure, args)
	cl.Values[old.Entry().Args[site.index]] = view
	rewrite.SplitRevisitedEdges(s.c, old)
	cl.Blocks[old.Entry()] = entry
	cl.Body(old, n)
	for _, exit := range site.exits {
		copied := cl.Blocks[exit]
		if copied == nil { // nothing leads there
			continue
		}
		t := copied.Terminator()
		if t.Op == op.Unreachable {
			t = t.Prev()
		}
		at := s.e.Before(t)
		if site.holdsContext() {
			rewrite.Emit(at, op.ReleaseValue, closure)
			continue
		}
		for _, v := range operands[1:] {
			if !v.Type.IsAddress() {
				s.e.DestroyValue(at, v)
			}
		}
		rewrite.Emit(at, op.DeallocStack, closure)
	}
	if site.closure.Has(op.QualOnStack) {
		rewrite.FixStackNesting(n) // the callee may end its own memory later, or where it never returns not at all
	}
	n.Renumber()
	return n
}

// convert makes of the new closure what the call passes. A dependence on what the closure holds is one on the argument for it.
func (s *closureSpecializer) convert(b *ir.Builder, site *closureSite, passed, closure *ir.Value, args map[*ir.Value]*ir.Value) *ir.Value {
	i := passed.Inst()
	if i == site.closure {
		return closure
	}
	operands := []*ir.Value{s.convert(b, site, i.Arg(0), closure, args)}
	if i.Op == op.MarkDependence {
		base := args[i.Arg(1)]
		if base == nil {
			return operands[0]
		}
		operands = append(operands, base)
	}
	return b.Emit(rewrite.NewCloner(s.c.Module).Bare(i), operands...).Result()
}

// redirect lets the call use the copy. What the closure holds is retained for it: the copy makes a closure of its own.
func (s *closureSpecializer) redirect(site *closureSite, made *ir.Function) {
	closure, call := site.closure, site.call
	b := s.e.Before(closure)
	ref := rewrite.FunctionRef(b, made)
	args := rewrite.Values(call)[1:]
	args = slices.Delete(args, site.index, site.index+1)
	for _, v := range rewrite.Values(closure)[1:] {
		args = append(args, v)
		if v.Type.IsAddress() || s.e.Types.IsTrivial(v.Type) {
			continue
		}
		rewrite.Emit(b, op.RetainValue, v)
		if closure.Block() == call.Block() {
			continue
		}
		way, _ := s.lifetime(closure)
		for _, end := range way.Ends {
			rewrite.Emit(s.e.Before(end.Before), op.ReleaseValue, v)
		}
		rewrite.Emit(s.e.Before(call), op.RetainValue, v)
	}
	aux := *call.Aux.(*ir.ApplyAux)
	aux.Subs, aux.Sugar, aux.Fn = nil, "", made.Type
	again := &ir.Inst{Op: call.Op, Quals: call.Quals, Types: call.Types, Aux: &aux, Forwarding: call.Forwarding}
	for _, e := range call.Succs {
		again.Succs = append(again.Succs, ir.Edge{To: e.To})
	}
	s.e.Before(call).Emit(again, append([]*ir.Value{ref}, args...)...)
	var ends []*ir.Inst
	if call.Op == op.TryApply {
		s.preds.Disconnect(call)
		s.preds.Connect(again)
		ends = []*ir.Inst{again.Succs[0].To.First(), again.Succs[1].To.First()}
		call.Remove()
	} else {
		ends = []*ir.Inst{call.Next()}
		call.ReplaceWith(again.Result())
	}
	if !site.borrowed && site.holdsContext() {
		for _, at := range ends {
			rewrite.Emit(s.e.Before(at), op.ReleaseValue, closure.Result())
		}
	}
}
