package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// integerType is what is known of an integer of the library: how wide it is, and whether it has a sign.
type integerType struct {
	bits   uint
	signed bool
}

var integerTypes = map[string]integerType{
	"Int": {64, true}, "Int8": {8, true}, "Int16": {16, true}, "Int32": {32, true}, "Int64": {64, true},
	"UInt": {64, false}, "UInt8": {8, false}, "UInt16": {16, false}, "UInt32": {32, false}, "UInt64": {64, false},
}

// integerOf returns what a type of the library is as an integer; ok is false for any other type.
func (r *Combiner) integerOf(t *ir.Type) (k integerType, ok bool) {
	if t.Kind != ir.KindNominal || t.Parent != nil || len(t.Args) > 0 {
		return k, false
	}
	if d := r.Context.Module.DeclOf(t); d != nil && !d.Builtin {
		return k, false // the program's own type of that name
	}
	k, ok = integerTypes[t.Name]
	fields, known := r.Types.FieldTypes(t)
	return k, ok && known && len(fields) == 1 && fields[0].IntWidth() == k.bits
}

// convertInteger converts an integer to one that holds it, where a program asks a requirement for that:
//
//	%1 = witness_method $Int, #BinaryInteger.init!allocator
//	apply %1<Int, UInt8>(%out, %in, %type)                        →    %2 = load %in ; … zext … ; store %3 to %out
//
// The text of the requirement is init(_:), init(truncatingIfNeeded:) and init(clamping:) at once, so that no witness can be called; on numbers
// that fit they are one. A number fits because all of its type do, or because the program has checked on the way that this one does:
// init(_:) of the library checks, then truncates.
func (r *Combiner) convertInteger(call, method *ir.Inst) bool {
	aux, _ := method.Aux.(*ir.MethodAux)
	subs := call.Aux.(*ir.ApplyAux).Subs
	if aux == nil || aux.Ref.Text != "#BinaryInteger.init!allocator" || len(subs) != 2 || len(call.Operands) != 4 || call.Op != op.Apply {
		return false
	}
	fn := facts.Callee(call)
	if fn == nil || len(fn.Params) != 2 || fn.Params[0].Conv != ir.ParamIn || len(fn.Results) != 1 || fn.Results[0].Conv != ir.ResultOut || fn.Generic == nil || !takesBinaryInteger(fn.Generic) {
		return false
	}
	out, in := call.Arg(1), call.Arg(2)
	if out.Type.Object() != subs[0] || in.Type.Object() != subs[1] {
		return false
	}
	to, ok := r.integerOf(subs[0])
	from, known := r.integerOf(subs[1])
	if !ok || !known || !boundsOf(from).isWithin(boundsOf(to)) && !r.isStoredWithin(in, call, from, boundsOf(to)) {
		return false
	}
	b := r.Before(call)
	fields, _ := r.Types.FieldTypes(subs[0])
	v := rewrite.Extract(r.Context.Module, b, rewrite.Emit(b, op.Load, in).Result(), 0, r.builtinField(subs[1])).Result()
	if to.bits != from.bits {
		id := op.BuiltinZext
		switch {
		case to.bits < from.bits:
			id = op.BuiltinTrunc
		case from.signed:
			id = op.BuiltinSext
		}
		i := b.Emit(&ir.Inst{Op: op.Builtin, Aux: ir.BuiltinOn(id, v.Type, fields[0]), Types: []*ir.Type{fields[0]}}, v)
		if i.Result().Type == nil {
			i.Result().Type = fields[0]
		}
		v = i.Result()
	}
	rewrite.Emit(b, op.Store, rewrite.BuildAggregate(b, subs[0], []*ir.Value{v}), out)
	r.Context.Passed(r.Func, call, "converted the number itself")
	r.erase(call)
	return true
}

// isStoredWithin reports whether the number that a call is passed in memory of its own is known to be within bounds.
func (r *Combiner) isStoredWithin(in *ir.Value, call *ir.Inst, k integerType, bounds numberBounds) bool {
	if facts.DefinedBy(in, op.AllocStack) == nil {
		return false
	}
	var store *ir.Inst
	for u := range in.Uses() {
		switch i := u.User(); {
		case i == call, i.Op == op.DeallocStack, i.Op == op.DebugValue:
		case i.Op == op.Store && i.Arg(1) == in && store == nil:
			store = i
		default:
			return false
		}
	}
	i := call.Prev()
	for i != nil && i != store {
		i = i.Prev()
	}
	if i == nil {
		return false // a store elsewhere may be one of another iteration
	}
	number := facts.DefinedBy(store.Arg(0), op.Struct)
	return number != nil && len(number.Operands) == 1 && r.checkedBounds(number.Arg(0), k, call).isWithin(bounds)
}

// builtinField returns the type of the only field of an integer.
func (r *Combiner) builtinField(t *ir.Type) *ir.Type {
	fields, _ := r.Types.FieldTypes(t)
	return fields[0]
}

// takesBinaryInteger reports whether the requirement's own parameter is any integer, and not a floating point number.
func takesBinaryInteger(sig *ir.GenericSig) bool {
	if len(sig.Params) != 2 || len(sig.Requirements) < 2 {
		return false
	}
	for _, q := range sig.Requirements {
		if q.Subject != nil && q.Subject.Name == sig.Params[1].Name {
			return q.Type != nil && q.Type.Known() == ir.KnownBinaryInteger
		}
	}
	return false
}
