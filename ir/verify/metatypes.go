package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// metatypeParts takes a metatype apart; ok is false for other types.
func metatypeParts(t *ir.Type) (instance *ir.Type, repr ir.MetatypeRep, existential, ok bool) {
	if !known(t) {
		return nil, ir.MetatypeFormal, false, false
	}
	switch t.Kind {
	case ir.KindMetatype:
		return t.Elem, t.Rep, false, true
	case ir.KindExistentialMetatype:
		return t.Elem, t.Rep, true, true
	}
	return nil, ir.MetatypeFormal, false, false
}

// metatypeCast checks the conversions between metatypes and Objective-C classes (docs/SIL.rst, thick_to_objc_metatype).
func metatypeCast(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || len(i.Operands) == 0 {
		return
	}
	from, fromRepr, fromAny, ok := metatypeParts(i.Arg(0).Type)
	if !ok {
		return
	}
	want := ir.MetatypeThick
	if i.Op != op.ThickToObjcMetatype {
		want = ir.MetatypeObjC
	}
	if fromRepr != want {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s", i.Op, i.Arg(0).Type)
		return
	}
	if i.Op == op.ObjcMetatypeToObject || i.Op == op.ObjcExistentialMetatypeToObject {
		c.anyObject(i, r.Type)
		return
	}
	to, toRepr, toAny, ok := metatypeParts(r.Type)
	switch {
	case !ok:
		if known(r.Type) && !vague(r.Type) {
			c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no metatype", i.Op, r.Type)
		}
	case toRepr == fromRepr || toRepr == ir.MetatypeThin || toRepr == ir.MetatypeFormal:
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s", i.Op, r.Type)
	case fromAny != toAny || c.differ(from, to):
		c.diags.InstErrorf(i.Pos, "result-type", "%s changes $%s to $%s", i.Op, i.Arg(0).Type, r.Type)
	}
}

// anyObject checks that a class as an object is any object.
func (c *checker) anyObject(i *ir.Inst, t *ir.Type) {
	if !known(t) {
		return
	}
	t = c.mod.Canonical(t)
	if t.Kind == ir.KindNominal && c.mod.DeclOf(t) != nil && t.Known() != ir.KnownAnyObject {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is not AnyObject", i.Op, t)
	}
}

// sameRepresentation checks that an existential metatype is represented as the metatype in it.
func sameRepresentation(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || len(i.Operands) == 0 {
		return
	}
	inner, from, fromAny, ok := metatypeParts(i.Arg(0).Type)
	_, to, toAny, isMeta := metatypeParts(r.Type)
	switch {
	case !ok || !isMeta:
	case from != to:
		c.diags.InstErrorf(i.Pos, "result-type", "%s of a $%s gives a $%s", i.Op, i.Arg(0).Type, r.Type)
	case i.Op == op.InitExistentialMetatype && (fromAny || !toAny):
		if !toAny && c.container(r.Type.Elem) == containerNone {
			c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no existential metatype", i.Op, r.Type)
		}
	case i.Op == op.InitExistentialMetatype:
		c.conformsTo(i, inner, r.Type.Elem)
	}
}

// valueMetatype checks that the metatype of a value is that of its type.
func valueMetatype(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return
	}
	t := i.Arg(0).Type.Object()
	instance, repr, any, ok := metatypeParts(r.Type)
	if !ok {
		return
	}
	if repr == ir.MetatypeFormal {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which has no representation", i.Op, r.Type)
		return
	}
	if any && repr == ir.MetatypeThin {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, but no existential metatype is thin", i.Op, r.Type)
		return
	}
	if any || i.Op == op.ExistentialMetatype {
		if k := c.container(t); i.Op == op.ExistentialMetatype && k == containerNone {
			if _, _, inner, ok := metatypeParts(t); !ok || !inner {
				c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is no existential", i.Op, i.Arg(0).Type)
			}
		}
		return
	}
	if instance = c.mod.Lowered(instance); instance != nil && t.Kind != ir.KindDynamicSelf && c.differ(facts.Selfless(t), facts.Selfless(instance)) {
		c.diags.InstErrorf(i.Pos, "result-type", "%s of a $%s gives a $%s", i.Op, t, r.Type)
	}
}

// bareMetatype checks that a metatype has a representation.
func bareMetatype(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil {
		return
	}
	if elem, _, _, ok := metatypeParts(r.Type); ok && elem != nil && elem.Kind == ir.KindDynamicSelf && !c.hasSelf() {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s in @%s, which has no self", i.Op, r.Type, c.f.Name)
		return
	}
	if _, repr, _, ok := metatypeParts(r.Type); ok && repr == ir.MetatypeFormal {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which has no representation", i.Op, r.Type)
	}
}

// hasSelf reports whether a function is called with an object or a class last, whose dynamic type is Self.
func (c *checker) hasSelf() bool {
	if c.f.Type == nil || c.f.Type.Func == nil {
		return true
	}
	fn := c.f.Type.Func
	switch fn.Convention {
	case ir.RepMethod, ir.RepObjCMethod, ir.RepWitnessMethod:
		return true
	}
	if len(fn.Params) == 0 {
		return false
	}
	last := &fn.Params[len(fn.Params)-1]
	t := last.Type
	if elem, _, _, ok := metatypeParts(t); ok {
		t = elem
	}
	return !last.Conv.IsIndirect() && (t.Kind == ir.KindDynamicSelf || c.isClass(t) || c.mod.DeclOf(t) == nil)
}
