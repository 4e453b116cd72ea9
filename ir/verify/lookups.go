package verify

import (
	"silvm/ir"
	"silvm/ir/op"
)

// methodFound checks what a lookup by class results in: natively a method, of the type that the class's table says; else one of Objective-C.
func methodFound(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.MethodAux)
	if !ok || len(i.Operands) == 0 || !known(aux.Type) || aux.Type.Func == nil {
		return
	}
	native := i.Op == op.ClassMethod || i.Op == op.SuperMethod
	switch foreign := aux.Ref.IsForeign(); {
	case native && foreign:
		c.diags.InstErrorf(i.Pos, "unknown-member", "%s finds no foreign method; objc_method does", i.Op)
		return
	case !native && !foreign:
		c.diags.InstErrorf(i.Pos, "unknown-member", "%s of %s, which is not foreign", i.Op, aux.Ref.Text)
		return
	case foreign && aux.Type.Func.Convention != ir.RepObjCMethod:
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no objc_method", i.Op, aux.Type)
		return
	}
	if !native {
		return
	}
	if aux.Type.Func.Convention != ir.RepMethod {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no method", i.Op, aux.Type)
		return
	}
	t := i.Arg(0).Type
	if known(t) {
		if elem, _, _, ok := metatypeParts(t); ok {
			t = elem
		}
		if is, sure := c.isReference(t); sure && !is && !t.IsAddress() {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is no class", i.Op, i.Arg(0).Type)
			return
		}
	}
	if f := c.introduced(aux); f != nil && f.Type != nil && c.differ(f.Type, aux.Type) && !c.reabstracted(f.Type.Func, aux.Type.Func) {
		c.diags.InstErrorf(i.Pos, "result-type", "%s of %s gives a $%s, the class's table has a $%s", i.Op, aux.Ref.Text, aux.Type, f.Type).Note(f.Pos, "declared here")
	}
}

// reabstracted reports whether two types of a method may differ only in what overriding and generic parameters change.
func (c *checker) reabstracted(a, b *ir.FuncType) bool {
	if a == nil || b == nil || a.Generic != nil || b.Generic != nil || a.Pattern != nil || b.Pattern != nil {
		return true
	}
	return a.IsSameConvention(b) && a.Async == b.Async && a.Coroutine == b.Coroutine && len(a.Params) == len(b.Params) && len(a.Results) == len(b.Results) &&
		(a.Error == nil) == (b.Error == nil)
}

// introduced returns the function that the class which introduced a method has for it, nil when its table is not in the text.
func (c *checker) introduced(aux *ir.MethodAux) *ir.Function {
	t := c.mod.VTable(aux.Ref.Owner())
	if t == nil {
		return nil
	}
	for n := range t.Entries {
		if e := &t.Entries[n]; e.Kind == ir.EntryNew && e.Ref.Text == aux.Ref.Text && e.DeclType == aux.DeclType {
			return c.mod.Func(e.Func)
		}
	}
	return nil
}

// witnessFound checks what a lookup by protocol results in.
func witnessFound(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.MethodAux)
	if !ok || !known(aux.Type) || aux.Type.Func == nil || len(i.Types) == 0 {
		return
	}
	if aux.Ref.Owner() == "" {
		return
	}
	proto := c.mod.Types.Nominal(nil, aux.Ref.Owner())
	fn := aux.Type.Func
	d := c.mod.DeclOf(proto)
	switch {
	case fn.Convention != ir.RepWitnessMethod && !(fn.Convention == ir.RepObjCMethod && aux.Ref.IsForeign()):
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no witness_method", i.Op, aux.Type)
	case fn.Generic == nil && fn.Convention == ir.RepWitnessMethod && !takesOpened(fn):
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is not generic over Self", i.Op, aux.Type)
	case d != nil && c.cannotConform(i.Types[0], proto):
		c.diags.InstErrorf(i.Pos, "bad-substitution", "$%s does not conform to %s", i.Types[0], proto)
	}
}

// takesOpened reports whether self of fn is an opened existential: in Embedded Swift a lookup in a class-bound one has the type of a witness
// that is not generic (EmbeddedWitnessCallSpecialization). Its Self may be called by the type of another opening of the same value.
func takesOpened(fn *ir.FuncType) bool {
	return len(fn.Params) > 0 && fn.Params[len(fn.Params)-1].Type.Kind == ir.KindOpened
}

// replacement checks that a reference to what a dynamic function was before is to one that replaces another.
func replacement(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.SymbolAux)
	if !ok {
		return
	}
	f := c.mod.Func(aux.Name)
	if f == nil {
		return
	}
	if f.Attrs.Has(ir.AttrDynamicReplacementFor) {
		return
	}
	c.diags.InstErrorf(i.Pos, "linkage", "%s of @%s, which replaces no function", i.Op, aux.Name)
}
