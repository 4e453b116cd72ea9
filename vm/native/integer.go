package native

import (
	"math/bits"

	"silvm/ir"
)

// Requirements of the protocols of integers that the library's integers meet, for generic code that was not specialized. Values of
// Self are addresses, those of Int, Bool and UInt are direct.

var integerFunctions = map[string]func(*call){
	`#BinaryInteger."/"`: arithmetic('/'), `#BinaryInteger."%"`: arithmetic('%'), `#BinaryInteger."+"`: arithmetic('+'),
	`#BinaryInteger."-"`: arithmetic('-'), `#BinaryInteger."*"`: arithmetic('*'), `#BinaryInteger."&"`: arithmetic('&'),
	`#BinaryInteger."|"`: arithmetic('|'), `#BinaryInteger."^"`: arithmetic('^'),
	`#AdditiveArithmetic."+="`: updating('+'), `#AdditiveArithmetic."-="`: updating('-'), `#Numeric."*="`: updating('*'),
	`#BinaryInteger."/="`: updating('/'), `#BinaryInteger."%="`: updating('%'), `#BinaryInteger."&="`: updating('&'),
	`#BinaryInteger."|="`: updating('|'), `#BinaryInteger."^="`: updating('^'), `#BinaryInteger."+="`: updating('+'),
	`#BinaryInteger."-="`: updating('-'), `#BinaryInteger."*="`: updating('*'),
	`#BinaryInteger."~"`:                            onInteger(2, func(c *call, k integer) { c.storeInteger(k, c.Arg(0), ^c.integerAt(k, 1)) }),
	`#SignedNumeric."-"`:                            negation(0, 1),
	"#SignedNumeric.negate":                         negation(0, 0),
	"#BinaryInteger.isSigned!getter":                onInteger(0, func(c *call, k integer) { c.setBool(k.signed) }),
	"#BinaryInteger.bitWidth!getter":                onInteger(1, func(c *call, k integer) { c.Set(0, 8*k.size) }),
	"#FixedWidthInteger.bitWidth!getter":            onInteger(0, func(c *call, k integer) { c.Set(0, 8*k.size) }),
	"#FixedWidthInteger.max!getter":                 onInteger(0, func(c *call, k integer) { c.storeInteger(k, c.Arg(0), k.max()) }),
	"#FixedWidthInteger.min!getter":                 onInteger(0, func(c *call, k integer) { c.storeInteger(k, c.Arg(0), k.min()) }),
	"#BinaryInteger._lowWord!getter":                onInteger(1, func(c *call, k integer) { c.Set(0, c.integerAt(k, 0)) }),
	"#BinaryInteger.trailingZeroBitCount!getter":    onInteger(1, trailingZeros),
	"#FixedWidthInteger.leadingZeroBitCount!getter": onInteger(1, leadingZeros),
	"#FixedWidthInteger.nonzeroBitCount!getter": onInteger(1, func(c *call, k integer) {
		c.Set(0, uint64(bits.OnesCount64(c.loadN(c.Arg(0), k.size))))
	}),
	"#FixedWidthInteger.byteSwapped!getter": onInteger(2, func(c *call, k integer) {
		c.storeInteger(k, c.Arg(0), bits.ReverseBytes64(c.loadN(c.Arg(1), k.size))>>(64-8*k.size))
	}),
	"#BinaryInteger.signum": onInteger(2, func(c *call, k integer) {
		v := c.integerAt(k, 1)
		switch {
		case k.signed && int64(v) < 0:
			v = ^uint64(0)
		case v != 0:
			v = 1
		}
		c.storeInteger(k, c.Arg(0), v)
	}),
	"#BinaryInteger.isMultiple": onInteger(2, func(c *call, k integer) {
		a, b := c.integerAt(k, 1), c.integerAt(k, 0) // self is last
		switch {
		case b == 0:
			c.setBool(a == 0)
		case k.signed:
			c.setBool(int64(b) == -1 || int64(a)%int64(b) == 0)
		default:
			c.setBool(a%b == 0)
		}
	}),
	"#BinaryInteger.quotientAndRemainder": onInteger(4, func(c *call, k integer) {
		q, ok := k.op('/', c.integerAt(k, 3), c.integerAt(k, 2))
		r, fine := k.op('%', c.integerAt(k, 3), c.integerAt(k, 2))
		if !ok || !fine {
			c.fail(c.SwiftTrap("division by zero or overflow"))
			return
		}
		c.storeInteger(k, c.Arg(0), q)
		c.storeInteger(k, c.Arg(1), r)
	}),
	"#Numeric.magnitude!getter": onInteger(2, func(c *call, k integer) {
		v := c.integerAt(k, 1)
		if k.signed && int64(v) < 0 {
			v = -v
		}
		c.storeInteger(k, c.Arg(0), v)
	}),
	"#BinaryInteger.init!allocator": convertInteger,
	"#Numeric.init!allocator":       convertExactly,
	"#_ExpressibleByBuiltinIntegerLiteral.init!allocator": func(c *call) {
		c.storeNumber(c.Arg(0), int64(c.Arg(1)))
	},
	"#Strideable.advanced": onInteger(3, func(c *call, k integer) {
		n, at := c.loadN(c.Arg(1), 8), c.integerAt(k, 2)
		v := at + n
		if k.extend(v) != v || (int64(n) >= 0) != (v >= at) && !k.signed || k.signed && (at^v)&(n^v)>>63 != 0 {
			c.fail(c.SwiftTrap("arithmetic overflow"))
			return
		}
		c.storeInteger(k, c.Arg(0), v)
	}),
	"#Strideable.distance": onInteger(3, func(c *call, k integer) {
		from, to := c.integerAt(k, 2), c.integerAt(k, 1)
		d := to - from
		if k.size == 8 && (k.signed && int64((to^from)&(to^d)) < 0 || !k.signed && (to >= from) != (int64(d) >= 0)) {
			c.fail(c.SwiftTrap("arithmetic overflow"))
			return
		}
		c.store(c.Arg(0), d)
	}),
}

