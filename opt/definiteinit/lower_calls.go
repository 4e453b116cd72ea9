package definiteinit

import (
	"slices"
	"strconv"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// assignByWrapper replaces an assignment to a property with a wrapper by a call of the wrapper's initializer or of the property's setter.
func (l *lowering) assignByWrapper(i *ir.Inst) bool {
	value, to, init, set := i.Arg(0), i.Arg(1), i.Arg(2), i.Arg(3)
	if i.Has(op.QualAssignWrappedValue) {
		if !l.call(i, set, nil, value, nil) {
			return false
		}
		// the setter has accesses of its own
		if facts.DefinedBy(to, op.BeginAccess) != nil {
			l.unused = append(l.unused, to)
		}
		l.unused = append(l.unused, init)
		i.Remove()
		return true
	}
	fn := init.Type.Func
	switch {
	case fn == nil || len(fn.Results) != 1:
		l.Context.Missed(l.Func, i, "an assignment through calls is not lowered")
		return false
	case fn.Results[0].Conv.IsIndirect():
		if !l.accepts(i, init, value) {
			return false
		}
		if i.Has(op.QualAssign) {
			rewrite.Emit(l.Before(i), op.DestroyAddr, to)
		}
		l.call(i, init, []*ir.Value{to}, value, nil)
	default:
		if !l.call(i, init, nil, value, nil) {
			return false
		}
		qual := op.QualInit
		if l.Types.IsTrivial(to.Type.Object()) {
			qual = op.QualTrivial
		} else if i.Has(op.QualAssign) {
			qual = op.QualAssign
		}
		rewrite.EmitQ(l.Before(i), op.Store, qual, l.lastCall(i), to)
	}
	l.dropSetter(set)
	i.Remove()
	return true
}

// lastCall returns the result of the call right before an assignment.
func (l *lowering) lastCall(i *ir.Inst) *ir.Value { return i.Prev().Result() }

// dropSetter lets the closure of a setter go, with the self that was loaded for it.
func (l *lowering) dropSetter(set *ir.Value) {
	l.unused = append(l.unused, set)
	if closure := facts.DefinedBy(set, op.PartialApply); closure != nil && len(closure.Operands) == 2 {
		l.unused = append(l.unused, closure.Arg(1))
	}
}

// assignOrInit replaces an assignment to a property with an init accessor by a call of that or of the setter:
//
//	assign_or_init [init] #S.x, self %1 : $*S, value %0 : $Int, init %2 : …, set %3 : …
//	  →  %4 = begin_access [modify] [dynamic] %1
//	     %5 = struct_element_addr %4, #S._x
//	     apply %2(%5, %0)
//	     end_access %4
func (l *lowering) assignOrInit(i *ir.Inst) bool {
	operands := len(i.Operands)
	value, init, set := i.Arg(operands-3), i.Arg(operands-2), i.Arg(operands-1)
	if i.Has(op.QualSet) {
		if !set.IsUndef() && !l.call(i, set, nil, value, nil) {
			return false
		}
		l.unused = append(l.unused, init)
		i.Remove()
		return true
	}
	m, _ := i.Aux.(*ir.MemberAux)
	if operands != 4 || m == nil {
		l.Context.Lack("raw-sil-inst-lowering of %q in @%s: an assignment without self", i.String(), l.Func.Name)
		return false
	}
	self := i.Arg(0)
	d := l.Context.Module.DeclOf(facts.Selfless(self.Type.Object()))
	var accessor *initAccessor
	if d != nil {
		list := initAccessorsOf(d)
		if n := slices.IndexFunc(list, func(a initAccessor) bool { return a.property == m.Property() }); n >= 0 {
			accessor = &list[n]
		}
	}
	if accessor == nil {
		l.Context.Lack("raw-sil-inst-lowering of %q in @%s: the init accessor is not declared", i.String(), l.Func.Name)
		return false
	}
	if !l.accepts(i, init, value) {
		return false
	}
	b := l.Before(i)
	isClass := !self.Type.IsAddress()
	at := self
	if !isClass {
		at = b.Emit(&ir.Inst{Op: op.BeginAccess, Quals: op.QualsOf(op.QualModify, op.QualDynamic)}, self).Result()
	} else if !l.isBorrowed(self) {
		at = rewrite.Emit(b, op.BeginBorrow, self).Result()
	}
	field := func(name string) *ir.Value {
		o := op.StructElementAddr
		if isClass {
			o = op.RefElementAddr
		}
		return b.Emit(&ir.Inst{Op: o, Aux: &ir.MemberAux{Type: d.Path, Name: name}}, at).Result()
	}
	done := i.Quals.Values(op.QualAssignValue)
	var outs, rest []*ir.Value
	for n, name := range accessor.initializes {
		addr := field(name)
		if slices.Contains(done, strconv.Itoa(n)) {
			rewrite.Emit(b, op.DestroyAddr, addr)
		}
		outs = append(outs, addr)
	}
	l.callWith(i, init, outs, value, func() []*ir.Value {
		for _, name := range accessor.accesses {
			rest = append(rest, field(name))
		}
		return rest
	})
	switch {
	case !isClass:
		rewrite.Emit(b, op.EndAccess, at)
	case at != self:
		rewrite.Emit(b, op.EndBorrow, at)
	}
	l.dropSetter(set)
	i.Remove()
	return true
}

// isBorrowed reports whether a reference is a borrowed value.
func (l *lowering) isBorrowed(v *ir.Value) bool {
	return l.Ownership().KindOf(v) == ir.OwnershipGuaranteed
}

// accepts reports whether a function takes the value of an assignment, or its elements, as its arguments.
func (l *lowering) accepts(i *ir.Inst, fn, value *ir.Value) bool {
	t := fn.Type.Func
	if t == nil || t.Error != nil || t.Async || t.Generic != nil || t.Coroutine != 0 {
		l.Context.Missed(l.Func, i, "an assignment through calls is not lowered")
		return false
	}
	return true
}

func (l *lowering) call(i *ir.Inst, fn *ir.Value, before []*ir.Value, value *ir.Value, after []*ir.Value) bool {
	if !l.accepts(i, fn, value) {
		return false
	}
	l.callWith(i, fn, before, value, func() []*ir.Value { return after })
	return true
}

// callWith calls a function in the place of an assignment: with the addresses that it writes to, the value or its elements, and what after returns.
func (l *lowering) callWith(i *ir.Inst, fn *ir.Value, before []*ir.Value, value *ir.Value, after func() []*ir.Value) {
	args := append([]*ir.Value{fn}, before...)
	args = l.arguments(args, fn.Type.Func, i, value)
	args = append(args, after()...)
	l.Before(i).Emit(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Fn: fn.Type}}, args...)
}

