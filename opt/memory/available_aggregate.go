package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// valueMaker makes the value that a load reads from what is known of the subelements. In ownership form each value is copied before the
// store that writes it and once more before the load; what the copies still hold then is destroyed there and on the paths that don't lead
// to the load.
type valueMaker struct {
	*valueFlow
	at     *ir.Inst // the load, copy or destroy_addr
	values []availableValue
	take   bool // the values themselves are handed on: the memory ends to hold them

	copies []*ir.Inst // copies and loads that own their result
	phis   []*ir.Value
}

// canTake reports whether the value of a type at a subelement is a value that was stored, or made of such.
func (a *valueMaker) canTake(t *ir.Type, first int) bool {
	if a.isWhole(t, first) {
		return true
	}
	fields, ok := a.fieldsOf(t)
	if !ok {
		return false
	}
	for _, f := range fields {
		if !a.canTake(f, first) {
			return false
		}
		first += a.countOf(f)
	}
	return true
}

// canMake reports whether the types of all that make emits are known.
func (a *valueMaker) canMake(t *ir.Type, first int) bool {
	if a.isWhole(t, first) {
		return true
	}
	fields, ok := a.fieldsOf(t)
	if !ok {
		known := &a.values[first]
		return known.v == nil || a.canExtract(known.v.Type, known.part)
	}
	for n, f := range fields {
		if _, _, _, ok := rewrite.Member(a.p, t, n); !ok || !a.canMake(f, first) {
			return false
		}
		first += a.countOf(f)
	}
	return true
}

// canExtract reports whether the types on the way to a subelement are known. That of the subelement itself is the type that is loaded.
func (a *valueMaker) canExtract(t *ir.Type, part int) bool {
	fields, ok := a.fieldsOf(t)
	if !ok {
		return true
	}
	for n, f := range fields {
		size := a.countOf(f)
		if part >= size {
			part -= size
			continue
		}
		aux, _, _, ok := rewrite.Member(a.p, t, n)
		_, more := a.fieldsOf(f)
		return aux != nil && (ok || !more) && a.canExtract(f, part)
	}
	return false
}

// isWhole reports whether the subelements from first on are those of one known value of the type.
func (a *valueMaker) isWhole(t *ir.Type, first int) bool {
	if first >= len(a.values) || a.values[first].v == nil {
		return false
	}
	v := a.values[first].v
	if v.Type != t.Object() {
		return false
	}
	for k := range a.countOf(t) {
		if x := &a.values[first+k]; x.v != v || x.part != k {
			return false
		}
	}
	return true
}

// make returns the value of a type at a subelement; address is where it is in memory, nil when all of it is known. A struct or tuple that is put
// together borrows its parts, and is copied as a whole when it is outermost.
func (a *valueMaker) make(t *ir.Type, address *ir.Value, first int, outermost bool) *ir.Value {
	t = t.Object()
	if a.isWhole(t, first) {
		return a.whole(t, first)
	}
	fields, ok := a.fieldsOf(t)
	if !ok {
		return a.leaf(t, address, first)
	}
	var parts []*ir.Value
	for n, f := range fields {
		size := a.countOf(f)
		var part *ir.Value
		if slices.ContainsFunc(a.values[first:first+size], func(x availableValue) bool { return x.v == nil }) {
			aux, _, project, _ := rewrite.Member(a.p, t, n)
			part = a.Before(a.at).Emit(&ir.Inst{Op: project, Aux: aux}, address).Result()
		}
		parts = append(parts, a.make(f, part, first, false))
		first += size
	}
	b := a.Before(a.at)
	if a.take {
		return rewrite.BuildAggregate(b, t, parts)
	}
	for n, p := range parts {
		parts[n] = a.borrow(b, p)
	}
	v := rewrite.BuildAggregate(b, t, parts)
	if !outermost || !a.OSSA || a.Ownership().KindOf(v) != ownership.KindGuaranteed {
		return v
	}
	return a.copyBorrowed(b, v)
}

// copyBorrowed copies a value that was put together of borrowed parts, and ends the borrows.
func (a *valueMaker) copyBorrowed(b *ir.Builder, v *ir.Value) *ir.Value {
	c := a.own(b, v)
	var end func(v *ir.Value)
	end = func(v *ir.Value) {
		i := v.Inst()
		switch {
		case i == nil:
		case i.Op == op.BeginBorrow:
			rewrite.Emit(b, op.EndBorrow, v)
		case i.Op == op.Struct || i.Op == op.Tuple:
			for n := range i.Operands {
				end(i.Arg(n))
			}
		}
	}
	end(v)
	return c
}

// own copies a value, and remembers the copy as one to destroy.
func (a *valueMaker) own(b *ir.Builder, v *ir.Value) *ir.Value {
	if !a.OSSA || a.Types.IsTrivial(v.Type) {
		return v
	}
	c := rewrite.Emit(b, op.CopyValue, v)
	a.copies = append(a.copies, c)
	return c.Result()
}