// onInteger is a requirement of a conforming type that is an integer of the library; it has n arguments at least.
func onInteger(n int, f func(c *call, k integer)) func(*call) {
	return func(c *call) {
		t := c.typeArg(0)
		if t == nil {
			return
		}
		k, ok := integers[t.Known()]
		if !ok {
			c.unsupported("the requirement " + c.Ref.Symbol + " of " + t.String())
			return
		}
		f(c, k)
	}
}

// integerAt returns the integer whose address is argument i, extended to 64 bits.
func (c *call) integerAt(k integer, i int) uint64 { return k.extend(c.loadN(c.Arg(i), k.size)) }

func (c *call) storeInteger(k integer, a, v uint64) { c.storeN(a, k.size, v) }

func (k integer) max() uint64 {
	if k.signed {
		return 1<<(8*k.size-1) - 1
	}
	return ^uint64(0) >> (64 - 8*k.size)
}

func (k integer) min() uint64 {
	if k.signed {
		return -(uint64(1) << (8*k.size - 1))
	}
	return 0
}

// negation negates the number at the address in argument from into that in argument to.
func negation(to, from int) func(*call) {
	return func(c *call) {
		t := c.typeArg(0)
		if t == nil {
			return
		}
		switch t.Known() {
		case ir.KnownDouble:
			c.store(c.Arg(to), c.load(c.Arg(from))^1<<63)
		case ir.KnownFloat:
			c.storeN(c.Arg(to), 4, c.loadN(c.Arg(from), 4)^1<<31)
		default:
			onInteger(1, func(c *call, k integer) {
				v := c.integerAt(k, from)
				if v == k.min() {
					c.fail(c.SwiftTrap("arithmetic overflow"))
					return
				}
				c.storeInteger(k, c.Arg(to), -v)
			})(c)
		}
	}
}

func trailingZeros(c *call, k integer) {
	c.Set(0, min(uint64(bits.TrailingZeros64(c.loadN(c.Arg(0), k.size))), 8*k.size))
}

func leadingZeros(c *call, k integer) {
	c.Set(0, uint64(bits.LeadingZeros64(c.loadN(c.Arg(0), k.size)))-(64-8*k.size))
}

// wide is an integer of either sign.
type wide struct {
	bits     uint64
	negative bool
}

// fits reports whether the number is one of the type.
func (k integer) fits(v wide) bool {
	switch {
	case v.negative && !k.signed:
		return false
	case v.negative:
		return int64(v.bits) >= int64(k.min())
	}
	return v.bits <= k.max()
}

// clamp returns the number of the type that is nearest to v.
func (k integer) clamp(v wide) uint64 {
	switch {
	case k.fits(v):
		return v.bits
	case v.negative:
		return k.min()
	}
	return k.max()
}

// updating is an assignment operator: the left operand is in memory.
func updating(op byte) func(*call) {
	f := arithmetic(op)
	return func(c *call) {
		to, from := c.Arg(0), c.Arg(1)
		c.Set(1, to)
		c.Set(2, from)
		f(c)
	}
}
