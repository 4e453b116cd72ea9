package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// inliner puts the bodies of callees in place of calls in one function.
type inliner struct {
	c      *pass.Context
	caller *ir.Function
	taken  map[string]bool // names of opened archetypes of the caller, see Cloner.FreshOpenings
	// mandatory says that transparent functions are inlined: their variables are not seen by a debugger.
	mandatory bool
}

func newInliner(c *pass.Context, caller *ir.Function, mandatory bool) *inliner {
	in := &inliner{c: c, caller: caller, taken: map[string]bool{}, mandatory: mandatory}
	for name := range rewrite.Openings(caller.Module.Types, caller.Insts()) {
		in.taken[name] = true
	}
	return in
}

// callSite is a call with the function it runs and what it passes; where a closure is called that is also what the closure holds.
type callSite struct {
	call   *ir.Inst
	callee *ir.Function
	args   []*ir.Value
	subs   []*ir.Type
}

// siteOf describes a call that names its callee.
func siteOf(call *ir.Inst, callee *ir.Function) callSite {
	s := callSite{call: call, callee: callee, args: rewrite.Values(call)[1:]}
	if aux, ok := call.Aux.(*ir.ApplyAux); ok {
		s.subs = aux.Subs
	}
	return s
}

// canInline reports whether the mechanics allow to put the callee in place of the call; whether it is of use is for others to say.
func (in *inliner) canInline(s callSite) bool {
	call, callee := s.call, s.callee
	if _, ok := call.Aux.(*ir.ApplyAux); !ok || len(callee.Blocks) == 0 || callee == in.caller || in.caller.IsOSSA() && !callee.IsOSSA() {
		return false
	}
	if callee.Type.Func == nil || len(s.args) != len(callee.Entry().Args) {
		return false
	}
	if sig := callee.Type.Func.Generic; sig != nil && len(s.subs) != len(sig.Params) {
		return false
	}
	if call.Op == op.BeginApply && !in.canInlineCoroutine(call, callee) || !mayNameAll(in.caller, callee) {
		return false
	}
	if len(s.subs) == 0 {
		return true
	}
	for i := range callee.Insts() {
		if _, text := i.Aux.(*ir.TextAux); text {
			return false // its types cannot be replaced
		}
	}
	low := rewrite.TypeLowering{Mod: in.c.Module, Replace: substitution(in.c.Module, callee.Type.Func.Generic, s.subs)}
	return low.LowersAll(callee)
}

// canInlineCoroutine wants one yield, and in the caller at most one end of each kind.
func (in *inliner) canInlineCoroutine(call *ir.Inst, callee *ir.Function) bool {
	yields, ends, aborts := 0, 0, 0
	for _, b := range callee.Blocks {
		if t := b.Terminator(); t != nil && t.Op == op.Yield {
			yields++
		}
	}
	for u := range token(call).Uses() {
		switch u.User().Op {
		case op.EndApply:
			ends++
		case op.AbortApply:
			aborts++
		default:
			return false
		}
	}
	return yields == 1 && ends <= 1 && aborts <= 1
}

// token returns the token of a begin_apply, its last result but for the allocation of its frame.
func token(call *ir.Inst) *ir.Value {
	for _, r := range call.Results {
		if r.Type.IsBuiltin(ir.BuiltinSILToken) || r.Type.Kind == ir.KindSILToken {
			return r
		}
	}
	return call.Results[len(call.Results)-1]
}

