package native

import (
	"math"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/vm"
)

// formatDouble writes a Double as Swift does: the fewest digits that read back the same, with an exponent past 2^53 and below
// 1e-4 (stdlib/public/runtime/SwiftDtoa.cpp).
func formatDouble(d float64) string {
	switch {
	case math.IsNaN(d):
		return nanText(math.Float64bits(d)>>63 != 0, math.Float64bits(d)&(1<<51) == 0, math.Float64bits(d)&(1<<50-1))
	case math.IsInf(d, 0):
		return infText(d > 0)
	}
	return formatFloat(d, 64, 1<<53)
}

// formatFloat32 writes a Float; exponents start past 2^24.
func formatFloat32(f float32) string {
	d := float64(f)
	switch {
	case math.IsNaN(d):
		return nanText(math.Float32bits(f)>>31 != 0, math.Float32bits(f)&(1<<22) == 0, uint64(math.Float32bits(f)&(1<<21-1)))
	case math.IsInf(d, 0):
		return infText(d > 0)
	}
	return formatFloat(d, 32, 1<<24)
}

func infText(positive bool) string {
	if positive {
		return "inf"
	}
	return "-inf"
}

// describeFloat returns the description property of a float that is written as text: of a NaN it tells nothing more.
func describeFloat(text string) string {
	if strings.Contains(text, "nan") {
		return "nan"
	}
	return text
}

// nanText writes the sign, the kind and the payload of a NaN.
func nanText(negative, signalling bool, payload uint64) string {
	s := "nan"
	if signalling {
		s = "snan"
	}
	if negative {
		s = "-" + s
	}
	if payload != 0 {
		s += "(0x" + strconv.FormatUint(payload, 16) + ")"
	}
	return s
}

func formatFloat(d float64, bits int, limit float64) string {
	return formatDigits(strconv.FormatFloat(d, 'e', -1, bits), strconv.FormatFloat(d, 'f', -1, bits), math.Abs(d) <= limit)
}

// formatDigits chooses between a number with an exponent and the same in full, which is for numbers that are not too large.
func formatDigits(e, s string, full bool) string {
	mantissa, exponent, _ := strings.Cut(e, "e")
	n, _ := strconv.Atoi(exponent)
	if n >= -4 && full {
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	sign := "+"
	if n < 0 {
		sign, n = "-", -n
	}
	digits := strconv.Itoa(n)
	if len(digits) < 2 {
		digits = "0" + digits
	}
	return mantissa + "e" + sign + digits
}

// integers maps types to size in bytes and signedness: the standard library's integers of at most a word.
var integers = map[ir.Known]integer{
	ir.KnownInt: {8, true}, ir.KnownInt8: {1, true}, ir.KnownInt16: {2, true}, ir.KnownInt32: {4, true}, ir.KnownInt64: {8, true},
	ir.KnownUInt: {8, false}, ir.KnownUInt8: {1, false}, ir.KnownUInt16: {2, false}, ir.KnownUInt32: {4, false}, ir.KnownUInt64: {8, false},
}

type integer struct {
	size   uint64
	signed bool
}

// extend returns the value of an integer of n bytes as 64 bits, extended by its sign.
func (k integer) extend(v uint64) uint64 {
	shift := 64 - 8*k.size
	if k.signed {
		return uint64(int64(v<<shift) >> shift)
	}
	return v << shift >> shift
}

func (k integer) format(v uint64, radix int) string {
	v = k.extend(v)
	if k.signed {
		return strconv.FormatInt(int64(v), radix)
	}
	return strconv.FormatUint(v, radix)
}

var numbers = map[string]func(*call){
	"#_ExpressibleByBuiltinFloatLiteral.init!allocator": floatLiteral,
	"$s5Glibc4M_PISdvg":                                 constant(math.Pi),
	"$s5Glibc6M_PI_2Sdvg":                               constant(math.Pi / 2),
	"$s5Glibc6M_PI_4Sdvg":                               constant(math.Pi / 4),
	"$s5Glibc7M_SQRT2Sdvg":                              constant(math.Sqrt2),
	"$s5Glibc9M_SQRT1_2Sdvg":                            constant(math.Sqrt2 / 2),
	"$ss7Float16V11descriptionSSvg":                     func(c *call) { c.setString(c.newString(describeFloat(formatHalf(uint16(c.Arg(0)))))) },
	"$ss7Float16V16debugDescriptionSSvg":                func(c *call) { c.setString(c.newString(formatHalf(uint16(c.Arg(0))))) },
	"$ss7Float16V5write2toyxz_ts16TextOutputStreamRzlF": func(c *call) { c.writeText(formatHalf(uint16(c.Arg(1)))) },
	"$ss7Float16VyABSgSscfC":                            func(c *call) { c.parsedHalf(c.textOf(c.argSubstring(0)), c.argSubstring(0).base) },
	"$ss7Float16VyABSgSScfC":                            func(c *call) { c.parsedHalf(c.text(c.argString(0)), c.argString(0)) },
}

// constant is the getter of a number that the module Glibc takes from Double (stdlib/public/Platform/tgmath.swift.gyb).
func constant(d float64) func(*call) {
	return func(c *call) { c.Set(0, math.Float64bits(d)) }
}

// formatHalf writes a Float16.
func formatHalf(h uint16) string {
	d := float64(vm.HalfToFloat(h))
	switch {
	case math.IsNaN(d):
		return nanText(h>>15 != 0, h&(1<<9) == 0, uint64(h&(1<<8-1)))
	case math.IsInf(d, 0):
		return infText(d > 0)
	}
	if math.Abs(d) >= 1<<11 {
		return strconv.FormatFloat(d, 'f', 1, 64)
	}
	for digits := range 5 {
		e := strconv.FormatFloat(d, 'e', digits, 64)
		// Below a power of two the values lie closer, so that the number above may do where the nearest doesn't.
		for _, step := range []float64{0, 1} {
			v, _ := strconv.ParseFloat(e, 64)
			v += math.Copysign(step*math.Pow(10, math.Floor(math.Log10(math.Abs(d)))-float64(digits)), d)
			if vm.DoubleToHalf(v) == h {
				return formatDigits(strconv.FormatFloat(v, 'e', digits, 64), strconv.FormatFloat(v, 'f', -1, 64), true)
			}
		}
	}
	return strconv.FormatFloat(d, 'f', -1, 64)
}

// floatLiteral is the requirement by which generic code makes a number of a literal, which is a Float80.
func floatLiteral(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	x := c.argExtended(1)
	switch t.Known() {
	case ir.KnownDouble:
		c.store(c.Arg(0), x.Float(64))
	case ir.KnownFloat:
		c.storeN(c.Arg(0), 4, x.Float(32))
	case ir.KnownFloat16:
		c.storeN(c.Arg(0), 2, x.Float(16))
	case ir.KnownFloat80:
		c.storeExtended(c.Arg(0), x)
	default:
		c.unsupported("a literal as a value of type " + t.String())
	}
}
