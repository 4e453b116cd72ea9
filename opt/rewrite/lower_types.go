package rewrite

import (
	"silvm/ir"
	"silvm/ir/op"
)

// TypeLowering replaces generic parameters in types of values by types of the language, and lowers those: a metatype gets its representation,
// a function takes and returns everything through memory, as values of a generic type do (docs/SIL.rst, Type Lowering).
type TypeLowering struct {
	Mod     *ir.Module
	Replace func(*ir.Type) *ir.Type
	Failed  bool // some type has no lowered form that is known
}

// Value returns the type of a value.
func (l *TypeLowering) Value(t *ir.Type) *ir.Type {
	if !t.HasParams() && !t.HasLocal() {
		return t
	}
	ts := l.Mod.Types
	switch t.Kind {
	case ir.KindParam, ir.KindMember:
		if r := l.Replace(t); r != nil {
			return l.lower(r)
		}
	case ir.KindAddress:
		return ts.Address(l.Value(t.Elem))
	case ir.KindTuple:
		return ts.Tuple(l.each(t.Args, l.Value), t.Labels)
	case ir.KindStorage, ir.KindMoveOnly:
		n := *t
		n.Elem = l.Value(t.Elem)
		return ts.Intern(&n)
	case ir.KindNominal:
		if payload := t.OptionalPayload(); payload != nil {
			return ts.Optional(l.Value(payload))
		}
	case ir.KindFunction:
		if t.Func.Generic == nil && t.Func.Pattern == nil {
			return l.function(t)
		}
	}
	return ts.Subst(t, l.Replace)
}

func (l *TypeLowering) each(list []*ir.Type, f func(*ir.Type) *ir.Type) []*ir.Type {
	out := make([]*ir.Type, len(list))
	for n, t := range list {
		out[n] = f(t)
	}
	return out
}

func (l *TypeLowering) function(t *ir.Type) *ir.Type {
	f := *t.Func
	f.Params = append([]ir.Param(nil), f.Params...)
	for n := range f.Params {
		f.Params[n].Type = l.Value(f.Params[n].Type)
	}
	results := func(list []ir.Result) []ir.Result {
		list = append([]ir.Result(nil), list...)
		for n := range list {
			list[n].Type = l.Value(list[n].Type)
		}
		return list
	}
	f.Results, f.Yields = results(f.Results), results(f.Yields)
	if f.Error != nil {
		f.Error = &results([]ir.Result{*f.Error})[0]
	}
	return l.Mod.Types.Function(&f)
}

// lower returns the lowered form of a type of the language that stands for a generic parameter.
func (l *TypeLowering) lower(t *ir.Type) *ir.Type {
	if n := l.Mod.LowerOpaque(t); n != nil {
		return n
	}
	l.Failed = true
	return t
}

// LowersAll reports whether the types of all values of a function have a lowered form that is known, and mean the same in it. A value of a
// generic type that turns out to be a metatype, any P.Type, answers type(of:) with the metatype of what it holds; one whose type is known to
// be any P.Type with that.
func (l *TypeLowering) LowersAll(f *ir.Function) bool {
	for _, b := range f.Blocks {
		for _, a := range b.Args {
			l.Value(a.Type)
		}
		for i := range b.Insts() {
			for _, r := range i.Results {
				l.Value(r.Type)
			}
			if i.Op == op.ValueMetatype && isGeneric(i.Arg(0).Type.Object()) && l.Value(i.Arg(0).Type.Object()).Kind == ir.KindExistentialMetatype {
				l.Failed = true
			}
		}
	}
	return !l.Failed
}

func isGeneric(t *ir.Type) bool { return t.Kind == ir.KindParam || t.Kind == ir.KindMember }

// namesFormalTypes are the instructions whose types are those of the language, not of values.
var namesFormalTypes = [op.Count]bool{
	op.InitExistentialAddr: true, op.InitExistentialRef: true, op.InitExistentialValue: true, op.InitExistentialMetatype: true,
	op.AllocExistentialBox: true, op.WitnessMethod: true, op.CheckedCastBr: true, op.CheckedCastAddrBr: true, op.UnconditionalCheckedCast: true,
	op.UnconditionalCheckedCastAddr: true, op.UncheckedRefCastAddr: true, op.Metatype: true, op.Keypath: true, op.Builtin: true,
}
