package native

import (
	"fmt"
	"math"
	"strconv"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
)

// shownNatively shows values of the standard library's types.
var shownNatively map[ir.Known]func(c *call, ti *code.TypeInfo, a uint64, debug bool)

func init() {
	shownNatively = map[ir.Known]func(c *call, ti *code.TypeInfo, a uint64, debug bool){
		ir.KnownOptional: (*call).showOptional,
		ir.KnownBool:     showBool,
		ir.KnownDouble:   showDouble,
		ir.KnownFloat:    showFloat,
		ir.KnownFloat16: func(c *call, _ *code.TypeInfo, a uint64, _ bool) {
			c.put(formatHalf(uint16(c.loadN(a, 2))))
		},
		ir.KnownFloat80: func(c *call, _ *code.TypeInfo, a uint64, _ bool) {
			c.put(formatExtended(c.loadExtended(a)))
		},
		ir.KnownString:                     showString,
		ir.KnownCharacter:                  showString,
		ir.KnownSubstring:                  showSubstring,
		ir.KnownStaticString:               showStaticString,
		ir.KnownUnicodeScalar:              showScalar,
		ir.KnownUnicodeCharacterRecognizer: showRecognizer,
		ir.KnownStringUTF8View:             showView("UTF8View"),
		ir.KnownStringUTF16View:            showView("StringUTF16"),
		ir.KnownStringUnicodeScalarView:    showView("StringUnicodeScalarView"),
		ir.KnownDefaultStringInterpolation: func(c *call, _ *code.TypeInfo, a uint64, _ bool) {
			c.putString(c.loadString(a))
		},
		ir.KnownArray:              showArray(""),
		ir.KnownContiguousArray:    showArray("ContiguousArray"),
		ir.KnownArraySlice:         showSlice,
		ir.KnownDictionary:         showDictionary,
		ir.KnownDictionaryKeys:     showKeys,
		ir.KnownDictionaryValues:   showKeys,
		ir.KnownSet:                showSet,
		ir.KnownRange:              showRange("Range", "..<"),
		ir.KnownClosedRange:        showRange("ClosedRange", "..."),
		ir.KnownStrideTo:           showTypeName,
		ir.KnownStrideThrough:      showTypeName,
		ir.KnownDictionaryIterator: showTypeName,
		ir.KnownSetIterator:        showTypeName,
		ir.KnownAnyHashable:        showAnyHashable,
		ir.KnownCollectionOfOne:    showCollectionOfOne,
		ir.KnownObjectIdentifier: func(c *call, _ *code.TypeInfo, a uint64, _ bool) {
			c.put(fmt.Sprintf("ObjectIdentifier(0x%016x)", c.load(a)))
		},
		ir.KnownOpaquePointer:           showPointer,
		ir.KnownUnsafePointer:           showPointer,
		ir.KnownUnsafeMutablePointer:    showPointer,
		ir.KnownUnsafeRawPointer:        showPointer,
		ir.KnownUnsafeMutableRawPointer: showPointer,
	}
	for known, k := range integers {
		shownNatively[known] = func(c *call, _ *code.TypeInfo, a uint64, _ bool) { c.put(k.format(c.loadN(a, k.size), 10)) }
	}
	for known := ir.KnownSIMD2; known <= ir.KnownSIMD64; known++ {
		shownNatively[known] = showVector
	}
	for known := range wides {
		shownNatively[known] = showWide
	}
	shownNatively[ir.KnownSIMDMask] = showMask
	for _, known := range pathClasses {
		shownNatively[known] = showKeyPath
	}
}

func (c *call) showOptional(ti *code.TypeInfo, a uint64, _ bool) {
	k := c.caseOf(ti.Layout, a)
	if k == nil {
		return
	}
	if k.Name == ir.CaseNone {
		c.put("nil")
		return
	}
	payload, at := c.payloadOf(ti.Layout, k, a)
	if c.trap != nil {
		return
	}
	c.put("Optional(")
	c.pushText(")")
	c.push(itemDebug, c.info(payload.Type), at, 0)
}

// pushText pushes a text of at most 15 bytes.
func (c *call) pushText(s string) {
	w := smallString(s)
	c.push(itemText, nil, w.bits, w.object)
}

func showBool(c *call, _ *code.TypeInfo, a uint64, _ bool) {
	c.put(strconv.FormatBool(c.loadN(a, 1)&1 != 0))
}

func showDouble(c *call, _ *code.TypeInfo, a uint64, _ bool) {
	c.put(formatDouble(math.Float64frombits(c.load(a))))
}

func showFloat(c *call, _ *code.TypeInfo, a uint64, _ bool) {
	c.put(formatFloat32(math.Float32frombits(uint32(c.loadN(a, 4)))))
}

