package definiteinit

import (
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
)

// classSelf finds the uses of self in an initializer of a class that initializes stored properties: of the object itself or, where there is a
// superclass, of the box that it is in until super.init hands it back.
func (c *collector) classSelf(v *ir.Value) {
	if c.kind == op.QualRootself || v.IsArg() {
		c.reference(v)
		return
	}
	stores := 0
	work := c.addr.UseList()
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		i := x.User()
		switch i.Op {
		case op.Store:
			if x.Number() == 1 {
				c.storeOfSelf(i, &stores)
				continue
			}
		case op.EndBorrow, op.EndAccess, op.DeallocStack:
			continue
		case op.BeginAccess:
			work = append(work, i.Result().UseList()...)
			continue
		case op.Load, op.LoadBorrow:
			c.reference(i.Result())
			continue
		case op.DestroyAddr, op.StrongRelease, op.DestroyValue:
			c.destroys = append(c.destroys, i)
			continue
		}
		c.add(i, useLoad, 0, len(c.elems))
	}
	c.needOneStore(stores)
}

// needOneStore refuses a box that self does not get into once, at the start.
func (c *collector) needOneStore(stores int) {
	if stores != 1 {
		c.refuse(c.mark, "self is not stored once at the start")
	}
}

// storeOfSelf looks at a store to the box of self: it is that of the argument at the start, or puts back what was loaded for an initializer that
// was not called after all, or stores what an initializer returned.
func (c *collector) storeOfSelf(i *ir.Inst, stores *int) {
	src := i.Arg(0)
	if src.IsArg() && src.Block() == c.mark.Block() {
		*stores++
		return
	}
	if c.isLoadOfBox(src) {
		return
	}
	c.selfStores = append(c.selfStores, i)
}

// isLoadOfBox reports whether a value was loaded from the object.
func (c *collector) isLoadOfBox(v *ir.Value) bool {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch i.Op {
		case op.Load:
			return i.Arg(0) == c.addr
		case op.Upcast, op.UncheckedRefCast, op.ConvertFunction, op.UncheckedBitwiseCast, op.UncheckedAddrCast, op.InitExistentialRef, op.OpenExistentialRef:
			v = i.Arg(0)
		default:
			return false
		}
	}
	return false
}

// isLookup reports whether an instruction only looks a method up.
func isLookup(i *ir.Inst) bool {
	switch i.Op {
	case op.SuperMethod, op.ObjcSuperMethod, op.ClassMethod, op.ObjcMethod:
		return true
	}
	return false
}

// reference finds the uses of the reference to self.
func (c *collector) reference(v *ir.Value) {
	work := v.UseList()
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		i := x.User()
		k := useLoad
		switch {
		case isLookup(i), i.Op == op.EndBorrow, i.Op == op.EndAccess, i.Op == op.StrongRetain:
			continue
		case i.Op == op.RefElementAddr:
			if m := i.Aux.(*ir.MemberAux); c.isOwnField(m) {
				first, ok := c.firstOfField(m.Name)
				if !ok {
					c.refuse(i, "a stored property that the class does not declare")
					continue
				}
				c.self = false
				c.address(i.Result(), first)
				c.self = true
				continue
			}
		case i.Op == op.StrongRelease, i.Op == op.DestroyValue:
			c.destroys = append(c.destroys, i)
			continue
		case i.Op == op.BeginBorrow, i.Op == op.BeginAccess, i.Op == op.Upcast, i.Op == op.UncheckedRefCast, i.Op == op.CopyValue, i.Op == op.MarkUnresolvedNonCopyableValue:
			work = append(work, i.Result().UseList()...)
			continue
		case facts.IsFullApply(i):
			if x.Number() == len(i.Operands)-1 && isInitializerCall(i) {
				k = useSelfInit
			}
		case isForMetatype(i), facts.IsDebug(i):
			continue
		case i.Op == op.AssignOrInit:
			c.assignOrInit(i)
			continue
		case i.Op == op.PartialApply:
			if isOnlyForAssignment(i) || c.transparentClosure(i, x) {
				continue
			}
			k = useEscape
		case isSelfIsolation(i):
			k = useSelfIsolation
		}
		c.add(i, k, 0, len(c.elems))
	}
}

// isOwnField reports whether a member is a stored property of the class of self and not of a superclass.
func (c *collector) isOwnField(m *ir.MemberAux) bool {
	return ir.PlainName(m.Owner()) == ir.PlainName(c.decl.Path)
}

// isForMetatype reports whether an instruction finds the type of an object, which needs nothing of it initialized.
func isForMetatype(i *ir.Inst) bool {
	if i.Op == op.ValueMetatype {
		return true
	}
	if i.Op != op.Upcast {
		return false
	}
	for _, x := range i.Result().UseList() {
		if x.User().Op != op.ValueMetatype {
			return false
		}
	}
	return true
}

// isSelfIsolation reports whether an instruction asks for the actor that the initializer of an actor is isolated to at this place.
func isSelfIsolation(i *ir.Inst) bool {
	return i.Op == op.Builtin && strings.HasPrefix(i.Aux.(*ir.BuiltinAux).Name(), "flowSensitive")
}

