package native

import (
	"math"

	"silvm/ir"
	"silvm/vm"
)

// witnesses are requirements that types of the standard library meet by natives: self and all values of the conforming type are addresses, as
// witnesses have it.
var witnesses = map[string]func(*call){
	"#CustomStringConvertible.description!getter":           describing,
	"#CustomDebugStringConvertible.debugDescription!getter": func(c *call) { c.showing(c.Arg(0), itemDebug) },
	"#TextOutputStreamable.write": func(c *call) {
		c.sinking(1, func() uint64 { return c.Arg(0) }, func() { c.push(itemPrint, c.info(c.typeArg(0)), c.Arg(1), 0) })
	},
	"#TextOutputStream.write":                     func(c *call) { c.appendAt(c.Arg(2), c.scratch(c.argString(0))) },
	"#Hashable.hash":                              func(c *call) { c.hashValueAt(c.Arg(0), c.Arg(1)) },
	"#Hashable.hashValue!getter":                  func(c *call) { c.hashAnew(0, c.Arg(0)) },
	"#Hashable._rawHashValue":                     func(c *call) { c.hashAnew(c.Arg(0), c.Arg(1)) },
	`#Equatable."=="`:                             func(c *call) { c.equalValues(c.Arg(0), c.Arg(1)) },
	`#Comparable."<"`:                             comparing(comparison{func(order int) bool { return order < 0 }, false, false}),
	`#Comparable."<="`:                            comparing(comparison{func(order int) bool { return order <= 0 }, true, true}),
	`#Comparable.">"`:                             comparing(comparison{func(order int) bool { return order > 0 }, true, false}),
	`#Comparable.">="`:                            comparing(comparison{func(order int) bool { return order >= 0 }, false, true}),
	"#Error._code!getter":                         errorInside("#Error._code!getter", errorCode),
	"#Error._domain!getter":                       errorInside("#Error._domain!getter", errorDomain),
	"#Error._userInfo!getter":                     errorInside("#Error._userInfo!getter", func(c *call) { c.Set(0, 0) }),
	"#Error._getEmbeddedNSError":                  errorInside("#Error._getEmbeddedNSError", func(c *call) { c.Set(0, 0) }),
	`#AdditiveArithmetic."+"`:                     arithmetic('+'),
	`#AdditiveArithmetic."-"`:                     arithmetic('-'),
	`#Numeric."*"`:                                arithmetic('*'),
	"#AdditiveArithmetic.zero!getter":             func(c *call) { c.storeNumber(c.Arg(0), 0) },
	"#ExpressibleByIntegerLiteral.init!allocator": integerLiteral,
	"#ExpressibleByFloatLiteral.init!allocator":   func(c *call) { c.copyValue(c.Arg(0), c.Arg(1)) },
}

// showing leaves the description of the value of the conforming type at a.
func (c *call) showing(a uint64, op itemOp) {
	c.writing(func() { c.push(op, c.info(c.typeArg(0)), a, 0) }, nil, func(text []byte) { c.setString(c.newStringBytes(text)) })
}

// describing makes the text of a value that is described.
func describing(c *call) {
	c.writing(func() { c.push(itemPrint, c.info(c.typeArg(0)), c.Arg(0), 0) }, nil, func(text []byte) { c.setString(c.newStringBytes(c.description(text))) })
}

// description returns what the conforming type's description is where the type prints the text: it tells less of a NaN
// (stdlib/public/core/FloatingPointTypes.swift.gyb).
func (c *call) description(text []byte) []byte {
	switch t := c.typeArg(0); t.Known() {
	case ir.KnownDouble, ir.KnownFloat, ir.KnownFloat16, ir.KnownFloat80:
		return []byte(describeFloat(string(text)))
	}
	return text
}

// copyValue moves the bytes of a value of the conforming type, which must be trivial.
func (c *call) copyValue(dst, src uint64) {
	ti := c.info(c.typeArg(0))
	if c.trap != nil {
		return
	}
	if _, wide := wides[ti.Type.Known()]; ti.Type.Kind != ir.KindNominal || !wide && !isNumber(ti.Type) {
		c.fail(c.UnsupportedSymbol())
		return
	}
	c.copyMem(dst, src, ti.Layout.Size)
}

func isNumber(t *ir.Type) bool {
	_, ok := integers[t.Known()]
	return ok || t.Known() == ir.KnownDouble || t.Known() == ir.KnownFloat
}