// inline puts the body of the callee in place of the call, which canInline allowed. The call is gone afterwards; the instruction that
// named the callee stays. It returns what was copied, and what stands for its parts.
func (in *inliner) inline(s callSite) (*ir.Function, *rewrite.Cloner) {
	call, callee := s.call, s.callee
	rewrite.SplitRevisitedEdges(in.c, callee)
	body := callee
	if callee.IsOSSA() && !in.caller.IsOSSA() {
		body = in.outOfOwnership(callee)
	}
	cl := rewrite.NewCloner(in.c.Module)
	if sig := callee.Type.Func.Generic; sig != nil {
		cl.Replace = substitution(in.c.Module, sig, s.subs)
	}
	cl.FreshOpenings(rewrite.Openings(body.Module.Types, body.Insts()), in.taken)
	if cl.Replace != nil {
		cl.Lowering = &rewrite.TypeLowering{Mod: in.c.Module, Replace: cl.Replace}
	}
	if in.mandatory {
		cl.LeaveOut = func(i *ir.Inst) bool { return i.Op == op.DebugValue }
	}
	args := slices.Clone(s.args)
	borrows := in.lexicalArguments(call, callee, args)
	entry := body.Entry()
	for n, a := range entry.Args {
		cl.Values[a] = args[n]
	}
	ret := entry.Terminator()
	if call.Op == op.Apply && ret != nil && ret.Op == op.Return && !(in.mandatory && isThunk(in.caller)) {
		for i := entry.First(); i != ret; i = i.Next() {
			if !cl.LeavesOut(i) {
				cl.Inst(i).InsertBefore(call)
			}
		}
		endBorrows(in.c.Module, call, borrows)
		call.ReplaceWith(cl.Value(ret.Arg(0)))
		return body, cl
	}
	switch call.Op {
	case op.BeginApply:
		in.spliceCoroutine(call, body, cl, borrows)
	case op.TryApply:
		in.spliceTry(call, body, cl, borrows)
	default:
		in.spliceApply(call, body, cl, borrows)
	}
	return body, cl
}

// substitution answers what stands for the parameters of a signature and for their members.
func substitution(mod *ir.Module, sig *ir.GenericSig, subs []*ir.Type) func(*ir.Type) *ir.Type {
	bind := ir.BindParams(sig, subs)
	var replace func(t *ir.Type) *ir.Type
	replace = func(t *ir.Type) *ir.Type {
		if t.Kind != ir.KindMember {
			return bind(t)
		}
		base := mod.Types.Subst(t.Elem, replace)
		if base == t.Elem {
			return nil
		}
		m := *t
		m.Elem = base
		return mod.Canonical(mod.Types.Intern(&m))
	}
	return replace
}

// outOfOwnership returns a copy of the callee out of ownership form, in which values are destroyed as the compiler's inliner does it: by
// release_value, references too.
func (in *inliner) outOfOwnership(callee *ir.Function) *ir.Function {
	body := rewrite.NewCloner(in.c.Module).Function(callee, callee.Name)
	ts := in.c.Types(callee)
	for i := range body.Insts() {
		if i.Op == op.DestroyValue && !ts.IsTrivial(i.Arg(0).Type) && !facts.IsNoescape(i.Arg(0).Type) {
			i.Op = op.ReleaseValue
		}
	}
	ossa.EliminateOwnership(in.c, body)
	in.c.Changed(body)
	return body
}

// lexicalArguments puts a lexical scope around arguments in ownership form whose parameters begin one: a borrow for a guaranteed one,
// whose begins it returns, a move for an owned one. Slots that hold arguments are lexical.
func (in *inliner) lexicalArguments(call *ir.Inst, callee *ir.Function, args []*ir.Value) (borrows []*ir.Value) {
	if !in.caller.IsOSSA() {
		return nil
	}
	ts := in.c.Types(in.caller)
	own := ownership.New(in.caller, ts)
	b := ir.At(in.c.Module, call)
	e := rewrite.NewEditor(in.c, callee)
	for n, param := range callee.Entry().Args {
		if param.Type.IsAddress() {
			slot := facts.DefinedBy(args[n], op.AllocStack)
			if conv := e.Convention(param); slot != nil && (conv == ir.ParamIn || conv == ir.ParamInGuaranteed) {
				slot.Quals = slot.Quals.With(op.QualLexical)
			}
			continue
		}
		if ts.IsTrivial(args[n].Type) {
			continue
		}
		kind := own.KindOf(args[n])
		switch ownership.ArgKind(param) {
		case ownership.KindOwned:
			if !isLexical(args[n]) {
				args[n] = rewrite.EmitQ(b, op.MoveValue, op.QualLexical, args[n]).Result()
			}
		case ownership.KindGuaranteed:
			switch {
			case isLexical(args[n]) && kind == ownership.KindGuaranteed:
				continue
			case isLexical(args[n]):
				args[n] = rewrite.Emit(b, op.BeginBorrow, args[n]).Result()
			default:
				args[n] = rewrite.EmitQ(b, op.BeginBorrow, op.QualLexical, args[n]).Result()
			}
			borrows = append(borrows, args[n])
		}
	}
	return borrows
}

