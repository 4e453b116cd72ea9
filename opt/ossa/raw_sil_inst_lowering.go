package ossa

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// RawSILInstLowering lowers what is in raw SIL only: assign becomes store, and marks for definite initialization go away.
//
//	%2 = mark_uninitialized [var] %1 : $*C
//	assign %0 to [init] %2 : $*C             →  store %0 to [init] %1 : $*C
//	mark_function_escape %1 : $*C
//
//	assign_by_wrapper %0 : $Int to [init] %1 : $*W, init %3 : …, set %4 : …
//	                                         →  %5 = apply %3(%0) : … ; store %5 to [trivial] %1 : $*W
//
// The closure that the mode of such an assignment does not name is not made when nothing else uses it. Assignments through init accessors are
// left alone.
var RawSILInstLowering = &pass.Pass{Name: "raw-sil-inst-lowering", Doc: "Lowers assignments and marks of raw SIL",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if !f.IsOSSA() {
			return false
		}
		e := rewrite.NewEditor(c, f)
		changed := false
		var unused []*ir.Value
		for _, b := range f.Blocks {
			for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
				next = i.Next()
				if i.Op == op.AssignByWrapper {
					if v := assignByWrapper(e, i); v != nil {
						unused, changed = append(unused, v), true
					}
					continue
				}
				changed = lowerRaw(e, i) || changed
			}
		}
		for _, v := range unused {
			eraseClosure(e, v)
		}
		return changed
	}}

// assignByWrapper replaces an assignment by a call of the wrapper's initializer or of the property's setter, and returns the other one of the
// two; nil when the assignment has no mode yet or the callee wants more than the value.
func assignByWrapper(e *rewrite.Editor, i *ir.Inst) *ir.Value {
	value, to, init, set := i.Arg(0), i.Arg(1), i.Arg(2), i.Arg(3)
	switch {
	case i.Has(op.QualAssignWrappedValue) && takesValue(e, set, value, 0):
		b := e.Before(i)
		b.Emit(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Fn: set.Type}}, set, value)
		i.Remove()
		return init
	case (i.Has(op.QualInit) || i.Has(op.QualAssign)) && takesValue(e, init, value, 1):
		b := e.Before(i)
		if init.Type.Func.Results[0].Conv == ir.ResultOut {
			if i.Has(op.QualAssign) {
				rewrite.Emit(b, op.DestroyAddr, to)
			}
			b.Emit(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Fn: init.Type}}, init, to, value)
		} else {
			qual := op.QualInit
			if e.Types.IsTrivial(to.Type.Object()) {
				qual = op.QualTrivial
			} else if i.Has(op.QualAssign) {
				qual = op.QualAssign
			}
			made := b.Emit(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Fn: init.Type}}, init, value).Result()
			rewrite.EmitQ(b, op.Store, qual, made, to)
		}
		i.Remove()
		return set
	}
	e.Context.Missed(e.Func, i, "an assignment through calls is not lowered")
	return nil
}

// takesValue reports whether a function consumes just this value, cannot throw, and returns that many results.
func takesValue(e *rewrite.Editor, fn, value *ir.Value, results int) bool {
	f := fn.Type.Func
	if f == nil || f.Callee != ir.CalleeGuaranteed || f.Error != nil || f.Async || f.Generic != nil || f.Pattern != nil || len(f.Params) != 1 || len(f.Results) != results {
		return false
	}
	p := &f.Params[0]
	if p.Type != value.Type.Object() {
		return false
	}
	if value.Type.IsAddress() {
		return p.Conv == ir.ParamIn
	}
	if results > 0 && f.Results[0].Conv != ir.ResultOut && f.Results[0].Conv != ir.ResultOwned && !e.Types.IsTrivial(f.Results[0].Type) {
		return false
	}
	return p.Conv == ir.ParamDirectOwned || !p.Conv.IsIndirect() && e.Types.IsTrivial(value.Type)
}

// eraseClosure removes a closure that nothing calls: it is destroyed only, and what it captures are addresses of variables or trivial values.
func eraseClosure(e *rewrite.Editor, v *ir.Value) {
	closure := v.Inst()
	if closure == nil || closure.Op != op.PartialApply {
		return
	}
	for _, u := range v.UseList() {
		if o := u.User().Op; o != op.DestroyValue && !facts.IsDebug(u.User()) {
			return
		}
	}
	for n := 1; n < len(closure.Operands); n++ {
		p := facts.Param(closure, n)
		isVariable := p != nil && (p.Conv == ir.ParamInout || p.Conv == ir.ParamInoutAliasable)
		if t := closure.Arg(n).Type; t.IsAddress() && !isVariable || !t.IsAddress() && !e.Types.IsTrivial(t) {
			return
		}
	}
	rewrite.EraseWithUsers(closure)
}

func lowerRaw(e *rewrite.Editor, i *ir.Inst) bool {
	switch i.Op {
	case op.Assign:
		if i.Has(op.QualReinit) && e.Types.IsReference(i.Arg(0).Type) {
			reinitialize(e.Before(i), i)
			break
		}
		qual := op.QualAssign
		switch {
		case e.Types.IsTrivial(i.Arg(0).Type):
			qual = op.QualTrivial
		case i.Has(op.QualInit):
			qual = op.QualInit
		}
		rewrite.EmitQ(e.Before(i), op.Store, qual, i.Arg(0), i.Arg(1))
	case op.MarkUninitialized:
		i.Results[0].ReplaceAllUses(i.Arg(0))
	case op.MarkFunctionEscape:
	case op.AssignOrInit:
		e.Context.Missed(e.Func, i, "an assignment through calls is not lowered")
		return false
	default:
		return false
	}
	i.Remove()
	return true
}

// reinitialize puts an object into a variable whose object, made by an initializer that hands on to another one, was never initialized: it has no
// fields that a deinit could look at, and only its memory is freed.
func reinitialize(b *ir.Builder, i *ir.Inst) {
	old := rewrite.EmitQ(b, op.Load, op.QualTake, i.Arg(1)).Result()
	rewrite.EmitQ(b, op.Store, op.QualInit, i.Arg(0), i.Arg(1))
	class := b.Module.Types.Metatype(old.Type, ir.MetatypeThick)
	metatype := b.Emit(&ir.Inst{Op: op.ValueMetatype, Types: []*ir.Type{class}}, old).Result()
	rewrite.Emit(b, op.DeallocPartialRef, old, metatype)
}
