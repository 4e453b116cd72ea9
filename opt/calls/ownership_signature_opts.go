package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// OwnershipSignatureOpts gives functions in ownership form cheaper signatures (docs/proposals/HighLevelMemoryOperations, Function Signature
// Optimization). A store [assign] that is the first thing a function does with its inout argument is the release of what the caller had
// there: the caller destroys it, and the argument becomes a result.
//
//	sil @f : $(@inout C, @owned C) -> () {        sil @f : $(@owned C) -> @out C {
//	bb0(%0 : $*C, %1 : @owned $C):           ⇒    bb0(%0 : $*C, %1 : @owned $C):
//	  store %1 to [assign] %0                       store %1 to [init] %0
//
// A load [copy] that the function returns is a retain: it returns the value as it lies in memory, unowned, and the caller copies it.
//
//	%1 = load [copy] %0                           %1 = load_borrow %0
//	return %1                              ⇒      %2 = unchecked_ownership_conversion %1, @guaranteed to @unowned
//	                                              end_borrow %1
//	                                              return %2
//
// All calls must be known, as they change too. A release moves to the front of the call only over what a deinit may be moved over.
var OwnershipSignatureOpts = &pass.Pass{Name: "ownership-signature-opts", Doc: "Moves releases and retains of functions in ownership form into their callers", Module: func(c *pass.Context) bool {
	calls, open := directCalls(c.Module)
	changed := false
	for _, f := range c.Module.Functions() {
		if len(f.Blocks) == 0 || !f.IsOSSA() || open[f] || len(calls[f]) == 0 || !rewrite.IsHiddenLinkage(f.Linkage, c.Whole) && !c.Whole || f.Name == ir.EntryPoint {
			continue
		}
		s := &ownershipSignature{Editor: rewrite.NewEditor(c, f), p: c.Program(f), calls: calls[f]}
		if s.isFixed() {
			continue
		}
		for n := 0; n < len(f.Type.Func.Params); n++ {
			if s.assignsFirst(n) {
				s.makeResult(n)
				changed = true
				n = -1
			}
		}
		if s.returnsCopy() {
			changed = true
		}
	}
	return changed
}}

// directCalls lists the calls of each function by its name in the code. A function that is named otherwise is open.
func directCalls(mod *ir.Module) (calls map[*ir.Function][]*ir.Inst, open map[*ir.Function]bool) {
	calls, open = map[*ir.Function][]*ir.Inst{}, map[*ir.Function]bool{}
	for _, item := range mod.Items {
		switch item := item.(type) {
		case *ir.Function:
			if len(item.Blocks) == 0 && !item.IsDeclaration() {
				return nil, nil
			}
			for i := range item.Insts() {
				noteReference(i, calls, open)
			}
		case *ir.VTable:
			for n := range item.Entries {
				open[mod.Funcs[item.Entries[n].Func]] = true
			}
		case *ir.WitnessTable:
			for n := range item.Entries {
				open[mod.Funcs[item.Entries[n].Func]] = true
			}
		}
	}
	return calls, open
}

func noteReference(i *ir.Inst, calls map[*ir.Function][]*ir.Inst, open map[*ir.Function]bool) {
	aux, ok := i.Aux.(*ir.SymbolAux)
	if !ok || aux.Func == nil {
		return
	}
	for _, x := range i.Results[0].UseList() {
		if call := x.User(); i.Op == op.FunctionRef && call.Op == op.Apply && x.Number() == 0 {
			calls[aux.Func] = append(calls[aux.Func], call)
		} else {
			open[aux.Func] = true
		}
	}
}

type ownershipSignature struct {
	*rewrite.Editor
	p     *facts.Program
	calls []*ir.Inst
}

// isFixed reports whether the function keeps its signature.
func (s *ownershipSignature) isFixed() bool {
	fn, attrs := s.Func.Type.Func, s.Func.Attrs
	return fn.Coroutine != ir.NotCoroutine || fn.Generic != nil || fn.Error != nil || fn.Async || fn.Convention != ir.RepThin && fn.Convention != ir.RepMethod ||
		attrs.Has(ir.AttrDynamicallyReplacable) || attrs.Has(ir.AttrUnderscoredUsed) || attrs.Has(ir.AttrOnone) || s.Context.IsNative(s.Func) ||
		facts.SemanticsWith(s.Func, func(ir.Attr) bool { return true })
}