// integerLiteral makes a number of an IntegerLiteralType, which is the type itself for integers and Int64 for the others
// (stdlib/public/core/FloatingPointTypes.swift.gyb, IntegerTypes.swift.gyb).
func integerLiteral(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	switch t.Known() {
	case ir.KnownDouble, ir.KnownFloat:
		c.storeNumber(c.Arg(0), int64(c.load(c.Arg(1))))
	default:
		c.copyValue(c.Arg(0), c.Arg(1))
	}
}

// storeNumber writes an integer constant as a number of the conforming type.
func (c *call) storeNumber(a uint64, v int64) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	switch known := t.Known(); known {
	case ir.KnownDouble:
		c.store(a, math.Float64bits(float64(v)))
	case ir.KnownFloat:
		c.storeN(a, 4, uint64(math.Float32bits(float32(v))))
	default:
		if _, ok := wides[known]; ok {
			c.store(a, uint64(v))
			c.store(a+8, uint64(v>>63))
			return
		}
		k, ok := integers[known]
		if !ok {
			c.fail(c.UnsupportedSymbol())
			return
		}
		c.storeN(a, k.size, uint64(v))
	}
}

// arithmetic is an operator of the conforming type: the result's address, then the operands'.
func arithmetic(op byte) func(*call) {
	return func(c *call) {
		t := c.typeArg(0)
		if t == nil {
			return
		}
		to, x, y := c.Arg(0), c.Arg(1), c.Arg(2)
		switch known := t.Known(); known {
		case ir.KnownDouble:
			v := floatOp(op, math.Float64frombits(c.load(x)), math.Float64frombits(c.load(y)))
			c.store(to, math.Float64bits(v))
		case ir.KnownFloat:
			a, b := math.Float32frombits(uint32(c.loadN(x, 4))), math.Float32frombits(uint32(c.loadN(y, 4)))
			c.storeN(to, 4, uint64(math.Float32bits(floatOp(op, a, b))))
		default:
			k, ok := integers[known]
			if !ok {
				c.fail(c.UnsupportedSymbol())
				return
			}
			v, fits := k.op(op, c.loadN(x, k.size), c.loadN(y, k.size))
			if !fits {
				c.fail(c.SwiftTrap("arithmetic overflow"))
				return
			}
			c.storeN(to, k.size, v)
		}
	}
}

func floatOp[T float32 | float64](op byte, x, y T) T {
	switch op {
	case '+':
		return x + y
	case '-':
		return x - y
	}
	return x * y
}

// op is the integer operation, which fits unless it overflows.
func (k integer) op(op byte, x, y uint64) (v uint64, fits bool) {
	x, y = k.extend(x), k.extend(y)
	a, b := int64(x), int64(y)
	switch op {
	case '+':
		v = x + y
		fits = k.signed && (a^int64(v))&(b^int64(v)) >= 0 || !k.signed && v >= x
	case '&':
		return x & y, true
	case '|':
		return x | y, true
	case '^':
		return x ^ y, true
	case '/', '%':
		switch {
		case y == 0 || k.signed && a == int64(k.min()) && b == -1:
			return 0, false
		case op == '/' && k.signed:
			v = uint64(a / b)
		case op == '/':
			v = x / y
		case k.signed:
			v = uint64(a % b)
		default:
			v = x % y
		}
		return v, true
	case '-':
		v = x - y
		fits = k.signed && (a^b)&(a^int64(v)) >= 0 || !k.signed && x >= y
	default:
		v = x * y
		if k.signed {
			fits = a == 0 || int64(v)/a == b && (a != -1 || b != math.MinInt64)
		} else {
			fits = x == 0 || v/x == y
		}
	}
	return v, fits && k.extend(v) == v
}

// comparison is an operator of Comparable: what it says of ordered values, and how it comes of < (stdlib/public/core/Comparable.swift):
// with the operands exchanged, and denied.
type comparison struct {
	holds          func(order int) bool
	swapped, isNot bool
}

// comparing is a comparison of two values of the conforming type: of unordered ones it never holds. Types that are not ordered here are asked by
// their <.
func comparing(k comparison) func(*call) {
	return func(c *call) {
		t := c.typeArg(0)
		if t == nil {
			return
		}
		if c.State() == stateCompared {
			c.setBool((c.Returned(0)&1 != 0) != k.isNot)
			return
		}
		a, b := c.Arg(0), c.Arg(1)
		if order, ok, known := c.order(t, a, b); known {
			c.setBool(ok && k.holds(order))
			return
		}
		less, meta, ok := c.lessOf(t)
		if !ok || !k.swapped && !k.isNot {
			c.fail(c.Unsupported("comparing values of type " + t.String()))
			return
		}
		if k.swapped {
			a, b = b, a
		}
		c.SetState(stateCompared)
		c.fail(c.Call(less, a, b, meta))
	}
}

