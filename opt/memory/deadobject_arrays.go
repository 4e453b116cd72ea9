package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// place is a part of a dead object: what a projection selects of the place above it.
type place struct {
	index int
	parts []*place // by index
}

// part returns the part of a place with that index.
func (p *place) part(index int) *place {
	at, found := slices.BinarySearchFunc(p.parts, index, func(q *place, index int) int { return q.index - index })
	if !found {
		p.parts = slices.Insert(p.parts, at, &place{index: index})
	}
	return p.parts[at]
}

// deadPlaces are the places inside an object to which something is stored, and the users of the object.
type deadPlaces struct {
	d           *deadObjects
	root        *place
	users       instSet
	stores      map[*place][]*ir.Inst // of values that have to be given up, the last of each block
	seenPointer bool
}

// analyze looks at all uses of v; false when one of them may read the object or let it escape.
func (s *deadPlaces) analyze(v *ir.Value) bool {
	s.root, s.stores = &place{}, map[*place][]*ir.Inst{}
	if !s.uses(v, s.root, false, 0) {
		return false
	}
	for p := range s.stores {
		if len(p.parts) > 0 {
			return false
		}
	}
	return true
}

// leaves lists the places with stores in order.
func (s *deadPlaces) leaves() []*place {
	var list []*place
	work := []*place{s.root}
	for p := range worklist.Drain(&work) {
		if len(s.stores[p]) > 0 {
			list = append(list, p)
		}
		for n := len(p.parts) - 1; n >= 0; n-- {
			work = append(work, p.parts[n])
		}
	}
	return list
}

// maxPlaceDepth bounds how long a chain of projections may be.
const maxPlaceDepth = 200

// uses looks at the uses of v, which is the place at; inside says that at lies inside of an element.
func (s *deadPlaces) uses(v *ir.Value, at *place, inside bool, depth int) bool {
	if depth > maxPlaceDepth {
		return false
	}
	for x := range v.Uses() {
		if !s.use(x, at, inside, depth) {
			return false
		}
	}
	return true
}

// use follows a use of the array; false when it is none of those that a dead array may have. inside says that the address leads into an element.
func (s *deadPlaces) use(x *ir.Operand, at *place, inside bool, depth int) bool {
	i := x.User()
	switch i.Op {
	case op.DebugValue, op.FixLifetime, op.DestroyValue:
		s.users.add(i)
		return true
	case op.Store:
		if x.Number() == 0 {
			return false
		}
		if !inside {
			at = at.part(0)
		}
		s.store(i, at)
		s.users.add(i)
		return true
	case op.MarkDependence:
		return s.uses(i.Result(), at, inside, depth+1)
	case op.PointerToAddress:
		if s.seenPointer {
			return false
		}
		s.seenPointer = true
		return s.uses(i.Result(), at, inside, depth+1)
	case op.Apply:
		return facts.HasSemantics(facts.StaticCallee(i), ir.SemanticsArrayFinalizeIntrinsic) && s.uses(i.Result(), at, inside, depth+1)
	}
	if facts.IsRefCounting(i) {
		s.users.add(i)
		return true
	}
	index, address, ok := s.d.projection(i)
	switch {
	case !ok, i.Op == op.IndexAddr && inside, !address && inside:
		return false
	case address && i.Op != op.IndexAddr && !inside:
		at, inside = at.part(0), true
	}
	return s.uses(i.Result(), at.part(index), inside, depth+1)
}

// store notes a store to a place: the last of each block counts.
func (s *deadPlaces) store(i *ir.Inst, at *place) {
	if s.d.Types.IsTrivial(i.Arg(0).Type) {
		return
	}
	for n, other := range s.stores[at] {
		if other.Block() != i.Block() {
			continue
		}
		for later := i.Next(); later != nil; later = later.Next() {
			if later == other {
				return
			}
		}
		s.stores[at][n] = i
		return
	}
	s.stores[at] = append(s.stores[at], i)
}

// array removes an array that a call allocates and nothing reads:
//
//	%1 = apply %allocate(%n)            // [_semantics "array.uninitialized"], an array and the address of its elements
//	%2 = tuple_extract %1, 0
//	%3 = tuple_extract %1, 1
//	…  store %x to %4                   ⇒   –
//	strong_release %2                       strong_release %x
//
// It reports whether it did.
func (d *deadObjects) array(call *ir.Inst) bool {
	f := facts.StaticCallee(call)
	if f == nil || len(call.Operands) < 2 || !facts.HasSemantics(f, ir.SemanticsArrayUninitialized) && !facts.HasSemantics(f, ir.SemanticsArrayUninitializedIntrinsic) {
		return false
	}
	buffer := call.Arg(1)
	if buffer.Type.Kind == ir.KindExistential {
		return false
	}
	var later []*ir.Inst
	object := facts.DefinedBy(buffer, op.AllocRef)
	if object == nil {
		object = facts.DefinedBy(buffer, op.AllocRefDynamic)
	}
	if object != nil {
		for x := range object.Result().Uses() {
			switch u := x.User(); {
			case u == call:
			case u.Op == op.StrongRelease, u.Op == op.DestroyValue, u.Op == op.DeallocRef && object.Op == op.AllocRef:
				later = append(later, u)
			default:
				return false
			}
		}
	}
	if !d.releaseElements(call) {
		return false
	}
	d.Context.Passed(d.Func, call, "removed the array: it is never read")
	d.del.ForceDelete(call)
	for _, i := range later {
		d.del.TrackIfDead(i)
	}
	if object != nil && object.Op == op.AllocRef && object.Block() != nil {
		d.del.ForceDelete(object)
	}
	return true
}

