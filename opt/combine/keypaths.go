package combine

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// The rule for key paths that are known: reading and writing through them is done by the accesses and calls that they stand for.

// keyPathFunctions lists the functions of the library that read and write through a key path, with the numbers of their operands.
var keyPathFunctions = map[string]struct{ root, path, value int }{
	"swift_getAtKeyPath":                  {2, 3, 1},
	"swift_setAtWritableKeyPath":          {1, 2, 3},
	"swift_setAtReferenceWritableKeyPath": {1, 2, 3},
}

// keepsKeyPath lists what a key path goes through on its way to such a function: any KeyPath<Root, Value> & Sendable is opened.
var keepsKeyPath = [op.Count]bool{op.Upcast: true, op.OpenExistentialRef: true, op.BeginBorrow: true, op.CopyValue: true, op.MoveValue: true}

// keyPathAccess is what a step of a key path is needed for.
type keyPathAccess uint8

const (
	keyPathGet keyPathAccess = iota
	keyPathSet
	keyPathModify
)

// keyPathProjector does the steps of a key path before a call.
type keyPathProjector struct {
	r     *Combiner
	at    *ir.Inst
	root  *ir.Value
	steps []ir.KeyPathComponent
}

func (p *keyPathProjector) emit(o op.Op, aux ir.Aux, quals op.Quals, operands ...*ir.Value) *ir.Value {
	i := p.r.emit(p.at, &ir.Inst{Op: o, Aux: aux, Quals: quals}, operands...)
	if len(i.Results) == 0 {
		return nil
	}
	return i.Result()
}

// project does the steps up to number n, then what use does with the memory there, then what ends the steps. Memory that is set has been
// destroyed before, or was never initialized.
func (p *keyPathProjector) project(n int, access keyPathAccess, use func(address *ir.Value)) {
	if n < 0 {
		use(p.root)
		return
	}
	parent := access
	if parent == keyPathSet {
		parent = keyPathModify
	}
	s := p.steps[n]
	switch s.Kind {
	case ir.KeyPathGettable, ir.KeyPathSettable:
		p.computed(n, access, use)
	case ir.KeyPathTupleElement:
		p.project(n-1, parent, func(whole *ir.Value) { p.part(op.TupleElementAddr, tupleIndex(s.Index), whole, access, use) })
	default:
		if !p.r.Context.Module.IsClassType(p.typeBefore(n)) {
			p.project(n-1, parent, func(whole *ir.Value) { p.part(op.StructElementAddr, s.Member, whole, access, use) })
			return
		}
		p.project(n-1, keyPathGet, func(reference *ir.Value) { p.field(n, reference, access, use) })
	}
}

// typeBefore returns the type of what step n starts from.
func (p *keyPathProjector) typeBefore(n int) *ir.Type {
	t, mod := p.root.Type.Object(), p.r.Context.Module
	for _, s := range p.steps[:n] {
		switch s.Kind {
		case ir.KeyPathTupleElement:
			t = t.Args[s.Index]
		case ir.KeyPathStored:
			t = mod.FieldType(t, s.Member.Type, s.Member.Name)
		default:
			t = s.Type
		}
	}
	return t
}

// part goes to a part of a value in memory.
func (p *keyPathProjector) part(o op.Op, aux ir.Aux, whole *ir.Value, access keyPathAccess, use func(address *ir.Value)) {
	address := p.emit(o, aux, op.Quals{}, whole)
	if access == keyPathSet {
		p.emit(op.DestroyAddr, nil, op.Quals{}, address)
	}
	use(address)
}

// field accesses a field of the object to which a reference in memory refers.
func (p *keyPathProjector) field(n int, reference *ir.Value, access keyPathAccess, use func(address *ir.Value)) {
	s := p.steps[n]
	load := op.Load
	if p.r.OSSA {
		load = op.LoadBorrow
	}
	object := p.emit(load, nil, op.Quals{}, reference)
	if scope := facts.DefinedBy(reference, op.BeginAccess); scope != nil {
		p.emit(op.EndAccess, nil, op.Quals{}, scope.Result())
	}
	kind := op.QualModify
	if access == keyPathGet {
		kind = op.QualRead
	}
	begin := p.emit(op.BeginAccess, nil, op.QualsOf(kind, op.QualDynamic), p.emit(op.RefElementAddr, s.Member, op.Quals{}, object))
	if access == keyPathSet {
		p.emit(op.DestroyAddr, nil, op.Quals{}, begin)
	}
	use(begin)
	if len(ownership.EndAccesses(begin.Inst())) == 0 {
		p.emit(op.EndAccess, nil, op.Quals{}, begin)
	}
	if p.r.OSSA {
		p.emit(op.EndBorrow, nil, op.Quals{}, object)
	}
}

