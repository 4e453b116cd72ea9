package opt

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/op"
)

// maxExpandedFields is the number of fields up to which the compiler destroys the parts of a struct or tuple one by one.
const maxExpandedFields = 6

// destroyParts destroys the parts of a struct or tuple of few fields, other values as a whole.
func (e *editor) destroyParts(b *ir.Builder, v *ir.Value) {
	if n := e.countFields(v.Type, 0); n > maxExpandedFields {
		e.destroyValue(b, v)
		return
	}
	e.destroyLeaves(b, v)
}

func (e *editor) destroyLeaves(b *ir.Builder, v *ir.Value) {
	parts, ok := e.partTypes(v.Type)
	if e.ts.IsTrivial(v.Type) {
		return
	}
	if !ok {
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

// partTypes gives the types of the fields of a struct or the elements of a tuple; ok is false for other types, and for those whose
// fields are not all known or which have a deinit of their own.
func (e *editor) partTypes(t *ir.Type) (parts []*ir.Type, ok bool) {
	if t.Kind == ir.KindTuple {
		return t.Args, true
	}
	d := e.c.Module.DeclOf(t)
	if d == nil || d.Kind != ir.Struct || d.NonCopyable {
		return nil, false
	}
	for n := range d.Fields {
		f := &d.Fields[n]
		if f.Computed {
			continue
		}
		p := e.c.Module.FieldType(t, d.Path, f.Name)
		if p == nil {
			return nil, false
		}
		parts = append(parts, p)
	}
	return parts, len(parts) > 0
}

// countFields counts the leaves of structs and tuples, the largest case of an enum, as the compiler does to limit the size of code.
func (e *editor) countFields(t *ir.Type, depth int) int {
	if depth > maxExpandedFields+1 {
		return maxExpandedFields + 1
	}
	if parts, ok := e.partTypes(t); ok {
		sum := 0
		for _, p := range parts {
			sum += e.countFields(p, depth+1)
		}
		return sum
	}
	if d := e.c.Module.DeclOf(t); d != nil && d.Kind == ir.Enum {
		most := 0
		for n := range d.Cases {
			if p := e.c.Module.PayloadType(t, d.Cases[n].Name); p != nil {
				most = max(most, e.countFields(p, depth+1))
			}
		}
		return most + 1
	}
	return 1
}

// intAux gives the aux of a number.
func intAux(n int) *ir.IntAux { return &ir.IntAux{Value: big.NewInt(int64(n))} }
