package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/fold"
	"silvm/opt/rewrite"
)

// throughExistential returns the reference that was put into an existential and opened again, nil when v is no such value.
func throughExistential(v *ir.Value) *ir.Value {
	if o := facts.DefinedBy(v, op.OpenExistentialRef); o != nil {
		if e := facts.DefinedBy(o.Arg(0), op.InitExistentialRef); e != nil {
			return e.Arg(0)
		}
	}
	return nil
}

func hasUsesBesideDebug(v *ir.Value) bool {
	for u := range v.Uses() {
		if !facts.IsDebug(u.User()) {
			return true
		}
	}
	return false
}

// The rules for casts: two in a row become one, or none.

func (r *Combiner) refToRawPointer(i *ir.Inst) bool {
	if r.OSSA {
		return r.pointerBeforeCast(i)
	}
	if c := facts.DefinedBy(i.Arg(0), op.UncheckedRefCast); c != nil {
		if r.Types.IsReference(c.Arg(0).Type) {
			r.setOperand(i, 0, c.Arg(0))
			return true
		}
		return r.cast(i, op.UncheckedTrivialBitCast, c.Arg(0))
	}
	if v := throughExistential(i.Arg(0)); v != nil {
		return r.cast(i, op.RefToRawPointer, v)
	}
	return false
}

// pointerBeforeCast takes the pointer of a reference before it is cast.
func (r *Combiner) pointerBeforeCast(i *ir.Inst) bool {
	c := facts.DefinedBy(i.Arg(0), op.UncheckedRefCast)
	return c != nil && r.Types.IsReference(c.Arg(0).Type) && r.beforeCast(i, c)
}

// beforeCast lets i, whose result is trivial, look at a value before it is cast: an owned one is handed on by the cast.
func (r *Combiner) beforeCast(i, c *ir.Inst) bool {
	i.Operands[0].Set(c.Arg(0))
	i.MoveBefore(c)
	if !c.Results[0].HasUses() {
		r.erase(c)
	}
	r.moved = true
	return false // nothing is looked at again, as in the compiler
}

func (r *Combiner) upcast(i *ir.Inst) bool {
	if up := facts.DefinedBy(i.Arg(0), op.Upcast); up != nil && r.canSkip(up) {
		r.setOperand(i, 0, up.Arg(0))
		r.skipped(up)
		return true
	}
	return false
}

// canSkip reports whether a user of what inner hands on may use inner's operand itself. An owned value is handed on once.
func (r *Combiner) canSkip(inner *ir.Inst) bool {
	if !r.OSSA {
		return true
	}
	switch r.own.KindOf(inner.Arg(0)) {
	case ownership.KindNone, ownership.KindGuaranteed:
		return true
	case ownership.KindOwned:
		users := 0
		for u := range inner.Results[0].Uses() {
			if !facts.IsDebug(u.User()) {
				users++
			}
		}
		return users == 1
	}
	return false
}

// skipped removes what handed an owned value on to an instruction that now takes the value itself.
func (r *Combiner) skipped(inner *ir.Inst) {
	if r.OSSA && r.own.KindOf(inner.Arg(0)) == ownership.KindOwned {
		r.eraseWithUsers(inner)
	}
}

func (r *Combiner) pointerToAddress(i *ir.Inst) bool {
	if p := facts.DefinedBy(i.Arg(0), op.AddressToPointer); p != nil && i.Has(op.QualStrict) && r.rauw.CanReplace(i.Results[0], p.Arg(0)) &&
		!fold.OutlivesSlot(i.Results[0], p.Arg(0)) {
		return r.instead(i, &ir.Inst{Op: op.UncheckedAddrCast, Types: []*ir.Type{i.Results[0].Type}}, p.Arg(0))
	}
	return r.stridedPointer(i)
}