// assignsFirst reports whether each path through the function begins what it does with the inout parameter n by overwriting it or destroying
// it, and each caller may do so instead. The instructions lose their release.
func (s *ownershipSignature) assignsFirst(n int) bool {
	fn := s.Func.Type.Func
	k := n + facts.IndirectResults(fn)
	v := s.Func.Entry().Args[k]
	if fn.Params[n].Conv != ir.ParamInout || s.Types.IsTrivial(v.Type.Object()) || facts.IsMoveOnly(s.Context.Module, v.Type.Object()) {
		return false
	}
	users := map[*ir.Inst]bool{}
	for _, x := range v.UseList() {
		if !facts.IsDebug(x.User()) {
			users[x.User()] = true
		}
	}
	firsts, ok := s.firstUses(v, users)
	if !ok || len(firsts) == 0 {
		return false
	}
	for _, i := range firsts {
		if !s.endsOld(i, v) || comesAgain(i, firsts) {
			s.Context.Missed(s.Func, i, "kept the inout argument: %s needs what it holds", i.Op)
			return false
		}
	}
	for _, call := range s.calls {
		if s.mayShare(call, k+1) {
			s.Context.Missed(s.Func, firsts[0], "kept the inout argument: a caller may use the same memory for another one")
			return false
		}
	}
	for _, i := range firsts {
		switch i.Op {
		case op.Store:
			i.Quals = i.Quals.Without(op.QualAssign).With(op.QualInit)
		case op.CopyAddr:
			i.Quals = i.Quals.With(op.QualInit)
		default:
			i.Remove()
		}
	}
	return true
}

// firstUses finds the first use on each path from the entry. It fails where a path returns without one, or passes what a deinit may not be
// moved over.
func (s *ownershipSignature) firstUses(v *ir.Value, users map[*ir.Inst]bool) (firsts []*ir.Inst, ok bool) {
	ok = cfg.WalkPaths(s.Func, func(i *ir.Inst) cfg.Path {
		switch {
		case users[i]:
			firsts = append(firsts, i)
			return cfg.EndPath
		case i.Op == op.Return || !facts.IsDebug(i) && s.Context.KeepsDeinit(i, v.Type.Object()):
			return cfg.Fail
		}
		return cfg.Follow
	})
	return firsts, ok
}

// endsOld reports whether an instruction only ends what the memory holds.
func (s *ownershipSignature) endsOld(i *ir.Inst, v *ir.Value) bool {
	switch i.Op {
	case op.Store:
		return i.Arg(1) == v && i.Has(op.QualAssign)
	case op.CopyAddr:
		return i.Arg(1) == v && !i.Has(op.QualInit) && i.Arg(0) != v
	}
	return i.Op == op.DestroyAddr
}

// comesAgain reports whether a path leads from after i to one of list, where the memory holds something else.
func comesAgain(i *ir.Inst, list []*ir.Inst) bool {
	return !cfg.WalkPathsAfter(i, func(other *ir.Inst) cfg.Path {
		if slices.Contains(list, other) {
			return cfg.Fail
		}
		return cfg.Follow
	})
}

// mayShare reports whether another operand of a call may be in the memory of operand k.
func (s *ownershipSignature) mayShare(call *ir.Inst, k int) bool {
	p := s.Context.Program(call.Block().Func)
	if !call.Block().Func.IsOSSA() {
		return true
	}
	for n := 1; n < len(call.Operands); n++ {
		v := call.Arg(n)
		switch {
		case n == k:
		case v.Type.IsAddress():
			if p.MayAlias(v, call.Arg(k)) {
				return true
			}
		case !p.Types.IsTrivial(v.Type) && !passesOwned(call, n):
			return true // it may be borrowed from the memory
		}
	}
	return false
}

// passesOwned reports whether a call gets operand n to keep.
func passesOwned(call *ir.Inst, n int) bool {
	fn := facts.Callee(call)
	k := n - 1 - facts.IndirectResults(fn)
	return k >= 0 && k < len(fn.Params) && fn.Params[k].Conv == ir.ParamDirectOwned
}

// makeResult makes an indirect result, the first, of the inout parameter n.
func (s *ownershipSignature) makeResult(n int) {
	f, mod := s.Func, s.Context.Module
	k := n + facts.IndirectResults(f.Type.Func)
	fn := *f.Type.Func
	param := fn.Params[n]
	fn.Params = append(append([]ir.Param(nil), fn.Params[:n]...), fn.Params[n+1:]...)
	fn.Results = append([]ir.Result{{Conv: ir.ResultOut, Type: param.Type}}, fn.Results...)
	if f.Type.Func.Convention.IsMethod() && n == len(f.Type.Func.Params)-1 {
		fn.Convention = ir.RepThin // it has lost self
	}
	f.Type = mod.Types.Function(&fn)
	s.Context.Passed(f, f.Entry().First(), "let the callers destroy what the inout argument holds: it is a result now")
	entry := f.Entry()
	old := append([]*ir.Value(nil), entry.Args...)
	order := append([]*ir.Value{old[k]}, append(append([]*ir.Value(nil), old[:k]...), old[k+1:]...)...)
	for _, v := range order {
		a := entry.AddArg(v.Type)
		a.Ownership, a.Flags, a.Name = v.Ownership, v.Flags, v.Name
		v.ReplaceAllUses(a)
	}
	for range old {
		entry.RemoveArg(0)
	}
	s.again(func(b *ir.Builder, call *ir.Inst) []*ir.Value {
		rewrite.Emit(b, op.DestroyAddr, call.Arg(k+1))
		args := []*ir.Value{call.Arg(k + 1)}
		for m := 1; m < len(call.Operands); m++ {
			if m != k+1 {
				args = append(args, call.Arg(m))
			}
		}
		return args
	}, func(_ *ir.Builder, r *ir.Value) *ir.Value { return r })
	s.Context.Changed(f)
}