// borrow begins to borrow a value that is owned.
func (a *valueMaker) borrow(b *ir.Builder, v *ir.Value) *ir.Value {
	if !a.OSSA || a.Ownership().KindOf(v) != ownership.KindOwned {
		return v
	}
	return rewrite.Emit(b, op.BeginBorrow, v).Result()
}

// whole returns a stored value.
func (a *valueMaker) whole(t *ir.Type, first int) *ir.Value {
	known := &a.values[first]
	if !a.OSSA || a.take {
		return known.v
	}
	v, isPhi := a.merge(t, known.stores, func(b *ir.Builder) *ir.Value { return a.own(b, known.v) })
	if !isPhi {
		return v
	}
	return a.own(a.Before(a.at), v)
}

// leaf returns a subelement that is part of a stored value, or loads it.
func (a *valueMaker) leaf(t *ir.Type, address *ir.Value, first int) *ir.Value {
	known := &a.values[first]
	if known.v == nil {
		qual := op.QualCopy
		if !a.OSSA {
			qual = op.QualInvalid // the load that is replaced retained nothing
		}
		v := a.Load(a.Before(a.at), address, qual)
		if v.Inst().Has(op.QualCopy) {
			a.copies = append(a.copies, v.Inst())
		}
		a.use(v.Inst(), memoryLoad)
		return v
	}
	v, _ := a.merge(t, known.stores, func(b *ir.Builder) *ir.Value { return a.extract(b, t, known.v, known.part) })
	return a.own(a.Before(a.at), v)
}

// merge makes a value before each store, and joins them where control comes together again.
func (a *valueMaker) merge(t *ir.Type, stores []*ir.Inst, make func(b *ir.Builder) *ir.Value) (v *ir.Value, isPhi bool) {
	kind := ir.OwnershipUnspecified
	if a.OSSA && !a.Types.IsTrivial(t) {
		kind = ir.OwnershipOwned
	}
	u := rewrite.NewSSAUpdater(a.preds, t, kind)
	same := true
	for _, s := range stores {
		x := make(a.Before(s))
		same = same && (v == nil || v == x)
		v = x
		u.Defs[s.Block()] = x
	}
	if same {
		return v, false
	}
	v = u.AtStart(a.at.Block())
	a.phis = append(a.phis, u.Phis()...)
	return v, true
}

// extract returns a subelement of type t of a value, in ownership form a copy.
func (a *valueMaker) extract(b *ir.Builder, t *ir.Type, v *ir.Value, part int) *ir.Value {
	fields, ok := a.fieldsOf(v.Type)
	if !ok {
		return a.own(b, v)
	}
	for n, f := range fields {
		size := a.countOf(f)
		if part >= size {
			part -= size
			continue
		}
		from := a.borrow(b, v)
		if made := v.Inst(); from == v && made != nil && (made.Op == op.Struct || made.Op == op.Tuple) && len(made.Operands) == len(fields) {
			return a.extract(b, t, made.Arg(n), part)
		}
		aux, extract, _, _ := rewrite.Member(a.p, v.Type, n)
		field := b.Emit(&ir.Inst{Op: extract, Aux: aux}, from).Result()
		if field.Type == nil {
			field.Type = t
		}
		r := a.extract(b, t, field, part)
		if from != v {
			rewrite.Emit(b, op.EndBorrow, from)
		}
		return r
	}
	return v
}

// destroyCopies ends the lives of the copies after their use for the load, and where paths lead elsewhere.
func (a *valueMaker) destroyCopies() {
	if !a.OSSA {
		return
	}
	for n := len(a.copies) - 1; n >= 0; n-- {
		a.destroyUnused(a.copies[n].Result())
	}
	for _, phi := range slices.Backward(a.phis) {
		if phi.Ownership == ir.OwnershipOwned {
			a.destroyUnused(phi)
		}
	}
}

func (a *valueMaker) destroyUnused(v *ir.Value) {
	live := ownership.NewLiveness(func(b *ir.Block) []*ir.Block { return a.preds.Of(b) })
	live.Define(v)
	for x := range v.Uses() {
		if x.User().Op.IsTerminator() { // to a block argument
			live.Use(x.User(), true)
		} else {
			live.Use(a.at, false)
		}
	}
	end := live.Boundary()
	for _, i := range end.LastUsers {
		if i == a.at {
			rewrite.Emit(a.Before(i), op.DestroyValue, v)
		}
	}
	for _, b := range end.Edges {
		if !a.Context.DeadEnds(a.Func)[b.Index] {
			rewrite.Emit(a.Before(b.First()), op.DestroyValue, v)
		}
	}
}
