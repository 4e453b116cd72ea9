package fold

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// CastOutcome says what is known about a cast before the program runs.
type CastOutcome uint8

// The outcomes.
const (
	castMay CastOutcome = iota // the program decides
	CastSucceeds
	CastFails
)

// Foresee reports whether a cast between two types succeeds: of classes by their ancestors, of structs and enums by their names. Types
// that casts convert, such as optionals and AnyHashable, are left to the program.
func Foresee(mod *ir.Module, from, to *ir.Type) CastOutcome {
	if from == to {
		return CastSucceeds
	}
	if mod.IsClassType(from) && mod.IsClassType(to) && from.Kind == ir.KindNominal && to.Kind == ir.KindNominal {
		switch {
		case mod.Inherits(from, to):
			return CastSucceeds
		case mod.MayInherit(from, to) || mod.MayInherit(to, from) || len(from.AllArgs()) > 0 || len(to.AllArgs()) > 0:
			return castMay
		}
		return CastFails
	}
	if IsPlainValue(mod, to) && (IsPlainValue(mod, from) || mod.IsClassType(from) && from.Kind == ir.KindNominal && isNeverBridged(mod, to)) {
		return CastFails
	}
	if isCollection(from) && (IsPlainValue(mod, to) || isCollection(to) && from.Known() != to.Known()) || IsPlainValue(mod, from) && isCollection(to) {
		return CastFails
	}
	return castMay
}

// isCollection reports whether the type is an array, a dictionary or a set, which casts convert to another of its kind only, with arguments that
// are known.
func isCollection(t *ir.Type) bool {
	switch t.Known() {
	case ir.KnownArray, ir.KnownDictionary, ir.KnownSet:
		return !IsGeneric(t)
	}
	return false
}

// isNeverBridged reports whether no object is cast to a type of values: one of the program, which does not say that it is bridged.
func isNeverBridged(mod *ir.Module, t *ir.Type) bool {
	d := mod.DeclOf(t)
	return d != nil && !d.Builtin && d.Module == "" && !mod.Conforms(t, mod.Types.Nominal(nil, "_ObjectiveCBridgeable"))
}

// convertible are the types of the library that casts convert.
var convertible = map[ir.Known]bool{ir.KnownAnyHashable: true, ir.KnownOptional: true, ir.KnownArray: true, ir.KnownDictionary: true, ir.KnownSet: true}

// IsPlainValue reports whether the type is a struct or enum that no cast converts, with arguments that are known.
func IsPlainValue(mod *ir.Module, t *ir.Type) bool {
	if t.Kind != ir.KindNominal || convertible[t.Known()] || IsGeneric(t) {
		return false
	}
	d := mod.DeclOf(t)
	return d != nil && (d.Kind == ir.Struct || d.Kind == ir.Enum)
}

// ForeseeInMemory tells the outcome of a cast in memory. One to an existential or an optional succeeds by making it.
func ForeseeInMemory(mod *ir.Module, from, to *ir.Type) CastOutcome {
	known := ForeseeMeta(mod, from, to)
	if known == castMay && (ConformsTo(mod, nil, from, to) || to.OptionalPayload() == from && IsPlainValue(mod, from)) {
		return CastSucceeds
	}
	return known
}

// ConformsTo reports whether a struct, enum or class, or a parameter of the signature, which may be nil, conforms to the one protocol that an
// existential asks for, whatever stands for the parameters.
func ConformsTo(mod *ir.Module, sig *ir.GenericSig, from, to *ir.Type) bool {
	if to.Kind != ir.KindExistential || len(to.Args) != 1 || to.Args[0].Kind != ir.KindNominal || to.Args[0].Known() == ir.KnownAnyObject {
		return false
	}
	switch proto := to.Args[0]; from.Kind {
	case ir.KindNominal:
		return !convertible[from.Known()] && mod.Conforms(from, proto) && mod.ConformanceActor(from, proto) == nil
	case ir.KindParam:
		// any Error conforms to Error itself: what is cast may be one already
		return sig != nil && proto.Known() != ir.KnownError && slices.ContainsFunc(sig.Requirements, func(r ir.Requirement) bool {
			return r.Kind == ir.ReqConformance && r.Subject == from && mod.Refines(r.Type, proto.QualifiedName())
		})
	}
	return false
}

// UnreadSlot lists the destroys of the slot that a cast initializes; ok is false when something else uses the slot.
func UnreadSlot(i *ir.Inst) (destroys []*ir.Inst, ok bool) {
	slot := facts.DefinedBy(i.Arg(1), op.AllocStack)
	if slot == nil {
		return nil, false
	}
	for u := range slot.Results[0].Uses() {
		switch user := u.User(); {
		case user == i && i.Arg(0) != i.Arg(1), user.Op == op.DeallocStack:
		case user.Op == op.DestroyAddr:
			destroys = append(destroys, user)
		default:
			return nil, false
		}
	}
	return destroys, true
}

// ConvertsToThrowing reports whether a conversion only adds an error result to a function type.
func ConvertsToThrowing(c *ir.Inst) bool {
	from, to := c.Arg(0).Type, c.Results[0].Type
	if from.Kind != ir.KindFunction || to.Kind != ir.KindFunction || from.Func.Error != nil || to.Func.Error == nil ||
		from.Func.Generic != nil || len(from.Func.Params) != len(to.Func.Params) || len(from.Func.Results) != len(to.Func.Results) {
		return false
	}
	for n := range from.Func.Params {
		if from.Func.Params[n].Type != to.Func.Params[n].Type || from.Func.Params[n].Conv != to.Func.Params[n].Conv {
			return false
		}
	}
	for n := range from.Func.Results {
		if from.Func.Results[n].Type != to.Func.Results[n].Type {
			return false
		}
	}
	return true
}

// IsGeneric reports whether a type depends on generic parameters.
func IsGeneric(t *ir.Type) bool {
	if slices.ContainsFunc(t.AllArgs(), IsGeneric) {
		return true
	}
	return t.Kind != ir.KindNominal && t.Kind != ir.KindBuiltin
}

// ForeseeValue tells the outcome of a cast of a value. The type that a metatype instruction makes of an existential is that itself, and none that
// conforms.
func ForeseeValue(mod *ir.Module, v *ir.Value, to *ir.Type) CastOutcome {
	if facts.DefinedBy(v, op.Metatype) != nil && to.Kind == ir.KindMetatype {
		from, to := v.Type.Elem, to.Elem
		if (from.Kind == ir.KindExistential || from.Known() == ir.KnownAnyObject) && to.Known() != ir.KnownAnyObject &&
			to.Kind == ir.KindNominal && (mod.IsClassType(to) || IsPlainValue(mod, to)) {
			return CastFails
		}
	}
	return ForeseeMeta(mod, v.Type, to)
}

// ForeseeMeta tells the outcome of a cast of references or of metatypes.
func ForeseeMeta(mod *ir.Module, from, to *ir.Type) CastOutcome {
	if from.Kind != ir.KindMetatype || to.Kind != ir.KindMetatype {
		return Foresee(mod, from, to)
	}
	if from.IsNamedAlike(to) && (mod.IsClassType(from.Elem) && mod.IsClassType(to.Elem) || IsPlainValue(mod, from.Elem) && IsPlainValue(mod, to.Elem)) {
		return Foresee(mod, from.Elem, to.Elem)
	}
	return castMay
}
