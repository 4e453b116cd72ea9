package opt

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/op"
)

// destroyParts destroys the parts of a struct or tuple of few fields, other values as a whole.
func (e *editor) destroyParts(b *ir.Builder, v *ir.Value) {
	if !e.c.shouldExpand(e.ts, v.Type) {
		e.destroyValue(b, v)
		return
	}
	e.destroyLeaves(b, v)
}

func (e *editor) destroyLeaves(b *ir.Builder, v *ir.Value) {
	parts, ok := e.ts.FieldTypes(v.Type)
	if e.ts.IsTrivial(v.Type) {
		return
	}
	for n := range parts {
		_, _, _, known := member(e.c.Program(e.f), v.Type, n)
		ok = ok && known
	}
	if !ok || e.ts.HasDeinit(v.Type) {
		e.destroyValue(b, v)
		return
	}
	if !e.ossa {
		for n, t := range parts {
			if !e.ts.IsTrivial(t) {
				e.destroyLeaves(b, e.project(b, v, n, t).Result())
			}
		}
		return
	}
	o := op.DestructureStruct
	if v.Type.Kind == ir.KindTuple {
		o = op.DestructureTuple
	}
	for n, r := range emit(b, o, v).Results {
		r.Type = parts[n]
		e.destroyLeaves(b, r)
	}
}

// intAux gives the aux of a number.
func intAux(n int) *ir.IntAux { return &ir.IntAux{Value: big.NewInt(int64(n))} }