// isLexical reports whether a value has a lexical lifetime: it is a parameter, or a move or borrow says so.
func isLexical(v *ir.Value) bool {
	if i := v.Inst(); i != nil {
		return (i.Op == op.MoveValue || i.Op == op.BeginBorrow) && i.Has(op.QualLexical)
	}
	b := v.Block()
	return b != nil && b.Func.Entry() == b
}

// endBorrows ends borrows before at, the last begun first.
func endBorrows(mod *ir.Module, at *ir.Inst, borrows []*ir.Value) {
	b := ir.At(mod, at)
	for _, v := range slices.Backward(borrows) {
		rewrite.Emit(b, op.EndBorrow, v)
	}
}

// splice copies the blocks of the body after the block of at, of which everything from at on moves to a block of its own; the entry
// continues the old block. It returns the block with the rest and the copies in order.
func (in *inliner) splice(at *ir.Inst, body *ir.Function, cl *rewrite.Cloner) (rest *ir.Block, made []*ir.Block) {
	old := at.Block()
	rest = in.caller.SplitBefore(at)
	cl.Blocks[body.Entry()] = old
	made = cl.Body(body, in.caller)
	in.moveAfter(old, made)
	made = append([]*ir.Block{old}, made...)
	castValues(in.c, in.caller, made)
	return rest, made
}

// moveAfter moves blocks from the end of the function to the place after old.
func (in *inliner) moveAfter(old *ir.Block, made []*ir.Block) {
	blocks := in.caller.Blocks[:len(in.caller.Blocks)-len(made)]
	in.caller.Blocks = slices.Insert(slices.Clone(blocks), slices.Index(blocks, old)+1, made...)
	in.caller.Renumber()
}

func (in *inliner) unreachable(term *ir.Inst) {
	rewrite.Emit(ir.At(in.c.Module, term), op.Unreachable)
	term.Remove()
}

// spliceApply inlines a call that cannot fail: a throw is not reached.
func (in *inliner) spliceApply(call *ir.Inst, body *ir.Function, cl *rewrite.Cloner, borrows []*ir.Value) {
	rest, made := in.splice(call, body, cl)
	result := rest.AddArg(call.Results[0].Type)
	if in.caller.IsOSSA() {
		result.Ownership = rewrite.ArgOwnership(in.c, in.caller, call.Results[0])
	}
	for _, b := range made {
		switch t := b.Terminator(); t.Op {
		case op.Return:
			endBorrows(in.c.Module, t, borrows)
			rewrite.BranchTo(in.c.Module, t, rest, t.Arg(0))
		case op.Throw, op.ThrowAddr:
			in.unreachable(t)
		}
	}
	call.ReplaceWith(result)
}

