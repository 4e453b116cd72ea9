package opt

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// abiCast makes values of one type those of another that is passed the same way, as an override and what it overrides may differ:
//
//	class C to class D, metatypes of classes     upcast, unchecked_ref_cast, unchecked_trivial_bit_cast
//	C? to D?                                     the same on the optional
//	C to D?                                      enum $C?, #Optional.some, then C? to D?
//	(C, Int) to (D, Int)                         the elements, and a tuple of them
//	() -> C to () -> D                           convert_function
//
// The rules are those of castValueToABICompatibleType (lib/SILOptimizer/Utils/InstOptUtils.cpp), but for optionals of what is no class.
type abiCast struct {
	mod  *ir.Module
	ossa bool // values are in ownership form
}

// can says whether cast can make a value of type to of one of type from.
func (a abiCast) can(from, to *ir.Type) bool {
	from, to = a.mod.Canonical(from), a.mod.Canonical(to)
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
		return a.isClass(from.Elem) && a.isClass(to.Elem) && from.Name == to.Name
	case from.Kind == ir.KindTuple && to.Kind == ir.KindTuple:
		return len(from.Args) == len(to.Args) && !slices.ContainsFunc(from.Args, isPackExpansion) && a.canAll(from.Args, to.Args)
	case from.Kind == ir.KindFunction && to.Kind == ir.KindFunction:
		return a.canConvert(from.Func, to.Func)
	}
	if payload := optionalPayload(to); payload != nil {
		if some := optionalPayload(from); some != nil {
			return a.isClass(some) && a.isClass(payload)
		}
		return a.can(from, payload)
	}
	return false
}

func isPackExpansion(t *ir.Type) bool { return t.Kind == ir.KindPackExpansion }

func (a abiCast) canAll(from, to []*ir.Type) bool {
	for n := range from {
		if !a.can(from[n], to[n]) {
			return false
		}
	}
	return true
}

// canConvert says whether functions of both types take and give the same things, classes aside.
func (a abiCast) canConvert(from, to *ir.FuncType) bool {
	if len(from.Params) != len(to.Params) || len(from.Results) != len(to.Results) || len(from.Yields)+len(to.Yields) > 0 ||
		from.Generic != nil || to.Generic != nil || from.Pattern != nil || to.Pattern != nil {
		return false
	}
	for n, p := range from.Params {
		if q := to.Params[n]; p.Conv != q.Conv || !a.can(q.Type, p.Type) {
			return false
		}
	}
	for n, r := range from.Results {
		if q := to.Results[n]; r.Conv != q.Conv || !a.can(r.Type, q.Type) {
			return false
		}
	}
	if (from.Error == nil) != (to.Error == nil) || from.Error != nil && from.Error.Type != to.Error.Type || !slices.Equal(from.Attrs, to.Attrs) {
		return false
	}
	return from.Async == to.Async && from.Convention == to.Convention && from.Callee == to.Callee && from.Noescape == to.Noescape && from.Coroutine == to.Coroutine
}

func (a abiCast) isClass(t *ir.Type) bool {
	if t.Kind == ir.KindDynamicSelf {
		t = t.Elem
	}
	return a.mod.IsClassType(t)
}

// cast gives v as a value of type to.
func (a abiCast) cast(b *ir.Builder, v *ir.Value, to *ir.Type) *ir.Value {
	if a.mod.Canonical(v.Type) == a.mod.Canonical(to) {
		return v
	}
	conv := func(o op.Op) *ir.Value {
		return b.Emit(&ir.Inst{Op: o, Types: []*ir.Type{to}}, v).Result()
	}
	payload, from := optionalPayload(to), optionalPayload(v.Type)
	switch {
	case to.IsAddress():
		return conv(op.UncheckedAddrCast)
	case to.Kind == ir.KindMetatype:
		if a.isSubclass(v.Type.Elem, to.Elem) {
			return conv(op.Upcast)
		}
		return conv(op.UncheckedTrivialBitCast)
	case to.Kind == ir.KindTuple:
		return a.castTuple(b, v, to)
	case to.Kind == ir.KindFunction:
		return conv(op.ConvertFunction)
	case payload != nil && from == nil:
		if !a.isClass(payload) {
			return someOf(b, a.cast(b, v, payload), to)
		}
		return a.cast(b, someOf(b, v, a.mod.Types.Optional(v.Type)), to)
	case payload != nil && a.isSubclass(from, payload), payload == nil && a.isSubclass(v.Type, to):
		return conv(op.Upcast)
	}
	return conv(op.UncheckedRefCast)
}

// someOf wraps a value in an optional.
func someOf(b *ir.Builder, v *ir.Value, t *ir.Type) *ir.Value {
	return b.Emit(&ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: &ir.MemberAux{Type: "Optional", Name: "some", Suffix: "enumelt"}}, v).Result()
}

func (a abiCast) castTuple(b *ir.Builder, v *ir.Value, to *ir.Type) *ir.Value {
	var parts []*ir.Value
	if a.ossa {
		parts = slices.Clone(emit(b, op.DestructureTuple, v).Results)
	} else {
		for n, t := range v.Type.Args {
			parts = append(parts, extract(a.mod, b, v, n, t).Result())
		}
	}
	for n, t := range to.Args {
		parts[n] = a.cast(b, parts[n], t)
	}
	whole := &ir.Inst{Op: op.Tuple}
	if len(to.Labels) > 0 {
		whole.Types = []*ir.Type{to}
	}
	return b.Emit(whole, parts...).Result()
}

func (a abiCast) isSubclass(sub, super *ir.Type) bool {
	for n := 0; sub != nil && n < maxInheritance; n++ {
		if a.mod.Canonical(sub) == a.mod.Canonical(super) {
			return true
		}
		sub = a.mod.Superclass(sub)
	}
	return false
}

// optionalPayload gives T for Optional<T>, nil for any other type.
func optionalPayload(t *ir.Type) *ir.Type {
	if t.Kind == ir.KindNominal && t.Parent == nil && t.Name == "Optional" && len(t.Args) == 1 {
		return t.Args[0]
	}
	return nil
}
