package opt

import (
	"silvm/ir"
	"silvm/ir/op"
)

// castOutcome says what is known about a cast before the program runs.
type castOutcome uint8

const (
	castMay castOutcome = iota
	castSucceeds
	castFails
)

// foresee tells whether a cast between two types succeeds: of classes by their ancestors, of structs and enums by their names. Types
// that casts convert, such as optionals and AnyHashable, are left to the program.
func foresee(mod *ir.Module, from, to *ir.Type) castOutcome {
	if from == to {
		return castSucceeds
	}
	if mod.IsClassType(from) && mod.IsClassType(to) && from.Kind == ir.KindNominal && to.Kind == ir.KindNominal {
		switch {
		case inherits(mod, from, to):
			return castSucceeds
		case inherits(mod, to, from) || len(from.AllArgs()) > 0 || len(to.AllArgs()) > 0:
			return castMay
		}
		return castFails
	}
	if isPlainValue(mod, from) && isPlainValue(mod, to) {
		return castFails
	}
	return castMay
}

func inherits(mod *ir.Module, sub, super *ir.Type) bool {
	for n := 0; n < maxTypeNesting && sub != nil; n++ {
		if sub == super {
			return true
		}
		sub = mod.Superclass(sub)
	}
	return false
}

// convertible are the types of the library that casts convert.
var convertible = map[string]bool{"AnyHashable": true, "Optional": true, "Array": true, "Dictionary": true, "Set": true}

// isPlainValue says whether the type is a struct or enum that no cast converts, with arguments that are known.
func isPlainValue(mod *ir.Module, t *ir.Type) bool {
	if t.Kind != ir.KindNominal || convertible[t.Name] || isGeneric(t) {
		return false
	}
	d := mod.DeclOf(t)
	return d != nil && (d.Kind == ir.Struct || d.Kind == ir.Enum)
}

// simplifyCheckedCastBr goes where a cast surely goes.
func (s *cfgSimplifier) simplifyCheckedCastBr(i *ir.Inst) bool {
	if i.Has("exact") || len(i.Succs) != 2 || len(i.Succs[0].To.Args) != 1 {
		return false
	}
	b, from := i.Block(), i.Arg(0)
	yes, no := i.Succs[0].To, i.Succs[1].To
	to := yes.Args[0].Type
	switch foreseeMeta(s.c.Module, from.Type, to) {
	case castSucceeds:
		v := from
		switch {
		case from.Type == to:
		case !yes.Args[0].HasUses() && !s.f.IsOSSA():
			v = ir.NewUndef(to)
		default:
			v = ir.At(s.c.Module, i).Emit(&ir.Inst{Op: op.Upcast, Types: []*ir.Type{to}}, from).Results[0]
		}
		s.takeEdge(i, yes, no, v)
	case castFails:
		var args []*ir.Value
		if len(no.Args) > 0 {
			args = append(args, from)
		}
		s.takeEdge(i, no, yes, args...)
	default:
		return false
	}
	s.push(b)
	return true
}

// simplifyCheckedCastAddrBr goes where a cast in memory surely goes.
func (s *cfgSimplifier) simplifyCheckedCastAddrBr(i *ir.Inst) bool {
	yes, no := i.Succs[0].To, i.Succs[1].To
	b, takes := i.Block(), castConsumption(i)
	e := newEditor(s.c, s.f)
	switch foreseeInMemory(s.c.Module, i.Arg(0).Type.Object(), i.Arg(1).Type.Object()) {
	case castFails:
		if takes == "take_always" {
			e.destroyAt(i, i.Arg(0))
		}
		s.takeEdge(i, no, yes)
	case castSucceeds:
		if destroys, ok := unreadSlot(i); ok {
			for _, d := range destroys {
				d.Remove()
			}
			if takes != "copy_on_success" {
				e.destroyAt(i, i.Arg(0))
			}
		} else {
			e.castInMemory(i, takes == "copy_on_success")
		}
		s.takeEdge(i, yes, no)
	default:
		return false
	}
	s.push(b)
	return true
}

// foreseeInMemory tells the outcome of a cast in memory. One to an existential or an optional succeeds by making it.
func foreseeInMemory(mod *ir.Module, from, to *ir.Type) castOutcome {
	known := foreseeMeta(mod, from, to)
	if known == castMay && (conformsTo(mod, from, to) || optionalPayload(to) == from && isPlainValue(mod, from)) {
		return castSucceeds
	}
	return known
}

