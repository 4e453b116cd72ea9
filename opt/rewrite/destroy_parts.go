package rewrite

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/op"
)

// IntAux returns the aux of a number.
func IntAux(n int) *ir.IntAux { return &ir.IntAux{Value: big.NewInt(int64(n))} }

// DestroyParts destroys the parts of a struct or tuple of few fields, other values as a whole.
func (e *Editor) DestroyParts(b *ir.Builder, v *ir.Value) {
	if !e.Context.ShouldExpand(e.Types, v.Type) {
		e.DestroyValue(b, v)
		return
	}
	e.DestroyLeaves(b, v)
}

// DestroyLeaves destroys a value by its parts, as far down as they are known and no deinit is left out.
func (e *Editor) DestroyLeaves(b *ir.Builder, v *ir.Value) {
	parts, ok := e.Types.FieldTypes(v.Type)
	if e.Types.IsTrivial(v.Type) {
		return
	}
	for n := range parts {
		_, _, _, known := Member(e.Context.Program(e.Func), v.Type, n)
		ok = ok && known
	}
	if !ok || e.Types.HasDeinit(v.Type) {
		e.DestroyValue(b, v)
		return
	}
	if !e.OSSA {
		for n, t := range parts {
			if !e.Types.IsTrivial(t) {
				e.DestroyLeaves(b, e.Project(b, v, n, t).Result())
			}
		}
		return
	}
	o := op.DestructureStruct
	if v.Type.Kind == ir.KindTuple {
		o = op.DestructureTuple
	}
	for n, r := range Emit(b, o, v).Results {
		r.Type = parts[n]
		e.DestroyLeaves(b, r)
	}
}
