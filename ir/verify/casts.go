package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// isReference reports whether a type is one counted reference: yes, no, or not to be told.
func (c *checker) isReference(t *ir.Type) (is, sure bool) {
	if !known(t) || vague(t) {
		return false, false
	}
	t = c.mod.Canonical(facts.Selfless(t))
	switch t.Kind {
	case ir.KindBox:
		return true, true
	case ir.KindBuiltin:
		return t.Builtin().IsReference(), true
	case ir.KindNominal:
		if t.IsOptional() {
			return c.isReference(t.Args[0])
		}
		d := c.mod.DeclOf(t)
		if d == nil {
			return false, false
		}
		switch d.Kind {
		case ir.Class, ir.Actor:
			return true, true
		case ir.Struct, ir.Enum:
			return false, true
		}
		return false, false
	case ir.KindAddress, ir.KindTuple, ir.KindMetatype, ir.KindExistentialMetatype, ir.KindSILToken:
		return false, true
	case ir.KindStorage:
		return false, true
	case ir.KindFunction:
		return t.Func.Convention == ir.RepThick || t.Func.Convention == ir.RepBlock, true
	}
	return false, false
}

// countsReference checks that an instruction that counts is given something to count.
func countsReference(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 {
		return
	}
	if is, sure := c.isReference(i.Arg(0).Type); sure && !is {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is no reference", i.Op, i.Arg(0).Type)
	}
}

// makesReference checks that a cast to a reference results in one.
func makesReference(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil {
		return
	}
	if is, sure := c.isReference(r.Type); sure && !is {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no reference", i.Op, r.Type)
	}
}

// refCast checks that references are cast to references.
func refCast(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || len(i.Operands) == 0 {
		return
	}
	from, sureFrom := c.isReference(i.Arg(0).Type)
	to, sureTo := c.isReference(r.Type)
	switch {
	case sureFrom && !from && (sureTo || !c.mayBeReference(i.Arg(0).Type)):
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is no reference", i.Op, i.Arg(0).Type)
	case sureTo && !to && sureFrom:
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no reference", i.Op, r.Type)
	}
}

// mayBeReference reports whether a struct or enum may hold nothing but a reference, which some casts look through.
func (c *checker) mayBeReference(t *ir.Type) bool { return t.Kind != ir.KindBuiltin }

// upcasted checks that an upcast goes to a superclass.
func upcasted(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || len(i.Operands) == 0 || !known(r.Type) || !known(i.Arg(0).Type) {
		return
	}
	from, to := c.mod.Canonical(i.Arg(0).Type), c.mod.Canonical(r.Type)
	if from == to {
		c.diags.InstErrorf(i.Pos, "result-type", "upcast to the same type $%s", to)
		return
	}
	if from.Kind == ir.KindMetatype && to.Kind == ir.KindMetatype {
		from, to = from.Elem, to.Elem
	}
	if from.IsOptional() && to.IsOptional() {
		from, to = from.Args[0], to.Args[0]
	}
	if !c.isClass(to) {
		if is, sure := c.isReference(to); sure && !is || to.Kind == ir.KindBuiltin {
			c.diags.InstErrorf(i.Pos, "result-type", "upcast to $%s, which is no class", to)
		}
		return
	}
	if !c.isClass(from) {
		if is, sure := c.isReference(from); sure && !is || from.Kind == ir.KindBuiltin {
			c.diags.InstErrorf(i.Pos, "operand-type", "upcast of $%s, which is no class", from)
		}
		return
	}
	if c.unrelated(from, to) {
		c.diags.InstErrorf(i.Pos, "result-type", "upcast of $%s to $%s, which is no superclass of it", from, to)
	}
}

// unrelated reports whether a class is surely neither another one nor a subclass of it.
func (c *checker) unrelated(class, super *ir.Type) bool {
	return !c.mod.MayDerive(c.mod.DeclOf(c.mod.Canonical(class)), c.mod.DeclOf(c.mod.Canonical(super)))
}

func (c *checker) isClass(t *ir.Type) bool {
	d := c.mod.DeclOf(facts.Selfless(t))
	return d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor)
}

// trivialCast checks that the bits of a value are taken as a trivial type.
func trivialCast(c *checker, i *ir.Inst) {
	if r := i.Result(); r != nil && c.types.Triviality(r.Type) == facts.Nontrivial {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is not trivial", i.Op, r.Type)
	}
}

// sameObject checks that source and destination have the same type, but for the address.
func sameObject(c *checker, i *ir.Inst) {
	if len(i.Operands) != 2 || !known(i.Arg(0).Type) || !known(i.Arg(1).Type) {
		return
	}
	if src, dst := i.Arg(0).Type.Object(), i.Arg(1).Type.Object(); c.differ(src, dst) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s moves a $%s to a $%s", i.Op, src, dst)
	}
}

