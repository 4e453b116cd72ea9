package vm

import (
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// The rules of casts by destination. Each returns false without having done anything when the source as it stands can't be cast.

func (c *caster) toClass(dst, src typed) (bool, *Trap) {
	if src.t.Kind != ir.KindNominal || !c.m.prog.Module.IsClassType(src.t) {
		return false, c.bridges(dst.t, src.t)
	}
	ti, t := c.instance(src)
	if t != nil {
		return false, t
	}
	want, t := c.typeInfo(dst.t)
	if t != nil || !inherits(ti.Class, want.Class) {
		return false, t
	}
	return c.keepReference(dst, src)
}

// bridges says that silvm does not make the object that stands for a value in a class, as of Foundation: what the type's conformance to
// _ObjectiveCBridgeable makes, where that can be an instance of the class that is asked for.
func (c *caster) bridges(class, value *ir.Type) *Trap {
	made := c.bridged(value)
	if made == nil || !c.isKind(made, class) && !c.isKind(class, made) {
		return nil
	}
	return c.m.unsupported("a cast from " + value.String() + " to " + class.String() + ", which makes an object")
}

// unbridges says the same of the way back.
func (c *caster) unbridges(value, class *ir.Type) *Trap {
	if !c.m.prog.Module.IsClassType(class) {
		return nil
	}
	if made := c.bridged(value); made == nil || !c.isKind(class, made) {
		return nil
	}
	return c.m.unsupported("a cast from " + class.String() + " to " + value.String() + ", for which the object stands")
}

// bridged returns the class of the objects that stand for values of a type; nil when there are none.
func (c *caster) bridged(value *ir.Type) *ir.Type {
	if value.Kind != ir.KindNominal {
		return nil
	}
	return c.m.prog.Module.AssociatedType(value, "_ObjectiveCBridgeable", "_ObjectiveCType")
}

// isKind reports whether a class is another or inherits from it.
func (c *caster) isKind(class, ancestor *ir.Type) bool {
	for t := range c.m.prog.Module.Ancestry(class) {
		if t == ancestor {
			return true
		}
	}
	return false
}

// keepReference returns dst the reference at src.
func (c *caster) keepReference(dst, src typed) (bool, *Trap) {
	ref, t := c.m.load64(src.addr)
	if t == nil {
		t = c.store(dst.addr, ref)
	}
	if t == nil {
		t = c.retain(ref)
	}
	return t == nil, t
}

func (c *caster) typeInfo(t *ir.Type) (*code.TypeInfo, *Trap) {
	n, err := c.m.prog.Runtime.TypeInfo(t)
	if err != nil {
		return nil, c.m.unsupportedError(err)
	}
	return c.m.prog.Types[n], nil
}

// tables returns the witness tables by which a type meets the protocols; false when it doesn't meet one.
func (c *caster) tables(ty *ir.Type, protocols []*ir.Type) ([]uint64, bool, *Trap) {
	var words []uint64
	for _, p := range protocols {
		w, t := c.m.conformance(ty, p)
		if t != nil || w == 0 {
			return nil, false, t
		}
		if ok, t := c.primaryTypes(ty, p); !ok || t != nil {
			return nil, false, t
		}
		words = append(words, w)
	}
	return words, true, nil
}

// reaches reports whether the running code may use a conformance: one that is isolated to a global actor is there only for code that runs on
// that actor. A cast of a metatype does not ask, as programs compiled by Swift 6.2.3 show.
func (c *caster) reaches(ty, p *ir.Type) (bool, *Trap) {
	actor := c.m.prog.Module.ConformanceActor(ty, p)
	switch {
	case actor == nil:
		return true, nil
	case actor.Known() != ir.KnownMainActor:
		return false, c.m.unsupported("a cast of " + ty.String() + " to any " + p.String() + ", a conformance that is isolated to " + actor.String())
	case c.prohibits:
		return false, nil
	}
	n := NativeCall{m: c.m}
	return n.OnMainThread()
}

// primaryTypes reports whether the associated types of a conforming type are those that any P<X> names.
func (c *caster) primaryTypes(ty, p *ir.Type) (bool, *Trap) {
	if len(p.Args) == 0 {
		return true, nil
	}
	mod := c.m.prog.Module
	d := mod.DeclOf(p)
	if d == nil || d.Generic == nil || len(d.Generic.Params) != len(p.Args) {
		return false, c.m.unsupported("cast to any " + p.String())
	}
	for n, param := range d.Generic.Params {
		is := mod.AssociatedType(ty, p.QualifiedName(), param.Name)
		if is == nil {
			return false, c.m.unsupported(param.Name + " of " + ty.String() + " in a cast to any " + p.String())
		}
		if !c.same(is, p.Args[n]) {
			return false, nil
		}
	}
	return true, nil
}

// valueBox is the library's class of the objects in which Swift puts what is no instance and has nothing inside when it is cast to AnyObject
// (stdlib/public/core/BridgeObjectiveC.swift). Its one field is the value, as Any.
const valueBox = "__SwiftValue"

// boxField returns the offset of the value in a box; false when a type is another class.
func (c *caster) boxField(ti *code.TypeInfo) (uint64, bool) {
	t := ti.Type
	if t.Kind != ir.KindNominal || t.Parent != nil || t.Name != valueBox || ti.Class == nil || len(ti.Class.Layout.Fields) != 1 {
		return 0, false
	}
	decl := c.m.prog.Module.DeclOf(t)
	return ti.Class.Layout.Fields[0].Offset, decl != nil && (decl.Builtin || decl.Module == "Swift")
}

// boxAsObject refuses the casts that find more in such an object with Foundation, where its class is one of Foundation's and inherits from NSObject.
func (c *caster) boxAsObject(dst, box *ir.Type) *Trap {
	mod := c.m.prog.Module
	if box.Name != valueBox || box.Parent != nil || !mod.ImportsModule("Foundation") {
		return nil
	}
	object := mod.Types.Nominal(nil, "NSObject")
	refused := dst == object || dst.Known() == ir.KnownAnyHashable
	if dst.Kind == ir.KindExistential {
		e, t := c.existential(dst)
		if t != nil {
			return t
		}
		refused = e.Superclass != nil
		for _, p := range e.Protocols {
			refused = refused || p.Name == "NSCopying" || mod.Conforms(object, p)
		}
	}
	if !refused {
		return nil
	}
	return c.m.unsupported("cast from an object that stands for a value in Foundation to " + dst.String())
}

// box makes such an object, where a cast is to AnyObject itself. Values that are bridged have objects of other classes in Foundation, and so has nil.
func (c *caster) box(e *abi.Existential, dst, src typed) (bool, *Trap) {
	mod := c.m.prog.Module
	if len(e.Protocols) > 0 || e.Superclass != nil {
		return false, nil
	}
	what := src.t.String() + ", which is no class,"
	if src.t.IsOptional() {
		if _, present, t := c.inside(src); present || t != nil {
			return false, t
		}
		what = "nil of type " + src.t.String()
	} else if src.t.Known() == ir.KnownAnyHashable {
		return false, nil
	}
	if src.t.IsOptional() || c.bridged(src.t) != nil {
		return false, c.m.unsupported("cast from " + what + " to AnyObject")
	}
	ti, t := c.typeInfo(mod.Types.Nominal(nil, valueBox))
	if t != nil {
		return false, t
	}
	field, ok := c.boxField(ti)
	if !ok {
		return false, c.m.unsupported("cast from " + what + " to AnyObject, without the library's class " + valueBox)
	}
	if t := c.fresh(dst, src); t != nil || c.dry {
		return t == nil, t
	}
	meta, t := c.m.metadata(ti.Index)
	if t != nil {
		return false, t
	}
	var ref uint64
	if t = c.m.newObject(&ref, meta, ti.Class.Layout.Size, ti.Class.Layout.Align); t == nil {
		t = c.makeOpaque(typed{ref + field, mod.Types.Intern(&ir.Type{Kind: ir.KindExistential})}, src, nil)
	}
	if t == nil {
		t = c.store(dst.addr, ref)
	}
	return t == nil, t
}

// toExistential casts a value of a concrete type to an existential type: ok is false when the type lacks a conformance or the superclass.
func (c *caster) toExistential(dst, src typed) (bool, *Trap) {
	e, t := c.existential(dst.t)
	if t != nil || src.t.Kind == ir.KindExistential {
		return false, t
	}
	isClass := src.t.Kind == ir.KindNominal && c.m.prog.Module.IsClassType(src.t)
	if isClass {
		ti, t := c.instance(src)
		if t != nil {
			return false, t
		}
		src.t = ti.Type
	}
	if e.Kind == abi.ExistentialClass && !isClass {
		return c.box(e, dst, src)
	}
	words, ok, t := c.tables(src.t, e.Protocols)
	if t != nil || !ok {
		return false, t
	}
	for _, p := range e.Protocols {
		if ok, t := c.reaches(src.t, p); !ok || t != nil {
			return false, t
		}
	}
	switch e.Kind {
	case abi.ExistentialClass:
		if e.Superclass != nil {
			ti, t := c.typeInfo(src.t)
			if t != nil {
				return false, t
			}
			want, t := c.typeInfo(e.Superclass)
			if t != nil || !inherits(ti.Class, want.Class) {
				return false, t
			}
		}
		if ok, t := c.keepReference(dst, src); !ok {
			return false, t
		}
		t = c.store(dst.addr+8, words...)
		return t == nil, t
	case abi.ExistentialError:
		t = c.makeError(dst, src, words)
		return t == nil, t
	}
	t = c.makeOpaque(dst, src, words)
	return t == nil, t
}

// makeOpaque puts a value into an opaque existential.
func (c *caster) makeOpaque(dst, src typed, tables []uint64) *Trap {
	if t := c.fresh(dst, src); t != nil || c.dry {
		return t
	}
	ti, t := c.typeInfo(src.t)
	if t != nil {
		return t
	}
	meta, t := c.m.metadata(ti.Index)
	if t == nil {
		t = c.store(dst.addr+abi.ExistentialType, append([]uint64{meta}, tables...)...)
	}
	if t != nil {
		return t
	}
	at := dst.addr
	if !ti.Layout.IsInline() {
		box, t := c.m.allocBox(ti)
		if t == nil {
			t = c.store(dst.addr, box)
		}
		if t != nil {
			return t
		}
		at = box + boxOffset(ti.Layout)
	}
	return c.copy(at, src)
}

// makeError puts a value into a new error box.
func (c *caster) makeError(dst, src typed, tables []uint64) *Trap {
	if t := c.fresh(dst, src); t != nil || c.dry {
		return t
	}
	meta, t := c.m.metadataOf(src.t)
	if t != nil {
		return t
	}
	_, object, err := c.m.prog.Runtime.ErrorBox(src.t)
	if err != nil {
		return c.m.unsupportedError(err)
	}
	var box uint64
	if t = c.m.allocErrorBox(&box, meta); t == nil {
		t = c.store(box+abi.ErrorType, append([]uint64{meta}, tables...)...)
	}
	if t == nil {
		t = c.store(dst.addr, box)
	}
	if t != nil {
		return t
	}
	return c.copy(box+object.Fields[0].Offset, src)
}

// isSome returns the payload case of an Optional and whether the value at a is in it.
func (c *caster) isSome(a uint64, lay *abi.Layout) (*abi.EnumCase, bool, *Trap) {
	some := lay.Enum.Case(ir.CaseSome)
	image, ok := c.m.heap.View(a, lay.Size)
	if !ok {
		return some, false, c.m.badAddress(a)
	}
	kase, ok := caseOf(image, lay.Enum)
	if !ok {
		return some, false, c.m.internal("a value of " + lay.Type.String() + " in no case")
	}
	return some, kase == some.Index, nil
}

// optionals counts the Optionals around a type.
func optionals(t *ir.Type) (n int) {
	for t.IsOptional() {
		n, t = n+1, t.Args[0]
	}
	return n
}

// toOptional casts to the payload: what is inside an existential, the payload of an Optional or, when that fails, the source itself. A
// nil stays as deep as it is, as far as the destination has room.
func (c *caster) toOptional(dst, src typed) (bool, *Trap) {
	lay, t := c.layout(dst.t)
	if t != nil || src.t.Kind == ir.KindExistential {
		return false, t
	}
	some := lay.Enum.Case(ir.CaseSome)
	payload := typed{dst.addr, some.Payload.Type}
	if src.t.IsOptional() {
		from, t := c.layout(src.t)
		if t != nil {
			return false, t
		}
		inner, present, t := c.isSome(src.addr, from)
		if t != nil {
			return false, t
		}
		if !present {
			t = c.writeNil(dst, optionals(src.t))
			return t == nil, t
		}
		if ok, t := c.wrap(payload, typed{src.addr, inner.Payload.Type}, lay, some); ok || t != nil {
			return ok, t
		}
	}
	return c.wrap(payload, src, lay, some)
}

// wrap casts to the payload of an Optional and makes it present.
func (c *caster) wrap(payload, src typed, lay *abi.Layout, some *abi.EnumCase) (bool, *Trap) {
	ok, t := c.cast(payload, src)
	if ok && t == nil && !c.dry {
		t = c.m.injectCase(payload.addr, lay, some.Index)
	}
	return ok && t == nil, t
}

// writeNil writes the nil that has depth Optionals around the innermost type, or the outermost one if there are fewer.
func (c *caster) writeNil(dst typed, depth int) *Trap {
	if c.dry {
		return nil
	}
	var around []*abi.Layout
	lay, t := c.layout(dst.t)
	for ; t == nil && optionals(lay.Type) > depth; lay = lay.Enum.Case(ir.CaseSome).Payload {
		around = append(around, lay)
	}
	if t == nil {
		t = c.m.injectCase(dst.addr, lay, lay.Enum.Case(ir.CaseNone).Index)
	}
	for n := len(around) - 1; n >= 0 && t == nil; n-- {
		t = c.m.injectCase(dst.addr, around[n], around[n].Enum.Case(ir.CaseSome).Index)
	}
	return t
}

// toTuple casts element by element; labels must agree where both have one.
func (c *caster) toTuple(dst, src typed) (bool, *Trap) {
	if src.t.Kind != ir.KindTuple || len(src.t.Args) != len(dst.t.Args) {
		return false, nil
	}
	for n := range dst.t.Args {
		if a, b := label(dst.t, n), label(src.t, n); a != b && a != "" && b != "" {
			return false, nil
		}
	}
	to, t := c.layout(dst.t)
	if t != nil {
		return false, t
	}
	from, t := c.layout(src.t)
	if t != nil {
		return false, t
	}
	for n := range to.Fields {
		d := typed{dst.addr + to.Fields[n].Offset, dst.t.Args[n]}
		s := typed{src.addr + from.Fields[n].Offset, src.t.Args[n]}
		if ok, t := c.cast(d, s); !ok || t != nil {
			return false, t
		}
	}
	return true, nil
}

func label(t *ir.Type, n int) string {
	if n < len(t.Labels) {
		return t.Labels[n]
	}
	return ""
}

// metatype returns the type that a metatype value stands for; false when src is none.
func (c *caster) metatype(src typed) (*code.TypeInfo, uint64, bool, *Trap) {
	if src.t.Kind != ir.KindMetatype && src.t.Kind != ir.KindExistentialMetatype {
		return nil, 0, false, nil
	}
	meta, t := c.m.load64(src.addr)
	if t != nil {
		return nil, 0, false, t
	}
	ti, t := c.m.typeOf(meta)
	return ti, meta, t == nil, t
}

func (c *caster) toMetatype(dst, src typed) (bool, *Trap) {
	ti, meta, ok, t := c.metatype(src)
	if !ok || t != nil {
		return false, t
	}
	want := dst.t.Elem
	if !c.same(ti.Type, want) {
		wanted, t := c.typeInfo(want)
		if t != nil {
			return false, t
		}
		ok := ti.Class != nil && inherits(ti.Class, wanted.Class)
		if !ok && c.forcesMetatype && want.Kind == ir.KindExistential {
			ok, t = c.passesFor(ti, want)
		}
		if !ok || t != nil {
			return false, t
		}
	}
	t = c.store(dst.addr, meta)
	return t == nil, t
}

func (c *caster) toExistentialMetatype(dst, src typed) (bool, *Trap) {
	ti, meta, ok, t := c.metatype(src)
	if !ok || t != nil {
		return false, t
	}
	constraint := dst.t.Elem
	if constraint.Kind != ir.KindExistential {
		return false, c.m.unsupported("cast to " + dst.t.String())
	}
	words, ok, t := c.meets(ti, constraint)
	if t != nil || !ok {
		return false, t
	}
	t = c.store(dst.addr, append([]uint64{meta}, words...)...)
	return t == nil, t
}

// passesFor reports whether a forced cast takes the metatype of a type for that of an existential. With primary associated types the
// metadata is of another kind (extended), which the runtime only compares.
func (c *caster) passesFor(ti *code.TypeInfo, existential *ir.Type) (bool, *Trap) {
	e, t := c.existential(existential)
	if t != nil {
		return false, t
	}
	for _, p := range e.Protocols {
		if len(p.Args) > 0 {
			return false, nil
		}
	}
	_, ok, t := c.meets(ti, existential)
	return ok, t
}

// meets reports whether a type meets the constraints of an existential type, with the witness tables.
func (c *caster) meets(ti *code.TypeInfo, constraint *ir.Type) ([]uint64, bool, *Trap) {
	e, t := c.existential(constraint)
	if t != nil {
		return nil, false, t
	}
	if e.Kind == abi.ExistentialClass && ti.Class == nil {
		return nil, false, nil
	}
	if e.Superclass != nil {
		want, t := c.typeInfo(e.Superclass)
		if t != nil || !inherits(ti.Class, want.Class) {
			return nil, false, t
		}
	}
	return c.tables(ti.Type, e.Protocols)
}