// stridedPointer makes an index of an address of a product with the stride:
//
//	%2 = builtin "smul_with_overflow_Word"(%n, strideof T)
//	%3 = index_raw_pointer %0, %2.0                         %3 = pointer_to_address %0 to [strict] $*T
//	%4 = pointer_to_address %3 to [strict] $*T          →   %4 = index_addr %3, %n
func (r *Combiner) stridedPointer(i *ir.Inst) bool {
	index := facts.DefinedBy(i.Arg(0), op.IndexRawPointer)
	if index == nil || !i.Has(op.QualStrict) {
		return false
	}
	ex := facts.DefinedBy(index.Arg(1), op.TupleExtract)
	if ex == nil || facts.FieldNumber(r.Context.Module, ex) != 0 {
		return false
	}
	product := facts.DefinedBy(ex.Arg(0), op.Builtin)
	if product == nil || facts.BuiltinID(product) != op.BuiltinSmulWithOverflow && facts.BuiltinID(product) != op.BuiltinUmulWithOverflow {
		return false
	}
	for n := range 2 {
		stride, name := facts.BuiltinOf(product.Arg(n))
		if name != op.BuiltinStrideof || len(stride.Operands) != 1 || stride.Arg(0).Type.Elem != i.Results[0].Type.Object() {
			continue
		}
		base := r.emit(i, &ir.Inst{Op: op.PointerToAddress, Quals: i.Quals, Types: i.Types}, index.Arg(0)).Results[0]
		return r.instead(i, &ir.Inst{Op: op.IndexAddr}, base, product.Arg(1-n))
	}
	return false
}

func (r *Combiner) uncheckedAddrCast(i *ir.Inst) bool {
	if c := facts.DefinedBy(i.Arg(0), op.UncheckedAddrCast); c != nil {
		return r.cast(i, op.UncheckedAddrCast, c.Arg(0))
	}
	return false
}

func (r *Combiner) uncheckedRefCast(i *ir.Inst) bool {
	v := i.Arg(0)
	for _, o := range []op.Op{op.UncheckedRefCast, op.Upcast} {
		if c := facts.DefinedBy(v, o); c != nil && r.canSkip(c) {
			r.cast(i, op.UncheckedRefCast, c.Arg(0))
			if c.Block() != nil {
				r.skipped(c)
			}
			return true
		}
	}
	if to := i.Results[0].Type; to != v.Type && r.Context.Module.Inherits(v.Type, to) {
		return r.cast(i, op.Upcast, v)
	}
	if r.OSSA {
		return false
	}
	if from := throughExistential(v); from != nil {
		return r.cast(i, op.UncheckedRefCast, from)
	}
	return false
}

func (r *Combiner) bridgeObjectToRef(i *ir.Inst) bool {
	if c := facts.DefinedBy(i.Arg(0), op.UncheckedRefCast); c != nil {
		return r.cast(i, op.UncheckedRefCast, c.Arg(0))
	}
	return false
}

func (r *Combiner) uncheckedRefCastAddr(i *ir.Inst) bool {
	src, dst := i.Arg(0), i.Arg(1)
	for _, v := range []*ir.Value{src, dst} {
		if r.Types.IsAddressOnly(v.Type) || !r.Types.IsReference(v.Type.Object()) {
			return false
		}
	}
	load, store := r.takeAndInit()
	v := r.emit(i, &ir.Inst{Op: op.Load, Quals: load}, src).Results[0]
	c := r.emit(i, &ir.Inst{Op: op.UncheckedRefCast, Types: []*ir.Type{dst.Type.Object()}}, v).Results[0]
	r.emit(i, &ir.Inst{Op: op.Store, Quals: store}, c, dst)
	r.erase(i)
	return true
}

func (r *Combiner) rawPointerToRef(i *ir.Inst) bool {
	if c := facts.DefinedBy(i.Arg(0), op.RefToRawPointer); c != nil {
		return r.cast(i, op.UncheckedRefCast, c.Arg(0))
	}
	return false
}

func (r *Combiner) uncheckedTrivialBitCast(i *ir.Inst) bool {
	for _, o := range []op.Op{op.UncheckedTrivialBitCast, op.UncheckedRefCast} {
		switch c := facts.DefinedBy(i.Arg(0), o); {
		case c == nil:
		case r.OSSA && o == op.UncheckedRefCast:
			r.pushUsers(c.Results[0])
			r.beforeCast(i, c)
			return true
		default:
			return r.cast(i, op.UncheckedTrivialBitCast, c.Arg(0))
		}
	}
	return false
}