// lessOf returns the function by which a type is ordered, and the metadata that it wants; false when it is a native.
func (c *call) lessOf(t *ir.Type) (fi int, meta uint64, ok bool) {
	fi, trap := c.Requirement(`#Comparable."<"`, t)
	if trap != nil || c.Function(fi).Native != nil {
		return 0, 0, false
	}
	meta, trap = c.Metadata(t)
	c.fail(trap)
	return fi, meta, trap == nil
}

// order compares two values that are ordered by the standard library without calling anything; known reports whether they are.
func (c *call) order(t *ir.Type, a, b uint64) (order int, ok, known bool) {
	name := t.Known()
	switch name {
	case ir.KnownDouble:
		return orderFloat(math.Float64frombits(c.load(a)), math.Float64frombits(c.load(b)))
	case ir.KnownFloat:
		return orderFloat(math.Float32frombits(uint32(c.loadN(a, 4))), math.Float32frombits(uint32(c.loadN(b, 4))))
	case ir.KnownFloat16:
		x, y := uint16(c.loadN(a, 2)), uint16(c.loadN(b, 2))
		return orderFloat(vm.HalfToFloat(x), vm.HalfToFloat(y))
	case ir.KnownFloat80:
		order, ok := c.loadExtended(a).Order(c.loadExtended(b))
		return order, ok, true
	case ir.KnownString, ir.KnownCharacter:
		return c.compareStrings(c.loadString(a), c.loadString(b)), true, true
	case ir.KnownSubstring:
		x, y := c.viewOf(c.loadSubstring(a), 0), c.viewOf(c.loadSubstring(b), 1)
		return compareText(x, y), true, true
	case ir.KnownStringIndex:
		return orderWord(c.load(a)>>14, c.load(b)>>14), true, true
	case ir.KnownUnicodeScalar:
		return orderWord(c.loadN(a, 4), c.loadN(b, 4)), true, true
	case ir.KnownUnicodeCanonicalCombiningClass:
		return orderWord(c.loadN(a, 1), c.loadN(b, 1)), true, true
	case ir.KnownBool:
		return orderWord(c.loadN(a, 1)&1, c.loadN(b, 1)&1), true, true
	case ir.KnownInt128, ir.KnownUInt128:
		return c.orderWide(t, a, b), true, true
	case ir.KnownCollectionDifferenceIndex:
		return orderWord(c.load(a), c.load(b)), true, true
	case ir.KnownUnsafePointer, ir.KnownUnsafeMutablePointer, ir.KnownUnsafeRawPointer, ir.KnownUnsafeMutableRawPointer, ir.KnownOpaquePointer, ir.KnownObjectIdentifier:
		return orderWord(c.load(a), c.load(b)), true, true
	}
	if name == ir.KnownClosedRangeIndex {
		return c.orderClosedIndices(t, a, b)
	}
	k, isInt := integers[name]
	if !isInt {
		return 0, false, false
	}
	x, y := k.extend(c.loadN(a, k.size)), k.extend(c.loadN(b, k.size))
	if k.signed {
		x, y = x^1<<63, y^1<<63
	}
	return orderWord(x, y), true, true
}

// orderClosedIndices compares indices of closed ranges: the end comes last.
func (c *call) orderClosedIndices(t *ir.Type, a, b uint64) (order int, ok, known bool) {
	ti := c.info(t)
	if c.trap != nil {
		return 0, false, false
	}
	x, y := c.caseOf(ti.Layout, a), c.caseOf(ti.Layout, b)
	switch {
	case x == nil || y == nil || t.Parent == nil || len(t.Parent.Args) != 1:
		return 0, false, false
	case x.Name == y.Name && x.Name == "pastEnd":
		return 0, true, true
	case x.Name == "pastEnd":
		return 1, true, true
	case y.Name == "pastEnd":
		return -1, true, true
	}
	return c.order(t.Parent.Args[0], a, b)
}

func orderWord(x, y uint64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func orderFloat[T float32 | float64](x, y T) (order int, ok, known bool) {
	switch {
	case x < y:
		return -1, true, true
	case x > y:
		return 1, true, true
	}
	return 0, x == y, true
}
