package calls

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// keepsArguments reports whether the instruction makes a closure that owns what it holds.
func keepsArguments(call *ir.Inst) bool {
	return call.Op == op.PartialApply && !call.Has(op.QualOnStack)
}

// endBehindClosure ends loans where the closure on the stack that holds them is destroyed.
func endBehindClosure(e *rewrite.Editor, closure *ir.Inst, loaded []*ir.Value) {
	for _, x := range closure.Result().UseList() {
		if i := x.User(); i.Op == op.DestroyValue {
			b := e.After(i)
			for _, v := range loaded {
				rewrite.Emit(b, op.EndBorrow, v)
			}
		}
	}
}

// resultAt returns the type of the indirect result that argument k is for.
func resultAt(fn *ir.FuncType, k int) *ir.Type {
	for _, res := range fn.Results {
		if !res.Conv.IsIndirect() {
			continue
		}
		if k == 0 {
			return res.Type
		}
		k--
	}
	return nil
}

// redirect lets the call use the copy.
func (s *specializing) redirect(made *ir.Function) {
	partial := s.call.Op == op.PartialApply
	if partial && s.shape.converts() && !s.closureCanChange() {
		s.closeOverThunk(made)
		return
	}
	b := ir.At(s.c.Module, s.call)
	ref := s.reference(b, made)
	old := s.call.Arg(0)
	again := s.callWith(s.call, ref, made.Type, s.copySubs(s.subs))
	if partial && s.shape.converts() {
		s.changeUsers(again)
	}
	dead := &rewrite.Eraser{}
	dead.EraseIfDead(old)
}

// copySubs returns the types that a call passes to a copy that is generic itself; nil for other copies.
func (s *specializing) copySubs(subs []*ir.Type) []*ir.Type {
	if s.sig == nil {
		return nil
	}
	return subs
}

// reference names the copy.
func (s *specializing) reference(b *ir.Builder, f *ir.Function) *ir.Value {
	return rewrite.FunctionRef(b, f)
}

// callWith makes the same call of another callee, which takes arguments as the copy does, in place of the call. It returns the new one.
func (s *specializing) callWith(call *ir.Inst, callee *ir.Value, fn *ir.Type, subs []*ir.Type) *ir.Inst {
	e := rewrite.NewEditor(s.c, s.f)
	b := e.Before(call)
	operands := []*ir.Value{callee}
	var loaded []*ir.Value    // to be given back
	var out, failed *ir.Value // where the result and the error belong
	first := s.firstArgument(call)
	for k := 1; k < len(call.Operands); k++ {
		v := call.Arg(k)
		n := first + k - 1
		p := n - s.shape.firstParam()
		switch {
		case p < 0 && n == s.shape.result:
			out = v
		case p < 0 && n == s.shape.failure:
			failed = v
		case p < 0, !s.shape.dropped[p] && !s.shape.direct[p]:
			operands = append(operands, v)
		case s.shape.dropped[p]:
		case e.OSSA && s.shape.fn.Params[p].Conv == ir.ParamInGuaranteed && !e.Types.IsTrivial(v.Type.Object()) && !keepsArguments(call):
			borrow := rewrite.Emit(b, op.LoadBorrow, v).Result()
			operands, loaded = append(operands, borrow), append(loaded, borrow)
		case e.OSSA:
			operands = append(operands, e.Load(b, v, op.QualTake))
		default:
			operands = append(operands, rewrite.Emit(b, op.Load, v).Result())
		}
	}
	aux := *call.Aux.(*ir.ApplyAux)
	aux.Subs, aux.Sugar, aux.Fn = subs, "", fn
	again := &ir.Inst{Op: call.Op, Quals: call.Quals, Types: call.Types, Aux: &aux, Forwarding: call.Forwarding}
	for _, edge := range call.Succs {
		again.Succs = append(again.Succs, ir.Edge{To: edge.To})
	}
	var args []*ir.Value
	for k := 1; k < len(call.Operands); k++ {
		args = append(args, call.Arg(k))
	}
	b.Emit(again, operands...)
	s.replace(e, call, again, out, failed, loaded)
	dead := &rewrite.Eraser{}
	for _, v := range args {
		dead.EraseIfDead(v)
	}
	return again
}

