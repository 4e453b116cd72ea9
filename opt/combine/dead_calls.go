package combine

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// The rules for calls and boxes whose result nobody uses.

// usersOfUnused lists retains, releases, copies, borrows and parts of a result, inner ones after the ones that they are made from; false
// when there are other users.
func usersOfUnused(v *ir.Value, list []*ir.Inst) ([]*ir.Inst, bool) {
	for u := range v.Uses() {
		i := u.User()
		switch i.Op {
		case op.StrongRetain, op.StrongRelease, op.RetainValue, op.ReleaseValue, op.UnownedRetain, op.UnownedRelease, op.DestroyValue,
			op.DebugValue, op.EndBorrow:
			list = append(list, i)
		case op.TupleExtract, op.StructExtract, op.CopyValue, op.BeginBorrow, op.PointerToAddress:
			list = append(list, i)
			var ok bool
			if list, ok = usersOfUnused(i.Results[0], list); !ok {
				return list, false
			}
		default:
			return list, false
		}
	}
	return list, true
}

// countIn counts the instructions of a block when all but its terminator are in the list; -1 when others are.
func countIn(b *ir.Block, list []*ir.Inst) int {
	n := 0
	for i := b.First(); i != b.Last(); i = i.Next() {
		if !slices.Contains(list, i) {
			return -1
		}
		n++
	}
	return n
}

// deadCall removes a call whose callee promises to read memory at most, and whose result is only retained and released. What the call
// would have consumed is destroyed where the result's life ends.
func (r *Combiner) deadCall(i *ir.Inst) bool {
	f := facts.StaticCallee(i)
	if f == nil || !onlyReads(f) && !facts.HasSemantics(f, ir.SemanticsStringInitEmptyWithCapacity) && !facts.HasSemantics(f, ir.SemanticsArrayUninitialized) ||
		facts.IndirectResults(i.Arg(0).Type.Func) > 0 {
		return false
	}
	users, ok := usersOfUnused(i.Results[0], nil)
	return ok && r.eraseCall(i, users)
}

// eraseCall removes a call with the users of its result.
func (r *Combiner) eraseCall(call *ir.Inst, users []*ir.Inst) bool {
	var at []*ir.Inst
	switch {
	case call.Op.IsTerminator():
		for _, e := range call.Succs {
			i := e.To.Last()
			for i.Prev() != nil && !slices.Contains(users, i.Prev()) {
				i = i.Prev()
			}
			at = append(at, i)
		}
	case len(users) == 0:
		at = append(at, call)
	default:
		way, ok := rewrite.RegionOf(r.preds, call.Next(), users)
		if !ok {
			return false
		}
		for _, end := range way.Ends {
			at = append(at, end.Before)
		}
		if !r.consumedStays(call, users, at) {
			return false
		}
	}
	for _, before := range at {
		for n := 1; n < len(call.Operands); n++ {
			switch p := facts.Param(call, n); {
			case p == nil:
			case p.Conv == ir.ParamDirectOwned:
				b := r.Before(before)
				b.Loc, b.Scope = call.Loc, call.Scope
				r.DestroyValue(b, call.Arg(n))
				r.Push(before.Prev())
			case p.Conv == ir.ParamIn:
				r.emit(before, &ir.Inst{Op: op.DestroyAddr}, call.Arg(n))
			}
		}
	}
	for n := len(users) - 1; n >= 0; n-- {
		r.erase(users[n])
	}
	if call.Block() != nil && !call.Op.IsTerminator() {
		r.erase(call)
	}
	return true
}

// consumedStays reports whether what a call consumes can be destroyed later, before the instructions in at: nothing on the way there may give
// back the memory of an object, which could be one that is still to be released, nor write to memory whose value is still to be destroyed.
func (r *Combiner) consumedStays(call *ir.Inst, users, at []*ir.Inst) bool {
	var objects bool
	var memory []*ir.Value
	for n := 1; n < len(call.Operands); n++ {
		if p := facts.Param(call, n); p != nil {
			objects = objects || p.Conv == ir.ParamDirectOwned
			if p.Conv == ir.ParamIn {
				memory = append(memory, call.Arg(n))
			}
		}
	}
	if !objects && memory == nil {
		return true
	}
	p := r.Context.Program(r.Func)
	stays := func(i *ir.Inst) bool {
		if slices.Contains(users, i) {
			return true
		}
		switch i.Op {
		case op.DeallocRef, op.DeallocPartialRef, op.DeallocStackRef, op.DeallocBox:
			return !objects && memory == nil
		case op.DeallocStack:
			return memory == nil
		}
		return !slices.ContainsFunc(memory, func(v *ir.Value) bool { return p.MayWriteTo(i, v) })
	}
	seen := map[*ir.Block]bool{}
	work := slices.Clone(at)
	for before := range worklist.Drain(&work) {
		i := before.Prev()
		for ; i != nil && i != call; i = i.Prev() {
			if !stays(i) {
				return false
			}
		}
		if i == call {
			continue
		}
		for _, from := range r.preds.Of(before.Block()) {
			if !seen[from] {
				seen[from] = true
				if work = append(work, from.Last()); !stays(from.Last()) {
					return false
				}
			}
		}
	}
	return true
}

