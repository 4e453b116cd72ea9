package native

import (
	"math"
	"strconv"
	"strings"
)

// formatDouble writes a Double as Swift does: the fewest digits that read back the same, with an exponent past 2^53 and below
// 1e-4 (stdlib/public/runtime/SwiftDtoa.cpp).
func formatDouble(d float64) string {
	switch {
	case math.IsNaN(d):
		return nanText(math.Float64bits(d)&(1<<51) == 0, math.Float64bits(d)&(1<<50-1))
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
		return nanText(math.Float32bits(f)&(1<<22) == 0, uint64(math.Float32bits(f)&(1<<21-1)))
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

// nanText writes the kind and the payload of a NaN; its sign never shows.
func nanText(signalling bool, payload uint64) string {
	s := "nan"
	if signalling {
		s = "snan"
	}
	if payload != 0 {
		s += "(0x" + strconv.FormatUint(payload, 16) + ")"
	}
	return s
}

func formatFloat(d float64, bits int, limit float64) string {
	e := strconv.FormatFloat(d, 'e', -1, bits)
	mantissa, exponent, _ := strings.Cut(e, "e")
	n, _ := strconv.Atoi(exponent)
	if d == 0 || n >= -4 && math.Abs(d) <= limit {
		s := strconv.FormatFloat(d, 'f', -1, bits)
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

// integers gives size in bytes and signedness of the standard library's integers.
var integers = map[string]integer{
	"Int": {8, true}, "Int8": {1, true}, "Int16": {2, true}, "Int32": {4, true}, "Int64": {8, true},
	"UInt": {8, false}, "UInt8": {1, false}, "UInt16": {2, false}, "UInt32": {4, false}, "UInt64": {8, false},
}

type integer struct {
	size   uint64
	signed bool
}

// extend gives the value of an integer of n bytes as 64 bits, extended by its sign.
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