// isInitializerCall reports whether a call is one of self.init or super.init. The compiler knows it from the source. Here it is what the callee is
// called: an initializer that gets the object, or what the compiler's own tests of this pass call it.
func isInitializerCall(i *ir.Inst) bool {
	if !facts.IsFullApply(i) {
		return false
	}
	def := i.Arg(0).Inst()
	if def == nil {
		return false
	}
	switch aux := def.Aux.(type) {
	case *ir.SymbolAux:
		if i.Op == op.Apply && (strings.HasPrefix(aux.Name, "selfinit") || aux.Name == "superinit") {
			return true
		}
		return mangle.IsInitializer(aux.Name)
	case *ir.MethodAux:
		return aux.Ref.Member() == "init" && aux.Ref.First() == ir.PartInitializer
	}
	return false
}

// box finds the uses of self in an initializer that gets the object and hands it on to another one, or whose stored properties all have initial
// values. There is one element: whether the other initializer was called.
func (c *collector) box() {
	stores := 0
	work := c.addr.UseList()
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		i := x.User()
		switch {
		case i.Op == op.EndBorrow, i.Op == op.EndAccess:
		case i.Op == op.BeginAccess:
			work = append(work, i.Result().UseList()...)
		case i.Op == op.Store && x.Number() == 1:
			c.storeOfSelf(i, &stores)
		case i.Op == op.Assign && x.Number() == 1 && isNewSelf(i.Arg(0)):
			c.selfStores = append(c.selfStores, i)
			c.add(i, useSelfInit, 0, 1)
		case i.Op == op.Load, i.Op == op.LoadBorrow:
			c.boxedReference(i.Result())
		case i.Op == op.DestroyAddr:
			c.destroys = append(c.destroys, i)
		case isSelfIsolation(i):
			c.add(i, useSelfIsolation, 0, 1)
		default:
			c.add(i, useEscape, 0, 1)
		}
	}
	c.needOneStore(stores)
}

// isNewSelf reports whether a value is the object that an initializer returned: a class can't assign self otherwise. In the compiler's tests of
// this pass it is the result of a function of that name.
func isNewSelf(v *ir.Value) bool {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch {
		case facts.IsFullApply(i):
			def := i.Arg(0).Inst()
			if def == nil {
				return false
			}
			aux, ok := def.Aux.(*ir.SymbolAux)
			return isInitializerCall(i) || !ok || mangle.IsAllocatingInit(aux.Name) || strings.HasPrefix(aux.Name, "$s") || isCFunction(i)
		case i.Op == op.Load:
			return i.Has(op.QualTake) && facts.DefinedBy(i.Arg(0), op.AllocStack) != nil
		case i.Op == op.UncheckedRefCast, i.Op == op.Upcast, i.Op == op.UncheckedEnumData, i.Op == op.UncheckedBitwiseCast:
			v = i.Arg(0)
		default:
			return false
		}
	}
	return v.IsArg() // of the block that a try_apply or a switch over the result of one leads to
}

func isCFunction(i *ir.Inst) bool {
	fn := facts.Callee(i)
	return fn != nil && fn.Convention == ir.RepC
}

// boxedReference finds the uses of a reference to self out of its box.
func (c *collector) boxedReference(v *ir.Value) {
	work := v.UseList()
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		i := x.User()
		k := useEscape
		switch {
		case isLookup(i), i.Op == op.EndBorrow, i.Op == op.StrongRetain:
			continue
		case i.Op == op.StrongRelease, i.Op == op.DestroyValue:
			c.destroys = append(c.destroys, i)
			continue
		case i.Op == op.BeginBorrow, i.Op == op.Upcast, i.Op == op.UncheckedRefCast:
			work = append(work, i.Result().UseList()...)
			continue
		case facts.IsFullApply(i):
			if x.Number() == len(i.Operands)-1 && isInitializerCall(i) {
				k = useSelfInit
			}
		case i.Op == op.Store:
			if i.Arg(1) == c.addr && c.isLoadOfBox(i.Arg(0)) {
				continue
			}
		case isForMetatype(i):
			continue
		}
		c.add(i, k, 0, 1)
	}
}

// delegating finds the uses of self in an initializer of a value type, or of a class that does not get the object, that calls another one.
func (c *collector) delegating(v *ir.Value) {
	for _, x := range v.UseList() {
		i := x.User()
		k := useEscape
		switch i.Op {
		case op.DestroyAddr:
			c.destroys = append(c.destroys, i)
			continue
		case op.Assign, op.CopyAddr, op.ExplicitCopyAddr:
			if i.Arg(1) == v {
				c.selfStores = append(c.selfStores, i)
				k = useInitOrAssign
			}
		case op.MarkUnresolvedMoveAddr:
			if i.Arg(1) == v {
				c.selfStores = append(c.selfStores, i)
				k = useInit
			}
		case op.BeginAccess, op.MarkUnresolvedNonCopyableValue:
			c.delegating(i.Result())
			continue
		case op.EndAccess:
			continue
		case op.LoadBorrow:
			if isOnlyForMetatype(i) {
				k = useLoadForTypeOf
			}
		case op.ValueMetatype:
			k = useTypeOf
		case op.Builtin:
			if isSelfIsolation(i) {
				k = useSelfIsolation
			}
		}
		c.add(i, k, 0, 1)
	}
}

// isOnlyForMetatype reports whether a borrowed self is asked for its type and for nothing else.
func isOnlyForMetatype(i *ir.Inst) bool {
	asked := false
	for _, x := range i.Result().UseList() {
		switch x.User().Op {
		case op.EndBorrow:
		case op.ValueMetatype:
			asked = true
		default:
			return false
		}
	}
	return asked
}
