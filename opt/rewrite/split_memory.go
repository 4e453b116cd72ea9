package rewrite

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// Member returns the aux and the ops for field n of a struct or tuple: extract a value, project an address. ok is false when nobody knows the
// field.
func Member(p *facts.Program, t *ir.Type, n int) (aux ir.Aux, extract, address op.Op, ok bool) {
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

// CanProject reports whether the part of a value of type t that a path selects can be extracted.
func CanProject(p *facts.Program, t *ir.Type, path effects.Path) bool {
	t = facts.Selfless(t.Object())
	for path != 0 {
		k, n, rest := path.Pop()
		if k != effects.FieldStruct && k != effects.FieldTuple {
			return false
		}
		aux, _, _, ok := Member(p, t, n)
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

// Project extracts the part of a value.
func Project(e *Editor, b *ir.Builder, v *ir.Value, path effects.Path) *ir.Value {
	for path != 0 {
		_, n, rest := path.Pop()
		aux, extract, _, _ := Member(e.Context.Program(e.Func), v.Type, n)
		v = b.Emit(&ir.Inst{Op: extract, Aux: aux}, v).Result()
		path = rest
	}
	return v
}

// ProjectAddress projects the address of a part.
func ProjectAddress(e *Editor, b *ir.Builder, v *ir.Value, path effects.Path) *ir.Value {
	for path != 0 {
		_, n, rest := path.Pop()
		aux, _, address, _ := Member(e.Context.Program(e.Func), v.Type, n)
		v = b.Emit(&ir.Inst{Op: address, Aux: aux}, v).Result()
		path = rest
	}
	return v
}

// ProjectAndCopy copies the part of a value in ownership form.
func ProjectAndCopy(e *Editor, b *ir.Builder, v *ir.Value, path effects.Path) *ir.Value {
	if path == 0 {
		return e.CopyValue(b, v)
	}
	if e.Types.IsTrivial(v.Type) || ownership.New(e.Func, e.Types).KindOf(v) == ownership.KindNone {
		return Project(e, b, v, path)
	}
	borrow := Emit(b, op.BeginBorrow, v).Result()
	r := e.CopyValue(b, Project(e, b, borrow, path))
	Emit(b, op.EndBorrow, borrow)
	return r
}

// PartsOf counts the fields of a struct or tuple; 0 when it can't be taken apart.
func PartsOf(p *facts.Program, t *ir.Type) int {
	fields, ok := p.Types.FieldTypes(t.Object())
	if !ok {
		return 0
	}
	if d := p.Mod.DeclOf(facts.Selfless(t.Object())); d != nil && d.NonCopyable {
		return 0
	}
	for n := range fields {
		if _, _, _, ok := Member(p, t, n); !ok {
			return 0
		}
	}
	return len(fields)
}

// SplitLoad makes loads of the fields of one load and returns them, nil when that can't be done.
func SplitLoad(e *Editor, load *ir.Inst) []*ir.Inst {
	p := e.Context.Program(e.Func)
	t := load.Result().Type
	n := PartsOf(p, t)
	if n == 0 {
		return nil
	}
	b := e.Before(load)
	var parts []*ir.Value
	var loads []*ir.Inst
	for k := range n {
		aux, _, address, _ := Member(p, t, k)
		from := b.Emit(&ir.Inst{Op: address, Aux: aux}, load.Arg(0)).Result()
		l := &ir.Inst{Op: op.Load}
		switch {
		case !e.OSSA:
		case e.Types.IsTrivial(from.Type.Object()):
			l.Quals = op.QualsOf(op.QualTrivial)
		default:
			l.Quals = load.Quals
		}
		parts = append(parts, b.Emit(l, from).Result())
		loads = append(loads, l)
	}
	load.ReplaceWith(BuildAggregate(b, t, parts))
	return loads
}

// SplitStore makes stores of the fields of one store, and reports whether that could be done.
func SplitStore(e *Editor, store *ir.Inst) bool {
	p := e.Context.Program(e.Func)
	v, to := store.Arg(0), store.Arg(1)
	n := PartsOf(p, v.Type)
	if n == 0 {
		return false
	}
	b := e.After(store)
	put := func(part *ir.Value, k int) {
		aux, _, address, _ := Member(p, v.Type, k)
		at := b.Emit(&ir.Inst{Op: address, Aux: aux}, to).Result()
		s := &ir.Inst{Op: op.Store}
		switch {
		case !e.OSSA:
		case e.Types.IsTrivial(part.Type):
			s.Quals = op.QualsOf(op.QualTrivial)
		default:
			s.Quals = store.Quals
		}
		b.Emit(s, part, at)
	}
	if e.OSSA && !e.Types.IsTrivial(v.Type) {
		o := op.DestructureStruct
		if v.Type.Kind == ir.KindTuple {
			o = op.DestructureTuple
		}
		for k, part := range Emit(b, o, v).Results {
			put(part, k)
		}
	} else {
		for k := range n {
			aux, extract, _, _ := Member(p, v.Type, k)
			put(b.Emit(&ir.Inst{Op: extract, Aux: aux}, v).Result(), k)
		}
	}
	e.SalvageStore(store)
	store.Remove()
	return true
}

// Project takes part n, of type t, out of a struct or tuple.
func (e *Editor) Project(b *ir.Builder, whole *ir.Value, n int, t *ir.Type) *ir.Inst {
	return Extract(e.Context.Module, b, whole, n, t)
}

// Extract takes part n, of type t, out of a struct or tuple.
func Extract(mod *ir.Module, b *ir.Builder, whole *ir.Value, n int, t *ir.Type) *ir.Inst {
	p := &ir.Inst{Op: op.TupleExtract, Aux: IntAux(n)}
	if whole.Type.Kind != ir.KindTuple {
		p = &ir.Inst{Op: op.StructExtract, Aux: FieldMember(mod, whole.Type, n)}
	}
	b.Emit(p, whole)
	p.Result().Type = t
	return p
}

// FieldMember names stored property n of a struct.
func FieldMember(mod *ir.Module, t *ir.Type, n int) *ir.MemberAux {
	d := mod.DeclOf(t.Object())
	if d == nil {
		return &ir.MemberAux{Type: t.Object().QualifiedName(), Name: "?"}
	}
	if n >= len(d.Fields) {
		return &ir.MemberAux{Type: d.Path, Name: "?"}
	}
	return &ir.MemberAux{Type: d.Path, Name: d.Fields[n].Name}
}

// BuildAggregate emits the struct or tuple of a type made of its fields.
func BuildAggregate(b *ir.Builder, t *ir.Type, parts []*ir.Value) *ir.Value {
	i := &ir.Inst{Op: op.Struct, Types: []*ir.Type{t}}
	if t.Kind == ir.KindTuple {
		i = &ir.Inst{Op: op.Tuple}
		if t.Labels != nil {
			i.Types = []*ir.Type{t}
		}
	}
	return b.Emit(i, parts...).Results[0]
}
