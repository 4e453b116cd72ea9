package native

// What tests of the library ask of a string: String._classify() and the properties of its result (stdlib/public/core/StringTesting.swift).
var stringClasses = map[string]func(*call){
	"$sSS9_classifys21_StringRepresentationVyF":            classifyString,
	"$ss21_StringRepresentationV8_isASCIISbvg":             func(c *call) { c.setBool(c.loadN(c.representation(0, 0), 1) != 0) },
	"$ss21_StringRepresentationV6_countSivg":               func(c *call) { c.Set(0, c.load(c.representation(1, 0))) },
	"$ss21_StringRepresentationV9_capacitySivg":            func(c *call) { c.Set(0, c.load(c.representation(2, 0))) },
	"$ss21_StringRepresentationV5_formAB5_FormOvg":         formOfString,
	"$ss21_StringRepresentationV17_objectIdentifierSOSgvg": storageOfString,
}

// representation returns where field i of the _StringRepresentation at argument arg lies.
func (c *call) representation(i, arg int) uint64 {
	ti := c.info(c.nominal("_StringRepresentation"))
	if c.trap != nil {
		return 0
	}
	return c.Arg(arg) + ti.Layout.Fields[i].Offset
}

func classifyString(c *call) {
	ti := c.info(c.nominal("_StringRepresentation"))
	if c.trap != nil {
		return
	}
	fields := ti.Layout.Fields
	out, s := c.Arg(0), c.argString(1)
	at := func(i int) uint64 { return out + fields[i].Offset }
	var capacity, payload uint64
	form := "_immortal"
	switch {
	case s.isSmall():
		form, capacity = "_small", smallMax
	case int64(s.object) < 0:
		payload = s.object&objectAddress + textOffset
	case s.bits&flagNative != 0:
		form, payload = "_native", s.object&objectAddress
		capacity = c.load(payload+storageCapacity)&countMask - 1
	default:
		form, payload = "_native", s.object&objectAddress // bytes that another object has
	}
	c.storeN(at(0), 1, flag(s.isASCII()))
	c.store(at(1), s.count())
	c.store(at(2), capacity)
	if form != "_small" {
		c.store(at(3), payload)
	}
	c.inject(fields[3].Layout, at(3), form)
	if form == "_native" {
		c.retain(payload)
	}
}

// formOfString copies the form.
func formOfString(c *call) {
	a := c.representation(3, 1)
	if form := c.info(c.nominal("_StringRepresentation")); c.trap == nil {
		lay := form.Layout.Fields[3].Layout
		c.copyMem(c.Arg(0), a, lay.Size)
		if k := c.caseOf(lay, a); k != nil && k.Name == "_native" {
			c.retain(c.load(a))
		}
	}
}

// storageOfString returns the identity of the object that has the bytes, nil when there is none.
func storageOfString(c *call) {
	a := c.representation(3, 0)
	ti := c.info(c.nominal("_StringRepresentation"))
	if c.trap != nil {
		return
	}
	k := c.caseOf(ti.Layout.Fields[3].Layout, a)
	if k == nil || k.Name != "_native" {
		c.Set(0, 0)
		return
	}
	c.Set(0, c.load(a))
}
