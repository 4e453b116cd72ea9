package calls

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// castValues makes checked casts between addresses, at the ends of blocks that were copied into f, casts of values where the types, once they
// are known, are references or metatypes.
//
//	checked_cast_addr_br take_always T in %0 to U in %1, bb1, bb2
//	⇒  %2 = load %0
//	   checked_cast_br A in %2 to B, bb3, bb4
//	bb3(%3 : $B):  store %3 to %1      br bb1
//	bb4:           release %2          br bb2
func castValues(c *pass.Context, f *ir.Function, blocks []*ir.Block) {
	b := (*castCloner)(nil)
	for _, blk := range blocks {
		i := blk.Terminator()
		if i == nil || i.Op != op.CheckedCastAddrBr || len(i.Types) != 2 || i.Word() == ir.NoWord {
			continue
		}
		if b == nil {
			b = &castCloner{e: rewrite.NewEditor(c, f)}
		}
		if b.isScalarCast(i.Types[0], i.Types[1]) && b.isScalarCast(i.Arg(0).Type.Object(), i.Arg(1).Type.Object()) {
			b.castValue(i, i.Word())
		}
	}
}

// castCloner rewrites casts in what was copied into a function.
type castCloner struct{ e *rewrite.Editor }

// isScalarCast reports whether both types are references to objects, or both metatypes.
func (b *castCloner) isScalarCast(from, to *ir.Type) bool {
	meta := func(t *ir.Type) bool { return t.Kind == ir.KindMetatype }
	object := func(t *ir.Type) bool {
		return (t.Kind == ir.KindNominal || t.Kind == ir.KindExistential || t.Kind == ir.KindBuiltin) && !t.IsOptional() && !t.IsAnyError() && b.e.Types.IsReference(t)
	}
	return meta(from) && meta(to) || object(from) && object(to)
}

func (b *castCloner) castValue(i *ir.Inst, consumption ir.Word) {
	mod := b.e.Context.Module
	src, dest := i.Arg(0), i.Arg(1)
	yes, no := i.Succs[0].To, i.Succs[1].To
	at := b.e.Before(i)
	trivial := b.e.Types.IsTrivial(src.Type.Object())
	var v *ir.Value
	if consumption == ir.WordCopyOnSuccess && b.e.OSSA && !trivial {
		v = rewrite.Emit(at, op.LoadBorrow, src).Result()
	} else if b.e.OSSA {
		v = b.e.Load(at, src, op.QualTake)
	} else {
		v = rewrite.Emit(at, op.Load, src).Result()
	}
	succeeded := b.e.Func.InsertBlockAfter(i.Block())
	failed := b.e.Func.InsertBlockAfter(succeeded)
	cast := &ir.Inst{Op: op.CheckedCastBr, Types: i.Types, Succs: []ir.Edge{{To: succeeded}, {To: failed}}}
	if !b.e.OSSA && !trivial {
		cast.Forwarding = ir.OwnershipOwned
	}
	at.Emit(cast, v)
	i.Remove()
	got := succeeded.AddArg(dest.Type.Object())
	rest := v
	if b.e.OSSA && !trivial {
		kind := ir.OwnershipOwned
		if consumption == ir.WordCopyOnSuccess {
			kind = ir.OwnershipGuaranteed
		}
		rest = failed.AddArg(v.Type)
		got.Ownership, rest.Ownership = kind, kind
	}
	b.castSucceeded(ir.AtEnd(mod, succeeded), got, v, dest, yes, consumption)
	b.castFailed(ir.AtEnd(mod, failed), v, rest, src, no, consumption)
}

func (b *castCloner) castSucceeded(at *ir.Builder, got, v, dest *ir.Value, to *ir.Block, consumption ir.Word) {
	if consumption == ir.WordCopyOnSuccess {
		got = b.e.CopyValue(at, got)
	}
	if v.Inst().Op == op.LoadBorrow {
		rewrite.Emit(at, op.EndBorrow, v)
	}
	b.e.Store(at, got, dest, op.QualInit)
	at.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to}}})
}

func (b *castCloner) castFailed(at *ir.Builder, v, rest, src *ir.Value, to *ir.Block, consumption ir.Word) {
	switch consumption {
	case ir.WordTakeAlways:
		b.e.DestroyValue(at, rest)
	case ir.WordTakeOnSuccess:
		b.e.Store(at, rest, src, op.QualInit)
	}
	if v.Inst().Op == op.LoadBorrow {
		rewrite.Emit(at, op.EndBorrow, v)
	}
	at.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to}}})
}
