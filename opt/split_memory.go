package opt

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// member gives the aux and the ops for field n of a struct or tuple: extract a value, project an address. ok is false when nobody knows the
// field.
func member(p *facts.Program, t *ir.Type, n int) (aux ir.Aux, extract, address op.Op, ok bool) {
	t = facts.Selfless(t.Object())
	if t.Kind == ir.KindTuple {
		return &ir.IntAux{Value: big.NewInt(int64(n))}, op.TupleExtract, op.TupleElementAddr, n < len(t.Args)
	}
	d := p.Mod.DeclOf(t)
	if d == nil || d.Kind != ir.Struct || n >= len(d.Fields) || d.Fields[n].Name == "" {
		return nil, 0, 0, false
	}
	ok = p.Mod.FieldType(t, d.Path, d.Fields[n].Name) != nil
	return &ir.MemberAux{Type: d.Path, Name: d.Fields[n].Name}, op.StructExtract, op.StructElementAddr, ok
}

// canProject says whether the part of a value of type t that a path selects can be extracted.
func canProject(p *facts.Program, t *ir.Type, path facts.Path) bool {
	t = facts.Selfless(t.Object())
	for path != 0 {
		k, n, rest := path.Pop()
		if k != facts.FieldStruct && k != facts.FieldTuple {
			return false
		}
		aux, _, _, ok := member(p, t, n)
		if !ok {
			return false
		}
		if m, ok := aux.(*ir.MemberAux); ok {
			t = facts.Selfless(p.Mod.FieldType(t, m.Type, m.Name))
		} else {
			t = facts.Selfless(t.Args[n])
		}
		path = rest
	}
	return true
}

// project extracts the part of a value.
func project(e *editor, b *ir.Builder, v *ir.Value, path facts.Path) *ir.Value {
	for path != 0 {
		_, n, rest := path.Pop()
		aux, extract, _, _ := member(e.c.Program(e.f), v.Type, n)
		v = b.Emit(&ir.Inst{Op: extract, Aux: aux}, v).Result()
		path = rest
	}
	return v
}

// projectAddress projects the address of a part.
func projectAddress(e *editor, b *ir.Builder, v *ir.Value, path facts.Path) *ir.Value {
	for path != 0 {
		_, n, rest := path.Pop()
		aux, _, address, _ := member(e.c.Program(e.f), v.Type, n)
		v = b.Emit(&ir.Inst{Op: address, Aux: aux}, v).Result()
		path = rest
	}
	return v
}

// projectAndCopy copies the part of a value in ownership form.
func projectAndCopy(e *editor, b *ir.Builder, v *ir.Value, path facts.Path) *ir.Value {
	if path == 0 {
		return e.copyValue(b, v)
	}
	if e.ts.IsTrivial(v.Type) || facts.NewOwnership(e.f, e.ts).KindOf(v) == facts.KindNone {
		return project(e, b, v, path)
	}
	borrow := emit(b, op.BeginBorrow, v).Result()
	r := e.copyValue(b, project(e, b, borrow, path))
	emit(b, op.EndBorrow, borrow)
	return r
}

// partsOf counts the fields of a struct or tuple; 0 when it can't be taken apart.
func partsOf(p *facts.Program, t *ir.Type) int {
	fields, ok := p.Types.FieldTypes(t.Object())
	if !ok {
		return 0
	}
	if d := p.Mod.DeclOf(facts.Selfless(t.Object())); d != nil && d.NonCopyable {
		return 0
	}
	for n := range fields {
		if _, _, _, ok := member(p, t, n); !ok {
			return 0
		}
	}
	return len(fields)
}

// splitLoad makes loads of the fields of one load and gives them, nil when that can't be done.
func splitLoad(e *editor, load *ir.Inst) []*ir.Inst {
	p := e.c.Program(e.f)
	t := load.Result().Type
	n := partsOf(p, t)
	if n == 0 {
		return nil
	}
	b := e.before(load)
	var parts []*ir.Value
	var loads []*ir.Inst
	for k := range n {
		aux, _, address, _ := member(p, t, k)
		from := b.Emit(&ir.Inst{Op: address, Aux: aux}, load.Arg(0)).Result()
		l := &ir.Inst{Op: op.Load}
		switch {
		case !e.ossa:
		case e.ts.IsTrivial(from.Type.Object()):
			l.Quals = []string{"trivial"}
		default:
			l.Quals = append([]string(nil), load.Quals...)
		}
		parts = append(parts, b.Emit(l, from).Result())
		loads = append(loads, l)
	}
	load.ReplaceWith(buildAggregate(b, t, parts))
	return loads
}

// splitStore makes stores of the fields of one store, and says whether that could be done.
func splitStore(e *editor, store *ir.Inst) bool {
	p := e.c.Program(e.f)
	v, to := store.Arg(0), store.Arg(1)
	n := partsOf(p, v.Type)
	if n == 0 {
		return false
	}
	b := e.after(store)
	put := func(part *ir.Value, k int) {
		aux, _, address, _ := member(p, v.Type, k)
		at := b.Emit(&ir.Inst{Op: address, Aux: aux}, to).Result()
		s := &ir.Inst{Op: op.Store}
		switch {
		case !e.ossa:
		case e.ts.IsTrivial(part.Type):
			s.Quals = []string{"trivial"}
		default:
			s.Quals = append([]string(nil), store.Quals...)
		}
		b.Emit(s, part, at)
	}
	if e.ossa && !e.ts.IsTrivial(v.Type) {
		o := op.DestructureStruct
		if v.Type.Kind == ir.KindTuple {
			o = op.DestructureTuple
		}
		for k, part := range emit(b, o, v).Results {
			put(part, k)
		}
	} else {
		for k := range n {
			aux, extract, _, _ := member(p, v.Type, k)
			put(b.Emit(&ir.Inst{Op: extract, Aux: aux}, v).Result(), k)
		}
	}
	e.salvageStore(store)
	store.Remove()
	return true
}