// tryApply calls the thin function behind a thick one, and looks methods up in concrete types, as apply does.
func (r *Combiner) tryApply(i *ir.Inst) bool {
	if t := facts.DefinedBy(i.Arg(0), op.ThinToThickFunction); t != nil && i.Arg(0).Type.Func.Callee != ir.CalleeOwned {
		return r.tryThin(i, t.Arg(0))
	}
	if c := convertedCallee(i); c != nil {
		if fn := converted(c); fn != nil && facts.DefinedBy(fn, op.FunctionRef) == nil {
			return r.callConverted(i, fn)
		}
		return false
	}
	if r.deadTry(i) {
		return true
	}
	if w := facts.DefinedBy(i.Arg(0), op.WitnessMethod); w != nil && !r.OSSA {
		return r.callConcrete(i, w)
	}
	return !r.OSSA && facts.DefinedBy(i.Arg(0), op.FunctionRef) != nil && r.callGeneric(i)
}

// deadTry removes a call that may throw, when both paths go on to the same place without asking for a result. A branch on a constant
// takes its place, so that the edges stay.
func (r *Combiner) deadTry(i *ir.Inst) bool {
	f := facts.StaticCallee(i)
	if f == nil || !onlyReads(f) || r.OSSA {
		return false
	}
	normal, failed := i.Succs[0].To, i.Succs[1].To
	a, b := normal.Last(), failed.Last()
	if len(normal.Args) != 1 || len(failed.Args) != 1 || a.Op != op.Br || b.Op != op.Br || a.Succs[0].To != b.Succs[0].To ||
		r.preds.Single(normal) == nil || r.preds.Single(failed) == nil {
		return false
	}
	for n := range a.Operands {
		if a.Arg(n) != b.Arg(n) {
			return false
		}
	}
	users, ok := usersOfUnused(normal.Args[0], nil)
	if ok {
		users, ok = usersOfUnused(failed.Args[0], users)
	}
	if !ok || countIn(normal, users)+countIn(failed, users) != len(users) || !r.eraseCall(i, users) {
		return false
	}
	normal.RemoveArg(0)
	failed.RemoveArg(0)
	no := r.number(i, r.Context.Module.Types.BuiltinInt(1), 0)
	return r.terminator(i, &ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: normal, First: 1}, {To: failed, First: 1}}}, no)
}

func (r *Combiner) tryThin(i *ir.Inst, fn *ir.Value) bool {
	aux := *i.Aux.(*ir.ApplyAux)
	if fn.Type.Kind != ir.KindFunction || fn.Type.Func.Generic != nil || len(aux.Subs) > 0 || fn.Type.Func.Error == nil {
		return false
	}
	aux.Fn = fn.Type
	vs := rewrite.Values(i)
	vs[0] = fn
	return r.tryInstead(i, &ir.Inst{Op: i.Op, Quals: i.Quals, Aux: &aux, Types: i.Types}, vs...)
}

// tryInstead puts another try_apply with the same ways on in place of one.
func (r *Combiner) tryInstead(i, by *ir.Inst, vs ...*ir.Value) bool {
	by.Succs = make([]ir.Edge, len(i.Succs))
	for n := range by.Succs {
		by.Succs[n] = ir.Edge{To: i.Succs[n].To}
	}
	return r.terminator(i, by, vs...)
}

// existentialBox removes a box of an error that is made and given up again: what was stored in it is destroyed where the box was.
//
//	%1 = alloc_existential_box $any Error, $E
//	%2 = project_existential_box $E in %1
//	store %0 to %2
//	strong_release %1                              →   release_value %0
func (r *Combiner) existentialBox(box *ir.Inst) bool {
	v, destroy := r.boxed(box, nil), (*ir.Inst)(nil)
	if v == nil {
		return false
	}
	for u := range box.Results[0].Uses() {
		switch u.User().Op {
		case op.StrongRelease, op.ReleaseValue, op.DestroyValue:
			if destroy != nil {
				return false
			}
			destroy = u.User()
		}
	}
	if destroy == nil {
		return false
	}
	b := r.Before(destroy)
	b.Loc, b.Scope = box.Loc, box.Scope
	r.DestroyValue(b, v)
	r.Push(destroy.Prev())
	r.eraseWithUsers(box)
	return true
}

// boxed returns the only value that is stored in a box that is not used otherwise, except by ignored; nil when there is none.
func (r *Combiner) boxed(box, ignored *ir.Inst) *ir.Value {
	var store *ir.Inst
	work := []*ir.Value{box.Results[0]}
	for v := range worklist.Drain(&work) {
		for u := range v.Uses() {
			switch i := u.User(); i.Op {
			case op.StrongRetain, op.StrongRelease, op.DestroyValue, op.EndBorrow, op.DebugValue:
			case op.CopyValue, op.BeginBorrow:
				work = append(work, i.Results[0])
			case op.ProjectExistentialBox:
				for w := range i.Results[0].Uses() {
					switch s := w.User(); {
					case facts.IsDebug(s):
					case s.Op == op.Store && store == nil && s.Arg(1) == i.Results[0]:
						store = s
					default:
						return nil
					}
				}
			case op.Builtin:
				if i.Builtin() != op.BuiltinWillThrow {
					return nil
				}
			default:
				if i != ignored {
					return nil
				}
			}
		}
	}
	if store == nil {
		return nil
	}
	return store.Arg(0)
}

// onlyReads reports whether a function promises to do no more than read memory, and to release the arguments that it owns.
func onlyReads(f *ir.Function) bool {
	return f.Attrs.HasAny(ir.AttrReadnone, ir.AttrReadonly) && !facts.HasSemantics(f, ir.SemanticsTraps)
}
