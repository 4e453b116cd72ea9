package lower

import (
	"slices"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/op"
)

// The standard library brings some of its generic functions specialized: what a program calls then has no body in the file, but the
// generic function may have one, here or in the text of the library. Its name is the first part of the other's (docs/ABI/Mangling.rst,
// function specializations), and the types of the two tell the type arguments. A specialized function takes and gives directly what
// the generic one takes and gives by address; where they differ so, a function in between moves the values.

// prespecialized marks what the library specializes: for references, and for the types that were thought common.
var prespecialized = []string{"_Ts5", "_Tg5"}

// unspecialized returns the generic function behind a specialized one that has no body, with its type arguments; or a function without type
// parameters that calls it, where the two take values in different ways; nil when there is none.
func (l *Lowerer) unspecialized(fn *ir.Function) (*ir.Function, []*ir.Type) {
	if !fn.IsDeclaration() || len(fn.Name) < 4 || !slices.Contains(prespecialized, fn.Name[len(fn.Name)-4:]) {
		return nil, nil
	}
	generic := l.genericOf(fn.Name)
	if generic == nil {
		return nil, nil
	}
	from, fine := funcTypeOf(fn)
	to, ok := funcTypeOf(generic)
	if !fine || !ok || to.Generic == nil || len(from.Params)+len(from.Results) != len(to.Params)+len(to.Results) || len(from.Results) != len(to.Results) {
		return nil, nil
	}
	subs := l.argumentsOf(from, to, l.namedArguments(fn.Name))
	switch {
	case subs == nil:
		return nil, nil
	case sameConventions(from, to):
		return generic, subs
	case from.Coroutine != ir.NotCoroutine || from.Async || from.Error != nil && from.Error.Indirect != to.Error.Indirect:
		return nil, nil
	}
	return l.reabstraction(fn, generic, subs), nil
}

// genericOf finds the function with a body whose name the longest part of a specialized name is.
func (l *Lowerer) genericOf(name string) *ir.Function {
	for n := len(name) - 4; n > len("$s"); n-- {
		if f := l.Mod.Func(name[:n]); f != nil {
			if f.IsDeclaration() {
				return nil
			}
			return f
		}
	}
	return nil
}

// argumentsOf returns the type arguments that make one function type of the other, nil when some stay unknown. Those that the name tells
// are given: they count where the types say nothing.
func (l *Lowerer) argumentsOf(from, to *ir.FuncType, named []*ir.Type) []*ir.Type {
	binding := map[string]*ir.Type{}
	match := func(pattern, t *ir.Type) bool {
		b, ok := ir.MatchType(l.Mod.Canonical(pattern.Object()), l.Mod.Canonical(t.Object()))
		if !ok {
			return true // it speaks of a member of a parameter
		}
		for name, t := range b {
			if old := binding[name]; old != nil && old != t {
				return false
			}
			binding[name] = t
		}
		return true
	}
	for n := range to.Params {
		if !match(to.Params[n].Type, from.Params[n].Type) {
			return nil
		}
	}
	for n := range to.Results {
		if !match(to.Results[n].Type, from.Results[n].Type) {
			return nil
		}
	}
	var subs []*ir.Type
	for n, p := range to.Generic.Params {
		t := binding[p.Name]
		if t == nil && n < len(named) {
			t = named[n]
		}
		if t == nil {
			return nil
		}
		subs = append(subs, t)
	}
	return subs
}

// namedArguments returns the type arguments that the name of a specialized function tells, nil for each that is more than the name of a type.
func (l *Lowerer) namedArguments(name string) []*ir.Type {
	root, ok := mangle.Parse(name)
	if !ok || len(root.Children) == 0 {
		return nil
	}
	var types []*ir.Type
	for _, p := range root.Children[0].Children {
		if p.Kind == mangle.GenericSpecializationParam && len(p.Children) > 0 {
			types = append(types, l.namedType(p.Children[0]))
		}
	}
	return types
}

// namedType returns the type of the standard library that a node of a name stands for, nil when it is none.
func (l *Lowerer) namedType(n *mangle.Node) *ir.Type {
	for n.Kind == mangle.Type && len(n.Children) == 1 {
		n = n.Children[0]
	}
	ts := l.Mod.Types
	switch {
	case n.Kind == mangle.ProtocolListWithAnyObject:
		return ts.Intern(&ir.Type{Kind: ir.KindExistential, Args: []*ir.Type{ts.Nominal(nil, "AnyObject")}})
	case n.Kind != mangle.Structure && n.Kind != mangle.Enum && n.Kind != mangle.Class, len(n.Children) != 2, n.Children[0].Text != "Swift":
		return nil
	}
	return ts.Nominal(nil, n.Children[1].Text)
}

// sameConventions reports whether two functions take and give their values in the same ways.
func sameConventions(from, to *ir.FuncType) bool {
	return slices.EqualFunc(from.Params, to.Params, func(a, b ir.Param) bool { return a.Conv == b.Conv || !a.Conv.IsIndirect() && !b.Conv.IsIndirect() }) &&
		slices.EqualFunc(from.Results, to.Results, func(a, b ir.Result) bool { return a.Conv.IsIndirect() == b.Conv.IsIndirect() })
}

// reabstraction makes the function that stands for fn and calls generic with memory of its own for what only that one takes or gives by
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

// free gives the memory back, the last first.
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

// give returns the results that from gives directly: what the call gave so, and what it left in memory.
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
