package native

import (
	"silvm/ir"
	"silvm/vm/libm"
)

// format is a binary floating-point type: its width, and the bits of the significand that it stores, without an explicit leading one.
type format struct {
	known    ir.Known
	size     uint64 // bytes that count
	fraction int
}

var formats = map[ir.Known]format{
	ir.KnownFloat16: {ir.KnownFloat16, 2, 10}, ir.KnownFloat: {ir.KnownFloat, 4, 23}, ir.KnownDouble: {ir.KnownDouble, 8, 52},
	ir.KnownFloat80: {ir.KnownFloat80, 10, 63},
}

func (f format) quiet() uint64     { return 1 << (f.fraction - 1) }
func (f format) signaling() uint64 { return 1 << (f.fraction - 2) }

// load returns the number at a, and of a NaN the stored bits of its significand.
func (f format) load(c *call, a uint64) (x libm.Extended, pattern uint64) {
	if f.known == ir.KnownFloat80 {
		x = c.loadExtended(a)
		return x, x.Frac << 1 >> 1
	}
	v := c.loadN(a, f.size)
	return libm.ExtendedOf(v, int(8*f.size)), v & (1<<f.fraction - 1)
}

// round returns x in the format, as an Extended and as its bits.
func (f format) round(x libm.Extended) (libm.Extended, uint64) {
	if f.known == ir.KnownFloat80 {
		return x, 0
	}
	v := x.Float(int(8 * f.size))
	return libm.ExtendedOf(v, int(8*f.size)), v
}

// storeNaN writes the NaN with those bits of the significand.
func (f format) storeNaN(c *call, a uint64, negative bool, pattern uint64) {
	sign := flag(negative)
	if f.known == ir.KnownFloat80 {
		c.storeExtended(a, libm.Extended{Top: uint16(sign<<15) | 0x7FFF, Frac: 1<<63 | pattern})
		return
	}
	exponent := int(8*f.size) - 1 - f.fraction
	c.storeN(a, f.size, sign<<(8*f.size-1)|(1<<exponent-1)<<f.fraction|pattern)
}

// convertFloat is BinaryFloatingPoint._convert(from:): the value in the conforming type, and whether it is the same number, which no NaN is. The payload of
// a NaN keeps its low bits.
func convertFloat(c *call) {
	to, from := c.typeArg(0), c.typeArg(1)
	if c.trap != nil {
		return
	}
	f, ok := formats[to.Known()]
	g, ok2 := formats[from.Known()]
	if !ok || !ok2 {
		c.unsupported("converting a value of " + from.String() + " to " + to.String() + " in generic code")
		return
	}
	x, pattern := g.load(c, c.Arg(1))
	if x.IsNaN() {
		kind := f.quiet()
		if pattern&g.quiet() == 0 {
			kind = f.signaling()
		}
		payload := pattern &^ (g.quiet() | g.signaling()) & (1<<f.fraction - 1) &^ (f.quiet() | f.signaling())
		f.storeNaN(c, c.Arg(0), x.IsNegative(), payload|kind)
		c.setBool(false)
		return
	}
	y, bits := f.round(x)
	if f.known == ir.KnownFloat80 {
		c.storeExtended(c.Arg(0), y)
	} else {
		c.storeN(c.Arg(0), f.size, bits)
	}
	c.setBool(isSame(x, y))
}
