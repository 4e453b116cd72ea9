package rewrite

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// ABICast makes values of one type those of another that is passed the same way, as an override and what it overrides may differ:
//
//	class C to class D, metatypes of classes     upcast, unchecked_ref_cast, unchecked_trivial_bit_cast
//	C? to D?                                     the same on the optional
//	C to D?                                      enum $C?, #Optional.some, then C? to D?
//	(C, Int) to (D, Int)                         the elements, and a tuple of them
//	() -> C to () -> D                           convert_function
//
// The rules are those of castValueToABICompatibleType (lib/SILOptimizer/Utils/InstOptUtils.cpp), but for optionals of what is no class.
type ABICast struct {
	Mod  *ir.Module
	Ossa bool // values are in ownership form
}

// Can reports whether cast can make a value of type to of one of type from.
func (a ABICast) Can(from, to *ir.Type) bool {
	from, to = a.Mod.Canonical(from), a.Mod.Canonical(to)
	switch {
	case from == to:
		return true
	case from.IsAddress() != to.IsAddress():
		return false
	case from.IsAddress():
		return a.isClass(from.Elem) && a.isClass(to.Elem)
	case a.isClass(from) && a.isClass(to):
		return true
	case from.Kind == ir.KindMetatype && to.Kind == ir.KindMetatype:
		return a.isClass(from.Elem) && a.isClass(to.Elem) && from.Rep == to.Rep
	case from.Kind == ir.KindTuple && to.Kind == ir.KindTuple:
		return len(from.Args) == len(to.Args) && !slices.ContainsFunc(from.Args, isPackExpansion) && a.canAll(from.Args, to.Args)
	case from.Kind == ir.KindFunction && to.Kind == ir.KindFunction:
		return a.canConvert(from.Func, to.Func)
	}
	if payload := to.OptionalPayload(); payload != nil {
		if some := from.OptionalPayload(); some != nil {
			return a.isClass(some) && a.isClass(payload)
		}
		return a.Can(from, payload)
	}
	return false
}

func isPackExpansion(t *ir.Type) bool { return t.Kind == ir.KindPackExpansion }

func (a ABICast) canAll(from, to []*ir.Type) bool {
	for n := range from {
		if !a.Can(from[n], to[n]) {
			return false
		}
	}
	return true
}

// canConvert reports whether functions of both types take and return the same things, classes aside.
func (a ABICast) canConvert(from, to *ir.FuncType) bool {
	if len(from.Params) != len(to.Params) || len(from.Results) != len(to.Results) || len(from.Yields)+len(to.Yields) > 0 ||
		from.Generic != nil || to.Generic != nil || from.Pattern != nil || to.Pattern != nil {
		return false
	}
	for n, p := range from.Params {
		if q := to.Params[n]; p.Conv != q.Conv || !a.Can(q.Type, p.Type) {
			return false
		}
	}
	for n, r := range from.Results {
		if q := to.Results[n]; r.Conv != q.Conv || !a.Can(r.Type, q.Type) {
			return false
		}
	}
	if (from.Error == nil) != (to.Error == nil) || from.Error != nil && from.Error.Type != to.Error.Type || !slices.Equal(from.Attrs, to.Attrs) {
		return false
	}
	return from.Async == to.Async && from.IsSameConvention(to) && from.Callee == to.Callee && from.Noescape == to.Noescape && from.Coroutine == to.Coroutine
}

func (a ABICast) isClass(t *ir.Type) bool {
	if t.Kind == ir.KindDynamicSelf {
		t = t.Elem
	}
	return a.Mod.IsClassType(t)
}

// Cast returns v as a value of type to.
func (a ABICast) Cast(b *ir.Builder, v *ir.Value, to *ir.Type) *ir.Value {
	if a.Mod.Canonical(v.Type) == a.Mod.Canonical(to) {
		return v
	}
	conv := func(o op.Op) *ir.Value {
		return b.Emit(&ir.Inst{Op: o, Types: []*ir.Type{to}}, v).Result()
	}
	payload, from := to.OptionalPayload(), v.Type.OptionalPayload()
	switch {
	case to.IsAddress():
		return conv(op.UncheckedAddrCast)
	case to.Kind == ir.KindMetatype:
		if a.Mod.Inherits(v.Type.Elem, to.Elem) {
			return conv(op.Upcast)
		}
		return conv(op.UncheckedTrivialBitCast)
	case to.Kind == ir.KindTuple:
		return a.castTuple(b, v, to)
	case to.Kind == ir.KindFunction:
		return conv(op.ConvertFunction)
	case payload != nil && from == nil:
		if !a.isClass(payload) {
			return someOf(b, a.Cast(b, v, payload), to)
		}
		return a.Cast(b, someOf(b, v, a.Mod.Types.Optional(v.Type)), to)
	case payload != nil && a.Mod.Inherits(from, payload), payload == nil && a.Mod.Inherits(v.Type, to):
		return conv(op.Upcast)
	}
	return conv(op.UncheckedRefCast)
}

// someOf wraps a value in an optional.
func someOf(b *ir.Builder, v *ir.Value, t *ir.Type) *ir.Value {
	return b.Emit(&ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: &ir.MemberAux{Type: "Optional", Name: ir.CaseSome, Suffix: "enumelt"}}, v).Result()
}

func (a ABICast) castTuple(b *ir.Builder, v *ir.Value, to *ir.Type) *ir.Value {
	var parts []*ir.Value
	if a.Ossa {
		parts = slices.Clone(Emit(b, op.DestructureTuple, v).Results)
	} else {
		for n, t := range v.Type.Args {
			parts = append(parts, Extract(a.Mod, b, v, n, t).Result())
		}
	}
	for n, t := range to.Args {
		parts[n] = a.Cast(b, parts[n], t)
	}
	whole := &ir.Inst{Op: op.Tuple}
	if len(to.Labels) > 0 {
		whole.Types = []*ir.Type{to}
	}
	return b.Emit(whole, parts...).Result()
}
