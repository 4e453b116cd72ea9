package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// MoveOnlyTypeEliminator makes T of @moveOnly T, once it is checked that no such value is copied.
//
//	%1 = copyable_to_moveonlywrapper [owned] %0
//	%2 = begin_borrow %1 : $@moveOnly Klass
//	%3 = moveonlywrapper_to_copyable [guaranteed] %2
//	apply %f(%3)                                       ⇒  %2 = begin_borrow %0 : $Klass
//	end_borrow %2                                         apply %f(%2)
//	destroy_value %1                                      end_borrow %2
//	                                                      destroy_value %0
//
// Where T is trivial the copies, borrows and destroys go. The type of a box that holds one changes too; that of a tuple does not.
// (The compiler's MoveOnlyWrappedTypeEliminator describes the algorithm.)
var MoveOnlyTypeEliminator = &pass.Pass{
	Name: "sil-move-only-type-eliminator",
	Doc:  "Makes T of the type @moveOnly T",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return eliminateMoveOnly(c, f, false)
	},
}

// TrivialMoveOnlyTypeEliminator does the same for trivial T alone: its values need nobody to destroy them, so this is done early.
var TrivialMoveOnlyTypeEliminator = &pass.Pass{
	Name: "sil-trivial-move-only-type-eliminator",
	Doc:  "Makes T of the type @moveOnly T where T is trivial",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return eliminateMoveOnly(c, f, true)
	},
}

// mixed returns an instruction that has to do with values that are to change and with others that stay @moveOnly, where the types would no longer
// fit each other: the trivial field of a struct that is not trivial. sil-opt ends in an assertion there.
func (e *moveOnlyEliminator) mixed(f *ir.Function) *ir.Inst {
	for i := range f.Insts() {
		changes, stays := false, false
		look := func(v *ir.Value) {
			if t := e.unwrapped(v.Type); t != v.Type {
				trivial := e.holdsTrivial(t)
				changes, stays = changes || trivial, stays || !trivial
			}
		}
		for n := range i.Operands {
			look(i.Arg(n))
		}
		for _, r := range i.Results {
			look(r)
		}
		for _, s := range i.Succs {
			for _, a := range s.To.Args {
				look(a)
			}
		}
		if e.trivial && changes && stays && i.Op != op.Br && i.Op != op.CondBr {
			return i
		}
	}
	return nil
}

// moveOnlyEliminator does the work for one function.
type moveOnlyEliminator struct {
	*rewrite.Editor
	trivial bool // only values of trivial types
	touched []*ir.Inst
	seen    map[*ir.Inst]bool
}

// eliminateMoveOnly takes @moveOnly off the types of a function, of trivial ones only if trivial is set.
func eliminateMoveOnly(c *pass.Context, f *ir.Function, trivial bool) bool {
	if !f.IsOSSA() {
		return false
	}
	e := &moveOnlyEliminator{Editor: rewrite.NewEditor(c, f), trivial: trivial, seen: map[*ir.Inst]bool{}}
	if i := e.mixed(f); i != nil {
		c.Missed(f, i, "kept the types: this has both, a @moveOnly type that is trivial and one that isn't")
		return false
	}
	for _, b := range f.Blocks {
		for _, a := range b.Args {
			if e.unwrap(a) && e.Types.IsTrivial(a.Type) {
				a.Ownership = ir.OwnershipUnspecified
			}
		}
		for i := range b.Insts() {
			for n := range i.Operands {
				e.unwrapUndef(&i.Operands[n])
			}
			for _, r := range i.Results {
				if !e.unwrap(r) {
					continue
				}
				e.touch(i)
				for n, t := range i.Types {
					i.Types[n] = e.unwrapped(t)
				}
				if i.Op == op.AllocStack || i.Op == op.AllocBox {
					i.Quals = i.Quals.With(op.QualMoveableValueDebuginfo)
				}
			}
			if i.Op == op.MoveValue || i.Op == op.ExtendLifetime {
				e.touch(i)
			}
		}
	}
	changed := false
	for _, i := range slices.Backward(e.touched) {
		changed = true
		e.rewrite(i)
	}
	return changed
}

func (e *moveOnlyEliminator) touch(i *ir.Inst) {
	if !e.seen[i] {
		e.seen[i] = true
		e.touched = append(e.touched, i)
	}
}

// unwrapped returns the type with T in the place of @moveOnly T.
func (e *moveOnlyEliminator) unwrapped(t *ir.Type) *ir.Type {
	ts := e.Context.Module.Types
	switch t.Kind {
	case ir.KindMoveOnly:
		return t.Elem
	case ir.KindAddress:
		return ts.Address(e.unwrapped(t.Elem))
	case ir.KindBox:
		box := *t.Box
		box.Fields = slices.Clone(box.Fields)
		box.Subs = slices.Clone(box.Subs)
		for n := range box.Fields {
			box.Fields[n].Type = e.unwrapped(box.Fields[n].Type)
		}
		for n := range box.Subs {
			box.Subs[n] = e.unwrapped(box.Subs[n])
		}
		u := *t
		u.Box = &box
		return ts.Intern(&u)
	}
	return t
}