func (r *Combiner) uncheckedBitwiseCast(i *ir.Inst) bool {
	if t := i.Results[0].Type; r.OSSA {
		if !r.Types.IsReference(t) || !r.Types.IsReference(i.Arg(0).Type) || r.Types.IsTrivial(t) {
			return false
		}
		return r.instead(i, &ir.Inst{Op: op.UncheckedRefCast, Types: []*ir.Type{t}, Forwarding: ir.OwnershipUnowned}, i.Arg(0))
	}
	for _, o := range []op.Op{op.UncheckedBitwiseCast, op.UncheckedTrivialBitCast} {
		if c := facts.DefinedBy(i.Arg(0), o); c != nil {
			return r.cast(i, op.UncheckedBitwiseCast, c.Arg(0))
		}
	}
	t, from := i.Results[0].Type, i.Arg(0).Type
	if r.Types.IsTrivial(t) {
		return r.cast(i, op.UncheckedTrivialBitCast, i.Arg(0))
	}
	if r.isRefCastable(t) && r.isRefCastable(from) {
		return r.cast(i, op.UncheckedRefCast, i.Arg(0))
	}
	return false
}

// isRefCastable reports whether unchecked_ref_cast takes values of the type: references and optional ones.
func (r *Combiner) isRefCastable(t *ir.Type) bool {
	if p := t.OptionalPayload(); p != nil {
		t = p
	}
	return r.Types.IsReference(t)
}

// metatypeConversion undoes a conversion of a metatype to Objective-C's form or back, or makes the metatype in that form.
func (r *Combiner) metatypeConversion(i *ir.Inst) bool {
	d := i.Arg(0).Inst()
	if d == nil {
		return false
	}
	t := i.Results[0].Type
	switch d.Op {
	case op.ThickToObjcMetatype, op.ObjcToThickMetatype:
		if d.Op != i.Op && d.Arg(0).Type == t {
			return r.replace(i, d.Arg(0))
		}
	case op.Metatype:
		return r.instead(i, &ir.Inst{Op: op.Metatype, Types: []*ir.Type{t}})
	case op.ValueMetatype, op.ExistentialMetatype:
		if r.OSSA {
			return false
		}
		return r.instead(i, &ir.Inst{Op: d.Op, Types: []*ir.Type{t}}, d.Arg(0))
	}
	return false
}

// destructure takes the fields that a struct or tuple was made of.
func (r *Combiner) destructure(i *ir.Inst) bool {
	whole := i.Arg(0)
	made := facts.DefinedBy(whole, op.Struct)
	if i.Op == op.DestructureTuple {
		made = facts.DefinedBy(whole, op.Tuple)
	}
	if made == nil {
		return i.Op == op.DestructureStruct && r.destructureCopy(i)
	}
	if len(made.Operands) != len(i.Results) {
		return false
	}
	sole := r.soleUser(whole) == i
	if !sole && r.isOwned(whole) {
		return false
	}
	for n, v := range i.Results {
		r.pushUsers(v)
		rewrite.ReplaceUses(r.own, v, made.Arg(n))
	}
	r.erase(i)
	if sole && r.simplifying {
		r.eraseWithUsers(made)
	}
	return true
}

// destructureCopy copies the fields that a struct was made of instead of the struct, which may have other users.
func (r *Combiner) destructureCopy(i *ir.Inst) bool {
	first := facts.DefinedBy(i.Arg(0), op.CopyValue)
	if first == nil || r.soleUser(first.Results[0]) != i {
		return false
	}
	v := first.Arg(0)
	for c := facts.DefinedBy(v, op.CopyValue); c != nil; c = facts.DefinedBy(v, op.CopyValue) {
		v = c.Arg(0)
	}
	made := facts.DefinedBy(v, op.Struct)
	if made == nil || made.Block() != i.Block() || len(made.Operands) != len(i.Results) {
		return false
	}
	for n, res := range i.Results {
		field := made.Arg(n)
		if !r.Types.IsTrivial(field.Type) {
			field = r.emit(made, &ir.Inst{Op: op.CopyValue}, field).Results[0]
		}
		r.pushUsers(res)
		rewrite.ReplaceUses(r.own, res, field)
	}
	r.erase(i)
	r.erase(first)
	return true
}

