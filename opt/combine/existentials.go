package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// The rules for existentials whose contents are known: a method is looked up in the concrete type, and a generic function is called with it.
//
//	%1 = init_existential_ref %0 : $K : $K, $any P
//	%2 = open_existential_ref %1 to $Self
//	%3 = witness_method $Self, #P.m, %2          →    %3 = witness_method $K, #P.m
//	apply %3<Self>(%2)                                apply %3<K>(%0)

// concreteArgument is what an argument of an opened type holds.
type concreteArgument struct {
	open   *ir.Inst  // what opens the existential
	opened *ir.Type  // the type it opens
	v      *ir.Value // the value that was put into the existential, or its address
	typ    *ir.Type  // its type
	copied bool      // the existential is a copy of the one that v was put into
}

// stackInit finds the only instruction that initializes a slot for its user; when the slot is a copy of another one, the instruction that
// initializes that one. It is an init_existential_addr, store, copy_addr or unconditional_checked_cast_addr; nil when others may write.
func stackInit(address *ir.Value, user *ir.Inst, copied bool) (*ir.Inst, bool) {
	for range pass.MaxTypeNesting {
		write, ok := soleWrite(address, user)
		if !ok || write == nil || write.Block() != address.Block() && write.Block() != user.Block() {
			return nil, copied
		}
		copied = copied || write.Op == op.CopyAddr || write.Op == op.UnconditionalCheckedCastAddr
		if write.Op != op.CopyAddr || facts.DefinedBy(write.Arg(0), op.AllocStack) == nil {
			return write, copied
		}
		address, user = write.Arg(0), write
	}
	return nil, copied
}

// soleWrite finds the only instruction that writes to a slot; false when there are several, or one that is not known.
func soleWrite(address *ir.Value, user *ir.Inst) (write *ir.Inst, ok bool) {
	for u := range address.Uses() {
		i := u.User()
		writes := false
		switch i.Op {
		case op.DeallocStack, op.DebugValue, op.DestroyAddr, op.WitnessMethod, op.DeinitExistentialAddr:
		case op.OpenExistentialAddr:
			if i != user && i.Word() != ir.WordImmutableAccess {
				return nil, false
			}
		case op.CopyAddr, op.UnconditionalCheckedCastAddr, op.Store:
			writes = i.Arg(1) == address
		case op.InitExistentialAddr:
			writes = true
		case op.Apply, op.TryApply:
			for n := range i.Operands {
				if &i.Operands[n] != u || i == user {
					continue
				}
				if p := facts.Param(i, n); p == nil || p.Conv != ir.ParamInGuaranteed && p.Conv != ir.ParamIn {
					return nil, false
				}
			}
		default:
			if i != user {
				return nil, false
			}
		}
		if writes {
			if write != nil {
				return nil, false
			}
			write = i
		}
	}
	return write, true
}

// concrete finds what an argument of a call holds; false when that is not known.
func (r *Combiner) concrete(call *ir.Inst, arg *ir.Value) (c concreteArgument, ok bool) {
	if facts.DefinedBy(arg, op.AllocStack) != nil {
		if init, _ := stackInit(arg, call, false); init != nil && (init.Op == op.CopyAddr || init.Op == op.Store) {
			arg = init.Arg(0)
		}
	}
	c.open = arg.Inst()
	if c.open == nil || len(c.open.Operands) == 0 {
		return c, false
	}
	existential := c.open.Arg(0)
	var init *ir.Inst
	switch c.open.Op {
	case op.OpenExistentialAddr:
		if facts.DefinedBy(existential, op.AllocStack) == nil {
			return c, false
		}
		if init, c.copied = stackInit(existential, c.open, false); init == nil || init.Op != op.InitExistentialAddr {
			return c, false
		}
		c.opened, c.v, c.typ = arg.Type.Object(), init.Results[0], init.Results[0].Type.Object()
	case op.OpenExistentialRef:
		if init = facts.DefinedBy(existential, op.InitExistentialRef); init == nil || len(init.Types) == 0 || init.Types[0] != init.Arg(0).Type ||
			!r.isWhatItHolds(init.Types[0], init.Arg(0)) {
			return c, false
		}
		c.opened, c.v, c.typ = arg.Type.Object(), init.Arg(0), init.Types[0]
	case op.OpenExistentialMetatype:
		if init = facts.DefinedBy(existential, op.InitExistentialMetatype); init == nil || arg.Type.Kind != ir.KindMetatype ||
			init.Arg(0).Type.Kind != ir.KindMetatype || !r.isWhatItHolds(init.Arg(0).Type.Elem, init.Arg(0)) {
			return c, false
		}
		c.opened, c.v, c.typ = arg.Type.Elem, init.Arg(0), init.Arg(0).Type.Elem
	default:
		return c, false
	}
	return c, c.opened.Kind == ir.KindOpened && !c.typ.HasLocal()
}