// firstArgument returns the number that the first argument of the call has among those of the copied function.
func (s *specializing) firstArgument(call *ir.Inst) int {
	if call.Op != op.PartialApply {
		return 0
	}
	return s.shape.firstParam() + len(s.shape.fn.Params) - (len(call.Operands) - 1)
}

// replace puts the new call in the place of the old one: the result goes to where the old one put it, and loans end.
func (s *specializing) replace(e *rewrite.Editor, call, again *ir.Inst, out, failure *ir.Value, loaded []*ir.Value) {
	switch call.Op {
	case op.TryApply:
		normal, failed := call.Succs[0].To, call.Succs[1].To
		call.Remove()
		ends := []*ir.Builder{e.Before(normal.First()), e.Before(failed.First())}
		if out != nil {
			s.storeArgument(e, normal, normal.Args[0], out)
		}
		if failure != nil {
			s.storeArgument(e, failed, failed.AddArg(failure.Type.Object()), failure)
		}
		for _, b := range ends {
			for _, v := range loaded {
				rewrite.Emit(b, op.EndBorrow, v)
			}
		}
	case op.BeginApply:
		for n, r := range call.Results {
			r.ReplaceAllUses(again.Results[n])
		}
		for _, x := range token(again).UseList() {
			for _, v := range loaded {
				rewrite.Emit(e.After(x.User()), op.EndBorrow, v)
			}
		}
		call.Remove()
	default:
		b := e.Before(call)
		if out == nil {
			call.Results[0].ReplaceAllUses(again.Results[0])
		} else {
			if call.Results[0].HasUses() {
				call.Results[0].ReplaceAllUses(b.Emit(&ir.Inst{Op: op.Tuple}).Result())
			}
			e.Store(b, again.Results[0], out, op.QualInit)
		}
		if again.Op == op.PartialApply {
			endBehindClosure(e, again, loaded)
		} else {
			for _, v := range loaded {
				rewrite.Emit(b, op.EndBorrow, v)
			}
		}
		call.Remove()
	}
}

// storeArgument lets a block after a try_apply get the result or the error and put it where the call did before.
func (s *specializing) storeArgument(e *rewrite.Editor, at *ir.Block, old, out *ir.Value) {
	b := e.Before(at.First())
	if old.HasUses() {
		old.ReplaceAllUses(b.Emit(&ir.Inst{Op: op.Tuple}).Result())
	}
	old.Type = out.Type.Object()
	if e.OSSA && !e.Types.IsTrivial(old.Type) {
		old.Ownership = ir.OwnershipOwned
	}
	e.Store(b, old, out, op.QualInit)
}

// closureCanChange reports whether all users of a closure can be made to pass directly what goes through memory now.
func (s *specializing) closureCanChange() bool {
	for _, x := range s.call.Result().UseList() {
		i := x.User()
		switch {
		case i.Op == op.StrongRetain, i.Op == op.StrongRelease, i.Op == op.RetainValue, i.Op == op.ReleaseValue, i.Op == op.DestroyValue, facts.IsDebug(i):
		case facts.IsFullApply(i) && x.Number() == 0:
		case s.isReabstracted(i):
		default:
			return false
		}
	}
	return true
}

// isReabstracted reports whether a closure does nothing but pass directly what the one at hand takes through memory.
func (s *specializing) isReabstracted(i *ir.Inst) bool {
	if i.Op != op.PartialApply || len(i.Operands) != 2 {
		return false
	}
	f := facts.StaticCallee(i)
	if f == nil || !f.Attrs.Has(ir.AttrReabstractionThunk) {
		return false
	}
	return s.closureType() == i.Result().Type
}

