package definiteinit

import (
	"slices"
	"strconv"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// setWrite says in a write whether it initializes or replaces.
func (k *checker) setWrite(u *use) {
	i := u.inst
	inits := u.kind == useInit || u.kind == useSelfInit
	switch i.Op {
	case op.CopyAddr, op.ExplicitCopyAddr, op.StoreWeak, op.StoreUnowned:
		if inits {
			i.Quals = i.Quals.With(op.QualInit)
		}
		if inits && (i.Op == op.CopyAddr || i.Op == op.ExplicitCopyAddr) {
			k.setDestination(i.Arg(1))
		}
	case op.TupleAddrConstructor:
		i.Quals = i.Quals.Without(op.QualInit, op.QualAssign)
		if inits {
			i.Quals = i.Quals.With(op.QualInit)
			k.setDestination(i.Arg(0))
		} else {
			i.Quals = i.Quals.With(op.QualAssign)
		}
	case op.Assign:
		switch {
		case k.isClassSelf() && u.kind == useSelfInit:
			i.Quals = op.QualsOf(op.QualReinit)
		case inits:
			i.Quals = op.QualsOf(op.QualInit)
		default:
			i.Quals = op.QualsOf(op.QualReassign)
		}
		if inits {
			k.setDestination(i.Arg(1))
		}
	case op.AssignByWrapper:
		switch u.kind {
		case useInit:
			i.Quals = op.QualsOf(op.QualInit)
		case useAssign:
			i.Quals = op.QualsOf(op.QualAssign)
		case useSet:
			i.Quals = op.QualsOf(op.QualAssignWrappedValue)
		}
	case op.AssignOrInit:
		k.setAssignOrInit(u)
	}
}

// setDestination says in the markers between an object and a write that it initializes.
func (k *checker) setDestination(to *ir.Value) {
	access := to.Inst()
	for v := to; v.Inst() != nil; v = v.Inst().Arg(0) {
		if i := v.Inst(); i.Op == op.MarkUnresolvedNonCopyableValue {
			rewrite.SetQual(i, op.QualAssignableButNotConsumable, op.QualInitableButNotConsumable)
			break
		} else if i.Op != op.BeginAccess {
			break
		}
	}
	if access != nil && access.Op == op.BeginAccess && access.Has(op.QualDynamic) {
		rewrite.SetQual(access, op.QualDynamic, op.QualStatic)
		rewrite.SetQual(access, op.QualModify, op.QualInit)
	}
}

// setAssignOrInit says in an assignment to a property with an init accessor whether it calls that or the setter, and which of the properties
// that the accessor initializes are initialized already.
func (k *checker) setAssignOrInit(u *use) {
	i := u.inst
	switch u.kind {
	case useSet:
		i.Quals = i.Quals.Without(op.QualInit).With(op.QualSet)
	case useAssign, useInit:
		i.Quals = i.Quals.Without(op.QualSet).With(op.QualInit)
		if a := k.accessor(i); u.kind == useAssign && a != nil {
			if n := slices.Index(a.initializes, u.field); n >= 0 {
				i.Quals = i.Quals.WithValue(op.QualAssignValue, strconv.Itoa(n))
			}
		}
	}
}