// again makes each call of the function with its new type.
func (s *ownershipSignature) again(args func(b *ir.Builder, call *ir.Inst) []*ir.Value, result func(b *ir.Builder, r *ir.Value) *ir.Value) {
	for n, call := range s.calls {
		b := ir.At(s.Context.Module, call)
		list := args(b, call)
		ref := rewrite.FunctionRef(b, s.Func)
		aux := *call.Aux.(*ir.ApplyAux)
		aux.Fn = ref.Type
		made := b.Emit(&ir.Inst{Op: op.Apply, Aux: &aux, Quals: call.Quals}, append([]*ir.Value{ref}, list...)...)
		old := call.Arg(0).Inst()
		call.ReplaceWith(result(b, made.Result()))
		if len(old.Result().UseList()) == 0 {
			old.Remove()
		}
		s.calls[n] = made
		s.Context.Changed(made.Block().Func)
	}
}

// returnsCopy makes the function return what it loads as it lies in memory, where it only copies and returns it.
func (s *ownershipSignature) returnsCopy() bool {
	fn := s.Func.Type.Func
	if len(fn.Results) != 1 || fn.Results[0].Conv != ir.ResultOwned {
		return false
	}
	var ret *ir.Inst
	for _, b := range s.Func.Blocks {
		if t := b.Terminator(); t.Op == op.Return {
			if ret != nil {
				return false
			}
			ret = t
		}
	}
	if ret == nil {
		return false
	}
	load := ret.Arg(0).Inst()
	if load == nil || load.Op != op.Load || !load.Has(op.QualCopy) || load.Block() != ret.Block() || len(load.Result().UseList()) != 1 || !s.outlivesCall(load.Arg(0)) {
		return false
	}
	for i := load.Next(); i != ret; i = i.Next() {
		if s.p.MayWrite(i) && i.Op != op.EndBorrow || s.p.MayRelease(i) || i.Op == op.EndAccess {
			s.Context.Missed(s.Func, load, "kept the copy that is returned: %s may end what it is a copy of", i.Op)
			return false
		}
	}
	for _, call := range s.calls {
		if !call.Block().Func.IsOSSA() {
			return false
		}
	}
	s.Context.Passed(s.Func, load, "returned the value as it lies in memory: the callers copy it")
	b := s.Before(load)
	borrow := rewrite.Emit(b, op.LoadBorrow, load.Arg(0)).Result()
	b = s.Before(ret)
	made := b.Emit(&ir.Inst{Op: op.UncheckedOwnershipConversion, Aux: ir.OwnershipConversion(ir.OwnershipGuaranteed, ir.OwnershipUnowned)}, borrow).Result()
	rewrite.Emit(b, op.EndBorrow, borrow)
	load.ReplaceWith(made)
	n := *fn
	n.Results = []ir.Result{{Conv: ir.ResultUnowned, Type: fn.Results[0].Type}}
	s.Func.Type = s.Context.Module.Types.Function(&n)
	s.again(func(_ *ir.Builder, call *ir.Inst) (args []*ir.Value) {
		for k := 1; k < len(call.Operands); k++ {
			args = append(args, call.Arg(k))
		}
		return args
	}, func(b *ir.Builder, r *ir.Value) *ir.Value { return rewrite.Emit(b, op.CopyValue, r).Result() })
	s.Context.Changed(s.Func)
	return true
}

// outlivesCall reports whether memory and what it holds are there when the function has returned: a global, what is lent to the function, and
// the properties of an object that is lent to it.
func (s *ownershipSignature) outlivesCall(v *ir.Value) bool {
	for {
		i := v.Inst()
		if i == nil {
			if !v.IsArg() || v.Block() != s.Func.Entry() {
				return false
			}
			p := s.Func.Type.Func.Params[v.Index()-facts.IndirectResults(s.Func.Type.Func)].Conv
			return p == ir.ParamInout || p == ir.ParamInGuaranteed || p == ir.ParamDirectGuaranteed
		}
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.RefElementAddr:
			v = i.Arg(0)
		default:
			return i.Op == op.GlobalAddr
		}
	}
}
