package memory

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LowerAggregateInstrs takes instructions on whole aggregates apart, so that other passes see the single references:
//
//	copy_addr %0 to [init] %1 : $*S    →  %2 = load %0 : $*S
//	                                      %3 = struct_extract %2 : $S, #S.c
//	                                      strong_retain %3 : $C
//	                                      store %2 to %1 : $*S
//
// Aggregates with more than six leaves keep retain_value and release_value.
var LowerAggregateInstrs = &pass.Pass{Name: "lower-aggregate-instrs", Doc: "Takes instructions on aggregates apart into those on their parts", Needs: [][]op.Op{{op.CopyAddr, op.DestroyAddr, op.RetainValue, op.ReleaseValue}}, Function: func(c *pass.Context, f *ir.Function) bool {
	l := &aggregateLowering{Editor: rewrite.NewEditor(c, f)}
	changed := false
	for _, b := range f.Blocks {
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			changed = l.lower(i) || changed
		}
	}
	return changed
}}

type aggregateLowering struct{ *rewrite.Editor }

func (l *aggregateLowering) lower(i *ir.Inst) bool {
	switch i.Op {
	case op.CopyAddr:
		return l.copyAddr(i)
	case op.DestroyAddr:
		return l.destroyAddr(i)
	case op.RetainValue, op.ReleaseValue:
		v := i.Arg(0)
		if !l.Types.IsTrivial(v.Type) && !l.shouldExpand(v.Type) {
			l.Context.Missed(l.Func, i, "%s has too many parts to be taken apart", v.Type)
			return false
		}
		b := l.Before(i)
		if i.Op == op.RetainValue {
			l.copyParts(b, v, true)
		} else {
			l.release(b, v, true)
		}
		i.Remove()
		return true
	}
	return false
}

// copyAddr makes a copy in memory a load, counts and a store.
func (l *aggregateLowering) copyAddr(i *ir.Inst) bool {
	t := i.Arg(0).Type
	if l.Types.IsAddressOnly(t) {
		return false
	}
	src, dst := i.Arg(0), i.Arg(1)
	take, init := i.Has(op.QualTake), i.Has(op.QualInit)
	b := l.Before(i)
	expand := l.shouldExpand(t)
	trivial := l.Types.IsTrivial(t.Object())
	if l.OSSA {
		from, to := op.QualCopy, op.QualAssign
		if take {
			from = op.QualTake
		}
		if init {
			to = op.QualInit
		}
		if trivial {
			from, to = op.QualTrivial, op.QualTrivial
		}
		rewrite.EmitQ(b, op.Store, to, rewrite.EmitQ(b, op.Load, from, src).Result(), dst)
		i.Remove()
		return true
	}
	v := rewrite.Emit(b, op.Load, src).Result()
	var old *ir.Value
	if !trivial {
		if !take {
			l.copyParts(b, v, expand)
		}
		if !init {
			old = rewrite.Emit(b, op.Load, dst).Result()
			l.release(b, old, expand)
		}
	}
	rewrite.Emit(b, op.Store, v, dst)
	i.Remove()
	return true
}

func (l *aggregateLowering) destroyAddr(i *ir.Inst) bool {
	t := i.Arg(0).Type
	if l.Types.IsAddressOnly(t) {
		return false
	}
	if !l.Types.IsTrivial(t.Object()) {
		b := l.Before(i)
		if l.OSSA {
			l.destroyParts(b, rewrite.EmitQ(b, op.Load, op.QualTake, i.Arg(0)).Result(), l.Context.IsSet("sil-lower-agg-instrs-expand-all"))
		} else {
			l.release(b, rewrite.Emit(b, op.Load, i.Arg(0)).Result(), l.shouldExpand(t))
		}
	}
	i.Remove()
	return true
}

// destroyParts destroys what an owned value is made of.
func (l *aggregateLowering) destroyParts(b *ir.Builder, v *ir.Value, expand bool) {
	if l.parts(v.Type, expand) == nil {
		l.DestroyValue(b, v)
		return
	}
	apart := op.DestructureStruct
	if v.Type.Kind == ir.KindTuple {
		apart = op.DestructureTuple
	}
	for _, part := range rewrite.Emit(b, apart, v).Results {
		l.destroyParts(b, part, expand)
	}
}

// shouldExpand reports whether to take apart values of the type; a setting of this pass asks for all that can be.
func (l *aggregateLowering) shouldExpand(t *ir.Type) bool {
	if l.Context.IsSet("sil-lower-agg-instrs-expand-all") {
		return !l.Types.IsAddressOnly(t) && !l.Types.HasDeinit(t.Object())
	}
	return l.Context.ShouldExpand(l.Types, t)
}

// copyParts retains what the value refers to. Parts that are trivial are taken out too, as the compiler does.
func (l *aggregateLowering) copyParts(b *ir.Builder, v *ir.Value, expand bool) {
	fields := l.parts(v.Type, expand)
	if fields == nil {
		l.CopyValue(b, v)
		return
	}
	for n, t := range fields {
		l.copyParts(b, l.Project(b, v, n, t).Result(), expand)
	}
}

// release releases what the value refers to.
func (l *aggregateLowering) release(b *ir.Builder, v *ir.Value, expand bool) {
	if expand {
		l.DestroyLeaves(b, v)
	} else {
		l.DestroyValue(b, v)
	}
}

// parts returns the types of the fields of an aggregate that is taken apart, nil for any other type and for one with a deinit of its own.
func (l *aggregateLowering) parts(t *ir.Type, expand bool) []*ir.Type {
	if !expand || l.Types.IsTrivial(t) || l.Types.HasDeinit(t) || t.Kind != ir.KindTuple && t.Kind != ir.KindNominal {
		return nil
	}
	if d := l.Context.Module.DeclOf(t); t.Kind == ir.KindNominal && (d == nil || d.Kind != ir.Struct) {
		return nil
	}
	fields, ok := l.Types.FieldTypes(t)
	if !ok || len(fields) == 0 {
		return nil
	}
	return fields
}
