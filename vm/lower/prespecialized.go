package lower

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// unspecialized returns the generic function behind a specialized one that has no body (ir.Module.Unspecialized), with its type arguments. A
// specialized function takes and returns directly what the generic one takes and returns by address; where they differ so, it is a function
// without type parameters that moves the values and calls it. Nil when there is none.
func (l *Lowerer) unspecialized(fn *ir.Function) (*ir.Function, []*ir.Type) {
	generic, subs := l.Mod.Unspecialized(fn)
	if generic == nil {
		return nil, nil
	}
	from, to := fn.Type.Func, generic.Type.Func
	switch {
	case sameConventions(from, to):
		return generic, subs
	case from.Coroutine != ir.NotCoroutine || from.Async || from.Error != nil && from.Error.Indirect != to.Error.Indirect:
		return nil, nil
	}
	return l.reabstraction(fn, generic, subs), nil
}

// sameConventions reports whether two functions take and give their values in the same ways.
func sameConventions(from, to *ir.FuncType) bool {
	return slices.EqualFunc(from.Params, to.Params, func(a, b ir.Param) bool { return a.Conv == b.Conv || !a.Conv.IsIndirect() && !b.Conv.IsIndirect() }) &&
		slices.EqualFunc(from.Results, to.Results, func(a, b ir.Result) bool { return a.Conv.IsIndirect() == b.Conv.IsIndirect() })
}

// reabstraction makes the function that stands for fn and calls generic with memory of its own for what only that one takes or returns by
// address.
func (l *Lowerer) reabstraction(fn, generic *ir.Function, subs []*ir.Type) *ir.Function {
	made := &ir.Function{Name: fn.Name, Type: fn.Type, Module: l.Mod, Pos: fn.Pos}
	r := &reabstractor{mod: l.Mod, fn: made, b: ir.AtEnd(l.Mod, made.AddBlock("bb0"))}
	from, to := fn.Type.Func, generic.Type.Func
	entry := r.b.Block
	var args []*ir.Value
	for _, t := range l.Mod.ArgumentTypes(from, nil) {
		args = append(args, entry.AddArg(t))
	}
	callee := r.b.Emit(&ir.Inst{Op: op.FunctionRef, Types: []*ir.Type{generic.Type}, Aux: &ir.SymbolAux{Name: generic.Name, Func: generic}}).Result()
	operands := []*ir.Value{callee}
	types := l.Mod.ArgumentTypes(to, subs)
	for n, res := range to.Results {
		switch {
		case !res.Conv.IsIndirect():
		case from.Results[n].Conv.IsIndirect():
			operands, args = append(operands, args[0]), args[1:]
		default:
			slot := r.slot(types[len(operands)-1])
			r.outs, operands = append(r.outs, slot), append(operands, slot)
		}
	}
	for n, p := range to.Params {
		v := args[n]
		if p.Conv.IsIndirect() && !from.Params[n].Conv.IsIndirect() {
			slot := r.slot(types[len(operands)-1])
			r.b.Emit(&ir.Inst{Op: op.Store}, v, slot)
			v = slot
		}
		operands = append(operands, v)
	}
	r.call(from, to, &ir.ApplyAux{Subs: subs, Fn: generic.Type}, operands)
	return made
}

// reabstractor builds such a function.
type reabstractor struct {
	mod         *ir.Module
	fn          *ir.Function
	b           *ir.Builder
	slots, outs []*ir.Value
}

func (r *reabstractor) slot(t *ir.Type) *ir.Value {
	v := r.b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{t.Object()}}).Results[0]
	r.slots = append(r.slots, v)
	return v
}

// free deallocates the memory, in reverse order.
func (r *reabstractor) free() {
	for n := len(r.slots) - 1; n >= 0; n-- {
		r.b.Emit(&ir.Inst{Op: op.DeallocStack}, r.slots[n])
	}
}

// call ends the function with the call and what follows it.
func (r *reabstractor) call(from, to *ir.FuncType, aux *ir.ApplyAux, operands []*ir.Value) {
	var direct *ir.Value
	if to.Error == nil {
		direct = r.b.Emit(&ir.Inst{Op: op.Apply, Aux: aux}, operands...).Result()
	} else {
		normal, failed := r.fn.AddBlock("bb1"), r.fn.AddBlock("bb2")
		probe := &ir.Inst{Op: op.Apply, Aux: aux}
		given, _ := r.mod.ResultTypes(probe)
		r.b.Emit(&ir.Inst{Op: op.TryApply, Aux: aux, Succs: []ir.Edge{{To: normal}, {To: failed}}}, operands...)
		r.b.Block = failed
		thrown := failed.AddArg(to.Error.Type)
		r.free()
		r.b.Emit(&ir.Inst{Op: op.Throw}, thrown)
		r.b.Block = normal
		direct = normal.AddArg(given[0])
	}
	r.give(from, to, direct)
}

// give returns the direct results of from: what the call returned so, and what it left in memory.
func (r *reabstractor) give(from, to *ir.FuncType, direct *ir.Value) {
	several := 0
	for _, res := range to.Results {
		if !res.Conv.IsIndirect() {
			several++
		}
	}
	var parts, elems []*ir.Value
	if several > 1 {
		elems = r.b.Emit(&ir.Inst{Op: op.DestructureTuple}, direct).Results
	} else {
		elems = []*ir.Value{direct}
	}
	for n, res := range to.Results {
		switch {
		case from.Results[n].Conv.IsIndirect():
		case res.Conv.IsIndirect():
			parts = append(parts, r.b.Emit(&ir.Inst{Op: op.Load}, r.outs[0]).Result())
			r.outs = r.outs[1:]
		default:
			parts, elems = append(parts, elems[0]), elems[1:]
		}
	}
	r.free()
	v := (*ir.Value)(nil)
	if len(parts) == 1 {
		v = parts[0]
	} else {
		types := make([]*ir.Type, len(parts))
		for n, p := range parts {
			types[n] = p.Type
		}
		v = r.b.Emit(&ir.Inst{Op: op.Tuple, Types: []*ir.Type{r.mod.Types.Tuple(types, nil)}}, parts...).Result()
	}
	r.b.Emit(&ir.Inst{Op: op.Return}, v)
}
