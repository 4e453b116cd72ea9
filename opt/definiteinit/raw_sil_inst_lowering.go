package definiteinit

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// RawSILInstLowering lowers what is in raw SIL only: assign becomes store, assignments through calls become these calls, and the marks of definite
// initialization go away.
//
//	%2 = mark_uninitialized [var] %1 : $*C
//	assign %0 to [init] %2 : $*C             →  store %0 to [init] %1 : $*C
//	mark_function_escape %1 : $*C
//
//	assign_by_wrapper %0 : $Int to [init] %1 : $*W, init %3 : …, set %4 : …
//	                                         →  %5 = apply %3(%0) : … ; store %5 to [trivial] %1 : $*W
//
// The closure that the mode of such an assignment does not name is not made when nothing else uses it (lib/SILOptimizer/Mandatory/
// RawSILInstLowering.cpp).
var RawSILInstLowering = &pass.Pass{Name: "raw-sil-inst-lowering", Doc: "Lowers assignments and marks of raw SIL", Unoptimized: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		if !f.IsOSSA() || c.IsUnresolved(f) { // which writes initialize is not known
			return false
		}
		l := &lowering{Editor: rewrite.NewEditor(c, f)}
		changed := false
		for _, b := range f.Blocks {
			l.unused = l.unused[:0]
			for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
				next = i.Next()
				changed = l.lower(i) || changed
			}
			for _, v := range l.unused {
				l.eraseUnused(v)
			}
		}
		return changed
	}}

// lowering is one run of the pass on a function.
type lowering struct {
	*rewrite.Editor
	unused []*ir.Value // which assignments of the block do not need any more
}

func (l *lowering) lower(i *ir.Inst) bool {
	switch i.Op {
	case op.AssignByWrapper:
		return l.assignByWrapper(i)
	case op.AssignOrInit:
		return l.assignOrInit(i)
	case op.Assign:
		if i.Has(op.QualReinit) && l.Types.IsReference(i.Arg(0).Type) {
			reinitialize(l.Before(i), i)
			break
		}
		qual := op.QualAssign
		switch {
		case l.Types.IsTrivial(i.Arg(0).Type):
			qual = op.QualTrivial
		case i.Has(op.QualInit):
			qual = op.QualInit
		}
		rewrite.EmitQ(l.Before(i), op.Store, qual, i.Arg(0), i.Arg(1))
	case op.MarkUninitialized:
		i.Results[0].ReplaceAllUses(i.Arg(0))
	case op.MarkFunctionEscape:
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