// parts finds the values that a call returns as array and as address of its elements; ok is false when it is used otherwise, too.
func (d *deadObjects) parts(call *ir.Inst) (array, elements *ir.Value, ok bool) {
	if d.OSSA {
		for x := range call.Result().Uses() {
			if u := x.User(); u.Op == op.DestructureTuple && len(u.Results) == 2 {
				array, elements = u.Results[0], u.Results[1]
			} else if ownership.EndsLifetime(d.own.UseOf(x)) {
				return nil, nil, false
			}
		}
		return array, elements, array != nil
	}
	for x := range call.Result().Uses() {
		u := x.User()
		if u.Op != op.TupleExtract {
			return nil, nil, false
		}
		switch n := u.Aux.(*ir.IntAux).Int64(); {
		case n == 0 && array == nil:
			array = u.Result()
		case n == 1 && elements == nil:
			elements = u.Result()
		default:
			return nil, nil, false
		}
	}
	return array, elements, array != nil
}

// releaseElements removes the uses of the array and releases the elements where the array's life ends; false when it has to stay.
func (d *deadObjects) releaseElements(call *ir.Inst) bool {
	array, elements, ok := d.parts(call)
	if !ok {
		return false
	}
	whole := &deadPlaces{d: d}
	if !whole.analyze(array) || len(whole.stores) > 0 {
		return false
	}
	if elements == nil {
		d.remove(whole.users.list)
		return true
	}
	storage := &deadPlaces{d: d}
	if !storage.analyze(elements) {
		return false
	}
	live := ownership.NewLiveness(d.Preds)
	live.Define(call.Result())
	for _, i := range whole.users.list {
		live.Use(i, false)
	}
	for _, i := range storage.users.list {
		if !live.IsUser(i) && !live.Within(i) {
			return false
		}
	}
	ends, ok := d.endsOfLife(live)
	if !ok {
		return false
	}
	preds := cfg.NewPredecessors(d.Func)
	for _, place := range storage.leaves() {
		stores := storage.stores[place]
		first := stores[0].Arg(0)
		ssa := rewrite.NewSSAUpdater(preds, first.Type, rewrite.ArgOwnership(d.Context, d.Func, first))
		for _, store := range stores {
			ssa.Defs[store.Block()] = store.Arg(0)
		}
		for _, at := range ends {
			b := d.Before(at)
			b.Loc, b.Scope = stores[0].Loc, stores[0].Scope
			d.DestroyValue(b, ssa.AtEnd(at.Block()))
		}
	}
	d.remove(whole.users.list)
	d.remove(storage.users.list)
	return true
}

// endsOfLife returns the instructions before which a life ends; false when it ends with a terminator or on an edge. In dead ends nothing
// needs to end.
func (d *deadObjects) endsOfLife(live *ownership.Liveness) (ends []*ir.Inst, ok bool) {
	bound := live.Boundary()
	for _, i := range bound.LastUsers {
		if d.InDeadEnd(i) {
			continue
		}
		if i.Next() == nil {
			return nil, false
		}
		ends = append(ends, i.Next())
	}
	for _, b := range bound.Edges {
		if !d.Context.DeadEnds(d.Func)[b.Index] {
			return nil, false
		}
	}
	return ends, true
}

// projection says which part of its operand an instruction selects, and whether it goes from address to address; ok is false when that is
// not known.
func (d *deadObjects) projection(i *ir.Inst) (index int, address, ok bool) {
	switch i.Op {
	case op.IndexAddr:
		lit := facts.Literal(i.Arg(1))
		if lit == nil || !lit.IsInt64() || lit.Sign() < 0 || lit.Int64() >= 1<<30 {
			return 0, true, false
		}
		return int(lit.Int64()), true, true
	case op.StructElementAddr, op.TupleElementAddr:
		n := facts.FieldNumber(d.Context.Module, i)
		return n, true, n >= 0
	case op.RefElementAddr:
		n := d.p.FieldIndex(i)
		return n, true, n >= 0
	case op.RefTailAddr:
		return 1 << 30, true, true
	case op.ProjectBox:
		return 0, true, true
	case op.StructExtract, op.TupleExtract:
		n := facts.FieldNumber(d.Context.Module, i)
		return n, false, n >= 0
	}
	return 0, false, false
}