// computed calls the accessors of a property, with a stack location for its value.
func (p *keyPathProjector) computed(n int, access keyPathAccess, use func(address *ir.Value)) {
	s := p.steps[n]
	parent := keyPathGet
	if access != keyPathGet {
		parent = keyPathModify
	}
	p.project(n-1, parent, func(whole *ir.Value) {
		b := p.r.Before(p.at)
		slot := b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{s.Type}}).Result()
		call := func(name string) {
			f := p.r.Context.Module.Func(name)
			ref := rewrite.FunctionRef(b, f)
			p.emit(op.Apply, &ir.ApplyAux{Fn: f.Type}, op.Quals{}, ref, slot, whole)
		}
		if access != keyPathSet {
			call(s.Getter)
		}
		use(slot)
		if access != keyPathGet && s.Kind == ir.KeyPathSettable {
			call(s.Setter)
		}
		p.emit(op.DestroyAddr, nil, op.Quals{}, slot)
		p.emit(op.DeallocStack, nil, op.Quals{}, slot)
	})
}

// tupleIndex returns the aux of the instructions that select an element of a tuple.
func tupleIndex(n int) ir.Aux { return &ir.IntAux{Value: big.NewInt(int64(n))} }

// applyKeyPath replaces a call that reads or writes through a key path of which all steps are known.
func (r *Combiner) applyKeyPath(i *ir.Inst) bool {
	f := facts.StaticCallee(i)
	if f == nil {
		return false
	}
	at, ok := keyPathFunctions[f.Name]
	if !ok || len(i.Operands) != 4 || i.Result().HasUses() {
		return false
	}
	v := i.Arg(at.path)
	for d := v.Inst(); d != nil && keepsKeyPath[d.Op]; d = v.Inst() {
		v = d.Arg(0)
	}
	kp := facts.DefinedBy(v, op.Keypath)
	if kp == nil {
		return false
	}
	access := keyPathSet
	if at.value == 1 {
		access = keyPathGet
	}
	aux, ok := kp.Aux.(*ir.KeyPathAux)
	if !ok || !r.canFollow(aux, i.Arg(at.root).Type.Object(), i.Arg(at.value).Type.Object(), access) {
		return false
	}
	p := &keyPathProjector{r: r, at: i, root: i.Arg(at.root), steps: aux.Components}
	p.project(len(p.steps)-1, access, func(address *ir.Value) {
		if access == keyPathGet {
			r.emit(i, &ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualInit)}, address, i.Arg(at.value))
		} else {
			r.emit(i, &ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualTake, op.QualInit)}, i.Arg(at.value), address)
		}
	})
	r.erase(i)
	return true
}

// canFollow reports whether the steps of a key path are fields and properties without indices, and lead to a value as it is in memory: functions
// are stored otherwise than they are passed. No function may run while an object that was found on the way is only held by a field.
func (r *Combiner) canFollow(aux *ir.KeyPathAux, root, value *ir.Type, access keyPathAccess) bool {
	mod, t := r.Context.Module, root
	objects := 0
	for n, s := range aux.Components {
		switch s.Kind {
		case ir.KeyPathStored:
			d := mod.DeclOf(t)
			if d == nil || s.Member == nil || s.Member.Type != d.Path || mod.FieldType(t, s.Member.Type, s.Member.Name) == nil {
				return false
			}
			if mod.IsClassType(t) {
				objects++
			}
			t = mod.FieldType(t, s.Member.Type, s.Member.Name)
		case ir.KeyPathTupleElement:
			if t.Kind != ir.KindTuple || s.Index >= len(t.Args) {
				return false
			}
			t = t.Args[s.Index]
		case ir.KeyPathGettable, ir.KeyPathSettable:
			sets := access == keyPathSet && s.Kind == ir.KeyPathSettable
			if aux.Generic != nil || len(s.Indices) > 0 || objects > 0 || access == keyPathSet && !sets && n == len(aux.Components)-1 {
				return false
			}
			get := r.accessor(s.Getter, t)
			if get == nil || len(get.Results) != 1 || get.Results[0].Type.Object() != s.Type || sets && r.accessor(s.Setter, s.Type, t) == nil {
				return false
			}
			t = s.Type
		default:
			return false
		}
	}
	return len(aux.Components) > 0 && t == value && (access == keyPathGet || objects < 2 || r.Types.IsTrivial(t))
}

// accessor returns the type of the function of that name, nil when it is not there, generic or takes something else than values of these types.
func (r *Combiner) accessor(name string, params ...*ir.Type) *ir.FuncType {
	f := r.Context.Module.Func(name)
	if f == nil || f.Type.Func.Generic != nil || len(f.Type.Func.Params) != len(params) {
		return nil
	}
	for n, t := range params {
		if f.Type.Func.Params[n].Type.Object() != t {
			return nil
		}
	}
	return f.Type.Func
}