// closureType returns the type of the closure once it is one of the copy.
func (s *specializing) closureType() *ir.Type {
	probe := &ir.Inst{Op: op.PartialApply, Quals: s.call.Quals, Aux: &ir.ApplyAux{Fn: s.shape.specialized(s.shape.fn), Subs: s.copySubs(s.subs)}}
	var applied []*ir.Value
	for k := 1; k < len(s.call.Operands); k++ {
		if p := s.firstArgument(s.call) + k - 1 - s.shape.firstParam(); p >= 0 && !s.shape.dropped[p] {
			applied = append(applied, s.call.Arg(k))
		}
	}
	probe.Operands = make([]ir.Operand, len(applied)+1)
	types, _ := s.c.Module.ResultTypes(probe)
	if len(types) != 1 {
		return nil
	}
	return types[0]
}

// changeUsers makes the users of a closure use that of the copy as it wants to be used.
func (s *specializing) changeUsers(closure *ir.Inst) {
	v := closure.Result()
	for _, x := range v.UseList() {
		i := x.User()
		switch {
		case i.Block() == nil:
		case facts.IsFullApply(i):
			s.callWith(i, v, v.Type, nil)
		case i.Op == op.PartialApply:
			old, by := i.Arg(0), v
			if s.f.IsOSSA() && i.Has(op.QualOnStack) { // the thunk on the stack only borrowed the closure
				by = rewrite.Emit(ir.At(s.c.Module, i), op.CopyValue, v).Result()
			}
			i.Result().ReplaceAllUses(by)
			i.Remove()
			dead := &rewrite.Eraser{}
			dead.EraseIfDead(old)
		}
	}
}

// closeOverThunk makes the closure one of a function that takes its arguments as before and calls the copy.
func (s *specializing) closeOverThunk(made *ir.Function) {
	name, ok := s.name(true)
	if !ok {
		return
	}
	thunk := s.c.Module.Funcs[name]
	if thunk == nil {
		thunk = s.thunk(name, made)
		s.c.AppendFunction(thunk)
	}
	b := ir.At(s.c.Module, s.call)
	ref := s.reference(b, thunk)
	operands := []*ir.Value{ref}
	var unused []*ir.Value
	first := s.firstArgument(s.call) - s.shape.firstParam()
	for k := 1; k < len(s.call.Operands); k++ {
		if s.shape.dropped[first+k-1] {
			unused = append(unused, s.call.Arg(k))
			continue
		}
		operands = append(operands, s.call.Arg(k))
	}
	aux := *s.call.Aux.(*ir.ApplyAux)
	aux.Subs, aux.Sugar, aux.Fn = s.copySubs(s.subs), "", thunk.Type
	again := b.Emit(&ir.Inst{Op: op.PartialApply, Quals: s.call.Quals, Types: s.call.Types, Aux: &aux, Forwarding: s.call.Forwarding}, operands...)
	old := s.call.Arg(0)
	s.call.ReplaceWith(again.Result())
	dead := &rewrite.Eraser{}
	for _, v := range append(unused, old) {
		dead.EraseIfDead(v)
	}
}