// arguments appends a value, or the elements of a tuple, as a function takes them. What is only lent is destroyed after the call.
func (l *lowering) arguments(args []*ir.Value, fn *ir.FuncType, i *ir.Inst, value *ir.Value) []*ir.Value {
	b := l.Before(i)
	if t := value.Type.Object(); t.Kind == ir.KindTuple {
		if !value.Type.IsAddress() {
			for _, part := range rewrite.Emit(b, op.DestructureTuple, value).Results {
				args = l.arguments(args, fn, i, part)
			}
			return args
		}
		for n := range t.Args {
			part := b.Emit(&ir.Inst{Op: op.TupleElementAddr, Aux: rewrite.IntAux(n)}, value).Result()
			args = l.arguments(args, fn, i, part)
		}
		return args
	}
	n := len(args) - 1 - facts.IndirectResults(fn)
	conv := ir.ParamDirectOwned
	if n >= 0 && n < len(fn.Params) {
		conv = fn.Params[n].Conv
	}
	if value.Type.IsAddress() && !conv.IsIndirect() {
		value = l.Load(b, value, op.QualTake)
	}
	cleanup := l.After(i)
	switch conv {
	case ir.ParamInGuaranteed:
		rewrite.Emit(cleanup, op.DestroyAddr, value)
	case ir.ParamDirectGuaranteed:
		l.DestroyValue(cleanup, value)
	}
	return append(args, value)
}

// eraseUnused erases what an assignment does not need any more, if nothing else does.
func (l *lowering) eraseUnused(v *ir.Value) {
	i := v.Inst()
	if i == nil || i.Block() == nil {
		return
	}
	switch i.Op {
	case op.BeginAccess:
		for _, x := range v.UseList() {
			if x.User().Op != op.EndAccess {
				return
			}
		}
	case op.Load:
		if !i.Has(op.QualTrivial) && !i.Has(op.QualCopy) {
			return
		}
		for _, x := range v.UseList() {
			if x.User().Op != op.DestroyValue {
				return
			}
		}
	case op.PartialApply:
		l.eraseClosure(i)
		return
	case op.ThinToThickFunction:
		if !facts.IsTriviallyDead(i) {
			return
		}
	default:
		return
	}
	rewrite.EraseWithUsers(i)
}

// eraseClosure removes a closure that nothing calls: it is borrowed, copied and destroyed only. What it has captured and owns is destroyed where it
// was.
func (l *lowering) eraseClosure(closure *ir.Inst) {
	var ends []*ir.Inst
	for _, x := range closure.Result().UseList() {
		i := x.User()
		switch {
		case i.Op == op.DestroyValue:
			ends = append(ends, i)
		case !facts.IsDebug(i):
			return
		}
	}
	var owned []*ir.Value
	for n := 1; n < len(closure.Operands); n++ {
		v := closure.Arg(n)
		p := facts.Param(closure, n)
		isVariable := p != nil && (p.Conv == ir.ParamInout || p.Conv == ir.ParamInoutAliasable)
		switch {
		case v.Type.IsAddress() && !isVariable:
			return
		case !v.Type.IsAddress() && !l.Types.IsTrivial(v.Type):
			owned = append(owned, v)
		}
	}
	for _, end := range ends {
		for _, v := range owned {
			l.DestroyValue(l.Before(end), v)
		}
	}
	rewrite.EraseWithUsers(closure)
}
