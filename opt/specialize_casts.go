package opt

import (
	"silvm/ir"
	"silvm/ir/op"
)

// castValues makes checked casts between addresses casts of values where the types, once they are known, are references or metatypes.
//
//	checked_cast_addr_br take_always T in %0 to U in %1, bb1, bb2
//	⇒  %2 = load %0
//	   checked_cast_br A in %2 to B, bb3, bb4
//	bb3(%3 : $B):  store %3 to %1      br bb1
//	bb4:           release %2          br bb2
func (b *cloneBuilder) castValues() {
	for n := 0; n < len(b.f.Blocks); n++ {
		blk := b.f.Blocks[n]
		i := blk.Terminator()
		if i == nil || i.Op != op.CheckedCastAddrBr || len(i.Types) != 2 || !b.isScalarCast(i.Types[0], i.Types[1]) {
			continue
		}
		consumption := castConsumption(i)
		if consumption == "" {
			continue
		}
		b.castValue(i, consumption)
	}
}

// castConsumption gives take_always, take_on_success or copy_on_success.
func castConsumption(i *ir.Inst) string {
	for _, word := range append(append([]string(nil), i.Quals...), words(i)...) {
		switch word {
		case "take_always", "take_on_success", "copy_on_success":
			return word
		}
	}
	return ""
}

func words(i *ir.Inst) []string {
	if aux, ok := i.Aux.(*ir.WordsAux); ok {
		return aux.Words
	}
	return nil
}

// isScalarCast says whether both types are references to objects, or both metatypes.
func (b *cloneBuilder) isScalarCast(from, to *ir.Type) bool {
	meta := func(t *ir.Type) bool { return t.Kind == ir.KindMetatype }
	object := func(t *ir.Type) bool {
		return (t.Kind == ir.KindNominal || t.Kind == ir.KindExistential) && optionalPayload(t) == nil && t.String() != "any Error" && b.e.ts.IsReference(t)
	}
	return meta(from) && meta(to) || object(from) && object(to)
}

func (b *cloneBuilder) castValue(i *ir.Inst, consumption string) {
	mod := b.s.c.Module
	src, dest := i.Arg(0), i.Arg(1)
	yes, no := i.Succs[0].To, i.Succs[1].To
	at := b.e.before(i)
	trivial := b.e.ts.IsTrivial(src.Type.Object())
	var v *ir.Value
	if consumption == "copy_on_success" && b.e.ossa && !trivial {
		v = emit(at, op.LoadBorrow, src).Result()
	} else if b.e.ossa {
		v = b.e.load(at, src, "take")
	} else {
		v = emit(at, op.Load, src).Result()
	}
	succeeded := b.f.InsertBlockAfter(i.Block())
	failed := b.f.InsertBlockAfter(succeeded)
	cast := &ir.Inst{Op: op.CheckedCastBr, Types: i.Types, Succs: []ir.Edge{{To: succeeded}, {To: failed}}}
	if !b.e.ossa && !trivial {
		cast.Tail = ", forwarding: @owned"
	}
	at.Emit(cast, v)
	i.Remove()
	got := succeeded.AddArg(dest.Type.Object())
	rest := v
	if b.e.ossa && !trivial {
		kind := "@owned"
		if consumption == "copy_on_success" {
			kind = "@guaranteed"
		}
		rest = failed.AddArg(v.Type)
		got.Ownership, rest.Ownership = kind, kind
	}
	b.castSucceeded(ir.AtEnd(mod, succeeded), got, v, dest, yes, consumption)
	b.castFailed(ir.AtEnd(mod, failed), v, rest, src, no, consumption)
}

func (b *cloneBuilder) castSucceeded(at *ir.Builder, got, v, dest *ir.Value, to *ir.Block, consumption string) {
	if consumption == "copy_on_success" {
		got = b.e.copyValue(at, got)
	}
	if v.Inst().Op == op.LoadBorrow {
		emit(at, op.EndBorrow, v)
	}
	b.e.store(at, got, dest, "init")
	at.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to}}})
}

func (b *cloneBuilder) castFailed(at *ir.Builder, v, rest, src *ir.Value, to *ir.Block, consumption string) {
	switch consumption {
	case "take_always":
		b.e.destroyValue(at, rest)
	case "take_on_success":
		b.e.store(at, rest, src, "init")
	}
	if v.Inst().Op == op.LoadBorrow {
		emit(at, op.EndBorrow, v)
	}
	at.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to}}})
}