func showString(c *call, _ *code.TypeInfo, a uint64, debug bool) {
	if s := c.loadString(a); debug {
		c.put(quote(c.text(s)))
	} else {
		c.putString(s)
	}
}

func showView(name string) func(c *call, ti *code.TypeInfo, a uint64, debug bool) {
	return func(c *call, _ *code.TypeInfo, a uint64, debug bool) {
		if s := c.loadString(a); debug {
			c.put(name + "(" + quote(c.text(s)) + ")")
		} else {
			c.putString(s)
		}
	}
}

func showSubstring(c *call, _ *code.TypeInfo, a uint64, debug bool) {
	text := c.textOf(c.loadSubstring(a))
	if debug {
		text = quote(text)
	}
	c.put(text)
}

func showScalar(c *call, _ *code.TypeInfo, a uint64, debug bool) {
	r := rune(c.loadN(a, 4))
	if debug {
		c.put(quoteOne(r))
		return
	}
	c.put(string(r))
}

func showStaticString(c *call, _ *code.TypeInfo, a uint64, debug bool) {
	text := c.staticText(c.load(a), c.load(a+8), c.loadN(a+16, 1))
	if debug {
		text = quote(text)
	}
	c.put(text)
}

// staticText returns the text of a StaticString: an address and a count, or one scalar.
func (c *call) staticText(start, count, flags uint64) string {
	if flags&1 != 0 {
		return string(rune(start))
	}
	return string(c.mem(start, count))
}

// The storage of an array (stdlib/public/core/ContiguousArrayBuffer.swift).
const (
	arrayCount    = heap.HeaderSize
	arrayCapacity = heap.HeaderSize + 8
	arrayElements = heap.HeaderSize + 16
)

// elementsAt returns the offset of the elements in an array's storage.
func elementsAt(elem *code.TypeInfo) uint64 {
	return alignUp(arrayElements, elem.Layout.Align)
}

func showArray(name string) func(c *call, ti *code.TypeInfo, a uint64, debug bool) {
	return func(c *call, ti *code.TypeInfo, a uint64, debug bool) {
		elem := c.info(ti.Type.Args[0])
		storage := c.load(a)
		if c.trap != nil {
			return
		}
		c.showElements(elem, storage+elementsAt(elem), c.load(storage+arrayCount), name, debug)
	}
}

// showElements shows count elements as a list; debug puts the name of the collection around it.
func (c *call) showElements(elem *code.TypeInfo, a, count uint64, name string, debug bool) {
	if debug && name != "" {
		c.put(name + "([")
		c.pushText("])")
	} else {
		c.put("[")
		c.pushText("]")
	}
	c.push(itemElement, elem, a, count)
}

func showSlice(c *call, ti *code.TypeInfo, a uint64, debug bool) {
	elem := c.info(ti.Type.Args[0])
	if c.trap != nil {
		return
	}
	base, start, end := c.load(a+8), c.load(a+16), c.load(a+24)>>1
	c.showElements(elem, base+start*elem.Layout.Stride, end-start, "ArraySlice", debug)
}

func showRange(name, between string) func(c *call, ti *code.TypeInfo, a uint64, debug bool) {
	return func(c *call, ti *code.TypeInfo, a uint64, debug bool) {
		bound := c.info(ti.Type.Args[0])
		if c.trap != nil {
			return
		}
		op := itemPrint
		if debug {
			op = itemDebug
			c.put(name + "(")
			c.pushText(")")
		}
		c.push(op, bound, a+bound.Layout.Stride, 0)
		c.pushText(between)
		c.push(op, bound, a, 0)
	}
}

func showTypeName(c *call, ti *code.TypeInfo, _ uint64, _ bool) { c.put(c.typeName(ti.Type, true)) }

func showPointer(c *call, _ *code.TypeInfo, a uint64, _ bool) {
	c.put(fmt.Sprintf("0x%016x", c.load(a)))
}

func showCollectionOfOne(c *call, ti *code.TypeInfo, a uint64, _ bool) {
	c.put("CollectionOfOne(")
	c.pushText(")")
	c.push(itemDebug, c.info(ti.Type.Args[0]), a, 0)
}

// showAnyHashable shows the value in the box, which each kind of box has as its first property.
func showAnyHashable(c *call, _ *code.TypeInfo, a uint64, debug bool) {
	at, box, t := c.Payload(a)
	c.fail(t)
	if t != nil {
		return
	}
	if len(box.Layout.Fields) == 0 || box.Type.Kind != ir.KindNominal {
		c.unsupported("printing AnyHashable with a value of type " + box.Name)
		return
	}
	base := c.info(box.Layout.Fields[0].Layout.Type)
	if !debug {
		c.push(itemPrint, base, at, 0)
		return
	}
	c.put("AnyHashable(")
	c.pushText(")")
	c.push(itemDebug, base, at, 0)
}