// spliceTry inlines a call that may fail: a return goes to its normal block, a throw to its error block.
func (in *inliner) spliceTry(call *ir.Inst, body *ir.Function, cl *rewrite.Cloner, borrows []*ir.Value) {
	normal, failed := call.Succs[0].To, call.Succs[1].To
	rest, made := in.splice(call, body, cl)
	for _, b := range made {
		switch t := b.Terminator(); t.Op {
		case op.Return:
			endBorrows(in.c.Module, t, borrows)
			rewrite.BranchTo(in.c.Module, t, normal, t.Arg(0))
		case op.Throw:
			endBorrows(in.c.Module, t, borrows)
			rewrite.BranchTo(in.c.Module, t, failed, t.Arg(0))
		case op.ThrowAddr:
			endBorrows(in.c.Module, t, borrows)
			rewrite.BranchTo(in.c.Module, t, failed)
		}
	}
	in.caller.RemoveBlock(rest) // it held nothing but the call
}

// spliceCoroutine inlines a coroutine: up to its yield before what follows begin_apply, from there to its return in place of
// end_apply, its unwinding in place of abort_apply.
func (in *inliner) spliceCoroutine(call *ir.Inst, body *ir.Function, cl *rewrite.Cloner, borrows []*ir.Value) {
	var end, abort *ir.Inst
	for u := range token(call).Uses() {
		if u.User().Op == op.EndApply {
			end = u.User()
		} else {
			abort = u.User()
		}
	}
	var afterEnd, afterAbort *ir.Block
	if end != nil {
		afterEnd = in.caller.SplitBefore(end)
	}
	if abort != nil {
		afterAbort = in.caller.SplitBefore(abort)
	}
	before := [2]*ir.Block{} // blocks that go on with the resumption and with the unwinding
	for n, split := range [2]*ir.Block{afterEnd, afterAbort} {
		if split != nil {
			before[n] = in.caller.Blocks[split.Index-1]
		}
	}
	old := call.Block()
	rest, made := in.splice(call, body, cl)
	for _, b := range made {
		switch t := b.Terminator(); t.Op {
		case op.Yield:
			for n := range t.Operands {
				call.Results[n].ReplaceAllUses(t.Arg(n))
			}
			for n, from := range before {
				if from == nil {
					continue
				}
				if from == old { // what follows begin_apply moved to rest
					from = rest
				}
				from.Append(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: t.Succs[n].To}}, Loc: call.Loc, Scope: call.Scope})
			}
			rewrite.BranchTo(in.c.Module, t, rest)
		case op.Return:
			endBorrows(in.c.Module, t, borrows)
			if afterEnd == nil {
				in.unreachable(t)
				continue
			}
			for _, r := range end.Results {
				r.ReplaceAllUses(t.Arg(0))
			}
			rewrite.BranchTo(in.c.Module, t, afterEnd)
		case op.Unwind:
			if afterAbort == nil {
				in.unreachable(t)
				continue
			}
			endBorrows(in.c.Module, t, borrows)
			rewrite.BranchTo(in.c.Module, t, afterAbort)
		}
	}
	if end != nil {
		end.Remove()
	}
	if abort != nil {
		abort.Remove()
	}
	rewrite.EraseUsers(token(call))
	call.Remove()
}

// mergeBlocks joins each block that ends in a branch with the block it goes to, where no other edge leads there.
func mergeBlocks(f *ir.Function) bool {
	preds := cfg.NewPredecessors(f)
	changed := false
	gone := map[*ir.Block]bool{}
	for _, b := range f.Blocks {
		for !gone[b] {
			t := b.Terminator()
			if t == nil || t.Op != op.Br || preds.Single(t.Succs[0].To) == nil || t.Succs[0].To == b || t.Succs[0].To == f.Entry() {
				break
			}
			to := t.Succs[0].To
			for n, a := range to.Args {
				a.ReplaceAllUses(t.EdgeArgs(0)[n].Value())
			}
			t.Remove()
			for i := to.First(); i != nil; i = to.First() {
				i.MoveToEnd(b)
			}
			gone[to], changed = true, true
		}
	}
	if changed {
		f.Blocks = slices.DeleteFunc(f.Blocks, func(b *ir.Block) bool { return gone[b] })
		f.Renumber()
	}
	return changed
}
