package native

import (
	"strconv"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// mirrors has what mirrors see of a value: asked by loader/library/mirror.swift, whose numbers for display styles these are.

var mirrors = map[string]func(*call){
	"$ss14_getSuperclassyyXlXpSgyXlXpF": superclassOf,
	"library_reflectStyle": func(c *call) {
		ti, a := c.reflected()
		c.Set(0, c.reflectStyle(ti, a))
	},
	"library_reflectCount": func(c *call) {
		ti, a := c.reflected()
		c.Set(0, c.childCount(ti, a, c.Arg(1)))
	},
	"library_reflectType":  reflectType,
	"library_reflectSuper": reflectSuper,
	"library_reflectCase":  reflectCase,
	"library_reflectChild": reflectChild,
	"library_tupleCount":   func(c *call) { c.Set(0, uint64(len(c.tupleFields()))) },
	"library_tupleElement": tupleElement,
	"library_reflectIsEnum": func(c *call) {
		ti, _ := c.reflected()
		c.setBool(c.trap == nil && ti.Layout.Enum != nil)
	},
}

// The display styles.
const (
	styleNone = iota
	styleStruct
	styleClass
	styleEnum
	styleTuple
	styleOptional
	styleCollection
	styleDictionary
	styleSet
	styleCustom // the type has a mirror of its own
)

var libraryStyles = map[ir.Known]uint64{
	ir.KnownOptional: styleOptional, ir.KnownArray: styleCollection, ir.KnownContiguousArray: styleCollection, ir.KnownArraySlice: styleCollection,
	ir.KnownDictionary: styleDictionary, ir.KnownSet: styleSet,
}

// reflected returns the type and the place of the value in the Any that argument 0 leads to.
func (c *call) reflected() (*code.TypeInfo, uint64) {
	any := c.info(c.anyType())
	if c.trap != nil {
		return nil, 0
	}
	return c.mirrored(any, c.Arg(0))
}

// mirrored is dynamic, for what a mirror shows: not into an existential with type arguments, unless the value has a mirror of its own.
func (c *call) mirrored(ti *code.TypeInfo, a uint64) (*code.TypeInfo, uint64) {
	inner, at, constrained := c.dynamicOf(ti, a)
	if !constrained || c.trap != nil || c.Conforms(inner.Type, customReflection) {
		return inner, at
	}
	at, ti, trap := c.Payload(a)
	c.fail(trap)
	return ti, at
}

func (c *call) reflectStyle(ti *code.TypeInfo, a uint64) uint64 {
	if c.trap != nil {
		return styleNone
	}
	t := ti.Type
	switch t.Kind {
	case ir.KindTuple:
		return styleTuple
	case ir.KindNominal:
	default:
		return styleNone
	}
	decl := c.m.Module().DeclOf(t)
	if decl == nil {
		return styleNone
	}
	if decl.Builtin {
		return c.libraryStyle(ti, decl)
	}
	if c.Conforms(t, customReflection) {
		return styleCustom
	}
	switch decl.Kind {
	case ir.Enum:
		return styleEnum
	case ir.Class, ir.Actor:
		return styleClass
	}
	return styleStruct
}

// ownMirrors are the library's types whose own mirror is written in Swift (loader/library/seldommirrors.swift).
var ownMirrors = map[ir.Known]bool{ir.KnownStringUnicodeScalarView: true, ir.KnownStringUTF8View: true, ir.KnownStringUTF16View: true,
	ir.KnownSubstring: true, ir.KnownStaticString: true, ir.KnownStrideTo: true, ir.KnownStrideThrough: true, ir.KnownCollectionOfOne: true, ir.KnownDictionaryIterator: true,
	ir.KnownSetIterator: true, ir.KnownUnsafePointer: true, ir.KnownUnsafeMutablePointer: true, ir.KnownUnsafeRawPointer: true, ir.KnownUnsafeMutableRawPointer: true}

// libraryStyle knows the types of the standard library whose mirrors are seen most; they have mirrors of their own.
func (c *call) libraryStyle(ti *code.TypeInfo, decl *ir.Nominal) uint64 {
	known := decl.Known()
	if s, ok := libraryStyles[known]; ok {
		return s
	}
	if ownMirrors[known] {
		return styleCustom
	}
	if c.Conforms(ti.Type, customReflection) {
		if _, ok := integers[known]; !ok && !plainMirrors[known] && known != ir.KnownRange && known != ir.KnownClosedRange && known != ir.KnownAnyHashable {
			c.unsupported("the mirror of a value of type " + ti.Name)
		}
		return styleNone
	}
	switch decl.Kind {
	case ir.Enum:
		return styleEnum
	case ir.Class:
		return styleClass
	}
	return styleStruct
}

// plainMirrors are types whose mirrors have no children and no style.
var plainMirrors = map[ir.Known]bool{ir.KnownBool: true, ir.KnownDouble: true, ir.KnownFloat: true, ir.KnownFloat16: true, ir.KnownFloat80: true, ir.KnownString: true,
	ir.KnownCharacter: true, ir.KnownUnicodeScalar: true, ir.KnownInt128: true, ir.KnownUInt128: true}

// fieldsAt are the stored properties that the mirror of an object shows: those of its class, or of the superclass that many levels up.
func (c *call) fieldsAt(ti *code.TypeInfo, level uint64) (fields []fieldAt) {
	layout, err := c.Layouts().Class(ti.Type)
	if err != nil {
		c.unsupported(err.Error())
		return nil
	}
	at := layout
	for ; level > 0 && at != nil; level-- {
		at = at.Super
	}
	if at == nil {
		c.fail(c.Internal("a superclass that is not there"))
		return nil
	}
	for n := range layout.Fields {
		if f := &layout.Fields[n]; f.Owner == at || f.Owner.Type == at.Type {
			fields = append(fields, fieldAt{f.Name, c.fieldType(f.Layout.Type), f.Layout.Type, f.Offset, at.Type})
		}
	}
	return fields
}

// fieldAt is a child of a value: its label, its type, its type as stored, where it lies, and the type that declares it.
type fieldAt struct {
	name         string
	typ, storage *ir.Type
	offset       uint64
	owner        *ir.Type
}

func (c *call) fieldType(t *ir.Type) *ir.Type {
	if t.Kind == ir.KindStorage {
		return t.Elem
	}
	return t
}

// childCount is the number of children of the value at a, as one of the class that many levels up.
func (c *call) childCount(ti *code.TypeInfo, a, level uint64) uint64 {
	style := c.reflectStyle(ti, a)
	if c.trap != nil {
		return 0
	}
	t := ti.Type
	switch style {
	case styleStruct, styleTuple, styleCustom:
		if c.m.Module().IsClassType(t) {
			return uint64(len(c.fieldsAt(ti, level)))
		}
		return uint64(len(c.shownFields(ti)))
	case styleClass:
		return uint64(len(c.fieldsAt(ti, level)))
	case styleEnum, styleOptional:
		k := c.caseOf(ti.Layout, a)
		if k == nil || k.Payload == nil && k.Boxed == nil {
			return 0
		}
		return 1
	case styleCollection:
		elem := c.info(t.Args[0])
		if c.trap != nil {
			return 0
		}
		_, n := c.elements(t.Known(), elem, a)
		return n
	case styleDictionary, styleSet:
		return c.load(c.load(a) + tableCount)
	}
	switch t.Known() {
	case ir.KnownRange, ir.KnownClosedRange:
		return 2
	case ir.KnownAnyHashable:
		return 1
	}
	return 0
}

func reflectType(c *call) {
	ti, a := c.reflected()
	if c.trap != nil {
		return
	}
	t := c.ancestor(ti.Type, c.Arg(1))
	if k := ti.Type.Kind; (k == ir.KindMetatype || k == ir.KindExistentialMetatype) && ti.Layout.Size > 0 { // that of the type that it holds
		of, trap := c.TypeOf(c.load(a))
		c.fail(trap)
		if c.trap != nil {
			return
		}
		t = c.m.Module().Types.Metatype(of.Type, ir.MetatypeFormal)
	}
	if t == nil {
		c.fail(c.Internal("a superclass that is not there"))
		return
	}
	meta, trap := c.Metadata(t)
	c.fail(trap)
	c.Set(0, meta)
}

// tupleFields returns the elements of the tuple that type argument 0 is, none of another type.
func (c *call) tupleFields() []abi.Field {
	ti := c.info(c.typeArg(0))
	if c.trap != nil || ti.Type.Kind != ir.KindTuple {
		return nil
	}
	return ti.Layout.Fields
}

// tupleElement returns the type of an element and where it lies.
func tupleElement(c *call) {
	fields := c.tupleFields()
	i := c.Arg(1)
	if i >= uint64(len(fields)) {
		c.fail(c.Internal("an element that a tuple has not"))
		return
	}
	meta, trap := c.Metadata(fields[i].Layout.Type)
	c.fail(trap)
	c.Set(0, meta)
	c.Set(1, fields[i].Offset)
}

func reflectSuper(c *call) {
	ti, a := c.reflected()
	if style := c.reflectStyle(ti, a); c.trap != nil || style != styleClass && style != styleCustom {
		c.setBool(false)
		return
	}
	c.setBool(c.ancestor(c.m.Module().Superclass(ti.Type), c.Arg(1)) != nil)
}

// superclassOf is _getSuperclass(_:): nil for a root class.
func superclassOf(c *call) {
	ti, trap := c.TypeOf(c.Arg(0))
	if c.fail(trap); c.trap != nil {
		return
	}
	meta := uint64(0)
	if super := c.m.Module().Superclass(ti.Type); super != nil {
		meta, trap = c.Metadata(super)
		c.fail(trap)
	}
	c.Set(0, meta)
}

// ancestor returns the superclass that many levels above t, nil when there are not so many.
func (c *call) ancestor(t *ir.Type, level uint64) *ir.Type {
	for t := range c.m.Module().Ancestry(t) {
		if level == 0 {
			return t
		}
		level--
	}
	return nil
}

// reflectCase leaves the name of the case of an enum.
func reflectCase(c *call) {
	any := c.info(c.anyType())
	if c.trap != nil {
		return
	}
	ti, a := c.dynamic(any, c.Arg(1))
	if c.trap != nil || ti.Layout.Enum == nil {
		c.unsupported("the case of a value")
		return
	}
	if k := c.caseOf(ti.Layout, a); k != nil {
		c.storeString(c.Arg(0), c.newString(unquoted(k.Name)))
	}
}

// setLabel leaves an optional string at a.
func (c *call) setLabel(a uint64, name string, some bool) {
	opt := c.info(c.nominal("Optional", c.nominal("String")))
	if c.trap != nil {
		return
	}
	if !some {
		c.inject(opt.Layout, a, ir.CaseNone)
		return
	}
	c.storeString(a, c.newString(name))
	c.inject(opt.Layout, a, ir.CaseSome)
}

// stateChildCopied: the value is in its place, the block in the first free local is not needed any more. reflectPair has the states
// below.
const stateChildCopied = 3

// reflectChild leaves the label at argument 0 and the value, as an Any, at argument 1: of the value in the Any at argument 2, as
// one of the class that argument 3 levels up, child number argument 4.
func reflectChild(c *call) {
	if c.State() == stateChildCopied {
		c.freeRaw(c.Local(localFree))
		return
	}
	any := c.info(c.anyType())
	if c.trap != nil {
		return
	}
	level, n := c.Arg(3), c.Arg(4)
	ti, a := c.dynamic(any, c.Arg(2))
	style := c.reflectStyle(ti, a)
	if c.trap != nil {
		return
	}
	t := ti.Type
	switch style {
	case styleStruct, styleTuple, styleClass, styleCustom:
		c.reflectField(ti, style, a, level, n)
	case styleEnum, styleOptional:
		c.reflectPayload(ti, a)
	case styleCollection:
		if elem := c.info(t.Args[0]); c.trap == nil {
			first, _ := c.elements(t.Known(), elem, a)
			c.giveChild("", false, elem.Type, first+n*elem.Layout.Stride)
		}
	case styleSet:
		tab := c.tableOf(t.Args[0], nil)
		if b, ok := c.nthBucket(tab, c.load(a), n); ok {
			c.giveChild("", false, t.Args[0], c.load(c.load(a)+tableKeys)+b*tab.key.Layout.Stride)
		}
	case styleDictionary:
		c.reflectPair(t, a, c.Arg(0), c.Arg(1), n)
	default:
		if t.Known() == ir.KnownAnyHashable {
			if at, base := c.anyHashable(a); c.trap == nil {
				c.giveChild("value", true, base.Type, at)
			}
		} else if elem := c.info(t.Args[0]); c.trap == nil {
			c.giveChild([]string{"lowerBound", "upperBound"}[n], true, elem.Type, a+n*elem.Layout.Stride)
		}
	}
}

// giveChild leaves the label, and a copy of the value of type t at a as an Any, where reflectChild was told to.
func (c *call) giveChild(name string, named bool, t *ir.Type, a uint64) {
	c.setLabel(c.Arg(0), name, named)
	if c.trap != nil {
		return
	}
	if ti := c.info(t); c.trap == nil && ti.Layout.MoveOnly { // nothing that could be a child: an empty tuple is there
		t = c.m.Module().Types.Tuple(nil, nil)
	}
	out := c.Arg(1)
	if t.Kind == ir.KindMetatype && t.Rep == ir.MetatypeThin { // takes no room there, and a word in an Any
		word := c.metatypeWord(t.Elem)
		defer c.freeRaw(word)
		a, t = word, c.m.Module().Types.Metatype(t.Elem, ir.MetatypeFormal)
	}
	if !isConstrained(t) {
		if c.trap == nil {
			_, trap := c.Cast(out, c.anyType(), a, t)
			c.fail(trap)
		}
		return
	}
	to, trap := c.InitOpaque(out, c.info(t))
	if c.fail(trap); c.trap == nil && !c.copyTo(to, a, t, code.WitnessInitCopy) {
		c.SetState(stateChildCopied)
		c.SetLocal(localFree, 0)
	}
}

// metatypeWord makes a raw block with the metadata of a type.
func (c *call) metatypeWord(t *ir.Type) uint64 {
	meta, trap := c.Metadata(t)
	c.fail(trap)
	word := c.allocRaw(8, 8)
	c.store(word, meta)
	return word
}

// giveMember is giveChild for what a type declares under a name.
func (c *call) giveMember(owner *ir.Type, name string, t *ir.Type, a uint64) {
	if !c.m.Module().IsMirrored(owner, name) {
		t = c.m.Module().Types.Tuple(nil, nil)
	}
	c.giveChild(unquoted(name), true, t, a)
}

// reflectField returns property n of the struct or tuple at a, or of the class so many levels up of the object there.
func (c *call) reflectField(ti *code.TypeInfo, style, a, level, n uint64) {
	var f fieldAt
	if c.m.Module().IsClassType(ti.Type) {
		f, a = c.fieldsAt(ti, level)[n], c.load(a)
	} else {
		x := ti.Layout.Fields[n]
		f = fieldAt{x.Name, c.fieldType(x.Layout.Type), x.Layout.Type, x.Offset, ti.Type}
		if style == styleTuple && x.Name == "" {
			f.name = "." + strconv.FormatUint(n, 10)
		}
	}
	if f.storage.Kind == ir.KindStorage {
		c.reflectStored(f, a+f.offset, c.Arg(0), c.Arg(1))
		return
	}
	if f.name == "" {
		c.unsupported("the mirror of a value of type " + ti.Name + ", whose properties the file does not name")
	}
	c.giveMember(f.owner, f.name, f.typ, a+f.offset)
}

// reflectPayload returns the payload of the enum at a, by the name of its case.
func (c *call) reflectPayload(ti *code.TypeInfo, a uint64) {
	k := c.caseOf(ti.Layout, a)
	if k == nil {
		return
	}
	w := &c.lib.w
	w.work = w.work[:0]
	payload, at := c.payloadOf(ti.Layout, k, a)
	if c.trap != nil {
		return
	}
	c.giveMember(ti.Type, k.Name, c.fieldType(payload.Type), at)
	for _, x := range w.work { // the copy that payloadOf has made, if any
		if c.State() == stateChildCopied {
			c.SetLocal(localFree, x.a)
		} else {
			c.freeRaw(x.a)
		}
	}
	w.work = w.work[:0]
}

// nthBucket returns the bucket of element n of a table.
func (c *call) nthBucket(t table, storage, n uint64) (uint64, bool) {
	b, ok := c.next(t, storage, 0)
	for ; ok && n > 0; n-- {
		b, ok = c.next(t, storage, b+1)
	}
	return b, ok
}

// reflectPair leaves element n of a dictionary: a tuple of key and value.
func (c *call) reflectPair(t *ir.Type, a, label, out, n uint64) {
	tab := c.tableOf(t.Args[0], t.Args[1])
	pair := c.info(c.m.Module().Types.Tuple(t.Args[:2:2], []string{"key", "value"}))
	if c.trap != nil {
		return
	}
	storage := c.load(a)
	b, ok := c.nthBucket(tab, storage, n)
	if !ok {
		return
	}
	const local = localFree + 20
	if c.State() == 0 {
		c.setLabel(label, "", false)
		to, trap := c.InitOpaque(out, pair)
		if c.fail(trap); c.trap != nil {
			return
		}
		c.SetLocal(local, to)
		c.SetState(1)
		if !c.copyTo(to+pair.Layout.Fields[0].Offset, c.load(storage+tableKeys)+b*tab.key.Layout.Stride, tab.key.Type, code.WitnessInitCopy) {
			return
		}
	}
	if c.State() == 1 {
		c.SetState(2)
		at := c.load(storage+tableValues) + b*tab.value.Layout.Stride
		c.copyTo(c.Local(local)+pair.Layout.Fields[1].Offset, at, tab.value.Type, code.WitnessInitCopy)
	}
}

// reflectStored leaves a weak or unowned property, as what it refers to.
func (c *call) reflectStored(f fieldAt, a, label, out uint64) {
	slot := c.allocRaw(16, 8)
	ref := uint64(0)
	if f.storage.Storage == ir.StorageWeak {
		var fault *heap.Fault
		ref, fault = c.Heap().WeakLoadStrong(a)
		c.fail(c.Fault(fault))
		c.Release(ref)
	} else {
		ref = c.load(a)
	}
	c.store(slot, ref)
	c.setLabel(label, f.name, true)
	if ti := c.info(f.typ); c.trap == nil && ti.Layout.Size != 8 {
		c.unsupported("the mirror of a weak reference of type " + ti.Name)
	}
	if c.trap == nil {
		_, trap := c.Cast(out, c.anyType(), slot, f.typ)
		c.fail(trap)
		c.freeRaw(slot)
	}
}