// conformsTo says whether a struct, enum or class conforms to the one protocol that an existential asks for.
func conformsTo(mod *ir.Module, from, to *ir.Type) bool {
	return to.Kind == ir.KindExistential && len(to.Args) == 1 && to.Args[0].Kind == ir.KindNominal && from.Kind == ir.KindNominal &&
		len(from.AllArgs()) == 0 && to.Args[0].QualifiedName() != "AnyObject" && to.Args[0].QualifiedName() != "Error" &&
		mod.Conforms(from, to.Args[0])
}

// destroyAt destroys the value in memory in front of an instruction.
func (e *editor) destroyAt(at *ir.Inst, address *ir.Value) {
	switch t := address.Type.Object(); {
	case e.ts.IsTrivial(t):
	case !e.ts.IsAddressOnly(t):
		e.destroyValue(e.before(at), e.load(e.before(at), address, "take"))
	default:
		emit(e.before(at), op.DestroyAddr, address)
	}
}

// castInMemory does in front of a cast in memory what it does when it succeeds.
func (e *editor) castInMemory(i *ir.Inst, copies bool) {
	from, src, b := i.Arg(0).Type.Object(), i.Arg(0), e.before(i)
	copies = copies && !e.ts.IsTrivial(from)
	if copies {
		src = b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{from}}).Result()
		emitQ(b, op.CopyAddr, "init", i.Arg(0), src)
	}
	if !e.castValueInMemory(b, src, i.Arg(1)) {
		b.Emit(&ir.Inst{Op: op.UnconditionalCheckedCastAddr, Types: i.Types}, src, i.Arg(1))
	}
	if copies {
		emit(b, op.DeallocStack, src)
	}
}

// castValueInMemory moves a value to where a cast to the same type or to a superclass has its result; it says whether it could.
func (e *editor) castValueInMemory(b *ir.Builder, src, dest *ir.Value) bool {
	from, to := src.Type.Object(), dest.Type.Object()
	if e.ts.IsAddressOnly(from) && from == to {
		b.Emit(&ir.Inst{Op: op.CopyAddr, Quals: []string{"take", "init"}}, src, dest)
		return true
	}
	if e.ts.IsAddressOnly(from) || from != to && !(e.c.Module.IsClassType(from) && inherits(e.c.Module, from, to)) {
		return false
	}
	v := e.load(b, src, "take")
	if from != to {
		v = b.Emit(&ir.Inst{Op: op.Upcast, Types: []*ir.Type{to}}, v).Result()
	}
	e.store(b, v, dest, "init")
	return true
}

// unreadSlot lists the destroys of the slot that a cast initializes; ok is false when something else uses the slot.
func unreadSlot(i *ir.Inst) (destroys []*ir.Inst, ok bool) {
	slot := definedBy(i.Arg(1), op.AllocStack)
	if slot == nil {
		return nil, false
	}
	for u := slot.Results[0].FirstUse(); u != nil; u = u.NextUse() {
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

// simplifyTryApply calls a function that does not throw: one that was converted to a throwing type, or one whose error block is
// unreachable.
func (s *cfgSimplifier) simplifyTryApply(i *ir.Inst) bool {
	normal, failed := i.Succs[0].To, i.Succs[1].To
	aux := *i.Aux.(*ir.ApplyAux)
	callee := i.Arg(0)
	quals := append([]string{"nothrow"}, i.Quals...)
	if c := definedBy(callee, op.ConvertFunction); c != nil && !s.f.IsOSSA() && convertsToThrowing(c) {
		if callee = c.Arg(0); definedBy(callee, op.ThinToThickFunction) != nil {
			callee = callee.Inst().Arg(0)
		}
		quals, aux.Fn = i.Quals, callee.Type
	} else if !isOnlyUnreachable(failed) {
		return false
	}
	operands := append([]*ir.Value{callee}, values(i)[1:]...)
	call := &ir.Inst{Op: op.Apply, Quals: quals, Aux: &aux}
	ir.At(s.c.Module, i).Emit(call, operands...)
	if call.Results[0].Type == nil && len(normal.Args) == 1 {
		call.Results[0].Type = normal.Args[0].Type
	}
	b := i.Block()
	s.push(b)
	s.takeEdge(i, normal, failed, call.Results[0])
	return true
}

// convertsToThrowing says whether a conversion only adds an error result to a function type.
func convertsToThrowing(c *ir.Inst) bool {
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