// isWhatItHolds reports whether an existential that was made of a value of type t, or of its metatype, is opened as t: a reference is opened as
// the class of its object and a metatype as what it is at run time, which may be subclasses of t. What is called gets that type as Self.
func (r *Combiner) isWhatItHolds(t *ir.Type, v *ir.Value) bool {
	decl := r.Context.Module.DeclOf(t)
	return decl != nil && (!r.Context.Module.IsClassType(t) || decl.Attrs.Has(ir.ModFinal) || len(r.Context.ClassHierarchy().Direct[decl]) == 0 ||
		facts.DefinedBy(v, op.AllocRef) != nil || facts.DefinedBy(v, op.Metatype) != nil)
}

// callConcrete looks a method up in the type that the existential is known to hold, and calls it with what the existentials hold.
func (r *Combiner) callConcrete(call, method *ir.Inst) bool {
	last := len(call.Operands) - 1
	if method.Types[0].Kind != ir.KindOpened || last < 1 {
		return false
	}
	known := r.concreteArguments(call)
	if self, ok := known[last]; ok && self.typ != method.Types[0] {
		fn := r.emit(method, &ir.Inst{Op: op.WitnessMethod, Types: append([]*ir.Type{self.typ}, method.Types[1:]...), Aux: method.Aux})
		fn.Results[0].Type = method.Results[0].Type
		r.replace(method, fn.Results[0])
		r.callWithConcrete(call, known)
		return true
	}
	return len(known) > 0 && r.callWithConcrete(call, known)
}

// callGeneric calls a generic function with what the existentials that were opened for it hold.
func (r *Combiner) callGeneric(call *ir.Inst) bool {
	if len(call.Aux.(*ir.ApplyAux).Subs) == 0 {
		return false
	}
	known := r.concreteArguments(call)
	return len(known) > 0 && r.callWithConcrete(call, known)
}

// concreteArguments finds what the arguments of opened types hold, by operand number.
func (r *Combiner) concreteArguments(call *ir.Inst) map[int]concreteArgument {
	known := map[int]concreteArgument{}
	for n := 1; n < len(call.Operands); n++ {
		if call.Arg(n).Type.HasLocal() {
			if c, ok := r.concrete(call, call.Arg(n)); ok {
				known[n] = c
			}
		}
	}
	return known
}

