package vm

import (
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// caster does one dynamic cast (docs/DynamicCasting.md; stdlib/public/runtime/DynamicCast.cpp). It tries what the destination type
// asks for; if that fails it looks inside the source, an existential or Optional, and tries again. A dry run, which comes first, only
// tells whether the cast succeeds, so that a cast which fails half way has nothing to undo.
type caster struct {
	m       *Machine
	dry     bool
	counted bool // the result has references of its own
	// prohibits says that a conformance which is isolated to a global actor does not count
	prohibits bool
	// forcesMetatype says that what meets an existential type's constraints passes for that type itself (P.Protocol): the runtime's forced cast
	// from metatype to metatype, and no other cast, takes it so (stdlib/public/runtime/Casting.cpp, swift_dynamicCastMetatypeUnconditional)
	forcesMetatype bool
	failed         *ir.Type
	depth          int
	work           int
}

// typed is a value in memory, or room for one.
type typed struct {
	addr uint64
	t    *ir.Type
}

// Bounds of one cast: how deep values lie in one another that it takes apart, and how often it tries, elements of arrays not counted.
const (
	maxCastDepth = 200
	maxCastWork  = 1 << 16
)

// once does the cast that a caster is made for, after a dry run.
func (c *caster) once(dst, src typed) (bool, *Trap) {
	c.dry = true
	if ok, t := c.cast(dst, src); !ok || t != nil {
		return false, t
	}
	c.dry = false
	return c.cast(dst, src)
}

func (c *caster) cast(dst, src typed) (bool, *Trap) {
	c.work++
	if c.depth++; c.depth > maxCastDepth || c.work > maxCastWork {
		return false, c.m.unsupported("a cast of values so deep in one another")
	}
	defer func() { c.depth-- }()
	for n := 0; n < maxCastDepth; n++ {
		src.t = c.m.prog.Module.MetadataType(src.t.Object())
		dst.t = c.m.prog.Module.MetadataType(dst.t.Object())
		ok, t := c.direct(dst, src)
		if ok || t != nil {
			return ok, t
		}
		c.failed = src.t
		if src, ok, t = c.inside(src); !ok || t != nil {
			return false, t
		}
	}
	return false, c.m.unsupported("a cast of values so deep in one another")
}

// same reports whether two types are one type of the language.
func (c *caster) same(a, b *ir.Type) bool {
	switch {
	case a == b:
		return true
	case isFunction(a) && isFunction(b):
		l := c.m.prog.Layouts
		return l.TypeName(a, true) == l.TypeName(b, true)
	}
	return false
}

func isFunction(t *ir.Type) bool { return t.Kind == ir.KindFunction || t.Kind == ir.KindASTFunction }

// direct tries the rules for the destination type.
func (c *caster) direct(dst, src typed) (bool, *Trap) {
	if c.same(dst.t, src.t) || isFunction(dst.t) && isFunction(src.t) && c.m.prog.Layouts.CastsFunction(src.t, dst.t) {
		return true, c.copy(dst.addr, src)
	}
	if t := c.boxAsObject(dst.t, src.t); t != nil {
		return false, t
	}
	switch dst.t.Kind {
	case ir.KindExistential:
		return c.toExistential(dst, src)
	case ir.KindMetatype:
		return c.toMetatype(dst, src)
	case ir.KindExistentialMetatype:
		return c.toExistentialMetatype(dst, src)
	case ir.KindTuple:
		return c.toTuple(dst, src)
	}
	switch {
	case dst.t.IsOptional():
		return c.toOptional(dst, src)
	case dst.t.Known() == ir.KnownAnyHashable:
		return c.toAnyHashable(dst, src)
	case c.m.prog.Module.IsClassType(dst.t):
		return c.toClass(dst, src)
	case areBoth(dst.t, src.t, ir.KnownArray):
		return c.toArray(dst, src)
	case areBoth(dst.t, src.t, ir.KnownDictionary), areBoth(dst.t, src.t, ir.KnownSet):
		return c.toTable(dst, src)
	}
	return false, c.unbridges(dst.t, src.t)
}

// areBoth reports whether two types are the same one of the standard library, with generic arguments.
func areBoth(x, y *ir.Type, known ir.Known) bool {
	return x.Known() == known && y.Known() == known && len(x.Args) > 0 && len(y.Args) > 0
}

// inside returns the value inside an existential, an Optional or an AnyHashable, or the instance with its dynamic class; false when there is
// nothing inside.
func (c *caster) inside(src typed) (typed, bool, *Trap) {
	m := c.m
	switch {
	case src.t.Kind == ir.KindExistential:
		return c.insideExistential(src)
	case src.t.IsOptional():
		lay, t := c.layout(src.t)
		if t != nil {
			return src, false, t
		}
		some, ok, t := c.isSome(src.addr, lay)
		return typed{src.addr, some.Payload.Type}, ok, t
	case src.t.Known() == ir.KnownAnyHashable:
		ti, t := m.existentialType(src.addr)
		if t != nil {
			return src, false, t
		}
		if len(ti.Layout.Fields) == 0 {
			return src, false, m.unsupported("AnyHashable with a value of type " + ti.Name)
		}
		addr, t := m.payload(src.addr)
		return typed{addr, ti.Layout.Fields[0].Layout.Type}, true, t
	case src.t.Kind == ir.KindNominal && m.prog.Module.IsClassType(src.t):
		ti, t := c.instance(src)
		switch {
		case t != nil:
			return src, false, t
		case ti.Type != src.t:
			return typed{src.addr, ti.Type}, true, nil
		}
		return c.insideBox(src, ti)
	}
	return src, false, nil
}

// insideBox returns the value in an instance that is a valueBox.
func (c *caster) insideBox(src typed, ti *code.TypeInfo) (typed, bool, *Trap) {
	field, ok := c.boxField(ti)
	if !ok {
		return src, false, nil
	}
	ref, t := c.m.load64(src.addr)
	return typed{ref + field, c.m.prog.Module.Types.Intern(&ir.Type{Kind: ir.KindExistential})}, t == nil, t
}

// insideExistential returns the value in an existential, with its type; false, without a trap, when it can't be had.
func (c *caster) insideExistential(src typed) (typed, bool, *Trap) {
	m := c.m
	e, t := c.existential(src.t)
	if t != nil {
		return src, false, t
	}
	switch e.Kind {
	case abi.ExistentialClass:
		ti, t := c.instance(src)
		if t != nil {
			return src, false, t
		}
		return typed{src.addr, ti.Type}, true, nil
	case abi.ExistentialError:
		box, t := m.load64(src.addr)
		if t != nil {
			return src, false, t
		}
		if t = m.checkLive(box); t != nil {
			return src, false, t
		}
		meta, t := m.load64(box + abi.ErrorType)
		if t != nil {
			return src, false, t
		}
		ti, t := m.typeOf(meta)
		if t != nil {
			return src, false, t
		}
		_, object, err := m.prog.Runtime.ErrorBox(ti.Type)
		if err != nil {
			return src, false, m.unsupportedError(err)
		}
		return typed{box + object.Fields[0].Offset, ti.Type}, true, nil
	}
	ti, t := m.existentialType(src.addr)
	if t != nil {
		return src, false, t
	}
	addr, t := m.payload(src.addr)
	return typed{addr, ti.Type}, true, t
}

// instance returns the dynamic class of the instance that the reference at src refers to.
func (c *caster) instance(src typed) (*code.TypeInfo, *Trap) {
	ref, t := c.m.load64(src.addr)
	if t != nil {
		return nil, t
	}
	return c.m.typeOfObject(ref)
}

func (c *caster) layout(t *ir.Type) (*abi.Layout, *Trap) {
	lay, err := c.m.prog.Layouts.Of(t)
	if err != nil {
		return nil, c.m.unsupportedError(err)
	}
	return lay, nil
}

func (c *caster) existential(t *ir.Type) (*abi.Existential, *Trap) {
	e, err := c.m.prog.Layouts.Existential(t)
	if err != nil {
		return nil, c.m.unsupportedError(err)
	}
	return e, nil
}

// copy returns dst the value at src.
func (c *caster) copy(dst uint64, src typed) *Trap {
	if c.dry {
		return nil
	}
	lay, t := c.layout(src.t)
	switch {
	case t != nil:
		return t
	case c.counted:
		return c.m.copyValue(dst, src.addr, lay)
	}
	return c.m.copyMemory(dst, src.addr, lay.Size)
}

// store writes words one after another.
func (c *caster) store(dst uint64, words ...uint64) *Trap {
	if c.dry {
		return nil
	}
	for n, w := range words {
		if !c.m.heap.Store64(dst+8*uint64(n), w) {
			return c.m.badAddress(dst)
		}
	}
	return nil
}

// retain makes the result a reference of its own.
func (c *caster) retain(ref uint64) *Trap {
	if c.dry || !c.counted {
		return nil
	}
	c.m.count.StrongRetain++
	return c.m.faultOrNil(c.m.heap.Retain(ref))
}

// fresh refuses casts of values in registers that make a new object: nobody would own it.
func (c *caster) fresh(dst, src typed) *Trap {
	if c.counted {
		return nil
	}
	return c.m.unsupported("cast as a value from " + src.t.String() + " to " + dst.t.String())
}
