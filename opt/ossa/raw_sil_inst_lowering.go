package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// RawSILInstLowering lowers what stands in raw SIL only: assign becomes store, and marks for definite initialization go away.
//
//	%2 = mark_uninitialized [var] %1 : $*C
//	assign %0 to [init] %2 : $*C             →  store %0 to [init] %1 : $*C
//	mark_function_escape %1 : $*C
//
// Assignments through property wrappers and init accessors are left alone.
var RawSILInstLowering = &pass.Pass{Name: "raw-sil-inst-lowering", Doc: "Lowers assignments and marks of raw SIL",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if !f.IsOSSA() {
			return false
		}
		e := rewrite.NewEditor(c, f)
		changed := false
		for _, b := range f.Blocks {
			for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
				next = i.Next()
				changed = lowerRaw(e, i) || changed
			}
		}
		return changed
	}}

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
	case op.AssignByWrapper, op.AssignOrInit:
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