// callWithConcrete passes concrete values instead of opened ones where no other argument and no result has the opened type.
func (r *Combiner) callWithConcrete(call *ir.Inst, known map[int]concreteArgument) bool {
	aux := *call.Aux.(*ir.ApplyAux)
	aux.Subs, aux.Sugar = append([]*ir.Type(nil), aux.Subs...), ""
	vs := rewrite.Values(call)
	passed := map[int]concreteArgument{}
	cast := map[int]bool{}
	for n := 1; n < len(vs); n++ {
		c, ok := known[n]
		if !ok || facts.Param(call, n) == nil || r.involves(call, c.opened, n) {
			continue
		}
		switch {
		case r.canPass(call, c, n):
			vs[n] = c.v
		case c.v.Type.IsAddress():
			cast[n] = true
		default:
			continue
		}
		passed[n] = c
		for k, t := range aux.Subs {
			aux.Subs[k] = r.Context.Module.Types.Subst(t, func(x *ir.Type) *ir.Type {
				if x == c.opened {
					return c.typ
				}
				return nil
			})
			if r.mentions(aux.Subs[k], c.opened) {
				return false // a member of it
			}
		}
	}
	types := r.Context.Module.ArgumentTypes(call.Arg(0).Type.Func, aux.Subs)
	for n, c := range passed {
		for _, t := range aux.Subs {
			if r.mentions(t, c.opened) {
				return false // a member of the opened type, whose name is not known
			}
		}
		want := c.v.Type
		if n-1 >= len(types) || types[n-1] != want || want == call.Arg(n).Type {
			return false
		}
	}
	if len(passed) == 0 {
		return false
	}
	var slots, consumed []*ir.Value
	for n := 1; n < len(vs); n++ {
		c, ok := passed[n]
		switch {
		case !ok:
		case cast[n]:
			vs[n] = r.emit(call, &ir.Inst{Op: op.UncheckedAddrCast, Types: []*ir.Type{c.v.Type}}, call.Arg(n)).Results[0]
		case facts.Param(call, n).Conv == ir.ParamIn:
			slot := r.emit(call, &ir.Inst{Op: op.AllocStack, Types: []*ir.Type{c.typ}}).Results[0]
			r.emit(call, &ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualInit)}, c.v, slot)
			vs[n] = slot
			slots, consumed = append(slots, slot), append(consumed, call.Arg(n))
		}
	}
	r.endConsumed(call, slots, consumed)
	by := &ir.Inst{Op: call.Op, Quals: call.Quals, Aux: &aux, Types: call.Types}
	if call.Op != op.TryApply {
		return r.instead(call, by, vs...)
	}
	for _, e := range call.Succs {
		by.Succs = append(by.Succs, ir.Edge{To: e.To})
	}
	return r.terminator(call, by, vs...)
}

// endConsumed destroys after a call what it consumed before copies were passed, and frees the slots of the copies.
func (r *Combiner) endConsumed(call *ir.Inst, slots, consumed []*ir.Value) {
	at := []*ir.Inst{call.Next()}
	if call.Op == op.TryApply {
		at = nil
		for _, e := range call.Succs {
			at = append(at, e.To.First())
		}
	}
	for n := len(slots) - 1; n >= 0; n-- {
		for _, before := range at {
			r.emit(before, &ir.Inst{Op: op.DestroyAddr}, consumed[n])
			r.emit(before, &ir.Inst{Op: op.DeallocStack}, slots[n])
		}
	}
}

// involves reports whether the result or an argument other than n has the opened type in its type.
func (r *Combiner) involves(call *ir.Inst, opened *ir.Type, n int) bool {
	for _, v := range call.Results {
		if r.mentions(v.Type, opened) {
			return true
		}
	}
	for _, e := range call.Succs {
		for _, a := range e.To.Args {
			if r.mentions(a.Type, opened) {
				return true
			}
		}
	}
	for k := 1; k < len(call.Operands); k++ {
		if k != n && r.mentions(call.Arg(k).Type, opened) {
			return true
		}
	}
	return false
}

// mentions reports whether a type has the opened type x, or a member of it, in it.
func (r *Combiner) mentions(t, x *ir.Type) bool {
	found := false
	if t != nil && t.HasLocal() {
		r.Context.Module.Types.Subst(t, func(y *ir.Type) *ir.Type {
			found = found || y.Kind == ir.KindOpened && y.Name == x.Name
			return nil
		})
	}
	return found
}

// canPass reports whether the concrete value itself may be passed: the call must not change it, and a value that was copied must live
// until after the call.
func (r *Combiner) canPass(call *ir.Inst, c concreteArgument, n int) bool {
	if p := facts.Param(call, n); p.Conv == ir.ParamInout || p.Conv == ir.ParamInoutAliasable {
		return false
	}
	if !c.copied {
		return true
	}
	init := facts.DefinedBy(c.v, op.InitExistentialAddr)
	if init == nil || facts.DefinedBy(init.Arg(0), op.AllocStack) == nil {
		return false
	}
	for u := range init.Arg(0).Uses() {
		i := u.User()
		ends := i.Op == op.DestroyAddr || i.Op == op.DeinitExistentialAddr || i.Op == op.CopyAddr && i.Has(op.QualTake) && i.Arg(0) == init.Arg(0)
		if ends && (i == call || !r.Dominates(call, i)) {
			return false
		}
	}
	return true
}
