package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

func takesPart(i *ir.Inst) bool { return i.Op == op.StructExtract || i.Op == op.TupleExtract }

// onlyDestroyedBeside reports whether nothing but an instruction and destroys use a value, and each destroy is below the instruction: they are
// in one block, or the instruction is where the value is.
func onlyDestroyedBeside(v *ir.Value, i *ir.Inst) bool {
	for u := range v.Uses() {
		switch d := u.User(); {
		case d == i:
		case d.Op != op.DestroyValue, v.Block() != i.Block() && d.Block() != i.Block():
			return false
		}
	}
	return true
}

// borrowOwned does without the borrow of an owned value: a copy of what is made of the borrowed value becomes a copy of the value itself,
// and where the value is only destroyed otherwise, it is handed on and what it became is destroyed.
//
//	%1 = begin_borrow %0 : $D              %1 = copy_value %0 : $D
//	%2 = upcast %1 : $D to $B              %2 = upcast %1 : $D to $B
//	%3 = copy_value %2 : $B            →
//	end_borrow %1 : $D
//
//	%1 = begin_borrow %0 : $D
//	%2 = upcast %1 : $D to $B              %2 = upcast %0 : $D to $B
//	apply %f(%2)                           apply %f(%2)
//	end_borrow %1 : $D                 →
//	destroy_value %0 : $D                  destroy_value %2 : $B
//
// Borrows that are lexical stay, and those of values whose pointers escape.
func (r *Combiner) borrowOwned(i *ir.Inst) bool {
	v := i.Arg(0)
	if r.own == nil || !r.isOwned(v) || i.Has(op.QualLexical) || r.pointerEscapes(v) {
		return false
	}
	chain := r.forwardingChain(i.Results[0])
	last := i.Results[0]
	if n := len(chain); n > 0 {
		last = chain[n-1].Results[0]
	}
	var copied *ir.Inst // the only user of last besides the ends of the borrow, when that is a copy
	users := 0
	for u := range last.Uses() {
		if u.User().Op == op.EndBorrow {
			continue
		}
		if !ownership.Accepts(r.own.UseOf(u), ownership.KindOwned) {
			return false
		}
		if users++; u.User().Op == op.CopyValue {
			copied = u.User()
		}
	}
	if users == 1 && copied != nil && copied.Block() == i.Block() {
		c := r.emit(i, &ir.Inst{Op: op.CopyValue}, v).Results[0]
		r.replace(copied, r.handOn(i, chain, c))
		r.eraseWithUsers(i)
		return true
	}
	if !onlyDestroyedBeside(v, i) {
		return false
	}
	owned := r.handOn(i, chain, v)
	r.pushUsers(last)
	for u, next := last.FirstUse(), (*ir.Operand)(nil); u != nil; u = next {
		next = u.NextUse()
		if u.User().Op != op.EndBorrow {
			u.Set(owned)
		}
	}
	r.eraseWithUsers(i)
	if owned != v {
		for u, next := v.FirstUse(), (*ir.Operand)(nil); u != nil; u = next {
			next = u.NextUse()
			if u.User().Op == op.DestroyValue {
				u.Set(owned)
			}
		}
	}
	return true
}

// forwardingChain lists the instructions that hand a borrowed value on, each to the next one only; they can as well hand on an owned one.
func (r *Combiner) forwardingChain(v *ir.Value) []*ir.Inst {
	var chain []*ir.Inst
	for {
		var sole *ir.Inst
		users := 0
		for u := range v.Uses() {
			if u.User().Op != op.EndBorrow && !facts.IsDebug(u.User()) {
				sole = u.User()
				users++
			}
		}
		// what is handed on in another block is not handed on, and would not be destroyed, on the way past that
		if users != 1 || sole.Block() != v.Block() || len(sole.Results) != 1 || sole.Op.IsTerminator() || sole.Op == op.MarkDependence ||
			!ownership.IsForwardingColumn(ownership.Column(sole, 0)) || takesPart(sole) && !r.isOnlyNontrivialField(sole) {
			return chain
		}
		for n := range sole.Operands {
			if sole.Arg(n) != v && r.own.KindOf(sole.Arg(n)) != ownership.KindNone {
				return chain
			}
		}
		chain = append(chain, sole)
		v = sole.Results[0]
	}
}

// isOnlyNontrivialField reports whether all fields of a struct or tuple are trivial but the one that an instruction extracts.
func (r *Combiner) isOnlyNontrivialField(i *ir.Inst) bool {
	fields, ok := r.Types.FieldTypes(i.Arg(0).Type)
	k := facts.FieldNumber(r.Context.Module, i)
	if !ok || k < 0 || r.Types.HasDeinit(i.Arg(0).Type) {
		return false
	}
	for n, t := range fields {
		if n != k && !r.Types.IsTrivial(t) {
			return false
		}
	}
	return true
}

// handOn makes the instructions of a chain anew, before each of them, for another value in the place of the borrowed one.
func (r *Combiner) handOn(borrow *ir.Inst, chain []*ir.Inst, v *ir.Value) *ir.Value {
	old := borrow.Results[0]
	for _, i := range chain {
		vs := rewrite.Values(i)
		for n := range vs {
			if vs[n] == old {
				vs[n] = v
			}
		}
		old = i.Results[0]
		if takesPart(i) {
			v = r.destructured(i, v)
			continue
		}
		v = r.emit(i, &ir.Inst{Op: i.Op, Quals: i.Quals, Types: i.Types, Aux: i.Aux}, vs...).Results[0]
		if v.Type == nil {
			v.Type = old.Type
		}
	}
	return v
}

// destructured takes an owned value apart before an instruction that extracts a part of it, and returns that part.
func (r *Combiner) destructured(extract *ir.Inst, v *ir.Value) *ir.Value {
	o := op.DestructureStruct
	if extract.Op == op.TupleExtract {
		o = op.DestructureTuple
	}
	by := r.emit(extract, &ir.Inst{Op: o}, v)
	fields, _ := r.Types.FieldTypes(v.Type)
	for n, t := range fields {
		by.Results[n].Type = t
	}
	return by.Results[facts.FieldNumber(r.Context.Module, extract)]
}

// pointerEscapes reports whether a pointer into a value, or into what it is handed on as, gets out of what ownership tells.
func (r *Combiner) pointerEscapes(v *ir.Value) bool {
	for u := range v.Uses() {
		switch r.own.UseOf(u) {
		case op.OwnershipPointerEscape, op.OwnershipBitwiseEscape:
			return true
		case op.OwnershipGuaranteedForwarding:
			for _, x := range u.User().Results {
				if r.pointerEscapes(x) {
					return true
				}
			}
		}
	}
	return false
}
