package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// SROA replaces a stack slot of a struct or tuple by a slot for each field, when some use takes the address of a field and none takes
// that of the whole away:
//
//	%1 = alloc_stack $S                       %1 = alloc_stack $C
//	%2 = struct_element_addr %1, #S.c      →  store %0 to %1 : $*C
//	store %0 to %2 : $*C
var SROA = &pass.Pass{Name: "sroa", Doc: "Replaces stack slots of aggregates by slots for their fields", Needs: [][]op.Op{{op.AllocStack}}, Function: func(c *pass.Context, f *ir.Function) bool {
	return runSROA(c, f, false)
}}

// EarlySROA is sroa for code in which calls with known semantics are not inlined yet: strings keep their slots.
var EarlySROA = &pass.Pass{Name: "early-sroa", Doc: "Replaces stack slots of aggregates by slots for their fields, strings left out", Needs: [][]op.Op{{op.AllocStack}}, Function: func(c *pass.Context, f *ir.Function) bool {
	return runSROA(c, f, true)
}}

func runSROA(c *pass.Context, f *ir.Function, early bool) bool {
	r := &sroaRun{Editor: rewrite.NewEditor(c, f)}
	var work []*ir.Inst
	for i := range f.Insts() {
		if i.Op == op.AllocStack && r.mayChop(i, early) {
			work = append(work, i)
		}
	}
	changed := false
	for slot := range worklist.Drain(&work) {
		if r.analyze(slot) {
			c.Passed(f, slot, "the slot of %s is replaced by slots for its fields", slot.Results[0].Type.Object())
			work = append(work, r.chop(slot)...)
			changed = true
		}
	}
	return changed
}

type sroaRun struct {
	*rewrite.Editor
	loads, stores, projections, deallocs []*ir.Inst
}

// mayChop reports whether slots of the type may be taken apart at all.
func (r *sroaRun) mayChop(slot *ir.Inst, early bool) bool {
	t := slot.Results[0].Type.Object()
	if !r.Context.ShouldExpand(r.Types, t) {
		return false
	}
	return !early || t.Known() != ir.KnownString
}

// analyze sorts the uses of a slot, and reports whether it can and should be taken apart.
func (r *sroaRun) analyze(slot *ir.Inst) bool {
	r.loads, r.stores, r.projections, r.deallocs = nil, nil, nil, nil
	address := slot.Results[0]
	t := address.Type.Object()
	if t.Kind != ir.KindTuple {
		d := r.Context.Module.DeclOf(t)
		if t.Kind != ir.KindNominal || d == nil || d.Kind != ir.Struct || r.Types.HasDeinit(t) {
			return false
		}
	}
	fields, ok := r.Types.FieldTypes(t)
	if !ok || len(fields) == 0 {
		return false
	}
	for _, ft := range fields {
		if r.Context.Module.Lowered(ft) == nil {
			r.Context.Missed(r.Func, slot, "how a field of type %s is kept in memory is not known", ft)
			return false
		}
	}
	for u := range address.Uses() {
		i := u.User()
		switch i.Op {
		case op.DebugValue:
		case op.Store:
			if i.Arg(1) != address || i.Arg(0) == address {
				return false
			}
			r.stores = append(r.stores, i)
		case op.Load:
			r.loads = append(r.loads, i)
		case op.StructElementAddr, op.TupleElementAddr:
			r.projections = append(r.projections, i)
		case op.DeallocStack:
			r.deallocs = append(r.deallocs, i)
		default:
			r.Context.Missed(r.Func, slot, "%s uses the slot as a whole", i.Row().Name)
			return false
		}
	}
	for _, s := range r.stores {
		if d := s.Arg(0).Inst(); d != nil && (d.Op == op.Struct || d.Op == op.Tuple) {
			return true // its parts are there already
		}
	}
	return len(r.projections) > 0
}

// chop takes the slot apart and returns the new slots.
func (r *sroaRun) chop(slot *ir.Inst) []*ir.Inst {
	mod := r.Context.Module
	t := slot.Results[0].Type.Object()
	fields, _ := r.Types.FieldTypes(t)
	made := make([]*ir.Inst, len(fields))
	b := r.Before(slot)
	quals := slot.Quals.Only(op.QualDynamicLifetime, op.QualLexical)
	for n, ft := range fields {
		made[n] = b.Emit(&ir.Inst{Op: op.AllocStack, Quals: quals, Types: []*ir.Type{ft}, Aux: rewrite.Fragment(mod, slot, t, n)})
	}
	for _, i := range r.loads {
		b := r.Before(i)
		parts := make([]*ir.Value, len(fields))
		for n := range fields {
			parts[n] = r.Load(b, made[n].Results[0], qualifierOf(i))
		}
		i.ReplaceWith(rewrite.BuildAggregate(b, t, parts))
	}
	for _, i := range r.stores {
		b := r.Before(i)
		for n, v := range r.takeApart(b, i.Arg(0), fields) {
			r.Store(b, v, made[n].Results[0], qualifierOf(i))
		}
		i.Remove()
	}
	for _, i := range r.projections {
		i.ReplaceWith(made[facts.FieldNumber(mod, i)].Results[0])
	}
	for _, i := range r.deallocs {
		b := r.Before(i)
		for n := len(made) - 1; n >= 0; n-- {
			rewrite.Emit(b, op.DeallocStack, made[n].Results[0])
		}
		i.Remove()
	}
	for _, x := range slot.Results[0].UseList() {
		d := x.User()
		for n, part := range made {
			r.Before(d).Emit(&ir.Inst{Op: op.DebugValue, Quals: d.Quals, Aux: rewrite.Fragment(mod, d, t, n)}, part.Results[0])
		}
		d.Remove()
	}
	slot.Remove()
	return made
}

// qualifierOf returns the ownership qualifier of a load or store, QualInvalid outside of ownership form.
func qualifierOf(i *ir.Inst) op.Qual {
	return i.Quals.First(op.QualCopy, op.QualTake, op.QualTrivial, op.QualInit, op.QualAssign)
}

// takeApart returns the fields of an aggregate.
func (r *sroaRun) takeApart(b *ir.Builder, v *ir.Value, fields []*ir.Type) []*ir.Value {
	if !r.OSSA {
		parts := make([]*ir.Value, len(fields))
		for n, t := range fields {
			parts[n] = rewrite.Extract(r.Context.Module, b, v, n, t).Result()
		}
		return parts
	}
	o := op.DestructureStruct
	if v.Type.Kind == ir.KindTuple {
		o = op.DestructureTuple
	}
	i := b.Emit(&ir.Inst{Op: o}, v)
	for n := range i.Results {
		if i.Results[n].Type == nil {
			i.Results[n].Type = fields[n]
		}
	}
	return i.Results
}