// endCowMutation casts the reference after the end of the mutation instead of before it.
func (r *Combiner) endCowMutation(i *ir.Inst) bool {
	c := facts.DefinedBy(i.Arg(0), op.UncheckedRefCast)
	if c == nil {
		c = facts.DefinedBy(i.Arg(0), op.Upcast)
	}
	if c == nil || c.Results[0].FirstUse().NextUse() != nil {
		return false
	}
	end := r.emit(i, &ir.Inst{Op: op.EndCowMutation, Quals: i.Quals}, c.Arg(0)).Results[0]
	return r.instead(i, &ir.Inst{Op: c.Op, Quals: c.Quals, Types: c.Types, Forwarding: c.Forwarding}, end) && r.eraseUnused(c)
}

func (r *Combiner) eraseUnused(i *ir.Inst) bool {
	if i.Block() != nil && !i.Results[0].HasUses() {
		r.erase(i)
	}
	return true
}

// beginCowMutation knows that nothing is done between the beginning and the end of a mutation whose answer nobody wants.
func (r *Combiner) beginCowMutation(i *ir.Inst) bool {
	unique, buffer := i.Results[0], i.Results[1]
	if hasUsesBesideDebug(unique) {
		return false
	}
	var ends []*ir.Inst
	for u := range buffer.Uses() {
		switch {
		case facts.IsDebug(u.User()):
		case u.User().Op == op.EndCowMutation && !u.User().Has(op.QualKeepUnique):
			ends = append(ends, u.User())
		default:
			return false
		}
	}
	if len(ends) == 0 {
		return false
	}
	for _, e := range ends {
		r.replace(e, i.Arg(0))
	}
	r.eraseWithUsers(i)
	return true
}

// escapeToNoescape makes a thick function that does not escape of a thin one.
func (r *Combiner) escapeToNoescape(i *ir.Inst) bool {
	if t := facts.DefinedBy(i.Arg(0), op.ThinToThickFunction); t != nil {
		return r.cast(i, op.ThinToThickFunction, t.Arg(0))
	}
	c := facts.DefinedBy(i.Arg(0), op.ConvertFunction)
	if c == nil {
		return false
	}
	t := facts.DefinedBy(c.Arg(0), op.ThinToThickFunction)
	if t == nil || t.Results[0].FirstUse().NextUse() != nil {
		return false
	}
	users := 0
	for u := range c.Results[0].Uses() {
		if !facts.IsDebug(u.User()) {
			users++
		}
	}
	if users != 1 {
		return false
	}
	thin := *c.Results[0].Type.Func
	thin.Convention, thin.Callee = ir.RepThin, 0
	to := r.Context.Module.Types.Function(&thin)
	fn := r.emit(i, &ir.Inst{Op: op.ConvertFunction, Quals: c.Quals, Types: []*ir.Type{to}}, t.Arg(0)).Results[0]
	return r.cast(c, op.ThinToThickFunction, fn)
}

func (r *Combiner) convertFunction(i *ir.Inst) bool {
	if c := facts.DefinedBy(i.Arg(0), op.ConvertFunction); c != nil && r.canSkip(c) {
		r.instead(i, &ir.Inst{Op: op.ConvertFunction, Quals: i.Quals, Types: i.Types}, c.Arg(0))
		if c.Block() != nil {
			r.skipped(c)
		}
		return true
	}
	if r.OSSA {
		return false
	}
	v := i.Results[0]
	for u := range v.Uses() {
		switch u.User().Op {
		case op.StrongRetain, op.StrongRelease, op.RetainValue, op.ReleaseValue, op.DebugValue:
		default:
			return false
		}
	}
	return r.replace(i, i.Arg(0))
}

// classifyBridgeObject knows that a native object is neither Objective-C's nor tagged.
func (r *Combiner) classifyBridgeObject(i *ir.Inst) bool {
	c := facts.DefinedBy(i.Arg(0), op.UncheckedRefCast)
	if c == nil || !r.Context.Module.IsClassType(c.Arg(0).Type) {
		return false
	}
	zero := r.number(i, i.Results[0].Type.Args[0], 0)
	return r.instead(i, &ir.Inst{Op: op.Tuple}, zero, zero)
}