// thunk makes the function that takes arguments through memory, as the generic one does, and passes them to the copy.
func (s *specializing) thunk(name string, made *ir.Function) *ir.Function {
	r, mod := s.shape, s.c.Module
	n := &ir.Function{Name: name, Linkage: ir.LinkageShared, Attrs: ir.AttrsOf(ir.AttrTransparent, ir.AttrThunk), Type: r.thunkType(), Module: mod,
		Comment: rewrite.SpecializedComment(s.callee)}
	if s.serialized != ir.AttrUnknown {
		n.Attrs = ir.AttrsOf(ir.AttrTransparent, s.serialized, ir.AttrThunk)
	}
	if s.callee.IsOSSA() {
		n.Attrs = append(n.Attrs, ir.Attr{Kind: ir.AttrOSSA})
	}
	entry := n.AddBlock("")
	e := rewrite.NewEditor(s.c, n)
	b := ir.AtEnd(mod, entry)
	var operands, loaded []*ir.Value
	var out, failure *ir.Value
	next := 0 // argument of the copy
	for k, a := range s.callee.Entry().Args {
		p := k - r.firstParam()
		if p >= 0 && r.dropped[p] {
			continue
		}
		if k == r.result && p < 0 {
			out = entry.AddArg(mod.Types.Address(resultAt(r.fn, k)))
			continue
		}
		if k == r.failure && p < 0 {
			failure = entry.AddArg(mod.Types.Address(r.fn.Error.Type))
			continue
		}
		like := made.Entry().Args[next]
		next++
		if p < 0 || !r.direct[p] {
			v := entry.AddArg(like.Type)
			v.Ownership, v.Name = like.Ownership, a.Name
			operands = append(operands, v)
			continue
		}
		v := entry.AddArg(mod.Types.Address(like.Type))
		if e.OSSA && like.Ownership == ir.OwnershipGuaranteed {
			v = rewrite.Emit(b, op.LoadBorrow, v).Result()
			loaded = append(loaded, v)
		} else {
			v = e.Load(b, v, op.QualTake)
			if !e.OSSA {
				v = entry.Last().Result()
			}
		}
		operands = append(operands, v)
	}
	s.thunkCall(e, b, made, operands, loaded, out, failure)
	n.Renumber()
	return n
}

// thunkCall ends the thunk with the call of the copy.
func (s *specializing) thunkCall(e *rewrite.Editor, b *ir.Builder, made *ir.Function, operands, loaded []*ir.Value, out, failure *ir.Value) {
	mod := s.c.Module
	ref := s.reference(b, made)
	call := &ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Fn: made.Type, Subs: s.copySubs(s.inside)}}
	types, _ := mod.ResultTypes(call)
	all := append([]*ir.Value{ref}, operands...)
	var v *ir.Value
	if made.Type.Func.Error != nil {
		normal, failed := e.Func.AddBlock(""), e.Func.AddBlock("")
		v = normal.AddArg(types[0])
		var err *ir.Value // passed to the block, or already where the thunk's own error belongs
		if !made.Type.Func.Error.Indirect {
			err = failed.AddArg(mod.Lowered(made.Type.Func.Error.Type))
		}
		if e.OSSA {
			if err != nil && !e.Types.IsTrivial(err.Type) {
				err.Ownership = ir.OwnershipOwned
			}
			if !e.Types.IsTrivial(v.Type) {
				v.Ownership = ir.OwnershipOwned
			}
		}
		call.Op, call.Succs = op.TryApply, []ir.Edge{{To: normal}, {To: failed}}
		b.Emit(call, all...)
		at := ir.AtEnd(mod, failed)
		for _, l := range loaded {
			rewrite.Emit(at, op.EndBorrow, l)
		}
		switch {
		case err == nil:
			rewrite.Emit(at, op.ThrowAddr)
		case failure != nil:
			e.Store(at, err, failure, op.QualInit)
			rewrite.Emit(at, op.ThrowAddr)
		default:
			rewrite.Emit(at, op.Throw, err)
		}
		b = ir.AtEnd(mod, normal)
	} else {
		v = b.Emit(call, all...).Result()
	}
	for _, l := range loaded {
		rewrite.Emit(b, op.EndBorrow, l)
	}
	if out != nil {
		e.Store(b, v, out, op.QualInit)
		v = b.Emit(&ir.Inst{Op: op.Tuple}).Result()
	}
	rewrite.Emit(b, op.Return, v)
}

// thunkType returns the type of the thunk: that of the generic function for the types at hand, without the metatypes that are left out.
func (r *reabstraction) thunkType() *ir.Type {
	n := *r.fn
	n.Params = nil
	for i, p := range r.fn.Params {
		if !r.dropped[i] {
			n.Params = append(n.Params, p)
		}
	}
	if len(r.dropped) > 0 && r.dropped[len(r.dropped)-1] && r.fn.Convention.IsMethod() {
		n.Convention, n.Witness = ir.RepThin, ""
	}
	return r.c.Module.Types.Function(&n)
}