// unwrap changes the type of a value, and reports whether it did. What uses the value is to be looked at.
func (e *moveOnlyEliminator) unwrap(v *ir.Value) bool {
	t := e.unwrapped(v.Type)
	if t == v.Type || e.trivial && !e.holdsTrivial(t) {
		return false
	}
	v.Type = t
	for x := range v.Uses() {
		e.touch(x.User())
		if i := x.User(); i.Op == op.DebugValue {
			i.Quals = i.Quals.With(op.QualMoveableValueDebuginfo)
		}
	}
	return true
}

func (e *moveOnlyEliminator) unwrapUndef(x *ir.Operand) {
	v := x.Value()
	if v == nil || !v.IsUndef() {
		return
	}
	if t := e.unwrapped(v.Type); t != v.Type && (!e.trivial || e.holdsTrivial(t)) {
		i := x.User()
		if e.touch(i); i.Op == op.DebugValue {
			i.Quals = i.Quals.With(op.QualMoveableValueDebuginfo)
		}
		x.Set(ir.NewUndef(t))
	}
}

// holdsTrivial reports whether a type, or what its address or box holds, is trivial.
func (e *moveOnlyEliminator) holdsTrivial(t *ir.Type) bool {
	if t.Kind == ir.KindBox {
		return len(t.Box.Fields) == 1 && e.Types.IsTrivial(t.Box.Fields[0].Type)
	}
	return e.Types.IsTrivial(t.Object())
}

// rewrite makes an instruction one on values of T.
func (e *moveOnlyEliminator) rewrite(i *ir.Inst) {
	trivial := len(i.Operands) > 0 && !i.Arg(0).Type.IsAddress() && e.Types.IsTrivial(i.Arg(0).Type)
	switch i.Op {
	case op.CopyableToMoveonlywrapper, op.CopyableToMoveonlywrapperAddr, op.MoveonlywrapperToCopyable, op.MoveonlywrapperToCopyableAddr,
		op.MoveonlywrapperToCopyableBox:
		i.ReplaceWith(i.Arg(0))
	case op.CopyValue, op.MoveValue, op.ExplicitCopyValue, op.BeginBorrow:
		if trivial {
			i.ReplaceWith(i.Arg(0))
		}
	case op.DestroyValue, op.EndBorrow, op.ExtendLifetime:
		if trivial {
			i.Remove()
		}
	case op.Load:
		if e.Types.IsTrivial(i.Result().Type) {
			i.Quals = i.Quals.Without(op.QualCopy).Without(op.QualTake).With(op.QualTrivial)
		}
	case op.LoadBorrow:
		if e.Types.IsTrivial(i.Result().Type) {
			i.ReplaceWith(rewrite.EmitQ(e.Before(i), op.Load, op.QualTrivial, i.Arg(0)).Result())
		}
	case op.Store:
		if trivial {
			i.Quals = i.Quals.Without(op.QualInit).Without(op.QualAssign).With(op.QualTrivial)
		}
	case op.StoreBorrow:
		if trivial {
			rewrite.EmitQ(e.Before(i), op.Store, op.QualTrivial, i.Arg(0), i.Arg(1))
			for _, x := range i.Result().UseList() {
				if x.User().Op == op.EndBorrow {
					x.User().Remove()
				}
			}
			i.ReplaceWith(i.Arg(1))
		}
	case op.StructExtract, op.TupleExtract, op.UncheckedEnumData, op.SwitchEnum:
		if trivial {
			i.Forwarding = ir.OwnershipUnspecified
		}
	case op.Enum, op.Struct, op.Tuple:
		if e.Types.IsTrivial(i.Result().Type) {
			i.Forwarding = ir.OwnershipUnspecified
		}
	case op.Upcast, op.UncheckedAddrCast, op.UnconditionalCheckedCast:
		if i.Arg(0).Type == i.Result().Type {
			i.ReplaceWith(i.Arg(0))
		}
	case op.Apply, op.TryApply, op.BeginApply, op.PartialApply:
		e.convertCallee(i)
	}
}

// convertCallee gives a call a callee whose type does not say @moveOnly, which makes no difference to how it is called.
func (e *moveOnlyEliminator) convertCallee(i *ir.Inst) {
	aux := i.Aux.(*ir.ApplyAux)
	f := *aux.Fn.Func
	f.Params, f.Results, f.Yields = slices.Clone(f.Params), slices.Clone(f.Results), slices.Clone(f.Yields)
	for n := range f.Params {
		f.Params[n].Type = e.unwrapped(f.Params[n].Type)
	}
	for _, list := range [][]ir.Result{f.Results, f.Yields} {
		for n := range list {
			list[n].Type = e.unwrapped(list[n].Type)
		}
	}
	t := e.Context.Module.Types.Function(&f)
	callee := e.Before(i).Emit(&ir.Inst{Op: op.ConvertFunction, Types: []*ir.Type{t}}, i.Arg(0))
	i.Operands[0].Set(callee.Result())
	aux.Fn = t
}
