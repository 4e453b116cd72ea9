package opt

import (
	"silvm/ir"
	"silvm/ir/op"
)

// lowerAggregateInstrs takes instructions on whole aggregates apart, so that other passes see the single references:
//
//	copy_addr %0 to [init] %1 : $*S    →  %2 = load %0 : $*S
//	                                      %3 = struct_extract %2 : $S, #S.c
//	                                      strong_retain %3 : $C
//	                                      store %2 to %1 : $*S
//
// Aggregates with more than six leaves keep retain_value and release_value.
var lowerAggregateInstrs = &Pass{Name: "lower-aggregate-instrs", Doc: "Takes instructions on aggregates apart into those on their parts", Function: func(c *Context, f *ir.Function) bool {
	l := &aggregateLowering{editor: newEditor(c, f)}
	changed := false
	for _, b := range f.Blocks {
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			changed = l.lower(i) || changed
		}
	}
	return changed
}}

type aggregateLowering struct{ *editor }

func (l *aggregateLowering) lower(i *ir.Inst) bool {
	switch i.Op {
	case op.CopyAddr:
		return l.copyAddr(i)
	case op.DestroyAddr:
		return l.destroyAddr(i)
	case op.RetainValue, op.ReleaseValue:
		v := i.Arg(0)
		if !l.ts.IsTrivial(v.Type) && !l.c.shouldExpand(l.ts, v.Type) {
			l.c.Missed(l.f, i, "%s has too many parts to be taken apart", v.Type)
			return false
		}
		b := l.before(i)
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

func (l *aggregateLowering) copyAddr(i *ir.Inst) bool {
	t := i.Arg(0).Type
	if l.ts.IsAddressOnly(t) {
		return false
	}
	src, dst := i.Arg(0), i.Arg(1)
	take, init := i.Has("take"), i.Has("init")
	b := l.before(i)
	expand := l.c.shouldExpand(l.ts, t)
	trivial := l.ts.IsTrivial(t.Object())
	if l.ossa {
		from, to := "copy", "assign"
		if take {
			from = "take"
		}
		if init {
			to = "init"
		}
		if trivial {
			from, to = "trivial", "trivial"
		}
		emitQ(b, op.Store, to, emitQ(b, op.Load, from, src).Result(), dst)
		i.Remove()
		return true
	}
	v := emit(b, op.Load, src).Result()
	var old *ir.Value
	if !trivial {
		if !take {
			l.copyParts(b, v, expand)
		}
		if !init {
			old = emit(b, op.Load, dst).Result()
			l.release(b, old, expand)
		}
	}
	emit(b, op.Store, v, dst)
	i.Remove()
	return true
}

func (l *aggregateLowering) destroyAddr(i *ir.Inst) bool {
	t := i.Arg(0).Type
	if l.ts.IsAddressOnly(t) {
		return false
	}
	if !l.ts.IsTrivial(t.Object()) {
		b := l.before(i)
		if l.ossa {
			emit(b, op.DestroyValue, emitQ(b, op.Load, "take", i.Arg(0)).Result())
		} else {
			l.release(b, emit(b, op.Load, i.Arg(0)).Result(), l.c.shouldExpand(l.ts, t))
		}
	}
	i.Remove()
	return true
}

// copyParts retains what the value refers to. Parts that are trivial are taken out too, as the compiler does.
func (l *aggregateLowering) copyParts(b *ir.Builder, v *ir.Value, expand bool) {
	fields := l.parts(v.Type, expand)
	if fields == nil {
		l.copyValue(b, v)
		return
	}
	for n, t := range fields {
		l.copyParts(b, l.project(b, v, n, t).Result(), expand)
	}
}

// release releases what the value refers to.
func (l *aggregateLowering) release(b *ir.Builder, v *ir.Value, expand bool) {
	if expand {
		l.destroyLeaves(b, v)
	} else {
		l.destroyValue(b, v)
	}
}

// parts gives the types of the fields of an aggregate that is taken apart, nil for any other type and for one with a deinit of its own.
func (l *aggregateLowering) parts(t *ir.Type, expand bool) []*ir.Type {
	if !expand || l.ts.IsTrivial(t) || l.ts.HasDeinit(t) || t.Kind != ir.KindTuple && t.Kind != ir.KindNominal {
		return nil
	}
	if d := l.c.Module.DeclOf(t); t.Kind == ir.KindNominal && (d == nil || d.Kind != ir.Struct) {
		return nil
	}
	fields, ok := l.ts.FieldTypes(t)
	if !ok || len(fields) == 0 {
		return nil
	}
	return fields
}
