package lower

import (
	"silvm/ir"
	"silvm/ir/op"
)

// The text of a requirement is its name and type without the labels, so that init(_:), init(clamping:) and init(truncatingIfNeeded:) read
// the same. It doesn't matter which one is meant where a type defines one by the other: its witnesses hand what they get to one function.

// sameEntry returns an entry for a requirement of which the table has several, if their functions come to the same; nil when they don't.
func (l *Lowerer) sameEntry(q requirement, table *ir.WitnessTable) *ir.WitnessEntry {
	var entry *ir.WitnessEntry
	var target *ir.Function
	for k := range table.Entries {
		e := &table.Entries[k]
		if e.Kind != ir.WitnessMethod || e.Ref.Text != q.ref.Text || e.DeclType != q.decl {
			continue
		}
		fn := l.Mod.Func(e.Func)
		if fn == nil {
			return nil
		}
		fn = l.forwardedTo(fn)
		if entry == nil {
			entry, target = e, fn
		} else if fn != target {
			return nil
		}
	}
	return entry
}

// maxForwards bounds a chain of functions that only call the next one.
const maxForwards = 8

// forwardedTo follows functions that do nothing but call another with what they were called with.
func (l *Lowerer) forwardedTo(fn *ir.Function) *ir.Function {
	for range maxForwards {
		next := l.forward(fn)
		if next == nil {
			break
		}
		fn = next
	}
	return fn
}

// carriers are instructions that hand values on, copy or destroy them: all that a function does that forwards, but for the call.
var carriers = map[op.Op]bool{
	op.FunctionRef: true, op.Metatype: true, op.AllocStack: true, op.DeallocStack: true, op.CopyAddr: true, op.DestroyAddr: true,
	op.DebugValue: true, op.RetainValue: true, op.ReleaseValue: true, op.StrongRetain: true, op.StrongRelease: true, op.CopyValue: true,
	op.DestroyValue: true, op.Load: true, op.Store: true, op.Tuple: true, op.Return: true, op.Apply: true, op.DebugStep: true,
}

// forward returns the function that fn hands its arguments to, in their order and with its type arguments, and whose result it returns; nil
// when it does anything else.
func (l *Lowerer) forward(fn *ir.Function) *ir.Function {
	if fn.Body() != nil || len(fn.Blocks) != 1 {
		return nil
	}
	var call *ir.Inst
	for i := range fn.Insts() {
		if !carriers[i.Op] || i.Op == op.Apply && call != nil {
			return nil
		}
		if i.Op == op.Apply {
			call = i
		}
	}
	if call == nil {
		return nil
	}
	callee := call.Arg(0).Inst()
	if callee == nil || callee.Op != op.FunctionRef || !passesTypes(fn, call.Aux.(*ir.ApplyAux).Subs) {
		return nil
	}
	given, ok := l.valueArgs(fn.Entry().Args)
	if !ok {
		return nil
	}
	taken := call.Operands[1:]
	if out := resultArg(fn, call); out != nil && len(given) > 0 && given[0] == out {
		given = given[1:]
	} else if out == nil && !returns(fn, call.Results[0]) {
		return nil
	}
	n := 0
	for _, o := range taken {
		v := o.Value()
		if v.Type.Kind == ir.KindMetatype {
			continue
		}
		if n == len(given) || origin(v) != given[n] {
			return nil
		}
		n++
	}
	if n != len(given) {
		return nil
	}
	return l.Mod.Func(callee.Aux.(*ir.SymbolAux).Name)
}

// passesTypes reports whether the type arguments are the function's own type parameters.
func passesTypes(fn *ir.Function, subs []*ir.Type) bool {
	sig, ok := funcTypeOf(fn)
	if !ok {
		return false
	}
	if sig.Generic == nil {
		return len(subs) == 0
	}
	if len(subs) != len(sig.Generic.Params) {
		return false
	}
	for n, p := range sig.Generic.Params {
		if subs[n].Kind != ir.KindParam || subs[n].Name != p.Name && subs[n].Name != p.Written {
			return false
		}
	}
	return true
}

// valueArgs leaves out metatypes, which say nothing that the type arguments don't; not ok for one of a class, which may be a subclass's.
func (l *Lowerer) valueArgs(args []*ir.Value) (list []*ir.Value, ok bool) {
	for _, a := range args {
		if a.Type.Kind != ir.KindMetatype {
			list = append(list, a)
		} else if d := l.Mod.DeclOf(a.Type.Elem); d == nil || l.Mod.IsClassType(a.Type.Elem) {
			return nil, false
		}
	}
	return list, true
}

// origin is the argument that a value is or was loaded from or, of memory on the stack, that it was copied from.
func origin(v *ir.Value) *ir.Value {
	in := v.Inst()
	if in != nil && in.Op == op.Load {
		v = in.Arg(0)
		in = v.Inst()
	}
	if in == nil || in.Op != op.AllocStack {
		return v
	}
	var from *ir.Value
	for u := range v.Uses() {
		i := u.User()
		if i.Op == op.CopyAddr && i.Arg(1) == v && i.Has(op.QualInit) && from == nil {
			from = i.Arg(0)
			continue
		}
		if i.Op != op.Apply && i.Op != op.DeallocStack && i.Op != op.DebugValue {
			return v
		}
	}
	return from
}

// resultArg returns the argument for an indirect result into which fn stores what the call returns, nil when there is none.
func resultArg(fn *ir.Function, call *ir.Inst) *ir.Value {
	if len(call.Results) != 1 {
		return nil
	}
	for u := range call.Results[0].Uses() {
		if i := u.User(); i.Op == op.Store && i.Arg(0) == call.Results[0] && i.Arg(1).IsArg() {
			return i.Arg(1)
		}
	}
	return nil
}

// returns reports whether fn returns a value, or an empty tuple in place of one.
func returns(fn *ir.Function, v *ir.Value) bool {
	last := fn.Entry().Last()
	if last == nil || last.Op != op.Return {
		return false
	}
	got := last.Arg(0)
	return got == v || got.Inst() != nil && got.Inst().Op == op.Tuple && len(got.Inst().Operands) == 0 && v.Type == got.Type
}