// storageMoved checks that weak and unowned references are loaded from and stored to memory of their kind.
func storageMoved(c *checker, i *ir.Inst) {
	kind := ir.StorageWeak
	if i.Op == op.LoadUnowned || i.Op == op.StoreUnowned {
		kind = ir.StorageUnowned
	}
	var address, value *ir.Type
	switch i.Op {
	case op.LoadWeak, op.LoadUnowned:
		if r := i.Result(); r != nil && len(i.Operands) == 1 {
			address, value = i.Arg(0).Type, r.Type
		}
	default:
		if len(i.Operands) == 2 {
			address, value = i.Arg(1).Type, i.Arg(0).Type
		}
	}
	if !known(address) || !known(value) || !address.IsAddress() {
		return
	}
	s := c.mod.Canonical(address.Elem)
	if !s.IsStorage(kind) {
		if !vague(s) && s.Kind != ir.KindParam {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s needs memory of a $@sil_%s type, not of $%s", i.Op, kind, s)
		}
		return
	}
	if c.differ(s.Elem, value) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s moves between $%s and $%s", i.Op, value, s)
	}
}

// storageCast checks conversions between references and their unowned and unmanaged forms.
func storageCast(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || len(i.Operands) == 0 || !known(r.Type) || !known(i.Arg(0).Type) {
		return
	}
	kind := ir.StorageUnowned
	if i.Op == op.RefToUnmanaged || i.Op == op.UnmanagedToRef || i.Op == op.StrongCopyUnmanagedValue {
		kind = ir.StorageUnmanaged
	}
	storage, ref := i.Arg(0).Type, r.Type
	if i.Op == op.RefToUnmanaged || i.Op == op.RefToUnowned {
		storage, ref = ref, storage
	}
	s := c.mod.Canonical(storage)
	if !s.IsStorage(kind) {
		if !vague(s) && s.Kind != ir.KindParam {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s needs a $@sil_%s type, $%s is none", i.Op, kind, s)
		}
		return
	}
	if c.differ(s.Elem, ref) {
		c.diags.InstErrorf(i.Pos, "result-type", "%s converts between $%s and $%s", i.Op, ref, s)
	}
}

// thickened checks that a function without context becomes the same function with one.
func thickened(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || len(i.Operands) == 0 {
		return
	}
	from, to := i.Arg(0).Type, r.Type
	if !known(from) || !known(to) || from.Kind != ir.KindFunction || to.Kind != ir.KindFunction {
		return
	}
	switch {
	case from.Func.Convention != ir.RepThin:
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a function that is not thin", i.Op)
	case to.Func.Convention != ir.RepThick:
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a function that is not thick", i.Op)
	default:
		a, b := *from.Func, *to.Func
		a.Convention, a.Callee, a.Noescape, a.Error = b.Convention, b.Callee, b.Noescape, b.Error
		if c.unlikeFunction(&a, &b, 0) {
			c.diags.InstErrorf(i.Pos, "result-type", "%s changes more than the context: $%s to $%s", i.Op, from, to)
		}
	}
}

// converted checks what no conversion of a function may change: how it is called.
func converted(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || len(i.Operands) == 0 {
		return
	}
	from, to := i.Arg(0).Type, r.Type
	if !known(from) || !known(to) || from.Kind != ir.KindFunction {
		return
	}
	if to.Kind != ir.KindFunction {
		if !vague(to) {
			c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no function", i.Op, to)
		}
		return
	}
	a, b := from.Func, to.Func
	same := a.IsSameConvention(b) && a.Async == b.Async && len(a.Params) == len(b.Params) && len(a.Results) == len(b.Results)
	for n := 0; same && n < len(a.Params); n++ {
		same = a.Params[n].Conv == b.Params[n].Conv && (a.Params[n].Conv.IsIndirect() || c.passesAlike(a.Params[n].Type, b.Params[n].Type))
	}
	for n := 0; same && n < len(a.Results); n++ {
		same = a.Results[n].Conv == b.Results[n].Conv && (a.Results[n].Conv.IsIndirect() || c.passesAlike(a.Results[n].Type, b.Results[n].Type))
	}
	if i.Op == op.ConvertFunction && a.Noescape != b.Noescape && a.Convention == ir.RepThick && !i.Has(op.QualWithoutActuallyEscaping) {
		same = false
	}
	if !same {
		c.diags.InstErrorf(i.Pos, "result-type", "%s changes how the function is called: $%s to $%s", i.Op, from, to)
	}
}

// passesAlike reports whether values of two types may be passed in the same way: builtin types must be the same.
func (c *checker) passesAlike(a, b *ir.Type) bool {
	a, b = c.mod.Canonical(a), c.mod.Canonical(b)
	if a == b || vague(a) || vague(b) || a.Kind == ir.KindParam || b.Kind == ir.KindParam || a.HasParams() || b.HasParams() {
		return true
	}
	if a.Kind != ir.KindBuiltin && b.Kind != ir.KindBuiltin {
		return true
	}
	x, sureX := c.isReference(a)
	y, sureY := c.isReference(b)
	return !(sureX && sureY && (x != y || !x)) || a.Kind != b.Kind && x == y && !x
}

// castBranch checks the arguments of the blocks of a checked cast.
func castBranch(c *checker, i *ir.Inst) {
	if len(i.Succs) != 2 {
		return
	}
	if i.Op == op.CheckedCastAddrBr {
		c.passedNothing(i, 0)
		c.passedNothing(i, 1)
		return
	}
	var want *ir.Type
	if n := len(i.Types); n > 0 {
		want = c.mod.Lowered(i.Types[n-1])
	}
	c.passed(i, 0, want)
	if c.ossa {
		c.passed(i, 1, i.Arg(0).Type)
	} else {
		c.passedNothing(i, 1)
	}
}
